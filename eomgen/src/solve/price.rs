//! What a pivot would cost, from the structure of its row: constants fold, units cost no product.

use num_traits::{One, Signed};

use super::context::EliminationContext;
use super::matrix::Matrix;
use crate::ir::{Graph, Value};

/// All that matters of a factor or a term for the number of operations.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Weight {
    /// Zero.
    Absent,
    /// 1 or -1.
    Unit,
    /// Another number, or what is worked out beforehand.
    Constant,
    /// Anything else.
    Variable,
}

/// The weight of an entry.
pub(super) fn weight(
    context: &EliminationContext<'_>,
    graph: &Graph,
    value: Option<Value>,
) -> Weight {
    match value {
        None => Weight::Absent,
        Some(value) if graph.is_zero(value) => Weight::Absent,
        Some(value) => match graph.as_rational(value) {
            Some(number) if number.abs().is_one() => Weight::Unit,
            Some(_) => Weight::Constant,
            None if context.is_given(graph, value) => Weight::Constant,
            None => Weight::Variable,
        },
    }
}

/// Counts operations while it combines weights.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Tally(pub u64);

impl Tally {
    /// `a * b`
    pub fn product(&mut self, a: Weight, b: Weight) -> Weight {
        match (a, b) {
            (Weight::Absent, _) | (_, Weight::Absent) => Weight::Absent,
            (Weight::Unit, other) | (other, Weight::Unit) => other,
            (Weight::Constant, Weight::Constant) => Weight::Constant,
            _ => {
                self.0 += 1;
                Weight::Variable
            }
        }
    }

    /// `a / b`
    pub fn quotient(&mut self, a: Weight, b: Weight) -> Weight {
        if a == Weight::Unit && b == Weight::Variable {
            self.0 += 1;
            return Weight::Variable;
        }
        self.product(a, b)
    }

    /// `a + b` or `a - b`
    pub fn sum(&mut self, a: Weight, b: Weight) -> Weight {
        match (a, b) {
            (Weight::Absent, other) | (other, Weight::Absent) => other,
            (Weight::Variable, _) | (_, Weight::Variable) => {
                self.0 += 1;
                Weight::Variable
            }
            _ => Weight::Constant,
        }
    }
}

/// Rows longer than this are priced by formula: pricing every pair would cost more than it saves.
const LONG_ROW: usize = 24;

/// Operations of a 1x1 pivot on `p`: quotients, updates of the matrix and of `sides` right-hand sides, back-substitution.
pub(super) fn single(
    context: &EliminationContext<'_>,
    graph: &Graph,
    matrix: &Matrix,
    p: usize,
    sides: usize,
) -> u64 {
    let row = matrix.row(p);
    let (k, sides) = (row.len() as u64, sides as u64);
    if row.len() > LONG_ROW {
        return k * (k + 2) + 4 * k * sides;
    }
    let mut tally = Tally::default();
    let pivot = weight(context, graph, matrix.get(p, p));
    let terms: Vec<(usize, Weight, Weight)> = row
        .iter()
        .map(|(&j, &value)| {
            let entry = weight(context, graph, Some(value));
            (j, entry, tally.quotient(entry, pivot))
        })
        .collect();
    for (n, &(i, entry_i, scaled_i)) in terms.iter().enumerate() {
        for &(j, entry_j, scaled_j) in &terms[n..] {
            let (mut one, mut other) = (tally, tally);
            let product = one.product(scaled_i, entry_j);
            other.product(entry_i, scaled_j);
            tally = if other.0 < one.0 { other } else { one };
            tally.sum(product, weight(context, graph, matrix.get(i, j)));
        }
        for _ in 0..2 * sides {
            tally.product(scaled_i, Weight::Variable);
            tally.0 += 1;
        }
    }
    tally.0
}

/// Operations of a 2x2 pivot on `x` and the row `p` without diagonal entry.
pub(super) fn pair(
    context: &EliminationContext<'_>,
    graph: &Graph,
    matrix: &Matrix,
    (x, p): (usize, usize),
    sides: usize,
) -> u64 {
    let (row_x, row_p) = (matrix.row(x), matrix.row(p));
    let (m, k, sides) = (row_x.len() as u64, row_p.len() as u64, sides as u64);
    let diagonal = weight(context, graph, matrix.get(x, x));
    let coefficient = match weight(context, graph, matrix.get(x, p)) {
        // Numbers, and what is worked out beforehand, are divided by once.
        Weight::Variable => Weight::Variable,
        _ => Weight::Unit,
    };
    if row_x.len() + row_p.len() > LONG_ROW {
        let own = if diagonal == Weight::Absent {
            0
        } else {
            k * (k + 1)
        };
        return 2 * m * k + own + 2 * (m + k) * sides;
    }
    let mut keys: Vec<usize> = row_x.keys().chain(row_p.keys()).copied().collect();
    keys.retain(|&i| i != x && i != p);
    keys.sort_unstable();
    keys.dedup();
    let mut tally = Tally::default();
    let terms: Vec<(usize, [Weight; 3])> = keys
        .iter()
        .map(|&i| {
            let entry_x = weight(context, graph, row_x.get(&i).copied());
            let entry_p = weight(context, graph, row_p.get(&i).copied());
            let entry_p = tally.quotient(entry_p, coefficient);
            let own = tally.product(diagonal, entry_p);
            (i, [entry_x, entry_p, tally.sum(entry_x, own)])
        })
        .collect();
    for (n, (i, first)) in terms.iter().enumerate() {
        for (j, second) in &terms[n..] {
            let (mut one, mut other) = (tally, tally);
            let update = cross(&mut one, first, second);
            cross(&mut other, second, first);
            tally = if other.0 < one.0 { other } else { one };
            tally.sum(update, weight(context, graph, matrix.get(*i, *j)));
        }
        for _ in 0..sides {
            for factor in [first[0], first[1], first[1], first[2]] {
                if factor != Weight::Absent {
                    tally.product(factor, Weight::Variable);
                    tally.0 += 1;
                }
            }
        }
    }
    tally.0
}

/// `w_i p_j + p_i x_j`, the rows given as `[x, p, w]`.
fn cross(tally: &mut Tally, i: &[Weight; 3], j: &[Weight; 3]) -> Weight {
    let (a, b) = (tally.product(i[2], j[1]), tally.product(i[1], j[0]));
    tally.sum(a, b)
}
