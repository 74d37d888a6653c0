//! Schemas: types, defaults and rules of fields, with the schemas of their groups worked in.

use std::collections::HashMap;

use crate::base::{Name, Span};
use crate::diag::{Severity, Sink};
use crate::resolve::expr::{Expr, ExprKind, Template, TemplatePart};
use crate::resolve::limits::Limit;
use crate::resolve::typing::Typer;
use crate::resolve::{Declaration, Field, FieldId, Flag, FlagKind, Group, GroupId, Member, Rule, Schema, errors};
use crate::syntax::ast;
use crate::types::{Bound, Data, Dimension, Dimensions, EnumRef, EnumType, Refinement, Type};

/// What a schema needs to know of what lies around it.
pub(super) trait Scope {
    /// What a name stands for, and where.
    fn lookup(&self, name: Name) -> Option<Declaration>;
    /// Every name that is known, for "did you mean".
    fn names(&self) -> Vec<Name>;
    /// A schema that is used as a group, worked out; none if it holds itself.
    fn group(&mut self, schema: crate::resolve::SchemaId, user: ast::Ident) -> Option<std::sync::Arc<Schema>>;
    /// The enums of the program.
    fn enums(&self) -> &[EnumType];
    /// Where complaints go.
    fn sink(&mut self) -> &mut Sink;
}

/// An empty schema of that name, to be filled by [`extend`].
pub(super) fn empty(source: &ast::Schema) -> Schema {
    let root = Group {
        path: Name::new(""),
        parent: None,
        doc: source.doc.text.clone(),
        span: source.name.span,
        members: Vec::new(),
    };
    Schema {
        name: source.name.name,
        span: source.name.span,
        doc: source.doc.text.clone(),
        groups: vec![root],
        fields: Vec::new(),
        rules: Vec::new(),
    }
}

/// Adds the members of a declaration to a schema: first all names, then the expressions that may speak of any of them.
pub(super) fn extend(schema: &mut Schema, source: &ast::Schema, scope: &mut dyn Scope) {
    let mut added = Vec::new();
    // Each counts once here; what a group brings along is counted where it is worked in.
    let room = match has_room(schema, source.members.len(), source.name.span, scope) {
        true => source.members.len(),
        false => Limit::Members.most().saturating_sub(size(schema)),
    };
    for member in source.members.iter().take(room) {
        match member {
            ast::Member::Field(field) => {
                if let Some(id) = declare(schema, field, scope) {
                    added.push((id, field));
                }
            }
            ast::Member::Check(_) | ast::Member::Bad(_) => {}
        }
    }
    for (id, field) in added {
        complete(schema, id, field, scope);
    }
    let mut named: HashMap<Name, Span> = schema.rules.iter().map(|rule| (rule.name, rule.head)).collect();
    for member in &source.members {
        let ast::Member::Check(check) = member else { continue };
        if let Some(&first) = named.get(&check.name.name) {
            scope.sink().push(errors::duplicate_name(check.name, first));
            continue;
        }
        named.insert(check.name.name, check.head);
        let mut sink = Sink::default();
        let rule = rule(scope.enums(), schema, GroupId(0), check, &mut sink);
        scope.sink().extend(sink);
        schema.rules.push(rule);
    }
}

/// Gives a field or a group its place and its type.
fn declare(schema: &mut Schema, field: &ast::Field, scope: &mut dyn Scope) -> Option<FieldId> {
    let name = field.name.name;
    if let Some(first) = schema.member(GroupId(0), name) {
        let span = match first {
            Member::Field(first) => schema.field(first).span,
            Member::Group(first) => schema.group(first).span,
        };
        scope.sink().push(errors::duplicate_name(field.name, span));
        return None;
    }
    if let ast::TypeExprKind::Named(ident) = &field.ty.kind
        && let Some(Declaration::Schema(inner)) = scope.lookup(ident.name)
    {
        let more = field.refinements.first().map(|refinement| refinement.span);
        let more = more.or(field.default.as_ref().map(|default| default.span));
        if let Some(span) = more.or(field.clauses.first().map(|clause| clause.span)) {
            scope.sink().push(errors::group_with_value(span, field.name));
        }
        if let Some(inner) = scope.group(inner, *ident)
            && has_room(schema, size(&inner), field.name.span, scope)
        {
            graft(schema, field, &inner);
        }
        return None;
    }
    let ty = read_type(&field.ty, scope)?;
    let id = FieldId::of(schema.fields.len());
    let end = field.refinements.last().map_or(field.ty.span, |refinement| refinement.span);
    schema.fields.push(Field {
        name,
        path: name,
        group: GroupId(0),
        ty,
        refinements: Vec::new(),
        default: None,
        flag: None,
        renamed_from: None,
        deprecated: None,
        doc: field.doc.text.clone(),
        span: field.name.span.to(end),
    });
    if let Some(root) = schema.groups.first_mut() {
        root.members.push((name, Member::Field(id)));
    }
    Some(id)
}

