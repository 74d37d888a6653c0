//! Layers to the settings that act on each field: who sets it, who is overridden, who contradicts whom.

use std::borrow::Cow;
use std::sync::Arc;

use crate::diag::Sink;
use crate::resolve::entries::{self, Entries};
use crate::resolve::expr::Expr;
use crate::resolve::{
    Change, Experiment, ExperimentId, FieldId, Layer, LayerKind, Member, MixinId, Over, Program, Schema, Setting, Sweep,
};

use crate::check::errors;

/// A layer of one experiment and the part it plays there.
#[derive(Clone, Debug)]
pub(super) struct Stacked {
    pub(super) layer: Arc<Layer>,
    pub(super) role: Role,
}

/// The part that a layer plays.
#[derive(Clone, Debug)]
pub(super) enum Role {
    /// The body of an experiment, or an argument of the command line.
    Body,
    /// A mixin in the `with` list of an experiment: the list's number, which mixin, and where it may differ.
    Mixin { list: usize, mixin: MixinId, over: Vec<Over> },
}

/// Something that happened to a field, weakest first.
#[derive(Clone, Copy, Debug)]
pub(super) struct Act<'a> {
    /// Position of the layer in the stack.
    pub(super) layer: usize,
    pub(super) setting: &'a Setting,
    pub(super) op: Op<'a>,
}

/// What a setting does to the value below it.
#[derive(Clone, Copy, Debug)]
pub(super) enum Op<'a> {
    /// Replaces it.
    Set(&'a Expr),
    /// Appends to it.
    Append(&'a Expr),
    /// Removes items from it.
    Remove(&'a Expr),
    /// Goes back to the default.
    Reset,
}

/// The layers of an experiment, weakest first, then those above it: of a sweep, a test, the command line.
pub(super) fn stack(program: &Program, id: ExperimentId, above: &[Arc<Layer>]) -> Vec<Stacked> {
    let layer = |id: crate::resolve::LayerId| program.layers.get(id.index()).cloned();
    let chain: Vec<&Experiment> = program.ancestry(id).collect();
    let mut stack = Vec::new();
    for (list, experiment) in chain.into_iter().rev().enumerate() {
        for with in &experiment.mixins {
            if let Some(layer) = layer(with.layer) {
                stack.push(Stacked { layer, role: Role::Mixin { list, mixin: with.mixin, over: with.over.clone() } });
            }
        }
        if let Some(layer) = experiment.layer.and_then(layer) {
            stack.push(Stacked { layer, role: Role::Body });
        }
    }
    // The layers of a sweep: its mixins, its body, its axes.
    let lists = program.ancestry(id).count();
    let sweeps = sweeps_above(program, above);
    let mut above = above.iter().cloned();
    for (nth, sweep) in sweeps.into_iter().enumerate() {
        for (with, layer) in sweep.mixins.iter().zip(above.by_ref()) {
            let role = Role::Mixin { list: lists + nth, mixin: with.mixin, over: with.over.clone() };
            stack.push(Stacked { layer, role });
        }
        stack.extend(above.by_ref().take(2).map(|layer| Stacked { layer, role: Role::Body }));
    }
    stack.extend(above.map(|layer| Stacked { layer, role: Role::Body }));
    stack
}

/// The sweeps whose layers lie above an experiment, innermost first.
fn sweeps_above<'p>(program: &'p Program, above: &[Arc<Layer>]) -> Vec<&'p Sweep> {
    let mut found: Vec<&Sweep> = Vec::new();
    for layer in above.iter().filter(|layer| layer.kind == LayerKind::Sweep) {
        if found.last().is_none_or(|last| last.span != layer.span) {
            found.extend(program.sweeps.iter().find(|sweep| sweep.span == layer.span));
        }
    }
    found
}

