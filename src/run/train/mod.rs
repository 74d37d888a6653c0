//! Training: steps, evaluations and checkpoints in their order, and going on after an interruption.
//!
//! Must not know: terminals and signals. Start with [`train`]. Invariants: what a step does is a function of the plan,
//! the parameters, the moments and the number of the step, so an interrupted and resumed run ends where an
//! uninterrupted one does; parameters change only by a step whose loss and gradient are finite.

mod evaluate;

pub use evaluate::held_out;

use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use crate::run::RunError;
use crate::run::checkpoint::{self, Checkpoint, Fingerprint, State, TextMark};
use crate::run::data::{Corpus, Entropy};
use crate::run::folder::RunFolder;
use crate::run::metrics::{Metrics, Record};
use crate::run::model::{Gradients, Model};
use crate::run::objective::{self, Batch};
use crate::run::observer::{Evaluated, Observer, Started, Stepped, Summary};
use crate::run::ops::noise;
use crate::run::optimizer::AdamW;
use crate::run::{schedule, validate};
use crate::spec::RunSpec;
use crate::spec::plan::{Objective, TrainingPlan};

/// From where training begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Start {
    /// From first values, in a folder where nothing has begun.
    Fresh,
    /// From the latest checkpoint of the folder; from first values where none was finished.
    Resume,
}

/// Trains the network of a specification and leaves metrics and checkpoints in its folder.
///
/// When `stop` becomes true, the step at hand is finished, a checkpoint is written and the summary says that training
/// was interrupted.
///
/// # Errors
/// The plan cannot be carried out; the folder is in use, was used before (fresh) or its checkpoint is damaged or of
/// another run (resume); the text cannot be read; a loss or gradient is not finite; something cannot be written. A
/// checkpoint that cannot be written along the way is no error: the observer is told, and training goes on.
pub fn train(
    spec: &RunSpec,
    folder: &RunFolder,
    start: Start,
    stop: &AtomicBool,
    observer: &mut dyn Observer,
) -> Result<Summary, RunError> {
    validate::validate(spec)?;
    let _lock = folder.lock()?;
    if start == Start::Fresh && folder.has_begun()? {
        return Err(RunError::file(
            folder.path(),
            "a run has begun in this folder before; `--resume` goes on with it, and another run folder starts anew",
        ));
    }
    let corpus = Corpus::open(&spec.plan)?;
    if let Objective::MaskedDiffusion { mask_token, .. } = spec.plan.objective
        && let found @ 1.. = corpus.occurrences(mask_token)
    {
        let what =
            format!("the mask token {mask_token} stands {found} times in the text; it must be a token of its own");
        return Err(RunError::file(&spec.plan.data.text, what));
    }
    let mut trainer = Trainer::new(spec, folder, &corpus)?;
    if start == Start::Resume {
        checkpoint::clean(folder)?;
        match checkpoint::latest(folder)? {
            Some(step) => trainer.restore(&Checkpoint::open(folder, step)?, observer)?,
            None => observer.noticed("no checkpoint was finished in this run folder: training begins anew"),
        }
    }
    trainer.open_metrics()?;
    let outcome = trainer.run(stop, observer);
    if let Err(RunError::Io { .. } | RunError::File { .. }) = &outcome
        && trainer.saved_at != Some(trainer.state.step)
        && let Ok(path) = trainer.save()
    {
        let step = trainer.state.step;
        observer.noticed(&format!("the state after step {step} was saved in `{}`", path.display()));
    }
    let summary = outcome?;
    observer.finished(&summary);
    Ok(summary)
}

/// A run at work.
struct Trainer<'a> {
    spec: &'a RunSpec,
    folder: &'a RunFolder,
    corpus: &'a Corpus,
    model: Model,
    optimizer: AdamW,
    gradients: Gradients,
    metrics: Option<Metrics>,
    state: State,
    unigram: Entropy,
    /// The step of the newest checkpoint that is known to hold the present state.
    saved_at: Option<u64>,
    /// Samples and time of the steps since the last line of the log, and of this process.
    recent: Pace,
    whole: Pace,
    loss_sum: f64,
    norm_sum: f64,
    steps_since_log: u64,
}

