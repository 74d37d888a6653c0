//! Where source text comes from: the only door between the compiler and the outside.
#![allow(clippy::disallowed_methods, reason = "this file is the door to the disk")]

use std::collections::BTreeMap;
use std::io::Read;
use std::path::{Component, Path, PathBuf};
use std::sync::{Arc, OnceLock};

use crate::base::{FileId, LineIndex, Span};

/// The longest text that is read, in bytes, from a file or an argument: a hundred times what anybody writes by hand. A tree
/// takes up to a hundred times the memory of its text.
pub const MAX_SOURCE_BYTES: usize = 4 * 1024 * 1024;

/// Why a source could not be read. The message holds no path: whoever reports it knows the path and the asker.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SourceError {
    /// Nothing is there.
    #[error("there is no such file")]
    NotFound,
    /// It is a folder.
    #[error("it is a folder, not a file")]
    Folder,
    /// The operating system refused.
    #[error("{0}")]
    Unreadable(String),
    /// Longer than [`MAX_SOURCE_BYTES`].
    #[error("it is longer than {} MiB", MAX_SOURCE_BYTES / (1024 * 1024))]
    TooLarge,
    /// It holds a NUL byte, so it is no text at all.
    #[error("it is a binary file (byte {0} is NUL)")]
    Binary(usize),
    /// Its bytes are not UTF-8.
    #[error("it is not UTF-8 text (the first bad byte is byte {0})")]
    NotUtf8(usize),
}

/// A place that holds source files under relative or absolute paths.
pub trait Sources {
    /// The text of a file, without a byte order mark.
    ///
    /// # Errors
    /// Says what is wrong with the file; see [`SourceError`].
    fn read(&self, path: &Path) -> Result<String, SourceError>;

    /// The paths of the `.dlm` files in the folder of `path`, for "did you mean".
    fn siblings(&self, path: &Path) -> Vec<PathBuf>;
}

/// Files on disk, relative paths counted from one folder.
#[derive(Clone, Debug)]
pub struct Disk {
    root: PathBuf,
}

impl Disk {
    /// Relative paths are counted from `root`.
    pub fn at(root: impl Into<PathBuf>) -> Self {
        Disk { root: root.into() }
    }
}

impl Sources for Disk {
    fn read(&self, path: &Path) -> Result<String, SourceError> {
        let path = self.root.join(path);
        let unreadable = |error: std::io::Error| match error.kind() {
            std::io::ErrorKind::NotFound => SourceError::NotFound,
            _ => SourceError::Unreadable(error.to_string()),
        };
        let file = std::fs::File::open(&path).map_err(unreadable)?;
        if file.metadata().map_err(unreadable)?.is_dir() {
            return Err(SourceError::Folder);
        }
        // Not `metadata().len()`: a pipe or a device has none, and must not fill the memory.
        let mut bytes = Vec::new();
        file.take(MAX_SOURCE_BYTES as u64 + 1).read_to_end(&mut bytes).map_err(unreadable)?;
        decode(bytes)
    }

    fn siblings(&self, path: &Path) -> Vec<PathBuf> {
        let folder = path.parent().unwrap_or(Path::new(""));
        // An empty path is the current folder for `join`, but none for the system.
        let place = Path::new(".").join(self.root.join(folder));
        let Ok(entries) = std::fs::read_dir(place) else { return Vec::new() };
        let names = entries.flatten().map(|entry| folder.join(entry.file_name()));
        let mut found: Vec<_> = names.filter(|path| path.extension().is_some_and(|ext| ext == "dlm")).collect();
        found.sort();
        found
    }
}

/// Files that exist in memory only: tests, an editor's unsaved text.
#[derive(Clone, Debug, Default)]
pub struct Memory {
    files: BTreeMap<PathBuf, Vec<u8>>,
}

impl Memory {
    /// Adds or replaces a file.
    pub fn with(mut self, path: impl Into<PathBuf>, text: impl Into<Vec<u8>>) -> Self {
        self.files.insert(path.into(), text.into());
        self
    }
}

impl Sources for Memory {
    fn read(&self, path: &Path) -> Result<String, SourceError> {
        let bytes = self.files.get(path).ok_or(SourceError::NotFound)?;
        if bytes.len() > MAX_SOURCE_BYTES {
            return Err(SourceError::TooLarge);
        }
        decode(bytes.clone())
    }

    fn siblings(&self, path: &Path) -> Vec<PathBuf> {
        let beside = |other: &&PathBuf| other.parent() == path.parent();
        self.files.keys().filter(beside).cloned().collect()
    }
}

