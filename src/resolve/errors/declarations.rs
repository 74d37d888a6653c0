//! Complaints about names, imports, declarations and settings.

use std::path::{Path, PathBuf};

use crate::base::{Name, SourceError, Span, nearest};
use crate::diag::{Certainty, Diagnostic, Label};
use crate::resolve::errors::{
    BAD_FIELD, BAD_OVER, DEPRECATED_FIELD, DUPLICATE_MIXIN, DUPLICATE_NAME, DUPLICATE_SETTING, GROUP_AND_FIELD,
    IMPORT_CYCLE, IMPORT_NOT_FOUND, IMPORT_OUTSIDE, INHERITANCE_CYCLE, MIXIN_SCHEMA, NO_PARENT, RENAMED_FIELD,
    UNKNOWN_FIELD, UNKNOWN_NAME, UNKNOWN_TYPE, UNREADABLE_FILE, WRONG_KIND, declared, group_name, member_names,
};
use crate::resolve::{Declaration, Deprecated, Field, Group, GroupId, Member, Mixin, Schema};
use crate::syntax::ast;
use crate::types::Type;

pub(in crate::resolve) fn unreadable_file(span: Span, path: &Path, error: &SourceError) -> Diagnostic {
    Diagnostic::new(&UNREADABLE_FILE, span, format!("`{}` can't be read: {error}", path.display()))
}

pub(in crate::resolve) fn import_not_found(
    span: Span,
    written: &str,
    path: &Path,
    error: &SourceError,
    siblings: &[PathBuf],
) -> Diagnostic {
    let shown = path.display();
    if *error != SourceError::NotFound {
        return Diagnostic::new(&UNREADABLE_FILE, span, format!("`{shown}` can't be read: {error}"));
    }
    let diagnostic = Diagnostic::new(&IMPORT_NOT_FOUND, span, format!("there is no file `{shown}`"))
        .here("imported here, relative to this file");
    let file_name = |path: &PathBuf| path.file_name().map(|name| name.to_string_lossy().into_owned());
    let names: Vec<String> = siblings.iter().filter_map(file_name).collect();
    let wanted = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    match nearest(&wanted, names.iter().map(String::as_str)) {
        Some(meant) => {
            let text = format!("\"{}\"", Path::new(written).with_file_name(meant).display());
            let there = path.with_file_name(meant);
            diagnostic.help(format!("`{}` is there", there.display())).replace(span, text, Certainty::Maybe)
        }
        None if names.is_empty() => diagnostic.help("no `.dlm` file lies in that folder"),
        None => diagnostic.help(format!("that folder holds {}", listed(names.iter().map(String::as_str)))),
    }
}

pub(in crate::resolve) fn unknown_module(path: &ast::Path, known: Vec<String>) -> Diagnostic {
    let text = path.to_string();
    let message = format!("there is no module `{text}`");
    let diagnostic = Diagnostic::new(&IMPORT_NOT_FOUND, path.span, message);
    match nearest(&text, known.iter().map(String::as_str)) {
        Some(meant) => diagnostic.replace(path.span, meant, Certainty::Sure),
        None if text.starts_with("std") => {
            diagnostic.help(format!("the library has {}", listed(known.iter().map(String::as_str))))
        }
        None => diagnostic.help(
            "dotted modules are those of the library, `std.…`; a file of yours is imported as `use \"base.dlm\" { Name }`",
        ),
    }
}

pub(in crate::resolve) fn not_in_module(
    name: ast::Ident,
    source: &ast::UseSource,
    known: impl Iterator<Item = Name>,
) -> Diagnostic {
    let from = match source {
        ast::UseSource::Module(path) => path.to_string(),
        ast::UseSource::File { path, .. } => path.clone(),
    };
    let known: Vec<&str> = known.map(Name::as_str).collect();
    let message = format!("`{from}` declares no `{}`", name.name);
    let diagnostic = Diagnostic::new(&UNKNOWN_NAME, name.span, message);
    match nearest(name.name.as_str(), known.iter().copied()) {
        Some(meant) => diagnostic.replace(name.span, meant, Certainty::Sure),
        None if known.is_empty() => diagnostic,
        None => diagnostic.help(format!("it declares {}", listed(known.into_iter()))),
    }
}

/// A circle of imports, one label a step.
pub(in crate::resolve) fn import_cycle<'a>(steps: impl Iterator<Item = (Name, &'a ast::Use)>) -> Diagnostic {
    let place = |import: &ast::Use| match &import.source {
        ast::UseSource::File { span, .. } => *span,
        ast::UseSource::Module(path) => path.span,
    };
    let step = |(name, import): (Name, &ast::Use)| {
        (name.as_str(), Label { span: place(import), text: format!("`{name}` imports this") })
    };
    Diagnostic::circle(&IMPORT_CYCLE, "files import each other", steps.map(step).collect())
        .help("move what both need into a third file that imports neither")
}

