//! Settings to values: each field once, on demand, with circles found.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use crate::base::Name;
use crate::check::experiment::{Experiment, Origin, OriginSource, Value};
use crate::check::settings::{Act, Conflict, Op, acts, acts_and_dropped, as_checked, conflicts, stack, with_entries};
use crate::check::{errors, rules};
use crate::diag::{Diagnostic, Sink};
use crate::resolve::eval::{EvalError, Values, evaluate};
use crate::resolve::expr::{Expr, ExprKind};
use crate::resolve::fit::fit_refined;
use crate::resolve::limits::Limit;
use crate::resolve::{
    BindingId, Change, Derive, Entries, ExperimentId, FieldId, Keyed, KeyedId, Layer, Member, Program, Schema,
    errors as resolve_errors,
};
use crate::types::{Data, OpError, Operator, Unknown, apply};

/// The longest chain of fields that are defined by other fields. Far beyond any real schema, well within the stack.
const MAX_CHAIN: usize = 200;

/// What is checked: an experiment, and what lies above it.
#[derive(Clone, Debug)]
pub struct Subject {
    /// The experiment.
    pub base: ExperimentId,
    /// What it is called, where it is a point of a sweep.
    pub name: Option<Name>,
    /// Layers above it, weakest first: of a sweep, of a test, of the command line.
    pub above: Vec<Arc<Layer>>,
    /// Values of computed fields, as far as they are known.
    pub facts: Vec<(FieldId, Data)>,
}

impl Subject {
    /// An experiment by itself.
    pub fn of(base: ExperimentId) -> Self {
        Subject { base, name: None, above: Vec::new(), facts: Vec::new() }
    }
}

/// The values of an experiment, and every rule held against them. None if its ancestry is broken, which was reported.
pub fn check(program: &Program, entries: &mut Entries, subject: &Subject, sink: &mut Sink) -> Option<Experiment> {
    let declared = program.experiments.get(subject.base.index())?;
    let schema = program.schemas.get(declared.schema?.index())?;
    let declared = as_checked(program, declared, &subject.above);
    let (schema, stack) = with_entries(entries, schema, stack(program, subject.base, &subject.above));
    let acts = acts(&schema, &stack, sink);
    let values = {
        let mut evaluator = Evaluator::new(program, &schema, &acts, sink);
        evaluator.facts(&subject.facts);
        for (field, _) in schema.iter() {
            evaluator.finish(field);
        }
        let mut conflicts = conflicts(&schema, &stack, &acts);
        conflicts.retain(|conflict| evaluator.differ(conflict));
        evaluator.sink.extend_all(errors::mixin_conflicts(&schema, &declared, &stack, &conflicts));
        evaluator.into_values()
    };
    let layers = stack.iter().map(|stacked| stacked.layer.clone()).collect();
    let name = subject.name.unwrap_or(declared.name);
    let experiment = Experiment { name, span: declared.span, schema, layers, values };
    sink.extend_with(missing(&declared, &experiment));
    rules::hold(program, &declared, &experiment, &|_| true, sink);
    Some(experiment)
}

/// Complains about fields that need a value and have none.
pub(super) fn missing(declared: &crate::resolve::Experiment, experiment: &Experiment) -> Option<Diagnostic> {
    if declared.is_abstract || declared.is_incomplete {
        return None;
    }
    let missing: Vec<FieldId> = experiment.iter().filter(|(_, value)| value.is_missing()).map(|(id, _)| id).collect();
    errors::missing_fields(declared, experiment, &missing)
}

