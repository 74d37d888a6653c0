//! Expressions: names to fields and enum values, literals to values of the type that is wanted, types checked.

use rust_decimal::Decimal;

use crate::base::Span;
use crate::diag::Sink;
use crate::resolve::eval::{Constants, evaluate};
use crate::resolve::expr::{Expr, ExprKind, Template, TemplatePart};
use crate::resolve::fold::broken;
use crate::resolve::limits::Limit;
use crate::resolve::{
    Binding, BindingId, Declaration, Field, FieldId, GroupId, Keyed, KeyedId, Member, Module, Schema, errors,
};
use crate::syntax::ast;
use crate::types::{Data, Dimensions, EnumType, Function, Operator, Type, measure};

/// What expressions may speak of beside the fields of a schema.
#[derive(Clone, Copy)]
pub struct Known<'a> {
    /// Every enum.
    pub enums: &'a [EnumType],
    /// Every `let` and `input`.
    pub bindings: &'a [Binding],
    /// The module whose names are meant; none where no file is.
    pub module: Option<&'a Module>,
}

impl Known<'_> {
    /// The `let` or `input` of that name.
    fn binding(&self, path: &ast::Path) -> Option<(BindingId, &Binding)> {
        let ([only], Some(module)) = (path.segments.as_slice(), self.module) else { return None };
        match module.lookup(only.name)? {
            Declaration::Binding(id) => Some((id, self.bindings.get(id.index())?)),
            Declaration::Enum(_)
            | Declaration::Alias(_)
            | Declaration::Schema(_)
            | Declaration::Mixin(_)
            | Declaration::Experiment(_)
            | Declaration::Sweep(_) => None,
        }
    }
}

/// Reads expressions in one scope of one schema.
pub(super) struct Typer<'a> {
    pub(super) known: Known<'a>,
    pub(super) schema: &'a Schema,
    /// Names are looked up here first, then in the groups around it.
    pub(super) group: GroupId,
    /// The type of `super`, where there is a value below.
    pub(super) below: Option<Type>,
    pub(super) sink: &'a mut Sink,
}

/// What is wanted of an expression.
#[derive(Clone, Copy)]
pub(super) struct Wanted<'a> {
    pub(super) ty: &'a Type,
    /// The field that the value is for, where it is for one.
    pub(super) field: Option<&'a Field>,
}

