//! The commands: what was typed, what it means, and what is shown.
//!
//! Must not know: how anything is computed. Start with [`main`] (`dlm`). Invariants: only
//! [`term`] prints; a reader who goes away never makes a command panic; every command ends with an exit status, not by
//! leaving the process.
#![allow(clippy::disallowed_methods, reason = "the command line is where the outside comes in")]

mod args;
mod changes;
mod commands;
mod exit;
mod project;
pub mod term;

use std::process::ExitCode;

use clap::Parser;

pub use args::Arguments;

/// The `dlm` command.
pub fn main() -> ExitCode {
    let arguments = match Arguments::try_parse() {
        Ok(arguments) => arguments,
        Err(error) => {
            // Help and version go to standard output with status 0, complaints to standard error with status 2.
            let text = error.render();
            let shown = if error.use_stderr() {
                term::err(text.to_string().trim_end());
                exit::Exit::Usage
            } else {
                exit::written(term::out(&text.to_string()))
            };
            return shown.into();
        }
    };
    commands::run(arguments).into()
}