/// What each layer did to one field, weakest first, with the value after it.
pub fn history(program: &Program, entries: &mut Entries, subject: &Subject, field: FieldId) -> Vec<(Origin, Data)> {
    let Some(declared) = program.experiments.get(subject.base.index()) else { return Vec::new() };
    let Some(schema) = declared.schema.and_then(|schema| program.schemas.get(schema.index())) else {
        return Vec::new();
    };
    let (schema, stack) = with_entries(entries, schema, stack(program, subject.base, &subject.above));
    let mut sink = Sink::default();
    let (mut acts, mut dropped) = acts_and_dropped(&schema, &stack, &mut sink);
    // What a reset made void is part of the story, and changes nothing above it.
    if let (Some(acts), Some(dropped)) = (acts.get_mut(field.index()), dropped.get_mut(field.index())) {
        acts.splice(0..0, dropped.drain(..));
    }
    let mut evaluator = Evaluator::new(program, &schema, &acts, &mut sink);
    evaluator.facts(&subject.facts);
    let count = acts.get(field.index()).map_or(0, Vec::len);
    let default = Origin { span: schema.field(field).span, source: evaluator.default_source(field) };
    let mut steps = vec![(default, evaluator.after(field, 0))];
    for upto in 1..=count {
        let act = acts.get(field.index()).and_then(|acts| acts.get(upto - 1));
        if let Some(act) = act {
            let origin = Origin { span: act.setting.span, source: OriginSource::Layer(act.layer) };
            steps.push((origin, evaluator.after(field, upto)));
        }
    }
    let last = evaluator.after(field, count);
    if let Some((derive, data)) = evaluator.derived(field, &last) {
        steps.push((Origin { span: derive.head, source: OriginSource::Derived }, data));
    }
    steps
}

/// Where the evaluation of a field stands.
enum State {
    Waiting,
    /// Being worked out: it stands in the chain.
    Open,
    Done(Value),
}

pub(super) struct Evaluator<'a, 's> {
    program: &'a Program,
    schema: &'a Schema,
    acts: &'a [Vec<Act<'a>>],
    states: Vec<State>,
    /// The fields that are being worked out, outermost first.
    chain: Vec<FieldId>,
    /// Values below a setting that were asked for by `super`, so that a tower of `super` stays linear.
    below: HashMap<(FieldId, usize), Data>,
    pub(super) sink: &'s mut Sink,
}

/// The values that an expression of one setting sees.
struct View<'e, 'a, 's> {
    evaluator: &'e mut Evaluator<'a, 's>,
    field: FieldId,
    /// How many settings lie below.
    upto: usize,
    /// What the field itself stands for, where it may stand for something.
    own: Option<&'e Data>,
}

impl Values for View<'_, '_, '_> {
    fn field(&mut self, field: FieldId) -> Data {
        match self.own {
            Some(own) if field == self.field => own.clone(),
            Some(_) | None => self.evaluator.value(field),
        }
    }

    fn below(&mut self) -> Data {
        match self.own {
            Some(own) => own.clone(),
            None => self.evaluator.after(self.field, self.upto),
        }
    }

    fn binding(&mut self, binding: BindingId) -> Data {
        binding_value(self.evaluator.program, binding)
    }

    fn entries(&mut self, keyed: KeyedId) -> Vec<(Name, FieldId)> {
        entries_of(self.evaluator.schema, keyed)
    }
}

/// The value of a `let` or an `input`.
pub(super) fn binding_value(program: &Program, binding: BindingId) -> Data {
    program.bindings.get(binding.index()).map_or(Data::Failed, |binding| binding.value.clone())
}

/// The entries of a keyed member: key and first field.
pub(super) fn entries_of(schema: &Schema, keyed: KeyedId) -> Vec<(Name, FieldId)> {
    let entries = schema.entries.iter().filter(|entry| entry.keyed == keyed);
    entries.map(|entry| (entry.key, entry.first)).collect()
}

