//! Writing so that a file or folder is there whole or not at all.
#![allow(clippy::disallowed_methods, reason = "the runtime owns the run folder")]

use std::fs::{self, File};
use std::io::Write;
use std::path::{Path, PathBuf};

use crate::run::RunError;

/// Replaces a file: written beside, synced, renamed.
pub(crate) fn replace_file(path: &Path, content: &[u8]) -> Result<(), RunError> {
    let beside = beside(path);
    let written = new_file(&beside, content).and_then(|()| {
        fs::rename(&beside, path).map_err(RunError::io("write", path))?;
        sync_parent(path)
    });
    if written.is_err() {
        // What was half written goes; the first error is the one to tell.
        let _ = fs::remove_file(&beside);
    }
    written
}

/// Writes a new file and waits until it is on the disk.
pub(crate) fn new_file(path: &Path, content: &[u8]) -> Result<(), RunError> {
    let mut file = File::create(path).map_err(RunError::io("create", path))?;
    file.write_all(content).and_then(|()| file.sync_all()).map_err(RunError::io("write", path))
}

/// Creates a folder and what leads to it.
pub(crate) fn create_folder(path: &Path) -> Result<(), RunError> {
    fs::create_dir_all(path).map_err(RunError::io("create the folder", path))
}

/// Waits until the names in the folder of `path` are on the disk.
pub(crate) fn sync_parent(path: &Path) -> Result<(), RunError> {
    match path.parent() {
        Some(folder) if folder.as_os_str().is_empty() => sync_folder(Path::new(".")),
        Some(folder) => sync_folder(folder),
        None => Ok(()),
    }
}

/// Waits until the names in a folder are on the disk.
pub(crate) fn sync_folder(folder: &Path) -> Result<(), RunError> {
    File::open(folder).and_then(|folder| folder.sync_all()).map_err(RunError::io("sync the folder", folder))
}

/// A name next to `path` that nobody else uses: hidden, with the number of this process.
pub(crate) fn beside(path: &Path) -> PathBuf {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    path.with_file_name(format!(".{name}.{}.part", std::process::id()))
}
