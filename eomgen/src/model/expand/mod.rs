//! From the tree as written to a flat one: loops, families, sums and parts written out, every name and reference a
//! plain identifier such as `theta[1]` or `left.foot`. Knows names and counts, nothing of what they stand for.
//!
//! Two passes: `walk` writes statements out and learns which names there are, `rewrite` resolves what refers to them.

mod budget;
mod components;
mod count;
mod expander;
mod given;
mod location;
mod needs;
mod paths;
mod places;

mod ranges;
mod resolve;
mod rewrite;
mod rolling;
mod scope;
mod uses;
mod walk;

pub use expander::{PartText, Surroundings};
pub use paths::{join, shipped};

use crate::diag::{Copies, Diagnostic};
use crate::model::codes;
use crate::span::Span;
use crate::syntax::ast::{Item, ItemKind, SourceFile};
use crate::visible::visible;
use expander::{Expander, Pending};
use location::Location;
use places::driven;
use std::collections::{BTreeMap, BTreeSet};

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

/// Writes a model out.
pub fn expand(file: &SourceFile, around: Surroundings) -> Expanded {
    let mut expander = Expander::new(around);
    let mut items = expander.all(&file.items);
    // What is documented goes into files and to terminals.
    for item in &mut items {
        item.docs = visible(&item.docs);
    }
    let docs = visible(&file.docs);
    Expanded {
        file: SourceFile {
            docs,
            items,
            unread: file.unread.clone(),
        },
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
        let here = Location::of_scope(0, 0);
        self.constants(items, &here, &BTreeMap::new());
        self.walk(items, &here);
        self.check_counters();
        self.check_set(items);
        let mut flat = Vec::new();
        self.motions();
        self.rolls();
        for pending in std::mem::take(&mut self.pending) {
            match pending {
                Pending::Item(mut item, here) => {
                    let places = self.places(&mut item, &here);
                    flat.extend(places);
                    self.rewrite(&mut item, &here);
                    match item.kind {
                        ItemKind::Roll(roll) => flat.extend(self.rolling(roll, item.docs)),
                        _ => flat.push(driven(*item)),
                    }
                }
                Pending::Need(index) => {
                    self.need(index);
                    flat.extend(self.bindings[index].item.take());
                }
            }
        }
        flat
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
        let start = items.first().map(|item| item.span).unwrap_or_default();
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
            let error = Diagnostic::error(codes::SET, title, start, "not declared by a `const`");
            self.diagnostics.push(error.help(help));
        }
    }
}
