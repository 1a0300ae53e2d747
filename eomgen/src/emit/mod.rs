//! Rust text from the IR and plain blocks of text.
//!
//! [`emit`] writes a module's file. Everything comes as data in a [`Module`]; what the numbers mean isn't known here.
//!
//! The text is written rather than printed from tokens, so that it has comments and is laid out as
//! rustfmt does (see `layout.rs`); it is then parsed with `syn`, so that nothing else than Rust leaves
//! this module. A generated function evaluates its instructions in the order and with the roundings
//! of [`ir::interpret`](crate::ir::interpret).

#[cfg(feature = "derive")]
mod arrangement;
#[cfg(feature = "derive")]
mod batch;
#[cfg(feature = "derive")]
mod body;
#[cfg(feature = "derive")]
mod canonical;
#[cfg(feature = "derive")]
mod docs;
#[cfg(feature = "derive")]
mod error;
#[cfg(feature = "derive")]
mod expr;
#[cfg(feature = "derive")]
mod file;
#[cfg(feature = "derive")]
mod function;
#[cfg(feature = "derive")]
mod generic;
pub mod header;
#[cfg(feature = "derive")]
mod items;
#[cfg(feature = "derive")]
mod layout;
#[cfg(feature = "derive")]
pub mod literal;
#[cfg(feature = "derive")]
mod module;
pub mod names;
#[cfg(feature = "derive")]
mod parts;
#[cfg(feature = "derive")]
mod prepared;
#[cfg(feature = "derive")]
mod runtime;
#[cfg(feature = "derive")]
mod scope;
#[cfg(feature = "derive")]
mod tree;

#[cfg(feature = "derive")]
pub use docs::escape as plain_markdown;
#[cfg(feature = "derive")]
pub use error::EmitError;
#[cfg(feature = "derive")]
pub use file::emit;
pub use header::{Header, Stale, body_hash, check_fresh, input_hash};
#[cfg(feature = "derive")]
pub use module::{
    Block, Condition, Constant, EmittedFunction, ExtraArgument, Field, Groups, IndexEnum, Math,
    Module, Scalar, Shape, UserFunction,
};

#[cfg(feature = "derive")]
pub use runtime::fixed as fixed_items;

#[cfg(all(test, feature = "derive"))]
mod tests;
