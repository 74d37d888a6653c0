//! Checkpoints: the parameters, the optimizer and how far a run has come, on disk and back.
//!
//! Must not know: losses, data, schedules. Start with [`save`] and [`Checkpoint::open`]. Invariants: a folder `step-N`
//! is whole, since it is renamed into place after everything in it was synced; each file is guarded by a checksum, so
//! damage is told and never trained on; nothing falls back to another checkpoint by itself.
#![allow(clippy::disallowed_methods, reason = "the runtime owns the run folder")]

mod fingerprint;
mod state;
mod tensor_file;

pub use fingerprint::{Difference, Fingerprint};
pub use state::{State, TextMark};
pub use tensor_file::TensorFile;

use std::collections::BTreeMap;
use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use crate::run::RunError;
use crate::run::folder::{RunFolder, read_text, write};
use crate::run::model::Model;
use crate::run::optimizer::AdamW;
use crate::spec::RunSpec;

/// Checkpoints that are kept, the newest ones.
pub const KEPT: usize = 3;

const MODEL: &str = "model.safetensors";
const OPTIMIZER: &str = "optimizer.safetensors";
const STATE: &str = "state.json";
const LATEST: &str = "latest";

/// Writes the checkpoint of a step, makes it the latest, and removes those beyond the newest [`KEPT`].
///
/// # Errors
/// A file or folder cannot be written; then the checkpoints that were there are untouched, and nothing half-written
/// stays.
pub fn save(folder: &RunFolder, model: &Model, optimizer: &AdamW, state: &State) -> Result<PathBuf, RunError> {
    let checkpoints = folder.checkpoints_path();
    write::create_folder(&checkpoints)?;
    let target = checkpoints.join(step_name(state.step));
    let part = write::beside(&target);
    let written = write_into(&part, model, optimizer, state).and_then(|()| put_in_place(&part, &target));
    if let Err(fault) = written {
        // The half-written folder goes; the first error is the one to tell.
        let _ = fs::remove_dir_all(&part);
        return Err(fault);
    }
    write::replace_file(&checkpoints.join(LATEST), format!("{}\n", step_name(state.step)).as_bytes())?;
    prune(folder, KEPT)?;
    Ok(target)
}

fn write_into(part: &Path, model: &Model, optimizer: &AdamW, state: &State) -> Result<(), RunError> {
    write::create_folder(part)?;
    let parameters: Vec<_> =
        model.parameters().iter().map(|parameter| (parameter.name.clone(), &parameter.tensor)).collect();
    let moments = optimizer.state();
    let moments: Vec<_> = moments.iter().map(|(name, tensor)| (name.clone(), tensor)).collect();
    let mut marks = BTreeMap::new();
    for (name, tensors) in [(MODEL, parameters), (OPTIMIZER, moments)] {
        marks.insert(name.to_owned(), tensor_file::write(&part.join(name), &tensors)?);
    }
    write::new_file(&part.join(STATE), state.to_text(marks)?.as_bytes())?;
    write::sync_folder(part)
}

/// Renames a finished folder. One that is there already, of the same step, makes room and goes afterwards.
fn put_in_place(part: &Path, target: &Path) -> Result<(), RunError> {
    let old = target.with_file_name(format!(".{}.old", target.file_name().unwrap_or_default().to_string_lossy()));
    let replaces = target.try_exists().map_err(RunError::io("look for", target))?;
    if replaces {
        fs::rename(target, &old).map_err(RunError::io("rename", target))?;
    }
    if let Err(source) = fs::rename(part, target) {
        if replaces {
            let _ = fs::rename(&old, target);
        }
        return Err(RunError::Io { action: "create", path: target.to_owned(), source });
    }
    write::sync_parent(target)?;
    if replaces {
        fs::remove_dir_all(&old).map_err(RunError::io("remove", &old))?;
    }
    Ok(())
}

