//! The first pass: statements written out, names with their indices made plain and taken note of.

use super::components;
use super::expander::{Expander, Pending};
use super::location::Location;
use super::scope::{PREDECLARED, Sort, element, taken};
use crate::diag::{Diagnostic, Origin};
use crate::model::codes;
use crate::span::Span;
use crate::syntax::ast::{Expr, ExprKind, Ident, InitialValue, Item, ItemKind, Name, NameIndex};
use crate::syntax::visit::{self, PieceMut};
use std::rc::Rc;

impl Expander<'_> {
    /// Writes statements out.
    pub(super) fn walk(&mut self, items: &[Item], here: &Location) {
        for item in items {
            if self.budget.spent {
                return;
            }
            match &item.kind {
                ItemKind::For {
                    variable,
                    from,
                    to,
                    body,
                } => self.unroll(variable, from, to, body, here),
                ItemKind::Use { path, name, args } => self.use_part(path, name, args, here),
                ItemKind::Needs { kind, names } => self.needs(*kind, names, item, here),
                ItemKind::Part(_) | ItemKind::Const(_) => {}
                ItemKind::Gravity(_) if here.scope != 0 => {
                    let error = Diagnostic::error(
                        codes::MISPLACED,
                        "gravity is stated in a part",
                        item.span,
                        "concerns the whole mechanism",
                    )
                    .help("state it in the model that uses the part");
                    self.report_at(here, error);
                }
                ItemKind::Speeds { .. } => {
                    for one in components::speeds(item) {
                        self.statement(&one, here);
                    }
                }
                ItemKind::Initial(values) => {
                    let values = self.starts(values, here);
                    if !values.is_empty() {
                        let kind = ItemKind::Initial(values);
                        let item = Item {
                            kind,
                            ..item.clone()
                        };
                        self.statement(&item, here);
                    }
                }
                _ => self.statement(item, here),
            }
        }
    }

    /// The initial values that a part states and the `use` does not replace.
    fn starts(&self, values: &[InitialValue], here: &Location) -> Vec<InitialValue> {
        let given = &self.scopes[here.scope].given;
        let replaced = |of: &Expr| {
            let name = base(of).and_then(|name| given.get(name));
            name.is_some_and(|given| given.starts)
        };
        let kept = values.iter().filter(|value| !replaced(&value.of));
        kept.cloned().collect()
    }

    /// Whether there is room for so much more; told once if not.
    pub(super) fn room(
        &mut self,
        statements: u64,
        pieces: u64,
        span: Span,
        here: &Location,
    ) -> bool {
        let asked = self.budget.statements(statements, span);
        let asked = asked.and_then(|()| match here.copy {
            0 => Ok(()),
            _ => self.budget.pieces(pieces, span),
        });
        match asked {
            Ok(()) => true,
            Err(told) => {
                self.diagnostics
                    .extend(told.map(|error| here.message(error)));
                false
            }
        }
    }

    /// The bounds of a range; `None` if they are no counts or too far apart.
    pub(super) fn range(&mut self, from: &Expr, to: &Expr, here: &Location) -> Option<(i64, i64)> {
        let (first, last) = (self.count(from, here), self.count(to, here));
        let (Some(first), Some(last)) = (first, last) else {
            self.incomplete = true;
            return None;
        };
        let many = u64::try_from(last.saturating_sub(first).saturating_add(1)).unwrap_or(0);
        self.room(many, 0, from.span.to(to.span), here)
            .then_some((first, last))
    }

    /// A `for`.
    fn unroll(&mut self, variable: &Ident, from: &Expr, to: &Expr, body: &[Item], here: &Location) {
        let name = &variable.text;
        let span = here.span(variable.span);
        if self.counter(name, here).is_some() || PREDECLARED.contains(&name.as_str()) {
            self.report(taken(name, span));
        }
        self.counters.push((here.scope, name.clone(), span));
        let Some((first, last)) = self.range(from, to, here) else {
            return;
        };
        for value in first..=last {
            if self.budget.spent {
                return;
            }
            let inside = self.iteration(name, value, here);
            self.walk(body, &inside);
        }
    }

    /// The here inside an iteration of a loop.
    pub(super) fn iteration(&mut self, variable: &str, value: i64, here: &Location) -> Location {
        let mut iterations = (*here.iterations).clone();
        iterations.push((variable.to_owned(), value));
        let origin = Origin::Iteration {
            variable: variable.to_owned(),
            value,
        };
        Location {
            scope: here.scope,
            iterations: Rc::new(iterations),
            copy: self.copies.add(here.copy, origin),
        }
    }

    /// A statement that stands for itself.
    fn statement(&mut self, item: &Item, here: &Location) {
        if !self.room(1, visit::count(item), item.span, here) {
            return;
        }
        let mut item = item.clone();
        if !self.spread(&mut item, here) {
            return;
        }
        if here.copy != 0 {
            visit::spans(&mut item, &mut |span| span.copy = here.copy);
        }
        let sort = Sort::of(&item.kind);
        for piece in visit::pieces_mut(&mut item) {
            if let PieceMut::Name(name) = piece {
                if let Some((ident, _)) = self.declare(name, sort, here) {
                    name.ident = ident;
                }
                name.indices.clear();
            }
        }
        self.pending
            .push(Pending::Item(Box::new(item), here.clone()));
    }

    /// Takes note of a declared name and yields its plain form.
    pub(super) fn declare(
        &mut self,
        name: &Name,
        sort: Sort,
        here: &Location,
    ) -> Option<(Ident, Vec<i64>)> {
        let mut key = Vec::new();
        for index in &name.indices {
            match index {
                NameIndex::At(index) => match self.index(index, here) {
                    Some(index) => key.push(index),
                    None => {
                        self.incomplete = true;
                        return None;
                    }
                },
                NameIndex::Range(from, to) => {
                    let title = format!("`{}` is declared for a whole range", name.text);
                    let span = from.span.to(to.span);
                    let error =
                        Diagnostic::error(codes::RANGE, title, span, "a range").help(format!(
                            "declare each element in a loop: `for i in 1..n {{`, `{}[i]`",
                            name.text
                        ));
                    self.report_at(here, error);
                    self.incomplete = true;
                    return None;
                }
            }
        }
        let span = here.span(name.span);
        let scope = &mut self.scopes[here.scope];
        let text = format!("{}{}", scope.prefix, element(&name.text, &key));
        if PREDECLARED.contains(&name.text.as_str()) && !scope.prefix.is_empty() {
            let title = format!("`{}` is predefined and cannot be declared", name.text);
            let error = Diagnostic::error(codes::PREDECLARED, title, span, "declared here");
            return self.refuse(error.help("choose another name"));
        }
        if let Err(error) = scope.declare(&name.text, &key, sort, span) {
            // The model would say it again.
            self.incomplete = true;
            self.report(*error);
        }
        Some((Ident { text, span }, key))
    }
}

/// The name of a quantity or of the family of which it is an element.
fn base(of: &Expr) -> Option<&str> {
    match &of.kind {
        ExprKind::Name(name) => Some(name),
        ExprKind::Index(inner, _) | ExprKind::Paren(inner) => base(inner),
        _ => None,
    }
}
