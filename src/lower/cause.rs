//! Origins made into words: what is lowered outlives the compiler, and still says where it came from.

use crate::base::{SourceMap, Span};
use crate::check::Experiment;
use crate::resolve::FieldId;
use crate::spec::Cause;

/// Where the value of a field came from: the text that set it, or its declaration.
pub(super) fn cause(experiment: &Experiment, field: FieldId, sources: &SourceMap) -> Cause {
    let path = experiment.schema.field(field).path;
    at(path.as_str(), experiment.value(field).origin.span, sources)
}

fn at(field: &str, span: Span, sources: &SourceMap) -> Cause {
    let (file, line, column) = sources.place(span);
    let number = |value: usize| u32::try_from(value).unwrap_or(u32::MAX);
    Cause { field: field.to_owned(), file: file.to_owned(), line: number(line), column: number(column) }
}
