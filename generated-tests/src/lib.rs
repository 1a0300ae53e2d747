//! Models, reference numbers, and the generated modules that are compiled against them.
//!
//! - `models/*.eom`: the examples that every formulation is tested on.
//! - `reference/*.json`: what they should give, computed elsewhere ([`reference`]).
//! - [`gauss`]: an independent evaluation, and [`samples`]: what it gives for models that have no reference file.

pub mod compare;
pub mod gauss;
#[cfg(feature = "pipeline")]
pub mod harness;
pub mod reference;
pub mod samples;
