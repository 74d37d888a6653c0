//! `dlm resolve`

use crate::cli::args::{ResolveArguments, ResolveFormat};
use crate::cli::exit::{Exit, written};
use crate::cli::{project, term};
use crate::emit;
use crate::view;
use crate::view::diagnostics::Look;

pub(super) fn run(arguments: &ResolveArguments, look: Look) -> Exit {
    let mut session = project::session(&arguments.chosen.settings);
    let checked = match project::checked(&mut session, &arguments.chosen, look) {
        Ok(checked) => checked,
        Err(exit) => return exit,
    };
    let Some(experiment) = &checked.experiment else { return Exit::Found };
    let text = match arguments.format {
        ResolveFormat::Table => view::resolved::table(experiment, session.sources(), arguments.full),
        ResolveFormat::Json => view::resolved::json(experiment, session.sources(), arguments.full),
        ResolveFormat::Yaml => view::resolved::yaml(experiment, arguments.full),
        ResolveFormat::Flags => match session.arguments(&checked) {
            Ok(set) => emit::args::shell(&emit::args::args(&set, arguments.full)) + "\n",
            Err(diagnostics) => return project::complain(&session, &diagnostics, look),
        },
    };
    written(term::out(&text))
}
