//! The numeric families of a run: forward process, attention, masked loss, norm and rotary and gate.
//!
//! Must not know: modules, parameter names, plans. Start with [`noise`], then [`loss`]. Invariants: each family has one
//! form that is used and one plain form that says what it computes and that tests compare with; shapes are
//! `[b, s, …]`, batch first; everything is single precision on the CPU.

pub mod attention;
pub mod dropout;
pub mod gate;
pub mod loss;
pub mod noise;
pub mod norm;
pub mod rotary;
