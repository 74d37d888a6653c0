//! Names, imports, schemas, rules, inheritance: from trees to declarations. No values yet.
//!
//! Must not know: what a field finally holds, or what a field is for. Start with [`Program`]. Invariants: every path is a
//! [`FieldId`] or was complained about; every expression has a type and fits the field it is for, or is
//! [`crate::types::Data::Failed`]; imports and inheritance have no cycles; numbers of fields never change once given.

mod bindings;
mod body;
mod declare;
pub mod entries;
pub(crate) mod errors;
pub mod eval;
pub mod expr;
pub mod fit;
mod flags;
mod fold;
mod interval;
pub mod limits;
mod load;
mod order;
mod outside;
mod program;
mod schema;
mod trials;
mod typing;

pub use bindings::{Given, give};
pub use body::setting;
pub use declare::{mixin_layer, mixin_named};
pub use entries::Entries;
pub use errors::CODES;
pub use flags::{Word, flags};
pub use load::{Reach, load, load_library};
pub use outside::{Target, TargetError, target};
pub use program::*;
pub use typing::Known;
