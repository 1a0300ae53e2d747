//! The mass matrix and the forcing from the full Newton-Euler system: M is what is left when every acceleration has been eliminated with its
//! kinematic row, f what inverse dynamics at zero rates leaves unbalanced. Where the formulation has stated M and f, these have to agree
//! with it at points of the prime field, and are taken only if they need fewer operations.
//!
//! Of very many speeds M is not formed: its entries grow with the square of their number, and everything else with the number.

use super::accuracy::{Place, Reference};
use super::full_system::{FullSystem, Stated};
use super::group;
use super::recursion::{cheapest, recursions};
use crate::ir::field::Points;
use crate::ir::{Graph, Prints, Slot, Value};
use crate::solve::{self, EliminationContext};
use std::cmp::Reverse;

/// M of more speeds than this is not formed where the formulation does not state it.
pub(crate) const LARGEST: usize = 128;

/// M by rows, and f.
#[derive(Clone, Default)]
pub(crate) struct Reduced {
    /// Empty where it is [too large](LARGEST).
    pub mass: Vec<Value>,
    pub forcing: Vec<Value>,
}

impl Reduced {
    /// Those with the fewest operations: as the formulation states them, if it does, or from the full system, in the speeds of the state or in all of
    /// them, if that is equal.
    pub fn cheapest(
        graph: &mut Graph,
        stated: Option<&Self>,
        full: Option<&FullSystem>,
        whole: Option<&Dependent<'_>>,
    ) -> Self {
        let mut masses: Vec<Vec<Value>> = Vec::new();
        let mut forcings: Vec<Vec<Value>> = Vec::new();
        if let Some(stated) = stated {
            masses.push(stated.mass.clone());
            forcings.push(stated.forcing.clone());
        }
        if let Some(full) = full {
            let count = full.speeds();
            if stated.is_some() || count <= LARGEST {
                let ways = full.ways.iter();
                let ways = ways.filter(|way| way.paired && !way.shifted);
                masses.extend(ways.filter_map(|way| mass_matrix(graph, way, count)));
            }
            let still = vec![graph.zero(); count];
            for missing in recursions(graph, full, &still) {
                forcings.push(missing.into_iter().map(|v| graph.neg(v)).collect());
            }
        }
        if let Some(whole) = whole.filter(|_| stated.is_some()) {
            masses.extend(whole.masses(graph));
            forcings.extend(whole.forcings(graph));
        }
        if let Some(stated) = stated {
            let points = Points::new(0);
            masses.retain(|list| agree(graph, &points, list, &stated.mass));
            forcings.retain(|list| agree(graph, &points, list, &stated.forcing));
        }
        Self {
            mass: cheapest(graph, masses).unwrap_or_default(),
            forcing: cheapest(graph, forcings).unwrap_or_default(),
        }
    }

    /// M and f of equations that are not stated, and what the rates by them and by these constraint rows are compared with.
    pub fn unstated(
        graph: &mut Graph,
        full: &FullSystem,
        rows: &[(Vec<Value>, Value)],
        places: Vec<Place>,
    ) -> (Option<Self>, Option<Reference>) {
        let speeds = full.speeds();
        if speeds <= LARGEST {
            let found = Self::cheapest(graph, None, Some(full), None);
            let equations = (found.mass.as_slice(), found.forcing.as_slice());
            let reference = Reference::of_equations(graph, equations, rows, places);
            return (Some(found), Some(reference));
        }
        // Column by column: what inverse dynamics asks for each rate alone.
        let given = |index| Slot {
            group: group::GIVEN,
            index,
        };
        let rates = (0..speeds as u32).map(|i| graph.input(given(i)));
        let rates: Vec<Value> = rates.collect();
        let ways = recursions(graph, full, &rates);
        let missing = cheapest(graph, ways);
        let reference =
            missing.map(|missing| Reference::of_inverse_dynamics(graph, &missing, rows, places));
        (None, reference)
    }
}

