//! Values that seldom vanish, told by what they come to at places where a machine is as a rule. A plan that divides by them is quicker than one
//! that may not, and at a state at which one of them is small beside its natural size the other plan is followed.
//!
//! What is made of the state without a division has for its natural size the root of the mean square over angles drawn at random, each for itself: so a
//! coefficient that vanishes together with its terms is small, and an entry of a rotation is not for having many terms. What has been divided for, as pivots
//! have after the first elimination, is compared with its terms as they are: what is small beside these has lost digits.

use super::accuracy::{Place, hosts};
use crate::ir::interpret::{self, Host};
use crate::ir::{Binary, Graph, Op, Rational, Unary, Value};
use num_traits::ToPrimitive;
use std::cell::RefCell;
use std::collections::BTreeMap;

/// Of its natural size a value has at least this share as a rule, to be taken not to vanish.
const USUAL: f64 = 1.0 / 64.0;

/// The same of a coefficient as it is stated.
const STATED: f64 = 1.0 / 16.0;

/// At states at which it has no more than 1 in so many, the other plan is followed.
const LEAST: i64 = 256;

/// What a value comes to at one state.
#[derive(Clone, Copy)]
struct Known {
    own: f64,
    size: f64,
    /// Whether something was divided by for it.
    divided: bool,
}

/// Places where a machine is as a rule.
pub(crate) struct Ordinary {
    /// Around the one at which it is to begin with.
    pub around: Vec<Place>,
    /// That one, if the model says which it is.
    pub home: Option<Place>,
}

impl Ordinary {
    fn places(&self) -> impl Iterator<Item = &Place> {
        self.around.iter().chain(&self.home)
    }

    /// Whether something is so at all of the places but one of eight, and where the machine is to begin with.
    fn usually(&self, at: &[bool]) -> bool {
        let (around, home) = at.split_at(self.around.len());
        let count = around.iter().filter(|so| **so).count();
        !at.is_empty() && home.iter().all(|so| *so) && count >= around.len() - around.len() / 8
    }
}

/// What values of one graph, which may grow, come to at ordinary places.
pub(super) struct Usual<'r> {
    ordinary: &'r Ordinary,
    /// For each place what the first values come to.
    known: RefCell<Vec<Vec<Known>>>,
    /// What has been found of values by their indices.
    found: RefCell<Vec<Option<bool>>>,
}

impl<'r> Usual<'r> {
    /// At these places.
    pub fn new(ordinary: &'r Ordinary) -> Self {
        Self {
            ordinary,
            known: RefCell::new(vec![Vec::new(); ordinary.places().count()]),
            found: RefCell::default(),
        }
    }

    /// Whether a value is of its natural size as a rule, or not much smaller.
    pub fn holds(&self, graph: &Graph, value: Value) -> bool {
        let found = self.found.borrow().get(value.index()).copied().flatten();
        if let Some(found) = found {
            return found;
        }
        let at = self.each(graph, value, |of| {
            let share = if of.divided { USUAL } else { STATED };
            of.own.is_finite() && of.size > 0.0 && of.own.abs() >= share * of.size
        });
        let holds = self.ordinary.usually(&at);
        let mut found = self.found.borrow_mut();
        if found.len() <= value.index() {
            found.resize(graph.len(), None);
        }
        found[value.index()] = Some(holds);
        holds
    }

    /// Whether a value is positive as a rule.
    pub fn is_positive(&self, graph: &Graph, value: Value) -> bool {
        let at = self.each(graph, value, |of| of.own > 0.0);
        self.ordinary.usually(&at)
    }

    /// Of a value whether something is so at each place.
    fn each(&self, graph: &Graph, value: Value, is_so: impl Fn(&Known) -> bool) -> Vec<bool> {
        let mut known = self.known.borrow_mut();
        let hosts = hosts(graph, self.ordinary.places()).zip(known.iter_mut());
        let at = hosts.map(|(host, known)| {
            // Operands have smaller numbers than their users.
            let next = graph.values_from(known.len());
            for v in next.take_while(|v| *v <= value) {
                let next = Known::of(graph, v, known, &host);
                known.push(next);
            }
            is_so(&known[value.index()])
        });
        at.collect()
    }
}

