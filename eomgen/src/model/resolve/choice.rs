//! `if CONDITION then a else b`: the condition, and two values of one sort and unit.

use super::{Resolver, Typed, Value};
use crate::diag::Diagnostic;
use crate::model::codes;
use crate::model::content::Content;
use crate::model::system::{Comparison, Condition, Rational, Scalar, Vector};
use crate::span::Span;
use crate::syntax::ast::{Expr, ExprKind, Logic, Relation};
use num_traits::{One, Zero};

impl Resolver {
    /// `if c then a else b`
    pub(super) fn choice(
        &mut self,
        condition: &Expr,
        then: &Expr,
        other: &Expr,
        span: Span,
    ) -> Option<Typed> {
        let condition = self.condition(condition);
        let (then, other) = (self.expr(then), self.expr(other));
        let (condition, then, other) = (condition?, then?, other?);
        let value = self.chosen(condition.value, &then, &other)?;
        let title = "the values of an `if` have different units";
        let dim = if self.same_unit(&then, &other, span, title) {
            then.dim
        } else {
            self.unknown_dim()
        };
        let both = then.content.plus(other.content);
        let asked = condition.content.order.is_some_and(|o| o > 0);
        // A test on rates makes no polynomial in them, nor one on reactions.
        let content = Content {
            degree: both.degree.filter(|_| !asked),
            reactions: both.reactions.filter(|_| !condition.content.has_reaction()),
            ..both.plus(condition.content)
        };
        Some(Typed::new(value, dim, content, span))
    }

    /// The one value or the other, of one sort.
    fn chosen(&mut self, condition: Condition, then: &Typed, other: &Typed) -> Option<Value> {
        let vector = |a, b| Some(Value::Vector(vector_choice(condition.clone(), a, b)));
        match (&then.value, &other.value) {
            (Value::Scalar(a), Value::Scalar(b)) => Some(Value::Scalar(Scalar::If {
                condition: Box::new(condition),
                then: Box::new(a.clone()),
                other: Box::new(b.clone()),
            })),
            (Value::Vector(a), Value::Vector(b)) => vector(a, b),
            (Value::Vector(a), zero) if zero.is_zero() => vector(a, &Vector::Zero),
            (zero, Value::Vector(b)) if zero.is_zero() => vector(&Vector::Zero, b),
            (a, b) => {
                let (a, b) = (a.text(), b.text());
                let title = format!("one value of this `if` is {a}, the other {b}");
                let wrong =
                    Diagnostic::error(codes::MIXED, title, other.span, format!("this is {b}"))
                        .label(then.span, format!("this is {a}"));
                self.refuse(wrong.help("both values have to be scalars, or both vectors"))
            }
        }
    }

    fn condition(&mut self, expr: &Expr) -> Option<Typed<Condition>> {
        let span = expr.span;
        match &expr.kind {
            ExprKind::Paren(inner) => self.condition(inner),
            ExprKind::Not(inner) => {
                let inner = self.condition(inner)?;
                Some(inner.with(Condition::Not(Box::new(inner.value.clone()))))
            }
            ExprKind::Logic(logic, left, right) => {
                let (left, right) = (self.condition(left), self.condition(right));
                let (left, right) = (left?, right?);
                let content = left.content.plus(right.content);
                let (dim, a, b) = (left.dim, Box::new(left.value), Box::new(right.value));
                let value = match logic {
                    Logic::And => Condition::And(a, b),
                    Logic::Or => Condition::Or(a, b),
                };
                Some(Typed::new(value, dim, content, span))
            }
            ExprKind::Compare(relation, left, right) => {
                let left = self.scalar(left, "a side of a comparison");
                let right = self.scalar(right, "a side of a comparison");
                self.comparison(*relation, left?, right?, span)
            }
            _ => {
                // Whatever is wrong inside is told as well.
                let found = self.expr(expr)?;
                self.refuse(Diagnostic::error_with_help(
                    codes::CONDITION,
                    "this is not a condition",
                    span,
                    format!("this is {}", found.value.text()),
                    "compare two quantities, as in `if x > 0 then ... else ...`",
                ))
            }
        }
    }

    fn comparison(
        &mut self,
        relation: Relation,
        left: Typed<Scalar>,
        right: Typed<Scalar>,
        span: Span,
    ) -> Option<Typed<Condition>> {
        let comparison = match relation {
            Relation::Less => Comparison::Less,
            Relation::LessEqual => Comparison::LessEqual,
            Relation::Greater => Comparison::Greater,
            Relation::GreaterEqual => Comparison::GreaterEqual,
            Relation::Equal | Relation::NotEqual => {
                self.no_condition_here(span);
                return None;
            }
        };
        let title = "comparing quantities with different units";
        self.same_unit(&left, &right, right.span, title);
        Some(Typed {
            content: left.content.plus(right.content),
            dim: left.dim,
            value: Condition::Compare(comparison, left.value, right.value),
            span,
        })
    }

    /// A comparison that stands where a value is wanted.
    pub(super) fn no_condition_here(&mut self, span: Span) {
        self.report(Diagnostic::error_with_help(
            codes::CONDITION,
            "a comparison has no value",
            span,
            "this must be a quantity",
            "comparisons belong in an `if`: `if x > 0 then a else b`",
        ));
    }
}

/// Of vectors the one or the other counts: `[c]*a + [not c]*b`.
fn vector_choice(condition: Condition, a: &Vector, b: &Vector) -> Vector {
    let pick = |then: Rational, other: Rational, v: &Vector| {
        let factor = Scalar::If {
            condition: Box::new(condition.clone()),
            then: Box::new(Scalar::Number(then)),
            other: Box::new(Scalar::Number(other)),
        };
        factor * v.clone()
    };
    let (one, zero) = (Rational::one(), Rational::zero());
    match (a, b) {
        (Vector::Zero, Vector::Zero) => Vector::Zero,
        (a, Vector::Zero) => pick(one, zero, a),
        (Vector::Zero, b) => pick(zero, one, b),
        (a, b) => pick(one.clone(), zero.clone(), a) + pick(zero, one, b),
    }
}
