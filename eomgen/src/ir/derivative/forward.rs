//! Forward accumulation: the derivatives of every instruction by the leaves it depends on, operands first.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

use super::super::Value;
use super::rules::Rule;
use super::{Obstacle, Sweep, routine};

/// Derivatives of one instruction: leaf to value, those that are identically zero left out.
pub(super) type Row = BTreeMap<usize, Value>;

/// All derivatives, row by row.
pub(super) fn sweep(
    s: &mut Sweep<'_>,
    live: &[Value],
    active: &[bool],
    roots: &[Value],
    leaves: &[Value],
) -> Result<Vec<Value>, Obstacle> {
    let mut rows: BTreeMap<Value, Row> = BTreeMap::new();
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
            Rule::Sum(list) => {
                let mut terms: BTreeMap<usize, Vec<(bool, Value)>> = BTreeMap::new();
                for (operand, weight) in list {
                    for (leaf, d) in rows.get(&operand).into_iter().flatten() {
                        let term = weight.times(s.graph, *d);
                        terms.entry(*leaf).or_default().push(term);
                    }
                }
                let sums = terms.into_iter().map(|(leaf, terms)| (leaf, s.sum(&terms)));
                let sums: Vec<(usize, Option<Value>)> = sums.collect();
                let kept = sums.into_iter().filter_map(|(leaf, d)| Some((leaf, d?)));
                kept.collect()
            }
            Rule::Choice {
                test: (test, left, right),
                then,
                other,
            } => {
                let zero = s.graph.zero();
                let of = |v: &Value, leaf: &usize| {
                    let found = rows.get(v).and_then(|row| row.get(leaf));
                    found.copied().unwrap_or(zero)
                };
                let empty = Row::new();
                let both = [&then, &other].map(|v| rows.get(v).unwrap_or(&empty));
                let mut all: Vec<usize> = both.iter().flat_map(|row| row.keys()).copied().collect();
                all.sort_unstable();
                all.dedup();
                let mut row = Row::new();
                for leaf in all {
                    let (yes, no) = (of(&then, &leaf), of(&other, &leaf));
                    let d = s.graph.select(test, left, right, yes, no);
                    if let Some(d) = s.kept(d) {
                        row.insert(leaf, d);
                    }
                }
                row
            }
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
