//! Training plans, first values, and what cannot be lowered.

use dlm::diag::{Diagnostic, Sink};
use dlm::lower;
use dlm::spec::attention::AttentionMask;
use dlm::spec::graph::{Init, Module, Parameter};
use dlm::spec::plan::{AnnealStyle, DecayStyle, LearningRate, Objective};
use dlm::spec::{LayerGraph, RunSpec, TrainingPlan};

use crate::flags::{compiled, told};
use crate::library::example;
use crate::support::read;

/// A complete small run, with settings on top.
fn small(settings: &str) -> String {
    format!(
        "dlm 1
use std.megadlms.Pretrain
use std.recipes.masked_diffusion
experiment small extends Pretrain with masked_diffusion {{
  model.num_layers = 2
  model.hidden_size = 64
  model.num_attention_heads = 4
  model.vocab_size = 257
  model.max_position_embeddings = 64
  diffusion.mask_token = 256
  train.budget = 100 iters
  train.seq_length = 64
  train.global_batch_size = 16
  train.micro_batch_size = 8
  optimizer.lr = 1e-3
  sampling.length = 32
  data.text = \"book.txt\"
}}
experiment it extends small {{
{settings}
}}
"
    )
}

fn lowered(settings: &str) -> Result<RunSpec, Vec<Diagnostic>> {
    let text = small(settings);
    let (session, checked) = compiled(&[("a.dlm", &text)], "a.dlm", "it");
    session.lower(&checked)
}

fn run(settings: &str) -> RunSpec {
    lowered(settings).unwrap_or_else(|found| panic!("{settings}: {found:?}"))
}

fn refused(settings: &str) -> Vec<(String, String)> {
    let found = lowered(settings).expect_err(settings);
    found.into_iter().map(|found| (found.code.to_string(), found.message)).collect()
}

#[test]
fn the_quickstart_is_a_run() {
    let (session, checked) = example("examples/quickstart.dlm", "quickstart");
    let spec = session.lower(&checked).unwrap_or_else(|_| panic!("{:?}", told(&checked)));
    assert_eq!((spec.version, spec.experiment.as_str()), (RunSpec::VERSION, "quickstart"));
    let text = serde_json::to_string(&spec).unwrap();
    assert_eq!(serde_json::from_str::<RunSpec>(&text).unwrap(), spec, "what is written reads back");
    assert!((2_000_000..6_000_000).contains(&spec.graph.root.parameter_count()));
    let Objective::MaskedDiffusion { mask_token, .. } = spec.plan.objective else { panic!("{:?}", spec.plan) };
    assert!(u64::try_from(mask_token).unwrap() < spec.graph.dims.vocab);
    assert!(mask_token >= 256, "a byte is no mask");
}

#[test]
fn lengths_of_schedules_are_in_samples() {
    // Megatron counts samples: 100 steps of 16 samples are 1600. Rule sched.steps-are-samples.
    let plan: TrainingPlan = run("optimizer.lr_warmup_iters = 10").plan;
    let LearningRate { warmup_samples, decay_samples, style, .. } = plan.learning_rate;
    assert_eq!((warmup_samples, decay_samples, style), (160, 1600, DecayStyle::Linear));
    assert_eq!(
        (plan.weight_decay.start, plan.weight_decay.end, plan.weight_decay.increase_samples),
        (0.01, 0.01, 1600)
    );
    let rate = run("optimizer.lr_warmup_fraction = 25%\n optimizer.lr_decay_iters = 100").plan.learning_rate;
    assert_eq!(rate.warmup_samples, 400, "a share of the decay");
    let rate = run(
        "optimizer.lr_decay_style = WSD\n optimizer.lr_wsd_decay_iters = 5\n optimizer.lr_wsd_decay_style = cosine",
    )
    .plan
    .learning_rate;
    assert_eq!(rate.style, DecayStyle::WarmupStableDecay { anneal: AnnealStyle::Cosine, anneal_samples: 80 });
}

#[test]
fn evaluation_counts_micro_batches() {
    // 100 global batches of 16 samples in micro-batches of 8.
    assert_eq!(run("").plan.evaluation.iterations, 200);
    let plan = run("optimizer.clip_grad = 0").plan;
    assert_eq!(plan.optimizer.clip_grad, None, "0 means no limit");
}

