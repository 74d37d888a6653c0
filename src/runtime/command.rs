//! `dlm-runtime`: executes the `run.json` of a run folder. `dlm run` and `dlm sample` start it; it can be used by hand.

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use clap::{Args, Parser, Subcommand};
use signal_hook::consts::{SIGINT, SIGTERM};

use super::progress::{Progress, grouped};
use crate::cli::term;
use crate::run::observer::{Observer, Summary};
use crate::run::{RunError, RunFolder, Start, checkpoint, sample, set_threads, train};
use crate::spec::RunSpec;
use crate::spec::plan::{Objective, Remasking, Sampling};

/// Trains and samples from what a run.json describes.
#[derive(Debug, Parser)]
#[command(name = "dlm-runtime", version, arg_required_else_help = true)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Train the network of a run folder, then sample from it.
    ///
    /// Ctrl-C finishes the step at hand, saves a checkpoint and ends with status 130; a second one ends at once.
    Train(TrainArguments),
    /// Generate text from a checkpoint of a run folder.
    Sample(SampleArguments),
}

#[derive(Debug, Args)]
struct TrainArguments {
    /// The run folder; it holds run.json
    #[arg(long, value_name = "DIR")]
    run_dir: PathBuf,
    /// Go on after the latest checkpoint
    #[arg(long)]
    resume: bool,
    #[command(flatten)]
    threads: Threads,
}

#[derive(Debug, Args)]
struct Threads {
    /// Processor threads to compute with [default: one a core]
    ///
    /// Sums are formed in another order with another number of threads, so two runs are equal to the last bit only
    /// with the same number.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
}

impl Threads {
    fn apply(&self) {
        if let Some(threads) = self.threads {
            set_threads(threads);
        }
    }
}

#[derive(Debug, Args)]
struct SampleArguments {
    /// The run folder; it holds run.json and checkpoints
    #[arg(long, value_name = "DIR")]
    run_dir: PathBuf,
    /// The step of the checkpoint to use [default: the latest]
    #[arg(long, value_name = "STEP")]
    checkpoint: Option<u64>,
    /// Text to go on from
    #[arg(long, value_name = "TEXT")]
    prompt: Option<String>,
    /// Tokens to generate
    #[arg(long, value_name = "N")]
    length: Option<u64>,
    /// Denoising steps in all [default: as many tokens a step as the plan says]
    #[arg(long, value_name = "N")]
    steps: Option<u64>,
    /// Tokens of a block; blocks are finished from left to right
    #[arg(long, value_name = "N")]
    block_length: Option<u64>,
    /// 0 takes the likeliest token, 1 draws from the model's distribution
    #[arg(long, value_name = "T")]
    temperature: Option<f64>,
    /// Seed of what is drawn [default: that of the plan]
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
    /// Texts to generate
    #[arg(long, value_name = "N")]
    count: Option<u64>,
    #[command(flatten)]
    threads: Threads,
}

/// The whole program. Exit status: 0 done; 1 a run that cannot go on; 2 wrong usage, or a file that cannot be read or
/// written; 130 or 143 stopped by a signal after a checkpoint was saved.
pub fn main() -> ExitCode {
    let arguments = match Arguments::try_parse() {
        Ok(arguments) => arguments,
        Err(fault) => return usage(&fault),
    };
    let outcome = match &arguments.command {
        Command::Train(arguments) => train_command(arguments),
        Command::Sample(arguments) => sample_command(arguments),
    };
    outcome.unwrap_or_else(|fault| {
        term::err(&format!("error: {fault}"));
        status_of(&fault)
    })
}

/// Asking for help or version is no fault.
fn usage(fault: &clap::Error) -> ExitCode {
    match (fault.use_stderr(), term::usage(fault)) {
        (false, Ok(())) => ExitCode::SUCCESS,
        _ => ExitCode::from(2),
    }
}