impl Known {
    fn of(graph: &Graph, v: Value, known: &[Self], host: &impl Host) -> Self {
        let at = |v: &Value| known[v.index()];
        let own = number(graph, v, known, host);
        let op = graph.op(v);
        let divided =
            matches!(op, Op::Binary(Binary::Div, ..)) || op.operands().any(|v| at(&v).divided);
        let term = |v: &Value| {
            if at(v).divided && !is_sum(graph, *v) {
                at(v).own.abs()
            } else {
                at(v).size
            }
        };
        let size = match op {
            Op::Unary(Unary::Neg | Unary::Abs, a) => at(a).size,
            Op::Unary(Unary::Sin | Unary::Cos, _) => std::f64::consts::FRAC_1_SQRT_2,
            Op::Binary(Binary::Mul, a, b) => at(a).size * at(b).size,
            Op::Binary(Binary::Div, a, b) => at(a).size / at(b).own.abs(),
            Op::Binary(Binary::Add | Binary::Sub, a, b) => term(a).hypot(term(b)),
            _ => own.abs(),
        };
        Self { own, size, divided }
    }
}

fn number(graph: &Graph, v: Value, known: &[Known], host: &impl Host) -> f64 {
    let at = |v: &Value| known[v.index()].own;
    match graph.op(v) {
        Op::Constant(number) => number.to_f64().unwrap_or(f64::NAN),
        Op::Pi => std::f64::consts::PI,
        Op::Input(slot) => host.slot(*slot),
        Op::Unary(op, a) => interpret::unary(*op, at(a)),
        Op::Binary(op, a, b) => interpret::binary(*op, at(a), at(b)),
        Op::Select {
            test,
            left,
            right,
            then,
            other,
        } => at(if test.holds(&at(left), &at(right)) {
            then
        } else {
            other
        }),
        Op::Jet { call, part } => match graph.op(*call) {
            Op::Call { function, args } => {
                let args: Vec<f64> = args.iter().map(at).collect();
                host.call(*function, &args).part(*part)
            }
            _ => f64::NAN,
        },
        Op::Call { .. } | Op::Routine { .. } | Op::Element { .. } => f64::NAN,
    }
}

/// Whether a value is a sum, or the opposite of one.
fn is_sum(graph: &Graph, v: Value) -> bool {
    match graph.op(v) {
        Op::Binary(Binary::Add | Binary::Sub, ..) => true,
        Op::Unary(Unary::Neg, a) => is_sum(graph, *a),
        _ => false,
    }
}

/// Squares of natural sizes as values, each worked out once.
struct Squares {
    /// Of each value of the graph, as it was, whether something was divided by for it.
    divided: Vec<bool>,
    known: BTreeMap<Value, Value>,
}

impl Squares {
    fn new(graph: &Graph) -> Self {
        let mut divided: Vec<bool> = Vec::with_capacity(graph.len());
        for v in graph.values() {
            let op = graph.op(v);
            let own = matches!(op, Op::Binary(Binary::Div, ..));
            divided.push(own || op.operands().any(|v| divided[v.index()]));
        }
        Self {
            divided,
            known: BTreeMap::new(),
        }
    }

    /// The square of a value's natural size.
    fn of(&mut self, graph: &mut Graph, v: Value) -> Value {
        if let Some(known) = self.known.get(&v) {
            return *known;
        }
        let size = match *graph.op(v) {
            Op::Unary(Unary::Neg | Unary::Abs, a) => self.of(graph, a),
            Op::Unary(Unary::Sin | Unary::Cos, _) => {
                graph.rational(&Rational::new(1.into(), 2.into()))
            }
            Op::Binary(Binary::Mul, a, b) => {
                let [a, b] = [a, b].map(|v| self.of(graph, v));
                graph.mul(a, b)
            }
            Op::Binary(Binary::Div, a, b) => {
                let a = self.of(graph, a);
                let b = graph.mul(b, b);
                graph.div(a, b)
            }
            Op::Binary(Binary::Add | Binary::Sub, a, b) => {
                let [a, b] = [a, b].map(|v| {
                    if self.divided[v.index()] && !is_sum(graph, v) {
                        graph.mul(v, v)
                    } else {
                        self.of(graph, v)
                    }
                });
                graph.add(a, b)
            }
            _ => graph.mul(v, v),
        };
        self.known.insert(v, size);
        size
    }
}

