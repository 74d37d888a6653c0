//! The examples of the book's pages on diagnostics: the first gives its code and no other, the second gives nothing.

use dlm::base::SourceMap;
use dlm::diag::{Diagnostic, Severity};

use crate::support::case::Case;
use crate::support::page::Page;
use crate::support::{Depth, check_case, codes, none_of, wording};

#[test]
fn pages_show_what_they_say() {
    let pages = codes().into_iter().filter_map(|code| Page::parse(code.page).ok());
    none_of(
        &pages
            .flat_map(|page| {
                let depth = if page.code.starts_with("dlm::lower::") { Depth::Lower } else { Depth::Check };
                complaints(&page, |example| check(example, depth))
            })
            .collect::<Vec<_>>(),
    );
}

fn check(example: &str, depth: Depth) -> Result<Vec<Diagnostic>, String> {
    let case = Case::parse(example)?;
    let case = if case.depth == Depth::Check { Case { depth, ..case } } else { case };
    let (sources, diagnostics) = check_case(&case);
    let marks = if case.marks.is_empty() { Vec::new() } else { case.complaints(&diagnostics, &sources) };
    let fault = diagnostics.iter().flat_map(wording::complaints).chain(marks).next();
    fault.map_or(Ok(diagnostics), Err)
}

/// What is wrong with a page, asking `check` what its examples give.
fn complaints(page: &Page, check: impl Fn(&str) -> Result<Vec<Diagnostic>, String>) -> Vec<String> {
    let mut complaints = Vec::new();
    match check(&page.rejected) {
        Err(why) => complaints.push(why),
        Ok(diagnostics) => {
            let loud: Vec<_> = diagnostics.iter().filter(|diagnostic| diagnostic.severity > Severity::Note).collect();
            // A page about a note has nothing louder to show.
            let shown = if loud.is_empty() { diagnostics.iter().collect() } else { loud };
            let codes: Vec<String> = shown.iter().map(|diagnostic| diagnostic.code.to_string()).collect();
            if codes.is_empty() || codes.iter().any(|code| *code != page.code) {
                complaints.push(format!("the rejected example gives {codes:?}"));
            }
        }
    }
    match check(&page.mended) {
        Err(why) => complaints.push(why),
        Ok(diagnostics) if diagnostics.is_empty() => {}
        Ok(diagnostics) => {
            let said = diagnostics.iter().map(|diagnostic| format!("{}: {}", diagnostic.code, diagnostic.message));
            complaints.push(format!("the mended example gives {:?}", said.collect::<Vec<_>>()));
        }
    }
    complaints.iter().map(|complaint| format!("{}: {complaint}", page.code)).collect()
}

#[test]
fn complains_about_examples_that_show_something_else() {
    let span = dlm::base::Span::start_of(SourceMap::default().add("a", ""));
    let rule = |name: &str| Diagnostic::rule(dlm::base::Name::new(name), Severity::Error, span, "m");
    // Each letter of the example is a rule that it breaks.
    let check = |example: &str| Ok(example.chars().map(|letter| rule(&letter.to_string())).collect());
    let page = |rejected: &str, mended: &str| {
        let [rejected, mended] = [rejected, mended].map(str::to_owned);
        complaints(&Page { code: "dlm::check::a".to_owned(), rejected, mended }, check).len()
    };
    assert_eq!([page("a", ""), page("aa", "")], [0, 0]);
    assert_eq!([page("", ""), page("b", ""), page("ab", ""), page("a", "a"), page("b", "b")], [1, 1, 1, 1, 2]);
}
