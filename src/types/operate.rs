//! What operators and functions do with values.

use std::cmp::Ordering;
use std::sync::Arc;

use rust_decimal::Decimal;
use rust_decimal::prelude::ToPrimitive;
use serde::{Deserialize, Serialize};

use crate::base::Name;
use crate::types::{Data, Dimension, Unknown};

/// The longest text that an operator makes, in bytes. Fields that double each other's text would else fill the memory.
pub const MAX_TEXT: usize = 64 * 1024;

/// Operators with two operands that need both of them. `and` and `or` are not here: they may not look at the second.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Operator {
    /// `==`
    Equal,
    /// `!=`
    NotEqual,
    /// `<`
    Less,
    /// `<=`
    LessEqual,
    /// `>`
    Greater,
    /// `>=`
    GreaterEqual,
    /// `+`
    Add,
    /// `-`
    Subtract,
    /// `*`
    Multiply,
    /// `/`
    Divide,
    /// `//`
    FloorDivide,
    /// `%`
    Remainder,
}

/// Functions of the language. There are no others: users can't declare any.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Function {
    /// `min(a, b, …)`
    Min,
    /// `max(a, b, …)`
    Max,
    /// `floor(x)`: the whole number at or below.
    Floor,
    /// `ceil(x)`: the whole number at or above.
    Ceil,
    /// `round(x)`: the nearest whole number, halves away from zero.
    Round,
    /// `len(list)`
    Len,
    /// `round_up(x, m)`: the least multiple of `m` at or above `x`.
    RoundUp,
    /// `iterations(amount, tokens_per_sample, samples_per_iteration)`: whole optimizer steps within an amount of
    /// tokens, samples or iterations.
    Iterations,
    /// `nearest_divisor(n, d)`: the divisor of `n` nearest to `d`; of two equally near, the smaller.
    NearestDivisor,
    /// `interleave(a, b)`: the first of each, the second of each, and so on, as texts.
    Interleave,
}

impl Function {
    /// All functions with their names and the number of values they take (least, most).
    pub const ALL: [(Function, &'static str, usize, usize); 10] = [
        (Function::Min, "min", 1, usize::MAX),
        (Function::Max, "max", 1, usize::MAX),
        (Function::Floor, "floor", 1, 1),
        (Function::Ceil, "ceil", 1, 1),
        (Function::Round, "round", 1, 1),
        (Function::Len, "len", 1, 1),
        (Function::RoundUp, "round_up", 2, 2),
        (Function::Iterations, "iterations", 3, 3),
        (Function::NearestDivisor, "nearest_divisor", 2, 2),
        (Function::Interleave, "interleave", 2, 2),
    ];

    /// Its name.
    pub fn name(self) -> &'static str {
        let row = Function::ALL.iter().find(|row| row.0 == self);
        row.map_or("", |row| row.1)
    }
}

/// Why an operator has no value here.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum OpError {
    /// An operand is `none`.
    #[error("a value is `none` here")]
    None,
    /// An operand was complained about already.
    #[error("a value is invalid")]
    Failed,
    /// An operand is not known yet.
    #[error("a value is not known yet")]
    Unknown(Unknown),
    /// Division by zero.
    #[error("division by zero")]
    ZeroDivisor,
    /// The result has no place among exact numbers of 28 digits.
    #[error("the result leaves the range of exact numbers (28 digits)")]
    Overflow,
    /// No entry has that key.
    #[error("there is no `{0}`")]
    NoEntry(Name),
    /// The text would be longer than [`MAX_TEXT`].
    #[error("the text would be longer than {MAX_TEXT} bytes")]
    TextTooLong,
    /// The operands don't go together. Types are checked before values, so this is rare.
    #[error("{0} and {1} don't go together")]
    Mismatch(String, String),
}

