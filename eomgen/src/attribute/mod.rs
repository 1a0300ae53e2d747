//! The attribute `#[derive_eom(...)]` as a function on tokens. The procedural macro is this function and nothing more.
//!
//! Knows the attribute's grammar and how tokens are laid out; nothing of models or of the algebra engine. All of it runs on the
//! caller's thread, the only one on which the compiler lets tokens be touched.

pub mod arguments;
mod code;
mod expansion;
mod message;
mod module;
mod text;

pub use arguments::Arguments;
pub use expansion::expand;
