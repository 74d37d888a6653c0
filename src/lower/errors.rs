//! All that lowering can complain about.

use crate::base::Span;
use crate::check::Experiment;
use crate::diag::{Diagnostic, codes};
use crate::types::Unknown;

codes! { "lower":
    /// An experiment of a schema that lacks fields which a network or a run needs, or has them with another type.
    FOREIGN_SCHEMA = "foreign_schema", Error;
    /// A field without which there is no network or no run has no value.
    NOT_SET = "not_set", Error;
    /// A number that no machine can work with.
    TOO_LARGE = "too_large", Error;
    /// A value depends on an input that was not given, or on one that is secret.
    INPUT_NOT_GIVEN = "input_not_given", Error;
    /// The network would follow from what it is found to have.
    NETWORK_FROM_ITSELF = "network_from_itself", Error;
    /// Something that MegaDLMs may do but the embedded runtime, or the graph, does not.
    UNSUPPORTED = "unsupported", Error;
}

/// Why a field can't be read whatever its value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Foreign {
    /// The schema has no such field.
    Missing(&'static str),
    /// It has, but of another type.
    Type {
        /// The field.
        path: &'static str,
        /// Where it is declared.
        span: Span,
        /// What it should be.
        wanted: &'static str,
    },
}

/// One complaint about all fields of a schema that are not as `purpose` needs them.
pub(super) fn foreign_schema(experiment: &Experiment, purpose: &str, faults: &[Foreign]) -> Option<Diagnostic> {
    let name = experiment.schema.name;
    let missing: Vec<&str> = faults.iter().filter_map(Foreign::missing).collect();
    let first = faults.first()?;
    let message = match first {
        Foreign::Missing(_) => format!("this experiment has no {}, {purpose}", listed(&missing)),
        Foreign::Type { path, wanted, .. } => format!("`{path}` is not {wanted}, {purpose}"),
    };
    let mut diagnostic = Diagnostic::new(&FOREIGN_SCHEMA, experiment.span, message)
        .here(format!("its schema is `{name}`"))
        .help("networks and runs are made of experiments that extend `std.megadlms.Pretrain`, or a schema like it");
    for fault in faults {
        if let Foreign::Type { path, span, wanted } = fault {
            diagnostic = diagnostic.label(*span, format!("`{path}` must be {wanted}"));
        }
    }
    Some(diagnostic)
}

/// One complaint about all fields that have no value.
pub(super) fn not_set(experiment: Span, purpose: &str, paths: &[&str]) -> Option<Diagnostic> {
    let message = format!("nothing sets {}, {purpose}", listed(paths));
    let help = "set it, here or in what this experiment inherits from";
    (!paths.is_empty()).then(|| Diagnostic::new(&NOT_SET, experiment, message).help(help))
}

/// Without a text there is nothing to train on.
pub(super) fn no_text(experiment: Span, field: Span, path: &str) -> Diagnostic {
    Diagnostic::new(
        &NOT_SET,
        experiment,
        format!("`{path}` is not set, so the embedded runtime has nothing to train on"),
    )
    .label(field, "declared here")
    .help(format!("set `{path}` to a plain text file; token files are for MegaDLMs"))
}

/// A number beyond what can be worked with.
pub(super) fn too_large(span: Span, path: &str, value: &str, wanted: &str) -> Diagnostic {
    Diagnostic::new(&TOO_LARGE, span, format!("`{path}` ({value}) is not {wanted} that a machine can work with"))
}

/// A network beyond what can be counted.
pub(super) fn too_many_parameters(span: Span) -> Diagnostic {
    let message = "this network would have more parameters than can be counted in 62 bits";
    Diagnostic::new(&TOO_LARGE, span, message).help("the largest networks have some 10^13; is there a factor too much?")
}

/// A value that is not known where it is needed.
pub(super) fn unknown(span: Span, path: &str, unknown: Unknown) -> Diagnostic {
    match unknown {
        Unknown::NotGiven(input) => {
            let message = format!("`{path}` depends on the input `{input}`, which has no value");
            let help = format!("give it one: `--input {input}=…`, or the environment variable of its declaration");
            Diagnostic::new(&INPUT_NOT_GIVEN, span, message).help(help)
        }
        Unknown::Secret(input) => {
            let message = format!("`{path}` depends on the secret `{input}`, and secrets are written nowhere");
            let help = "let the program read it from its environment, and keep it out of the fields of an experiment";
            Diagnostic::new(&INPUT_NOT_GIVEN, span, message).help(help)
        }
        Unknown::Computed => {
            let message =
                format!("`{path}` follows from what the network is found to have, and decides on the network");
            let help = "let it follow from other fields, or write the number";
            Diagnostic::new(&NETWORK_FROM_ITSELF, span, message).help(help)
        }
    }
}

/// Something that is not done here.
pub(super) fn unsupported(span: Span, message: impl Into<String>, help: Option<&str>) -> Diagnostic {
    let diagnostic = Diagnostic::new(&UNSUPPORTED, span, message);
    match help {
        Some(help) => diagnostic.help(help),
        None => diagnostic,
    }
}

impl Foreign {
    fn missing(&self) -> Option<&'static str> {
        match self {
            Foreign::Missing(path) => Some(path),
            Foreign::Type { .. } => None,
        }
    }
}

/// Names in backticks with commas; of many the first four.
fn listed(paths: &[&str]) -> String {
    let shown: Vec<String> = paths.iter().take(4).map(|path| format!("`{path}`")).collect();
    match paths.len().saturating_sub(shown.len()) {
        0 => shown.join(", "),
        more => format!("{} and {more} more", shown.join(", ")),
    }
}