impl Typer<'_> {
    /// A value for a field: of its type, and if it is written out also within its refinements.
    pub(super) fn value(&mut self, source: &ast::Expr, field: &Field, ty: &Type) -> Expr {
        let wanted = Wanted { ty, field: Some(field) };
        let expr = self.infer(source, Some(wanted));
        if is_failed(&expr) {
            return expr;
        }
        if !assignable(ty, &expr) {
            let enums = self.known.enums;
            self.sink.push(errors::wrong_type(enums, source, &expr, wanted));
            return Expr::failed(expr.span, ty.clone());
        }
        // Of a value in per cent nobody meant a hundredth.
        if let ast::ExprKind::Number(ast::Number { suffix: Some(suffix), .. }) = &source.kind
            && suffix.name.as_str() == "%"
            && let Some(data) = expr.constant()
            && let Some(refinement) = broken(field, ty, data)
        {
            self.sink.push(errors::out_of_range(expr.span, data, refinement, field));
            return Expr::failed(expr.span, ty.clone());
        }
        self.fold(expr, field, ty)
    }

    /// What `+=` and `-=` take without brackets: an item, or a `let` that is a list.
    pub(super) fn items(&mut self, source: &ast::Expr, field: &Field, item: &Type) -> Expr {
        let is_list = match &source.kind {
            ast::ExprKind::Path(path) => match (self.lookup(path), self.known.binding(path)) {
                (Some(Member::Field(read)), _) => matches!(self.schema.field(read).ty.required(), Type::List(_)),
                (None, Some((_, binding))) => matches!(binding.ty.required(), Type::List(_)),
                _ => false,
            },
            _ => false,
        };
        let ty = if is_list { field.ty.required() } else { item };
        self.value(source, field, ty)
    }

    /// A whole number that is written out or a `let`.
    pub(super) fn count(&mut self, source: &ast::Expr) -> Option<Decimal> {
        let wanted = Wanted { ty: &Type::Int, field: None };
        let expr = self.infer(source, Some(wanted));
        if is_failed(&expr) {
            return None;
        }
        match evaluate(&expr, &mut Constants(self.known.bindings)) {
            Ok(Data::Number(value)) if value.fract().is_zero() => Some(value),
            _ => {
                self.sink.push(errors::wrong_type(self.known.enums, source, &expr, wanted));
                None
            }
        }
    }

    /// An expression that is true or false.
    pub(super) fn condition(&mut self, source: &ast::Expr) -> Expr {
        let wanted = Wanted { ty: &Type::Bool, field: None };
        let expr = self.infer(source, Some(wanted));
        if !is_failed(&expr) && expr.ty.required() != &Type::Bool {
            let enums = self.known.enums;
            self.sink.push(errors::wrong_type(enums, source, &expr, wanted));
            return Expr::failed(expr.span, Type::Bool);
        }
        expr
    }

    /// A text with holes.
    pub(super) fn template(&mut self, source: &ast::Template) -> Template {
        let part = |part: &ast::TemplatePart| match part {
            ast::TemplatePart::Text(text) => TemplatePart::Text(text.clone()),
            ast::TemplatePart::Hole(expr) => TemplatePart::Hole(self.infer(expr, None)),
        };
        Template { parts: source.parts.iter().map(part).collect() }
    }

    /// The field or group that a path names, looked up from the innermost group outwards.
    pub(super) fn lookup(&self, path: &ast::Path) -> Option<Member> {
        self.locate(path).filter(|found| found.1.is_empty()).map(|found| found.0)
    }

    /// The same, up to a keyed member; the rest of the path is what lies in that.
    fn locate<'p>(&self, path: &'p ast::Path) -> Option<(Member, &'p [ast::Ident])> {
        let (first, mut rest) = path.segments.split_first()?;
        let mut group = Some(self.group);
        while let Some(at) = group {
            if let Some(member) = self.schema.member(at, first.name) {
                let mut found = member;
                while let (Member::Group(inner), Some((segment, after))) = (found, rest.split_first()) {
                    found = self.schema.member(inner, segment.name)?;
                    rest = after;
                }
                return Some((found, rest));
            }
            group = self.schema.group(at).parent;
        }
        None
    }

    /// `data.train.*.weight` and `data.train."a".weight`.
    fn entry_field(&mut self, span: Span, path: &ast::Path, id: KeyedId, rest: &[ast::Ident]) -> Option<Expr> {
        let keyed: &Keyed = self.schema.keyed.get(id.index())?;
        let (key, inner) = rest.split_first()?;
        let mut found = Member::Group(GroupId(0));
        if keyed.is_map {
            found = Member::Field(FieldId(0));
        }
        for segment in inner {
            let next = match found {
                Member::Group(group) => keyed.element.member(group, segment.name),
                Member::Field(_) | Member::Keyed(_) => None,
            };
            match next {
                Some(next) => found = next,
                None => {
                    self.sink.extend_with(errors::unknown_field(&keyed.element, GroupId(0), *segment, path));
                    return Some(Expr::failed(span, Type::Int));
                }
            }
        }
        let Member::Field(field) = found else { return None };
        let ty = keyed.element.field(field).ty.clone();
        Some(match key.is_all() {
            true => Expr { span, ty: Type::List(Box::new(ty)), kind: ExprKind::Each(id, field) },
            false => Expr { span, ty, kind: ExprKind::Entry(id, key.name, field) },
        })
    }

    /// An expression with its names resolved. Where a type is wanted, literals and names are read as of that type.
    pub(super) fn infer(&mut self, source: &ast::Expr, wanted: Option<Wanted<'_>>) -> Expr {
        let span = source.span;
        let made = |ty: Type, kind: ExprKind| Expr { span, ty, kind };
        match &source.kind {
            ast::ExprKind::Bad => Expr::failed(span, wanted_type(wanted)),
            ast::ExprKind::None => {
                let ty = wanted.map_or(Type::Optional(Box::new(Type::Int)), |wanted| wanted.ty.clone());
                let ty = if ty.is_optional() { ty } else { Type::Optional(Box::new(ty)) };
                made(ty, ExprKind::Const(Data::None))
            }
            ast::ExprKind::Bool(value) => made(Type::Bool, ExprKind::Const(Data::Bool(*value))),
            ast::ExprKind::Number(number) => self.number(span, number, wanted),
            ast::ExprKind::String(text) if text.len() > Limit::Text.most() => {
                self.sink.push(errors::limit(span, Limit::Text));
                Expr::failed(span, wanted_type(wanted))
            }
            ast::ExprKind::String(text) => {
                let ty = match wanted.map(|wanted| wanted.ty.required()) {
                    Some(Type::Path) => Type::Path,
                    Some(_) | None => Type::String,
                };
                made(ty, ExprKind::Const(Data::Text(text.as_str().into())))
            }
            ast::ExprKind::Scalar(scalar) => self.scalar(span, scalar, wanted),
            ast::ExprKind::Path(path) => self.path(span, path, wanted),
            ast::ExprKind::Super => match &self.below {
                Some(ty) => made(ty.clone(), ExprKind::Super),
                None => {
                    self.sink.push(errors::super_outside(span));
                    Expr::failed(span, wanted_type(wanted))
                }
            },
            ast::ExprKind::List(items) => self.list(span, items, wanted),
            ast::ExprKind::Unary(ast::UnaryOp::Negate, inner) => self.negate(span, inner, wanted),
            ast::ExprKind::Unary(ast::UnaryOp::Not, inner) => {
                let inner = self.condition(inner);
                made(Type::Bool, ExprKind::Not(Box::new(inner)))
            }
            ast::ExprKind::Binary(op, left, right) => self.binary(span, *op, left, right),
            ast::ExprKind::InList(value, list) => {
                let value = self.infer(value, None);
                let ty = Type::List(Box::new(value.ty.required().clone()));
                let items = self.infer(list, Some(Wanted { ty: &ty, field: None }));
                if !is_failed(&value) && !is_failed(&items) && !ty.accepts(&items.ty) {
                    self.sink.push(errors::bad_operands(span, "in", &value, &items));
                    return Expr::failed(span, Type::Bool);
                }
                made(Type::Bool, ExprKind::InList(Box::new(value), Box::new(items)))
            }
            ast::ExprKind::InRange(value, range) => {
                let value = self.infer(value, None);
                let ty = value.ty.required().clone();
                let mut end = |end: &Option<Box<ast::Expr>>| {
                    let source = end.as_deref()?;
                    let end = self.infer(source, Some(Wanted { ty: &ty, field: None }));
                    if !is_failed(&value) && !is_failed(&end) && !comparable(&value, &end, true) {
                        self.sink.push(errors::bad_operands(span, "in", &value, &end));
                        return Some(Box::new(Expr::failed(end.span, ty.clone())));
                    }
                    Some(Box::new(end))
                };
                let (low, high) = (end(&range.low), end(&range.high));
                let inclusive = range.inclusive;
                made(Type::Bool, ExprKind::InRange { value: Box::new(value), low, high, inclusive })
            }
            ast::ExprKind::IsSet(inner, there) => {
                let inner = self.infer(inner, None);
                made(Type::Bool, ExprKind::IsSet(Box::new(inner), *there))
            }
            ast::ExprKind::If(condition, then, otherwise) => {
                let condition = self.condition(condition);
                let (then, otherwise) = (self.infer(then, wanted), self.infer(otherwise, wanted));
                let is_none = |expr: &Expr| expr.constant() == Some(&Data::None);
                // The wider of the two; `none` takes the type of the other.
                let ty = match (&then.ty, &otherwise.ty) {
                    (_, ty) if is_none(&then) => ty,
                    (ty, _) if is_none(&otherwise) => ty,
                    (narrow, ty) if ty.accepts(narrow) => ty,
                    (ty, narrow) if ty.accepts(narrow) => ty,
                    _ if is_failed(&then) || is_failed(&otherwise) => return Expr::failed(span, wanted_type(wanted)),
                    _ => {
                        self.sink.push(errors::bad_operands(span, "else", &then, &otherwise));
                        return Expr::failed(span, wanted_type(wanted));
                    }
                };
                let may_be_none = then.ty.is_optional() || otherwise.ty.is_optional();
                let ty = match ty.required().clone() {
                    ty if may_be_none => Type::Optional(Box::new(ty)),
                    ty => ty,
                };
                made(ty, ExprKind::If(Box::new(condition), Box::new(then), Box::new(otherwise)))
            }
            ast::ExprKind::Call(name, arguments) => self.call(span, *name, arguments, wanted),
        }
    }

    /// A text from outside the language, as what is wanted of it.
    fn scalar(&mut self, span: Span, scalar: &ast::Scalar, wanted: Option<Wanted<'_>>) -> Expr {
        let text = scalar.text.as_str();
        let made = |ty: Type, data: Data| Expr { span, ty, kind: ExprKind::Const(data) };
        let is_none = !scalar.is_quoted && matches!(text, "none" | "null" | "Null" | "NULL" | "~" | "" | "None");
        let as_text = |ty: Type| made(ty, Data::Text(text.into()));
        let Some(wanted) = wanted else { return as_text(Type::String) };
        if is_none && wanted.ty.is_optional() {
            return made(wanted.ty.clone(), Data::None);
        }
        match (wanted.ty.required(), &scalar.number) {
            (ty @ (Type::String | Type::Path), _) => as_text(ty.clone()),
            (Type::Bool, _) if !scalar.is_quoted && is_truth(text) => {
                made(Type::Bool, Data::Bool(text.eq_ignore_ascii_case("true")))
            }
            (Type::Bool, None) if !scalar.is_quoted => {
                let segments = vec![ast::Ident { name: crate::base::Name::new(text), span }];
                self.path(span, &ast::Path { segments, span }, Some(wanted))
            }
            (Type::Enum(reference), _) => {
                let variants = self.known.enums.get(reference.id.0 as usize).map_or(&[][..], |found| &found.variants);
                match variants.iter().find(|variant| variant.spelling == text) {
                    Some(variant) => {
                        let data = Data::Enum(variant.name, variant.spelling.as_str().into());
                        made(Type::Enum(*reference), data)
                    }
                    None => {
                        let segments = vec![ast::Ident { name: crate::base::Name::new(text), span }];
                        self.path(span, &ast::Path { segments, span }, Some(wanted))
                    }
                }
            }
            (Type::Int | Type::Float | Type::Fraction | Type::Quantity(_), Some(number)) => {
                let number = ast::Expr { span, kind: ast::ExprKind::Number(number.clone()) };
                match scalar.is_negative {
                    true => self.negate(span, &number, Some(wanted)),
                    false => self.infer(&number, Some(wanted)),
                }
            }
            (
                Type::Bool
                | Type::Int
                | Type::Float
                | Type::Fraction
                | Type::Quantity(_)
                | Type::List(_)
                | Type::Optional(_),
                _,
            ) => as_text(Type::String),
        }
    }

    fn number(&mut self, span: Span, number: &ast::Number, wanted: Option<Wanted<'_>>) -> Expr {
        let ty = wanted.map(|wanted| wanted.ty.required());
        let (suffix, unit) = (number.suffix.map(|it| it.name.as_str()), number.unit.map(|it| it.name.as_str()));
        let read = match measure(number.value, suffix, unit, ty) {
            Ok(read) => read,
            Err(error) => {
                self.sink.push(errors::bad_unit(span, number, &error, wanted));
                return Expr::failed(span, wanted_type(wanted));
            }
        };
        let plain = |ty: Type| Expr { span, ty, kind: ExprKind::Const(Data::Number(read.value)) };
        let quantity = |dimension| Expr {
            span,
            ty: Type::Quantity(Dimensions::one(dimension)),
            kind: ExprKind::Const(Data::Quantity(read.value, dimension)),
        };
        // A literal is read by the field's type, so a wrong unit is known here, with the letters at hand.
        let misfit = match ty {
            Some(Type::Int | Type::Float) => read.dimension.is_some() || read.percent,
            Some(Type::Fraction) => read.dimension.is_some(),
            Some(Type::Quantity(set)) => read.percent || read.dimension.is_some_and(|it| !set.contains(it)),
            Some(Type::Bool | Type::String | Type::Path | Type::Enum(_) | Type::List(_) | Type::Optional(_)) | None => {
                false
            }
        };
        if let (true, Some(wanted)) = (misfit, wanted) {
            self.sink.push(errors::wrong_unit(span, number, &read, wanted));
            return Expr::failed(span, wanted.ty.clone());
        }
        // `28.0` for a count is a slip worth naming, though its value is whole; `1.5K` is 1500 and fine.
        let counts = match ty {
            Some(Type::Int) => true,
            Some(Type::Quantity(set)) => set.iter().all(|dimension| dimension.is_count()),
            Some(_) | None => false,
        };
        if let (true, Some(wanted)) = (counts && !is_written_whole(number, read.value), wanted) {
            self.sink.push(errors::not_whole(span, read.value, read.dimension, wanted));
            return Expr::failed(span, wanted.ty.clone());
        }
        match (read.dimension, ty) {
            (Some(dimension), _) => quantity(dimension),
            (None, Some(Type::Quantity(set))) => match (set.single(), wanted) {
                (Some(dimension), _) => quantity(dimension),
                (None, Some(wanted)) => {
                    self.sink.push(errors::no_unit(span, number, *set, wanted));
                    Expr::failed(span, wanted.ty.clone())
                }
                (None, None) => plain(Type::Int),
            },
            (None, _) if read.percent => plain(Type::Fraction),
            (None, Some(Type::Float | Type::Fraction)) => plain(Type::Float),
            (None, _) if number.fractional && !read.value.fract().is_zero() => plain(Type::Float),
            (None, _) if number.fractional && ty.is_none() => plain(Type::Float),
            (None, _) => plain(Type::Int),
        }
    }

    fn path(&mut self, span: Span, path: &ast::Path, wanted: Option<Wanted<'_>>) -> Expr {
        if let (Some(Type::Enum(reference)), [only]) =
            (wanted.map(|wanted| wanted.ty.required()), path.segments.as_slice())
        {
            let variants = self.known.enums.get(reference.id.0 as usize).map_or(&[][..], |found| &found.variants);
            if let Some(variant) = variants.iter().find(|variant| variant.name == only.name) {
                let data = Data::Enum(variant.name, variant.spelling.as_str().into());
                return Expr { span, ty: Type::Enum(*reference), kind: ExprKind::Const(data) };
            }
        }
        let binding = self.known.binding(path).map(|(id, binding)| (id, binding.ty.clone(), binding.span));
        let located = self.locate(path);
        if let (Some((id, ty, _)), None) = (&binding, located) {
            return Expr { span, ty: ty.clone(), kind: ExprKind::Binding(*id) };
        }
        if let (Some((_, _, declared)), Some((Member::Field(field), []))) = (&binding, located) {
            self.sink.push(errors::ambiguous_name(path, self.schema.field(field), *declared));
            return Expr::failed(span, wanted_type(wanted));
        }
        if let Some((Member::Keyed(keyed), rest)) = located {
            return match self.entry_field(span, path, keyed, rest) {
                Some(expr) => expr,
                None => {
                    let declared = self.schema.keyed.get(keyed.index());
                    self.sink.extend_with(declared.map(|declared| errors::keyed_as_value(path, declared)));
                    Expr::failed(span, wanted_type(wanted))
                }
            };
        }
        match self.lookup(path) {
            Some(Member::Field(field)) => {
                Expr { span, ty: self.schema.field(field).ty.clone(), kind: ExprKind::Field(field) }
            }
            Some(Member::Keyed(_)) => Expr::failed(span, wanted_type(wanted)),
            Some(Member::Group(group)) => {
                self.sink.push(errors::group_as_value(path, self.schema.group(group)));
                Expr::failed(span, wanted_type(wanted))
            }
            None => {
                let diagnostic = errors::unknown_value(self, path, wanted);
                self.sink.extend_with(diagnostic);
                Expr::failed(span, wanted_type(wanted))
            }
        }
    }

    fn list(&mut self, span: Span, items: &[ast::Expr], wanted: Option<Wanted<'_>>) -> Expr {
        let inner = match wanted.map(|wanted| (wanted.ty.required(), wanted.field)) {
            Some((Type::List(inner), field)) => Some(Wanted { ty: inner, field }),
            Some(_) | None => None,
        };
        if items.len() > Limit::Items.most() {
            self.sink.push(errors::limit(span, Limit::Items));
            return Expr::failed(span, wanted_type(wanted));
        }
        let mut typed = Vec::with_capacity(items.len());
        for source in items {
            let item = self.infer(source, inner);
            match inner {
                Some(wanted) if !is_failed(&item) && !assignable(wanted.ty, &item) => {
                    let enums = self.known.enums;
                    self.sink.push(errors::wrong_type(enums, source, &item, wanted));
                    typed.push(Expr::failed(item.span, wanted.ty.clone()));
                }
                Some(_) | None => typed.push(item),
            }
        }
        let widest = |ty: Type, item: &Expr| if ty.accepts(&item.ty) { ty } else { item.ty.clone() };
        let ty = match inner {
            Some(wanted) => wanted.ty.clone(),
            None => typed.iter().fold(typed.first().map_or(Type::Int, |first| first.ty.clone()), widest),
        };
        Expr { span, ty: Type::List(Box::new(ty)), kind: ExprKind::List(typed) }
    }

    fn negate(&mut self, span: Span, inner: &ast::Expr, wanted: Option<Wanted<'_>>) -> Expr {
        let inner = self.infer(inner, wanted);
        if is_failed(&inner) {
            return Expr::failed(span, inner.ty);
        }
        if !inner.ty.is_number() && inner.ty.dimensions().is_none() {
            self.sink.push(errors::bad_operand(span, "-", &inner));
            return Expr::failed(span, inner.ty);
        }
        Expr { span, ty: inner.ty.required().clone(), kind: ExprKind::Negate(Box::new(inner)) }
    }

    fn binary(&mut self, span: Span, op: ast::BinaryOp, left: &ast::Expr, right: &ast::Expr) -> Expr {
        let operator = match op {
            ast::BinaryOp::And | ast::BinaryOp::Or => {
                let (left, right) = (Box::new(self.condition(left)), Box::new(self.condition(right)));
                let kind =
                    if op == ast::BinaryOp::And { ExprKind::And(left, right) } else { ExprKind::Or(left, right) };
                return Expr { span, ty: Type::Bool, kind };
            }
            ast::BinaryOp::Equal => Operator::Equal,
            ast::BinaryOp::NotEqual => Operator::NotEqual,
            ast::BinaryOp::Less => Operator::Less,
            ast::BinaryOp::LessEqual => Operator::LessEqual,
            ast::BinaryOp::Greater => Operator::Greater,
            ast::BinaryOp::GreaterEqual => Operator::GreaterEqual,
            ast::BinaryOp::Add => Operator::Add,
            ast::BinaryOp::Subtract => Operator::Subtract,
            ast::BinaryOp::Multiply => Operator::Multiply,
            ast::BinaryOp::Divide => Operator::Divide,
            ast::BinaryOp::FloorDivide => Operator::FloorDivide,
            ast::BinaryOp::Remainder => Operator::Remainder,
        };
        let compares = match operator {
            Operator::Equal | Operator::NotEqual => Some(false),
            Operator::Less | Operator::LessEqual | Operator::Greater | Operator::GreaterEqual => Some(true),
            Operator::Add
            | Operator::Subtract
            | Operator::Multiply
            | Operator::Divide
            | Operator::FloorDivide
            | Operator::Remainder => None,
        };
        let (left, right) = match compares {
            Some(_) => self.compared(left, right),
            None => (self.infer(left, None), self.infer(right, None)),
        };
        let fails = is_failed(&left) || is_failed(&right);
        let ty = match compares {
            Some(ordered) => (fails || comparable(&left, &right, ordered)).then_some(Type::Bool),
            None if fails => Some(left.ty.clone()),
            None => arithmetic(operator, &left.ty, &right.ty),
        };
        match ty {
            Some(ty) => Expr { span, ty, kind: ExprKind::Binary(operator, Box::new(left), Box::new(right)) },
            None => {
                self.sink.push(errors::bad_operands(span, op.symbol(), &left, &right));
                Expr::failed(span, Type::Bool)
            }
        }
    }

    /// Two sides of a comparison: the one that names a field says how the other is to be read.
    fn compared(&mut self, left: &ast::Expr, right: &ast::Expr) -> (Expr, Expr) {
        let is_name = |expr: &ast::Expr| match &expr.kind {
            ast::ExprKind::Path(path) => self.locate(path).is_some() || self.known.binding(path).is_some(),
            _ => false,
        };
        let is_literal = |expr: &ast::Expr| matches!(expr.kind, ast::ExprKind::Path(_) | ast::ExprKind::Number(_));
        if is_literal(left) && !is_name(left) && (is_name(right) || !is_literal(right)) {
            let right = self.infer(right, None);
            let ty = right.ty.required().clone();
            let left = self.infer(left, Some(Wanted { ty: &loosened(ty), field: None }));
            return (left, right);
        }
        let left = self.infer(left, None);
        let ty = loosened(left.ty.required().clone());
        let right = self.infer(right, Some(Wanted { ty: &ty, field: None }));
        (left, right)
    }

    /// `len(data.train)`, `keys(data.train)` and `values(variables)`.
    fn keyed_call(&mut self, span: Span, name: ast::Ident, arguments: &[ast::Expr]) -> Option<Expr> {
        let [ast::Expr { kind: ast::ExprKind::Path(path), .. }] = arguments else { return None };
        let Some((Member::Keyed(id), [])) = self.locate(path) else { return None };
        let keyed = self.schema.keyed.get(id.index())?;
        let keys = |span| Expr { span, ty: Type::List(Box::new(Type::String)), kind: ExprKind::Keys(id) };
        match name.name.as_str() {
            "keys" => Some(keys(span)),
            "len" => {
                let kind = ExprKind::Call(Function::Len, vec![keys(path.span)]);
                Some(Expr { span, ty: Type::Int, kind })
            }
            "values" if keyed.is_map => {
                let ty = keyed.element.field(FieldId(0)).ty.clone();
                Some(Expr { span, ty: Type::List(Box::new(ty)), kind: ExprKind::Each(id, FieldId(0)) })
            }
            _ => None,
        }
    }

    fn call(&mut self, span: Span, name: ast::Ident, arguments: &[ast::Expr], wanted: Option<Wanted<'_>>) -> Expr {
        if let Some(expr) = self.keyed_call(span, name, arguments) {
            return expr;
        }
        let row = Function::ALL.iter().find(|row| row.1 == name.name.as_str());
        let Some(&(function, _, least, most)) = row else {
            self.sink.push(errors::unknown_function(name));
            return Expr::failed(span, wanted_type(wanted));
        };
        let arguments: Vec<Expr> = arguments.iter().map(|argument| self.infer(argument, None)).collect();
        if arguments.len() < least || arguments.len() > most {
            self.sink.push(errors::wrong_arguments(span, function, least, most, arguments.len()));
            return Expr::failed(span, wanted_type(wanted));
        }
        if arguments.iter().any(is_failed) {
            return Expr::failed(span, wanted_type(wanted));
        }
        let numeric = |expr: &Expr| expr.ty.is_number() || expr.ty.dimensions().is_some();
        let wrong = match function {
            Function::Len | Function::Interleave => {
                arguments.iter().find(|argument| !matches!(argument.ty.required(), Type::List(_)))
            }
            Function::Iterations => {
                let mut places = arguments.iter().enumerate();
                let fits = |at: usize, argument: &Expr| match at {
                    0 => argument.ty.dimensions().is_some(),
                    _ => argument.ty.is_number(),
                };
                places.find(|(at, argument)| !fits(*at, argument)).map(|found| found.1)
            }
            Function::Min
            | Function::Max
            | Function::Floor
            | Function::Ceil
            | Function::Round
            | Function::RoundUp
            | Function::NearestDivisor => arguments.iter().find(|argument| !numeric(argument)),
        };
        if let Some(wrong) = wrong {
            self.sink.push(errors::bad_operand(wrong.span, function.name(), wrong));
            return Expr::failed(span, wanted_type(wanted));
        }
        let first = arguments.first().map_or(Type::Int, |first| first.ty.required().clone());
        let ty = match function {
            Function::Floor | Function::Ceil | Function::Round if first.is_number() => Type::Int,
            Function::Floor | Function::Ceil | Function::Round | Function::RoundUp => first,
            Function::Min | Function::Max => arguments
                .iter()
                .fold(first, |ty, argument| if ty.accepts(&argument.ty) { ty } else { argument.ty.required().clone() }),
            Function::Len | Function::NearestDivisor => Type::Int,
            Function::Interleave => Type::List(Box::new(Type::String)),
            Function::Iterations => Type::Quantity(Dimensions::one(crate::types::Dimension::Iterations)),
        };
        Expr { span, ty, kind: ExprKind::Call(function, arguments) }
    }
}

