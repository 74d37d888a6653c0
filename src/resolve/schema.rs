//! Schemas: types, defaults and rules of fields, with the schemas of their groups worked in.

use std::collections::HashMap;
use std::sync::Arc;

use crate::base::{Name, Span};
use crate::diag::{Severity, Sink};
use crate::resolve::bindings::varies;
use crate::resolve::eval::{Constants, evaluate};
use crate::resolve::expr::{Expr, ExprKind};
use crate::resolve::limits::Limit;
use crate::resolve::typing::{Known, Typer, is_failed};
use crate::resolve::{
    Alias, Declaration, Deprecated, Derive, Field, FieldId, Flag, FlagKind, Group, GroupId, Keyed, KeyedId, Member,
    Rule, Schema, errors,
};
use crate::syntax::ast;
use crate::types::{Bound, Data, Dimension, Dimensions, EnumRef, OpError, Refinement, Type, matches};

/// How deep lists may lie in lists.
const MAX_TYPE_DEPTH: usize = 8;

fn depth(ty: &Type) -> usize {
    match ty {
        Type::List(inner) | Type::Optional(inner) => 1 + depth(inner),
        Type::Bool
        | Type::Int
        | Type::Float
        | Type::Fraction
        | Type::String
        | Type::Path
        | Type::Quantity(_)
        | Type::Enum(_) => 0,
    }
}

/// What a schema needs to know of what lies around it.
pub(super) trait Scope {
    /// What a name stands for, and where.
    fn lookup(&self, name: Name) -> Option<Declaration>;
    /// Every name that is known, for "did you mean".
    fn names(&self) -> Vec<Name>;
    /// A schema that is used as a group, worked out; none if it holds itself.
    fn group(&mut self, schema: crate::resolve::SchemaId, user: ast::Ident) -> Option<std::sync::Arc<Schema>>;
    /// What an alias stands for; none if that was complained about.
    fn alias(&self, alias: crate::resolve::AliasId) -> Option<Alias>;
    /// What expressions may speak of.
    fn known(&self) -> Known<'_>;
    /// Where complaints go.
    fn sink(&mut self) -> &mut Sink;
}

/// An empty schema of that name, to be filled by [`extend`].
pub(super) fn empty(source: &ast::Schema) -> Schema {
    let mut schema = bare(source.name.name, source.name.span);
    schema.doc.clone_from(&source.doc.text);
    if let Some(root) = schema.groups.first_mut() {
        root.doc.clone_from(&source.doc.text);
    }
    schema
}

/// The type and refinements of a field that stands in no schema.
pub(super) fn alone(
    name: ast::Ident,
    ty: &ast::TypeExpr,
    refinements: &[ast::Refinement],
    scope: &mut dyn Scope,
) -> Option<Field> {
    let mut schema = bare(name.name, name.span);
    let source = ast::Field {
        span: name.span,
        doc: ast::Doc::default(),
        name,
        ty: ty.clone(),
        refinements: refinements.to_vec(),
        default: None,
        clauses: Vec::new(),
    };
    if let ast::TypeExprKind::Named(ident) = &ty.kind
        && let Some(declared @ Declaration::Schema(_)) = scope.lookup(ident.name)
    {
        scope.sink().push(errors::wrong_kind(*ident, declared, "a type"));
        return None;
    }
    if matches!(ty.kind, ast::TypeExprKind::Map(_)) {
        scope.sink().push(errors::map_inside(ty.span));
        return None;
    }
    let id = declare(&mut schema, &source, scope)?;
    complete(&mut schema, id, &source, scope);
    schema.fields.pop()
}

/// A schema without members.
pub(super) fn bare(name: Name, span: Span) -> Schema {
    let root =
        Group { path: Name::new(""), parent: None, doc: String::new(), span, members: Vec::new(), unread: Vec::new() };
    Schema {
        name,
        span,
        doc: String::new(),
        groups: vec![root],
        fields: Vec::new(),
        keyed: Vec::new(),
        entries: Vec::new(),
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
                unread(schema, field.name.name);
            }
            ast::Member::Bad(_, Some(name)) => unread(schema, name.name),
            ast::Member::Check(_) | ast::Member::Derive(_) | ast::Member::Bad(_, None) => {}
        }
    }
    for (id, field) in added {
        complete(schema, id, field, scope);
    }
    for member in &source.members {
        if let ast::Member::Derive(derived) = member {
            derive(schema, derived, scope);
        }
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
        let rule = rule(scope.known(), schema, GroupId(0), check, &mut sink);
        scope.sink().extend(sink);
        schema.rules.push(rule);
    }
}

