//! A generated module read back: parsed with `syn`, every item recognised, every function turned into numbered steps that can be
//! evaluated in any arithmetic. A construct that is not known is an error that names it and its line; nothing is skipped. Knows
//! the items that are the same in every module, by their text, and nothing of how the others are made.

mod arrays;
mod attributes;
mod body;
mod calls;
mod declared;
mod expression;
mod family;
mod frame;
mod generic;
mod guarded;
mod items;
mod lanes;
mod lines;
pub mod literal;
mod many;
mod model;
pub mod routines;
pub mod run;
mod single;
mod sound;
mod sources;
pub mod tree;
pub mod written;

pub use items::{read, read_of};
pub use literal::Precision;
pub use sound::check;

/// Why a text was not understood.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {message}")]
pub struct Unreadable {
    /// Line of the file; of the function where a construct has none of its own, 1 for items.
    pub line: u32,
    /// What is not understood.
    pub message: String,
}

impl Unreadable {
    fn new(line: u32, message: impl Into<String>) -> Self {
        Self {
            line,
            message: message.into(),
        }
    }

    /// An item that generated modules do not have.
    fn unknown(kind: &str, name: &str) -> Self {
        Self::new(1, format!("the {kind} `{name}` is not one that is known"))
    }
}

#[cfg(test)]
mod tests;
