//! What someone reads: diagnostics in five formats.
//!
//! Must not know: how anything was found out, or where the text goes; it returns strings and prints nothing. Start with
//! [`diagnostics::render`]. Invariants: the same data gives the same text; no span, however wrong, makes a view panic.

pub mod diagnostics;
pub mod diff;
pub mod explain;
pub mod golden;
pub mod graph;
pub mod resolved;
