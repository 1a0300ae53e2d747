//! The functions of a text before they are understood.

use std::collections::BTreeMap;

use syn::Stmt;

use super::lines::Lines;

/// A function of the text.
#[derive(Clone, Debug)]
pub(super) struct Source {
    pub(super) sig: syn::Signature,
    pub(super) statements: Vec<Stmt>,
    /// Where it stands.
    pub(super) lines: Lines,
}

/// The functions that can be called: those of the model.
#[derive(Clone, Debug, Default)]
pub(super) struct Sources {
    /// By name, the private ones included.
    pub(super) methods: BTreeMap<String, Source>,
    /// What makes the model: its name and its text.
    pub(super) constructor: Option<(String, Source)>,
}
