//! The target's side, as recorded: its table of arguments, a small model of its parser, and its flags turned into
//! settings of an experiment. Also the one way in which these themes compile a text.

use std::collections::BTreeMap;
use std::path::PathBuf;

use dlm::base::Memory;
use dlm::resolve::{Field, Schema};
use dlm::session::{Checked, Overrides, Session};
use dlm::types::{EnumType, Type};
use serde_json::Value;

/// A file of the recorded data.
pub fn recorded(name: &str) -> String {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/data/megadlms").join(name);
    std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The session that has checked the experiment of that name, and what it found.
pub fn compiled(files: &[(&str, &str)], main: &str, experiment: &str) -> (Session, Checked) {
    let memory = files.iter().fold(Memory::default(), |memory, (path, text)| memory.with(path, text.as_bytes()));
    let mut session = Session::new(memory);
    let project = session.load(&[PathBuf::from(main)]);
    let id = session.choose(&project, Some(experiment)).unwrap_or_else(|error| panic!("{main}: {error}"));
    let checked = session.check_one(&project, &id, &Overrides::default());
    (session, checked)
}

/// Codes and messages, for failures that say something.
pub fn told(checked: &Checked) -> Vec<String> {
    checked.diagnostics.iter().map(|found| format!("{}: {}", found.code, found.message)).collect()
}

/// The schema that a library's experiment extends.
pub fn pretrain() -> (Session, std::sync::Arc<Schema>) {
    let session = Session::new(Memory::default());
    let found = session.program().schemas.iter().find(|schema| schema.name.as_str() == "Pretrain").cloned();
    (session, found.expect("the library declares it"))
}

/// Every row of the target's table of arguments, by flag.
pub fn table() -> BTreeMap<String, Value> {
    let rows: Vec<Value> = serde_json::from_str(&recorded("arguments.json")).unwrap();
    let mut table = BTreeMap::new();
    for row in rows {
        for flag in row["flags"].as_array().unwrap() {
            table.insert(flag.as_str().unwrap().to_owned(), row.clone());
        }
    }
    table
}

/// What argparse makes of a command line: values by destination, as far as the words set them.
pub fn parsed(words: &[String]) -> BTreeMap<String, Value> {
    let table = table();
    let mut namespace = BTreeMap::new();
    let mut words = words.iter().peekable();
    while let Some(word) = words.next() {
        let (flag, joined) = match word.split_once('=') {
            Some((flag, value)) => (flag, Some(value.to_owned())),
            None => (word.as_str(), None),
        };
        let row = table.get(flag).unwrap_or_else(|| panic!("{flag} is no flag of the target"));
        let read = |text: &str| match row["type"].as_str().unwrap() {
            "int" => Value::from(text.parse::<i64>().unwrap_or_else(|_| panic!("{flag}: {text} is no int"))),
            "float" => Value::from(text.parse::<f64>().unwrap_or_else(|_| panic!("{flag}: {text} is no float"))),
            _ => {
                let choices = row["choices"].as_array();
                assert!(choices.is_none_or(|all| all.contains(&Value::from(text))), "{flag}: {text} is no choice");
                Value::from(text)
            }
        };
        let value = match (row["action"].as_str().unwrap(), row["nargs"].as_str()) {
            ("store_true", _) => Value::from(true),
            ("store_false", _) => Value::from(false),
            ("store", None) => read(&joined.or_else(|| words.next().cloned()).expect("a flag has its value")),
            ("store", Some("*" | "+")) => {
                let mut items = Vec::new();
                while let Some(item) = words.next_if(|word| !word.starts_with("--")) {
                    items.push(read(item));
                }
                Value::from(items)
            }
            other => panic!("{flag}: {other:?}"),
        };
        namespace.insert(row["dest"].as_str().unwrap().to_owned(), value);
    }
    namespace
}

/// An experiment that says what a command line says. Flags that no field has are returned beside it.
pub fn as_experiment(argv: &[String], world_size: u64) -> (String, Vec<String>) {
    let (session, schema) = pretrain();
    let enums = &session.program().enums;
    let by_flag: BTreeMap<&str, &Field> = schema
        .fields
        .iter()
        .flat_map(|field| {
            field.flag.iter().flat_map(move |flag| flag.spellings.iter().map(move |it| (it.as_str(), field)))
        })
        .collect();
    let table = table();
    let mut lines = vec![format!("  environment.world_size = {world_size}")];
    let mut strangers = Vec::new();
    let mut words = argv.iter().peekable();
    while let Some(flag) = words.next() {
        let row = table.get(flag).unwrap_or_else(|| panic!("{flag} is no flag of the target"));
        let mut values = Vec::new();
        while let Some(value) = words.next_if(|word| !word.starts_with("--")) {
            values.push(value.as_str());
        }
        let Some(field) = by_flag.get(flag.as_str()) else {
            strangers.push(flag.clone());
            continue;
        };
        let value = match row["action"].as_str().unwrap() {
            "store_true" => "true".to_owned(),
            "store_false" => "false".to_owned(),
            _ => literal(&values, &field.ty, enums),
        };
        lines.push(format!("  {} = {value}", field.path));
        if flag == "--train-iters" {
            lines.push(format!("  train.budget = {value} iters"));
        }
    }
    let body = lines.join("\n");
    (format!("dlm 1\nuse std.megadlms.Pretrain\nexperiment case extends Pretrain {{\n{body}\n}}\n"), strangers)
}

fn literal(words: &[&str], ty: &Type, enums: &[EnumType]) -> String {
    match ty.required() {
        Type::List(inner) => {
            let items: Vec<String> = words.iter().map(|word| literal(&[word], inner, enums)).collect();
            format!("[{}]", items.join(", "))
        }
        Type::String | Type::Path => format!("{:?}", words[0]),
        Type::Enum(reference) => {
            let variants = &enums[reference.id.0 as usize].variants;
            let found = variants.iter().find(|variant| variant.spelling == words[0]);
            found.unwrap_or_else(|| panic!("{} is no {}", words[0], reference.name)).name.to_string()
        }
        Type::Bool | Type::Int | Type::Float | Type::Fraction | Type::Quantity(_) | Type::Optional(_) => {
            words[0].to_owned()
        }
    }
}

/// The experiment `case` of a command line, checked.
pub fn from_flags(argv: &[String], world_size: u64) -> (Session, Checked, Vec<String>) {
    let (text, strangers) = as_experiment(argv, world_size);
    let (session, checked) = compiled(&[("case.dlm", &text)], "case.dlm", "case");
    (session, checked, strangers)
}
