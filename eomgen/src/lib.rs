//! eomgen: equations of motion from a model text, as Rust.
#[cfg(feature = "cli")]
pub mod cli;
pub mod diag;
pub mod emit;
pub mod host;
pub mod ir;
pub mod model;
pub mod pipeline;
pub mod span;
#[cfg(feature = "derive")]
pub mod elim;
#[cfg(feature = "derive")]
pub mod mech;
#[cfg(feature = "derive")]
pub mod sym;
pub mod syntax;
