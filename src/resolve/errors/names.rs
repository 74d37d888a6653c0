//! Complaints about types, bindings, maps and named blocks.

use crate::base::{Name, Span, nearest};
use crate::diag::{Certainty, Diagnostic, Edit, Fix, Label};
use crate::resolve::errors::{
    AMBIGUOUS_NAME, BAD_FIELD, BINDING_CYCLE, COMPUTED_FIELD, DUPLICATE_MIXIN, GROUP_AND_FIELD, KEYED, MIXIN_SCHEMA,
    OUT_OF_RANGE, UNKNOWN_INPUT, UNKNOWN_NAME, WRONG_TYPE, declared,
};
use crate::resolve::interval::Never;
use crate::resolve::{Binding, Field, Keyed, Schema};
use crate::syntax::ast;
use crate::types::Data;

pub(in crate::resolve) fn ambiguous_name(path: &ast::Path, field: &Field, binding: Span) -> Diagnostic {
    let message = format!("`{path}` could be the field `{}` or the value declared with `let` or `input`", field.path);
    Diagnostic::new(&AMBIGUOUS_NAME, path.span, message)
        .label(field.span, "the field")
        .label(binding, "the value")
        .help("rename the value; a field keeps its name")
}

pub(in crate::resolve) fn binding_cycle(steps: &[ast::Ident]) -> Diagnostic {
    let steps = steps.iter().map(|name| {
        let text = format!("`{}` is declared here", name.name);
        (name.name.as_str(), Label { span: name.span, text })
    });
    Diagnostic::circle(&BINDING_CYCLE, "names are declared by each other", steps.collect())
        .help("one of them must be written out")
}

pub(in crate::resolve) fn secret_misfit(span: Span, binding: &Binding) -> Diagnostic {
    let message = format!("the value given for the secret `{}` does not fit its declaration", binding.name);
    let must: Vec<String> = binding.refinements.iter().map(ToString::to_string).collect();
    let mut help = format!("it is of type `{}`", binding.ty);
    if !must.is_empty() {
        help.push_str(&format!(" and must be {}", must.join(" and ")));
    }
    Diagnostic::new(&WRONG_TYPE, span, message).label(binding.span, "declared here").help(help)
}

/// A name given with `--input` that no file declares.
pub(crate) fn unknown_input(span: Span, name: &str, known: &[Name]) -> Diagnostic {
    let diagnostic = Diagnostic::new(&UNKNOWN_INPUT, span, format!("no file declares an input `{name}`"));
    let names: Vec<String> = known.iter().map(|name| format!("`{name}`")).collect();
    match (nearest(name, known.iter().map(|name| name.as_str())), names.as_slice()) {
        (Some(meant), _) => diagnostic.help(format!("`{meant}` is nearest")),
        (None, []) => diagnostic.help("declare it: `input name: path`"),
        (None, names) => diagnostic.help(format!("declared are {}", names.join(", "))),
    }
}

pub(in crate::resolve) fn never_fits(span: Span, never: &Never, field: &Field) -> Diagnostic {
    let message =
        format!("`{}` must be {}, but whatever its inputs are, this is {}", field.path, never.refinement, never.range);
    declared(Diagnostic::new(&OUT_OF_RANGE, span, message), field)
        .help("the ranges of the fields that it reads leave no other value")
}

pub(in crate::resolve) fn condition_on_input(span: Span) -> Diagnostic {
    Diagnostic::new(&BAD_FIELD, span, "the condition of a field can't depend on an input")
        .help("hold the field against the input in a rule: `check name: field <= input`")
}

pub(in crate::resolve) fn bad_pattern(span: Span, why: &str) -> Diagnostic {
    let why = why.lines().last().unwrap_or(why);
    Diagnostic::new(&BAD_FIELD, span, format!("this is no regular expression: {why}"))
}

pub(in crate::resolve) fn type_too_deep(span: Span, most: usize) -> Diagnostic {
    Diagnostic::new(&BAD_FIELD, span, format!("lists lie in each other more than {most} deep"))
}

pub(in crate::resolve) fn map_inside(span: Span) -> Diagnostic {
    Diagnostic::new(&BAD_FIELD, span, "a map can only be the type of a field itself")
        .help("write a schema with a field for each part, and a map of that")
}

pub(in crate::resolve) fn keyed_in_keyed(name: ast::Ident, element: &Schema) -> Diagnostic {
    let inner = element.keyed.first().map_or(element.span, |keyed| keyed.span);
    Diagnostic::new(&BAD_FIELD, name.span, format!("entries of `{}` would hold entries of their own", name.name))
        .label(inner, "a map or named blocks here")
        .help("give the inner ones a map of their own beside this one")
}

pub(in crate::resolve) fn computed_default(default: Span, clause: Span, field: &Field) -> Diagnostic {
    let message = format!("`{}` is computed, so it has no default", field.name);
    Diagnostic::new(&BAD_FIELD, default, message).label(clause, "said here").help("remove one of the two")
}

pub(in crate::resolve) fn computed_set(span: Span, field: &Field) -> Diagnostic {
    let message = format!("`{}` is computed from what is compiled, and can't be set", field.path);
    declared(Diagnostic::new(&COMPUTED_FIELD, span, message), field)
        .help("change the fields that it follows from, or hold it to a bound with a `check`")
}