/// All speeds, of which the last are known in the others.
pub(crate) struct Dependent<'a> {
    /// The full system in the rates of all speeds.
    pub full: &'a FullSystem,
    /// Coefficients of the independent speeds, one row for each dependent one.
    pub x: &'a [Vec<Value>],
    /// The rates of the dependent speeds where those of the others are 0.
    pub bias: &'a [Value],
}

impl Dependent<'_> {
    /// `[1 X^T] M [1; X]`, for every way to write M.
    fn masses(&self, graph: &mut Graph) -> Vec<Vec<Value>> {
        let count = self.full.speeds();
        let left = count - self.x.len();
        let ways = self.full.ways.iter();
        let mut list = Vec::new();
        for way in ways.filter(|way| way.paired && !way.shifted) {
            let Some(mass) = mass_matrix(graph, way, count) else {
                continue;
            };
            // M [1; X], then its rows likewise.
            let columns: Vec<Vec<Value>> = (mass.chunks(count))
                .map(|row| self.projected(graph, row))
                .collect();
            let mut entries = vec![graph.zero(); left * left];
            for j in 0..left {
                let column: Vec<Value> = columns.iter().map(|row| row[j]).collect();
                // Of a symmetric matrix one half is enough.
                let whole = self.projected(graph, &column);
                for i in 0..=j {
                    entries[i * left + j] = whole[i];
                    entries[j * left + i] = whole[i];
                }
            }
            list.push(entries);
        }
        list
    }

    /// `-[1 X^T] r`, where inverse dynamics asks for r at the rates (0, bias).
    fn forcings(&self, graph: &mut Graph) -> Vec<Vec<Value>> {
        let left = self.full.speeds() - self.x.len();
        let mut rates = vec![graph.zero(); left];
        rates.extend(self.bias);
        let found = recursions(graph, self.full, &rates).into_iter();
        found
            .map(|missing| {
                let missing = self.projected(graph, &missing);
                missing.into_iter().map(|v| graph.neg(v)).collect()
            })
            .collect()
    }

    /// `[1 X^T] v`
    fn projected(&self, graph: &mut Graph, v: &[Value]) -> Vec<Value> {
        let left = v.len() - self.x.len();
        let mut sums = v[..left].to_vec();
        for (row, value) in self.x.iter().zip(&v[left..]) {
            for (sum, x) in sums.iter_mut().zip(row) {
                let term = graph.mul(*x, *value);
                *sum = graph.add(*sum, term);
            }
        }
        sums
    }
}

/// Whether two lists are equal as functions of the inputs.
fn agree(graph: &mut Graph, points: &Points, found: &[Value], stated: &[Value]) -> bool {
    found.len() == stated.len()
        && found.iter().zip(stated).all(|(a, b)| {
            let difference = graph.sub(*a, *b);
            !points.nonzero(graph, difference)
        })
}

/// M by rows, from the leaves of the tree to its root.
fn mass_matrix(graph: &mut Graph, way: &Stated, speeds: usize) -> Option<Vec<Value>> {
    // Accelerations, then as many reactions in the same order.
    let mut system = way.system.clone();
    system.rhs.clear();
    let steps = (system.len() - speeds) / 2;
    let mut order: Vec<usize> = (0..steps).collect();
    order.sort_by_key(|i| Reverse((system.unknowns[speeds + i].depth, *i)));
    let pairs = order.iter().map(|i| (speeds + i, speeds + steps + i));
    let pairs: Vec<(usize, usize)> = pairs.collect();
    let (points, prints) = (Points::new(0), Prints::new(0));
    let nonzero = |g: &Graph, v: Value| points.nonzero(g, v);
    let context = EliminationContext {
        prints: Some(&prints),
        ..EliminationContext::exact(&nonzero)
    };
    let left = solve::condense(graph, &system, &pairs, &context).ok()?;
    let zero = graph.zero();
    let entries = (0..speeds * speeds).map(|k| left.get(k / speeds, k % speeds));
    Some(entries.map(|entry| entry.unwrap_or(zero)).collect())
}
