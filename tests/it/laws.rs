//! Laws of layering, over generated layers: joining neighbours changes nothing, setting what is there changes nothing, and a
//! name stands for what it is bound to in the end.

use dlm::base::Memory;
use dlm::session::{Overrides, Session};
use proptest::prelude::*;

const SCHEMA: &str = "dlm 1
schema G {
  x: int = 1
  y: int = x + 1
}
schema S {
  a: int = 2
  b: int = a * 3
  g: G
  c: int = g.y - b
}
";
const PATHS: [&str; 4] = ["a", "b", "g.x", "g.y"];

/// One layer: for each of [`PATHS`] a value, or none.
type Layer = [Option<i32>; 4];

fn layer() -> impl Strategy<Value = Layer> {
    prop::array::uniform4(prop::option::of(-50..50_i32))
}

fn body(layer: &Layer) -> String {
    let line = |(path, value): (&&str, &Option<i32>)| value.map(|value| format!("  {path} = {value}\n"));
    PATHS.iter().zip(layer).filter_map(line).collect()
}

/// The stronger layer over the weaker one.
fn joined(weak: &Layer, strong: &Layer) -> Layer {
    std::array::from_fn(|at| strong[at].or(weak[at]))
}

/// The values of the last of experiments that extend each other, one a body.
fn values(bodies: &[String]) -> Vec<String> {
    let mut text = SCHEMA.to_owned();
    for (at, body) in bodies.iter().enumerate() {
        let parent = if at == 0 { "S".to_owned() } else { format!("e{}", at - 1) };
        text.push_str(&format!("experiment e{at} extends {parent} {{\n{body}}}\n"));
    }
    let mut session = Session::new(Memory::default().with("main.dlm", text.clone()));
    let project = session.load(&["main.dlm".into()]);
    let choice = session.choose(&project, Some(&format!("e{}", bodies.len() - 1))).unwrap();
    let checked = session.check_one(&project, &choice, &Overrides::default());
    assert!(checked.is_ok(), "{text}\n{:?}", checked.diagnostics);
    checked.experiment.unwrap().iter().map(|(_, value)| value.data.to_string()).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn layering_is_associative(one in layer(), two in layer(), three in layer()) {
        let apart = values(&[body(&one), body(&two), body(&three)]);
        prop_assert_eq!(&apart, &values(&[body(&joined(&one, &two)), body(&three)]));
        prop_assert_eq!(&apart, &values(&[body(&one), body(&joined(&two, &three))]));
        prop_assert_eq!(&apart, &values(&[body(&joined(&joined(&one, &two), &three))]));
    }

    #[test]
    fn setting_what_is_there_changes_nothing(one in layer(), at in 0..4_usize) {
        let before = values(&[body(&one)]);
        // In the order of the schema: a, b, g.x, g.y, c.
        let again = format!("  {} = {}\n", PATHS[at], before[at]);
        prop_assert_eq!(before, values(&[body(&one), again]));
        prop_assert_eq!(values(&[body(&one)]), values(&[body(&one), format!("  {} = super\n", PATHS[at])]));
    }

    #[test]
    fn late_binding_is_substitution(low in -50..50_i32, high in -50..50_i32, factor in -9..9_i32) {
        let by_name = values(&[format!("  a = {low}\n  b = a * {factor} + g.x\n"), format!("  a = {high}\n")]);
        let written = values(&[format!("  a = {high}\n  b = ({high}) * {factor} + 1\n")]);
        prop_assert_eq!(by_name, written);
    }
}
