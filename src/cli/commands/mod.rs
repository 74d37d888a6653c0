//! One file a command: what it means.

mod check;
mod diff;
mod explain;
mod fmt;
mod golden;
mod graph;
mod new;
mod resolve;
mod run;
mod sample;
mod test;

use crate::cli::args::{Arguments, ColorChoice, Command};
use crate::cli::exit::Exit;
use crate::cli::term;
use crate::view::diagnostics::Look;

/// Does what was typed.
pub(crate) fn run(arguments: Arguments) -> Exit {
    let color = |stream_redraws: bool| match arguments.color {
        ColorChoice::Always => true,
        ColorChoice::Never => false,
        ColorChoice::Auto => stream_redraws && term::colors_wanted(),
    };
    let err = Look { color: color(term::err_redraws()), width: term::width() };
    let out = Look { color: color(term::out_is_terminal()), width: term::width() };
    match arguments.command {
        Command::Check(arguments) => check::run(&arguments, out),
        Command::Resolve(arguments) => resolve::run(&arguments, err),
        Command::Explain(arguments) => explain::run(&arguments, err),
        Command::Graph(arguments) => graph::run(&arguments, err),
        Command::Run(arguments) => run::run(&arguments, err),
        Command::Sample(arguments) => sample::run(&arguments),
        Command::Test(arguments) => test::run(&arguments, out),
        Command::Diff(arguments) => diff::run(&arguments, err),
        Command::Golden(arguments) => golden::run(&arguments, err),
        Command::Fmt(arguments) => fmt::run(&arguments, err),
        Command::New(arguments) => new::run(&arguments),
    }
}
