//! The values of options: strings, lists of strings, words out of a list, and constants.

use proc_macro2::{Span, TokenStream};
use syn::spanned::Spanned;
use syn::{Error, Expr, ExprLit, Lit, LitStr};

use super::keys::{Key, unknown};
use super::list::{self, Entry, Piece};
use super::problems::{Given, Problems};
use crate::catalogue;
use crate::catalogue::asked::{self, Asked, Misread, split};
use crate::diag::suggest;
use crate::input::Fix;

/// What is written for an option.
pub(super) struct Value {
    key: Key,
    tokens: TokenStream,
    /// Where it begins.
    span: Span,
}

impl Value {
    pub fn new(key: Key, entry: Entry) -> Self {
        Self {
            key,
            tokens: entry.value,
            span: entry.span,
        }
    }

    /// A string, whatever it says.
    pub fn text(&self) -> syn::Result<Given> {
        let expr = self.expr()?;
        string(&expr).ok_or_else(|| self.wrong(&expr))
    }

    /// The path of a file.
    pub fn path(&self) -> syn::Result<Given> {
        filled(self.text()?, "the path of a file is missing")
    }

    /// `true` or `false`.
    pub fn flag(&self) -> syn::Result<bool> {
        let expr = self.expr()?;
        match bare(&expr) {
            Expr::Lit(ExprLit {
                lit: Lit::Bool(flag),
                ..
            }) => Ok(flag.value),
            _ => Err(self.wrong(&expr)),
        }
    }

    /// One of the words that are known.
    pub fn choice(&self, known: &[&str]) -> syn::Result<String> {
        let word = self.text()?;
        if known.contains(&word.value.as_str()) {
            return Ok(word.value);
        }
        let message = unknown(self.key.name, &word.value, known);
        Err(Error::new(word.span, message))
    }

    /// A list of names, or a single one.
    pub fn names(&self) -> syn::Result<Vec<String>> {
        self.each(name)
    }

    /// A list of derivatives, or a single one: `accelerations:q,v`.
    pub fn derivatives(&self) -> syn::Result<Vec<String>> {
        self.each(derivative)
    }

    /// A list of quantities of the catalogue, or a single one.
    pub fn outputs(&self) -> syn::Result<Vec<String>> {
        self.each(output)
    }

    /// A list of what `read` takes, or a single one.
    fn each(&self, read: fn(Given) -> syn::Result<Given>) -> syn::Result<Vec<String>> {
        let expr = self.expr()?;
        if let Some(one) = string(&expr) {
            return Ok(vec![read(one)?.value]);
        }
        let Expr::Array(list) = bare(&expr) else {
            return Err(self.wrong(&expr));
        };
        let mut names = Vec::new();
        let mut problems = Problems::default();
        for element in &list.elems {
            let one = string(element).ok_or_else(|| self.wrong(element));
            problems.note(one.and_then(read).map(|name| names.push(name.value)));
        }
        problems.into_result().map(|()| names)
    }

    /// Constants with their values: `n = 20, left.n = 2`.
    pub fn constants(&self) -> syn::Result<Vec<(String, i64)>> {
        let mut problems = Problems::default();
        let mut found: Vec<(String, i64)> = Vec::new();
        for piece in list::pieces(self.tokens.clone()) {
            let read = piece.and_then(|piece| self.constant(piece));
            problems.note(read.and_then(|(name, value, span)| {
                if found.iter().any(|(known, _)| *known == name) {
                    return Err(Error::new(span, format!("`{name}` is set twice")));
                }
                found.push((name, value));
                Ok(())
            }));
        }
        problems.into_result().map(|()| found)
    }

    /// Parameters fixed as numbers: `all`, `g = 9.81, left.m = 1/2`.
    pub fn fixed(&self) -> syn::Result<Fix> {
        let mut problems = Problems::default();
        let mut fix = Fix::default();
        for piece in list::pieces(self.tokens.clone()) {
            problems.note(piece.and_then(|piece| {
                let span = piece.first.span();
                let tokens = piece.tokens().into_iter();
                let text: String = tokens.map(|tree| tree.to_string()).collect();
                fix.add(&text).map_err(|why| Error::new(span, why))
            }));
        }
        problems.into_result().map(|()| fix)
    }

