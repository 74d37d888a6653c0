//! What differs between two resolved experiments, field by field, with the places that decided.

use std::collections::{BTreeMap, HashMap};

use crate::base::SourceMap;
use crate::check::Experiment;
use crate::types::Data;
use crate::view::resolved::place;

/// One side of a comparison: every field with its value and where that came from.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Side {
    /// What it is called.
    pub name: String,
    /// Path, value, place; in the order of the schema.
    pub rows: Vec<Row>,
}

/// A field of one side.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// Its path.
    pub path: String,
    /// Its value, as it would be written.
    pub value: String,
    /// Where that came from.
    pub place: String,
}

/// A field that differs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// Its path.
    pub path: String,
    /// Its value on the left, and the place; none where the left has no such field.
    pub left: Option<(String, String)>,
    /// The same on the right.
    pub right: Option<(String, String)>,
}

/// A checked experiment as a side.
pub fn side(name: &str, experiment: &Experiment, sources: &SourceMap) -> Side {
    let rows = experiment.iter().filter_map(|(id, value)| {
        let field = experiment.schema.field(id);
        // What is worked out from the rest can't differ by itself.
        (!field.is_computed).then(|| Row {
            path: field.path.to_string(),
            value: exact(&value.data),
            place: place(experiment, sources, value.origin),
        })
    });
    Side { name: name.to_owned(), rows: rows.collect() }
}

/// A value with all its digits.
pub fn exact(data: &Data) -> String {
    data.to_string()
}

/// Fields whose values differ, in the order of the left side, then those that only the right has. With `all` also fields
/// whose values are equal but come from elsewhere.
pub fn differences(left: &Side, right: &Side, all: bool) -> Vec<Difference> {
    let there: HashMap<&str, &Row> = right.rows.iter().map(|row| (row.path.as_str(), row)).collect();
    let here: HashMap<&str, &Row> = left.rows.iter().map(|row| (row.path.as_str(), row)).collect();
    let cell = |row: &Row| (row.value.clone(), row.place.clone());
    let mut found: Vec<Difference> = left
        .rows
        .iter()
        .filter_map(|row| {
            let other = there.get(row.path.as_str());
            let same = other.is_some_and(|other| other.value == row.value && (!all || other.place == row.place));
            (!same).then(|| Difference {
                path: row.path.clone(),
                left: Some(cell(row)),
                right: other.map(|other| cell(other)),
            })
        })
        .collect();
    let only_right = right.rows.iter().filter(|row| !here.contains_key(row.path.as_str()));
    found.extend(only_right.map(|row| Difference { path: row.path.clone(), left: None, right: Some(cell(row)) }));
    found
}

/// Differences for people, a group at a time.
pub fn human(left: &Side, right: &Side, differences: &[Difference]) -> String {
    if differences.is_empty() {
        return format!("{} and {} are the same\n", left.name, right.name);
    }
    let mut text = format!("- {}\n+ {}\n", left.name, right.name);
    let mut groups: BTreeMap<usize, (String, Vec<&Difference>)> = BTreeMap::new();
    let mut order: HashMap<&str, usize> = HashMap::new();
    for difference in differences {
        let group = difference.path.rsplit_once('.').map_or("", |split| split.0);
        let next = order.len();
        let at = *order.entry(group).or_insert(next);
        groups.entry(at).or_insert_with(|| (group.to_owned(), Vec::new())).1.push(difference);
    }
    for (group, members) in groups.values() {
        text.push_str(&format!("\n{}\n", if group.is_empty() { "(top)" } else { group }));
        for difference in members {
            let name = difference.path.rsplit_once('.').map_or(difference.path.as_str(), |split| split.1);
            let (old, new) = (difference.left.as_ref(), difference.right.as_ref());
            let value =
                |side: Option<&(String, String)>| side.map_or("(no such field)".to_owned(), |side| side.0.clone());
            text.push_str(&format!("  {name}: {} → {}\n", value(old), value(new)));
            for (mark, side) in [("-", old), ("+", new)] {
                if let Some((value, place)) = side {
                    text.push_str(&format!("    {mark} {value}   {place}\n"));
                }
            }
        }
    }
    let count = differences.len();
    text.push_str(&format!("\n{count} {}\n", if count == 1 { "field differs" } else { "fields differ" }));
    text
}

/// The same as JSON.
pub fn json(left: &Side, right: &Side, differences: &[Difference]) -> String {
    let cell = |side: &Option<(String, String)>| {
        side.as_ref().map(|(value, place)| serde_json::json!({ "value": value, "place": place }))
    };
    let fields: Vec<serde_json::Value> = differences
        .iter()
        .map(|it| serde_json::json!({ "field": it.path, "left": cell(&it.left), "right": cell(&it.right) }))
        .collect();
    let whole = serde_json::json!({ "version": 1, "left": left.name, "right": right.name, "fields": fields });
    let mut text = serde_json::to_string_pretty(&whole).unwrap_or_default();
    text.push('\n');
    text
}
