//! Every rule of the library has a run that breaks it and one that just does not. They stand in `tests/rules`.

use std::collections::BTreeSet;

use dlm::diag::CodeRef;

use crate::flags::{compiled, pretrain, told};
use crate::support::{files_under, read};

/// Rules that can't be broken, or not be broken, without another one that says something else.
const COMPANIONS: &[(&str, &str)] =
    &[("block_causal_needs_kernel", "test_forward_trains_nothing"), ("layers_fill_stages", "pipeline_cannot_run")];

#[test]
fn every_rule_has_both_sides() {
    let (_, schema) = pretrain();
    let mut wanted: BTreeSet<String> = schema.rules.iter().map(|rule| rule.name.to_string()).collect();
    let mut faults = Vec::new();
    for path in files_under("tests/rules", ".dlm") {
        let text = read(&path);
        let names = text.lines().filter_map(|line| line.strip_prefix("experiment ")?.split(' ').next());
        for name in names.clone() {
            let (rule, rejected) = match (name.strip_suffix("_rejected"), name.strip_suffix("_accepted")) {
                (Some(rule), _) => (rule, true),
                (_, Some(rule)) => (rule, false),
                _ => panic!("{path}: {name}"),
            };
            let (_, checked) = compiled(&[(&path, &text)], &path, name);
            let broken: BTreeSet<String> = checked
                .diagnostics
                .iter()
                .map(|found| match &found.code {
                    CodeRef::Rule(name) => name.to_string(),
                    CodeRef::Builtin(code) => format!("{}::{}", code.stage, code.name),
                })
                .filter(|broken| !COMPANIONS.contains(&(rule, broken)))
                .collect();
            let expected: BTreeSet<String> = rejected.then(|| rule.to_owned()).into_iter().collect();
            if broken != expected {
                faults.push(format!("{path}: {name} gives {:?}", told(&checked)));
            }
            let other = if rejected { "accepted" } else { "rejected" };
            if !names.clone().any(|name| name == format!("{rule}_{other}")) {
                faults.push(format!("{path}: {rule} has no {other} run"));
            }
            wanted.remove(rule);
        }
    }
    faults.extend(wanted.iter().map(|rule| format!("{rule} has no run that breaks it")));
    assert!(faults.is_empty(), "\n{}\n", faults.join("\n"));
}

#[test]
fn fixes_mend() {
    let (_, schema) = pretrain();
    let mut tried = 0;
    for path in files_under("tests/rules", ".dlm") {
        let text = read(&path);
        for rule in schema.rules.iter().filter(|rule| rule.fix.is_some()) {
            let name = format!("{}_rejected", rule.name);
            if !text.contains(&format!("experiment {name} ")) {
                continue;
            }
            // The rule's own fix, as a setting on top of the run that breaks it.
            let (field, _) = rule.fix.as_ref().unwrap();
            let field = schema.field(*field).path;
            let (_, broken) = compiled(&[(&path, &text)], &path, &name);
            let offered = broken.diagnostics.iter().find(|found| found.code == CodeRef::Rule(rule.name));
            let edit = offered.and_then(|found| found.fixes.first()?.edits.first());
            let value = match (edit, rule.fix.as_ref().and_then(|fix| fix.1.constant())) {
                (Some(edit), _) => edit.text.clone(),
                (None, Some(data)) => data.to_string(),
                // It follows from other values, and a default is at fault, which no edit can reach.
                (None, None) => continue,
            };
            tried += 1;
            let mended = format!("{text}\nexperiment mended extends {name} {{\n  {field} = {value}\n}}\n");
            let (_, checked) = compiled(&[(&path, &mended)], &path, "mended");
            let still = checked.diagnostics.iter().any(|found| found.code == CodeRef::Rule(rule.name));
            assert!(!still, "{name}: {field} = {value} does not mend it");
        }
    }
    assert!(tried >= 30, "{tried}");
}
