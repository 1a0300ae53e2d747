//! Tables and properties of lexer, parser and formatter.
mod codes;
mod grammar;
mod layout;
mod limits;
mod manual;
mod models;
mod print;
mod properties;
mod recovery;
mod trees;

use super::ast::SourceFile;
use super::parse;
use crate::diag;

/// The tree of a text that must be free of errors and warnings.
fn clean(text: &str) -> SourceFile {
    let parsed = parse(text);
    let shown = diag::render("test.eom", text, &parsed.diagnostics, false);
    assert!(parsed.diagnostics.is_empty(), "{shown}");
    parsed.file
}
