//! Rules held against final values.

use crate::base::{Name, Span};
use crate::check::errors::on_command_line;
use crate::check::evaluate::{binding_value, entries_of};
use crate::check::experiment::{Experiment, Origin, OriginSource};
use crate::check::settings::layer_name;
use crate::diag::{Certainty, Code, Diagnostic, Edit, Fix, Sink};
use crate::resolve::eval::{Values, evaluate};
use crate::resolve::expr::{Expr, ExprKind, Template, TemplatePart};
use crate::resolve::{BindingId, Experiment as Declared, FieldId, KeyedId, LayerKind, Program, Rule, Schema};
use crate::types::Data;

/// Holds every rule of an experiment against its values: those of its schema, and those of its layers:
/// ancestors, mixins, its own body. A rule that reads a value which was complained about, or which is missing, stays silent: its error would be an echo.
///
/// In an abstract experiment a default is not decided yet: rules that read one stay silent too.
///
/// Only rules that are `wanted` are held.
pub(super) fn hold(
    program: &Program,
    declared: &Declared,
    experiment: &Experiment,
    wanted: &dyn Fn(&Rule) -> bool,
    sink: &mut Sink,
) {
    let is_abstract = declared.is_abstract;
    // A mixin that could not be found might have set what now stands at its default.
    let is_incomplete = declared.is_incomplete;
    let unsure = |field: &FieldId| match experiment.value(*field).origin.source {
        OriginSource::Default | OriginSource::Derived => true,
        OriginSource::Layer(_) => false,
    };
    let open = |field: &FieldId| experiment.value(*field).origin.source == OriginSource::Default;
    let silent = |rule: &Rule| {
        !wanted(rule) || is_abstract && rule.inputs.iter().any(open) || is_incomplete && rule.inputs.iter().any(unsure)
    };
    for rule in experiment.schema.rules.iter().filter(|rule| !silent(rule)) {
        sink.extend_with(violation(program, rule, experiment, None));
    }
    for rule in experiment.layers.iter().flat_map(|layer| &layer.rules).filter(|rule| !silent(rule)) {
        sink.extend_with(violation(program, rule, experiment, None));
    }
}

/// Up to so many inputs at their defaults are shown, each where it is declared.
const MANY_DEFAULTS: usize = 2;

/// The longest message or help of a rule, in letters.
const LONGEST_MESSAGE: usize = 1_000;

/// The final values of an experiment.
pub(super) struct Final<'a>(pub(super) &'a Program, pub(super) &'a Experiment);

impl Values for Final<'_> {
    fn field(&mut self, field: FieldId) -> Data {
        self.1.value(field).data.clone()
    }

    fn below(&mut self) -> Data {
        Data::Failed
    }

    fn binding(&mut self, binding: BindingId) -> Data {
        binding_value(self.0, binding)
    }

    fn entries(&mut self, keyed: KeyedId) -> Vec<(Name, FieldId)> {
        entries_of(&self.1.schema, keyed)
    }
}

/// How a rule and the values of an experiment stand to each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Standing {
    /// Its condition is true.
    Holds,
    /// Its condition is false.
    Fails,
    /// Its `when` is false.
    Idle,
    /// A value that it reads is missing, or known only later.
    Open,
}

/// How a rule stands with the values that an experiment has.
pub fn standing(program: &Program, rule: &Rule, experiment: &Experiment) -> Standing {
    let truth = |expr: &Expr| match evaluate(expr, &mut Final(program, experiment)) {
        Ok(Data::Bool(truth)) => Some(truth),
        Ok(_) | Err(_) => None,
    };
    match (rule.when.as_ref().map_or(Some(true), truth), truth(&rule.condition)) {
        (Some(false), _) => Standing::Idle,
        (Some(true), Some(true)) => Standing::Holds,
        (Some(true), Some(false)) => Standing::Fails,
        (Some(true), None) | (None, _) => Standing::Open,
    }
}

