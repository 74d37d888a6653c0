//! Cases with marks: what is reported, where, and how it looks.
//!
//! A case is one file `tests/ui/**/*.dlm`. Carets in comments are the contract, written before the code:
//!
//! ```text
//! #! --set model.layers=0            an argument of the command line; these lines stand at the top of the case
//! #!                    ^ error[check::range] 0 is below 1
//! #! in std/model.dlm "layers: int"  the declared range           a place in a file that the case does not hold
//! #! --values day.yaml               a values file: the case has a file of that name
//! #! -- --num-layers 2               flags of the target; with `#! --target megadlms` of no file
//! #! test                            tests are run, as `dlm test` does
//! #! lower                           experiments are made into runs too, as `dlm run` does
//! #! nowhere warning[check::unused]                               a report without any place
//! #- /weights.dlm (binary)           a file that can't be read, to be imported
//! #- /base.dlm                       another file begins; text before the first such line is /main.dlm
//! dlm 1
//! abstract experiment base extends Pretrain { model.hidden_size = 2048 }
//! #                                                               ^^^^ 2048, set here
//! #- /exp.dlm
//! dlm 1
//! use "base.dlm" { base }
//! experiment e extends base {
//!   model.num_attention_heads = 15
//! #                             ^^ error[check::heads_divide] 15: leaves 8 over
//! }
//! ```
//!
//! A mark is about the nearest line above that is no mark; several marks may follow one line. It names severity, code
//! (with or without `dlm::`) and a part of the primary label's text (of the message, where that label has no text). A
//! mark without severity is about a secondary label. `^^^` are the exact columns of a place; `^...` is the start of one
//! that goes on over several lines; `|` is an empty place before that column. Under the `#` itself no caret can stand,
//! so `<` moves a mark by one column: `#<` marks the first column, `#<^^` the first three.
//!
//! Every mark must be met, and every error and warning marked. How the whole looks to a person, without color and 100
//! columns wide, stands in a snapshot beside the case, to be read before it is accepted (`INSTA_UPDATE=always`).

use std::panic::{AssertUnwindSafe, catch_unwind};

use dlm::view::diagnostics::{Format, Look, render};

use crate::support::case::Case;
use crate::support::{at, check_case, files_under, none_of, read, wording};

#[test]
fn every_mark_is_met_and_every_report_marked() {
    let cases = files_under("tests/ui", ".dlm");
    assert!(!cases.is_empty(), "there are no cases");
    let mut complaints = Vec::new();
    for path in cases {
        let text = read(&path);
        let case = Case::parse(&text).unwrap_or_else(|why| panic!("{path}: {why}"));
        let (sources, diagnostics) = check_case(&case);
        let worded = diagnostics.iter().flat_map(wording::complaints);
        let found = case.complaints(&diagnostics, &sources).into_iter().chain(worded);
        complaints.extend(found.map(|complaint| format!("{path}: {complaint}")));
        let drawn = render(&diagnostics, &sources, Format::Human, Look { color: false, width: 100 });
        if catch_unwind(AssertUnwindSafe(|| compare(&path, &format!("{text}\n{}\n{drawn}", "─".repeat(100))))).is_err()
        {
            complaints.push(format!("{path}: it looks different from its snapshot, shown above"));
        }
    }
    none_of(&complaints);
}

/// Compares with `<name>.snap` beside the case.
fn compare(path: &str, drawn: &str) {
    let path = at(path);
    let mut settings = insta::Settings::clone_current();
    settings.set_snapshot_path(path.parent().unwrap());
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings.bind(|| insta::assert_snapshot!(path.file_stem().unwrap().to_str().unwrap(), drawn));
}

/// What each case reports, as SARIF, read into types that are generated from the schema of SARIF 2.1.0: a property that is
/// required and missing fails, one that the schema does not know, or has of another type, does not come back out.
#[test]
fn every_report_is_sarif_by_its_schema() {
    let mut complaints = Vec::new();
    for path in files_under("tests/ui", ".dlm") {
        let case = Case::parse(&read(&path)).unwrap_or_else(|why| panic!("{path}: {why}"));
        let (sources, diagnostics) = check_case(&case);
        let text = render(&diagnostics, &sources, Format::Sarif, Look::default());
        let written: serde_json::Value = serde_json::from_str(&text).unwrap();
        match serde_json::from_str::<serde_sarif::sarif::Sarif>(&text) {
            Ok(read) if serde_json::to_value(&read).unwrap() == written => {}
            Ok(_) => complaints.push(format!("{path}: holds something that the schema does not know")),
            Err(why) => complaints.push(format!("{path}: {why}")),
        }
    }
    none_of(&complaints);
}

#[test]
fn every_snapshot_has_its_case() {
    let orphans = files_under("tests/ui", ".snap").into_iter().filter(|snap| {
        let case = snap.strip_suffix(".snap").unwrap().to_owned() + ".dlm";
        !at(&case).is_file()
    });
    none_of(&orphans.map(|snap| format!("{snap}: there is no case for it")).collect::<Vec<_>>());
}
