//! What a run leaves behind to be read and drawn: `metrics.jsonl` and TensorBoard events.
//!
//! Must not know: how the numbers were made. Start with [`Metrics`]. Invariants: a line or event is written in one
//! piece, so a killed process leaves at most one broken last line, which the next start removes; after a resume no line
//! speaks of a step that was lost.

mod jsonl;
mod tensorboard;

pub use tensorboard::{EventFile, Scalar};

use std::path::Path;

use serde::Serialize;

use crate::run::RunError;
use crate::run::folder::RunFolder;
use crate::run::observer::{Evaluated, Stepped};

/// One line of the log. `step` counts finished optimizer steps.
#[derive(Clone, Copy, Debug, Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Record<'a> {
    /// A process begins to train here.
    Started {
        /// Steps that were finished before.
        step: u64,
        /// Of the network.
        parameters: u64,
        /// Of the whole text, the figure to beat.
        unigram_nats_per_token: f64,
        /// The same in bits per byte.
        unigram_bits_per_byte: f64,
    },
    /// Means since the last such line.
    Training(&'a Stepped),
    /// A held-out evaluation.
    Evaluation(&'a Evaluated),
    /// A checkpoint was written.
    Saved {
        /// Its step.
        step: u64,
        /// Its folder.
        path: &'a Path,
    },
}

/// The open logs of a run.
#[derive(Debug)]
pub struct Metrics {
    lines: jsonl::Lines,
    events: EventFile,
}

impl Metrics {
    /// Opens both logs. Lines of steps after `step` are dropped, and TensorBoard is told to drop its events of them.
    pub fn open(folder: &RunFolder, step: u64) -> Result<Metrics, RunError> {
        let lines = jsonl::Lines::open(&folder.metrics_path(), step)?;
        let mut events = EventFile::create(folder.path())?;
        // TensorBoard drops what earlier files say from this step on; what they say of `step` itself stays.
        events.session_start(if step == 0 { 0 } else { step + 1 })?;
        Ok(Metrics { lines, events })
    }

    /// Writes one record into both.
    pub fn write(&mut self, record: Record<'_>) -> Result<(), RunError> {
        self.lines.write(&record)?;
        match record {
            Record::Started { step, unigram_nats_per_token, unigram_bits_per_byte, .. } => self.events.scalars(
                step,
                &[
                    Scalar("held_out/unigram_entropy_nats_per_token", unigram_nats_per_token),
                    Scalar("held_out/unigram_entropy_bits_per_byte", unigram_bits_per_byte),
                ],
            ),
            Record::Training(stepped) => self.events.scalars(
                stepped.step,
                &[
                    Scalar(&format!("train/loss/{}", stepped.loss_convention), stepped.loss),
                    Scalar("train/learning_rate", stepped.learning_rate),
                    Scalar("train/weight_decay", stepped.weight_decay),
                    Scalar("train/grad_norm", stepped.grad_norm),
                    Scalar("train/tokens_per_second", stepped.tokens_per_second),
                ],
            ),
            Record::Evaluation(evaluated) => self.events.scalars(
                evaluated.step,
                &[
                    Scalar("held_out/nelbo_nats_per_token", evaluated.nats_per_token),
                    Scalar("held_out/nelbo_bits_per_byte", evaluated.bits_per_byte),
                    Scalar("held_out/nelbo_standard_error", evaluated.standard_error),
                ],
            ),
            Record::Saved { .. } => Ok(()),
        }
    }
}
