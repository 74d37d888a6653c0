//! The reading of marks and their matching, against diagnostics made by hand.

use dlm::base::{FileId, Name, SourceMap, Span};
use dlm::diag::{Code, Diagnostic, Severity};
use dlm::session::Override;

use super::case::{Case, Place, caret};

static STRAY: Code = Code { stage: "syntax", name: "stray", severity: Severity::Error, page: "" };
static LONG: Code = Code { stage: "fmt", name: "long", severity: Severity::Note, page: "" };

fn columns(line: &str) -> Option<(usize, usize, bool)> {
    caret(line).map(|(range, _)| (range.from, range.to, range.open))
}

#[test]
fn reads_carets() {
    assert_eq!(columns("#     ^^ error[a::b] text"), Some((7, 9, false)));
    assert_eq!(columns("  # ^ text"), Some((5, 6, false)));
    assert_eq!(columns("#^"), Some((2, 3, false)));
    assert_eq!(columns("#< text"), Some((1, 2, false)), "the column of the `#`");
    assert_eq!(columns("#<^^ text"), Some((1, 4, false)));
    assert_eq!(columns("#  ^... over lines"), Some((4, 4, true)));
    assert_eq!(columns("#<..."), Some((1, 1, true)));
    assert_eq!(columns("#  | an empty place"), Some((4, 4, false)));
    assert_eq!(columns("#! --"), None);
    for comment in ["# text ^^", "x = 1 # ^^", "## ^^ doc", "", "#", "# ^^text", "# |x", "#  ^|"] {
        assert_eq!(columns(comment), None, "{comment:?}");
    }
}

const CASE: &str = "\
#! --set a.heads=15
#!               ^^ error[check::heads] leaves 8
#! in std/rules.dlm \"check heads\" the rule
#! nowhere warning[check::empty]
#- /base.dlm
dlm 1
}
#<  error[syntax::stray] no opener
#- /exp.dlm
x = 2048
#   ^^^^ set here
#   ^^^^ warning[check::large] the large
y {
#<... note[dlm::fmt::long]: the long
}
";

fn case() -> (SourceMap, Case, Vec<Diagnostic>) {
    let case = Case::parse(CASE).unwrap();
    let mut sources = SourceMap::default();
    let mut add = |path: &str, text: &str| sources.add(path, text);
    let files: Vec<FileId> = case.files.iter().map(|(path, text)| add(path, text)).collect();
    let set = add("--set a.heads=15", "a.heads=15");
    let std = add("std/rules.dlm", "check heads: a % b == 0\n");
    let found = |file: FileId, from: &str, to: &str| {
        let text = &sources.get(file).unwrap().text;
        let start = text.find(from).unwrap();
        Span::new(file, start, start + text[start..].find(to).unwrap() + to.len())
    };
    let rule = |name: &str, severity, span| Diagnostic::rule(Name::new(name), severity, span, format!("the {name}"));
    let nowhere = Diagnostic { labels: vec![], ..rule("empty", Severity::Warning, Span::start_of(set)) };
    let diagnostics = vec![
        rule("heads", Severity::Error, found(set, "15", "15"))
            .here("15: leaves 8 over")
            .label(found(files[1], "2048", "2048"), "2048, set here")
            .label(found(std, "check", "=="), "the rule"),
        nowhere,
        Diagnostic::new(&STRAY, found(files[0], "}", "}"), "a stray brace").here("it has no opener"),
        rule("large", Severity::Warning, found(files[1], "2048", "2048")),
        Diagnostic::new(&LONG, found(files[1], "y {", "\n}"), "the long one"),
    ];
    (sources, case, diagnostics)
}

