//! Values, without where they came from.

use std::sync::Arc;

use rust_decimal::Decimal;
use serde::{Deserialize, Serialize};

use crate::base::{Name, Span};
use crate::types::Dimension;

/// The number of an enum among all enums of a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct EnumId(pub u32);

/// An enum as declared.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct EnumType {
    /// Its name.
    pub name: Name,
    /// Where it is declared.
    pub span: Span,
    /// What it says of itself.
    pub doc: String,
    /// Its values.
    pub variants: Vec<EnumVariant>,
}

/// A value of an enum.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct EnumVariant {
    /// Its name.
    pub name: Name,
    /// How the target spells it.
    pub spelling: String,
    /// What it says of itself.
    pub doc: String,
    /// Where it is declared.
    pub span: Span,
}

/// A value.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Data {
    /// `none`
    None,
    /// `true`, `false`
    Bool(bool),
    /// A plain number, exact.
    Number(Decimal),
    /// A quantity in the base unit of its family (seconds, bytes, one).
    Quantity(Decimal, Dimension),
    /// Text, or a path.
    Text(Arc<str>),
    /// A value of an enum: its name, its spelling for the target.
    Enum(Name, Arc<str>),
    /// Several, in order.
    List(Arc<[Data]>),
    /// A value that is known only later or elsewhere. Whatever depends on it is unknown too, in silence.
    Unknown(Unknown),
    /// A value that was complained about already. Whatever depends on it is `Failed` too, in silence.
    Failed,
}

/// Why a value is unknown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Unknown {
    /// An input of that name was not given.
    NotGiven(Name),
    /// An input of that name is secret: its text never enters an evaluation.
    Secret(Name),
    /// It is worked out from what is compiled.
    Computed,
}

impl std::fmt::Display for Unknown {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Unknown::NotGiven(name) => write!(f, "<input {name}>"),
            Unknown::Secret(name) => write!(f, "<secret {name}>"),
            Unknown::Computed => f.write_str("<computed>"),
        }
    }
}

impl Data {
    /// Why it is not known, where it is not, as a whole or in one of its items.
    pub fn unknown(&self) -> Option<Unknown> {
        match self {
            Data::Unknown(unknown) => Some(*unknown),
            Data::List(items) => items.iter().find_map(Data::unknown),
            Data::None
            | Data::Bool(_)
            | Data::Number(_)
            | Data::Quantity(..)
            | Data::Text(_)
            | Data::Enum(..)
            | Data::Failed => None,
        }
    }

    /// Whether it was complained about already.
    pub fn is_failed(&self) -> bool {
        match self {
            Data::Failed => true,
            Data::List(items) => items.iter().any(Data::is_failed),
            Data::None
            | Data::Bool(_)
            | Data::Number(_)
            | Data::Quantity(..)
            | Data::Text(_)
            | Data::Enum(..)
            | Data::Unknown(_) => false,
        }
    }
}

/// As it would be written in a `.dlm` file, except that numbers carry no `_` and quantities no suffix.
impl std::fmt::Display for Data {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Data::None => f.write_str("none"),
            Data::Bool(value) => write!(f, "{value}"),
            Data::Number(value) => f.write_str(&number(*value)),
            Data::Quantity(value, dimension) => write!(f, "{} {}", number(*value), dimension.unit()),
            Data::Text(text) => {
                f.write_str("\"")?;
                for letter in text.chars() {
                    match letter {
                        '"' => f.write_str("\\\"")?,
                        '\\' => f.write_str("\\\\")?,
                        '\n' => f.write_str("\\n")?,
                        '\t' => f.write_str("\\t")?,
                        other => write!(f, "{other}")?,
                    }
                }
                f.write_str("\"")
            }
            Data::Enum(name, _) => write!(f, "{name}"),
            Data::List(items) => {
                f.write_str("[")?;
                for (at, item) in items.iter().enumerate() {
                    let comma = if at == 0 { "" } else { ", " };
                    write!(f, "{comma}{item}")?;
                }
                f.write_str("]")
            }
            Data::Unknown(unknown) => write!(f, "{unknown}"),
            Data::Failed => f.write_str("?"),
        }
    }
}

/// The shortest exact spelling of a number: `2048`, `0.0003`, `1e-12`.
fn number(value: Decimal) -> String {
    let plain = value.normalize().to_string();
    let digits = plain.trim_start_matches('-');
    match digits.strip_prefix("0.") {
        // Small numbers are read better with an exponent: 1e-5, 3.5e-8.
        Some(fraction) if fraction.len() - fraction.trim_start_matches('0').len() >= 4 => {
            let significant = fraction.trim_start_matches('0');
            let exponent = fraction.len() - significant.len() + 1;
            let sign = if plain.starts_with('-') { "-" } else { "" };
            let (first, rest) = significant.split_at(significant.chars().next().map_or(0, char::len_utf8));
            let point = if rest.is_empty() { "" } else { "." };
            format!("{sign}{first}{point}{rest}e-{exponent}")
        }
        Some(_) | None => plain,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_shown_as_one_would_write_them() {
        let cases = [
            ("0.00003", "3e-5"),
            ("0.0003", "0.0003"),
            ("2048", "2048"),
            ("1.50", "1.5"),
            ("-0.000035", "-3.5e-5"),
            ("0", "0"),
        ];
        for (written, shown) in cases {
            let value = Decimal::from_str_exact(written);
            assert_eq!(value.map(|value| Data::Number(value).to_string()).as_deref(), Ok(shown));
        }
    }
}
