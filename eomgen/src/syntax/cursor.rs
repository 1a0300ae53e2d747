//! One statement's tokens with a reading position, and the errors that any part of the parser can meet.

use super::ast::{Ident, Name, NameIndex, Ref, Segment};
use super::limits::{MAX_DEPTH, MAX_NAME, MAX_NUMBER, RESERVED};
use super::messages::Boxed;
use super::token::{Kind, Role, Token};
use crate::diag::{Diagnostic, codes::syntax as codes};
use crate::span::Span;

/// A parse step: a piece of the tree, or the one error that ends the statement.
pub(super) type Parse<T> = Result<T, Box<Diagnostic>>;

/// A reading position in one statement.
pub(super) struct Cursor<'a> {
    pub(super) text: &'a str,
    tokens: &'a mut [Token],
    at: usize,
}

/// Bytes of a name as it is written, with quotation marks.
const SHOWN: usize = 60;

impl<'a> Cursor<'a> {
    /// At the first token.
    pub(super) fn new(text: &'a str, tokens: &'a mut [Token]) -> Self {
        Self {
            text,
            tokens,
            at: 0,
        }
    }

    /// The token to be read next.
    pub(super) fn token(&self) -> Option<Token> {
        self.tokens.get(self.at).copied()
    }

    /// The kind of the token to be read next.
    pub(super) fn peek(&self) -> Option<Kind> {
        self.token().map(|token| token.kind)
    }

    /// The kind of the token after that.
    pub(super) fn peek_second(&self) -> Option<Kind> {
        self.tokens.get(self.at + 1).map(|token| token.kind)
    }

    /// The kind of the token read last.
    pub(super) fn previous(&self) -> Option<Kind> {
        let before = self.at.checked_sub(1)?;
        self.tokens.get(before).map(|token| token.kind)
    }

    /// Whether the token read last can end an operand.
    pub(super) fn follows_operand(&self) -> bool {
        use Kind::*;
        let before = self.previous();
        matches!(
            before,
            Some(Name | Number | Prime | CloseParen | CloseBracket)
        )
    }

