//! The end of a body: the outputs, as one expression or as the entries of an array.

use super::{Writing, one_line};
use crate::emit::expr::Expr;
use crate::emit::layout::{Choice, width};
use crate::emit::module::{Scalar, Shape};
use crate::emit::names::snake;
use crate::ir::Op;

/// Widest array literal written as the result.
const RESULT: usize = 56;

/// An output that is ready to be written.
pub(super) struct Output {
    /// The temporaries that it is the first to need.
    pub(super) lines: String,
    /// What is written for it.
    pub(super) expression: Expr,
}

impl Writing<'_> {
    /// Writes what the outputs need, the outputs, and the result.
    pub(super) fn outputs(&mut self, outputs: &[Output]) {
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
        match short {
            Some(text) => {
                for output in outputs {
                    self.lines.verbatim(&output.lines);
                }
                match outputs {
                    [output] if shape == Shape::Scalar => self.tail(&output.expression),
                    _ => self.tail(&Expr::atom(text)),
                }
            }
            None => self.assignments(outputs),
        }
    }

    /// The outputs that are not zero as assignments to the entries of an array.
    fn assignments(&mut self, outputs: &[Output]) {
        let zero = self.module.scalar.literal(0.0);
        let zeros = match self.function.output {
            Shape::Scalar => zero,
            Shape::Array(length) => format!("[{zero}; {length}]"),
            Shape::Matrix(rows, columns) => format!("[[{zero}; {columns}]; {rows}]"),
        };
        let values = &self.function.body.outputs;
        if values.iter().all(|&value| self.graph.is_zero(value)) {
            self.tail(&Expr::atom(zeros));
            return;
        }
        let is_array = matches!(self.function.output, Shape::Array(_));
        let out = self.scope.claim("out");
        self.lines.line(&format!("let mut {out} = {zeros};"));
        let apart = outputs.iter().any(|output| !output.lines.is_empty());
        for (index, (output, &value)) in outputs.iter().zip(values).enumerate() {
            if self.graph.is_zero(value) {
                continue;
            }
            let label = self.function.output_labels.get(index);
            let label = label.map_or(String::new(), |label| one_line(label));
            let long = !output.lines.is_empty();
            if long || apart && is_array {
                self.lines.blank();
            }
            if !label.is_empty() && (long || is_array) {
                self.lines.line(&format!("// {label}"));
            }
            self.lines.verbatim(&output.lines);
            let head = format!("{out}{} =", self.entry(index));
            self.assign(&head, &output.expression);
        }
        if apart {
            self.lines.blank();
        }
        self.tail(&Expr::atom(out));
    }

    /// The place of an output in the array of results.
    pub(super) fn entry(&self, index: usize) -> String {
        match self.function.output {
            Shape::Matrix(_, columns) => format!("[{}][{}]", index / columns, index % columns),
            _ => format!("[{index}]"),
        }
    }

    /// A comment with what an output is.
    pub(super) fn comment(&mut self, index: usize) {
        let label = self.function.output_labels.get(index);
        let label = label.map_or(String::new(), |label| one_line(label));
        if !label.is_empty() {
            self.lines.line(&format!("// {label}"));
        }
    }

    /// The function's result.
    pub(super) fn tail(&mut self, result: &Expr) {
        match result.choice() {
            _ if self.checked && width(result.text()) > RESULT => {
                let name = self.scope.claim(&snake(&self.function.name));
                self.assign(&format!("let {name} ="), result);
                self.lines.line(&format!("Ok({name})"));
            }
            _ if self.checked => self.lines.line(&format!("Ok({result})")),
            Some(choice) => self.select("", choice, ""),
            None => {
                // A user's function without derivatives is called in a statement of its own.
                let root = self.function.body.outputs.first();
                let part = root.map(|&root| self.graph.op(root));
                self.returns_variable = self.function.output == Shape::Scalar
                    && match part {
                        Some(Op::Jet { .. }) => true,
                        Some(Op::Select { .. }) => self.module.scalar == Scalar::Generic,
                        _ => false,
                    }
                    && !result.text().contains('.');
                self.lines.tail(result.text(), result.operator());
            }
        }
    }

    pub(super) fn assign(&mut self, head: &str, expression: &Expr) {
        let operator = expression.operator();
        self.lines.assign(head, expression.text(), operator);
    }

    /// A selection; its condition gets a name if the line would be too long.
    pub(super) fn select(&mut self, head: &str, choice: &Choice, tail: &str) {
        if self.lines.holds(head, choice) {
            return self.lines.select(head, choice, tail);
        }
        let name = self.scope.claim("condition");
        let condition = format!("{} {}", choice.left, choice.right);
        let operator = Some(choice.left.len() + 1);
        self.lines
            .assign(&format!("let {name} ="), &condition, operator);
        let choice = Choice {
            left: name,
            right: String::new(),
            ..choice.clone()
        };
        self.lines.select(head, &choice, tail);
    }
}