/// As what an experiment is checked. A point of a sweep is an experiment of its own, also where its base is abstract, and
/// the last `with` list is that of the sweep.
pub(super) fn as_checked<'p>(
    program: &'p Program,
    declared: &'p Experiment,
    above: &[Arc<Layer>],
) -> Cow<'p, Experiment> {
    let sweeps = sweeps_above(program, above);
    let Some(last) = sweeps.last() else { return Cow::Borrowed(declared) };
    let mut point = declared.clone();
    if declared.is_abstract {
        // What is missing is to be added in the sweep: the base need not have it.
        (point.name, point.span) = (last.name, last.span);
    }
    point.is_abstract = false;
    point.is_incomplete |= sweeps.iter().any(|sweep| sweep.is_incomplete);
    point.mixins.clone_from(&last.mixins);
    Cow::Owned(point)
}

/// The schema of an experiment with the entries that its layers name, and the layers with their settings moved there.
pub(super) fn with_entries(
    entries: &mut Entries,
    declared: &Arc<Schema>,
    mut stack: Vec<Stacked>,
) -> (Arc<Schema>, Vec<Stacked>) {
    if declared.keyed.is_empty() {
        return (declared.clone(), stack);
    }
    let present = entries::present(stack.iter().flat_map(|stacked| &stacked.layer.settings));
    let schema = entries.with(declared, &present);
    for stacked in &mut stack {
        stacked.layer = entries::relocate(&stacked.layer, declared, &schema);
    }
    (schema, stack)
}

/// What acts on each field, by [`FieldId`]. Reports settings that a `final` forbids and resets without a default.
pub(super) fn acts<'a>(schema: &Schema, stack: &'a [Stacked], sink: &mut Sink) -> Vec<Vec<Act<'a>>> {
    acts_and_dropped(schema, stack, sink).0
}

/// The same, and what a reset above made void.
pub(super) fn acts_and_dropped<'a>(
    schema: &Schema,
    stack: &'a [Stacked],
    sink: &mut Sink,
) -> (Vec<Vec<Act<'a>>>, Vec<Vec<Act<'a>>>) {
    let mut dropped: Vec<Vec<Act<'a>>> = vec![Vec::new(); schema.fields.len()];
    let mut acts: Vec<Vec<Act<'a>>> = vec![Vec::new(); schema.fields.len()];
    let mut finals: Vec<Option<Act<'a>>> = vec![None; schema.fields.len()];
    // `?=` yields to every other setting, also to weaker layers: such settings go below all others.
    let mut weak: Vec<Vec<Act<'a>>> = vec![Vec::new(); schema.fields.len()];
    for (layer, stacked) in stack.iter().enumerate() {
        for setting in &stacked.layer.settings {
            let mut act = |field: FieldId, op: Op<'a>, is_weak: bool| {
                let act = Act { layer, setting, op };
                let Some(locked) = finals.get_mut(field.index()) else { return };
                if let Some(locked) = locked {
                    if !is_weak {
                        sink.push(errors::final_overridden(schema.field(field), &act, locked));
                    }
                    return;
                }
                if setting.is_final.is_some() {
                    *locked = Some(act);
                }
                let list = if is_weak { &mut weak } else { &mut acts };
                if let Some(list) = list.get_mut(field.index()) {
                    list.push(act);
                }
            };
            match &setting.change {
                Change::Set(field, value) => act(*field, Op::Set(value), false),
                Change::Weak(field, value) => act(*field, Op::Set(value), true),
                Change::Append(field, value) => act(*field, Op::Append(value), false),
                Change::Remove(field, value) => act(*field, Op::Remove(value), false),
                Change::Unset(target) => reset(schema, *target, |field| act(field, Op::Reset, false)),
                Change::Restart(target) => reset(schema, *target, |field| act(field, Op::Reset, false)),
                // Entries were worked in before.
                Change::Open(..) | Change::Drop(..) => {}
            }
        }
    }
    for ((acts, weak), dropped) in acts.iter_mut().zip(weak).zip(&mut dropped) {
        // A reset takes weak settings of the layers below it along.
        let reset = acts.iter().rposition(|act| matches!(act.op, Op::Reset));
        let below = reset.and_then(|at| acts.get(at)).map(|act| act.layer);
        let (kept, void): (Vec<_>, Vec<_>) =
            weak.into_iter().partition(|act| below.is_none_or(|below| act.layer > below));
        dropped.extend(void);
        if let Some(at) = reset {
            dropped.extend(acts.drain(..at));
        }
        let at = usize::from(reset.is_some());
        acts.splice(at..at, kept);
    }
    (acts, dropped)
}

