//! A text for numbers of any type as one for `f64`, which is what it is with `T = f64`: type parameters go, and so do the trait of these numbers and its
//! implementations, which have to be those that eomgen writes. What another type makes of the operations is its own affair.

use std::collections::BTreeSet;

use proc_macro2::{Delimiter, Group, TokenStream, TokenTree};
use quote::{ToTokens, quote};
use syn::{File, ImplItem, Item, TraitItem};

use super::Unreadable;
use crate::emit::scalar_traits;

/// What the trait is called.
pub(super) const TRAIT: &str = "Scalar";

/// Whether a text computes with numbers of any type.
pub(super) fn is_generic(file: &File) -> bool {
    file.items
        .iter()
        .any(|item| matches!(item, Item::Trait(of) if of.ident == TRAIT))
}

/// The same text for `f64`.
///
/// # Errors
/// Where the trait is not the one that eomgen writes, or the text uses its type parameter in another way.
pub(super) fn specialised(file: File) -> Result<File, Unreadable> {
    let known = Known::load()?;
    let mut tokens = TokenStream::new();
    for item in file.items {
        if known.is_of_trait(&item)? {
            continue;
        }
        tokens.extend(item.into_token_stream());
    }
    parsed(of(tokens))
}

/// A text of items that are the same in every generic module, for `f64`.
pub(super) fn specialised_text(text: &str) -> Result<File, Unreadable> {
    let tokens: TokenStream = text
        .parse()
        .map_err(|e| Unreadable::new(1, format!("{e}")))?;
    parsed(of(tokens))
}

fn parsed(tokens: TokenStream) -> Result<File, Unreadable> {
    syn::parse2(tokens).map_err(|e| Unreadable::new(1, format!("not a module for any type: {e}")))
}

/// Everything that the trait and its implementations may consist of.
struct Known(BTreeSet<String>);

impl Known {
    fn load() -> Result<Self, Unreadable> {
        let mut known = BTreeSet::new();
        for text in scalar_traits() {
            let file = syn::parse_file(&text).map_err(|e| Unreadable::new(1, e.to_string()))?;
            for item in &file.items {
                known.extend(pieces(item).into_iter().flatten());
            }
        }
        Ok(Self(known))
    }

    /// Whether an item is the trait or an implementation of it.
    fn is_of_trait(&self, item: &Item) -> Result<bool, Unreadable> {
        let Some(pieces) = pieces(item) else {
            return Ok(false);
        };
        if pieces.iter().all(|piece| self.0.contains(piece)) {
            return Ok(true);
        }
        Err(Unreadable::new(
            1,
            "the trait `Scalar` is not the one that eomgen writes",
        ))
    }
}

/// The head of the trait, or of an implementation, and its functions, without their documentation; `None` of other items.
fn pieces(item: &Item) -> Option<Vec<String>> {
    let bare = |attributes: &[syn::Attribute]| -> Vec<syn::Attribute> {
        let kept = attributes.iter().filter(|a| !a.path().is_ident("doc"));
        kept.cloned().collect()
    };
    let mut list = Vec::new();
    match item {
        Item::Trait(of) if of.ident == TRAIT => {
            let mut head = of.clone();
            head.items.clear();
            head.attrs = bare(&of.attrs);
            list.push(head.to_token_stream().to_string());
            for item in &of.items {
                let mut item = item.clone();
                if let TraitItem::Fn(function) = &mut item {
                    function.attrs = bare(&function.attrs);
                }
                list.push(format!("trait {}", item.to_token_stream()));
            }
        }
        Item::Impl(of) => {
            let (_, path, _) = of.trait_.as_ref()?;
            if !path.is_ident(TRAIT) {
                return None;
            }
            let mut head = of.clone();
            head.items.clear();
            list.push(head.to_token_stream().to_string());
            let on = of.self_ty.to_token_stream().to_string();
            for item in &of.items {
                let mut item = item.clone();
                if let ImplItem::Fn(function) = &mut item {
                    function.attrs = bare(&function.attrs);
                }
                list.push(format!("{on} {}", item.to_token_stream()));
            }
        }
        _ => return None,
    }
    Some(list)
}

/// What stands between the braces of such a model and of what makes it.
const HOLDS_A_TYPE: [&str; 2] = [
    "scalar:core::marker::PhantomData<T>,",
    "scalar:core::marker::PhantomData,",
];

