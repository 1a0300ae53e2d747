//! From text to tree: lexer, parser with recovery, formatter. Knows nothing of mechanics.
//!
//! [`parse`] reads a file and reports everything that is wrong with it, one message per statement; [`format()`] lays it
//! out; [`mod@print`] writes expressions for messages. The grammar is in the manual's chapter on the language.

pub mod ast;
mod blocks;
mod comments;
mod conditional;
mod cursor;
mod drawings;
mod expression;
mod items;
mod layout;
mod lexer;
mod limits;
#[allow(dead_code, reason = "for editors")]
pub mod marks;
mod messages;
mod open;
mod parser;
pub mod print;
mod rolling;
mod split;
mod springs;
mod statements;
#[cfg(test)]
mod tests;
mod token;
mod unexpected;
mod unit;
pub mod visit;
#[allow(dead_code, reason = "for editors")]
pub mod words;

pub use layout::format;
pub use parser::{begins_model, parse, parse_expression};

/// The keywords that statements begin with.
#[cfg(test)]
pub fn keywords() -> impl Iterator<Item = &'static str> {
    words::statements().map(|(keyword, _)| keyword)
}
