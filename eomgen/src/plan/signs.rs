//! Signs of values as their form shows them: of sums of positive terms, of squares, of parameters that are declared positive.

use crate::ir::{Binary, Graph, Op, Slot, Unary, Value};
use num_traits::{Signed, Zero};
use std::cell::RefCell;

/// A known sign; `strict` excludes zero.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Known {
    positive: bool,
    strict: bool,
}

/// A memo of the signs of one graph's values. The graph may grow between questions.
pub(super) struct Signs {
    positive: Vec<Slot>,
    known: RefCell<Vec<Option<Known>>>,
}

impl Signs {
    /// With these inputs declared positive.
    pub fn new(positive: Vec<Slot>) -> Self {
        Self {
            positive,
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
        sign.is_some_and(|sign| sign.strict && sign.positive)
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
        let flipped = |k: Known| Known {
            positive: !k.positive,
            ..k
        };
        let sum = |a: Known, b: Known| {
            (a.positive == b.positive).then_some(Known {
                positive: a.positive,
                strict: a.strict || b.strict,
            })
        };
        match graph.op(v) {
            Op::Constant(c) => Some(Known {
                positive: !c.is_negative(),
                strict: !c.is_zero(),
            }),
            Op::Pi => Some(Known {
                positive: true,
                strict: true,
            }),
            Op::Input(slot) => self.positive.contains(slot).then_some(Known {
                positive: true,
                strict: true,
            }),
            Op::Unary(Unary::Neg, a) => get(*a).map(flipped),
            Op::Binary(Binary::Add, a, b) => sum(get(*a)?, get(*b)?),
            Op::Binary(Binary::Sub, a, b) => sum(get(*a)?, flipped(get(*b)?)),
            Op::Binary(Binary::Mul, a, b) if a == b => Some(Known {
                positive: true,
                strict: get(*a).is_some_and(|k| k.strict),
            }),
            Op::Binary(Binary::Mul, a, b) => {
                let (a, b) = (get(*a)?, get(*b)?);
                Some(Known {
                    positive: a.positive == b.positive,
                    strict: a.strict && b.strict,
                })
            }
            // The denominator is a pivot or a divisor with a condition of its own.
            Op::Binary(Binary::Div, a, b) => {
                let (a, b) = (get(*a)?, get(*b)?);
                Some(Known {
                    positive: a.positive == b.positive,
                    strict: a.strict,
                })
            }
            _ => None,
        }
    }
}
