//! `dlm`: a typed language and compiler for diffusion-language-model training experiments.
//!
//! The modules stand in reading order: the language from text to a checked experiment, then what is made of one.
//!
//! ```
//! use dlm::base::Memory;
//! use dlm::session::{Overrides, Session};
//!
//! let text = "dlm 1\nschema Bakery { loaves: int > 0 }\nexperiment morning extends Bakery { loaves = 0 }\n";
//! let mut session = Session::new(Memory::default().with("exp.dlm", text));
//! let project = session.load(&["exp.dlm".into()]);
//! let report = session.check(&project, &Overrides::default());
//! assert_eq!(report.diagnostics[0].message, "`loaves` must be above 0, but this is 0");
//! ```

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

pub mod values;
pub mod view;
pub mod session;
#[cfg(feature = "cli")]
pub mod cli;