fn status_of(fault: &RunError) -> ExitCode {
    match fault {
        RunError::Io { .. } | RunError::File { .. } => ExitCode::from(2),
        RunError::Graph { .. }
        | RunError::Plan { .. }
        | RunError::Shape { .. }
        | RunError::Name { .. }
        | RunError::Token { .. }
        | RunError::Diverged { .. }
        | RunError::Tensor { .. } => ExitCode::from(1),
    }
}

fn train_command(arguments: &TrainArguments) -> Result<ExitCode, RunError> {
    arguments.threads.apply();
    let folder = RunFolder::open(&arguments.run_dir)?;
    let spec = folder.spec()?;
    let signals = Signals::listen()?;
    let start = if arguments.resume { Start::Resume } else { Start::Fresh };
    let mut progress = Progress::new();
    let summary = train(&spec, &folder, start, &signals.stop, &mut progress)?;
    if summary.interrupted {
        let Summary { step, iterations, checkpoint, .. } = &summary;
        term::err(&format!("stopped after step {step} of {iterations}; saved in {}", checkpoint.display()));
        term::err("go on from there with `--resume`");
        return Ok(signals.status());
    }
    written(&report(&summary, folder.path()))?;
    if signals.came() {
        return Ok(signals.status());
    }
    if spec.plan.sampling.count > 0 {
        // There is nothing left to save, so the next signal ends the process.
        signals.stop.store(true, Ordering::Relaxed);
        let (model, _) = checkpoint::load_model(&spec, &folder, Some(summary.step))?;
        tell_of_long_texts(&spec, &spec.plan.sampling, &mut progress);
        let texts = sample(&model, &spec.plan.objective, &spec.plan.sampling, spec.plan.seed, &mut progress)?;
        written(&sampled(&spec.plan.objective, &spec.plan.sampling, &texts))?;
    }
    Ok(ExitCode::SUCCESS)
}

fn sample_command(arguments: &SampleArguments) -> Result<ExitCode, RunError> {
    arguments.threads.apply();
    let folder = RunFolder::open(&arguments.run_dir)?;
    let spec = folder.spec()?;
    let sampling = sampling_of(arguments, &spec);
    let seed = arguments.seed.unwrap_or(spec.plan.seed);
    let (model, _) = checkpoint::load_model(&spec, &folder, arguments.checkpoint)?;
    let mut progress = Progress::new();
    tell_of_long_texts(&spec, &sampling, &mut progress);
    let texts = sample(&model, &spec.plan.objective, &sampling, seed, &mut progress)?;
    written(&sampled(&spec.plan.objective, &sampling, &texts))?;
    Ok(ExitCode::SUCCESS)
}

/// The plan's sampling with what was typed in its place.
fn sampling_of(arguments: &SampleArguments, spec: &RunSpec) -> Sampling {
    let plan = &spec.plan.sampling;
    let length = arguments.length.unwrap_or(plan.length);
    // A plan for one block stays one for one block.
    let plan_block = if plan.block_length == plan.length { length } else { plan.block_length };
    let block_length = arguments.block_length.unwrap_or(plan_block);
    let steps = arguments.steps.unwrap_or_else(|| {
        let blocks = length / block_length.max(1);
        let even = u128::from(length) * u128::from(plan.steps) / u128::from(plan.length.max(1));
        u64::try_from(even).unwrap_or(u64::MAX).div_ceil(blocks.max(1)).saturating_mul(blocks).max(1)
    });
    Sampling {
        prompt: arguments.prompt.clone().unwrap_or_else(|| plan.prompt.clone()),
        length,
        block_length,
        steps,
        temperature: arguments.temperature.unwrap_or(plan.temperature),
        remasking: plan.remasking,
        count: arguments.count.unwrap_or(plan.count),
    }
}

