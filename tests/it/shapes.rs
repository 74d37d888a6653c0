//! The layer graph against the parameters that MegaDLMs registers, recorded from its own model construction.
//!
//! Left out of the recording, because the graph does not speak of them: experts (`moe-*`, `deepseek-like-small/*`), the
//! modules of `--transformer-impl local` (`local-impl/*`), and pipeline stages (`*/pp*`, `*-pp*`), which hold parts of
//! the same parameters.

use dlm::diag::Sink;
use dlm::lower;
use dlm::spec::graph::{Dtype, Parameter, Sharding};
use serde_json::Value;

use crate::flags::{from_flags, recorded, told};

/// Flags of the recorded command lines that change no parameter, and that no field has yet.
const WITHOUT_FIELD: &[&str] = &["--recompute-activations"];

#[test]
fn parameters_are_those_that_megadlms_registers() {
    let mut cases = 0;
    for line in recorded("shapes.jsonl").lines() {
        let case: Value = serde_json::from_str(line).unwrap();
        let id = case["id"].as_str().unwrap();
        let argv: Vec<String> = serde_json::from_value(case["argv"].clone()).unwrap();
        let (session, checked, strangers) = from_flags(&argv, case["world_size"].as_u64().unwrap());
        assert!(strangers.iter().all(|flag| WITHOUT_FIELD.contains(&flag.as_str())), "{id}: {strangers:?}");
        // Rules may object (some of these layouts cannot be trained); the network is there all the same.
        let experiment = checked.experiment.as_ref().unwrap_or_else(|| panic!("{id}: {:?}", told(&checked)));
        let mut sink = Sink::default();
        let graph = lower::graph(experiment, session.sources(), &mut sink);
        let graph = graph.unwrap_or_else(|| panic!("{id}: {:?} {:?}", told(&checked), sink.finish()));
        assert_eq!(graph.dims.padded_vocab, case["padded_vocab_size"].as_u64().unwrap(), "{id}");
        let ranks = ranks(&argv);
        let mut ours = Vec::new();
        let mut total = 0;
        graph.root.for_each_parameter(&mut |name, parameter| {
            let shape = shard(parameter, ranks);
            total += shape.iter().product::<u64>();
            ours.push((name, shape, dtype(parameter.dtype).to_owned()));
        });
        let theirs = unfolded(&case);
        for (ours, theirs) in ours.iter().zip(&theirs) {
            assert_eq!(ours, theirs, "{id}");
        }
        assert_eq!(ours.len(), theirs.len(), "{id}");
        assert_eq!(total, case["num_params"].as_u64().unwrap(), "{id}");
        cases += 1;
    }
    assert_eq!(cases, 29);
}

/// All parameters in order; in the recording the layers, which are alike, stand once.
fn unfolded(case: &Value) -> Vec<(String, Vec<u64>, String)> {
    let rows = |key: &str| case[key].as_array().unwrap().clone();
    let one = |prefix: String, row: &Value| {
        let name = format!("{prefix}{}", row[0].as_str().unwrap());
        (name, serde_json::from_value(row[1].clone()).unwrap(), row[2].as_str().unwrap().to_owned())
    };
    let mut all: Vec<_> = rows("before").iter().map(|row| one(String::new(), row)).collect();
    for layer in 0..case["layers"].as_u64().unwrap() {
        all.extend(rows("layer").iter().map(|row| one(format!("decoder.layers.{layer}."), row)));
    }
    all.extend(rows("after").iter().map(|row| one(String::new(), row)));
    all
}

fn ranks(argv: &[String]) -> u64 {
    let at = argv.iter().position(|word| word == "--tensor-model-parallel-size");
    at.map_or(1, |at| argv[at + 1].parse().unwrap())
}

/// What one tensor-parallel rank of several holds.
fn shard(parameter: &Parameter, ranks: u64) -> Vec<u64> {
    let mut shape = parameter.shape.clone();
    match parameter.sharding {
        Sharding::Replicated => {}
        Sharding::Rows => shape[0] /= ranks,
        Sharding::Columns => shape[1] /= ranks,
    }
    shape
}

fn dtype(dtype: Dtype) -> &'static str {
    match dtype {
        Dtype::Float32 => "float32",
        Dtype::Float16 => "float16",
        Dtype::Bfloat16 => "bfloat16",
    }
}
