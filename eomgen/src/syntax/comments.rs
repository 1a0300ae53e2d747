//! Which doc comment belongs to what.

use super::token::{Comment, CommentKind};
use crate::diag::{Diagnostic, codes::syntax as codes};
use std::ops::Range;

/// The texts of the doc comments.
pub(super) struct Docs<'a> {
    /// The `//!` lines at the top.
    pub(super) file: String,
    /// The `///` lines of each statement.
    pub(super) items: Vec<String>,
    /// Comments that document nothing.
    pub(super) lost: Vec<&'a Comment>,
}

/// Gives each doc comment to its statement: to the one on whose line it stands, else to the one around it, else to
/// the next.
pub(super) fn attach<'a>(
    text: &str,
    comments: &'a [Comment],
    statements: &[Range<usize>],
) -> Docs<'a> {
    let mut file: Vec<&str> = Vec::new();
    let mut items: Vec<Vec<&str>> = vec![Vec::new(); statements.len()];
    let mut lost = Vec::new();
    for comment in comments {
        let next = comment.next as usize;
        match comment.kind {
            CommentKind::Plain => {}
            CommentKind::File if next == 0 => file.push(content(comment, text)),
            CommentKind::File => lost.push(comment),
            CommentKind::Doc => {
                let token = if comment.trails() { next - 1 } else { next };
                let owner = statements.partition_point(|range| range.end <= token);
                match items.get_mut(owner) {
                    Some(lines) => lines.push(content(comment, text)),
                    None => lost.push(comment),
                }
            }
        }
    }
    Docs {
        file: file.join("\n"),
        items: items.iter().map(|lines| lines.join("\n")).collect(),
        lost,
    }
}

/// The text behind the slashes, without the space that sets it off.
fn content<'a>(comment: &Comment, text: &'a str) -> &'a str {
    let text = comment.text(text);
    let text = text.get(3..).unwrap_or("");
    text.strip_prefix(' ').unwrap_or(text)
}

/// The warning for a comment that documents nothing.
pub(super) fn lost(comment: &Comment) -> Diagnostic {
    let (title, help) = match comment.kind {
        CommentKind::File => (
            "a `//!` comment describes the whole file and must be at its top",
            "move it to the top, or write `///` to describe one statement and `//` for a plain comment",
        ),
        _ => (
            "this `///` comment has no statement after it",
            "put it before a statement or after it on its line, or write `//` for a plain comment",
        ),
    };
    Diagnostic::warning(codes::E0015, title, comment.span(), "documents nothing").help(help)
}
