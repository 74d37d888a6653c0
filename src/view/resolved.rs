//! A resolved experiment: every value with the place that set it.

use serde::Serialize;
use serde_json::Value as Json;
use serde_yaml::{Mapping, Value as Yaml};

use crate::base::{Name, SourceMap, Span};
use crate::check::{Experiment, Origin, OriginSource, Point, Value};
use crate::resolve::{Change, FieldId, Group, GroupId, LayerKind, Member, Program};
use crate::types::{Data, Type};

/// A table of fields, values and places, a group at a time. Without `full`, values at their fixed default are left out.
pub fn table(experiment: &Experiment, sources: &SourceMap, full: bool) -> String {
    let mut text = String::new();
    for group in &experiment.schema.groups {
        let rows: Vec<[String; 3]> =
            shown(experiment, group, full).map(|field| row(experiment, sources, field)).collect();
        if rows.is_empty() {
            continue;
        }
        if !text.is_empty() {
            text.push('\n');
        }
        if group.path != Name::new("") {
            text.push_str(&format!("{}\n", group.path));
        }
        let width = |column: usize| {
            rows.iter().filter_map(|row| row.get(column)).map(|cell| cell.chars().count()).max().unwrap_or(0)
        };
        let (names, values) = (width(0), width(1).min(36));
        for [name, value, place] in &rows {
            text.push_str(&format!("  {name:names$} = {value:values$}  # {place}\n"));
        }
    }
    text
}

fn shown<'a>(experiment: &'a Experiment, group: &'a Group, full: bool) -> impl Iterator<Item = FieldId> + 'a {
    let fields = group.members.iter().filter_map(|member| match member.1 {
        Member::Field(field) => Some(field),
        Member::Group(_) | Member::Keyed(_) => None,
    });
    fields.filter(move |&field| full || is_told(experiment.value(field)))
}

fn row(experiment: &Experiment, sources: &SourceMap, field: FieldId) -> [String; 3] {
    let value = experiment.value(field);
    let name = experiment.schema.field(field).name.to_string();
    [name, value.data.to_string(), place(experiment, sources, value.origin)]
}

/// "exp.dlm:12:5, mixin `wsd`"
pub(super) fn place(experiment: &Experiment, sources: &SourceMap, origin: Origin) -> String {
    let (file, line, column) = sources.place(origin.span);
    match origin.source {
        OriginSource::Default => format!("default, {file}:{line}"),
        OriginSource::Derived => format!("derived, {file}:{line}"),
        OriginSource::Layer(at) => match experiment.layers.get(at) {
            Some(layer) => match layer.kind {
                LayerKind::Experiment | LayerKind::Mixin | LayerKind::Sweep => {
                    format!("{file}:{line}:{column}, {} `{}`", layer.kind.word(), layer.name)
                }
                LayerKind::Test => format!("{file}:{line}:{column}, test \"{}\"", layer.name),
                LayerKind::Values => format!("{file}:{line}:{column}"),
                LayerKind::CommandLine | LayerKind::Flag => layer.name.to_string(),
            },
            None => format!("{file}:{line}:{column}"),
        },
    }
}

/// Whether a value is worth showing among those that somebody set: it is no plain default, and not derived to be absent.
fn is_told(value: &Value) -> bool {
    match value.origin.source {
        OriginSource::Default => false,
        OriginSource::Derived => value.data != Data::None,
        OriginSource::Layer(_) => true,
    }
}

/// A field as JSON shows it.
#[derive(Serialize)]
struct Entry<'a> {
    field: &'static str,
    value: Json,
    #[serde(rename = "type")]
    ty: String,
    source: &'static str,
    layer: Option<String>,
    file: &'a str,
    line: usize,
    column: usize,
}

/// A resolved experiment as JSON shows it.
#[derive(Serialize)]
struct Resolved<'a> {
    version: u32,
    experiment: Name,
    fields: Vec<Entry<'a>>,
}

/// The points of a sweep, a line each: its name, and the value that it has on each axis, as it is written.
pub fn points(points: &[Point], program: &Program, sources: &SourceMap) -> String {
    let mut text = String::new();
    let width = points.iter().filter_map(|point| point.subject.name).map(|name| name.as_str().chars().count()).max();
    for point in points {
        let Some(name) = point.subject.name else { continue };
        let base = program.experiments.get(point.subject.base.index()).map_or("", |base| base.name.as_str());
        let axes: Vec<String> = point
            .axes
            .iter()
            .filter_map(|setting| match &setting.change {
                Change::Set(_, value) => {
                    let value = value.constant().map_or_else(|| sources.text(value.span).to_owned(), Data::to_string);
                    Some(format!("{} = {value}", sources.text(setting.path)))
                }
                Change::Weak(..)
                | Change::Append(..)
                | Change::Remove(..)
                | Change::Unset(_)
                | Change::Restart(_)
                | Change::Open(..)
                | Change::Drop(..) => None,
            })
            .collect();
        text.push_str(&format!("{name:width$}   {base}: {}\n", axes.join(", "), width = width.unwrap_or(0)));
    }
    text
}

