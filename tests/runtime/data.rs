//! Texts, windows, and what is said of texts that cannot be used.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use crate::run::data::Corpus;

use crate::specs::{Place, tiny};

/// A text in which every window is known by its first byte pair: bytes 0, 0, 1, 0, 2, 0 … as 16-bit numbers.
fn numbered(bytes: usize) -> Vec<u8> {
    (0..bytes as u32 / 2 + 1).flat_map(|number| (number as u16).to_le_bytes()).take(bytes).collect()
}

fn corpus(bytes: Vec<u8>, held_out: f64) -> Corpus {
    let place = Place::new();
    fs::write(place.text(), bytes).unwrap();
    let mut spec = tiny(&place.text());
    spec.plan.data.held_out = held_out;
    Corpus::open(&spec.plan).unwrap()
}

fn position(text: &[u8], window: &[u8]) -> usize {
    text.windows(window.len()).position(|at| at == window).unwrap()
}

#[test]
fn training_and_held_out_windows_have_no_byte_in_common() {
    let text = numbered(4_000);
    let corpus = corpus(text.clone(), 0.25);
    assert_eq!((corpus.train_bytes(), corpus.held_out_bytes(), corpus.width()), (3_000, 1_000, 17));
    for sample in 0..2 * corpus.train_windows() {
        let window = corpus.train_window(sample);
        assert_eq!(window.len(), 17);
        assert!(position(&text, window) + 17 <= 3_000);
    }
    // (1000 - 1) / 16 = 62 windows, the first at the first held-out byte.
    assert_eq!(corpus.held_out_windows(), 62);
    let starts: Vec<usize> = (0..62).map(|sample| position(&text, corpus.held_out_window(sample, 62))).collect();
    assert_eq!(starts, (0..62).map(|window| 3_000 + 16 * window).collect::<Vec<_>>());
}

#[test]
fn an_epoch_sees_every_window_once_and_epochs_are_shifted() {
    let text = numbered(4_000);
    let corpus = corpus(text.clone(), 0.25);
    // 16 shifts leave room for (3000 - 16) / 16 = 186 windows.
    let windows = corpus.train_windows();
    assert_eq!(windows, 186);
    let starts = |epoch: u64| -> BTreeSet<usize> {
        (0..windows).map(|index| position(&text, corpus.train_window(epoch * windows + index))).collect()
    };
    let mut shifts = BTreeSet::new();
    for epoch in 0..12 {
        let starts = starts(epoch);
        let shift = *starts.first().unwrap();
        assert_eq!(starts, (0..186).map(|window| shift + 16 * window).collect::<BTreeSet<_>>());
        shifts.insert(shift);
    }
    assert!(shifts.len() > 4, "{shifts:?}");
}

#[test]
fn few_evaluation_samples_are_spread_and_many_go_around() {
    let text = numbered(4_000);
    let corpus = corpus(text.clone(), 0.25);
    let start = |sample, samples| (position(&text, corpus.held_out_window(sample, samples)) - 3_000) / 16;
    assert_eq!((0..4).map(|sample| start(sample, 4)).collect::<Vec<_>>(), [0, 15, 31, 46]);
    assert_eq!([start(61, 100), start(62, 100), start(63, 100)], [61, 0, 1]);
}

#[test]
fn batches_are_windows_in_order_of_samples() {
    let corpus = corpus(numbered(4_000), 0.25);
    let tokens = |sample| corpus.train_window(sample).iter().map(|&byte| i64::from(byte)).collect::<Vec<_>>();
    assert_eq!(corpus.train_batch(185, 2), [tokens(185), tokens(186)].concat());
    assert_eq!(corpus.held_out_batch(3, 2, 62).len(), 34);
}

#[test]
fn the_shortest_text_is_as_long_as_the_message_says() {
    // Held out is the whole part of the share. A tenth: 17.0 bytes of 170. Nine tenths: 144.9 bytes of 161 leave 17.
    for (held_out, needed) in [(0.1, 170), (0.5, 34), (0.9, 161), (0.003, 5_667)] {
        let place = Place::new();
        let mut spec = tiny(&place.text());
        spec.plan.data.held_out = held_out;
        fs::write(place.text(), numbered(needed - 1)).unwrap();
        let fault = Corpus::open(&spec.plan).unwrap_err().to_string();
        assert!(fault.contains(&format!("need at least {needed} bytes")), "{fault}");
        assert!(fault.contains(&format!("has {} bytes", needed - 1)), "{fault}");
        fs::write(place.text(), numbered(needed)).unwrap();
        let corpus = Corpus::open(&spec.plan).unwrap();
        assert!(corpus.train_windows() >= 1 && corpus.held_out_windows() >= 1);
        assert_eq!(corpus.train_batch(0, 9).len(), 9 * 17);
        assert_eq!(corpus.held_out_batch(0, 9, 9).len(), 9 * 17);
    }
}

#[test]
fn texts_that_cannot_be_used() {
    let place = Place::new();
    let fault = |path: &Path| Corpus::open(&tiny(path).plan).unwrap_err().to_string();
    let missing = place.home.path().join("missing.txt");
    assert_eq!(
        fault(&missing),
        format!("cannot read the text `{}`: No such file or directory (os error 2)", missing.display())
    );
    let relative = fault(Path::new("no/such/text.txt"));
    assert!(relative.starts_with("`no/such/text.txt`: there is no such text; it was looked for in `/"), "{relative}");
    assert!(fault(&place.run()).ends_with("this is a folder; the text must be a file"));
    assert!(fault(Path::new("/dev/zero")).contains("this is a device, pipe or socket"));
    fs::write(place.text(), "").unwrap();
    let empty = fault(&place.text());
    assert!(
        empty.contains("the text is empty; sequences of 16 tokens with 10.0000% held out need at least 170 bytes"),
        "{empty}"
    );
    let huge = fs::File::create(place.text()).unwrap();
    huge.set_len(5 << 30).unwrap();
    assert!(fault(&place.text()).contains("the text has 5 GiB"));
}

/// Tokens are bytes: a text need not be UTF-8.
#[test]
fn any_bytes_are_a_text() {
    let corpus = corpus((0..4_000_u32).map(|at| (at * 7 % 256) as u8).collect(), 0.1);
    assert!((corpus.unigram_entropy().bits_per_byte - 8.0).abs() < 0.01);
}
