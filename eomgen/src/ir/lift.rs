//! Turns a graph back into expressions of any kind, so that what was optimised can be compared with what went in.

use super::schedule::schedule;
use super::{Binary, Comparison, Graph, Op, Part, Rational, RoutineKind, Slot, Unary, Value};

/// What makes expressions of some kind.
pub trait Builder {
    /// An expression; cheap to clone.
    type Expr: Clone;
    /// An exact number.
    fn number(&mut self, number: &Rational) -> Self::Expr;
    /// The circle constant.
    fn pi(&mut self) -> Self::Expr;
    /// An input.
    fn input(&mut self, slot: Slot) -> Self::Expr;
    /// A function of one value.
    fn unary(&mut self, op: Unary, a: Self::Expr) -> Self::Expr;
    /// A function of two values.
    fn binary(&mut self, op: Binary, a: Self::Expr, b: Self::Expr) -> Self::Expr;
    /// `if sides[0] test sides[1] { then } else { other }`
    fn select(
        &mut self,
        test: Comparison,
        sides: [Self::Expr; 2],
        then: Self::Expr,
        other: Self::Expr,
    ) -> Self::Expr;
    /// An entry of the jet of user function `function` at `args`.
    fn jet(&mut self, function: u32, args: &[Self::Expr], part: Part) -> Self::Expr;
    /// Result `index` of a routine.
    fn element(&mut self, kind: RoutineKind, operands: &[Self::Expr], index: u32) -> Self::Expr;
}

/// The expressions of `roots`, in order. `None` where a root, or something it needs, is not a number (a whole jet, a whole routine)
/// or where an entry is taken of something that has none; the verifier refuses such graphs.
pub fn lift<B: Builder>(graph: &Graph, roots: &[Value], builder: &mut B) -> Option<Vec<B::Expr>> {
    let mut done: Vec<Option<B::Expr>> = vec![None; graph.len()];
    for value in schedule(graph, roots) {
        let at = |v: Value| done[v.index()].clone();
        let all =
            |values: &[Value]| -> Option<Vec<B::Expr>> { values.iter().map(|&v| at(v)).collect() };
        let expr = match graph.op(value) {
            Op::Constant(number) => builder.number(number),
            Op::Pi => builder.pi(),
            Op::Input(slot) => builder.input(*slot),
            Op::Unary(op, a) => builder.unary(*op, at(*a)?),
            Op::Binary(op, a, b) => builder.binary(*op, at(*a)?, at(*b)?),
            Op::Select {
                test,
                left,
                right,
                then,
                other,
            } => builder.select(*test, [at(*left)?, at(*right)?], at(*then)?, at(*other)?),
            // Expressions only where their entries are taken.
            Op::Call { .. } | Op::Routine { .. } => continue,
            Op::Jet { call, part } => {
                let Op::Call { function, args } = graph.op(*call) else {
                    return None;
                };
                builder.jet(*function, &all(args)?, *part)
            }
            Op::Element { routine, index } => {
                let Op::Routine { kind, operands } = graph.op(*routine) else {
                    return None;
                };
                builder.element(*kind, &all(operands)?, *index)
            }
        };
        done[value.index()] = Some(expr);
    }
    roots
        .iter()
        .map(|root| done[root.index()].clone())
        .collect()
}

#[cfg(test)]
mod tests;
