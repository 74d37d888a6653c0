//! x
pub mod ast;
mod body;
mod brackets;
mod declare;
pub(crate) mod errors;
mod explain;
mod expr;
mod lex;
mod number;
mod parse;
mod phrase;
mod scan;
mod text;
pub use errors::CODES;
pub use parse::*;
