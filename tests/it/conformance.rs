//! The conformance suite, `tests/conformance/`: a folder for each numbered section of the reference, cases that say what
//! comes out of them.
//!
//! A case is a case as `ui.rs` describes it, with marks for every error and warning. In comments, `#= experiment: field =
//! value` says what a field of an experiment, or of a point `sweep/point`, holds. Nothing in a case depends on how dlm
//! prints things but the spelling of values.

use std::collections::BTreeSet;
use std::path::PathBuf;

use dlm::base::Memory;
use dlm::session::Session;

use crate::support::case::Case;
use crate::support::{check_case, files_under, none_of, read};

const FOLDER: &str = "tests/conformance";

#[test]
fn cases_give_what_they_say() {
    let mut complaints = Vec::new();
    for path in files_under(FOLDER, ".dlm") {
        let text = read(&path);
        let case = Case::parse(&text).unwrap_or_else(|why| panic!("{path}: {why}"));
        let (sources, diagnostics) = check_case(&case);
        complaints.extend(case.complaints(&diagnostics, &sources).into_iter().map(|why| format!("{path}: {why}")));
        complaints.extend(values(&case, &text).into_iter().map(|why| format!("{path}: {why}")));
    }
    none_of(&complaints);
}

/// Values that are not as the case says.
fn values(case: &Case, text: &str) -> Vec<String> {
    let memory = case.files.iter().fold(Memory::default(), |memory, (path, text)| memory.with(path, text.as_bytes()));
    let mut session = Session::new(memory);
    let paths: Vec<PathBuf> = case
        .files
        .iter()
        .map(|file| PathBuf::from(&file.0))
        .filter(|path| path.extension().is_some_and(|it| it == "dlm"))
        .collect();
    let project = session.load(&paths);
    let mut complaints = Vec::new();
    for line in text.lines().filter_map(|line| line.strip_prefix("#= ")) {
        let parts = line.split_once(": ").and_then(|(experiment, rest)| Some((experiment, rest.split_once(" = ")?)));
        let Some((experiment, (path, value))) = parts else {
            complaints.push(format!("`{line}` is not `experiment: field = value`"));
            continue;
        };
        let choice = match session.choose(&project, Some(experiment)) {
            Ok(choice) => choice,
            Err(error) => {
                complaints.push(format!("{line}: {error}"));
                continue;
            }
        };
        let checked = session.check_one(&project, &choice, &case.overrides());
        let found = checked.experiment.as_ref().and_then(|experiment| {
            let field = experiment.schema.field_id(path)?;
            Some(experiment.value(field).data.to_string())
        });
        if found.as_deref() != Some(value) {
            complaints.push(format!("{line}: it is {found:?}"));
        }
    }
    complaints
}

#[test]
fn every_section_has_cases_and_every_case_a_section() {
    let mut sections = BTreeSet::new();
    for page in ["grammar", "meaning"] {
        let text = read(&format!("book/src/reference/{page}.md"));
        sections.extend(text.lines().filter_map(|line| {
            let (number, _) = line.strip_prefix("## ")?.split_once(". ")?;
            number.parse::<usize>().ok()
        }));
    }
    let folder =
        |path: &String| path.strip_prefix(FOLDER)?.trim_start_matches('/').split_once('-')?.0.parse::<usize>().ok();
    let cases: BTreeSet<usize> = files_under(FOLDER, ".dlm").iter().filter_map(folder).collect();
    assert_eq!(sections, cases);
}

/// The words in quotes of the book's grammar are those that the parser's has.
#[test]
fn the_book_has_the_words_of_the_grammar() {
    let book = read("book/src/reference/grammar.md");
    let grammar = read("grammar/dlm.pest");
    let words = |text: &str| -> BTreeSet<String> {
        let quoted = text.split('"').skip(1).step_by(2);
        let is_word =
            |word: &&str| word.len() > 1 && word.chars().all(|letter| letter.is_ascii_lowercase() || letter == '_');
        quoted.filter(is_word).map(str::to_owned).collect()
    };
    let keywords = grammar.lines().filter(|line| line.starts_with("kw_"));
    let of_parser: BTreeSet<String> = keywords.flat_map(&words).collect();
    let of_book: BTreeSet<String> = book
        .split("```ebnf\n")
        .skip(1)
        .flat_map(|block| {
            words(
                &block
                    .split("```")
                    .next()
                    .unwrap_or("")
                    .replace("'\"'", "")
                    .replace("\"\\\"\"", "")
                    .replace("'\\\"'", ""),
            )
        })
        .collect();
    let missing: Vec<&String> = of_parser.difference(&of_book).collect();
    assert_eq!(missing, [] as [&String; 0]);
}
