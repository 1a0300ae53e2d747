//! From characters to tokens. Never fails: what it cannot read becomes a token that the parser reports.

use super::token::{Comment, CommentKind, Kind, Lexed, Role, Token};
use unicode_ident::{is_xid_continue, is_xid_start};

/// Cuts a text into tokens and comments.
pub(super) fn lex(text: &str) -> Lexed {
    let mut lexer = Lexer {
        text,
        at: 0,
        breaks: 0,
        out: Lexed::default(),
    };
    if text.starts_with('\u{feff}') {
        lexer.at = '\u{feff}'.len_utf8();
    }
    while let Some(c) = lexer.peek() {
        lexer.step(c);
    }
    lexer.out
}

struct Lexer<'a> {
    text: &'a str,
    at: usize,
    breaks: u8,
    out: Lexed,
}

impl Lexer<'_> {
    fn rest(&self) -> &str {
        self.text.get(self.at..).unwrap_or("")
    }

    fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    fn step(&mut self, c: char) {
        let rest = self.rest();
        if c == '\n' || c == '\r' {
            self.at += if rest.starts_with("\r\n") { 2 } else { 1 };
            self.breaks = (self.breaks + 1).min(2);
        } else if c.is_whitespace() {
            self.at += c.len_utf8();
        } else if rest.starts_with("//") {
            self.comment();
        } else if is_xid_start(c) || c == '_' {
            let length = rest.find(|c| !is_xid_continue(c)).unwrap_or(rest.len());
            self.token(Kind::Name, length);
        } else if starts_number(rest) {
            let (kind, length) = number(rest);
            self.token(kind, length);
        } else {
            let (kind, length) = sign(rest).unwrap_or((Kind::Unknown, c.len_utf8()));
            self.token(kind, length);
        }
    }

    fn token(&mut self, kind: Kind, length: usize) {
        let start = self.at;
        self.at += length;
        self.out.tokens.push(Token {
            kind,
            role: Role::Plain,
            breaks: self.breaks,
            start: start as u32,
            end: self.at as u32,
        });
        self.breaks = 0;
    }

    fn comment(&mut self) {
        let rest = self.rest();
        let length = rest.find(['\n', '\r']).unwrap_or(rest.len());
        let kind = if rest.starts_with("//!") {
            CommentKind::File
        } else if rest.starts_with("///") && !rest.starts_with("////") {
            CommentKind::Doc
        } else {
            CommentKind::Plain
        };
        self.out.comments.push(Comment {
            kind,
            breaks: self.breaks,
            start: self.at as u32,
            end: (self.at + length) as u32,
            next: self.out.tokens.len() as u32,
        });
        self.at += length;
        self.breaks = 0;
    }
}

fn sign(rest: &str) -> Option<(Kind, usize)> {
    let bytes = rest.as_bytes();
    let one = |kind| Some((kind, 1));
    let with_equal = |alone: Kind, both: Kind| match bytes.get(1) {
        Some(b'=') => Some((both, 2)),
        _ => Some((alone, 1)),
    };
    match bytes.first()? {
        b'+' => one(Kind::Plus),
        b'-' => one(Kind::Minus),
        b'*' => one(Kind::Star),
        b'/' if bytes.get(1) == Some(&b'*') => Some((Kind::Unknown, 2)),
        b'/' => one(Kind::Slash),
        b'^' => one(Kind::Caret),
        b',' => one(Kind::Comma),
        b':' => one(Kind::Colon),
        b'.' if bytes.get(1) == Some(&b'.') => Some((Kind::Range, 2)),
        b'.' => one(Kind::Dot),
        b'\'' => one(Kind::Prime),
        b'(' => one(Kind::OpenParen),
        b')' => one(Kind::CloseParen),
        b'[' => one(Kind::OpenBracket),
        b']' => one(Kind::CloseBracket),
        b'{' => one(Kind::OpenBrace),
        b'}' => one(Kind::CloseBrace),
        b'"' => {
            let end = rest.get(1..)?.find(['"', '\n', '\r'])?;
            (bytes.get(end + 1) == Some(&b'"')).then_some((Kind::Text, end + 2))
        }
        b'=' => with_equal(Kind::Equal, Kind::Same),
        b'!' => with_equal(Kind::Unknown, Kind::Differs),
        b'<' => with_equal(Kind::Less, Kind::LessEqual),
        b'>' => with_equal(Kind::Greater, Kind::GreaterEqual),
        _ => None,
    }
}

fn starts_number(rest: &str) -> bool {
    let rest = rest.strip_prefix('.').unwrap_or(rest);
    rest.starts_with(|c: char| c.is_ascii_digit())
}

/// `1`, `1.5`, `.5`, `1e-3`; anything that runs on without a gap makes it a bad number as a whole.
fn number(rest: &str) -> (Kind, usize) {
    let bytes = rest.as_bytes();
    let digits = |from: usize| {
        let tail = bytes.get(from..).unwrap_or(&[]);
        tail.iter().take_while(|b| b.is_ascii_digit()).count()
    };
    let mut length = digits(0);
    if bytes.get(length) == Some(&b'.') {
        let fraction = digits(length + 1);
        if fraction > 0 {
            length += 1 + fraction;
        }
    }
    if matches!(bytes.get(length), Some(b'e' | b'E')) {
        let signed = usize::from(matches!(bytes.get(length + 1), Some(b'+' | b'-')));
        let exponent = digits(length + 1 + signed);
        if exponent > 0 {
            length += 1 + signed + exponent;
        }
    }
    let tail = rest.get(length..).unwrap_or("");
    let runs_on = tail.starts_with(is_xid_continue) || starts_number(tail);
    if !runs_on {
        return (Kind::Number, length);
    }
    let point_then_digit = |at: usize| starts_number(tail.get(at..).unwrap_or(""));
    let more = tail
        .char_indices()
        .find(|(at, c)| !is_xid_continue(*c) && !point_then_digit(*at))
        .map_or(tail.len(), |(at, _)| at);
    (Kind::BadNumber, length + more)
}
