//! Values that are equal as functions although their instructions differ.
//!
//! Sharing by shape misses `c*c/m + s*s/m` beside `1/m`. [`Equals`] knows each value by its residues at two random points of the prime field, on
//! which sines and cosines are points of the circle, and gives the first of equals, or its negative, in place of the later one. Like a
//! certified zero, an equality found so is wrong once in 2^120.
//!
//! The first of equals must be something that may be computed wherever the later one may: whoever keeps such a table records every value by
//! which the values in it are divided.

use std::cell::RefCell;
use std::rc::Rc;

use rustc_hash::FxHashMap;

use super::field::Point;
use super::{Graph, Op, Rational, Value};

/// Numerators and denominators up to this are told from chance.
const SMALL: u64 = 1 << 10;

/// The points, shared by all tables over one graph.
#[derive(Clone)]
pub struct Prints(Rc<RefCell<[Point; 2]>>);

impl Prints {
    /// Points that `seed` stands for. The same instance must be asked about one graph only, which may grow between the questions.
    pub fn new(seed: u64) -> Self {
        Self(Rc::new(RefCell::new([0, 1].map(|k| {
            Point::new(seed.wrapping_add(0x7715).wrapping_add(k))
        }))))
    }

    /// The small fraction that a value is at both points.
    fn number(&self, graph: &Graph, value: Value) -> Option<Rational> {
        let mut points = self.0.borrow_mut();
        let [a, b] = &mut *points;
        let (a, b) = (a.value(graph, value)?, b.value(graph, value)?);
        if a != b {
            return None;
        }
        let (numerator, denominator) = a.fraction()?;
        // Every residue is that of some fraction of middling size.
        let small = numerator.unsigned_abs() <= SMALL && denominator.unsigned_abs() <= SMALL;
        small.then(|| Rational::new(numerator.into(), denominator.into()))
    }

    /// The residues of a value up to sign, and whether they are those of its negative; `None` where it cannot be evaluated.
    fn of(&self, graph: &Graph, value: Value) -> Option<([u64; 2], bool)> {
        let mut points = self.0.borrow_mut();
        let [a, b] = &mut *points;
        let (a, b) = (a.value(graph, value)?, b.value(graph, value)?);
        let (mirrored, least) = a.mirror();
        let other = if mirrored { -b } else { b };
        Some(([least.get(), other.get()], mirrored))
    }
}

/// The values met so far, by their residues. Looked up only, never iterated.
#[derive(Clone)]
pub struct Equals {
    prints: Prints,
    known: FxHashMap<[u64; 2], (Value, bool)>,
}

impl Equals {
    /// A table without values.
    pub fn new(prints: &Prints) -> Self {
        Self {
            prints: prints.clone(),
            known: FxHashMap::default(),
        }
    }

    /// A table without values, over the same points.
    pub fn renewed(&self) -> Self {
        Self::new(&self.prints)
    }

    /// Enters all that `roots` are made of, operands first.
    pub fn learn(&mut self, graph: &mut Graph, roots: &[Value]) {
        for value in graph.live(roots) {
            self.first(graph, value);
        }
    }

    /// The first value met that equals this one, or its negative; this one where there is none.
    pub fn first(&mut self, graph: &mut Graph, value: Value) -> Value {
        if matches!(graph.op(value), Op::Constant(_)) {
            return value;
        }
        if let Some(number) = self.prints.number(graph, value) {
            return graph.rational(&number);
        }
        let Some((key, negative)) = self.prints.of(graph, value) else {
            return value;
        };
        match self.known.get(&key) {
            None => {
                self.known.insert(key, (value, negative));
                value
            }
            Some(&(known, sign)) if sign == negative => known,
            Some(&(known, _)) if known != value => graph.neg(known),
            Some(_) => value,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ir::{Slot, Unary};

    #[test]
    fn the_circle_is_seen() {
        let mut g = Graph::new();
        let [q, m] = [0, 1].map(|index| g.input(Slot { group: 0, index }));
        let one = g.one();
        let reciprocal = g.div(one, m);
        let mut equals = Equals::new(&Prints::new(0));
        equals.learn(&mut g, &[reciprocal]);
        let (s, c) = (g.unary(Unary::Sin, q), g.unary(Unary::Cos, q));
        let (sm, cm) = (g.mul(s, reciprocal), g.mul(c, reciprocal));
        let (ss, cc) = (g.mul(s, sm), g.mul(c, cm));
        let sum = g.add(ss, cc);
        assert_ne!(sum, reciprocal);
        assert_eq!(equals.first(&mut g, sum), reciprocal);
        let negative = g.neg(sum);
        let wanted = g.neg(reciprocal);
        assert_eq!(equals.first(&mut g, negative), wanted);
        let other = g.sub(cc, ss);
        assert_eq!(equals.first(&mut g, other), other);
        let (sc, cs) = (g.mul(s, cm), g.mul(c, sm));
        let nothing = g.sub(sc, cs);
        assert_ne!(nothing, g.zero());
        assert_eq!(equals.first(&mut g, nothing), g.zero());
    }
}
