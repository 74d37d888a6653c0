//! The 1.7B example against MegaDLMs' own launch script: the words that are written, and the values they lead to.

use std::collections::BTreeMap;

use dlm::diag::Sink;
use dlm::emit;
use dlm::lower;
use dlm::spec::{ArgumentSet, ArgumentValue};
use serde_json::Value;

use crate::flags::{parsed, pretrain, recorded, table, told};
use crate::library::{EXAMPLES, equal, example};

fn arguments(path: &str, experiment: &str) -> ArgumentSet {
    let (session, checked) = example(path, experiment);
    let mut sink = Sink::default();
    let found = checked.experiment.as_ref().unwrap_or_else(|| panic!("{:?}", told(&checked)));
    lower::arguments(found, session.sources(), &mut sink).expect("every number fits")
}

fn script() -> Value {
    serde_json::from_str(&recorded("script-pretrain-1x8.json")).unwrap()
}

/// The namespace before the target's own derivations: the parser's defaults under what the words say.
fn namespace(words: &[String]) -> BTreeMap<String, Value> {
    let defaults = table().into_values().map(|row| (row["dest"].as_str().unwrap().to_owned(), row["default"].clone()));
    let mut namespace: BTreeMap<String, Value> = defaults.collect();
    namespace.extend(parsed(words));
    namespace
}

#[test]
fn the_target_reads_the_same_from_our_words_as_from_its_own_script() {
    let theirs: Vec<String> = serde_json::from_value(script()["argv"].clone()).unwrap();
    let ours = emit::args(&arguments("examples/dlm_1_7b.dlm", "dlm_1_7b"), false);
    let (theirs, ours_read) = (namespace(&theirs), namespace(&ours));
    let differ: Vec<_> = theirs
        .iter()
        .filter(|(dest, value)| !equal(value, &ours_read[*dest]))
        .map(|(dest, value)| format!("{dest}: {value}, ours {}", ours_read[dest]))
        .collect();
    assert!(differ.is_empty(), "\n{}\n", differ.join("\n"));
}

/// Values that the target derives where we keep what was said, and its rule.
const DERIVED_THERE: &[(&str, &str)] = &[("start_weight_decay", "wd.constant"), ("end_weight_decay", "wd.constant")];

#[test]
fn values_are_those_of_the_target_after_its_validation() {
    let (_, schema) = pretrain();
    let script = script();
    let namespace = script["namespace"].as_object().unwrap();
    let table = table();
    let mut differ = Vec::new();
    let arguments = arguments("examples/dlm_1_7b.dlm", "dlm_1_7b");
    for argument in &arguments.arguments {
        let Some(flag) = &argument.flag else { continue };
        let dest = table[&flag.name]["dest"].as_str().unwrap();
        let (ours, theirs) = (in_json(&argument.value), &namespace[dest]);
        if !equal(&ours, theirs) && !DERIVED_THERE.iter().any(|entry| entry.0 == dest) {
            differ.push(format!("{dest}: {theirs}, ours {ours}"));
        }
    }
    assert!(differ.is_empty(), "\n{}\n", differ.join("\n"));
    // What is computed is no argument of anything.
    let given = schema.fields.iter().filter(|field| !field.is_computed).count();
    assert_eq!(arguments.arguments.len(), given);
    // And every name that the script's run has other than a bare one has a field, or follows from one.
    let rows = table.values().map(|row| row["dest"].as_str().unwrap());
    let known: Vec<&str> = rows.filter(|dest| script["set"].get(dest).is_some()).collect();
    let ours: Vec<&str> = arguments
        .arguments
        .iter()
        .filter_map(|argument| table[&argument.flag.as_ref()?.name]["dest"].as_str())
        .collect();
    let missing: Vec<_> = known.into_iter().filter(|dest| !ours.contains(dest)).collect();
    // Renamed copies that the target makes of `num_layers`, `seq_length` and `ffn_hidden_size`.
    assert_eq!(sorted(missing), ["encoder_num_layers", "encoder_seq_length", "moe_ffn_hidden_size"]);
}

fn sorted(mut names: Vec<&str>) -> Vec<&str> {
    names.sort_unstable();
    names.dedup();
    names
}

fn in_json(value: &ArgumentValue) -> Value {
    serde_json::to_value(value).unwrap()
}

#[test]
fn derived_lengths_are_those_of_the_target() {
    let (session, checked) = example("examples/dlm_1_7b.dlm", "dlm_1_7b");
    let mut sink = Sink::default();
    let experiment = checked.experiment.as_ref().unwrap();
    let graph = lower::graph(experiment, session.sources(), &mut sink).unwrap();
    let derived = &script()["derived"];
    assert_eq!(Value::from(graph.dims.padded_vocab), derived["padded_vocab_size"]);
    assert_eq!(Value::from(graph.root.parameter_count()), derived["params_this_rank"]);
}

#[test]
fn all_examples_can_be_written_in_full_and_read_back() {
    for (path, experiment) in EXAMPLES.iter().flat_map(|(path, names)| names.iter().map(move |name| (path, name))) {
        let arguments = arguments(path, experiment);
        let (short, full) = (emit::args(&arguments, false), emit::args(&arguments, true));
        let (short, full) = (namespace(&short), namespace(&full));
        // What is left out is what the target comes to by itself: by its parser's defaults, or by what it derives.
        for (dest, value) in &short {
            let by_default = equal(value, &full[dest]);
            let derived = ["ffn_hidden_size", "kv_channels", "apply_rope_fusion", "add_qkv_bias", "bias_gelu_fusion"];
            let also = ["accumulate_allreduce_grads_in_fp32"];
            let known = derived.iter().chain(&also).any(|known| known == dest);
            assert!(by_default || known, "{path}: {dest}: {value}, in full {}", full[dest]);
        }
        for argument in &arguments.arguments {
            assert!(argument.cause.line > 0 && !argument.cause.file.is_empty(), "{}", argument.field);
        }
    }
}