pub(in crate::resolve) fn keyed_as_value(path: &ast::Path, keyed: &Keyed) -> Diagnostic {
    let what = if keyed.is_map { "a map" } else { "a set of named blocks" };
    let field = if keyed.is_map { "" } else { ".field" };
    Diagnostic::new(&WRONG_TYPE, path.span, format!("`{path}` is {what}, not a value"))
        .label(keyed.span, "declared here")
        .help(match keyed.is_map {
            true => {
                format!("one value is `{path}.key`, all of them are `values({path})`, and `len({path})` counts them")
            }
            false => format!(
                "a field of one is `{path}.\"key\"{field}`, of all `{path}.*{field}`, and `len({path})` counts them"
            ),
        })
}

pub(in crate::resolve) fn keyed_assigned(path: &ast::Path, keyed: &Keyed) -> Diagnostic {
    let message = format!("`{path}` has entries, so it is not set as a whole");
    Diagnostic::new(&GROUP_AND_FIELD, path.span, message).label(keyed.span, "declared here").help(match keyed.is_map {
        true => format!("set one of them: `{path}.key = …`, or several: `{path} {{ … }}`"),
        false => format!("open one of them: `{path} \"key\" {{ … }}`"),
    })
}

pub(in crate::resolve) fn map_opened(path: &ast::Path) -> Diagnostic {
    Diagnostic::new(&GROUP_AND_FIELD, path.span, "an entry of this map is a value: nothing lies within it")
        .help("set it: `name = …`")
}

pub(in crate::resolve) fn bad_key(key: ast::Ident) -> Diagnostic {
    let message = match key.is_all() {
        true => "`*` stands for every entry, and one setting sets one of them",
        false => "the key of an entry is empty",
    };
    Diagnostic::new(&KEYED, key.span, message).help("write the key: `data.train \"name\" { … }`")
}

pub(in crate::resolve) fn quoted_name(name: ast::Ident) -> Diagnostic {
    let plain = !name.name.as_str().is_empty()
        && name.name.as_str().chars().all(|letter| letter.is_ascii_alphanumeric() || letter == '_');
    let diagnostic = Diagnostic::new(&KEYED, name.span, "only keys of maps and named blocks stand in quotes");
    match plain {
        true => diagnostic.replace(name.span, name.name.as_str(), Certainty::Maybe),
        false => diagnostic,
    }
}

pub(in crate::resolve) fn check_in_entry(head: Span) -> Diagnostic {
    Diagnostic::new(&KEYED, head, "a check can't stand in an entry")
        .help("write it in the schema of the entries, or in the body around them: `check name: data.train.*.weight …`")
}

/// A mixin without `for` that nothing uses and whose schema can't be guessed.
pub(in crate::resolve) fn mixin_without_schema(name: Name, span: Span, schemas: &[Name]) -> Diagnostic {
    let message = format!("nothing says which schema mixin `{name}` is for, so it can't be checked");
    let mut diagnostic = Diagnostic::new(&MIXIN_SCHEMA, span, message);
    match schemas {
        [] => diagnostic.help("name it: `mixin name for Schema { … }`, with the schema imported"),
        _ => {
            let certainty = if schemas.len() == 1 { Certainty::Sure } else { Certainty::Maybe };
            for schema in schemas.iter().take(3) {
                diagnostic.fixes.push(Fix {
                    title: format!("write `mixin {name} for {schema}`"),
                    edits: vec![Edit { span: Span { start: span.end, ..span }, text: format!(" for {schema}") }],
                    certainty,
                });
            }
            diagnostic
        }
    }
}

/// A mixin that the command line takes, and nothing is called so.
pub(in crate::resolve) fn unknown_mixin(span: Span, text: &str, known: &[String]) -> Diagnostic {
    let diagnostic = Diagnostic::new(&UNKNOWN_NAME, span, format!("there is no mixin `{text}` here"));
    let same = known.iter().find(|known| known.rsplit('.').next() == text.rsplit('.').next());
    match same.map(String::as_str).or_else(|| nearest(text, known.iter().map(String::as_str))) {
        Some(meant) => diagnostic.replace(span, meant, Certainty::Sure),
        None if known.is_empty() => diagnostic.help("the file knows none"),
        None => {
            let shown: Vec<String> = known.iter().map(|name| format!("`{name}`")).collect();
            diagnostic.help(format!("known are {}", shown.join(", ")))
        }
    }
}

/// A mixin that the command line takes although the experiment has it.
pub(crate) fn mixin_again(text: &str, span: Span, first: Span) -> Diagnostic {
    Diagnostic::new(&DUPLICATE_MIXIN, span, format!("mixin `{text}` is taken twice"))
        .here("again here")
        .label(first, "taken here already")
        .help("leave one of the two out")
}

/// No entry has that key.
pub(crate) fn no_entry(span: Span, key: Name, keyed: &Keyed, keys: &[Name]) -> Diagnostic {
    let message = format!("`{}` has no entry {}", keyed.path, Data::Text(key.as_str().into()));
    let diagnostic = Diagnostic::new(&KEYED, span, message).label(keyed.span, "declared here");
    let shown: Vec<String> = keys.iter().map(|key| Data::Text(key.as_str().into()).to_string()).collect();
    match (nearest(key.as_str(), keys.iter().map(|key| key.as_str())), shown.as_slice()) {
        (Some(meant), _) => diagnostic.help(format!("`{meant}` is nearest")),
        (None, []) => diagnostic.help("it has none here"),
        (None, shown) => diagnostic.help(format!("its entries are {}", shown.join(", "))),
    }
}
