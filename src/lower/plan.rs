//! The training plan: what is done with the network, in the units of the runtime.

use crate::base::SourceMap;
use crate::check::Experiment;
use crate::diag::Sink;
use crate::lower::errors;
use crate::lower::fields::{Optimization, Text, Training, Writing};
use crate::lower::words;
use crate::spec::TrainingPlan;
use crate::spec::plan::{
    Adam, AnnealStyle, Batch, Data, DecayStyle, Evaluation, LearningRate, Objective, Output, Remasking, Sampling,
    Tokenizer, WeightDecay, WeightDecayStyle,
};

/// The plan of an experiment for the embedded runtime. None if something stands in its way, which was reported.
pub fn plan(experiment: &Experiment, sources: &SourceMap, sink: &mut Sink) -> Option<TrainingPlan> {
    let training = Training::read(experiment, sources, sink);
    let optimization = Optimization::read(experiment, sources, sink);
    let text = Text::read(experiment, sources, sink).and_then(|text| data(experiment, &text, sink));
    let writing = Writing::read(experiment, sources, sink);
    let (training, optimization) = (training?, optimization?);
    let (objective, evaluation) = (objective(&training, sink), evaluation(&training, sink));
    let optimizer = adam(&optimization, sink);
    Some(TrainingPlan {
        seed: *training.seed,
        iterations: *training.iters,
        batch: Batch {
            micro: *training.micro_batch_size,
            global: *training.global_batch_size,
            sequence_length: *training.seq_length,
        },
        objective: objective?,
        optimizer: optimizer?,
        learning_rate: learning_rate(&optimization, &training),
        weight_decay: weight_decay(&optimization, &training),
        data: text?,
        evaluation: evaluation?,
        output: Output { save_interval: *training.save_interval, log_interval: *training.log_interval },
        sampling: sampling(&writing?),
    })
}

fn objective(training: &Training, sink: &mut Sink) -> Option<Objective> {
    match *training.mode {
        words::RunningMode::MaskedDiffusion => Some(Objective::MaskedDiffusion {
            mask_token: *training.mask_token,
            varlen_probability: *training.varlen_prob,
        }),
        words::RunningMode::Autoregressive => Some(Objective::Autoregressive),
        words::RunningMode::TestForward => {
            let message = "`test_forward` is a forward pass for debugging, not an objective to train with";
            sink.push(errors::unsupported(training.mode.span, message, Some("use `difflm_noshift` or `vanilla`")));
            None
        }
    }
}

fn evaluation(training: &Training, sink: &mut Sink) -> Option<Evaluation> {
    if *training.eval_iters == 0 {
        let message = "the embedded runtime always evaluates at the end, but `eval_iters` is 0";
        sink.push(errors::unsupported(training.eval_iters.span, message, Some("set it to 1 or more")));
        return None;
    }
    // Megatron's evaluation takes whole global batches, the runtime counts micro-batches.
    let per_batch = (*training.global_batch_size).checked_div(*training.micro_batch_size).unwrap_or(1).max(1);
    let iterations = training.eval_iters.saturating_mul(per_batch);
    Some(Evaluation { interval: *training.eval_interval, iterations })
}

fn adam(optimization: &Optimization, sink: &mut Sink) -> Option<Adam> {
    match *optimization.optimizer {
        words::OptimizerKind::Adam => {
            let clip = *optimization.clip_grad;
            Some(Adam {
                beta1: *optimization.adam_beta1,
                beta2: *optimization.adam_beta2,
                epsilon: *optimization.adam_eps,
                clip_grad: (clip > 0.0).then_some(clip),
            })
        }
        words::OptimizerKind::Sgd => {
            let message = "the embedded runtime trains with AdamW only, but `optimizer` is `sgd`";
            sink.push(errors::unsupported(
                optimization.optimizer.span,
                message,
                Some("set `optimizer.optimizer = adam`"),
            ));
            None
        }
    }
}

/// Megatron's scheduler counts samples: every length in steps is multiplied by the global batch size.
fn learning_rate(optimization: &Optimization, training: &Training) -> LearningRate {
    let samples = |iters: u64| iters.saturating_mul(*training.global_batch_size);
    let decay_samples = samples(optimization.lr_decay_iters.unwrap_or(*training.iters));
    let warmup_samples = match *optimization.lr_warmup_fraction {
        Some(fraction) => part_of(decay_samples, fraction),
        None => samples(*optimization.lr_warmup_iters),
    };
    let style = match *optimization.lr_decay_style {
        words::DecayStyle::Constant => DecayStyle::Constant,
        words::DecayStyle::Linear => DecayStyle::Linear,
        words::DecayStyle::Cosine => DecayStyle::Cosine,
        words::DecayStyle::InverseSquareRoot => DecayStyle::InverseSquareRoot,
        words::DecayStyle::WarmupStableDecay => DecayStyle::WarmupStableDecay {
            anneal: match *optimization.lr_wsd_decay_style {
                words::AnnealStyle::Exponential => AnnealStyle::Exponential,
                words::AnnealStyle::Linear => AnnealStyle::Linear,
                words::AnnealStyle::Cosine => AnnealStyle::Cosine,
            },
            anneal_samples: samples(optimization.lr_wsd_decay_iters.unwrap_or(0)),
        },
    };
    LearningRate {
        init: *optimization.lr_warmup_init,
        peak: *optimization.lr,
        min: *optimization.min_lr,
        warmup_samples,
        decay_samples,
        style,
    }
}

/// A share of a count, rounded down.
#[expect(clippy::cast_precision_loss, reason = "counts of samples are far below 2^53 or refused by the runtime")]
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "`as` saturates; the share is within 0..1")]
fn part_of(count: u64, fraction: f64) -> u64 {
    (count as f64 * fraction) as u64
}

fn weight_decay(optimization: &Optimization, training: &Training) -> WeightDecay {
    let constant = *optimization.weight_decay;
    let style = match *optimization.weight_decay_incr_style {
        words::WeightDecayStyle::Constant => WeightDecayStyle::Constant,
        words::WeightDecayStyle::Linear => WeightDecayStyle::Linear,
        words::WeightDecayStyle::Cosine => WeightDecayStyle::Cosine,
    };
    WeightDecay {
        start: optimization.start_weight_decay.unwrap_or(constant),
        end: optimization.end_weight_decay.unwrap_or(constant),
        increase_samples: training.iters.saturating_mul(*training.global_batch_size),
        style,
    }
}

fn data(experiment: &Experiment, text: &Text, sink: &mut Sink) -> Option<Data> {
    let Some(path) = &*text.text else {
        sink.push(errors::no_text(experiment.span, text.text.span, &text.text.cause.field));
        return None;
    };
    let tokenizer = match *text.tokenizer {
        words::Tokenizer::Bytes => Tokenizer::Bytes,
    };
    Some(Data { text: path.clone(), tokenizer, held_out: *text.held_out })
}

fn sampling(writing: &Writing) -> Sampling {
    Sampling {
        prompt: writing.prompt.to_string(),
        length: *writing.length,
        block_length: *writing.block_length,
        steps: *writing.steps,
        temperature: *writing.temperature,
        remasking: match *writing.remasking {
            words::Remasking::LowConfidence => Remasking::LowConfidence,
            words::Remasking::Random => Remasking::Random,
        },
        count: *writing.count,
    }
}
