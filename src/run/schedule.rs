//! Learning rate and weight decay over time, as Megatron's `OptimizerParamScheduler` computes them.
//!
//! Both are functions of the samples consumed before the step: step `k` (from 0) uses `k * batch.global`.

use std::f64::consts::PI;

use crate::spec::plan::{AnnealStyle, DecayStyle, LearningRate, WeightDecay, WeightDecayStyle};

/// The learning rate of a step before which `samples` samples were consumed.
///
/// Warm-up is a line from `init` to `peak`. A constant rate never falls; all others are at `min` after
/// `decay_samples`.
pub fn learning_rate(schedule: &LearningRate, samples: u64) -> f64 {
    let LearningRate { init, peak, min, warmup_samples, decay_samples, style } = *schedule;
    let now = samples as f64;
    if warmup_samples > 0 && samples <= warmup_samples {
        return init + (peak - init) * now / warmup_samples as f64;
    }
    if style == DecayStyle::Constant {
        return peak;
    }
    if samples > decay_samples {
        return min;
    }
    let passed = share(now - warmup_samples as f64, decay_samples as f64 - warmup_samples as f64);
    let coefficient = match style {
        DecayStyle::Constant => 1.0,
        DecayStyle::Linear => 1.0 - passed,
        DecayStyle::Cosine => half_cosine(passed),
        DecayStyle::InverseSquareRoot => {
            let rate = peak * (warmup_samples.max(1) as f64).sqrt() / (samples.max(1) as f64).sqrt();
            return rate.max(min);
        }
        DecayStyle::WarmupStableDecay { anneal, anneal_samples } => {
            let start = decay_samples.saturating_sub(anneal_samples);
            if samples <= start {
                1.0
            } else {
                let passed = share((samples - start) as f64, anneal_samples as f64);
                match anneal {
                    AnnealStyle::Linear => 1.0 - passed,
                    AnnealStyle::Cosine => half_cosine(passed),
                    AnnealStyle::Exponential => 2.0 * 0.5_f64.powf(passed) - 1.0,
                }
            }
        }
    };
    min + coefficient * (peak - min)
}

/// The weight decay of a step before which `samples` samples were consumed.
pub fn weight_decay(schedule: &WeightDecay, samples: u64) -> f64 {
    let WeightDecay { start, end, increase_samples, style } = *schedule;
    if samples > increase_samples {
        return end;
    }
    let passed = share(samples as f64, increase_samples as f64);
    let coefficient = match style {
        WeightDecayStyle::Constant => return end,
        WeightDecayStyle::Linear => passed,
        WeightDecayStyle::Cosine => half_cosine(1.0 - passed),
    };
    start + coefficient * (end - start)
}

/// From 1 at 0 down to 0 at 1.
fn half_cosine(passed: f64) -> f64 {
    0.5 * ((PI * passed).cos() + 1.0)
}

/// A part of a length; the whole where the length is nothing.
fn share(part: f64, length: f64) -> f64 {
    if length > 0.0 { part / length } else { 1.0 }
}
