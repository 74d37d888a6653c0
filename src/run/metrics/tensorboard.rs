//! TensorBoard event files: TFRecord framing around the protobuf message `Event`, both written by hand.
//!
//! Only what scalars need of tensorflow/core/util/event.proto and framework/summary.proto: `Event { wall_time = 1,
//! step = 2, file_version = 3, summary = 5, session_log = 7 }`, `Summary { value = 1 }`, `Value { tag = 1,
//! simple_value = 2 }`, `SessionLog { status = 1 }`.
#![allow(clippy::disallowed_methods, reason = "the runtime owns the run folder")]

use std::fs::{self, File, OpenOptions};
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

use crate::run::RunError;

/// A tag and its value at a step.
#[derive(Clone, Copy, Debug)]
pub struct Scalar<'a>(pub &'a str, pub f64);

/// An event file, open for writing.
#[derive(Debug)]
pub struct EventFile {
    path: PathBuf,
    file: File,
}

impl EventFile {
    /// Creates a new event file in a folder; TensorBoard reads all of a folder as one run, in the order of their names.
    pub fn create(folder: &Path) -> Result<EventFile, RunError> {
        let seconds = now().floor();
        let host = fs::read_to_string("/proc/sys/kernel/hostname").unwrap_or_default();
        let host = match host.trim() {
            "" => "localhost",
            host => host,
        };
        let mut number = 0_u32;
        let (path, file) = loop {
            let path = folder.join(format!("events.out.tfevents.{seconds:010}.{host}.{}.{number}", std::process::id()));
            match OpenOptions::new().write(true).create_new(true).open(&path) {
                Ok(file) => break (path, file),
                // Two starts of one process within a second.
                Err(fault) if fault.kind() == ErrorKind::AlreadyExists && number < 1_000 => number += 1,
                Err(source) => return Err(RunError::Io { action: "create", path, source }),
            }
        };
        let mut events = EventFile { path, file };
        let mut event = message(None);
        bytes_field(&mut event, 3, b"brain.Event:2");
        events.record(&event)?;
        Ok(events)
    }

    /// Says that a process will write about a step and those after it, so that TensorBoard drops what earlier files say
    /// of them.
    pub fn session_start(&mut self, step: u64) -> Result<(), RunError> {
        const START: u64 = 1;
        let mut log = Vec::new();
        varint_field(&mut log, 1, START);
        let mut event = message(Some(step));
        bytes_field(&mut event, 7, &log);
        self.record(&event)
    }

    /// Writes values of a step as one event.
    pub fn scalars(&mut self, step: u64, scalars: &[Scalar<'_>]) -> Result<(), RunError> {
        let mut summary = Vec::new();
        for Scalar(tag, value) in scalars {
            let mut entry = Vec::new();
            bytes_field(&mut entry, 1, tag.as_bytes());
            entry.push(2 << 3 | 5);
            entry.extend_from_slice(&(*value as f32).to_le_bytes());
            bytes_field(&mut summary, 1, &entry);
        }
        let mut event = message(Some(step));
        bytes_field(&mut event, 5, &summary);
        self.record(&event)
    }

    fn record(&mut self, event: &[u8]) -> Result<(), RunError> {
        self.file.write_all(&framed(event)).map_err(RunError::io("write", &self.path))
    }
}

/// TFRecord: length, its masked checksum, the content, its masked checksum; all little-endian.
fn framed(content: &[u8]) -> Vec<u8> {
    let length = (content.len() as u64).to_le_bytes();
    let mut record = Vec::with_capacity(content.len() + 16);
    record.extend_from_slice(&length);
    record.extend_from_slice(&masked_checksum(&length).to_le_bytes());
    record.extend_from_slice(content);
    record.extend_from_slice(&masked_checksum(content).to_le_bytes());
    record
}

/// CRC-32C, rotated and offset as the format asks (tensorflow/core/lib/hash/crc32c.h).
fn masked_checksum(content: &[u8]) -> u32 {
    crc32c::crc32c(content).rotate_right(15).wrapping_add(0xa282_ead8)
}

/// An `Event` with its time, and its step where it has one.
fn message(step: Option<u64>) -> Vec<u8> {
    let mut event = vec![1 << 3 | 1];
    event.extend_from_slice(&now().to_le_bytes());
    if let Some(step) = step {
        varint_field(&mut event, 2, step);
    }
    event
}

fn varint_field(out: &mut Vec<u8>, field: u8, value: u64) {
    out.push(field << 3);
    varint(out, value);
}

fn bytes_field(out: &mut Vec<u8>, field: u8, content: &[u8]) {
    out.push(field << 3 | 2);
    varint(out, content.len() as u64);
    out.extend_from_slice(content);
}

fn varint(out: &mut Vec<u8>, mut value: u64) {
    while value >= 0x80 {
        out.push(value as u8 | 0x80);
        value >>= 7;
    }
    out.push(value as u8);
}

/// Seconds since 1970.
fn now() -> f64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map(|since| since.as_secs_f64()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::{masked_checksum, varint};

    #[test]
    fn varints_by_hand() {
        let of = |value| {
            let mut out = Vec::new();
            varint(&mut out, value);
            out
        };
        assert_eq!(of(0), [0]);
        assert_eq!(of(127), [127]);
        assert_eq!(of(300), [0xac, 0x02]);
        assert_eq!(of(u64::MAX).len(), 10);
    }

    /// CRC-32C of "123456789" is e3069283 (RFC 3720 and others). Its upper 17 bits are 1c60d, its lower 15 are 1283:
    /// turned around they make 1283 * 2^17 + 1c60d = 2507c60d, and with a282ead8 that is c78ab0e5.
    #[test]
    fn checksum() {
        assert_eq!(masked_checksum(b"123456789"), 0xc78a_b0e5);
    }
}
