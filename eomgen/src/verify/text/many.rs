//! The functions of many states that a module may have beside those of one, and what they share. What they share is the same in all modules. What cuts columns into
//! blocks, and what goes on with the states that a check refuses, is the same for all functions but for names, lengths and columns, and is
//! compared word by word (`family`). What is left, the stages that a state goes through, becomes a function of one state (`lanes`).

use std::collections::{BTreeMap, BTreeSet};

use proc_macro2::{Delimiter, TokenStream, TokenTree};
use quote::ToTokens;
use syn::{File, Item, ItemFn, Type};

use super::Unreadable;
use super::lines::Lines;

/// What the functions for a name are called, behind the name.
const SUFFIXES: [&str; 6] = ["_batch", "_lanes", "_blocks", "_rest", "_block", "_one"];

/// What they share.
const SHARED: [&str; 9] = [
    "all_sound",
    "batch_lengths",
    "entry",
    "padded",
    "sin_cos",
    "sin_cos_each",
    "splat",
    "spread",
    "wrong_length",
];

/// What an item of a module with such functions is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Part {
    /// One that is the same in all modules.
    Shared,
    /// One of the functions for a name.
    Own,
}

/// The functions of one state for which a module has such functions: those with one that returns `BatchError`.
pub(super) fn bases(file: &File) -> BTreeSet<String> {
    let error = |of: &ItemFn| words(&of.sig.output) == text("-> Result<(), BatchError>");
    let functions = file.items.iter().filter_map(|item| match item {
        Item::Fn(of) if error(of) => Some(of.sig.ident.to_string()),
        _ => None,
    });
    let bases = functions.filter_map(|name| Some(name.strip_suffix("_batch")?.to_owned()));
    bases.collect()
}

/// What an item of a module with such functions for these is, if it belongs to them.
pub(super) fn part(item: &Item, bases: &BTreeSet<String>) -> Option<Part> {
    match item {
        Item::Enum(of) if of.ident == "BatchError" => Some(Part::Shared),
        Item::Impl(of) => {
            let Type::Path(path) = &*of.self_ty else {
                return None;
            };
            path.path.is_ident("BatchError").then_some(Part::Shared)
        }
        Item::Const(of) if of.ident == "MANY_LANES" || of.ident == "FEW_LANES" => {
            Some(Part::Shared)
        }
        Item::Fn(of) => {
            let name = of.sig.ident.to_string();
            if SHARED.contains(&name.as_str()) {
                return Some(Part::Shared);
            }
            is_own(&name, bases).then_some(Part::Own)
        }
        _ => None,
    }
}

/// Whether a function is one of these for a function of one state.
fn is_own(name: &str, bases: &BTreeSet<String>) -> bool {
    let stage = || {
        let (base, number) = name.rsplit_once("_stage_")?;
        let is_number = !number.is_empty() && number.bytes().all(|b| b.is_ascii_digit());
        is_number.then_some(base)
    };
    let mut suffixes = SUFFIXES.iter();
    let found = suffixes
        .find_map(|suffix| name.strip_suffix(suffix))
        .or_else(stage);
    found.is_some_and(|base| bases.contains(base))
}

/// These functions of a text.
#[derive(Default)]
pub(super) struct Many {
    /// The functions of one state that they belong to.
    pub(super) bases: BTreeSet<String>,
    pub(super) functions: BTreeMap<String, (ItemFn, Lines)>,
}

/// A function of the family, and that it has been read.
type Found<'m> = Result<&'m (ItemFn, Lines), Unreadable>;

impl Many {
    /// Adds a function.
    pub(super) fn add(&mut self, function: ItemFn, lines: Lines) -> Result<(), Unreadable> {
        let (name, line) = (function.sig.ident.to_string(), lines.head);
        match self.functions.insert(name.clone(), (function, lines)) {
            None => Ok(()),
            Some(_) => Err(Unreadable::new(line, format!("`{name}` is there twice"))),
        }
    }

    pub(super) fn get(&self, name: &str) -> Found<'_> {
        let found = self.functions.get(name);
        found.ok_or_else(|| Unreadable::unknown("function of many states without", name))
    }
}

/// Which columns the blocks of a function take.
#[derive(Clone, Debug, Default)]
pub(super) struct Columns {
    /// Entries of the state.
    pub(super) state: Vec<usize>,
    /// Inputs.
    pub(super) input: Vec<usize>,
    /// Names of the arguments of a block.
    pub(super) arguments: Vec<String>,
}
/// What a piece of the text says, word by word, without commas at the ends of lists.
pub(super) fn words(of: &impl ToTokens) -> Vec<String> {
    let mut list = Vec::new();
    add_words(of.to_token_stream(), &mut list);
    list
}

/// The same of a text that is written here.
pub(super) fn text(of: &str) -> Vec<String> {
    let mut list = Vec::new();
    if let Ok(tokens) = of.parse::<TokenStream>() {
        add_words(tokens, &mut list);
    }
    list
}

fn add_words(tokens: TokenStream, list: &mut Vec<String>) {
    for token in tokens {
        match token {
            TokenTree::Group(group) => {
                let (open, close) = match group.delimiter() {
                    Delimiter::Parenthesis => ("(", ")"),
                    Delimiter::Brace => ("{", "}"),
                    Delimiter::Bracket => ("[", "]"),
                    Delimiter::None => ("", ""),
                };
                list.push(open.to_owned());
                add_words(group.stream(), list);
                if list.last().is_some_and(|last| last == ",") {
                    list.pop();
                }
                list.push(close.to_owned());
            }
            other => list.push(other.to_string()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn they_are_known_by_their_names() {
        let file = "pub fn accelerations_batch() -> Result<(), BatchError> {}
            pub fn derivative_batch() -> Result<(), BatchError> {}
            pub fn output_one_batch() -> [f64; 2] {}";
        let bases = bases(&syn::parse_file(file).unwrap());
        let of = |text: &str| part(&syn::parse_str(text).unwrap(), &bases);
        assert_eq!(of("fn accelerations_blocks() {}"), Some(Part::Own));
        assert_eq!(of("fn derivative_stage_12() {}"), Some(Part::Own));
        assert_eq!(of("pub fn output_one_batch() {}"), None);
        assert_eq!(of("fn padded() {}"), Some(Part::Shared));
        assert_eq!(
            of("impl core::error::Error for BatchError {}"),
            Some(Part::Shared)
        );
        assert_eq!(of("fn derivative() {}"), None);
        assert_eq!(of("fn derivative_stage_x() {}"), None);
        assert_eq!(of("pub const STATES: usize = 2;"), None);
    }

    #[test]
    fn commas_at_the_ends_say_nothing() {
        assert_eq!(text("f(a, b,)"), text("f(a, b)"));
        assert_eq!(text("[a,\n b,\n]"), text("[a, b]"));
        assert_ne!(text("f(a, b)"), text("f(b, a)"));
        assert_ne!(text("f(a < b)"), text("f(a > b)"));
    }
}
