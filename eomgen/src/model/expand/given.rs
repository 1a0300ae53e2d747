//! What a `use` gives to a part, and the names of the part for which it stands.

use super::location::Location;
use crate::span::Span;
use crate::syntax::ast::{Expr, Ident, Item, NeedKind};

/// What a `use` gives for one name of the part.
#[derive(Clone)]
pub struct Given {
    /// As written.
    pub expr: Expr,
    /// Where it is read.
    pub location: Location,
    /// The value, if it is made of numbers alone; it replaces a default.
    pub value: Option<Expr>,
    /// Whether it is the initial value of a coordinate.
    pub starts: bool,
}

impl Given {
    /// What a part takes by itself where nothing is given.
    pub(super) fn default(value: &Expr, here: &Location) -> Self {
        Self {
            expr: value.clone(),
            location: here.clone(),
            value: None,
            starts: false,
        }
    }
}

/// A name of a part and what stands for it.
#[derive(Clone)]
pub(super) struct Binding {
    /// What is given, and where that is read.
    pub(super) expr: Expr,
    pub(super) location: Location,
    pub(super) kind: NeedKind,
    /// The position in a range, and the indices.
    pub(super) position: Option<usize>,
    pub(super) key: Vec<i64>,
    /// The plain name that it gets if it is more than a name.
    pub(super) name: Ident,
    pub(super) docs: String,
    pub(super) state: State,
    /// The statement that declares it under that name.
    pub(super) item: Option<Item>,
}

/// How far a binding is looked at.
#[derive(Clone)]
pub(super) enum State {
    New,
    Open,
    Done(Option<String>),
}

impl Binding {
    /// Not yet looked at.
    pub(super) fn new(given: &Given, kind: NeedKind, position: Option<usize>, docs: &str) -> Self {
        Self {
            expr: given.expr.clone(),
            location: given.location.clone(),
            kind,
            position,
            key: Vec::new(),
            name: Ident {
                text: String::new(),
                span: Span::default(),
            },
            docs: docs.to_owned(),
            state: State::New,
            item: None,
        }
    }
}