/// How much was done in how long.
#[derive(Clone, Copy, Debug, Default)]
struct Pace {
    tokens: u64,
    time: Duration,
}

impl Pace {
    fn add(&mut self, tokens: u64, time: Duration) {
        self.tokens += tokens;
        self.time += time;
    }

    fn tokens_per_second(&self) -> f64 {
        let seconds = self.time.as_secs_f64();
        if seconds > 0.0 { self.tokens as f64 / seconds } else { 0.0 }
    }
}

impl<'a> Trainer<'a> {
    fn new(spec: &'a RunSpec, folder: &'a RunFolder, corpus: &'a Corpus) -> Result<Trainer<'a>, RunError> {
        let model = Model::new(&spec.graph, spec.plan.seed)?;
        let optimizer = AdamW::new(&spec.plan.optimizer, &model)?;
        let state = State {
            version: State::VERSION,
            experiment: spec.experiment.clone(),
            step: 0,
            samples: 0,
            optimizer_steps: 0,
            text: TextMark { bytes: corpus.train_bytes() + corpus.held_out_bytes(), crc32c: corpus.checksum() },
            spec: Fingerprint::of(spec),
            before: None,
            last: None,
            files: Default::default(),
        };
        Ok(Trainer {
            spec,
            folder,
            corpus,
            gradients: Gradients::new(&model),
            model,
            optimizer,
            metrics: None,
            state,
            unigram: corpus.unigram_entropy(),
            saved_at: None,
            recent: Pace::default(),
            whole: Pace::default(),
            loss_sum: 0.0,
            norm_sum: 0.0,
            steps_since_log: 0,
        })
    }

    fn plan(&self) -> &'a TrainingPlan {
        &self.spec.plan
    }

    /// Goes back to a checkpoint, if it is of this run.
    fn restore(&mut self, checkpoint: &Checkpoint, observer: &mut dyn Observer) -> Result<(), RunError> {
        let found = checkpoint.state();
        for difference in self.state.spec.differences(&found.spec) {
            let part = &difference.part;
            match difference.allowed {
                true => observer.noticed(&format!("`{part}` is not what the checkpoint was trained with")),
                false => {
                    let what = format!(
                        "`{part}` in `{}` is not what this checkpoint was trained with; go back to what it was, or \
                         start in another run folder",
                        self.folder.spec_path().display()
                    );
                    return Err(RunError::file(checkpoint.path(), what));
                }
            }
        }
        if found.text != self.state.text {
            let what = format!(
                "it was trained on a text of {} bytes with CRC-32C {:08x}; `{}` has {} bytes and {:08x}",
                found.text.bytes,
                found.text.crc32c,
                self.plan().data.text.display(),
                self.state.text.bytes,
                self.state.text.crc32c
            );
            return Err(RunError::file(checkpoint.path(), what));
        }
        if found.samples != found.step.saturating_mul(self.plan().batch.global) {
            let what = format!("its {} samples do not fit its {} steps", found.samples, found.step);
            return Err(RunError::file(checkpoint.path(), what));
        }
        checkpoint.restore_model(&self.model)?;
        checkpoint.restore_optimizer(&mut self.optimizer)?;
        self.state = State { spec: self.state.spec.clone(), ..found.clone() };
        self.saved_at = Some(self.state.step);
        Ok(())
    }

    fn open_metrics(&mut self) -> Result<(), RunError> {
        self.metrics = Some(Metrics::open(self.folder, self.state.step)?);
        Ok(())
    }

    fn record(&mut self, record: Record<'_>) -> Result<(), RunError> {
        self.metrics.as_mut().map_or(Ok(()), |metrics| metrics.write(record))
    }

