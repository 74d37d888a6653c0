//! Resolved arguments in the forms that other programs read; one file a form.
//!
//! Must not know: fields, layers, the language; it reads `spec` alone. Start with [`args`](fn@args). Invariants: what is
//! written reads back as the same values by the target's own parser; what the target does by itself is left out unless
//! all is asked for.

pub mod args;

pub use args::{args, shell};
