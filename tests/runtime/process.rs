//! The executable as users and the shell see it: status, streams, signals, and disks that refuse.

use std::fs;
use std::io::{BufRead, BufReader, Read};
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};

use crate::run::Start;
use dlm::spec::RunSpec;
use tch::Tensor;

use crate::specs::Place;
use crate::training::{run, tensors};

fn runtime() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_dlm-runtime"));
    command.env("NO_COLOR", "1").env_remove("RUST_BACKTRACE").stdin(Stdio::null());
    command
}

fn train(place: &Place, extra: &[&str]) -> Command {
    let mut command = runtime();
    command.args(["train", "--threads", "1", "--run-dir"]).arg(place.run()).args(extra);
    command
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

fn status(output: &Output) -> i32 {
    output.status.code().unwrap_or_else(|| panic!("{output:?}"))
}

/// A run that does not end by itself while a test looks on.
fn endless() -> (Place, RunSpec) {
    let (place, mut spec) = Place::tiny();
    spec.plan.iterations = 1_000_000;
    spec.plan.output.save_interval = Some(10);
    spec.plan.output.log_interval = 1;
    spec.plan.evaluation.interval = 1_000_000;
    place.write(&spec);
    (place, spec)
}

/// Starts a run and waits until it says that a step is done.
fn started(command: &mut Command, step: u64) -> (Child, BufReader<std::process::ChildStderr>) {
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut lines = BufReader::new(child.stderr.take().unwrap());
    let sign = format!("step {step}/");
    let mut line = String::new();
    while !line.starts_with(&sign) {
        line.clear();
        assert!(lines.read_line(&mut line).unwrap() > 0, "ended before step {step}");
    }
    (child, lines)
}

fn signal(child: &Child, name: &str) {
    assert!(Command::new("kill").args([name, &child.id().to_string()]).status().unwrap().success());
}

#[test]
fn a_whole_run_prints_what_it_came_to() {
    let (place, _) = Place::tiny();
    let output = train(&place, &[]).output().unwrap();
    let (out, err) = (text(&output.stdout), text(&output.stderr));
    assert_eq!(status(&output), 0, "{err}");
    for line in
        ["unigram entropy  ", "held-out before  ", "held-out after   ", "estimator        ", "speed            "]
    {
        assert!(out.contains(line), "{out}");
    }
    assert!(out.contains(&format!("run folder       {}", place.run().display())), "{out}");
    assert!(out.contains("\nsample: 16 tokens, low-confidence remasking, 8 steps, blocks of 8, temperature 0\n\nAnd "));
    assert!(err.contains("step 3/12  loss ") && err.contains(" (megadlms)  lr "), "{err}");
    assert!(err.contains("step 12/12  held-out NELBO ") && err.contains("unigram entropy of the text: "), "{err}");
    assert!(!err.contains('\x1b') && !err.contains('\r'), "{err}");

    let output = train(&place, &[]).output().unwrap();
    assert_eq!(status(&output), 2);
    let err = text(&output.stderr);
    assert!(err.starts_with("error: `") && err.contains("a run has begun in this folder before; `--resume`"), "{err}");
    assert_eq!(text(&output.stdout), "");

    let output = train(&place, &["--resume"]).output().unwrap();
    assert_eq!(status(&output), 0);
    assert!(text(&output.stderr).contains("going on after step 12 of 12"));
}

#[test]
fn sampling_by_hand() {
    let (place, _) = Place::tiny();
    assert_eq!(status(&train(&place, &[]).output().unwrap()), 0);
    let sample = |extra: &[&str]| {
        let output = runtime().args(["sample", "--threads", "1", "--run-dir"]).arg(place.run()).args(extra).output();
        output.unwrap()
    };
    let first = sample(&["--temperature", "0.8", "--seed", "5", "--prompt", "the ", "--length", "32", "--count", "2"]);
    assert_eq!(status(&first), 0, "{}", text(&first.stderr));
    let out = text(&first.stdout);
    // The plan commits 2 tokens a step, so 32 tokens take 16.
    assert!(out.contains("sample 2 of 2: 32 tokens, low-confidence remasking, 16 steps, blocks of 8, temperature 0.8"));
    assert_eq!(out.matches("\n\nthe ").count(), 2, "{out}");
    assert_eq!(text(&first.stderr), "note: the text will have 36 tokens, and training saw 15 at a time\n");
    let again = sample(&["--temperature", "0.8", "--seed", "5", "--prompt", "the ", "--length", "32", "--count", "2"]);
    assert_eq!(first.stdout, again.stdout);
    let other = sample(&["--temperature", "0.8", "--seed", "6", "--prompt", "the ", "--length", "32", "--count", "2"]);
    assert_ne!(first.stdout, other.stdout);
    assert_eq!(status(&sample(&["--checkpoint", "8"])), 0);
    let missing = sample(&["--checkpoint", "9"]);
    assert_eq!(status(&missing), 2);
    assert!(text(&missing.stderr).ends_with("there is no such checkpoint; steps 4, 8, 12\n"));
    let odd = sample(&["--length", "20"]);
    assert_eq!(status(&odd), 1);
    assert!(text(&odd.stderr).contains("a length of 16 or 24 would do"), "{}", text(&odd.stderr));
}

#[test]
fn wrong_usage() {
    let usage = |arguments: &[&str]| {
        let output = runtime().args(arguments).output().unwrap();
        (status(&output), text(&output.stdout), text(&output.stderr))
    };
    let (code, out, _) = usage(&["--help"]);
    assert!(code == 0 && out.contains("train") && out.contains("sample"), "{out}");
    let (code, out, _) = usage(&["train", "--help"]);
    assert!(code == 0 && out.contains("Ctrl-C finishes the step at hand"), "{out}");
    for arguments in
        [&[][..], &["train"], &["train", "--run-dir", "x", "--threads", "0"], &["sample", "--what"], &["dance"]]
    {
        let (code, out, err) = usage(arguments);
        assert!(code == 2 && out.is_empty() && err.contains("--help"), "{arguments:?}: {code} {out} {err}");
    }
    let (code, _, err) = usage(&["train", "--run-dir", "/nowhere/at/all"]);
    assert_eq!(
        (code, err.as_str()),
        (2, "error: cannot open the run folder `/nowhere/at/all`: No such file or directory (os error 2)\n")
    );
}

#[test]
fn an_empty_text_is_told_and_nothing_is_left_behind() {
    let (place, _) = Place::tiny();
    fs::write(place.text(), "").unwrap();
    let output = train(&place, &[]).output().unwrap();
    assert_eq!(status(&output), 2);
    let err = text(&output.stderr);
    assert!(err.contains("text.txt`: the text is empty") && err.contains("need at least 170 bytes"), "{err}");
    let left: Vec<_> = fs::read_dir(place.run()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(left, ["run.json"]);
}

#[test]
fn ctrl_c_saves_and_resuming_goes_on_to_the_same_end() {
    for (name, code) in [("-INT", 130), ("-TERM", 143)] {
        let (place, mut spec) = endless();
        let (child, mut lines) = started(&mut train(&place, &[]), 5);
        signal(&child, name);
        let output = child.wait_with_output().unwrap();
        let mut err = String::new();
        lines.read_to_string(&mut err).unwrap();
        assert_eq!(status(&output), code, "{err}");
        assert!(err.contains("stopped after step ") && err.contains("go on from there with `--resume`"), "{err}");
        assert_eq!(text(&output.stdout), "");
        let latest = fs::read_to_string(place.run().join("checkpoints/latest")).unwrap();
        let step: u64 = latest.trim_end().strip_prefix("step-").unwrap().parse().unwrap();
        assert!(step >= 5 && !place.run().join("lock").exists());

        // The same number of steps in one go. The schedule counts on, so only the number of steps may differ.
        let (whole, _) = Place::tiny();
        spec.plan.iterations = step + 3;
        spec.plan.sampling.count = 0;
        place.write(&spec);
        let output = train(&place, &["--resume"]).output().unwrap();
        assert_eq!(status(&output), 0, "{}", text(&output.stderr));
        run(&whole, &spec, Start::Fresh).unwrap();
        assert_eq!(tensors(&place, step + 3), tensors(&whole, step + 3));
    }
}

#[test]
fn a_second_ctrl_c_ends_at_once() {
    let (place, mut spec) = endless();
    // Evaluating takes minutes, and only between two steps does the first signal stop a run.
    spec.plan.evaluation.iterations = 200_000;
    place.write(&spec);
    let mut child = train(&place, &[]).stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
    let mut lines = BufReader::new(child.stderr.take().unwrap());
    let mut line = String::new();
    while !line.starts_with("unigram entropy") {
        line.clear();
        assert!(lines.read_line(&mut line).unwrap() > 0);
    }
    signal(&child, "-INT");
    // The first signal is seen to be handled when the second does not come before it.
    while child.try_wait().unwrap().is_none() {
        signal(&child, "-INT");
        std::thread::yield_now();
    }
    assert_eq!(child.wait().unwrap().code(), Some(130));
}

#[test]
fn a_killed_run_goes_on_from_its_last_checkpoint_to_the_same_end() {
    let (place, mut spec) = endless();
    let (mut child, lines) = started(&mut train(&place, &[]), 23);
    child.kill().unwrap();
    assert_eq!(child.wait().unwrap().signal(), Some(9));
    drop(lines);
    assert!(place.run().join("lock").exists());
    let latest = fs::read_to_string(place.run().join("checkpoints/latest")).unwrap();
    let step: u64 = latest.trim_end().strip_prefix("step-").unwrap().parse().unwrap();
    assert!(step >= 20 && step.is_multiple_of(10));
    spec.plan.iterations = step + 5;
    spec.plan.sampling.count = 0;
    place.write(&spec);
    let output = train(&place, &["--resume"]).output().unwrap();
    assert_eq!(status(&output), 0, "{}", text(&output.stderr));
    let (whole, _) = Place::tiny();
    run(&whole, &spec, Start::Fresh).unwrap();
    assert_eq!(tensors(&place, step + 5), tensors(&whole, step + 5));
}

#[test]
fn two_processes_in_one_run_folder() {
    let (place, _) = endless();
    let (mut child, _lines) = started(&mut train(&place, &[]), 1);
    let output = train(&place, &["--resume"]).output().unwrap();
    assert_eq!(status(&output), 2);
    let err = text(&output.stderr);
    assert!(err.contains(&format!("process {} is at work in this run folder", child.id())), "{err}");
    // Reading is allowed while another trains.
    child.kill().unwrap();
    child.wait().unwrap();
}

/// A limit on the size of files makes the disk look full: the parameters of the tiny network alone have 137 kB.
fn with_file_limit(place: &Place, extra: &[&str]) -> Output {
    let script = "trap '' XFSZ; ulimit -f 64; exec \"$@\"";
    let inner = train(place, extra);
    let mut shell = Command::new("bash");
    shell.args(["-c", script, "bash"]).arg(inner.get_program()).args(inner.get_args()).stdin(Stdio::null());
    shell.output().unwrap()
}

#[test]
fn a_full_disk_is_told_and_leaves_nothing_half_written() {
    let (place, spec) = Place::tiny();
    let output = with_file_limit(&place, &[]);
    let err = text(&output.stderr);
    assert_eq!(status(&output), 2, "{err}");
    // On the way a checkpoint that fails is a note; at the end it is the error.
    assert!(err.contains("note: no checkpoint, training goes on: cannot write `"), "{err}");
    assert!(err.contains("error: cannot write `") && err.contains("model.safetensors`: File too large"), "{err}");
    let left: Vec<_> = fs::read_dir(place.run().join("checkpoints")).unwrap().collect();
    assert!(left.is_empty(), "{left:?}");
    // With room again, the run can be done from the start, and a checkpoint from before outlives a failure.
    run(&place, &spec, Start::Resume).unwrap();
    let before = tensors(&place, 12);
    let mut longer = spec.clone();
    longer.plan.iterations = 13;
    place.write(&longer);
    let output = with_file_limit(&place, &["--resume"]);
    assert_eq!(status(&output), 2, "{}", text(&output.stderr));
    assert_eq!(tensors(&place, 12), before);
    let output = train(&place, &["--resume"]).output().unwrap();
    assert_eq!(status(&output), 0, "{}", text(&output.stderr));
}

#[test]
fn a_run_folder_that_cannot_be_written() {
    use std::os::unix::fs::PermissionsExt;
    let (place, _) = Place::tiny();
    fs::set_permissions(place.run(), fs::Permissions::from_mode(0o555)).unwrap();
    let output = train(&place, &[]).output().unwrap();
    fs::set_permissions(place.run(), fs::Permissions::from_mode(0o755)).unwrap();
    // The superuser may write everywhere; what else stands in the way is tried below.
    if status(&output) != 0 {
        let err = text(&output.stderr);
        assert_eq!(status(&output), 2);
        assert!(err.starts_with("error: cannot create `") && err.contains("Permission denied"), "{err}");
    }
    let (place, _) = Place::tiny();
    fs::write(place.run().join("checkpoints"), "a file where a folder should be").unwrap();
    let output = train(&place, &["--resume"]).output().unwrap();
    let err = text(&output.stderr);
    assert_eq!(status(&output), 2, "{err}");
    assert!(err.contains("checkpoints`: Not a directory"), "{err}");
    fs::remove_file(place.run().join("checkpoints")).unwrap();
    fs::create_dir(place.run().join("metrics.jsonl")).unwrap();
    let output = train(&place, &["--resume"]).output().unwrap();
    assert!(text(&output.stderr).contains("metrics.jsonl`: Is a directory"), "{}", text(&output.stderr));
}

/// Somebody reads one line and goes away.
#[test]
fn a_closed_pipe_is_no_failure() {
    let (place, _) = Place::tiny();
    let mut child = train(&place, &[]).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    drop(child.stdout.take());
    drop(child.stderr.take());
    assert_eq!(child.wait().unwrap().code(), Some(0));
    assert!(place.run().join("checkpoints/step-12").exists());
}

/// The checkpoint is a safetensors file with Megatron's names, whole and in single precision.
#[test]
fn checkpoints_are_read_by_others() {
    let (place, _) = Place::tiny();
    assert_eq!(status(&train(&place, &[]).output().unwrap()), 0);
    let tensors = Tensor::read_safetensors(place.run().join("checkpoints/step-12/model.safetensors")).unwrap();
    let embedding = tensors.iter().find(|(name, _)| name == "embedding.word_embeddings.weight").unwrap();
    assert_eq!((embedding.1.size(), embedding.1.kind()), (vec![384, 32], tch::Kind::Float));
    assert!(tensors.iter().any(|(name, _)| name == "decoder.layers.1.self_attention.linear_qkv.weight"));
    let left = |folder: &Path| fs::read_dir(folder).unwrap().count();
    assert_eq!(left(&place.run().join("checkpoints")), 4);
}
