//! Formulas given beside a model, where its equations are evaluated: user functions as instructions, with their value and derivatives up to the
//! second order, at one state or at any; and numbers that depend on parameters. No derivation depends on it.

use crate::function::{Comparison, Elementary};
use crate::ir::derivative::{Jacobian, jacobian};
use crate::ir::interpret::{Evaluator, Host, Jet};
use crate::ir::tape::{self, Tape};
use crate::ir::{Binary, Function, Graph, Op, Rational, Slot, Unary, Value};
use crate::model::System;
use crate::model::system::{Condition, Quantity, Scalar};
use crate::program::group;

/// Where a formula is evaluated.
pub(super) struct Place<'a> {
    pub system: &'a System,
    pub t: f64,
    pub params: &'a [f64],
    pub coords: &'a [f64],
    pub inputs: &'a [f64],
}

/// The input group of the function's arguments.
const ARGUMENTS: u8 = tape::ARGUMENTS;
/// The input group of numbers that are known, in order of mention.
const KNOWN: u8 = 6;

/// A formula on its way into instructions.
struct Formula<'a> {
    system: &'a System,
    /// Where it is evaluated, if it is for one state.
    place: Option<&'a Place<'a>>,
    /// What the function's arguments are called in formulas.
    declared: &'a [Scalar],
    arguments: &'a [f64],
    known: Vec<f64>,
    graph: Graph,
}

impl Host for Formula<'_> {
    fn slot(&self, slot: Slot) -> f64 {
        let list = if slot.group == ARGUMENTS {
            self.arguments
        } else {
            &self.known
        };
        list.get(slot.index as usize).copied().unwrap_or(f64::NAN)
    }

    fn call(&self, _: u32, _: &[f64]) -> Jet {
        Jet::default()
    }
}

/// Evaluates `formula` with the declared arguments of function `index` replaced by `args`.
pub(super) fn evaluate(
    place: &Place<'_>,
    index: usize,
    formula: &Scalar,
    args: &[f64],
) -> Result<Jet, String> {
    let mut f = Formula {
        system: place.system,
        place: Some(place),
        declared: &place.system.functions[index].args,
        arguments: args,
        known: Vec::new(),
        graph: Graph::new(),
    };
    let n = args.len();
    let values = f.jet(formula, n)?;
    let mut numbers = f.numbers(values)?;
    let hessian = numbers.split_off(1 + n);
    let gradient = numbers.split_off(1);
    Ok(Jet {
        value: numbers.first().copied().unwrap_or(f64::NAN),
        gradient,
        hessian,
    })
}

/// Function `index` by a formula: its value, its gradient and its second derivatives, at any state.
pub(super) fn function(system: &System, index: usize, formula: &Scalar) -> Result<Tape, String> {
    let declared = &system.functions[index].args;
    let mut f = Formula::anywhere(system, declared);
    let outputs = f.jet(formula, declared.len())?;
    Ok(f.tape(outputs))
}

/// A number that may depend on parameters.
pub(super) fn of_parameters(system: &System, formula: &Scalar) -> Result<Tape, String> {
    let mut f = Formula::anywhere(system, &[]);
    let outputs = vec![f.scalar(formula)?];
    let varies =
        |v: &Value| matches!(f.graph.op(*v), Op::Input(slot) if slot.group != group::PARAMS);
    if f.graph.live(&outputs).iter().any(varies) {
        return Err("only numbers and parameters are known here".into());
    }
    Ok(f.tape(outputs))
}

impl<'a> Formula<'a> {
    fn anywhere(system: &'a System, declared: &'a [Scalar]) -> Self {
        Self {
            system,
            place: None,
            declared,
            arguments: &[],
            known: Vec::new(),
            graph: Graph::new(),
        }
    }

    fn tape(&self, outputs: Vec<Value>) -> Tape {
        let function = Function {
            outputs,
            ..Function::default()
        };
        Tape::new(&self.graph, &function, &[group::PARAMS])
    }

    /// Value, gradient and second derivatives.
    fn jet(&mut self, formula: &Scalar, arity: usize) -> Result<Vec<Value>, String> {
        let value = self.scalar(formula)?;
        let leaves: Vec<Value> = (0..arity).map(|i| self.argument(i)).collect();
        let gradient = self.derivatives(&[value], &leaves)?;
        let hessian = self.derivatives(&gradient, &leaves)?;
        Ok([vec![value], gradient, hessian].concat())
    }

    fn argument(&mut self, index: usize) -> Value {
        self.graph.input(Slot {
            group: ARGUMENTS,
            index: index as u32,
        })
    }

    fn derivatives(&mut self, roots: &[Value], leaves: &[Value]) -> Result<Vec<Value>, String> {
        let found = jacobian(&mut self.graph, roots, leaves);
        let Jacobian { entries, .. } = found.map_err(|obstacle| obstacle.to_string())?;
        Ok(entries)
    }

    fn numbers(&self, outputs: Vec<Value>) -> Result<Vec<f64>, String> {
        let function = Function {
            outputs,
            ..Function::default()
        };
        let mut evaluator = Evaluator::on(&self.graph, &function);
        evaluator.run(self).map_err(|failure| failure.to_string())
    }

    /// A number of the state, or the input that it will be.
    fn known(&mut self, group: u8, index: usize) -> Result<Value, String> {
        let Some(place) = self.place else {
            let index = index as u32;
            return Ok(self.graph.input(Slot { group, index }));
        };
        let list = match group {
            group::TIME => std::slice::from_ref(&place.t),
            group::PARAMS => place.params,
            group::INPUTS => place.inputs,
            _ => place.coords,
        };
        let number = list.get(index).ok_or("a value is missing")?;
        self.known.push(*number);
        Ok(self.graph.input(Slot {
            group: KNOWN,
            index: self.known.len() as u32 - 1,
        }))
    }

