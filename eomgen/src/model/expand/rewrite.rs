//! The second pass: references and expressions in plain names.

use super::budget::{TERMS, long_sum};
use super::components;
use super::expander::Expander;
use super::location::Location;
use super::resolve::Found;
use super::scope::{PREDECLARED, taken};
use crate::diag::Diagnostic;
use crate::model::codes;
use crate::span::Span;
use crate::syntax::ast::{BinaryOp, Expr, ExprKind, Ident, Item, Ref, Segment, Sum};
use crate::syntax::visit::{self, PieceMut};

/// Longest sum whose terms are added one to the other; longer ones are halved, so that no tree gets too deep.
const CHAIN: usize = 64;

impl Expander<'_> {
    /// Makes a statement plain.
    pub(super) fn rewrite(&mut self, item: &mut Item, here: &Location) {
        for piece in visit::pieces_mut(item) {
            match piece {
                PieceMut::Reference(reference) => self.rewrite_ref(reference, here, false),
                PieceMut::Expr(expr) => self.rewrite_expr(expr, here),
                _ => {}
            }
        }
    }

    /// Makes a reference plain.
    pub(super) fn rewrite_ref(&mut self, reference: &mut Ref, here: &Location, called: bool) {
        let span = reference.whole();
        let wrong = |title: String, label: &str| {
            here.message(Diagnostic::error(codes::WRONG_KIND, title, span, label))
        };
        let text = match self.resolve(reference, here, called) {
            Found::Name { text, used, .. } if used == reference.path.len() => text,
            Found::Name { text, used, .. } => {
                if let [Segment::Field(field)] = &reference.path[used..] {
                    let made = format!("{text}.{}", field.text);
                    if self.derived.contains(&made) {
                        *reference = Ident { text: made, span }.into();
                        return;
                    }
                }
                let written = self.written(reference, here);
                self.report(wrong(
                    format!("`{written}` is not a name"),
                    "this must be a name",
                ));
                written
            }
            Found::Number(value) => {
                let title = format!("`{}` is the number {value}", reference.text);
                self.report(wrong(title, "this must be a name"));
                reference.text.clone()
            }
            Found::Unknown => self.written(reference, here),
            Found::Failed => {
                self.failed.insert(span);
                self.written(reference, here)
            }
        };
        *reference = Ident { text, span }.into();
    }

    /// Makes an expression plain.
    pub(super) fn rewrite_expr(&mut self, expr: &mut Expr, here: &Location) {
        if expr.is_reference() {
            self.rewrite_path(expr, here);
            return;
        }
        match &mut expr.kind {
            ExprKind::Sum(sum) => {
                let span = expr.span;
                *expr = self.sum(sum, span, here);
                return;
            }
            ExprKind::Components(items, frame) => {
                let (items, frame) = (std::mem::take(items), frame.clone());
                match components::vector(items, &frame, expr.span) {
                    Ok(sum) => {
                        *expr = sum;
                        self.rewrite_expr(expr, here);
                    }
                    Err(error) => {
                        expr.kind = ExprKind::Error;
                        self.report_at(here, *error);
                    }
                }
                return;
            }
            ExprKind::Call(function, args) => {
                self.rewrite_ref(function, here, true);
                args.iter_mut().for_each(|arg| self.rewrite_expr(arg, here));
                return;
            }
            _ => {}
        }
        visit::children_mut(expr)
            .into_iter()
            .for_each(|child| self.rewrite_expr(child, here));
    }

    fn rewrite_path(&mut self, expr: &mut Expr, here: &Location) {
        let span = expr.span;
        let failed = Expr {
            kind: ExprKind::Error,
            span,
        };
        let Some(reference) = Ref::of(std::mem::replace(expr, failed)) else {
            return;
        };
        let (text, used) = match self.resolve(&reference, here, false) {
            Found::Number(value) => {
                *expr = Expr::whole_number(value, span);
                return;
            }
            Found::Failed => return,
            Found::Name { text, used, .. } => (text, used),
            Found::Unknown => {
                // Indices are part of the name; names behind a dot are for the model to tell.
                let indices = reference.path.iter();
                let used = indices
                    .take_while(|s| matches!(s, Segment::Index(..)))
                    .count();
                let mut known = reference.clone();
                known.path.truncate(used);
                (self.written(&known, here), used)
            }
        };
        let mut known = reference.clone();
        let rest = known.path.split_off(used);
        let (text, rest) = self.made_behind(text, rest);
        let mut plain = Expr {
            kind: ExprKind::Name(text),
            span: known.whole(),
        };
        for segment in rest {
            let (kind, span) = match segment {
                Segment::Field(field) => {
                    let span = plain.span.to(field.span);
                    (ExprKind::Field(Box::new(plain), field), span)
                }
                // Expressions hold none; a reference with one is refused.
                Segment::Range(..) => continue,
                Segment::Index(index, span) => {
                    let span = plain.span.to(span);
                    (ExprKind::Index(Box::new(plain), Box::new(index)), span)
                }
            };
            plain = Expr { kind, span };
        }
        *expr = plain;
    }

    /// With what a `motion` or a `roll` makes of a name, where that is meant; of a vector equation a component may follow.
    fn made_behind(&self, text: String, mut rest: Vec<Segment>) -> (String, Vec<Segment>) {
        let Some(Segment::Field(field)) = rest.first() else {
            return (text, rest);
        };
        let made = format!("{text}.{}", field.text);
        let driven = field.text == "motion" && self.motions.contains_key(&text);
        if !driven && !self.derived.contains(&made) {
            return (text, rest);
        }
        rest.remove(0);
        (made, rest)
    }

    /// `sum(i in 1..n, m[i])`
    fn sum(&mut self, sum: &Sum, span: Span, here: &Location) -> Expr {
        let failed = Expr {
            kind: ExprKind::Error,
            span,
        };
        let name = &sum.variable.text;
        let entry = self.scopes[here.scope]
            .names
            .get(name)
            .map(|entry| entry.span);
        let counted = self.counter(name, here).is_some();
        if entry.is_some() || counted || PREDECLARED.contains(&name.as_str()) {
            let error = here.message(taken(name, sum.variable.span));
            self.report(match entry {
                Some(first) => error.label(first, "declared here"),
                None => error,
            });
            return failed;
        }
        let (first, last) = (self.count(&sum.from, here), self.count(&sum.to, here));
        let (Some(first), Some(last)) = (first, last) else {
            return failed;
        };
        if last.saturating_sub(first) >= TERMS {
            self.report_at(here, long_sum(sum.from.span.to(sum.to.span)));
            return failed;
        }
        let pieces = visit::count_expr(&sum.body);
        let mut terms = Vec::new();
        for value in first..=last {
            if let Err(told) = self.budget.pieces(pieces + 1, span) {
                self.diagnostics
                    .extend(told.map(|error| here.message(error)));
                return failed;
            }
            let inside = self.iteration(name, value, here);
            let mut term = sum.body.clone();
            visit::spans_of(&mut term, &mut |span| span.copy = inside.copy);
            self.rewrite_expr(&mut term, &inside);
            terms.push(paren(term));
        }
        match terms.len() {
            0 => Expr::whole_number(0, span),
            _ => paren(added(&mut terms.into_iter(), last - first + 1, span)),
        }
    }
}

/// So many terms added.
fn added(terms: &mut impl Iterator<Item = Expr>, count: i64, span: Span) -> Expr {
    let plus = |left: Expr, right: Expr| {
        let kind = ExprKind::Binary(BinaryOp::Add, Box::new(left), Box::new(right));
        Expr { kind, span }
    };
    if count as usize > CHAIN {
        let half = count / 2;
        let left = added(terms, half, span);
        return plus(left, paren(added(terms, count - half, span)));
    }
    let some = terms.take(count.max(0) as usize);
    some.reduce(plus)
        .unwrap_or_else(|| Expr::whole_number(0, span))
}

fn paren(expr: Expr) -> Expr {
    let span = expr.span;
    match expr.kind {
        ExprKind::Paren(_) | ExprKind::Name(_) | ExprKind::Number { .. } | ExprKind::Error => expr,
        _ => Expr {
            kind: ExprKind::Paren(Box::new(expr)),
            span,
        },
    }
}