/// Notes a name that is declared and yet no member, so that nobody complains where it is used.
fn unread(schema: &mut Schema, name: Name) {
    if schema.member(GroupId(0), name).is_none()
        && let Some(root) = schema.groups.first_mut()
    {
        root.unread.push(name);
    }
}

/// Gives a field or a group its place and its type.
fn declare(schema: &mut Schema, field: &ast::Field, scope: &mut dyn Scope) -> Option<FieldId> {
    let name = field.name.name;
    if let Some(first) = schema.member(GroupId(0), name) {
        let span = match first {
            Member::Field(first) => schema.field(first).span,
            Member::Group(first) => schema.group(first).span,
            Member::Keyed(first) => schema.keyed.get(first.index()).map_or(field.name.span, |keyed| keyed.span),
        };
        scope.sink().push(errors::duplicate_name(field.name, span));
        return None;
    }
    if let ast::TypeExprKind::Map(value) = &field.ty.kind {
        keyed(schema, field, value, scope);
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
    let mut refinements = Vec::new();
    let ty = read_type(&field.ty, scope, &mut refinements)?;
    let id = FieldId::of(schema.fields.len());
    let end = field.refinements.last().map_or(field.ty.span, |refinement| refinement.span);
    schema.fields.push(Field {
        name,
        path: name,
        group: GroupId(0),
        ty,
        refinements,
        default: None,
        flag: None,
        yaml: None,
        renamed_from: None,
        deprecated: None,
        is_computed: false,
        derives: Vec::new(),
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

/// Works the members of `inner` into `schema`, under the name of `field`.
fn graft(schema: &mut Schema, field: &ast::Field, inner: &Schema) {
    let name = field.name.name;
    let group = GroupId::of(schema.groups.len());
    schema.place(name, GroupId(0), inner);
    if let Some(group) = schema.groups.get_mut(group.index()) {
        group.span = field.name.span;
        if !field.doc.text.is_empty() {
            group.doc.clone_from(&field.doc.text);
        }
    }
    if let Some(root) = schema.groups.first_mut() {
        root.members.push((name, Member::Group(group)));
    }
}

/// A map, or named blocks.
fn keyed(schema: &mut Schema, field: &ast::Field, value: &ast::TypeExpr, scope: &mut dyn Scope) {
    let name = field.name;
    let block = match &value.kind {
        ast::TypeExprKind::Named(ident) => match scope.lookup(ident.name) {
            Some(Declaration::Schema(inner)) => Some((inner, *ident)),
            Some(_) | None => None,
        },
        _ => None,
    };
    let more = field.default.as_ref().map(|default| default.span);
    let more = more.or(field.refinements.first().filter(|_| block.is_some()).map(|refinement| refinement.span));
    if let Some(span) = more.or(field.clauses.first().map(|clause| clause.span)) {
        scope.sink().push(errors::group_with_value(span, name));
    }
    let element = match block {
        Some((inner, user)) => match scope.group(inner, user) {
            Some(element) if !element.keyed.is_empty() => {
                scope.sink().push(errors::keyed_in_keyed(user, &element));
                return;
            }
            Some(element) => element,
            None => return,
        },
        None => {
            let mut element = bare(Name::new(""), name.span);
            let value = ast::Field { ty: value.clone(), default: None, clauses: Vec::new(), ..field.clone() };
            let Some(id) = declare(&mut element, &value, scope) else { return };
            complete(&mut element, id, &value, scope);
            Arc::new(element)
        }
    };
    let id = KeyedId::of(schema.keyed.len());
    schema.keyed.push(Keyed {
        path: name.name,
        group: GroupId(0),
        doc: field.doc.text.clone(),
        span: name.span,
        element,
        is_map: block.is_none(),
    });
    if let Some(root) = schema.groups.first_mut() {
        root.members.push((name.name, Member::Keyed(id)));
    }
}

/// Adds a derivation to its field.
fn derive(schema: &mut Schema, source: &ast::Derive, scope: &mut dyn Scope) {
    let mut sink = Sink::default();
    let known = scope.known();
    let mut typer = Typer { known, schema, group: GroupId(0), below: None, sink: &mut sink };
    let found = typer.lookup(&source.path);
    let Some(Member::Field(id)) = found else {
        let diagnostic = match found {
            Some(Member::Group(group)) => Some(errors::group_as_value(&source.path, schema.group(group))),
            Some(Member::Keyed(_) | Member::Field(_)) | None => errors::unknown_value(&typer, &source.path, None),
        };
        scope.sink().extend_with(diagnostic);
        return;
    };
    let field = schema.field(id);
    typer.below = Some(field.ty.clone());
    let value = typer.value(&source.value, field, &field.ty);
    let when = match &source.when {
        Some(when) => typer.condition(when),
        None => {
            let own = Expr { span: source.path.span, ty: field.ty.clone(), kind: ExprKind::Field(id) };
            Expr { span: source.path.span, ty: Type::Bool, kind: ExprKind::IsSet(Box::new(own), false) }
        }
    };
    let upstream = source.upstream.as_ref().map(|upstream| upstream.0.clone());
    let derive = Derive { head: source.head, doc: source.doc.text.clone(), value, when, upstream };
    scope.sink().extend(sink);
    if let Some(field) = schema.fields.get_mut(id.index()) {
        field.derives.push(derive);
    }
}

/// Refinements, default and clauses of a field.
fn complete(schema: &mut Schema, id: FieldId, source: &ast::Field, scope: &mut dyn Scope) {
    let mut sink = Sink::default();
    let field = schema.field(id).clone();
    let mut typer = Typer { known: scope.known(), schema, group: GroupId(0), below: None, sink: &mut sink };
    let bare = Field { refinements: Vec::new(), ..field.clone() };
    let item = match field.ty.required() {
        Type::List(inner) => (**inner).clone(),
        other => other.clone(),
    };
    // Those of a type alias hold first.
    let own = source.refinements.iter().filter_map(|refinement| refine(&mut typer, refinement, &bare, &item));
    let refinements: Vec<Refinement> = field.refinements.iter().cloned().chain(own).collect();
    let refined = Field { refinements: refinements.clone(), ..field.clone() };
    let default = source.default.as_ref().map(|default| typer.value(default, &refined, &field.ty));
    let mut flag = None;
    let (mut yaml, mut renamed_from, mut deprecated, mut is_computed) = (None, None, None, false);
    for clause in &source.clauses {
        match &clause.kind {
            ast::ClauseKind::Flag { spellings, kind } => {
                let spellings = spellings.iter().map(|spelling| spelling.0.clone()).collect();
                match flag_kind(*kind, &field.ty) {
                    Some(kind) => flag = Some(Flag { spellings, kind }),
                    None => sink.push(errors::bad_flag(clause.span, *kind, &field)),
                }
            }
            ast::ClauseKind::Yaml(key, place) => match is_yaml_key(key) {
                true => yaml = Some(key.clone()),
                false => sink.push(errors::bad_yaml_key(*place, key)),
            },
            ast::ClauseKind::RenamedFrom(name) => renamed_from = Some(name.name),
            ast::ClauseKind::Deprecated(source) => {
                let text = |part: &Option<(String, Span)>| part.as_ref().map(|part| part.0.clone());
                let instead = source.instead.as_ref().map(ToString::to_string);
                deprecated = Some(Deprecated { since: text(&source.since), instead, reason: text(&source.reason) });
            }
            ast::ClauseKind::Computed => match &source.default {
                Some(default) => sink.push(errors::computed_default(default.span, clause.span, &field)),
                None => is_computed = true,
            },
        }
    }
    if let Some(target) = schema.fields.get_mut(id.index()) {
        *target = Field { refinements, default, flag, yaml, renamed_from, deprecated, is_computed, ..field };
    }
    scope.sink().extend(sink);
}

/// Names with dots between them.
fn is_yaml_key(key: &str) -> bool {
    let is_name = |part: &str| {
        let mut letters = part.bytes();
        letters.next().is_some_and(|first| first.is_ascii_alphabetic() || first == b'_')
            && letters.all(|letter| letter.is_ascii_alphanumeric() || letter == b'_')
    };
    key.split('.').all(is_name)
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
    if let ast::RefinementKind::Matches(pattern, place) = &source.kind {
        if !matches!(item.required(), Type::String | Type::Path) {
            typer.sink.push(errors::bad_refinement(span, field));
            return None;
        }
        return match matches(pattern, "") {
            Ok(_) => Some(Refinement::Matches { pattern: pattern.clone(), span }),
            Err(why) => {
                typer.sink.push(errors::bad_pattern(*place, &why));
                None
            }
        };
    }
    if !item.is_number() && item.dimensions().is_none() {
        typer.sink.push(errors::bad_refinement(span, field));
        return None;
    }
    let mut number = |expr: &ast::Expr| {
        // Ends may be written with decimals also where whole numbers are bounded, and bare where any of several families
        // is meant.
        let one_family = item.dimensions().is_some_and(|set| set.single().is_some());
        let ty = if one_family { item.clone() } else { Type::Fraction };
        let end = typer.value(expr, field, &ty);
        // It is fixed before any input has a value.
        if varies(typer.known.bindings, &end) {
            typer.sink.push(errors::condition_on_input(end.span));
            return None;
        }
        // A `let` is as good as a number.
        match evaluate(&end, &mut Constants(typer.known.bindings)) {
            Ok(Data::Number(value) | Data::Quantity(value, _)) => Some(value),
            Ok(_) => None,
            Err(error) if error.error == OpError::Failed && is_failed(&end) => None,
            Err(_) => {
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
        ast::RefinementKind::Matches(..) => None,
    }
}

/// A type as written, and what its aliases say of its values.
pub(super) fn read_type(
    source: &ast::TypeExpr,
    scope: &mut dyn Scope,
    refinements: &mut Vec<Refinement>,
) -> Option<Type> {
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
                (None, Some(Declaration::Alias(id))) => {
                    let alias = scope.alias(id)?;
                    refinements.extend(alias.refinements);
                    alias.ty
                }
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
        ast::TypeExprKind::List(inner) => {
            let inner = read_type(inner, scope, refinements)?;
            if depth(&inner) >= MAX_TYPE_DEPTH {
                scope.sink().push(errors::type_too_deep(source.span, MAX_TYPE_DEPTH));
                return None;
            }
            Some(Type::List(Box::new(inner)))
        }
        ast::TypeExprKind::Map(_) => {
            scope.sink().push(errors::map_inside(source.span));
            None
        }
        ast::TypeExprKind::Optional(inner) => match read_type(inner, scope, refinements)? {
            ty @ Type::Optional(_) => Some(ty),
            ty => Some(Type::Optional(Box::new(ty))),
        },
        ast::TypeExprKind::Union(parts) => {
            let mut all: Option<Dimensions> = None;
            for part in parts {
                match read_type(part, scope, refinements)? {
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
pub(super) fn rule(known: Known<'_>, schema: &Schema, group: GroupId, source: &ast::Check, sink: &mut Sink) -> Rule {
    let mut typer = Typer { known, schema, group, below: None, sink };
    let condition = typer.condition(&source.condition);
    let when = source.when.as_ref().map(|when| typer.condition(when));
    let message = source.message.as_ref().map(|message| typer.template(message));
    let help = source.help.as_ref().map(|help| typer.template(help));
    let fix = source.fix.as_ref().and_then(|(path, value)| match typer.lookup(path) {
        Some(Member::Field(field)) => {
            let declared = schema.field(field);
            Some((field, typer.value(value, declared, &declared.ty)))
        }
        Some(Member::Group(_) | Member::Keyed(_)) | None => {
            let diagnostic = errors::unknown_value(&typer, path, None);
            typer.sink.extend_with(diagnostic);
            None
        }
    });
    let mut inputs = Vec::new();
    std::iter::once(&condition).chain(&when).for_each(|expr| expr.fields(&mut inputs));
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
