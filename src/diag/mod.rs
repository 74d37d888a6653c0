//! What the compiler has to say, as data: code, places, causes, help, edits.
//!
//! Must not know: how any of it looks, or which stage speaks. Start with [`Diagnostic`]. Invariants: the first label is
//! the primary one; every code has a page in the book, which the `codes!` macro includes at compile time; messages
//! are lower case without a full stop and stand alone as a sentence.

pub mod code;
mod fix;
mod sink;

pub(crate) use code::codes;
pub use code::{Code, Severity};
pub use fix::apply_fixes;
pub use sink::Sink;

use serde::{Deserialize, Serialize};

use crate::base::{FileId, Span};

/// One thing that the compiler has to say.
#[derive(Clone, Debug, PartialEq)]
pub struct Diagnostic {
    /// What kind of thing it is.
    pub code: CodeRef,
    /// How bad it is.
    pub severity: Severity,
    /// What is wrong, in one sentence.
    pub message: String,
    /// Places that took part; the first is the primary one.
    pub labels: Vec<Label>,
    /// What to do about it.
    pub help: Option<String>,
    /// Edits that would mend it; the first is the best.
    pub fixes: Vec<Fix>,
    /// The id of the target's own rule that this diagnostic speaks for, if it speaks for one.
    pub upstream: Option<String>,
}

/// The identity of a kind of diagnostic: one that Rust declares, or a rule of a `.dlm` file.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum CodeRef {
    /// Declared by a stage with `codes!`.
    Builtin(&'static Code),
    /// A `check` in a schema, by its name.
    Rule(crate::base::Name),
}

impl std::fmt::Display for CodeRef {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            CodeRef::Builtin(code) => write!(f, "dlm::{}::{}", code.stage, code.name),
            CodeRef::Rule(name) => write!(f, "dlm::check::{name}"),
        }
    }
}

/// A place and what it has to do with the matter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Label {
    /// The place.
    pub span: Span,
    /// What to write under it; may be empty.
    pub text: String,
}

/// An edit that mends the fault. Applied as a whole or not at all.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fix {
    /// What the edit does, as an offer: "write `hidden_size`".
    pub title: String,
    /// Replacements at places that don't overlap.
    pub edits: Vec<Edit>,
    /// Whether it may be applied without asking.
    pub certainty: Certainty,
}

/// One replacement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edit {
    /// What to replace; empty to insert.
    pub span: Span,
    /// What to put there.
    pub text: String,
}

/// How sure a fix is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Certainty {
    /// `dlm check --fix` applies it.
    Sure,
    /// An editor offers it.
    Maybe,
}

impl Diagnostic {
    /// A diagnostic of that code with its usual severity, at `span`.
    pub fn new(code: &'static Code, span: Span, message: impl Into<String>) -> Self {
        Diagnostic {
            severity: code.severity,
            code: CodeRef::Builtin(code),
            message: message.into(),
            labels: vec![Label { span, text: String::new() }],
            help: None,
            fixes: Vec::new(),
            upstream: None,
        }
    }

    /// A violated rule of a `.dlm` file, at `span`.
    pub fn rule(name: crate::base::Name, severity: Severity, span: Span, message: impl Into<String>) -> Self {
        Diagnostic {
            code: CodeRef::Rule(name),
            severity,
            message: message.into(),
            labels: vec![Label { span, text: String::new() }],
            help: None,
            fixes: Vec::new(),
            upstream: None,
        }
    }

    /// A circle: names the round trip behind `what`, and each step at its place, the first as the primary one.
    pub(crate) fn circle(code: &'static Code, what: &str, steps: Vec<(&str, Label)>) -> Self {
        let names: Vec<&str> = steps.iter().chain(steps.first()).map(|step| step.0).collect();
        let message = format!("{what}: {}", names.join(" → "));
        let mut diagnostic = Diagnostic::new(code, Span::start_of(FileId(0)), message);
        if !steps.is_empty() {
            diagnostic.labels = steps.into_iter().map(|step| step.1).collect();
        }
        diagnostic
    }

    /// Writes `text` under the primary place.
    pub fn here(mut self, text: impl Into<String>) -> Self {
        if let Some(primary) = self.labels.first_mut() {
            primary.text = text.into();
        }
        self
    }

    /// Adds another place that took part.
    pub fn label(mut self, span: Span, text: impl Into<String>) -> Self {
        self.labels.push(Label { span, text: text.into() });
        self
    }

    /// Says what to do.
    pub fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }

    /// Offers to replace `span` by `text`.
    pub fn replace(mut self, span: Span, text: impl Into<String>, certainty: Certainty) -> Self {
        let text = text.into();
        let title = format!("write `{text}`");
        self.fixes.push(Fix { title, edits: vec![Edit { span, text }], certainty });
        self
    }

    /// The primary place.
    pub fn span(&self) -> Option<Span> {
        self.labels.first().map(|label| label.span)
    }
}
