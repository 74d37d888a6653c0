//! `dlm diff`
#![allow(clippy::disallowed_methods, reason = "a golden is read from disk")]

use std::path::PathBuf;

use crate::cli::args::{Chosen, DiffArguments, DiffFormat};
use crate::cli::exit::{Exit, usage, written};
use crate::cli::{project, term};
use crate::view::diagnostics::Look;
use crate::view::diff::{self, Side};
use crate::view::golden;

pub(super) fn run(arguments: &DiffArguments, look: Look) -> Exit {
    let left = match side(arguments, &arguments.left, look) {
        Ok(side) => side,
        Err(exit) => return exit,
    };
    // `#name` alone is one of the file on the left.
    let right = match arguments.right.strip_prefix('#') {
        Some(name) => format!("{}#{name}", arguments.left.split_once('#').map_or(&*arguments.left, |split| split.0)),
        None => arguments.right.clone(),
    };
    let right = match side(arguments, &right, look) {
        Ok(side) => side,
        Err(exit) => return exit,
    };
    let differences = diff::differences(&left, &right, arguments.all);
    let text = match arguments.format {
        DiffFormat::Human => diff::human(&left, &right, &differences),
        DiffFormat::Json => diff::json(&left, &right, &differences),
    };
    match written(term::out(&text)) {
        Exit::Clean if !differences.is_empty() => Exit::Found,
        exit => exit,
    }
}

/// What `FILE`, `FILE#experiment` or a golden stands for.
fn side(arguments: &DiffArguments, text: &str, look: Look) -> Result<Side, Exit> {
    let (file, experiment) = match text.split_once('#') {
        Some((file, experiment)) => (file, Some(experiment.to_owned())),
        None => (text, None),
    };
    if !file.ends_with(".dlm") {
        let read = std::fs::read_to_string(file);
        let read = read.map_err(|error| trouble(&format!("`{file}` can't be read: {error}")))?;
        return match golden::is_golden(&read) {
            true => Ok(golden::side(file, &read)),
            false => Err(trouble(&format!("`{file}` is neither a `.dlm` file nor a golden"))),
        };
    }
    let mut session = project::session(&arguments.settings);
    let chosen = Chosen { file: PathBuf::from(file), experiment, settings: arguments.settings.clone() };
    let checked = project::checked(&mut session, &chosen, look).map_err(|_| Exit::Usage)?;
    let Some(experiment) = &checked.experiment else { return Err(Exit::Usage) };
    Ok(diff::side(&format!("{} of {file}", experiment.name), experiment, session.sources()))
}

fn trouble(message: &str) -> Exit {
    usage(message)
}
