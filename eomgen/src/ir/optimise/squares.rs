//! Sums of two products of which nothing is left to compute: `y sin^2 x + y cos^2 x` is y, and `x y z - y z x` nothing. Plans see such values where they
//! decide; what stands in other functions, and what other passes bring together, is seen here.

use super::{at, rebuild};
use crate::ir::{Binary, Graph, Op, Program, Unary, Value};

/// Products of more factors are not looked into.
const FACTORS: usize = 6;

/// Puts what is left of such sums in their place.
pub(super) fn cancel(program: &Program) -> Program {
    rebuild(program, |graph, map, value| {
        match *program.graph.op(value) {
            Op::Binary(Binary::Add, a, b) => {
                let [a, b] = [a, b].map(|v| at(graph, map, v));
                let shared = shared_beside_squares(graph, a, b)?;
                let one = graph.one();
                let product = |product, v| graph.mul(product, v);
                Some(shared.into_iter().fold(one, product))
            }
            Op::Binary(Binary::Sub, a, b) => {
                let [a, b] = [a, b].map(|v| factors(graph, at(graph, map, v)));
                (a? == b?).then(|| graph.zero())
            }
            _ => None,
        }
    })
}

/// The factors that two terms share of which one has the square of an angle's sine beside them and the other that of its cosine.
fn shared_beside_squares(g: &Graph, a: Value, b: Value) -> Option<Vec<Value>> {
    let (mut a, mut b) = (factors(g, a)?, factors(g, b)?);
    let angle = |v: &Value| match g.op(*v) {
        Op::Unary(op @ (Unary::Sin | Unary::Cos), x) => Some((*op, *x)),
        _ => None,
    };
    let other = |(op, x): (Unary, Value)| match op {
        Unary::Sin => (Unary::Cos, x),
        _ => (Unary::Sin, x),
    };
    // Factors are sorted: squares are neighbours.
    let squares = |of: &[Value]| -> Vec<(usize, (Unary, Value))> {
        let pairs = of.windows(2).enumerate();
        let equal = pairs.filter(|(_, pair)| pair[0] == pair[1]);
        equal
            .filter_map(|(i, pair)| Some((i, angle(&pair[0])?)))
            .collect()
    };
    let theirs = squares(&b);
    let (i, j) = squares(&a).into_iter().find_map(|(i, of)| {
        let found = theirs.iter().find(|(_, own)| *own == other(of));
        found.map(|(j, _)| (i, *j))
    })?;
    a.drain(i..i + 2);
    b.drain(j..j + 2);
    (a == b).then_some(a)
}

/// Factors of a product, sorted; `None` for other values, and if there are many.
fn factors(g: &Graph, v: Value) -> Option<Vec<Value>> {
    if !matches!(g.op(v), Op::Binary(Binary::Mul, ..)) {
        return None;
    }
    let mut found = Vec::new();
    let mut open = vec![v];
    while let Some(v) = open.pop() {
        match g.op(v) {
            Op::Binary(Binary::Mul, x, y) => open.extend([*x, *y]),
            _ => found.push(v),
        }
        if found.len() + open.len() > FACTORS {
            return None;
        }
    }
    found.sort_unstable();
    Some(found)
}
