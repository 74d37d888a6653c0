//! Entries of maps and named blocks: an experiment's schema is the declared one with a group or a field for each key.
//!
//! Fields and groups of the declared schema keep their numbers, those of the entries count on behind them. A body that sets
//! something in an entry is resolved against the schema with that entry alone, so that it does not depend on what other
//! layers hold; [`relocate`] then moves its settings to where the entry is in an experiment. An experiment without
//! entries has the declared schema itself.

use std::collections::HashMap;
use std::sync::Arc;

use crate::base::Name;
use crate::resolve::expr::{Expr, Moved};
use crate::resolve::{Change, Entry, Field, FieldId, Group, GroupId, KeyedId, Layer, Member, Schema, Setting};

/// Schemas with entries, each made once.
#[derive(Debug, Default)]
pub struct Entries {
    /// By the address of the schema that they were made of.
    made: HashMap<usize, OfSchema>,
}

/// What was made of one schema.
#[derive(Debug)]
struct OfSchema {
    /// Kept, so that its address is not used again.
    _declared: Arc<Schema>,
    by_keys: HashMap<Vec<(KeyedId, Name)>, Arc<Schema>>,
}

impl Entries {
    /// A schema with these entries, in this order.
    pub fn with(&mut self, schema: &Arc<Schema>, entries: &[(KeyedId, Name)]) -> Arc<Schema> {
        if entries.is_empty() {
            return schema.clone();
        }
        let address = Arc::as_ptr(schema) as usize;
        let empty = || OfSchema { _declared: schema.clone(), by_keys: HashMap::new() };
        let made = &mut self.made.entry(address).or_insert_with(empty).by_keys;
        if let Some(made) = made.get(entries) {
            return made.clone();
        }
        let new = Arc::new(build(schema, entries));
        made.insert(entries.to_vec(), new.clone());
        new
    }
}

/// The keys that the settings of layers leave in place, in the order in which they are first named.
pub fn present<'a>(settings: impl Iterator<Item = &'a Setting>) -> Vec<(KeyedId, Name)> {
    let mut order: Vec<(KeyedId, Name)> = Vec::new();
    let mut at: HashMap<(KeyedId, Name), usize> = HashMap::new();
    for setting in settings {
        match &setting.change {
            Change::Open(keyed, key) => {
                at.entry((*keyed, *key)).or_insert_with(|| {
                    order.push((*keyed, *key));
                    order.len() - 1
                });
            }
            Change::Drop(keyed, Some(key)) => {
                at.remove(&(*keyed, *key));
            }
            Change::Drop(keyed, None) => at.retain(|entry, _| entry.0 != *keyed),
            Change::Set(..)
            | Change::Weak(..)
            | Change::Append(..)
            | Change::Remove(..)
            | Change::Unset(_)
            | Change::Restart(_) => {}
        }
    }
    let mut kept: Vec<((KeyedId, Name), usize)> = at.into_iter().collect();
    kept.sort_by_key(|entry| entry.1);
    kept.into_iter().map(|entry| entry.0).collect()
}

/// A layer whose settings in entries are moved to where those are in `made`; what it sets in entries that are not there is
/// left out. `declared` is the schema without entries.
pub fn relocate(layer: &Arc<Layer>, declared: &Schema, made: &Schema) -> Arc<Layer> {
    let touched = |setting: &Setting| match setting.change {
        Change::Open(..) | Change::Drop(..) => true,
        Change::Set(..)
        | Change::Weak(..)
        | Change::Append(..)
        | Change::Remove(..)
        | Change::Unset(_)
        | Change::Restart(_) => setting.entry.is_some(),
    };
    if !layer.settings.iter().any(touched) {
        return layer.clone();
    }
    let settings = layer.settings.iter().flat_map(|setting| moved(setting, declared, made)).collect();
    Arc::new(Layer { settings, ..layer.as_ref().clone() })
}

