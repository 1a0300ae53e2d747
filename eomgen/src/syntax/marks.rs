//! The tokens and comments of a text for editors, wrong statements among them. Knows nothing of what they mean.

use super::token::{CommentKind, Kind};
use super::{lexer, split};
use crate::span::Span;

/// What a mark is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MarkKind {
    /// A name or a word.
    Name,
    /// A number.
    Number,
    /// Something in quotation marks.
    Text,
    /// `.`
    Dot,
    /// `,`
    Comma,
    /// `:`
    Colon,
    /// `(`, `[` or `{`
    Open,
    /// `)`, `]` or `}`
    Close,
    /// Any other sign.
    Sign,
    /// A comment.
    Comment,
    /// Documentation.
    Doc,
}

/// A token or a comment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mark {
    /// What it is.
    pub kind: MarkKind,
    /// Where it stands.
    pub span: Span,
    /// Whether a statement begins with it.
    pub first: bool,
}

impl Mark {
    /// Its text.
    pub fn text<'a>(&self, text: &'a str) -> &'a str {
        text.get(self.span.start as usize..self.span.end as usize)
            .unwrap_or("")
    }

    /// Whether it is a comment of either kind.
    pub fn is_comment(&self) -> bool {
        matches!(self.kind, MarkKind::Comment | MarkKind::Doc)
    }
}

/// All tokens and comments in the order of the text.
pub fn marks(text: &str) -> Vec<Mark> {
    let lexed = lexer::lex(text);
    let firsts: Vec<usize> = split::split(text, &lexed.tokens)
        .iter()
        .map(|range| range.start)
        .collect();
    let tokens = lexed.tokens.iter().enumerate().map(|(at, token)| Mark {
        kind: kind(token.kind),
        span: token.span(),
        first: firsts.binary_search(&at).is_ok(),
    });
    let comments = lexed.comments.iter().map(|comment| Mark {
        kind: match comment.kind {
            CommentKind::Plain => MarkKind::Comment,
            CommentKind::Doc | CommentKind::File => MarkKind::Doc,
        },
        span: comment.span(),
        first: false,
    });
    let mut all: Vec<Mark> = tokens.chain(comments).collect();
    all.sort_by_key(|mark| mark.span.start);
    all
}

fn kind(kind: Kind) -> MarkKind {
    match kind {
        Kind::Name => MarkKind::Name,
        Kind::Number | Kind::BadNumber => MarkKind::Number,
        Kind::Text => MarkKind::Text,
        Kind::Dot => MarkKind::Dot,
        Kind::Comma => MarkKind::Comma,
        Kind::Colon => MarkKind::Colon,
        Kind::OpenParen | Kind::OpenBracket | Kind::OpenBrace => MarkKind::Open,
        Kind::CloseParen | Kind::CloseBracket | Kind::CloseBrace => MarkKind::Close,
        _ => MarkKind::Sign,
    }
}
