//! The network, its loss, gradients and an optimizer step against `tests/reference/make_numerics.py` (PyTorch, double
//! precision), and the forms that are used against the plain ones.

use std::collections::HashMap;
use std::path::PathBuf;

use crate::run::model::{Gradients, Input, Model, Pass};
use crate::run::objective::{Batch, Supervised, accumulate, reference, supervise, supervise_masked};
use crate::run::ops::attention::{self, Attention, attention};
use crate::run::ops::dropout::Dropout;
use crate::run::ops::noise::Draws;
use crate::run::ops::rotary::Turns;
use crate::run::optimizer::AdamW;
use dlm::spec::attention::AttentionMask;
use dlm::spec::graph::{Activation, NormKind, Rotary};
use dlm::spec::plan::{Adam, Objective};
use safetensors::SafeTensors;
use serde::Deserialize;
use tch::{Device, Kind, Tensor};

use crate::graphs::Sizes;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Case {
    network: Sizes,
    objective: String,
    mask_token: i64,
    clip: f64,
    epsilon: f64,
    lr: f64,
    weight_decay: f64,
    beta1: f64,
    beta2: f64,
}

struct Stored {
    case: Case,
    tensors: HashMap<String, Tensor>,
}

impl Stored {
    fn read(name: &str) -> Stored {
        let root = PathBuf::from(env!("CARGO_MANIFEST_DIR"));
        let bytes = std::fs::read(root.join(format!("tests/data/numerics/{name}.safetensors"))).unwrap();
        let (_, metadata) = SafeTensors::read_metadata(&bytes).unwrap();
        let case = serde_json::from_str(&metadata.metadata().as_ref().unwrap()["case"]).unwrap();
        let file = SafeTensors::deserialize(&bytes).unwrap();
        let tensors = file.iter().map(|(name, view)| {
            let kind = match view.dtype() {
                safetensors::Dtype::F32 => Kind::Float,
                safetensors::Dtype::F64 => Kind::Double,
                safetensors::Dtype::I64 => Kind::Int64,
                safetensors::Dtype::U8 => Kind::Uint8,
                other => panic!("{name} is {other:?}"),
            };
            let shape: Vec<i64> = view.shape().iter().map(|size| *size as i64).collect();
            (name.to_owned(), Tensor::from_data_size(view.data(), &shape, kind))
        });
        Stored { case, tensors: tensors.collect() }
    }

    fn model(&self) -> Model {
        let model = Model::new(&self.case.network.graph(), 0).unwrap();
        for parameter in model.parameters() {
            model.set_parameter(&parameter.name, &self.tensors[&format!("param.{}", parameter.name)]).unwrap();
        }
        let stored = self.tensors.keys().filter(|name| name.starts_with("param.")).count();
        assert_eq!(stored, model.parameters().len());
        model
    }

    fn supervised(&self) -> Supervised {
        let tokens = &self.tensors["tokens"];
        let (rows, width) = tokens.size2().unwrap();
        let tokens = Vec::<i64>::try_from(tokens.view([-1])).unwrap();
        let samples = (0..rows as u64).collect();
        let batch = Batch { tokens, width: width as usize, samples, loss_mask: None };
        if self.case.objective == "autoregressive" {
            return supervise(&Objective::Autoregressive, 0, &batch, batch.width).unwrap();
        }
        let masked = &self.tensors["masked"];
        let draws: Vec<Recorded> =
            (0..rows).map(|row| Recorded(Vec::<u8>::try_from(masked.get(row)).unwrap())).collect();
        supervise_masked(self.case.mask_token, &batch, batch.width - 1, &draws).unwrap()
    }

    fn optimizer(&self, model: &Model) -> AdamW {
        let Case { beta1, beta2, epsilon, clip, .. } = self.case;
        AdamW::new(&Adam { beta1, beta2, epsilon, clip_grad: Some(clip) }, model).unwrap()
    }
}

/// Draws that mask exactly the recorded positions.
struct Recorded(Vec<u8>);

impl Draws for Recorded {
    fn time(&self) -> f64 {
        0.5
    }
    fn uniforms(&self, out: &mut [f64]) {
        out.iter_mut().zip(&self.0).for_each(|(out, masked)| *out = if *masked == 1 { 0.25 } else { 0.75 });
    }
    fn rescue(&self, _: usize) -> usize {
        panic!("every recorded row has a masked position")
    }
}

