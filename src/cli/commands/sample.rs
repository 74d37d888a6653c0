//! `dlm sample`

use std::ffi::OsString;

use crate::cli::args::SampleArguments;
use crate::cli::commands::run::{become_runtime, runtime};
use crate::cli::exit::{Exit, usage};

pub(super) fn run(arguments: &SampleArguments) -> Exit {
    match runtime() {
        Ok(runtime) => {
            let mut words: Vec<OsString> = vec!["sample".into(), "--run-dir".into(), arguments.run_dir.clone().into()];
            words.extend(arguments.options.iter().map(OsString::from));
            become_runtime(&runtime, &words)
        }
        Err(message) => usage(&message),
    }
}