    fn scalar(&mut self, s: &Scalar) -> Result<Value, String> {
        if let Some(i) = self.declared.iter().position(|a| a == s) {
            return Ok(self.argument(i));
        }
        Ok(match s {
            Scalar::Number(r) => self.graph.rational(r),
            Scalar::Pi => self.graph.pi(),
            Scalar::Time => self.known(group::TIME, 0)?,
            Scalar::Param(i) => self.known(group::PARAMS, i.index())?,
            Scalar::Coord(i) => self.known(group::STATE, i.index())?,
            Scalar::State(i) => {
                let state = &self.system.states[i.index()].meta.name;
                return Err(format!(
                    "it contains `{state}`, which is a state of first order"
                ));
            }
            Scalar::Input(i) => self.known(group::INPUTS, i.index())?,
            Scalar::Let(l) => match &self.system.lets[l.index()].value {
                Quantity::Scalar(s) => self.scalar(s)?,
                Quantity::Vector(_) => {
                    return Err("a vector has no place in a function of scalars".into());
                }
            },
            Scalar::Neg(a) => {
                let a = self.scalar(a)?;
                self.graph.neg(a)
            }
            Scalar::Add(a, b) => self.binary(Binary::Add, a, b)?,
            Scalar::Sub(a, b) => self.binary(Binary::Sub, a, b)?,
            Scalar::Mul(a, b) => self.binary(Binary::Mul, a, b)?,
            Scalar::Div(a, b) => self.binary(Binary::Div, a, b)?,
            Scalar::Pow(a, b) => self.power(a, b)?,
            Scalar::Call(f, args) => self.call_of(*f, args)?,
            Scalar::If {
                condition,
                then,
                other,
            } => {
                let (then, other) = (self.scalar(then)?, self.scalar(other)?);
                self.choice(condition, then, other)?
            }
            Scalar::Speed(_)
            | Scalar::Rate(_)
            | Scalar::Dot(..)
            | Scalar::Norm(_)
            | Scalar::Reaction { .. }
            | Scalar::Joint(_)
            | Scalar::Kinetic(_)
            | Scalar::Function { .. } => {
                return Err("the formula of a function may contain its arguments, coordinates, parameters, inputs, numbers and elementary functions".into());
            }
        })
    }

    fn binary(&mut self, op: Binary, a: &Scalar, b: &Scalar) -> Result<Value, String> {
        let (a, b) = (self.scalar(a)?, self.scalar(b)?);
        Ok(self.graph.binary(op, a, b))
    }

    /// A power. An exponent that no argument is in is a number here: the power of a negative base has derivatives then.
    fn power(&mut self, a: &Scalar, b: &Scalar) -> Result<Value, String> {
        let (base, exponent) = (self.scalar(a)?, self.scalar(b)?);
        let varies = self.graph.live(&[exponent]).into_iter().any(|value| {
            matches!(self.graph.op(value), crate::ir::Op::Input(slot) if slot.group == ARGUMENTS)
        });
        let known = self.place.is_some() && !varies;
        let numbers = if known {
            self.numbers(vec![exponent])?
        } else {
            Vec::new()
        };
        let number = numbers.first().copied().and_then(Rational::from_float);
        let exponent = match number {
            Some(number) => self.graph.rational(&number),
            None => exponent,
        };
        Ok(self.graph.binary(Binary::Pow, base, exponent))
    }

    fn call_of(&mut self, f: Elementary, args: &[Scalar]) -> Result<Value, String> {
        let args: Result<Vec<Value>, String> = args.iter().map(|a| self.scalar(a)).collect();
        let args = args?;
        match (f, args.as_slice()) {
            (_, []) => Err("a function without arguments".into()),
            // The slope at 0 is that to the right of it.
            (Elementary::Abs, [x]) => {
                let (zero, opposite) = (self.graph.zero(), self.graph.neg(*x));
                let test = Comparison::Less;
                Ok(self.graph.select(test, *x, zero, opposite, *x))
            }
            // Of equals the first is taken.
            (Elementary::Min, [a, b]) => {
                let test = Comparison::LessEqual;
                Ok(self.graph.select(test, *a, *b, *a, *b))
            }
            (Elementary::Max, [a, b]) => {
                let test = Comparison::GreaterEqual;
                Ok(self.graph.select(test, *a, *b, *a, *b))
            }
            (f, [x]) if f.row().arguments == 1 => Ok(self.graph.unary(Unary::Of(f), *x)),
            (f, [x, y]) => Ok(self.graph.binary(Binary::Of(f), *x, *y)),
            _ => Err("an argument is missing".into()),
        }
    }

    /// `then` where the condition holds, else `other`.
    fn choice(&mut self, c: &Condition, then: Value, other: Value) -> Result<Value, String> {
        Ok(match c {
            Condition::Compare(test, left, right) => {
                let (left, right) = (self.scalar(left)?, self.scalar(right)?);
                self.graph.select(*test, left, right, then, other)
            }
            Condition::Not(a) => self.choice(a, other, then)?,
            Condition::And(a, b) => {
                let second = self.choice(b, then, other)?;
                self.choice(a, second, other)?
            }
            Condition::Or(a, b) => {
                let second = self.choice(b, then, other)?;
                self.choice(a, then, second)?
            }
        })
    }
}
