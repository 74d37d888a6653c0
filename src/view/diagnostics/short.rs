//! `file:line:column: error[code]: message`, one line each.

use crate::base::SourceMap;
use crate::diag::Diagnostic;
use crate::view::diagnostics::place::place;

pub(super) fn render(diagnostics: &[Diagnostic], sources: &SourceMap) -> String {
    diagnostics.iter().map(|diagnostic| line(diagnostic, sources)).collect()
}

fn line(diagnostic: &Diagnostic, sources: &SourceMap) -> String {
    let Diagnostic { code, severity, message, .. } = diagnostic;
    // Whoever reads this splits at line breaks, so a message must not bring its own.
    let message = message.split_whitespace().collect::<Vec<_>>().join(" ");
    let what = format!("{}[{code}]: {message}\n", severity.word());
    match diagnostic.span().map(|span| place(sources, span)) {
        Some(place) => format!("{}:{}:{}: {what}", place.file, place.line, place.column),
        None => what,
    }
}
