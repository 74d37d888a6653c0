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

/// What is said of a program, shortest form: `code: message`.
fn said(text: &str) -> Vec<String> {
    let mut session = Session::new(Memory::default().with("main.dlm", text));
    let project = session.load(&[PathBuf::from("main.dlm")]);
    let report = session.check(&project, &Overrides::default());
    report.diagnostics.iter().map(|diagnostic| format!("{}: {}", diagnostic.code, diagnostic.message)).collect()
}

/// One more than is taken is an error of its own, said once; the most that is taken is fine.
#[test]
fn limits_hold_and_are_said_once() {
    let head = "dlm 1\nschema S { a: int = 1, t: string = \"\", xs: list<int> = [] }\n".replace(", ", "\n  ");
    let ancestors = |count: usize| {
        let next = |at: usize| format!("experiment e{} extends e{at} {{ a = super + 1 }}\n", at + 1);
        format!("{head}experiment e0 extends S {{ }}\n{}", (0..count).map(next).collect::<String>())
    };
    let mixins = |count: usize| {
        let one = |at: usize| format!("mixin m{at} for S {{ a ?= super + 1 }}\n");
        let names: Vec<String> = (0..count).map(|at| format!("m{at}")).collect();
        let all: String = (0..count).map(one).collect();
        format!("{head}{all}experiment e extends S with {} {{ a = 1 }}\n", names.join(", "))
    };
    let items = |count: usize| format!("{head}experiment e extends S {{ xs = [{}] }}\n", vec!["7"; count].join(", "));
    let appended = |count: usize| {
        let half = vec!["7"; count / 2].join(", ");
        let rest = vec!["7"; count - count / 2].join(", ");
        format!("{head}experiment e extends S {{ xs = [{half}] }}\nexperiment f extends e {{ xs += [{rest}] }}\n")
    };
    let text = |count: usize| format!("{head}experiment e extends S {{ t = \"{}\" }}\n", "x".repeat(count));
    let fields = |count: usize| {
        // The schema's own level is a group and counts too.
        let all: String = (1..count).map(|at| format!("  f{at}: int?\n")).collect();
        format!("dlm 1\nschema T {{\n{all}}}\nexperiment e extends T {{ }}\n")
    };
    type Program<'a> = &'a dyn Fn(usize) -> String;
    let cases: [(Program<'_>, usize, &str); 6] = [
        (&ancestors, 100, "an experiment has more than 100 ancestors"),
        (&mixins, 1_000, "an experiment has more than 1000 mixins, those of its ancestors included"),
        (&items, 10_000, "a list has more than 10000 items"),
        (&appended, 10_000, "a list has more than 10000 items"),
        (&text, 65_536, "a text has more than 65536 bytes"),
        (&fields, 20_000, "a schema has more than 20000 fields, groups and rules"),
    ];
    for (program, most, message) in cases {
        assert_eq!(said(&program(most)), [] as [&str; 0], "{message}");
        assert_eq!(said(&program(most + 1)), [format!("dlm::resolve::limit: {message}")]);
    }
}

/// Values that grow by what they read, or that wait for a long row of others, end in an error and not in an empty machine.
#[test]
fn values_that_double_or_pile_up() {
    let doubling: String = (1..60).map(|at| format!("  t{at}: string = t{} + t{}\n", at - 1, at - 1)).collect();
    let doubling =
        format!("dlm 1\nschema S {{\n  t0: string = \"0123456789\"\n{doubling}}}\nexperiment e extends S {{ }}\n");
    // 10 * 2^13 bytes are more than 65536.
    assert_eq!(said(&doubling), ["dlm::resolve::no_value: the text would be longer than 65536 bytes"]);
    let tower: String =
        (1..100).map(|at| format!("experiment e{at} extends e{} {{ a = super * 2 }}\n", at - 1)).collect();
    let tower = format!("dlm 1\nschema S {{ a: int = 1 }}\nexperiment e0 extends S {{ }}\n{tower}");
    // 2^95 has 29 digits; from there on every experiment has no value of its own, and inherits none.
    assert!(said(&tower).iter().all(|said| said.starts_with("dlm::resolve::no_value: the result leaves")), "{tower}");
    let groups: String =
        (1..40).map(|at| format!("schema G{at} {{\n  a: G{}\n  b: G{}\n}}\n", at - 1, at - 1)).collect();
    let groups = format!("dlm 1\nschema G0 {{ a: int = 1 }}\n{groups}experiment e extends G39 {{ }}\n");
    assert!(said(&groups).iter().all(|said| said.starts_with("dlm::resolve::limit: a schema")));
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
