//! The functions of a text before they are understood.

use std::collections::BTreeMap;

use syn::Stmt;

use super::lines::Lines;

/// A function of the text.
#[derive(Clone, Debug)]
pub(super) struct Source {
    pub(super) sig: syn::Signature,
    pub(super) statements: Vec<Stmt>,
    /// Where it stands; unknown of methods.
    pub(super) lines: Option<Lines>,
}

/// The functions that can be called.
#[derive(Clone, Debug, Default)]
pub(super) struct Sources {
    /// By name, the private ones included.
    pub(super) functions: BTreeMap<String, Source>,
    /// `Prepared::new`.
    pub(super) constructor: Option<Source>,
}
