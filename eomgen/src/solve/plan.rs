//! What elimination leaves: the solution as expressions, its pivots and its cost.

use super::order::Ordering;
use super::system::{SymmetricSystem, UnknownKind};
use crate::ir::{Cost, Graph, Value};

/// A pivot and the condition under which it fails.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pivot {
    /// The unknowns it eliminates: one, or an unknown and the reaction it is paired with.
    pub unknowns: Vec<usize>,
    /// What must not vanish; `None` for a 2x2 block with a constant coefficient, which never does.
    pub value: Option<Value>,
    /// The kind of the (first) unknown.
    pub kind: UnknownKind,
    /// Whether a row of a reaction that was still left had an entry in its column. If none had, a 1x1 pivot on a rate is the inertia
    /// that the rate feels: positive wherever the mass matrix is positive definite.
    pub tied: bool,
    /// Whether it cannot vanish at any state, by the structure of the system or by its form; or else it is checked.
    pub certain: bool,
    /// Of a pivot that has to be checked at run time, what it is to be compared with.
    pub checked: Option<Value>,
}

/// An elimination worked out on the graph.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The order of elimination.
    pub order: Ordering,
    /// `solution[k][i]` is unknown `i` for right-hand side `k`; `None` where it was not needed.
    pub solution: Vec<Vec<Option<Value>>>,
    /// The pivots in the order of elimination.
    pub pivots: Vec<Pivot>,
    /// Operations for the unknowns asked for, and for whatever else had to be computed anyway (see [`best`](super::best)).
    pub cost: Cost,
    /// Unknowns that the equations leave open, and that were therefore set to 0. None of the unknowns asked for depends on them.
    pub open: Vec<usize>,
    /// What must vanish for the equations not to contradict each other: what is left of the right-hand sides in redundant rows.
    pub consistency: Vec<Value>,
    /// Values that may vanish, and were [taken](super::context::Presumed) not to.
    pub presumed: Vec<Value>,
}

impl Plan {
    /// The unknowns `wanted` for every right-hand side, side by side; those that were not computed are left out.
    pub fn roots(&self, wanted: &[usize]) -> Vec<Value> {
        self.solution
            .iter()
            .flat_map(|side| wanted.iter().filter_map(|&i| side[i]))
            .collect()
    }
}

/// The largest relative residual `|A x - b|` of the rows all of whose unknowns were computed, relative to the largest term of the row,
/// at the state that `evaluate` stands for. Infinite if there is no such row, or if one is not finite.
pub fn residual(
    graph: &Graph,
    system: &SymmetricSystem,
    plan: &Plan,
    evaluate: &mut dyn FnMut(&Graph, &[Value]) -> Vec<f64>,
) -> f64 {
    let entries: Vec<(usize, usize, Value)> = system.entries().collect();
    let values: Vec<Value> = entries.iter().map(|entry| entry.2).collect();
    let coefficients = evaluate(graph, &values);
    let mut worst = None;
    for (side, rhs) in plan.solution.iter().zip(&system.rhs) {
        let known: Vec<Value> = side.iter().map(|x| x.unwrap_or(graph.zero())).collect();
        let (x, b) = (evaluate(graph, &known), evaluate(graph, rhs));
        for (i, &b) in b.iter().enumerate() {
            let terms = entries.iter().zip(&coefficients);
            let terms: Option<Vec<f64>> = terms
                .filter(|((row, column, _), _)| *row == i || *column == i)
                .map(|(&(row, column, _), coefficient)| {
                    let other = if row == i { column } else { row };
                    side[other].map(|_| coefficient * x[other])
                })
                .collect();
            let Some(terms) = terms else { continue };
            let size = terms.iter().fold(b.abs(), |size, t| size.max(t.abs()));
            let error = (terms.iter().sum::<f64>() - b).abs();
            let relative = if error == 0.0 { 0.0 } else { error / size };
            let relative = if relative.is_finite() {
                relative
            } else {
                f64::INFINITY
            };
            worst = Some(worst.map_or(relative, |worst: f64| worst.max(relative)));
        }
    }
    worst.unwrap_or(f64::INFINITY)
}
