//! What the lexer hands to the parser and the formatter: tokens without white space, and comments beside them.

use crate::span::Span;

/// The kinds of token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Name,
    Number,
    Plus,
    Minus,
    Star,
    Slash,
    Caret,
    /// `=`
    Equal,
    /// `==`
    Same,
    /// `!=`
    Differs,
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
    Comma,
    Colon,
    Dot,
    /// `..`
    Range,
    Prime,
    OpenParen,
    CloseParen,
    OpenBracket,
    CloseBracket,
    /// `{`
    OpenBrace,
    /// `}`
    CloseBrace,
    /// Anything in quotation marks.
    Text,
    /// Digits with something behind them that does not belong there.
    BadNumber,
    /// A character that the language does not use.
    Unknown,
}

impl Kind {
    /// Whether a line that ends with this token goes on in the next.
    pub(super) fn continues(self) -> bool {
        use Kind::*;
        matches!(
            self,
            Plus | Minus
                | Star
                | Slash
                | Caret
                | Equal
                | Same
                | Differs
                | Less
                | LessEqual
                | Greater
                | GreaterEqual
                | Comma
                | Colon
                | Range
        )
    }
}

/// What the parser found a token to be, where its kind alone does not settle the spacing around it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
    Plain,
    /// A `-` in front of its operand.
    Sign,
    /// A `(` behind a function's name.
    Call,
    /// A `[` in front of an index.
    Index,
    /// A `:` in front of a unit.
    UnitColon,
}

/// A token.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Token {
    pub(super) kind: Kind,
    pub(super) role: Role,
    /// Line ends since the token or comment before it: 0, 1, or 2 for more.
    pub(super) breaks: u8,
    pub(super) start: u32,
    pub(super) end: u32,
}

impl Token {
    /// Its position.
    pub(super) fn span(&self) -> Span {
        Span::new(self.start as usize, self.end as usize)
    }

    /// Its text.
    pub(super) fn text<'a>(&self, source: &'a str) -> &'a str {
        source
            .get(self.start as usize..self.end as usize)
            .unwrap_or("")
    }
}

/// The kinds of comment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum CommentKind {
    /// `//`, also `////`
    Plain,
    /// `///`
    Doc,
    /// `//!`
    File,
}

/// A comment, to the end of its line.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Comment {
    pub(super) kind: CommentKind,
    /// Line ends since the token or comment before it: 0, 1, or 2 for more.
    pub(super) breaks: u8,
    pub(super) start: u32,
    pub(super) end: u32,
    /// Index of the first token after it.
    pub(super) next: u32,
}

impl Comment {
    /// Its position.
    pub(super) fn span(&self) -> Span {
        Span::new(self.start as usize, self.end as usize)
    }

    /// Its text with the slashes, without white space at the end.
    pub(super) fn text<'a>(&self, source: &'a str) -> &'a str {
        source
            .get(self.start as usize..self.end as usize)
            .unwrap_or("")
            .trim_end()
    }

    /// Whether it stands behind a token on the same line.
    pub(super) fn trails(&self) -> bool {
        self.breaks == 0 && self.next > 0
    }
}

/// A text in tokens.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Lexed {
    pub(super) tokens: Vec<Token>,
    pub(super) comments: Vec<Comment>,
}
