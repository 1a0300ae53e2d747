//! Rust text from the IR and plain blocks of text.
//!
//! [`emit`] writes a module's file. Everything comes as data in a [`Module`]; what the numbers mean isn't known here.
//!
//! The text is written rather than printed from tokens, so that it has comments and is laid out as
//! rustfmt does (see `layout.rs`); it is then parsed with `syn`, so that nothing else than Rust leaves
//! this module. A generated function evaluates its instructions in the order and with the roundings
//! of [`ir::interpret`](crate::ir::interpret).

mod abreast;
mod arrangement;
mod assembly;
mod batch;
mod body;
mod canonical;
mod common;
mod description;
mod docs;
mod error;
mod expr;
mod file;
mod function;
mod generic;
mod guarded;
mod items;
mod layout;
pub mod literal;
mod model;
mod module;
pub mod names;
mod parts;
mod runtime;
mod sampling;
mod scope;
mod tree;

pub use assembly::{
    CALLED as CALLED_BY_ASSEMBLE, NAME as ASSEMBLE, Surroundings, text as assembly_text,
};
pub use batch::fixed as fixed_items_of_many;
pub use docs::escape as plain_markdown;
pub use error::EmitError;
pub use file::{Written, emit, written};
pub use generic::scalar_traits;
pub use layout::Writer as LayoutWriter;
pub use module::{
    Assembly, Block, Condition, Constant, EmittedFunction, ExtraArgument, Field, Groups, IndexEnum,
    Math, Module, Presumed, Sampling, Scalar, Shape, UserFunction,
};
pub use sampling::{
    CALLED as CALLED_BY_DISCRETIZED, Called, NAME as DISCRETIZED, text as sampling_text,
};

pub use runtime::fixed as fixed_items;

#[cfg(test)]
mod tests;
