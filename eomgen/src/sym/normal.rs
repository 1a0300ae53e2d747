//! Equality by normal form: one quotient of polynomials, with squares of sines written by cosines and squares of roots by
//! their arguments.

use super::poly::reduce_circle;
use super::size::terms_when_expanded;
use super::{Algebra, Expr};
use symbolica::atom::AtomCore;

/// Terms up to which an expression is multiplied out to see its normal form.
const LARGEST: usize = 60_000;

/// What is found out about an expression that may be zero.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Vanishing {
    /// Zero: its normal form is the number 0.
    ByForm,
    /// Zero at random points of the prime field, its normal form being too long or not 0: roots of products are
    /// symbols of their own there.
    AtPoints,
    /// Not zero.
    Not,
}

impl Algebra {
    /// Whether the expression is zero, definitions written out.
    pub fn vanishes(&mut self, e: &Expr) -> Vanishing {
        if !self.is_zero(e) {
            return Vanishing::Not;
        }
        let flat = self.inline(e);
        if terms_when_expanded(flat.0.as_atom_view(), &self.units) > LARGEST {
            return Vanishing::AtPoints;
        }
        let q = self.quotient(&flat);
        let num = self.reduce_roots(&q.num);
        let circles = self.circle_positions(&num);
        let num = circles.iter().fold(num, |p, c| reduce_circle(&p, *c, true));
        if num.is_zero() {
            Vanishing::ByForm
        } else {
            Vanishing::AtPoints
        }
    }

    /// The expression with definitions written out, simplified: the form in which results are shown.
    pub fn normal(&mut self, e: &Expr) -> Expr {
        let flat = self.inline(e);
        self.simplify(&flat)
    }
}
