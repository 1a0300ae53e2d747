//! The names of one file as used once: of the model, or of one use of a part.

use super::given::Given;
use crate::diag::Diagnostic;
use crate::model::codes;
use crate::span::Span;
use crate::syntax::ast::{Defined, ItemKind, NeedKind};
use std::collections::BTreeMap;

/// What a name is declared as.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sort {
    /// A number: parameters, coordinates, inputs and the like.
    Scalar,
    /// A function of the user.
    Function,
    /// `let`: a scalar or a vector.
    Value,
    /// A frame.
    Frame,
    /// A point.
    Point,
    /// A particle.
    Particle,
    /// A rigid body.
    Body,
    /// A part.
    Part,
    /// What a part gets from outside.
    Need(NeedKind),
    /// Anything else.
    Other,
}

impl Sort {
    /// What a statement declares.
    pub fn of(kind: &ItemKind) -> Sort {
        match kind {
            ItemKind::Quantities(_) => Sort::Scalar,
            ItemKind::Function { .. } => Sort::Function,
            ItemKind::Define(definition) => match definition.what {
                Defined::Speed => Sort::Scalar,
                Defined::Frame => Sort::Frame,
                Defined::Point => Sort::Point,
                Defined::Output => Sort::Other,
                Defined::Let | Defined::Kinetic | Defined::Potential | Defined::Dissipation => {
                    Sort::Value
                }
            },
            ItemKind::Particle { .. } => Sort::Particle,
            ItemKind::Body { .. } => Sort::Body,
            ItemKind::Use { .. } => Sort::Part,
            _ => Sort::Other,
        }
    }

    /// For messages: "a point".
    pub fn text(self) -> &'static str {
        match self {
            Sort::Scalar | Sort::Need(NeedKind::Scalar) => "a scalar",
            Sort::Function => "a function",
            Sort::Value => "a `let`",
            Sort::Frame | Sort::Need(NeedKind::Frame) => "a frame",
            Sort::Point | Sort::Need(NeedKind::Point) => "a point",
            Sort::Particle => "a particle",
            Sort::Body => "a body",
            Sort::Part => "a part",
            Sort::Need(NeedKind::Vector) => "a vector",
            Sort::Other => "something else",
        }
    }

    /// Whether it can stand for what a part needs; of what is not known here the model says more.
    pub fn fits(self, need: NeedKind) -> bool {
        match need {
            NeedKind::Point => matches!(
                self,
                Sort::Point
                    | Sort::Particle
                    | Sort::Body
                    | Sort::Other
                    | Sort::Need(NeedKind::Point)
            ),
            NeedKind::Frame => matches!(
                self,
                Sort::Frame | Sort::Body | Sort::Other | Sort::Need(NeedKind::Frame)
            ),
            NeedKind::Scalar => matches!(
                self,
                Sort::Scalar
                    | Sort::Function
                    | Sort::Value
                    | Sort::Other
                    | Sort::Need(NeedKind::Scalar)
            ),
            NeedKind::Vector => matches!(
                self,
                Sort::Value | Sort::Other | Sort::Need(NeedKind::Vector)
            ),
        }
    }
}

/// A declared name: alone, or with the indices of its elements.
#[derive(Clone, Debug)]
pub struct Entry {
    /// Where it is first declared.
    pub span: Span,
    /// As what.
    pub sort: Sort,
    /// How many indices each element has; 0 for a name alone.
    pub indices: usize,
    /// The elements.
    pub elements: BTreeMap<Vec<i64>, Span>,
}

impl Entry {
    /// The elements in words: "1 to 5".
    pub fn elements_text(&self) -> String {
        let keys: Vec<&Vec<i64>> = self.elements.keys().collect();
        let text = |key: &[i64]| {
            let indices: Vec<String> = key.iter().map(i64::to_string).collect();
            indices.join("][")
        };
        let (Some(first), Some(last)) = (keys.first(), keys.last()) else {
            return "none".to_owned();
        };
        let run = match (first[..].first(), last[..].first()) {
            (Some(a), Some(b)) if self.indices == 1 => b - a + 1 == keys.len() as i64,
            _ => false,
        };
        if run && keys.len() > 2 {
            return format!("{} to {}", text(first), text(last));
        }
        let mut list: Vec<String> = keys.iter().take(8).map(|key| text(key)).collect();
        if keys.len() > list.len() {
            list.push("...".to_owned());
        }
        list.join(", ")
    }
}

