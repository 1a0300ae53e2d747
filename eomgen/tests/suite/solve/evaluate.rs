//! Evaluation of a graph in doubles.

use eomgen::internals::ir::{Binary, Graph, Op, Slot, Unary, Value};
use num_traits::ToPrimitive;

/// Values of `roots` in doubles; inputs are looked up by their index in group 0.
pub fn evaluate(graph: &Graph, roots: &[Value], inputs: &[f64]) -> Vec<f64> {
    let mut values = vec![f64::NAN; graph.len()];
    for value in graph.live(roots) {
        let at = |v: &Value| values[v.index()];
        values[value.index()] = match graph.op(value) {
            Op::Constant(c) => c.to_f64().unwrap(),
            Op::Input(Slot { index, .. }) => inputs[*index as usize],
            Op::Unary(Unary::Neg, a) => -at(a),
            Op::Unary(Unary::Sin, a) => at(a).sin(),
            Op::Unary(Unary::Cos, a) => at(a).cos(),
            Op::Binary(Binary::Add, a, b) => at(a) + at(b),
            Op::Binary(Binary::Sub, a, b) => at(a) - at(b),
            Op::Binary(Binary::Mul, a, b) => at(a) * at(b),
            Op::Binary(Binary::Div, a, b) => at(a) / at(b),
            op => panic!("the tests do not build {op:?}"),
        };
    }
    roots.iter().map(|v| values[v.index()]).collect()
}