/// Every field that a target is or holds.
fn reset(schema: &Schema, target: Member, act: impl FnMut(FieldId)) {
    schema.iter().map(|entry| entry.0).filter(|&field| schema.within(field, target)).for_each(act);
}

/// Two settings of one field by mixins of one list, of which neither the body nor the list decides.
pub(super) struct Conflict<'a> {
    pub(super) field: FieldId,
    pub(super) first: Act<'a>,
    pub(super) second: Act<'a>,
    /// How many settings of the field act up to each of them, itself included.
    pub(super) upto: (usize, usize),
}

/// Conflicts between mixins of the experiment's own list, if their values differ, which the caller finds out. Those of
/// its ancestors' lists are theirs to report.
pub(super) fn conflicts<'a>(schema: &Schema, stack: &'a [Stacked], acts: &[Vec<Act<'a>>]) -> Vec<Conflict<'a>> {
    let lists = stack.iter().filter_map(|stacked| match stacked.role {
        Role::Mixin { list, .. } => Some(list),
        Role::Body => None,
    });
    let of_kind = |kind: LayerKind| stack.iter().filter(|stacked| stacked.layer.kind == kind).count();
    // A sweep has two layers of its own: body and axes.
    let bodies = of_kind(LayerKind::Experiment) + of_kind(LayerKind::Sweep) / 2;
    let Some(own) = lists.max().filter(|list| list + 1 == bodies) else { return Vec::new() };
    let mut found = Vec::new();
    for (field, acts) in (0..).map(FieldId).zip(acts) {
        if acts.len() < 2 {
            continue;
        }
        for (at, second) in acts.iter().enumerate() {
            let Some((list, over)) = mixin_role(stack, second).filter(|role| role.0 == own) else { continue };
            // A setting above all mixins of the list decides: the body, a descendant, the command line.
            let decided = acts.iter().skip(at + 1).any(|later| {
                matches!(later.op, Op::Set(_)) && mixin_role(stack, later).is_none_or(|(other, _)| other != list)
            });
            if decided || !matches!(second.op, Op::Set(_)) {
                continue;
            }
            let first = acts.iter().take(at).rposition(|first| {
                mixin_role(stack, first).is_some_and(|(other, _)| other == list) && is_weak(first) == is_weak(second)
            });
            let Some((before, first)) = first.and_then(|before| Some((before, acts.get(before)?))) else { continue };
            let Some(Stacked { role: Role::Mixin { mixin: earlier, .. }, .. }) = stack.get(first.layer) else {
                continue;
            };
            let allowed = over.iter().any(|over| over.earlier == *earlier && schema.within(field, over.target));
            if first.layer != second.layer && !allowed {
                found.push(Conflict { field, first: *first, second: *second, upto: (before + 1, at + 1) });
            }
        }
    }
    found
}

fn is_weak(act: &Act<'_>) -> bool {
    matches!(act.setting.change, Change::Weak(..))
}

fn mixin_role<'a>(stack: &'a [Stacked], act: &Act<'_>) -> Option<(usize, &'a [Over])> {
    match &stack.get(act.layer)?.role {
        Role::Mixin { list, over, .. } => Some((*list, over)),
        Role::Body => None,
    }
}

/// How a layer is named in a sentence.
pub(super) fn layer_name(layer: &Layer) -> String {
    match layer.kind {
        LayerKind::Experiment | LayerKind::Mixin | LayerKind::Sweep | LayerKind::Values => {
            format!("{} `{}`", layer.kind.word(), layer.name)
        }
        LayerKind::Test => format!("test \"{}\"", layer.name),
        LayerKind::CommandLine | LayerKind::Flag => "the command line".to_owned(),
    }
}
