//! From tokens to the tree, one statement at a time; a statement with an error is left out and reported.

use super::ast::{Expr, Item, ItemKind, SourceFile};
use super::cursor::{Cursor, Parse};
use super::token::{Kind, Lexed, Token};
use super::unexpected::quote;
use super::unit::MapHelp;
use super::{MAX_BYTES, MAX_DIAGNOSTICS, comments, lexer, split, statements};
use crate::diag::{Diagnostic, Severity, codes::syntax as codes, suggest};
use crate::span::Span;
use std::ops::Range;

/// A file as far as it could be read.
#[derive(Clone, Debug)]
pub struct Parsed {
    /// The statements without those that have errors.
    pub file: SourceFile,
    /// What is wrong, in the order of the text.
    pub diagnostics: Vec<Diagnostic>,
    /// Tokens and comments, for the formatter.
    pub(super) lexed: Lexed,
    /// The tokens of each statement.
    pub(super) statements: Vec<Range<usize>>,
}

impl Parsed {
    /// Whether something is refused.
    pub fn has_errors(&self) -> bool {
        self.diagnostics
            .iter()
            .any(|diagnostic| diagnostic.severity == Severity::Error)
    }
}

/// Reads a model file. Never panics; takes time and memory in proportion to the text; a statement that cannot be read
/// costs one message and is left out of the tree.
pub fn parse(text: &str) -> Parsed {
    let mut parsed = Parsed {
        file: SourceFile {
            docs: String::new(),
            items: Vec::new(),
        },
        diagnostics: Vec::new(),
        lexed: Lexed::default(),
        statements: Vec::new(),
    };
    if let Some(error) = too_large(text.len()) {
        parsed.diagnostics.push(error);
        return parsed;
    }
    let mut lexed = lexer::lex(text);
    let statements = split::split(text, &lexed.tokens);
    let mut docs = comments::attach(text, &lexed.comments, &statements);
    let mut found = std::mem::take(&mut docs.warnings);
    let mut model_attempted = false;
    for (range, docs) in statements.iter().zip(docs.items) {
        let tokens = lexed.tokens.get_mut(range.clone()).unwrap_or_default();
        let span = span_of(tokens);
        model_attempted |= resembles_model(text, tokens);
        match statement(text, tokens) {
            Ok(kind) => parsed.file.items.push(Item { kind, docs, span }),
            Err(error) => found.push(*error),
        }
    }
    found.extend(check_models(
        &parsed.file.items,
        &lexed.tokens,
        model_attempted,
    ));
    found.sort_by_key(|diagnostic| diagnostic.labels.first().map(|label| label.span.start));
    parsed.diagnostics = shorten(found);
    parsed.file.docs = docs.file;
    parsed.lexed = lexed;
    parsed.statements = statements;
    parsed
}

/// Reads an expression that is given by itself, such as `x*y + t`; line ends count as spaces.
pub fn parse_expression(text: &str) -> Result<Expr, Vec<Diagnostic>> {
    if let Some(error) = too_large(text.len()) {
        return Err(vec![error]);
    }
    let mut lexed = lexer::lex(text);
    let mut cursor = Cursor::new(text, &mut lexed.tokens);
    let read = |cursor: &mut Cursor| {
        let expr = cursor.expr()?;
        finish(cursor, "the end of the expression")?;
        Ok(expr)
    };
    read(&mut cursor).map_err(|error: Box<Diagnostic>| vec![*error])
}

/// The text of a file's bytes, without a byte order mark. In the error's span, offsets up to the bad byte also hold for
/// [`String::from_utf8_lossy`], which is what to show with it.
pub fn decode(bytes: &[u8]) -> Result<String, Diagnostic> {
    if let Some(error) = too_large(bytes.len()) {
        return Err(error);
    }
    let error = match std::str::from_utf8(bytes) {
        Ok(text) => return Ok(text.strip_prefix('\u{feff}').unwrap_or(text).to_owned()),
        Err(error) => error,
    };
    let at = error.valid_up_to();
    let byte = bytes.get(at).copied().unwrap_or_default();
    let title =
        format!("the file is not UTF-8 text: byte {at} (0x{byte:02x}) belongs to no character");
    let label = format!("byte offset {at}");
    let span = Span::new(at, at + 1);
    let help = if bytes.starts_with(&[0xff, 0xfe]) || bytes.starts_with(&[0xfe, 0xff]) {
        "this looks like UTF-16: save the file as UTF-8"
    } else {
        "save the file as UTF-8"
    };
    Err(Diagnostic::error(codes::E0009, title, span, label).help(help))
}

fn too_large(bytes: usize) -> Option<Diagnostic> {
    if bytes <= MAX_BYTES {
        return None;
    }
    let title = format!("the text has {bytes} bytes; at most {MAX_BYTES} are read");
    let error = Diagnostic::error(codes::E0010, title, Span::new(0, 0), "");
    Some(error.help("check that this is a model file"))
}

fn span_of(tokens: &[Token]) -> Span {
    match (tokens.first(), tokens.last()) {
        (Some(first), Some(last)) => first.span().to(last.span()),
        _ => Span::default(),
    }
}

