//! The range that a number can have, whatever its inputs turn out to be: enough to know that some values never fit.
//!
//! Everything here is cautious: what is not understood can be any number, ends that are left out are taken along, and a range
//! is only ever too wide.

use rust_decimal::Decimal;

use crate::resolve::expr::{Expr, ExprKind};
use crate::resolve::{Field, Schema};
use crate::types::{Bound, Data, Function, Operator, Refinement, Type};

/// Numbers between two ends, both included; an absent end is as far as it goes.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Range {
    low: Option<Decimal>,
    high: Option<Decimal>,
}

/// Why a value never fits.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Never {
    /// The condition that it breaks.
    pub(super) refinement: Refinement,
    /// All that it can be, in words that follow "is always".
    pub(super) range: Refinement,
}

/// Why `expr`, which reads fields, can't ever be a value of `field`.
pub(super) fn misfit(expr: &Expr, schema: &Schema, field: &Field, ty: &Type) -> Option<Never> {
    if ty != &field.ty || !(ty.is_number() || ty.dimensions().is_some()) {
        return None;
    }
    let range = range(expr, schema, field)?;
    let broken = field.refinements.iter().find(|refinement| !can_hold(refinement, range))?;
    let bound = |value: Decimal| Bound { value, inclusive: true };
    let words = Refinement::Range { low: range.low.map(bound), high: range.high.map(bound), span: expr.span };
    Some(Never { refinement: broken.clone(), range: words })
}

fn can_hold(refinement: &Refinement, range: Range) -> bool {
    match refinement {
        Refinement::Range { low, high, .. } => {
            let above = |bound: &Bound, high: Decimal| high > bound.value || bound.inclusive && high == bound.value;
            let below = |bound: &Bound, low: Decimal| low < bound.value || bound.inclusive && low == bound.value;
            let low_holds = low.as_ref().zip(range.high).is_none_or(|(bound, high)| above(bound, high));
            let high_holds = high.as_ref().zip(range.low).is_none_or(|(bound, low)| below(bound, low));
            low_holds && high_holds
        }
        Refinement::MultipleOf { .. } | Refinement::Matches { .. } => true,
    }
}

/// `below` is the field that `super` stands for.
fn range(expr: &Expr, schema: &Schema, below: &Field) -> Option<Range> {
    let of = |expr: &Expr| range(expr, schema, below);
    match &expr.kind {
        ExprKind::Const(Data::Number(value) | Data::Quantity(value, _)) => Some(point(*value)),
        ExprKind::Field(field) => declared(schema.field(*field)),
        ExprKind::Super => declared(below),
        ExprKind::Negate(inner) => of(inner).and_then(|inner| subtract(point(Decimal::ZERO), inner)),
        ExprKind::Binary(operator, left, right) => {
            let (left, right) = (of(left)?, of(right)?);
            match operator {
                Operator::Add => add(left, right),
                Operator::Subtract => subtract(left, right),
                Operator::Multiply => multiply(left, right),
                Operator::Divide => divide(left, right),
                Operator::FloorDivide => divide(left, right).map(floor),
                // With the sign of the divisor.
                Operator::Remainder => match (right.low, right.high) {
                    (Some(low), high) if low >= Decimal::ZERO => Some(Range { low: Some(Decimal::ZERO), high }),
                    _ => None,
                },
                Operator::Equal
                | Operator::NotEqual
                | Operator::Less
                | Operator::LessEqual
                | Operator::Greater
                | Operator::GreaterEqual => None,
            }
        }
        ExprKind::If(_, then, otherwise) => {
            let (then, otherwise) = (of(then)?, of(otherwise)?);
            Some(Range { low: least(then.low, otherwise.low), high: greatest(then.high, otherwise.high) })
        }
        ExprKind::Call(Function::Floor, arguments) => of(arguments.first()?).map(floor),
        ExprKind::Call(Function::Ceil | Function::Round, arguments) => {
            let inner = of(arguments.first()?)?;
            Some(Range { low: inner.low.map(|low| low.floor()), high: inner.high.map(|high| high.ceil()) })
        }
        ExprKind::Call(Function::Min, arguments) => {
            let mut ranges = arguments.iter().map(of);
            let first = ranges.next()??;
            ranges.try_fold(first, |all, next| {
                let next = next?;
                let high = match (all.high, next.high) {
                    (Some(a), Some(b)) => Some(a.min(b)),
                    (a, b) => a.or(b),
                };
                Some(Range { low: least(all.low, next.low), high })
            })
        }
        ExprKind::Call(Function::Max, arguments) => {
            let mut ranges = arguments.iter().map(of);
            let first = ranges.next()??;
            ranges.try_fold(first, |all, next| {
                let next = next?;
                let low = match (all.low, next.low) {
                    (Some(a), Some(b)) => Some(a.max(b)),
                    (a, b) => a.or(b),
                };
                Some(Range { low, high: greatest(all.high, next.high) })
            })
        }
        ExprKind::Const(_)
        | ExprKind::Binding(_)
        | ExprKind::Each(..)
        | ExprKind::Entry(..)
        | ExprKind::Keys(_)
        | ExprKind::List(_)
        | ExprKind::Not(_)
        | ExprKind::And(..)
        | ExprKind::Or(..)
        | ExprKind::InList(..)
        | ExprKind::InRange { .. }
        | ExprKind::IsSet(..)
        | ExprKind::Call(
            Function::Len | Function::RoundUp | Function::Iterations | Function::NearestDivisor | Function::Interleave,
            _,
        ) => None,
    }
}

