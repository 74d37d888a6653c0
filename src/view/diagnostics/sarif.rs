//! A SARIF 2.1.0 log, which code scanning services read.
//!
//! <https://docs.oasis-open.org/sarif/sarif/v2.1.0/sarif-v2.1.0.html>

use serde_json::{Value, json};

use crate::base::sources::SourceFile;
use crate::base::{SourceMap, Span};
use crate::diag::{Certainty, Code, CodeRef, Diagnostic, Fix, Label, Severity};
use crate::view::diagnostics::help_lines;
use crate::view::diagnostics::place::place;

const SCHEMA: &str = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json";

pub(super) fn render(diagnostics: &[Diagnostic], sources: &SourceMap) -> String {
    let mut codes: Vec<&CodeRef> = Vec::new();
    let mut results = Vec::new();
    for diagnostic in diagnostics {
        let known = codes.iter().position(|code| **code == diagnostic.code);
        let rule_idx = known.unwrap_or_else(|| {
            codes.push(&diagnostic.code);
            codes.len() - 1
        });
        results.push(result(diagnostic, rule_idx, sources));
    }
    let log = json!({
        "$schema": SCHEMA,
        "version": "2.1.0",
        "runs": [{
            "tool": { "driver": {
                "name": "dlm",
                "semanticVersion": env!("CARGO_PKG_VERSION"),
                "informationUri": env!("CARGO_PKG_REPOSITORY"),
                "rules": codes.into_iter().map(rule).collect::<Vec<_>>(),
            }},
            "columnKind": "unicodeCodePoints",
            "results": results,
        }],
    });
    format!("{log:#}\n")
}

/// A code and, where Rust declares it, its page. A rule of a `.dlm` file says in its message all that is known here.
fn rule(code: &CodeRef) -> Value {
    match code {
        CodeRef::Builtin(builtin) => json!({
            "id": code.to_string(),
            "shortDescription": { "text": first_paragraph(builtin) },
            "help": { "text": builtin.page, "markdown": builtin.page },
            "defaultConfiguration": { "level": level(builtin.severity) },
        }),
        CodeRef::Rule(name) => json!({
            "id": code.to_string(),
            "shortDescription": { "text": format!("the rule `{name}` does not hold") },
        }),
    }
}

/// The first paragraph under the title of the page; the code's name if the page has none.
fn first_paragraph(code: &Code) -> String {
    let paragraphs = code.page.split("\n\n").map(str::trim);
    let text = paragraphs.map(|text| text.lines().filter(|line| !line.starts_with('#')).collect::<Vec<_>>().join(" "));
    text.into_iter().find(|text| !text.is_empty()).unwrap_or_else(|| code.name.replace('_', " "))
}

fn level(severity: Severity) -> &'static str {
    match severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Note => "note",
    }
}

fn result(diagnostic: &Diagnostic, rule_idx: usize, sources: &SourceMap) -> Value {
    let mut lines = vec![diagnostic.message.clone()];
    lines.extend(help_lines(diagnostic).map(|help| format!("help: {help}")));
    let mut labels = diagnostic.labels.iter();
    let primary: Vec<Value> = labels.next().map(|label| location(label, sources)).into_iter().collect();
    let others = (1..).zip(labels).map(|(id, label): (u32, _)| {
        let mut other = location(label, sources);
        if let Some(fields) = other.as_object_mut() {
            fields.insert("id".to_owned(), json!(id));
        }
        other
    });
    let mut result = json!({
        "ruleId": diagnostic.code.to_string(),
        "ruleIndex": rule_idx,
        "level": level(diagnostic.severity),
        "message": { "text": lines.join("\n") },
        "locations": primary,
        "relatedLocations": others.collect::<Vec<_>>(),
    });
    if let Some(fields) = result.as_object_mut() {
        // What was typed can't be edited in a file.
        let in_file = |edit: &crate::diag::Edit| argument(edit.span, sources).is_none();
        let mut offered = diagnostic.fixes.iter().filter(|offered| offered.edits.iter().all(in_file)).peekable();
        if offered.peek().is_some() {
            let fixes: Vec<Value> = offered.map(|offered| fix(offered, sources)).collect();
            fields.insert("fixes".to_owned(), json!(fixes));
        }
        if let Some(upstream) = &diagnostic.upstream {
            fields.insert("properties".to_owned(), json!({ "upstream": upstream }));
        }
    }
    result
}

fn location(label: &Label, sources: &SourceMap) -> Value {
    // An argument of the command line is no file that a reader could open: a logical place holds it as it was typed.
    let mut location = match argument(label.span, sources) {
        Some(file) => json!({ "logicalLocations": [{
            "name": sources.text(label.span),
            "fullyQualifiedName": format!("{} {}", file.name, file.text),
        }]}),
        None => json!({ "physicalLocation": {
            "artifactLocation": artifact(label.span, sources),
            "region": region(label.span, sources),
        }}),
    };
    if let (Some(fields), false) = (location.as_object_mut(), label.text.is_empty()) {
        fields.insert("message".to_owned(), json!({ "text": label.text }));
    }
    location
}

/// The text of an argument of the command line, where a place lies in one. The library's texts have paths for names.
fn argument(span: Span, sources: &SourceMap) -> Option<&SourceFile> {
    sources.get(span.file).filter(|file| file.path.is_none() && !file.name.contains('/'))
}

fn region(span: Span, sources: &SourceMap) -> Value {
    let place = place(sources, span);
    json!({
        "startLine": place.line,
        "startColumn": place.column,
        "endLine": place.end_line,
        "endColumn": place.end_column,
    })
}

fn artifact(span: Span, sources: &SourceMap) -> Value {
    json!({ "uri": uri(place(sources, span).file) })
}

/// A file name as a reference that RFC 3986 allows: names have spaces, and a command-line argument is a name too.
fn uri(name: &str) -> String {
    let name = name.replace('\\', "/");
    let mut uri = String::from(if name.starts_with('/') { "file://" } else { "" });
    for byte in name.bytes() {
        match byte {
            b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' | b'/' => uri.push(char::from(byte)),
            other => uri.push_str(&format!("%{other:02X}")),
        }
    }
    uri
}

fn fix(fix: &Fix, sources: &SourceMap) -> Value {
    // The edits to one file belong together, in the order of the files' first edits.
    let mut changes: Vec<(Span, Vec<Value>)> = Vec::new();
    for edit in &fix.edits {
        let replacement = json!({
            "deletedRegion": region(edit.span, sources),
            "insertedContent": { "text": edit.text },
        });
        match changes.iter_mut().find(|(first, _)| first.file == edit.span.file) {
            Some((_, replacements)) => replacements.push(replacement),
            None => changes.push((edit.span, vec![replacement])),
        }
    }
    let changes = changes.into_iter().map(
        |(first, replacements)| json!({ "artifactLocation": artifact(first, sources), "replacements": replacements }),
    );
    json!({
        "description": { "text": fix.title },
        "artifactChanges": changes.collect::<Vec<_>>(),
        "properties": { "sure": fix.certainty == Certainty::Sure },
    })
}
