//! Everything that is tested from outside the crate, in one binary.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, clippy::panic, clippy::disallowed_methods)]

mod view;
