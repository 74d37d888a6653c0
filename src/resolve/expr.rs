//! Expressions with names resolved and types checked.

use serde::{Deserialize, Serialize};

use crate::base::{Name, Span};
use crate::resolve::{BindingId, FieldId, KeyedId};
use crate::types::{Data, Function, Operator, Type};

/// An expression over the fields of one schema.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Expr {
    /// Where it is written.
    pub span: Span,
    /// Its type.
    pub ty: Type,
    /// What it is.
    pub kind: ExprKind,
}

/// The forms of an expression.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum ExprKind {
    /// A value; [`Data::Failed`] for an expression that was complained about.
    Const(Data),
    /// The final value of a field.
    Field(FieldId),
    /// The value of a `let` or an `input`.
    Binding(BindingId),
    /// A field of every entry of a keyed member, in order: `data.train.*.weight`. Counted within the entry.
    Each(KeyedId, FieldId),
    /// A field of one entry: `data.train."a".weight`. Counted within the entry.
    Entry(KeyedId, Name, FieldId),
    /// The keys of a keyed member, in order.
    Keys(KeyedId),
    /// The value below this layer.
    Super,
    /// `[a, b]`
    List(Vec<Expr>),
    /// `-x`
    Negate(Box<Expr>),
    /// `not x`
    Not(Box<Expr>),
    /// `a and b`
    And(Box<Expr>, Box<Expr>),
    /// `a or b`
    Or(Box<Expr>, Box<Expr>),
    /// `a + b` and its kin
    Binary(Operator, Box<Expr>, Box<Expr>),
    /// `x in list`
    InList(Box<Expr>, Box<Expr>),
    /// `x in low..high`
    InRange {
        /// What is looked for.
        value: Box<Expr>,
        /// The lowest value.
        low: Option<Box<Expr>>,
        /// The end.
        high: Option<Box<Expr>>,
        /// Whether the end is in it.
        inclusive: bool,
    },
    /// `x is set` (true), `x is unset` (false): whether a value is there.
    IsSet(Box<Expr>, bool),
    /// `if c then a else b`
    If(Box<Expr>, Box<Expr>, Box<Expr>),
    /// `max(a, b)`
    Call(Function, Vec<Expr>),
}

/// Where fields and keyed members are in another schema.
pub struct Moved<'a> {
    /// A field.
    pub field: &'a dyn Fn(FieldId) -> FieldId,
    /// A keyed member.
    pub keyed: &'a dyn Fn(KeyedId) -> KeyedId,
}

/// A text with holes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Template {
    /// Its parts, in order.
    pub parts: Vec<TemplatePart>,
}

/// A part of a template.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum TemplatePart {
    /// Letters.
    Text(String),
    /// A hole.
    Hole(Expr),
}

impl Template {
    /// Gives its fields the numbers that they have in another schema.
    pub fn renumber(&mut self, to: &Moved<'_>) {
        for part in &mut self.parts {
            match part {
                TemplatePart::Text(_) => {}
                TemplatePart::Hole(expr) => expr.renumber(to),
            }
        }
    }
}

impl Expr {
    /// An expression that was complained about.
    pub fn failed(span: Span, ty: Type) -> Self {
        Expr { span, ty, kind: ExprKind::Const(Data::Failed) }
    }

    /// Its value, if it is written out.
    pub fn constant(&self) -> Option<&Data> {
        match &self.kind {
            ExprKind::Const(data) => Some(data),
            ExprKind::Field(_)
            | ExprKind::Binding(_)
            | ExprKind::Each(..)
            | ExprKind::Entry(..)
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
            | ExprKind::Call(..) => None,
        }
    }

    /// Adds the fields that it reads to a list in which each stands once.
    pub fn fields(&self, into: &mut Vec<FieldId>) {
        self.walk(&mut |part| {
            if let ExprKind::Field(field) = part.kind
                && !into.contains(&field)
            {
                into.push(field);
            }
        });
    }

    /// Gives its fields the numbers that they have in another schema.
    pub fn renumber(&mut self, to: &Moved<'_>) {
        match &mut self.kind {
            ExprKind::Field(field) => *field = (to.field)(*field),
            // The field counts within the entry, wherever that is.
            ExprKind::Each(keyed, _) | ExprKind::Entry(keyed, ..) | ExprKind::Keys(keyed) => {
                *keyed = (to.keyed)(*keyed)
            }
            ExprKind::Const(_) | ExprKind::Binding(_) | ExprKind::Super => {}
            ExprKind::List(items) | ExprKind::Call(_, items) => items.iter_mut().for_each(|item| item.renumber(to)),
            ExprKind::Negate(inner) | ExprKind::Not(inner) | ExprKind::IsSet(inner, _) => inner.renumber(to),
            ExprKind::And(a, b) | ExprKind::Or(a, b) | ExprKind::Binary(_, a, b) | ExprKind::InList(a, b) => {
                a.renumber(to);
                b.renumber(to);
            }
            ExprKind::InRange { value, low, high, .. } => {
                value.renumber(to);
                [low, high].into_iter().flatten().for_each(|end| end.renumber(to));
            }
            ExprKind::If(a, b, c) => [a, b, c].into_iter().for_each(|part| part.renumber(to)),
        }
    }

    /// Calls `visit` with it and every expression within it, outermost first.
    pub fn walk<'a>(&'a self, visit: &mut dyn FnMut(&'a Expr)) {
        visit(self);
        match &self.kind {
            ExprKind::Const(_)
            | ExprKind::Field(_)
            | ExprKind::Binding(_)
            | ExprKind::Each(..)
            | ExprKind::Entry(..)
            | ExprKind::Keys(_)
            | ExprKind::Super => {}
            ExprKind::List(items) | ExprKind::Call(_, items) => items.iter().for_each(|item| item.walk(visit)),
            ExprKind::Negate(inner) | ExprKind::Not(inner) | ExprKind::IsSet(inner, _) => inner.walk(visit),
            ExprKind::And(a, b) | ExprKind::Or(a, b) | ExprKind::Binary(_, a, b) | ExprKind::InList(a, b) => {
                a.walk(visit);
                b.walk(visit);
            }
            ExprKind::InRange { value, low, high, .. } => {
                value.walk(visit);
                low.iter().chain(high).for_each(|end| end.walk(visit));
            }
            ExprKind::If(a, b, c) => [a, b, c].into_iter().for_each(|part| part.walk(visit)),
        }
    }
}
