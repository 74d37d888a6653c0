//! `dlm diff`
#![allow(clippy::disallowed_methods, reason = "a golden is read from disk")]

use std::path::PathBuf;

use crate::cli::args::{Chosen, DiffArguments, DiffFormat, Settings};
use crate::cli::exit::{Exit, usage, written};
use crate::cli::{project, term};
use crate::view::diagnostics::Look;
use crate::view::diff::{self, Side};
use crate::view::golden;

pub(super) fn run(arguments: &DiffArguments, look: Look) -> Exit {
    let mut plain = arguments.settings.clone();
    if arguments.right.is_none() {
        (plain.values, plain.with, plain.flags) = (Vec::new(), Vec::new(), Vec::new());
        plain.changes.0.clear();
        if is_changed(&arguments.settings) == is_changed(&plain) {
            return trouble(
                "there is nothing to compare with\n  help: name a second file, one of the same file as in `#other`, or \
                 settings as in `--set optimizer.lr=1e-4`",
            );
        }
    }
    let left = match side(&plain, &arguments.left, look) {
        Ok(side) => side,
        Err(exit) => return exit,
    };
    // `#name` alone is one of the file on the left.
    let right = match arguments.right.as_deref() {
        Some(right) => match right.strip_prefix('#') {
            Some(name) => {
                format!("{}#{name}", arguments.left.split_once('#').map_or(&*arguments.left, |split| split.0))
            }
            None => right.to_owned(),
        },
        None => arguments.left.clone(),
    };
    let right = match side(&arguments.settings, &right, look) {
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
fn side(settings: &Settings, text: &str, look: Look) -> Result<Side, Exit> {
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
    let mut session = project::session(settings);
    let chosen = Chosen { file: PathBuf::from(file), experiment, settings: settings.clone() };
    let checked = project::checked(&mut session, &chosen, look).map_err(|_| Exit::Usage)?;
    let Some(experiment) = &checked.experiment else { return Err(Exit::Usage) };
    let changed = if is_changed(settings) { " with settings" } else { "" };
    Ok(diff::side(&format!("{} of {file}{changed}", experiment.name), experiment, session.sources()))
}

fn is_changed(settings: &Settings) -> bool {
    let given = [settings.values.is_empty(), settings.with.is_empty(), settings.flags.is_empty()];
    given.contains(&false) || !settings.changes.0.is_empty()
}

fn trouble(message: &str) -> Exit {
    usage(message)
}