pub(in crate::resolve) fn import_outside(span: Span, path: &Path) -> Diagnostic {
    let message = format!("`{}` lies outside the project's folder", path.display());
    Diagnostic::new(&IMPORT_OUTSIDE, span, message)
        .help("start dlm in a folder that holds both files, or allow it with `--allow-outside`")
}

pub(in crate::resolve) fn unknown_name(name: ast::Ident, what: &str, known: &[Name]) -> Diagnostic {
    let diagnostic =
        Diagnostic::new(&UNKNOWN_NAME, name.span, format!("no {what} called `{}` is known here", name.name));
    match nearest(name.name.as_str(), known.iter().map(|name| name.as_str())) {
        Some(meant) => diagnostic.replace(name.span, meant, Certainty::Sure),
        None => diagnostic.help("declare it in this file, or import it with `use`"),
    }
}

pub(in crate::resolve) fn unknown_type(name: ast::Ident, known: &[Name]) -> Diagnostic {
    let builtin = [
        "bool", "int", "float", "fraction", "string", "path", "tokens", "samples", "iters", "bytes", "duration", "list",
    ];
    let names = builtin.into_iter().chain(known.iter().map(|name| name.as_str()));
    let diagnostic = Diagnostic::new(&UNKNOWN_TYPE, name.span, format!("there is no type `{}`", name.name));
    let slip = match name.name.as_str() {
        "integer" | "i64" | "u64" | "long" => Some("int"),
        "boolean" => Some("bool"),
        "str" | "text" => Some("string"),
        "double" | "number" | "f64" => Some("float"),
        _ => None,
    };
    match slip.or_else(|| nearest(name.name.as_str(), names)) {
        Some(meant) => diagnostic.replace(name.span, meant, Certainty::Sure),
        None => diagnostic
            .help(format!("types are {}, and the enums and schemas of this file", listed(builtin.into_iter()))),
    }
}

pub(in crate::resolve) fn duplicate_name(name: ast::Ident, first: Span) -> Diagnostic {
    Diagnostic::new(&DUPLICATE_NAME, name.span, format!("`{}` is declared twice", name.name))
        .here("again here")
        .label(first, "first here")
        .help("rename one; an import can be renamed with `as`")
}

pub(in crate::resolve) fn wrong_kind(name: ast::Ident, found: Declaration, wanted: &str) -> Diagnostic {
    let message = format!("`{}` is {}, but {wanted} is wanted here", name.name, found.kind());
    Diagnostic::new(&WRONG_KIND, name.span, message)
}

/// A circle of inheritance, one label a step.
pub(in crate::resolve) fn inheritance_cycle(chain: &[&ast::Experiment]) -> Diagnostic {
    let step = |link: &&ast::Experiment| {
        let (name, parent) = (link.name.name, link.parent.unwrap_or(link.name));
        (name.as_str(), Label { span: parent.span, text: format!("`{name}` extends `{}`", parent.name) })
    };
    let steps = chain.iter().map(step).collect();
    Diagnostic::circle(&INHERITANCE_CYCLE, "experiments inherit from each other", steps)
        .help("one of them must extend a schema")
}

pub(in crate::resolve) fn schema_cycle(user: ast::Ident, owner: ast::Ident) -> Diagnostic {
    let message = format!("`{}` holds itself as a group", owner.name);
    Diagnostic::new(&INHERITANCE_CYCLE, user.span, message).label(owner.span, "declared here")
}

pub(in crate::resolve) fn no_parent(name: ast::Ident) -> Diagnostic {
    let message = format!("`{}` extends nothing, so it has no fields to set", name.name);
    Diagnostic::new(&NO_PARENT, name.span, message).help(format!(
        "name a schema or an experiment: `use std.megadlms.Pretrain` and `experiment {} extends Pretrain {{ … }}`",
        name.name
    ))
}

pub(in crate::resolve) fn duplicate_mixin(name: ast::Ident, first: Span) -> Diagnostic {
    Diagnostic::new(&DUPLICATE_MIXIN, name.span, format!("mixin `{}` is taken twice", name.name))
        .here("again here")
        .label(first, "taken here already")
        .help("a mixin acts once; what it set can be set again in the body")
}

pub(in crate::resolve) fn mixin_schema(name: ast::Ident, mixin: &Mixin, own: Name, wanted: Name) -> Diagnostic {
    let message = format!("mixin `{}` is written for `{own}`, but this experiment follows `{wanted}`", name.name);
    Diagnostic::new(&MIXIN_SCHEMA, name.span, message).label(mixin.span, "declared here")
}