/// What is said of a rule that does not hold; under another code than its own, where one is given.
pub(super) fn violation(
    program: &Program,
    rule: &Rule,
    experiment: &Experiment,
    code: Option<&'static Code>,
) -> Option<Diagnostic> {
    let value = |expr: &Expr| evaluate(expr, &mut Final(program, experiment));
    let holds = |expr: &Expr| value(expr) == Ok(Data::Bool(true));
    let fails = |expr: &Expr| value(expr) == Ok(Data::Bool(false));
    if rule.when.as_ref().is_some_and(|when| !holds(when)) || !fails(&rule.condition) {
        return None;
    }
    let message = match &rule.message {
        Some(message) => filled(message, program, experiment),
        None if code.is_some() => "this does not hold".to_owned(),
        None => format!("`{}` does not hold", rule.name),
    };
    // The strongest layer is where the user most likely erred; among equals the one that the rule mends.
    let strength = |field: &FieldId| match experiment.value(*field).origin.source {
        OriginSource::Default | OriginSource::Derived => 0,
        OriginSource::Layer(at) => at + 1,
    };
    let mut inputs: Vec<FieldId> = rule.inputs.clone();
    // Of a rule over entries the fields of all of them took part.
    let parts = std::iter::once(&rule.condition).chain(&rule.when);
    parts.for_each(|expr| entry_fields(expr, &experiment.schema, &mut inputs));
    // What only says when the rule applies is worth a label where someone set it.
    let mut held: Vec<FieldId> = Vec::new();
    rule.condition.fields(&mut held);
    entry_fields(&rule.condition, &experiment.schema, &mut held);
    // Behind a derived value stand the fields that it was worked out from, and those someone may have set.
    let mut at = 0;
    while let Some(&field) = inputs.get(at) {
        let derived = experiment.value(field).origin.source == OriginSource::Derived;
        if let Some(default) = experiment.schema.field(field).default.as_ref().filter(|_| derived) {
            default.fields(&mut inputs);
        }
        at += 1;
    }
    inputs.retain(|field| strength(field) > 0 || held.contains(field));
    let is_mended = |field: &FieldId| rule.fix.as_ref().is_some_and(|fix| fix.0 == *field);
    inputs.sort_by_key(|field| std::cmp::Reverse((strength(field), is_mended(field))));
    // Where no text of the user set anything, the fault is what the experiment leaves out.
    let in_library = |span: Span| {
        program.modules.iter().any(|module| module.file == span.file && module.name.as_str().starts_with("std."))
    };
    let theirs = |field: &FieldId| strength(field) > 0 && !in_library(experiment.value(*field).origin.span);
    let left_out = code.is_none() && !inputs.iter().any(theirs) && !in_library(experiment.span);
    let own = left_out.then(|| (experiment.span, format!("`{}` leaves this as it is", experiment.name)));
    // A long row of defaults says less than the rule, which names them all.
    if inputs.iter().filter(|field| strength(field) == 0).count() > MANY_DEFAULTS {
        inputs.retain(|field| strength(field) > 0);
    }
    // An expectation is a fault of the test first.
    let expected = code.is_some().then(|| (rule.head, "expected here".to_owned()));
    let mut labels = expected.into_iter().chain(own).chain(inputs.iter().map(|&field| {
        let value = experiment.value(field);
        (value.origin.span, told(experiment, field, value.origin))
    }));
    let (span, text) = labels.next().unwrap_or((rule.head, "the rule".to_owned()));
    let mut diagnostic = match code {
        Some(code) => Diagnostic::new(code, span, message).here(text),
        None => Diagnostic::rule(rule.name, rule.severity, span, message).here(text),
    };
    for (span, text) in labels {
        diagnostic = diagnostic.label(span, text);
    }
    if span != rule.head {
        diagnostic = diagnostic.label(rule.head, "the rule");
    }
    if let Some(help) = &rule.help {
        diagnostic = diagnostic.help(filled(help, program, experiment));
    }
    if let Some((field, value)) = &rule.fix
        && let Ok(data) = evaluate(value, &mut Final(program, experiment))
    {
        diagnostic.fixes.extend(setting_fix(program, experiment, *field, &data));
    }
    diagnostic.upstream.clone_from(&rule.upstream);
    Some(diagnostic)
}

