//! Sweeps and tests: what they start from, what varies, what they expect.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use rust_decimal::Decimal;
use rust_decimal::prelude::ToPrimitive;

use crate::base::{Name, Span};
use crate::resolve::declare::Declaring;
use crate::resolve::eval::{Constants, evaluate};
use crate::resolve::expr::{Expr, ExprKind};
use crate::resolve::limits::Limit;
use crate::resolve::order::in_order;
use crate::resolve::typing::{Known, Typer, is_failed};
use crate::resolve::{
    Axis, Base, Change, Declaration, FieldId, GroupId, LayerKind, ModuleId, Rule, Schema, SchemaId, Setting, Sweep,
    SweepId, Test, body, errors, schema,
};
use crate::syntax::ast;
use crate::types::{Data, Type};

/// A placeholder for a sweep that is worked out later.
pub(super) fn unsettled(source: &ast::Sweep, module: ModuleId) -> Sweep {
    Sweep {
        name: source.name.name,
        span: source.name.span,
        doc: source.doc.text.clone(),
        module,
        bases: Vec::new(),
        schema: None,
        mixins: Vec::new(),
        layer: None,
        axes: Vec::new(),
        filters: Vec::new(),
        limit: None,
        point_name: None,
        is_incomplete: false,
    }
}

impl<'a> Declaring<'a> {
    /// Sweeps, each after those that it multiplies.
    pub(super) fn all_sweeps(&mut self) {
        let sources = std::mem::take(&mut self.sweeps);
        let at: HashMap<SweepId, usize> = sources.iter().enumerate().map(|(at, it)| (it.0, at)).collect();
        let base = |name: &ast::Ident| match self.module.lookup(name.name) {
            Some(Declaration::Sweep(id)) => at.get(&id).copied(),
            Some(_) | None => None,
        };
        let needs: Vec<Vec<usize>> =
            sources.iter().map(|(_, source)| source.bases.iter().filter_map(base).collect()).collect();
        let (order, circles) = in_order(&needs);
        for circle in &circles {
            let steps: Vec<ast::Ident> = circle.iter().filter_map(|&at| Some(sources.get(at)?.1.name)).collect();
            self.sink.push(errors::sweep_cycle(&steps));
        }
        for at in order {
            if let Some(&(id, source)) = sources.get(at).filter(|_| !circles.iter().any(|it| it.contains(&at))) {
                self.sweep(id, source);
            }
        }
    }

    fn sweep(&mut self, id: SweepId, source: &'a ast::Sweep) {
        if source.bases.is_empty() {
            self.sink.push(errors::sweep_of_nothing(source.name));
            return;
        }
        let bases: Vec<(Base, Span)> =
            source.bases.iter().filter_map(|name| Some((self.base(*name)?, name.span))).collect();
        let mut shared: Option<(SchemaId, Span)> = None;
        for &(base, span) in &bases {
            let Some(schema) = self.schema_of(base) else { continue };
            match shared {
                Some((first, place)) if first != schema => {
                    self.sink.push(errors::mixed_schemas(span, place));
                    return;
                }
                Some(_) => {}
                None => shared = Some((schema, span)),
            }
        }
        let Some(id_of_schema) = shared.map(|shared| shared.0).filter(|_| bases.len() == source.bases.len()) else {
            return;
        };
        let Some(fields) = self.program.schemas.get(id_of_schema.index()).cloned() else { return };
        let first = bases.iter().find_map(|(base, _)| match base {
            Base::Experiment(id) => Some(*id),
            Base::Sweep(_) => None,
        });
        let mut inherited = self.inherited_mixins(first);
        let mut mixins = Vec::new();
        for with in &source.mixins {
            mixins.extend(self.with(with, id_of_schema, &fields, &mixins, &mut inherited));
        }
        let name = source.name;
        let layer = self.layer(LayerKind::Sweep, name.name, name.span, &fields, &source.body);
        let mut seen: HashMap<FieldId, Span> = HashMap::new();
        for setting in self.program.layers.get(layer.index()).iter().flat_map(|layer| &layer.settings) {
            if let (Change::Set(field, _) | Change::Weak(field, _), None) = (&setting.change, setting.entry) {
                seen.insert(*field, setting.path);
            }
        }
        let axes: Vec<Axis> = source.axes.iter().filter_map(|axis| self.axis(axis, &fields, &mut seen)).collect();
        if source.axes.is_empty() && !source.body.items.iter().any(|item| matches!(item, ast::BodyItem::Bad(_))) {
            self.sink.push(errors::no_axis(name));
        }
        self.varied_below(&axes, &bases, &fields);
        let is_incomplete = axes.len() < source.axes.len() || mixins.len() < source.mixins.len();
        let known = Known { enums: &self.program.enums, bindings: &self.program.bindings, module: Some(&self.module) };
        let mut typer = Typer { known, schema: &fields, group: GroupId(0), below: None, sink: self.sink };
        let filters = source.filters.iter().map(|filter| typer.condition(filter)).collect();
        let point_name = source.point_name.as_ref().map(|name| typer.template(name));
        let limit = source.limit.as_ref().and_then(|limit| {
            let count = typer.count(limit)?;
            count.to_usize().filter(|count| *count > 0).or_else(|| {
                typer.sink.push(errors::bad_limit(limit.span));
                None
            })
        });
        if let Some(sweep) = self.program.sweeps.get_mut(id.index()) {
            let schema = Some(id_of_schema);
            let layer = Some(layer);
            *sweep = Sweep {
                bases,
                schema,
                mixins,
                layer,
                axes,
                filters,
                limit,
                point_name,
                is_incomplete,
                ..unsettled(source, sweep.module)
            };
        }
    }

