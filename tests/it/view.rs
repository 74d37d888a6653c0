//! How diagnostics look, over hand-made diagnostics and texts.

use std::path::Path;

use dlm::base::{FileId, Name, SourceMap, Span};
use dlm::diag::{Certainty, Code, Diagnostic, Edit, Fix, Severity};
use dlm::view::diagnostics::{Format, Look, render};
use proptest::prelude::*;
use unicode_width::UnicodeWidthStr;

static UNKNOWN_FIELD: Code = Code {
    stage: "resolve",
    name: "unknown_field",
    severity: Severity::Error,
    page: "# dlm::resolve::unknown_field\n\nA field that no schema\nin scope declares.\n\n## Rejected\n",
};
static WEAK_DEFAULT: Code =
    Code { stage: "check", name: "weak_default", severity: Severity::Warning, page: "# dlm::check::weak_default\n" };
static FYI: Code = Code { stage: "plan", name: "fyi", severity: Severity::Note, page: "# dlm::plan::fyi\n" };

/// The first place of `needle` in a file.
fn find(sources: &SourceMap, file: FileId, needle: &str) -> Span {
    let start = sources.get(file).unwrap().text.find(needle).unwrap();
    Span::new(file, start, start + needle.len())
}

/// Drawn for a person, without color, in 80 columns.
fn human(diagnostics: &[Diagnostic], sources: &SourceMap) -> String {
    render(diagnostics, sources, Format::Human, Look { color: false, width: 80 })
}

/// The example of the book's chapter on diagnostics: two files, a rule, help.
fn heads_divide() -> (SourceMap, Diagnostic) {
    let mut sources = SourceMap::default();
    let exp = "\n".repeat(9) + "    hidden_size         = 2048\n    num_attention_heads = 15\n";
    let exp = sources.add_file(Path::new("exp/dlm_1_7b.dlm"), exp);
    let rule = "check heads_divide: hidden_size % num_attention_heads == 0";
    let std = sources.add("std/megadlms/model.dlm", "\n".repeat(40) + "  " + rule + "\n");
    let message = "hidden_size (2048) is not a multiple of num_attention_heads (15)";
    let name = Name::new("heads_divide");
    let mut diagnostic = Diagnostic::rule(name, Severity::Error, find(&sources, exp, "15"), message)
        .here("15: leaves 8 over")
        .label(find(&sources, exp, "2048"), "2048, set here")
        .label(find(&sources, std, rule), "the rule")
        .help("16 is the nearest value that divides 2048")
        .replace(find(&sources, exp, "15"), "16", Certainty::Maybe);
    diagnostic.upstream = Some("validate_args:412".to_owned());
    (sources, diagnostic)
}

/// A diagnostic of each severity, over two files.
fn three_severities() -> (SourceMap, Vec<Diagnostic>) {
    let mut sources = SourceMap::default();
    let a = sources.add_file(Path::new("a, b/50%.dlm"), "hiden_size = 8\nlr = 0.1\n");
    let set = sources.add("--set", "model.layers=2");
    let diagnostics = vec![
        Diagnostic::new(&UNKNOWN_FIELD, find(&sources, a, "hiden_size"), "`Model` has no field `hiden_size`")
            .help("did you mean `hidden_size`?")
            .replace(find(&sources, a, "hiden_size"), "hidden_size", Certainty::Sure),
        Diagnostic::new(&WEAK_DEFAULT, find(&sources, set, "2"), "two\nlines").here("over\ntwo lines"),
        Diagnostic { labels: vec![], ..Diagnostic::new(&FYI, Span::start_of(a), "worth knowing") },
    ];
    (sources, diagnostics)
}

/// A file with tabs, CRLF, letters two columns wide, and an escape sequence.
fn tabs() -> (SourceMap, FileId) {
    let mut sources = SourceMap::default();
    let text = "dlm 1\r\n\tmodel {\r\n\t\tname = \"扩散語言\" + x # \u{1b}[31mred\r\n\t}\r\n";
    let file = sources.add_file(Path::new("tabs.dlm"), text);
    (sources, file)
}

