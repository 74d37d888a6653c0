//! Everything about each diagnostic as one JSON object, for programs.
//!
//! The form is a promise: within one `version`, names stay and new ones are only added.

use serde::Serialize;

use crate::base::{SourceMap, Span};
use crate::diag::{self, Certainty, Diagnostic, Severity};
use crate::view::diagnostics::place::{Place, place};

/// The version of the form below.
const VERSION: u32 = 1;

#[derive(Serialize)]
struct Document<'a> {
    version: u32,
    diagnostics: Vec<Entry<'a>>,
}

#[derive(Serialize)]
struct Entry<'a> {
    code: String,
    severity: Severity,
    message: &'a str,
    upstream: Option<&'a str>,
    labels: Vec<Label<'a>>,
    help: Option<&'a str>,
    fixes: Vec<Fix<'a>>,
}

#[derive(Serialize)]
struct Label<'a> {
    #[serde(flatten)]
    region: Region<'a>,
    text: &'a str,
    primary: bool,
}

/// Lines and columns count from 1 and in characters, `start` and `end` in bytes from 0; ends are exclusive.
#[derive(Serialize)]
struct Region<'a> {
    file: &'a str,
    line: usize,
    column: usize,
    end_line: usize,
    end_column: usize,
    start: u32,
    end: u32,
}

#[derive(Serialize)]
struct Fix<'a> {
    title: &'a str,
    certainty: Certainty,
    edits: Vec<Edit<'a>>,
}

#[derive(Serialize)]
struct Edit<'a> {
    #[serde(flatten)]
    region: Region<'a>,
    text: &'a str,
}

pub(super) fn render(diagnostics: &[Diagnostic], sources: &SourceMap) -> String {
    let diagnostics = diagnostics.iter().map(|diagnostic| entry(diagnostic, sources)).collect();
    #[expect(clippy::expect_used, reason = "plain structs of strings and numbers, without maps, always serialize")]
    let text = serde_json::to_string_pretty(&Document { version: VERSION, diagnostics }).expect("plain data");
    text + "\n"
}

fn entry<'a>(diagnostic: &'a Diagnostic, sources: &'a SourceMap) -> Entry<'a> {
    let labels = diagnostic.labels.iter().enumerate();
    Entry {
        code: diagnostic.code.to_string(),
        severity: diagnostic.severity,
        message: &diagnostic.message,
        upstream: diagnostic.upstream.as_deref(),
        labels: labels.map(|(at, written)| label(written, at == 0, sources)).collect(),
        help: diagnostic.help.as_deref(),
        fixes: diagnostic.fixes.iter().map(|offered| fix(offered, sources)).collect(),
    }
}

fn label<'a>(label: &'a diag::Label, primary: bool, sources: &'a SourceMap) -> Label<'a> {
    Label { region: region(label.span, sources), text: &label.text, primary }
}

fn fix<'a>(fix: &'a diag::Fix, sources: &'a SourceMap) -> Fix<'a> {
    let edits = fix.edits.iter().map(|edit| Edit { region: region(edit.span, sources), text: &edit.text });
    Fix { title: &fix.title, certainty: fix.certainty, edits: edits.collect() }
}

fn region(span: Span, sources: &SourceMap) -> Region<'_> {
    let Place { file, line, column, end_line, end_column } = place(sources, span);
    Region { file, line, column, end_line, end_column, start: span.start, end: span.end }
}