/// The largest difference, over the largest expected value.
fn error(found: &Tensor, expected: &Tensor) -> f64 {
    assert_eq!(found.size(), expected.size());
    let (found, expected) = (found.detach().to_kind(Kind::Double), expected.detach().to_kind(Kind::Double));
    let scale = expected.abs().max().double_value(&[]).max(1e-30);
    (found - expected).abs().max().double_value(&[]) / scale
}

const CASES: [&str; 4] = ["swiglu", "gelu", "causal", "block_causal"];
const TOLERANCE: f64 = 1e-5;

#[test]
fn hidden_states_loss_and_gradients_are_those_of_pytorch() {
    tch::set_num_threads(1);
    for name in CASES {
        let stored = Stored::read(name);
        let (model, batch) = (stored.model(), stored.supervised());
        let hidden = model.hidden(batch.input(), Pass { mask: batch.mask, dropout: None }).unwrap();
        let off = error(&hidden, &stored.tensors["hidden"]);
        assert!(off < TOLERANCE, "{name}: hidden states are off by {off:e}");
        let mut gradients = Gradients::new(&model);
        let loss = accumulate(&model, &batch, 1, None, &mut gradients).unwrap();
        let expected = stored.tensors["losses"].double_value(&[0]);
        assert!((loss.mean() / expected - 1.0).abs() < TOLERANCE, "{name}: loss {} for {expected}", loss.mean());
        for (parameter, gradient) in model.parameters().iter().zip(gradients.tensors()) {
            let expected = &stored.tensors[&format!("grad.{}", parameter.name)];
            let gradient = gradient.as_ref().unwrap_or_else(|| panic!("{name}: none for {}", parameter.name));
            if expected.abs().max().double_value(&[]) < 1e-12 {
                // The bias of keys: its exact gradient is 0, and what is left is rounding.
                assert!(gradient.abs().max().double_value(&[]) < 1e-7);
                continue;
            }
            // Biases of a fused `linear_qkv` hold such keys too, so the scale is the whole tensor's.
            let off = error(gradient, expected);
            assert!(off < TOLERANCE, "{name}: the gradient of {} is off by {off:e}", parameter.name);
        }
    }
}

#[test]
fn clipped_adamw_steps_are_those_of_pytorch() {
    tch::set_num_threads(1);
    for name in CASES {
        let stored = Stored::read(name);
        let (model, batch) = (stored.model(), stored.supervised());
        let mut optimizer = stored.optimizer(&model);
        let mut gradients = Gradients::new(&model);
        for step in 0..4 {
            gradients.clear();
            let loss = accumulate(&model, &batch, 1, None, &mut gradients).unwrap().mean();
            let expected = stored.tensors["losses"].double_value(&[step]);
            assert!((loss / expected - 1.0).abs() < TOLERANCE, "{name}: loss {loss} for {expected} at {step}");
            let done = optimizer.step(&model, &gradients, stored.case.lr, stored.case.weight_decay).unwrap();
            assert_eq!(optimizer.steps(), step as u64 + 1);
            if step > 0 {
                continue;
            }
            let norm = stored.tensors["grad_norm"].double_value(&[0]);
            assert!((done.gradient_norm / norm - 1.0).abs() < TOLERANCE, "{name}: norm {}", done.gradient_norm);
            assert_eq!(done.clipped, norm > stored.case.clip);
            for parameter in model.parameters() {
                let off = error(&parameter.tensor, &stored.tensors[&format!("after.{}", parameter.name)]);
                assert!(off < TOLERANCE, "{name}: {} after a step is off by {off:e}", parameter.name);
            }
        }
    }
}

/// The training pass (the head at masked positions only, in chunks; the last layer cut down to those positions; every
/// module with a gradient of its own) against autograd through the plain forms with the head everywhere.
fn assert_training_equals_the_plain_form(name: &str, model: &Model, batch: &Supervised, dropout: Option<u64>) {
    let full = reference(model, batch, 3, dropout).unwrap();
    let leaves: Vec<&Tensor> = model.parameters().iter().map(|parameter| &parameter.tensor).collect();
    let expected = Tensor::run_backward(&[&full], &leaves, false, false);
    let mut gradients = Gradients::new(model);
    let loss = accumulate(model, batch, 3, dropout, &mut gradients).unwrap().mean() / 3.0;
    assert!((loss / full.double_value(&[]) - 1.0).abs() < 1e-6, "{name}: {loss} for {full:?}");
    let largest = expected.iter().map(|tensor| tensor.abs().max().double_value(&[])).fold(0.0, f64::max);
    for ((parameter, found), expected) in model.parameters().iter().zip(gradients.tensors()).zip(&expected) {
        let found = found.as_ref().unwrap_or_else(|| panic!("{name}: none for {}", parameter.name));
        assert_eq!(found.size(), parameter.tensor.size());
        let off = (found - expected).abs().max().double_value(&[]);
        // Single precision through two orders of summation: 1.4e-6 at most for the networks below, up to 3e-5 for badly
        // conditioned parameters. A term that is wrong shows in the second digit.
        assert!(off < 1e-5 * largest, "{name}: the gradient of {} is off by {off:e} of {largest:e}", parameter.name);
    }
}

