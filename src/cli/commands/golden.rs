//! `dlm golden`
#![allow(clippy::disallowed_methods, reason = "goldens are files")]

use std::collections::BTreeMap;
use std::path::PathBuf;

use crate::cli::args::GoldenArguments;
use crate::cli::exit::{Exit, usage, written};
use crate::cli::{project, term};
use crate::diag::Severity;
use crate::view::diagnostics::Look;
use crate::view::diff::{self, Side};
use crate::view::golden;

/// A golden that should be there.
struct Wanted {
    text: String,
    side: Side,
}

pub(super) fn run(arguments: &GoldenArguments, look: Look) -> Exit {
    let files = match project::files(&arguments.paths) {
        Ok(files) => files,
        Err(message) => return usage(&message),
    };
    let mut wanted: BTreeMap<PathBuf, Wanted> = BTreeMap::new();
    for file in &files {
        let mut session = project::session(&arguments.settings);
        let project = session.load(std::slice::from_ref(file));
        let overrides = match project::overrides(&session, &arguments.settings) {
            Ok(overrides) => overrides,
            Err(message) => return usage(&message),
        };
        let stem = file.file_stem().map_or(String::new(), |stem| stem.to_string_lossy().into_owned());
        for choice in session.experiments(&project) {
            let checked = session.check_one(&project, &choice, &overrides);
            if checked.diagnostics.iter().any(|diagnostic| diagnostic.severity == Severity::Error) {
                return project::complain(&session, &checked.diagnostics, look);
            }
            let Some(experiment) = &checked.experiment else { return Exit::Found };
            // However the file was named on the command line, its golden says the same.
            let of = file.file_name().map_or(String::new(), |name| name.to_string_lossy().into_owned());
            let name = format!("{} of {of}", experiment.name);
            let path = arguments.dir.join(format!("{stem}.{}.golden", experiment.name));
            let text = golden::write(&name, experiment);
            let side = diff::side(&name, experiment, session.sources());
            if wanted.insert(path.clone(), Wanted { text, side }).is_some() {
                return usage(&format!(
                    "two experiments would be kept in `{}`: rename one of the files",
                    path.display()
                ));
            }
        }
    }
    if arguments.update { update(arguments, &wanted) } else { hold(arguments, &wanted) }
}

fn update(arguments: &GoldenArguments, wanted: &BTreeMap<PathBuf, Wanted>) -> Exit {
    if let Err(error) = std::fs::create_dir_all(&arguments.dir) {
        return usage(&format!("`{}` can't be made: {error}", arguments.dir.display()));
    }
    let mut changed = 0;
    for (path, golden) in wanted {
        if std::fs::read_to_string(path).is_ok_and(|there| there == golden.text) {
            continue;
        }
        if let Err(message) = project::write_whole(path, &golden.text) {
            return usage(&message);
        }
        changed += 1;
    }
    let mut text = format!("{changed} of {} goldens written\n", wanted.len());
    for orphan in orphans(arguments, wanted) {
        // Only what `dlm golden` wrote is its to remove.
        if std::fs::read_to_string(&orphan).is_ok_and(|text| golden::is_golden(&text)) {
            if let Err(error) = std::fs::remove_file(&orphan) {
                return usage(&format!("`{}` can't be removed: {error}", orphan.display()));
            }
            text.push_str(&format!("`{}` removed: it belonged to no experiment\n", orphan.display()));
        }
    }
    written(term::out(&text))
}

fn hold(arguments: &GoldenArguments, wanted: &BTreeMap<PathBuf, Wanted>) -> Exit {
    let mut text = String::new();
    let mut differ = 0;
    for (path, golden) in wanted {
        let shown = path.display();
        match std::fs::read_to_string(path) {
            Ok(there) if there == golden.text => {}
            Ok(there) => {
                let old = golden::side(&shown.to_string(), &there);
                let differences = diff::differences(&old, &golden.side, false);
                text.push_str(&diff::human(&old, &golden.side, &differences));
                text.push('\n');
                differ += 1;
            }
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
                text.push_str(&format!("`{shown}` is missing\n"));
                differ += 1;
            }
            Err(error) => return usage(&format!("`{shown}` can't be read: {error}")),
        }
    }
    for orphan in orphans(arguments, wanted) {
        text.push_str(&format!("`{}` belongs to no experiment\n", orphan.display()));
        differ += 1;
    }
    if differ == 0 {
        return written(term::out(&format!("{} goldens hold\n", wanted.len())));
    }
    let goldens = if differ == 1 { "golden is" } else { "goldens are" };
    text.push_str(&format!(
        "{differ} {goldens} not as kept\n  help: `dlm golden --update` takes what is resolved now\n"
    ));
    match written(term::out(&text)) {
        Exit::Clean => Exit::Found,
        exit => exit,
    }
}

/// Goldens in the folder that no experiment has: of files that were looked at, or of any where a folder was.
fn orphans(arguments: &GoldenArguments, wanted: &BTreeMap<PathBuf, Wanted>) -> Vec<PathBuf> {
    let Ok(entries) = std::fs::read_dir(&arguments.dir) else { return Vec::new() };
    let whole = arguments.paths.iter().any(|path| path.is_dir());
    let named = |path: &PathBuf| {
        let name = path.file_name().map_or(String::new(), |name| name.to_string_lossy().into_owned());
        let stems = arguments.paths.iter().filter_map(|path| path.file_stem());
        // `base.small.golden` is of `base.dlm`, unless that is the one of `base.small.dlm`.
        stems.into_iter().any(|stem| {
            let rest = name.strip_prefix(&*stem.to_string_lossy()).and_then(|rest| rest.strip_prefix('.'));
            rest.and_then(|rest| rest.strip_suffix(".golden")).is_some_and(|experiment| !experiment.contains('.'))
        })
    };
    let mut found: Vec<PathBuf> = entries
        .filter_map(|entry| entry.ok().map(|entry| entry.path()))
        .filter(|path| path.extension().is_some_and(|extension| extension == "golden") && !wanted.contains_key(path))
        .filter(|path| whole || named(path))
        .collect();
    found.sort();
    found
}
