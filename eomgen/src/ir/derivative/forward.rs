//! Forward accumulation: the derivatives of every instruction by the leaves it depends on, operands first.

use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet};

use super::super::Value;
use super::rules::{Rule, Weight};
use super::{Obstacle, Row, Rows, Sweep, routine};
use crate::ir::Comparison;

/// All derivatives, row by row.
pub(super) fn sweep(
    s: &mut Sweep<'_>,
    live: &[Value],
    active: &[bool],
    roots: &[Value],
    leaves: &[Value],
) -> Result<Vec<Value>, Obstacle> {
    let mut rows = Rows::new();
    let mut routines: routine::Solved = BTreeMap::new();
    for v in live.iter().filter(|v| active[v.index()]) {
        // A leaf is independent of all others, be it computed or not.
        if let Some(leaf) = leaves.iter().position(|leaf| leaf == v) {
            rows.insert(*v, Row::from([(leaf, s.graph.one())]));
            continue;
        }
        let Some(rule) = s.rules.of(s.graph, *v)? else {
            continue;
        };
        let row = match rule {
            Rule::Sum(list) => sum(s, &rows, &list),
            Rule::Choice { test, then, other } => choice(s, &rows, test, then, other),
            Rule::Element { routine, index } => {
                if let Entry::Vacant(place) = routines.entry(routine) {
                    place.insert(routine::solve(s, routine, &rows));
                }
                routine::row(&routines, routine, index)
            }
        };
        rows.insert(*v, row);
    }
    let zero = s.graph.zero();
    let mut entries = Vec::with_capacity(roots.len() * leaves.len());
    for root in roots {
        let row = rows.get(root);
        for leaf in 0..leaves.len() {
            let d = row.and_then(|row| row.get(&leaf));
            entries.push(d.copied().unwrap_or(zero));
        }
    }
    Ok(entries)
}

/// The derivatives of a sum of weighted operands.
fn sum(s: &mut Sweep<'_>, rows: &Rows, list: &[(Value, Weight)]) -> Row {
    let mut terms: BTreeMap<usize, Vec<(bool, Value)>> = BTreeMap::new();
    for (operand, weight) in list {
        for (leaf, d) in rows.get(operand).into_iter().flatten() {
            let term = weight.times(s.graph, *d);
            terms.entry(*leaf).or_default().push(term);
        }
    }
    let sums = terms.into_iter().map(|(leaf, terms)| (leaf, s.sum(&terms)));
    sums.filter_map(|(leaf, d)| Some((leaf, d?))).collect()
}

/// The derivatives of a choice between two operands.
fn choice(
    s: &mut Sweep<'_>,
    rows: &Rows,
    (test, left, right): (Comparison, Value, Value),
    then: Value,
    other: Value,
) -> Row {
    let empty = Row::new();
    let [yes, no] = [then, other].map(|v| rows.get(&v).unwrap_or(&empty));
    let leaves: BTreeSet<usize> = yes.keys().chain(no.keys()).copied().collect();
    let mut row = Row::new();
    for leaf in leaves {
        let zero = s.graph.zero();
        let [yes, no] = [yes, no].map(|row| row.get(&leaf).copied().unwrap_or(zero));
        let d = s.graph.select(test, left, right, yes, no);
        if let Some(d) = s.kept(d) {
            row.insert(leaf, d);
        }
    }
    row
}
