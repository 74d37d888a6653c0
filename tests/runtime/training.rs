//! Whole runs of a tiny network: what they leave behind, how they stop, and how they go on.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::run::checkpoint::{self, Checkpoint};
use crate::run::observer::{Evaluated, Observer, Started, Stepped, Summary, Unobserved};
use crate::run::{RunError, Start, train};
use dlm::spec::RunSpec;
use dlm::spec::plan::{LearningRate, Objective};

use crate::specs::{Place, words};

/// Everything that was told.
#[derive(Default)]
pub(crate) struct Told {
    started: Vec<Started>,
    steps: Vec<u64>,
    stepped: Vec<Stepped>,
    evaluated: Vec<Evaluated>,
    saved: Vec<u64>,
    pub(crate) notices: Vec<String>,
    finished: Vec<Summary>,
}

impl Observer for Told {
    fn started(&mut self, started: &Started) {
        self.started.push(started.clone());
    }
    fn progressed(&mut self, step: u64, _iterations: u64) {
        self.steps.push(step);
    }
    fn stepped(&mut self, stepped: &Stepped) {
        self.stepped.push(stepped.clone());
    }
    fn evaluated(&mut self, evaluated: &Evaluated) {
        self.evaluated.push(evaluated.clone());
    }
    fn saved(&mut self, step: u64, checkpoint: &Path) {
        assert!(checkpoint.join("model.safetensors").exists());
        self.saved.push(step);
    }
    fn noticed(&mut self, notice: &str) {
        self.notices.push(notice.to_owned());
    }
    fn finished(&mut self, summary: &Summary) {
        self.finished.push(summary.clone());
    }
}

/// Asks to stop when a step is finished.
struct StopAt<'a> {
    step: u64,
    stop: &'a AtomicBool,
}

impl Observer for StopAt<'_> {
    fn progressed(&mut self, step: u64, _iterations: u64) {
        if step == self.step {
            self.stop.store(true, Ordering::Relaxed);
        }
    }
}

pub(crate) fn run(place: &Place, spec: &RunSpec, start: Start) -> Result<Summary, RunError> {
    tch::set_num_threads(1);
    train(spec, &place.folder(), start, &AtomicBool::new(false), &mut Unobserved)
}

fn run_until(place: &Place, spec: &RunSpec, start: Start, step: u64) -> Summary {
    tch::set_num_threads(1);
    let stop = AtomicBool::new(false);
    train(spec, &place.folder(), start, &stop, &mut StopAt { step, stop: &stop }).unwrap()
}

fn fault(place: &Place, spec: &RunSpec, start: Start) -> String {
    run(place, spec, start).unwrap_err().to_string()
}

/// The bytes of parameters and moments of a step.
pub(crate) fn tensors(place: &Place, step: u64) -> [Vec<u8>; 2] {
    let checkpoint = place.run().join(format!("checkpoints/step-{step}"));
    ["model.safetensors", "optimizer.safetensors"].map(|name| fs::read(checkpoint.join(name)).unwrap())
}

/// The lines of the log as JSON, without what depends on the clock and the place.
fn log(place: &Place) -> Vec<serde_json::Value> {
    let text = fs::read_to_string(place.run().join("metrics.jsonl")).unwrap();
    let line = |line: &str| {
        let mut line: serde_json::Value = serde_json::from_str(line).unwrap();
        let fields = line.as_object_mut().unwrap();
        fields.remove("tokens_per_second");
        fields.remove("path");
        line
    };
    text.lines().map(line).collect()
}

