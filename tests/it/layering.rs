//! Layers and overrides: values against those worked out by hand in the comments.

use dlm::base::Memory;
use dlm::session::{Overrides, Session};

const BAKERY: &str = "dlm 1

schema Oven {
  heat: int > 0 = 200
  time: int > 0 = 40
}

schema Bakery {
  loaves: int > 0 = 12
  flour: float > 0 = loaves * 0.5
  seeds: list<string> = [\"poppy\"]
  note: string?
  oven: Oven
}
";

/// The value of each of `paths` in experiment `e` of the bakery's file with `text` behind it.
fn values(text: &str, sets: &[&str], paths: &[&str]) -> Vec<String> {
    let mut session = Session::new(Memory::default().with("main.dlm", format!("{BAKERY}\n{text}").into_bytes()));
    let project = session.load(&["main.dlm".into()]);
    let id = session.choose(&project, Some("e")).unwrap();
    let overrides = Overrides::set(sets);
    let checked = session.check_one(&project, &id, &overrides);
    let said: Vec<&str> = checked.diagnostics.iter().map(|diagnostic| diagnostic.message.as_str()).collect();
    assert_eq!(said, [""; 0], "{text}");
    let experiment = checked.experiment.unwrap();
    let value = |path: &&str| {
        let (_, value) = experiment.iter().find(|(id, _)| experiment.schema.field(*id).path.as_str() == *path).unwrap();
        value.data.to_string()
    };
    paths.iter().map(value).collect()
}

#[test]
fn the_last_layer_that_sets_a_field_wins() {
    let text = "mixin a for Bakery {\n  loaves = 20\n  oven.heat = 210\n  oven.time = 41\n}\n\
                mixin b for Bakery {\n  oven.time = 42\n}\n\
                experiment base extends Bakery with a {\n  oven.heat = 220\n  note = \"base\"\n}\n\
                experiment e extends base with b {\n  note = \"e\"\n}\n";
    // loaves: mixin a. heat: the base's body is above its mixins. time: b is of a later list than a. note: own body.
    // flour: 20 * 0.5, from the value of loaves that won.
    assert_eq!(
        values(text, &[], &["loaves", "oven.heat", "oven.time", "note", "flour"]),
        ["20", "220", "42", "\"e\"", "10"]
    );
    // The command line is above all, and of two arguments the later one counts; 8 * 0.5.
    assert_eq!(values(text, &["loaves=7", "loaves=8"], &["loaves", "flour"]), ["8", "4"]);
}

#[test]
fn the_body_and_over_decide_between_mixins() {
    let mixins = "mixin a for Bakery {\n  loaves = 20\n}\nmixin b for Bakery {\n  loaves = 30\n}\n";
    let body = format!("{mixins}experiment e extends Bakery with a, b {{\n  loaves = 25\n}}\n");
    assert_eq!(values(&body, &[], &["loaves"]), ["25"]);
    let over = format!("{mixins}experiment e extends Bakery with a, b over a.loaves {{\n}}\n");
    assert_eq!(values(&over, &[], &["loaves"]), ["30"]);
    // An undecided ancestor would be an error of its own; here the list of the descendant is another list.
    let lists =
        format!("{mixins}experiment base extends Bakery with b {{\n}}\nexperiment e extends base with a {{\n}}\n");
    assert_eq!(values(&lists, &[], &["loaves"]), ["20"]);
}

#[test]
fn weak_settings_yield_to_all_but_the_default() {
    let mixins = "mixin strong for Bakery {\n  loaves = 20\n}\nmixin weak for Bakery {\n  loaves ?= 30\n}\n";
    // Against the default of 12 the weak one wins.
    let alone = format!("{mixins}experiment e extends Bakery with weak {{\n}}\n");
    assert_eq!(values(&alone, &[], &["loaves"]), ["30"]);
    // A weaker layer with `=` is still stronger than `?=`.
    let later = format!("{mixins}experiment e extends Bakery with strong, weak {{\n}}\n");
    assert_eq!(values(&later, &[], &["loaves"]), ["20"]);
    let body = format!("{mixins}experiment e extends Bakery with strong {{\n  loaves ?= 99\n}}\n");
    assert_eq!(values(&body, &[], &["loaves"]), ["20"]);
    // Between weak settings the later layer wins.
    let two = format!("{mixins}experiment e extends Bakery with weak {{\n  loaves ?= 31\n}}\n");
    assert_eq!(values(&two, &[], &["loaves"]), ["31"]);
}

#[test]
fn super_is_the_value_below() {
    let text = "mixin a for Bakery {\n  loaves = super + 8\n}\n\
                experiment base extends Bakery with a {\n  loaves = super * 2\n}\n\
                experiment e extends base {\n  loaves = super - 1\n}\n";
    // Default 12; a: 12 + 8 = 20; base: 20 * 2 = 40; e: 40 - 1 = 39.
    assert_eq!(values(text, &[], &["loaves"]), ["39"]);
    // The command line: 39 + 1 = 40, and again 40 + 1 = 41.
    assert_eq!(values(text, &["loaves=super+1", "loaves=super+1"], &["loaves"]), ["41"]);
    // A late-bound value below: flour is 12 * 0.5 = 6 by default, and 6 * 3 = 18.
    let late = "experiment e extends Bakery {\n  flour = super * 3\n}\n";
    assert_eq!(values(late, &[], &["flour"]), ["18"]);
    // It follows its input: 20 * 0.5 * 3 = 30.
    assert_eq!(values(late, &["loaves=20"], &["flour"]), ["30"]);
}

#[test]
fn expressions_are_bound_late_and_exactly() {
    let text = "experiment base extends Bakery {\n  oven.time = loaves * 3\n}\nexperiment e extends base {\n  loaves = 20\n}\n";
    // time follows the descendant's loaves: 20 * 3.
    assert_eq!(values(text, &[], &["oven.time", "flour"]), ["60", "10"]);
    let exact = "experiment e extends Bakery {\n  flour = 3e-4 / 10 + 0.1 + 0.2\n}\n";
    // In decimals 0.00003 + 0.1 + 0.2 is 0.30003; binary floats would show 0.30003000000000002 or so.
    assert_eq!(values(exact, &[], &["flour"]), ["0.30003"]);
}

#[test]
fn unset_and_restart_go_back_to_defaults() {
    let base = "experiment base extends Bakery {\n  loaves = 20\n  oven {\n    heat = 230\n    time = 50\n  }\n}\n";
    let unset = format!("{base}experiment e extends base {{\n  unset loaves\n}}\n");
    // loaves: its default; flour follows it: 12 * 0.5.
    assert_eq!(values(&unset, &[], &["loaves", "flour", "oven.heat"]), ["12", "6", "230"]);
    let group = format!("{base}experiment e extends base {{\n  unset oven\n}}\n");
    assert_eq!(values(&group, &[], &["oven.heat", "oven.time"]), ["200", "40"]);
    let edit = format!("{base}experiment e extends base {{\n  oven {{\n    time = 55\n  }}\n}}\n");
    assert_eq!(values(&edit, &[], &["oven.heat", "oven.time"]), ["230", "55"]);
    // `=` before the brace starts from the defaults, so heat is 200 and not 230.
    let restart = format!("{base}experiment e extends base {{\n  oven = {{\n    time = 55\n  }}\n}}\n");
    assert_eq!(values(&restart, &[], &["oven.heat", "oven.time"]), ["200", "55"]);
    // A weak setting of a layer below goes with the reset; one above it stays.
    let weak = "experiment base extends Bakery {\n  loaves ?= 30\n}\nexperiment e extends base {\n  unset loaves\n}\n";
    assert_eq!(values(weak, &[], &["loaves"]), ["12"]);
}

#[test]
fn lists_grow_and_shrink_by_value() {
    let text = "experiment base extends Bakery {\n  seeds += [\"flax\", \"sesame\"]\n}\n\
                experiment e extends base {\n  seeds -= \"poppy\"\n  seeds += \"cumin\"\n}\n";
    // [poppy] + [flax, sesame] - poppy + cumin
    assert_eq!(values(text, &[], &["seeds"]), ["[\"flax\", \"sesame\", \"cumin\"]"]);
    // `=` replaces the list.
    assert_eq!(values(text, &["seeds=[\"rye\"]"], &["seeds"]), ["[\"rye\"]"]);
}

#[test]
fn none_is_a_value_and_unset_is_not() {
    let text =
        "experiment base extends Bakery {\n  note = \"warm\"\n}\nexperiment e extends base {\n  note = none\n}\n";
    assert_eq!(values(text, &[], &["note"]), ["none"]);
    // A descendant may set it again.
    assert_eq!(values(text, &["note=\"cold\""], &["note"]), ["\"cold\""]);
}

#[test]
fn a_schema_grows_by_every_extension_wherever_it_stands() {
    // Two extensions of the file's own schema, one before its declaration; rolls: half of 12 loaves.
    let own = "extend schema Cafe {\n  cups: int = 3\n}\nschema Cafe {\n  loaves: int = 12\n}\n\
               extend schema Cafe {\n  rolls: int = loaves // 2\n}\nexperiment e extends Cafe {\n  cups = 4\n}\n";
    assert_eq!(values(own, &[], &["loaves", "cups", "rolls"]), ["12", "4", "6"]);
    // Two extensions of an imported schema: the first makes this file's copy, the second adds to that.
    let mut session =
        Session::new(Memory::default().with("base.dlm", "dlm 1\nschema Cafe {\n  loaves: int = 12\n}\n").with(
            "main.dlm",
            "dlm 1\nuse \"base.dlm\" { Cafe }\nextend schema Cafe {\n  cups: int = 3\n}\n\
             extend schema Cafe {\n  rolls: int = 0\n}\nexperiment e extends Cafe {\n  cups = 4\n  rolls = 5\n}\n",
        ));
    let project = session.load(&["main.dlm".into()]);
    assert_eq!(session.check(&project, &Overrides::default()).diagnostics, []);
}
