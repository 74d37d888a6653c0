//! What the themes share: the repository's files, and the one place where tests meet the compiler.

pub mod case;
mod case_tests;
pub mod page;
pub mod rust;
pub mod wording;

use std::path::{Path, PathBuf};

use dlm::base::{Memory, SourceMap};
use dlm::diag::{Code, Diagnostic};
use dlm::session::{Overrides, Session};

/// Whether experiments are also made into runs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Depth {
    /// As `dlm check` does.
    #[default]
    Check,
    /// Every experiment without a fault is lowered as well, as `dlm run` does.
    Lower,
    /// Tests are run, as `dlm test` does.
    Test,
}

/// Checks a case: every experiment of its files, or the flags of a target, under what its command line changes.
pub fn check_case(case: &case::Case) -> (SourceMap, Vec<Diagnostic>) {
    let overrides = case.overrides();
    let Some(target) = &case.target else { return check_files(&case.files, &overrides, case.depth) };
    let mut session = Session::new(memory(&case.files));
    let project = session.target(target, &case.flags).unwrap();
    let diagnostics = session.check(&project, &overrides).diagnostics;
    (session.sources().clone(), diagnostics)
}

fn memory(files: &[(String, String)]) -> Memory {
    files.iter().fold(Memory::default(), |memory, (path, text)| memory.with(path, text.as_bytes()))
}

/// Checks every experiment of `files` (path and text, all `.dlm` files of them loaded) under `overrides`.
pub fn check_files(files: &[(String, String)], overrides: &Overrides, depth: Depth) -> (SourceMap, Vec<Diagnostic>) {
    let mut session = Session::new(memory(files));
    // What can't be read is there to be imported; named as well, it would be reported twice.
    let named = files.iter().filter(|(path, text)| !text.contains('\0') && path.ends_with(".dlm"));
    let paths: Vec<PathBuf> = named.map(|(path, _)| path.into()).collect();
    let project = session.load(&paths);
    let mut diagnostics = session.check(&project, overrides).diagnostics;
    if depth == Depth::Lower {
        for choice in session.experiments(&project) {
            let checked = session.check_one(&project, &choice, overrides);
            if checked.is_ok() {
                diagnostics.extend(session.lower(&checked).err().unwrap_or_default());
            }
        }
    }
    if depth == Depth::Test {
        let tests = session.test(&project, overrides, "");
        diagnostics.extend(tests.outcomes.into_iter().flat_map(|outcome| outcome.diagnostics));
    }
    (session.sources().clone(), diagnostics)
}

/// Every code that some stage declares.
pub fn codes() -> Vec<&'static Code> {
    dlm::session::codes().collect()
}

/// Every `.dlm` file that is meant to be sound: path and text.
pub fn dlm_files() -> Vec<(String, String)> {
    let folders = ["examples", "stdlib", "src/cli/commands/new", "tests/rules"];
    let files = folders.into_iter().flat_map(|folder| files_under(folder, ".dlm"));
    files.map(|path| (path.clone(), read(&path))).collect()
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