#[test]
fn a_run_from_first_to_last_step() {
    let (place, spec) = Place::tiny();
    tch::set_num_threads(1);
    let mut told = Told::default();
    let summary = train(&spec, &place.folder(), Start::Fresh, &AtomicBool::new(false), &mut told).unwrap();
    assert_eq!((summary.step, summary.iterations, summary.interrupted), (12, 12, false));
    let steps = |told: &[Evaluated]| told.iter().map(|evaluated| evaluated.step).collect::<Vec<_>>();
    assert_eq!(steps(&told.evaluated), [0, 5, 10, 12]);
    assert_eq!(told.steps, (1..=12).collect::<Vec<_>>());
    assert_eq!(told.stepped.iter().map(|stepped| stepped.step).collect::<Vec<_>>(), [3, 6, 9, 12]);
    assert_eq!(told.saved, [4, 8, 12]);
    assert_eq!(told.notices, [""; 0]);
    assert_eq!(told.finished, std::slice::from_ref(&summary));
    let started = &told.started[0];
    assert_eq!((started.step, started.train_bytes, started.held_out_bytes), (0, 3_600, 400));
    assert_eq!(started.tokens_per_step, 128);
    let (before, after) = (summary.before.unwrap(), summary.after.unwrap());
    // An untrained network spreads over its 384 rows; a trained one has seen which bytes there are.
    assert!((before.nats_per_token - 384_f64.ln()).abs() < 0.3, "{before:?}");
    assert!(after.nats_per_token < before.nats_per_token - 0.3, "{after:?}");
    assert!((after.bits_per_byte - after.nats_per_token / 2_f64.ln()).abs() < 1e-12);
    assert_eq!(after.sequences, 8);
    assert!(after.estimator.contains("NELBO"));

    let kinds = |kind: &str| -> Vec<u64> {
        let of_kind = log(&place).into_iter().filter(|line| line["kind"] == kind);
        of_kind.map(|line| line["step"].as_u64().unwrap()).collect()
    };
    assert_eq!(kinds("started"), [0]);
    assert_eq!(kinds("training"), [3, 6, 9, 12]);
    assert_eq!(kinds("evaluation"), [0, 5, 10, 12]);
    assert_eq!(kinds("saved"), [4, 8, 12]);
    let training = log(&place).into_iter().find(|line| line["kind"] == "training").unwrap();
    assert_eq!(training["loss_convention"], "megadlms");
    assert_eq!(training["samples"], 24);
    assert_eq!(fs::read_to_string(place.run().join("checkpoints/latest")).unwrap(), "step-12\n");
    assert!(!place.run().join("lock").exists());
}

/// The heart of resuming: stopped anywhere, a run ends with the same parameters, moments and log.
#[test]
fn interrupted_and_resumed_is_the_same_to_the_last_bit() {
    let (whole, spec) = Place::tiny();
    run(&whole, &spec, Start::Fresh).unwrap();
    // The text has the same content in another place.
    let (parts, _) = Place::tiny();
    let first = run_until(&parts, &spec, Start::Fresh, 1);
    assert!(first.interrupted && first.step == 1);
    let second = run_until(&parts, &spec, Start::Resume, 5);
    assert!(second.interrupted && second.step == 5);
    let third = run_until(&parts, &spec, Start::Resume, 8);
    assert!(third.interrupted && third.step == 8);
    let last = run(&parts, &spec, Start::Resume).unwrap();
    assert!(!last.interrupted);
    assert_eq!(tensors(&whole, 12), tensors(&parts, 12));
    let evaluations = |place: &Place| -> BTreeMap<u64, String> {
        let evaluations = log(place).into_iter().filter(|line| line["kind"] == "evaluation");
        evaluations.map(|line| (line["step"].as_u64().unwrap(), line.to_string())).collect()
    };
    assert_eq!(evaluations(&whole), evaluations(&parts));
    assert_eq!(last.before, run(&whole, &spec, Start::Resume).unwrap().before);
}

/// Ended without a word, a run goes on from its last checkpoint and ends the same.
#[test]
fn steps_after_the_last_checkpoint_are_done_again() {
    let (whole, spec) = Place::tiny();
    run(&whole, &spec, Start::Fresh).unwrap();
    let (killed, _) = Place::tiny();
    run_until(&killed, &spec, Start::Fresh, 6);
    // As if killed after step 6, with nothing newer than the checkpoint of step 4 and a line cut off.
    let checkpoints = killed.run().join("checkpoints");
    fs::remove_dir_all(checkpoints.join("step-6")).unwrap();
    fs::write(checkpoints.join("latest"), "step-4\n").unwrap();
    let log_path = killed.run().join("metrics.jsonl");
    fs::write(&log_path, format!("{}{{\"kind\":\"trai", fs::read_to_string(&log_path).unwrap())).unwrap();
    fs::create_dir(checkpoints.join(".step-8.77.part")).unwrap();
    run(&killed, &spec, Start::Resume).unwrap();
    assert_eq!(tensors(&whole, 12), tensors(&killed, 12));
    assert!(!checkpoints.join(".step-8.77.part").exists());
    let steps: Vec<u64> = log(&killed).iter().map(|line| line["step"].as_u64().unwrap()).collect();
    assert!(steps.is_sorted(), "{steps:?}");
}

