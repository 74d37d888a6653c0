//! Sweeps: their points, and their values with what the points have in common worked out once.
//!
//! The points of one base differ in the fields of the axes and in what follows from those. What follows is known from the
//! text of the settings alone, so everything else is evaluated for the first point and held good for the others, and a
//! rule is held again only where it reads something that differs. The outcome is that of checking each point by itself.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use crate::base::Name;
use crate::check::errors;
use crate::check::evaluate::{Evaluator, Subject, check, entries_of, missing};
use crate::check::experiment::{Experiment, Value};
use crate::check::rules::{self, Final, filled};
use crate::check::settings::{Act, Op, acts, as_checked, conflicts, stack, with_entries};
use crate::diag::{Diagnostic, Sink};
use crate::resolve::eval::{EvalError, evaluate};
use crate::resolve::expr::{Expr, ExprKind, TemplatePart};
use crate::resolve::{
    Base, Change, Entries, ExperimentId, FieldId, Layer, LayerKind, Program, Rule, Schema, Setting, Sweep, SweepId,
};
use crate::types::{Data, OpError, Unknown};

/// The most points that a sweep may have.
pub const MAX_POINTS: usize = 100_000;
/// How many sweeps of sweeps may lie in each other.
const MAX_NESTING: usize = 16;

/// One point of a sweep.
#[derive(Clone, Debug)]
pub struct Point {
    /// What is checked: `sweep/point` by name.
    pub subject: Subject,
    /// Its values on the axes, as settings.
    pub axes: Vec<Setting>,
}

/// Tells the values of computed fields of a point that was found sound, or what is wrong with asking for them.
pub(crate) type Facts<'a> = &'a mut dyn FnMut(&Experiment, &mut Sink) -> Vec<(FieldId, Data)>;

/// A point that may still be left out.
struct Candidate {
    base: ExperimentId,
    /// Layers of the sweep, weakest first; the last one holds the values on its axes.
    above: Vec<Arc<Layer>>,
    axes: Vec<Setting>,
}

/// The points of a sweep, each checked. `above` lies above all of them: the command line. Everything that is wrong with a
/// point is reported, alike faults of several points as one. `facts` tells what is computed for a point, if rules ask.
pub fn sweep(
    program: &Program,
    entries: &mut Entries,
    id: SweepId,
    above: &[Arc<Layer>],
    facts: Facts<'_>,
    sink: &mut Sink,
) -> Vec<Point> {
    let Some(declared) = program.sweeps.get(id.index()) else { return Vec::new() };
    let known = HashMap::new();
    let mut run = Run { program, entries, command_line: above, facts, reported: Reported::default(), known };
    let points = run.points(id, 0, true);
    let points = match points {
        Ok(points) => points,
        Err(diagnostic) => {
            sink.push(*diagnostic);
            return Vec::new();
        }
    };
    sink.extend_all(run.reported.finish());
    if points.is_empty() && declared.schema.is_some() && !declared.is_incomplete {
        sink.push(errors::no_points(declared));
    }
    let mut names: HashMap<Name, usize> = HashMap::new();
    for point in &points {
        if let Some(name) = point.subject.name {
            *names.entry(name).or_insert(0) += 1;
        }
    }
    let mut twice: Vec<(Name, usize)> = names.into_iter().filter(|entry| entry.1 > 1).collect();
    twice.sort_by_key(|entry| entry.0.as_str());
    // What the command line sets may well be what told them apart.
    // A name that could not be read tells nothing apart, and was complained about.
    let is_read = |part: &TemplatePart| match part {
        TemplatePart::Text(_) => true,
        TemplatePart::Hole(expr) => expr.constant() != Some(&Data::Failed),
    };
    let named = declared.point_name.iter().flat_map(|name| &name.parts).all(is_read);
    if let (Some((name, count)), true) = (twice.first(), above.is_empty() && named && !declared.is_incomplete) {
        sink.push(errors::duplicate_points(declared, *name, *count, twice.len()));
    }
    points
}

