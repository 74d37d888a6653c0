//! `metrics.jsonl`: one JSON object a line, appended.
#![allow(clippy::disallowed_methods, reason = "the runtime owns the run folder")]

use std::fs::{self, File, OpenOptions};
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::run::RunError;
use crate::run::folder::write;

/// The log, open for appending.
#[derive(Debug)]
pub(super) struct Lines {
    path: PathBuf,
    file: File,
}

impl Lines {
    /// Opens the log, without what it says about steps after `step`.
    pub(super) fn open(path: &Path, step: u64) -> Result<Lines, RunError> {
        match fs::read(path) {
            Ok(content) => {
                let kept = kept(&content, step);
                if kept.len() != content.len() {
                    write::replace_file(path, &kept)?;
                }
            }
            Err(fault) if fault.kind() == ErrorKind::NotFound => {}
            Err(source) => return Err(RunError::Io { action: "read", path: path.to_owned(), source }),
        }
        let file = OpenOptions::new().append(true).create(true).open(path).map_err(RunError::io("open", path))?;
        Ok(Lines { path: path.to_owned(), file })
    }

    /// Appends a line in one write.
    pub(super) fn write(&mut self, record: &impl Serialize) -> Result<(), RunError> {
        let mut line = serde_json::to_vec(record)
            .map_err(|fault| RunError::file(&self.path, format!("a record cannot be written: {fault}")))?;
        line.push(b'\n');
        let before = self.file.metadata().map(|about| about.len());
        self.file.write_all(&line).map_err(|source| {
            if let Ok(length) = before {
                // A line that was cut off goes; the first error is the one to tell.
                let _ = self.file.set_len(length);
            }
            RunError::Io { action: "write", path: self.path.clone(), source }
        })
    }
}

/// The lines up to a step. A line that is no record, such as the broken last one of a killed process, goes too.
fn kept(content: &[u8], step: u64) -> Vec<u8> {
    #[derive(Deserialize)]
    struct Stamp {
        step: u64,
    }
    let stays = |line: &&[u8]| {
        line.ends_with(b"\n") && serde_json::from_slice::<Stamp>(line).is_ok_and(|stamp| stamp.step <= step)
    };
    content.split_inclusive(|&byte| byte == b'\n').filter(stays).collect::<Vec<_>>().concat()
}

#[cfg(test)]
mod tests {
    use super::kept;

    #[test]
    fn later_and_broken_lines_go() {
        let log = b"{\"step\":1}\n{\"step\":2,\"x\":[3]}\ngarbage\n{\"step\":3}\n{\"step\":2}\n{\"step\":1";
        assert_eq!(kept(log, 2), b"{\"step\":1}\n{\"step\":2,\"x\":[3]}\n{\"step\":2}\n");
        assert_eq!(kept(b"", 0), b"");
    }
}
