//! `dlm new`
#![allow(clippy::disallowed_methods, reason = "it must not overwrite a file that is there")]

use crate::cli::args::{NewArguments, Template};
use crate::cli::exit::{Exit, usage, written};
use crate::cli::{project, term};

pub(super) fn run(arguments: &NewArguments) -> Exit {
    let path = &arguments.file;
    if path.extension().is_none_or(|extension| extension != "dlm") {
        return usage(&format!("`{}` does not end in `.dlm`", path.display()));
    }
    if path.symlink_metadata().is_ok() {
        return usage(&format!("`{}` is there already; it stays as it is", path.display()));
    }
    let stem = path.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default();
    let template = match arguments.template {
        Template::Pretrain => include_str!("new/pretrain.dlm"),
        Template::Small => include_str!("new/small.dlm"),
    };
    let text = template.replace("my_experiment", &identifier(&stem));
    match project::write_whole(path, &text) {
        Ok(()) => {
            written(term::out(&format!("{} written; `dlm check {}` checks it\n", path.display(), path.display())))
        }
        Err(message) => usage(&message),
    }
}

/// The name of a file as a name of the language: letters, digits and `_`, no digit first.
fn identifier(stem: &str) -> String {
    let letter = |letter: char| if letter.is_ascii_alphanumeric() { letter } else { '_' };
    let name: String = stem.chars().map(letter).collect();
    match name.chars().next() {
        None => "experiment_1".to_owned(),
        Some(first) if first.is_ascii_digit() => format!("e{name}"),
        Some(_) => name,
    }
}
