//! All that this stage can complain about. Rules are their own diagnostics and stand in the library.

use crate::base::{Name, Span};
use crate::check::experiment::Experiment;
use crate::check::settings::{Act, Conflict, Op, Stacked, layer_name};
use crate::diag::{Certainty, Diagnostic, Edit, Fix, Label};
use crate::resolve::expr::{Expr, ExprKind};
use crate::resolve::{Experiment as Declared, Field, FieldId, FlagKind, Layer, Schema, Sweep};
use crate::types::{Data, OpError, Unknown};

crate::diag::codes! { "check":
    /// Fields that need a value and have none.
    MISSING_FIELD = "missing_field", Error;
    /// Two mixins of one experiment set a field to different values.
    MIXIN_CONFLICT = "mixin_conflict", Error;
    /// A layer sets a field that a weaker one made `final`.
    FINAL_OVERRIDDEN = "final_overridden", Error;
    /// Fields are defined by each other in a circle.
    VALUE_CYCLE = "value_cycle", Error;
    /// `unset` on a field that has no default to go back to.
    NO_DEFAULT = "no_default", Error;
    /// `-=` names an item that is not in the list.
    REMOVED_ABSENT = "removed_absent", Error;
    /// No point of a sweep is left.
    NO_POINTS = "no_points", Error;
    /// Points of a sweep have one name.
    DUPLICATE_POINT = "duplicate_point", Error;
    /// A sweep has more points than can be checked.
    TOO_MANY_POINTS = "too_many_points", Error;
    /// Which points a sweep has, or what they are called, would follow from their networks.
    COMPUTED_POINT = "computed_point", Error;
    /// What a test expects did not come out.
    EXPECTATION = "expectation", Error;
}

/// So many items of a list are shown.
const MOST_SHOWN: usize = 20;

/// Every field without a value in one diagnostic, each with what it is for.
pub(super) fn missing_fields(declared: &Declared, experiment: &Experiment, missing: &[FieldId]) -> Option<Diagnostic> {
    let schema = &experiment.schema;
    let missing: Vec<&Field> = missing
        .iter()
        .map(|&field| schema.field(field))
        .filter(|field| field.default.is_none() && !field.ty.is_optional())
        .collect();
    if missing.is_empty() {
        return None;
    }
    let names: Vec<String> = missing.iter().map(|field| format!("`{}`", field.path)).collect();
    let message = match names.as_slice() {
        [only] => format!("`{}` does not set {only}, which has no default", declared.name),
        _ => format!(
            "`{}` does not set {} fields that have no default: {}",
            declared.name,
            names.len(),
            names.join(", ")
        ),
    };
    let place = match (declared.is_command_line, missing.len()) {
        (true, _) => "to be added behind this",
        (false, 1) => "to be added in its body",
        (false, _) => "all to be added in its body",
    };
    let mut diagnostic = Diagnostic::new(&MISSING_FIELD, declared.span, message).here(place);
    for field in &missing {
        let doc = field.doc.lines().next().unwrap_or("");
        let doc = doc.split_once(". ").map_or(doc, |sentences| sentences.0).trim().trim_end_matches('.');
        let text =
            if doc.is_empty() { format!("`{}`", field.path) } else { format!("`{}`: {}", field.path, lowered(doc)) };
        diagnostic = diagnostic.label(field.span, text);
    }
    if declared.is_command_line {
        let lines: Vec<String> = missing.iter().map(|field| format!("  {}", on_command_line(field, "…"))).collect();
        return Some(diagnostic.help(format!("add:\n{}", lines.join("\n"))));
    }
    let lines: Vec<String> = missing.iter().map(|field| format!("  {} = …   # {}", field.path, field.ty)).collect();
    Some(diagnostic.help(format!("add in its body:\n{}", lines.join("\n"))))
}

/// How a field is given on a command line: by its flag, or by `--set`, which stands before `--`.
pub(super) fn on_command_line(field: &Field, value: &str) -> String {
    match field.flag.as_ref().and_then(|flag| Some((flag.kind, flag.spellings.first()?))) {
        Some((FlagKind::Value | FlagKind::Many, flag)) => format!("{flag} {value}"),
        Some((FlagKind::StoreTrue | FlagKind::StoreFalse, flag)) => flag.clone(),
        None => format!("--set {}={value}", field.path),
    }
}

