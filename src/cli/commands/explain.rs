//! `dlm explain`

use crate::cli::args::{Chosen, ExplainArguments, ExplainFormat};
use crate::cli::exit::{Exit, usage, written};
use crate::cli::{project, term};
use crate::session::{Session, codes};
use crate::view;
use crate::view::diagnostics::Look;

pub(super) fn run(arguments: &ExplainArguments, look: Look) -> Exit {
    let topic = arguments.topic.as_str();
    let mut session = project::session(&arguments.settings);
    if let Some(text) = code(&session, topic) {
        return written(term::out(&text));
    }
    match &arguments.file {
        Some(file) => {
            let experiment = arguments.experiment.clone();
            let chosen = Chosen { file: file.clone(), experiment, settings: arguments.settings.clone() };
            let checked = match project::checked(&mut session, &chosen, look) {
                Ok(checked) => checked,
                Err(exit) => return exit,
            };
            let Some(experiment) = &checked.experiment else { return Exit::Found };
            let field = view::explain::field(experiment, topic);
            let history = field.map_or_else(Vec::new, |field| session.history(&checked, field));
            let subject = view::explain::Subject {
                program: session.program(),
                sources: session.sources(),
                experiment,
                history: &history,
            };
            let told = match (arguments.why, arguments.format) {
                (true, ExplainFormat::Human) => view::explain::why(&subject, topic),
                (true, ExplainFormat::Json) => view::explain::why_json(&subject, topic),
                (false, ExplainFormat::Human) => view::explain::topic(&subject, topic),
                (false, ExplainFormat::Json) => view::explain::json(&subject, topic),
            };
            match told {
                Ok(text) => written(term::out(&text)),
                Err(message) => usage(&message),
            }
        }
        None => {
            let root = view::explain::root(session.program());
            let found =
                root.and_then(|root| view::explain::declared(session.program(), session.sources(), root, topic));
            match found {
                Some(text) => written(term::out(&text)),
                None => usage(&view::explain::unknown(session.program(), topic)),
            }
        }
    }
}

/// The page of a code, whole (`dlm::resolve::unknown_field`) or without its first part.
fn code(session: &Session, topic: &str) -> Option<String> {
    let topic = topic.strip_prefix("dlm::").unwrap_or(topic);
    let builtin = codes().find(|code| format!("{}::{}", code.stage, code.name) == topic);
    if let Some(code) = builtin {
        return Some(code.page.to_owned());
    }
    let name = topic.strip_prefix("check::")?;
    let mut schemas = session.program().schemas.iter();
    schemas.find_map(|schema| {
        let rule = schema.rules.iter().find(|rule| rule.name.as_str() == name)?;
        Some(view::explain::rule(session.sources(), rule))
    })
}
