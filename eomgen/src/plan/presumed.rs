//! Values that seldom vanish, told by what they come to at the states at which plans are compared. A plan that divides by them is quicker than one
//! that may not, and at a state at which one of them is small beside its natural size the other plan is followed.
//!
//! What is made of the state without a division has its natural size with sines and cosines as 1: a coefficient that vanishes together with its terms is small. What has
//! been divided for, as pivots have after the first elimination, is compared with its terms as they are: what is small beside these has lost digits.

use super::accuracy::{Place, Reference};
use crate::ir::interpret::{self, Host};
use crate::ir::{Binary, Graph, Op, Rational, Unary, Value};
use num_traits::ToPrimitive;
use std::cell::RefCell;
use std::collections::BTreeMap;

/// Of its natural size a value has at least this share at all states, to be taken not to vanish.
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

/// What values of one graph, which may grow, come to at a few states.
pub(super) struct Usual<'r> {
    reference: &'r Reference,
    /// The state at which the machine is to begin with.
    home: &'r Place,
    /// For each state what the first values come to.
    known: RefCell<Vec<Vec<Known>>>,
    /// What has been found of values by their indices.
    found: RefCell<Vec<Option<bool>>>,
}

impl<'r> Usual<'r> {
    /// At the states of a reference, and at the one at which the machine is to begin with.
    pub fn new(reference: &'r Reference, home: &'r Place) -> Self {
        let known = vec![Vec::new(); reference.hosts(&Graph::new(), home).count()];
        Self {
            reference,
            home,
            known: RefCell::new(known),
            found: RefCell::default(),
        }
    }

    /// Whether a value is of its natural size, or not much smaller, at every state.
    pub fn holds(&self, graph: &Graph, value: Value) -> bool {
        let found = self.found.borrow().get(value.index()).copied().flatten();
        if let Some(found) = found {
            return found;
        }
        let holds = self.everywhere(graph, value, |of| {
            let share = if of.divided { USUAL } else { STATED };
            of.own.is_finite() && of.size > 0.0 && of.own.abs() >= share * of.size
        });
        let mut found = self.found.borrow_mut();
        if found.len() <= value.index() {
            found.resize(graph.len(), None);
        }
        found[value.index()] = Some(holds);
        holds
    }

    /// Whether a value is positive at every state.
    pub fn is_positive(&self, graph: &Graph, value: Value) -> bool {
        self.everywhere(graph, value, |of| of.own > 0.0)
    }

    fn everywhere(&self, graph: &Graph, value: Value, is_so: impl Fn(&Known) -> bool) -> bool {
        let mut known = self.known.borrow_mut();
        let mut always = !known.is_empty();
        for (host, known) in self.reference.hosts(graph, self.home).zip(known.iter_mut()) {
            // Operands have smaller numbers than their users.
            let next = graph.values_from(known.len());
            for v in next.take_while(|v| *v <= value) {
                let next = Known::of(graph, v, known, &host);
                known.push(next);
            }
            always &= is_so(&known[value.index()]);
        }
        always
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
            Op::Unary(Unary::Sin | Unary::Cos, _) => 1.0,
            Op::Binary(Binary::Mul, a, b) => at(a).size * at(b).size,
            Op::Binary(Binary::Div, a, b) => at(a).size / at(b).own.abs(),
            Op::Binary(Binary::Add | Binary::Sub, a, b) => term(a) + term(b),
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

/// Natural sizes as values, each worked out once.
struct Sizes {
    /// Of each value of the graph, as it was, whether something was divided by for it.
    divided: Vec<bool>,
    known: BTreeMap<Value, Value>,
}

impl Sizes {
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

    /// The natural size of a value.
    fn of(&mut self, graph: &mut Graph, v: Value) -> Value {
        if let Some(known) = self.known.get(&v) {
            return *known;
        }
        let size = match *graph.op(v) {
            Op::Unary(Unary::Neg | Unary::Abs, a) => self.of(graph, a),
            Op::Unary(Unary::Sin | Unary::Cos, _) => graph.one(),
            Op::Binary(Binary::Mul, a, b) => {
                let [a, b] = [a, b].map(|v| self.of(graph, v));
                graph.mul(a, b)
            }
            Op::Binary(Binary::Div, a, b) => {
                let a = self.of(graph, a);
                let b = graph.unary(Unary::Abs, b);
                graph.div(a, b)
            }
            Op::Binary(Binary::Add | Binary::Sub, a, b) => {
                let [a, b] = [a, b].map(|v| {
                    if self.divided[v.index()] && !is_sum(graph, v) {
                        graph.unary(Unary::Abs, v)
                    } else {
                        self.of(graph, v)
                    }
                });
                graph.add(a, b)
            }
            _ => graph.unary(Unary::Abs, v),
        };
        self.known.insert(v, size);
        size
    }
}

/// What is positive where none of the values is small beside its natural size.
pub(crate) fn margin(graph: &mut Graph, values: &[Value]) -> Option<Value> {
    let mut sizes = Sizes::new(graph);
    let mut least: Option<Value> = None;
    for &value in values {
        let size = sizes.of(graph, value);
        let own = above(graph, value, size);
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
        // 3 sin q is small beside 3, and 1/q - cos q beside its terms where they are equal.
        let coefficient = g.mul(three, s);
        let one = g.one();
        let inverse = g.div(one, q);
        let pivot = g.sub(inverse, c);
        let both = margin(&mut g, &[coefficient, pivot]).unwrap();
        let expected = |q: f64| {
            let own = (3.0 * q.sin()).abs() - 3.0 / 256.0;
            let of_pivot = (1.0 / q - q.cos()).abs() - (1.0 / q.abs() + 1.0) / 256.0;
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
    fn what_is_small_at_some_state_is_not_presumed() {
        let mut g = Graph::new();
        let q = g.input(Slot {
            group: group::STATE,
            index: 0,
        });
        let reference = Reference::new(&g, &[q]);
        let (s, c) = (g.unary(Unary::Sin, q), g.unary(Unary::Cos, q));
        let two = g.integer(2);
        let large = g.add(two, c);
        let home = vec![(
            Slot {
                group: group::STATE,
                index: 0,
            },
            0.0,
        )];
        let at_home = Usual::new(&reference, &home);
        assert!(at_home.holds(&g, large));
        assert!(!at_home.holds(&g, s), "it is 0 where the machine begins");
    }
}
