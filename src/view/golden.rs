//! Goldens: a resolved experiment as text, a field a line, made to be read in a review and held against later.
//!
//! Every line after the head is a setting of the language, so that a golden can be read back: `path = value`.

use crate::check::Experiment;
use crate::view::diff::{Row, Side};

/// The first word of every golden.
const HEAD: &str = "# dlm golden 1:";

/// A resolved experiment as text: every field in the order of the schema, those at their defaults included, so that a
/// default that changes shows too.
pub fn write(name: &str, experiment: &Experiment) -> String {
    let mut text = format!("{HEAD} {name}\n");
    for (id, value) in experiment.iter() {
        let field = experiment.schema.field(id);
        if !field.is_computed {
            text.push_str(&format!("{} = {}\n", field.path, value.data));
        }
    }
    text
}

/// Whether a text is a golden.
pub fn is_golden(text: &str) -> bool {
    text.starts_with(HEAD)
}

/// A golden as one side of a comparison. `file` is what it is called in places.
pub fn side(file: &str, text: &str) -> Side {
    let name = text.lines().next().and_then(|line| line.strip_prefix(HEAD)).unwrap_or("").trim();
    let rows = text.lines().enumerate().skip(1).filter_map(|(at, line)| {
        let (path, value) = line.split_once(" = ")?;
        Some(Row { path: path.to_owned(), value: value.to_owned(), place: format!("{file}:{}", at + 1) })
    });
    Side { name: format!("{name} (golden)"), rows: rows.collect() }
}
