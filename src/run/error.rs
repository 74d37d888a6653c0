//! What can go wrong in a run: one enum, each variant with the place and the numbers that a reader needs.

use std::path::{Path, PathBuf};

use crate::spec::Cause;

/// A failure of the runtime. Every message stands alone: what was done, on what, and why it did not work.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RunError {
    /// The operating system refused: `action` reads as in "cannot write".
    #[error("cannot {action} `{}`: {source}", path.display())]
    Io {
        /// What was tried: `read`, `write`, `create`, `rename`.
        action: &'static str,
        /// On which file or folder.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// A file is there but its content is not what it should be.
    #[error("`{}`: {what}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// What is wrong with it, with the position where one is known.
        what: String,
    },
    /// The layer graph asks for something that this runtime cannot build.
    #[error("cannot build `{module}`: {what}{}", causes_in_words(causes))]
    Graph {
        /// Dotted path of the module; `model` for the root.
        module: String,
        /// What is wrong.
        what: String,
        /// The fields that made the module what it is.
        causes: Vec<Cause>,
    },
    /// The training plan asks for something that cannot be done.
    #[error("training plan: {what}")]
    Plan {
        /// What is wrong, with the values that took part.
        what: String,
    },
    /// A tensor has another shape than its use demands.
    #[error("`{tensor}` has shape {found:?}, needed is {expected:?}")]
    Shape {
        /// Name of the parameter, state or input.
        tensor: String,
        /// The shape it must have.
        expected: Vec<i64>,
        /// The shape it has.
        found: Vec<i64>,
    },
    /// A named tensor that must be there is absent, or one is there that nobody knows.
    #[error("{set}: {what} `{name}`")]
    Name {
        /// Which collection: `checkpoint`, `optimizer state`.
        set: String,
        /// `no tensor`, `unknown tensor`.
        what: &'static str,
        /// Its name.
        name: String,
    },
    /// A token outside the embedding.
    #[error("token {token} at row {row}, position {position} is outside the vocabulary of {vocab} rows")]
    Token {
        /// The value.
        token: i64,
        /// Row of the batch, from 0.
        row: usize,
        /// Position in the row, from 0.
        position: usize,
        /// Rows of the embedding.
        vocab: i64,
    },
    /// Training left the finite numbers; the step was not taken.
    #[error(
        "step {step}: the {what} is {value}, at a learning rate of {learning_rate:e}; training stopped, {}",
        match kept {
            Some(step) => format!("and the checkpoint of step {step} is kept"),
            None => "and there is no checkpoint yet".to_owned(),
        }
    )]
    Diverged {
        /// Optimizer step, from 1.
        step: u64,
        /// Which number: `training loss`, `gradient norm`.
        what: &'static str,
        /// What it is.
        value: f64,
        /// Learning rate of the step.
        learning_rate: f64,
        /// Step of the latest checkpoint.
        kept: Option<u64>,
    },
    /// libtorch refused an operation.
    #[error("{}: {}", place.as_deref().unwrap_or("tensor operation"), first_line(source))]
    Tensor {
        /// Module or stage that asked for it.
        place: Option<String>,
        /// What libtorch said.
        source: tch::TchError,
    },
}

impl RunError {
    /// For `map_err` on file operations: `fs::read(&path).map_err(RunError::io("read", &path))`.
    pub fn io(action: &'static str, path: &Path) -> impl FnOnce(std::io::Error) -> RunError {
        let path = path.to_owned();
        move |source| RunError::Io { action, path, source }
    }

    /// A file whose content is wrong.
    pub fn file(path: &Path, what: impl Into<String>) -> RunError {
        RunError::File { path: path.to_owned(), what: what.into() }
    }

    /// A plan that cannot be carried out.
    pub fn plan(what: impl Into<String>) -> RunError {
        RunError::Plan { what: what.into() }
    }

    /// Names the module or stage of an error of libtorch that has no place yet.
    #[must_use]
    pub fn within(self, module: &str) -> RunError {
        match self {
            RunError::Tensor { place: None, source } => RunError::Tensor { place: Some(module.to_owned()), source },
            other => other,
        }
    }
}

impl From<tch::TchError> for RunError {
    fn from(source: tch::TchError) -> RunError {
        RunError::Tensor { place: None, source }
    }
}

/// libtorch appends a C++ stack to its messages; only the first line says something to a user.
fn first_line(source: &tch::TchError) -> String {
    source.to_string().lines().next().unwrap_or_default().to_owned()
}

fn causes_in_words(causes: &[Cause]) -> String {
    causes.first().map(|cause| format!(" (because of {cause})")).unwrap_or_default()
}
