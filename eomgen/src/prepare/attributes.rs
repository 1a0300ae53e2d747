//! The attributes in one source file, and the modules that it declares.

use std::path::PathBuf;

use proc_macro2::{TokenStream, TokenTree};
use syn::ext::IdentExt;
use syn::spanned::Spanned;
use syn::visit::{self, Visit};
use syn::{Attribute, Expr, ExprLit, ItemMod, Lit, Meta};

use super::folder::Folder;
use super::place::Place;
use crate::attribute::Arguments;

/// The attribute's name.
const NAME: &str = "derive_eom";

/// One attribute.
#[derive(Clone, Debug)]
pub struct Found {
    /// Its position.
    pub place: Place,
    /// The folder of its package: paths in it count from there.
    pub root: PathBuf,
    /// What it says, or what is wrong with that.
    pub arguments: Result<Arguments, Vec<(Place, String)>>,
}

/// What one source file holds.
#[derive(Debug, Default)]
pub(super) struct Contents {
    /// Its attributes, in their order.
    pub(super) found: Vec<Found>,
    /// The files of modules that it declares, each with the places where it may be.
    pub(super) modules: Vec<Vec<(PathBuf, Folder)>>,
}

/// Reads a source file. `file` is its name in messages, `folder` where its modules are looked for.
pub(super) fn read(source: &syn::File, file: &str, root: PathBuf, folder: Folder) -> Contents {
    let mut reader = Reader {
        file,
        root,
        folders: vec![folder],
        contents: Contents::default(),
    };
    reader.visit_file(source);
    reader.contents
}

struct Reader<'a> {
    file: &'a str,
    root: PathBuf,
    /// Of the modules around, the innermost last.
    folders: Vec<Folder>,
    contents: Contents,
}

impl<'a> Visit<'a> for Reader<'_> {
    fn visit_attribute(&mut self, attribute: &'a Attribute) {
        for (meta, _) in metas(&attribute.meta) {
            let name = meta.path().segments.last();
            if name.is_some_and(|segment| segment.ident == NAME) {
                let found = self.attribute(&meta);
                self.contents.found.push(found);
            }
        }
    }

    fn visit_item_mod(&mut self, module: &'a ItemMod) {
        let Some(here) = self.folders.last() else {
            return;
        };
        let name = module.ident.unraw().to_string();
        let (certain, possible) = paths(&module.attrs);
        if module.content.is_some() {
            let inner = match certain.first().or(possible.first()) {
                Some(path) => Folder::plain(here.path.join(path)),
                None => here.inline(&name),
            };
            self.folders.push(inner);
            visit::visit_item_mod(self, module);
            self.folders.pop();
            return;
        }
        // A path under a condition holds in some builds, and the usual place in the others.
        let stated = certain.iter().chain(&possible);
        let mut places: Vec<_> = stated.map(|path| here.stated(path)).collect();
        if certain.is_empty() {
            places.extend(here.usual(&name));
        }
        self.contents.modules.push(places);
        visit::visit_item_mod(self, module);
    }
}

impl Reader<'_> {
    fn attribute(&self, meta: &Meta) -> Found {
        let tokens = match meta {
            Meta::Path(_) => Ok(TokenStream::new()),
            Meta::List(list) => Ok(list.tokens.clone()),
            Meta::NameValue(_) => Err(syn::Error::new(
                meta.span(),
                format!("the attribute is written `{NAME}(\"models/sleigh.eom\")`"),
            )),
        };
        let arguments = tokens.and_then(Arguments::parse).map_err(|errors| {
            let one = |e: syn::Error| (Place::new(self.file, e.span()), e.to_string());
            errors.into_iter().map(one).collect()
        });
        let place = Place::new(self.file, meta.path().span());
        // What has no place of its own is about the attribute.
        let arguments = arguments.map_err(|errors: Vec<(Place, String)>| {
            let at = |(at, text): (Place, String)| match at.line {
                0 => (place.clone(), text),
                1 if at.column == 1 => (place.clone(), text),
                _ => (at, text),
            };
            errors.into_iter().map(at).collect()
        });
        Found {
            place,
            root: self.root.clone(),
            arguments,
        }
    }
}

/// What `#[path = "..."]` says of a module: always, and under conditions.
fn paths(attributes: &[Attribute]) -> (Vec<String>, Vec<String>) {
    let (mut certain, mut possible) = (Vec::new(), Vec::new());
    for (meta, conditional) in attributes.iter().flat_map(|a| metas(&a.meta)) {
        let Meta::NameValue(pair) = &meta else {
            continue;
        };
        if let (true, Expr::Lit(ExprLit { lit, .. })) = (pair.path.is_ident("path"), &pair.value)
            && let Lit::Str(text) = lit
        {
            if conditional {
                possible.push(text.value())
            } else {
                certain.push(text.value())
            }
        }
    }
    (certain, possible)
}

/// The attribute itself, or those that it stands for under a condition (`cfg_attr`): each with whether there is one.
fn metas(meta: &Meta) -> Vec<(Meta, bool)> {
    let mut found = Vec::new();
    let mut open = vec![(meta.clone(), false)];
    while let Some((meta, conditional)) = open.pop() {
        match &meta {
            Meta::List(list) if list.path.is_ident("cfg_attr") => {
                // The condition comes first.
                let inner = pieces(list.tokens.clone()).into_iter().skip(1).rev();
                let inner = inner.filter_map(|tokens| syn::parse2(tokens).ok());
                open.extend(inner.map(|meta| (meta, true)));
            }
            _ => found.push((meta, conditional)),
        }
    }
    found
}

/// The text between commas.
fn pieces(tokens: TokenStream) -> Vec<TokenStream> {
    let mut pieces = vec![Vec::new()];
    for tree in tokens {
        match (&tree, pieces.last_mut()) {
            (TokenTree::Punct(punct), _) if punct.as_char() == ',' => pieces.push(Vec::new()),
            (_, Some(piece)) => piece.push(tree),
            (_, None) => {}
        }
    }
    let streams = pieces
        .into_iter()
        .map(|piece: Vec<TokenTree>| piece.into_iter().collect());
    streams.collect()
}