/// Whether a schema can take so many more members. Schemas that hold each other twice double at each level, so a few lines
/// could else fill the memory.
fn has_room(schema: &Schema, more: usize, place: Span, scope: &mut dyn Scope) -> bool {
    let fits = size(schema) + more <= Limit::Members.most();
    if !fits {
        scope.sink().push(errors::limit(place, Limit::Members));
    }
    fits
}

fn size(schema: &Schema) -> usize {
    schema.fields.len() + schema.groups.len() + schema.rules.len()
}

/// Works the fields, groups and rules of `inner` into `schema`, under the name of `field`.
fn graft(schema: &mut Schema, field: &ast::Field, inner: &Schema) {
    let name = field.name.name;
    let (first_field, first_group) = (schema.fields.len(), schema.groups.len());
    let shift_field = |id: FieldId| FieldId::of(id.index() + first_field);
    let shift_group = |id: GroupId| GroupId::of(id.index() + first_group);
    let shift_member = |member: Member| match member {
        Member::Field(id) => Member::Field(shift_field(id)),
        Member::Group(id) => Member::Group(shift_group(id)),
    };
    let under = |path: Name| {
        if path == Name::new("") { name } else { Name::new(&format!("{name}.{path}")) }
    };
    for (at, group) in inner.groups.iter().enumerate() {
        let mut group = group.clone();
        group.path = under(group.path);
        group.parent = Some(group.parent.map_or(GroupId(0), shift_group));
        group.members.iter_mut().for_each(|member| member.1 = shift_member(member.1));
        if at == 0 {
            group.span = field.name.span;
            if !field.doc.text.is_empty() {
                group.doc.clone_from(&field.doc.text);
            }
        }
        schema.groups.push(group);
    }
    for field in &inner.fields {
        let mut field = field.clone();
        field.path = under(field.path);
        field.group = shift_group(field.group);
        if let Some(default) = &mut field.default {
            shift(default, first_field);
        }
        schema.fields.push(field);
    }
    for rule in &inner.rules {
        let mut rule = rule.clone();
        rule.inputs.iter_mut().for_each(|input| *input = shift_field(*input));
        shift(&mut rule.condition, first_field);
        rule.when.iter_mut().for_each(|when| shift(when, first_field));
        [&mut rule.message, &mut rule.help].into_iter().flatten().for_each(|text| shift_template(text, first_field));
        if let Some((target, value)) = &mut rule.fix {
            *target = shift_field(*target);
            shift(value, first_field);
        }
        schema.rules.push(rule);
    }
    if let Some(root) = schema.groups.first_mut() {
        root.members.push((name, Member::Group(GroupId::of(first_group))));
    }
}

fn shift_template(template: &mut Template, by: usize) {
    for part in &mut template.parts {
        match part {
            TemplatePart::Text(_) => {}
            TemplatePart::Hole(expr) => shift(expr, by),
        }
    }
}

/// Renumbers the fields of an expression.
fn shift(expr: &mut Expr, by: usize) {
    match &mut expr.kind {
        ExprKind::Field(field) => *field = FieldId::of(field.index() + by),
        ExprKind::Const(_) | ExprKind::Super => {}
        ExprKind::List(items) | ExprKind::Call(_, items) => items.iter_mut().for_each(|item| shift(item, by)),
        ExprKind::Negate(inner) | ExprKind::Not(inner) | ExprKind::IsSet(inner, _) => shift(inner, by),
        ExprKind::And(a, b) | ExprKind::Or(a, b) | ExprKind::Binary(_, a, b) | ExprKind::InList(a, b) => {
            shift(a, by);
            shift(b, by);
        }
        ExprKind::InRange { value, low, high, .. } => {
            shift(value, by);
            [low, high].into_iter().flatten().for_each(|end| shift(end, by));
        }
        ExprKind::If(a, b, c) => [a, b, c].into_iter().for_each(|part| shift(part, by)),
    }
}

