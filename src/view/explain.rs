//! What a field is, what it holds, and why.

use crate::base::{SourceMap, nearest};
use crate::check;
use crate::resolve::expr::ExprKind;
use crate::resolve::{Field, FieldId, FlagKind, Group, Layer, Member, Program, Rule, Schema};
use crate::types::Type;
use crate::view::resolved::place;

/// A checked experiment as a topic is explained in it.
pub struct Subject<'a> {
    /// Every declaration.
    pub program: &'a Program,
    /// Every text.
    pub sources: &'a SourceMap,
    /// The experiment.
    pub experiment: &'a check::Experiment,
    /// Which one it is.
    pub id: crate::resolve::ExperimentId,
    /// The settings of the command line.
    pub command_line: &'a [std::sync::Arc<Layer>],
}

/// A field with its value and every layer that touched it, or a group with the values of its fields.
///
/// # Errors
/// There is no such field or group; says what is near.
pub fn topic(subject: &Subject<'_>, topic: &str) -> Result<String, String> {
    let schema = &subject.experiment.schema;
    match schema.find(topic) {
        Some(Member::Field(field)) => {
            let mut text = about(subject.program, subject.sources, schema, field);
            text.push_str(&values(subject, field));
            text.push_str(&rules(subject.sources, schema, field));
            Ok(text)
        }
        Some(Member::Group(group)) => Ok(list(schema, schema.group(group))),
        None => Err(unknown_in(schema, topic)),
    }
}

/// A field or a group as a schema declares it.
pub fn declared(program: &Program, sources: &SourceMap, schema: &Schema, topic: &str) -> Option<String> {
    match schema.find(topic)? {
        Member::Field(field) => Some(about(program, sources, schema, field) + &rules(sources, schema, field)),
        Member::Group(group) => Some(list(schema, schema.group(group))),
    }
}

/// The schema that holds all others, so that its paths are those that experiments set.
pub fn root(program: &Program) -> Option<&Schema> {
    program.schemas.iter().max_by_key(|schema| schema.fields.len()).map(|schema| &**schema)
}

/// What to say of a topic that is nothing.
pub fn unknown(program: &Program, topic: &str) -> String {
    match root(program) {
        Some(schema) => unknown_in(schema, topic),
        None => format!("there is nothing called `{topic}` to explain"),
    }
}

/// A rule: what it says, where, and what it reads.
pub fn rule(sources: &SourceMap, rule: &Rule) -> String {
    let (file, line, _) = sources.place(rule.head);
    let mut text = format!("# `dlm::check::{}`\n\n", rule.name);
    if !rule.doc.is_empty() {
        text.push_str(&format!("{}\n\n", rule.doc));
    }
    text.push_str(&format!("{}\n\nDeclared in {file}:{line}.\n", sources.text(rule.head)));
    if let Some(upstream) = &rule.upstream {
        text.push_str(&format!("It states the target's own rule `{upstream}`.\n"));
    }
    text
}

fn unknown_in(schema: &Schema, topic: &str) -> String {
    let paths = || schema.fields.iter().map(|field| field.path.as_str());
    let groups = schema.groups.iter().map(|group| group.path.as_str());
    let namesake = schema.fields.iter().find(|field| field.name.as_str() == topic).map(|field| field.path.as_str());
    let by_flag = schema.fields.iter().find(|field| {
        field.flag.as_ref().is_some_and(|flag| {
            flag.spellings.iter().any(|spelling| spelling.trim_start_matches('-') == topic.trim_start_matches('-'))
        })
    });
    let meant = namesake.or(by_flag.map(|field| field.path.as_str())).or_else(|| nearest(topic, paths().chain(groups)));
    match meant {
        Some(meant) => format!("there is no field, group or code `{topic}`\n  help: `dlm explain {meant}`"),
        None => {
            let groups: Vec<&str> =
                schema.groups.iter().map(|group| group.path.as_str()).filter(|path| !path.is_empty()).collect();
            format!("there is no field, group or code `{topic}`\n  help: groups are {}", groups.join(", "))
        }
    }
}

