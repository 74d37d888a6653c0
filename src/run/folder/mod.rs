//! The run folder: where a run keeps its configuration, its log and its checkpoints.
//!
//! ```text
//! run.json             what to run, written by `dlm run`
//! metrics.jsonl        one JSON object a line
//! events.out.tfevents… the same for TensorBoard
//! checkpoints/step-N/  model.safetensors, optimizer.safetensors, state.json
//! checkpoints/latest   the name of the newest
//! lock                 who is at work here
//! ```
//!
//! Must not know: networks and what is in a tensor. Start with [`RunFolder`]. Invariants: a file or folder that others
//! read appears whole or not at all (written beside, synced, renamed); one process at a time writes to a run folder.
#![allow(clippy::disallowed_methods, reason = "the runtime owns the run folder")]

mod lock;
mod spec_file;
pub(crate) mod write;

pub use lock::Lock;
pub use spec_file::parse_spec;

use std::fs;
use std::io::{ErrorKind, Read};
use std::path::{Path, PathBuf};

use crate::run::RunError;
use crate::spec::RunSpec;

/// A `run.json` beyond this is no run specification (64 MiB).
const LARGEST_SPEC: u64 = 64 << 20;

/// The folder of one run.
#[derive(Clone, Debug)]
pub struct RunFolder {
    path: PathBuf,
}

impl RunFolder {
    /// A folder that exists and holds a `run.json`.
    pub fn open(path: &Path) -> Result<RunFolder, RunError> {
        let about = fs::metadata(path).map_err(RunError::io("open the run folder", path))?;
        if !about.is_dir() {
            return Err(RunError::file(path, "this is no folder; a run folder was expected"));
        }
        let folder = RunFolder { path: path.to_owned() };
        match folder.spec_path().try_exists() {
            Ok(true) => Ok(folder),
            Ok(false) => Err(RunError::file(path, "there is no `run.json` here, so this is no run folder")),
            Err(source) => Err(RunError::Io { action: "read", path: folder.spec_path(), source }),
        }
    }

    /// The folder itself.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Where the run specification stands.
    pub fn spec_path(&self) -> PathBuf {
        self.path.join("run.json")
    }

    /// Where metrics are logged.
    pub fn metrics_path(&self) -> PathBuf {
        self.path.join("metrics.jsonl")
    }

    /// Where checkpoints are kept.
    pub fn checkpoints_path(&self) -> PathBuf {
        self.path.join("checkpoints")
    }

    /// Whether a run began here before: it left metrics or checkpoints.
    pub fn has_begun(&self) -> Result<bool, RunError> {
        for path in [self.metrics_path(), self.checkpoints_path()] {
            if path.try_exists().map_err(RunError::io("look for", &path))? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Reads and checks `run.json`.
    ///
    /// # Errors
    /// It is missing, unreadable, no JSON, of another version, or a field is missing, unknown or of another type; the
    /// message says file, line, column and field.
    pub fn spec(&self) -> Result<RunSpec, RunError> {
        let path = self.spec_path();
        parse_spec(&read_text(&path, LARGEST_SPEC)?).map_err(|what| RunError::file(&path, what))
    }

    /// Takes the folder for this process, until the lock is dropped.
    pub fn lock(&self) -> Result<Lock, RunError> {
        Lock::take(&self.path.join("lock"))
    }
}

/// A whole text file, in UTF-8, of at most `largest` bytes.
pub(crate) fn read_text(path: &Path, largest: u64) -> Result<String, RunError> {
    let file = fs::File::open(path).map_err(RunError::io("read", path))?;
    let mut bytes = Vec::new();
    file.take(largest.saturating_add(1)).read_to_end(&mut bytes).map_err(|source| match source.kind() {
        ErrorKind::IsADirectory => RunError::file(path, "this is a folder; a file was expected"),
        _ => RunError::Io { action: "read", path: path.to_owned(), source },
    })?;
    if bytes.len() as u64 > largest {
        return Err(RunError::file(path, format!("the file has more than {largest} bytes")));
    }
    String::from_utf8(bytes).map_err(|fault| {
        RunError::file(path, format!("the file is not UTF-8: byte {} is wrong", fault.utf8_error().valid_up_to()))
    })
}
