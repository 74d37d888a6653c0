//! Names, imports, schemas, rules, inheritance: from trees to declarations. No values yet.
//!
//! Must not know: what a field finally holds, or what a field is for. Start with [`Program`]. Invariants: every path is a
//! [`FieldId`] or was complained about; every expression has a type and fits the field it is for, or is
//! [`crate::types::Data::Failed`]; imports and inheritance have no cycles; numbers of fields never change once given.

mod body;
mod declare;
pub(crate) mod errors;
pub mod eval;
pub mod expr;
pub mod fit;
pub mod flags;
pub mod limits;
mod load;
mod outside;
mod program;
mod schema;
mod typing;

pub use body::settings;
pub use errors::CODES;
pub use flags::{Word, flags};
pub use load::{Reach, load, load_library, read_named};
pub use outside::{Target, TargetError, target, with_mixin};
pub use program::*;
