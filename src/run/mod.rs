//! The embedded runtime: builds the network of a [`crate::spec::RunSpec`], trains it, evaluates it, samples from it.
//!
//! Must not know: the language; it reads `spec` and nothing above it. Invariants: randomness is a function of (seed,
//! sample, position), never a state; files are written beside, synced, renamed; libtorch is called by its fallible
//! forms only; nothing panics on any input.
#![allow(clippy::disallowed_methods, reason = "the runtime reads data, writes checkpoints and looks at the clock")]

pub mod checkpoint;
pub mod data;
pub mod error;
pub mod folder;
pub mod metrics;
pub mod model;
pub mod objective;
pub mod observer;
pub mod ops;
pub mod optimizer;
pub mod random;
pub mod sample;
pub mod schedule;
pub mod train;
pub mod validate;

pub use error::RunError;
pub use folder::RunFolder;
pub use sample::sample;
pub use train::{Start, train};

/// Lets libtorch compute with that many threads; else it takes one a core.
pub fn set_threads(threads: u16) {
    tch::set_num_threads(i32::from(threads));
}
