//! What a field is, what it holds, and why.

use std::collections::HashSet;

use crate::base::{SourceMap, nearest};
use crate::check::{self, Standing};
use crate::resolve::expr::{Expr, ExprKind};
use crate::resolve::{BindingKind, Change, Field, FieldId, FlagKind, Group, KeyedId, Member, Program, Rule, Schema};
use crate::types::{Data, Type};
use crate::view::resolved::place;

/// A checked experiment as a topic is explained in it.
pub struct Subject<'a> {
    /// Every declaration.
    pub program: &'a Program,
    /// Every text.
    pub sources: &'a SourceMap,
    /// The experiment.
    pub experiment: &'a check::Experiment,
    /// What each layer did to the field that is the topic, weakest first, with the value after it.
    pub history: &'a [(check::Origin, Data)],
}

/// The field of an experiment that a topic names.
pub fn field(experiment: &check::Experiment, topic: &str) -> Option<FieldId> {
    experiment.schema.field_id(topic)
}

/// The whole chain of what a field's value follows from.
///
/// # Errors
/// There is no such field; says what is near.
pub fn why(subject: &Subject<'_>, topic: &str) -> Result<String, String> {
    let Some(field) = field(subject.experiment, topic) else {
        return Err(unknown_in(&subject.experiment.schema, topic));
    };
    let experiment = subject.experiment;
    let mut text = String::new();
    for link in chain(experiment, field) {
        let value = experiment.value(link.field);
        let path = experiment.schema.field(link.field).path;
        let indent = "  ".repeat((2 * link.depth).min(MAX_INDENT));
        let place = place(experiment, subject.sources, value.origin);
        let again = if link.is_again && link.expr.is_some() { "   (shown above)" } else { "" };
        text.push_str(&format!("{indent}{path} = {}   {place}{again}\n", value.data));
        let Some(expr) = link.expr.filter(|_| !link.is_again) else { continue };
        text.push_str(&format!("{indent}  = {}\n", one_line(subject.sources.text(expr.span))));
        text.push_str(&bindings(subject, expr, &format!("{indent}    ")));
    }
    Ok(text)
}

/// The same as data: each field of the chain once, the topic first, with the names of the fields that it reads.
///
/// # Errors
/// There is no such field; says what is near.
pub fn why_json(subject: &Subject<'_>, topic: &str) -> Result<String, String> {
    let experiment = subject.experiment;
    let Some(field) = field(experiment, topic) else { return Err(unknown_in(&experiment.schema, topic)) };
    let path = |field: FieldId| experiment.schema.field(field).path;
    let links = chain(experiment, field).into_iter().filter(|link| !link.is_again).map(|link| {
        let value = experiment.value(link.field);
        serde_json::json!({
            "field": path(link.field),
            "value": value.data.to_string(),
            "place": place(experiment, subject.sources, value.origin),
            "expression": link.expr.map(|expr| subject.sources.text(expr.span)),
            "reads": link.expr.map_or_else(Vec::new, |expr| reads(experiment, expr)).into_iter().map(path).collect::<Vec<_>>(),
        })
    });
    let chain = serde_json::json!({ "version": 1, "experiment": experiment.name, "chain": links.collect::<Vec<_>>() });
    Ok(pretty(&chain))
}

/// A field that a value follows from.
struct Link<'a> {
    field: FieldId,
    /// How many steps from the topic.
    depth: usize,
    /// The expression that its value comes from, if it is not written out.
    expr: Option<&'a Expr>,
    /// Whether it was met before, with all that it follows from.
    is_again: bool,
}

/// All that a field's value follows from, each behind what reads it.
fn chain(experiment: &check::Experiment, field: FieldId) -> Vec<Link<'_>> {
    let mut links = Vec::new();
    let mut shown: HashSet<FieldId> = HashSet::new();
    // What is still to be shown, last first, each with its depth: no recursion, however long the chain.
    let mut open: Vec<(FieldId, usize)> = vec![(field, 0)];
    while let Some((field, depth)) = open.pop() {
        let expr = deciding(experiment, field).filter(|expr| expr.constant().is_none());
        let is_again = !shown.insert(field);
        if let Some(expr) = expr.filter(|_| !is_again) {
            open.extend(reads(experiment, expr).into_iter().rev().map(|read| (read, depth + 1)));
        }
        links.push(Link { field, depth, expr, is_again });
    }
    links
}