/// The value of `left operator right`.
///
/// # Errors
/// See [`OpError`].
pub fn apply(operator: Operator, left: &Data, right: &Data) -> Result<Data, OpError> {
    if left.is_failed() || right.is_failed() {
        return Err(OpError::Failed);
    }
    if let Some(unknown) = left.unknown().or(right.unknown()) {
        return Err(OpError::Unknown(unknown));
    }
    match operator {
        Operator::Equal => return Ok(Data::Bool(equal(left, right))),
        Operator::NotEqual => return Ok(Data::Bool(!equal(left, right))),
        Operator::Less
        | Operator::LessEqual
        | Operator::Greater
        | Operator::GreaterEqual
        | Operator::Add
        | Operator::Subtract
        | Operator::Multiply
        | Operator::Divide
        | Operator::FloorDivide
        | Operator::Remainder => {}
    }
    if let (Data::Text(left), Data::Text(right)) = (left, right) {
        return text(operator, left, right);
    }
    let (a, a_dim) = amount(left)?;
    let (b, b_dim) = amount(right)?;
    let mismatch = || OpError::Mismatch(left.to_string(), right.to_string());
    // A bare number next to a quantity takes its unit, except in products and quotients, where it is a factor.
    let same = match (a_dim, b_dim) {
        (Some(a), Some(b)) if a != b => None,
        (a, b) => Some(a.or(b)),
    };
    let quantity = |value: Option<Decimal>, dimension: Option<Dimension>| {
        let value = value.ok_or(OpError::Overflow)?;
        Ok(dimension.map_or(Data::Number(value), |dimension| Data::Quantity(value, dimension)))
    };
    let compare = |wanted: fn(Ordering) -> bool| {
        same.ok_or_else(mismatch)?;
        Ok(Data::Bool(wanted(a.cmp(&b))))
    };
    let divide = || if b.is_zero() { Err(OpError::ZeroDivisor) } else { Ok(a.checked_div(b)) };
    let quotient = match (a_dim, b_dim) {
        (Some(a), Some(b)) => a.over(b),
        (a, None) => Some(a),
        (None, Some(_)) => None,
    };
    let product = match (a_dim, b_dim) {
        (Some(a), Some(b)) => a.times(b).map(Some),
        (a, b) => Some(a.or(b)),
    };
    match operator {
        Operator::Less => compare(Ordering::is_lt),
        Operator::LessEqual => compare(Ordering::is_le),
        Operator::Greater => compare(Ordering::is_gt),
        Operator::GreaterEqual => compare(Ordering::is_ge),
        Operator::Add => quantity(a.checked_add(b), same.ok_or_else(mismatch)?),
        Operator::Subtract => quantity(a.checked_sub(b), same.ok_or_else(mismatch)?),
        Operator::Multiply => quantity(a.checked_mul(b), product.ok_or_else(mismatch)?),
        Operator::Divide => quantity(divide()?, quotient.ok_or_else(mismatch)?),
        Operator::FloorDivide => quantity(divide()?.map(|value| value.floor()), quotient.ok_or_else(mismatch)?),
        Operator::Remainder => {
            // With the sign of the divisor, as in Python: a - floor(a / b) * b.
            let floor = divide()?.map(|value| value.floor());
            let rest = floor.and_then(|floor| floor.checked_mul(b)).and_then(|part| a.checked_sub(part));
            quantity(rest, same.ok_or_else(mismatch)?)
        }
        Operator::Equal | Operator::NotEqual => Err(mismatch()),
    }
}