/// Adds the fields of entries that an expression reads to a list in which each stands once.
fn entry_fields(expr: &Expr, schema: &Schema, into: &mut Vec<FieldId>) {
    expr.walk(&mut |part| {
        let (keyed, wanted, field) = match &part.kind {
            ExprKind::Each(keyed, field) => (*keyed, None, *field),
            ExprKind::Entry(keyed, key, field) => (*keyed, Some(*key), *field),
            _ => return,
        };
        for (key, first) in entries_of(schema, keyed) {
            let found = FieldId::of(first.index() + field.index());
            if wanted.is_none_or(|wanted| wanted == key) && !into.contains(&found) {
                into.push(found);
            }
        }
    });
}

/// What a field holds and why: "2048, set here".
fn told(experiment: &Experiment, field: FieldId, origin: Origin) -> String {
    let path = experiment.schema.field(field).path;
    let data = &experiment.value(field).data;
    match origin.source {
        OriginSource::Default => format!("`{path}` is {data} by default"),
        OriginSource::Derived => format!("`{path}` is {data}, derived here"),
        OriginSource::Layer(at) => match experiment.layers.get(at) {
            Some(layer) => format!("`{path}` is {data}, set by {}", layer_name(layer)),
            None => format!("`{path}` is {data}"),
        },
    }
}

pub(super) fn filled(template: &Template, program: &Program, experiment: &Experiment) -> String {
    let mut text = String::new();
    for part in &template.parts {
        match part {
            TemplatePart::Text(letters) => text.push_str(letters),
            TemplatePart::Hole(expr) => match evaluate(expr, &mut Final(program, experiment)) {
                // Inside a sentence text needs no quotes.
                Ok(Data::Text(letters)) => text.push_str(&letters),
                Ok(data) => text.push_str(&data.to_string()),
                Err(_) => text.push('?'),
            },
        }
    }
    // One sentence is meant; thousands of experiments may break one rule, and each keeps its own text.
    if let Some((end, _)) = text.char_indices().nth(LONGEST_MESSAGE) {
        text.truncate(end);
        text.push('…');
    }
    text
}

/// Replaces the value where a layer set it, or sets it at the end of the experiment's body.
fn setting_fix(program: &Program, experiment: &Experiment, field: FieldId, data: &Data) -> Option<Fix> {
    let origin = experiment.value(field).origin;
    let path = experiment.schema.field(field).path;
    let declared = || program.experiments.iter().find(|declared| declared.span == experiment.span);
    let title = format!("set `{path} = {data}`");
    let kind = match origin.source {
        OriginSource::Layer(at) => experiment.layers.get(at).map(|layer| layer.kind),
        OriginSource::Default | OriginSource::Derived => None,
    };
    let flag = experiment.schema.field(field);
    let (title, edit) = match (origin.source, kind) {
        // Behind a flag stand the target's words.
        (OriginSource::Layer(_), Some(LayerKind::Flag)) => {
            let title = format!("write `{}`", on_command_line(flag, &spelled(data)?));
            (title, Edit { span: origin.span, text: spelled(data)? })
        }
        (OriginSource::Layer(_), _) => (title, Edit { span: origin.span, text: data.to_string() }),
        (OriginSource::Default | OriginSource::Derived, _) => {
            let declared = declared()?;
            let mut title = title;
            // On a line of its own, whether the body stands on one line or on several.
            let mut text = format!("\n  {path} = {data}\n");
            if declared.is_command_line {
                let words = on_command_line(flag, &spelled(data)?);
                (title, text) = (format!("add `{words}`"), format!("\n{words}"));
            }
            (title, Edit { span: declared.body_end, text })
        }
    };
    Some(Fix { title, edits: vec![edit], certainty: Certainty::Sure })
}

/// A value as a word of the target's command line; none where it takes no single word.
fn spelled(data: &Data) -> Option<String> {
    match data {
        Data::Enum(_, spelling) => Some(spelling.to_string()),
        Data::Text(text) => Some(text.to_string()),
        Data::Number(_) | Data::Quantity(..) => data.to_string().split(' ').next().map(str::to_owned),
        // A switch is a flag that is there or not.
        Data::Bool(_) | Data::None | Data::List(_) | Data::Unknown(_) | Data::Failed => None,
    }
}