fn pretty(value: &serde_json::Value) -> String {
    // A value of serde_json's own kind always serializes.
    let mut text = serde_json::to_string_pretty(value).unwrap_or_default();
    text.push('\n');
    text
}

/// How far a chain is indented at most.
const MAX_INDENT: usize = 20;

/// The expression whose value a field has: of the layer that decided, of a derivation, or its default.
fn deciding(experiment: &check::Experiment, field: FieldId) -> Option<&Expr> {
    let declared = experiment.schema.field(field);
    let origin = experiment.value(field).origin;
    match origin.source {
        check::OriginSource::Default => None,
        check::OriginSource::Derived => {
            let derive = declared.derives.iter().find(|derive| derive.head == origin.span).map(|derive| &derive.value);
            derive.or(declared.default.as_ref())
        }
        check::OriginSource::Layer(at) => {
            let settings = experiment.layers.get(at)?.settings.iter();
            let mut values = settings.filter_map(|setting| match &setting.change {
                Change::Set(id, value)
                | Change::Weak(id, value)
                | Change::Append(id, value)
                | Change::Remove(id, value) => Some((*id, value)),
                Change::Unset(_) | Change::Restart(_) | Change::Open(..) | Change::Drop(..) => None,
            });
            values.find(|(id, value)| *id == field && value.span == origin.span).map(|found| found.1)
        }
    }
}

/// The fields that an expression reads, those of entries included, each once.
fn reads(experiment: &check::Experiment, expr: &Expr) -> Vec<FieldId> {
    let mut found = Vec::new();
    expr.fields(&mut found);
    expr.walk(&mut |part| {
        let (keyed, key, field) = match &part.kind {
            ExprKind::Each(keyed, field) => (*keyed, None, *field),
            ExprKind::Entry(keyed, key, field) => (*keyed, Some(*key), *field),
            _ => return,
        };
        let entries = experiment.schema.entries.iter().filter(|entry| entry.keyed == keyed);
        for entry in entries.filter(|entry| key.is_none_or(|key| entry.key == key)) {
            let read = FieldId::of(entry.first.index() + field.index());
            if !found.contains(&read) {
                found.push(read);
            }
        }
    });
    found
}

/// The `let`s and inputs that an expression reads, each with its value and its place.
fn bindings(subject: &Subject<'_>, expr: &Expr, indent: &str) -> String {
    let mut text = String::new();
    let mut seen = HashSet::new();
    expr.walk(&mut |part| {
        if let ExprKind::Binding(id) = part.kind
            && seen.insert(id)
            && let Some(binding) = subject.program.bindings.get(id.index())
        {
            let (file, line, _) = subject.sources.place(binding.span);
            let word = match &binding.kind {
                BindingKind::Let(_) => "let",
                BindingKind::Input { .. } => "input",
            };
            text.push_str(&format!("{indent}{} = {}   {file}:{line}, {word}\n", binding.name, binding.value));
        }
    });
    text
}

/// A text without its line breaks, and not too long.
fn one_line(text: &str) -> String {
    let words: Vec<&str> = text.split_whitespace().collect();
    let line = words.join(" ");
    match line.char_indices().nth(100) {
        Some((end, _)) => format!("{}…", line.get(..end).unwrap_or("")),
        None => line,
    }
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
            text.push_str(&held_rules(subject, field));
            Ok(text)
        }
        Some(Member::Group(group)) => Ok(list(schema, schema.group(group))),
        Some(Member::Keyed(keyed)) => Ok(keyed_list(subject, keyed)),
        None => Err(unknown_in(schema, topic)),
    }
}

/// A field or a group as a schema declares it.
pub fn declared(program: &Program, sources: &SourceMap, schema: &Schema, topic: &str) -> Option<String> {
    match schema.find(topic)? {
        Member::Field(field) => Some(about(program, sources, schema, field) + &rules(sources, schema, field)),
        Member::Group(group) => Some(list(schema, schema.group(group))),
        Member::Keyed(keyed) => Some(about_keyed(schema, keyed)),
    }
}

/// A map, or named blocks: what each entry is.
fn about_keyed(schema: &Schema, id: KeyedId) -> String {
    let Some(keyed) = schema.keyed.get(id.index()) else { return String::new() };
    let element = match keyed.is_map {
        true => keyed.element.fields.first().map_or(String::new(), |field| field.ty.to_string()),
        false => keyed.element.name.to_string(),
    };
    let mut text = format!("{}: map<string, {element}>\n", keyed.path);
    for line in keyed.doc.lines() {
        text.push_str(&format!("  {line}\n"));
    }
    if !keyed.is_map {
        let entry = list(&keyed.element, keyed.element.group(crate::resolve::GroupId(0)));
        text.push_str(&format!("\neach entry{entry}"));
    }
    text
}

