//! A text file as two sets of windows: those to train on, and the held-out ones at its end.
#![allow(clippy::disallowed_methods, reason = "the runtime reads the files that its plan names")]

use std::env;
use std::fs::{self, File};
use std::io::{ErrorKind, Read};
use std::path::Path;

use crate::run::RunError;
use crate::run::data::order::Order;
use crate::run::data::{ByteTokenizer, Entropy};
use crate::spec::plan::{Data, TrainingPlan};

/// A text is kept in memory whole; one beyond this many bytes is refused (4 GiB).
const LARGEST: u64 = 4 << 30;

/// The text of a run.
///
/// A window is `sequence_length + 1` tokens, as the loader of MegaDLMs hands them out; neighboring windows share one
/// token. All windows of an epoch begin at one shift, drawn anew for each epoch, so that the borders between windows
/// move. Held-out windows never move.
#[derive(Debug)]
pub struct Corpus {
    bytes: Vec<u8>,
    train_bytes: usize,
    sequence: usize,
    seed: u64,
    tokenizer: ByteTokenizer,
}

impl Corpus {
    /// Reads the text of a plan.
    ///
    /// # Errors
    /// The file is missing, a folder, no regular file, unreadable, empty, larger than 4 GiB, or shorter than one window
    /// on either side of the split; the message says how many bytes are needed.
    pub fn open(plan: &TrainingPlan) -> Result<Corpus, RunError> {
        let Data { text, tokenizer, held_out } = &plan.data;
        let bytes = read(text)?;
        Corpus::from_bytes(bytes, text, plan, *held_out, ByteTokenizer::of(*tokenizer))
    }

    fn from_bytes(
        bytes: Vec<u8>,
        path: &Path,
        plan: &TrainingPlan,
        held_out: f64,
        tokenizer: ByteTokenizer,
    ) -> Result<Corpus, RunError> {
        if !(held_out > 0.0 && held_out < 1.0) {
            return Err(RunError::plan(format!("the held-out share of the text is {held_out}, it must lie in (0, 1)")));
        }
        let length = plan.batch.sequence_length;
        let sequence = usize::try_from(length)
            .ok()
            .filter(|&sequence| sequence > 0 && sequence < usize::MAX / 4)
            .ok_or_else(|| RunError::plan(format!("a sequence cannot have {length} tokens")))?;
        let window = sequence + 1;
        let held_out_bytes = (bytes.len() as f64 * held_out).floor() as usize;
        let train_bytes = bytes.len().saturating_sub(held_out_bytes);
        if held_out_bytes < window || train_bytes < window {
            let needed = bytes_needed(window, held_out);
            let what = match bytes.len() {
                0 => "is empty".to_owned(),
                have => format!(
                    "has {have} bytes, which is too short: {train_bytes} are left for training and \
                                 {held_out_bytes} are held out, and each side needs a window of {window}"
                ),
            };
            return Err(RunError::file(
                path,
                format!(
                    "the text {what}; sequences of {sequence} tokens with {:.4}% held out need at least {needed} bytes",
                    held_out * 100.0
                ),
            ));
        }
        Ok(Corpus { bytes, train_bytes, sequence, seed: plan.seed, tokenizer })
    }

    /// Tokens of a window: one more than the sequence length.
    pub fn width(&self) -> usize {
        self.sequence + 1
    }

    /// Bytes to train on.
    pub fn train_bytes(&self) -> u64 {
        self.train_bytes as u64
    }

    /// Bytes held out.
    pub fn held_out_bytes(&self) -> u64 {
        (self.bytes.len() - self.train_bytes) as u64
    }

    /// Windows in an epoch.
    pub fn train_windows(&self) -> u64 {
        ((self.train_bytes - self.shifts()) / self.sequence) as u64
    }

    /// Held-out windows.
    pub fn held_out_windows(&self) -> u64 {
        ((self.bytes.len() - self.train_bytes - 1) / self.sequence) as u64
    }

    /// How often a token stands in the whole text.
    pub fn occurrences(&self, token: i64) -> u64 {
        let byte = u8::try_from(token).ok();
        self.bytes.iter().filter(|&&found| Some(found) == byte).count() as u64
    }

    /// Entropy of the single bytes of the whole text.
    pub fn unigram_entropy(&self) -> Entropy {
        Entropy::of_bytes(&self.bytes)
    }

