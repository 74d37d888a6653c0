//! Times training steps of a small network on the CPU: `cargo bench --features runtime --bench step -- [key=value …]`.
//!
//! Keys and defaults: layers=4 hidden=256 heads=4 groups=4 ffn=704 vocab=384 seq=256 batch=16 threads=2 steps=5 warm=2
//! lr=2e-4 full=0. `full=1` times the plain form, which runs the head at every position.
//!
//! Where other work runs on the machine, set `OMP_WAIT_POLICY=passive`: threads that spin while they wait for each
//! other cost up to three times the step. Read the processor time of one thread there, not the wall time.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic, clippy::print_stdout, missing_docs)]
#![allow(unfulfilled_lint_expectations, reason = "without a test harness the tests of the runtime are empty here")]
#![allow(clippy::disallowed_methods, reason = "a bench reads the clock")]
#![allow(
    dead_code,
    unused_imports,
    unreachable_pub,
    reason = "the runtime is compiled in here, and one step needs not all of it"
)]

#[path = "../tests/runtime/graphs.rs"]
mod graphs;
#[path = "../src/run/mod.rs"]
mod run;

use std::collections::BTreeMap;
use std::time::Instant;

use crate::run::model::{Gradients, Model};
use crate::run::objective::{Batch, accumulate, reference, supervise};
use crate::run::optimizer::AdamW;
use dlm::spec;
use dlm::spec::graph::Rotary;
use dlm::spec::plan::{Adam, Objective};

fn main() {
    let mut keys: BTreeMap<String, f64> = [
        ("layers", 4.0),
        ("hidden", 256.0),
        ("heads", 4.0),
        ("groups", 0.0),
        ("ffn", 704.0),
        ("vocab", 384.0),
        ("seq", 256.0),
        ("batch", 16.0),
        ("threads", 2.0),
        ("steps", 5.0),
        ("warm", 2.0),
        ("lr", 2e-4),
        ("full", 0.0),
        ("qknorm", 1.0),
    ]
    .map(|(name, value)| (name.to_owned(), value))
    .into();
    for argument in std::env::args().skip(1).filter(|argument| argument.contains('=')) {
        let (name, value) = argument.split_once('=').unwrap();
        let slot = keys.get_mut(name).unwrap_or_else(|| panic!("unknown key `{name}`"));
        *slot = value.parse().unwrap();
    }
    let number = |name: &str| keys[name] as u64;
    let (heads, hidden) = (number("heads"), number("hidden"));
    let groups = if number("groups") == 0 { heads } else { number("groups") };
    let head_dim = hidden / heads;
    let sizes = graphs::Sizes {
        layers: number("layers"),
        hidden,
        heads,
        groups,
        head_dim,
        ffn: number("ffn"),
        vocab: number("vocab"),
        padded_vocab: number("vocab"),
        sequence: number("seq"),
        qk_norm: number("qknorm") == 1,
        rotary: Some(Rotary { dim: head_dim, base: 10_000.0, interleaved: false }),
        ..graphs::Sizes::usual()
    };
    tch::set_num_threads(number("threads") as i32);
    let model = Model::new(&sizes.graph(), 1).unwrap();
    let adam = Adam { beta1: 0.9, beta2: 0.95, epsilon: 1e-8, clip_grad: Some(1.0) };
    let mut optimizer = AdamW::new(&adam, &model).unwrap();
    let mut gradients = Gradients::new(&model);
    let objective = Objective::MaskedDiffusion { mask_token: number("vocab") as i64 - 1, varlen_probability: 0.0 };
    let (rows, width) = (number("batch") as usize, number("seq") as usize + 2);
    println!("{} parameters", model.parameter_count());
    let (steps, warm) = (number("steps"), number("warm"));
    let mut times: [Vec<f64>; 4] = Default::default();
    for step in 0..warm + steps {
        // One token more than the sequence length and one for the shift: exactly `seq` positions.
        let tokens = (0..rows * width).map(|at| (at as i64 * 7 + step as i64) % (number("vocab") as i64 - 1)).collect();
        let samples = (0..rows as u64).map(|row| step * rows as u64 + row).collect();
        let batch = Batch { tokens, width, samples, loss_mask: None };
        let (clock, processor) = (Instant::now(), processor_seconds());
        let supervised = supervise(&objective, 1, &batch, width - 1).unwrap();
        gradients.clear();
        let loss = if number("full") == 1 {
            let loss = reference(&model, &supervised, 1, None).unwrap();
            let leaves: Vec<_> = model.parameters().iter().map(|parameter| &parameter.tensor).collect();
            drop(tch::Tensor::run_backward(&[&loss], &leaves, false, false));
            loss.double_value(&[])
        } else {
            accumulate(&model, &supervised, 1, None, &mut gradients).unwrap().mean()
        };
        let back = clock.elapsed().as_secs_f64();
        optimizer.step(&model, &gradients, keys["lr"], 0.1).unwrap();
        let whole = clock.elapsed().as_secs_f64();
        let used = processor_seconds() - processor;
        if step >= warm {
            [back, whole - back, whole, used].into_iter().zip(&mut times).for_each(|(time, times)| times.push(time));
        }
        if step == 0 || step + 1 == warm + steps {
            println!(
                "loss {loss:.5} at step {step}, {} of {} positions masked",
                supervised.targets.len(),
                supervised.inputs.len()
            );
        }
    }
    let of = |times: &mut Vec<f64>| {
        times.sort_by(f64::total_cmp);
        (times[times.len() / 2] * 1e3, times[0] * 1e3)
    };
    for (name, times) in ["forward and backward", "optimizer", "step", "step, processor"].iter().zip(&mut times) {
        let (median, least) = of(times);
        println!("{name}: median {median:.1} ms, least {least:.1} ms");
    }
    let least = of(&mut times[2]).1;
    println!("{:.0} tokens/s at best, peak {:.0} MiB", (rows * (width - 2)) as f64 / least * 1e3, peak_mib());
}

/// User and system time of this process, from `/proc/self/stat` in ticks of 10 ms.
fn processor_seconds() -> f64 {
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap();
    let fields: Vec<&str> = stat.rsplit(')').next().unwrap().split_whitespace().collect();
    (fields[11].parse::<f64>().unwrap() + fields[12].parse::<f64>().unwrap()) / 100.0
}

fn peak_mib() -> f64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find(|line| line.starts_with("VmHWM")).unwrap();
    line.split_whitespace().nth(1).unwrap().parse::<f64>().unwrap() / 1024.0
}