/// The same with the entries of an experiment.
fn keyed_list(subject: &Subject<'_>, id: KeyedId) -> String {
    let experiment = subject.experiment;
    let mut text = about_keyed(&experiment.schema, id);
    text.push_str(&format!("\nin `{}`\n", experiment.name));
    for entry in experiment.schema.entries.iter().filter(|entry| entry.keyed == id) {
        let size = experiment.schema.keyed.get(id.index()).map_or(0, |keyed| keyed.element.fields.len());
        for at in entry.first.index()..entry.first.index() + size {
            let field = FieldId::of(at);
            let value = experiment.value(field);
            let path = experiment.schema.field(field).path;
            text.push_str(&format!(
                "  {path} = {}   {}\n",
                value.data,
                place(experiment, subject.sources, value.origin)
            ));
        }
    }
    text
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
    if let Some(key) = &field.yaml {
        facts.push(("yaml", key.clone()));
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
    if field.is_computed {
        facts.push(("computed", "from the network; nothing sets it".to_owned()));
    }
    for derive in &field.derives {
        facts.push(("derived", one_line(sources.text(derive.head))));
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
    let counting = counting(subject);
    for (nth, ((origin, data), counts)) in subject.history.iter().rev().zip(counting).enumerate() {
        let place = place(experiment, subject.sources, *origin);
        let written = match origin.source {
            check::OriginSource::Layer(_) => one_line(subject.sources.text(origin.span)),
            check::OriginSource::Default | check::OriginSource::Derived => String::new(),
        };
        // A value that is written out says as much as its setting, unless that does more than set.
        let plain = written.ends_with(&format!("= {data}"))
            && !written.contains(['?', '+', '-'])
            && !written.starts_with("final");
        let written = if plain || written.is_empty() { String::new() } else { format!("   `{written}`") };
        let overridden = if counts { "" } else { ", overridden" };
        text.push_str(&format!("  {data}   {place}{overridden}{written}\n"));
        let expr = match origin.source {
            check::OriginSource::Default => None,
            check::OriginSource::Derived if nth > 0 => experiment.schema.field(field).default.as_ref(),
            check::OriginSource::Derived | check::OriginSource::Layer(_) if nth == 0 => deciding(experiment, field),
            check::OriginSource::Derived | check::OriginSource::Layer(_) => None,
        };
        if let Some(expr) = expr.filter(|expr| expr.constant().is_none()) {
            text.push_str(&inputs(subject, expr));
        }
    }
    text
}

/// What a value was worked out from.
fn inputs(subject: &Subject<'_>, expr: &Expr) -> String {
    let experiment = subject.experiment;
    let mut text = format!("    = {}\n", one_line(subject.sources.text(expr.span)));
    for field in reads(experiment, expr) {
        let value = experiment.value(field);
        let path = experiment.schema.field(field).path;
        text.push_str(&format!("    {path} = {}   {}\n", value.data, place(experiment, subject.sources, value.origin)));
    }
    text.push_str(&bindings(subject, expr, "    "));
    text
}

/// The rules that read a field.
fn rules(sources: &SourceMap, schema: &Schema, field: FieldId) -> String {
    let rules = schema.rules.iter().filter(|rule| rule.inputs.contains(&field));
    listed_rules(sources, rules.map(|rule| (rule, String::new())))
}

/// The same in an experiment: those of its mixins, of its ancestors and its own too, and how each stands.
fn held_rules(subject: &Subject<'_>, field: FieldId) -> String {
    let rules = reading(subject, field).map(|rule| (rule, format!("{}, ", standing(subject, rule))));
    listed_rules(subject.sources, rules)
}

fn reading<'a>(subject: &Subject<'a>, field: FieldId) -> impl Iterator<Item = &'a Rule> {
    let of_layers = subject.experiment.layers.iter().flat_map(|layer| &layer.rules);
    let rules = subject.experiment.schema.rules.iter().chain(of_layers);
    rules.filter(move |rule| rule.inputs.contains(&field))
}

