//! Temporary.
use crate::{base::SourceMap, check::Experiment, diag::Sink, spec::RunSpec};
/// Temporary.
pub fn run_spec(_: &Experiment, _: &SourceMap, _: &mut Sink) -> Option<RunSpec> { None }
