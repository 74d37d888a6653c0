//! Whether a training plan can be carried out, before anything is built or read.

use crate::run::RunError;
use crate::run::data::ByteTokenizer;
use crate::spec::plan::{Batch, LearningRate, Objective, Sampling, Tokenizer, TrainingPlan};
use crate::spec::{LayerGraph, RunSpec};

/// Checks the numbers of a plan against each other and against the network.
///
/// # Errors
/// [`RunError::Plan`] with the field's path in `run.json`, what it is and what it must be.
pub fn validate(spec: &RunSpec) -> Result<(), RunError> {
    let plan = &spec.plan;
    batch(&plan.batch)?;
    objective(&plan.objective, &spec.graph, plan.data.tokenizer)?;
    optimizer(plan)?;
    intervals(plan)?;
    sampling(&plan.sampling)
}

fn batch(batch: &Batch) -> Result<(), RunError> {
    let Batch { micro, global, sequence_length } = *batch;
    at_least("plan.batch.micro", micro, 1)?;
    at_least("plan.batch.global", global, 1)?;
    at_least("plan.batch.sequence_length", sequence_length, 2)?;
    if global % micro != 0 {
        return Err(RunError::plan(format!(
            "`plan.batch.global` is {global}, which is no multiple of `plan.batch.micro`, {micro}"
        )));
    }
    let tokens = micro.checked_mul(sequence_length.saturating_add(1)).filter(|tokens| *tokens <= LARGEST_COUNT);
    tokens.map(|_| ()).ok_or_else(|| {
        RunError::plan(format!("{micro} samples of {sequence_length} tokens are too much for one forward pass"))
    })
}

/// Beyond this, a count of tokens, steps or samples is a mistake, and arithmetic with it need not be thought about.
const LARGEST_COUNT: u64 = 1 << 40;

fn objective(objective: &Objective, graph: &LayerGraph, tokenizer: Tokenizer) -> Result<(), RunError> {
    let tokens = match tokenizer {
        Tokenizer::Bytes => ByteTokenizer::TOKENS,
    };
    let [vocab, rows] = [graph.dims.vocab, graph.dims.padded_vocab].map(|rows| i64::try_from(rows).unwrap_or(i64::MAX));
    if vocab.min(rows) < tokens {
        return Err(RunError::plan(format!(
            "the vocabulary has {} rows, and the tokenizer gives {tokens} tokens",
            vocab.min(rows)
        )));
    }
    match objective {
        Objective::MaskedDiffusion { mask_token, varlen_probability } => {
            if !(0..rows).contains(mask_token) {
                return Err(RunError::plan(format!(
                    "`plan.objective.mask_token` is {mask_token}, outside the embedding of {rows} rows"
                )));
            }
            within("plan.objective.varlen_probability", *varlen_probability, 0.0, 1.0)
        }
        Objective::Autoregressive => Ok(()),
    }
}

fn optimizer(plan: &TrainingPlan) -> Result<(), RunError> {
    let adam = &plan.optimizer;
    for (name, beta) in [("beta1", adam.beta1), ("beta2", adam.beta2)] {
        if !(0.0..1.0).contains(&beta) {
            return Err(RunError::plan(format!("`plan.optimizer.{name}` is {beta}, it must lie in [0, 1)")));
        }
    }
    within("plan.optimizer.epsilon", adam.epsilon, 0.0, 1.0)?;
    if let Some(norm) = adam.clip_grad {
        within("plan.optimizer.clip_grad", norm, f64::MIN_POSITIVE, f64::MAX)?;
    }
    let LearningRate { init, peak, min, .. } = plan.learning_rate;
    for (name, rate) in [("init", init), ("peak", peak), ("min", min)] {
        within(&format!("plan.learning_rate.{name}"), rate, 0.0, f64::MAX)?;
    }
    within("plan.weight_decay.start", plan.weight_decay.start, 0.0, f64::MAX)?;
    within("plan.weight_decay.end", plan.weight_decay.end, 0.0, f64::MAX)
}

fn intervals(plan: &TrainingPlan) -> Result<(), RunError> {
    at_most("plan.iterations", plan.iterations)?;
    at_least("plan.evaluation.interval", plan.evaluation.interval, 1)?;
    at_least("plan.evaluation.iterations", plan.evaluation.iterations, 1)?;
    at_least("plan.output.log_interval", plan.output.log_interval, 1)?;
    if let Some(interval) = plan.output.save_interval {
        at_least("plan.output.save_interval", interval, 1)?;
    }
    let samples = plan.iterations.saturating_mul(plan.batch.global);
    if samples > LARGEST_COUNT << 20 {
        return Err(RunError::plan(format!("{} steps of {} samples are too many", plan.iterations, plan.batch.global)));
    }
    at_most("plan.evaluation.iterations", plan.evaluation.iterations.saturating_mul(plan.batch.micro))
}

/// The block arithmetic of sampling, as LLaDA's: blocks fill the length, steps are shared evenly by the blocks.
pub fn sampling(sampling: &Sampling) -> Result<(), RunError> {
    let Sampling { length, block_length, steps, temperature, count, .. } = *sampling;
    at_least("plan.sampling.length", length, 1)?;
    at_least("plan.sampling.block_length", block_length, 1)?;
    at_least("plan.sampling.steps", steps, 1)?;
    for (field, value) in [("length", length), ("count", count), ("steps", steps)] {
        if value >= 1 << 24 {
            return Err(RunError::plan(format!("`plan.sampling.{field}` is {value}, which is too much")));
        }
    }
    within("plan.sampling.temperature", temperature, 0.0, 1e6)?;
    if length % block_length != 0 {
        let (below, above) = (length / block_length * block_length, length.div_ceil(block_length) * block_length);
        let near = if below == 0 { above.to_string() } else { format!("{below} or {above}") };
        return Err(RunError::plan(format!(
            "blocks of {block_length} tokens do not fill a length of {length}; a length of {near} would do"
        )));
    }
    let blocks = length / block_length;
    if steps % blocks != 0 {
        let (below, above) = (steps / blocks * blocks, steps.div_ceil(blocks) * blocks);
        let near = if below == 0 { above.to_string() } else { format!("{below} or {above}") };
        return Err(RunError::plan(format!(
            "{steps} denoising steps cannot be shared evenly by {blocks} blocks ({length} tokens in blocks of \
             {block_length}); {near} steps would do"
        )));
    }
    Ok(())
}

fn at_least(field: &str, value: u64, least: u64) -> Result<(), RunError> {
    match value >= least {
        true => Ok(()),
        false => Err(RunError::plan(format!("`{field}` is {value}, it must be at least {least}"))),
    }
}

fn at_most(field: &str, value: u64) -> Result<(), RunError> {
    match value <= LARGEST_COUNT {
        true => Ok(()),
        false => Err(RunError::plan(format!("`{field}` is {value}, which is too much"))),
    }
}

fn within(field: &str, value: f64, least: f64, most: f64) -> Result<(), RunError> {
    match value >= least && value <= most {
        true => Ok(()),
        false if least == f64::MIN_POSITIVE => {
            Err(RunError::plan(format!("`{field}` is {value}, it must be above 0 and finite")))
        }
        false if most == f64::MAX => {
            Err(RunError::plan(format!("`{field}` is {value}, it must be at least {least} and finite")))
        }
        false => Err(RunError::plan(format!("`{field}` is {value}, it must lie in [{least}, {most}]"))),
    }
}
