//! No text, however broken, makes the front end panic, hang, or point outside the text.

use std::path::PathBuf;
use std::time::Instant;

use dlm::base::{FileId, Memory, SourceMap};
use dlm::diag::{Diagnostic, Sink};
use dlm::session::{Overrides, Session};
use dlm::{fmt, syntax};
use proptest::prelude::*;

use crate::support::dlm_files;

fn parse(text: &str) -> Vec<Diagnostic> {
    let mut sources = SourceMap::default();
    let file: FileId = sources.add("text", text);
    let mut sink = Sink::default();
    let tree = syntax::parse(file, text, &mut sink);
    let (spans, _) = crate::tree::spans(&tree);
    for span in spans {
        assert!(text.get(span.range()).is_some(), "{span:?} of {} bytes", text.len());
    }
    for comment in &tree.comments {
        assert!(text.get(comment.span.range()).is_some_and(|comment| comment.starts_with('#')), "{text:?}");
    }
    let diagnostics = sink.finish();
    hold(&diagnostics, text, file);
    diagnostics
}

/// Every span of this file lies in it, on the borders of characters.
fn hold(diagnostics: &[Diagnostic], text: &str, file: FileId) {
    for diagnostic in diagnostics {
        let labels = diagnostic.labels.iter().map(|label| label.span);
        let edits = diagnostic.fixes.iter().flat_map(|fix| fix.edits.iter().map(|edit| edit.span));
        for span in labels.chain(edits).filter(|span| span.file == file) {
            assert!(text.get(span.range()).is_some(), "{}: {span:?} of {} bytes", diagnostic.code, text.len());
        }
    }
}

/// The whole front end on one file.
fn check(text: &str) {
    let mut session = Session::new(Memory::default().with("main.dlm", text));
    let project = session.load(&[PathBuf::from("main.dlm")]);
    let report = session.check(&project, &Overrides::default());
    let file = session.sources().iter().find(|(_, file)| &*file.name == "main.dlm").map(|found| found.0);
    if let Some(file) = file {
        hold(&report.diagnostics, text, file);
    }
}

#[test]
fn texts_cut_anywhere() {
    for (path, text) in dlm_files() {
        // Some eighty places of each, at a distance that is odd, so that all phases of a line come up.
        let step = (text.len() / 80) | 1;
        for end in (0..text.len()).step_by(step).filter(|&end| text.is_char_boundary(end)) {
            parse(text.get(..end).unwrap());
            let _ = fmt::format(text.get(..end).unwrap());
        }
        assert_eq!(parse(&text), [], "{path}");
    }
}

#[test]
fn experiments_cut_at_each_line() {
    for (path, text) in dlm_files().into_iter().filter(|(path, _)| path.starts_with("examples/")) {
        let lines: Vec<&str> = text.split_inclusive('\n').collect();
        for at in (0..lines.len()).step_by(3) {
            let without: String = lines.iter().enumerate().filter(|line| line.0 != at).map(|line| *line.1).collect();
            let twice: String = lines
                .iter()
                .enumerate()
                .flat_map(|line| std::iter::repeat_n(*line.1, if line.0 == at { 2 } else { 1 }))
                .collect();
            let joined: String =
                lines.iter().enumerate().map(|line| if line.0 == at { line.1.trim_end() } else { line.1 }).collect();
            let upto: String = lines.iter().take(at).copied().collect();
            for text in [without, twice, joined, upto] {
                check(&text);
            }
        }
        assert!(!path.is_empty());
    }
}

#[test]
fn texts_that_are_deep_long_or_endless() {
    let deep = |open: &str, close: &str| format!("dlm 1\nlet x = {}1{}\n", open.repeat(20_000), close.repeat(20_000));
    let in_body = |value: &str| format!("dlm 1\nschema S {{ a: int }}\nexperiment e extends S {{ a = {value} }}\n");
    let long = [
        deep("(", ")"),
        deep("[", "]"),
        deep("{", "}"),
        in_body(&"(".repeat(20_000)),
        in_body(&"-".repeat(100_000)),
        in_body(&"not ".repeat(20_000)),
        in_body(&format!("1{}", " + 1".repeat(20_000))),
        in_body(&format!("1{}", " * (1".repeat(20_000))),
        in_body(&format!("{}1", "if true then 1 else ".repeat(10_000))),
        in_body(&format!("a{}", ".a".repeat(20_000))),
        in_body(&"9".repeat(20_000)),
        in_body(&format!("\"{}\"", "{".repeat(20_000))),
        format!("dlm 1\n{}", "experiment e {\n".repeat(20_000)),
        format!("dlm 1\n{}", "}\n".repeat(20_000)),
        format!("dlm 1\n{}", "## doc\n".repeat(20_000)),
        "\n".repeat(100_000),
        "dlm ".repeat(40_000),
    ];
    for text in long {
        let begun = Instant::now();
        check(&text);
        let _ = fmt::format(&text);
        // Not a measurement: far above what is needed, far below what quadratic work would take.
        let head: String = text.chars().take(60).collect();
        assert!(begun.elapsed().as_secs() < 60, "{head:?}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(100))]

    #[test]
    fn texts_of_random_pieces(pieces in prop::collection::vec(prop::sample::select(PIECES), 0..60)) {
        let text: String = pieces.concat();
        parse(&text);
        check(&format!("dlm 1\n{text}"));
        let _ = fmt::format(&text);
    }

    #[test]
    fn texts_of_random_letters(text in "\\PC{0,200}") {
        parse(&text);
        let _ = fmt::format(&text);
    }

    #[test]
    fn settings_of_random_pieces(pieces in prop::collection::vec(prop::sample::select(PIECES), 0..20)) {
        let text: String = pieces.concat();
        let mut sink = Sink::default();
        let _ = syntax::parse_setting(FileId(0), &text, &mut sink);
        hold(&sink.finish(), &text, FileId(0));
    }
}

const PIECES: &[&str] = &[
    "dlm 1\n",
    "use ",
    "std.megadlms.Pretrain",
    "schema S { a: int = 1 }\n",
    "experiment ",
    "e ",
    "extends ",
    "S ",
    "Pretrain ",
    "with ",
    "mixin ",
    "over ",
    "{ ",
    "}",
    "\n",
    "a",
    ".",
    " = ",
    " += ",
    " ?= ",
    " -= ",
    "1",
    "2Ki",
    " tokens",
    "%",
    "3e-4",
    "\"x\"",
    "\"",
    "'",
    "#",
    "##",
    " doc",
    "(",
    ")",
    "[",
    "]",
    ",",
    ";",
    ":",
    " if ",
    " then ",
    " else ",
    " and ",
    " not ",
    " in ",
    "..",
    "..=",
    " is set",
    "super",
    "none",
    "true",
    "min(",
    "+",
    "-",
    "*",
    "//",
    "/",
    "<",
    ">=",
    "==",
    "check c: ",
    "warn w: ",
    "unset ",
    "final ",
    "flag \"--a\"",
    "enum E { x }\n",
    "ä",
    "\u{3000}",
    "\r\n",
    "\t",
    "é\"",
    "model",
    "optimizer.lr",
    "{a}",
    "\\",
];