/// A network has only learned distances that it saw in training.
fn tell_of_long_texts(spec: &RunSpec, sampling: &Sampling, progress: &mut Progress) {
    let seen = match spec.plan.objective {
        // The first and the last token of a window have no part in masked diffusion.
        Objective::MaskedDiffusion { .. } => spec.plan.batch.sequence_length.saturating_sub(1),
        Objective::Autoregressive => spec.plan.batch.sequence_length,
    };
    let asked = sampling.length.saturating_add(sampling.prompt.len() as u64);
    if asked > seen {
        progress.noticed(&format!("the text will have {asked} tokens, and training saw {seen} at a time"));
    }
}

fn written(text: &str) -> Result<(), RunError> {
    term::out(text).map_err(RunError::io("write", Path::new("standard output")))
}

/// What a finished run came to.
fn report(summary: &Summary, folder: &Path) -> String {
    let mut lines = String::new();
    let mut line = |name: &str, text: String| lines.push_str(&format!("{name:<17}{text}\n"));
    let unigram = summary.unigram;
    line(
        "unigram entropy",
        format!("{:.4} nats/token, {:.4} bits/byte", unigram.nats_per_token, unigram.bits_per_byte),
    );
    if let Some(before) = &summary.before {
        line(
            "held-out before",
            format!("{:.4} nats/token, {:.4} bits/byte", before.nats_per_token, before.bits_per_byte),
        );
    }
    if let Some(after) = &summary.after {
        line(
            "held-out after",
            format!(
                "{:.4} ± {:.4} nats/token, {:.4} bits/byte",
                after.nats_per_token, after.standard_error, after.bits_per_byte
            ),
        );
        line("estimator", after.estimator.clone());
    }
    if summary.tokens_per_second > 0.0 {
        line("speed", format!("{} tokens/s", grouped(summary.tokens_per_second as u64)));
    }
    line("run folder", folder.display().to_string());
    lines
}

/// Generated texts, each after its prompt.
fn sampled(objective: &Objective, sampling: &Sampling, texts: &[Vec<u8>]) -> String {
    let Sampling { length, block_length, steps, temperature, .. } = sampling;
    let way = match (objective, sampling.remasking) {
        (Objective::Autoregressive, _) => "one token after another".to_owned(),
        (Objective::MaskedDiffusion { .. }, remasking) => {
            let remasking = match remasking {
                Remasking::LowConfidence => "low-confidence",
                Remasking::Random => "random",
            };
            format!("{remasking} remasking, {steps} steps, blocks of {block_length}")
        }
    };
    let mut out = String::new();
    for (number, text) in (1..).zip(texts) {
        let count = if texts.len() > 1 { format!(" {number} of {}", texts.len()) } else { String::new() };
        out.push_str(&format!("\nsample{count}: {length} tokens, {way}, temperature {temperature}\n\n"));
        out.push_str(&term::printable(&[sampling.prompt.as_bytes(), text].concat()));
        out.push('\n');
    }
    out
}

/// Ctrl-C and the polite kill: the first asks to stop, the second ends the process at once.
struct Signals {
    stop: Arc<AtomicBool>,
    number: Arc<AtomicUsize>,
}

impl Signals {
    fn listen() -> Result<Signals, RunError> {
        let (stop, number) = (Arc::new(AtomicBool::new(false)), Arc::new(AtomicUsize::new(0)));
        for signal in [SIGINT, SIGTERM] {
            // In this order: the first signal finds the flag down and raises it, the second finds it up.
            let hooked = signal_hook::flag::register_conditional_shutdown(signal, 128 + signal, Arc::clone(&stop))
                .and_then(|_| signal_hook::flag::register(signal, Arc::clone(&stop)))
                .and_then(|_| signal_hook::flag::register_usize(signal, Arc::clone(&number), signal as usize));
            hooked.map_err(RunError::io("listen for signals of", Path::new("the system")))?;
        }
        Ok(Signals { stop, number })
    }

    fn came(&self) -> bool {
        self.number.load(Ordering::Relaxed) > 0
    }

    /// As the shell counts: 128 and the number of the signal.
    fn status(&self) -> ExitCode {
        ExitCode::from(128 + self.number.load(Ordering::Relaxed) as u8)
    }
}
