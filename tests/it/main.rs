//! Everything that is tested from outside the crate, in one binary.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, clippy::panic, clippy::disallowed_methods)]
#![allow(unreachable_pub, reason = "the modules of a test binary are read by nobody else")]

mod book;
mod codes;
mod layers;
mod pages;
mod support;
mod tidy;
mod ui;
mod view;
mod emitted;
mod flags;
mod library;
mod lowering;
mod rules;
mod shapes;