#[test]
fn exact_decimals_become_the_floats_that_python_reads() {
    let plan = run("optimizer.min_lr = lr / 30\n optimizer.weight_decay = 0.1").plan;
    assert_eq!((plan.learning_rate.peak, plan.weight_decay.start), (1e-3, 0.1));
    assert!((plan.learning_rate.min - 1e-3 / 30.0).abs() < 1e-19);
}

fn parameter<'a>(graph: &'a LayerGraph, wanted: &str) -> &'a Parameter {
    let mut found = None;
    graph.root.for_each_parameter(&mut |name, parameter| {
        if name == wanted {
            found = Some(parameter);
        }
    });
    found.unwrap_or_else(|| panic!("there is no {wanted}"))
}

#[test]
fn first_values_are_megatrons() {
    let graph = run("model.init_method_std = 0.01").graph;
    let of = |name: &str| (parameter(&graph, name).init, parameter(&graph, name).decays);
    assert_eq!(of("embedding.word_embeddings.weight"), (Init::Normal { std: 0.01 }, true));
    assert_eq!(of("decoder.layers.1.self_attention.linear_qkv.weight"), (Init::Normal { std: 0.01 }, true));
    // Two layers add twice each: 0.01 / sqrt(4). Rule tc.output-init.
    assert_eq!(of("decoder.layers.0.self_attention.linear_proj.weight"), (Init::Normal { std: 0.005 }, true));
    assert_eq!(of("decoder.layers.0.mlp.linear_fc2.weight"), (Init::Normal { std: 0.005 }, true));
    assert_eq!(of("decoder.layers.0.mlp.linear_fc2.bias"), (Init::Zeros, false));
    assert_eq!(of("decoder.layers.0.self_attention.linear_qkv.layer_norm_weight"), (Init::Ones, false));
    assert_eq!(of("decoder.final_layernorm.bias"), (Init::Zeros, false));
    let graph = run("model.apply_layernorm_1p = true").graph;
    assert_eq!(parameter(&graph, "decoder.final_layernorm.weight").init, Init::Zeros, "kept as its distance from one");
}