/// Removes all but the newest `keep` checkpoints, and never the latest. Returns how many went.
pub fn prune(folder: &RunFolder, keep: usize) -> Result<usize, RunError> {
    let latest = latest(folder)?;
    let mut steps = steps(folder)?;
    steps.reverse();
    let mut removed = 0;
    for step in steps.into_iter().skip(keep).filter(|step| Some(*step) != latest) {
        let path = folder.checkpoints_path().join(step_name(step));
        fs::remove_dir_all(&path).map_err(RunError::io("remove", &path))?;
        removed += 1;
    }
    Ok(removed)
}

/// Removes what a killed process left half-written. To be called by the holder of the folder's lock.
pub fn clean(folder: &RunFolder) -> Result<(), RunError> {
    for name in names(folder)? {
        let path = folder.checkpoints_path().join(&name);
        let hidden = name.strip_prefix('.');
        if hidden.is_some_and(|name| name.starts_with("step-") && name.ends_with(".part")) {
            fs::remove_dir_all(&path).map_err(RunError::io("remove", &path))?;
        } else if let Some(step) = hidden.and_then(|name| name.strip_suffix(".old")) {
            // Killed between the two renames: the older checkpoint of the step comes back.
            let target = folder.checkpoints_path().join(step);
            match target.try_exists().map_err(RunError::io("look for", &target))? {
                true => fs::remove_dir_all(&path).map_err(RunError::io("remove", &path))?,
                false => fs::rename(&path, &target).map_err(RunError::io("rename", &path))?,
            }
        }
    }
    Ok(())
}

/// Steps of all checkpoints, ascending.
pub fn steps(folder: &RunFolder) -> Result<Vec<u64>, RunError> {
    let mut steps: Vec<u64> = names(folder)?.iter().filter_map(|name| step_of(name)).collect();
    steps.sort_unstable();
    Ok(steps)
}

/// The step that `checkpoints/latest` names; none where no checkpoint was ever finished.
///
/// # Errors
/// The file is damaged, or it is missing although there are checkpoints.
pub fn latest(folder: &RunFolder) -> Result<Option<u64>, RunError> {
    let path = folder.checkpoints_path().join(LATEST);
    let steps = steps(folder)?;
    let known = steps.iter().map(|step| step_name(*step)).collect::<Vec<_>>().join(", ");
    let text = match read_text(&path, 4096) {
        Ok(text) => text,
        Err(RunError::Io { source, .. }) if source.kind() == ErrorKind::NotFound => {
            return match steps.as_slice() {
                [] => Ok(None),
                // Killed after the first checkpoint and before its name was written: there is no other choice.
                [only] => Ok(Some(*only)),
                _ => Err(RunError::file(
                    &path,
                    format!("the file is missing; write the name of the checkpoint to go on from into it: {known}"),
                )),
            };
        }
        Err(other) => return Err(other),
    };
    match step_of(text.trim_end()) {
        Some(step) if steps.contains(&step) => Ok(Some(step)),
        Some(step) => Err(RunError::file(
            &path,
            format!(
                "it names `{}`, which is not there; write the name of another checkpoint into it to go on from that: {}",
                step_name(step),
                if known.is_empty() { "there is none" } else { known.as_str() }
            ),
        )),
        None => Err(RunError::file(&path, format!("it should hold the name of a checkpoint, such as one of: {known}"))),
    }
}

/// The network of a specification with the parameters of a checkpoint: that of a step, or the latest.
///
/// # Errors
/// There is no such checkpoint, it is damaged, or it is of another network or objective than the specification says.
pub fn load_model(spec: &RunSpec, folder: &RunFolder, step: Option<u64>) -> Result<(Model, Checkpoint), RunError> {
    let step = match step {
        Some(step) => step,
        None => latest(folder)?
            .ok_or_else(|| RunError::file(&folder.checkpoints_path(), "there is no checkpoint yet: train first"))?,
    };
    let checkpoint = Checkpoint::open(folder, step)?;
    let matters = |part: &str| matches!(part, "graph" | "plan.objective" | "plan.data.tokenizer");
    let differences = Fingerprint::of(spec).differences(&checkpoint.state.spec);
    if let Some(Difference { part, .. }) = differences.iter().find(|difference| matters(&difference.part)) {
        let spec = folder.spec_path();
        let what = format!("`{part}` in `{}` is not what this checkpoint was trained with", spec.display());
        return Err(RunError::file(&checkpoint.path, what));
    }
    let model = Model::new(&spec.graph, spec.plan.seed)?;
    checkpoint.restore_model(&model)?;
    Ok((model, checkpoint))
}