/// What the refinements of a field leave of the numbers.
fn declared(field: &Field) -> Option<Range> {
    if !(field.ty.is_number() || field.ty.dimensions().is_some()) {
        return None;
    }
    let mut range = Range { low: None, high: None };
    // The whole number next to an end that does not belong to the range.
    let whole = field.ty.required() == &Type::Int
        || field.ty.dimensions().is_some_and(|set| set.iter().all(|dimension| dimension.is_count()));
    let inner = |bound: &Bound, step: Decimal| match whole && !bound.inclusive && bound.value.fract().is_zero() {
        true => bound.value.checked_add(step).unwrap_or(bound.value),
        false => bound.value,
    };
    for refinement in &field.refinements {
        if let Refinement::Range { low, high, .. } = refinement {
            range.low = low.as_ref().map(|bound| inner(bound, Decimal::ONE)).max(range.low);
            let high = high.as_ref().map(|bound| inner(bound, Decimal::NEGATIVE_ONE));
            range.high = match (high, range.high) {
                (Some(a), Some(b)) => Some(a.min(b)),
                (a, b) => a.or(b),
            };
        }
    }
    Some(range)
}

fn point(value: Decimal) -> Range {
    Range { low: Some(value), high: Some(value) }
}

/// The lesser of two ends, of which an absent one is below all numbers.
fn least(a: Option<Decimal>, b: Option<Decimal>) -> Option<Decimal> {
    a.zip(b).map(|(a, b)| a.min(b))
}

fn greatest(a: Option<Decimal>, b: Option<Decimal>) -> Option<Decimal> {
    a.zip(b).map(|(a, b)| a.max(b))
}

fn floor(range: Range) -> Range {
    Range { low: range.low.map(|low| low.floor()), high: range.high.map(|high| high.floor()) }
}

/// An end that can't be computed is no end.
fn add(a: Range, b: Range) -> Option<Range> {
    let sum = |a: Option<Decimal>, b: Option<Decimal>| a.zip(b).and_then(|(a, b)| a.checked_add(b));
    Some(Range { low: sum(a.low, b.low), high: sum(a.high, b.high) })
}

fn subtract(a: Range, b: Range) -> Option<Range> {
    let difference = |a: Option<Decimal>, b: Option<Decimal>| a.zip(b).and_then(|(a, b)| a.checked_sub(b));
    Some(Range { low: difference(a.low, b.high), high: difference(a.high, b.low) })
}

fn multiply(a: Range, b: Range) -> Option<Range> {
    let at_least_zero = |range: Range| range.low.is_some_and(|low| low >= Decimal::ZERO);
    let at_most_zero = |range: Range| range.high.is_some_and(|high| high <= Decimal::ZERO);
    let product = |a: Option<Decimal>, b: Option<Decimal>| a.zip(b).and_then(|(a, b)| a.checked_mul(b));
    let negated = |range: Range| subtract(point(Decimal::ZERO), range);
    // Nothing times anything is nothing; a zero is also its own negative, which below would go round and round.
    let zero = point(Decimal::ZERO);
    if a == zero || b == zero {
        return Some(zero);
    }
    match (at_least_zero(a), at_least_zero(b)) {
        (true, true) => Some(Range { low: product(a.low, b.low), high: product(a.high, b.high) }),
        _ if at_most_zero(a) => multiply(negated(a)?, b).and_then(negated),
        (true, false) if at_most_zero(b) => multiply(a, negated(b)?).and_then(negated),
        _ => None,
    }
}

/// Only by what is above zero.
fn divide(a: Range, b: Range) -> Option<Range> {
    let (low, high) = (b.low.filter(|low| *low > Decimal::ZERO), b.high);
    let quotient = |a: Option<Decimal>, b: Option<Decimal>| a.zip(b).and_then(|(a, b)| a.checked_div(b));
    match (a.low, a.high) {
        (Some(least), _) if least >= Decimal::ZERO => {
            let smallest = high.and_then(|high| least.checked_div(high)).unwrap_or(Decimal::ZERO);
            Some(Range { low: Some(smallest), high: quotient(a.high, low) })
        }
        (_, Some(most)) if most <= Decimal::ZERO => {
            let largest = high.and_then(|high| most.checked_div(high)).unwrap_or(Decimal::ZERO);
            Some(Range { low: quotient(a.low, low), high: Some(largest) })
        }
        _ => None,
    }
    .filter(|_| b.low.is_some_and(|low| low >= Decimal::ZERO))
}
