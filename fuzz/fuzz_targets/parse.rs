//! Any text parses without a panic, and every place that is reported lies in it.
#![no_main]

#[path = "../../tests/it/tree.rs"]
#[allow(dead_code, reason = "one of its readings is enough here")]
mod tree;

use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    let (file, diagnostics) = tree::parse(text);
    let (spans, broken) = tree::spans(&file);
    let reported = diagnostics.iter().flat_map(|diagnostic| &diagnostic.labels).map(|label| label.span);
    for span in spans.into_iter().chain(reported) {
        assert!(text.get(span.range()).is_some(), "{span:?} of {} bytes", text.len());
    }
    assert!(!broken || !diagnostics.is_empty(), "a broken tree that nothing was said about");
});
