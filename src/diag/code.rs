//! Codes: a stable name, a severity and a page for each kind of diagnostic.

use serde::{Deserialize, Serialize};

/// How bad a diagnostic is, worst last.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Severity {
    /// Worth knowing.
    Note,
    /// Accepted, but probably not what was meant.
    Warning,
    /// Rejected.
    Error,
}

impl Severity {
    /// Its word in output.
    pub fn word(self) -> &'static str {
        match self {
            Severity::Note => "note",
            Severity::Warning => "warning",
            Severity::Error => "error",
        }
    }
}

/// A kind of diagnostic that Rust declares. Made by `codes!` alone.
#[derive(Debug, PartialEq, Eq, Hash)]
pub struct Code {
    /// The stage that reports it.
    pub stage: &'static str,
    /// Its name within the stage.
    pub name: &'static str,
    /// How bad it usually is.
    pub severity: Severity,
    /// Its page of the book: meaning, a rejected example, the same example mended.
    pub page: &'static str,
}

/// Declares the codes of one stage: a static for each, and `CODES`, the list of all.
///
/// ```text
/// codes! { "resolve":
///     /// A field that no schema in scope declares.
///     UNKNOWN_FIELD = "unknown_field", Error;
/// }
/// ```
/// The page is `book/src/diagnostics/<stage>-<name>.md`; without it the crate does not compile.
macro_rules! codes {
    ($stage:literal: $($(#[$doc:meta])* $id:ident = $name:literal, $severity:ident;)*) => {
        $($(#[$doc])* pub(crate) static $id: $crate::diag::Code = $crate::diag::Code {
            stage: $stage,
            name: $name,
            severity: $crate::diag::Severity::$severity,
            page: include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/book/src/diagnostics/", $stage, "-", $name, ".md")),
        };)*
        /// Every code of this stage.
        pub static CODES: &[&$crate::diag::Code] = &[$(&$id),*];
    };
}
pub(crate) use codes;