    /// The keyword of the statement.
    pub(super) fn statement(&self) -> &'a str {
        let first = self.tokens.first();
        first.map_or("", |token| token.text(self.text))
    }

    /// The factor that ends with the token read last, and the one that begins with the next, as they stand: `x'`, `cos(th)`.
    pub(super) fn factors(&self) -> (&'a str, &'a str) {
        let text = |from: usize, to: usize| {
            let tokens = self.tokens.get(from..to).unwrap_or_default();
            match (tokens.first(), tokens.last()) {
                (Some(first), Some(last)) => self
                    .text
                    .get(first.start as usize..last.end as usize)
                    .unwrap_or_default(),
                _ => "",
            }
        };
        (
            text(self.factor_start(), self.at),
            text(self.at, self.factor_end()),
        )
    }

    fn kind_at(&self, at: usize) -> Option<Kind> {
        self.tokens.get(at).map(|token| token.kind)
    }

    /// Where the factor before the next token begins, its powers included.
    fn factor_start(&self) -> usize {
        let mut start = self.factor_before(self.at);
        while let Some(power) = start.checked_sub(1)
            && self.kind_at(power) == Some(Kind::Caret)
        {
            start = self.factor_before(power);
        }
        start
    }

    /// Where the factor before a token begins.
    fn factor_before(&self, at: usize) -> usize {
        let mut start = at;
        let mut depth = 0_usize;
        while let Some(before) = start.checked_sub(1) {
            let ends = match self.kind_at(before) {
                Some(Kind::CloseParen | Kind::CloseBracket) => {
                    depth += 1;
                    false
                }
                Some(Kind::OpenParen | Kind::OpenBracket) if depth == 0 => return start,
                Some(Kind::OpenParen | Kind::OpenBracket) => {
                    depth -= 1;
                    let called = before.checked_sub(1).and_then(|at| self.kind_at(at));
                    depth == 0 && !matches!(called, Some(Kind::Name | Kind::Number))
                }
                Some(Kind::Name | Kind::Number) => {
                    let dotted = before.checked_sub(1).and_then(|at| self.kind_at(at));
                    depth == 0 && dotted != Some(Kind::Dot)
                }
                _ => false,
            };
            start = before;
            if ends {
                break;
            }
        }
        start
    }

    /// Where the factor that begins with the next token ends.
    fn factor_end(&self) -> usize {
        let mut end = self.at;
        let mut depth = 0_usize;
        loop {
            match self.kind_at(end) {
                Some(Kind::OpenParen | Kind::OpenBracket) => depth += 1,
                Some(Kind::CloseParen | Kind::CloseBracket) => depth = depth.saturating_sub(1),
                None => return end,
                _ => {}
            }
            end += 1;
            let goes_on = match self.kind_at(end) {
                Some(Kind::Prime | Kind::Dot | Kind::OpenParen | Kind::OpenBracket) => true,
                Some(Kind::Name) => self.kind_at(end - 1) == Some(Kind::Dot),
                _ => false,
            };
            if depth == 0 && !goes_on {
                return end;
            }
        }
    }

    /// Whether the next token is this word.
    pub(super) fn at_word(&self, word: &str) -> bool {
        self.token()
            .is_some_and(|token| token.kind == Kind::Name && token.text(self.text) == word)
    }

    /// The word that stands so many tokens further on.
    pub(super) fn word_at(&self, offset: usize) -> Option<&'a str> {
        let token = self.tokens.get(self.at + offset)?;
        (token.kind == Kind::Name).then(|| token.text(self.text))
    }

    /// Where the next token stands, or the place behind the last one.
    pub(super) fn here(&self) -> Span {
        match (self.token(), self.tokens.last()) {
            (Some(token), _) => token.span(),
            (None, Some(last)) => Span::new(last.end as usize, last.end as usize),
            (None, None) => Span::new(self.text.len(), self.text.len()),
        }
    }

    /// Where the last token read stands.
    pub(super) fn last(&self) -> Span {
        let before = self.at.checked_sub(1).and_then(|at| self.tokens.get(at));
        before.map_or(self.here(), Token::span)
    }

    /// Reads any token.
    pub(super) fn bump(&mut self) {
        self.at = (self.at + 1).min(self.tokens.len());
    }

    /// Reads a token and notes what it is.
    pub(super) fn bump_as(&mut self, role: Role) {
        if let Some(token) = self.tokens.get_mut(self.at) {
            token.role = role;
        }
        self.bump();
    }

    /// Reads a token if it is of this kind.
    pub(super) fn eat(&mut self, kind: Kind) -> bool {
        let found = self.peek() == Some(kind);
        if found {
            self.bump();
        }
        found
    }

    /// Reads a word if it comes next.
    pub(super) fn eat_word(&mut self, word: &str) -> bool {
        let found = self.at_word(word);
        if found {
            self.bump();
        }
        found
    }

    /// Reads a token of this kind or reports what was expected.
    pub(super) fn expect(&mut self, kind: Kind, what: &str) -> Parse<()> {
        if self.eat(kind) {
            return Ok(());
        }
        Err(self.unexpected(what))
    }

    /// Reads a word or reports it missing.
    pub(super) fn expect_word(&mut self, word: &str) -> Parse<()> {
        if self.eat_word(word) {
            return Ok(());
        }
        Err(self.unexpected(&format!("`{word}`")))
    }

    /// Reads the partner of an opening bracket.
    pub(super) fn close(&mut self, kind: Kind, open: Span, what: &str) -> Parse<()> {
        if self.eat(kind) {
            return Ok(());
        }
        let sign = if kind == Kind::CloseParen { ")" } else { "]" };
        if self.token().is_none() {
            return Err(self.unclosed(sign, open, what));
        }
        let error = self
            .unexpected(what)
            .map_label(open, "the bracket opened here");
        let factor = matches!(
            self.peek(),
            Some(Kind::Name | Kind::Number | Kind::OpenParen)
        );
        Err(if factor && self.follows_operand() {
            self.side_by_side(error)
        } else {
            error
        })
    }

    /// The error for a bracket that is open at the end of the statement.
    pub(super) fn unclosed(&self, sign: &str, open: Span, what: &str) -> Box<Diagnostic> {
        let title = format!("this bracket is never closed by `{sign}`");
        let error = Diagnostic::error(codes::E0005, title, open, "opened here")
            .label(self.here(), format!("expected {what} before this"))
            .write_at(self.here(), sign)
            .help(format!("add the `{sign}`, or remove the bracket"));
        Box::new(error)
    }

    /// Reads a name.
    pub(super) fn name(&mut self, what: &str) -> Parse<Ident> {
        let Some(token) = self.token().filter(|token| token.kind == Kind::Name) else {
            return Err(self.unexpected(what));
        };
        let text = token.text(self.text);
        if RESERVED.contains(&text) {
            let title = format!("`{text}` is a reserved word and cannot be a name");
            let error = Diagnostic::error(codes::E0014, title, token.span(), "reserved word")
                .help(format!("choose another name, for example `{text}_1`"))
                .write(format!("{text}_1"));
            return Err(Box::new(error));
        }
        if text.len() > MAX_NAME {
            let title = format!("a name of {} bytes is too long", text.len());
            let label = format!("at most {MAX_NAME} bytes are allowed");
            let error = Diagnostic::error(codes::E0016, title, token.span(), label)
                .help("choose a shorter name and describe it in a `///` comment");
            return Err(Box::new(error));
        }
        self.bump();
        Ok(Ident {
            text: text.to_owned(),
            span: token.span(),
        })
    }

    /// Reads a name that is declared, with its indices.
    pub(super) fn declared_name(&mut self, what: &str) -> Parse<Name> {
        let ident = self.name(what)?;
        let mut indices = Vec::new();
        while self.peek() == Some(Kind::OpenBracket) {
            let open = self.here();
            self.bump_as(Role::Index);
            let from = self.expr()?;
            indices.push(if self.eat(Kind::Range) {
                NameIndex::Range(from, self.expr()?)
            } else {
                NameIndex::At(from)
            });
            self.close(Kind::CloseBracket, open, "an operator, `..` or `]`")?;
        }
        Ok(Name { ident, indices })
    }

    /// Reads a reference to something declared.
    pub(super) fn reference(&mut self, what: &str) -> Parse<Ref> {
        let ident = self.name(what)?;
        let mut path = Vec::new();
        loop {
            match self.peek() {
                Some(Kind::OpenBracket) => {
                    let open = self.here();
                    self.bump_as(Role::Index);
                    let from = self.expr()?;
                    let to = self.eat(Kind::Range).then(|| self.expr()).transpose()?;
                    self.close(Kind::CloseBracket, open, "an operator or `]`")?;
                    let span = open.to(self.last());
                    path.push(match to {
                        Some(to) => Segment::Range(from, to, span),
                        None => Segment::Index(from, span),
                    });
                }
                Some(Kind::Dot) => {
                    self.bump();
                    path.push(Segment::Field(self.name("a name after `.`")?));
                }
                _ => {
                    return Ok(Ref {
                        ident,
                        path,
                        made: None,
                    });
                }
            }
        }
    }

    /// Reads a reference to a point or frame, or what stands for one: `O + x*N.x`, `rotate(N, q, N.z)`.
    pub(super) fn place(&mut self, what: &str) -> Parse<Ref> {
        let start = self.at;
        if self.peek() == Some(Kind::Name) {
            let reference = self.reference(what)?;
            let goes_on = matches!(
                self.peek(),
                Some(Kind::Plus | Kind::Minus | Kind::Star | Kind::Slash | Kind::OpenParen)
            );
            if !goes_on {
                return Ok(reference);
            }
            self.at = start;
            return Ok(Ref::made(self.expr()?));
        }
        self.reference(what)
    }

    /// Reads what stands in quotation marks.
    pub(super) fn text(&mut self, what: &str) -> Parse<Ident> {
        let Some(token) = self.token().filter(|token| token.kind == Kind::Text) else {
            return Err(self.unexpected(what));
        };
        self.bump();
        Ok(Ident {
            text: token.text(self.text).trim_matches('"').to_owned(),
            span: token.span(),
        })
    }

    /// Reads how a name is written in mathematics: letters, digits and `_` in quotation marks.
    pub(super) fn shown(&mut self) -> Parse<Ident> {
        let is_plain =
            |c: char| c.is_alphanumeric() || matches!(c, '_' | '*' | '\u{300}'..='\u{36f}');
        let is_short = |text: &str| (3..=SHOWN).contains(&text.len());
        let fits = self.token().is_some_and(|token| {
            let text = token.text(self.text);
            let inside = text.trim_matches('"');
            token.kind == Kind::Text
                && is_short(text)
                && inside.chars().all(is_plain)
                && inside.starts_with(char::is_alphabetic)
        });
        if fits {
            self.text("a name")
        } else {
            Err(self
                .unexpected("how the name is written: letters, digits and `_` in quotation marks"))
        }
    }

    /// Reads a number's text, within the limits that later exact arithmetic relies on.
    pub(super) fn number(&mut self) -> Parse<String> {
        let Some(token) = self.token().filter(|token| token.kind == Kind::Number) else {
            return Err(self.unexpected("a number"));
        };
        let text = token.text(self.text);
        let exponent = text
            .split_once(['e', 'E'])
            .map_or("0", |(_, exponent)| exponent);
        let small = exponent
            .parse::<i32>()
            .is_ok_and(|e| (-400..=400).contains(&e));
        if text.len() > MAX_NUMBER || !small {
            let (title, label) = if small {
                let title = format!("a number of {} characters is too long", text.len());
                (
                    title,
                    format!("at most {MAX_NUMBER} characters are allowed"),
                )
            } else {
                let title = "the exponent of this number is too large".to_owned();
                (title, "exponents run from -400 to 400".to_owned())
            };
            let error = Diagnostic::error(codes::E0007, title, token.span(), label)
                .help("write the number with fewer digits, for example `1.602176634e-19`");
            return Err(Box::new(error));
        }
        self.bump();
        Ok(text.to_owned())
    }

    /// Refuses trees that are too deep.
    pub(super) fn limit(&self, depth: u32) -> Parse<()> {
        if depth <= MAX_DEPTH {
            return Ok(());
        }
        let title = format!("this expression has more than {MAX_DEPTH} levels");
        let error = Diagnostic::error(
            codes::E0008,
            title,
            self.last(),
            "the limit is reached here",
        )
        .note("nested brackets, and each further term of a long sum or product, count as levels")
        .help("give parts of it names, as in `let part1 = a + b`, and combine the names");
        Err(Box::new(error))
    }
}