/// The spellings of true and false in YAML and JSON; `yes`, `on` and their kin are none.
fn is_truth(text: &str) -> bool {
    matches!(text, "true" | "True" | "TRUE" | "false" | "False" | "FALSE")
}

/// What the value of an expression depends on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Reads {
    Nothing,
    Bindings,
    Fields,
}

pub(super) fn reads(expr: &Expr) -> Reads {
    let mut reads = Reads::Nothing;
    expr.walk(&mut |part| {
        reads = reads.max(match part.kind {
            ExprKind::Field(_) | ExprKind::Super | ExprKind::Each(..) | ExprKind::Entry(..) | ExprKind::Keys(_) => {
                Reads::Fields
            }
            ExprKind::Binding(_) => Reads::Bindings,
            ExprKind::Const(_)
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
            | ExprKind::Call(..) => Reads::Nothing,
        });
    });
    reads
}

/// Whether it was complained about as a whole.
pub(super) fn is_failed(expr: &Expr) -> bool {
    expr.constant() == Some(&Data::Failed)
}

fn wanted_type(wanted: Option<Wanted<'_>>) -> Type {
    wanted.map_or(Type::Int, |wanted| wanted.ty.clone())
}

/// In a comparison a whole number may meet one with decimals, and a quantity of several families any of them.
fn loosened(ty: Type) -> Type {
    match ty {
        Type::Int => Type::Fraction,
        Type::Float => Type::Fraction,
        Type::Bool
        | Type::Fraction
        | Type::String
        | Type::Path
        | Type::Quantity(_)
        | Type::Enum(_)
        | Type::List(_)
        | Type::Optional(_) => ty,
    }
}

