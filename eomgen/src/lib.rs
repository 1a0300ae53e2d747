//! eomgen: equations of motion from a model text, as Rust.
pub mod diag;
pub mod ir;
pub mod model;
pub mod span;
#[cfg(feature = "derive")]
pub mod sym;
pub mod syntax;
pub mod host;
