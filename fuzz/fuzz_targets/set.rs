//! Settings of the command line, one a line, on an experiment of the standard library.
#![no_main]

use std::path::PathBuf;

use dlm::base::Memory;
use dlm::session::{Overrides, Session};
use libfuzzer_sys::fuzz_target;

const FILE: &str = include_str!("../../examples/dlm_1_7b.dlm");

fuzz_target!(|text: &str| {
    let mut session = Session::new(Memory::default().with("main.dlm", FILE));
    let project = session.load(&[PathBuf::from("main.dlm")]);
    let Ok(id) = session.choose(&project, Some("dlm_1_7b")) else { return };
    let overrides = Overrides::set(&text.lines().collect::<Vec<&str>>());
    let checked = session.check_one(&project, &id, &overrides);
    let _ = session.lower(&checked);
});
