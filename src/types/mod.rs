//! Types, values, units, and the operators on values.
//!
//! Must not know: declarations, layers, or where a value came from. Start with [`Type`] and [`Data`]. Invariants: numbers
//! are exact decimals, never floats; an operator either gives a value of its type or says why it can't ([`OpError`]);
//! a unit belongs to exactly one [`Dimension`].

mod data;
mod operate;
mod refine;
mod ty;
mod unit;

pub use data::{Data, EnumId, EnumType, EnumVariant, Unknown};
pub use operate::{Function, MAX_TEXT, OpError, Operator, apply, call};
pub use refine::{Bound, Refinement, matches};
pub use ty::{Dimensions, EnumRef, Type};
pub use unit::{Dimension, Measure, UnitError, measure, suggestion};