fn decode(bytes: Vec<u8>) -> Result<String, SourceError> {
    if bytes.len() > MAX_SOURCE_BYTES {
        return Err(SourceError::TooLarge);
    }
    if let Some(at) = bytes.iter().position(|&byte| byte == 0) {
        return Err(SourceError::Binary(at));
    }
    let text = String::from_utf8(bytes).map_err(|error| SourceError::NotUtf8(error.utf8_error().valid_up_to()))?;
    Ok(text.strip_prefix('\u{feff}').map(str::to_owned).unwrap_or(text))
}

/// `path` with `.` and `..` worked out by its letters alone, so that one file has one name.
pub fn normalize(path: &Path) -> PathBuf {
    let mut out = PathBuf::new();
    for component in path.components() {
        match component {
            Component::CurDir => {}
            Component::ParentDir if matches!(out.components().next_back(), Some(Component::Normal(_))) => {
                out.pop();
            }
            other => out.push(other),
        }
    }
    out
}

/// One text and what to call it.
#[derive(Clone, Debug)]
pub struct SourceFile {
    /// What a diagnostic calls it: a path as the user wrote it, `std/megadlms/model.dlm`, `--set model.hidden_size=8`.
    pub name: Arc<str>,
    /// The text that spans count in.
    pub text: Arc<str>,
    /// The file of the user that it was read from; none for the library and for arguments of the command line.
    pub path: Option<Arc<Path>>,
    /// Made when a place in the text is shown for the first time: most texts, the library's above all, are never shown.
    lines: OnceLock<LineIndex>,
}

/// Every text of one compilation, by [`FileId`].
#[derive(Clone, Debug, Default)]
pub struct SourceMap {
    files: Vec<SourceFile>,
}

impl SourceMap {
    /// Adds a text under the next number.
    pub fn add(&mut self, name: impl Into<Arc<str>>, text: impl Into<Arc<str>>) -> FileId {
        self.push(name.into(), text.into(), None)
    }

    /// Adds the text of a file of the user, named by its path.
    pub fn add_file(&mut self, path: &Path, text: impl Into<Arc<str>>) -> FileId {
        self.push(path.to_string_lossy().into(), text.into(), Some(path.into()))
    }

    fn push(&mut self, name: Arc<str>, text: Arc<str>, path: Option<Arc<Path>>) -> FileId {
        let id = FileId(u32::try_from(self.files.len()).unwrap_or(u32::MAX));
        self.files.push(SourceFile { name, text, path, lines: OnceLock::new() });
        id
    }

    /// The file with that number, if it is one of this map.
    pub fn get(&self, file: FileId) -> Option<&SourceFile> {
        self.files.get(file.0 as usize)
    }

    /// All files, in the order of their numbers.
    pub fn iter(&self) -> impl Iterator<Item = (FileId, &SourceFile)> {
        (0..).map(FileId).zip(&self.files)
    }

    /// The text under a span; empty for a span of no file here.
    pub fn text(&self, span: Span) -> &str {
        self.get(span.file).and_then(|file| file.text.get(span.range())).unwrap_or("")
    }

    /// File name, line and column (from 1) of a span's start; the first place of an unnamed file if it has none.
    pub fn place(&self, span: Span) -> (&str, usize, usize) {
        match self.get(span.file) {
            Some(file) => {
                let (line, column) = file.lines().line_column(&file.text, span.start);
                (&file.name, line, column)
            }
            None => ("<unknown>", 1, 1),
        }
    }
}

impl SourceFile {
    /// Where its lines start.
    pub fn lines(&self) -> &LineIndex {
        self.lines.get_or_init(|| LineIndex::new(&self.text))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn says_what_is_wrong_with_bytes_that_are_no_source() {
        let sources = Memory::default()
            .with("nul", b"dlm 1\0".to_vec())
            .with("latin", b"name \xe4".to_vec())
            .with("bom", "\u{feff}dlm 1\r\n");
        assert_eq!(sources.read(Path::new("nul")), Err(SourceError::Binary(5)));
        assert_eq!(sources.read(Path::new("latin")), Err(SourceError::NotUtf8(5)));
        assert_eq!(sources.read(Path::new("bom")).as_deref(), Ok("dlm 1\r\n"));
        assert_eq!(sources.read(Path::new("none")), Err(SourceError::NotFound));
    }

    #[test]
    fn one_file_has_one_name() {
        assert_eq!(normalize(Path::new("./exp/../base.dlm")), Path::new("base.dlm"));
        assert_eq!(normalize(Path::new("../a/./b")), Path::new("../a/b"));
    }
}
