//! `dlm resolve`

use crate::cli::args::{ResolveArguments, ResolveFormat};
use crate::cli::exit::{Exit, usage, written};
use crate::cli::{project, term};
use crate::emit;
use crate::session::{Checked, Session};
use crate::view;
use crate::view::diagnostics::Look;

pub(super) fn run(arguments: &ResolveArguments, look: Look) -> Exit {
    let mut session = project::session(&arguments.chosen.settings);
    if arguments.all {
        return all(arguments, &mut session, look);
    }
    if let Some(exit) = sweep(arguments, &mut session) {
        return exit;
    }
    let checked = match project::checked(&mut session, &arguments.chosen, look) {
        Ok(checked) => checked,
        Err(exit) => return exit,
    };
    match shown(arguments, &session, &checked, look) {
        Ok(text) => written(term::out(&text)),
        Err(exit) => exit,
    }
}

fn shown(arguments: &ResolveArguments, session: &Session, checked: &Checked, look: Look) -> Result<String, Exit> {
    let Some(experiment) = &checked.experiment else { return Err(Exit::Found) };
    Ok(match arguments.format {
        ResolveFormat::Table => view::resolved::table(experiment, session.sources(), arguments.full),
        ResolveFormat::Json => view::resolved::json(experiment, session.sources(), arguments.full),
        ResolveFormat::Yaml => view::resolved::yaml(experiment, arguments.full),
        ResolveFormat::Flags => match session.arguments(checked) {
            Ok(set) => emit::args::shell(&emit::args::args(&set, arguments.full)) + "\n",
            Err(diagnostics) => return Err(project::complain(session, &diagnostics, look)),
        },
    })
}

/// The points of a sweep, where one is named: name and what varies.
fn sweep(arguments: &ResolveArguments, session: &mut Session) -> Option<Exit> {
    let name = arguments.chosen.experiment.as_deref().filter(|name| !name.contains('/'))?;
    let project = session.load(std::slice::from_ref(&arguments.chosen.file));
    let id = session.sweep_named(&project, name)?;
    let points = session.points(id);
    let text = view::resolved::points(&points, session.program(), session.sources());
    Some(written(term::out(&text)))
}

/// Every experiment of the file, and every point of its sweeps.
fn all(arguments: &ResolveArguments, session: &mut Session, look: Look) -> Exit {
    let project = session.load(std::slice::from_ref(&arguments.chosen.file));
    let overrides = match project::overrides(session, &arguments.chosen.settings) {
        Ok(overrides) => overrides,
        Err(message) => return usage(&message),
    };
    let mut texts = Vec::new();
    for choice in session.all(&project) {
        let checked = session.check_one(&project, &choice, &overrides);
        if !checked.is_ok() {
            return project::complain(session, &checked.diagnostics, look);
        }
        match shown(arguments, session, &checked, look) {
            Ok(text) => texts.push((checked.experiment.map(|experiment| experiment.name), text)),
            Err(exit) => return exit,
        }
    }
    let text = match arguments.format {
        ResolveFormat::Json => {
            view::resolved::json_list(&texts.into_iter().map(|entry| entry.1).collect::<Vec<String>>())
        }
        ResolveFormat::Table | ResolveFormat::Yaml | ResolveFormat::Flags => texts
            .into_iter()
            .map(|(name, text)| format!("# {}\n{text}", name.map_or(String::new(), |name| name.to_string())))
            .collect::<Vec<String>>()
            .join("\n"),
    };
    written(term::out(&text))
}
