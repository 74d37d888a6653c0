//! What comes from outside a file: order, forms, and that no text of it can break anything.

use dlm::base::Memory;
use dlm::session::{Checked, Override, Overrides, Session};
use proptest::prelude::*;

use crate::support::case::Case;
use crate::support::check_case;

const BAKERY: &str = "dlm 1
schema Oven {
  heat: float >= 0 = 200   flag \"--heat\"
  fan: bool = true         flag \"--no-fan\" store_false
}
schema Bakery {
  oven: Oven
  loaves: int > 0 = 12     flag \"--loaves\"
  seeds: list<string> = [] flag \"--seeds\" many
}
mixin large for Bakery { loaves = 100 }
experiment morning extends Bakery { loaves = 20 }
";

fn checked(overrides: &Overrides) -> (Session, Checked) {
    let mut session = Session::new(Memory::default().with("main.dlm", BAKERY));
    let project = session.load(&["main.dlm".into()]);
    let choice = session.choose(&project, Some("morning")).unwrap();
    let checked = session.check_one(&project, &choice, overrides);
    (session, checked)
}

/// The value of a field, as it would be written.
fn value(overrides: &Overrides, path: &str) -> String {
    let (_, checked) = checked(overrides);
    assert!(checked.is_ok(), "{:?}", checked.diagnostics);
    let experiment = checked.experiment.unwrap();
    experiment.value(experiment.schema.field_id(path).unwrap()).data.to_string()
}

fn given(settings: &[Override]) -> Overrides {
    Overrides { settings: settings.to_vec(), ..Overrides::default() }
}

fn set(text: &str) -> Override {
    Override::Set(text.to_owned())
}

fn values(name: &str, text: &str) -> Override {
    Override::Values(name.to_owned(), text.to_owned())
}

fn flags(words: &[&str]) -> Overrides {
    given(&[Override::Flags(words.iter().map(|word| (*word).to_owned()).collect())])
}

#[test]
fn values_files_mixins_changes_and_flags_act_in_this_order() {
    let mut overrides = given(&[values("a.yaml", "loaves: 30")]);
    assert_eq!(value(&overrides, "loaves"), "30");
    overrides.settings.push(values("b.json", "{\"loaves\": 40}"));
    assert_eq!(value(&overrides, "loaves"), "40");
    overrides.settings.push(Override::With("large".to_owned()));
    assert_eq!(value(&overrides, "loaves"), "100");
    // The order of the arguments does not matter between these kinds, only within one.
    overrides.settings.insert(0, set("loaves = super + 1"));
    assert_eq!(value(&overrides, "loaves"), "101");
    overrides.settings.push(Override::Flags(vec!["--loaves=7".to_owned()]));
    assert_eq!(value(&overrides, "loaves"), "7");
}

#[test]
fn changes_act_as_typed() {
    let add = |text: &str| Override::Add(text.to_owned());
    let unset = |text: &str| Override::Unset(text.to_owned());
    assert_eq!(value(&given(&[unset("loaves")]), "loaves"), "12");
    assert_eq!(value(&given(&[unset("loaves"), set("loaves=3")]), "loaves"), "3");
    assert_eq!(value(&given(&[set("loaves=3"), unset("loaves")]), "loaves"), "12");
    let seeds = [set("seeds=[\"poppy\"]"), add("seeds=\"flax\""), add("seeds=[\"hemp\", \"chia\"]")];
    assert_eq!(value(&given(&seeds), "seeds"), "[\"poppy\", \"flax\", \"hemp\", \"chia\"]");
    assert_eq!(value(&given(&[set("oven.heat=1"), unset("oven")]), "oven.heat"), "200");
}

#[test]
fn flags_are_read_as_argparse_does() {
    let heat = |words: &[&str]| value(&flags(words), "oven.heat");
    assert_eq!(heat(&["--heat", "1e2"]), "100");
    assert_eq!(heat(&["--heat=.5"]), "0.5");
    assert_eq!(heat(&["--he", "3"]), "3", "a beginning that one flag has");
    assert_eq!(value(&flags(&["--no-fan"]), "oven.fan"), "false");
    assert_eq!(value(&flags(&["--seeds", "a b", "-1", "c"]), "seeds"), "[\"a b\", \"-1\", \"c\"]");
    assert_eq!(value(&flags(&["--seeds"]), "seeds"), "[]");
    let refused = |words: &[&str]| {
        checked(&flags(words)).1.diagnostics.iter().filter_map(|it| it.upstream.clone()).collect::<Vec<_>>()
    };
    assert_eq!(refused(&["--loaves", "1e2"]), ["parse.invalid-value"]);
    assert_eq!(refused(&["--loaves"]), ["parse.missing-value"]);
    assert_eq!(refused(&["--heat", "1", "2"]), ["parse.unknown-flag"]);
    assert_eq!(refused(&["--no-fan=1"]), ["parse.unexpected-value"]);
    assert_eq!(refused(&["--loave", "1", "--breads"]), ["parse.unknown-flag"]);
}

#[test]
fn a_thousand_levels_of_yaml_are_refused_and_aliases_never_expanded() {
    let codes = |text: String| {
        let (_, checked) = checked(&given(&[values("v.yaml", &text)]));
        checked.diagnostics.iter().map(|found| found.code.to_string()).collect::<Vec<_>>()
    };
    assert!(codes(format!("oven: {}", "{a: ".repeat(1000))).contains(&"dlm::values::bad_values".to_owned()));
    assert!(!codes(format!("seeds: {}", "[".repeat(5000))).is_empty());
    let laughs: String =
        (1..30).map(|at| format!("a{at}: &a{at} [{}]\n", format!("*a{},", at - 1).repeat(9))).collect();
    assert!(codes(format!("a0: &a0 [x]\n{laughs}")).contains(&"dlm::values::bad_values".to_owned()));
}

proptest! {
    #[test]
    fn no_values_file_makes_anything_panic(text in "([ a-z0-9:{}\\[\\],&*!|>'\"#.?%~<ä\t-]|loaves|oven|\n){0,60}") {
        let (session, checked) = checked(&given(&[values("v.yaml", &text)]));
        for found in &checked.diagnostics {
            for label in &found.labels {
                let file = session.sources().get(label.span.file).unwrap();
                prop_assert!(file.text.get(label.span.range()).is_some(), "{found:?}");
            }
        }
    }

    #[test]
    fn no_words_make_anything_panic(words in prop::collection::vec("(--loaves|--heat|--|-|--no-fan)?[=a-z0-9 ä.'_-]{0,6}", 0..6)) {
        let (session, checked) = checked(&given(&[Override::Flags(words)]));
        for label in checked.diagnostics.iter().flat_map(|found| &found.labels) {
            let file = session.sources().get(label.span.file).unwrap();
            prop_assert!(file.text.get(label.span.range()).is_some());
        }
    }
}

#[test]
fn a_case_may_check_flags_alone() {
    let case = Case::parse("#! --target megadlms\n#! -- --no-such-flag\n").unwrap();
    let (_, diagnostics) = check_case(&case);
    assert!(diagnostics.iter().any(|found| found.code.to_string() == "dlm::resolve::unknown_flag"));
}