fn about(program: &Program, sources: &SourceMap, schema: &Schema, id: FieldId) -> String {
    let field = schema.field(id);
    let (file, line, _) = sources.place(field.span);
    let mut text = format!("{}: {}\n", field.path, written_type(field));
    for line in field.doc.lines() {
        text.push_str(&format!("  {line}\n"));
    }
    let mut facts: Vec<(&str, String)> = Vec::new();
    match &field.default {
        Some(default) => facts.push(("default", sources.text(default.span).to_owned())),
        None if field.ty.is_optional() => facts.push(("default", "none".to_owned())),
        None => facts.push(("default", "none: it must be set".to_owned())),
    }
    if let Some(flag) = &field.flag {
        let kind = match flag.kind {
            FlagKind::Value => "VALUE",
            FlagKind::Many => "VALUE …",
            FlagKind::StoreTrue => "(present means true)",
            FlagKind::StoreFalse => "(present means false)",
        };
        facts.push(("flag", format!("{} {kind}", flag.spellings.join(", "))));
    }
    if let Type::Enum(reference) = inner(&field.ty)
        && let Some(found) = program.enums.get(reference.id.0 as usize)
    {
        let width = found.variants.iter().map(|variant| variant.name.as_str().len()).max().unwrap_or(0);
        let lines = found.variants.iter().map(|variant| {
            format!("{:width$}  {}", variant.name, variant.doc.lines().next().unwrap_or("")).trim_end().to_owned()
        });
        facts.push(("values", lines.collect::<Vec<_>>().join("\n            ")));
    }
    if let Some(old) = field.renamed_from {
        facts.push(("renamed", format!("from {old}")));
    }
    facts.push(("declared", format!("{file}:{line}")));
    for (name, fact) in facts {
        text.push_str(&format!("  {name:8}  {fact}\n"));
    }
    text
}

fn written_type(field: &Field) -> String {
    let mut text = field.ty.to_string();
    for refinement in &field.refinements {
        text.push_str(&format!(", {refinement}"));
    }
    text
}

fn inner(ty: &Type) -> &Type {
    match ty.required() {
        Type::List(item) => inner(item),
        other => other,
    }
}

/// The value, and what each layer did, strongest first.
fn values(subject: &Subject<'_>, field: FieldId) -> String {
    let experiment = subject.experiment;
    let value = &experiment.value(field).data;
    let mut text = format!("\n{} = {value}   in `{}`\n", experiment.schema.field(field).path, experiment.name);
    let history = check::history(subject.program, subject.id, subject.command_line, field);
    for (origin, data) in history.iter().rev() {
        let place = place(experiment, subject.sources, *origin);
        text.push_str(&format!("  {data}   {place}\n"));
        let derived = origin.source == check::OriginSource::Derived;
        if derived && let Some(default) = &experiment.schema.field(field).default {
            text.push_str(&inputs(subject, default));
        }
    }
    text
}

/// The fields that a derived value was worked out from.
fn inputs(subject: &Subject<'_>, default: &crate::resolve::expr::Expr) -> String {
    let experiment = subject.experiment;
    let mut read: Vec<FieldId> = Vec::new();
    default.walk(&mut |part| {
        if let ExprKind::Field(field) = part.kind
            && !read.contains(&field)
        {
            read.push(field);
        }
    });
    let mut text = format!("    = {}\n", subject.sources.text(default.span));
    for field in read {
        let value = experiment.value(field);
        let path = experiment.schema.field(field).path;
        text.push_str(&format!("    {path} = {}   {}\n", value.data, place(experiment, subject.sources, value.origin)));
    }
    text
}

/// The rules that read a field.
fn rules(sources: &SourceMap, schema: &Schema, field: FieldId) -> String {
    let rules: Vec<&Rule> = schema.rules.iter().filter(|rule| rule.inputs.contains(&field)).collect();
    if rules.is_empty() {
        return String::new();
    }
    let mut text = "\nrules\n".to_owned();
    for rule in rules {
        let (file, line, _) = sources.place(rule.head);
        text.push_str(&format!("  {}   {file}:{line}\n", sources.text(rule.head)));
    }
    text
}

fn list(schema: &Schema, group: &Group) -> String {
    let mut text = format!("{}\n", group.path);
    for line in group.doc.lines() {
        text.push_str(&format!("  {line}\n"));
    }
    let names = group.members.iter().map(|member| member.0.as_str().len()).max().unwrap_or(0);
    for (name, member) in &group.members {
        let (ty, doc) = match member {
            Member::Field(field) => (schema.field(*field).ty.to_string(), schema.field(*field).doc.as_str()),
            Member::Group(inner) => ("group".to_owned(), schema.group(*inner).doc.as_str()),
        };
        let line = format!("  {name:names$}  {ty:12}  {}", doc.lines().next().unwrap_or(""));
        text.push_str(&format!("{}\n", line.trim_end()));
    }
    text
}
