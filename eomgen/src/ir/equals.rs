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

/// What is known of a value whatever table asks.
#[derive(Clone, Copy)]
enum Print {
    /// It is this number.
    Number(Value),
    /// It is one of a class of values that are equal up to sign.
    Like(Class),
    /// It cannot be evaluated.
    Nothing,
}

/// A class of values that are equal up to sign, and whether this is one of its negative ones.
#[derive(Clone, Copy)]
struct Class {
    number: u32,
    negative: bool,
}

/// Values of one graph at the points, and what follows from them.
struct Known {
    points: [Point; 2],
    /// By the value's index; `None` until asked for.
    prints: Vec<Option<Print>>,
    /// The class of residues. Looked up only, never iterated.
    classes: FxHashMap<[u64; 2], u32>,
}

impl Known {
    /// What is known of a value, found once however many tables ask.
    fn print(&mut self, graph: &mut Graph, value: Value) -> Print {
        if let Some(Some(known)) = self.prints.get(value.index()) {
            return *known;
        }
        let found = self.find(graph, value);
        if self.prints.len() <= value.index() {
            self.prints.resize(graph.len(), None);
        }
        self.prints[value.index()] = Some(found);
        found
    }

    fn find(&mut self, graph: &mut Graph, value: Value) -> Print {
        let [a, b] = &mut self.points;
        let Some((a, b)) = a.value(graph, value).zip(b.value(graph, value)) else {
            return Print::Nothing;
        };
        if a == b
            && let Some((numerator, denominator)) = a.fraction()
            // Every residue is that of some fraction of middling size.
            && numerator.unsigned_abs() <= SMALL
            && denominator.unsigned_abs() <= SMALL
        {
            let number = Rational::new(numerator.into(), denominator.into());
            return Print::Number(graph.rational(&number));
        }
        let (negative, least) = a.mirror();
        let other = if negative { -b } else { b };
        let next = self.classes.len() as u32;
        let number = *(self.classes)
            .entry([least.get(), other.get()])
            .or_insert(next);
        Print::Like(Class { number, negative })
    }
}

/// The points, shared by all tables over one graph.
#[derive(Clone)]
pub struct Prints(Rc<RefCell<Known>>);

impl Prints {
    /// Points that `seed` stands for. The same instance must be asked about one graph only, which may grow between the questions.
    pub fn new(seed: u64) -> Self {
        let point = |k| Point::new(seed.wrapping_add(0x7715).wrapping_add(k));
        Self(Rc::new(RefCell::new(Known {
            points: [0, 1].map(point),
            prints: Vec::new(),
            classes: FxHashMap::default(),
        })))
    }
}

/// The values met so far, by their residues.
#[derive(Clone)]
pub struct Equals {
    prints: Prints,
    /// Of each class the first value met, and whether it is one of the negative ones.
    known: Vec<Option<(Value, bool)>>,
}

impl Equals {
    /// A table without values.
    pub fn new(prints: &Prints) -> Self {
        Self {
            prints: prints.clone(),
            known: Vec::new(),
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
        let Class { number, negative } = match self.prints.0.borrow_mut().print(graph, value) {
            Print::Number(number) => return number,
            Print::Nothing => return value,
            Print::Like(class) => class,
        };
        let at = number as usize;
        if self.known.len() <= at {
            self.known.resize(at + 1, None);
        }
        match self.known[at] {
            None => {
                self.known[at] = Some((value, negative));
                value
            }
            Some((known, sign)) if sign == negative => known,
            Some((known, _)) if known != value => graph.neg(known),
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
