//! From text to tree: lexer, parser with recovery, formatter. Knows nothing of mechanics.
//!
//! [`parse`] reads a file and reports everything that is wrong with it, one message per statement; [`format()`] lays it
//! out; [`mod@print`] writes trees that were built by a program. The grammar is in the manual's chapter on the language.

pub mod ast;
mod blocks;
mod comments;
mod conditional;
mod cursor;
mod expression;
mod items;
mod layout;
mod lexer;
mod parser;
pub mod print;
mod split;
mod springs;
mod statements;
#[cfg(test)]
mod tests;
mod token;
mod unexpected;
mod unit;
pub mod visit;

pub use layout::format;
pub use parser::{Parsed, decode, parse, parse_expression};

/// Largest file read, in bytes.
pub const MAX_BYTES: usize = 2 << 20;
/// Most levels of an expression's tree; a sum of n terms has n levels.
pub const MAX_DEPTH: u32 = 256;
/// Most nested blocks.
pub const MAX_BLOCKS: usize = 16;
/// Most messages reported by one run of [`parse`]; a note says how many more there are.
pub const MAX_DIAGNOSTICS: usize = 50;
/// Longest name, in bytes.
pub const MAX_NAME: usize = 200;
/// Longest number, in characters.
pub const MAX_NUMBER: usize = 100;
/// Words that cannot be names. All other keywords can.
pub const RESERVED: &[&str] = &["if", "then", "else", "and", "or", "not"];

/// The keywords that statements begin with.
pub fn keywords() -> impl Iterator<Item = &'static str> {
    statements::STATEMENTS
        .iter()
        .map(|statement| statement.keyword)
}
