//! `dlm test`

use crate::cli::args::TestArguments;
use crate::cli::exit::{Exit, usage, written};
use crate::cli::{project, term};
use crate::view::diagnostics::{Format, Look, render};

pub(super) fn run(arguments: &TestArguments, look: Look) -> Exit {
    let files = match project::files(&arguments.paths) {
        Ok(files) => files,
        Err(message) => return usage(&message),
    };
    let mut session = project::session(&arguments.settings);
    let project = session.load(&files);
    let overrides = match project::overrides(&session, &arguments.settings) {
        Ok(overrides) => overrides,
        Err(message) => return usage(&message),
    };
    let tests = session.test(&project, &overrides, &arguments.filter);
    if tests.diagnostics.iter().any(|diagnostic| diagnostic.severity == crate::diag::Severity::Error) {
        return project::complain(&session, &tests.diagnostics, look);
    }
    let failed: Vec<_> = tests.outcomes.iter().filter(|outcome| !outcome.passed()).collect();
    let diagnostics: Vec<_> = failed.iter().flat_map(|outcome| outcome.diagnostics.iter().cloned()).collect();
    let mut text = String::new();
    if arguments.format == Format::Human {
        for outcome in &tests.outcomes {
            let file = session.path_of(outcome.file).map_or(String::new(), |path| format!("{}: ", path.display()));
            let points = match outcome.trials {
                1 => String::new(),
                points => format!(" ({points} points)"),
            };
            let verdict = match (outcome.passed(), outcome.point) {
                (true, _) => "ok".to_owned(),
                (false, Some(point)) if outcome.failures == 1 => format!("FAILED at `{point}`"),
                (false, Some(point)) => format!("FAILED at {} points, the first is `{point}`", outcome.failures),
                (false, None) => "FAILED".to_owned(),
            };
            text.push_str(&format!("{file}{}{points} … {verdict}\n", outcome.title));
        }
        text.push('\n');
    }
    text.push_str(&render(&diagnostics, session.sources(), arguments.format, look));
    if arguments.format == Format::Human {
        let passed = tests.outcomes.len() - failed.len();
        text.push_str(&format!("{passed} passed, {} failed\n", failed.len()));
    }
    match written(term::out(&text)) {
        Exit::Clean if !failed.is_empty() => Exit::Found,
        exit => exit,
    }
}