    fn run(&mut self, stop: &AtomicBool, observer: &mut dyn Observer) -> Result<Summary, RunError> {
        self.tell_start(observer)?;
        let plan = self.plan();
        if self.evaluation_is_due() {
            self.evaluate(observer)?;
        }
        while self.state.step < plan.iterations && !stop.load(Ordering::Relaxed) {
            self.step()?;
            observer.progressed(self.state.step, plan.iterations);
            let done = self.state.step == plan.iterations;
            if done || self.state.step.is_multiple_of(plan.output.log_interval) {
                self.tell_steps(observer)?;
            }
            if self.evaluation_is_due() && (done || !stop.load(Ordering::Relaxed)) {
                self.evaluate(observer)?;
            }
            if !done && plan.output.save_interval.is_some_and(|interval| self.state.step.is_multiple_of(interval)) {
                match self.save() {
                    Ok(path) => self.tell_saved(path, observer)?,
                    Err(fault) => observer.noticed(&format!("no checkpoint, training goes on: {fault}")),
                }
            }
        }
        if self.steps_since_log > 0 {
            self.tell_steps(observer)?;
        }
        if self.saved_at != Some(self.state.step) {
            let path = self.save()?;
            self.tell_saved(path, observer)?;
        }
        Ok(self.summary())
    }

    /// One optimizer step: gradients of all its micro-batches, then the update.
    fn step(&mut self) -> Result<(), RunError> {
        let clock = Instant::now();
        let plan = self.plan();
        let first = self.state.samples;
        let micro_batches = plan.batch.global / plan.batch.micro;
        let kept = match &plan.objective {
            Objective::MaskedDiffusion { varlen_probability, .. } => {
                noise::truncated_length(plan.seed, first, plan.batch.sequence_length, *varlen_probability)
            }
            Objective::Autoregressive => plan.batch.sequence_length,
        };
        self.gradients.clear();
        let mut loss = 0.0;
        for number in 0..micro_batches {
            let sample = first + number * plan.batch.micro;
            let batch = Batch {
                tokens: self.corpus.train_batch(sample, plan.batch.micro),
                width: self.corpus.width(),
                samples: (sample..sample + plan.batch.micro).collect(),
                loss_mask: None,
            };
            let supervised = objective::supervise(&plan.objective, plan.seed, &batch, kept as usize)?;
            let part =
                objective::accumulate(&self.model, &supervised, micro_batches, Some(plan.seed), &mut self.gradients)?;
            loss += part.mean() / micro_batches as f64;
        }
        let learning_rate = schedule::learning_rate(&plan.learning_rate, first);
        let weight_decay = schedule::weight_decay(&plan.weight_decay, first);
        if !loss.is_finite() {
            return Err(self.diverged("training loss", loss));
        }
        let update = self.optimizer.step(&self.model, &self.gradients, learning_rate, weight_decay)?;
        if !update.gradient_norm.is_finite() {
            return Err(self.diverged("gradient norm", update.gradient_norm));
        }
        self.state.step += 1;
        self.state.samples += plan.batch.global;
        self.state.optimizer_steps = self.optimizer.steps();
        self.loss_sum += loss;
        self.norm_sum += update.gradient_norm;
        self.steps_since_log += 1;
        let (tokens, time) = (plan.batch.global * plan.batch.sequence_length, clock.elapsed());
        self.recent.add(tokens, time);
        self.whole.add(tokens, time);
        Ok(())
    }

    fn diverged(&self, what: &'static str, value: f64) -> RunError {
        let learning_rate = schedule::learning_rate(&self.plan().learning_rate, self.state.samples);
        // A folder that cannot be read now is not what the user has to hear about.
        let kept = checkpoint::latest(self.folder).ok().flatten();
        RunError::Diverged { step: self.state.step + 1, what, value, learning_rate, kept }
    }

    fn evaluation_is_due(&self) -> bool {
        let step = self.state.step;
        let due = step.is_multiple_of(self.plan().evaluation.interval) || step == self.plan().iterations;
        due && self.state.last.as_ref().is_none_or(|last| last.step != step)
    }