/// A sentence as a part of another one: its first letter small, unless the word is a name like `GPU`.
fn lowered(sentence: &str) -> String {
    let mut letters = sentence.chars();
    let (first, rest) = (letters.next(), letters.as_str());
    let is_name = rest.chars().take_while(|letter| !letter.is_whitespace()).any(char::is_uppercase);
    match first {
        Some(first) if !is_name => first.to_lowercase().chain(rest.chars()).collect(),
        Some(_) | None => sentence.to_owned(),
    }
}

/// Mixins that disagree, one diagnostic a field.
pub(super) fn mixin_conflicts(
    schema: &Schema,
    declared: &Declared,
    stack: &[Stacked],
    conflicts: &[Conflict<'_>],
) -> Vec<Diagnostic> {
    let each = conflicts.iter().filter_map(|conflict| {
        let field = schema.field(conflict.field);
        let (first, second) = (stack.get(conflict.first.layer)?, stack.get(conflict.second.layer)?);
        let (earlier, later) = (first.layer.name, second.layer.name);
        let message = format!("mixins `{earlier}` and `{later}` set `{}` to different values", field.path);
        let list = declared.mixins.iter().map(|with| with.span).reduce(Span::to).unwrap_or(declared.span);
        let local = field.path;
        let help = format!(
            "decide in the body: `{local} = …`, or in the list: `{later} over {earlier}.{local}` takes the value of `{later}`"
        );
        let place = |act: &Act<'_>| act.setting.span;
        let told = |act: &Act<'_>, layer: &Layer| match act.op {
            Op::Set(Expr { kind: ExprKind::Const(data), .. }) => format!("{data}, set by {}", layer_name(layer)),
            Op::Set(_) | Op::Append(_) | Op::Remove(_) | Op::Reset => format!("set by {}", layer_name(layer)),
        };
        let mut diagnostic = Diagnostic::new(&MIXIN_CONFLICT, list, message)
            .here("both are taken here")
            .label(place(&conflict.first), told(&conflict.first, &first.layer))
            .label(place(&conflict.second), told(&conflict.second, &second.layer))
            .help(help);
        let named = declared.mixins.iter().find(|with| with.span.to(list) == list && {
            matches!(&second.role, crate::check::settings::Role::Mixin { mixin, .. } if *mixin == with.mixin)
        });
        if let Some(with) = named {
            let at = Span { start: with.span.end, ..with.span };
            let title = format!("let `{later}` decide");
            let edits = vec![Edit { span: at, text: format!(" over {earlier}.{local}") }];
            diagnostic.fixes.push(Fix { title, edits, certainty: Certainty::Maybe });
        }
        Some(diagnostic)
    });
    each.collect()
}

pub(super) fn final_overridden(field: &Field, act: &Act<'_>, locked: &Act<'_>) -> Diagnostic {
    let message = format!("`{}` is final and can't be changed", field.path);
    let place = locked.setting.is_final.map_or(locked.setting.span, |word| word.to(locked.setting.span));
    Diagnostic::new(&FINAL_OVERRIDDEN, act.setting.span, message)
        .here("changed here")
        .label(place, "made final here")
        .help("remove this setting, or the word `final` there")
}

/// Fields that are defined by each other, one label a step.
pub(super) fn value_cycle(steps: &[(&Field, Span)]) -> Diagnostic {
    let pairs = steps.iter().zip(steps.iter().cycle().skip(1));
    let step = |((field, span), next): (&(&Field, Span), &(&Field, Span))| {
        let text = format!("`{}` needs `{}`", field.path, next.0.path);
        (field.path.as_str(), Label { span: *span, text })
    };
    Diagnostic::circle(&VALUE_CYCLE, "values need each other", pairs.map(step).collect())
        .help("give one of them a value that needs none of the others")
}

pub(super) fn chain_too_long(span: Span, field: &Field, limit: usize) -> Diagnostic {
    let message = format!("`{}` ends a chain of more than {limit} fields, each defined by the next", field.path);
    Diagnostic::new(&VALUE_CYCLE, span, message).help("give one of the fields between a value of its own")
}