/// Whether a number for a count was written without a decimal point, or became whole by its suffix.
fn is_written_whole(number: &ast::Number, value: Decimal) -> bool {
    value.fract().is_zero() && (number.value.scale() == 0 || number.suffix.is_some())
}

/// Whether an expression may stand where `ty` is wanted. A bare count is a quantity of the field's family.
fn assignable(ty: &Type, expr: &Expr) -> bool {
    if expr.constant() == Some(&Data::None) {
        return ty.is_optional();
    }
    let counted = ty.dimensions().and_then(Dimensions::single).is_some() && expr.ty.is_number();
    ty.accepts(&expr.ty) || counted
}

fn comparable(left: &Expr, right: &Expr, ordered: bool) -> bool {
    let is_none = |expr: &Expr| expr.constant() == Some(&Data::None);
    if !ordered && (is_none(left) || is_none(right)) {
        return true;
    }
    let (a, b) = (left.ty.required(), right.ty.required());
    let text = |ty: &Type| matches!(ty, Type::String | Type::Path);
    match (a.dimensions(), b.dimensions()) {
        (Some(a), Some(b)) => a.iter().any(|dimension| b.contains(dimension)),
        (Some(_), None) => b.is_number(),
        (None, Some(_)) => a.is_number(),
        (None, None) if a.is_number() && b.is_number() => true,
        (None, None) if text(a) && text(b) => true,
        (None, None) => !ordered && (a.accepts(b) || b.accepts(a)),
    }
}

