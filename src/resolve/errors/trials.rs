//! Complaints about sweeps and tests.

use crate::base::{Span, nearest};
use crate::diag::{Certainty, Diagnostic, Label};
use crate::resolve::Field;
use crate::resolve::errors::{BAD_SWEEP, BAD_TEST, DUPLICATE_NAME, SWEEP_CYCLE, UNKNOWN_RULE};
use crate::syntax::ast;

pub(in crate::resolve) fn sweep_cycle(steps: &[ast::Ident]) -> Diagnostic {
    let steps = steps.iter().map(|name| {
        let text = format!("`{}` multiplies the points of the next", name.name);
        (name.name.as_str(), Label { span: name.span, text })
    });
    Diagnostic::circle(&SWEEP_CYCLE, "sweeps are made of each other", steps.collect())
        .help("one of them must be of an experiment")
}

pub(in crate::resolve) fn sweep_of_nothing(name: ast::Ident) -> Diagnostic {
    Diagnostic::new(&BAD_SWEEP, name.span, format!("`{}` does not say what it varies", name.name))
        .help(format!("name an experiment: `sweep {} of experiment {{ … }}`", name.name))
}

pub(in crate::resolve) fn mixed_schemas(span: Span, first: Span) -> Diagnostic {
    Diagnostic::new(&BAD_SWEEP, span, "the points of one sweep have one schema, and this has another")
        .label(first, "than this")
        .help("write a sweep for each")
}

pub(in crate::resolve) fn uneven_row(span: Span, found: usize, wanted: usize) -> Diagnostic {
    Diagnostic::new(&BAD_SWEEP, span, format!("this row has {found} values for {wanted} fields"))
        .help("a row of a `zip` has one value for each field")
}

pub(in crate::resolve) fn empty_axis(span: Span) -> Diagnostic {
    Diagnostic::new(&BAD_SWEEP, span, "this axis has no values, so the sweep has no points")
        .help("write at least one, or remove the line")
}

pub(in crate::resolve) fn axis_twice(span: Span, first: Span) -> Diagnostic {
    Diagnostic::new(&BAD_SWEEP, span, "this field is set twice in one sweep")
        .label(first, "first here")
        .help("remove one of the two; fields that vary together stand in a `zip`")
}

pub(in crate::resolve) fn no_axis(name: ast::Ident) -> Diagnostic {
    Diagnostic::new(&BAD_SWEEP, name.span, format!("sweep `{}` varies nothing", name.name))
        .help("give it an axis: `optimizer.lr in [1e-4, 2e-4]`")
}

pub(in crate::resolve) fn varies_below(span: Span, first: Span, field: &Field) -> Diagnostic {
    Diagnostic::new(&BAD_SWEEP, span, format!("`{}` varies in a sweep below already", field.path))
        .here("this overrides it, so points fall together")
        .label(first, "it varies here")
        .help("remove one of the two axes")
}

pub(in crate::resolve) fn axis_unknown(span: Span) -> Diagnostic {
    Diagnostic::new(&BAD_SWEEP, span, "the values of an axis must be known before any experiment is")
        .help("write them out, or name a `let` that does not depend on an input without a value")
}

pub(in crate::resolve) fn open_axis(span: Span) -> Diagnostic {
    Diagnostic::new(&BAD_SWEEP, span, "the range of an axis has two ends").help("write both: `in 1..=4`")
}

pub(in crate::resolve) fn bad_limit(span: Span) -> Diagnostic {
    Diagnostic::new(&BAD_SWEEP, span, "the limit of a sweep is a whole number above 0, written out")
        .help("a sweep without `limit` keeps all its points")
}

pub(in crate::resolve) fn test_of_nothing(span: Span) -> Diagnostic {
    Diagnostic::new(&BAD_TEST, span, "this test does not say what it tries")
        .help("name an experiment or a sweep: `test \"title\" for experiment { … }`")
}

pub(in crate::resolve) fn test_of_abstract(name: ast::Ident, declared: Span) -> Diagnostic {
    let message = format!("`{}` is abstract, so it has no values to try", name.name);
    Diagnostic::new(&BAD_TEST, name.span, message)
        .label(declared, "declared as abstract")
        .help("declare an experiment that extends it, and try that")
}

pub(in crate::resolve) fn empty_test(span: Span) -> Diagnostic {
    Diagnostic::new(&BAD_TEST, span, "this test expects nothing, so it can't fail")
        .help("say what must come out: `expect model.num_layers == 28`")
}

pub(in crate::resolve) fn duplicate_title(span: Span, title: &str, first: Span) -> Diagnostic {
    Diagnostic::new(&DUPLICATE_NAME, span, format!("two tests of this file are called \"{title}\""))
        .label(first, "the first one")
}

pub(in crate::resolve) fn unknown_rule(name: ast::Ident, known: &[&str]) -> Diagnostic {
    let diagnostic = Diagnostic::new(&UNKNOWN_RULE, name.span, format!("no rule is called `{}`", name.name));
    match nearest(name.name.as_str(), known.iter().copied()) {
        Some(meant) => diagnostic.replace(name.span, meant, Certainty::Sure),
        None => {
            diagnostic.help("write the name of a `check`, or a code as diagnostics show it: `dlm::resolve::wrong_type`")
        }
    }
}