/// The names of one file as used once.
#[derive(Default)]
pub struct Scope {
    /// What stands before its names: `left.`
    pub prefix: String,
    /// The file's path.
    pub path: String,
    /// The scope with the `use`.
    pub outer: Option<usize>,
    /// Counts.
    pub consts: BTreeMap<String, (i64, Span)>,
    /// Everything that is declared.
    pub names: BTreeMap<String, Entry>,
    /// Parts by name and index, with their scopes.
    pub parts: BTreeMap<String, usize>,
    /// Elements that something outside stands for, by name and index: numbers of bindings.
    pub bound: BTreeMap<String, usize>,
    /// Values that a `use` gives, by name, and whether they contain names.
    pub given: BTreeMap<String, Given>,
}

impl Scope {
    /// Nothing but a prefix.
    pub fn new(prefix: String, path: String, outer: Option<usize>) -> Self {
        Self {
            prefix,
            path,
            outer,
            ..Self::default()
        }
    }

    /// Takes note of an element. `Err`: what is wrong with it.
    pub fn declare(
        &mut self,
        name: &str,
        key: &[i64],
        sort: Sort,
        span: Span,
    ) -> Result<(), Box<Diagnostic>> {
        let known = self.names.contains_key(name);
        let entry = self.names.entry(name.to_owned()).or_insert_with(|| Entry {
            span,
            sort,
            indices: key.len(),
            elements: BTreeMap::new(),
        });
        if entry.indices != key.len() {
            return Err(Box::new(other_indices(name, entry, key.len(), span)));
        }
        if key.is_empty() {
            // Between things that the model knows it tells that itself.
            let here = |sort: Sort| matches!(sort, Sort::Part | Sort::Need(_));
            if known && (here(entry.sort) || here(sort)) {
                let title = format!("`{name}` is declared twice");
                let error = Diagnostic::error(codes::DUPLICATE, title, span, "declared again")
                    .label(
                        entry.span,
                        format!("first declared here as {}", entry.sort.text()),
                    )
                    .help("choose another name for one of them");
                return Err(Box::new(error));
            }
            return Ok(());
        }
        match entry.elements.insert(key.to_vec(), span) {
            None => Ok(()),
            Some(first) => {
                let name = element(name, key);
                let title = format!("`{name}` is declared twice");
                let error = Diagnostic::error(codes::ELEMENT_TWICE, title, span, "declared again")
                    .label(first, "first declared here");
                Err(Box::new(match key {
                    _ if (Span { copy: 0, ..first }) == (Span { copy: 0, ..span }) => {
                        error.help("use the loop variable in the index")
                    }
                    _ => error.help("remove one of them, or change its index"),
                }))
            }
        }
    }
}

/// The message for a name that is declared with another number of indices before.
fn other_indices(name: &str, entry: &Entry, indices: usize, span: Span) -> Diagnostic {
    let with = |count: usize| match count {
        0 => "without an index".to_owned(),
        1 => "with one index".to_owned(),
        more => format!("with {more} indices"),
    };
    let before = with(entry.indices);
    let title = format!("`{name}` is declared {before} and {}", with(indices));
    Diagnostic::error(codes::ELEMENT_TWICE, title, span, "declared otherwise")
        .label(entry.span, format!("declared {before} here"))
        .help("choose another name for one of them")
}

/// `theta[1]`
pub fn element(name: &str, key: &[i64]) -> String {
    let mut out = name.to_owned();
    for index in key {
        out.push_str(&format!("[{index}]"));
    }
    out
}

/// The message for a counter whose name is taken.
pub fn taken(name: &str, span: Span) -> Diagnostic {
    let title = format!("the name of the counter `{name}` is already taken");
    Diagnostic::error(codes::COUNTER_TAKEN, title, span, "counts here").help("choose another name")
}

/// The names that are there from the start.
pub const PREDECLARED: [&str; 4] = ["N", "O", "t", "pi"];
