//! Words and signs of Autolev's text: lines that go on, comments, vectors. Knows nothing of statements.

use super::super::findings::span;
use crate::span::Span;

/// A word, number or sign.
#[derive(Clone, Debug, PartialEq)]
pub enum Token {
    /// As it is spelled.
    Word(String),
    Number(String),
    /// `v>`, without the mark.
    Vector(String),
    /// `I>>`
    Dyadic(String),
    /// `=`, `+=`, `(` and so on.
    Sign(&'static str),
    /// Anything else.
    Other(char),
}

/// A token with its place.
#[derive(Clone, Debug, PartialEq)]
pub struct Placed {
    pub token: Token,
    pub span: Span,
}

/// A statement's tokens, and the comment behind it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Line {
    pub tokens: Vec<Placed>,
    pub comment: Option<String>,
}

const SIGNS: [&str; 22] = [
    ":=", "+=", "-=", "*=", "/=", "^=", "=", "+", "-", "*", "/", "^", "(", ")", "[", "]", "{", "}",
    ",", ";", ":", "'",
];

/// The statements of a text, and the comments that it begins with.
pub fn lines(text: &str) -> (Vec<Line>, Vec<String>) {
    let mut lines = Vec::new();
    let mut first = Vec::new();
    let mut line = Line::default();
    let mut depth = 0_i32;
    let mut offset = 0;
    for raw in text.split_inclusive('\n') {
        let start = offset;
        offset += raw.len();
        let content = raw.trim_end_matches(['\n', '\r']);
        let (code, comment) = match content.split_once('%') {
            Some((code, comment)) => (code, Some(comment.trim_matches([' ', '\t', '%', '-', '=']))),
            None => (content, None),
        };
        // What Autolev answers, in a protocol.
        if code.trim_start().starts_with("->") {
            continue;
        }
        let comment = comment.filter(|text| !text.is_empty());
        if code.trim().is_empty() {
            if lines.is_empty() && line.tokens.is_empty() {
                first.extend(comment.map(str::to_owned));
            }
            if depth == 0 && !code.contains('&') {
                finish(&mut line, &mut lines);
            }
            continue;
        }
        if let Some(comment) = comment {
            line.comment.get_or_insert_with(|| comment.to_owned());
        }
        let goes_on = tokens(code, start, &mut line.tokens, &mut depth);
        if !goes_on && depth <= 0 {
            finish(&mut line, &mut lines);
            depth = 0;
        }
    }
    finish(&mut line, &mut lines);
    (lines, first)
}

fn finish(line: &mut Line, lines: &mut Vec<Line>) {
    let done = std::mem::take(line);
    if !done.tokens.is_empty() {
        lines.push(done);
    }
}

/// The tokens of one line of the text; whether the statement goes on in the next.
fn tokens(code: &str, start: usize, out: &mut Vec<Placed>, depth: &mut i32) -> bool {
    let mut rest = code;
    let mut goes_on = false;
    while let Some(c) = rest.chars().next() {
        let at = start + code.len() - rest.len();
        if c.is_whitespace() {
            rest = &rest[c.len_utf8()..];
            continue;
        }
        goes_on = false;
        let (token, length) = if c == '&' {
            goes_on = true;
            rest = &rest[1..];
            continue;
        } else if c.is_ascii_alphabetic() || c == '_' {
            word(rest)
        } else if c.is_ascii_digit() || rest.starts_with('.') && second_is_digit(rest) {
            number(rest)
        } else if let Some(sign) = SIGNS.iter().find(|sign| rest.starts_with(**sign)) {
            match *sign {
                "(" | "[" => *depth += 1,
                ")" | "]" => *depth -= 1,
                _ => {}
            }
            (Token::Sign(sign), sign.len())
        } else {
            (Token::Other(c), c.len_utf8())
        };
        out.push(Placed {
            token,
            span: span(at..at + length),
        });
        rest = &rest[length..];
    }
    goes_on
}

fn second_is_digit(text: &str) -> bool {
    text.chars().nth(1).is_some_and(|c| c.is_ascii_digit())
}

/// A word, or a vector or dyadic by the marks behind it.
fn word(text: &str) -> (Token, usize) {
    let length = text
        .find(|c: char| !(c.is_ascii_alphanumeric() || c == '_'))
        .unwrap_or(text.len());
    marked(text, length, Token::Word)
}

fn marked(text: &str, length: usize, plain: fn(String) -> Token) -> (Token, usize) {
    let name = text[..length].to_owned();
    let rest = &text[length..];
    if rest.starts_with(">>") {
        (Token::Dyadic(name), length + 2)
    } else if rest.starts_with('>') {
        (Token::Vector(name), length + 1)
    } else {
        (plain(name), length)
    }
}

fn number(text: &str) -> (Token, usize) {
    let digits = |text: &str| {
        text.find(|c: char| !c.is_ascii_digit())
            .unwrap_or(text.len())
    };
    let mut length = digits(text);
    if text[length..].starts_with('.') {
        length += 1;
        length += digits(&text[length..]);
    }
    let tail = &text[length..];
    if tail.starts_with(['e', 'E']) {
        let sign = usize::from(tail[1..].starts_with(['+', '-']));
        let exponent = digits(&tail[1 + sign..]);
        let after = tail[1 + sign + exponent..].chars().next();
        if exponent > 0 && !after.is_some_and(|c| c.is_ascii_alphanumeric() || c == '_') {
            length += 1 + sign + exponent;
        }
    }
    marked(text, length, Token::Number)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_go_on_and_comments_end_them() {
        let text = "% pendulum\n%----\nP_O_P> = 1.5e-3*a1> & % arm\n  + .2*B2>>\n\nx' += 1.e\n-> (3) x = 2\nv = [1, &\n2]\n";
        let (lines, first) = lines(text);
        assert_eq!(first, ["pendulum"]);
        assert_eq!(lines.len(), 3);
        assert_eq!(lines[0].comment.as_deref(), Some("arm"));
        let said: Vec<&Token> = lines[0].tokens.iter().map(|placed| &placed.token).collect();
        assert_eq!(said[0], &Token::Vector("P_O_P".to_owned()));
        assert_eq!(said[2], &Token::Number("1.5e-3".to_owned()));
        assert_eq!(said[8], &Token::Dyadic("B2".to_owned()));
        assert_eq!(lines[1].tokens[2].token, Token::Sign("+="));
        assert_eq!(&text[lines[1].tokens[0].span.start as usize..][..1], "x");
    }
}