pub(super) fn no_default(span: Span, field: &Field) -> Diagnostic {
    let message = format!("`{}` has no default to go back to", field.path);
    Diagnostic::new(&NO_DEFAULT, span, message)
        .label(field.span, "declared without a default here")
        .help("set it to another value instead")
}

pub(super) fn removed_absent(span: Span, field: &Field, absent: &Data, below: &[Data]) -> Diagnostic {
    let message = format!("{absent} is not in `{}`, so it can't be removed", field.path);
    let items: Vec<String> = below.iter().take(MOST_SHOWN).map(Data::to_string).collect();
    let more =
        if below.len() > MOST_SHOWN { format!(", … {} more", below.len() - MOST_SHOWN) } else { String::new() };
    Diagnostic::new(&REMOVED_ABSENT, span, message).help(match items.as_slice() {
        [] => "the list below is empty".to_owned(),
        _ => format!("the list below is [{}{more}]", items.join(", ")),
    })
}

/// A filter or a name that asks for what only the network of a point tells.
pub(super) fn computed_point(span: Span, sweep: &Sweep) -> Diagnostic {
    Diagnostic::new(
        &COMPUTED_POINT,
        span,
        "only the network of a point tells this, and no network is compiled before the points are known",
    )
    .label(sweep.span, "in this sweep")
    .help("hold points against it with a `check` in the experiment, or filter by the fields that it follows from")
}

pub(super) fn no_points(sweep: &Sweep) -> Diagnostic {
    Diagnostic::new(&NO_POINTS, sweep.span, format!("`{}` has no points: `where` leaves all of them out", sweep.name))
        .help("loosen the condition, or add values")
}

pub(super) fn duplicate_points(sweep: &Sweep, name: Name, count: usize, names: usize) -> Diagnostic {
    let others = match names {
        1 => String::new(),
        2 => ", and so it is with another name".to_owned(),
        more => format!(", and so it is with {} other names", more - 1),
    };
    let message = format!("{count} points are called `{name}`{others}");
    Diagnostic::new(&DUPLICATE_POINT, sweep.span, message)
        .help("let the name tell them apart: it should show every field that varies, and the experiments if there are several")
}

pub(super) fn too_many_points(sweep: &Sweep, count: usize, most: usize) -> Diagnostic {
    Diagnostic::new(&TOO_MANY_POINTS, sweep.span, format!("`{}` has {count} points, more than {most}", sweep.name))
        .help("`zip` fields that vary together, or split the sweep")
}

pub(super) fn sweeps_too_deep(sweep: &Sweep, most: usize) -> Diagnostic {
    let message = format!("sweeps of sweeps lie in each other more than {most} deep");
    Diagnostic::new(&TOO_MANY_POINTS, sweep.span, message).help("put their axes into one sweep")
}

/// A test expected the violation of a rule, and nothing violated it.
pub(super) fn not_violated(name: Name, span: Span) -> Diagnostic {
    Diagnostic::new(&EXPECTATION, span, format!("`{name}` was expected to be violated, and is not"))
        .help("the experiment is fine as it is set here; set what the rule refuses")
}

/// A test found an error that it did not expect.
pub(super) fn unexpected_error(title: &str, span: Span, found: usize) -> Diagnostic {
    let errors = if found == 1 { "an error".to_owned() } else { format!("{found} errors") };
    Diagnostic::new(&EXPECTATION, span, format!("{errors} came up in test \"{title}\""))
        .help("mend them, or say that they are expected: `expect error name`")
}

/// An expectation that has no value.
pub(super) fn undecided(span: Span, error: &OpError) -> Diagnostic {
    let why = match error {
        OpError::Unknown(Unknown::NotGiven(input)) => format!("the input `{input}` has no value"),
        OpError::Unknown(Unknown::Secret(input)) => format!("`{input}` is secret"),
        OpError::Unknown(Unknown::Computed) => "no network could be compiled".to_owned(),
        other => other.to_string(),
    };
    Diagnostic::new(&EXPECTATION, span, format!("this can't be judged: {why}"))
}