#[test]
fn masked_head_equals_the_full_head() {
    tch::set_num_threads(1);
    for name in CASES {
        let stored = Stored::read(name);
        assert_training_equals_the_plain_form(name, &stored.model(), &stored.supervised(), None);
    }
}

/// All kinds of modules in all combinations that change the way of the training pass.
#[test]
fn every_network_has_the_gradients_of_autograd() {
    tch::set_num_threads(1);
    let norms = [(NormKind::RmsNorm, false), (NormKind::RmsNorm, true), (NormKind::LayerNorm, false)];
    let activations = [Activation::Swiglu, Activation::Gelu, Activation::SquaredRelu];
    let rotary = |dim, interleaved| Some(Rotary { dim, base: 50.0, interleaved });
    let rotaries = [None, rotary(8, false), rotary(4, false), rotary(6, true)];
    let masks = [AttentionMask::Bidirectional, AttentionMask::Causal, AttentionMask::BlockCausal { block: 3 }];
    for number in 0..48usize {
        let pick = |step: usize, of: usize| number / step % of;
        let (norm, zero_centered) = norms[number % 3];
        let sizes = Sizes {
            layers: [2, 1, 2, 0][pick(12, 4)],
            hidden: 24,
            groups: [4, 2, 1][pick(2, 3)],
            ffn: 20,
            vocab: 40,
            padded_vocab: 48,
            sequence: 9,
            norm,
            zero_centered,
            qk_norm: pick(2, 2) == 0,
            bias: pick(3, 2) == 0,
            activation: activations[pick(4, 3)],
            mask: masks[pick(5, 3)],
            rotary: rotaries[number % 4],
            learned_positions: pick(6, 2) == 0,
            tied: pick(7, 2) == 0,
            dropout: [0.0, 0.2][pick(9, 2)],
            ..Sizes::usual()
        };
        let model = Model::new(&sizes.graph(), number as u64).unwrap();
        for parameter in model.parameters() {
            // Not from libtorch's generator: its state is one for all tests that run at the same time.
            let size = parameter.tensor.size();
            let count: i64 = size.iter().product();
            let places = Tensor::arange(count, (Kind::Double, Device::Cpu));
            let noise = (places * 12.9898 + number as f64).sin().to_kind(Kind::Float).reshape(&size) * 0.3;
            model.set_parameter(&parameter.name, &(parameter.tensor.detach() + noise)).unwrap();
        }
        let tokens = (0..30).map(|at| at * 7 % 40).collect();
        let loss_mask = (0..27).map(|at| if at % 5 == 0 { 0.0 } else { 1.0 }).collect();
        let batch = Batch { tokens, width: 10, samples: vec![4, 9, 11], loss_mask: Some(loss_mask) };
        let objective = match pick(8, 3) {
            0 => Objective::Autoregressive,
            _ => Objective::MaskedDiffusion { mask_token: 39, varlen_probability: 0.0 },
        };
        let batch = supervise(&objective, 1, &batch, 9).unwrap();
        assert_training_equals_the_plain_form(&format!("network {number}"), &model, &batch, Some(6));
    }
}

/// A batch whose loss counts nowhere has gradients of zero or none, not an error.
#[test]
fn nothing_supervised_is_no_error() {
    tch::set_num_threads(1);
    let stored = Stored::read("swiglu");
    let mut batch = stored.supervised();
    (batch.targets, batch.labels, batch.weights) = (Vec::new(), Vec::new(), Vec::new());
    let model = stored.model();
    let mut gradients = Gradients::new(&model);
    let loss = accumulate(&model, &batch, 1, None, &mut gradients).unwrap();
    assert_eq!(loss.mean(), 0.0);
    for gradient in gradients.tensors().iter().flatten() {
        assert_eq!(gradient.abs().max().double_value(&[]), 0.0);
    }
}

