//! Where statements begin and end. A statement ends with its line, unless a bracket is open or the line ends with an
//! operator, a comma or a colon, or a word of `if ... then ... else` stands at the line's end or at the beginning of the
//! next; a line that can only be the start of a statement always begins one, so that a
//! forgotten bracket costs one statement and not the rest of the file.

use super::limits::RESERVED;
use super::statements;
use super::token::{Kind, Token};
use std::ops::Range;

/// The token ranges of the statements.
pub(super) fn split(text: &str, tokens: &[Token]) -> Vec<Range<usize>> {
    let mut statements = Vec::new();
    let mut start = 0;
    let mut depth = 0usize;
    let mut blocks = 0usize;
    for at in 0..tokens.len() {
        let ends = at > start && ends_at_brace(text, &tokens[start..=at], blocks > 0);
        if ends {
            statements.push(start..at);
            start = at;
            depth = 0;
        } else if at > start && tokens[at].breaks > 0 {
            let before = tokens[at - 1].kind;
            let word = |at: usize| RESERVED.contains(&tokens[at].text(text));
            let goes_on = depth > 0
                || before.continues()
                || word(at - 1)
                || (word(at) && tokens[at].text(text) != "if");
            if !goes_on || begins(text, tokens, at, depth > 0, before) {
                statements.push(start..at);
                start = at;
                depth = 0;
            }
        }
        match tokens[at].kind {
            Kind::OpenBrace if at == start || is_loop(text, tokens, start) => blocks += 1,
            Kind::CloseBrace => blocks = blocks.saturating_sub(1),
            Kind::OpenParen | Kind::OpenBracket => depth += 1,
            Kind::CloseParen | Kind::CloseBracket => depth = depth.saturating_sub(1),
            _ => {}
        }
    }
    if start < tokens.len() {
        statements.push(start..tokens.len());
    }
    statements
}

fn is_loop(text: &str, tokens: &[Token], start: usize) -> bool {
    tokens
        .get(start)
        .is_some_and(|token| token.text(text) == "for")
}

/// Whether a block's brace stands between the last of these tokens and the statement before it. Braces elsewhere are
/// none of the language and stay in their statement.
fn ends_at_brace(text: &str, tokens: &[Token], in_block: bool) -> bool {
    let [first, .., before, last] = tokens else {
        // Of two tokens the first may be a brace of its own.
        let [first, last] = tokens else {
            return false;
        };
        let brace = |token: &Token| matches!(token.kind, Kind::OpenBrace | Kind::CloseBrace);
        return brace(first) || closes(last, in_block);
    };
    let opened = before.kind == Kind::OpenBrace && first.text(text) == "for";
    opened || closes(last, in_block)
}

/// Whether a token is the `}` of a block, or is meant to be.
fn closes(token: &Token, in_block: bool) -> bool {
    token.kind == Kind::CloseBrace && (in_block || token.breaks > 0)
}

/// Whether the line that starts at a token can only be a new statement although the one before seems to go on.
fn begins(text: &str, tokens: &[Token], at: usize, open: bool, before: Kind) -> bool {
    let on_line = |offset: usize| {
        let token = tokens.get(at + offset)?;
        (offset == 0 || token.breaks == 0).then_some(token.kind)
    };
    if on_line(0) != Some(Kind::Name) {
        return false;
    }
    let reserved = |offset: usize| {
        let token = tokens.get(at + offset);
        token.is_some_and(|token| RESERVED.contains(&token.text(text)))
    };
    if reserved(0) || reserved(1) {
        return false;
    }
    let clauses_may_follow = !open && matches!(before, Kind::Comma | Kind::Colon);
    if on_line(1) == Some(Kind::Name) && !clauses_may_follow {
        return true;
    }
    match tokens[at].text(text) {
        "gravity" => on_line(1) == Some(Kind::Colon),
        "frame" => on_line(1) == Some(Kind::Name) && on_line(2) == Some(Kind::Equal),
        word => on_line(1) == Some(Kind::Name) && statements::find(word).is_some(),
    }
}
