//! Run specifications for tests, and folders to run them in.

use std::fs;
use std::path::{Path, PathBuf};

use dlm::spec::plan::{
    Adam, Batch, Data, DecayStyle, Evaluation, LearningRate, Objective, Output, Remasking, Sampling, Tokenizer,
    TrainingPlan, WeightDecay, WeightDecayStyle,
};
use dlm::spec::{ArgumentSet, RunSpec};
use tempfile::TempDir;

use crate::graphs::Sizes;

/// The mask token of [`tiny`]: the first row above the bytes.
pub(crate) const MASK: i64 = 256;

/// A run of a few seconds: two small layers, 12 steps of 2 micro-batches of 4 samples of 16 tokens.
pub(crate) fn tiny(text: &Path) -> RunSpec {
    let batch = Batch { micro: 4, global: 8, sequence_length: 16 };
    let iterations = 12;
    let plan = TrainingPlan {
        seed: 1234,
        iterations,
        batch,
        objective: Objective::MaskedDiffusion { mask_token: MASK, varlen_probability: 0.3 },
        optimizer: Adam { beta1: 0.9, beta2: 0.95, epsilon: 1e-8, clip_grad: Some(1.0) },
        learning_rate: LearningRate {
            init: 0.0,
            peak: 3e-3,
            min: 1e-4,
            warmup_samples: 2 * batch.global,
            decay_samples: iterations * batch.global,
            style: DecayStyle::Cosine,
        },
        weight_decay: WeightDecay { start: 0.1, end: 0.1, increase_samples: 0, style: WeightDecayStyle::Constant },
        data: Data { text: text.to_owned(), tokenizer: Tokenizer::Bytes, held_out: 0.1 },
        evaluation: Evaluation { interval: 5, iterations: 2 },
        output: Output { save_interval: Some(4), log_interval: 3 },
        sampling: Sampling {
            prompt: "And ".to_owned(),
            length: 16,
            block_length: 8,
            steps: 8,
            temperature: 0.0,
            remasking: Remasking::LowConfidence,
            count: 1,
        },
    };
    let graph = Sizes { dropout: 0.1, ..Sizes::usual() }.graph();
    RunSpec { version: RunSpec::VERSION, experiment: "tiny".to_owned(), arguments: ArgumentSet::default(), graph, plan }
}

/// A temporary place with a text and a run folder.
pub(crate) struct Place {
    pub(crate) home: TempDir,
}

impl Place {
    pub(crate) fn new() -> Place {
        let place = Place { home: TempDir::new().unwrap() };
        fs::write(place.text(), words(4_000)).unwrap();
        fs::create_dir(place.run()).unwrap();
        place
    }

    /// With the tiny run in it.
    pub(crate) fn tiny() -> (Place, RunSpec) {
        let place = Place::new();
        let spec = tiny(&place.text());
        place.write(&spec);
        (place, spec)
    }

    pub(crate) fn text(&self) -> PathBuf {
        self.home.path().join("text.txt")
    }

    pub(crate) fn run(&self) -> PathBuf {
        self.home.path().join("run")
    }

    pub(crate) fn folder(&self) -> crate::run::RunFolder {
        crate::run::RunFolder::open(&self.run()).unwrap()
    }

    /// Writes `run.json`, as `dlm run` does.
    pub(crate) fn write(&self, spec: &RunSpec) {
        fs::write(self.run().join("run.json"), serde_json::to_string_pretty(spec).unwrap()).unwrap();
    }
}

/// A text of so many bytes, with words of different frequency.
pub(crate) fn words(bytes: usize) -> Vec<u8> {
    let words = ["and", "the", "LORD", "said", "unto", "Moses", "in", "a", "day", "of", "light"];
    let mut text = Vec::new();
    let mut state = 1_u32;
    while text.len() < bytes {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        text.extend_from_slice(words[(state >> 16) as usize % words.len()].as_bytes());
        text.push(if state >> 28 == 0 { b'\n' } else { b' ' });
    }
    text.truncate(bytes);
    text
}
