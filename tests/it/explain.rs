//! `dlm explain FIELD FILE`: every layer that touched a value, what went in, what stands behind it.

use crate::cli::Home;

const SHOP: &str = "dlm 1

schema Oven {
  heat: int > 0 = 200
}

schema Shop {
  oven: Oven
  ## Loaves of a day.
  loaves: int > 0 = 12   flag \"--loaves\"
  dough: int = loaves * 2
  water: int = dough + oven.heat / 100
  names: list<string> = []

  check enough_dough: dough >= loaves
  check hot: oven.heat > 180 when loaves > 100
}

mixin busy for Shop {
  loaves = 40
  names += [\"rye\"]
}

abstract experiment base extends Shop with busy {
  loaves   = super + 2
  oven.heat ?= 220
  names += [\"spelt\"]
}

experiment today extends base {
  oven  = { }
  dough = loaves * 3 + oven.heat / 100
  final loaves = super / 2
  check few: loaves < 100
}
";

fn home() -> Home {
    Home::new().with("shop.dlm", SHOP)
}

#[test]
fn layers_and_inputs_of_a_value() {
    let home = home();
    insta::assert_snapshot!(home.dlm(&["explain", "loaves", "shop.dlm"]).shown(), @r##"
status 0
── stdout
loaves: int, above 0
  Loaves of a day.
  default   12
  flag      --loaves VALUE
  declared  shop.dlm:10

loaves = 21   in `today`
  21   shop.dlm:33:3, experiment `today`   `final loaves = super / 2`
    = super / 2
  42   shop.dlm:25:3, experiment `base`   `loaves = super + 2`
  40   shop.dlm:20:3, mixin `busy`
  12   default, shop.dlm:10, overridden

rules
  check enough_dough: dough >= loaves   holds, shop.dlm:15
  check hot: oven.heat > 180   does not apply, shop.dlm:16
  check few: loaves < 100   holds, shop.dlm:34
── stderr
"##);
    insta::assert_snapshot!(home.dlm(&["explain", "dough", "shop.dlm", "--set", "dough=super+1"]).shown(), @r##"
status 0
── stdout
dough: int
  default   loaves * 2
  declared  shop.dlm:11

dough = 66   in `today`
  66   --set dough=super+1   `dough=super+1`
    = super+1
  65   shop.dlm:32:3, experiment `today`   `dough = loaves * 3 + oven.heat / 100`
  42   derived, shop.dlm:11, overridden
    = loaves * 2
    loaves = 21   shop.dlm:33:18, experiment `today`

rules
  check enough_dough: dough >= loaves   holds, shop.dlm:15
── stderr
"##);
    insta::assert_snapshot!(home.dlm(&["explain", "names", "shop.dlm", "--set", "names=[]"]).shown(), @r##"
status 0
── stdout
names: list<string>
  default   []
  declared  shop.dlm:13

names = []   in `today`
  []   --set names=[]   `names=[]`
  ["rye", "spelt"]   shop.dlm:27:3, experiment `base`, overridden   `names += ["spelt"]`
  ["rye"]   shop.dlm:21:3, mixin `busy`, overridden   `names += ["rye"]`
  []   default, shop.dlm:13, overridden
── stderr
"##);
    insta::assert_snapshot!(home.dlm(&["explain", "oven.heat", "shop.dlm"]).shown(), @r##"
status 0
── stdout
oven.heat: int, above 0
  default   200
  declared  shop.dlm:4

oven.heat = 200   in `today`
  200   shop.dlm:31:3, experiment `today`   `oven`
  220   shop.dlm:26:3, experiment `base`, overridden   `oven.heat ?= 220`
  200   default, shop.dlm:4, overridden

rules
  check hot: oven.heat > 180   does not apply, shop.dlm:16
── stderr
"##);
}

#[test]
fn the_whole_chain_behind_a_value() {
    insta::assert_snapshot!(home().dlm(&["explain", "water", "shop.dlm", "--why"]).shown(), @r##"
status 0
── stdout
water = 67   derived, shop.dlm:12
  = dough + oven.heat / 100
    dough = 65   shop.dlm:32:11, experiment `today`
      = loaves * 3 + oven.heat / 100
        loaves = 21   shop.dlm:33:18, experiment `today`
          = super / 2
        oven.heat = 200   default, shop.dlm:4
    oven.heat = 200   default, shop.dlm:4
── stderr
"##);
}

#[test]
fn explanations_for_programs() {
    let home = home();
    let json = |arguments: &[&str]| -> serde_json::Value {
        let done = home.dlm(arguments);
        done.succeeds();
        serde_json::from_str(&done.out).unwrap()
    };
    let water = json(&["explain", "water", "shop.dlm", "--format", "json"]);
    assert_eq!(water["value"], "67");
    assert_eq!(water["inputs"][0]["field"], "dough");
    let loaves = json(&["explain", "loaves", "shop.dlm", "--format", "json"]);
    assert_eq!(loaves["rules"][2]["code"], "dlm::check::few");
    assert_eq!(loaves["rules"][1]["standing"], "does not apply");
    assert_eq!(loaves["steps"][3]["overridden"], true);
}

#[test]
fn a_long_chain_needs_no_stack() {
    let mut text = "dlm 1\n\nschema Long {\n  f0: int = 1\n".to_owned();
    for at in 1..190 {
        text.push_str(&format!("  f{at}: int = f{} + f{}\n", at - 1, at / 2));
    }
    // Sums of ones: every part is spelled out once, so the tree grows with the fields and not with the paths.
    text = text.replace("= f0 + f0", "= f0 * 1");
    text.push_str("}\n\nexperiment long extends Long {\n}\n");
    let home = Home::new().with("long.dlm", text);
    let done = home.dlm(&["explain", "f60", "long.dlm", "--why"]);
    done.succeeds();
    assert!(done.out.lines().count() < 4 * 61, "{}", done.out.lines().count());
}

#[test]
fn what_a_reset_made_void_is_part_of_the_story() {
    let text = "dlm 1
schema S { lr: float = 1.0; half: float = lr / 2; g: G }
schema G { a: int = 1; b: int? }
mixin m for S { lr ?= 7 }
abstract experiment base extends S with m { lr = 3; g { a = 5; b = 6 } }
abstract experiment mid extends base { unset lr; g = { b = 4 } }
experiment top extends mid { lr = super * 2 }
";
    let home = Home::new().with("a.dlm", text);
    insta::assert_snapshot!(home.dlm(&["explain", "lr", "a.dlm"]).shown(), @r##"
status 0
── stdout
lr: float
  default   1.0
  declared  a.dlm:2

lr = 2   in `top`
  2   a.dlm:7:30, experiment `top`   `lr = super * 2`
    = super * 2
  1   a.dlm:6:40, experiment `mid`   `unset lr`
  3   a.dlm:5:45, experiment `base`, overridden
  7   a.dlm:4:17, mixin `m`, overridden   `lr ?= 7`
  1   default, a.dlm:2, overridden
── stderr
"##);
    insta::assert_snapshot!(home.dlm(&["explain", "g.a", "a.dlm"]).shown(), @r##"
status 0
── stdout
g.a: int
  default   1
  declared  a.dlm:3

g.a = 1   in `top`
  1   a.dlm:6:50, experiment `mid`   `g`
  5   a.dlm:5:57, experiment `base`, overridden
  1   default, a.dlm:3, overridden
── stderr
"##);
}

#[test]
fn a_chain_as_data() {
    insta::assert_snapshot!(home().dlm(&["explain", "water", "shop.dlm", "--why", "--format", "json"]).shown(), @r##"
status 0
── stdout
{
  "chain": [
    {
      "expression": "dough + oven.heat / 100",
      "field": "water",
      "place": "derived, shop.dlm:12",
      "reads": [
        "dough",
        "oven.heat"
      ],
      "value": "67"
    },
    {
      "expression": "loaves * 3 + oven.heat / 100",
      "field": "dough",
      "place": "shop.dlm:32:11, experiment `today`",
      "reads": [
        "loaves",
        "oven.heat"
      ],
      "value": "65"
    },
    {
      "expression": "super / 2",
      "field": "loaves",
      "place": "shop.dlm:33:18, experiment `today`",
      "reads": [],
      "value": "21"
    },
    {
      "expression": null,
      "field": "oven.heat",
      "place": "default, shop.dlm:4",
      "reads": [],
      "value": "200"
    }
  ],
  "experiment": "today",
  "version": 1
}
── stderr
"##);
}
