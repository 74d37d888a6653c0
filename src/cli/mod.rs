//! The commands: what was typed, what it means, and what is shown.
//!
//! Must not know: how anything is computed. Start with [`runtime`] (`dlm-runtime`). Invariants: only [`term`] prints; a
//! reader who goes away never makes a command panic; every command ends with an exit status, not by leaving the process.
#![allow(clippy::disallowed_methods, reason = "commands are where files and environment are looked at")]

#[cfg(feature = "runtime")]
mod progress;
#[cfg(feature = "runtime")]
pub mod runtime;
pub mod term;
