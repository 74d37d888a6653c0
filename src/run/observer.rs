//! What a run tells while it goes on. The library prints nothing: whoever starts a run hands it an [`Observer`].

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::run::data::Entropy;

/// Someone who watches a run. Every method has an empty body: implement what you want to see.
#[expect(unused_variables, reason = "the names are documentation")]
pub trait Observer {
    /// Training begins, or goes on after a resume.
    fn started(&mut self, started: &Started) {}
    /// `step` of `iterations` optimizer steps are finished; called after every step.
    fn progressed(&mut self, step: u64, iterations: u64) {}
    /// Called every `log_interval` steps.
    fn stepped(&mut self, stepped: &Stepped) {}
    /// A held-out evaluation is finished.
    fn evaluated(&mut self, evaluated: &Evaluated) {}
    /// A checkpoint was written.
    fn saved(&mut self, step: u64, checkpoint: &Path) {}
    /// Something that the user should know and that is no error.
    fn noticed(&mut self, notice: &str) {}
    /// A denoising step of sampling is finished.
    fn denoised(&mut self, step: u64, steps: u64) {}
    /// Training ended: all steps are done, or it was asked to stop.
    fn finished(&mut self, summary: &Summary) {}
}

/// An observer that looks away.
#[derive(Clone, Copy, Debug)]
pub struct Unobserved;

impl Observer for Unobserved {}

/// What is known when training begins.
#[derive(Clone, Debug, PartialEq)]
pub struct Started {
    /// Name of the experiment.
    pub experiment: String,
    /// Steps that were finished before, 0 for a fresh run.
    pub step: u64,
    /// Steps in all.
    pub iterations: u64,
    /// Parameters of the network.
    pub parameters: u64,
    /// Bytes of text to train on.
    pub train_bytes: u64,
    /// Bytes of text held out.
    pub held_out_bytes: u64,
    /// Tokens of a step.
    pub tokens_per_step: u64,
    /// Entropy of the single bytes of the text: what a model must beat.
    pub unigram: Entropy,
}

/// The last `log_interval` steps.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Stepped {
    /// Steps that are finished.
    pub step: u64,
    /// Samples that were trained on.
    pub samples: u64,
    /// Mean of the training loss over these steps, in nats.
    pub loss: f64,
    /// Which of the losses in the literature it is.
    pub loss_convention: &'static str,
    /// Learning rate of the last of these steps.
    pub learning_rate: f64,
    /// Weight decay of the last of these steps.
    pub weight_decay: f64,
    /// Norm of the whole gradient before clipping, mean over these steps.
    pub grad_norm: f64,
    /// Tokens of the data set per second, evaluations and checkpoints left out.
    pub tokens_per_second: f64,
}

/// A held-out evaluation.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Evaluated {
    /// Steps that were finished.
    pub step: u64,
    /// Upper bound of the negative log-likelihood of held-out text, in nats per token.
    pub nats_per_token: f64,
    /// The same in bits per byte of text.
    pub bits_per_byte: f64,
    /// Standard error of `nats_per_token`, from the spread over sequences.
    pub standard_error: f64,
    /// How it was estimated.
    pub estimator: String,
    /// Sequences that took part.
    pub sequences: u64,
}

/// What a run came to.
#[derive(Clone, Debug, PartialEq)]
pub struct Summary {
    /// Steps that are finished.
    pub step: u64,
    /// Steps in all.
    pub iterations: u64,
    /// Whether it was asked to stop before the last step.
    pub interrupted: bool,
    /// Entropy of the single bytes of the text.
    pub unigram: Entropy,
    /// Held-out evaluation before the first step.
    pub before: Option<Evaluated>,
    /// The last held-out evaluation.
    pub after: Option<Evaluated>,
    /// Tokens of the data set per second over the steps of this process, evaluations and checkpoints left out.
    pub tokens_per_second: f64,
    /// The checkpoint of the last step.
    pub checkpoint: PathBuf,
}
