//! Tests: an experiment with the settings of the test, and what must come out.

use std::sync::Arc;

use crate::check::errors;
use crate::check::evaluate::{Subject, check};
use crate::check::experiment::Experiment;
use crate::check::rules::{Final, violation};
use crate::diag::{CodeRef, Diagnostic, Severity, Sink};
use crate::resolve::eval::{EvalError, evaluate};
use crate::resolve::expr::TemplatePart;
use crate::resolve::{Entries, FieldId, Layer, Program, Rule, Test};
use crate::types::OpError;
use crate::types::{Data, Unknown};

/// What came of a test for one experiment or point.
#[derive(Debug)]
pub struct Trial {
    /// What was tried, with the settings of the test.
    pub subject: Subject,
    /// Its values; none if its ancestry is broken.
    pub experiment: Option<Experiment>,
    /// What is wrong: nothing if the test passed.
    pub diagnostics: Vec<Diagnostic>,
}

impl Trial {
    /// Whether rules or expectations ask for what only the network tells, and could not be held without it.
    pub fn asks_for_computed(&self, test: &Test) -> bool {
        let Some(experiment) = &self.experiment else { return false };
        let unknown = |field: &FieldId| experiment.value(*field).data == Data::Unknown(Unknown::Computed);
        let said = |expect: &Rule| {
            let mut fields = expect.inputs.clone();
            for part in expect.message.iter().flat_map(|message| &message.parts) {
                match part {
                    TemplatePart::Text(_) => {}
                    TemplatePart::Hole(expr) => expr.fields(&mut fields),
                }
            }
            fields
        };
        experiment.asks_for_computed() || test.expects.iter().any(|expect| said(expect).iter().any(unknown))
    }
}

/// Tries a test on one experiment or point. `above` lies above the settings of the test.
pub fn trial(program: &Program, entries: &mut Entries, test: &Test, subject: &Subject, above: &[Arc<Layer>]) -> Trial {
    let own = test.layer.and_then(|layer| program.layers.get(layer.index()));
    let layers = subject.above.iter().chain(own).chain(above).cloned().collect();
    let subject = Subject { above: layers, ..subject.clone() };
    let mut sink = Sink::default();
    let experiment = check(program, entries, &subject, &mut sink);
    let found = sink.finish();
    let is = |diagnostic: &Diagnostic, name: &str| match &diagnostic.code {
        CodeRef::Rule(rule) => rule.as_str() == name || format!("check::{rule}") == name.trim_start_matches("dlm::"),
        CodeRef::Builtin(code) => format!("{}::{}", code.stage, code.name) == name.trim_start_matches("dlm::"),
    };
    let mut failures = Sink::default();
    for (name, span) in &test.errors {
        if !found.iter().any(|diagnostic| is(diagnostic, name.as_str())) {
            failures.push(errors::not_violated(*name, *span));
        }
    }
    let expected = |diagnostic: &&Diagnostic| test.errors.iter().any(|error| is(diagnostic, error.0.as_str()));
    let is_error = |diagnostic: &&Diagnostic| diagnostic.severity == Severity::Error;
    let strangers: Vec<&Diagnostic> = found.iter().filter(is_error).filter(|error| !expected(error)).collect();
    if !strangers.is_empty() {
        failures.push(errors::unexpected_error(&test.title, test.span, strangers.len()));
        failures.extend_all(strangers.into_iter().cloned());
    }
    if let Some(experiment) = &experiment {
        // An expectation that can't be judged is not met.
        for expect in &test.expects {
            let value = evaluate(&expect.condition, &mut Final(program, experiment));
            if let Err(EvalError { error: error @ (OpError::Unknown(_) | OpError::None), .. }) = value {
                failures.push(errors::undecided(expect.head, &error));
            }
        }
        let broken = test.expects.iter();
        failures
            .extend_all(broken.filter_map(|expect| violation(program, expect, experiment, Some(&errors::EXPECTATION))));
    }
    Trial { subject, experiment, diagnostics: failures.finish() }
}