fn arithmetic(operator: Operator, left: &Type, right: &Type) -> Option<Type> {
    let (left, right) = (left.required(), right.required());
    let text = |ty: &Type| matches!(ty, Type::String | Type::Path);
    if text(left) && text(right) {
        return match operator {
            Operator::Divide => Some(Type::Path),
            Operator::Add if left == right => Some(left.clone()),
            _ => None,
        };
    }
    let made = |dimension| Some(Type::Quantity(Dimensions::one(dimension)));
    match (left.dimensions(), right.dimensions()) {
        (Some(a), Some(b)) => match operator {
            Operator::Add | Operator::Subtract | Operator::Remainder if a == b => Some(left.clone()),
            Operator::Divide | Operator::FloorDivide if a == b => Some(Type::Int),
            Operator::Divide | Operator::FloorDivide => made(a.single()?.over(b.single()?)??),
            Operator::Multiply => made(a.single()?.times(b.single()?)?),
            _ => None,
        },
        (Some(_), None) if right.is_number() => Some(left.clone()),
        (None, Some(_)) if left.is_number() => match operator {
            Operator::Multiply | Operator::Add | Operator::Subtract => Some(right.clone()),
            _ => None,
        },
        (None, None) if left.is_number() && right.is_number() => {
            let whole = left == &Type::Int && right == &Type::Int;
            Some(if whole || operator == Operator::FloorDivide { Type::Int } else { Type::Float })
        }
        _ => None,
    }
}
