//! Temporary.
use crate::{base::SourceMap, check::Experiment, diag::Sink, spec::{ArgumentSet, LayerGraph, RunSpec}};
/// Temporary.
pub fn run_spec(_: &Experiment, _: &SourceMap, _: &mut Sink) -> Option<RunSpec> { None }
/// Temporary.
pub fn graph(_: &Experiment, _: &SourceMap, _: &mut Sink) -> Option<LayerGraph> { None }
/// Temporary.
pub fn arguments(_: &Experiment, _: &SourceMap) -> ArgumentSet { ArgumentSet::default() }
