//! Refinements: which values of its type a field takes.

use rust_decimal::Decimal;
use serde::{Deserialize, Serialize};

use crate::base::Span;
use crate::types::Data;

/// A condition on the value of one field.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Refinement {
    /// Numbers between two ends.
    Range {
        /// The lower end.
        low: Option<Bound>,
        /// The upper end.
        high: Option<Bound>,
        /// Where it is written.
        span: Span,
    },
    /// Whole multiples.
    MultipleOf {
        /// Of this number; never zero.
        factor: Decimal,
        /// Where it is written.
        span: Span,
    },
    /// Texts that a regular expression matches as a whole.
    Matches {
        /// The expression, which [`matches()`] could read.
        pattern: String,
        /// Where it is written.
        span: Span,
    },
}

/// Whether a regular expression matches a text as a whole.
///
/// # Errors
/// What is wrong with the expression.
pub fn matches(pattern: &str, text: &str) -> Result<bool, String> {
    let whole = regex_lite::Regex::new(&format!("^(?:{pattern})$")).map_err(|error| error.to_string())?;
    Ok(whole.is_match(text))
}

/// An end of a range.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Bound {
    /// The number.
    pub value: Decimal,
    /// Whether it belongs to the range itself.
    pub inclusive: bool,
}

impl Refinement {
    /// Where it is written.
    pub fn span(&self) -> Span {
        match self {
            Refinement::Range { span, .. } | Refinement::MultipleOf { span, .. } | Refinement::Matches { span, .. } => {
                *span
            }
        }
    }

    /// Whether a value keeps to it. `none` and values without a number always do; lists do if each item does.
    pub fn holds(&self, data: &Data) -> bool {
        match data {
            Data::Number(value) | Data::Quantity(value, _) => self.holds_for(*value),
            Data::List(items) => items.iter().all(|item| self.holds(item)),
            Data::Text(text) => match self {
                Refinement::Matches { pattern, .. } => matches(pattern, text) == Ok(true),
                Refinement::Range { .. } | Refinement::MultipleOf { .. } => true,
            },
            Data::None | Data::Bool(_) | Data::Enum(..) | Data::Unknown(_) | Data::Failed => true,
        }
    }

    fn holds_for(&self, value: Decimal) -> bool {
        match self {
            Refinement::Range { low, high, .. } => {
                let above = low.is_none_or(|low| value > low.value || low.inclusive && value == low.value);
                let below = high.is_none_or(|high| value < high.value || high.inclusive && value == high.value);
                above && below
            }
            Refinement::MultipleOf { factor, .. } => value.checked_rem(*factor).is_none_or(|rest| rest.is_zero()),
            Refinement::Matches { .. } => true,
        }
    }

    /// The number nearest to `value` that keeps to it, where there is an obvious one.
    pub fn nearest(&self, value: Decimal) -> Option<Decimal> {
        match self {
            Refinement::Range { low, high, .. } => {
                // The end on the other side is no near miss.
                let broken = match (low, high) {
                    (Some(low), _) if value < low.value => low,
                    (_, Some(high)) if value > high.value => high,
                    _ => return None,
                };
                broken.inclusive.then_some(broken.value)
            }
            Refinement::MultipleOf { factor, .. } => {
                let count = value.checked_div(*factor)?.round();
                count.checked_mul(*factor).filter(|nearest| !nearest.is_zero())
            }
            Refinement::Matches { .. } => None,
        }
    }
}

/// In words that follow "must be".
impl std::fmt::Display for Refinement {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let show = |value: Decimal| Data::Number(value).to_string();
        match self {
            Refinement::Range { low, high, .. } => {
                let low =
                    low.map(|low| format!("{} {}", if low.inclusive { "at least" } else { "above" }, show(low.value)));
                let high = high
                    .map(|high| format!("{} {}", if high.inclusive { "at most" } else { "below" }, show(high.value)));
                let both: Vec<String> = low.into_iter().chain(high).collect();
                f.write_str(&both.join(" and "))
            }
            Refinement::MultipleOf { factor, .. } => write!(f, "a multiple of {}", show(*factor)),
            Refinement::Matches { pattern, .. } => write!(f, "of the form `{pattern}`"),
        }
    }
}
