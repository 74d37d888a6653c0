//! The whole front end on a file: resolved, evaluated, held against its rules, lowered, shown.
#![no_main]

use std::path::PathBuf;

use dlm::base::Memory;
use dlm::session::{Overrides, Session};
use dlm::view::diagnostics::{Format, Look, render};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    let mut session = Session::new(Memory::default().with("main.dlm", text));
    let project = session.load(&[PathBuf::from("main.dlm")]);
    let report = session.check(&project, &Overrides::default());
    for format in [Format::Json, Format::Sarif, Format::Short] {
        render(&report.diagnostics, session.sources(), format, Look::default());
    }
    for choice in session.experiments(&project) {
        let checked = session.check_one(&project, &choice, &Overrides::default());
        let _ = session.lower(&checked);
    }
    session.test(&project, &Overrides::default(), "");
});