/// Four samples at once, and the same samples in two micro-batches: the same noise, so the same gradient.
#[test]
fn micro_batches_do_not_change_the_gradient() {
    tch::set_num_threads(1);
    let sizes = Sizes::usual();
    let model = Model::new(&sizes.graph(), 3).unwrap();
    let width = sizes.sequence as usize + 1;
    let tokens: Vec<i64> = (0..4 * width as i64).map(|at| at * 37 % 256).collect();
    let objective = Objective::MaskedDiffusion { mask_token: 258, varlen_probability: 0.0 };
    let gradients_of = |split: usize| {
        let mut gradients = Gradients::new(&model);
        for part in 0..split {
            let rows = part * 4 / split..(part + 1) * 4 / split;
            let batch = Batch {
                tokens: tokens[rows.start * width..rows.end * width].to_vec(),
                width,
                samples: rows.map(|row| 1000 + row as u64).collect(),
                loss_mask: None,
            };
            let supervised = supervise(&objective, 9, &batch, width - 1).unwrap();
            accumulate(&model, &supervised, split as u64, None, &mut gradients).unwrap();
        }
        gradients
    };
    let (whole, halves, quarters) = (gradients_of(1), gradients_of(2), gradients_of(4));
    for parts in [&halves, &quarters] {
        for ((whole, parts), parameter) in whole.tensors().iter().zip(parts.tensors()).zip(model.parameters()) {
            let off = error(parts.as_ref().unwrap(), whole.as_ref().unwrap());
            assert!(off < 1e-5, "{}: {off:e}", parameter.name);
        }
    }
}

#[test]
fn attention_equals_its_plain_form() {
    tch::set_num_threads(1);
    tch::manual_seed(11);
    let masks = [
        AttentionMask::Bidirectional,
        AttentionMask::Causal,
        AttentionMask::BlockCausal { block: 1 },
        AttentionMask::BlockCausal { block: 3 },
        AttentionMask::BlockCausal { block: 64 },
    ];
    for mask in masks {
        for (groups, length, width) in [(4, 7, 8), (2, 33, 16), (1, 5, 6)] {
            let random = |heads| {
                let leaf = Tensor::randn([2, heads, length, width], (Kind::Float, Device::Cpu));
                leaf.set_requires_grad(true)
            };
            let (query, key, value) = (random(4), random(groups), random(groups));
            let call = Attention { mask, scale: 0.3, dropout: None };
            let out = [attention(&call, &query, &key, &value), attention::reference(&call, &query, &key, &value)];
            let [fast, plain] = out.map(Result::unwrap);
            assert!(error(&fast, &plain) < 1e-5, "{mask:?}");
            let weight = Tensor::randn_like(&plain);
            let leaves = [&query, &key, &value];
            let fast = Tensor::run_backward(&[(fast * &weight).sum(Kind::Float)], &leaves, false, false);
            let plain = Tensor::run_backward(&[(plain * &weight).sum(Kind::Float)], &leaves, false, false);
            for (fast, plain) in fast.iter().zip(&plain) {
                assert!(error(fast, plain) < 1e-5, "gradient under {mask:?}");
            }
        }
    }
}

/// Products of turned queries and keys depend on the distance of their positions alone, and elements beyond the
/// rotary dimension are left as they are.
#[test]
fn rotary_products_depend_on_distance_alone() {
    tch::set_num_threads(1);
    tch::manual_seed(2);
    let single = (Kind::Float, Device::Cpu);
    let (query, key) = (Tensor::randn([8], single), Tensor::randn([8], single));
    let everywhere = |x: &Tensor| x.view([1, 1, 1, 8]).expand([1, 6, 1, 8], false).contiguous();
    for interleaved in [false, true] {
        for dim in [4, 8] {
            let spec = Rotary { dim, base: 100.0, interleaved };
            let turned = |x: &Tensor, first| Turns::new(&spec, first, 6).unwrap().apply(&everywhere(x)).unwrap();
            let (query, key) = (turned(&query, 5), turned(&key, 5));
            let products = query.view([6, 8]).matmul(&key.view([6, 8]).transpose(0, 1));
            for (row, column) in [(1, 0), (2, 1), (5, 4)] {
                let off = products.double_value(&[row, column]) - products.double_value(&[1, 0]);
                assert!(off.abs() < 1e-5, "{off:e}");
            }
            assert!((products.double_value(&[3, 0]) - products.double_value(&[0, 0])).abs() > 1e-3);
        }
    }
}

