//! `dlm`: a typed language and compiler for diffusion-language-model training experiments.
//!
//! The modules stand in reading order: the language from text to a checked experiment, then what is made of one.

pub mod base;
pub mod diag;
pub mod types;

pub mod syntax;
pub mod resolve;
pub mod check;

pub mod spec;
pub mod lower;
pub mod emit;
pub mod fmt;

pub mod view;
pub mod session;
#[cfg(feature = "cli")]
pub mod cli;
