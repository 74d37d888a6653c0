//! `dlm`: a typed language and compiler for diffusion-language-model training experiments.
//!
//! The modules stand in reading order: the language from text to a checked experiment, then what is made of one.

pub mod base;
pub mod diag;
#[cfg(feature = "runtime")]
pub mod run;
pub mod spec;
pub mod syntax;
