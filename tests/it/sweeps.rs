//! Sweeps and tests: points against those worked out by hand, and what points share against each point by itself.

use std::collections::BTreeMap;

use dlm::base::Memory;
use dlm::session::{Overrides, Project, Session};
use proptest::prelude::*;

const BAKERY: &str = "dlm 1

schema Oven {
  heat: int in 100..=300 = 200
  time: int > 0 = heat / 5
}

schema Bakery {
  loaves: int > 0 = 12
  flour: float > 0 = loaves * 0.5
  batches: int > 0 = 1
  staff: int = if loaves > 20 then 2 else 1
  seeds: list<string> = [\"poppy\"]
  oven: Oven

  check not_burnt: oven.heat <= 250 or loaves > 20
    else \"{loaves} loaves burn at {oven.heat}\"
  check enough_flour: flour >= 4
    else \"{flour} of flour is too little\"
  warn long_day: batches * oven.time <= 120
    else \"{batches} batches of {oven.time} take long\"
}

experiment base extends Bakery {
  loaves = 20
}
";

fn session(text: &str) -> (Session, Project) {
    let mut session = Session::new(Memory::default().with("main.dlm", format!("{BAKERY}\n{text}").into_bytes()));
    let project = session.load(&["main.dlm".into()]);
    (session, project)
}

/// Messages of everything that a check of the bakery's file with `text` behind it complains about.
fn complaints(text: &str) -> Vec<String> {
    let (mut session, project) = session(text);
    let report = session.check(&project, &Overrides::default());
    report.diagnostics.iter().map(|diagnostic| format!("{}: {}", diagnostic.code, diagnostic.message)).collect()
}

/// The points of sweep `s`: their names, and the final values of `paths` at each, worked out for that point alone.
fn points(text: &str, paths: &[&str]) -> Vec<String> {
    let (mut session, project) = session(text);
    let id = session.sweep_named(&project, "s").unwrap();
    let names: Vec<String> = session.points(id).iter().map(|it| it.subject.name.unwrap().to_string()).collect();
    let each = names.iter().map(|name| {
        let values = values(&mut session, &project, name);
        let shown: Vec<&str> = paths.iter().map(|path| values[*path].as_str()).collect();
        format!("{} {}", name.strip_prefix("s/").unwrap(), shown.join(" "))
    });
    each.collect()
}

fn values(session: &mut Session, project: &Project, name: &str) -> BTreeMap<String, String> {
    let choice = session.choose(project, Some(name)).unwrap();
    let checked = session.check_one(project, &choice, &Overrides::default());
    let experiment = checked.experiment.unwrap();
    let shown =
        experiment.iter().map(|(id, value)| (experiment.schema.field(id).path.to_string(), value.data.to_string()));
    shown.collect()
}

#[test]
fn the_first_axis_is_the_slowest() {
    let text = "sweep s of base {\n  loaves in [20, 30]\n  oven.heat in [180, 200, 220]\n}\n";
    // Names count from 0; 20 * 0.5 = 10 and 30 * 0.5 = 15 of flour; 180 / 5 = 36.
    assert_eq!(
        points(text, &["loaves", "oven.heat", "flour", "oven.time"]),
        ["0 20 180 10 36", "1 20 200 10 40", "2 20 220 10 44", "3 30 180 15 36", "4 30 200 15 40", "5 30 220 15 44"]
    );
}

#[test]
fn fields_of_a_zip_vary_together() {
    let text = "sweep s of base {\n  zip (loaves, oven.heat) in [(20, 180), (30, 220)]\n  batches in 1..=2\n}\n";
    assert_eq!(
        points(text, &["loaves", "oven.heat", "batches"]),
        ["0 20 180 1", "1 20 180 2", "2 30 220 1", "3 30 220 2"]
    );
}

#[test]
fn where_keeps_and_limit_cuts() {
    // staff is 1 up to 20 loaves, 2 above: the condition reads a value that follows from an axis.
    let text =
        "sweep s of base {\n  loaves in [10, 20, 30, 40]\n  batches in [1, 2]\n  where staff == 2 or batches == 2\n";
    // 10/1 and 20/1 go.
    assert_eq!(
        points(&format!("{text}}}\n"), &["loaves", "batches"]),
        ["0 10 2", "1 20 2", "2 30 1", "3 30 2", "4 40 1", "5 40 2"]
    );
    assert_eq!(points(&format!("{text}  limit 3\n}}\n"), &["loaves", "batches"]), ["0 10 2", "1 20 2", "2 30 1"]);
    // Several conditions must all hold.
    assert_eq!(points(&format!("{text}  where loaves < 20\n}}\n"), &["loaves"]), ["0 10"]);
}

#[test]
fn points_are_named_after_their_values() {
    let text = "sweep s of base {\n  loaves in [20, 30]\n  name \"l{loaves}-f{flour}\"\n}\n";
    assert_eq!(points(text, &["loaves"]), ["l20-f10 20", "l30-f15 30"]);
}

#[test]
fn settings_and_mixins_of_a_sweep_hold_at_every_point() {
    let text = "mixin hot for Bakery {\n  oven.heat = 240\n  loaves = 99\n}\n\
                sweep s of base with hot {\n  batches = 2\n  loaves in [21, super + 1]\n  oven.time = super - 1\n}\n";
    // Weakest first: base (20 loaves), the mixin (99, 240), the body, the axes. super of an axis is what lies below it: 99.
    // time: 240 / 5 - 1 = 47.
    assert_eq!(points(text, &["loaves", "oven.heat", "batches", "oven.time"]), ["0 21 240 2 47", "1 100 240 2 47"]);
}

#[test]
fn a_sweep_joins_and_multiplies_points() {
    let text = "experiment other extends Bakery {\n  loaves = 40\n}\n\
                sweep inner of base, other {\n  batches in [1, 2]\n  where loaves + batches != 21\n}\n\
                sweep s of inner, base {\n  oven.heat in [150, 160]\n}\n";
    // inner: base/2, other/1, other/2 (20 + 1 is left out); then base itself, whose batches are 1.
    assert_eq!(
        points(text, &["loaves", "batches", "oven.heat"]),
        [
            "0 20 2 150",
            "1 20 2 160",
            "2 40 1 150",
            "3 40 1 160",
            "4 40 2 150",
            "5 40 2 160",
            "6 20 1 150",
            "7 20 1 160"
        ]
    );
}

#[test]
fn one_fault_at_many_points_is_one_report() {
    let text =
        "sweep s of base {\n  loaves in [12, 15, 24]\n  oven.heat in [200, 260]\n  name \"{loaves}-{oven.heat}\"\n}\n";
    // 12 and 15 loaves burn at 260; 24 do not. 12 * 0.5 = 6 of flour is enough.
    assert_eq!(
        complaints(text),
        ["dlm::check::not_burnt: 12 loaves burn at 260, at point `s/12-260` and at another point"]
    );
}

#[test]
fn points_of_an_abstract_base_are_final() {
    let text = "schema Cafe {\n  seats: int\n  tables: int\n  check room: tables <= 10\n}\n\
                abstract experiment cafe extends Cafe {\n}\n\
                sweep s of cafe {\n  seats in [10, 20]\n}\n";
    assert_eq!(complaints(text), ["dlm::check::missing_field: `s` does not set `tables`, which has no default"]);
    let text = "schema Cafe {\n  seats: int\n  tables: int = 12\n  check room: tables <= 10\n}\n\
                abstract experiment cafe extends Cafe {\n}\n\
                sweep s of cafe {\n  seats in [10, 20]\n}\n";
    assert_eq!(complaints(text), ["dlm::check::room: `room` does not hold"]);
}

#[test]
fn rules_on_the_network_are_held_at_every_point() {
    let quickstart = crate::support::read("examples/quickstart.dlm");
    let text = "dlm 1\nuse \"quickstart.dlm\" { quickstart }\n\
                experiment small extends quickstart {\n  model.num_layers = 1\n\
                  check few: graph.params < {LIMIT}\n}\n\
                sweep s of small {\n  model.num_layers in [1, 2, 4]\n}\n";
    let params = |session: &mut Session, project: &Project, name: &str| -> u64 {
        let choice = session.choose(project, Some(name)).unwrap();
        let checked = session.check_one(project, &choice, &Overrides::default());
        let graph = session.graph(&checked).unwrap();
        graph.root.parameter_count()
    };
    let load = |limit: u64| {
        let text = text.replace("{LIMIT}", &limit.to_string());
        let memory =
            Memory::default().with("main.dlm", text.into_bytes()).with("quickstart.dlm", quickstart.as_bytes());
        let mut session = Session::new(memory);
        let project = session.load(&["main.dlm".into()]);
        (session, project)
    };
    let (mut session, project) = load(1_000_000_000);
    let two = params(&mut session, &project, "s/1");
    assert_eq!(session.check(&project, &Overrides::default()).diagnostics, []);
    // Two layers are too many then, and four.
    let (mut session, project) = load(two);
    let report = session.check(&project, &Overrides::default());
    let said: Vec<&str> = report.diagnostics.iter().map(|it| it.message.as_str()).collect();
    assert_eq!(said, ["`few` does not hold, at point `s/1` and at another point"]);
}

#[test]
fn mixins_of_a_sweep_may_not_disagree() {
    let mixins = "mixin a for Bakery {\n  batches = 2\n}\nmixin b for Bakery {\n  batches = 3\n}\n";
    let two = format!("{mixins}sweep s of base with a, b {{\n  oven.heat in [150, 160]\n}}\n");
    assert_eq!(complaints(&two), ["dlm::check::mixin_conflict: mixins `a` and `b` set `batches` to different values"]);
    let over = format!("{mixins}sweep s of base with a, b over a.batches {{\n  oven.heat in [150, 160]\n}}\n");
    assert_eq!(points(&over, &["batches"]), ["0 3", "1 3"]);
    assert_eq!(complaints(&over), [""; 0]);
    // An axis decides.
    let axis = format!("{mixins}sweep s of base with a, b {{\n  batches in [1, 2]\n}}\n");
    assert_eq!(complaints(&axis), [""; 0]);
}

#[test]
fn points_can_be_chosen_by_name_alone() {
    let (mut session, project) = session("sweep s of base {\n  loaves in [20, 30]\n}\n");
    let error = |session: &mut Session, name: &str| session.choose(&project, Some(name)).unwrap_err().to_string();
    assert_eq!(error(&mut session, "s"), "`s` is a sweep: name one of its points, `s/0`, `s/1`");
    assert_eq!(error(&mut session, "s/7"), "`s/7` is no point of the sweep: its points are `s/0`, `s/1`");
}

#[test]
fn sweeps_of_sweeps_do_not_double_the_work() {
    // Each has the points of the one below twice over and keeps one: 2^15 ways down, were they all walked.
    let mut text = "sweep s0 of base {\n  batches in [1, 2]\n}\n".to_owned();
    for at in 1..15 {
        let below = at - 1;
        text.push_str(&format!(
            "sweep t{at} of s{below} {{\n  limit 1\n}}\nsweep s{at} of s{below}, t{at} {{\n  limit 1\n}}\n"
        ));
    }
    let start = std::time::Instant::now();
    complaints(&text);
    assert!(start.elapsed().as_secs() < 5, "{:?}", start.elapsed());
}

#[test]
fn tests_pass_and_fail() {
    let outcomes = |text: &str, filter: &str| -> Vec<String> {
        let (mut session, project) = session(text);
        let tests = session.test(&project, &Overrides::default(), filter);
        assert_eq!(tests.diagnostics, []);
        let told = tests.outcomes.iter().map(|outcome| {
            let said: Vec<&str> = outcome.diagnostics.iter().map(|it| it.message.as_str()).collect();
            let point = outcome.point.map_or(String::new(), |point| format!(" at {} from {point}", outcome.failures));
            format!("{} {}{point} {said:?}", outcome.title, outcome.trials)
        });
        told.collect()
    };
    let text = "test \"twenty\" for base {\n  expect loaves == 20\n}\n\
                test \"burns\" for base {\n  oven.heat = 260\n  expect error not_burnt\n}\n\
                test \"burns not\" for base {\n  oven.heat = 250\n  expect error not_burnt\n}\n\
                test \"wrong\" for base {\n  expect flour == 11 else \"{flour} of flour\"\n}\n\
                sweep s of base {\n  loaves in [20, 30, 31]\n}\n\
                test \"many\" for s {\n  expect loaves >= 20\n}\n\
                test \"few\" for s {\n  expect loaves < 30\n}\n";
    assert_eq!(
        outcomes(text, ""),
        [
            "twenty 1 []",
            "burns 1 []",
            "burns not 1 [\"`not_burnt` was expected to be violated, and is not\"]",
            "wrong 1 [\"10 of flour\"]",
            "many 3 []",
            "few 3 at 2 from s/1 [\"this does not hold\"]",
        ]
    );
    assert_eq!(
        outcomes(text, "burns"),
        ["burns 1 []", "burns not 1 [\"`not_burnt` was expected to be violated, and is not\"]"]
    );
}

/// Settings for the base of a sweep and values for its axes: constants, values that follow from other fields or from the
/// value below, some out of range, some in a circle.
fn value() -> impl Strategy<Value = String> {
    prop_oneof![
        (1..40).prop_map(|number: i32| number.to_string()),
        (1..5).prop_map(|number: i32| format!("super + {number}")),
        (1..4).prop_map(|number: i32| format!("batches * {number}")),
        (1..4).prop_map(|number: i32| format!("loaves - {number}")),
        Just("oven.heat // 10".to_owned()),
        Just("staff + 1".to_owned()),
        Just("100 // (batches - 3)".to_owned()),
    ]
}

fn setting() -> impl Strategy<Value = (&'static str, String)> {
    (prop_oneof![Just("loaves"), Just("batches"), Just("staff"), Just("oven.time")], value())
}

fn axes() -> impl Strategy<Value = Vec<(&'static str, Vec<String>)>> {
    let heat = prop::collection::vec((120..320).prop_map(|heat: i32| heat.to_string()), 1..4);
    let other = prop::collection::vec(value(), 1..4);
    let path = prop_oneof![Just("loaves"), Just("batches"), Just("staff"), Just("oven.time"), Just("flour")];
    (prop::option::of(heat), prop::collection::btree_map(path, other, 1..3))
        .prop_map(|(heat, others)| heat.map(|heat| ("oven.heat", heat)).into_iter().chain(others).collect())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, ..ProptestConfig::default() })]

    /// What the points of a sweep share gives exactly the values and the faults of the same experiments written out.
    #[test]
    fn points_are_the_experiments_that_one_would_write(
        below in prop::collection::btree_map(
            prop_oneof![Just("loaves"), Just("batches"), Just("staff"), Just("oven.time")], value(), 0..3),
        own in prop::option::of(setting()),
        axes in axes(),
    ) {
        let lines = |settings: &[(&str, String)]| -> String {
            settings.iter().map(|(path, value)| format!("  {path} = {value}\n")).collect()
        };
        let below: Vec<(&str, String)> = below.into_iter().collect();
        let own: Vec<(&str, String)> = own.into_iter().filter(|own| axes.iter().all(|axis| axis.0 != own.0)).collect();
        let middle = format!("experiment middle extends base {{\n{}}}\n", lines(&below));
        let shown = "{loaves}_{flour}_{batches}_{staff}_{oven.heat}_{oven.time}";
        let sweep: String = axes.iter().map(|(path, values)| format!("  {path} in [{}]\n", values.join(", "))).collect();
        let swept = format!("{middle}sweep s of middle {{\n{sweep}{}  name \"{shown}\"\n}}\n", lines(&own));
        // The product by hand, the last axis the fastest.
        let mut combinations: Vec<Vec<(&str, String)>> = vec![own.clone()];
        for (path, values) in &axes {
            combinations = combinations
                .iter()
                .flat_map(|settings| values.iter().map(move |value| {
                    let mut settings = settings.clone();
                    settings.push((path, value.clone()));
                    settings
                }))
                .collect();
        }
        let written: String = combinations
            .iter()
            .enumerate()
            .map(|(at, settings)| format!("experiment p{at} extends middle {{\n{}}}\n", lines(settings)))
            .collect();
        let (mut plain, project) = session(&format!("{middle}{written}"));
        let hidden = ["?", "none"];
        let wanted: Vec<Vec<String>> = (0..combinations.len()).map(|at| {
            let values = values(&mut plain, &project, &format!("p{at}"));
            ["loaves", "flour", "batches", "staff", "oven.heat", "oven.time"].map(|path| values[path].clone()).to_vec()
        }).collect();
        let (mut shared, of_sweep) = session(&swept);
        let id = shared.sweep_named(&of_sweep, "s").unwrap();
        let found: Vec<Vec<String>> = shared.points(id).iter().map(|point| {
            let name = point.subject.name.unwrap();
            name.as_str().strip_prefix("s/").unwrap().split('_').map(str::to_owned).collect()
        }).collect();
        prop_assert_eq!(wanted.len(), found.len(), "{}", swept);
        for (wanted, found) in wanted.iter().zip(&found) {
            for (wanted, found) in wanted.iter().zip(found) {
                // A value that was complained about has no text of its own.
                let failed = hidden.contains(&found.as_str()) || wanted.contains("failed") || wanted == "?";
                prop_assert!(failed || wanted == found, "{wanted} {found}\n{swept}");
            }
        }
        // The faults of all points: each kind at least once, and nothing that no point has.
        let faults = |session: &mut Session, project: &Project| -> Vec<(String, String)> {
            let report = session.check(project, &Overrides::default());
            let told = report.diagnostics.iter().filter(|it| !it.code.to_string().ends_with("duplicate_point"));
            told.map(|it| {
                let message = it.message.split(", at point ").next().unwrap_or("").to_owned();
                (it.code.to_string(), message)
            }).collect()
        };
        let (wanted, found) = (faults(&mut plain, &project), faults(&mut shared, &of_sweep));
        for fault in &found {
            prop_assert!(wanted.contains(fault), "{fault:?} is of no point\n{swept}\n{wanted:?}");
        }
        let codes = |faults: &[(String, String)]| -> Vec<String> {
            let mut codes: Vec<String> = faults.iter().map(|fault| fault.0.clone()).collect();
            codes.sort();
            codes.dedup();
            codes
        };
        prop_assert_eq!(codes(&wanted), codes(&found), "{}", swept);
    }
}
