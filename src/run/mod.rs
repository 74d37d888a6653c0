//! The embedded runtime: builds the network of a [`crate::spec::RunSpec`], trains it, evaluates it, samples from it.
//!
//! Must not know: the language; it reads `spec` and nothing above it. Invariants: randomness is a function of (seed,
//! sample, position), never a state; files are written beside, synced, renamed; libtorch is called by its fallible
//! forms only; nothing panics on any input.

pub mod data;
pub mod error;
pub mod model;
pub mod objective;
pub mod ops;
pub mod optimizer;
pub mod random;
pub mod schedule;

pub use error::RunError;
