//! What is formatted parses to the same tree, and stays as it is when it is formatted again.
#![no_main]

#[path = "../../tests/it/tree.rs"]
#[allow(dead_code, reason = "one of its readings is enough here")]
mod tree;

use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    let Ok(formatted) = dlm::fmt::format(text) else { return };
    assert_eq!(tree::without_spans(&tree::parse_clean(text)), tree::without_spans(&tree::parse_clean(&formatted)));
    assert_eq!(dlm::fmt::format(&formatted).as_deref(), Ok(formatted.as_str()));
});
