//! Signs of values as their form shows them: of sums of positive terms, of squares, of parameters that are declared positive.

use crate::ir::{Binary, Graph, Op, Slot, Unary, Value};
use num_traits::{Signed, Zero};
use std::cell::RefCell;

/// What is known of a value: its sign, and with `strict` that it is not zero.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Known {
    /// `None` where only `strict` is known.
    positive: Option<bool>,
    strict: bool,
}

impl Known {
    const ABOVE_ZERO: Self = Self {
        positive: Some(true),
        strict: true,
    };

    fn opposite(self) -> Self {
        Self {
            positive: self.positive.map(|positive| !positive),
            ..self
        }
    }

    /// The sign of a product or quotient.
    fn sign_with(self, other: Self) -> Option<bool> {
        Some(self.positive? == other.positive?)
    }

    /// Of a sum.
    fn plus(self, other: Self) -> Option<Self> {
        let (a, b) = (self.positive?, other.positive?);
        (a == b).then_some(Self {
            positive: Some(a),
            strict: self.strict || other.strict,
        })
    }
}

/// A memo of the signs of one graph's values. The graph may grow between questions.
pub(super) struct Signs {
    positive: Vec<Slot>,
    nonzero: Vec<Value>,
    known: RefCell<Vec<Option<Known>>>,
}

impl Signs {
    /// With these inputs declared positive, and these values known not to vanish.
    pub fn new(positive: Vec<Slot>, nonzero: Vec<Value>) -> Self {
        Self {
            positive,
            nonzero,
            known: RefCell::new(Vec::new()),
        }
    }

    /// Whether the form of a value shows that it never vanishes.
    pub fn never_zero(&self, graph: &Graph, value: Value) -> bool {
        self.of(graph, value).is_some_and(|sign| sign.strict)
    }

    /// Whether the form of a value shows that it is greater than zero.
    pub fn is_positive(&self, graph: &Graph, value: Value) -> bool {
        let sign = self.of(graph, value);
        sign.is_some_and(|sign| sign.strict && sign.positive == Some(true))
    }

    fn of(&self, graph: &Graph, value: Value) -> Option<Known> {
        let mut known = self.known.borrow_mut();
        // Operands have smaller ids than their users.
        for v in graph.values_from(known.len()).take_while(|v| *v <= value) {
            let sign = self.step(graph, v, |operand: Value| known[operand.index()]);
            known.push(sign);
        }
        known[value.index()]
    }

    fn step(&self, graph: &Graph, v: Value, get: impl Fn(Value) -> Option<Known>) -> Option<Known> {
        let found = self.by_form(graph, v, get);
        if self.nonzero.contains(&v) {
            return Some(Known {
                positive: found.and_then(|known| known.positive),
                strict: true,
            });
        }
        found
    }

    fn by_form(
        &self,
        graph: &Graph,
        v: Value,
        get: impl Fn(Value) -> Option<Known>,
    ) -> Option<Known> {
        match graph.op(v) {
            Op::Constant(c) => Some(Known {
                positive: Some(!c.is_negative()),
                strict: !c.is_zero(),
            }),
            Op::Pi => Some(Known::ABOVE_ZERO),
            Op::Input(slot) => self.positive.contains(slot).then_some(Known::ABOVE_ZERO),
            Op::Unary(Unary::Neg, a) => get(*a).map(Known::opposite),
            Op::Binary(Binary::Add, a, b) => get(*a)?.plus(get(*b)?),
            Op::Binary(Binary::Sub, a, b) => get(*a)?.plus(get(*b)?.opposite()),
            Op::Binary(Binary::Mul, a, b) if a == b => Some(Known {
                positive: Some(true),
                strict: get(*a).is_some_and(|k| k.strict),
            }),
            Op::Binary(Binary::Mul, a, b) => {
                let (a, b) = (get(*a)?, get(*b)?);
                Some(Known {
                    positive: a.sign_with(b),
                    strict: a.strict && b.strict,
                })
            }
            // The denominator is a pivot or a divisor with a condition of its own.
            Op::Binary(Binary::Div, a, b) => {
                let (a, b) = (get(*a)?, get(*b)?);
                Some(Known {
                    positive: a.sign_with(b),
                    strict: a.strict,
                })
            }
            _ => None,
        }
    }
}
