//! Every code has a page of the book and a case that shows it, and every page has a code.

use std::collections::BTreeSet;

use crate::support::case::Case;
use crate::support::page::{FOLDER, Page};
use crate::support::{at, codes, files_under, none_of, read};

/// Codes that no text can provoke, and what tests them instead.
const WITHOUT_CASE: &[(&str, &str)] = &[];

#[test]
fn codes_are_unique_and_well_named() {
    let mut seen = BTreeSet::new();
    let mut complaints = Vec::new();
    for code in codes() {
        let name = format!("dlm::{}::{}", code.stage, code.name);
        if !code.name.chars().all(|letter| letter.is_ascii_lowercase() || letter.is_ascii_digit() || letter == '_') {
            complaints.push(format!("{name}: names have small letters, digits and `_`"));
        }
        if !seen.insert(name.clone()) {
            complaints.push(format!("{name}: declared twice"));
        }
    }
    none_of(&complaints);
}

#[test]
fn every_code_has_a_page_of_the_form() {
    let mut complaints = Vec::new();
    for code in codes() {
        let path = format!("{FOLDER}/{}-{}.md", code.stage, code.name);
        match Page::parse(code.page) {
            Err(why) => complaints.push(format!("{path}: {why}")),
            Ok(page) if page.code != format!("dlm::{}::{}", code.stage, code.name) => {
                complaints.push(format!("{path}: its title is `{}`", page.code));
            }
            Ok(_) => {}
        }
    }
    none_of(&complaints);
}

#[test]
fn every_page_has_a_code() {
    let known: BTreeSet<String> =
        codes().iter().map(|code| format!("{FOLDER}/{}-{}.md", code.stage, code.name)).collect();
    let pages = files_under(FOLDER, ".md").into_iter().filter(|page| !page.ends_with("/index.md"));
    let strangers = pages.filter(|page| !known.contains(page));
    none_of(&strangers.map(|page| format!("{page}: no stage declares this code")).collect::<Vec<_>>());
}

#[test]
fn every_code_has_a_case() {
    let mut shown = BTreeSet::new();
    for path in files_under("tests/ui", ".dlm") {
        let case = Case::parse(&read(&path)).unwrap_or_else(|why| panic!("{path}: {why}"));
        shown.extend(case.codes().map(str::to_owned));
    }
    let mut complaints = Vec::new();
    for code in codes() {
        let name = format!("dlm::{}::{}", code.stage, code.name);
        let excused = WITHOUT_CASE.iter().any(|(code, _)| *code == name);
        match (shown.contains(&name), excused) {
            (false, false) => complaints.push(format!("{name}: no case in tests/ui shows it")),
            (true, true) => complaints.push(format!("{name}: has a case, so it needs no excuse here")),
            (true, false) | (false, true) => {}
        }
    }
    none_of(&complaints);
}

#[test]
fn the_book_lists_every_page() {
    if !at("book/src/SUMMARY.md").is_file() {
        return;
    }
    let summary = read("book/src/SUMMARY.md");
    let missing = codes().into_iter().map(|code| format!("diagnostics/{}-{}.md", code.stage, code.name));
    let missing = missing.filter(|page| !summary.contains(page));
    none_of(&missing.map(|page| format!("book/src/SUMMARY.md: {page} is not listed")).collect::<Vec<_>>());
}
