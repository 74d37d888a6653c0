//! The value of an expression, given the values of fields.

use rust_decimal::Decimal;

use crate::base::{Name, Span};
use crate::resolve::expr::{Expr, ExprKind};
use crate::resolve::{Binding, BindingId, FieldId, KeyedId};
use crate::types::{Data, OpError, Operator, Unknown, apply, call};

/// Where an expression finds the values that it speaks of.
pub trait Values {
    /// The final value of a field.
    fn field(&mut self, field: FieldId) -> Data;
    /// The value below the layer that the expression belongs to.
    fn below(&mut self) -> Data;
    /// The value of a `let` or an `input`.
    fn binding(&mut self, binding: BindingId) -> Data;
    /// The entries of a keyed member: the key of each, and the field that its first one is here.
    fn entries(&mut self, keyed: KeyedId) -> Vec<(Name, FieldId)>;
}

/// The values of bindings alone: for expressions that read no field.
pub struct Constants<'a>(pub &'a [Binding]);

impl Values for Constants<'_> {
    fn field(&mut self, _: FieldId) -> Data {
        Data::Failed
    }

    fn below(&mut self) -> Data {
        Data::Failed
    }

    fn binding(&mut self, binding: BindingId) -> Data {
        self.0.get(binding.index()).map_or(Data::Failed, |found| found.value.clone())
    }

    fn entries(&mut self, _: KeyedId) -> Vec<(Name, FieldId)> {
        Vec::new()
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
        Data::Unknown(unknown) => Err(fail(OpError::Unknown(unknown))),
        Data::Failed | Data::Number(_) | Data::Quantity(..) | Data::Text(_) | Data::Enum(..) | Data::List(_) => {
            Err(fail(OpError::Failed))
        }
    };
    match &expr.kind {
        ExprKind::Const(data) => failed_or(data.clone(), expr.span),
        ExprKind::Field(field) => failed_or(values.field(*field), expr.span),
        ExprKind::Binding(binding) => failed_or(values.binding(*binding), expr.span),
        ExprKind::Each(keyed, field) => {
            let entries = values.entries(*keyed);
            let each = entries.into_iter().map(|(_, first)| values.field(within(first, *field)));
            failed_or(Data::List(each.collect()), expr.span)
        }
        ExprKind::Entry(keyed, key, field) => {
            let entry = values.entries(*keyed).into_iter().find(|entry| entry.0 == *key);
            let (_, first) = entry.ok_or_else(|| fail(OpError::NoEntry(*key)))?;
            failed_or(values.field(within(first, *field)), expr.span)
        }
        ExprKind::Keys(keyed) => {
            let keys = values.entries(*keyed).into_iter().map(|(key, _)| Data::Text(key.as_str().into()));
            Ok(Data::List(keys.collect()))
        }
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
            if let Data::Unknown(unknown) = &value {
                return Err(fail(OpError::Unknown(*unknown)));
            }
            match evaluate(list, values)? {
                Data::Unknown(unknown) => Err(fail(OpError::Unknown(unknown))),
                list @ Data::List(_) if list.unknown().is_some() => {
                    Err(fail(list.unknown().map_or(OpError::Failed, OpError::Unknown)))
                }
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
            match evaluate(inner, values)? {
                // Whether an input that is not given would be `none` is not known either; a secret is there.
                Data::Unknown(unknown @ (Unknown::NotGiven(_) | Unknown::Computed)) => {
                    Err(fail(OpError::Unknown(unknown)))
                }
                data => Ok(Data::Bool((data != Data::None) == *wanted)),
            }
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

/// A field of an entry whose first field is `first`.
fn within(first: FieldId, field: FieldId) -> FieldId {
    FieldId::of(first.index() + field.index())
}

fn failed_or(data: Data, span: Span) -> Result<Data, EvalError> {
    if data.is_failed() { Err(EvalError { span, error: OpError::Failed }) } else { Ok(data) }
}
