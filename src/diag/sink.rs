//! Where stages put what they have to say, and go on.

use crate::diag::{Diagnostic, Severity};

/// Collects diagnostics. Faults of the user are values: a stage reports and continues with what it could make.
#[derive(Debug, Default)]
pub struct Sink {
    diagnostics: Vec<Diagnostic>,
}

impl Sink {
    /// Takes one more.
    pub fn push(&mut self, diagnostic: Diagnostic) {
        self.diagnostics.push(diagnostic);
    }

    /// Takes one more, if there is one.
    pub fn extend_with(&mut self, diagnostic: Option<Diagnostic>) {
        self.diagnostics.extend(diagnostic);
    }

    /// Takes several more.
    pub fn extend_all(&mut self, diagnostics: impl IntoIterator<Item = Diagnostic>) {
        self.diagnostics.extend(diagnostics);
    }

    /// Takes all of another sink's.
    pub fn extend(&mut self, other: Sink) {
        self.diagnostics.extend(other.diagnostics);
    }

    /// How many were reported so far.
    pub fn len(&self) -> usize {
        self.diagnostics.len()
    }

    /// Whether an error was reported.
    pub fn has_errors(&self) -> bool {
        self.diagnostics.iter().any(|diagnostic| diagnostic.severity == Severity::Error)
    }

    /// Whether nothing was reported.
    pub fn is_empty(&self) -> bool {
        self.diagnostics.is_empty()
    }

    /// All of them in source order (file, position, then code), each once.
    pub fn finish(mut self) -> Vec<Diagnostic> {
        self.diagnostics.sort_by_cached_key(|diagnostic| {
            (diagnostic.span(), diagnostic.code.to_string(), diagnostic.message.clone())
        });
        self.diagnostics.dedup();
        self.diagnostics
    }
}
