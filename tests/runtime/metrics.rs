//! TensorBoard event files, read back by a decoder that shares nothing with the writer.
//!
//! `tests/reference/check_events.py` reads the same files with TensorBoard's own reader.

use std::fs;
use std::path::Path;
use std::sync::atomic::AtomicBool;

use crate::run::observer::Unobserved;
use crate::run::{Start, train};

use crate::specs::Place;

/// One event: its step, what it says.
#[derive(Debug, PartialEq)]
struct Event {
    step: u64,
    wall_time: f64,
    version: String,
    session: Option<u64>,
    scalars: Vec<(String, f32)>,
}

/// CRC-32C bit by bit, from its polynomial 0x1edc6f41 reflected.
fn crc32c(content: &[u8]) -> u32 {
    let mut crc = !0_u32;
    for byte in content {
        crc ^= u32::from(*byte);
        for _ in 0..8 {
            crc = if crc & 1 == 1 { crc >> 1 ^ 0x82f6_3b78 } else { crc >> 1 };
        }
    }
    !crc
}

fn masked(content: &[u8]) -> u32 {
    let crc = crc32c(content);
    crc.rotate_right(15).wrapping_add(0xa282_ead8)
}

/// Fields of a protobuf message: number, and a number or bytes.
fn fields(mut message: &[u8]) -> Vec<(u64, u64, Vec<u8>)> {
    fn varint(message: &mut &[u8]) -> u64 {
        let mut value = 0;
        for shift in (0..).step_by(7) {
            let byte = message[0];
            *message = &message[1..];
            value |= u64::from(byte & 0x7f) << shift;
            if byte < 0x80 {
                break;
            }
        }
        value
    }
    let mut found = Vec::new();
    while !message.is_empty() {
        let key = varint(&mut message);
        let (number, bytes) = match key & 7 {
            0 => (varint(&mut message), 0),
            1 => (0, 8),
            2 => (0, varint(&mut message) as usize),
            5 => (0, 4),
            kind => panic!("wire type {kind}"),
        };
        let (content, rest) = message.split_at(bytes);
        found.push((key >> 3, number, content.to_vec()));
        message = rest;
    }
    found
}

fn event(message: &[u8]) -> Event {
    let mut event = Event { step: 0, wall_time: 0.0, version: String::new(), session: None, scalars: Vec::new() };
    for (field, number, content) in fields(message) {
        match field {
            1 => event.wall_time = f64::from_le_bytes(content.try_into().unwrap()),
            2 => event.step = number,
            3 => event.version = String::from_utf8(content).unwrap(),
            5 => {
                for (field, _, value) in fields(&content) {
                    assert_eq!(field, 1);
                    let parts = fields(&value);
                    let tag = String::from_utf8(parts[0].2.clone()).unwrap();
                    assert_eq!((parts[0].0, parts[1].0), (1, 2));
                    event.scalars.push((tag, f32::from_le_bytes(parts[1].2.clone().try_into().unwrap())));
                }
            }
            7 => event.session = Some(fields(&content)[0].1),
            other => panic!("field {other}"),
        }
    }
    event
}

fn read(path: &Path) -> Vec<Event> {
    let content = fs::read(path).unwrap();
    let mut rest = content.as_slice();
    let mut events = Vec::new();
    while !rest.is_empty() {
        let length = u64::from_le_bytes(rest[..8].try_into().unwrap()) as usize;
        assert_eq!(u32::from_le_bytes(rest[8..12].try_into().unwrap()), masked(&rest[..8]));
        let message = &rest[12..12 + length];
        assert_eq!(u32::from_le_bytes(rest[12 + length..16 + length].try_into().unwrap()), masked(message));
        events.push(event(message));
        rest = &rest[16 + length..];
    }
    events
}

fn event_files(place: &Place) -> Vec<std::path::PathBuf> {
    let entries = fs::read_dir(place.run()).unwrap().map(|entry| entry.unwrap().path());
    let mut files: Vec<_> = entries
        .filter(|path| path.file_name().unwrap().to_string_lossy().starts_with("events.out.tfevents."))
        .collect();
    files.sort();
    files
}

#[test]
fn event_files_hold_what_the_log_holds() {
    let (place, spec) = Place::tiny();
    let start = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap().as_secs_f64();
    train(&spec, &place.folder(), Start::Fresh, &AtomicBool::new(false), &mut Unobserved).unwrap();
    let files = event_files(&place);
    assert_eq!(files.len(), 1);
    let events = read(&files[0]);
    assert_eq!(events[0].version, "brain.Event:2");
    assert_eq!((events[1].session, events[1].step), (Some(1), 0));
    assert!(events.iter().all(|event| event.wall_time >= start - 1.0 && event.wall_time < start + 600.0));
    let log = fs::read_to_string(place.run().join("metrics.jsonl")).unwrap();
    let lines: Vec<serde_json::Value> = log.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    for (kind, tag, field) in [
        ("training", "train/loss/megadlms", "loss"),
        ("training", "train/learning_rate", "learning_rate"),
        ("training", "train/grad_norm", "grad_norm"),
        ("evaluation", "held_out/nelbo_nats_per_token", "nats_per_token"),
        ("evaluation", "held_out/nelbo_bits_per_byte", "bits_per_byte"),
        ("started", "held_out/unigram_entropy_nats_per_token", "unigram_nats_per_token"),
    ] {
        let logged = lines.iter().filter(|line| line["kind"] == kind);
        let logged: Vec<(u64, f32)> =
            logged.map(|line| (line["step"].as_u64().unwrap(), line[field].as_f64().unwrap() as f32)).collect();
        let of_tag =
            |event: &Event| event.scalars.iter().find(|(known, _)| known == tag).map(|(_, value)| (event.step, *value));
        assert_eq!(events.iter().filter_map(of_tag).collect::<Vec<_>>(), logged, "{tag}");
        assert!(!logged.is_empty());
    }

    // A second process writes a second file, which says from where it goes on.
    train(&spec, &place.folder(), Start::Resume, &AtomicBool::new(false), &mut Unobserved).unwrap();
    let files = event_files(&place);
    assert_eq!(files.len(), 2);
    let resumed = read(&files[1]);
    assert_eq!((resumed[1].session, resumed[1].step), (Some(1), 13));
}