    fn constant(&self, piece: Piece) -> syn::Result<(String, i64, Span)> {
        let span = piece.first.span();
        let missing = || Error::new(span, self.key.misused());
        let trees: Vec<_> = piece.tokens().into_iter().collect();
        let mut sides = trees.splitn(2, |tree| tree.to_string() == "=");
        let (Some(name), Some(value)) = (sides.next(), sides.next()) else {
            return Err(missing());
        };
        let name: String = name.iter().map(ToString::to_string).collect();
        let Some(first) = value.first().filter(|_| !name.is_empty()) else {
            return Err(missing());
        };
        let whole = || {
            let message = format!("the value of the constant `{name}` must be an integer");
            Error::new(first.span(), message)
        };
        let digits: String = value.iter().map(ToString::to_string).collect();
        let number = digits.replace('_', "").parse().map_err(|_| whole())?;
        Ok((name, number, span))
    }

    /// Something that is wrong with it.
    pub fn error(&self, message: String) -> Error {
        Error::new(self.span, message)
    }

    fn expr(&self) -> syn::Result<Expr> {
        let wrong = |_| self.error(self.key.misused());
        syn::parse2(self.tokens.clone()).map_err(wrong)
    }

    fn wrong(&self, at: &Expr) -> Error {
        let mut message = self.key.misused();
        if matches!(bare(at), Expr::Macro(_)) {
            message.push_str(", with a literal: macros are not expanded here");
        }
        Error::new(at.span(), message)
    }
}

/// Without the invisible parentheses around what another macro passes on.
fn bare(expr: &Expr) -> &Expr {
    match expr {
        Expr::Group(group) => bare(&group.expr),
        other => other,
    }
}

fn string(expr: &Expr) -> Option<Given> {
    let Expr::Lit(ExprLit {
        lit: Lit::Str(text),
        ..
    }) = bare(expr)
    else {
        return None;
    };
    Some(given(text))
}

fn given(text: &LitStr) -> Given {
    Given {
        value: text.value(),
        span: text.span(),
    }
}

fn filled(text: Given, message: &str) -> syn::Result<Given> {
    if text.value.trim().is_empty() {
        Err(Error::new(text.span, message))
    } else {
        Ok(text)
    }
}

/// An output and what it is differentiated by.
fn derivative(text: Given) -> syn::Result<Given> {
    match text.value.split_once(':') {
        Some((of, by)) if !of.trim().is_empty() && !by.trim().is_empty() => Ok(text),
        _ => Err(Error::new(
            text.span,
            "a derivative is written `OUTPUT:GROUP,...`, as in `accelerations:q,v`",
        )),
    }
}

/// A quantity of the catalogue, with what it is of.
fn output(text: Given) -> syn::Result<Given> {
    let text = filled(text, "a name is missing")?;
    if split(&text.value).len() > 1 {
        return Err(Error::new(text.span, ONE_NAME));
    }
    if text.value == catalogue::ALL_STANDARD {
        return Ok(text);
    }
    let message = match Asked::read(&text.value) {
        Ok(_) => return Ok(text),
        Err(Misread::Place(quantity)) => asked::usage(quantity),
        Err(Misread::Unknown(name)) => {
            let known = catalogue::all();
            let hint = match suggest::closest(&name, known.map(|output| output.name)) {
                Some(near) => format!("did you mean `{near}`?"),
                None => "`eomgen methods` lists the outputs".to_owned(),
            };
            format!("unknown output `{name}`; {hint}")
        }
    };
    Err(Error::new(text.span, message))
}

const ONE_NAME: &str = "one name per string: write a list, as in `[\"a\", \"b\"]`";

/// One name: lists are written as lists.
fn name(text: Given) -> syn::Result<Given> {
    let text = filled(text, "a name is missing")?;
    if text.value.contains(',') {
        Err(Error::new(text.span, ONE_NAME))
    } else {
        Ok(text)
    }
}
