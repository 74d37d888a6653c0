//! Whether a run specification is still the one that a checkpoint was trained with, part by part.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::spec::{Node, RunSpec};

/// SHA-256 of the parts of a run specification, by the name of the part.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Fingerprint(BTreeMap<String, String>);

/// A part that is not what it was.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// Its path in `run.json`.
    pub part: String,
    /// Whether training can go on all the same.
    pub allowed: bool,
}

/// Parts that may change between a checkpoint and its continuation: how long, at which rate, in which pieces, and what
/// is looked at. Everything else would make the continuation another run.
const MAY_CHANGE: [&str; 7] = [
    "plan.iterations",
    "plan.batch.micro",
    "plan.learning_rate",
    "plan.weight_decay",
    "plan.evaluation",
    "plan.output",
    "plan.sampling",
];

impl Fingerprint {
    /// Of a specification. Places in the user's files have no part in it, nor has the path of the text, which is known
    /// by its content.
    pub fn of(spec: &RunSpec) -> Fingerprint {
        let plan = &spec.plan;
        let mut graph = spec.graph.clone();
        graph.dims.micro_batch = 0;
        forget_causes(&mut graph.root);
        let parts = [
            ("graph", digest(&graph)),
            ("plan.seed", digest(&plan.seed)),
            ("plan.iterations", digest(&plan.iterations)),
            ("plan.batch.micro", digest(&plan.batch.micro)),
            ("plan.batch.global", digest(&plan.batch.global)),
            ("plan.batch.sequence_length", digest(&plan.batch.sequence_length)),
            ("plan.objective", digest(&plan.objective)),
            ("plan.optimizer", digest(&plan.optimizer)),
            ("plan.learning_rate", digest(&plan.learning_rate)),
            ("plan.weight_decay", digest(&plan.weight_decay)),
            ("plan.data.tokenizer", digest(&plan.data.tokenizer)),
            ("plan.data.held_out", digest(&plan.data.held_out)),
            ("plan.evaluation", digest(&plan.evaluation)),
            ("plan.output", digest(&plan.output)),
            ("plan.sampling", digest(&plan.sampling)),
        ];
        Fingerprint(parts.into_iter().map(|(part, digest)| (part.to_owned(), digest)).collect())
    }

    /// The parts in which another specification differs.
    pub fn differences(&self, other: &Fingerprint) -> Vec<Difference> {
        let parts = self.0.keys().chain(other.0.keys().filter(|part| !self.0.contains_key(*part)));
        let differing = parts.filter(|part| self.0.get(*part) != other.0.get(*part));
        differing.map(|part| Difference { part: part.clone(), allowed: MAY_CHANGE.contains(&part.as_str()) }).collect()
    }
}

fn forget_causes(node: &mut Node) {
    node.causes.clear();
    node.children.iter_mut().for_each(forget_causes);
}

/// SHA-256 of the compact JSON of a part, in hexadecimal.
fn digest(part: &impl Serialize) -> String {
    // Data of the specification always becomes JSON: it has no maps with other keys than strings.
    let json = serde_json::to_vec(part).unwrap_or_default();
    Sha256::digest(&json).iter().map(|byte| format!("{byte:02x}")).collect()
}