fn mask(graph: &LayerGraph) -> AttentionMask {
    let core = graph.root.child("decoder").and_then(|node| node.child("layers")).and_then(|node| node.child("0"));
    let core = core.and_then(|node| node.child("self_attention")).and_then(|node| node.child("core_attention"));
    match core.map(|node| &node.module) {
        Some(Module::CoreAttention { mask, scale, .. }) => {
            assert_eq!(*scale, 0.25, "heads of 16");
            *mask
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn the_objective_decides_who_sees_whom() {
    assert_eq!(mask(&run("").graph), AttentionMask::Bidirectional);
    let autoregressive = run("diffusion.mode = vanilla\n diffusion.attention_mask = causal_bottom_right");
    assert_eq!(mask(&autoregressive.graph), AttentionMask::Causal);
    assert_eq!(autoregressive.plan.objective, Objective::Autoregressive);
}

#[test]
fn nodes_say_which_field_made_them() {
    let graph = run("model.ffn_hidden_size = 96").graph;
    let layer = graph.root.child("decoder").and_then(|node| node.child("layers")).and_then(|node| node.child("1"));
    let fc1 = layer.and_then(|node| node.child("mlp")).and_then(|node| node.child("linear_fc1")).unwrap();
    let cause = fc1.causes.iter().find(|cause| cause.field == "model.ffn_hidden_size").unwrap();
    // The value `96` in the second experiment of the text.
    assert_eq!((cause.file.as_str(), cause.line, cause.column), ("a.dlm", 20, 25));
}

#[test]
fn what_the_embedded_runtime_cannot_do_is_refused_where_it_is_asked_for() {
    let cases = [
        ("precision.bf16 = true", "the embedded runtime computes in single precision, but `precision.bf16` is on"),
        ("precision.fp8 = hybrid", "the embedded runtime has no 8-bit numbers"),
        (
            "parallel.tensor_model_parallel_size = 2",
            "the embedded runtime runs on one device, but tensor parallelism asks for 2",
        ),
        ("environment.world_size = 2", "the embedded runtime is one process, but `environment.world_size` is 2"),
        ("optimizer.optimizer = sgd", "the embedded runtime trains with AdamW only, but `optimizer` is `sgd`"),
        ("evaluation.eval_iters = 0", "the embedded runtime always evaluates at the end, but `eval_iters` is 0"),
    ];
    for (settings, message) in cases {
        let wanted = vec![("dlm::lower::unsupported".to_owned(), message.to_owned())];
        let fp8 = if settings.contains("fp8") {
            format!("{settings}\n train.micro_batch_size = 8")
        } else {
            settings.to_owned()
        };
        assert_eq!(refused(&fp8), wanted, "{settings}");
    }
    let found = lowered("precision.bf16 = true").unwrap_err();
    let span = found[0].span().unwrap();
    let text = small("precision.bf16 = true");
    assert_eq!(&text[span.range()], "true", "the value is underlined");
}

#[test]
fn a_run_needs_a_text() {
    let found = refused("unset data.text\n data.mock_data = true\n data.tokenizer_type = NullTokenizer");
    let message = "`data.text` is not set, so the embedded runtime has nothing to train on";
    assert_eq!(found, [("dlm::lower::not_set".to_owned(), message.to_owned())]);
    // The target's command line needs none.
    let (session, checked) = example("examples/dlm_1_7b.dlm", "dlm_1_7b");
    let mut sink = Sink::default();
    let experiment = checked.experiment.as_ref().unwrap();
    assert!(lower::arguments(experiment, session.sources(), &mut sink).is_some());
    assert!(lower::graph(experiment, session.sources(), &mut sink).is_some());
    assert!(sink.is_empty());
}

#[test]
fn sizes_beyond_reason_are_refused_before_anything_is_built() {
    for settings in ["model.ffn_hidden_size = 4B", "model.num_layers = 1M", "model.vocab_size = 8B"] {
        let found = refused(settings);
        assert!(found.iter().all(|found| found.0 == "dlm::lower::too_large"), "{settings}: {found:?}");
    }
}

#[test]
fn a_schema_of_ones_own_is_no_network() {
    let text = "dlm 1\nschema Bakery {\n  loaves: int > 0\n}\nexperiment morning extends Bakery {\n  loaves = 12\n}\n";
    let (session, checked) = compiled(&[("a.dlm", text)], "a.dlm", "morning");
    assert_eq!(told(&checked), Vec::<String>::new());
    let found = session.lower(&checked).unwrap_err();
    assert_eq!(found.len(), 1, "{found:?}");
    assert!(found[0].message.starts_with("this experiment has no `model.num_layers`, `model.hidden_size`, "));
    let mut sink = Sink::default();
    assert!(lower::graph(checked.experiment.as_ref().unwrap(), session.sources(), &mut sink).is_none());
    assert!(sink.finish()[0].message.ends_with("so no network can be built from it"));
}

#[test]
fn pages_of_this_stage_show_what_they_say() {
    for code in lower::CODES {
        let mut blocks = code.page.split("```dlm\n").skip(1).map(|rest| rest.split("```").next().unwrap());
        let (rejected, mended) = (blocks.next().unwrap(), blocks.next().unwrap());
        let lower = |text: &str| {
            let name = text.split("\nexperiment ").nth(1).unwrap().split(' ').next().unwrap();
            let (session, checked) = compiled(&[("page.dlm", text)], "page.dlm", name);
            // A network that follows from itself is found by whoever asks for what it has: by the check.
            if code.name == "network_from_itself" && !checked.diagnostics.is_empty() {
                return Err(checked.diagnostics.iter().map(|it| it.code.to_string()).collect());
            }
            assert_eq!(told(&checked), Vec::<String>::new(), "{}: the check itself finds nothing", code.name);
            session.lower(&checked).map(|_| ()).map_err(|found| found.iter().map(|it| it.code.to_string()).collect())
        };
        let name = format!("dlm::{}::{}", code.stage, code.name);
        assert_eq!(lower(rejected), Err(vec![name]));
        assert_eq!(lower(mended), Ok::<(), Vec<String>>(()));
    }
}

#[test]
fn a_text_of_the_repository_is_named_as_it_lies_there() {
    let (session, checked) = example("examples/quickstart.dlm", "quickstart");
    let spec = session.lower(&checked).unwrap();
    assert!(!read("examples/quickstart.dlm").is_empty());
    assert_eq!(spec.plan.data.text, std::path::Path::new("examples/data/kjv.txt"));
}
