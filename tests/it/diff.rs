//! `dlm diff`: values that differ, and who decided on either side.

use crate::cli::Home;

const SHOP: &str = "dlm 1

schema Oven {
  heat: int > 0 = 200
  fan: bool = false
}

schema Shop {
  oven: Oven
  loaves: int = 12
  dough: int = loaves * 2
  names: list<string> = []
}

experiment weekday extends Shop {
  loaves = 30
}

experiment weekend extends weekday {
  loaves = super + 12
  oven.heat = 220
  names += [\"rye\"]
}

experiment same extends weekday {
  loaves = 30
}
";

fn home() -> Home {
    let renamed = SHOP.replace("Shop", "Bakery").replace("  fan: bool = false\n", "  steam: bool = true\n");
    Home::new().with("shop.dlm", SHOP).with("other.dlm", renamed.replace("  oven.heat = 220", "  oven.steam = false"))
}

#[test]
fn two_experiments_of_one_file() {
    let done = home().dlm(&["diff", "shop.dlm#weekday", "#weekend"]);
    insta::assert_snapshot!(done.shown(), @r##"
status 1
── stdout
- weekday of shop.dlm
+ weekend of shop.dlm

oven
  heat: 200 → 220
    - 200   default, shop.dlm:4
    + 220   shop.dlm:21:15, experiment `weekend`

(top)
  loaves: 30 → 42
    - 30   shop.dlm:16:12, experiment `weekday`
    + 42   shop.dlm:20:12, experiment `weekend`
  dough: 60 → 84
    - 60   derived, shop.dlm:11
    + 84   derived, shop.dlm:11
  names: [] → ["rye"]
    - []   default, shop.dlm:12
    + ["rye"]   shop.dlm:22:12, experiment `weekend`

4 fields differ
── stderr
"##);
    let hashed = home().dlm(&["diff", "shop.dlm#weekday", "shop.dlm#weekend"]);
    assert_eq!(hashed.out, done.out);
}

#[test]
fn the_same_values_are_no_difference() {
    let home = home();
    home.dlm(&["diff", "shop.dlm#weekday", "shop.dlm#same"]).succeeds();
    let all = home.dlm(&["diff", "shop.dlm#weekday", "shop.dlm#same", "--all"]);
    insta::assert_snapshot!(all.shown(), @r##"
status 1
── stdout
- weekday of shop.dlm
+ same of shop.dlm

(top)
  loaves: 30 → 30
    - 30   shop.dlm:16:12, experiment `weekday`
    + 30   shop.dlm:26:12, experiment `same`

1 field differs
── stderr
"##);
}

#[test]
fn settings_change_the_new_side() {
    let done = home().dlm(&["diff", "shop.dlm#weekend", "--set", "loaves=super+1", "--format", "json"]);
    insta::assert_snapshot!(done.shown(), @r##"
status 1
── stdout
{
  "fields": [
    {
      "field": "loaves",
      "left": {
        "place": "shop.dlm:20:12, experiment `weekend`",
        "value": "42"
      },
      "right": {
        "place": "--set loaves=super+1",
        "value": "43"
      }
    },
    {
      "field": "dough",
      "left": {
        "place": "derived, shop.dlm:11",
        "value": "84"
      },
      "right": {
        "place": "derived, shop.dlm:11",
        "value": "86"
      }
    }
  ],
  "left": "weekend of shop.dlm",
  "right": "weekend of shop.dlm with settings",
  "version": 1
}
── stderr
"##);
}

#[test]
fn schemas_need_not_be_the_same() {
    let done = home().dlm(&["diff", "shop.dlm#weekend", "other.dlm#weekend"]);
    insta::assert_snapshot!(done.shown(), @r##"
status 1
── stdout
- weekend of shop.dlm
+ weekend of other.dlm

oven
  heat: 220 → 200
    - 220   shop.dlm:21:15, experiment `weekend`
    + 200   default, other.dlm:4
  fan: false → (no such field)
    - false   default, shop.dlm:5
  steam: (no such field) → false
    + false   other.dlm:21:16, experiment `weekend`

3 fields differ
── stderr
"##);
}

#[test]
fn trouble_is_no_difference() {
    let home = home().with("bad.dlm", SHOP.replace("loaves = 30", "loavs = 30"));
    for arguments in [
        &["diff", "shop.dlm#weekday"][..],
        &["diff", "shop.dlm#weekday", "missing.dlm"],
        &["diff", "shop.dlm#weekday", "bad.dlm#weekday"],
        &["diff", "shop.dlm#weekday", "shop.dlm#holiday"],
        &["diff", "shop.dlm", "shop.dlm"],
    ] {
        let done = home.dlm(arguments);
        assert_eq!((done.code, done.out.as_str()), (Some(2), ""), "{arguments:?}: {}", done.err);
        assert!(!done.err.is_empty(), "{arguments:?}");
    }
}
