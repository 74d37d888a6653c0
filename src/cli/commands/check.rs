//! `dlm check`

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use crate::base::FileId;
use crate::cli::args::{CheckArguments, Deny, RuleChoice};
use crate::cli::exit::{Exit, usage, written};
use crate::cli::{project, term};
use crate::diag::{Severity, apply_fixes};
use crate::lower::WORLD_SIZE;
use crate::session::{Override, Report, Rules, Session};
use crate::view::diagnostics::{Format, Look, render};

pub(super) fn run(arguments: &CheckArguments, look: Look) -> Exit {
    let files = match project::files(&arguments.paths) {
        Ok(files) => files,
        Err(message) => return usage(&message),
    };
    let (mut session, mut report) = match check(arguments, &files) {
        Ok(checked) => checked,
        Err(message) => return usage(&message),
    };
    if arguments.fix {
        match fix(arguments, &files, &mut session, &mut report) {
            Ok(0) => {}
            Ok(edited) => term::err(&format!("fixed {edited} {}", if edited == 1 { "file" } else { "files" })),
            Err(message) => return usage(&message),
        }
    }
    let limit = match arguments.deny {
        Deny::Error => Severity::Error,
        Deny::Warning => Severity::Warning,
    };
    let denied = report.diagnostics.iter().any(|diagnostic| diagnostic.severity >= limit);
    let mut text = render(&report.diagnostics, session.sources(), arguments.format, look);
    if report.diagnostics.is_empty() && arguments.format == Format::Human {
        let points = match report.points {
            0 => String::new(),
            points => format!(" and {}", counted(points, "point")),
        };
        let what = match &arguments.target {
            Some(target) => format!("flags of `{target}`"),
            None => {
                format!("{}{points} in {}", counted(report.experiments, "experiment"), counted(files.len(), "file"))
            }
        };
        text = format!("{what}: no errors\n");
    }
    let unread = report.diagnostics.iter().any(|diagnostic| project::named_unreadable(&session, diagnostic));
    match written(term::out(&text)) {
        Exit::Clean if unread => Exit::Usage,
        Exit::Clean if denied => Exit::Found,
        exit => exit,
    }
}

fn check(arguments: &CheckArguments, files: &[PathBuf]) -> Result<(Session, Report), String> {
    let mut session = project::session(&arguments.settings);
    session.hold(match arguments.rules {
        RuleChoice::All => Rules::All,
        RuleChoice::Upstream => Rules::Upstream,
    });
    let project = match &arguments.target {
        Some(target) => session.target(target, &arguments.settings.flags).map_err(|error| error.to_string())?,
        None => session.load(files),
    };
    let mut overrides = project::overrides(&session, &arguments.settings)?;
    if let Some(size) = arguments.world_size {
        // Weaker than what is set field by field.
        overrides.settings.insert(0, Override::Set(format!("{WORLD_SIZE}={size}")));
    }
    let report = session.check(&project, &overrides);
    Ok((session, report))
}

/// Applies sure fixes and checks again, until nothing more can be mended. Returns the number of files that changed.
fn fix(
    arguments: &CheckArguments,
    files: &[PathBuf],
    session: &mut Session,
    report: &mut Report,
) -> Result<usize, String> {
    // A fix can uncover another fault with a fix of its own; each round mends at least one, and few need more than two.
    const ROUNDS: usize = 10;
    let mut edited: BTreeSet<PathBuf> = BTreeSet::new();
    for _ in 0..ROUNDS {
        let texts: BTreeMap<FileId, String> = apply_fixes(&report.diagnostics, session.sources());
        let mut wrote = false;
        for (file, text) in texts {
            // Only files of the user: not the library, not an argument of the command line.
            let Some(path) = session.path_of(file) else { continue };
            project::write_whole(&path, &text)?;
            edited.insert(path);
            wrote = true;
        }
        if !wrote {
            break;
        }
        (*session, *report) = check(arguments, files)?;
    }
    Ok(edited.len())
}

fn counted(count: usize, what: &str) -> String {
    if count == 1 { format!("{count} {what}") } else { format!("{count} {what}s") }
}
