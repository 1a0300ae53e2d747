//! Emitted items as tokens: what they are, stated with `quote`, and that no other layout of them counts as a change.
#![cfg(feature = "derive")]

use super::emit::samples;
use eomgen::internals::emit::{Module, emit};
use eomgen::internals::header::body_hash;
use proc_macro2::TokenStream;
use quote::{ToTokens, quote};

/// The items of a module's file.
fn items(module: &Module) -> TokenStream {
    let items = syn::parse_file(&emit(module).unwrap()).unwrap().items;
    quote!(#(#items)*)
}

/// What a module's file holds, its own attributes included.
pub fn body(module: &Module) -> TokenStream {
    let file = syn::parse_file(&emit(module).unwrap()).unwrap();
    file.into_token_stream()
}

/// The tokens of the item of that name.
fn item(items: TokenStream, name: &str) -> TokenStream {
    let file: syn::File = syn::parse2(items).unwrap();
    let named = file.items.into_iter().find(|item| match item {
        syn::Item::Struct(it) => it.ident == name,
        syn::Item::Const(it) => it.ident == name,
        syn::Item::Fn(it) => it.sig.ident == name,
        syn::Item::Mod(it) => it.ident == name,
        _ => false,
    });
    named.expect(name).into_token_stream()
}

#[test]
fn items_are_those_of_the_manual() {
    let items = items(&samples::sleigh());
    let states = quote! {
        #[doc = " Number of entries of the state."]
        pub const STATES: usize = 5;
    };
    assert_eq!(
        item(items.clone(), "STATES").to_string(),
        states.to_string()
    );
    let params: syn::ItemStruct = syn::parse2(item(items, "Params")).unwrap();
    let fields = params.fields.iter().map(|field| {
        let (visibility, name, kind) = (&field.vis, &field.ident, &field.ty);
        quote!(#visibility #name: #kind).to_string()
    });
    let expected = [quote!(pub m1: f64), quote!(pub m2: f64), quote!(pub l: f64)];
    assert!(fields.eq(expected.map(|field| field.to_string())));
}

#[test]
fn another_layout_is_the_same_code() {
    // A module without numerical routines: where a closure goes over several lines, prettyplease adds braces.
    let module = samples::sleigh();
    let text = emit(&module).unwrap();
    let printed = prettyplease::unparse(&syn::parse_file(&text).unwrap());
    assert_ne!(text, printed, "the header is a comment, which tokens lack");
    assert_eq!(body_hash(&text), body_hash(&printed));
    let changed = printed.replacen("f64", "f32", 1);
    assert_ne!(body_hash(&text), body_hash(&changed));
}
