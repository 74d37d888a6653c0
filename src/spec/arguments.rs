//! The resolved arguments of a target, in its own words.

use serde::{Deserialize, Serialize};

use crate::spec::Cause;

/// Every argument of the target with its final value, in the order of the schema.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct ArgumentSet {
    /// The arguments.
    pub arguments: Vec<Argument>,
}

/// One argument.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Argument {
    /// The field of the experiment, as a dotted path.
    pub field: String,
    /// How the target's command line spells it; none for fields that only dlm reads.
    pub flag: Option<Flag>,
    /// Its value.
    pub value: ArgumentValue,
    /// Whether the value is the one that the target takes by itself when the flag is absent.
    pub is_default: bool,
    /// Where the value came from.
    pub cause: Cause,
}

/// A command-line flag of the target.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Flag {
    /// With its dashes: `--num-layers`.
    pub name: String,
    /// How it takes its value.
    pub kind: FlagKind,
}

/// How a flag takes its value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FlagKind {
    /// `--flag VALUE`
    Value,
    /// `--flag V1 V2 …`
    Many,
    /// Present means true.
    StoreTrue,
    /// Present means false.
    StoreFalse,
}

/// A value of an argument.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum ArgumentValue {
    /// Not given.
    None,
    /// A switch.
    Bool(bool),
    /// A whole number.
    Int(i64),
    /// A real number.
    Float(f64),
    /// A word, a path, an enum value in the target's spelling.
    Text(String),
    /// Several.
    List(Vec<ArgumentValue>),
}
