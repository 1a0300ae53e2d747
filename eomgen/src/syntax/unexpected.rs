//! Wording for what cannot be read: what stands there, what was expected, and the likely cause.

use super::cursor::Cursor;
use super::messages::Boxed;
use super::token::{Kind, Token};
use super::words::CLAUSES;
use crate::diag::{Diagnostic, codes::syntax as codes};

/// Longest piece of the text quoted in a message, in characters.
const QUOTE: usize = 40;
/// Words of clauses that follow a comma.
const LISTED: [&str; 15] = [
    "mass",
    "center",
    "centre",
    "frame",
    "inertia",
    "stiffness",
    "length",
    "rest",
    "damping",
    "tension",
    "radius",
    "axis",
    "tube",
    "normal",
    "through",
];
/// Functions that are written without parentheses elsewhere.
const FUNCTIONS: [&str; 10] = [
    "sin", "cos", "tan", "exp", "ln", "log", "sqrt", "abs", "sinh", "cosh",
];

impl Cursor<'_> {
    /// The error for the next token where `what` should stand.
    pub(super) fn unexpected(&self, what: &str) -> Box<Diagnostic> {
        let Some(token) = self.token() else {
            let title = format!("expected {what}, found the end of the statement");
            let label = format!("expected {what}");
            return Box::new(Diagnostic::error(codes::E0004, title, self.here(), label));
        };
        Box::new(match token.kind {
            Kind::Unknown | Kind::OpenBrace | Kind::CloseBrace => unknown(token, self.text),
            Kind::Text => {
                let title = format!("expected {what}, found {}", quote(token.text(self.text)));
                let label = format!("expected {what}");
                let bare = token.text(self.text).trim_matches('"');
                let error = Diagnostic::error(codes::E0004, title, token.span(), label)
                    .help("names are written without quotation marks");
                match is_name(bare) {
                    true => error.write(bare),
                    false => error,
                }
            }
            Kind::BadNumber => bad_number(token, self.text),
            _ => {
                let title = format!("expected {what}, found {}", describe(token, self.text));
                let label = format!("expected {what}");
                Diagnostic::error(codes::E0004, title, token.span(), label)
            }
        })
    }

    /// Says of two factors without a sign between them what was probably meant: `x' cos(th)`.
    pub(super) fn side_by_side(&self, error: Box<Diagnostic>) -> Box<Diagnostic> {
        let (left, right) = self.factors();
        let product = format!("{left}*{right}");
        let short = product.chars().count() <= QUOTE && !product.contains(['\n', '\r']);
        let word = self.word_at(0).unwrap_or_default();
        let called = right.contains('(');
        let statement = self.statement();
        if LISTED.contains(&word)
            && CLAUSES
                .iter()
                .any(|(known, homes)| *known == word && homes.contains(&statement))
        {
            return error
                .map_help(format!("a `,` is missing before `{word}`"))
                .map_write(format!(", {word}"));
        }
        let help = match word {
            "cross" | "dot" if !called => {
                "products of vectors are written `cross(a, b)` and `dot(a, b)`".to_owned()
            }
            _ if FUNCTIONS.contains(&left) => {
                format!("a function has parentheses, as in `{left}(x)`")
            }
            _ if short => {
                let help = format!("a product needs `*`: write `{product}`");
                let next = self.token().map_or("", |token| token.text(self.text));
                return error.map_help(help).map_write(format!("*{next}"));
            }
            _ => "a product needs `*`, as in `a*x`; each statement needs its own line".to_owned(),
        };
        error.map_help(help)
    }
}

/// Whether a text is one name.
fn is_name(text: &str) -> bool {
    let mut letters = text.chars();
    let first = letters
        .next()
        .is_some_and(|c| c == '_' || unicode_ident::is_xid_start(c));
    first && letters.all(unicode_ident::is_xid_continue)
}

