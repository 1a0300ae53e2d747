//! Reciprocals in place of several divisions.
//!
//! A division takes four to five times as long as a product, but counts the same. Measured on compiled modules, reciprocals of
//! what is divided by three times or more make accelerations 5 to 8 % faster or leave them as they are, those of what is divided by
//! twice cost as often as they save: the quotient waits for the reciprocal and then for a product. A divisor made of parameters
//! alone is another matter: its reciprocal is computed once.

use std::collections::{BTreeMap, BTreeSet};

use super::{at, rebuild};
use crate::ir::{Binary, Function, Graph, Op, Prepared, Program, Value};

/// The values by which some function divides at least so often: one of the first ones, if any of these divides by it.
fn divisors(program: &Program, often: usize, first: &[&str]) -> BTreeSet<Value> {
    let graph = &program.graph;
    let in_functions = |are_first: bool| {
        let functions = program.functions.iter();
        let functions = functions.filter(|f| first.contains(&f.name.as_str()) == are_first);
        let mut most: BTreeMap<Value, usize> = BTreeMap::new();
        for function in functions {
            for (divisor, count) in divisions(graph, function) {
                let known = most.entry(divisor).or_default();
                *known = count.max(*known);
            }
        }
        most
    };
    let mut most = in_functions(false);
    most.extend(in_functions(true));
    most.retain(|_, count| *count >= often);
    most.into_keys().collect()
}

/// How often a function divides by what.
fn divisions(graph: &Graph, function: &Function) -> BTreeMap<Value, usize> {
    let mut counts: BTreeMap<Value, usize> = BTreeMap::new();
    for value in graph.live(&function.roots()) {
        if let Op::Binary(Binary::Div, _, divisor) = *graph.op(value) {
            *counts.entry(divisor).or_default() += 1;
        }
    }
    counts
}

/// Multiplies by the reciprocal of such a value wherever it is divided by, so that functions go on sharing the quotients; and by
/// those of values that depend on the given groups of inputs alone, where the numerator does not.
pub(super) fn share(program: &Program, often: usize, given: &[u8], first: &[&str]) -> Program {
    let divisors = divisors(program, often, first);
    let prepared = Prepared::new(given);
    rebuild(program, |graph, map, value| {
        let old = &program.graph;
        let Op::Binary(Binary::Div, a, d) = *old.op(value) else {
            return None;
        };
        let once = prepared.is(old, d) && !prepared.is(old, a);
        if old.is_one(a) || !once && !divisors.contains(&d) {
            return None;
        }
        let one = graph.one();
        let (a, d) = (at(graph, map, a), at(graph, map, d));
        let reciprocal = graph.div(one, d);
        Some(graph.mul(a, reciprocal))
    })
}
