//! Expressions as mathematics, terms and factors in the model's order, and as text in the model's notation.

use super::expr::Expr;
use super::node::Node;
use super::{Algebra, Var};
use crate::notation::{Math, Symbol, text};
use num_rational::BigRational;
use num_traits::{One, Signed};

impl Algebra {
    /// The expression in model notation.
    pub fn text(&self, e: &Expr) -> String {
        text(&self.verbatim(e))
    }

    /// The expression with its symbols, functions too, by their names in listings.
    pub fn verbatim(&self, e: &Expr) -> Math {
        let named = &mut |v| Math::Symbol(Symbol::verbatim(&self.info(v).name));
        self.math(&self.node(e), named)
    }

    /// A tree as mathematics, its symbols as they are given.
    pub fn math(&self, n: &Node, symbol: &mut dyn FnMut(Var) -> Math) -> Math {
        match n {
            Node::Number(r) => number(r),
            Node::Var(v) => symbol(*v),
            Node::Sum(terms) => {
                let term = |t: &Node| {
                    if t.is_negative() {
                        self.math(&t.negated(), symbol).negated()
                    } else {
                        self.math(t, symbol)
                    }
                };
                Math::Sum(terms.iter().map(term).collect())
            }
            Node::Product(c, factors) => {
                let (mut above, mut below) = (Vec::new(), Vec::new());
                let size = number(&c.abs());
                match size {
                    Math::Quotient(numerator, denominator) => {
                        above.extend(Some(*numerator).filter(|n| !n.is_one()));
                        below.push(*denominator);
                    }
                    size => above.extend(Some(size).filter(|n| !n.is_one())),
                }
                // What is 1 at every state is not shown; it is there for derivatives.
                for (base, exponent) in factors.iter().filter(|f| !self.is_unit_node(&f.0)) {
                    let base = self.math(base, symbol);
                    let list = if *exponent > 0 {
                        &mut above
                    } else {
                        &mut below
                    };
                    list.push(match exponent.unsigned_abs() {
                        1 => base,
                        n => Math::Power(Box::new(base), Box::new(Math::integer(n.into()))),
                    });
                }
                let above = Math::product(above);
                let all = if below.is_empty() {
                    above
                } else {
                    Math::Quotient(Box::new(above), Box::new(Math::product(below)))
                };
                if c.is_negative() { all.negated() } else { all }
            }
        }
    }
}

fn number(r: &BigRational) -> Math {
    let digits = |n: &num_bigint::BigInt| Math::Number(n.abs().to_string());
    let above = digits(r.numer());
    let all = if r.denom().is_one() {
        above
    } else {
        Math::Quotient(Box::new(above), Box::new(digits(r.denom())))
    };
    if r.is_negative() { all.negated() } else { all }
}
