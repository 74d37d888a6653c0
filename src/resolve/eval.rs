//! The value of an expression, given the values of fields.

use rust_decimal::Decimal;

use crate::base::Span;
use crate::resolve::FieldId;
use crate::resolve::expr::{Expr, ExprKind};
use crate::types::{Data, OpError, Operator, apply, call};

/// Where an expression finds the values that it speaks of.
pub trait Values {
    /// The final value of a field.
    fn field(&mut self, field: FieldId) -> Data;
    /// The value below the layer that the expression belongs to.
    fn below(&mut self) -> Data;
}

/// No values at all: for expressions that are written out.
pub struct NoValues;

impl Values for NoValues {
    fn field(&mut self, _: FieldId) -> Data {
        Data::Failed
    }

    fn below(&mut self) -> Data {
        Data::Failed
    }
}

/// Why an expression has no value, and which part of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EvalError {
    /// The smallest part at fault.
    pub span: Span,
    /// Why.
    pub error: OpError,
}

/// The value of `expr`. `and`, `or` and `if` look only at what they need.
///
/// # Errors
/// An operator that has no value for its operands; [`OpError::Failed`] where a value was complained about already.
pub fn evaluate(expr: &Expr, values: &mut dyn Values) -> Result<Data, EvalError> {
    let fail = |error| EvalError { span: expr.span, error };
    let truth = |data: Data| match data {
        Data::Bool(value) => Ok(value),
        Data::None => Err(fail(OpError::None)),
        Data::Failed | Data::Number(_) | Data::Quantity(..) | Data::Text(_) | Data::Enum(..) | Data::List(_) => {
            Err(fail(OpError::Failed))
        }
    };
    match &expr.kind {
        ExprKind::Const(data) => failed_or(data.clone(), expr.span),
        ExprKind::Field(field) => failed_or(values.field(*field), expr.span),
        ExprKind::Super => failed_or(values.below(), expr.span),
        ExprKind::List(items) => {
            let items: Result<Vec<Data>, EvalError> = items.iter().map(|item| evaluate(item, values)).collect();
            Ok(Data::List(items?.into()))
        }
        ExprKind::Negate(inner) => {
            let zero = Data::Number(Decimal::ZERO);
            apply(Operator::Subtract, &zero, &evaluate(inner, values)?).map_err(fail)
        }
        ExprKind::Not(inner) => Ok(Data::Bool(!truth(evaluate(inner, values)?)?)),
        ExprKind::And(left, right) => {
            Ok(Data::Bool(truth(evaluate(left, values)?)? && truth(evaluate(right, values)?)?))
        }
        ExprKind::Or(left, right) => {
            Ok(Data::Bool(truth(evaluate(left, values)?)? || truth(evaluate(right, values)?)?))
        }
        ExprKind::Binary(operator, left, right) => {
            let (left, right) = (evaluate(left, values)?, evaluate(right, values)?);
            apply(*operator, &left, &right).map_err(fail)
        }
        ExprKind::InList(value, list) => {
            let value = evaluate(value, values)?;
            match evaluate(list, values)? {
                Data::List(items) => {
                    let found = items.iter().any(|item| apply(Operator::Equal, item, &value) == Ok(Data::Bool(true)));
                    Ok(Data::Bool(found))
                }
                Data::None => Err(fail(OpError::None)),
                other => Err(fail(OpError::Mismatch(value.to_string(), other.to_string()))),
            }
        }
        ExprKind::InRange { value, low, high, inclusive } => {
            let value = evaluate(value, values)?;
            let mut holds = |end: &Option<Box<Expr>>, operator| match end {
                Some(end) => truth(apply(operator, &value, &evaluate(end, values)?).map_err(fail)?),
                None => Ok(true),
            };
            let below = if *inclusive { Operator::LessEqual } else { Operator::Less };
            Ok(Data::Bool(holds(low, Operator::GreaterEqual)? && holds(high, below)?))
        }
        ExprKind::IsSet(inner, wanted) => {
            let there = evaluate(inner, values)? != Data::None;
            Ok(Data::Bool(there == *wanted))
        }
        ExprKind::If(condition, then, otherwise) => {
            let branch = if truth(evaluate(condition, values)?)? { then } else { otherwise };
            evaluate(branch, values)
        }
        ExprKind::Call(function, arguments) => {
            let arguments: Result<Vec<Data>, EvalError> = arguments.iter().map(|item| evaluate(item, values)).collect();
            call(*function, &arguments?).map_err(fail)
        }
    }
}

fn failed_or(data: Data, span: Span) -> Result<Data, EvalError> {
    if data.is_failed() { Err(EvalError { span, error: OpError::Failed }) } else { Ok(data) }
}
