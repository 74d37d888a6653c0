//! The standard library against the target's own table of arguments, and against what Rust reads of it.

use std::collections::{BTreeMap, BTreeSet};

use dlm::resolve::{Field, FlagKind};
use dlm::types::{Data, EnumType, Type};
use serde_json::Value;

use crate::flags::{compiled, pretrain, recorded, table, told};
use crate::support::read;

/// Defaults that differ from the target's parser, and why. The first word names the rule by which the target itself
/// comes to the same value after parsing, if it is one of its rules.
const DEFAULTS: &[(&str, &str)] = &[
    ("num_layers", "required: the target refuses to run without"),
    ("hidden_size", "required: the target refuses to run without"),
    ("num_attention_heads", "required: the target refuses to run without"),
    ("max_position_embeddings", "required: the target refuses to run without"),
    ("seq_length", "required: the target refuses to run without"),
    ("micro_batch_size", "required: the target refuses to run without"),
    ("lr", "required: the target refuses to run without"),
    ("vocab_size", "required: without it neither the network nor the mask token could be checked"),
    ("global_batch_size", "required: a batch that follows from the number of GPUs changes the result with it"),
    ("train_data_path", "derived from `data.train`, which the target does not have; none without"),
    ("valid_data_path", "derived from `data.valid`, which the target does not have; none without"),
    ("test_data_path", "derived from `data.test`, which the target does not have; none without"),
    ("train_iters", "derived from `train.budget`, which the target does not have"),
    ("ffn_hidden_size", "derived: net.ffn-swiglu, net.ffn"),
    ("kv_channels", "derived: net.kv"),
    ("apply_rope_fusion", "derived: pos.fusion-off"),
    ("add_qkv_bias", "derived: net.qkv-bias"),
    ("bias_gelu_fusion", "derived: net.bias-gelu-off"),
    ("accumulate_allreduce_grads_in_fp32", "derived: prec.bf16-accumulate-fp32"),
];

/// Words that we know and the target's parser does not, and why.
const MORE_WORDS: &[(&str, &str, &str)] =
    &[("base_model", "Qwen_2", "the target's own default, which is none of its choices")];

#[test]
fn every_flag_is_the_targets() {
    let (session, schema) = pretrain();
    let (table, enums) = (table(), &session.program().enums);
    let mut faults = Vec::new();
    let mut seen = BTreeSet::new();
    let mut count = 0;
    for field in &schema.fields {
        let Some(flag) = &field.flag else { continue };
        count += 1;
        for spelling in &flag.spellings {
            if !seen.insert(spelling.clone()) {
                faults.push(format!("{}: {spelling} is another field's flag", field.path));
            }
        }
        let Some(row) = flag.spellings.first().and_then(|flag| table.get(flag)) else {
            faults.push(format!("{}: {:?} is no flag of the target", field.path, flag.spellings));
            continue;
        };
        if row["flags"] != Value::from(flag.spellings.clone()) {
            faults.push(format!("{}: the target spells it {}", field.path, row["flags"]));
        }
        let kind = match (row["action"].as_str().unwrap(), row["nargs"].as_str()) {
            ("store_true", _) => FlagKind::StoreTrue,
            ("store_false", _) => FlagKind::StoreFalse,
            (_, Some("*" | "+")) => FlagKind::Many,
            _ => FlagKind::Value,
        };
        if flag.kind != kind {
            faults.push(format!("{}: the target takes its value by {kind:?}", field.path));
        }
        faults.extend(type_fault(field, row, enums));
        faults.extend(default_fault(field, row));
    }
    assert!(faults.is_empty(), "\n{}\n", faults.join("\n"));
    assert!(count >= 90, "the launch script and the quickstart need about 90 arguments, {count} are declared");
}

/// Whether a field takes the values that the target's parser takes.
fn type_fault(field: &Field, row: &Value, enums: &[EnumType]) -> Option<String> {
    let ty = match field.ty.required() {
        Type::List(inner) => inner,
        other => other,
    };
    let wanted = row["type"].as_str().unwrap();
    let dest = row["dest"].as_str().unwrap();
    if let Some(choices) = row["choices"].as_array() {
        let Type::Enum(reference) = ty else { return Some(format!("{}: the target lists {choices:?}", field.path)) };
        let choices: BTreeSet<&str> = choices.iter().filter_map(Value::as_str).collect();
        let ours = &enums[reference.id.0 as usize].variants;
        let known: BTreeSet<&str> = ours
            .iter()
            .map(|variant| variant.spelling.as_str())
            .filter(|word| !MORE_WORDS.iter().any(|more| more.0 == dest && more.1 == *word))
            .collect();
        return (choices != known).then(|| format!("{}: the target lists {choices:?}, we {known:?}", field.path));
    }
    let fits = match wanted {
        "int" => ty == &Type::Int || ty.dimensions().is_some(),
        "float" => matches!(ty, Type::Float | Type::Fraction),
        "bool-flag" => ty == &Type::Bool,
        "str" | "str(default)" => matches!(ty, Type::String | Type::Path),
        _ => false,
    };
    (!fits).then(|| format!("{}: the target reads {wanted}, we {}", field.path, field.ty))
}

