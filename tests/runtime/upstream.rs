//! Noise, loss and schedules against values recorded from MegaDLMs (`tests/data/*.json`).

use std::path::PathBuf;

use crate::run::objective::{Batch, Supervised, supervise, supervise_masked};
use crate::run::ops::loss::{Head, weighted_cross_entropy};
use crate::run::ops::noise::{Draws, mask_rows};
use crate::run::schedule::{learning_rate, weight_decay};
use dlm::spec::plan::{AnnealStyle, DecayStyle, LearningRate, Objective, WeightDecay, WeightDecayStyle};
use serde_json::Value;
use tch::{Device, Kind, Tensor};

fn read(name: &str) -> Value {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/data").join(name);
    serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap()
}

fn numbers(value: &Value) -> Vec<f64> {
    value.as_array().unwrap().iter().map(|number| number.as_f64().unwrap()).collect()
}

fn integers(value: &Value) -> Vec<i64> {
    value.as_array().unwrap().iter().map(|number| number.as_i64().unwrap()).collect()
}

fn rows<T>(value: &Value, each: fn(&Value) -> Vec<T>) -> Vec<Vec<T>> {
    value.as_array().unwrap().iter().map(each).collect()
}

/// The draws of one recorded row.
struct Recorded {
    time: f64,
    uniforms: Vec<f64>,
    rescue: Option<usize>,
}

impl Draws for Recorded {
    fn time(&self) -> f64 {
        self.time
    }
    fn uniforms(&self, out: &mut [f64]) {
        out.copy_from_slice(&self.uniforms);
    }
    fn rescue(&self, _: usize) -> usize {
        self.rescue.unwrap()
    }
}

#[test]
fn forward_process_is_upstreams() {
    let mut seen = 0;
    for vector in read("loss-vectors.json")["vectors"].as_array().unwrap() {
        if vector["kind"] != "forward_process" {
            continue;
        }
        seen += 1;
        let (times, uniforms) = (numbers(&vector["t"]), rows(&vector["u"], numbers));
        // Recorded in the order of the rows that needed one.
        let mut rescues = integers(&vector["rescue_positions"]).into_iter();
        let draws: Vec<Recorded> = times
            .into_iter()
            .zip(uniforms)
            .map(|(time, uniforms)| {
                let rescue = if uniforms.iter().any(|uniform| *uniform < time) { None } else { rescues.next() };
                Recorded { time, uniforms, rescue: rescue.map(|position| position as usize) }
            })
            .collect();
        assert_eq!(rescues.next(), None);
        let text = rows(&vector["input_ids"], integers);
        let length = text[0].len();
        let noise = mask_rows(&text.concat(), length, vector["mask_token"].as_i64().unwrap(), &draws);
        assert_eq!(noise.inputs, rows(&vector["noisy"], integers).concat(), "{}", vector["id"]);
        let flags = |row: &Value| row.as_array().unwrap().iter().map(|flag| flag.as_bool().unwrap()).collect();
        let masked = rows::<bool>(&vector["masked"], flags).concat();
        let masked: Vec<usize> = (0..masked.len()).filter(|at| masked[*at]).collect();
        assert_eq!(noise.masked, masked, "{}", vector["id"]);
        for (count, share) in noise.counts.iter().zip(numbers(&vector["p_mask"])) {
            assert!((*count as f64 / length as f64 - share).abs() < 1e-6, "{}", vector["id"]);
        }
    }
    assert_eq!(seen, 6);
}

