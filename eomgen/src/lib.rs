//! eomgen: equations of motion from a model text, as Rust.
pub mod diag;
pub mod emit;
pub mod ir;
pub mod model;
pub mod span;
pub mod syntax;