#[test]
fn splits_files_overrides_and_marks() {
    let (_, case, _) = case();
    assert_eq!(case.overrides.settings, [Override::Set("a.heads=15".to_owned())]);
    let paths: Vec<&str> = case.files.iter().map(|(path, _)| path.as_str()).collect();
    assert_eq!(paths, ["base.dlm", "exp.dlm"]);
    assert!(case.files[1].1.starts_with("x = 2048\n#   ^^^^ set here\n"), "marks stay in the text");
    let places: Vec<&Place> = case.marks.iter().map(|mark| &mark.place).collect();
    let set = || "--set a.heads=15".to_owned();
    assert_eq!(*places[0], Place::Columns { file: set(), line: 1, from: 15, to: 17 });
    assert_eq!(*places[2], Place::Nowhere);
    assert_eq!(*places[3], Place::Columns { file: "base.dlm".to_owned(), line: 2, from: 1, to: 2 });
    assert_eq!(*places[5], Place::Columns { file: "exp.dlm".to_owned(), line: 1, from: 5, to: 9 });
    assert_eq!(*places[6], Place::Begins { file: "exp.dlm".to_owned(), line: 4, from: 1 });
    let codes: Vec<&str> = case.codes().collect();
    let written =
        ["dlm::check::heads", "dlm::check::empty", "dlm::syntax::stray", "dlm::check::large", "dlm::fmt::long"];
    assert_eq!(codes, written);
}

#[test]
fn takes_text_without_a_marker_as_one_file() {
    let text = "dlm 1\n# a comment\nx = 1\n";
    assert_eq!(Case::parse(text).unwrap().files, [("main.dlm".to_owned(), text.to_owned())]);
    assert!(Case::parse("#! --sett a=1\n").is_err());
    assert!(Case::parse("#!   ^ no override above\n").is_err());
    assert!(Case::parse("#! in file without a text\n").is_err());
}

#[test]
fn accepts_diagnostics_that_meet_every_mark() {
    let (sources, case, diagnostics) = case();
    assert_eq!(case.complaints(&diagnostics, &sources), [""; 0]);
}

#[test]
fn an_argument_may_be_named_by_its_flag_alone() {
    let (mut sources, case, mut diagnostics) = case();
    let set = sources.add("--set", "a.heads=15");
    diagnostics[0].labels[0].span = Span::new(set, 8, 10);
    assert_eq!(case.complaints(&diagnostics, &sources), [""; 0]);
}

/// How many complaints there are after a change to the diagnostics.
fn after(change: impl FnOnce(&mut Vec<Diagnostic>)) -> usize {
    let (sources, case, mut diagnostics) = case();
    change(&mut diagnostics);
    case.complaints(&diagnostics, &sources).len()
}

#[test]
fn complains_about_every_difference() {
    // A mark that nothing meets, and the diagnostic that no mark names.
    assert_eq!(after(|all| all[0].severity = Severity::Warning), 2, "severity");
    assert_eq!(after(|all| all[2].code = all[0].code.clone()), 2, "code");
    assert_eq!(after(|all| all[3].labels[0].span.end -= 1), 2, "columns");
    assert_eq!(after(|all| all[2].labels[0].span.file = FileId(1)), 2, "file");
    assert_eq!(after(|all| all[0].labels[0].text = "leaves 9".to_owned()), 2, "text of the label");
    assert_eq!(after(|all| all[3].message = "another".to_owned()), 2, "message where the label has no text");
    assert_eq!(after(|all| all[1].labels = all[0].labels.clone()), 2, "a place where none was expected");
    // A mark alone.
    assert_eq!(after(|all| drop(all.remove(2))), 1, "nothing reported");
    assert_eq!(after(|all| drop(all[0].labels.remove(1))), 1, "no secondary label");
    assert_eq!(after(|all| all[0].labels[2].span.start += 1), 1, "secondary label elsewhere");
    assert_eq!(after(|all| all[4].labels[0].span.end -= 20), 0, "a place over several lines is compared by its start");
    assert_eq!(after(|all| all[4].labels[0].span.end = all[4].labels[0].span.start + 3), 1, "within one line");
    // A diagnostic alone.
    assert_eq!(after(|all| all.push(all[3].clone())), 1, "reported twice");
    assert_eq!(after(|all| all.push(all[4].clone())), 0, "notes need no mark");
}

#[test]
fn offers_the_mark_that_is_missing() {
    let (sources, mut case, diagnostics) = case();
    case.marks.retain(|mark| mark.line == 4);
    let complaints = case.complaints(&diagnostics, &sources);
    let offered: Vec<&str> = complaints.iter().map(|complaint| complaint.lines().last().unwrap()).collect();
    let marks = [
        "#!               ^^ error[check::heads] 15: leaves 8 over",
        "#< error[syntax::stray] it has no opener",
        "#   ^^^^ warning[check::large] the large",
    ];
    assert_eq!(offered, marks, "they are those that the case had");
}
