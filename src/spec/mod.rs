//! What a run is, as plain data: the contract between the language and everything that executes.
//!
//! Must not know: fields, layers, syntax. It may say where a value came from ([`Cause`]), in words. Start with
//! [`RunSpec`]. Invariants: every type is versioned through [`RunSpec::VERSION`] and reads back what it wrote; numbers
//! are those that a target or a processor understands; shapes are given for the whole model, before any sharding.

pub mod arguments;
pub mod attention;
pub mod graph;
pub mod plan;

pub use arguments::{Argument, ArgumentSet, ArgumentValue, Flag, FlagKind};
pub use graph::{LayerGraph, Node};
pub use plan::TrainingPlan;

use serde::{Deserialize, Serialize};

/// Everything a runtime needs to start, resume or sample from a run: the content of `run.json`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RunSpec {
    /// [`RunSpec::VERSION`] of the writer.
    pub version: u32,
    /// The name of the experiment.
    pub experiment: String,
    /// The resolved arguments of the target.
    pub arguments: ArgumentSet,
    /// The network.
    pub graph: LayerGraph,
    /// What to do with it.
    pub plan: TrainingPlan,
}

impl RunSpec {
    /// The version of the format that this build writes and reads.
    pub const VERSION: u32 = 1;
}

/// Where a value came from, made into words when the experiment is lowered.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Cause {
    /// The field, as a dotted path.
    pub field: String,
    /// The source that set it, as the user named it.
    pub file: String,
    /// Line in that source, from 1.
    pub line: u32,
    /// Column in that line, in characters from 1.
    pub column: u32,
}

impl std::fmt::Display for Cause {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "`{}`, {}:{}:{}", self.field, self.file, self.line, self.column)
    }
}
