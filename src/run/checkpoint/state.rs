//! `state.json`: how far a run had come.

use std::collections::BTreeMap;
use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::run::RunError;
use crate::run::checkpoint::Fingerprint;
use crate::run::checkpoint::tensor_file::FileMark;
use crate::run::folder::read_text;
use crate::run::observer::Evaluated;

/// Everything of a checkpoint that is no tensor.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct State {
    /// [`State::VERSION`] of the writer.
    pub version: u32,
    /// Name of the experiment.
    pub experiment: String,
    /// Optimizer steps that are finished.
    pub step: u64,
    /// Samples that were trained on.
    pub samples: u64,
    /// Steps that the optimizer counted: those with a finite gradient.
    pub optimizer_steps: u64,
    /// The text that was trained on.
    pub text: TextMark,
    /// The run specification, by parts.
    pub spec: Fingerprint,
    /// Held-out evaluation before the first step.
    pub before: Option<Evaluated>,
    /// The last held-out evaluation.
    pub last: Option<Evaluated>,
    /// The other files of the checkpoint; filled in when it is written.
    #[serde(default)]
    pub files: BTreeMap<String, FileMark>,
}

/// A text, by its size and checksum.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TextMark {
    /// Its length.
    pub bytes: u64,
    /// CRC-32C of its content.
    pub crc32c: u32,
}

/// What comes before the checksum of the file itself, its last entry.
const SEAL: &str = ",\n  \"crc32c\": ";
/// A state beyond this is none (16 MiB).
const LARGEST: u64 = 16 << 20;

impl State {
    /// The version of the format that this build writes and reads.
    pub const VERSION: u32 = 1;

    /// The content of the file: JSON, sealed with a checksum of all that stands before it.
    pub(super) fn to_text(&self, files: BTreeMap<String, FileMark>) -> Result<String, RunError> {
        let state = State { files, ..self.clone() };
        let text = serde_json::to_string_pretty(&state)
            .map_err(|fault| RunError::plan(format!("the state of the run cannot be written: {fault}")))?;
        let open = text.trim_end_matches('}').trim_end();
        Ok(format!("{open}{SEAL}{}\n}}\n", crc32c::crc32c(open.as_bytes())))
    }

    pub(super) fn read(path: &Path) -> Result<State, RunError> {
        let text = read_text(path, LARGEST)?;
        let damaged = |what: &str| RunError::file(path, format!("the file is damaged: {what}"));
        let Some((open, seal)) = text.rsplit_once(SEAL) else {
            return Err(damaged("its checksum is missing"));
        };
        let sealed: Option<u32> = seal.strip_suffix("\n}\n").and_then(|number| number.parse().ok());
        if sealed != Some(crc32c::crc32c(open.as_bytes())) {
            return Err(damaged("its checksum does not fit its content"));
        }
        let state: State = serde_json::from_str(&format!("{open}\n}}")).map_err(|fault| {
            RunError::file(path, format!("this is not the state of a run that this build of dlm can read: {fault}"))
        })?;
        if state.version != State::VERSION {
            let what = format!("it is of version {}, and this build reads version {}", state.version, State::VERSION);
            return Err(RunError::file(path, what));
        }
        Ok(state)
    }

    /// The mark of another file of the checkpoint.
    pub(super) fn mark(&self, name: &str) -> Option<FileMark> {
        self.files.get(name).copied()
    }
}
