//! One process at a time in a run folder: a file that says who.
#![allow(clippy::disallowed_methods, reason = "the runtime owns the run folder")]

use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::run::RunError;
use crate::run::folder::{read_text, write};

/// The right to write into a run folder; given back when it is dropped.
#[derive(Debug)]
pub struct Lock {
    path: PathBuf,
    holder: Holder,
}

/// Who holds a lock. Number and start of a process together name it for as long as the machine runs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Holder {
    host: String,
    boot: String,
    pid: u32,
    started: String,
}

impl Lock {
    /// Takes the lock, over that of a process that has ended too.
    ///
    /// # Errors
    /// Another process holds it, or the folder cannot be written.
    pub(super) fn take(path: &Path) -> Result<Lock, RunError> {
        let holder = Holder::of(std::process::id());
        let content = serde_json::to_string(&holder).unwrap_or_default();
        let beside = write::beside(path);
        write::new_file(&beside, content.as_bytes())?;
        let taken = take_with(path, &beside, &holder);
        // The lock is a second name of this file; without its first it stays.
        let _ = fs::remove_file(&beside);
        taken.map(|()| Lock { path: path.to_owned(), holder })
    }
}

impl Drop for Lock {
    fn drop(&mut self) {
        if read_holder(&self.path).is_ok_and(|found| found.as_ref() == Some(&self.holder)) {
            // A lock that cannot be removed is recognized as stale by the next run.
            let _ = fs::remove_file(&self.path);
        }
    }
}

/// Gives `beside` its second name `path`. A hard link either succeeds or finds the name taken: there is no moment
/// between looking and taking, and the file is never seen half written.
fn take_with(path: &Path, beside: &Path, own: &Holder) -> Result<(), RunError> {
    for _ in 0..8 {
        match fs::hard_link(beside, path) {
            Ok(()) => return Ok(()),
            Err(fault) if fault.kind() == ErrorKind::AlreadyExists => {}
            Err(source) => return Err(RunError::Io { action: "lock", path: path.to_owned(), source }),
        }
        let Some(found) = read_holder(path)? else { continue };
        match found.state(own) {
            HolderState::Gone => remove_stale(path, &found)?,
            HolderState::Alive => {
                let pid = found.pid;
                return Err(RunError::file(
                    path,
                    format!("process {pid} is at work in this run folder; wait until it ends, or stop it"),
                ));
            }
            HolderState::Elsewhere => {
                let Holder { host, pid, .. } = found;
                return Err(RunError::file(
                    path,
                    format!(
                        "process {pid} on the machine `{host}` took this run folder, and whether it still runs cannot \
                         be seen from here; remove this file if it does not"
                    ),
                ));
            }
        }
    }
    Err(RunError::file(path, "several processes are trying to take this run folder at once"))
}

/// Takes a stale lock away. Renaming first makes sure that what goes is what was looked at: should another process
/// have replaced it meanwhile, its lock is put back.
fn remove_stale(path: &Path, stale: &Holder) -> Result<(), RunError> {
    let aside = path.with_file_name(format!(".lock.{}.stale", std::process::id()));
    match fs::rename(path, &aside) {
        Ok(()) => {}
        Err(fault) if fault.kind() == ErrorKind::NotFound => return Ok(()),
        Err(source) => return Err(RunError::Io { action: "remove the stale", path: path.to_owned(), source }),
    }
    if read_holder(&aside)?.as_ref() != Some(stale) {
        let _ = fs::hard_link(&aside, path);
    }
    fs::remove_file(&aside).map_err(RunError::io("remove the stale", &aside))
}

/// Who holds the lock; nobody where the file went away in the meantime.
fn read_holder(path: &Path) -> Result<Option<Holder>, RunError> {
    let text = match read_text(path, 4096) {
        Ok(text) => text,
        Err(RunError::Io { source, .. }) if source.kind() == ErrorKind::NotFound => return Ok(None),
        Err(other) => return Err(other),
    };
    match serde_json::from_str(&text) {
        Ok(holder) => Ok(Some(holder)),
        Err(_) => Err(RunError::file(
            path,
            "the lock is damaged, so nobody can say whether another process is at work here; remove it if none is",
        )),
    }
}

enum HolderState {
    Alive,
    Gone,
    Elsewhere,
}

impl Holder {
    fn of(pid: u32) -> Holder {
        Holder {
            host: system_text("/proc/sys/kernel/hostname"),
            boot: system_text("/proc/sys/kernel/random/boot_id"),
            pid,
            started: process_start(pid).unwrap_or_default(),
        }
    }

    fn state(&self, own: &Holder) -> HolderState {
        if self.host != own.host {
            return HolderState::Elsewhere;
        }
        if self.boot != own.boot {
            return HolderState::Gone;
        }
        match process_start(self.pid) {
            Some(started) if started == self.started => HolderState::Alive,
            Some(_) => HolderState::Gone,
            // Where the system does not tell about processes, nothing can be said.
            None if own.started.is_empty() => HolderState::Elsewhere,
            None => HolderState::Gone,
        }
    }
}

/// When a living process started, in the system's count; none for one that is not there or has ended.
fn process_start(pid: u32) -> Option<String> {
    let stat = fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    // The second field is the program's name in parentheses and may hold anything; after it come the state (field 3)
    // and the start time (field 22).
    let (_, after) = stat.rsplit_once(')')?;
    let mut fields = after.split_whitespace();
    let state = fields.next()?;
    if matches!(state, "Z" | "X") {
        return None;
    }
    fields.nth(18).map(str::to_owned)
}

fn system_text(path: &str) -> String {
    fs::read_to_string(path).unwrap_or_default().trim().to_owned()
}
