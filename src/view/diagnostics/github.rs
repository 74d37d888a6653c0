//! Workflow commands: `::error file=…,line=…::message`, which GitHub shows beside the lines of a pull request.

use crate::base::{SourceMap, Span};
use crate::diag::{Diagnostic, Severity};
use crate::view::diagnostics::help_lines;
use crate::view::diagnostics::place::place;

pub(super) fn render(diagnostics: &[Diagnostic], sources: &SourceMap) -> String {
    diagnostics.iter().map(|diagnostic| command(diagnostic, sources)).collect()
}

fn command(diagnostic: &Diagnostic, sources: &SourceMap) -> String {
    let level = match diagnostic.severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Note => "notice",
    };
    let mut properties = Vec::new();
    // An argument of the command line or a text of the library is no file of the pull request.
    if let Some(place) = diagnostic.span().filter(|span| in_file(span, sources)).map(|span| place(sources, span)) {
        properties.push(format!("file={}", property(place.file)));
        properties.push(format!("line={}", place.line));
        // GitHub refuses columns where the lines differ.
        if place.line == place.end_line {
            properties.push(format!("col={}", place.column));
        }
        properties.push(format!("endLine={}", place.end_line));
        if place.line == place.end_line {
            properties.push(format!("endColumn={}", place.end_column));
        }
    }
    properties.push(format!("title={}", property(&diagnostic.code.to_string())));
    format!("::{level} {}::{}\n", properties.join(","), data(&body(diagnostic, sources)))
}

fn in_file(span: &Span, sources: &SourceMap) -> bool {
    sources.get(span.file).is_none_or(|file| file.path.is_some())
}

/// An annotation shows no second place, so the other labels are told in words.
fn body(diagnostic: &Diagnostic, sources: &SourceMap) -> String {
    let mut lines = vec![diagnostic.message.clone()];
    if let Some(span) = diagnostic.span().filter(|span| !in_file(span, sources))
        && let Some(file) = sources.get(span.file)
    {
        let line = place(sources, span).line;
        let text = file.text.lines().nth(line.saturating_sub(1)).unwrap_or("");
        lines.push(format!("in {}: {text}", file.name));
    }
    for (at, label) in diagnostic.labels.iter().enumerate().filter(|(_, label)| !label.text.is_empty()) {
        let place = place(sources, label.span);
        lines.push(match at {
            0 => label.text.clone(),
            _ => format!("{}:{}:{}: {}", place.file, place.line, place.column, label.text),
        });
    }
    lines.extend(help_lines(diagnostic).map(|help| format!("help: {help}")));
    lines.join("\n")
}

/// The part behind the second `::`.
fn data(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

/// The value of a property, where `:` and `,` end things too.
fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}
