//! Small rules over all files of the repository that no compiler checks.

use crate::support::rust::strip;
use crate::support::{files_under, none_of, read};

/// The longest source file, in lines: what one reads in a sitting.
const LONGEST: usize = 800;

/// Names that say nothing about what a file holds, and so end up holding everything.
const EMPTY_NAMES: &[&str] = &["util", "utils", "helper", "helpers", "common", "misc", "stuff", "shared", "context"];

/// Where a cargo feature may be asked for; elsewhere code is the same in every build.
const FEATURES: &[&str] =
    &["src/lib.rs", "src/view/diagnostics/mod.rs", "src/cli/commands/mod.rs", "src/run/mod.rs", "tests/it/tidy.rs"];

/// Letters that look like others, or like nothing, and where they come from.
const TRAPS: &[(std::ops::RangeInclusive<char>, &str)] = &[
    ('\u{a0}'..='\u{a0}', "a no-break space"),
    ('\u{ad}'..='\u{ad}', "a soft hyphen"),
    ('\u{2000}'..='\u{200f}', "an odd space or a mark of direction"),
    ('\u{2010}'..='\u{2015}', "a typographic hyphen or dash; write `-`, `:` or two sentences"),
    ('\u{2018}'..='\u{201f}', "a typographic quotation mark"),
    ('\u{2028}'..='\u{202f}', "a separator or an embedding"),
    ('\u{2060}'..='\u{206f}', "an invisible letter"),
    ('\u{2212}'..='\u{2212}', "a minus sign that is no `-`"),
    ('\u{feff}'..='\u{feff}', "a byte order mark"),
    ('\u{0}'..='\u{8}', "a control character"),
    ('\u{b}'..='\u{1f}', "a control character"),
];

/// Where they may stand, because that is where they are recognized and explained.
const TRAPS_ALLOWED: &[&str] = &["src/syntax/", "book/src/diagnostics/syntax-"];

fn rust_files() -> Vec<String> {
    let mut files = vec!["build.rs".to_owned()];
    files.extend(["src", "tests", "benches"].iter().flat_map(|folder| files_under(folder, ".rs")));
    files
}

