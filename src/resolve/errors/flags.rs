//! What can be wrong with the words of a target's command line. Each speaks for the target's own parser too.

use crate::base::{Span, nearest};
use crate::diag::{Certainty, Diagnostic};
use crate::resolve::errors::declarations::listed;
use crate::resolve::errors::expressions::declared;
use crate::resolve::errors::{AMBIGUOUS_FLAG, FLAG_VALUE, REPEATED_FLAG, UNKNOWN_FLAG};
use crate::resolve::flags::{Digits, NoNumber};
use crate::resolve::{Field, FlagKind, Schema};

fn upstream(mut diagnostic: Diagnostic, rule: &str) -> Diagnostic {
    diagnostic.upstream = Some(rule.to_owned());
    diagnostic
}

/// The flag that a misspelt one most likely meant. Argparse wants two dashes, and flags have dashes where names have `_`.
pub(in crate::resolve) fn meant_flag<'a>(name: &str, known: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    nearest(&format!("--{}", name.trim_start_matches('-').replace('_', "-")), known)
}

pub(in crate::resolve) fn unknown_flag(schema: &Schema, span: Span, name: &str, meant: Option<&str>) -> Diagnostic {
    let message = format!("`{}` has no flag `{name}`", schema.name);
    let diagnostic = upstream(Diagnostic::new(&UNKNOWN_FLAG, span, message), "parse.unknown-flag");
    let bare = name.trim_start_matches('-');
    let field = schema.fields.iter().find(|field| {
        (field.name.as_str() == bare.replace('-', "_") || field.path.as_str() == bare) && field.flag.is_none()
    });
    match (field, meant) {
        (Some(field), _) => {
            declared(diagnostic, field).help(format!("a field of that name has no flag: `--set {}=…`", field.path))
        }
        (None, Some(meant)) => diagnostic.replace(span, meant, Certainty::Sure),
        (None, None) => {
            diagnostic.help("leave it out: the target would stop at it; a field without a flag is given by `--set`")
        }
    }
}

pub(in crate::resolve) fn ambiguous_flag(span: Span, name: &str, candidates: &[&str]) -> Diagnostic {
    let message = format!("`{name}` is the beginning of {} flags", candidates.len());
    let diagnostic = Diagnostic::new(&AMBIGUOUS_FLAG, span, message)
        .help(format!("write one of {}", listed(candidates.iter().copied())));
    upstream(diagnostic, "parse.ambiguous-flag")
}

/// Words that belong to no flag; `behind` is the flag that they follow.
pub(in crate::resolve) fn stray_word(span: Span, behind: Option<(&str, FlagKind)>) -> Diagnostic {
    let diagnostic = Diagnostic::new(&FLAG_VALUE, span, "this belongs to no flag");
    let diagnostic = match behind {
        Some((flag, FlagKind::StoreTrue)) => {
            diagnostic.help(format!("`{flag}` takes no value: it is on where it stands"))
        }
        Some((flag, FlagKind::StoreFalse)) => {
            diagnostic.help(format!("`{flag}` takes no value: it switches off where it stands"))
        }
        Some((flag, FlagKind::Value | FlagKind::Many)) => diagnostic
            .help(format!("`{flag}` takes what is joined by `=`, or one word; text with blanks stands in quotes")),
        None => diagnostic.help("a flag starts with `--`, and its value follows it"),
    };
    upstream(diagnostic, "parse.unknown-flag")
}

pub(in crate::resolve) fn flag_without_value(span: Span, flag: &str, value: &str) -> Diagnostic {
    let diagnostic =
        Diagnostic::new(&FLAG_VALUE, span, format!("`{flag}` takes no value, but `{value}` is joined to it"))
            .help(format!("write `{flag}`, or leave it out"))
            .replace(span, flag, Certainty::Maybe);
    upstream(diagnostic, "parse.unexpected-value")
}

pub(in crate::resolve) fn flag_needs_value(span: Span, flag: &str, field: &Field) -> Diagnostic {
    let message = format!("`{flag}` has no value");
    let diagnostic = Diagnostic::new(&FLAG_VALUE, span, message)
        .help(format!("{} is wanted; one that starts with `-` is joined by `=`, as in `{flag}=-1e-5`", field.ty));
    upstream(declared(diagnostic, field), "parse.missing-value")
}

/// `--lr -1e-5`
pub(in crate::resolve) fn unjoined_value(span: Span, flag: &str, value: &str) -> Diagnostic {
    let message = format!("`{flag}` has no value: the target takes `{value}` for a flag");
    let diagnostic = Diagnostic::new(&FLAG_VALUE, span, message);
    upstream(diagnostic.replace(span, format!("{flag}={value}"), Certainty::Sure), "parse.missing-value")
}

pub(in crate::resolve) fn no_choice<'a>(
    span: Span,
    flag: &str,
    text: &str,
    choices: impl Iterator<Item = &'a str> + Clone,
    field: &Field,
) -> Diagnostic {
    let message = format!("`{flag}` does not take `{text}`");
    let diagnostic = declared(Diagnostic::new(&FLAG_VALUE, span, message), field)
        .help(format!("it takes {}", listed(choices.clone())));
    let diagnostic = match nearest(text, choices) {
        Some(meant) => diagnostic.replace(span, meant, Certainty::Sure),
        None => diagnostic,
    };
    upstream(diagnostic, "parse.invalid-choice")
}

pub(in crate::resolve) fn no_number(
    span: Span,
    flag: &str,
    text: &str,
    digits: Digits,
    why: NoNumber,
    field: &Field,
) -> Diagnostic {
    let (message, help) = match (why, digits) {
        (NoNumber::Foreign, Digits::Whole) => (
            format!("`{flag}` takes a whole number, not `{text}`"),
            "the target reads it with Python's `int`: digits alone, no exponent, no point, no suffix",
        ),
        (NoNumber::Foreign, Digits::Real) => (
            format!("`{flag}` takes a number, not `{text}`"),
            "the target reads it with Python's `float`: `0.1`, `1e-4`",
        ),
        (NoNumber::NotFinite, _) => {
            (format!("`{flag}` can't be `{text}` here"), "dlm computes with exact numbers and has no such value")
        }
        (NoNumber::Inexact, _) => {
            (format!("`{text}` has more digits than can be kept"), "numbers have at most 28 digits")
        }
    };
    let diagnostic = declared(Diagnostic::new(&FLAG_VALUE, span, message), field).help(help);
    match why {
        NoNumber::Foreign => upstream(diagnostic, "parse.invalid-value"),
        NoNumber::NotFinite | NoNumber::Inexact => diagnostic,
    }
}

pub(in crate::resolve) fn repeated_flag(span: Span, first: Span, flag: &str) -> Diagnostic {
    Diagnostic::new(&REPEATED_FLAG, span, format!("`{flag}` is given twice"))
        .here("this one counts")
        .label(first, "this one does not")
        .help("leave one of them out")
}
