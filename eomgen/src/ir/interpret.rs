//! Runs a program in `f64`, to test passes and to measure rounding errors.

use std::collections::BTreeMap;

use num_traits::ToPrimitive;

use super::routine::{self, RoutineError};
use super::schedule::schedule;
use super::{Binary, Check, Comparison, Function, Graph, Op, Part, Program, Slot, Unary, Value};
use crate::function::Real;

/// What a user function says at one point.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Jet {
    /// Its value.
    pub value: f64,
    /// Its partial derivatives, one per argument; empty if none were asked for.
    pub gradient: Vec<f64>,
    /// Its second partial derivatives, row-major, arity x arity; empty if none were asked for.
    pub hessian: Vec<f64>,
}

impl Jet {
    /// One entry; NaN if it is missing.
    pub fn part(&self, part: Part) -> f64 {
        let entry = match part {
            Part::Value => return self.value,
            Part::Gradient(i) => self.gradient.get(i as usize),
            Part::Hessian(i, j) => {
                let arity = self.hessian.len().isqrt();
                self.hessian.get(i as usize * arity + j as usize)
            }
        };
        entry.copied().unwrap_or(f64::NAN)
    }
}

/// What a program runs in.
pub trait Host {
    /// The value of an input.
    fn slot(&self, slot: Slot) -> f64;
    /// A user function at a point.
    fn call(&self, function: u32, args: &[f64]) -> Jet;
}

/// Why a function has no outputs.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
pub enum Failure {
    /// A checked value vanishes.
    #[error("condition {condition} fails: {value:e} against {scale:e}")]
    Singular {
        /// [`Check::condition`].
        condition: u32,
        /// What it came to.
        value: f64,
        /// What it was compared with.
        scale: f64,
    },
    /// A result is infinite or no number, of a function that can fail.
    #[error("a result is not a finite number")]
    NotFinite,
    /// A numerical routine found no result.
    #[error("{routine}: {error}")]
    Routine {
        /// The routine's value.
        routine: Value,
        /// Why.
        error: RoutineError,
    },
}

/// A checked value counts as zero when it is at most this times its scale.
pub const VANISHING: f64 = 1e-9;

/// Runs one function of a program, any number of times.
#[derive(Clone, Debug)]
pub struct Evaluator<'p> {
    graph: &'p Graph,
    function: &'p Function,
    order: Vec<Value>,
    /// The position in `order` before which each check can be decided.
    ready: Vec<usize>,
    numbers: Vec<f64>,
    jets: BTreeMap<Value, Jet>,
    results: BTreeMap<Value, Vec<f64>>,
}

impl<'p> Evaluator<'p> {
    /// Schedules the function: checks first, in order, each decided as soon as its value and scale are known.
    pub fn new(program: &'p Program, function: &'p Function) -> Self {
        Self::on(&program.graph, function)
    }

    /// The same for a function over a graph.
    pub fn on(graph: &'p Graph, function: &'p Function) -> Self {
        let order = schedule(graph, &function.roots());
        let mut position = vec![0; graph.len()];
        for (place, value) in order.iter().enumerate() {
            position[value.index()] = place + 1;
        }
        let ready = |check: &Check| {
            let scale = check.scale.map_or(0, |scale| position[scale.index()]);
            position[check.value.index()].max(scale)
        };
        Self {
            graph,
            function,
            ready: function.checks.iter().map(ready).collect(),
            numbers: vec![f64::NAN; graph.len()],
            jets: BTreeMap::new(),
            results: BTreeMap::new(),
            order,
        }
    }

    /// The outputs, or the first check or routine that fails.
    pub fn run(&mut self, host: &impl Host) -> Result<Vec<f64>, Failure> {
        let mut decided = 0;
        for position in 0..self.order.len() {
            while self.ready.get(decided).is_some_and(|&r| r <= position) {
                self.decide(&self.function.checks[decided])?;
                decided += 1;
            }
            self.step(self.order[position], host)?;
        }
        for check in &self.function.checks[decided..] {
            self.decide(check)?;
        }
        let outputs = self.function.outputs.iter();
        let outputs: Vec<f64> = outputs.map(|&output| self.number(output)).collect();
        let fallible = !self.function.checks.is_empty() || !self.results.is_empty();
        if fallible && outputs.iter().any(|x| !x.is_finite()) {
            return Err(Failure::NotFinite);
        }
        Ok(outputs)
    }

    fn number(&self, value: Value) -> f64 {
        self.numbers[value.index()]
    }

    fn decide(&self, check: &Check) -> Result<(), Failure> {
        let value = self.number(check.value);
        let scale = check.scale.map_or(0.0, |scale| self.number(scale));
        // Not `<=`: NaN fails too.
        if value.abs() > VANISHING * scale.abs() {
            return Ok(());
        }
        Err(Failure::Singular {
            condition: check.condition,
            value,
            scale,
        })
    }

    fn step(&mut self, value: Value, host: &impl Host) -> Result<(), Failure> {
        let number = match self.graph.op(value) {
            Op::Constant(number) => number.to_f64().unwrap_or(f64::NAN),
            Op::Pi => std::f64::consts::PI,
            Op::Input(slot) => host.slot(*slot),
            Op::Unary(op, a) => unary(*op, self.number(*a)),
            Op::Binary(op, a, b) => binary(*op, self.number(*a), self.number(*b)),
            Op::Select {
                test,
                left,
                right,
                then,
                other,
            } => select(
                *test,
                [*left, *right, *then, *other].map(|operand| self.number(operand)),
            ),
            Op::Call { function, args } => {
                let args: Vec<f64> = args.iter().map(|&arg| self.number(arg)).collect();
                self.jets.insert(value, host.call(*function, &args));
                return Ok(());
            }
            Op::Jet { call, part } => self.jets.get(call).map_or(f64::NAN, |jet| jet.part(*part)),
            Op::Routine { kind, operands } => {
                let operands: Vec<f64> = operands.iter().map(|&a| self.number(a)).collect();
                let results = routine::run(*kind, &operands).map_err(|error| Failure::Routine {
                    routine: value,
                    error,
                })?;
                self.results.insert(value, results);
                return Ok(());
            }
            Op::Element { routine, index } => {
                let results = self.results.get(routine);
                let entry = results.and_then(|results| results.get(*index as usize));
                entry.copied().unwrap_or(f64::NAN)
            }
        };
        self.numbers[value.index()] = number;
        Ok(())
    }
}

/// An operation on one number.
pub fn unary(op: Unary, a: f64) -> f64 {
    match op {
        Unary::Neg => -a,
        Unary::Of(function) => match function.row().real {
            Real::One(f) => f(a),
            Real::Two(_) | Real::None => f64::NAN,
        },
    }
}

/// An operation on two numbers.
pub fn binary(op: Binary, a: f64, b: f64) -> f64 {
    match op {
        Binary::Add => a + b,
        Binary::Sub => a - b,
        Binary::Mul => a * b,
        Binary::Div => a / b,
        Binary::Of(function) => match function.row().real {
            Real::Two(f) => f(a, b),
            Real::One(_) | Real::None => f64::NAN,
        },
    }
}

fn select(test: Comparison, [left, right, then, other]: [f64; 4]) -> f64 {
    if test.holds(&left, &right) {
        then
    } else {
        other
    }
}

#[cfg(test)]
mod tests;