#[test]
fn a_finished_run_has_nothing_left_to_do() {
    let (place, spec) = Place::tiny();
    let first = run(&place, &spec, Start::Fresh).unwrap();
    let before = tensors(&place, 12);
    let again = run(&place, &spec, Start::Resume).unwrap();
    assert_eq!((again.step, again.interrupted, again.after), (12, false, first.after));
    assert_eq!(tensors(&place, 12), before);
}

#[test]
fn longer_training_goes_on_from_a_finished_run() {
    let (place, mut spec) = Place::tiny();
    run(&place, &spec, Start::Fresh).unwrap();
    spec.plan.iterations = 14;
    spec.plan.batch.micro = 8;
    let mut told = Told::default();
    let summary = train(&spec, &place.folder(), Start::Resume, &AtomicBool::new(false), &mut told).unwrap();
    assert_eq!(summary.step, 14);
    assert_eq!(
        told.notices,
        [
            "`plan.batch.micro` is not what the checkpoint was trained with",
            "`plan.iterations` is not what the checkpoint was trained with"
        ]
    );
    let mut kept = checkpoint::steps(&place.folder()).unwrap();
    kept.sort_unstable();
    assert_eq!(kept, [8, 12, 14]);
}

#[test]
fn a_run_folder_is_not_overwritten() {
    let (place, spec) = Place::tiny();
    run(&place, &spec, Start::Fresh).unwrap();
    let fault = fault(&place, &spec, Start::Fresh);
    assert!(fault.contains("`--resume` goes on with it, and another run folder starts anew"), "{fault}");
}

#[test]
fn resuming_where_nothing_was_saved_begins_anew_and_says_so() {
    let (place, spec) = Place::tiny();
    fs::write(place.run().join("metrics.jsonl"), "{\"step\":3}\n").unwrap();
    let mut told = Told::default();
    train(&spec, &place.folder(), Start::Resume, &AtomicBool::new(false), &mut told).unwrap();
    assert_eq!(told.notices, ["no checkpoint was finished in this run folder: training begins anew"]);
    assert_eq!(told.started[0].step, 0);
}

#[test]
fn another_run_is_not_resumed() {
    let (place, spec) = Place::tiny();
    run(&place, &spec, Start::Fresh).unwrap();
    let changed = |change: &dyn Fn(&mut RunSpec)| {
        let mut spec = spec.clone();
        change(&mut spec);
        fault(&place, &spec, Start::Resume)
    };
    for (part, fault) in [
        ("plan.seed", changed(&|spec| spec.plan.seed += 1)),
        ("plan.batch.global", changed(&|spec| spec.plan.batch.global = 16)),
        ("plan.optimizer", changed(&|spec| spec.plan.optimizer.beta2 = 0.99)),
        ("plan.data.held_out", changed(&|spec| spec.plan.data.held_out = 0.2)),
        ("plan.objective", changed(&|spec| spec.plan.objective = Objective::Autoregressive)),
        ("graph", changed(&|spec| spec.graph.root.children[1].children.swap(0, 1))),
    ] {
        assert!(fault.contains(&format!("`{part}` in")), "{part}: {fault}");
        assert!(fault.contains("is not what this checkpoint was trained with"), "{fault}");
    }
    fs::write(place.text(), words(4_001)).unwrap();
    let fault = fault(&place, &spec, Start::Resume);
    assert!(fault.contains("it was trained on a text of 4000 bytes"), "{fault}");
}

/// A comment that moves the user's lines does not make another run.
#[test]
fn where_a_value_was_written_does_not_matter_to_a_resume() {
    let (place, mut spec) = Place::tiny();
    run_until(&place, &spec, Start::Fresh, 4);
    let cause = dlm::spec::Cause { field: "model.x".into(), file: "exp.dlm".into(), line: 7, column: 3 };
    spec.graph.root.causes.push(cause);
    run(&place, &spec, Start::Resume).unwrap();
}