/// The value of a function.
///
/// # Errors
/// See [`OpError`].
pub fn call(function: Function, values: &[Data]) -> Result<Data, OpError> {
    if values.iter().any(Data::is_failed) {
        return Err(OpError::Failed);
    }
    if let Some(unknown) = values.iter().find_map(Data::unknown) {
        return Err(OpError::Unknown(unknown));
    }
    let mismatch = || {
        let shown: Vec<_> = values.iter().map(Data::to_string).collect();
        OpError::Mismatch(format!("`{}`", function.name()), format!("({})", shown.join(", ")))
    };
    let rounded = |how: fn(Decimal) -> Decimal| {
        let (value, dimension) = amount(values.first().ok_or_else(mismatch)?)?;
        Ok(dimension.map_or(Data::Number(how(value)), |dimension| Data::Quantity(how(value), dimension)))
    };
    match (function, values) {
        (Function::Min | Function::Max, _) => {
            let wanted = if function == Function::Min { Operator::Less } else { Operator::Greater };
            let mut values = values.iter();
            let mut best = values.next().ok_or_else(mismatch)?;
            amount(best)?;
            for value in values {
                if apply(wanted, value, best)? == Data::Bool(true) {
                    best = value;
                }
            }
            Ok(best.clone())
        }
        (Function::Floor, _) => rounded(|value| value.floor()),
        (Function::Ceil, _) => rounded(|value| value.ceil()),
        (Function::Round, _) => {
            rounded(|value| value.round_dp_with_strategy(0, rust_decimal::RoundingStrategy::MidpointAwayFromZero))
        }
        (Function::Len, [Data::List(items)]) => Ok(Data::Number(Decimal::from(items.len()))),
        (Function::RoundUp, [value, multiple]) => {
            let (value, dimension) = amount(value)?;
            let (multiple, _) = amount(multiple)?;
            if multiple.is_zero() {
                return Err(OpError::ZeroDivisor);
            }
            let count = value.checked_div(multiple).ok_or(OpError::Overflow)?.ceil();
            let up = count.checked_mul(multiple).ok_or(OpError::Overflow)?;
            Ok(dimension.map_or(Data::Number(up), |dimension| Data::Quantity(up, dimension)))
        }
        (Function::Iterations, [whole, tokens, samples]) => {
            let (whole, dimension) = amount(whole)?;
            let (tokens, samples) = (amount(tokens)?.0, amount(samples)?.0);
            let per_iteration = match dimension.ok_or_else(mismatch)? {
                Dimension::Iterations => Some(Decimal::ONE),
                Dimension::Samples => Some(samples),
                Dimension::Tokens => samples.checked_mul(tokens),
                Dimension::Bytes
                | Dimension::Duration
                | Dimension::Bandwidth
                | Dimension::Throughput
                | Dimension::Flops => return Err(mismatch()),
            };
            let per_iteration = per_iteration.ok_or(OpError::Overflow)?;
            if per_iteration.is_zero() {
                return Err(OpError::ZeroDivisor);
            }
            let count = whole.checked_div(per_iteration).ok_or(OpError::Overflow)?.floor();
            Ok(Data::Quantity(count, Dimension::Iterations))
        }
        (Function::NearestDivisor, [number, near]) => {
            let (number, near) = (amount(number)?.0, amount(near)?.0);
            let number = number.to_u64().filter(|&number| number > 0 && number <= 1 << 24).ok_or_else(mismatch)?;
            let near = near.max(Decimal::ONE);
            // Up to the root: at most 2^12 steps.
            let pairs = (1..).take_while(|low| low * low <= number).filter(|low| number % low == 0);
            let mut divisors: Vec<u64> = pairs.flat_map(|low| [low, number / low]).collect();
            divisors.sort_unstable();
            let nearest = divisors.into_iter().min_by_key(|&divisor| (Decimal::from(divisor) - near).abs());
            Ok(Data::Number(Decimal::from(nearest.unwrap_or(1))))
        }
        (Function::Interleave, [Data::List(first), Data::List(second)]) if first.len() == second.len() => {
            let text = |item: &Data| match item {
                Data::Text(text) => Data::Text(text.clone()),
                other => Data::Text(other.to_string().into()),
            };
            Ok(Data::List(first.iter().zip(second.iter()).flat_map(|(a, b)| [text(a), text(b)]).collect()))
        }
        (
            Function::Len | Function::RoundUp | Function::Iterations | Function::NearestDivisor | Function::Interleave,
            _,
        ) => match values.contains(&Data::None) {
            true => Err(OpError::None),
            false => Err(mismatch()),
        },
    }
}

/// Equality of values: numbers by value, a bare number with any quantity by value.
fn equal(left: &Data, right: &Data) -> bool {
    match (left, right) {
        (Data::Number(a), Data::Quantity(b, _)) | (Data::Quantity(b, _), Data::Number(a)) => a == b,
        (left, right) => left == right,
    }
}

fn amount(data: &Data) -> Result<(Decimal, Option<Dimension>), OpError> {
    match data {
        Data::Number(value) => Ok((*value, None)),
        Data::Quantity(value, dimension) => Ok((*value, Some(*dimension))),
        Data::None => Err(OpError::None),
        Data::Failed => Err(OpError::Failed),
        Data::Unknown(unknown) => Err(OpError::Unknown(*unknown)),
        Data::Bool(_) | Data::Text(_) | Data::Enum(..) | Data::List(_) => {
            Err(OpError::Mismatch(data.to_string(), "numbers".to_owned()))
        }
    }
}

