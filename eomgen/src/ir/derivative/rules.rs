//! The derivative of one instruction by its operands.

use std::collections::BTreeSet;

use num_traits::{One, Signed};

use super::super::{Binary, Comparison, Graph, Op, Part, Rational, Unary, Value};
use super::{Obstacle, Pole};
use crate::function::Elementary;
use crate::function::derivative::{Application, Arithmetic, Derivative};

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
            Op::Unary(Unary::Neg, a) => vec![(a, Weight::MINUS)],
            Op::Binary(Binary::Add, a, b) => vec![(a, Weight::ONE), (b, Weight::ONE)],
            Op::Binary(Binary::Sub, a, b) => vec![(a, Weight::ONE), (b, Weight::MINUS)],
            Op::Binary(Binary::Mul, a, b) if a == b => {
                let two = graph.integer(2);
                vec![(a, Weight::by(graph.mul(two, a)))]
            }
            Op::Binary(Binary::Mul, a, b) => vec![(a, Weight::by(b)), (b, Weight::by(a))],
            Op::Binary(Binary::Div, a, b) => {
                let one = graph.one();
                let by = graph.div(one, b);
                let other = graph.mul(value, by);
                vec![(a, Weight::by(by)), (b, Weight::less(other))]
            }
            Op::Unary(Unary::Of(function), a) => {
                return Ok(Some(self.function(graph, function, &[a], value)));
            }
            Op::Binary(Binary::Of(function), a, b) => {
                return Ok(Some(self.function(graph, function, &[a, b], value)));
            }
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

    /// How the value of a function changes, as the table says.
    fn function(
        &mut self,
        graph: &mut Graph,
        function: Elementary,
        operands: &[Value],
        of: Value,
    ) -> Rule {
        let (first, second) = match operands {
            [first, second] => (*first, *second),
            [first] => (*first, *first),
            _ => {
                graph
                    .witness()
                    .note(format!("{function:?} of more than two operands"));
                return Rule::Sum(Vec::new());
            }
        };
        let partials = match function.row().derivative {
            Derivative::Partials(partials) => partials,
            Derivative::OfTheTaken(test) => return choice(test, first, second, first, second),
            Derivative::OfTheBranch => {
                graph.witness().note("a choice is a selection");
                return Rule::Sum(Vec::new());
            }
        };
        let at = Application {
            arguments: [&first, &second],
            value: &of,
        };
        let mut list = Vec::with_capacity(partials.len());
        for (operand, partial) in operands.iter().zip(partials) {
            // A number does not change.
            if graph.as_rational(*operand).is_some() {
                continue;
            }
            let mut terms = Terms {
                rules: self,
                graph,
                of,
            };
            let by = partial.term.evaluate(&mut terms, &at);
            let weight = if partial.negative {
                Weight::less(by)
            } else {
                Weight::by(by)
            };
            list.push((changing(graph, function, *operand), weight));
        }
        Rule::Sum(list)
    }
}

/// What changes where the operand of a function does: a square beneath a root is taken as 0 where rounding leaves it below, and there the root has no
/// derivative anyway.
fn changing(graph: &Graph, function: Elementary, operand: Value) -> Value {
    match graph.op(operand) {
        Op::Select {
            test: Comparison::Less,
            left,
            right,
            then,
            other,
        } if function == Elementary::Sqrt
            && left == other
            && graph.is_zero(*right)
            && graph.is_zero(*then) =>
        {
            *other
        }
        _ => operand,
    }
}

/// Derivatives of functions as instructions.
struct Terms<'a> {
    rules: &'a mut Rules,
    graph: &'a mut Graph,
    /// The value that they are of.
    of: Value,
}

impl Arithmetic for Terms<'_> {
    type Number = Value;

    fn one(&mut self) -> Value {
        self.graph.one()
    }

    fn half(&mut self) -> Value {
        self.graph.rational(&Rational::new(1.into(), 2.into()))
    }

    fn add(&mut self, a: &Value, b: &Value) -> Value {
        self.graph.add(*a, *b)
    }

    fn sub(&mut self, a: &Value, b: &Value) -> Value {
        self.graph.sub(*a, *b)
    }

    fn mul(&mut self, a: &Value, b: &Value) -> Value {
        self.graph.mul(*a, *b)
    }

    fn reciprocal(&mut self, a: &Value) -> Value {
        let one = self.graph.one();
        self.graph.div(one, *a)
    }

    fn pole(&mut self, a: &Value) -> Value {
        self.rules.reciprocal(self.graph, *a, self.of)
    }

    fn apply(&mut self, function: Elementary, a: &Value) -> Value {
        self.graph.unary(Unary::Of(function), *a)
    }

    fn lower_power(&mut self, base: &Value, exponent: &Value, power: &Value) -> Value {
        let Some(number) = self.graph.as_rational(*exponent).cloned() else {
            // A power with such an exponent has a value for positive bases only.
            return self.graph.div(*power, *base);
        };
        if number < Rational::one() && number.is_positive() {
            // a^b / a, which has a pole where a^b has none.
            let by = self.pole(base);
            return self.graph.mul(*power, by);
        }
        let less = self.graph.rational(&(number - Rational::one()));
        self.graph.binary(Binary::Pow, *base, less)
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