struct Run<'a> {
    program: &'a Program,
    entries: &'a mut Entries,
    command_line: &'a [Arc<Layer>],
    facts: Facts<'a>,
    reported: Reported,
    /// Points of sweeps that others multiply, each worked out once.
    known: HashMap<SweepId, Vec<Point>>,
}

impl Run<'_> {
    /// The points of a sweep that stay. Only the outermost sweep's are checked: those that it multiplies are not run.
    fn points(&mut self, id: SweepId, nesting: usize, checked: bool) -> Result<Vec<Point>, Box<Diagnostic>> {
        let Some(sweep) = self.program.sweeps.get(id.index()) else { return Ok(Vec::new()) };
        if nesting > MAX_NESTING {
            return Err(Box::new(errors::sweeps_too_deep(sweep, MAX_NESTING)));
        }
        let rows: usize = sweep.axes.iter().fold(1, |count, axis| count.saturating_mul(axis.rows.len()));
        // (base, layers below the axes)
        let mut bases: Vec<(ExperimentId, Vec<Arc<Layer>>, Vec<Setting>)> = Vec::new();
        for (base, _) in &sweep.bases {
            match base {
                Base::Experiment(base) => bases.push((*base, Vec::new(), Vec::new())),
                Base::Sweep(inner) => {
                    if !self.known.contains_key(inner) {
                        let points = self.points(*inner, nesting + 1, false)?;
                        self.known.insert(*inner, points);
                    }
                    let inner = self.known.get(inner).cloned().unwrap_or_default();
                    bases.extend(inner.into_iter().map(|point| (point.subject.base, point.subject.above, point.axes)));
                }
            }
            if bases.len().saturating_mul(rows) > MAX_POINTS {
                let count = bases.len().saturating_mul(rows);
                return Err(Box::new(errors::too_many_points(sweep, count, MAX_POINTS)));
            }
        }
        let mixins = sweep.mixins.iter().filter_map(|with| self.program.layers.get(with.layer.index()));
        let own: Vec<Arc<Layer>> =
            mixins.chain(sweep.layer.and_then(|layer| self.program.layers.get(layer.index()))).cloned().collect();
        let mut points = Vec::new();
        let limit = sweep.limit.unwrap_or(usize::MAX);
        for (base, below, outer) in bases {
            if points.len() >= limit {
                break;
            }
            let candidates: Vec<Candidate> = (0..rows)
                .map(|nth| {
                    let axes = combination(sweep, nth);
                    let layer = Layer {
                        kind: LayerKind::Sweep,
                        name: sweep.name,
                        span: sweep.span,
                        settings: axes.clone(),
                        rules: Vec::new(),
                    };
                    let above = below.iter().chain(&own).cloned().chain([Arc::new(layer)]).collect();
                    Candidate { base, above, axes: outer.iter().cloned().chain(axes).collect() }
                })
                .collect();
            self.of_base(sweep, candidates, limit, checked, &mut points)?;
        }
        Ok(points)
    }

    /// The points of one base: filtered, named, and checked if that is asked for.
    fn of_base(
        &mut self,
        sweep: &Sweep,
        candidates: Vec<Candidate>,
        limit: usize,
        checked: bool,
        points: &mut Vec<Point>,
    ) -> Result<(), Box<Diagnostic>> {
        let Some(first) = candidates.first() else { return Ok(()) };
        let Some(declared) = self.program.experiments.get(first.base.index()) else { return Ok(()) };
        let schema = declared.schema.and_then(|schema| self.program.schemas.get(schema.index()));
        let Some(schema) = schema else { return Ok(()) };
        let command_line = self.command_line;
        let above = |candidate: &Candidate| -> Vec<Arc<Layer>> {
            candidate.above.iter().chain(command_line).cloned().collect()
        };
        let declared = as_checked(self.program, declared, &first.above);
        let (schema, base) = with_entries(self.entries, schema, stack(self.program, first.base, &above(first)));
        let at = base.len().saturating_sub(self.command_line.len() + 1);
        // Values on the axes that lie in entries are moved there, as those of every layer are.
        let mut own: Vec<Arc<Layer>> = Vec::with_capacity(candidates.len());
        for candidate in &candidates {
            let Some(layer) = candidate.above.last() else { return Ok(()) };
            own.push(match layer.settings.iter().any(|setting| setting.entry.is_some()) {
                false => layer.clone(),
                true => {
                    let declared = declared.schema.and_then(|schema| self.program.schemas.get(schema.index()));
                    match declared {
                        Some(declared) => crate::resolve::entries::relocate(layer, declared, &schema),
                        None => layer.clone(),
                    }
                }
            });
        }
        let mut common_sink = Sink::default();
        let mut acts = acts(&schema, &base, &mut common_sink);
        let differs = affected(&schema, &acts, &own);
        let is_affected = |field: FieldId| differs.get(field.index()) == Some(&true);
        let moving: Vec<FieldId> = schema.iter().map(|entry| entry.0).filter(|field| is_affected(*field)).collect();
        let common: Vec<Value> = {
            let mut evaluator = Evaluator::new(self.program, &schema, &acts, &mut common_sink);
            evaluator.facts(&[]);
            for (field, _) in schema.iter().filter(|entry| !is_affected(entry.0)) {
                evaluator.finish(field);
            }
            evaluator.into_values()
        };
        let layers = base.iter().map(|stacked| stacked.layer.clone()).collect();
        let mut experiment =
            Experiment { name: declared.name, span: declared.span, schema: schema.clone(), layers, values: common };
        let reads = |rule: &Rule| reads_any(rule, &schema, &is_affected);
        let mut common_held = false;
        let mut missing_before = None;
        let mut asks = None;
        for (candidate, layer) in candidates.iter().zip(&own) {
            if points.len() >= limit {
                break;
            }
            let mut sink = Sink::default();
            put(&mut acts, layer, at);
            {
                let mut evaluator = Evaluator::new(self.program, &schema, &acts, &mut sink);
                for (field, value) in experiment.iter().filter(|entry| !is_affected(entry.0)) {
                    evaluator.know(field, value);
                }
                for &field in &moving {
                    evaluator.finish(field);
                }
                let mut values = evaluator.into_values();
                std::mem::swap(&mut experiment.values, &mut values);
            }
            if let Some(slot) = experiment.layers.get_mut(at) {
                *slot = layer.clone();
            }
            let mut early = None;
            let kept = sweep.filters.iter().all(|filter| {
                match evaluate(filter, &mut Final(self.program, &experiment)) {
                    Ok(Data::Bool(kept)) => kept,
                    // Networks are compiled of points that are there, not to find out which are.
                    Err(EvalError { span, error: OpError::Unknown(Unknown::Computed) }) => {
                        early = early.or(Some(span));
                        true
                    }
                    // A filter that can't be decided leaves nothing out.
                    Ok(_) | Err(_) => true,
                }
            });
            if !kept {
                continue;
            }
            for part in sweep.point_name.iter().flat_map(|name| &name.parts) {
                let TemplatePart::Hole(hole) = part else { continue };
                if evaluate(hole, &mut Final(self.program, &experiment)) == Ok(Data::Unknown(Unknown::Computed)) {
                    early = early.or(Some(hole.span));
                }
            }
            if let Some(span) = early {
                return Err(Box::new(errors::computed_point(span, sweep)));
            }
            let name = match &sweep.point_name {
                Some(template) => filled(template, self.program, &experiment),
                None => points.len().to_string(),
            };
            let name = Name::new(&format!("{}/{name}", sweep.name));
            if checked {
                experiment.name = name;
                // Mixins that disagree do so at every point, unless what varies makes them agree at some.
                let mut clashes = conflicts(&schema, &base, &acts);
                if !clashes.is_empty() {
                    let mut silent = Sink::default();
                    let mut evaluator = Evaluator::new(self.program, &schema, &acts, &mut silent);
                    clashes.retain(|conflict| evaluator.differ(conflict));
                    self.reported.common.extend_all(errors::mixin_conflicts(&schema, &declared, &base, &clashes));
                }
                rules::hold(self.program, &declared, &experiment, &reads, &mut sink);
                if !std::mem::replace(&mut common_held, true) {
                    rules::hold(self.program, &declared, &experiment, &|rule| !reads(rule), &mut common_sink);
                    self.reported.common.extend(std::mem::take(&mut common_sink));
                }
                // What only the network tells is known once the rest of the point is sound; then all of it is held again.
                let asked = *asks.get_or_insert_with(|| experiment.asks_for_computed());
                if asked && !sink.has_errors() && !self.reported.common.has_errors() {
                    let facts = (self.facts)(&experiment, &mut sink);
                    if !facts.is_empty() {
                        let subject =
                            Subject { base: candidate.base, name: Some(name), above: above(candidate), facts };
                        sink = Sink::default();
                        check(self.program, self.entries, &subject, &mut sink);
                    }
                }
                self.reported.of_point(name, sink);
                let lacks = missing(&declared, &experiment);
                if lacks != missing_before {
                    self.reported.common.extend_with(lacks.clone());
                    missing_before = lacks;
                }
            }
            let subject =
                Subject { base: candidate.base, name: Some(name), above: candidate.above.clone(), facts: Vec::new() };
            points.push(Point { subject, axes: candidate.axes.clone() });
        }
        Ok(())
    }
}

