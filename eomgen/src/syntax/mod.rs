//! From text to tree: lexer, parser with recovery, formatter. Knows nothing of mechanics.
pub mod ast;