fn moved(setting: &Setting, declared: &Schema, made: &Schema) -> Vec<Setting> {
    let with = |change: Change| Setting { change, ..setting.clone() };
    let dropped = |entry: &Entry| match declared.is_map(entry.keyed) {
        true => with(Change::Restart(Member::Field(entry.first))),
        false => with(Change::Restart(Member::Group(entry.group))),
    };
    match &setting.change {
        Change::Open(..) => return Vec::new(),
        Change::Drop(keyed, key) => {
            let gone = |entry: &&Entry| entry.keyed == *keyed && key.is_none_or(|key| entry.key == key);
            return made.entries.iter().filter(gone).map(dropped).collect();
        }
        Change::Set(..)
        | Change::Weak(..)
        | Change::Append(..)
        | Change::Remove(..)
        | Change::Unset(_)
        | Change::Restart(_) => {}
    }
    let Some((keyed, key)) = setting.entry else { return vec![setting.clone()] };
    let Some(entry) = made.entries.iter().find(|entry| entry.keyed == keyed && entry.key == key) else {
        return Vec::new();
    };
    // Where the body counted on behind the declared schema: first the group of the keyed member, then the entry's own.
    let (first_field, first_group) = (declared.fields.len(), declared.groups.len() + 1);
    let field = |id: FieldId| match id.index().checked_sub(first_field) {
        Some(within) => FieldId::of(entry.first.index() + within),
        None => id,
    };
    let group = |id: GroupId| match id.index().checked_sub(first_group) {
        Some(within) => GroupId::of(entry.group.index() + within),
        None => id,
    };
    let member = |member: Member| match member {
        Member::Field(id) => Member::Field(field(id)),
        Member::Group(id) => Member::Group(group(id)),
        Member::Keyed(id) => Member::Keyed(id),
    };
    let expr = |value: &Expr| {
        let mut value = value.clone();
        value.renumber(&Moved { field: &field, keyed: &|id| id });
        value
    };
    vec![with(match &setting.change {
        Change::Set(id, value) => Change::Set(field(*id), expr(value)),
        Change::Weak(id, value) => Change::Weak(field(*id), expr(value)),
        Change::Append(id, value) => Change::Append(field(*id), expr(value)),
        Change::Remove(id, value) => Change::Remove(field(*id), expr(value)),
        Change::Unset(target) => Change::Unset(member(*target)),
        Change::Restart(target) => Change::Restart(member(*target)),
        other @ (Change::Open(..) | Change::Drop(..)) => other.clone(),
    })]
}

fn build(declared: &Schema, entries: &[(KeyedId, Name)]) -> Schema {
    let mut schema = declared.clone();
    let mut groups: HashMap<KeyedId, GroupId> = HashMap::new();
    for &(id, key) in entries {
        let Some(keyed) = declared.keyed.get(id.index()) else { continue };
        let around = *groups.entry(id).or_insert_with(|| {
            let group = GroupId::of(schema.groups.len());
            schema.groups.push(Group {
                path: keyed.path,
                parent: Some(keyed.group),
                doc: keyed.doc.clone(),
                span: keyed.span,
                members: Vec::new(),
                unread: Vec::new(),
            });
            group
        });
        let path = Name::new(&format!("{}.{}", keyed.path, key_text(key)));
        let first = FieldId::of(schema.fields.len());
        let own = GroupId::of(schema.groups.len());
        let member = if keyed.is_map {
            for field in &keyed.element.fields {
                schema.fields.push(Field { name: key, path, group: around, ..field.clone() });
            }
            Member::Field(first)
        } else {
            schema.place(path, around, &keyed.element);
            Member::Group(own)
        };
        if let Some(group) = schema.groups.get_mut(around.index()) {
            group.members.push((key, member));
        }
        schema.entries.push(Entry { keyed: id, key, first, group: own });
    }
    schema
}

/// A key as it stands in a path: in quotes, unless it reads like a name.
pub fn key_text(key: Name) -> String {
    let text = key.as_str();
    let mut letters = text.chars();
    let plain = letters.next().is_some_and(|first| first.is_ascii_alphabetic() || first == '_')
        && letters.all(|letter| letter.is_ascii_alphanumeric() || letter == '_');
    if plain { text.to_owned() } else { crate::types::Data::Text(text.into()).to_string() }
}
