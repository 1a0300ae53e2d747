//! The module that carries the attribute, taken apart without a look at the items in it.

use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens, quote};
use syn::parse::{Parse, ParseStream};
use syn::{Attribute, Error, Token, Visibility, braced, token};

const USAGE: &str = "`derive_eom` must be on a module with a body, as in `pub mod sleigh {}`, which will contain the derived items";

/// A module with a body.
pub(super) struct Module {
    /// Attributes, visibility, `mod` and the name.
    head: TokenStream,
    /// Its name.
    pub name: Ident,
    /// The attributes at the head of the body.
    inner: Vec<Attribute>,
    /// The user's own items.
    own: TokenStream,
    documented: bool,
}

impl Parse for Module {
    fn parse(input: ParseStream) -> syn::Result<Self> {
        let outer = input.call(Attribute::parse_outer)?;
        let visibility: Visibility = input.parse()?;
        if !input.peek(Token![mod]) {
            return Err(Error::new(input.span(), USAGE));
        }
        let keyword: Token![mod] = input.parse()?;
        let name: Ident = input.parse()?;
        if !input.peek(token::Brace) {
            return Err(Error::new(name.span(), USAGE));
        }
        let body;
        braced!(body in input);
        let inner = body.call(Attribute::parse_inner)?;
        let documents = |attribute: &Attribute| attribute.path().is_ident("doc");
        Ok(Self {
            documented: outer.iter().chain(&inner).any(documents),
            head: quote!(#(#outer)* #visibility #keyword #name),
            name,
            inner,
            own: body.parse()?,
        })
    }
}

impl Module {
    /// The module with `code` in front of the user's own items. The code's own attributes come first in it, and what follows them
    /// is items.
    pub fn with(&self, code: &TokenStream, rest: &TokenStream) -> TokenStream {
        let Self {
            head, inner, own, ..
        } = self;
        // The user's documentation is a paragraph of its own.
        let gap = (self.documented && !code.is_empty()).then(|| quote!(#![doc = ""]));
        let inner = inner.iter().map(ToTokens::to_token_stream);
        quote!(#head { #(#inner)* #gap #code #rest #own })
    }
}
