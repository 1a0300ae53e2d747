//! eomgen: equations of motion from a model text, as Rust.
//!
//! See `docs/src/architecture.md` for the way through the modules.
#[cfg(feature = "derive")]
pub mod assemble;
#[cfg(feature = "cli")]
pub mod cli;
pub mod diag;
#[cfg(feature = "derive")]
pub mod elim;
pub mod emit;
#[cfg(feature = "derive")]
pub mod form;
pub mod host;
pub mod ir;
#[cfg(feature = "derive")]
pub mod lower;
#[cfg(feature = "derive")]
pub mod mech;
pub mod model;
pub mod pipeline;
pub mod solve;
pub mod span;
#[cfg(feature = "derive")]
pub mod sym;
pub mod syntax;
