//! What the caller knows of the values on the graph, and arithmetic that uses it.

use std::cell::RefCell;
use std::collections::BTreeSet;

use crate::ir::{Equals, Estimate, Graph, Prepared, Prints, Value};

/// What is known of values beyond their shape.
#[derive(Clone, Copy)]
pub struct EliminationContext<'a> {
    /// Whether a value is **not** identically zero. It must be right both ways: what it calls zero is dropped.
    pub nonzero: &'a dyn Fn(&Graph, Value) -> bool,
    /// Points at which equal values are recognised; without them only equal shapes are shared.
    pub prints: Option<&'a Prints>,
    /// What is worked out beforehand costs nothing; without it only numbers do.
    pub prepared: Option<&'a Prepared>,
    /// Whether a value cannot vanish under the model's assumptions, as its form shows.
    pub never_zero: &'a dyn Fn(&Graph, Value) -> bool,
    /// Whether an order is given up where no pivot is left that certainly never vanishes.
    pub certain_only: bool,
    /// Whether plans are compared by the time that they are estimated to take, and not by their operations.
    pub by_time: bool,
    /// What may be taken not to vanish although it can; without it nothing is.
    pub presumed: Option<Presumed<'a>>,
    /// How the growth of the rounding error is measured, if it is.
    pub growth: Option<Growth<'a>>,
}

/// Values that seldom vanish. A plan that relies on some of them [says so](super::Plan::presumed), and whoever uses it has another one for the
/// states at which they do.
#[derive(Clone, Copy)]
pub struct Presumed<'a> {
    /// Whether a value seldom vanishes.
    pub holds: &'a dyn Fn(&Graph, Value) -> bool,
    /// What the plan that is being made relies on.
    pub relied: &'a RefCell<BTreeSet<Value>>,
}

/// How a plan's rounding error is measured against the error of one that is trusted.
#[derive(Clone, Copy)]
pub struct Growth<'a> {
    /// The decimal digits that the values of a plan lose against it; infinite where they are not those of the other.
    pub digits: &'a dyn Fn(&Graph, &[Value]) -> f64,
    /// Plans that lose more are not chosen.
    pub most: f64,
    /// Plans of more operations than this are measured only if they are the cheapest so far.
    pub small: usize,
}

impl<'a> EliminationContext<'a> {
    /// A test for zero and nothing else.
    pub fn exact(nonzero: &'a dyn Fn(&Graph, Value) -> bool) -> Self {
        Self {
            nonzero,
            prints: None,
            prepared: None,
            never_zero: &|_, _| false,
            certain_only: false,
            by_time: false,
            presumed: None,
            growth: None,
        }
    }

    /// What an evaluation of values costs; without what is known beforehand by its operations alone.
    pub(super) fn estimate(&self, graph: &Graph, roots: &[Value]) -> Estimate {
        match self.prepared {
            Some(known) => Estimate::of(graph, roots, known),
            None => Estimate {
                cost: graph.count(roots),
                ..Estimate::default()
            },
        }
    }

    /// Whether a value is a number or is worked out beforehand.
    pub(super) fn is_given(&self, graph: &Graph, value: Value) -> bool {
        graph.as_rational(value).is_some()
            || self.prepared.is_some_and(|known| known.is(graph, value))
    }

    /// Whether a value may be the coefficient of a 2x2 pivot: it is given, and never vanishes; or it seldom does.
    pub(super) fn pairs(&self, graph: &Graph, value: Value) -> bool {
        graph.as_rational(value).is_some()
            || self.is_given(graph, value) && (self.never_zero)(graph, value)
            || self.presumed.is_some_and(|p| (p.holds)(graph, value))
    }

    /// Whether a value certainly never vanishes.
    pub(super) fn is_certain(&self, graph: &Graph, value: Value) -> bool {
        graph.as_rational(value).is_some() || (self.never_zero)(graph, value)
    }

    /// Whether a value never vanishes, or is taken not to: then it is recorded.
    pub(super) fn is_never_zero(&self, graph: &Graph, value: Value) -> bool {
        if self.is_certain(graph, value) {
            return true;
        }
        let Some(presumed) = self.presumed.filter(|p| (p.holds)(graph, value)) else {
            return false;
        };
        presumed.relied.borrow_mut().insert(value);
        true
    }

    /// The first of values that never vanishes, or else the first that is taken not to.
    pub(super) fn first_never_zero(&self, graph: &Graph, values: &[Value]) -> Option<usize> {
        let certain = values.iter().position(|v| self.is_certain(graph, *v));
        certain.or_else(|| values.iter().position(|v| self.is_never_zero(graph, *v)))
    }

    /// Whether not all of the values can vanish at once: one never does, or the sum of their squares never does.
    pub(super) fn not_all_zero(
        &self,
        calc: &mut Calc<'_>,
        values: impl IntoIterator<Item = Value>,
    ) -> bool {
        let values: Vec<Value> = values.into_iter().collect();
        if values.iter().any(|v| self.is_certain(calc.graph, *v)) {
            return true;
        }
        if values.len() > 1 {
            let mut sum = calc.graph.zero();
            for &v in &values {
                let square = calc.mul(v, v);
                sum = calc.add(sum, square);
            }
            if self.is_certain(calc.graph, sum) {
                return true;
            }
        }
        values.iter().any(|v| self.is_never_zero(calc.graph, *v))
    }
}

/// Arithmetic on a graph that gives the first of equal values in place of later ones.
pub struct Calc<'a> {
    /// The graph.
    pub graph: &'a mut Graph,
    /// The values met so far, if equal ones are to be recognised.
    pub equals: Option<Equals>,
}

impl Calc<'_> {
    /// The first value met that equals this one.
    pub fn first(&mut self, value: Value) -> Value {
        match &mut self.equals {
            Some(equals) => equals.first(self.graph, value),
            None => value,
        }
    }

    /// `a + b`
    pub fn add(&mut self, a: Value, b: Value) -> Value {
        let value = self.graph.add(a, b);
        self.first(value)
    }

    /// `a - b`
    pub fn sub(&mut self, a: Value, b: Value) -> Value {
        let value = self.graph.sub(a, b);
        self.first(value)
    }

    /// `a * b`
    pub fn mul(&mut self, a: Value, b: Value) -> Value {
        let value = self.graph.mul(a, b);
        self.first(value)
    }

    /// `a / b`; the condition is the caller's to record.
    pub fn div(&mut self, a: Value, b: Value) -> Value {
        let value = self.graph.div(a, b);
        self.first(value)
    }

    /// `-a`
    pub fn neg(&mut self, a: Value) -> Value {
        let value = self.graph.neg(a);
        self.first(value)
    }
}