/// Reads one statement; every error says what the statement should look like.
fn statement(text: &str, tokens: &mut [Token]) -> Parse<ItemKind> {
    let mut cursor = Cursor::new(text, tokens);
    let word = cursor.token().filter(|token| token.kind == Kind::Name);
    let word = word.map_or("", |token| token.text(text));
    let Some(statement) = statements::find(word) else {
        return Err(no_statement(&cursor, word));
    };
    cursor.bump();
    let result = (statement.read)(&mut cursor).and_then(|kind| {
        finish(&cursor, "the end of the statement")?;
        Ok(kind)
    });
    result.map_err(|error| {
        let example = format!(
            "a `{}` statement looks like this: `{}`",
            statement.keyword, statement.example
        );
        match (error.code, &error.help) {
            (codes::E0008 | codes::E0016, _) => error,
            (_, None) => error.map_help(example),
            (_, Some(_)) => Box::new(error.note(example)),
        }
    })
}

/// Nothing may be left over.
fn finish(cursor: &Cursor, what: &str) -> Parse<()> {
    let Some(kind) = cursor.peek() else {
        return Ok(());
    };
    let error = cursor.unexpected(what);
    if error.code != codes::E0004 {
        return Err(error);
    }
    Err(match kind {
        Kind::CloseParen => error.map_help("no `(` is open here: take the `)` away"),
        Kind::CloseBracket => error.map_help("no `[` is open here: take the `]` away"),
        Kind::Name | Kind::Number | Kind::OpenParen if cursor.follows_operand() => {
            error.map_help("a product always has its `*`; each statement has a line of its own")
        }
        _ => error,
    })
}

/// The error for a line that begins with no keyword.
fn no_statement(cursor: &Cursor, word: &str) -> Box<Diagnostic> {
    if word.is_empty() {
        let error = cursor.unexpected("a statement");
        if error.code != codes::E0004 {
            return error;
        }
        let error = Diagnostic {
            code: codes::E0003,
            ..*error
        };
        return Box::new(error.help(
            "to go on with the statement above, end its line with the operator or put the whole in parentheses",
        ));
    }
    let shown = quote(word);
    let here = cursor.here();
    let error = |label: String| {
        let title = format!("no statement begins with {shown}");
        Diagnostic::error(codes::E0003, title, here, label)
    };
    let keywords = statements::STATEMENTS
        .iter()
        .map(|statement| statement.keyword);
    let near = suggest::closest(word, keywords.clone()).or_else(|| {
        keywords
            .clone()
            .find(|keyword| word.starts_with(keyword) && keyword.len() > 4)
    });
    if let Some(statement) = near.and_then(statements::find) {
        let keyword = statement.keyword;
        return Box::new(error(format!("did you mean `{keyword}`?")).help(format!(
            "a `{keyword}` statement looks like this: `{}`",
            statement.example
        )));
    }
    let error = error("not a statement".to_owned());
    Box::new(match cursor.peek_second() {
        Some(Kind::Equal) if word.len() < 80 => error.help(format!(
            "to give an expression a name write `let {word} = ...`, for a constant of the machine `param {word} = ...`"
        )),
        _ => {
            let list: Vec<_> = keywords.map(|keyword| format!("`{keyword}`")).collect();
            error.help(format!("a line begins with one of {}", list.join(", ")))
        }
    })
}

fn resembles_model(text: &str, tokens: &[Token]) -> bool {
    let word = tokens.first().map_or("", |token| token.text(text));
    word == "model" || suggest::closest(word, ["model"]).is_some()
}

/// There must be exactly one `model`; `attempted` if an unreadable statement was meant to be it.
fn check_models(items: &[Item], tokens: &[Token], attempted: bool) -> Vec<Diagnostic> {
    let mut models = items.iter().filter_map(|item| match &item.kind {
        ItemKind::Model(name) => Some((name, item.span)),
        _ => None,
    });
    let Some((_, first)) = models.next() else {
        if attempted {
            return Vec::new();
        }
        let start = tokens.first().map_or(Span::new(0, 0), Token::span);
        let title = "a model file needs `model NAME`";
        let error = Diagnostic::error(codes::E0001, title, start, "expected `model` before this")
            .help("begin the file with a name for the model, for example `model pendulum`");
        return vec![error];
    };
    models
        .map(|(name, span)| {
            let title = format!("a second `model` statement: {}", quote(&name.text));
            Diagnostic::error(codes::E0002, title, span, "a file describes one model")
                .label(first, "the first is here")
                .help("take one of them away, or put the second model into a file of its own")
        })
        .collect()
}

/// Keeps the first messages and says how many more there are.
fn shorten(mut found: Vec<Diagnostic>) -> Vec<Diagnostic> {
    let more = found.len().saturating_sub(MAX_DIAGNOSTICS);
    found.truncate(MAX_DIAGNOSTICS);
    if more > 0 {
        found.push(Diagnostic {
            severity: Severity::Note,
            code: codes::E0011,
            title: format!("and {more} more messages"),
            labels: Vec::new(),
            notes: Vec::new(),
            help: Some("mend the first ones and run again".to_owned()),
        });
    }
    found
}