/// Refinements, default and clauses of a field.
fn complete(schema: &mut Schema, id: FieldId, source: &ast::Field, scope: &mut dyn Scope) {
    let mut sink = Sink::default();
    let field = schema.field(id).clone();
    let mut typer = Typer { enums: scope.enums(), schema, group: GroupId(0), below: None, sink: &mut sink };
    let bare = Field { refinements: Vec::new(), ..field.clone() };
    let item = match field.ty.required() {
        Type::List(inner) => (**inner).clone(),
        other => other.clone(),
    };
    let refinements: Vec<Refinement> =
        source.refinements.iter().filter_map(|refinement| refine(&mut typer, refinement, &bare, &item)).collect();
    let refined = Field { refinements: refinements.clone(), ..field.clone() };
    let default = source.default.as_ref().map(|default| typer.value(default, &refined, &field.ty));
    let mut flag = None;
    let (mut renamed_from, mut deprecated) = (None, None);
    for clause in &source.clauses {
        match &clause.kind {
            ast::ClauseKind::Flag { spellings, kind } => {
                let spellings = spellings.iter().map(|spelling| spelling.0.clone()).collect();
                match flag_kind(*kind, &field.ty) {
                    Some(kind) => flag = Some(Flag { spellings, kind }),
                    None => sink.push(errors::bad_flag(clause.span, *kind, &field)),
                }
            }
            ast::ClauseKind::RenamedFrom(name) => renamed_from = Some(name.name),
            ast::ClauseKind::Deprecated(reason, _) => deprecated = Some(reason.clone()),
        }
    }
    if let Some(target) = schema.fields.get_mut(id.index()) {
        *target = Field { refinements, default, flag, renamed_from, deprecated, ..field };
    }
    scope.sink().extend(sink);
}

fn flag_kind(word: Option<ast::Ident>, ty: &Type) -> Option<FlagKind> {
    let is_bool = ty.required() == &Type::Bool;
    let is_list = matches!(ty.required(), Type::List(_));
    match word.map(|word| word.name.as_str()) {
        None if is_bool => Some(FlagKind::StoreTrue),
        None if is_list => Some(FlagKind::Many),
        None | Some("value") => Some(FlagKind::Value),
        Some("many") if is_list => Some(FlagKind::Many),
        Some("store_true") if is_bool => Some(FlagKind::StoreTrue),
        Some("store_false") if is_bool => Some(FlagKind::StoreFalse),
        Some(_) => None,
    }
}

/// A refinement of a field whose items are of type `item`.
fn refine(typer: &mut Typer<'_>, source: &ast::Refinement, field: &Field, item: &Type) -> Option<Refinement> {
    let span = source.span;
    if !item.is_number() && item.dimensions().is_none() {
        typer.sink.push(errors::bad_refinement(span, field));
        return None;
    }
    let mut number = |expr: &ast::Expr| {
        // Ends may be written with decimals also where whole numbers are bounded, and bare where any of several families
        // is meant.
        let one_family = item.dimensions().is_some_and(|set| set.single().is_some());
        let ty = if one_family { item.clone() } else { Type::Fraction };
        match typer.value(expr, field, &ty).constant() {
            Some(Data::Number(value) | Data::Quantity(value, _)) => Some(*value),
            Some(_) => None,
            None => {
                typer.sink.push(errors::bad_refinement(expr.span, field));
                None
            }
        }
    };
    let range = |low, high| Some(Refinement::Range { low, high, span });
    match &source.kind {
        ast::RefinementKind::Compare(op, end) => {
            let mut bound = |inclusive| number(end).map(|value| Bound { value, inclusive });
            match op {
                ast::BinaryOp::Greater => range(Some(bound(false)?), None),
                ast::BinaryOp::GreaterEqual => range(Some(bound(true)?), None),
                ast::BinaryOp::Less => range(None, Some(bound(false)?)),
                ast::BinaryOp::LessEqual => range(None, Some(bound(true)?)),
                ast::BinaryOp::Or
                | ast::BinaryOp::And
                | ast::BinaryOp::Equal
                | ast::BinaryOp::NotEqual
                | ast::BinaryOp::Add
                | ast::BinaryOp::Subtract
                | ast::BinaryOp::Multiply
                | ast::BinaryOp::Divide
                | ast::BinaryOp::FloorDivide
                | ast::BinaryOp::Remainder => {
                    typer.sink.push(errors::bad_refinement(span, field));
                    None
                }
            }
        }
        ast::RefinementKind::Range(ends) => {
            let low = ends.low.as_deref().map(&mut number);
            let high = ends.high.as_deref().map(&mut number);
            let bound = |end: Option<Option<rust_decimal::Decimal>>, inclusive| match end {
                Some(None) => Err(()),
                Some(Some(value)) => Ok(Some(Bound { value, inclusive })),
                None => Ok(None),
            };
            range(bound(low, true).ok()?, bound(high, ends.inclusive).ok()?)
        }
        ast::RefinementKind::MultipleOf(factor) => match number(factor)? {
            factor if factor.is_zero() => {
                typer.sink.push(errors::bad_refinement(span, field));
                None
            }
            factor => Some(Refinement::MultipleOf { factor, span }),
        },
        ast::RefinementKind::Matches(..) => {
            typer.sink.push(errors::bad_refinement(span, field));
            None
        }
    }
}

