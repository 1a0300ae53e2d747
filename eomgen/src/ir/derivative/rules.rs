//! The derivative of one instruction by its operands.

use std::collections::BTreeSet;

use num_bigint::BigInt;
use num_traits::{One, Signed};

use super::super::{Binary, Comparison, Graph, Op, Part, Rational, Unary, Value};
use super::{Obstacle, Pole};

/// A factor: a sign and a value, 1 where there is none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Weight {
    /// Whether it is the opposite.
    pub negative: bool,
    /// Its magnitude.
    pub by: Option<Value>,
}

impl Weight {
    const ONE: Self = Self {
        negative: false,
        by: None,
    };
    const MINUS: Self = Self {
        negative: true,
        by: None,
    };

    fn by(value: Value) -> Self {
        Self {
            negative: false,
            by: Some(value),
        }
    }

    fn less(value: Value) -> Self {
        Self {
            negative: true,
            by: Some(value),
        }
    }

    /// The product with a value, as a term of a sum.
    pub fn times(self, graph: &mut Graph, value: Value) -> (bool, Value) {
        match self.by {
            None => (self.negative, value),
            Some(by) => (self.negative, graph.mul(by, value)),
        }
    }
}

/// How an instruction changes with its operands.
#[derive(Clone, Debug)]
pub(super) enum Rule {
    /// By the sum of weights times the changes of operands.
    Sum(Vec<(Value, Weight)>),
    /// As the branch taken does.
    Choice {
        /// The comparison, its left and right side.
        test: (Comparison, Value, Value),
        /// The branch where it holds.
        then: Value,
        /// The other.
        other: Value,
    },
    /// As a result of a numerical routine does.
    Element {
        /// The routine.
        routine: Value,
        /// Which result.
        index: u32,
    },
}

/// The rules, and what they divided by.
#[derive(Default)]
pub(super) struct Rules {
    poles: Vec<Pole>,
    seen: BTreeSet<Value>,
}

impl Rules {
    /// What was divided by that the values do not divide by.
    pub fn poles(self) -> Vec<Pole> {
        self.poles
    }

    /// `1 / divisor`, which has a pole that the instruction does not have.
    fn reciprocal(&mut self, graph: &mut Graph, divisor: Value, of: Value) -> Value {
        if graph.as_rational(divisor).is_none() && self.seen.insert(of) {
            self.poles.push(Pole { divisor, of });
        }
        let one = graph.one();
        graph.div(one, divisor)
    }

    /// How a number changes with its operands. `None` for calls and routines, which are none.
    pub fn of(&mut self, graph: &mut Graph, value: Value) -> Result<Option<Rule>, Obstacle> {
        let list = match graph.op(value).clone() {
            Op::Constant(_) | Op::Pi | Op::Input(_) => Vec::new(),
            Op::Call { .. } | Op::Routine { .. } => return Ok(None),
            Op::Unary(op, a) => {
                let weight = self.unary(graph, op, a, value);
                weight.map(|w| (a, w)).into_iter().collect()
            }
            Op::Binary(Binary::Min, a, b) => {
                return Ok(Some(choice(Comparison::Less, a, b, a, b)));
            }
            Op::Binary(Binary::Max, a, b) => {
                return Ok(Some(choice(Comparison::Greater, a, b, a, b)));
            }
            Op::Binary(op, a, b) => self.binary(graph, op, a, b, value),
            Op::Select {
                test,
                left,
                right,
                then,
                other,
            } => return Ok(Some(choice(test, left, right, then, other))),
            Op::Jet { call, part } => jet(graph, call, part)?,
            Op::Element { routine, index } => return Ok(Some(Rule::Element { routine, index })),
        };
        Ok(Some(Rule::Sum(list)))
    }

