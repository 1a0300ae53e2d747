//! Reverse accumulation: for each root the derivatives of it by every instruction below, users first.

use std::collections::BTreeMap;

use super::super::Value;
use super::rules::Rule;
use super::{Obstacle, Sweep};

/// All derivatives, row by row. There are no routines among the active instructions.
pub(super) fn sweep(
    s: &mut Sweep<'_>,
    active: &[bool],
    roots: &[Value],
    leaves: &[Value],
) -> Result<Vec<Value>, Obstacle> {
    let mut entries = Vec::with_capacity(roots.len() * leaves.len());
    for root in roots {
        let live = s.graph.live(&[*root]);
        let mut terms: BTreeMap<Value, Vec<(bool, Value)>> = BTreeMap::new();
        terms.insert(*root, vec![(false, s.graph.one())]);
        let mut found: BTreeMap<Value, Value> = BTreeMap::new();
        for v in live.iter().rev().filter(|v| active[v.index()]) {
            let Some(list) = terms.remove(v) else {
                continue;
            };
            let Some(own) = s.sum(&list) else {
                continue;
            };
            if leaves.contains(v) {
                found.insert(*v, own);
                continue;
            }
            let mut push = |operand: Value, term: (bool, Value)| {
                if active[operand.index()] {
                    terms.entry(operand).or_default().push(term);
                }
            };
            match s.rules.of(s.graph, *v)? {
                Some(Rule::Sum(list)) => {
                    for (operand, weight) in list {
                        let term = weight.times(s.graph, own);
                        push(operand, term);
                    }
                }
                Some(Rule::Choice {
                    test: (test, left, right),
                    then,
                    other,
                }) => {
                    let zero = s.graph.zero();
                    let taken = s.graph.select(test, left, right, own, zero);
                    push(then, (false, taken));
                    let taken = s.graph.select(test, left, right, zero, own);
                    push(other, (false, taken));
                }
                Some(Rule::Element { .. }) | None => {}
            }
        }
        let zero = s.graph.zero();
        entries.extend(
            leaves
                .iter()
                .map(|leaf| found.get(leaf).copied().unwrap_or(zero)),
        );
    }
    Ok(entries)
}