fn text(operator: Operator, left: &str, right: &str) -> Result<Data, OpError> {
    let compare = |wanted: fn(Ordering) -> bool| Ok(Data::Bool(wanted(left.cmp(right))));
    match operator {
        Operator::Add | Operator::Divide if left.len() + right.len() >= MAX_TEXT => Err(OpError::TextTooLong),
        Operator::Add => Ok(Data::Text(Arc::from(format!("{left}{right}")))),
        // Paths are joined by their letters; an absolute right side stands alone, as everywhere.
        Operator::Divide if right.starts_with('/') || left.is_empty() => Ok(Data::Text(Arc::from(right))),
        Operator::Divide => Ok(Data::Text(Arc::from(format!("{}/{right}", left.trim_end_matches('/'))))),
        Operator::Less => compare(Ordering::is_lt),
        Operator::LessEqual => compare(Ordering::is_le),
        Operator::Greater => compare(Ordering::is_gt),
        Operator::GreaterEqual => compare(Ordering::is_ge),
        Operator::Equal
        | Operator::NotEqual
        | Operator::Subtract
        | Operator::Multiply
        | Operator::FloorDivide
        | Operator::Remainder => Err(OpError::Mismatch(format!("{left:?}"), format!("{right:?}"))),
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test that can't read its own numbers has failed")]
mod tests {
    use super::*;

    fn number(text: &str) -> Data {
        Data::Number(Decimal::from_scientific(text).or_else(|_| Decimal::from_str_exact(text)).unwrap())
    }

    #[test]
    fn arithmetic_is_exact() {
        assert_eq!(apply(Operator::Divide, &number("3e-4"), &number("10")), Ok(number("3e-5")));
        assert_eq!(apply(Operator::Add, &number("0.1"), &number("0.2")), Ok(number("0.3")));
        assert_eq!(apply(Operator::Remainder, &number("-7"), &number("3")), Ok(number("2")), "as Python: -7 % 3 == 2");
        assert_eq!(apply(Operator::FloorDivide, &number("-7"), &number("2")), Ok(number("-4")));
        assert_eq!(apply(Operator::Divide, &number("1"), &number("0")), Err(OpError::ZeroDivisor));
        assert_eq!(apply(Operator::Less, &Data::None, &number("1")), Err(OpError::None));
        let huge = number("79228162514264337593543950335");
        assert_eq!(apply(Operator::Multiply, &huge, &number("2")), Err(OpError::Overflow));
    }

    #[test]
    fn quantities_keep_their_unit() {
        let tokens = |value| Data::Quantity(Decimal::from(value), Dimension::Tokens);
        let samples = Data::Quantity(Decimal::from(5), Dimension::Samples);
        assert_eq!(apply(Operator::Divide, &tokens(10), &number("2")), Ok(tokens(5)));
        assert_eq!(apply(Operator::Divide, &tokens(10), &tokens(4)), Ok(number("2.5")));
        assert!(apply(Operator::Add, &tokens(10), &samples).is_err());
        assert_eq!(apply(Operator::Less, &tokens(10), &number("11")), Ok(Data::Bool(true)));
    }

    #[test]
    fn iterations_of_an_amount() {
        // The launch script of the 1.7B run: 10T tokens in batches of 256 sequences of 2048 are 19,073,486 whole steps.
        let budget = Data::Quantity(Decimal::from(10_000_000_000_000_u64), Dimension::Tokens);
        let count = call(Function::Iterations, &[budget, number("2048"), number("256")]);
        assert_eq!(count, Ok(Data::Quantity(Decimal::from(19_073_486), Dimension::Iterations)));
    }

    #[test]
    fn the_nearest_divisor() {
        assert_eq!(call(Function::NearestDivisor, &[number("2048"), number("15")]), Ok(number("16")));
        // 12 has 4 and 6 around 5: of two equally near the smaller.
        assert_eq!(call(Function::NearestDivisor, &[number("12"), number("5")]), Ok(number("4")));
    }

    #[test]
    fn paths_join() {
        let path = |text: &str| Data::Text(Arc::from(text));
        assert_eq!(apply(Operator::Divide, &path("data/"), &path("train")), Ok(path("data/train")));
        assert_eq!(apply(Operator::Divide, &path("data"), &path("/abs")), Ok(path("/abs")));
    }
}
