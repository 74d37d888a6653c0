//! The training plan: data, objective, optimizer, schedules, and what a run leaves behind.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

/// What to do with a network.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TrainingPlan {
    /// Seed of everything random: parameters, sample order, times, masks.
    pub seed: u64,
    /// Optimizer steps in all.
    pub iterations: u64,
    /// How a step is cut into samples.
    pub batch: Batch,
    /// What the loss is.
    pub objective: Objective,
    /// AdamW.
    pub optimizer: Adam,
    /// Learning rate over time.
    pub learning_rate: LearningRate,
    /// Weight decay over time.
    pub weight_decay: WeightDecay,
    /// Where samples come from.
    pub data: Data,
    /// Held-out evaluation.
    pub evaluation: Evaluation,
    /// Files that a run leaves behind.
    pub output: Output,
    /// What is generated when training ends, and by `dlm sample`.
    pub sampling: Sampling,
}

/// How a step is cut into samples.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Batch {
    /// Samples per forward pass.
    pub micro: u64,
    /// Samples per optimizer step; a multiple of `micro`.
    pub global: u64,
    /// Tokens per sample.
    pub sequence_length: u64,
}

/// What the loss is.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case", deny_unknown_fields)]
pub enum Objective {
    /// Masked diffusion as MegaDLMs trains it (`difflm-noshift`): `t ~ U[0,1)` per row, each position masked with
    /// probability `t`, at least one per row; cross entropy on masked positions, divided by the row's share of masked
    /// positions, averaged over all positions.
    MaskedDiffusion {
        /// The token that stands for a masked position.
        mask_token: i64,
        /// Probability that a training batch is cut to a random length.
        varlen_probability: f64,
    },
    /// Next-token prediction under a causal mask (`vanilla`).
    Autoregressive,
}

/// AdamW (Loshchilov and Hutter 2017, arXiv 1711.05101).
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Adam {
    /// Decay of the first moment.
    pub beta1: f64,
    /// Decay of the second moment.
    pub beta2: f64,
    /// Added to the root of the second moment.
    pub epsilon: f64,
    /// Largest global gradient norm; none for no clipping.
    pub clip_grad: Option<f64>,
}

/// Learning rate over time. All lengths are in samples, as Megatron's scheduler counts: a step advances it by
/// [`Batch::global`].
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LearningRate {
    /// Value at the start of warm-up.
    pub init: f64,
    /// Value at the end of warm-up.
    pub peak: f64,
    /// Value after decay.
    pub min: f64,
    /// Length of warm-up.
    pub warmup_samples: u64,
    /// When decay is over, counted from the start of training.
    pub decay_samples: u64,
    /// How it falls.
    pub style: DecayStyle,
}

/// How the learning rate falls from its peak.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case", deny_unknown_fields)]
pub enum DecayStyle {
    /// It does not.
    Constant,
    /// On a line.
    Linear,
    /// On half a cosine.
    Cosine,
    /// With the inverse square root of the step.
    InverseSquareRoot,
    /// Warm-up, stable, decay (arXiv 2404.06395): flat, then down at the end.
    WarmupStableDecay {
        /// How it falls at the end.
        anneal: AnnealStyle,
        /// Length of that end.
        anneal_samples: u64,
    },
}

/// How the last part of a warm-up-stable-decay schedule falls.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum AnnealStyle {
    /// On a line.
    Linear,
    /// On half a cosine.
    Cosine,
    /// Halving.
    Exponential,
}

/// Weight decay over time.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct WeightDecay {
    /// Value at the start.
    pub start: f64,
    /// Value from `increase_samples` on.
    pub end: f64,
    /// Length of the increase, in samples.
    pub increase_samples: u64,
    /// How it grows.
    pub style: WeightDecayStyle,
}

/// How weight decay grows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum WeightDecayStyle {
    /// It does not.
    Constant,
    /// On a line.
    Linear,
    /// On half a cosine.
    Cosine,
}

/// Where samples come from.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Data {
    /// A plain text file, relative to the folder in which `dlm` was started. UTF-8 is not required: tokens are bytes.
    pub text: PathBuf,
    /// How text becomes tokens.
    pub tokenizer: Tokenizer,
    /// Share of the text, taken from its end, that is held out for evaluation; above 0, below 1.
    pub held_out: f64,
}

/// How text becomes tokens.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case", deny_unknown_fields)]
pub enum Tokenizer {
    /// A token is a byte: 0 to 255. Needs no file.
    Bytes,
}

/// Held-out evaluation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Evaluation {
    /// Steps between evaluations; there is always one after the last step.
    pub interval: u64,
    /// Micro-batches of an evaluation.
    pub iterations: u64,
}

/// Files that a run leaves behind.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Output {
    /// Steps between checkpoints; none for one at the end alone.
    pub save_interval: Option<u64>,
    /// Steps between two lines of the metrics log.
    pub log_interval: u64,
}

/// How text is generated.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Sampling {
    /// Text that is given; it may be empty.
    pub prompt: String,
    /// Tokens to generate after the prompt.
    pub length: u64,
    /// Tokens of a block; blocks are finished from left to right. `length` for all at once.
    pub block_length: u64,
    /// Denoising steps over the whole length.
    pub steps: u64,
    /// 0 takes the most likely token; above, tokens are drawn from the tempered distribution.
    pub temperature: f64,
    /// Which positions are committed in a step.
    pub remasking: Remasking,
    /// Texts to generate.
    pub count: u64,
}

/// Which positions are committed in a denoising step.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Remasking {
    /// Those whose predicted token is most probable; the others stay masked (LLaDA, arXiv 2502.09992, algorithm 5).
    LowConfidence,
    /// Random ones (LLaDA, algorithm 4).
    Random,
}
