//! What every stage stands on: places in text, names, exact numbers, and where text comes from.
//!
//! Must not know: anything about the language. Start with [`span`]. Invariants: a [`Span`] lies inside one file and on
//! character borders; a [`Name`] is compared by number, never by its letters; nothing here reads the disk but
//! [`sources`].

pub mod line_index;
pub mod name;
pub mod nearest;
pub mod sources;
pub mod span;

pub use line_index::LineIndex;
pub use name::Name;
pub use nearest::nearest;
pub use rust_decimal::Decimal;
pub use sources::{Disk, Memory, SourceError, SourceMap, Sources};
pub use span::{FileId, Span};
