//! Places in source text, as byte offsets; lines and columns exist only when something is shown.

use serde::{Deserialize, Serialize};

/// A source text known to a [`crate::base::SourceMap`]: a file, a command-line argument, a bundled module.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct FileId(pub u32);

/// The bytes `start..end` of one file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Span {
    /// The file that the offsets count in.
    pub file: FileId,
    /// First byte.
    pub start: u32,
    /// One past the last byte.
    pub end: u32,
}

impl Span {
    /// The bytes `start..end` of `file`.
    pub fn new(file: FileId, start: usize, end: usize) -> Self {
        // The scanner refuses files of 4 GiB, so offsets fit; saturating keeps even a broken promise from wrapping.
        let narrow = |offset: usize| u32::try_from(offset).unwrap_or(u32::MAX);
        Span { file, start: narrow(start), end: narrow(end.max(start)) }
    }

    /// The empty place at the start of `file`.
    pub fn start_of(file: FileId) -> Self {
        Span { file, start: 0, end: 0 }
    }

    /// The smallest span that holds both; `self` if they lie in different files.
    pub fn to(self, other: Span) -> Self {
        if self.file != other.file {
            return self;
        }
        Span { file: self.file, start: self.start.min(other.start), end: self.end.max(other.end) }
    }

    /// The bytes it covers, for slicing its file's text.
    pub fn range(self) -> std::ops::Range<usize> {
        self.start as usize..self.end.max(self.start) as usize
    }

    /// Whether it covers no byte.
    pub fn is_empty(self) -> bool {
        self.start == self.end
    }
}
