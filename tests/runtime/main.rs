//! Tests of the runtime: one binary, a module per theme.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, clippy::panic, clippy::disallowed_methods)]
#![allow(dead_code, unreachable_pub, reason = "the runtime is compiled in here, and not every test needs every part")]

// The library must not name tch (see src/runtime/main.rs), so the runtime is a module of each crate that uses it.
#[path = "../../src/run/mod.rs"]
mod run;

mod checkpoints;
mod data;
mod graphs;
mod metrics;
mod noise;
mod numerics;
mod process;
mod sampling;
mod specs;
mod training;
mod upstream;

use dlm::spec;