    /// CRC-32C of the whole text, by which a resumed run knows it.
    pub fn checksum(&self) -> u32 {
        crc32c::crc32c(&self.bytes)
    }

    /// Tokens of the training windows of samples `first..first + rows`, `sequence_length + 1` each, row after row.
    pub fn train_batch(&self, first: u64, rows: u64) -> Vec<i64> {
        let samples = first..first.saturating_add(rows);
        self.batch(samples.map(|sample| self.train_window(sample)))
    }

    /// Tokens of the windows of evaluation samples `first..first + rows` out of `samples`, which lie evenly over the
    /// held-out text; `sequence_length + 1` each, row after row.
    pub fn held_out_batch(&self, first: u64, rows: u64, samples: u64) -> Vec<i64> {
        let chosen = first..first.saturating_add(rows);
        self.batch(chosen.map(|sample| self.held_out_window(sample, samples)))
    }

    /// The bytes of the training window of a sample.
    pub fn train_window(&self, sample: u64) -> &[u8] {
        let windows = self.train_windows().max(1);
        let order = Order::new(self.seed, sample / windows, windows);
        let start = order.shift(self.shifts() as u64) + order.window(sample % windows) * self.sequence as u64;
        self.window(start as usize)
    }

    /// The bytes of the held-out window of an evaluation sample, of `samples` in all.
    pub fn held_out_window(&self, sample: u64, samples: u64) -> &[u8] {
        let windows = self.held_out_windows().max(1);
        let window = match samples <= windows {
            true => (u128::from(sample) * u128::from(windows) / u128::from(samples.max(1))) as u64 % windows,
            false => sample % windows,
        };
        self.window(self.train_bytes + window as usize * self.sequence)
    }

    /// By how many bytes the windows of an epoch can be shifted: at least 1, at most a sequence. The last window of the
    /// largest shift ends inside: `shifts - 1 + windows * sequence + 1 <= train_bytes` by the definition of
    /// [`Corpus::train_windows`].
    fn shifts(&self) -> usize {
        self.sequence.min(self.train_bytes - self.sequence)
    }

    fn window(&self, start: usize) -> &[u8] {
        self.bytes.get(start..start + self.sequence + 1).unwrap_or_default()
    }

    fn batch<'a>(&self, windows: impl Iterator<Item = &'a [u8]>) -> Vec<i64> {
        windows.flat_map(|window| self.tokenizer.encode(window)).collect()
    }
}

/// The smallest text that has a window on either side: `floor(bytes * held_out)` and what that leaves are both at least
/// a window.
fn bytes_needed(window: usize, held_out: f64) -> u64 {
    let fits = |bytes: u64| {
        let held_out_bytes = (bytes as f64 * held_out).floor() as u64;
        held_out_bytes >= window as u64 && bytes - held_out_bytes >= window as u64
    };
    let (one_side, other_side) = (window as f64 / held_out, (window - 1) as f64 / (1.0 - held_out));
    // Both quotients are right up to rounding, so the answer lies within a few bytes of the larger one.
    let near = one_side.max(other_side).floor() as u64;
    (near.saturating_sub(2)..near.saturating_add(4)).find(|bytes| fits(*bytes)).unwrap_or(near)
}

fn read(path: &Path) -> Result<Vec<u8>, RunError> {
    let about = fs::metadata(path).map_err(|source| match (source.kind(), path.is_relative(), env::current_dir()) {
        (ErrorKind::NotFound, true, Ok(folder)) => {
            RunError::file(path, format!("there is no such text; it was looked for in `{}`", folder.display()))
        }
        _ => RunError::Io { action: "read the text", path: path.to_owned(), source },
    })?;
    if about.is_dir() {
        return Err(RunError::file(path, "this is a folder; the text must be a file"));
    }
    if !about.is_file() {
        return Err(RunError::file(path, "this is a device, pipe or socket; the text must be a regular file"));
    }
    if about.len() > LARGEST {
        let gib = about.len() >> 30;
        return Err(RunError::file(
            path,
            format!("the text has {gib} GiB; a plain text is kept in memory, at most 4 GiB"),
        ));
    }
    let mut bytes = Vec::new();
    let mut file = File::open(path).map_err(RunError::io("read the text", path))?.take(LARGEST);
    file.read_to_end(&mut bytes).map_err(RunError::io("read the text", path))?;
    Ok(bytes)
}
