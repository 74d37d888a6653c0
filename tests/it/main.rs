//! Everything that is tested from outside the crate, in one binary.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, clippy::panic, clippy::disallowed_methods)]
#![allow(unreachable_pub, reason = "the modules of a test binary are read by nobody else")]

mod book;
mod cli;
mod codes;
mod conformance;
mod diff;
mod emitted;
mod explain;
mod fixes;
mod flags;
mod fmt;
mod golden;
mod laws;
mod layering;
mod layers;
mod library;
mod lowering;
mod overrides;
mod pages;
mod robust;
mod rules;
mod shapes;
mod sweeps;
mod syntax;
mod support;
mod tidy;
mod tree;
mod ui;
mod view;
