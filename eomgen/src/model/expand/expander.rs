//! What both passes share: the scopes, what stands in for names of parts, the budget, and the messages.

use super::budget::Budget;
use super::given::Binding;
use super::location::Location;
use super::scope::Scope;
use crate::diag::{Copies, Diagnostic};
use crate::span::Span;
use crate::syntax::ast::{Ident, Item, SourceFile};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// A file that a model uses, with its path as messages show it: its text, or why it cannot be read.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "derive", derive(serde::Serialize, serde::Deserialize))]
pub struct PartText {
    /// The path, relative like that of the model itself.
    pub path: String,
    /// The text.
    pub text: Result<String, String>,
}

/// What a model's text does not say itself.
#[derive(Clone, Copy, Debug, Default)]
pub struct Surroundings<'a> {
    /// The model's path; the paths of its parts are relative to its folder.
    pub path: &'a str,
    /// The files that it uses, directly or not; [`Span::file`] is the index in this list, counted from 1.
    pub parts: &'a [PartText],
    /// Constants set from outside.
    pub set: &'a [(String, i64)],
}

/// A statement that is written out but for its references.
pub(super) enum Pending {
    Item(Box<Item>, Location),
    Need(usize),
}

/// A part's file, read once.
pub(super) struct PartFile {
    pub(super) file: Rc<SourceFile>,
    pub(super) broken: bool,
}

/// A model that is being written out.
#[derive(Default)]
pub(super) struct Expander<'a> {
    pub(super) around: Surroundings<'a>,
    pub(super) scopes: Vec<Scope>,
    pub(super) bindings: Vec<Binding>,
    pub(super) files: BTreeMap<usize, PartFile>,
    pub(super) pending: Vec<Pending>,
    /// Coordinates that have a `motion`.
    pub(super) motions: BTreeMap<String, Span>,
    /// Names of what other statements make, which may be written behind a dot: `wheel.roll`.
    pub(super) derived: BTreeSet<String>,
    /// How often a body has rolled.
    pub(super) rolled: BTreeMap<String, usize>,
    /// Away from where things fall: an axis of the ground, and whether it is against it.
    pub(super) up: Option<(Ident, bool)>,
    /// How often a point or frame got a name for this purpose.
    pub(super) made: BTreeMap<String, usize>,
    /// Variables of loops, each with its scope, to be compared with what is declared.
    pub(super) counters: Vec<(usize, String, Span)>,
    /// Constants set from outside that were found.
    pub(super) set: BTreeSet<usize>,
    pub(super) budget: Budget,
    /// Whether something is left out, so that names may seem to be missing.
    pub(super) incomplete: bool,
    pub(super) failed: BTreeSet<Span>,
    pub(super) copies: Copies,
    pub(super) diagnostics: Vec<Diagnostic>,
}

impl<'a> Expander<'a> {
    /// With the model's own scope.
    pub(super) fn new(around: Surroundings<'a>) -> Self {
        Self {
            around,
            scopes: vec![Scope::new(String::new(), around.path.to_owned(), None)],
            ..Self::default()
        }
    }

    pub(super) fn report(&mut self, diagnostic: Diagnostic) {
        self.diagnostics.push(diagnostic);
    }

    /// Reports what is wrong; there is nothing to go on with.
    pub(super) fn refuse<T>(&mut self, diagnostic: Diagnostic) -> Option<T> {
        self.report(diagnostic);
        None
    }

    /// Reports what is wrong in one copy of a text.
    pub(super) fn report_at(&mut self, here: &Location, diagnostic: Diagnostic) {
        self.report(here.message(diagnostic));
    }
    /// The same, where there is nothing to go on with.
    pub(super) fn refuse_at<T>(&mut self, here: &Location, diagnostic: Diagnostic) -> Option<T> {
        self.refuse(here.message(diagnostic))
    }
}
