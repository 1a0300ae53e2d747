//! Which copy of a text a message is about, if loops and parts make several copies.

use super::Diagnostic;
use crate::span::Span;

/// What made a copy.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Origin {
    /// An iteration of a `for` or a term of a `sum`.
    Iteration {
        /// The variable that counts.
        variable: String,
        /// Its value.
        value: i64,
    },
    /// A `use` of a part.
    Use {
        /// The name that the part gets.
        name: String,
        /// The statement.
        span: Span,
    },
}

/// All copies of one model; [`Span::copy`] is a place in this list, counted from 1.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Copies {
    list: Vec<(u32, Origin)>,
    /// Files that belong to the program: nobody can mend them.
    shipped: Vec<u32>,
}

impl Copies {
    /// Takes note of a file that belongs to the program.
    pub fn shipped(&mut self, file: u32) {
        self.shipped.push(file);
    }

    /// A copy inside another (0: inside none).
    pub fn add(&mut self, outer: u32, origin: Origin) -> u32 {
        self.list.push((outer, origin));
        self.list.len() as u32
    }

    /// The copies that a copy lies in, outermost first, itself last.
    fn chain(&self, copy: u32) -> Vec<&Origin> {
        let mut chain = Vec::new();
        let mut at = copy;
        while let Some((outer, origin)) = (at as usize)
            .checked_sub(1)
            .and_then(|index| self.list.get(index))
        {
            chain.push(origin);
            at = *outer;
        }
        chain.reverse();
        chain
    }

    /// `i = 3, j = 1`; empty outside of loops.
    fn iterations(&self, copy: u32) -> String {
        let iterations = self
            .chain(copy)
            .into_iter()
            .filter_map(|origin| match origin {
                Origin::Iteration { variable, value } => Some(format!("{variable} = {value}")),
                Origin::Use { .. } => None,
            });
        iterations.collect::<Vec<_>>().join(", ")
    }

    /// Adds to each message which copy it is about, and reports once what applies to many copies of the same text.
    pub fn explain(&self, diagnostics: Vec<Diagnostic>) -> Vec<Diagnostic> {
        let mut kept: Vec<(Option<Span>, usize, Diagnostic)> = Vec::new();
        for diagnostic in diagnostics {
            let primary = diagnostic.labels.first().map(|label| label.span);
            let text = primary.map(|span| Span { copy: 0, ..span });
            let copied = primary.is_some_and(|span| span.copy != 0);
            let known = kept
                .iter_mut()
                .find(|(span, _, first)| copied && *span == text && first.code == diagnostic.code);
            match known {
                Some((_, more, _)) => *more += 1,
                None => kept.push((text, 0, self.explained(diagnostic))),
            }
        }
        kept.into_iter()
            .map(|(_, more, diagnostic)| match more {
                0 => diagnostic,
                1 => diagnostic.note("the same in one more copy of this text"),
                _ => diagnostic.note(format!("the same in {more} more copies of this text")),
            })
            .collect()
    }

    /// Puts the use first where a message is about a part of the program, of which the user can change nothing else.
    fn lead_to_the_user(&self, diagnostic: &mut Diagnostic) {
        let is_shipped = |span: Span| self.shipped.contains(&span.file);
        let Some(first) = diagnostic.labels.first().filter(|l| is_shipped(l.span)) else {
            return;
        };
        let uses = self.chain(first.span.copy).into_iter().rev();
        let mut uses = uses.filter_map(|origin| match origin {
            Origin::Use { span, .. } if !is_shipped(*span) => Some(*span),
            _ => None,
        });
        let own = uses.next();
        let mut labels = diagnostic.labels.iter();
        if let Some(at) = labels.position(|label| own == Some(label.span)) {
            let label = diagnostic.labels.remove(at);
            diagnostic.labels.insert(0, label);
        }
    }

    fn explained(&self, mut diagnostic: Diagnostic) -> Diagnostic {
        let Some(primary) = diagnostic.labels.first().map(|label| label.span.copy) else {
            return diagnostic;
        };
        for label in diagnostic.labels.iter_mut().skip(1) {
            let iterations = self.iterations(label.span.copy);
            if label.span.copy != primary && !iterations.is_empty() {
                label.text.push_str(&format!(" ({iterations})"));
            }
        }
        let iterations = self.iterations(primary);
        if !iterations.is_empty() {
            diagnostic = diagnostic.note(format!("in the iteration {iterations}"));
        }
        for origin in self.chain(primary).into_iter().rev() {
            if let Origin::Use { name, span } = origin {
                diagnostic = diagnostic.label(*span, format!("used here as `{name}`"));
            }
        }
        self.lead_to_the_user(&mut diagnostic);
        for label in &mut diagnostic.labels {
            label.span.copy = 0;
        }
        diagnostic
    }
}
