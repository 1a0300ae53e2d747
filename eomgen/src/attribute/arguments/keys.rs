//! The names of what may stand in the attribute: the model, the committed file, and the options of a derivation.

use proc_macro2::Ident;
use syn::Error;
use syn::ext::IdentExt;

use crate::catalogue::options::{DeriveOption, OPTIONS, Takes};
use crate::diag::suggest;

/// A name with what stands behind it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Key {
    /// The name.
    pub name: &'static str,
    /// How one writes it.
    pub example: &'static str,
    /// What it gives.
    pub gives: Gives,
}

/// What a name gives.
#[derive(Clone, Copy, Debug)]
pub(super) enum Gives {
    /// The model's file.
    File,
    /// The model's text.
    Text,
    /// The committed file.
    Generated,
    /// An option.
    Option(&'static DeriveOption),
}

/// What is no option of a derivation. The first is meant where a value stands alone.
pub(super) const OWN: [Key; 3] = [
    Key {
        name: "model",
        example: "model = \"models/sleigh.eom\"",
        gives: Gives::File,
    },
    Key {
        name: "text",
        example: "text = \"model ...\"",
        gives: Gives::Text,
    },
    Key {
        name: "generated",
        example: "generated = \"src/sleigh.rs\"",
        gives: Gives::Generated,
    },
];

/// All names, in the order in which they are listed.
pub(super) fn all() -> impl Iterator<Item = Key> {
    let options = OPTIONS.iter().map(|option| Key {
        name: option.name,
        example: option.example,
        gives: Gives::Option(option),
    });
    OWN.into_iter().chain(options)
}

impl Key {
    /// Whether the value is in parentheses, not after `=`.
    pub fn is_called(&self) -> bool {
        matches!(self.gives, Gives::Option(option) if matches!(option.takes, Takes::Constants | Takes::Parameters))
    }

    /// What to say of an option that is written in another way.
    pub fn misused(&self) -> String {
        format!("`{}` is written `{}`", self.name, self.example)
    }
}

/// What to say where no option stands.
pub(super) fn expected() -> String {
    let names: Vec<String> = all().map(|key| format!("`{}`", key.name)).collect();
    format!("expected a model's path or an option: {}", names.join(", "))
}

/// The name as written.
pub(super) fn find(name: &Ident) -> syn::Result<Key> {
    let word = name.unraw().to_string();
    let known = all().find(|key| key.name == word);
    known.ok_or_else(|| {
        let names: Vec<&str> = all().map(|key| key.name).collect();
        Error::new(name.span(), unknown("option", &word, &names))
    })
}

/// What to say of a word that is none of those known.
pub(super) fn unknown(noun: &str, word: &str, known: &[&str]) -> String {
    let list: Vec<String> = known.iter().map(|name| format!("`{name}`")).collect();
    let list = list.join(", ");
    match suggest::closest(word, known.iter().copied()) {
        Some(near) => format!("unknown {noun} `{word}`; did you mean `{near}`? Known: {list}"),
        None => format!("unknown {noun} `{word}`; known: {list}"),
    }
}
