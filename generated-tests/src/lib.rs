//! Models, reference numbers, and the generated modules that are compiled against them.
//!
//! - `models/*.eom`: the examples that every formulation is tested on.
//! - `reference/*.json`: what they should give, computed elsewhere ([`mod@reference`]).
//! - [`gauss`]: an independent evaluation, and [`samples`]: what it gives for models that have no reference file.
//! - `oracle`: the same for any model text, read as point masses, forces and rows.
//! - `running`: generated modules compiled and run, many at once.
//! - `src/generated/*.rs`: what eomgen makes of some of the models, checked in; `--bin refresh` writes them anew.

pub mod compare;
pub mod gauss;
#[cfg(feature = "generated")]
pub mod generated;
#[cfg(feature = "pipeline")]
pub mod harness;
pub mod known;
#[cfg(feature = "pipeline")]
pub mod memo;
#[cfg(feature = "generated")]
pub mod modules;
#[cfg(feature = "pipeline")]
pub mod oracle;
pub mod outcome;
#[cfg(feature = "pipeline")]
pub mod random;
pub mod reference;
#[cfg(feature = "pipeline")]
pub mod refreshing;
#[cfg(feature = "pipeline")]
pub mod running;
pub mod samples;
pub mod states;
#[cfg(feature = "generated")]
pub mod user;
