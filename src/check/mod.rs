//! Layers and overrides to one value per field with its origin, then the rules.
//!
//! Must not know: what a field is for, or how a diagnostic looks. Start with [`check`] and [`Experiment`]. Invariants: each
//! field is computed once per experiment; a value that was complained about is `Failed` and nothing that depends on it
//! complains again; arithmetic is exact.

pub(crate) mod errors;
mod evaluate;
mod experiment;
mod rules;
mod settings;
mod sweep;
mod trial;

pub use errors::CODES;
pub use evaluate::{Subject, check, history};
pub use experiment::{Experiment, Origin, OriginSource, Value};
pub use rules::{Standing, standing};
pub use sweep::{MAX_POINTS, Point, sweep};
pub use trial::{Trial, trial};
