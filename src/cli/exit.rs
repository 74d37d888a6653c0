//! Exit statuses.

use std::io;
use std::process::ExitCode;

use crate::cli::term;

/// How a command ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Exit {
    /// 0: done, nothing to complain about.
    Clean,
    /// 1: something was found that the user wants to be stopped by.
    Found,
    /// 2: the command line is wrong, or files can't be read or written.
    Usage,
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> ExitCode {
        match exit {
            Exit::Clean => ExitCode::from(0),
            Exit::Found => ExitCode::from(1),
            Exit::Usage => ExitCode::from(2),
        }
    }
}

/// Clean if the output could be written.
pub(crate) fn written(result: io::Result<()>) -> Exit {
    match result {
        Ok(()) => Exit::Clean,
        Err(error) => usage(&format!("standard output can't be written: {error}")),
    }
}

/// Says what is wrong with the command line or a file.
pub(crate) fn usage(message: &str) -> Exit {
    term::err(&format!("error: {message}"));
    Exit::Usage
}
