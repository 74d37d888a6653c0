//! What the themes share: the repository's files, and the one place where tests meet the compiler.

pub mod case;
mod case_tests;
pub mod page;
pub mod rust;
pub mod wording;

use std::path::{Path, PathBuf};

use dlm::base::SourceMap;
use dlm::diag::{Code, Diagnostic};

/// Whether [`check_files`] and [`codes`] ask the compiler. While they do not, tests over real cases have nothing to say.
pub const CONNECTED: bool = false;

/// Checks every experiment of `files` (path and text, all of them loaded) under `--set` of each of `sets`.
///
/// THE ONE PLACE TO CONNECT, once `dlm::session` is there (and `CONNECTED` above):
///
/// ```text
/// let memory = files.iter().fold(Memory::default(), |memory, (path, text)| memory.with(path, text.as_bytes()));
/// let mut session = Session::new(memory);
/// let paths: Vec<PathBuf> = files.iter().map(|(path, _)| path.into()).collect();
/// let project = session.load(&paths);
/// let report = session.check(&project, &Overrides { set: sets.to_vec() });
/// (session.sources().clone(), report.diagnostics)
/// ```
pub fn check_files(files: &[(String, String)], sets: &[String]) -> (SourceMap, Vec<Diagnostic>) {
    let mut sources = SourceMap::default();
    for (path, text) in files {
        sources.add(path.as_str(), text.as_str());
    }
    for set in sets {
        sources.add("--set", set.as_str());
    }
    (sources, Vec::new())
}

/// Every code that some stage declares. To be connected too: `dlm::session::codes().collect()`.
pub fn codes() -> Vec<&'static Code> {
    Vec::new()
}

/// A path of the repository.
pub fn at(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(path)
}

/// The files under a folder of the repository, in any depth, whose name ends so; in order, with paths from its root.
/// A folder that does not exist has none.
pub fn files_under(folder: &str, ending: &str) -> Vec<String> {
    let Ok(entries) = std::fs::read_dir(at(folder)) else { return Vec::new() };
    let mut names: Vec<String> = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    let mut files = Vec::new();
    for name in names {
        let path = format!("{folder}/{name}");
        if at(&path).is_dir() {
            files.extend(files_under(&path, ending));
        } else if name.ends_with(ending) {
            files.push(path);
        }
    }
    files
}

/// The text of a file of the repository.
pub fn read(path: &str) -> String {
    std::fs::read_to_string(at(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// Fails with all complaints at once, so that one run tells everything.
pub fn none_of(complaints: &[String]) {
    assert!(complaints.is_empty(), "\n{}\n", complaints.join("\n"));
}