impl<'a, 's> Evaluator<'a, 's> {
    pub(super) fn new(program: &'a Program, schema: &'a Schema, acts: &'a [Vec<Act<'a>>], sink: &'s mut Sink) -> Self {
        let states = schema.fields.iter().map(|_| State::Waiting).collect();
        Evaluator { program, schema, acts, states, chain: Vec::new(), below: HashMap::new(), sink }
    }

    /// Takes values that are known as they are.
    pub(super) fn know(&mut self, field: FieldId, value: &Value) {
        self.set(field, State::Done(value.clone()));
    }

    /// Gives computed fields their values, or says that these are not known yet.
    pub(super) fn facts(&mut self, facts: &[(FieldId, Data)]) {
        for (field, declared) in self.schema.iter().filter(|entry| entry.1.is_computed) {
            let fact = facts.iter().find(|fact| fact.0 == field);
            let data = fact.map_or(Data::Unknown(Unknown::Computed), |fact| fact.1.clone());
            let origin = Origin { span: declared.span, source: OriginSource::Derived };
            self.set(field, State::Done(Value { data, origin }));
        }
    }

    pub(super) fn into_values(self) -> Vec<Value> {
        let failed = |id: FieldId| Value {
            data: Data::Failed,
            origin: Origin { span: self.schema.field(id).span, source: OriginSource::Default },
        };
        let done = |(id, state)| match state {
            State::Done(value) => value,
            State::Waiting | State::Open => failed(FieldId(id)),
        };
        (0..).zip(self.states).map(done).collect()
    }

    /// The final value of a field.
    fn value(&mut self, field: FieldId) -> Data {
        self.finish(field);
        match self.states.get(field.index()) {
            Some(State::Done(value)) => value.data.clone(),
            Some(State::Waiting | State::Open) | None => Data::Failed,
        }
    }

    pub(super) fn finish(&mut self, field: FieldId) {
        match self.states.get(field.index()) {
            Some(State::Waiting) => {}
            Some(State::Open) => {
                self.circle(field);
                return;
            }
            Some(State::Done(_)) | None => return,
        }
        if self.chain.len() >= MAX_CHAIN {
            let declared = self.schema.field(field);
            self.sink.push(errors::chain_too_long(self.origin(field).span, declared, MAX_CHAIN));
            return self.set(field, State::Done(Value { data: Data::Failed, origin: self.origin(field) }));
        }
        self.set(field, State::Open);
        self.chain.push(field);
        let acts = self.acts.get(field.index()).map_or(0, Vec::len);
        let mut data = self.after(field, acts);
        let mut origin = self.origin(field);
        if let Some((derive, derived)) = self.derived(field, &data) {
            data = derived;
            origin = Origin { span: derive.head, source: OriginSource::Derived };
        }
        self.chain.pop();
        // A circle that was cut here has set the value already.
        if matches!(self.states.get(field.index()), Some(State::Open)) {
            let data = self.refined(field, data, origin);
            self.set(field, State::Done(Value { data, origin }));
        }
    }

    /// What the target derives for a field that has a value from its settings: the first derivation whose condition holds.
    fn derived(&mut self, field: FieldId, own: &Data) -> Option<(&'a Derive, Data)> {
        let schema = self.schema;
        for derive in &schema.field(field).derives {
            match evaluate(&derive.when, &mut View { evaluator: self, field, upto: 0, own: Some(own) }) {
                Ok(Data::Bool(true)) => {}
                // What is not known, or is complained about, decides nothing.
                Ok(_) | Err(_) => continue,
            }
            let data = match evaluate(&derive.value, &mut View { evaluator: self, field, upto: 0, own: Some(own) }) {
                Ok(data) => data,
                Err(EvalError { error: OpError::Unknown(unknown), .. }) => Data::Unknown(unknown),
                // Its inputs are missing or wrong, which is reported where they are.
                Err(EvalError { error: OpError::None, .. }) => continue,
                Err(error) => {
                    self.no_value(field, &derive.value, &error);
                    Data::Failed
                }
            };
            return Some((derive, data));
        }
        None
    }

    fn set(&mut self, field: FieldId, state: State) {
        if let Some(slot) = self.states.get_mut(field.index()) {
            *slot = state;
        }
    }

    /// Fields that wait for each other: all are complained about once, together.
    fn circle(&mut self, field: FieldId) {
        let first = self.chain.iter().position(|&open| open == field).unwrap_or(0);
        let circle: Vec<FieldId> = self.chain.iter().skip(first).copied().collect();
        let places: Vec<_> = circle.iter().map(|&field| (self.schema.field(field), self.origin(field).span)).collect();
        self.sink.push(errors::value_cycle(&places));
        for field in circle {
            let origin = self.origin(field);
            self.set(field, State::Done(Value { data: Data::Failed, origin }));
        }
    }

    /// Why a field has the value that it has.
    fn origin(&self, field: FieldId) -> Origin {
        let last = self.acts.get(field.index()).and_then(|acts| acts.last());
        match last {
            Some(Act { layer, op: Op::Set(value) | Op::Append(value) | Op::Remove(value), .. }) => {
                Origin { span: value.span, source: OriginSource::Layer(*layer) }
            }
            Some(Act { op: Op::Reset, .. }) | None => {
                Origin { span: self.schema.field(field).span, source: self.default_source(field) }
            }
        }
    }

    fn default_source(&self, field: FieldId) -> OriginSource {
        match &self.schema.field(field).default {
            Some(default) if default.constant().is_none() => OriginSource::Derived,
            Some(_) | None => OriginSource::Default,
        }
    }

    /// The value of a field after its first `upto` settings.
    pub(super) fn after(&mut self, field: FieldId, upto: usize) -> Data {
        // Down to the setting that needs nothing below it, then up again: a tower of `super` needs no stack.
        let known = |this: &Self, at: usize| this.below.contains_key(&(field, at));
        let act = |at: usize| self.acts.get(field.index())?.get(at.checked_sub(1)?);
        let mut first = upto;
        while !known(self, first) && act(first).is_some_and(reads_below) {
            first -= 1;
        }
        (first..upto).for_each(|at| _ = self.step(field, at));
        self.step(field, upto)
    }

    /// The same, where the value below is known if it is needed.
    fn step(&mut self, field: FieldId, upto: usize) -> Data {
        if let Some(known) = self.below.get(&(field, upto)) {
            return known.clone();
        }
        let act = upto.checked_sub(1).and_then(|at| self.acts.get(field.index())?.get(at)).copied();
        let data = match act.map(|act| act.op) {
            None => self.default(field),
            Some(Op::Reset) => {
                let declared = self.schema.field(field);
                let explicit = act.filter(|act| matches!(act.setting.change, Change::Unset(Member::Field(_))));
                match (explicit, &declared.default, declared.ty.is_optional()) {
                    (Some(act), None, false) => {
                        self.sink.push(errors::no_default(act.setting.span, declared));
                        Data::Failed
                    }
                    (Some(_) | None, _, _) => self.default(field),
                }
            }
            Some(Op::Set(value)) => self.work_out(field, value, upto - 1),
            Some(Op::Append(items)) => {
                let below = self.after(field, upto - 1);
                let added = self.work_out(field, items, upto - 1);
                let all = joined(below, added);
                if matches!(&all, Data::List(all) if all.len() > Limit::Items.most()) {
                    self.sink.push(resolve_errors::limit(items.span, Limit::Items));
                    return self.keep(field, upto, Data::Failed);
                }
                all
            }
            Some(Op::Remove(items)) => {
                let below = self.after(field, upto - 1);
                let gone = self.work_out(field, items, upto - 1);
                self.removed(field, items, below, gone)
            }
        };
        self.keep(field, upto, data)
    }

    fn keep(&mut self, field: FieldId, upto: usize, data: Data) -> Data {
        self.below.insert((field, upto), data.clone());
        data
    }

    fn default(&mut self, field: FieldId) -> Data {
        match &self.schema.field(field).default {
            Some(default) => self.work_out(field, default, 0),
            None => Data::None,
        }
    }

    fn work_out(&mut self, field: FieldId, expr: &Expr, upto: usize) -> Data {
        if let Some(data) = expr.constant() {
            return data.clone();
        }
        match evaluate(expr, &mut View { evaluator: self, field, upto, own: None }) {
            Ok(data) => data,
            Err(EvalError { error: OpError::Unknown(unknown), .. }) => Data::Unknown(unknown),
            Err(error) => {
                self.no_value(field, expr, &error);
                Data::Failed
            }
        }
    }

    fn no_value(&mut self, field: FieldId, expr: &Expr, error: &EvalError) {
        // A derived default without its inputs is no fault of its own: the missing inputs are reported.
        let is_default = self.schema.field(field).default.as_ref().is_some_and(|default| default.span == expr.span);
        if is_default && error.error == OpError::None {
            return;
        }
        let declared = self.schema.field(field);
        if let (OpError::NoEntry(key), Some(keyed)) = (&error.error, self.keyed_at(expr, error)) {
            let keys: Vec<Name> = keyed.1.into_iter().map(|entry| entry.0).collect();
            self.sink.push(resolve_errors::no_entry(error.span, *key, keyed.0, &keys));
            return;
        }
        if let Some(diagnostic) = resolve_errors::no_value(error) {
            self.sink.push(resolve_errors::declared(diagnostic, declared));
        }
    }

    /// The keyed member that a part of an expression reads, with its entries.
    fn keyed_at(&self, expr: &Expr, error: &EvalError) -> Option<(&'a Keyed, Vec<(Name, FieldId)>)> {
        let mut found = None;
        expr.walk(&mut |part| {
            if let (ExprKind::Entry(keyed, ..), true) = (&part.kind, part.span == error.span) {
                found = Some(*keyed);
            }
        });
        let id = found?;
        Some((self.schema.keyed.get(id.index())?, entries_of(self.schema, id)))
    }

    /// A worked-out value held against type and refinements. Written-out ones were held against them before.
    fn refined(&mut self, field: FieldId, data: Data, origin: Origin) -> Data {
        let declared = self.schema.field(field);
        if data == Data::None && !declared.ty.is_optional() {
            // Nothing set it: reported as missing, all such fields in one.
            return match origin.source {
                OriginSource::Default if declared.default.is_none() => Data::None,
                OriginSource::Default | OriginSource::Derived | OriginSource::Layer(_) => {
                    let misfit = crate::resolve::fit::Misfit::None;
                    self.sink.push(resolve_errors::misfit(origin.span, &data, &misfit, declared));
                    Data::Failed
                }
            };
        }
        match fit_refined(data.clone(), &declared.ty, &declared.refinements) {
            Ok(data) => data,
            Err(misfit) => {
                self.sink.push(resolve_errors::misfit(origin.span, &data, &misfit, declared));
                Data::Failed
            }
        }
    }

    fn removed(&mut self, field: FieldId, expr: &Expr, below: Data, gone: Data) -> Data {
        let (below, gone) = match (below, gone) {
            (Data::List(below), Data::List(gone)) => (below, gone),
            (Data::None, Data::List(gone)) => (Vec::new().into(), gone),
            (unknown @ Data::Unknown(_), _) | (_, unknown @ Data::Unknown(_)) => return unknown,
            _ => return Data::Failed,
        };
        // Items of one list are of one type, and then equal where they are written the same.
        let written = |items: &[Data]| items.iter().map(Data::to_string).collect::<HashSet<String>>();
        let (kept, dropped) = (written(&below), written(&gone));
        if let Some(absent) = gone.iter().find(|item| !kept.contains(&item.to_string())) {
            self.sink.push(errors::removed_absent(expr.span, self.schema.field(field), absent, &below));
            return Data::Failed;
        }
        Data::List(below.iter().filter(|item| !dropped.contains(&item.to_string())).cloned().collect())
    }

    /// Whether the two settings of a conflict come out with different values.
    pub(super) fn differ(&mut self, conflict: &Conflict<'_>) -> bool {
        let (first, second) = conflict.upto;
        let (first, second) = (self.after(conflict.field, first), self.after(conflict.field, second));
        apply(Operator::Equal, &first, &second) == Ok(Data::Bool(false))
    }
}

impl Value {
    /// Whether nothing gave a value to a field that needs one.
    fn is_missing(&self) -> bool {
        self.data == Data::None && self.origin.source == OriginSource::Default
    }
}

/// Whether the value of a setting depends on the value below it.
fn reads_below(act: &Act<'_>) -> bool {
    match act.op {
        Op::Append(_) | Op::Remove(_) => true,
        Op::Reset => false,
        Op::Set(value) => {
            let mut reads = false;
            value.walk(&mut |part| reads |= part.kind == ExprKind::Super);
            reads
        }
    }
}

fn joined(below: Data, items: Data) -> Data {
    match (below, items) {
        (Data::List(below), Data::List(items)) => Data::List(below.iter().chain(items.iter()).cloned().collect()),
        (Data::None, items @ Data::List(_)) => items,
        (unknown @ Data::Unknown(_), _) | (_, unknown @ Data::Unknown(_)) => unknown,
        _ => Data::Failed,
    }
}
