//! Inverse dynamics by recursion: outward over velocities and accelerations and inward over forces (Luh, Walker & Paul 1980). The full
//! Newton-Euler system states both; nothing is solved and no mass matrix formed.

use super::full_system::FullSystem;
use super::group;
use crate::ir::{Graph, Op, Prepared, Unary, Value};
use crate::solve::SymmetricSystem;
use num_traits::Signed;
use std::array::from_fn;

/// The forces on the speeds that are missing to make their rates these ones, by every way to state the equations.
pub(crate) fn recursions(graph: &mut Graph, full: &FullSystem, rates: &[Value]) -> Vec<Vec<Value>> {
    let ways = full.ways.iter().filter(|way| way.paired);
    let ways = ways.map(|way| recursive(graph, &way.system, full.speeds(), rates));
    ways.collect()
}

/// The first of those that take the fewest operations.
pub(crate) fn cheapest(graph: &Graph, ways: Vec<Vec<Value>>) -> Option<Vec<Value>> {
    let prepared = Prepared::new(&[group::PARAMS]);
    ways.into_iter().min_by_key(|values| {
        let (once, each) = prepared.count(graph, values);
        (each.total(), once.total())
    })
}

/// The forces on the speeds by both recursions over one way to write the equations.
fn recursive(
    graph: &mut Graph,
    system: &SymmetricSystem,
    speeds: usize,
    rates: &[Value],
) -> Vec<Value> {
    let l = speeds;
    // Accelerations, then as many reactions in the same order.
    let steps = (system.len() - l) / 2;
    let mut rows: Vec<Vec<(usize, Value)>> = vec![Vec::new(); system.len()];
    for (i, j, value) in system.entries() {
        rows[i].push((j, value));
        if i != j {
            rows[j].push((i, value));
        }
    }
    let right = |i: usize| system.rhs.first().and_then(|r| r.get(i)).copied();
    let mut known: Vec<Option<Value>> = vec![None; system.len()];
    for (place, rate) in known.iter_mut().zip(rates) {
        *place = Some(*rate);
    }
    let triples = (0..steps).step_by(3);
    // Outward: each acceleration from its kinematic rows. These may be in other components, so that its factor is a rotation.
    for at in triples.clone() {
        let row = l + steps + at;
        let rest: [Value; 3] =
            from_fn(|i| remainder(graph, right(row + i), &rows[row + i], &known));
        let turn = |i: usize, j: usize| entry(&rows[row + i], l + at + j);
        let own: [Value; 3] = from_fn(|j| turned(graph, &rest, |i| turn(i, j)));
        for (place, value) in known[l + at..].iter_mut().zip(own) {
            *place = Some(value);
        }
    }
    // Inward: each reaction from the balance of what it carries.
    for at in triples.rev() {
        let rest: [Value; 3] =
            from_fn(|i| remainder(graph, right(l + at + i), &rows[l + at + i], &known));
        let row = l + steps + at;
        let turn = |i: usize, j: usize| entry(&rows[row + i], l + at + j);
        let own: [Value; 3] = from_fn(|i| turned(graph, &rest, |j| turn(i, j)));
        for (place, value) in known[row..].iter_mut().zip(own) {
            *place = Some(value);
        }
    }
    let missing = (0..l).map(|k| {
        let rest = remainder(graph, right(k), &rows[k], &known);
        graph.neg(rest)
    });
    missing.collect()
}

/// An entry of a row, if it is there.
fn entry(row: &[(usize, Value)], column: usize) -> Option<Value> {
    let mut entries = row.iter();
    entries.find(|(j, _)| *j == column).map(|(_, value)| *value)
}

/// A component of a vector that is turned: the sum of its entries with these factors.
fn turned(
    graph: &mut Graph,
    vector: &[Value; 3],
    factor: impl Fn(usize) -> Option<Value>,
) -> Value {
    let mut sum = graph.zero();
    for (k, x) in vector.iter().enumerate() {
        if let Some(factor) = factor(k) {
            let term = graph.mul(factor, *x);
            sum = graph.add(sum, term);
        }
    }
    sum
}

/// The right side less all that is known of the left one.
fn remainder(
    graph: &mut Graph,
    right: Option<Value>,
    row: &[(usize, Value)],
    known: &[Option<Value>],
) -> Value {
    let mut sum = right.unwrap_or_else(|| graph.zero());
    for (j, factor) in row {
        let Some(x) = known.get(*j).copied().flatten() else {
            continue;
        };
        let opposite = match graph.op(*factor) {
            Op::Unary(Unary::Neg, a) => Some(*a),
            Op::Constant(c) if c.is_negative() => {
                let c = -c.as_ref();
                Some(graph.rational(&c))
            }
            _ => None,
        };
        let term = graph.mul(opposite.unwrap_or(*factor), x);
        sum = match opposite {
            Some(_) => graph.add(sum, term),
            None => graph.sub(sum, term),
        };
    }
    sum
}