    /// A field that varies here must not vary in a sweep below as well: its points would fall together.
    fn varied_below(&mut self, axes: &[Axis], bases: &[(Base, Span)], fields: &Schema) {
        let mut open: Vec<Base> = bases.iter().map(|base| base.0).collect();
        let mut seen: HashSet<SweepId> = HashSet::new();
        while let Some(base) = open.pop() {
            let Base::Sweep(id) = base else { continue };
            let Some(inner) = self.program.sweeps.get(id.index()).filter(|_| seen.insert(id)) else { continue };
            open.extend(inner.bases.iter().map(|base| base.0));
            for axis in axes {
                let twice = inner.axes.iter().find_map(|other| {
                    let field = axis.fields.iter().find(|field| other.fields.contains(field))?;
                    Some((other.span, *field))
                });
                if let Some((first, field)) = twice {
                    self.sink.push(errors::varies_below(axis.span, first, fields.field(field)));
                }
            }
        }
    }

    fn base(&mut self, name: ast::Ident) -> Option<Base> {
        match self.module.lookup(name.name) {
            Some(Declaration::Experiment(id)) => Some(Base::Experiment(id)),
            Some(Declaration::Sweep(id)) => Some(Base::Sweep(id)),
            Some(other) => {
                self.sink.push(errors::wrong_kind(name, other, "an experiment or a sweep"));
                None
            }
            None => {
                self.unknown(name, "experiment or sweep");
                None
            }
        }
    }

    fn schema_of(&self, base: Base) -> Option<SchemaId> {
        match base {
            Base::Experiment(id) => self.program.experiments.get(id.index())?.schema,
            Base::Sweep(id) => self.program.sweeps.get(id.index())?.schema,
        }
    }

    fn axis(&mut self, source: &ast::Axis, fields: &Arc<Schema>, seen: &mut HashMap<FieldId, Span>) -> Option<Axis> {
        let rows: Vec<Vec<ast::Expr>> = match &source.values {
            ast::AxisValues::Rows(rows) => {
                let wrong = rows.iter().find(|row| row.1.len() != source.paths.len());
                if let Some((span, row)) = wrong {
                    self.sink.push(errors::uneven_row(*span, row.len(), source.paths.len()));
                    return None;
                }
                rows.iter().map(|row| row.1.clone()).collect()
            }
            ast::AxisValues::List(ast::Expr { kind: ast::ExprKind::List(items), .. }) => {
                items.iter().map(|item| vec![item.clone()]).collect()
            }
            ast::AxisValues::List(other) => {
                let rows = self.computed_values(source, other, fields)?;
                return self.checked_axis(source, rows, seen);
            }
            ast::AxisValues::Range(range) => {
                let rows = self.whole_numbers(source, range, fields)?;
                return self.checked_axis(source, rows, seen);
            }
        };
        if rows.len() > Limit::Items.most() {
            self.sink.push(errors::limit(source.span, Limit::Items));
            return None;
        }
        let known = Known { enums: &self.program.enums, bindings: &self.program.bindings, module: Some(&self.module) };
        let mut found = Vec::with_capacity(rows.len());
        for (nth, row) in rows.iter().enumerate() {
            let mut settings: Vec<Setting> = Vec::new();
            for (path, value) in source.paths.iter().zip(row) {
                let assign = ast::Assign {
                    span: value.span,
                    is_final: None,
                    path: path.clone(),
                    op: ast::AssignOp::Set,
                    op_span: value.span,
                    value: value.clone(),
                };
                let item = ast::BodyItem::Assign(assign);
                let before = self.sink.len();
                let made = body::setting(known, fields, self.entries, &item, self.sink);
                // What is wrong with the path is wrong in every row.
                if made.is_empty() && nth == 0 && self.sink.len() > before {
                    return None;
                }
                settings.extend(made);
            }
            found.push(settings);
        }
        self.checked_axis(source, found, seen)
    }

