//! All that this stage can complain about: the codes, and a constructor for each way to meet one.

mod declarations;
mod expressions;
mod flags;
mod names;
mod trials;

pub(in crate::resolve) use declarations::*;
pub(crate) use expressions::*;
pub(in crate::resolve) use flags::*;
pub(crate) use names::*;
pub(in crate::resolve) use trials::*;

use crate::base::{Name, Span};
use crate::diag::Diagnostic;
use crate::resolve::limits::Limit;
use crate::resolve::{Group, Schema};

crate::diag::codes! { "resolve":
    /// A file that is imported or named on the command line can't be read.
    UNREADABLE_FILE = "unreadable_file", Error;
    /// An import names a file or a module that does not exist.
    IMPORT_NOT_FOUND = "import_not_found", Error;
    /// Files import each other in a circle.
    IMPORT_CYCLE = "import_cycle", Error;
    /// A file outside the project's folder is imported.
    IMPORT_OUTSIDE = "import_outside", Error;
    /// No declaration of that name is known here.
    UNKNOWN_NAME = "unknown_name", Error;
    /// Two declarations of one file have one name.
    DUPLICATE_NAME = "duplicate_name", Error;
    /// A name stands for something else than what is wanted: a mixin where a schema must stand.
    WRONG_KIND = "wrong_kind", Error;
    /// Experiments inherit from each other, or schemas hold each other, in a circle.
    INHERITANCE_CYCLE = "inheritance_cycle", Error;
    /// An experiment says neither what it extends nor, through its ancestors, which schema it follows.
    NO_PARENT = "no_parent", Error;
    /// One mixin stands twice in the ancestry of an experiment.
    DUPLICATE_MIXIN = "duplicate_mixin", Error;
    /// A mixin is written for another schema than the experiment follows.
    MIXIN_SCHEMA = "mixin_schema", Error;
    /// `over` names no earlier mixin of the list.
    BAD_OVER = "bad_over", Error;
    /// No type of that name is known here.
    UNKNOWN_TYPE = "unknown_type", Error;
    /// A declaration of a field contradicts itself.
    BAD_FIELD = "bad_field", Error;
    /// A field or group that the schema does not have.
    UNKNOWN_FIELD = "unknown_field", Error;
    /// A field that has another name now.
    RENAMED_FIELD = "renamed_field", Error;
    /// A field that should no longer be used.
    DEPRECATED_FIELD = "deprecated_field", Warning;
    /// A group is set like a field, or a field is opened like a group.
    GROUP_AND_FIELD = "group_and_field", Error;
    /// One body sets one field twice.
    DUPLICATE_SETTING = "duplicate_setting", Error;
    /// A name in an expression that is neither a field nor a value of the enum that is wanted.
    UNKNOWN_VALUE = "unknown_value", Error;
    /// A value of another type than the field's.
    WRONG_TYPE = "wrong_type", Error;
    /// A value outside the range of its field.
    OUT_OF_RANGE = "out_of_range", Error;
    /// A number with decimals where things are counted.
    NOT_WHOLE = "not_whole", Error;
    /// A unit of another family than the field's.
    WRONG_UNIT = "wrong_unit", Error;
    /// A number without the unit that would say which quantity it is.
    NO_UNIT = "no_unit", Error;
    /// Letters behind a number that mean nothing.
    UNKNOWN_UNIT = "unknown_unit", Error;
    /// A function that the language does not have, or one with too few or too many values.
    BAD_CALL = "bad_call", Error;
    /// An operator between values that don't go together.
    BAD_OPERANDS = "bad_operands", Error;
    /// An expression that has no value: a division by zero, a number out of range, `none` in arithmetic.
    NO_VALUE = "no_value", Error;
    /// `super` where there is nothing below.
    SUPER_OUTSIDE = "super_outside", Error;
    /// A name in an expression that is both a field and a `let` or `input`.
    AMBIGUOUS_NAME = "ambiguous_name", Error;
    /// Types and values that are declared by each other.
    BINDING_CYCLE = "binding_cycle", Error;
    /// A value is given for an input that no file declares.
    UNKNOWN_INPUT = "unknown_input", Error;
    /// A setting of a field that is worked out from what is compiled.
    COMPUTED_FIELD = "computed_field", Error;
    /// A map or named blocks used in another way than theirs.
    KEYED = "keyed", Error;
    /// A sweep that has no points or no meaning.
    BAD_SWEEP = "bad_sweep", Error;
    /// Sweeps that are made of each other.
    SWEEP_CYCLE = "sweep_cycle", Error;
    /// A test that can't try anything or can't fail.
    BAD_TEST = "bad_test", Error;
    /// A test expects the violation of a rule that does not exist.
    UNKNOWN_RULE = "unknown_rule", Error;
    /// A word of the target's command line that no flag is spelled as.
    UNKNOWN_FLAG = "unknown_flag", Error;
    /// The beginning of several flags.
    AMBIGUOUS_FLAG = "ambiguous_flag", Error;
    /// A flag without its value, with one that it does not take, or with one that it can't read.
    FLAG_VALUE = "flag_value", Error;
    /// A flag that is given twice.
    REPEATED_FLAG = "repeated_flag", Warning;
    /// More of something than the language takes.
    LIMIT = "limit", Error;
}

/// More of something than the language takes.
pub(crate) fn limit(span: Span, limit: Limit) -> Diagnostic {
    let (holder, counted) = limit.words();
    Diagnostic::new(&LIMIT, span, format!("{holder} has more than {} {counted}", limit.most())).help(limit.advice())
}

/// The names in a group.
fn member_names(group: &Group) -> impl Iterator<Item = &'static str> {
    group.members.iter().map(|member| member.0.as_str())
}

/// A group in words.
pub(crate) fn group_name(schema: &Schema, group: &Group) -> String {
    if group.path == Name::new("") { format!("`{}`", schema.name) } else { format!("group `{}`", group.path) }
}
