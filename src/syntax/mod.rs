//! From text to tree: `scan` finds brackets, depth and strings, pest reads, [`parse()`] makes our own nodes.
//!
//! Must not know: what any name means. Start with [`ast`], then `grammar/dlm.pest`. Invariants: parsing never fails and
//! never panics, it reports into the sink and puts a `Bad` node where something is broken; every span lies inside the
//! file, on character borders; no tree is deeper than a few hundred nodes; time is linear in the length of the text;
//! nobody above this module sees pest.

pub mod ast;

mod bind;
mod body;
mod brackets;
mod declare;
pub(crate) mod errors;
mod explain;
mod expr;
pub(crate) mod lex;
mod number;
mod parse;
mod phrase;
mod scan;
mod text;
mod trials;

pub use errors::CODES;
pub(crate) use number::exact;
pub use parse::{parse, parse_path, parse_setting, parse_value, scalar};