    /// An axis none of whose fields is set elsewhere in the sweep.
    fn checked_axis(
        &mut self,
        source: &ast::Axis,
        rows: Vec<Vec<Setting>>,
        seen: &mut HashMap<FieldId, Span>,
    ) -> Option<Axis> {
        if rows.is_empty() {
            self.sink.push(errors::empty_axis(source.span));
            return None;
        }
        let mut fields = Vec::new();
        for setting in rows.first().into_iter().flatten() {
            let Change::Set(field, _) = setting.change else { continue };
            if setting.entry.is_none() {
                if let Some(first) = seen.insert(field, setting.path) {
                    self.sink.push(errors::axis_twice(setting.path, first));
                    return None;
                }
                fields.push(field);
            }
        }
        Some(Axis { span: source.span, fields, rows })
    }

    /// The field of an axis with one path, for values that are not written out one by one.
    fn axis_field(&mut self, source: &ast::Axis, fields: &Arc<Schema>) -> Option<FieldId> {
        let known = Known { enums: &self.program.enums, bindings: &self.program.bindings, module: Some(&self.module) };
        let path = source.paths.first()?;
        let typer = Typer { known, schema: fields, group: GroupId(0), below: None, sink: self.sink };
        match typer.lookup(path) {
            Some(crate::resolve::Member::Field(field)) => Some(field),
            Some(_) | None => {
                let diagnostic = errors::unknown_value(&typer, path, None);
                self.sink.extend_with(diagnostic);
                None
            }
        }
    }

    /// `in rates`, where `rates` is a `let`.
    fn computed_values(
        &mut self,
        source: &ast::Axis,
        list: &ast::Expr,
        fields: &Arc<Schema>,
    ) -> Option<Vec<Vec<Setting>>> {
        if list.kind == ast::ExprKind::Bad {
            return None;
        }
        let field = self.axis_field(source, fields)?;
        let declared = fields.field(field);
        let known = Known { enums: &self.program.enums, bindings: &self.program.bindings, module: Some(&self.module) };
        let mut typer = Typer { known, schema: fields, group: GroupId(0), below: None, sink: self.sink };
        let many = crate::resolve::Field { ty: Type::List(Box::new(declared.ty.clone())), ..declared.clone() };
        let value = typer.value(list, &many, &many.ty);
        if is_failed(&value) {
            return None;
        }
        match evaluate(&value, &mut Constants(&self.program.bindings)) {
            Ok(Data::List(items)) => {
                let row = |item: &Data| vec![set(field, declared.ty.clone(), item.clone(), source, list.span)];
                Some(items.iter().map(row).collect())
            }
            Ok(_) | Err(_) => {
                self.sink.push(errors::axis_unknown(list.span));
                None
            }
        }
    }

    /// `in 1..=4`
    fn whole_numbers(
        &mut self,
        source: &ast::Axis,
        range: &ast::Range,
        fields: &Arc<Schema>,
    ) -> Option<Vec<Vec<Setting>>> {
        let field = self.axis_field(source, fields)?;
        let declared = fields.field(field);
        let known = Known { enums: &self.program.enums, bindings: &self.program.bindings, module: Some(&self.module) };
        let mut typer = Typer { known, schema: fields, group: GroupId(0), below: None, sink: self.sink };
        let (Some(low), Some(high)) = (&range.low, &range.high) else {
            self.sink.push(errors::open_axis(range.span));
            return None;
        };
        let (low, high) = (typer.count(low)?, typer.count(high)?);
        let last = if range.inclusive { high } else { high - Decimal::ONE };
        let count = last.checked_sub(low).and_then(|steps| (steps + Decimal::ONE).to_usize()).unwrap_or(0);
        if count > Limit::Items.most() {
            self.sink.push(errors::limit(range.span, Limit::Items));
            return None;
        }
        let mut rows = Vec::with_capacity(count);
        for step in 0..count {
            let number = low + Decimal::from(step);
            match crate::resolve::fit::fit_refined(Data::Number(number), &declared.ty, &declared.refinements) {
                Ok(data) => rows.push(vec![set(field, declared.ty.clone(), data, source, range.span)]),
                Err(misfit) => {
                    self.sink.push(errors::misfit(range.span, &Data::Number(number), &misfit, declared));
                    return None;
                }
            }
        }
        Some(rows)
    }

