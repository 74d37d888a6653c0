//! `dlm fmt`
#![allow(clippy::disallowed_methods, reason = "the formatter reads standard input and rewrites files")]

use std::io::Read;
use std::path::Path;

use crate::base::{Disk, SourceMap, Sources};
use crate::cli::args::FmtArguments;
use crate::cli::exit::{Exit, usage, written};
use crate::cli::{project, term};
use crate::fmt;
use crate::view::diagnostics::{Format, Look, render};

pub(super) fn run(arguments: &FmtArguments, look: Look) -> Exit {
    if arguments.paths == [Path::new("-")] {
        let mut text = String::new();
        if let Err(error) = std::io::stdin().read_to_string(&mut text) {
            return usage(&format!("standard input can't be read: {error}"));
        }
        return match formatted("<stdin>", &text, look) {
            Ok(new) if arguments.check => {
                if new == text {
                    Exit::Clean
                } else {
                    Exit::Found
                }
            }
            Ok(new) => written(term::out(&new)),
            Err(exit) => exit,
        };
    }
    let files = match project::files(&arguments.paths) {
        Ok(files) => files,
        Err(message) => return usage(&message),
    };
    let mut worst = Exit::Clean;
    for path in files {
        let text = match Disk::at("").read(&path) {
            Ok(text) => text,
            Err(error) => return usage(&format!("`{}` can't be read: {error}", path.display())),
        };
        match formatted(&path.to_string_lossy(), &text, look) {
            Ok(new) if new == text => {}
            Ok(_) if arguments.check => {
                term::err(&format!("{} is not formatted; `dlm fmt {}` does it", path.display(), path.display()));
                worst = Exit::Found;
            }
            Ok(new) => {
                if let Err(message) = project::write_whole(&path, &new) {
                    return usage(&message);
                }
            }
            Err(exit) => worst = exit,
        }
    }
    worst
}

/// The text in canonical style. One with syntax errors is left alone.
fn formatted(name: &str, text: &str, look: Look) -> Result<String, Exit> {
    fmt::format(text).map_err(|diagnostics| {
        let mut sources = SourceMap::default();
        sources.add(name, text);
        term::err(render(&diagnostics, &sources, Format::Human, look).trim_end());
        Exit::Found
    })
}
