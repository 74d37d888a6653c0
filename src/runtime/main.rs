//! The `dlm-runtime` command: executes the `run.json` of a run folder.
//!
//! Must not know: the language. Start with [`command`]. Invariants: libtorch is linked into this executable and into no
//! other. That is why [`run`] is a module of this crate and not of the library: an executable that links a library which
//! names tch loads libtorch at every start, used or not, for 0.4 s of processor time (seen with readelf).
#![allow(dead_code, unreachable_pub, reason = "the runtime's tests and benches call more of it than its command does")]

mod command;
mod progress;
#[path = "../run/mod.rs"]
mod run;

use dlm::{cli, spec};

fn main() -> std::process::ExitCode {
    command::main()
}