    pub(super) fn all_tests(&mut self, tree: &'a ast::File) {
        let mut titles: HashMap<String, Span> = HashMap::new();
        for item in &tree.items {
            let ast::Item::Test(source) = item else { continue };
            let (title, span) = source.title.clone();
            if let Some(first) = titles.insert(title.clone(), span) {
                self.sink.push(errors::duplicate_title(span, &title, first));
            }
            let test = self.test(source, title, span);
            self.program.tests.push(test);
        }
    }

    fn test(&mut self, source: &'a ast::Test, title: String, span: Span) -> Test {
        let mut test = Test {
            title,
            span,
            doc: source.doc.text.clone(),
            module: self.id,
            subject: None,
            layer: None,
            expects: Vec::new(),
            errors: Vec::new(),
        };
        let Some(name) = source.subject else {
            self.sink.push(errors::test_of_nothing(span));
            return test;
        };
        let Some(subject) = self.base(name) else { return test };
        if let Base::Experiment(id) = subject
            && let Some(experiment) = self.program.experiments.get(id.index()).filter(|found| found.is_abstract)
        {
            self.sink.push(errors::test_of_abstract(name, experiment.span));
            return test;
        }
        if source.expects.is_empty() && !source.body.items.iter().any(|item| matches!(item, ast::BodyItem::Bad(_))) {
            self.sink.push(errors::empty_test(span));
        }
        let schema = self.schema_of(subject);
        let Some(fields) = schema.and_then(|id| self.program.schemas.get(id.index())).cloned() else { return test };
        test.subject = Some(subject);
        test.layer = Some(self.layer(LayerKind::Test, Name::new(&test.title), span, &fields, &source.body));
        for expect in &source.expects {
            match expect {
                ast::Expect::Holds { span, condition, message } => {
                    test.expects.push(self.expectation(*span, condition, message.as_ref(), &fields));
                }
                ast::Expect::Error { name, .. } => {
                    self.known_error(*name, &fields);
                    test.errors.push((name.name, name.span));
                }
            }
        }
        test
    }

    fn expectation(
        &mut self,
        span: Span,
        condition: &ast::Expr,
        message: Option<&ast::Template>,
        fields: &Schema,
    ) -> Rule {
        let check = ast::Check {
            span,
            head: span,
            doc: ast::Doc::default(),
            warn: false,
            name: ast::Ident { name: Name::new("expect"), span },
            condition: condition.clone(),
            when: None,
            message: message.cloned(),
            help: None,
            fix: None,
            upstream: None,
        };
        let known = Known { enums: &self.program.enums, bindings: &self.program.bindings, module: Some(&self.module) };
        schema::rule(known, fields, GroupId(0), &check, self.sink)
    }

    /// The name of a rule must be one; a code is taken as it is, since it may be of a later stage.
    fn known_error(&mut self, name: ast::Ident, fields: &Schema) {
        if name.name.as_str().contains("::") {
            return;
        }
        let layers = self.program.layers.iter().flat_map(|layer| &layer.rules);
        let elements = fields.keyed.iter().flat_map(|keyed| &keyed.element.rules);
        let known: HashSet<Name> = fields.rules.iter().chain(elements).chain(layers).map(|rule| rule.name).collect();
        if !known.contains(&name.name) {
            let mut names: Vec<&str> = known.iter().map(|name| name.as_str()).collect();
            names.sort_unstable();
            self.sink.push(errors::unknown_rule(name, &names));
        }
    }
}

/// One setting of a point that is not written out.
fn set(field: FieldId, ty: Type, data: Data, source: &ast::Axis, span: Span) -> Setting {
    let value = Expr { span, ty, kind: ExprKind::Const(data) };
    let path = source.paths.first().map_or(span, |path| path.span);
    Setting { change: Change::Set(field, value), path, span, is_final: None, entry: None }
}