#[test]
fn human_shows_each_file_in_a_frame_of_its_own() {
    let (sources, diagnostic) = heads_divide();
    insta::assert_snapshot!(human(&[diagnostic], &sources), @r"
    error[dlm::check::heads_divide]: hidden_size (2048) is not a multiple of num_attention_heads (15)
       ╭─[exp/dlm_1_7b.dlm:11:27]
    10 │     hidden_size         = 2048
       │                           ──┬─ 2048, set here
    11 │     num_attention_heads = 15
       │                           ─┬ 15: leaves 8 over
       ├─[std/megadlms/model.dlm:41:3]
    41 │   check heads_divide: hidden_size % num_attention_heads == 0
       │   ─────────────────────────────┬──────────────────────────── the rule
       help: 16 is the nearest value that divides 2048
       help: write `16`

    1 error in 1 file
    ");
}

#[test]
fn human_tells_severities_apart_without_color() {
    let (sources, diagnostics) = three_severities();
    insta::assert_snapshot!(human(&diagnostics, &sources), @r"
    error[dlm::resolve::unknown_field]: `Model` has no field `hiden_size`
      ╭─[a, b/50%.dlm:1:1]
    1 │ hiden_size = 8
      │ ──────────
      help: did you mean `hidden_size`?

    warning[dlm::check::weak_default]: two
    lines
      ╭─[--set:1:14]
    1 │ model.layers=2
      │              ┬
      │              ╰ over
      │                two lines

    note[dlm::plan::fyi]: worth knowing

    1 error, 1 warning, 1 note in 2 files
    ");
}

#[test]
fn human_colors_only_when_asked() {
    let (sources, diagnostic) = heads_divide();
    let colored = render(std::slice::from_ref(&diagnostic), &sources, Format::Human, Look { color: true, width: 80 });
    let mut plain = String::new();
    for (at, part) in colored.split('\u{1b}').enumerate() {
        plain.push_str(if at == 0 { part } else { part.split_once('m').unwrap().1 });
    }
    assert_eq!(plain, human(&[diagnostic], &sources), "without its escapes, the colored form is the plain one");
    assert!(colored.starts_with("\u{1b}[1m\u{1b}[31merror[dlm::check::heads_divide]"), "{colored:?}");
}

#[test]
fn human_aligns_marks_under_tabs_and_wide_letters() {
    let (sources, file) = tabs();
    let diagnostic = Diagnostic::new(&UNKNOWN_FIELD, find(&sources, file, "x"), "`x` is unknown")
        .here("after tabs and wide letters")
        .label(find(&sources, file, "語言"), "two wide letters")
        .label(find(&sources, file, "name"), "")
        .label(find(&sources, file, "name = \"扩散語言\" + x"), "the whole assignment");
    insta::assert_snapshot!(human(&[diagnostic], &sources), @r#"
    error[dlm::resolve::unknown_field]: `x` is unknown
      ╭─[tabs.dlm:3:19]
    3 │         name = "扩散語言" + x # �[31mred
      │         ────        ──┬─    ┬ after tabs and wide letters
      │                       ╰ two wide letters
      │         ──────────┬────────── the whole assignment

    1 error in 1 file
    "#);
}

#[test]
fn human_holds_marks_over_several_lines_at_the_left() {
    let (sources, file) = tabs();
    let end = sources.get(file).unwrap().text.len();
    let whole = Span::new(file, 0, end);
    let section = Span::new(file, find(&sources, file, "model {").start as usize, end - 2);
    let diagnostics = [
        Diagnostic::new(&UNKNOWN_FIELD, whole, "one mark").here("all of it"),
        Diagnostic::new(&UNKNOWN_FIELD, whole, "three marks")
            .label(section, "the section\nin two lines")
            .label(find(&sources, file, "name"), "inside"),
    ];
    insta::assert_snapshot!(human(&diagnostics, &sources), @r#"
    error[dlm::resolve::unknown_field]: one mark
      ╭─[tabs.dlm:1:1]
    1 │ ╭─▶ dlm 1
      ⋮ │
    4 │ ├─▶     }
      │ ╰── all of it

    error[dlm::resolve::unknown_field]: three marks
      ╭─[tabs.dlm:1:1]
    1 │ ╭──▶ dlm 1
    2 │ │╭─▶     model {
    3 │ ││           name = "扩散語言" + x # �[31mred
      │ ││           ──┬─ inside
    4 │ ╰┼─▶     }
      │  ╰── the section
      │      in two lines

    2 errors in 1 file
    "#);
}

#[test]
fn human_points_at_empty_places_and_line_breaks() {
    let (sources, file) = tabs();
    let end = sources.get(file).unwrap().text.len();
    let diagnostics = [
        Diagnostic::new(&UNKNOWN_FIELD, Span::new(file, end, end), "ends too early").here("a `}` is missing"),
        Diagnostic::new(&UNKNOWN_FIELD, Span::new(file, 6, 6), "between letters").here("between CR and LF"),
        Diagnostic::new(&UNKNOWN_FIELD, find(&sources, file, "{\r\n"), "with a line break").here("to the next line"),
    ];
    insta::assert_snapshot!(human(&diagnostics, &sources), @r"
    error[dlm::resolve::unknown_field]: ends too early
      ╭─[tabs.dlm:5:1]
    5 │
      │ ▲ a `}` is missing

    error[dlm::resolve::unknown_field]: between letters
      ╭─[tabs.dlm:1:1]
    1 │ dlm 1
      │      ▲ between CR and LF

    error[dlm::resolve::unknown_field]: with a line break
      ╭─[tabs.dlm:2:8]
    2 │     model {
      │           ┬ to the next line

    3 errors in 1 file
    ");
}

#[test]
fn human_cuts_long_lines_around_the_marks() {
    let mut sources = SourceMap::default();
    let numbers: Vec<String> = (0..60).map(|n| n.to_string()).collect();
    let text = format!("first = [{}]\nx = {}9\n", numbers.join(", "), "1".repeat(300));
    let file = sources.add_file(Path::new("long.dlm"), text);
    let at = |needle: &str| find(&sources, file, needle);
    let diagnostics = [
        Diagnostic::new(&UNKNOWN_FIELD, at("30"), "in the middle").here("here it is"),
        Diagnostic::new(&UNKNOWN_FIELD, at("59"), "far apart")
            .here("here it is, with a text that can not stand to the right of it at all")
            .label(at("first"), "the list"),
        Diagnostic::new(&UNKNOWN_FIELD, at(&"1".repeat(300)), "longer than the screen")
            .here("a long number")
            .label(at("9\n"), "last"),
        Diagnostic::new(&UNKNOWN_FIELD, at("first"), "three in a row")
            .here("one")
            .label(at("7"), "seven\nof nine")
            .label(at("12"), "twelve"),
    ];
    insta::assert_snapshot!(human(&diagnostics, &sources), @r"
    error[dlm::resolve::unknown_field]: in the middle
      ╭─[long.dlm:1:120]
    1 │ …26, 27, 28, 29, 30, 31, 32, 33, 34, 35, 36, 37, 38, 39, 40, 41, 42, 43, 44…
      │                  ─┬ here it is

    error[dlm::resolve::unknown_field]: far apart
      ╭─[long.dlm:1:236]
    1 │ first = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, …
      │ ──┬── the list
    1 │ …1, 42, 43, 44, 45, 46, 47, 48, 49, 50, 51, 52, 53, 54, 55, 56, 57, 58, 59]
      │                                                                         ─┬
      │     here it is, with a text that can not stand to the right of it at all ╯

    error[dlm::resolve::unknown_field]: longer than the screen
      ╭─[long.dlm:2:5]
    2 │ …11111111111111111111111111111111111111111111111111111111111111111111111111…
      │  ─────────────────────────────────────┬────────────────────────────────────
      │                                       ╰ a long number
    2 │ …11111111111111111111111111111111111111111111111111111111111111111111111119
      │                                                                           ┬
      │                                                                      last ╯

    error[dlm::resolve::unknown_field]: three in a row
      ╭─[long.dlm:1:1]
    1 │ first = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, …
      │ ──┬──                         ┬                ─┬ twelve
      │   │                           ╰ seven
      │   │                             of nine
      │   ╰ one

    4 errors in 1 file
    ");
}

#[test]
fn human_keeps_files_of_one_name_apart() {
    let mut sources = SourceMap::default();
    let heads = sources.add("--set", "model.heads=15");
    let hidden = sources.add("--set", "model.hidden=2048");
    let diagnostic = Diagnostic::new(&UNKNOWN_FIELD, find(&sources, heads, "15"), "two arguments disagree")
        .here("set here")
        .label(find(&sources, hidden, "2048"), "and here")
        .label(find(&sources, heads, "heads"), "this one");
    insta::assert_snapshot!(human(&[diagnostic], &sources), @r"
    error[dlm::resolve::unknown_field]: two arguments disagree
      ╭─[--set:1:13]
    1 │ model.heads=15
      │       ──┬── ─┬ set here
      │         ╰ this one
      ├─[--set:1:14]
    1 │ model.hidden=2048
      │              ──┬─ and here

    1 error in 1 file
    ");
}

#[test]
fn human_breaks_long_help_and_keeps_its_lines() {
    let (sources, file) = tabs();
    let help = [
        "a long help that has to be broken into several lines, because this screen has no more than 80 columns",
        "  model.name = \"longer than the screen too, but it is indented, so it is code and stays in one line\"",
        "the end",
    ];
    let diagnostic = Diagnostic::new(&UNKNOWN_FIELD, find(&sources, file, "dlm"), "long help").help(help.join("\n"));
    insta::assert_snapshot!(human(&[diagnostic], &sources), @r#"
    error[dlm::resolve::unknown_field]: long help
      ╭─[tabs.dlm:1:1]
    1 │ dlm 1
      │ ───
      help: a long help that has to be broken into several lines, because this
            screen has no more than 80 columns
              model.name = "longer than the screen too, but it is indented, so it is code and stays in one line"
            the end

    1 error in 1 file
    "#);
}

#[test]
fn human_lives_with_places_that_are_not_there() {
    let (sources, file) = tabs();
    let nowhere = Span::new(FileId(77), 1, 2);
    let diagnostics = [
        Diagnostic::new(&UNKNOWN_FIELD, nowhere, "no such file").here("somewhere").label(nowhere, ""),
        Diagnostic::new(&UNKNOWN_FIELD, Span { file, start: 9999, end: 1 }, "past the end").here("beyond"),
        Diagnostic { labels: vec![], ..Diagnostic::new(&UNKNOWN_FIELD, nowhere, "no place at all") },
    ];
    insta::assert_snapshot!(human(&diagnostics, &sources), @r"
    error[dlm::resolve::unknown_field]: no such file
      note: somewhere

    error[dlm::resolve::unknown_field]: past the end
      ╭─[tabs.dlm:5:1]
    5 │
      │ ▲ beyond

    error[dlm::resolve::unknown_field]: no place at all

    3 errors in 1 file
    ");
}

#[test]
fn short_is_one_line_each() {
    let (sources, diagnostics) = three_severities();
    insta::assert_snapshot!(render(&diagnostics, &sources, Format::Short, Look::default()), @r"
    a, b/50%.dlm:1:1: error[dlm::resolve::unknown_field]: `Model` has no field `hiden_size`
    --set:1:14: warning[dlm::check::weak_default]: two lines
    note[dlm::plan::fyi]: worth knowing
    ");
}

#[test]
fn github_escapes_what_ends_a_command() {
    let (sources, diagnostics) = three_severities();
    insta::assert_snapshot!(render(&diagnostics, &sources, Format::Github, Look::default()), @r"
    ::error file=a%2C b/50%25.dlm,line=1,col=1,endLine=1,endColumn=11,title=dlm%3A%3Aresolve%3A%3Aunknown_field::`Model` has no field `hiden_size`%0Ahelp: did you mean `hidden_size`?
    ::warning title=dlm%3A%3Acheck%3A%3Aweak_default::two%0Alines%0Ain --set: model.layers=2%0Aover%0Atwo lines
    ::notice title=dlm%3A%3Aplan%3A%3Afyi::worth knowing
    ");
    let (sources, diagnostic) = heads_divide();
    insta::assert_snapshot!(render(&[diagnostic], &sources, Format::Github, Look::default()), @r"::error file=exp/dlm_1_7b.dlm,line=11,col=27,endLine=11,endColumn=29,title=dlm%3A%3Acheck%3A%3Aheads_divide::hidden_size (2048) is not a multiple of num_attention_heads (15)%0A15: leaves 8 over%0Aexp/dlm_1_7b.dlm:10:27: 2048, set here%0Astd/megadlms/model.dlm:41:3: the rule%0Ahelp: 16 is the nearest value that divides 2048%0Ahelp: write `16`");
}

#[test]
fn json_has_everything() {
    let (sources, diagnostic) = heads_divide();
    insta::assert_snapshot!(render(&[diagnostic], &sources, Format::Json, Look::default()), @r#"
    {
      "version": 1,
      "diagnostics": [
        {
          "code": "dlm::check::heads_divide",
          "severity": "error",
          "message": "hidden_size (2048) is not a multiple of num_attention_heads (15)",
          "upstream": "validate_args:412",
          "labels": [
            {
              "file": "exp/dlm_1_7b.dlm",
              "line": 11,
              "column": 27,
              "end_line": 11,
              "end_column": 29,
              "start": 66,
              "end": 68,
              "text": "15: leaves 8 over",
              "primary": true
            },
            {
              "file": "exp/dlm_1_7b.dlm",
              "line": 10,
              "column": 27,
              "end_line": 10,
              "end_column": 31,
              "start": 35,
              "end": 39,
              "text": "2048, set here",
              "primary": false
            },
            {
              "file": "std/megadlms/model.dlm",
              "line": 41,
              "column": 3,
              "end_line": 41,
              "end_column": 61,
              "start": 42,
              "end": 100,
              "text": "the rule",
              "primary": false
            }
          ],
          "help": "16 is the nearest value that divides 2048",
          "fixes": [
            {
              "title": "write `16`",
              "certainty": "maybe",
              "edits": [
                {
                  "file": "exp/dlm_1_7b.dlm",
                  "line": 11,
                  "column": 27,
                  "end_line": 11,
                  "end_column": 29,
                  "start": 66,
                  "end": 68,
                  "text": "16"
                }
              ]
            }
          ]
        }
      ]
    }
    "#);
}

#[test]
fn nothing_to_say_is_still_a_document() {
    let sources = SourceMap::default();
    let empty = |format| render(&[], &sources, format, Look::default());
    assert_eq!((empty(Format::Human), empty(Format::Short), empty(Format::Github)), Default::default());
    let json: serde_json::Value = serde_json::from_str(&empty(Format::Json)).unwrap();
    assert_eq!(json, serde_json::json!({ "version": 1, "diagnostics": [] }));
    let sarif: serde_json::Value = serde_json::from_str(&empty(Format::Sarif)).unwrap();
    assert_eq!(sarif["runs"][0]["results"], serde_json::json!([]));
}

#[test]
fn formats_have_names() {
    for format in Format::ALL {
        assert_eq!(format.name().parse(), Ok(*format));
    }
    let error = "xml".parse::<Format>().unwrap_err().to_string();
    assert_eq!(error, "there is no format `xml`; the formats are human, short, json, sarif, github");
}

// ---- SARIF.

#[test]
fn sarif_is_read_before_it_is_accepted() {
    let (sources, diagnostics) = three_severities();
    insta::assert_snapshot!("sarif", render(&diagnostics, &sources, Format::Sarif, Look::default()));
}

/// The properties that the JSON schema of SARIF 2.1.0 requires, and those that a reader of ours relies on.
#[test]
fn sarif_has_the_mandatory_parts() {
    let (mut sources, mut diagnostics) = three_severities();
    let (others, heads) = heads_divide();
    let (exp, std) = (others.get(FileId(0)).unwrap(), others.get(FileId(1)).unwrap());
    let shift = sources.iter().count() as u32;
    sources.add(exp.name.clone(), exp.text.clone());
    sources.add(std.name.clone(), std.text.clone());
    diagnostics.push(moved(heads, shift));
    let text = render(&diagnostics, &sources, Format::Sarif, Look::default());
    let log: serde_json::Value = serde_json::from_str(&text).unwrap();

    assert_eq!(log["version"], "2.1.0");
    let run = &log["runs"].as_array().unwrap()[0];
    assert_eq!(run["tool"]["driver"]["name"], "dlm");
    let rules = run["tool"]["driver"]["rules"].as_array().unwrap();
    let results = run["results"].as_array().unwrap();
    assert_eq!(results.len(), diagnostics.len());
    for (result, diagnostic) in results.iter().zip(&diagnostics) {
        assert!(!result["message"]["text"].as_str().unwrap().is_empty());
        assert_eq!(result["ruleId"], diagnostic.code.to_string());
        assert_eq!(rules[result["ruleIndex"].as_u64().unwrap() as usize]["id"], result["ruleId"]);
        assert!(["error", "warning", "note"].contains(&result["level"].as_str().unwrap()));
        assert!(result["locations"].as_array().unwrap().len() <= 1);
        let related = result["relatedLocations"].as_array().unwrap();
        assert_eq!(related.len(), diagnostic.labels.len().saturating_sub(1));
        for location in related.iter().chain(result["locations"].as_array().unwrap()) {
            // An argument of the command line is no file.
            if let Some(logical) = location["logicalLocations"][0]["fullyQualifiedName"].as_str() {
                assert!(logical.starts_with("--") && location["physicalLocation"].is_null());
                continue;
            }
            let physical = &location["physicalLocation"];
            let uri = physical["artifactLocation"]["uri"].as_str().unwrap();
            assert!(uri.is_ascii() && !uri.contains([' ', ',', '=']), "{uri}");
            for number in ["startLine", "startColumn", "endLine", "endColumn"] {
                assert!(physical["region"][number].as_u64().unwrap() >= 1);
            }
        }
        for fix in result["fixes"].as_array().into_iter().flatten() {
            for change in fix["artifactChanges"].as_array().unwrap() {
                assert!(change["artifactLocation"]["uri"].is_string());
                for replacement in change["replacements"].as_array().unwrap() {
                    assert!(
                        replacement["deletedRegion"].is_object() && replacement["insertedContent"]["text"].is_string()
                    );
                }
            }
        }
    }
    for rule in rules {
        assert!(rule["id"].is_string() && !rule["shortDescription"]["text"].as_str().unwrap().is_empty());
        // An empty page would make an empty text, which the schema refuses.
        assert!(rule["help"].is_null() || !rule["help"]["text"].as_str().unwrap().is_empty());
    }
}

/// The same diagnostic over a map where its files have higher numbers.
fn moved(mut diagnostic: Diagnostic, shift: u32) -> Diagnostic {
    let labels = diagnostic.labels.iter_mut().map(|label| &mut label.span);
    let edits = diagnostic.fixes.iter_mut().flat_map(|fix| &mut fix.edits).map(|edit| &mut edit.span);
    labels.chain(edits).for_each(|span| span.file.0 += shift);
    diagnostic
}

// ---- Any data at all.

fn any_text() -> impl Strategy<Value = String> {
    let pieces =
        prop_oneof!["[a-z =]{0,30}", "[ä語\u{301}\t🙂]{0,6}", Just("\n".to_owned()), Just("\r\n".to_owned()), ".{0,5}"];
    proptest::collection::vec(pieces, 0..12).prop_map(|pieces| pieces.concat())
}

fn any_span() -> impl Strategy<Value = Span> {
    (0..3u32, 0..120u32, 0..120u32).prop_map(|(file, start, end)| Span { file: FileId(file), start, end })
}

fn any_diagnostic() -> impl Strategy<Value = Diagnostic> {
    let label = (any_span(), "[a-z]{0,4}");
    let labels = proptest::collection::vec(label, 0..5);
    let edits = proptest::collection::vec((any_span(), ".{0,5}"), 0..3);
    (labels, edits, ".{0,20}").prop_map(|(labels, edits, message)| {
        let mut diagnostic = Diagnostic::new(&UNKNOWN_FIELD, Span::start_of(FileId(0)), message);
        diagnostic.labels.clear();
        let diagnostic = labels.into_iter().fold(diagnostic, |diagnostic, (span, text)| diagnostic.label(span, text));
        let edits = edits.into_iter().map(|(span, text)| Edit { span, text }).collect();
        let fix = Fix { title: "mend it".to_owned(), edits, certainty: Certainty::Sure };
        Diagnostic { fixes: vec![fix], ..diagnostic }
    })
}

proptest! {
    #[test]
    fn nothing_makes_a_format_panic_or_a_frame_too_wide(
        texts in (any_text(), any_text()),
        diagnostic in any_diagnostic(),
        width in 0..120usize,
    ) {
        let mut sources = SourceMap::default();
        sources.add_file(Path::new("one.dlm"), texts.0);
        sources.add_file(Path::new("two.dlm"), texts.1);
        for format in Format::ALL {
            let text = render(std::slice::from_ref(&diagnostic), &sources, *format, Look { color: false, width });
            prop_assert!(text.ends_with('\n'));
        }
        let drawn = human(std::slice::from_ref(&diagnostic), &sources);
        for row in drawn.lines().skip(1) {
            prop_assert!(row.width() <= 80, "{row:?} is wider than the screen");
            prop_assert!(!row.contains(|letter: char| letter.is_control()), "{row:?} steers the terminal");
        }
        dlm::diag::apply_fixes(&[diagnostic], &sources);
    }
}
