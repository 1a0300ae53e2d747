//! How large values are whatever the signs in them are: what tells the terms of nearly equal branches apart.
//!
//! A mirrored leg has the same numbers as the other with other signs. So differences count as sums here, and a sine as a number that grows with
//! its angle. Values that correspond to one another then have the same size where the branches are equal, and nearly the same where their
//! numbers differ a little.

use num_traits::ToPrimitive;

use super::form::Forms;
use crate::ir::interpret::{binary, unary};
use crate::ir::{Binary, Op, Unary, Value};

/// The sizes of all values, inputs being as large as is said.
pub fn sizes(forms: &Forms<'_>, input: impl Fn(Value) -> f64) -> Vec<f64> {
    let graph = forms.graph;
    // What is given has a value; its size is that of the value.
    let mut exact = vec![f64::NAN; graph.len()];
    let mut sizes = vec![1.0; graph.len()];
    for value in graph.values() {
        let at = |v: Value| exact.get(v.index()).copied().unwrap_or(f64::NAN);
        let of = |v: Value| sizes.get(v.index()).copied().unwrap_or(1.0);
        let number = match *graph.op(value) {
            Op::Constant(ref x) => x.to_f64().unwrap_or(f64::NAN),
            Op::Pi => std::f64::consts::PI,
            Op::Input(_) if forms.is_number(value) => input(value),
            Op::Unary(op, a) => unary(op, at(a)),
            Op::Binary(op, a, b) => binary(op, at(a), at(b)),
            _ => f64::NAN,
        };
        let size = match *graph.op(value) {
            _ if number.is_finite() => number.abs(),
            Op::Input(_) => input(value),
            Op::Unary(Unary::Neg, a) => of(a),
            Op::Unary(Unary::Of(function), a) => {
                let own = 1.0 + 0.1 * f64::from(function as u32 % 7);
                own + of(a) / (1.0 + of(a))
            }
            Op::Binary(Binary::Mul, a, b) => of(a) * of(b),
            Op::Binary(Binary::Div, a, b) => of(a) / of(b),
            ref op => op.operands().map(of).sum(),
        };
        exact[value.index()] = number;
        sizes[value.index()] = size;
    }
    sizes
}

/// How much one size is of another, in either direction: 1 if they are equal.
pub fn ratio(a: f64, b: f64) -> f64 {
    let ratio = if a < b { b / a } else { a / b };
    if ratio.is_nan() { f64::INFINITY } else { ratio }
}

/// Numbers of their own for inputs.
pub fn of_input(index: usize) -> f64 {
    // Multiples of the golden section fill an interval evenly.
    0.5 + (index as f64 * 0.618_033_988_749_894_9).fract()
}

/// Pairs beyond which not all of them are looked at.
const MOST: usize = 250_000;

/// Partners for the first ones among the others, those of the nearest size first; `None` where nothing is left that may be one.
pub fn pairs(
    first: &[f64],
    others: &[f64],
    may_be: impl Fn(usize, usize) -> bool,
) -> Vec<Option<usize>> {
    if first.len() * others.len() > MOST {
        // Too many to compare each with each: in the order of the instructions.
        return (0..first.len())
            .map(|i| (i < others.len() && may_be(i, i)).then_some(i))
            .collect();
    }
    let mut all: Vec<(f64, usize, usize)> = Vec::new();
    for (i, a) in first.iter().enumerate() {
        for (j, b) in others.iter().enumerate() {
            if may_be(i, j) {
                all.push((ratio(*a, *b), i, j));
            }
        }
    }
    all.sort_by(|a, b| a.0.total_cmp(&b.0).then((a.1, a.2).cmp(&(b.1, b.2))));
    let mut found = vec![None; first.len()];
    let mut taken = vec![false; others.len()];
    for (_, i, j) in all {
        if found[i].is_none() && !taken[j] {
            found[i] = Some(j);
            taken[j] = true;
        }
    }
    found
}