/// The first values belong to the seed and the name: equal for equal ones, different for others, and normal.
#[test]
fn first_values_are_a_function_of_seed_and_name() {
    tch::set_num_threads(1);
    let graph = Sizes::usual().graph();
    let (one, again, other) = (Model::new(&graph, 1), Model::new(&graph, 1), Model::new(&graph, 2));
    let (one, again, other) = (one.unwrap(), again.unwrap(), other.unwrap());
    let weight = |model: &Model, name: &str| {
        model.parameters().iter().find(|parameter| parameter.name == name).unwrap().tensor.detach()
    };
    let (first, second) = ("embedding.word_embeddings.weight", "output_layer.weight");
    assert!(weight(&one, first).equal(&weight(&again, first)));
    assert!(!weight(&one, first).equal(&weight(&other, first)));
    assert!(!weight(&one, first).equal(&weight(&one, second)));
    // 12,288 numbers of deviation 0.02: the standard error of the deviation is 0.02 / sqrt(2 * 12,288) = 1.3e-4.
    let deviation = weight(&one, first).std(true).double_value(&[]);
    assert!((deviation - 0.02).abs() < 5.0 * 1.3e-4, "{deviation}");
    assert_eq!(one.parameter_count() as u64, graph.root.parameter_count());
    let mut names = Vec::new();
    graph.root.for_each_parameter(&mut |name, _| names.push(name));
    assert!(names.iter().eq(one.parameters().iter().map(|parameter| &parameter.name)));
}

/// Dropout belongs to the sample: it repeats, differs between seeds and samples, is the same in another batch and where
/// only some positions are asked for, and is off without a seed.
#[test]
fn dropout_is_a_function_of_seed_and_sample() {
    tch::set_num_threads(1);
    let model = Model::new(&Sizes { dropout: 0.5, ..Sizes::usual() }.graph(), 1).unwrap();
    let tokens: Vec<i64> = (0..16).chain(0..16).collect();
    let input = Input { tokens: &tokens, length: 16, first_position: 0 };
    let pass = |seed, samples| Pass { mask: None, dropout: Some(Dropout { seed, samples }) };
    let both = model.hidden(input, pass(4, &[7, 8])).unwrap();
    assert!(both.equal(&model.hidden(input, pass(4, &[7, 8])).unwrap()));
    assert!(!both.equal(&model.hidden(input, pass(5, &[7, 8])).unwrap()));
    assert!(!both.get(0).equal(&both.get(1)));
    let second = Input { tokens: &tokens[16..], ..input };
    let alone = model.hidden(second, pass(4, &[8])).unwrap();
    assert!(error(&alone.get(0), &both.get(1)) < 1e-6);
    let some = model.hidden_at(input, &Tensor::from_slice(&[3i64, 20]), pass(4, &[7, 8])).unwrap();
    assert!(error(&some.get(0), &both.get(0).get(3)) < 1e-6 && error(&some.get(1), &both.get(1).get(4)) < 1e-6);
    let without = model.hidden(input, Pass::default()).unwrap();
    assert!(without.get(0).equal(&without.get(1)) && error(&without, &both) > 0.01);
    // Half of 100,000 are dropped: standard deviation 158.
    let factors = Dropout { seed: 1, samples: &[3] }.factors(9, 0.5, &[1, 100_000]).unwrap();
    let kept = factors.sum(Kind::Double).double_value(&[]) / 2.0;
    assert!((kept - 50_000.0).abs() < 5.0 * 158.0, "{kept}");
}

