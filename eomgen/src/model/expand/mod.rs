//! From the tree as written to a flat one: loops, families, sums and parts written out, every name and reference a
//! plain identifier such as `theta[1]` or `left.foot`. Knows names and counts, nothing of what they stand for.
//!
//! Two passes: `walk` writes statements out and learns which names there are, `rewrite` resolves what refers to them.

mod budget;
mod count;
mod needs;
mod paths;
mod resolve;
mod rewrite;
mod scope;
mod spread;
mod uses;
mod walk;

pub use paths::join;

use crate::diag::{Copies, Diagnostic};
use crate::model::codes;
use crate::span::Span;
use crate::syntax::ast::{Item, ItemKind, SourceFile};
use budget::Budget;
use needs::Binding;
use scope::Scope;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// A file that a model uses, with its path as messages show it: its text, or why it cannot be read.
#[derive(Clone, Debug, PartialEq, Eq)]
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
    /// The files that it uses, directly or not; [`Span::file`] is the place in this list, counted from 1.
    pub parts: &'a [PartText],
    /// Constants set from outside.
    pub set: &'a [(String, i64)],
}

/// A flat model.
pub struct Expanded {
    /// The statements, without indices, paths and blocks.
    pub file: SourceFile,
    /// What is wrong.
    pub diagnostics: Vec<Diagnostic>,
    /// Whether something is left out, so that nothing more can be said of the whole.
    pub incomplete: bool,
    /// Where references stand that mean nothing, which is among the diagnostics.
    pub failed: BTreeSet<Span>,
    /// Which copies of the texts there are.
    pub copies: Copies,
}

/// Variables of the loops around a statement with their values, outermost first.
type Turns = Rc<Vec<(String, i64)>>;

/// Where an expression is read.
#[derive(Clone)]
struct Place {
    scope: usize,
    turns: Turns,
    copy: u32,
}

/// A statement that is written out but for its references.
enum Pending {
    Item(Box<Item>, Place),
    Need(usize),
}

/// A part's file, read once.
struct PartFile {
    file: Rc<SourceFile>,
    broken: bool,
}

struct Expander<'a> {
    around: Surroundings<'a>,
    scopes: Vec<Scope>,
    bindings: Vec<Binding>,
    files: BTreeMap<usize, PartFile>,
    pending: Vec<Pending>,
    /// Variables of loops, each with its scope, to be compared with what is declared.
    counters: Vec<(usize, String, Span)>,
    /// Constants set from outside that were found.
    set: BTreeSet<usize>,
    budget: Budget,
    /// Whether something is left out, so that names may seem to be missing.
    incomplete: bool,
    failed: BTreeSet<Span>,
    copies: Copies,
    diagnostics: Vec<Diagnostic>,
}

/// Writes a model out.
pub fn expand(file: &SourceFile, around: Surroundings) -> Expanded {
    let mut expander = Expander {
        around,
        scopes: vec![Scope::new(String::new(), around.path.to_owned(), None)],
        bindings: Vec::new(),
        files: BTreeMap::new(),
        pending: Vec::new(),
        counters: Vec::new(),
        set: BTreeSet::new(),
        budget: Budget::default(),
        incomplete: false,
        failed: BTreeSet::new(),
        copies: Copies::default(),
        diagnostics: Vec::new(),
    };
    let items = expander.all(&file.items);
    let docs = file.docs.clone();
    Expanded {
        file: SourceFile { docs, items },
        incomplete: expander.incomplete || expander.budget.spent,
        diagnostics: expander.diagnostics,
        failed: expander.failed,
        copies: expander.copies,
    }
}

impl Expander<'_> {
    fn all(&mut self, items: &[Item]) -> Vec<Item> {
        let part = items.iter().find_map(|item| match &item.kind {
            ItemKind::Part(name) => Some((name, item.span)),
            _ => None,
        });
        if let Some((name, span)) = part {
            let title = format!("`{}` is a part, not a complete model", name.text);
            self.diagnostics.push(
                Diagnostic::error(codes::PART_ALONE, title, span, "a part on its own").help(
                    format!(
                        "check a model that uses it: `use \"FILE\" as {}(...)`",
                        name.text
                    ),
                ),
            );
            self.incomplete = true;
            return Vec::new();
        }
        let place = Place {
            scope: 0,
            turns: Rc::new(Vec::new()),
            copy: 0,
        };
        self.constants(items, &place, &BTreeMap::new());
        self.walk(items, &place);
        self.check_counters();
        self.check_set(items);
        let mut flat = Vec::new();
        for pending in std::mem::take(&mut self.pending) {
            match pending {
                Pending::Item(mut item, place) => {
                    self.rewrite(&mut item, &place);
                    flat.push(*item);
                }
                Pending::Need(index) => {
                    self.need(index);
                    flat.extend(self.bindings[index].item.take());
                }
            }
        }
        flat
    }

    fn report(&mut self, diagnostic: Diagnostic) {
        self.diagnostics.push(diagnostic);
    }

    /// Variables of loops must not have the name of anything else in their file.
    fn check_counters(&mut self) {
        let mut told = BTreeSet::new();
        for (scope, name, span) in std::mem::take(&mut self.counters) {
            let Some(entry) = self.scopes[scope].names.get(&name) else {
                continue;
            };
            if told.insert(Span { copy: 0, ..span }) {
                let first = entry.span;
                self.report(scope::taken(&name, span).label(first, "declared here"));
            }
        }
    }

    /// Everything that is set must exist.
    fn check_set(&mut self, items: &[Item]) {
        let place = items.first().map(|item| item.span).unwrap_or_default();
        let known: Vec<String> = self
            .scopes
            .iter()
            .flat_map(|scope| {
                scope
                    .consts
                    .keys()
                    .map(|name| format!("`{}{name}`", scope.prefix))
            })
            .take(10)
            .collect();
        for (index, (name, value)) in self.around.set.iter().enumerate() {
            if self.set.contains(&index) {
                continue;
            }
            let title = format!("there is no constant `{name}` that could be set to {value}");
            let help = match known[..] {
                [] => "the model declares no `const`".to_owned(),
                _ => format!("it can set: {}", known.join(", ")),
            };
            let error = Diagnostic::error(codes::SET, title, place, "not declared by a `const`");
            self.diagnostics.push(error.help(help));
        }
    }
}
