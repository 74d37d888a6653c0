//! `dlm run`: lowers an experiment, writes `run.json`, and becomes the runtime.
#![allow(clippy::disallowed_methods, reason = "the run folder is made here, and the runtime is looked for")]

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::cli::args::RunArguments;
use crate::cli::exit::{Exit, usage};
use crate::cli::project;
use crate::spec::RunSpec;
use crate::view::diagnostics::Look;

pub(super) fn run(arguments: &RunArguments, look: Look) -> Exit {
    let mut session = project::session(&arguments.chosen.settings);
    let checked = match project::checked(&mut session, &arguments.chosen, look) {
        Ok(checked) => checked,
        Err(exit) => return exit,
    };
    let spec = match session.lower(&checked) {
        Ok(spec) => spec,
        Err(diagnostics) => return project::complain(&session, &diagnostics, look),
    };
    let folder = arguments.run_dir.clone().unwrap_or_else(|| own_folder(&spec.experiment));
    let runtime = match runtime() {
        Ok(runtime) => runtime,
        Err(message) => return usage(&message),
    };
    if let Err(message) = prepare(&folder, &spec, arguments.resume) {
        return usage(&message);
    }
    let mut words: Vec<OsString> = vec!["train".into(), "--run-dir".into(), folder.into()];
    if arguments.resume {
        words.push("--resume".into());
    }
    if let Some(threads) = arguments.threads {
        words.extend(["--threads".into(), threads.to_string().into()]);
    }
    become_runtime(&runtime, &words)
}

/// The folder of a run that names none: a point of a sweep, whose name may hold anything, stays inside of `runs` too.
fn own_folder(experiment: &str) -> PathBuf {
    let plain = |part: &str| !part.is_empty() && !part.chars().all(|letter| letter == '.');
    let parts = experiment.split(['/', '\\']).map(|part| if plain(part) { part } else { "_" });
    Path::new("runs").join(parts.collect::<PathBuf>())
}

/// Writes `run.json` into a new run folder; holds that of an old one against the file when the run is to go on.
fn prepare(folder: &Path, spec: &RunSpec, resume: bool) -> Result<(), String> {
    let path = folder.join("run.json");
    let shown = folder.display();
    match std::fs::read_to_string(&path) {
        Ok(text) if resume => {
            let old: RunSpec =
                serde_json::from_str(&text).map_err(|error| format!("`{}` can't be read: {error}", path.display()))?;
            let changed = changed(&old, spec);
            if changed.is_empty() {
                return Ok(());
            }
            Err(format!(
                "the experiment is not the one that `{shown}` was started with: {}\n  help: a run goes on only as it \
                 began; start another with `--run-dir`, or undo the change",
                changed.join("; ")
            ))
        }
        // A run that ended before its first line of metrics has left nothing worth keeping.
        Ok(_) if !folder.join("metrics.jsonl").exists() && !folder.join("checkpoints").exists() => write(&path, spec),
        Ok(_) => Err(format!(
            "`{shown}` holds a run already\n  help: `--resume` goes on with it, `--run-dir` starts another elsewhere"
        )),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound && resume => {
            Err(format!("`{shown}` holds no run to go on with\n  help: leave out `--resume` to start one"))
        }
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
            std::fs::create_dir_all(folder).map_err(|error| format!("`{shown}` can't be made: {error}"))?;
            write(&path, spec)
        }
        Err(error) => Err(format!("`{}` can't be read: {error}", path.display())),
    }
}

fn write(path: &Path, spec: &RunSpec) -> Result<(), String> {
    let mut text = serde_json::to_string_pretty(spec).map_err(|error| error.to_string())?;
    text.push('\n');
    project::write_whole(path, &text)
}

/// What differs between two runs, by field where a field can be named.
fn changed(old: &RunSpec, new: &RunSpec) -> Vec<String> {
    let shown = |argument: &crate::spec::Argument| serde_json::to_string(&argument.value).unwrap_or_default();
    let mut changed = Vec::new();
    for argument in &new.arguments.arguments {
        let mut before = old.arguments.arguments.iter().filter(|before| before.field == argument.field);
        match before.next() {
            Some(before) if before.value == argument.value => {}
            Some(before) => {
                changed.push(format!("`{}` was {} and is {}", argument.field, shown(before), shown(argument)));
            }
            None => changed.push(format!("`{}` is new", argument.field)),
        }
    }
    // Causes name lines, which may move without any change in meaning; plan and sizes say what is run.
    if changed.is_empty() && (old.plan != new.plan || old.graph.dims != new.graph.dims) {
        changed.push("its training plan differs".to_owned());
    }
    changed
}

/// The runtime executable: named by `DLM_RUNTIME`, beside this one, or on the search path.
pub(super) fn runtime() -> Result<PathBuf, String> {
    if let Some(named) = std::env::var_os("DLM_RUNTIME").filter(|named| !named.is_empty()) {
        let path = PathBuf::from(named);
        return match path.is_file() {
            true => Ok(path),
            false => Err(format!("`DLM_RUNTIME` names `{}`, and no file is there", path.display())),
        };
    }
    let name = format!("dlm-runtime{}", std::env::consts::EXE_SUFFIX);
    let beside = std::env::current_exe().ok().and_then(|own| Some(own.parent()?.join(&name)));
    if let Some(path) = beside.filter(|path| path.is_file()) {
        return Ok(path);
    }
    let search = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&search).map(|folder| folder.join(&name)).find(|path| path.is_file()).ok_or_else(|| {
        "`dlm-runtime`, which trains and samples, is not installed beside dlm\n  help: in a checkout of dlm, \
         `tools/setup-libtorch.sh && cargo build --release --features runtime` builds both"
            .to_owned()
    })
}

/// The runtime with its words and its environment.
fn prepared(runtime: &Path, words: &[OsString]) -> Command {
    let mut command = Command::new(runtime);
    command.args(words);
    // Threads that wait for each other by spinning take the processor from one another where other work runs: a step took
    // 1.5 to 3.7 times as long. OpenMP reads this when it is loaded, so the runtime can't set it for itself.
    if std::env::var_os("OMP_WAIT_POLICY").is_none() {
        command.env("OMP_WAIT_POLICY", "passive");
    }
    command
}

/// Replaces this process by the runtime, so that signals reach it and its exit status is ours.
#[cfg(unix)]
pub(super) fn become_runtime(runtime: &Path, words: &[OsString]) -> Exit {
    use std::os::unix::process::CommandExt;
    let error = prepared(runtime, words).exec();
    usage(&format!("`{}` can't be started: {error}", runtime.display()))
}

/// Runs the runtime and waits for it.
#[cfg(not(unix))]
pub(super) fn become_runtime(runtime: &Path, words: &[OsString]) -> Exit {
    match prepared(runtime, words).status() {
        Ok(status) if status.success() => Exit::Clean,
        Ok(_) => Exit::Found,
        Err(error) => usage(&format!("`{}` can't be started: {error}", runtime.display())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_name_leads_out_of_the_folder_of_runs() {
        assert_eq!(own_folder("scan/lr0.1"), Path::new("runs/scan/lr0.1"));
        assert_eq!(own_folder("s/../../x"), Path::new("runs/s/_/_/x"));
        assert_eq!(own_folder("s//x"), Path::new("runs/s/_/x"));
    }
}