fn standing(subject: &Subject<'_>, rule: &Rule) -> &'static str {
    match check::standing(subject.program, rule, subject.experiment) {
        Standing::Holds => "holds",
        Standing::Fails => "does not hold",
        Standing::Idle => "does not apply",
        Standing::Open => "is open",
    }
}

fn listed_rules<'a>(sources: &SourceMap, rules: impl Iterator<Item = (&'a Rule, String)>) -> String {
    let mut text = String::new();
    for (rule, standing) in rules {
        let (file, line, _) = sources.place(rule.head);
        text.push_str(&format!("  {}   {standing}{file}:{line}\n", sources.text(rule.head)));
    }
    if text.is_empty() { text } else { format!("\nrules\n{text}") }
}

/// Whether the final value depends on what a layer did: nothing stronger replaced it. Strongest first, as many as steps.
fn counting(subject: &Subject<'_>) -> Vec<bool> {
    let mut counts = true;
    let steps = subject.history.iter().rev().map(|(origin, _)| {
        let this = counts;
        counts = counts && needs_below(subject.experiment, *origin);
        this
    });
    steps.collect()
}

/// Whether the value below goes into what a step made.
fn needs_below(experiment: &check::Experiment, origin: check::Origin) -> bool {
    let at = match origin.source {
        check::OriginSource::Default => return false,
        check::OriginSource::Derived => return true,
        check::OriginSource::Layer(at) => at,
    };
    let settings = experiment.layers.get(at).into_iter().flat_map(|layer| &layer.settings);
    let mut same = settings.filter(|setting| setting.span == origin.span);
    same.any(|setting| match &setting.change {
        Change::Append(..) | Change::Remove(..) => true,
        Change::Set(_, value) | Change::Weak(_, value) => {
            let mut below = false;
            value.walk(&mut |part| below |= part.kind == ExprKind::Super);
            below
        }
        Change::Unset(_) | Change::Restart(_) | Change::Open(..) | Change::Drop(..) => false,
    })
}

/// A field with its value, every step that led there, strongest first, and the rules that read it.
///
/// # Errors
/// There is no such field; says what is near.
pub fn json(subject: &Subject<'_>, topic: &str) -> Result<String, String> {
    let experiment = subject.experiment;
    let Some(id) = field(experiment, topic) else { return Err(unknown_in(&experiment.schema, topic)) };
    let declared = experiment.schema.field(id);
    let at = |span| {
        let (file, line, _) = subject.sources.place(span);
        format!("{file}:{line}")
    };
    let shown = |id: FieldId| {
        let value = experiment.value(id);
        serde_json::json!({
            "field": experiment.schema.field(id).path,
            "value": value.data.to_string(),
            "place": place(experiment, subject.sources, value.origin),
        })
    };
    let steps = subject.history.iter().rev().zip(counting(subject)).map(|((origin, data), counts)| {
        serde_json::json!({
            "value": data.to_string(),
            "place": place(experiment, subject.sources, *origin),
            "overridden": !counts,
        })
    });
    let expr = deciding(experiment, id).filter(|expr| expr.constant().is_none());
    let inputs = expr.map_or_else(Vec::new, |expr| reads(experiment, expr));
    let rules = reading(subject, id).map(|rule| {
        serde_json::json!({
            "code": format!("dlm::check::{}", rule.name),
            "rule": subject.sources.text(rule.head),
            "standing": standing(subject, rule),
            "place": at(rule.head),
        })
    });
    let whole = serde_json::json!({
        "version": 1,
        "experiment": experiment.name,
        "field": declared.path,
        "type": written_type(declared),
        "doc": declared.doc,
        "flag": declared.flag.as_ref().and_then(|flag| flag.spellings.first()),
        "declared": at(declared.span),
        "value": experiment.value(id).data.to_string(),
        "expression": expr.map(|expr| subject.sources.text(expr.span)),
        "inputs": inputs.into_iter().map(shown).collect::<Vec<_>>(),
        "steps": steps.collect::<Vec<_>>(),
        "rules": rules.collect::<Vec<_>>(),
    });
    Ok(pretty(&whole))
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
            Member::Keyed(keyed) => match schema.keyed.get(keyed.index()) {
                Some(keyed) if keyed.is_map => ("map".to_owned(), keyed.doc.as_str()),
                Some(keyed) => ("blocks".to_owned(), keyed.doc.as_str()),
                None => continue,
            },
        };
        let line = format!("  {name:names$}  {ty:12}  {}", doc.lines().next().unwrap_or(""));
        text.push_str(&format!("{}\n", line.trim_end()));
    }
    text
}