fn default_fault(field: &Field, row: &Value) -> Option<String> {
    let dest = row["dest"].as_str().unwrap();
    let excused = DEFAULTS.iter().any(|entry| entry.0 == dest);
    let ours = match &field.default {
        Some(default) => default.constant().map(in_json),
        None if field.ty.is_optional() => Some(Value::Null),
        None => None,
    };
    let same = ours.as_ref().is_some_and(|ours| equal(ours, &row["default"]));
    match (same, excused) {
        (true, true) => Some(format!("{}: its default is the target's, so it needs no excuse", field.path)),
        (false, false) => Some(format!("{}: the target's default is {}, ours {ours:?}", field.path, row["default"])),
        (true, false) | (false, true) => None,
    }
}

fn in_json(data: &Data) -> Value {
    match data {
        Data::None | Data::Failed | Data::Unknown(_) => Value::Null,
        Data::Bool(value) => Value::from(*value),
        Data::Number(value) | Data::Quantity(value, _) => Value::from(value.to_string().parse::<f64>().unwrap()),
        Data::Text(text) => Value::from(text.as_ref()),
        Data::Enum(_, spelling) => Value::from(spelling.as_ref()),
        Data::List(items) => items.iter().map(in_json).collect(),
    }
}

pub fn equal(left: &Value, right: &Value) -> bool {
    match (left.as_f64(), right.as_f64()) {
        (Some(left), Some(right)) => left == right,
        _ => left == right,
    }
}

#[test]
fn every_field_and_value_says_what_it_is() {
    let (session, schema) = pretrain();
    let fields = schema.fields.iter().filter(|field| field.doc.trim().is_empty()).map(|field| field.path);
    let groups = schema.groups.iter().filter(|group| group.doc.trim().is_empty()).map(|group| group.path);
    let rules = schema.rules.iter().filter(|rule| rule.doc.trim().is_empty()).map(|rule| rule.name);
    let silent: Vec<_> = fields.chain(groups).chain(rules).collect();
    assert!(silent.is_empty(), "{silent:?}");
    for found in &session.program().enums {
        let silent: Vec<_> = found.variants.iter().filter(|variant| variant.doc.trim().is_empty()).collect();
        assert!(silent.is_empty() && !found.doc.trim().is_empty(), "{}: {silent:?}", found.name);
    }
}

#[test]
fn rules_speak_for_rules_of_the_target() {
    let (_, schema) = pretrain();
    let known: BTreeSet<String> = recorded("rule-ids.txt").lines().map(str::to_owned).collect();
    for rule in &schema.rules {
        assert!(rule.message.is_some(), "{} has no message", rule.name);
        assert!(rule.help.is_some(), "{} has no help", rule.name);
        if let Some(id) = &rule.upstream {
            assert!(known.contains(id), "{}: the target has no rule {id}", rule.name);
        }
    }
    assert!(schema.rules.len() >= 40, "{}", schema.rules.len());
}

#[test]
fn what_rust_reads_is_declared() {
    let (session, schema) = pretrain();
    for named in dlm::lower::NAMED {
        let id = schema.field_id(named.path).unwrap_or_else(|| panic!("the library has no `{}`", named.path));
        let ty = &schema.field(id).ty;
        assert!((named.fits)(ty), "`{}` is {ty}, which is not {}", named.path, named.wanted);
    }
    let enums: BTreeMap<&str, &EnumType> =
        session.program().enums.iter().map(|found| (found.name.as_str(), found)).collect();
    for known in dlm::lower::KNOWN_WORDS {
        let declared = enums.get(known.name).unwrap_or_else(|| panic!("the library has no enum {}", known.name));
        let declared: BTreeSet<&str> = declared.variants.iter().map(|variant| variant.spelling.as_str()).collect();
        let words: BTreeSet<&str> = known.words.iter().copied().collect();
        assert_eq!(declared, words, "{}", known.name);
    }
}

/// Every experiment of every example that is not abstract.
pub const EXAMPLES: &[(&str, &[&str])] = &[
    ("examples/quickstart.dlm", &["quickstart"]),
    ("examples/variants.dlm", &["left_to_right", "deep_narrow", "deep_smoke"]),
    ("examples/base_and_override.dlm", &["tiny", "wide"]),
    ("examples/dlm_1_7b.dlm", &["dlm_1_7b"]),
    ("examples/dlm_1_7b_ar.dlm", &["dlm_1_7b_ar"]),
];

#[test]
fn examples_have_nothing_to_complain_about() {
    for (path, experiment) in EXAMPLES.iter().flat_map(|(path, names)| names.iter().map(move |name| (path, name))) {
        let (_, checked) = example(path, experiment);
        assert_eq!(told(&checked), Vec::<String>::new(), "{path}: {experiment}");
    }
}

/// An experiment of an example, with the other examples at hand for its imports.
pub fn example(path: &str, experiment: &str) -> (dlm::session::Session, dlm::session::Checked) {
    let texts: Vec<(&str, String)> = EXAMPLES.iter().map(|(path, _)| (*path, read(path))).collect();
    let files: Vec<(&str, &str)> = texts.iter().map(|(path, text)| (*path, text.as_str())).collect();
    compiled(&files, path, experiment)
}