    fn unary(&mut self, graph: &mut Graph, op: Unary, a: Value, of: Value) -> Option<Weight> {
        let one = graph.one();
        Some(match op {
            Unary::Neg => Weight::MINUS,
            Unary::Sin => Weight::by(graph.unary(Unary::Cos, a)),
            Unary::Cos => Weight::less(graph.unary(Unary::Sin, a)),
            Unary::Tan => {
                let square = graph.mul(of, of);
                Weight::by(graph.add(one, square))
            }
            Unary::Asin | Unary::Acos => {
                let square = graph.mul(a, a);
                let rest = graph.sub(one, square);
                let root = graph.unary(Unary::Sqrt, rest);
                let by = self.reciprocal(graph, root, of);
                match op {
                    Unary::Asin => Weight::by(by),
                    _ => Weight::less(by),
                }
            }
            Unary::Atan => {
                let square = graph.mul(a, a);
                let sum = graph.add(one, square);
                Weight::by(graph.div(one, sum))
            }
            Unary::Sinh => Weight::by(graph.unary(Unary::Cosh, a)),
            Unary::Cosh => Weight::by(graph.unary(Unary::Sinh, a)),
            Unary::Tanh => {
                let square = graph.mul(of, of);
                Weight::by(graph.sub(one, square))
            }
            Unary::Asinh => {
                let square = graph.mul(a, a);
                let sum = graph.add(square, one);
                let root = graph.unary(Unary::Sqrt, sum);
                Weight::by(graph.div(one, root))
            }
            Unary::Acosh => {
                let square = graph.mul(a, a);
                let rest = graph.sub(square, one);
                let root = graph.unary(Unary::Sqrt, rest);
                Weight::by(self.reciprocal(graph, root, of))
            }
            Unary::Atanh => {
                let square = graph.mul(a, a);
                let rest = graph.sub(one, square);
                Weight::by(self.reciprocal(graph, rest, of))
            }
            Unary::Sqrt => {
                let half = graph.rational(&Rational::new(BigInt::from(1), BigInt::from(2)));
                let by = self.reciprocal(graph, of, of);
                Weight::by(graph.mul(half, by))
            }
            Unary::Exp => Weight::by(of),
            // Where the logarithm has a value.
            Unary::Ln => Weight::by(graph.div(one, a)),
            Unary::Abs => Weight::by(graph.unary(Unary::Sign, a)),
            Unary::Sign => return None,
        })
    }

    fn binary(
        &mut self,
        graph: &mut Graph,
        op: Binary,
        a: Value,
        b: Value,
        of: Value,
    ) -> Vec<(Value, Weight)> {
        match op {
            Binary::Add => vec![(a, Weight::ONE), (b, Weight::ONE)],
            Binary::Sub => vec![(a, Weight::ONE), (b, Weight::MINUS)],
            Binary::Mul if a == b => {
                let two = graph.integer(2);
                vec![(a, Weight::by(graph.mul(two, a)))]
            }
            Binary::Mul => vec![(a, Weight::by(b)), (b, Weight::by(a))],
            Binary::Div => {
                let one = graph.one();
                let by = graph.div(one, b);
                let other = graph.mul(of, by);
                vec![(a, Weight::by(by)), (b, Weight::less(other))]
            }
            Binary::Atan2 => {
                let (aa, bb) = (graph.mul(a, a), graph.mul(b, b));
                let sum = graph.add(aa, bb);
                let by = self.reciprocal(graph, sum, of);
                let (x, y) = (graph.mul(b, by), graph.mul(a, by));
                vec![(a, Weight::by(x)), (b, Weight::less(y))]
            }
            Binary::Pow => self.power(graph, a, b, of),
            Binary::Min | Binary::Max => {
                graph
                    .witness()
                    .note("a choice is differentiated branch by branch");
                Vec::new()
            }
        }
    }

    /// `b a^(b-1)` and `a^b ln(a)`, the latter only for an exponent that is not a number.
    fn power(&mut self, graph: &mut Graph, a: Value, b: Value, of: Value) -> Vec<(Value, Weight)> {
        if let Some(exponent) = graph.as_rational(b).cloned() {
            let by = match exponent < Rational::one() && exponent.is_positive() {
                // a^b / a, which has a pole where a^b has none.
                true => {
                    let by = self.reciprocal(graph, a, of);
                    graph.mul(of, by)
                }
                false => {
                    let less = graph.rational(&(&exponent - Rational::one()));
                    graph.binary(Binary::Pow, a, less)
                }
            };
            return vec![(a, Weight::by(graph.mul(b, by)))];
        }
        // A power with such an exponent has a value for positive bases only.
        let ratio = graph.div(of, a);
        let (by_a, log) = (graph.mul(b, ratio), graph.unary(Unary::Ln, a));
        let by_b = graph.mul(of, log);
        vec![(a, Weight::by(by_a)), (b, Weight::by(by_b))]
    }
}

fn choice(test: Comparison, left: Value, right: Value, then: Value, other: Value) -> Rule {
    Rule::Choice {
        test: (test, left, right),
        then,
        other,
    }
}

/// An entry of a jet by the arguments of its call: the entries of the next order.
fn jet(graph: &mut Graph, call: Value, part: Part) -> Result<Vec<(Value, Weight)>, Obstacle> {
    let Op::Call { function, args } = graph.op(call).clone() else {
        graph
            .witness()
            .note(format!("{call} is read as a jet and is no call"));
        return Ok(Vec::new());
    };
    let mut list = Vec::with_capacity(args.len());
    for (i, arg) in args.iter().enumerate() {
        let i = i as u32;
        let next = match part {
            Part::Value => Part::Gradient(i),
            Part::Gradient(j) => Part::Hessian(j, i),
            Part::Hessian(..) => return Err(Obstacle::ThirdDerivative { function }),
        };
        list.push((*arg, Weight::by(graph.jet(call, next))));
    }
    Ok(list)
}
