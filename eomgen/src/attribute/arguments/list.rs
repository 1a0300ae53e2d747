//! The arguments taken apart at their commas, so that a slip in one leaves the others readable.

use proc_macro2::{Delimiter, Ident, Span, TokenStream, TokenTree};
use syn::Error;

use super::keys;

/// One argument, its value not looked at yet.
pub(super) struct Entry {
    /// What precedes `=` or the parentheses; `None` for a value alone.
    pub key: Option<Ident>,
    /// What follows `=` or is in the parentheses.
    pub value: TokenStream,
    /// Where the value begins.
    pub span: Span,
    /// Whether the value is in parentheses.
    pub called: bool,
}

/// The arguments in their order, and what is not one.
pub(super) fn split(tokens: TokenStream) -> Vec<syn::Result<Entry>> {
    pieces(tokens)
        .into_iter()
        .map(|piece| piece.and_then(entry))
        .collect()
}

/// The text between commas: one token at least.
pub(super) fn pieces(tokens: TokenStream) -> Vec<syn::Result<Piece>> {
    let mut found = Vec::new();
    let mut piece: Option<Piece> = None;
    for tree in tokens {
        match (&tree, &mut piece) {
            (TokenTree::Punct(punct), _) if punct.as_char() == ',' => {
                let empty = || Error::new(punct.span(), "nothing precedes this comma");
                found.push(piece.take().ok_or_else(empty));
            }
            (_, Some(piece)) => piece.rest.push(tree),
            (_, None) => {
                piece = Some(Piece {
                    first: tree,
                    rest: Vec::new(),
                });
            }
        }
    }
    found.extend(piece.map(Ok));
    found
}

/// The tokens between two commas.
pub(super) struct Piece {
    /// The first of them.
    pub first: TokenTree,
    /// The others.
    pub rest: Vec<TokenTree>,
}

impl Piece {
    /// All of them.
    pub fn tokens(self) -> TokenStream {
        std::iter::once(self.first).chain(self.rest).collect()
    }
}

fn entry(piece: Piece) -> syn::Result<Entry> {
    let key = match &piece.first {
        TokenTree::Ident(key) => key.clone(),
        TokenTree::Punct(punct) => return Err(Error::new(punct.span(), keys::expected())),
        // A value alone. That of another macro is in an invisible group.
        TokenTree::Literal(_) | TokenTree::Group(_) => {
            return Ok(Entry {
                key: None,
                span: piece.first.span(),
                value: piece.tokens(),
                called: false,
            });
        }
    };
    match piece.rest.as_slice() {
        [TokenTree::Punct(sign), first, ..] if sign.as_char() == '=' => Ok(Entry {
            key: Some(key),
            span: first.span(),
            value: piece.rest.iter().skip(1).cloned().collect(),
            called: false,
        }),
        [TokenTree::Group(group)] if group.delimiter() == Delimiter::Parenthesis => Ok(Entry {
            key: Some(key),
            span: group.span(),
            value: group.stream(),
            called: true,
        }),
        // A slip in the name is more likely than a forgotten value.
        _ => Err(match keys::find(&key) {
            Err(unknown) => unknown,
            Ok(known) => Error::new(key.span(), known.misused()),
        }),
    }
}