/// A piece of the text between backquotes, cut if long.
pub(super) fn quote(text: &str) -> String {
    match text.char_indices().nth(QUOTE) {
        Some((at, _)) => format!("`{}...`", &text[..at]),
        None => format!("`{text}`"),
    }
}

fn describe(token: Token, source: &str) -> String {
    let text = quote(token.text(source));
    match token.kind {
        Kind::Name => format!("the name {text}"),
        Kind::Number => format!("the number {text}"),
        _ => text,
    }
}

fn bad_number(token: Token, source: &str) -> Diagnostic {
    let text = token.text(source);
    let split = text
        .find(|c: char| !c.is_ascii_digit() && c != '.')
        .filter(|at| *at <= QUOTE);
    let error = Diagnostic::error(
        codes::E0007,
        format!("{} is not a number", quote(text)),
        token.span(),
        "not a number",
    );
    match split.map(|at| text.split_at(at)) {
        Some((number, "e" | "E")) => error.help(format!(
            "write the exponent's digits, for example `{number}e3`"
        )),
        Some((number, rest)) if rest.starts_with('_') => {
            let error = error.help(format!(
                "digits are not grouped: write them without `_`, and a product as `{number}*...`"
            ));
            let digits = text.replace('_', "");
            match digits.chars().all(|c| c.is_ascii_digit()) {
                true => error.write(digits),
                false => error,
            }
        }
        Some((number, rest)) => {
            let product = format!("{number}*{rest}");
            let error = error.help(format!("for a product write {}", quote(&product)));
            match is_name(rest) {
                true => error.write(product),
                false => error,
            }
        }
        None => error.help("numbers are written `1`, `1.5`, `.5`, `1e-3` or `2.5e3`"),
    }
}

fn unknown(token: Token, source: &str) -> Diagnostic {
    let text = token.text(source);
    let c = text.chars().next().unwrap_or('\u{fffd}');
    let shown = if c.is_ascii_graphic() {
        format!("`{text}`")
    } else if c.is_alphanumeric() || looks_like(c).is_some() {
        format!("`{c}` (U+{:04X})", c as u32)
    } else {
        format!("U+{:04X}", c as u32)
    };
    let error = Diagnostic::error(
        codes::E0006,
        format!("the character {shown} is not used in models"),
        token.span(),
        "cannot be read",
    );
    match (text, looks_like(c)) {
        ("/*", _) => error.help("comments are written `// ...` and run to the end of the line"),
        (";", _) => error
            .help("omit it: a statement ends with its line")
            .write(""),
        ("#" | "%", _) => error.help("comments begin with `//`").write("//"),
        ("\"", _) => error.help("names are written without quotation marks"),
        ("{" | "}", _) => error.help("use `( )` in expressions and `[ ]` for lists"),
        ("!", _) => error.help("\"not equal\" is written `!=`"),
        ("|", _) => error
            .help("the length of a vector is `norm(v)`, the absolute value of a number `abs(x)`"),
        ("\\", _) => {
            error.help("a line continues after an operator or a comma, and inside brackets")
        }
        (_, Some(plain)) => {
            let error = error.help(format!("write `{plain}`"));
            match plain.contains("...") {
                true => error,
                false => error.write(plain),
            }
        }
        _ => error,
    }
}

/// What a typographic sign stands for.
fn looks_like(c: char) -> Option<&'static str> {
    Some(match c {
        '−' | '–' | '—' | '‐' | '‑' => "-",
        '·' | '×' | '⋅' | '∙' | '∗' => "*",
        '÷' | '∕' | '⁄' => "/",
        '’' | '‘' | '′' | '´' | '`' => "'",
        '″' => "''",
        '≤' => "<=",
        '≥' => ">=",
        '≠' => "!=",
        '≡' => "==",
        '²' => "^2",
        '³' => "^3",
        '½' => "1/2",
        '√' => "sqrt(...)",
        '°' => "[deg]",
        _ => return None,
    })
}
