//! A checked experiment to what a target, a graph reader and a runtime understand.
//!
//! Must not know: syntax, or how layers were merged. Start with [`run_spec`], which is its three parts in order.
//! Invariants: fields are named in `fields.rs` and nowhere else; whatever cannot be lowered is reported at the place
//! that set it; an experiment of the standard library's schema that passed its check always has arguments and a graph.

mod arguments;
mod cause;
pub(crate) mod errors;
mod fields;
mod graph;
mod plan;
mod runnable;
mod words;

pub use arguments::arguments;
pub use errors::CODES;
pub use fields::{NAMED, NamedField, WORLD_SIZE};
pub use graph::graph;
pub use plan::plan;
pub use runnable::runnable;
pub use words::{KNOWN_WORDS, KnownWords};

use crate::base::{Decimal, SourceMap};
use crate::check::Experiment;
use crate::diag::{CodeRef, Diagnostic, Sink};
use crate::resolve::FieldId;
use crate::spec::RunSpec;
use crate::types::Data;

/// The values of computed fields, as far as the experiment has a network. Why it has none is reported where someone asks
/// for one, not here; but that its network would follow from those values is.
pub fn facts(experiment: &Experiment, sources: &SourceMap, sink: &mut Sink) -> Vec<(FieldId, Data)> {
    let schema = &experiment.schema;
    if !schema.fields.iter().any(|field| field.is_computed) {
        return Vec::new();
    }
    let mut found = Sink::default();
    let Some(graph) = graph(experiment, sources, &mut found) else {
        let circular = |diagnostic: &Diagnostic| diagnostic.code == CodeRef::Builtin(&errors::NETWORK_FROM_ITSELF);
        sink.extend_all(found.finish().into_iter().filter(circular));
        return Vec::new();
    };
    let fact = |(path, count): &fields::Computed| {
        let field = schema.field_id(path)?;
        Some((field, Data::Number(Decimal::from(count(&graph)))))
    };
    fields::COMPUTED.iter().filter_map(fact).collect()
}

/// Everything that the embedded runtime needs to run an experiment. None if something was reported.
pub fn run_spec(experiment: &Experiment, sources: &SourceMap, sink: &mut Sink) -> Option<RunSpec> {
    if !fields::familiar(experiment, "so there is nothing here to run", sink) {
        return None;
    }
    let arguments = arguments(experiment, sources, sink);
    let graph = graph(experiment, sources, sink);
    let plan = plan(experiment, sources, sink);
    let runs = runnable(experiment, sources, sink);
    let made = RunSpec {
        version: RunSpec::VERSION,
        experiment: experiment.name.to_string(),
        arguments: arguments?,
        graph: graph?,
        plan: plan?,
    };
    runs.then_some(made)
}