/// Left out of the recorded file: vectors with packed samples (`packed-*`, kind `packing`), which this runtime does
/// not have, and kind `varlen`, whose lengths come from NumPy's generator, where this runtime has its own (see
/// `truncated_length`); the loss of truncated rows is here.
#[test]
fn loss_is_upstreams() {
    tch::set_num_threads(1);
    let mut seen = 0;
    for vector in read("loss-vectors.json")["vectors"].as_array().unwrap() {
        if vector["kind"] != "loss" {
            continue;
        }
        seen += 1;
        let id = vector["id"].as_str().unwrap();
        let supervised = supervised(vector);
        assert_eq!(supervised.inputs, rows(&vector["model_input"], integers).concat(), "{id}");
        let first = rows(&vector["position_ids"], integers)[0][0];
        assert_eq!(supervised.first_position, first, "{id}");

        // The network is replaced by the recorded logits, [position][row][vocabulary]: a head that is the identity.
        let vocab = vector["vocab"].as_i64().unwrap();
        let positions: Vec<Vec<f64>> =
            vector["logits_sbv"].as_array().unwrap().iter().flat_map(|rows_here| rows(rows_here, numbers)).collect();
        let (length, batch) = (supervised.length as i64, supervised.inputs.len() as i64 / supervised.length as i64);
        let logits = Tensor::from_slice(&positions.concat()).to_kind(Kind::Float).view([length, batch, vocab]);
        let hidden =
            logits.transpose(0, 1).reshape([-1, vocab]).index_select(0, &Tensor::from_slice(&supervised.targets));
        let identity = Tensor::eye(vocab, (Kind::Float, Device::Cpu));
        let micro_batches = vector["num_microbatches"].as_f64().unwrap();
        // With `calculate_per_token_loss` upstream divides later, over all ranks.
        let per_token = vector["calculate_per_token_loss"].as_bool().unwrap();
        let divisor = if per_token { 1.0 } else { supervised.tokens * micro_batches };
        let found = weighted_cross_entropy(
            Head { weight: &identity, bias: None },
            &hidden,
            &Tensor::from_slice(&supervised.labels),
            &Tensor::from_slice(&supervised.weights),
            1.0 / divisor,
        )
        .unwrap();

        let close = |name: &str, found: f64, expected: f64| {
            assert!((found - expected).abs() <= 1e-5 * expected.abs(), "{id}: {name} is {found}, not {expected}");
        };
        close("sum", found.sum, vector["loss_sum"].as_f64().unwrap());
        assert_eq!(supervised.tokens, vector["num_tokens"].as_f64().unwrap(), "{id}");
        if vector["scaled_loss"] == "nan" {
            assert!((found.sum / divisor).is_nan(), "{id}");
            continue;
        }
        close("scaled loss", found.sum / divisor, vector["scaled_loss"].as_f64().unwrap());
        let gradients = rows(&vector["grad_abs_sum_per_position"], numbers).concat();
        let sizes = Vec::<f64>::try_from(found.hidden.abs().sum_dim_intlist(1, false, Kind::Double)).unwrap();
        let mut at_targets = vec![0.0; gradients.len()];
        supervised.targets.iter().zip(sizes).for_each(|(at, size)| at_targets[*at as usize] = size);
        for (found, expected) in at_targets.into_iter().zip(gradients) {
            assert!((found - expected).abs() < 1e-5 * expected + 1e-7, "{id}: gradient {found}, not {expected}");
        }
    }
    assert_eq!(seen, 16);
}

fn supervised(vector: &Value) -> Supervised {
    let text = rows(&vector["text"], integers);
    let batch = Batch {
        width: text[0].len(),
        samples: (0..text.len() as u64).collect(),
        tokens: text.concat(),
        loss_mask: Some(rows(&vector["loss_mask_in"], numbers).concat().iter().map(|weight| *weight as f32).collect()),
    };
    // `test-forward` differs from `vanilla` in the attention mask alone.
    if vector["mode"] != "difflm-noshift" {
        return supervise(&Objective::Autoregressive, 0, &batch, batch.width).unwrap();
    }
    let kept = vector["truncated_to"].as_u64().map_or(batch.width - 1, |kept| kept as usize);
    let draws: Vec<Recorded> = rows(&vector["masked"], numbers)
        .into_iter()
        .map(|masked| {
            let uniforms = masked.into_iter().map(|masked| 1.0 - masked).collect();
            Recorded { time: 0.5, uniforms, rescue: None }
        })
        .collect();
    supervise_masked(vector["mask_token"].as_i64().unwrap(), &batch, kept, &draws).unwrap()
}

#[test]
fn schedules_are_upstreams() {
    let recorded = read("schedules.json");
    let cases = recorded["cases"].as_array().unwrap();
    assert_eq!(cases.len(), 49);
    for case in cases {
        let args = &case["args"];
        let number = |name: &str| args[name].as_f64().unwrap();
        let length = |name: &str| args[name].as_u64().unwrap();
        let style = match args["lr_decay_style"].as_str().unwrap() {
            "constant" => DecayStyle::Constant,
            "linear" => DecayStyle::Linear,
            "cosine" => DecayStyle::Cosine,
            "inverse-square-root" => DecayStyle::InverseSquareRoot,
            "WSD" => {
                let anneal = match args["lr_wsd_decay_style"].as_str().unwrap() {
                    "linear" => AnnealStyle::Linear,
                    "cosine" => AnnealStyle::Cosine,
                    "exponential" => AnnealStyle::Exponential,
                    other => panic!("{other}"),
                };
                DecayStyle::WarmupStableDecay { anneal, anneal_samples: length("wsd_decay_steps") }
            }
            other => panic!("{other}"),
        };
        let rate = LearningRate {
            init: number("init_lr"),
            peak: number("max_lr"),
            min: number("min_lr"),
            warmup_samples: length("lr_warmup_steps"),
            decay_samples: length("lr_decay_steps"),
            style,
        };
        let decay = WeightDecay {
            start: number("start_wd"),
            end: number("end_wd"),
            increase_samples: length("wd_incr_steps"),
            style: match args["wd_incr_style"].as_str().unwrap() {
                "constant" => WeightDecayStyle::Constant,
                "linear" => WeightDecayStyle::Linear,
                "cosine" => WeightDecayStyle::Cosine,
                other => panic!("{other}"),
            },
        };
        for point in case["points"].as_array().unwrap() {
            let step = point["step"].as_u64().unwrap();
            let check = |name: &str, found: f64| {
                let expected = point[name].as_f64().unwrap();
                let same = (found - expected).abs() <= 1e-13 * expected.abs() + 1e-19;
                assert!(same, "{name} at {step} is {found:e}, not {expected:e}: {args}");
            };
            check("lr", learning_rate(&rate, step));
            check("wd", weight_decay(&decay, step));
        }
    }
}
