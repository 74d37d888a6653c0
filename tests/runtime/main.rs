//! Tests of the runtime: one binary, a module per theme.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, clippy::panic)]

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
