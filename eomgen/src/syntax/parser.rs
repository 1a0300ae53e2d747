//! From tokens to the tree, one statement at a time; a statement with an error is left out and reported.

use super::ast::{Expr, Item, ItemKind, SourceFile};
use super::blocks::Blocks;
use super::cursor::{Cursor, Parse};
use super::limits::MAX_BYTES;
use super::messages::{Boxed, Messages};
use super::statements::Statement;
use super::token::{Kind, Lexed, Token};
use super::unexpected::quote;
use super::{comments, lexer, split, statements};
use crate::diag::{self, Diagnostic, Severity, codes::syntax as codes};
use crate::span::Span;
use std::ops::Range;

/// A file as far as it could be read.
#[derive(Clone, Debug, Default)]
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
    let mut parsed = Parsed::default();
    if let Some(error) = too_large(text.len()) {
        parsed.diagnostics.push(error);
        return parsed;
    }
    let mut lexed = lexer::lex(text);
    let statements = split::split(text, &lexed.tokens);
    let docs = comments::attach(text, &lexed.comments, &statements);
    let mut found = Messages::default();
    let mut model_attempted = false;
    let mut blocks = Blocks::default();
    for (range, docs) in statements.iter().zip(docs.items) {
        let tokens = lexed.tokens.get_mut(range.clone()).unwrap_or_default();
        let span = span_of(tokens);
        if blocks.brace(tokens, span, &mut parsed.file.items, &mut found) {
            continue;
        }
        match keyword(text, tokens).or_else(|word| rate(tokens).ok_or(word)) {
            Ok(row) => match statement(text, tokens, row) {
                Ok(kind) => {
                    let item = Item { kind, docs, span };
                    blocks.add(item, &mut parsed.file.items, &mut found);
                }
                Err(error) => {
                    model_attempted |= matches!(row.keyword, "model" | "part");
                    blocks.unreadable(row.keyword, tokens, span);
                    parsed.file.unread.extend(declared(text, tokens, row));
                    found.add(|| *error);
                }
            },
            Err(word) => found.add(|| {
                parsed.file.unread.extend(names(text, tokens));
                let meant = statements::meant(word);
                model_attempted |= meant.is_some_and(|row| matches!(row.keyword, "model" | "part"));
                no_statement(&Cursor::new(text, tokens), word, meant)
            }),
        }
    }
    blocks.finish(&mut parsed.file.items, &mut found);
    check_models(
        &parsed.file.items,
        &lexed.tokens,
        model_attempted,
        &mut found,
    );
    for comment in docs.lost {
        found.add(|| comments::lost(comment));
    }
    parsed.diagnostics = found.finish();
    parsed.file.docs = docs.file;
    parsed.lexed = lexed;
    parsed.statements = statements;
    parsed
}

/// Whether a text begins as a model or a part does: with a statement, or with a slip of the pen in `model` or `part`. An empty one does.
pub fn begins_model(text: &str) -> bool {
    if text.trim().is_empty() {
        return true;
    }
    // A long text need not be read to its end; a statement of this length is none.
    let mut end = text.len().min(1 << 16);
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    let text = &text[..end];
    let lexed = lexer::lex(text);
    match keyword(text, &lexed.tokens) {
        Ok(_) => true,
        Err(word) => {
            statements::meant(word).is_some_and(|row| matches!(row.keyword, "model" | "part"))
        }
    }
}

/// Reads an expression that is given by itself, such as `x*y + t`; line ends count as spaces.
pub fn parse_expression(text: &str) -> diag::Result<Expr> {
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

fn too_large(bytes: usize) -> Option<Diagnostic> {
    if bytes <= MAX_BYTES {
        return None;
    }
    let title = format!("the text has {bytes} bytes; the limit is {MAX_BYTES}");
    let error = Diagnostic::error(codes::E0010, title, Span::new(0, 0), "");
    Some(error.help("check that this is a model file"))
}

fn span_of(tokens: &[Token]) -> Span {
    match (tokens.first(), tokens.last()) {
        (Some(first), Some(last)) => first.span().to(last.span()),
        _ => Span::default(),
    }
}

/// The statement's row in the table, or the word that has none (empty if it begins with no word).
fn keyword<'a>(text: &'a str, tokens: &[Token]) -> Result<&'static Statement, &'a str> {
    let first = tokens.first().filter(|token| token.kind == Kind::Name);
    let word = first.map_or("", |token| token.text(text));
    statements::find(word).ok_or(word)
}

/// The row of a line that begins as `i' =` does: the rate of a state as books write it.
fn rate(tokens: &[Token]) -> Option<&'static Statement> {
    let kinds = |from: usize| tokens.iter().skip(from).map(|token| token.kind);
    // Behind the name there may be indices and further names.
    let prime = kinds(0).position(|kind| kind == Kind::Prime)?;
    let path = kinds(1).take(prime.saturating_sub(1)).all(|kind| {
        matches!(
            kind,
            Kind::Name | Kind::Number | Kind::Dot | Kind::OpenBracket | Kind::CloseBracket
        )
    });
    let equals = kinds(prime + 1).next() == Some(Kind::Equal);
    let named = kinds(0).next() == Some(Kind::Name);
    (named && path && equals).then_some(&statements::PRIMED)
}

/// The words of a statement.
fn names<'a>(text: &'a str, tokens: &'a [Token]) -> impl Iterator<Item = String> + 'a {
    let names = tokens.iter().filter(|token| token.kind == Kind::Name);
    names.map(|token| token.text(text).to_owned())
}