#[test]
fn a_loss_that_is_no_number_stops_and_keeps_the_last_checkpoint() {
    let (place, mut spec) = Place::tiny();
    // Steps of this size leave single precision within a few of them.
    spec.plan.learning_rate = LearningRate { peak: 1e30, ..spec.plan.learning_rate };
    spec.plan.learning_rate.warmup_samples = 5 * 8;
    spec.plan.learning_rate.init = 0.0;
    spec.plan.output.save_interval = Some(1);
    spec.plan.evaluation.interval = 100;
    let fault = fault(&place, &spec, Start::Fresh);
    assert!(fault.contains("at a learning rate of"), "{fault}");
    assert!(fault.contains("training stopped, and the checkpoint of step"), "{fault}");
    let latest = checkpoint::latest(&place.folder()).unwrap().unwrap();
    let kept = Checkpoint::open(&place.folder(), latest).unwrap();
    assert_eq!(kept.state().step, latest);
}

#[test]
fn plans_that_cannot_be_carried_out() {
    let (place, spec) = Place::tiny();
    let fault = |change: &dyn Fn(&mut RunSpec)| {
        let mut spec = spec.clone();
        change(&mut spec);
        fault(&place, &spec, Start::Fresh)
    };
    assert_eq!(
        fault(&|spec| spec.plan.batch.micro = 0),
        "training plan: `plan.batch.micro` is 0, it must be at least 1"
    );
    assert!(fault(&|spec| spec.plan.batch.micro = 3).contains("`plan.batch.global` is 8, which is no multiple"));
    assert!(fault(&|spec| spec.plan.batch.sequence_length = 1).contains("it must be at least 2"));
    assert!(fault(&|spec| spec.plan.batch.sequence_length = u64::MAX).contains("too much for one forward pass"));
    assert!(fault(&|spec| spec.plan.iterations = u64::MAX).contains("too much"));
    assert!(fault(&|spec| spec.plan.evaluation.interval = 0).contains("`plan.evaluation.interval` is 0"));
    assert!(fault(&|spec| spec.plan.output.log_interval = 0).contains("`plan.output.log_interval` is 0"));
    assert!(fault(&|spec| spec.plan.output.save_interval = Some(0)).contains("`plan.output.save_interval` is 0"));
    assert!(fault(&|spec| spec.plan.optimizer.beta1 = 1.0).contains("`plan.optimizer.beta1` is 1"));
    assert!(fault(&|spec| spec.plan.optimizer.clip_grad = Some(0.0)).contains("it must be above 0"));
    assert!(fault(&|spec| spec.plan.learning_rate.peak = f64::INFINITY).contains("at least 0 and finite"));
    assert!(fault(&|spec| spec.plan.data.held_out = 1.0).contains("must lie in (0, 1)"));
    let mask = |mask_token| Objective::MaskedDiffusion { mask_token, varlen_probability: 0.0 };
    assert!(fault(&|spec| spec.plan.objective = mask(384)).contains("outside the embedding of 384 rows"));
    assert!(fault(&|spec| spec.plan.objective = mask(-1)).contains("`plan.objective.mask_token` is -1"));
    assert!(fault(&|spec| spec.plan.data.text = "/nowhere.txt".into()).contains("/nowhere.txt"));
    let clash = fault(&|spec| spec.plan.objective = mask(i64::from(b'e')));
    assert!(clash.contains("the mask token 101 stands ") && clash.contains("text.txt"), "{clash}");
    assert!(fault(&|spec| spec.graph.dims.vocab = 255).contains("the vocabulary has 255 rows"));
    // None of them left anything behind.
    let left: Vec<_> = fs::read_dir(place.run()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(left, ["run.json"]);
}

/// Tied heads, learned positions, autoregressive: the same machinery.
#[test]
fn an_autoregressive_run() {
    let (place, mut spec) = Place::tiny();
    spec.plan.objective = Objective::Autoregressive;
    let summary = run(&place, &spec, Start::Fresh).unwrap();
    let (before, after) = (summary.before.unwrap(), summary.after.unwrap());
    assert!((before.nats_per_token - 384_f64.ln()).abs() < 0.3, "{before:?}");
    assert!(after.nats_per_token < before.nats_per_token - 0.3, "{after:?}");
    assert!(after.estimator.starts_with("next-token"));
}
