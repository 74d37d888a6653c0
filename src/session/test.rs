//! What came of running tests.

use crate::base::{FileId, Name};
use crate::diag::Diagnostic;

/// The tests of a project, run.
#[derive(Debug)]
pub struct Tests {
    /// What is wrong with the files themselves, and with what the command line says.
    pub diagnostics: Vec<Diagnostic>,
    /// What came of each test, in the order of their files.
    pub outcomes: Vec<TestOutcome>,
}

/// What came of one test.
#[derive(Debug)]
pub struct TestOutcome {
    /// What it is called.
    pub title: String,
    /// The file that declares it.
    pub file: FileId,
    /// The first point at which it failed, where it tries a sweep.
    pub point: Option<Name>,
    /// At how many experiments it failed.
    pub failures: usize,
    /// How many experiments it tries.
    pub trials: usize,
    /// What is wrong at the first of them; nothing if it passed.
    pub diagnostics: Vec<Diagnostic>,
}

impl TestOutcome {
    /// Whether everything came out as expected.
    pub fn passed(&self) -> bool {
        self.diagnostics.is_empty()
    }
}