/// What people write and read here; not recorded data, and not the cases, which are wrong on purpose.
fn text_files() -> Vec<String> {
    let mut files = rust_files();
    files.extend(["stdlib", "examples"].iter().flat_map(|folder| files_under(folder, ".dlm")));
    files.extend(files_under("grammar", ".pest"));
    files.extend(files_under("book/src", ".md"));
    files.extend(files_under("tools", ""));
    files.extend(["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "CHANGELOG.md", ".ci/run"].map(str::to_owned));
    files.retain(|path| crate::support::at(path).is_file());
    files
}

/// Runs a rule over one file's path and text, for each of them.
fn hold(files: Vec<String>, rule: impl Fn(&str, &str) -> Vec<String>) {
    none_of(&files.iter().flat_map(|path| rule(path, &read(path))).collect::<Vec<_>>());
}

#[test]
fn files_are_read_in_a_sitting() {
    hold(rust_files(), length);
    hold(files_under("stdlib", ".dlm"), length);
}

#[test]
fn files_say_what_they_are() {
    hold(rust_files(), opening);
}

#[test]
fn files_have_names_that_mean_something() {
    hold(rust_files(), name);
}

#[test]
fn tests_can_fail_and_run() {
    hold(rust_files(), tests_that_do_not_test);
}

#[test]
fn features_are_asked_for_in_few_places() {
    hold(files_under("src", ".rs"), features);
}

#[test]
fn texts_hold_no_letter_that_looks_like_another() {
    hold(text_files(), traps);
}

fn length(path: &str, text: &str) -> Vec<String> {
    let lines = text.lines().count();
    let complaint = format!("{path}: {lines} lines; at most {LONGEST} are read in a sitting");
    if lines > LONGEST { vec![complaint] } else { Vec::new() }
}

/// Each file begins with what it is; a module of the first level also says what it must not know and what holds in it.
fn opening(path: &str, text: &str) -> Vec<String> {
    let mut complaints = Vec::new();
    if !text.starts_with("//! ") {
        complaints.push(format!("{path}:1: does not begin with a `//!` that says what is here"));
    }
    let is_stage = path.starts_with("src/") && path.ends_with("/mod.rs") && path.matches('/').count() == 2;
    let opening: String = text.lines().take_while(|line| line.starts_with("//!")).collect::<Vec<_>>().join(" ");
    for part in ["Must not know", "Invariant"] {
        if is_stage && !opening.contains(part) {
            complaints.push(format!("{path}:1: the opening has no `{part}`"));
        }
    }
    complaints
}

fn name(path: &str, _: &str) -> Vec<String> {
    let parts = path.trim_end_matches(".rs").split('/');
    let empty = parts.filter(|part| EMPTY_NAMES.contains(part));
    empty.map(|part| format!("{path}: `{part}` says nothing about what is in it")).collect()
}

fn tests_that_do_not_test(path: &str, text: &str) -> Vec<String> {
    let stripped = strip(text);
    let bad = [
        ("#[ignore]", "give the reason, as in `#[ignore = \"needs a GPU\"]`"),
        ("should_panic", "return an error and compare it"),
        ("thread::sleep", "wait for the event itself"),
    ];
    let mut complaints = Vec::new();
    for (number, line) in (1..).zip(stripped.lines()) {
        let compact: String = line.split_whitespace().collect();
        let found = bad.iter().filter(|(word, _)| compact.contains(word) && path.starts_with("tests/"));
        complaints.extend(found.map(|(word, instead)| format!("{path}:{number}: `{word}`: {instead}")));
    }
    complaints
}

fn features(path: &str, text: &str) -> Vec<String> {
    if FEATURES.contains(&path) {
        return Vec::new();
    }
    let asked = (1..).zip(text.lines()).filter(|(_, line)| {
        let line = line.trim_start();
        !line.starts_with("//") && line.contains("cfg") && line.contains("feature =")
    });
    asked.map(|(number, _)| format!("{path}:{number}: asks for a cargo feature, which few files may")).collect()
}

fn traps(path: &str, text: &str) -> Vec<String> {
    let mut complaints = Vec::new();
    if TRAPS_ALLOWED.iter().any(|place| path.starts_with(place)) {
        return complaints;
    }
    for (number, line) in (1..).zip(text.lines()) {
        for letter in line.chars() {
            let trap = TRAPS.iter().find(|(letters, _)| letters.contains(&letter));
            complaints.extend(trap.map(|(_, what)| format!("{path}:{number}: U+{:04X}, {what}", u32::from(letter))));
        }
    }
    complaints
}

#[test]
fn the_rules_find_what_they_are_for() {
    assert_eq!(length("a.rs", &"\n".repeat(801)).len(), 1);
    assert_eq!(length("a.rs", &"\n".repeat(800)).len(), 0);
    assert_eq!(opening("src/a.rs", "use x;\n").len(), 1);
    assert_eq!(opening("src/a/mod.rs", "//! What it owns.\n//! Must not know: b.\nuse x;").len(), 1);
    assert_eq!(opening("src/a/b/mod.rs", "//! What it owns.\n").len(), 0);
    assert_eq!(name("src/utils.rs", "").len(), 1);
    assert_eq!(name("src/helpers/a.rs", "").len(), 1);
    assert_eq!(name("src/utility.rs", "").len(), 0);
    let test = "#[ignore]\n#[ignore = \"because\"]\n#[should_panic]\n// #[should_panic]\nstd::thread::sleep(x);\n";
    assert_eq!(tests_that_do_not_test("tests/a.rs", test).len(), 3);
    assert_eq!(features("src/base/span.rs", "// cfg(feature = \"x\")\n#[cfg(feature = \"runtime\")]\n").len(), 1);
    assert_eq!(features("src/lib.rs", "#[cfg(feature = \"runtime\")]\n").len(), 0);
    assert_eq!(traps("a", "a - b \u{2014} c\u{a0}d\n\u{1b}[1m").len(), 3);
    assert_eq!(traps("a", "ä \u{2026} │ ≤ ×\t").len(), 0);
}