pub(in crate::resolve) fn bad_over(name: ast::Ident, earlier: &[Name]) -> Diagnostic {
    let message = format!("`over` names a mixin that stands earlier in this list, and `{}` does not", name.name);
    let diagnostic = Diagnostic::new(&BAD_OVER, name.span, message);
    match nearest(name.name.as_str(), earlier.iter().map(|name| name.as_str())) {
        Some(meant) => diagnostic.replace(name.span, meant, Certainty::Sure),
        None if earlier.is_empty() => diagnostic.help("no mixin stands before this one"),
        None => diagnostic.help(format!("earlier are {}", listed(earlier.iter().map(|name| name.as_str())))),
    }
}

/// Nothing where the name is declared, but in a way that was complained about.
pub(in crate::resolve) fn unknown_field(
    schema: &Schema,
    group: GroupId,
    segment: ast::Ident,
    path: &ast::Path,
) -> Option<Diagnostic> {
    let is_unread = schema.group(group).unread.contains(&segment.name);
    (!is_unread).then(|| no_such_field(schema, group, segment, path))
}

fn no_such_field(schema: &Schema, group: GroupId, segment: ast::Ident, path: &ast::Path) -> Diagnostic {
    let found = schema.group(group);
    let message = format!("{} has no field `{}`", group_name(schema, found), segment.name);
    let diagnostic = Diagnostic::new(&UNKNOWN_FIELD, segment.span, message);
    let word = segment.name.as_str();
    let elsewhere: Vec<&Field> = schema.fields.iter().filter(|field| field.name == segment.name).collect();
    let is_last = path.last() == Some(segment);
    if let ([only], true) = (elsewhere.as_slice(), is_last) {
        let home = group_name(schema, schema.group(only.group));
        let diagnostic = diagnostic
            .help(format!("`{word}` is a field of {home}"))
            .label(only.span, format!("`{}` is declared here", only.path));
        // Only at the top of a body the full path can be written in place of the short one.
        let at_top = found.path == Name::new("") && path.segments.len() == 1;
        return if at_top { diagnostic.replace(segment.span, only.path.as_str(), Certainty::Sure) } else { diagnostic };
    }
    if let Some(meant) = nearest(word, member_names(found)) {
        let meant = Name::new(meant);
        let place = match schema.member(group, meant) {
            Some(Member::Field(field)) => Some(schema.field(field).span),
            Some(Member::Group(group)) => Some(schema.group(group).span),
            Some(Member::Keyed(keyed)) => schema.keyed.get(keyed.index()).map(|keyed| keyed.span),
            None => None,
        };
        let diagnostic = match place {
            Some(place) => diagnostic.label(place, format!("`{meant}` is declared here")),
            None => diagnostic,
        };
        return diagnostic.replace(segment.span, meant.as_str(), Certainty::Sure);
    }
    let names = schema.fields.iter().map(|field| field.name.as_str());
    if let Some(near) = nearest(word, names)
        && let Some(field) = schema.fields.iter().find(|field| field.name.as_str() == near)
    {
        return diagnostic
            .help(format!("`{}` has a similar name", field.path))
            .label(field.span, format!("`{}` is declared here", field.path));
    }
    match found.members.len() {
        0 => diagnostic.help("it has no fields at all"),
        _ if found.path == Name::new("") => {
            diagnostic.help(format!("its groups and fields are {}", listed(member_names(found))))
        }
        1..=12 => diagnostic.help(format!("its fields are {}", listed(member_names(found)))),
        _ => diagnostic.help(format!("`dlm explain {}` lists its fields", found.path)),
    }
}

/// The field or group that a wrong name most likely meant: what [`unknown_field`] offers to write.
pub(in crate::resolve) fn meant(
    schema: &Schema,
    group: GroupId,
    segment: ast::Ident,
    path: &ast::Path,
) -> Option<Member> {
    let found = schema.group(group);
    let is_last = path.last() == Some(segment);
    let mut elsewhere = schema.iter().filter(|(_, field)| field.name == segment.name);
    if let (Some((only, _)), None, true) = (elsewhere.next(), elsewhere.next(), is_last) {
        return Some(Member::Field(only));
    }
    let name = nearest(segment.name.as_str(), member_names(found))?;
    schema.member(group, Name::new(name))
}

pub(in crate::resolve) fn renamed_field(segment: ast::Ident, field: &Field) -> Diagnostic {
    let message = format!("`{}` is called `{}` now", segment.name, field.name);
    declared(Diagnostic::new(&RENAMED_FIELD, segment.span, message), field).replace(
        segment.span,
        field.name.as_str(),
        Certainty::Sure,
    )
}