/// A checkpoint on disk whose state has been read.
#[derive(Debug)]
pub struct Checkpoint {
    path: PathBuf,
    state: State,
}

impl Checkpoint {
    /// Reads the state of the checkpoint of a step.
    ///
    /// # Errors
    /// There is none of that step; `state.json` is missing, damaged or of another version.
    pub fn open(folder: &RunFolder, step: u64) -> Result<Checkpoint, RunError> {
        let path = folder.checkpoints_path().join(step_name(step));
        if !path.try_exists().map_err(RunError::io("look for", &path))? {
            let steps = steps(folder)?.iter().map(u64::to_string).collect::<Vec<_>>().join(", ");
            let known = if steps.is_empty() { "there are none yet".to_owned() } else { format!("steps {steps}") };
            return Err(RunError::file(&path, format!("there is no such checkpoint; {known}")));
        }
        let state = State::read(&path.join(STATE))?;
        if state.step != step {
            let what = format!("it is the state of step {}, in the folder of step {step}", state.step);
            return Err(RunError::file(&path.join(STATE), what));
        }
        Ok(Checkpoint { path, state })
    }

    /// Its folder.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// How far the run had come.
    pub fn state(&self) -> &State {
        &self.state
    }

    /// Puts the parameters into a model.
    ///
    /// # Errors
    /// The file is missing, damaged, or its tensors are not those of the model; the message names file, tensor,
    /// expected and found shape.
    pub fn restore_model(&self, model: &Model) -> Result<(), RunError> {
        let mut file = self.tensors(MODEL)?;
        for parameter in model.parameters() {
            model.set_parameter(&parameter.name, &file.take(&parameter.name, &parameter.tensor.size())?)?;
        }
        file.finish()
    }

    /// Puts the moments into an optimizer.
    ///
    /// # Errors
    /// As [`Checkpoint::restore_model`].
    pub fn restore_optimizer(&self, optimizer: &mut AdamW) -> Result<(), RunError> {
        let mut file = self.tensors(OPTIMIZER)?;
        let shapes: BTreeMap<String, Vec<i64>> =
            optimizer.state().into_iter().map(|(name, tensor)| (name, tensor.size())).collect();
        let none = Vec::new();
        optimizer
            .restore(self.state.optimizer_steps, &mut |name| file.take(name, shapes.get(name).unwrap_or(&none)))?;
        file.finish()
    }

    fn tensors(&self, name: &str) -> Result<TensorFile, RunError> {
        TensorFile::read(&self.path.join(name), self.state.mark(name))
    }
}

fn step_name(step: u64) -> String {
    format!("step-{step}")
}

fn step_of(name: &str) -> Option<u64> {
    let step = name.strip_prefix("step-")?.parse().ok()?;
    (step_name(step) == name).then_some(step)
}

fn names(folder: &RunFolder) -> Result<Vec<String>, RunError> {
    let path = folder.checkpoints_path();
    let entries = match fs::read_dir(&path) {
        Ok(entries) => entries,
        Err(fault) if fault.kind() == ErrorKind::NotFound => return Ok(Vec::new()),
        Err(source) => return Err(RunError::Io { action: "list", path, source }),
    };
    let name = |entry: std::io::Result<fs::DirEntry>| match entry {
        Ok(entry) => Ok(entry.file_name().to_string_lossy().into_owned()),
        Err(source) => Err(RunError::Io { action: "list", path: path.clone(), source }),
    };
    entries.map(name).collect()
}
