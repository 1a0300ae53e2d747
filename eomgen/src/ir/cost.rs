//! Operation counts.

use std::{fmt, ops};

use super::{Binary, Graph, Op, Unary, Value};

/// Operations of one evaluation, each distinct node once; constants and inputs are free.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Cost {
    /// Additions.
    pub add: usize,
    /// Subtractions.
    pub sub: usize,
    /// Multiplications.
    pub mul: usize,
    /// Divisions.
    pub div: usize,
    /// Negations.
    pub neg: usize,
    /// Sines, cosines and tangents.
    pub trig: usize,
    /// Other functions, minima, maxima and selections.
    pub other: usize,
    /// Calls of user functions; not in [`total`](Self::total).
    pub calls: usize,
    /// Numerical routines; not in [`total`](Self::total), since what they cost depends on the numbers.
    pub routines: usize,
}

impl Cost {
    /// All operations except calls and routines.
    pub fn total(&self) -> usize {
        self.add + self.sub + self.mul + self.div + self.neg + self.trig + self.other
    }

    /// The cost of one instruction by itself.
    pub fn of(op: &Op) -> Self {
        let mut cost = Self::default();
        let field = match op {
            Op::Constant(_) | Op::Pi | Op::Input(_) | Op::Jet { .. } | Op::Element { .. } => {
                return cost;
            }
            Op::Unary(Unary::Neg, _) => &mut cost.neg,
            Op::Unary(Unary::Sin | Unary::Cos | Unary::Tan, _) => &mut cost.trig,
            Op::Binary(Binary::Add, ..) => &mut cost.add,
            Op::Binary(Binary::Sub, ..) => &mut cost.sub,
            Op::Binary(Binary::Mul, ..) => &mut cost.mul,
            Op::Binary(Binary::Div, ..) => &mut cost.div,
            Op::Unary(..) | Op::Binary(..) | Op::Select { .. } => &mut cost.other,
            Op::Call { .. } => &mut cost.calls,
            Op::Routine { .. } => &mut cost.routines,
        };
        *field = 1;
        cost
    }
}

impl ops::AddAssign for Cost {
    fn add_assign(&mut self, more: Self) {
        self.add += more.add;
        self.sub += more.sub;
        self.mul += more.mul;
        self.div += more.div;
        self.neg += more.neg;
        self.trig += more.trig;
        self.other += more.other;
        self.calls += more.calls;
        self.routines += more.routines;
    }
}

impl fmt::Display for Cost {
    /// `12 operations: 3 add, 9 mul`, leaving out what is zero.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} operations", self.total())?;
        let parts = [
            (self.add, "add"),
            (self.sub, "sub"),
            (self.mul, "mul"),
            (self.div, "div"),
            (self.neg, "neg"),
            (self.trig, "trig"),
            (self.other, "other"),
            (self.calls, "calls"),
            (self.routines, "routines"),
        ];
        let mut separator = ": ";
        for (count, name) in parts.into_iter().filter(|part| part.0 > 0) {
            write!(f, "{separator}{count} {name}")?;
            separator = ", ";
        }
        Ok(())
    }
}

impl Graph {
    /// What computing `roots` together costs.
    pub fn count(&self, roots: &[Value]) -> Cost {
        let mut cost = Cost::default();
        self.each_live(roots, |value| cost += Cost::of(self.op(value)));
        cost
    }
}
