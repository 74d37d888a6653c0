//! `dlm check --fix`: what is certainly meant is written, and the result checks clean.

use std::path::PathBuf;

use dlm::base::Memory;
use dlm::diag::{Diagnostic, apply_fixes};
use dlm::session::{Overrides, Session};

const SCHEMA: &str = "dlm 1
enum Shape { round_loaf, long_loaf }
schema Oven {
  heat: int > 0 = 200
}
schema Bakery {
  oven: Oven
  loaves: int > 0 = 12
  flour: tokens = 1
  time: iters = 5
  budget: tokens | iters = 5 iters
  weight: float > 0 = 1 renamed from mass
  shape: Shape = round_loaf
  old_heat: int? deprecated since \"2\" use oven.heat
  sold: int = 1
  check few: loaves <= 40 fix loaves = 40
  check sold_there: sold <= loaves fix sold = loaves
}
";

fn checked(text: &str) -> (Session, Vec<Diagnostic>) {
    let mut session = Session::new(Memory::default().with("main.dlm", text));
    let project = session.load(&[PathBuf::from("main.dlm")]);
    let report = session.check(&project, &Overrides::default());
    (session, report.diagnostics)
}

/// The text with its sure fixes applied until nothing changes, as the command does.
fn fixed(text: &str) -> String {
    let mut text = text.to_owned();
    for _ in 0..10 {
        let (session, diagnostics) = checked(&text);
        let texts = apply_fixes(&diagnostics, session.sources());
        let Some(new) = texts.into_values().next() else { return text };
        text = new;
    }
    panic!("fixes go on for ever: {text}");
}

fn body(lines: &str) -> String {
    format!("{SCHEMA}experiment e extends Bakery {{\n{lines}\n}}\n")
}

#[test]
fn each_kind_of_slip_is_mended() {
    let table = [
        ("misspelt field", "  loavs = 3", "  loaves = 3"),
        ("misspelt group", "  ovn.heat = 3", "  oven.heat = 3"),
        ("field of a group", "  heat = 3", "  oven.heat = 3"),
        ("misspelt value", "  shape = long_laof", "  shape = long_loaf"),
        ("renamed field", "  mass = 3", "  weight = 3"),
        ("deprecated field", "  old_heat = 3", "  oven.heat = 3"),
        ("wrong unit", "  flour = 10GB", "  flour = 10B"),
        ("decimal point", "  loaves = 28.0", "  loaves = 28"),
        ("decimal point in a count", "  time = 20.0", "  time = 20"),
        ("decimal point before a unit", "  budget = 20.0 iters", "  budget = 20 iters"),
        ("rule of the schema", "  loaves = 50", "  loaves = 40"),
        ("rule with a value", "  sold = 30", "  sold = 12"),
    ];
    for (kind, broken, mended) in table {
        let (_, said) = checked(&body(broken));
        assert!(!said.is_empty(), "{kind}: nothing is wrong");
        assert_eq!(fixed(&body(broken)), body(mended), "{kind}");
        assert!(checked(&body(mended)).1.is_empty(), "{kind}: {:?}", checked(&body(mended)).1);
    }
}

#[test]
fn several_in_one_file_and_once_more() {
    let broken = body("  loavs = 50\n  mass = 3\n  flour = 10GB\n  shape = long_laof\n  time = 20.0");
    let mended = body("  loaves = 40\n  weight = 3\n  flour = 10B\n  shape = long_loaf\n  time = 20");
    assert_eq!(fixed(&broken), mended);
    assert_eq!(fixed(&mended), mended);
    assert!(checked(&mended).1.is_empty());
}

#[test]
fn a_deprecated_field_stays_where_its_successor_is_set_too() {
    for lines in ["  oven.heat = 2\n  old_heat = 3", "  old_heat = 3\n  oven.heat = 2"] {
        let (_, said) = checked(&body(lines));
        assert_eq!(said.len(), 1, "{lines}: {said:?}");
        assert_eq!(fixed(&body(lines)), body(lines), "renaming it would set one field twice");
    }
}