/// The words that a statement declares if it was meant to be one of this kind: all of a list of quantities, else those before
/// the first `:` or `=`.
fn declared<'a>(text: &'a str, tokens: &'a [Token], row: &Statement) -> Vec<String> {
    let all = matches!(
        row.keyword,
        "param" | "coord" | "state" | "input" | "function" | "const" | "needs" | "for" | "use"
    );
    let ends = |token: &Token| !all && matches!(token.kind, Kind::Colon | Kind::Equal);
    let end = tokens.iter().position(ends).unwrap_or(tokens.len());
    names(text, tokens.get(..end).unwrap_or_default()).collect()
}

/// Reads one statement; every error says what to write.
fn statement(text: &str, tokens: &mut [Token], row: &Statement) -> Parse<ItemKind> {
    let mut cursor = Cursor::new(text, tokens);
    // A rate as books write it begins with what it is of.
    if !row.keyword.is_empty() {
        cursor.bump();
    }
    let result = (row.read)(&mut cursor).and_then(|kind| {
        finish(&cursor, "the end of the statement")?;
        Ok(kind)
    });
    result.map_err(|error| {
        let example = format!("for example `{}`", row.example);
        match (error.code, &error.help) {
            (_, None) => error.map_help(example),
            (codes::E0004, Some(_)) => Box::new(error.note(example)),
            (_, Some(_)) => error,
        }
    })
}

/// Nothing may be left over.
fn finish(cursor: &Cursor, end: &str) -> Parse<()> {
    let Some(kind) = cursor.peek() else {
        return Ok(());
    };
    let error = if cursor.follows_operand() {
        cursor.unexpected(&format!("an operator or {end}"))
    } else {
        cursor.unexpected(end)
    };
    if error.code != codes::E0004 {
        return Err(error);
    }
    Err(match kind {
        Kind::CloseParen => error
            .map_help("no `(` is open here: remove the `)`")
            .map_write(""),
        Kind::CloseBracket => error
            .map_help("no `[` is open here: remove the `]`")
            .map_write(""),
        Kind::Name | Kind::Number | Kind::OpenParen if cursor.follows_operand() => {
            cursor.side_by_side(error)
        }
        _ => error,
    })
}

/// The error for a line that begins with no keyword.
fn no_statement(cursor: &Cursor, word: &str, meant: Option<&Statement>) -> Diagnostic {
    if word.is_empty() {
        let error = *cursor.unexpected("a statement");
        if error.code != codes::E0004 {
            return error;
        }
        let error = Diagnostic {
            code: codes::E0003,
            ..error
        };
        return error
            .help("to continue the line above, end it with the operator, or use parentheses");
    }
    let title = format!("no statement begins with {}", quote(word));
    let error = |label: &str| Diagnostic::error(codes::E0003, &title, cursor.here(), label);
    if let Some(hint) = statements::hint(word)
        && cursor.peek_second() != Some(Kind::Equal)
    {
        return error("not a statement").help(hint);
    }
    if let Some(row) = meant {
        let label = format!("did you mean `{}`?", row.keyword);
        let error = error(&label).help(format!("for example `{}`", row.example));
        return error.write(row.keyword);
    }
    if cursor.peek_second() == Some(Kind::Equal) && word.len() < 80 {
        let help = format!(
            "to name an expression write `let {word} = ...`, for a physical constant `param {word} = ...`"
        );
        return error("not a statement")
            .help(help)
            .write(format!("let {word}"));
    }
    if cursor.peek_second() == Some(Kind::Prime) {
        let help = format!(
            "equations of motion follow from masses and loads; one that the motion has to satisfy is `constraint NAME: {word}'' = ...`, the rate of a state `rate {word} = ...`"
        );
        return error("not a statement").help(help);
    }
    if matches!(word, "if" | "then" | "else") {
        return error("not a statement")
            .help("conditions are part of expressions: `if a < b then c else d`");
    }
    let keywords = statements::STATEMENTS.iter().map(|row| row.keyword);
    let list: Vec<_> = keywords.map(|keyword| format!("`{keyword}`")).collect();
    error("not a statement").help(format!("a line begins with one of {}", list.join(", ")))
}

/// There must be exactly one `model`; `attempted` if an unreadable statement was meant to be it.
fn check_models(items: &[Item], tokens: &[Token], attempted: bool, found: &mut Messages) {
    let mut models = items.iter().filter_map(|item| match &item.kind {
        ItemKind::Model(name) | ItemKind::Part(name) => Some((name, item.span)),
        _ => None,
    });
    let Some((_, first)) = models.next() else {
        if !attempted {
            let start = tokens.first().map_or(Span::new(0, 0), Token::span);
            let title = "a model file needs `model NAME`";
            found.add(|| {
                Diagnostic::error(codes::E0001, title, start, "expected `model` before this")
                    .help("begin the file with a name for the model, for example `model pendulum`")
            });
        }
        return;
    };
    for (name, span) in models {
        found.add(|| {
            let title = format!(
                "a second `model` or `part` statement: {}",
                quote(&name.text)
            );
            Diagnostic::error(
                codes::E0002,
                title,
                span,
                "a file describes one model or part",
            )
            .label(first, "the first is here")
            .help("remove one of them, or move the second model to its own file")
        });
    }
}
