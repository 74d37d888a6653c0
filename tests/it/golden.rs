//! `dlm golden`: what is kept says exactly what is resolved.

use dlm::base::Decimal;
use dlm::session::{Overrides, Session};
use dlm::view::golden::write;
use proptest::prelude::*;

use crate::cli::Home;
use crate::support::{at, files_under};

const SHOP: &str = "dlm 1

enum Flour { rye, spelt }

schema Shop {
  loaves: int = 12
  flour: Flour? = none
  sorts: list<Flour> = []
  name: string = \"\"
  folder: path? = none
  price: float = 1
  share: fraction = 10%
  rest: duration = 5 min
  budget: tokens | iters = 1B tokens
  old: int = 3   deprecated \"nobody bakes so\"
  ovens: map<string, Oven>
  labels: map<string, string>
}

schema Oven {
  heat: int = 200
  door: string?
}
";

fn shop(body: &str) -> String {
    format!("{SHOP}\nexperiment today extends Shop {{\n{body}\n}}\n")
}

#[test]
fn goldens_are_written_checked_and_removed() {
    let home = Home::new().with("shop.dlm", shop("  flour = rye\n  sorts = [rye, spelt]")).with("other.dlm", shop(""));
    home.dlm(&["golden", "."]).finds(&["is missing"]);
    home.dlm(&["golden", ".", "--update"]).succeeds();
    insta::assert_snapshot!(home.read("goldens/shop.today.golden"), @r##"
# dlm golden 1: today of shop.dlm
loaves = 12
flour = rye
sorts = [rye, spelt]
name = ""
folder = none
price = 1
share = 0.1
rest = 300 s
budget = 1000000000 tokens
old = 3
"##);
    home.dlm(&["golden", "."]).succeeds();
    home.dlm(&["diff", "goldens/shop.today.golden", "shop.dlm"]).succeeds();
    let home = home.with("shop.dlm", shop("  loaves = 13"));
    insta::assert_snapshot!(home.dlm(&["golden", "shop.dlm"]).shown(), @r##"
status 1
── stdout
- today of shop.dlm (golden)
+ today of shop.dlm

(top)
  loaves: 12 → 13
    - 12   goldens/shop.today.golden:2
    + 13   shop.dlm:26:12, experiment `today`
  flour: rye → none
    - rye   goldens/shop.today.golden:3
    + none   default, shop.dlm:7
  sorts: [rye, spelt] → []
    - [rye, spelt]   goldens/shop.today.golden:4
    + []   default, shop.dlm:8

3 fields differ

1 golden is not as kept
  help: `dlm golden --update` takes what is resolved now
── stderr
"##);
    let home = home.with("shop.dlm", shop("").replace("today", "monday"));
    insta::assert_snapshot!(home.dlm(&["golden", "shop.dlm"]).shown(), @r##"
status 1
── stdout
`goldens/shop.monday.golden` is missing
`goldens/shop.today.golden` belongs to no experiment
2 goldens are not as kept
  help: `dlm golden --update` takes what is resolved now
── stderr
"##);
    home.dlm(&["golden", "shop.dlm", "--update"]).succeeds();
    assert!(!home.path("goldens/shop.today.golden").exists(), "the orphan is removed");
    assert!(home.path("goldens/other.today.golden").exists(), "a file that was not named keeps its own");
    home.dlm(&["golden", "."]).succeeds();
}

#[test]
fn a_file_with_errors_has_no_golden_and_loses_none() {
    let home = Home::new().with("shop.dlm", shop("  loaves = 30"));
    home.dlm(&["golden", ".", "--update"]).succeeds();
    let home = home.with("shop.dlm", shop("  loavs = 30"));
    home.dlm(&["golden", ".", "--update"]).finds(&["unknown_field"]);
    assert!(home.path("goldens/shop.today.golden").exists());
}

#[test]
fn goldens_of_the_examples_resolve_to_the_same_values() {
    for path in files_under("examples", ".dlm") {
        let mut session = Session::new(dlm::base::Disk::at(at("")));
        let project = session.load(&[path.clone().into()]);
        for choice in session.experiments(&project) {
            let checked = session.check_one(&project, &choice, &Overrides::default());
            let golden = write("a test", &checked.experiment.unwrap());
            let text = format!("dlm 1\nuse std.megadlms.Pretrain\nexperiment again extends Pretrain {{\n{golden}}}\n");
            assert_eq!(write("a test", &resolved(&text)), golden, "{path}");
        }
    }
}

/// What is not known here is kept by its name, so that giving it a value shows; a secret is kept by its name alone.
#[test]
fn what_is_not_known_is_kept_by_its_name() {
    let text = |body: &str| {
        format!(
            "{SHOP}\ninput root: path from env \"NOWHERE\"\nsecret input key: string = \"sesame\"\n\nexperiment today extends Shop {{\n{body}\n}}\n"
        )
    };
    let home = Home::new().with(
        "shop.dlm",
        text("  folder = root / \"bread\"\n  name = key\n  ovens \"big\" { heat = 250 }\n  labels { \"a b\" = \"c\" }"),
    );
    home.dlm(&["golden", "shop.dlm", "--update"]).succeeds();
    insta::assert_snapshot!(home.read("goldens/shop.today.golden"), @r##"
# dlm golden 1: today of shop.dlm
loaves = 12
flour = none
sorts = []
name = <secret key>
folder = <input root>
price = 1
share = 0.1
rest = 300 s
budget = 1000000000 tokens
old = 3
ovens.big.heat = 250
ovens.big.door = none
labels."a b" = "c"
"##);
    insta::assert_snapshot!(home.dlm(&["golden", "shop.dlm", "--input", "root=/data"]).shown(), @r##"
status 1
── stdout
- today of shop.dlm (golden)
+ today of shop.dlm

(top)
  folder: <input root> → "/data/bread"
    - <input root>   goldens/shop.today.golden:6
    + "/data/bread"   shop.dlm:29:12, experiment `today`

1 field differs

1 golden is not as kept
  help: `dlm golden --update` takes what is resolved now
── stderr
"##);
}

fn resolved(text: &str) -> dlm::check::Experiment {
    let mut session = Session::new(dlm::base::Memory::default().with("a.dlm", text.as_bytes()));
    let project = session.load(&["a.dlm".into()]);
    let choice = session.choose(&project, None).unwrap();
    let checked = session.check_one(&project, &choice, &Overrides::default());
    assert!(checked.is_ok(), "{:?}", checked.diagnostics);
    checked.experiment.unwrap()
}

fn decimal() -> impl Strategy<Value = Decimal> {
    (0_i128..79_228_162_514_264_337_593_543_950_335, 0_u32..=28)
        .prop_map(|(digits, scale)| Decimal::from_i128_with_scale(digits, scale))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]
    #[test]
    fn any_value_is_kept_exactly(
        price in decimal(), rest in decimal(), minus in any::<bool>(), name in "\\PC*",
        path in "[a-z\"\\\\\n\t{} ]*", loaves in any::<i64>(), key in "[a-zA-Z0-9 .:_*{}-]{1,12}", heat in any::<i32>(),
    ) {
        let escaped = |text: &str| {
            text.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n").replace('\t', "\\t")
        };
        let sign = if minus { "-" } else { "" };
        let body = format!(
            "  price = {sign}{price}\n  rest = {rest} s\n  name = \"{}\"\n  folder = \"{}\"\n  loaves = {loaves}\n  \
             budget = 20 iters\n  ovens \"{key}\" {{ heat = {heat} }}\n  labels \"{key}\" = \"{}\"",
            escaped(&name), escaped(&path), escaped(&path)
        );
        let golden = write("a test", &resolved(&shop(&body)));
        prop_assert_eq!(write("a test", &resolved(&shop(&golden))), golden);
    }
}
