//! A resolved experiment: every value with the place that set it.

use serde::Serialize;
use serde_json::{Map, Value as Json};

use crate::base::{Name, SourceMap, Span};
use crate::check::{Experiment, Origin, OriginSource};
use crate::resolve::{Field, FieldId, Group, GroupId, LayerKind, Member};
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
        Member::Group(_) => None,
    });
    fields.filter(move |&field| full || experiment.value(field).origin.source != OriginSource::Default)
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
                LayerKind::Experiment | LayerKind::Mixin => {
                    format!("{file}:{line}:{column}, {} `{}`", layer.kind.word(), layer.name)
                }
                LayerKind::Values => format!("{file}:{line}:{column}"),
                LayerKind::CommandLine | LayerKind::Flag => layer.name.to_string(),
            },
            None => format!("{file}:{line}:{column}"),
        },
    }
}

/// A field as JSON shows it.
#[derive(Serialize)]
struct Entry {
    field: &'static str,
    value: Json,
    #[serde(rename = "type")]
    ty: String,
    source: &'static str,
    layer: Option<String>,
    file: String,
    line: usize,
    column: usize,
}

/// `{"experiment": …, "fields": [{field, value, type, source, layer, file, line, column}]}`
pub fn json(experiment: &Experiment, sources: &SourceMap, full: bool) -> String {
    let wanted = |field: &FieldId| full || experiment.value(*field).origin.source != OriginSource::Default;
    let fields: Vec<Entry> =
        experiment.schema.iter().map(|entry| entry.0).filter(wanted).map(|id| entry(experiment, sources, id)).collect();
    let whole = serde_json::json!({ "version": 1, "experiment": experiment.name, "fields": fields });
    // A value of serde_json's own kind always serializes.
    let mut text = serde_json::to_string_pretty(&whole).unwrap_or_default();
    text.push('\n');
    text
}

fn entry(experiment: &Experiment, sources: &SourceMap, id: FieldId) -> Entry {
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
        file: file.to_owned(),
        line,
        column,
    }
}

/// Values alone, nested by group, as YAML that other programs read.
pub fn yaml(experiment: &Experiment, full: bool) -> String {
    let tree = nested(experiment, GroupId(0), full);
    serde_yaml::to_string(&tree).unwrap_or_default()
}

fn nested(experiment: &Experiment, group: GroupId, full: bool) -> Map<String, Json> {
    let schema = &experiment.schema;
    let mut map = Map::new();
    for (name, member) in &schema.group(group).members {
        match member {
            Member::Field(id) => {
                let value = experiment.value(*id);
                if full || value.origin.source != OriginSource::Default {
                    let field: &Field = schema.field(*id);
                    map.insert(name.to_string(), plain(&value.data, &field.ty));
                }
            }
            Member::Group(inner) => {
                let inner = nested(experiment, *inner, full);
                if !inner.is_empty() {
                    map.insert(name.to_string(), Json::Object(inner));
                }
            }
        }
    }
    map
}

/// A value as plain data: enums by their name, quantities as numbers of their base unit.
fn plain(data: &Data, ty: &Type) -> Json {
    match data {
        Data::None | Data::Failed => Json::Null,
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
