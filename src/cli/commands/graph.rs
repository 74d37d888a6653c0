//! `dlm graph`

use crate::cli::args::{GraphArguments, GraphFormat};
use crate::cli::exit::{Exit, written};
use crate::cli::{project, term};
use crate::view;
use crate::view::diagnostics::Look;

pub(super) fn run(arguments: &GraphArguments, look: Look) -> Exit {
    let mut session = project::session(&arguments.chosen.settings);
    let checked = match project::checked(&mut session, &arguments.chosen, look) {
        Ok(checked) => checked,
        Err(exit) => return exit,
    };
    let graph = match session.graph(&checked) {
        Ok(graph) => graph,
        Err(diagnostics) => return project::complain(&session, &diagnostics, look),
    };
    let text = match arguments.format {
        GraphFormat::Tree => view::graph::tree(&graph),
        GraphFormat::Json => view::graph::json(&graph),
    };
    written(term::out(&text))
}