/// The settings of the axes for one point; the first axis is the slowest.
fn combination(sweep: &Sweep, nth: usize) -> Vec<Setting> {
    let mut rest = nth;
    let mut rows: Vec<&[Setting]> = Vec::with_capacity(sweep.axes.len());
    for axis in sweep.axes.iter().rev() {
        let count = axis.rows.len().max(1);
        rows.push(axis.rows.get(rest % count).map_or(&[][..], Vec::as_slice));
        rest /= count;
    }
    rows.into_iter().rev().flatten().cloned().collect()
}

/// Replaces what the axes did to their fields by what they do at this point. `at` is the place of their layer.
fn put<'a>(acts: &mut [Vec<Act<'a>>], layer: &'a Layer, at: usize) {
    for setting in &layer.settings {
        let Change::Set(field, value) = &setting.change else { continue };
        let act = acts.get_mut(field.index()).and_then(|acts| acts.iter_mut().find(|act| act.layer == at));
        if let Some(act) = act {
            *act = Act { layer: at, setting, op: Op::Set(value) };
        }
    }
}

/// For each field, whether it may differ between points: those of the axes, and what reads them, directly or not.
fn affected(schema: &Schema, acts: &[Vec<Act<'_>>], points: &[Arc<Layer>]) -> Vec<bool> {
    let mut readers: Vec<Vec<FieldId>> = vec![Vec::new(); schema.fields.len()];
    let mut read = |reader: FieldId, expr: &Expr| {
        each_read(expr, schema, &mut |field| {
            if let Some(readers) = readers.get_mut(field.index())
                && readers.last() != Some(&reader)
            {
                readers.push(reader);
            }
        });
    };
    for (field, declared) in schema.iter() {
        declared.default.iter().for_each(|default| read(field, default));
        for derive in &declared.derives {
            read(field, &derive.value);
            read(field, &derive.when);
        }
        for act in acts.get(field.index()).into_iter().flatten() {
            match act.op {
                Op::Set(value) | Op::Append(value) | Op::Remove(value) => read(field, value),
                Op::Reset => {}
            }
        }
    }
    let mut open: Vec<FieldId> = Vec::new();
    for setting in points.iter().flat_map(|layer| &layer.settings) {
        if let Change::Set(field, value) = &setting.change {
            open.push(*field);
            if value.constant().is_none() {
                read(*field, value);
            }
        }
    }
    let mut affected = vec![false; schema.fields.len()];
    while let Some(field) = open.pop() {
        let Some(slot) = affected.get_mut(field.index()) else { continue };
        if !std::mem::replace(slot, true) {
            open.extend(readers.get(field.index()).into_iter().flatten());
        }
    }
    affected
}

/// Calls `visit` with every field that an expression reads, those of entries included.
fn each_read(expr: &Expr, schema: &Schema, visit: &mut dyn FnMut(FieldId)) {
    expr.walk(&mut |part| match &part.kind {
        ExprKind::Field(field) => visit(*field),
        ExprKind::Each(keyed, field) | ExprKind::Entry(keyed, _, field) => {
            for (_, first) in entries_of(schema, *keyed) {
                visit(FieldId::of(first.index() + field.index()));
            }
        }
        ExprKind::Const(_)
        | ExprKind::Binding(_)
        | ExprKind::Keys(_)
        | ExprKind::Super
        | ExprKind::List(_)
        | ExprKind::Negate(_)
        | ExprKind::Not(_)
        | ExprKind::And(..)
        | ExprKind::Or(..)
        | ExprKind::Binary(..)
        | ExprKind::InList(..)
        | ExprKind::InRange { .. }
        | ExprKind::IsSet(..)
        | ExprKind::If(..)
        | ExprKind::Call(..) => {}
    });
}

/// Whether anything that a rule says or depends on may differ.
fn reads_any(rule: &Rule, schema: &Schema, differs: &dyn Fn(FieldId) -> bool) -> bool {
    let mut found = false;
    let mut look = |expr: &Expr| each_read(expr, schema, &mut |field| found |= differs(field));
    look(&rule.condition);
    rule.when.iter().for_each(&mut look);
    for template in rule.message.iter().chain(&rule.help) {
        for part in &template.parts {
            match part {
                TemplatePart::Text(_) => {}
                TemplatePart::Hole(expr) => look(expr),
            }
        }
    }
    if let Some((target, value)) = &rule.fix {
        look(value);
        found |= differs(*target);
    }
    found
}

/// What is wrong with the points of a sweep.
#[derive(Default)]
struct Reported {
    /// What is wrong with all of them alike.
    common: Sink,
    /// What is wrong with some: the first of its kind, its point, and how many more there are.
    own: Vec<(Diagnostic, Name, usize)>,
    /// Where a kind stands among them: code and place.
    kinds: HashMap<(String, Option<crate::base::Span>), usize>,
    /// Points that were counted for a kind.
    counted: HashSet<(usize, Name)>,
}

impl Reported {
    fn of_point(&mut self, point: Name, sink: Sink) {
        if sink.is_empty() {
            return;
        }
        for diagnostic in sink.finish() {
            let kind = (diagnostic.code.to_string(), diagnostic.labels.last().map(|label| label.span));
            match self.kinds.get(&kind) {
                Some(&at) => {
                    if self.counted.insert((at, point))
                        && let Some(slot) = self.own.get_mut(at)
                    {
                        slot.2 += 1;
                    }
                }
                None => {
                    self.kinds.insert(kind, self.own.len());
                    self.counted.insert((self.own.len(), point));
                    self.own.push((diagnostic, point, 0));
                }
            }
        }
    }

    fn finish(self) -> impl Iterator<Item = Diagnostic> {
        let own = self.own.into_iter().map(|(mut diagnostic, point, more)| {
            let others = match more {
                0 => String::new(),
                1 => " and at another point".to_owned(),
                more => format!(" and at {more} other points"),
            };
            diagnostic.message = format!("{}, at point `{point}`{others}", diagnostic.message);
            diagnostic
        });
        self.common.finish().into_iter().chain(own)
    }
}