/// `instead` is the path of what to use in its place, from the root.
pub(in crate::resolve) fn deprecated_field(
    span: Span,
    written: &str,
    field: &Field,
    why: &Deprecated,
    instead: Option<Name>,
) -> Diagnostic {
    let mut message = format!("`{}` should no longer be used", field.path);
    if let Some(since) = &why.since {
        message.push_str(&format!(", since {since}"));
    }
    if let Some(reason) = &why.reason {
        message.push_str(&format!(": {reason}"));
    }
    let diagnostic = declared(Diagnostic::new(&DEPRECATED_FIELD, span, message), field);
    let Some(instead) = instead else { return diagnostic };
    // Within a group a path counts from there: what is written stands behind that part of the whole path which the new one
    // must share.
    let group = field.path.as_str().strip_suffix(written);
    match group.and_then(|group| instead.as_str().strip_prefix(group)) {
        Some(within) => diagnostic.replace(span, within, Certainty::Sure),
        None => diagnostic.help(format!("set `{instead}` in its place")),
    }
}

/// `taken` is where the body sets what to use instead: renaming the path would then set it twice.
pub(in crate::resolve) fn deprecated_setting(
    written: &ast::Path,
    field: &Field,
    why: &Deprecated,
    instead: Option<Name>,
    taken: Option<Span>,
) -> Diagnostic {
    let Some((taken, instead)) = taken.zip(instead) else {
        return deprecated_field(written.span, &written.to_string(), field, why, instead);
    };
    deprecated_field(written.span, &written.to_string(), field, why, None)
        .label(taken, format!("`{instead}` is set here"))
        .help(format!("remove it, since `{instead}` stands in its place"))
}

pub(in crate::resolve) fn field_opened(path: &ast::Path, field: &Field) -> Diagnostic {
    let message = format!("`{}` is a field of type `{}`: nothing lies within it", field.path, field.ty);
    declared(Diagnostic::new(&GROUP_AND_FIELD, path.span, message), field)
}

pub(in crate::resolve) fn group_assigned(assign: &ast::Assign, group: &Group) -> Diagnostic {
    let message = format!("`{}` is a group of fields, not a field", assign.path);
    Diagnostic::new(&GROUP_AND_FIELD, assign.path.span, message)
        .label(group.span, "declared as a group here")
        .help(format!("set its fields: `{} {{ … }}`, or one of them: `{}.name = …`", assign.path, assign.path))
}

pub(in crate::resolve) fn not_a_list(assign: &ast::Assign, field: &Field) -> Diagnostic {
    let message = format!("`+=` and `-=` change lists, and `{}` is of type `{}`", field.path, field.ty);
    declared(Diagnostic::new(&GROUP_AND_FIELD, assign.op_span, message), field)
        .help(format!("to count from the value below, write `{} = super + …`", field.name))
}

pub(in crate::resolve) fn duplicate_setting(span: Span, first: Span, field: &Field) -> Diagnostic {
    Diagnostic::new(&DUPLICATE_SETTING, span, format!("`{}` is set twice in one body", field.path))
        .here("again here")
        .label(first, "first here")
        .help("remove one of the two")
}

pub(in crate::resolve) fn bad_flag(span: Span, kind: Option<ast::Ident>, field: &Field) -> Diagnostic {
    let message = match kind {
        Some(kind) => format!("a flag of kind `{}` does not go with type `{}`", kind.name, field.ty),
        None => format!("a flag does not go with type `{}`", field.ty),
    };
    Diagnostic::new(&BAD_FIELD, span, message).help("kinds are value, many (lists), store_true and store_false (bool)")
}

pub(in crate::resolve) fn bad_yaml_key(span: Span, key: &str) -> Diagnostic {
    Diagnostic::new(&BAD_FIELD, span, format!("\"{key}\" is no key of a YAML file of arguments"))
        .help("keys are names with dots between them: \"language_model.num_layers\"")
}

pub(in crate::resolve) fn bad_refinement(span: Span, field: &Field) -> Diagnostic {
    let message = format!("this condition does not go with type `{}`", field.ty);
    Diagnostic::new(&BAD_FIELD, span, message)
        .help("ranges and multiples bound numbers and quantities, with ends that are written out")
}

pub(in crate::resolve) fn group_with_value(span: Span, name: ast::Ident) -> Diagnostic {
    let message = format!("`{}` is a group of fields: it has no value, no range and no flag of its own", name.name);
    Diagnostic::new(&BAD_FIELD, span, message)
        .help("defaults and flags stand at its fields, in the schema of the group")
}

pub(in crate::resolve) fn bad_union(span: Span, ty: &Type) -> Diagnostic {
    Diagnostic::new(&BAD_FIELD, span, format!("`|` joins quantities, and `{ty}` is none"))
        .help("tokens, samples, iters, bytes and duration can be joined")
}

pub(super) fn listed<'a>(names: impl Iterator<Item = &'a str>) -> String {
    let names: Vec<String> = names.map(|name| format!("`{name}`")).collect();
    names.join(", ")
}