/// What is positive where none of the values is small beside its natural size.
pub(crate) fn margin(graph: &mut Graph, values: &[Value]) -> Option<Value> {
    let mut squares = Squares::new(graph);
    let mut least: Option<Value> = None;
    for &value in values {
        let size = squares.of(graph, value);
        let share = graph.rational(&Rational::new(1.into(), (LEAST * LEAST).into()));
        let [own, small] = [graph.mul(value, value), graph.mul(share, size)];
        let own = graph.sub(own, small);
        least = Some(match least {
            Some(known) => graph.binary(Binary::Min, known, own),
            None => own,
        });
    }
    least
}

/// `|value| - size/256`
pub(crate) fn above(graph: &mut Graph, value: Value, size: Value) -> Value {
    let share = graph.rational(&Rational::new(1.into(), LEAST.into()));
    let own = graph.unary(Unary::Abs, value);
    let least = graph.mul(share, size);
    graph.sub(own, least)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ir::{Function, Slot, interpret::Evaluator, interpret::Jet};
    use crate::plan::group;

    /// The same number for every input.
    struct Same(f64);

    impl Host for Same {
        fn slot(&self, _: Slot) -> f64 {
            self.0
        }

        fn call(&self, _: u32, _: &[f64]) -> Jet {
            Jet::default()
        }
    }

    fn at(graph: &Graph, value: Value, input: f64) -> f64 {
        let function = Function {
            outputs: vec![value],
            ..Function::default()
        };
        Evaluator::on(graph, &function).run(&Same(input)).unwrap()[0]
    }

    #[test]
    fn the_margin_is_that_of_the_least() {
        let mut g = Graph::new();
        let q = g.input(Slot {
            group: group::STATE,
            index: 0,
        });
        let (s, c) = (g.unary(Unary::Sin, q), g.unary(Unary::Cos, q));
        let three = g.integer(3);
        // 3 sin q is small beside 3/sqrt 2, and 1/q - cos q beside its terms where they are equal.
        let coefficient = g.mul(three, s);
        let one = g.one();
        let inverse = g.div(one, q);
        let pivot = g.sub(inverse, c);
        let both = margin(&mut g, &[coefficient, pivot]).unwrap();
        let expected = |q: f64| {
            let own = (3.0 * q.sin()).powi(2) - 4.5 / 65536.0;
            let of_pivot = (1.0 / q - q.cos()).powi(2) - (1.0 / (q * q) + 0.5) / 65536.0;
            own.min(of_pivot)
        };
        for q in [1.0, 0.5, 1e-3, 3.13, 4.9171] {
            let found = at(&g, both, q);
            assert!(
                (found - expected(q)).abs() < 1e-12,
                "{q}: {found} for {}",
                expected(q)
            );
        }
        // cos 4.9171.. is its reciprocal.
        assert!(at(&g, both, 1.0) > 0.0 && at(&g, both, 1e-3) < 0.0 && at(&g, both, 4.9171) < 0.0);
    }

    #[test]
    fn what_is_small_where_the_machine_begins_or_elsewhere_is_not_presumed() {
        let mut g = Graph::new();
        let q = g.input(Slot {
            group: group::STATE,
            index: 0,
        });
        let (s, c) = (g.unary(Unary::Sin, q), g.unary(Unary::Cos, q));
        let two = g.integer(2);
        let large = g.add(two, c);
        let slot = Slot {
            group: group::STATE,
            index: 0,
        };
        let at = |home: f64, around: [f64; 8]| Ordinary {
            around: around.map(|q| vec![(slot, q)]).to_vec(),
            home: Some(vec![(slot, home)]),
        };
        let all = at(0.0, [1.0; 8]);
        let usual = Usual::new(&all);
        assert!(usual.holds(&g, large));
        assert!(!usual.holds(&g, s), "it is 0 where the machine begins");
        for (around, holds) in [([0.0, 1.0], true), ([0.0, 0.0], false)] {
            let mut all = [1.0; 8];
            all[..2].copy_from_slice(&around);
            let all = at(1.0, all);
            assert_eq!(Usual::new(&all).holds(&g, s), holds, "{around:?}");
        }
        let nowhere = Ordinary {
            around: Vec::new(),
            home: None,
        };
        assert!(!Usual::new(&nowhere).holds(&g, large), "nothing is known");
    }
}
