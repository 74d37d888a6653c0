//! From paths on the command line to a loaded project, and diagnostics to the terminal.
#![allow(clippy::disallowed_methods, reason = "the command line walks folders")]

use std::path::{Path, PathBuf};

use crate::base::Disk;
use crate::cli::args::{Chosen, Settings};
use crate::cli::exit::{Exit, usage};
use crate::cli::term;
use crate::diag::{CodeRef, Diagnostic, Severity};
use crate::resolve::errors::UNREADABLE_FILE;
use crate::session::{Checked, Override, Overrides, Project, Session};
use crate::view::diagnostics::{Format, Look, render};

/// Every `.dlm` file of `paths`; folders are searched, hidden ones and build outputs aside.
pub(crate) fn files(paths: &[PathBuf]) -> Result<Vec<PathBuf>, String> {
    let mut found = Vec::new();
    for path in paths {
        if path.is_dir() {
            let before = found.len();
            search(path, &mut found)?;
            if found.len() == before {
                return Err(format!("no `.dlm` file lies in `{}`", path.display()));
            }
        } else {
            found.push(path.clone());
        }
    }
    Ok(found)
}

fn search(folder: &Path, found: &mut Vec<PathBuf>) -> Result<(), String> {
    // Folders still to search; a list, not recursion, so that no depth of folders needs the stack.
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        let unreadable = |error| format!("`{}` can't be read: {error}", folder.display());
        let mut entries: Vec<PathBuf> = Vec::new();
        for entry in std::fs::read_dir(&folder).map_err(unreadable)? {
            let entry = entry.map_err(unreadable)?;
            let name = entry.file_name();
            let name = name.to_string_lossy();
            let skipped = name.starts_with('.') || matches!(&*name, "target" | "vendor" | "node_modules");
            let kind = entry.file_type().map_err(unreadable)?;
            // Links to folders are not followed: they may lead in a circle.
            if kind.is_dir() && !skipped {
                entries.push(entry.path());
            } else if !kind.is_dir() && name.ends_with(".dlm") && !skipped {
                found.push(entry.path());
            }
        }
        folders.extend(entries);
    }
    found.sort();
    Ok(())
}

/// A session over the files on disk.
pub(crate) fn session(settings: &Settings) -> Session {
    let mut session = Session::new(Disk::at(""));
    if settings.allow_outside {
        session.allow_outside();
    }
    session
}

/// What the command line changes. Of the environment only what inputs of the loaded files name is read.
pub(crate) fn overrides(session: &Session, settings: &Settings) -> Result<Overrides, String> {
    let mut overrides = Overrides::default();
    for path in &settings.values {
        let text =
            std::fs::read_to_string(path).map_err(|error| format!("`{}` can't be read: {error}", path.display()))?;
        overrides.settings.push(Override::Values(path.display().to_string(), text));
    }
    overrides.settings.extend(settings.with.iter().cloned().map(Override::With));
    overrides.settings.extend(settings.changes.0.iter().cloned());
    if !settings.flags.is_empty() {
        overrides.settings.push(Override::Flags(settings.flags.clone()));
    }
    for input in &settings.inputs {
        let (name, value) = input
            .split_once('=')
            .ok_or_else(|| format!("`--input {input}` gives no value\n  help: write `--input {input}=value`"))?;
        overrides.inputs.push((name.trim().to_owned(), value.to_owned()));
    }
    for variable in session.variables() {
        match std::env::var(variable) {
            Ok(value) => overrides.variables.push((variable.to_owned(), value)),
            Err(std::env::VarError::NotPresent) => {}
            Err(std::env::VarError::NotUnicode(_)) => {
                return Err(format!("the environment variable `{variable}` is not valid UTF-8"));
            }
        }
    }
    Ok(overrides)
}

/// Loads a file and checks the experiment that was chosen in it.
pub(crate) fn checked(session: &mut Session, chosen: &Chosen, look: Look) -> Result<Checked, Exit> {
    let project: Project = session.load(std::slice::from_ref(&chosen.file));
    let choice = match session.choose(&project, chosen.experiment.as_deref()) {
        Ok(choice) => choice,
        Err(error) => {
            // A file that does not parse declares nothing; its own faults say more than that.
            let report = session.check(&project, &Overrides::default());
            return Err(match report.diagnostics.is_empty() {
                true => usage(&format!("{}: {error}", chosen.file.display())),
                false => complain(session, &report.diagnostics, look),
            });
        }
    };
    let overrides = overrides(session, &chosen.settings).map_err(|message| usage(&message))?;
    let checked = session.check_one(&project, &choice, &overrides);
    if checked.is_ok() {
        show(session, &checked.diagnostics, look);
        return Ok(checked);
    }
    Err(complain(session, &checked.diagnostics, look))
}

/// Shows diagnostics on standard error; status 1, or 2 where a path that was named can't be read.
pub(crate) fn complain(session: &Session, diagnostics: &[Diagnostic], look: Look) -> Exit {
    show(session, diagnostics, look);
    if diagnostics.iter().any(|diagnostic| named_unreadable(session, diagnostic)) {
        return Exit::Usage;
    }
    match diagnostics.iter().any(|diagnostic| diagnostic.severity == Severity::Error) {
        true => Exit::Found,
        false => Exit::Clean,
    }
}

/// Whether a path of the command line could not be read: that says nothing about experiments, and has its own status.
pub(crate) fn named_unreadable(session: &Session, diagnostic: &Diagnostic) -> bool {
    let unreadable = diagnostic.code == CodeRef::Builtin(&UNREADABLE_FILE);
    unreadable && diagnostic.span().is_some_and(|span| session.path_of(span.file).is_none())
}

pub(crate) fn show(session: &Session, diagnostics: &[Diagnostic], look: Look) {
    let text = render(diagnostics, session.sources(), Format::Human, look);
    if !text.is_empty() {
        term::err(text.trim_end());
    }
}

/// Writes a file whole or not at all: beside it first, then renamed into place.
pub(crate) fn write_whole(path: &Path, text: &str) -> Result<(), String> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let failed = |error: std::io::Error| format!("`{}` can't be written: {error}", path.display());
    let mut file = tempfile::NamedTempFile::new_in(folder).map_err(failed)?;
    std::io::Write::write_all(&mut file, text.as_bytes()).map_err(failed)?;
    // A temporary file is readable by its owner alone; what replaces a file keeps that file's permissions.
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let mode = std::fs::metadata(path).map_or(0o644, |found| found.permissions().mode());
        file.as_file().set_permissions(std::fs::Permissions::from_mode(mode)).map_err(failed)?;
    }
    file.as_file().sync_all().map_err(failed)?;
    file.persist(path).map_err(|error| failed(error.error))?;
    Ok(())
}
