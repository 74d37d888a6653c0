//! Names for types and values: `type`, `let` and `input`, each after what it needs; and values for inputs.

use std::collections::HashMap;

use crate::base::{Name, Span};
use crate::diag::Sink;
use crate::resolve::declare::Declaring;
use crate::resolve::eval::{Constants, evaluate};
use crate::resolve::expr::{Expr, ExprKind};
use crate::resolve::fit::fit_refined;
use crate::resolve::order::in_order;
use crate::resolve::schema;
use crate::resolve::typing::{Known, Typer, is_failed};
use crate::resolve::{Alias, AliasId, Binding, BindingId, BindingKind, Field, GroupId, Program, errors};
use crate::syntax::ast;
use crate::types::{Data, OpError, Refinement, Type, Unknown};

/// A declaration that names a type or a value.
#[derive(Clone, Copy)]
pub(super) enum Source<'a> {
    Alias(AliasId, &'a ast::TypeAlias),
    Let(BindingId, &'a ast::Let),
    Input(BindingId, &'a ast::Input),
}

impl Source<'_> {
    fn name(&self) -> ast::Ident {
        match self {
            Source::Alias(_, source) => source.name,
            Source::Let(_, source) => source.name,
            Source::Input(_, source) => source.name,
        }
    }

    /// Every name that it mentions.
    fn mentions(&self, name: &mut dyn FnMut(Name)) {
        let (ty, refinements, value) = match self {
            Source::Alias(_, source) => (Some(&source.ty), &source.refinements, None),
            Source::Let(_, source) => (source.ty.as_ref(), &source.refinements, Some(&source.value)),
            Source::Input(_, source) => (Some(&source.ty), &source.refinements, source.default.as_ref()),
        };
        ty.into_iter().for_each(|ty| type_mentions(ty, name));
        for refinement in refinements {
            match &refinement.kind {
                ast::RefinementKind::Compare(_, end) | ast::RefinementKind::MultipleOf(end) => end.names(name),
                ast::RefinementKind::Range(range) => {
                    range.low.iter().chain(&range.high).for_each(|end| end.names(name));
                }
                ast::RefinementKind::Matches(..) => {}
            }
        }
        value.into_iter().for_each(|value| value.names(name));
    }
}

fn type_mentions(ty: &ast::TypeExpr, name: &mut dyn FnMut(Name)) {
    match &ty.kind {
        ast::TypeExprKind::Named(ident) => name(ident.name),
        ast::TypeExprKind::List(inner) | ast::TypeExprKind::Map(inner) | ast::TypeExprKind::Optional(inner) => {
            type_mentions(inner, name);
        }
        ast::TypeExprKind::Union(parts) => parts.iter().for_each(|part| type_mentions(part, name)),
    }
}

impl<'a> Declaring<'a> {
    /// Works out what a module names, each after what it needs. What stands in a circle has no type and no value.
    pub(super) fn all_bindings(&mut self, sources: &[Source<'a>]) {
        let at: HashMap<Name, usize> = sources.iter().enumerate().map(|(at, it)| (it.name().name, at)).collect();
        let needs: Vec<Vec<usize>> = sources
            .iter()
            .map(|source| {
                let mut needs = Vec::new();
                source.mentions(&mut |name| needs.extend(at.get(&name)));
                needs
            })
            .collect();
        let (order, circles) = in_order(&needs);
        for circle in &circles {
            let steps: Vec<ast::Ident> = circle.iter().filter_map(|&at| Some(sources.get(at)?.name())).collect();
            self.sink.push(errors::binding_cycle(&steps));
        }
        for at in order {
            let Some(&source) = sources.get(at) else { continue };
            let in_circle = circles.iter().any(|circle| circle.contains(&at));
            match source {
                Source::Alias(..) | Source::Let(..) | Source::Input(..) if in_circle => {}
                Source::Alias(id, source) => self.alias_type(id, source),
                Source::Let(id, source) => self.let_value(id, source),
                Source::Input(id, source) => self.input_type(id, source),
            }
            if let Source::Let(id, _) | Source::Input(id, _) = source {
                self.program.binding_order.push(id);
            }
        }
    }

    /// A type with its refinements, read as that of a field of this name.
    fn field(&mut self, name: ast::Ident, ty: &ast::TypeExpr, refinements: &[ast::Refinement]) -> Option<Field> {
        schema::alone(name, ty, refinements, self)
    }

    fn alias_type(&mut self, id: AliasId, source: &ast::TypeAlias) {
        let Some(field) = self.field(source.name, &source.ty, &source.refinements) else { return };
        if let Some(alias) = self.program.aliases.get_mut(id.index()) {
            alias.ty = Some(field.ty);
            alias.refinements = field.refinements;
        }
    }

    fn let_value(&mut self, id: BindingId, source: &ast::Let) {
        let field = match &source.ty {
            Some(ty) => match self.field(source.name, ty, &source.refinements) {
                Some(field) => Some(field),
                None => return,
            },
            None => None,
        };
        let empty = schema::bare(source.name.name, source.name.span);
        let known = Known { enums: &self.program.enums, bindings: &self.program.bindings, module: Some(&self.module) };
        let mut typer = Typer { known, schema: &empty, group: GroupId(0), below: None, sink: self.sink };
        let value = match &field {
            Some(field) => typer.value(&source.value, field, &field.ty),
            None => typer.infer(&source.value, None),
        };
        let (ty, refinements) = match field {
            Some(field) => (field.ty, field.refinements),
            None => (value.ty.clone(), Vec::new()),
        };
        let data = match is_failed(&value) {
            true => Data::Failed,
            false => constant(&self.program.bindings, &value, &ty, &refinements, self.sink),
        };
        let varies = varies(&self.program.bindings, &value);
        if let Some(binding) = self.program.bindings.get_mut(id.index()) {
            let kind = BindingKind::Let(value);
            *binding = Binding { ty, refinements, kind, value: data, varies, ..binding.clone() };
        }
    }

    fn input_type(&mut self, id: BindingId, source: &ast::Input) {
        let Some(field) = self.field(source.name, &source.ty, &source.refinements) else { return };
        let empty = schema::bare(source.name.name, source.name.span);
        let known = Known { enums: &self.program.enums, bindings: &self.program.bindings, module: Some(&self.module) };
        let mut typer = Typer { known, schema: &empty, group: GroupId(0), below: None, sink: self.sink };
        let default = source.default.as_ref().map(|default| typer.value(default, &field, &field.ty));
        let (is_secret, name) = (source.secret.is_some(), source.name.name);
        let value = match &default {
            Some(_) if is_secret => Data::Unknown(Unknown::Secret(name)),
            Some(default) if is_failed(default) => Data::Failed,
            Some(default) => constant(&self.program.bindings, default, &field.ty, &field.refinements, self.sink),
            None if field.ty.is_optional() => Data::None,
            None => Data::Unknown(Unknown::NotGiven(name)),
        };
        if let Some(binding) = self.program.bindings.get_mut(id.index()) {
            let env = source.env.as_ref().map(|env| env.0.clone());
            let kind = BindingKind::Input { default, env, is_secret };
            let Field { ty, refinements, .. } = field;
            *binding = Binding { ty, refinements, kind, value, varies: true, ..binding.clone() };
        }
    }
}

/// Whether an expression that reads no field may have another value in another run.
pub(super) fn varies(bindings: &[Binding], expr: &Expr) -> bool {
    let mut found = false;
    expr.walk(&mut |part| {
        if let ExprKind::Binding(id) = part.kind {
            found |= bindings.get(id.index()).is_some_and(|binding| binding.varies);
        }
    });
    found
}

/// The value of an expression that reads no field.
fn constant(bindings: &[Binding], value: &Expr, ty: &Type, refinements: &[Refinement], sink: &mut Sink) -> Data {
    match evaluate(value, &mut Constants(bindings)) {
        Ok(data) => match fit_refined(data.clone(), ty, refinements) {
            Ok(data) => data,
            // A value that does not fit was complained about where it is written out.
            Err(_) => Data::Failed,
        },
        Err(error) => match error.error {
            OpError::Unknown(unknown) => Data::Unknown(unknown),
            _ => {
                sink.extend_with(errors::no_value(&error));
                Data::Failed
            }
        },
    }
}

/// A placeholder for a declaration that is worked out later.
pub(super) fn unsettled(name: ast::Ident, doc: &ast::Doc) -> Binding {
    Binding {
        name: name.name,
        span: name.span,
        doc: doc.text.clone(),
        ty: Type::Int,
        refinements: Vec::new(),
        kind: BindingKind::Let(Expr::failed(name.span, Type::Int)),
        value: Data::Failed,
        varies: false,
    }
}

/// The same for a type.
pub(super) fn unsettled_alias(source: &ast::TypeAlias) -> Alias {
    Alias {
        name: source.name.name,
        span: source.name.span,
        doc: source.doc.text.clone(),
        ty: None,
        refinements: Vec::new(),
    }
}

/// A value for an input, from outside the program.
#[derive(Clone, Debug)]
pub struct Given {
    /// The input.
    pub input: BindingId,
    /// Where its text stands; of a secret only what stands for it.
    pub span: Span,
    /// The text, read. That of a secret goes no further than its type and refinements.
    pub value: ast::Expr,
}

/// Gives inputs their values, and the `let`s and defaults that read them theirs.
pub fn give(program: &mut Program, given: &[Given], sink: &mut Sink) {
    for given in given {
        let Some(binding) = program.bindings.get(given.input.index()) else { continue };
        let BindingKind::Input { is_secret, .. } = binding.kind else { continue };
        let field = field_of(binding);
        let mut found = Sink::default();
        let empty = schema::bare(binding.name, binding.span);
        let known = Known { enums: &program.enums, bindings: &program.bindings, module: None };
        let mut typer = Typer { known, schema: &empty, group: GroupId(0), below: None, sink: &mut found };
        let value = typer.value(&given.value, &field, &field.ty);
        let data = evaluate(&value, &mut Constants(&program.bindings)).unwrap_or(Data::Failed);
        let data = match (is_secret, data.is_failed()) {
            // What is wrong with a secret would show a part of it.
            (true, true) => {
                sink.push(errors::secret_misfit(given.span, binding));
                Data::Failed
            }
            (true, false) => Data::Unknown(Unknown::Secret(binding.name)),
            (false, _) => {
                sink.extend(found);
                data
            }
        };
        if let Some(binding) = program.bindings.get_mut(given.input.index()) {
            binding.value = data;
        }
    }
    for id in program.binding_order.clone() {
        let Some(binding) = program.bindings.get(id.index()) else { continue };
        let value = match &binding.kind {
            BindingKind::Let(value) => value,
            // A default may read another input; what was given itself stays.
            BindingKind::Input { default: Some(value), is_secret: false, .. }
                if !given.iter().any(|given| given.input == id) =>
            {
                value
            }
            BindingKind::Input { default, is_secret, .. } => {
                // As if nothing had been given before.
                let value = match default {
                    _ if given.iter().any(|given| given.input == id) => continue,
                    Some(_) if *is_secret => Data::Unknown(Unknown::Secret(binding.name)),
                    Some(_) => continue,
                    None if binding.ty.is_optional() => Data::None,
                    None => Data::Unknown(Unknown::NotGiven(binding.name)),
                };
                if let Some(binding) = program.bindings.get_mut(id.index()) {
                    binding.value = value;
                }
                continue;
            }
        };
        if !binding.varies {
            continue;
        }
        if is_failed(value) {
            continue;
        }
        let mut found = Sink::default();
        let data = match evaluate(value, &mut Constants(&program.bindings)) {
            Ok(data) => match fit_refined(data.clone(), &binding.ty, &binding.refinements) {
                Ok(data) => data,
                Err(misfit) => {
                    found.push(errors::misfit(value.span, &data, &misfit, &field_of(binding)));
                    Data::Failed
                }
            },
            Err(error) => match error.error {
                OpError::Unknown(unknown) => Data::Unknown(unknown),
                _ => {
                    found.extend_with(errors::no_value(&error));
                    Data::Failed
                }
            },
        };
        sink.extend(found);
        if let Some(binding) = program.bindings.get_mut(id.index()) {
            binding.value = data;
        }
    }
}

/// A binding as a field, for messages.
fn field_of(binding: &Binding) -> Field {
    Field {
        name: binding.name,
        path: binding.name,
        group: GroupId(0),
        ty: binding.ty.clone(),
        refinements: binding.refinements.clone(),
        default: None,
        flag: None,
        yaml: None,
        renamed_from: None,
        deprecated: None,
        is_computed: false,
        derives: Vec::new(),
        doc: binding.doc.clone(),
        span: binding.span,
    }
}
