//! Held-out evaluation: the same windows under the same noise each time, so that a change is the model's.

use tch::Tensor;

use crate::run::RunError;
use crate::run::data::{Corpus, Entropy};
use crate::run::model::{Model, Pass};
use crate::run::objective::{self, Batch, Nelbo};
use crate::run::observer::Evaluated;
use crate::run::ops::loss;
use crate::spec::plan::{Objective, TrainingPlan};

/// Judges a model on the held-out text after `step` steps.
///
/// `evaluation.iterations * batch.micro` windows take part, spread evenly over the held-out text; where there are
/// fewer windows, each takes part several times under other noise.
///
/// # Errors
/// As [`Model::hidden`].
pub fn held_out(model: &Model, plan: &TrainingPlan, corpus: &Corpus, step: u64) -> Result<Evaluated, RunError> {
    let rows = plan.batch.micro;
    let samples = plan.evaluation.iterations * rows;
    let batches = (0..plan.evaluation.iterations).map(|number| {
        let first = number * rows;
        Batch {
            tokens: corpus.held_out_batch(first, rows, samples),
            width: corpus.width(),
            samples: (first..first + rows).collect(),
            loss_mask: None,
        }
    });
    let batches: Vec<Batch> = batches.collect();
    let (bound, estimator) = match &plan.objective {
        Objective::MaskedDiffusion { mask_token, .. } => {
            (objective::nelbo(model, *mask_token, plan.seed, &batches)?, Nelbo::ESTIMATOR)
        }
        Objective::Autoregressive => {
            (next_token(model, plan, &batches)?, "next-token negative log-likelihood, exact under the causal mask")
        }
    };
    let Entropy { nats_per_token, bits_per_byte } = Entropy::of_nats(bound.mean);
    Ok(Evaluated {
        step,
        nats_per_token,
        bits_per_byte,
        standard_error: bound.standard_error,
        estimator: estimator.to_owned(),
        sequences: bound.samples,
    })
}

/// The negative log-likelihood of each token after those before it.
fn next_token(model: &Model, plan: &TrainingPlan, batches: &[Batch]) -> Result<Nelbo, RunError> {
    let _guard = tch::no_grad_guard();
    let (mut means, mut tokens) = (Vec::new(), 0);
    for batch in batches {
        let kept = batch.width - 1;
        let supervised = objective::supervise(&plan.objective, plan.seed, batch, kept)?;
        let pass = Pass { mask: supervised.mask, dropout: None };
        let hidden = model.hidden_at(supervised.input(), &Tensor::f_from_slice(&supervised.targets)?, pass)?;
        let losses = loss::cross_entropy(model.head(), &hidden, &Tensor::f_from_slice(&supervised.labels)?)?;
        let mut values = vec![0_f32; supervised.labels.len()];
        losses.f_copy_data(&mut values, supervised.labels.len())?;
        for row in values.chunks(kept) {
            means.push(row.iter().copied().map(f64::from).sum::<f64>() / row.len() as f64);
        }
        tokens += values.len() as u64;
    }
    let samples = means.len() as f64;
    let mean = means.iter().sum::<f64>() / samples;
    let squares: f64 = means.iter().map(|value| (value - mean).powi(2)).sum();
    let standard_error = if means.len() > 1 { (squares / (samples - 1.0) / samples).sqrt() } else { 0.0 };
    Ok(Nelbo { mean, standard_error, samples: means.len() as u64, tokens })
}