/// A run that saves after two steps and goes on from what it saved ends where an uninterrupted one does, bit by bit.
#[test]
fn optimizer_state_restores_exactly() {
    tch::set_num_threads(1);
    let stored = Stored::read("swiglu");
    let batch = stored.supervised();
    let run = |model: &Model, optimizer: &mut AdamW, steps: u64| {
        let mut gradients = Gradients::new(model);
        for _ in 0..steps {
            gradients.clear();
            accumulate(model, &batch, 1, None, &mut gradients).unwrap();
            optimizer.step(model, &gradients, 1e-2, 0.1).unwrap();
        }
    };
    let straight = stored.model();
    run(&straight, &mut stored.optimizer(&straight), 4);
    let half = stored.model();
    let mut optimizer = stored.optimizer(&half);
    run(&half, &mut optimizer, 2);
    let saved: HashMap<String, Tensor> =
        optimizer.state().into_iter().map(|(name, tensor)| (name, tensor.copy())).collect();
    let resumed = stored.model();
    for parameter in half.parameters() {
        resumed.set_parameter(&parameter.name, &parameter.tensor).unwrap();
    }
    let mut restored = stored.optimizer(&resumed);
    restored.restore(optimizer.steps(), &mut |name| Ok(saved[name].copy())).unwrap();
    run(&resumed, &mut restored, 2);
    for (resumed, straight) in resumed.parameters().iter().zip(straight.parameters()) {
        assert!(resumed.tensor.equal(&straight.tensor), "{}", resumed.name);
    }
}

/// A gradient that is not a number leaves parameters, moments and the count of steps alone.
#[test]
fn a_broken_gradient_changes_nothing() {
    tch::set_num_threads(1);
    let stored = Stored::read("swiglu");
    let model = stored.model();
    let mut optimizer = stored.optimizer(&model);
    let mut batch = stored.supervised();
    batch.weights[0] = f32::NAN;
    let mut gradients = Gradients::new(&model);
    accumulate(&model, &batch, 1, None, &mut gradients).unwrap();
    let done = optimizer.step(&model, &gradients, 1e-2, 0.1).unwrap();
    assert!(done.gradient_norm.is_nan() && optimizer.steps() == 0);
    for parameter in model.parameters() {
        assert!(parameter.tensor.equal(&stored.tensors[&format!("param.{}", parameter.name)]));
    }
}

#[test]
fn graphs_that_contradict_themselves_are_refused() {
    let usual = Sizes::usual;
    let error_of = |sizes: Sizes| Model::new(&sizes.graph(), 0).unwrap_err().to_string();
    let cases = [
        (Sizes { groups: 3, ..usual() }, "cannot build `decoder.layers.0.self_attention`: 4 heads of 8 in 3 groups"),
        (
            Sizes { rotary: Some(Rotary { dim: 10, base: 10_000.0, interleaved: false }), ..usual() },
            "cannot build `model`: rotary dimension 10 of a head of 8, base 10000",
        ),
        (
            Sizes { vocab: 500, ..usual() },
            "cannot build `model`: the vocabulary (500) is larger than the embedding (384 rows)",
        ),
        (Sizes { dropout: 1.0, ..usual() }, "cannot build `embedding`: dropout is 1, needed is 0 or more and below 1"),
    ];
    for (sizes, message) in cases {
        assert_eq!(error_of(sizes), message);
    }
    let mut graph = usual().graph();
    let stray = graph.root.children[0].children[0].clone();
    graph.root.children[1].children.push(stray);
    let error = Model::new(&graph, 0).unwrap_err().to_string();
    assert_eq!(error, "cannot build `decoder`: nothing uses its part `word_embeddings`");
    let mut graph = usual().graph();
    graph.root.children[0].children[0].parameters.clear();
    let error = Model::new(&graph, 0).unwrap_err().to_string();
    assert_eq!(error, "cannot build `embedding.word_embeddings`: it has no parameter `weight`");
    let mut graph = usual().graph();
    graph.root.children[0].children[0].parameters[0].shape = vec![1 << 40, 1 << 40];
    assert!(Model::new(&graph, 0).unwrap_err().to_string().contains("is too large"));
}

#[test]
fn tokens_and_positions_outside_their_tables_are_refused() {
    tch::set_num_threads(1);
    let sizes =
        Sizes { norm: NormKind::LayerNorm, activation: Activation::Gelu, learned_positions: true, ..Sizes::usual() };
    let model = Model::new(&sizes.graph(), 0).unwrap();
    let run = |tokens: &[i64], first_position| {
        let input = Input { tokens, length: 4, first_position };
        model.logits(input, Pass::default()).map(|logits| logits.size())
    };
    assert_eq!(run(&[0; 8], 12).unwrap(), [2, 4, 384]);
    let error = run(&[0, 0, 0, 0, 0, 384, 0, 0], 0).unwrap_err().to_string();
    assert_eq!(error, "token 384 at row 1, position 1 is outside the vocabulary of 384 rows");
    let error = run(&[0; 4], 13).unwrap_err().to_string();
    assert_eq!(error, "training plan: positions 13 to 16, but the learned table has 16");
}