    fn evaluate(&mut self, observer: &mut dyn Observer) -> Result<(), RunError> {
        let evaluated = held_out(&self.model, self.plan(), self.corpus, self.state.step)?;
        self.record(Record::Evaluation(&evaluated))?;
        observer.evaluated(&evaluated);
        if self.state.step == 0 {
            self.state.before = Some(evaluated.clone());
        }
        self.state.last = Some(evaluated);
        Ok(())
    }

    /// Writes a checkpoint. Where the disk is full, older checkpoints make room.
    fn save(&mut self) -> Result<PathBuf, RunError> {
        let save = |trainer: &Trainer<'_>| {
            checkpoint::save(trainer.folder, &trainer.model, &trainer.optimizer, &trainer.state)
        };
        let path = match save(self) {
            Ok(path) => path,
            Err(fault) => match checkpoint::prune(self.folder, 1) {
                Ok(removed) if removed > 0 => save(self)?,
                _ => return Err(fault),
            },
        };
        self.saved_at = Some(self.state.step);
        Ok(path)
    }

    fn tell_start(&mut self, observer: &mut dyn Observer) -> Result<(), RunError> {
        let plan = self.plan();
        let started = Started {
            experiment: self.spec.experiment.clone(),
            step: self.state.step,
            iterations: plan.iterations,
            parameters: self.model.parameter_count() as u64,
            train_bytes: self.corpus.train_bytes(),
            held_out_bytes: self.corpus.held_out_bytes(),
            tokens_per_step: plan.batch.global * plan.batch.sequence_length,
            unigram: self.unigram,
        };
        self.record(Record::Started {
            step: started.step,
            parameters: started.parameters,
            unigram_nats_per_token: self.unigram.nats_per_token,
            unigram_bits_per_byte: self.unigram.bits_per_byte,
        })?;
        observer.started(&started);
        Ok(())
    }

    fn tell_steps(&mut self, observer: &mut dyn Observer) -> Result<(), RunError> {
        let plan = self.plan();
        let last = self.state.samples.saturating_sub(plan.batch.global);
        let steps = self.steps_since_log.max(1) as f64;
        let stepped = Stepped {
            step: self.state.step,
            samples: self.state.samples,
            loss: self.loss_sum / steps,
            loss_convention: convention(&plan.objective),
            learning_rate: schedule::learning_rate(&plan.learning_rate, last),
            weight_decay: schedule::weight_decay(&plan.weight_decay, last),
            grad_norm: self.norm_sum / steps,
            tokens_per_second: self.recent.tokens_per_second(),
        };
        self.recent = Pace::default();
        (self.loss_sum, self.norm_sum, self.steps_since_log) = (0.0, 0.0, 0);
        self.record(Record::Training(&stepped))?;
        observer.stepped(&stepped);
        Ok(())
    }

    fn tell_saved(&mut self, path: PathBuf, observer: &mut dyn Observer) -> Result<(), RunError> {
        let step = self.state.step;
        self.record(Record::Saved { step, path: &path })?;
        observer.saved(step, &path);
        Ok(())
    }

    fn summary(&self) -> Summary {
        let last: Option<&Evaluated> = self.state.last.as_ref();
        Summary {
            step: self.state.step,
            iterations: self.plan().iterations,
            interrupted: self.state.step < self.plan().iterations,
            unigram: self.unigram,
            before: self.state.before.clone(),
            after: last.cloned(),
            tokens_per_second: self.whole.tokens_per_second(),
            checkpoint: self.folder.checkpoints_path().join(format!("step-{}", self.state.step)),
        }
    }
}

/// Which of the losses in the literature a training loss is.
fn convention(objective: &Objective) -> &'static str {
    match objective {
        Objective::MaskedDiffusion { .. } => "megadlms",
        Objective::Autoregressive => "next_token",
    }
}