/// A type as written.
fn read_type(source: &ast::TypeExpr, scope: &mut dyn Scope) -> Option<Type> {
    match &source.kind {
        ast::TypeExprKind::Named(ident) => {
            let builtin = match ident.name.as_str() {
                "bool" => Some(Type::Bool),
                "int" => Some(Type::Int),
                "float" => Some(Type::Float),
                "fraction" => Some(Type::Fraction),
                "string" => Some(Type::String),
                "path" => Some(Type::Path),
                other => {
                    let dimension = Dimension::ALL.into_iter().find(|dimension| dimension.name() == other);
                    dimension.map(|dimension| Type::Quantity(Dimensions::one(dimension)))
                }
            };
            match (builtin, scope.lookup(ident.name)) {
                (Some(ty), _) => Some(ty),
                (None, Some(Declaration::Enum(id))) => Some(Type::Enum(EnumRef { id, name: ident.name })),
                (None, Some(other)) => {
                    scope.sink().push(errors::wrong_kind(*ident, other, "a type"));
                    None
                }
                (None, None) => {
                    let names = scope.names();
                    scope.sink().push(errors::unknown_type(*ident, &names));
                    None
                }
            }
        }
        ast::TypeExprKind::List(inner) => Some(Type::List(Box::new(read_type(inner, scope)?))),
        ast::TypeExprKind::Optional(inner) => match read_type(inner, scope)? {
            ty @ Type::Optional(_) => Some(ty),
            ty => Some(Type::Optional(Box::new(ty))),
        },
        ast::TypeExprKind::Union(parts) => {
            let mut all: Option<Dimensions> = None;
            for part in parts {
                match read_type(part, scope)? {
                    Type::Quantity(set) => all = Some(all.map_or(set, |all| all.union(set))),
                    other => {
                        scope.sink().push(errors::bad_union(part.span, &other));
                        return None;
                    }
                }
            }
            all.map(Type::Quantity)
        }
    }
}

/// A rule over the fields of a schema; names are looked up in `group` first.
pub(super) fn rule(enums: &[EnumType], schema: &Schema, group: GroupId, source: &ast::Check, sink: &mut Sink) -> Rule {
    let mut typer = Typer { enums, schema, group, below: None, sink };
    let condition = typer.condition(&source.condition);
    let when = source.when.as_ref().map(|when| typer.condition(when));
    let message = source.message.as_ref().map(|message| typer.template(message));
    let help = source.help.as_ref().map(|help| typer.template(help));
    let fix = source.fix.as_ref().and_then(|(path, value)| match typer.lookup(path) {
        Some(Member::Field(field)) => {
            let declared = schema.field(field);
            Some((field, typer.value(value, declared, &declared.ty)))
        }
        Some(Member::Group(_)) | None => {
            let diagnostic = errors::unknown_value(&typer, path, None);
            typer.sink.push(diagnostic);
            None
        }
    });
    let mut inputs = Vec::new();
    for expr in std::iter::once(&condition).chain(&when) {
        expr.walk(&mut |part| {
            if let ExprKind::Field(field) = part.kind
                && !inputs.contains(&field)
            {
                inputs.push(field);
            }
        });
    }
    Rule {
        name: source.name.name,
        severity: if source.warn { Severity::Warning } else { Severity::Error },
        head: source.head,
        doc: source.doc.text.clone(),
        condition,
        when,
        message,
        help,
        fix,
        upstream: source.upstream.as_ref().map(|upstream| upstream.0.clone()),
        inputs,
    }
}
