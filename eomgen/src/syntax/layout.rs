//! The canonical layout of a model file. Works on tokens, so that no comment can be lost: only the white space between
//! them changes. Line ends inside a statement stay where the author put them.

use super::parser::{Parsed, parse};
use super::token::{Comment, Kind, Role, Token};
use crate::diag;
use unicode_width::UnicodeWidthStr;

/// Columns by which the further lines of a statement are set in.
const INDENT: usize = 4;
/// Columns between a line and the comment behind it.
const GAP: usize = 2;
/// Lines wider than this do not push their neighbours' comments to the right.
const ALIGN_LIMIT: usize = 72;

/// The text in canonical form: one space around `=`, relations, `+` and `-`, none around `*`, `/` and `^`, further
/// lines of a statement set in by four columns, trailing comments of neighbouring lines aligned, at most one blank line
/// in a row. Formatting twice changes nothing; the tree stays the same. A text with errors is not formatted.
pub fn format(text: &str) -> diag::Result<String> {
    let parsed = parse(text);
    if parsed.has_errors() {
        return Err(parsed.diagnostics);
    }
    let mut lines = lines(text, &parsed);
    align(&mut lines);
    let mut out = String::with_capacity(text.len());
    for line in &lines {
        if line.blank_before && !out.is_empty() {
            out.push('\n');
        }
        if !line.code.is_empty() {
            push_spaces(&mut out, line.indent);
            out.push_str(&line.code);
        }
        if let Some(comment) = line.comment {
            push_spaces(&mut out, line.comment_gap);
            out.push_str(comment);
        }
        out.push('\n');
    }
    Ok(out)
}

/// One line of output.
struct Line<'a> {
    blank_before: bool,
    indent: usize,
    /// Empty if the line is a comment alone.
    code: String,
    comment: Option<&'a str>,
    /// Spaces before the comment.
    comment_gap: usize,
}

/// A token, with whether it begins a statement, or a comment, with whether it stands inside one.
enum Piece<'a> {
    Token(&'a Token, bool),
    Comment(&'a Comment, bool),
}

/// Tokens and comments in the order of the text.
fn pieces(parsed: &Parsed) -> Vec<Piece<'_>> {
    let mut pieces = Vec::new();
    let mut comments = parsed.lexed.comments.iter().peekable();
    for range in &parsed.statements {
        for at in range.clone() {
            let first = at == range.start;
            while let Some(comment) = comments.next_if(|comment| comment.next as usize <= at) {
                pieces.push(Piece::Comment(comment, !first));
            }
            if let Some(token) = parsed.lexed.tokens.get(at) {
                pieces.push(Piece::Token(token, first));
            }
        }
    }
    pieces.extend(comments.map(|comment| Piece::Comment(comment, false)));
    pieces
}

fn lines<'a>(text: &'a str, parsed: &Parsed) -> Vec<Line<'a>> {
    let mut lines: Vec<Line<'a>> = Vec::new();
    let mut before: Option<&Token> = None;
    // Blocks around the current statement, and whether that statement opens one.
    let mut depth = 0usize;
    let mut opens = false;
    for piece in pieces(parsed) {
        match piece {
            Piece::Comment(comment, _) if comment.trails() => {
                if let Some(line) = lines.last_mut() {
                    line.comment = Some(comment.text(text));
                    line.comment_gap = GAP;
                }
            }
            Piece::Comment(comment, inside) => {
                let here = if inside {
                    depth
                } else {
                    depth + usize::from(opens)
                };
                let indent = INDENT * (here + usize::from(inside));
                lines.push(Line {
                    blank_before: comment.breaks > 1,
                    indent: 0,
                    code: String::new(),
                    comment: Some(comment.text(text)),
                    comment_gap: indent,
                });
            }
            Piece::Token(token, first) => {
                if first {
                    depth += usize::from(std::mem::take(&mut opens));
                    if token.kind == Kind::CloseBrace {
                        depth = depth.saturating_sub(1);
                    }
                }
                if first || token.breaks > 0 {
                    let closes = matches!(token.kind, Kind::CloseParen | Kind::CloseBracket);
                    lines.push(Line {
                        blank_before: token.breaks > 1,
                        indent: INDENT * (depth + usize::from(!first && !closes)),
                        code: String::new(),
                        comment: None,
                        comment_gap: 0,
                    });
                }
                if let Some(line) = lines.last_mut() {
                    if !line.code.is_empty() && before.is_some_and(|b| spaced(b, token)) {
                        line.code.push(' ');
                    }
                    line.code.push_str(token.text(text));
                }
                opens = token.kind == Kind::OpenBrace;
                before = Some(token);
            }
        }
    }
    lines
}

/// Whether a space stands between two tokens of a statement.
fn spaced(before: &Token, token: &Token) -> bool {
    use Kind::*;
    if before.role == Role::Sign
        || matches!(
            before.kind,
            OpenParen | OpenBracket | Dot | Range | Star | Slash | Caret
        )
    {
        return false;
    }
    match token.kind {
        CloseParen | CloseBracket | Comma | Prime | Dot | Range | Star | Slash | Caret => false,
        OpenParen => token.role != Role::Call,
        OpenBracket => token.role != Role::Index,
        Colon => token.role == Role::UnitColon,
        _ => true,
    }
}

/// Puts the trailing comments of neighbouring lines into one column.
fn align(lines: &mut [Line]) {
    let mut start = 0;
    while start < lines.len() {
        let mut end = start;
        let mut column = 0;
        while let Some(line) = lines.get(end).filter(|line| joins(line, end > start)) {
            column = column.max(width(line).filter(|w| *w <= ALIGN_LIMIT).unwrap_or(0));
            end += 1;
        }
        for line in lines.get_mut(start..end).unwrap_or_default() {
            let width = width(line).unwrap_or(0);
            line.comment_gap = column.saturating_sub(width) + GAP;
        }
        start = end.max(start + 1);
    }
}

/// Whether a line has a trailing comment and no blank line parts it from the run.
fn joins(line: &Line, in_run: bool) -> bool {
    !line.code.is_empty() && line.comment.is_some() && !(in_run && line.blank_before)
}

fn width(line: &Line) -> Option<usize> {
    line.comment.map(|_| line.indent + line.code.width())
}

fn push_spaces(out: &mut String, count: usize) {
    out.extend(std::iter::repeat_n(' ', count));
}
