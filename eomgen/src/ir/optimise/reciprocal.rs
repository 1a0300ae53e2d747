//! Reciprocals in place of several divisions.

use std::collections::BTreeSet;

use super::{at, rebuild};
use crate::ir::{Binary, Function, Op, Program, Value};

/// The values by which some function divides at least twice.
fn divisors(program: &Program) -> BTreeSet<Value> {
    let graph = &program.graph;
    let in_function = |function: &Function| {
        let divisor = |value| match *graph.op(value) {
            Op::Binary(Binary::Div, _, divisor) => Some(divisor),
            _ => None,
        };
        let mut seen = BTreeSet::new();
        let live = graph.live(&function.roots());
        let again = |divisor: &Value| !seen.insert(*divisor);
        let again: Vec<Value> = live.into_iter().filter_map(divisor).filter(again).collect();
        again
    };
    program.functions.iter().flat_map(in_function).collect()
}

/// Multiplies by the reciprocal of such a value wherever it is divided by, so that functions go on sharing the quotients.
pub(super) fn share(program: &Program) -> Program {
    let divisors = divisors(program);
    rebuild(program, |graph, map, value| {
        match *program.graph.op(value) {
            Op::Binary(Binary::Div, a, d) if divisors.contains(&d) => {
                let one = graph.one();
                let reciprocal = graph.div(one, at(map, d));
                Some(graph.mul(at(map, a), reciprocal))
            }
            _ => None,
        }
    })
}
