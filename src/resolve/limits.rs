//! How much of something a program may hold: far above what people write, low enough that any input is answered in time
//! and memory that fit its size.

/// Something that is counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Limit {
    /// Experiments above an experiment.
    Ancestors,
    /// Mixins of an experiment, those of its ancestors included.
    Mixins,
    /// Fields, groups and rules of a schema, those of its groups included.
    Members,
    /// Items of a list.
    Items,
    /// Imports of a file.
    Imports,
    /// Bytes of a text. Equal to [`crate::types::MAX_TEXT`], which holds for texts that are worked out.
    Text,
}

impl Limit {
    /// The largest count that is taken.
    pub fn most(self) -> usize {
        match self {
            Limit::Ancestors => 100,
            Limit::Mixins | Limit::Imports => 1_000,
            Limit::Members => 20_000,
            Limit::Items => 10_000,
            Limit::Text => crate::types::MAX_TEXT,
        }
    }

    /// What has too many, and of what.
    pub(in crate::resolve) fn words(self) -> (&'static str, &'static str) {
        match self {
            Limit::Ancestors => ("an experiment", "ancestors"),
            Limit::Mixins => ("an experiment", "mixins, those of its ancestors included"),
            Limit::Members => ("a schema", "fields, groups and rules"),
            Limit::Items => ("a list", "items"),
            Limit::Imports => ("a file", "imports"),
            Limit::Text => ("a text", "bytes"),
        }
    }

    /// What to do instead.
    pub(in crate::resolve) fn advice(self) -> &'static str {
        match self {
            Limit::Ancestors => "merge some of them: what only one experiment inherits can stand in that experiment",
            Limit::Mixins => "merge mixins that are always used together",
            Limit::Members => "a schema that stands in several groups counts once for each; name one group for all",
            Limit::Items => "write the items to a file, and let the field name the file",
            Limit::Imports => "take several names from one file: `use \"base.dlm\" { a, b }`",
            Limit::Text => "write the text to a file, and let the field name the file",
        }
    }
}
