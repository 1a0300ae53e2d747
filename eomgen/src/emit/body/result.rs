//! The end of a body: the outputs, as one expression or as the entries of an array.

use super::{Writing, one_line};
use crate::emit::expr::Expr;
use crate::emit::layout::{Writer, width};
use crate::emit::module::{Scalar, Shape};
use crate::emit::names::snake;
use crate::emit::tree::{Block, Call, Target, Value};
use crate::ir::Op;

/// Widest array literal written as the result.
const RESULT: usize = 56;

/// Most entries that are variables first.
const NAMED: usize = 16;

/// An output that is ready to be written.
pub(super) struct Output {
    /// The temporaries that it is the first to need.
    pub(super) block: Block,
    /// What is written for it.
    pub(super) expression: Expr,
}

impl Writing<'_> {
    /// Writes what the outputs need, the outputs, and the result.
    pub(super) fn outputs(&mut self, mut outputs: Vec<Output>) {
        let shape = self.function.output;
        let texts: Vec<&str> = outputs.iter().map(|o| o.expression.text()).collect();
        let literal = match shape {
            Shape::Scalar => texts.first().map(|text| (*text).to_owned()),
            Shape::Array(_) => Some(format!("[{}]", texts.join(", "))),
            Shape::Matrix(_, 0) | Shape::Matrix(0, _) => None,
            Shape::Matrix(_, columns) => {
                let rows = texts
                    .chunks(columns)
                    .map(|row| format!("[{}]", row.join(", ")));
                Some(format!("[{}]", rows.collect::<Vec<_>>().join(", ")))
            }
        };
        let short = literal.filter(|text| shape == Shape::Scalar || width(text) <= RESULT);
        let Some(text) = short else {
            return self.assignments(outputs);
        };
        for output in &mut outputs {
            self.block.append(std::mem::take(&mut output.block));
        }
        let entries: Vec<Expr> = outputs.into_iter().map(|o| o.expression).collect();
        match entries.as_slice() {
            [only] if shape == Shape::Scalar => self.tail(only.clone()),
            all => self.tail(Expr::made_of(text, all)),
        }
    }

    /// The outputs as variables, and an array of these, or of rows of so many.
    fn named(&mut self, outputs: Vec<Output>, columns: Option<usize>) {
        let mut entries = Vec::new();
        for (index, output) in outputs.into_iter().enumerate() {
            self.block.append(output.block);
            if output.expression.is_atom() {
                entries.push(output.expression);
                continue;
            }
            let wanted = self.output_name(index);
            let name = self.scope.claim(&wanted);
            self.set(Target::variable(&name), output.expression);
            entries.push(Expr::variable(name));
        }
        let array = Value::Array(entries, columns);
        if self.fallible {
            let name = self.scope.claim(&snake(&self.function.name));
            self.block.put(Target::variable(&name), array);
            self.success(Expr::variable(name));
        } else {
            self.block.put(Target::Result, array);
        }
    }

    /// The outputs that are not zero as assignments to the entries of an array.
    fn assignments(&mut self, outputs: Vec<Output>) {
        let zero = self.module.scalar.literal(0.0);
        let zeros = Expr::atom(self.function.output.filled(&zero));
        let values = &self.function.body.outputs;
        if values.iter().all(|&value| self.graph.is_zero(value)) {
            return self.tail(zeros);
        }
        match self.function.output {
            Shape::Array(length) if length <= NAMED => return self.named(outputs, None),
            Shape::Matrix(rows, columns) if rows * columns <= NAMED => {
                return self.named(outputs, Some(columns));
            }
            _ => {}
        }
        let is_array = matches!(self.function.output, Shape::Array(_));
        let out = self.scope.claim("out");
        self.block.set(&out, zeros);
        let apart = outputs.iter().any(|output| !output.block.is_empty());
        for (index, (output, &value)) in outputs.into_iter().zip(values).enumerate() {
            if self.graph.is_zero(value) {
                continue;
            }
            let long = !output.block.is_empty();
            if long || apart && is_array {
                self.block.blank();
            }
            if long || is_array {
                self.comment(index);
            }
            self.block.append(output.block);
            self.fill_entry(&out, index, output.expression);
        }
        if apart {
            self.block.blank();
        }
        self.tail(Expr::variable(out));
    }

    /// `out[3] = expression;`
    pub(super) fn fill_entry(&mut self, out: &str, index: usize, expression: Expr) {
        let target = Target::Entry {
            array: out.to_owned(),
            place: self.function.output.place(index),
        };
        self.set(target, expression);
    }

    /// A comment with what an output is.
    pub(super) fn comment(&mut self, index: usize) {
        let label = self.function.output_labels.get(index);
        let label = label.map_or(String::new(), |label| one_line(label));
        if !label.is_empty() {
            self.block.comment(label);
        }
    }

    /// The function's result.
    pub(super) fn tail(&mut self, mut result: Expr) {
        if self.fallible {
            let letters = |c: char| c.is_alphanumeric() || c == '_';
            let tested = self.tests_results() && !result.text().chars().all(letters);
            if tested || width(result.text()) > RESULT {
                let name = self.scope.claim(&snake(&self.function.name));
                self.block.set(&name, result);
                result = Expr::variable(name);
            }
            return self.success(result);
        }
        // A user's function without derivatives is called in a statement of its own.
        let root = self.function.body.outputs.first();
        let part = root.map(|&root| self.graph.op(root));
        self.returns_variable = self.function.output == Shape::Scalar
            && match part {
                Some(Op::Jet { .. }) => true,
                Some(Op::Select { .. }) => self.module.scalar == Scalar::Generic,
                _ => false,
            }
            && !result.is_field();
        self.set(Target::Result, result);
    }

    /// Whether some result depends on anything.
    fn tests_results(&self) -> bool {
        let outputs = self.function.body.outputs.iter();
        let mut numbers = outputs.map(|&value| self.graph.as_rational(value));
        numbers.any(|number| number.is_none())
    }

    /// The result of a function that can fail, if it is finite.
    pub(super) fn success(&mut self, result: Expr) {
        if self.function.callers.is_empty() && self.tests_results() {
            let condition = self.module.conditions.len().saturating_sub(1);
            let name = result.text();
            let numbers = match self.function.output {
                Shape::Scalar => format!("&[{name}]"),
                Shape::Array(_) => format!("&{name}"),
                Shape::Matrix(..) => format!("{name}.as_flattened()"),
            };
            let numbers = Expr::made_of(numbers, std::slice::from_ref(&result));
            let call = Call {
                fails: true,
                ..Call::new(
                    self.routine_name("finite", ""),
                    vec![Expr::atom(condition.to_string()), numbers],
                )
            };
            self.block.put(Target::Nothing, Value::Call(call));
        }
        self.block.put(Target::Result, Value::Success(result));
    }

    /// Writes an expression. The condition of a selection gets a name if the line would be too long.
    pub(super) fn set(&mut self, target: Target, expression: Expr) {
        let long = expression.choice().is_some_and(|choice| {
            let writer = Writer::within(self.depth);
            !writer.holds(&target.head(), choice)
        });
        if !long {
            return self.block.put(target, Value::Expression(expression));
        }
        let name = self.scope.claim("condition");
        if let Some((condition, selection)) = expression.by_condition(&name) {
            self.block.set(name, condition);
            self.block.put(target, Value::Expression(selection));
        }
    }
}