/// Several experiments as one JSON document: `[…]`.
pub fn json_list(experiments: &[String]) -> String {
    let whole: Vec<&str> = experiments.iter().map(|text| text.trim_end()).collect();
    format!("[\n{}\n]\n", whole.join(",\n"))
}

/// `{"experiment": …, "fields": [{field, value, type, source, layer, file, line, column}]}`
pub fn json(experiment: &Experiment, sources: &SourceMap, full: bool) -> String {
    let wanted = |field: &FieldId| full || is_told(experiment.value(*field));
    let fields: Vec<Entry> =
        experiment.schema.iter().map(|entry| entry.0).filter(wanted).map(|id| entry(experiment, sources, id)).collect();
    let whole = Resolved { version: 1, experiment: experiment.name, fields };
    // Texts, numbers and names always serialize.
    let mut text = serde_json::to_string_pretty(&whole).unwrap_or_default();
    text.push('\n');
    text
}

fn entry<'a>(experiment: &Experiment, sources: &'a SourceMap, id: FieldId) -> Entry<'a> {
    let field = experiment.schema.field(id);
    let value = experiment.value(id);
    let span: Span = value.origin.span;
    let (file, line, column) = sources.place(span);
    let (source, layer) = match value.origin.source {
        OriginSource::Default => ("default", None),
        OriginSource::Derived => ("derived", None),
        OriginSource::Layer(at) => {
            let layer = experiment.layers.get(at);
            ("layer", layer.map(|layer| format!("{} {}", layer.kind.word(), layer.name)))
        }
    };
    Entry {
        field: field.path.as_str(),
        value: plain(&value.data, &field.ty),
        ty: field.ty.to_string(),
        source,
        layer,
        file,
        line,
        column,
    }
}

/// Values alone, nested by group in the order of their declaration, as YAML that `--values` reads back to the same values:
/// quantities keep their units.
pub fn yaml(experiment: &Experiment, full: bool) -> String {
    serde_yaml::to_string(&nested(experiment, GroupId(0), full)).unwrap_or_default()
}

fn nested(experiment: &Experiment, group: GroupId, full: bool) -> Mapping {
    let schema = &experiment.schema;
    let mut map = Mapping::new();
    for (name, member) in &schema.group(group).members {
        let key = Yaml::String(name.to_string());
        match *member {
            Member::Field(id) => {
                let value = experiment.value(id);
                let shown = full || is_told(value);
                if shown && value.data.unknown().is_none() {
                    map.insert(key, scalar(&value.data));
                }
            }
            Member::Group(inner) => {
                let inner = nested(experiment, inner, full);
                if !inner.is_empty() {
                    map.insert(key, Yaml::Mapping(inner));
                }
            }
            Member::Keyed(keyed) => {
                let mut entries = Mapping::new();
                for entry in schema.entries.iter().filter(|entry| entry.keyed == keyed) {
                    let value = match schema.is_map(keyed) {
                        true => scalar(&experiment.value(entry.first).data),
                        false => Yaml::Mapping(nested(experiment, entry.group, full)),
                    };
                    entries.insert(Yaml::String(entry.key.to_string()), value);
                }
                if !entries.is_empty() {
                    map.insert(key, Yaml::Mapping(entries));
                }
            }
        }
    }
    map
}

/// A value as YAML. Numbers keep their digits: other programs read them as numbers where they can.
fn scalar(data: &Data) -> Yaml {
    match data {
        Data::None | Data::Failed | Data::Unknown(_) => Yaml::Null,
        Data::Bool(value) => Yaml::Bool(*value),
        Data::Number(value) => {
            let text = value.normalize().to_string();
            match (text.parse::<i64>(), text.parse::<f64>()) {
                (Ok(whole), _) => Yaml::from(whole),
                // A number of machine size that reads back as the same digits.
                (Err(_), Ok(real)) if real.to_string() == text => Yaml::from(real),
                _ => Yaml::String(data.to_string()),
            }
        }
        Data::Quantity(..) => Yaml::String(data.to_string()),
        Data::Text(text) => Yaml::String(text.to_string()),
        Data::Enum(name, _) => Yaml::String(name.to_string()),
        Data::List(items) => Yaml::Sequence(items.iter().map(scalar).collect()),
    }
}

/// A value as plain data: enums by their name, quantities as numbers of their base unit.
fn plain(data: &Data, ty: &Type) -> Json {
    match data {
        Data::None | Data::Failed => Json::Null,
        Data::Unknown(unknown) => Json::String(unknown.to_string()),
        Data::Bool(value) => Json::Bool(*value),
        Data::Number(value) | Data::Quantity(value, _) => {
            let text = value.normalize().to_string();
            let float = matches!(ty.required(), Type::Float | Type::Fraction);
            match text.parse::<i64>() {
                Ok(whole) if !float => Json::from(whole),
                Ok(_) | Err(_) => text.parse::<f64>().map_or(Json::String(text), Json::from),
            }
        }
        Data::Text(text) => Json::String(text.to_string()),
        Data::Enum(name, _) => Json::String(name.to_string()),
        Data::List(items) => {
            let inner = match ty.required() {
                Type::List(inner) => inner,
                other => other,
            };
            Json::Array(items.iter().map(|item| plain(item, inner)).collect())
        }
    }
}
