//! Types of fields and expressions.

use serde::{Deserialize, Serialize};

use crate::base::Name;
use crate::types::{Dimension, EnumId};

/// What values a field takes, refinements aside.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Type {
    /// `true`, `false`
    Bool,
    /// A whole number.
    Int,
    /// A real number, kept as an exact decimal.
    Float,
    /// A real number that may be written with `%`.
    Fraction,
    /// Text.
    String,
    /// A file or folder.
    Path,
    /// A quantity of one of these families.
    Quantity(Dimensions),
    /// One of the values of an enum.
    Enum(EnumRef),
    /// Several, in order.
    List(Box<Type>),
    /// That, or `none`.
    Optional(Box<Type>),
}

/// An enum, by number for identity and by name for people.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub struct EnumRef {
    /// Which.
    pub id: EnumId,
    /// What it is called.
    pub name: Name,
}

impl PartialEq for EnumRef {
    fn eq(&self, other: &Self) -> bool {
        self.id == other.id
    }
}

impl Eq for EnumRef {}

/// A set of families.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Dimensions(u8);

impl Dimensions {
    /// The set of one family.
    pub fn one(dimension: Dimension) -> Self {
        Dimensions(1 << dimension as u8)
    }

    /// Both sets together.
    pub fn union(self, other: Dimensions) -> Self {
        Dimensions(self.0 | other.0)
    }

    /// Whether a family is in it.
    pub fn contains(self, dimension: Dimension) -> bool {
        self.0 & (1 << dimension as u8) != 0
    }

    /// Whether all families of `self` are in `other`.
    pub fn within(self, other: Dimensions) -> bool {
        self.0 & !other.0 == 0
    }

    /// Its families.
    pub fn iter(self) -> impl Iterator<Item = Dimension> {
        Dimension::ALL.into_iter().filter(move |&dimension| self.contains(dimension))
    }

    /// Its family, if it is only one.
    pub fn single(self) -> Option<Dimension> {
        let mut all = self.iter();
        all.next().filter(|_| all.next().is_none())
    }
}

impl Type {
    /// The type without `?`.
    pub fn required(&self) -> &Type {
        match self {
            Type::Optional(inner) => inner.required(),
            Type::Bool
            | Type::Int
            | Type::Float
            | Type::Fraction
            | Type::String
            | Type::Path
            | Type::Quantity(_)
            | Type::Enum(_)
            | Type::List(_) => self,
        }
    }

    /// Whether `none` is one of its values.
    pub fn is_optional(&self) -> bool {
        matches!(self, Type::Optional(_))
    }

    /// Whether it is a plain number.
    pub fn is_number(&self) -> bool {
        matches!(self.required(), Type::Int | Type::Float | Type::Fraction)
    }

    /// The families of a quantity.
    pub fn dimensions(&self) -> Option<Dimensions> {
        match self.required() {
            Type::Quantity(dimensions) => Some(*dimensions),
            Type::Bool
            | Type::Int
            | Type::Float
            | Type::Fraction
            | Type::String
            | Type::Path
            | Type::Enum(_)
            | Type::List(_)
            | Type::Optional(_) => None,
        }
    }

    /// Whether a value of type `other` may stand where this type is wanted. `none` aside: whether an optional value is
    /// there is known only when it is evaluated.
    pub fn accepts(&self, other: &Type) -> bool {
        match (self.required(), other.required()) {
            (Type::Float | Type::Fraction, Type::Int | Type::Float | Type::Fraction) => true,
            // Of two whole numbers division is exact, so `a / b` is of type int and must come out whole.
            (Type::Int, Type::Int) => true,
            (Type::Path, Type::String | Type::Path) => true,
            (Type::Quantity(wanted), Type::Quantity(given)) => given.within(*wanted),
            (Type::List(wanted), Type::List(given)) => wanted.accepts(given),
            (wanted, given) => wanted == given,
        }
    }
}

impl std::fmt::Display for Type {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Type::Bool => f.write_str("bool"),
            Type::Int => f.write_str("int"),
            Type::Float => f.write_str("float"),
            Type::Fraction => f.write_str("fraction"),
            Type::String => f.write_str("string"),
            Type::Path => f.write_str("path"),
            Type::Quantity(dimensions) => {
                let names: Vec<_> = dimensions.iter().map(Dimension::name).collect();
                f.write_str(&names.join(" | "))
            }
            Type::Enum(reference) => f.write_str(reference.name.as_str()),
            Type::List(inner) => write!(f, "list<{inner}>"),
            Type::Optional(inner) => write!(f, "{inner}?"),
        }
    }
}