/// Tokens with `f64` for `T`.
fn of(tokens: TokenStream) -> TokenStream {
    // A model that holds nothing holds its type: for `f64` it is empty.
    let list: Vec<TokenTree> = tokens.into_iter().collect();
    if list.first().is_some_and(|first| is(first, "scalar")) {
        let text: String = list.iter().map(ToString::to_string).collect();
        if HOLDS_A_TYPE.contains(&text.as_str()) {
            return TokenStream::new();
        }
    }
    let mut out: Vec<TokenTree> = Vec::with_capacity(list.len());
    let mut at = 0;
    while let Some(token) = list.get(at) {
        let rest = list.get(at..).unwrap_or_default();
        if is(token, "T") && !out.last().is_some_and(|before| is(before, ".")) {
            match called(rest) {
                Some((replacement, length)) => {
                    out.extend(replacement);
                    at += length;
                }
                None => {
                    out.extend(quote!(f64));
                    at += 1;
                }
            }
        } else if let Some(length) = parameter(rest)
            // Of a result the number is a type like any other.
            && !out.last().is_some_and(|before| is(before, "Result"))
        {
            // `<` and the type parameter; what follows stays behind `<`, if there is anything.
            if list.get(at + length).is_some_and(|next| is(next, ">")) {
                while out.last().is_some_and(|before| is(before, ":")) {
                    out.pop();
                }
                at += length + 1;
            } else {
                out.push(token.clone());
                at += length;
            }
        } else {
            out.push(match token {
                TokenTree::Group(group) => {
                    let mut inner = Group::new(group.delimiter(), of(group.stream()));
                    inner.set_span(group.span());
                    TokenTree::Group(inner)
                }
                other => other.clone(),
            });
            at += 1;
        }
    }
    out.into_iter().collect()
}

fn is(token: &TokenTree, text: &str) -> bool {
    match token {
        TokenTree::Ident(ident) => ident == text,
        TokenTree::Punct(punct) => text.len() == 1 && text.starts_with(punct.as_char()),
        _ => false,
    }
}

/// How many tokens `<T`, `<T: Scalar` or `<T,` have.
fn parameter(rest: &[TokenTree]) -> Option<usize> {
    let [open, name, behind @ ..] = rest else {
        return None;
    };
    if !is(open, "<") || !is(name, "T") {
        return None;
    }
    let bound = match behind {
        [colon, bound, ..] if is(colon, ":") && is(bound, TRAIT) => 2,
        _ => 0,
    };
    let comma = behind.get(bound).is_some_and(|next| is(next, ","));
    let closed = behind.get(bound).is_some_and(|next| is(next, ">"));
    (comma || closed).then_some(2 + bound + usize::from(comma))
}

/// What `T::from_f64(x)` and `T::select_less(a, b, c, d)` are, and how many tokens these have.
fn called(rest: &[TokenTree]) -> Option<(TokenStream, usize)> {
    let [_, first, second, name, TokenTree::Group(arguments), ..] = rest else {
        return None;
    };
    if !is(first, ":") || !is(second, ":") || arguments.delimiter() != Delimiter::Parenthesis {
        return None;
    }
    let inner = of(arguments.stream());
    let replacement = match name.to_string().as_str() {
        "from_f64" => match inner.clone().into_iter().count() {
            1 => inner,
            _ => quote!((#inner)),
        },
        name @ ("select_less" | "select_less_equal") => {
            let mut parts: Vec<TokenStream> = vec![TokenStream::new()];
            for token in inner {
                match parts.last_mut() {
                    Some(last) if !is(&token, ",") => last.extend([token]),
                    _ => parts.push(TokenStream::new()),
                }
            }
            parts.retain(|part| !part.is_empty());
            let [a, b, c, d] = parts.as_slice() else {
                return None;
            };
            if name == "select_less" {
                quote!((if #a < #b { #c } else { #d }))
            } else {
                quote!((if #a <= #b { #c } else { #d }))
            }
        }
        _ => return None,
    };
    Some((replacement, 5))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_type_parameter_goes() {
        let text = "impl<T: Scalar, const CHECKED: bool> Model<T, CHECKED> {
            fn f<T: Scalar>(&self, t: T, x: &[T; 2], j: Jet1<T, 3>) -> Result<[T; 1], E> {
                finite::<T, CHECKED>(1, &[T::from_f64(2.0) * x[0]])?;
                g::<T>(T::select_less(x[0], T::from_f64(-1.0), p.a, p.b), p.T)
            }
            fn h(&self) -> Result<T, E> { k::<T, 2>(self) }
        }";
        let expected = "impl<const CHECKED: bool> Model<CHECKED> {
            fn f(&self, t: f64, x: &[f64; 2], j: Jet1<3>) -> Result<[f64; 1], E> {
                finite::<CHECKED>(1, &[2.0 * x[0]])?;
                g((if x[0] < (-1.0) { p.a } else { p.b }), p.T)
            }
            fn h(&self) -> Result<f64, E> { k::<2>(self) }
        }";
        let found = specialised_text(text).unwrap().into_token_stream();
        let expected: TokenStream = expected.parse().unwrap();
        // Whether a space stands between two tokens is not said by the tokens.
        let close = |tokens: TokenStream| tokens.to_string().replace(' ', "");
        assert_eq!(close(found), close(expected));
    }
}
