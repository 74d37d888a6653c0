//! One canonical style for `.dlm` files.
//!
//! Must not know: what a name means. Start with [`format()`]. Invariants: the pieces of the text stay, in order, with every
//! comment and every line break that ends a setting; only blanks and empty lines change. So the meaning stays, and
//! formatting what is formatted changes nothing. A file with syntax errors is left alone.
//!
//! The style: two blanks a level; `=` aligned in runs of settings that stand line under line, and so are the comments
//! behind them; one empty line at most, none at the edges of a block; three blanks before the flag of a field.

mod layout;
mod line;

use crate::base::{FileId, SourceMap};
use crate::diag::{Diagnostic, Severity, Sink};
use crate::syntax;

/// The text in canonical style.
///
/// # Errors
/// The syntax errors of the text; their spans count in the first file of a map that holds this text alone.
pub fn format(text: &str) -> Result<String, Vec<Diagnostic>> {
    let mut sources = SourceMap::default();
    let file: FileId = sources.add("", text);
    let mut sink = Sink::default();
    syntax::parse(file, text, &mut sink);
    let diagnostics = sink.finish();
    if diagnostics.iter().any(|diagnostic| diagnostic.severity == Severity::Error) {
        return Err(diagnostics);
    }
    Ok(layout::lay_out(line::lines(text)))
}
