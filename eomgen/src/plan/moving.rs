//! Which given rates move which values, and what falls apart because of it: groups of rates that can be moved together, blocks of a mass matrix. Knows
//! dependence alone, and no numbers.

use super::group;
use crate::ir::{Graph, Op, Value};
use std::collections::BTreeMap;

/// Of some values, operands before what is made of them, the given rates that each depends on, in order.
pub(super) struct Entering {
    /// The lists that there are, each once for all that share it; the first is empty.
    lists: Vec<Vec<u32>>,
    /// The list of each value.
    of: Vec<u32>,
    /// Of each rate, the lists that it is in.
    holding: Vec<Vec<u32>>,
}

impl Entering {
    pub fn of(graph: &Graph, live: &[Value]) -> Self {
        let mut lists: Vec<Vec<u32>> = vec![Vec::new()];
        let mut known: Vec<u32> = vec![0; live.last().map_or(0, |last| last.index() + 1)];
        let mut of = Vec::with_capacity(live.len());
        for &value in live {
            let op = graph.op(value);
            let found = match op {
                Op::Input(slot) if slot.group == group::GIVEN => {
                    lists.push(vec![slot.index]);
                    lists.len() as u32 - 1
                }
                _ => {
                    let mut own: Vec<u32> = op.operands().map(|v| known[v.index()]).collect();
                    own.sort_unstable();
                    own.dedup();
                    let list = |k: &u32| &lists[*k as usize];
                    let longest = own.iter().copied().max_by_key(|k| list(k).len());
                    let longest = longest.unwrap_or(0);
                    let within = |k: &u32| {
                        let held = |j: &u32| list(&longest).binary_search(j).is_ok();
                        *k == longest || list(k).iter().all(held)
                    };
                    // Most of what is worked out depends on what one operand depends on: its list is shared.
                    if own.iter().all(within) {
                        longest
                    } else {
                        let rates = own.iter().flat_map(|k| list(k).iter().copied());
                        let mut all: Vec<u32> = rates.collect();
                        all.sort_unstable();
                        all.dedup();
                        lists.push(all);
                        lists.len() as u32 - 1
                    }
                }
            };
            known[value.index()] = found;
            of.push(found);
        }
        let rates = lists.iter().flatten().max().map_or(0, |last| last + 1);
        let mut holding = vec![Vec::new(); rates as usize];
        for (number, list) in lists.iter().enumerate() {
            list.iter()
                .for_each(|j| holding[*j as usize].push(number as u32));
        }
        Self { lists, of, holding }
    }

    /// The rates of the value in this place.
    pub fn at(&self, place: usize) -> &[u32] {
        &self.lists[self.of[place] as usize]
    }

    /// The places of values that depend on one of these rates.
    pub fn moved_by(&self, rates: &[bool]) -> Vec<usize> {
        let mut lists = vec![false; self.lists.len()];
        let moved = self.holding.iter().zip(rates).filter(|(_, moved)| **moved);
        for list in moved.flat_map(|(held, _)| held) {
            lists[*list as usize] = true;
        }
        let places = 0..self.of.len();
        places.filter(|at| lists[self.of[*at] as usize]).collect()
    }
}

/// Of each of so many columns, the rows that have it.
pub(super) fn by_column(rows: &[&[u32]], columns: usize) -> Vec<Vec<usize>> {
    let mut of_column: Vec<Vec<usize>> = vec![Vec::new(); columns];
    for (i, row) in rows.iter().enumerate() {
        for j in *row {
            of_column[*j as usize].push(i);
        }
    }
    of_column
}

/// Groups of columns, given by their rows, each column in one, of which no row has two.
pub(super) fn apart(columns: &[Vec<usize>], rows: usize) -> Vec<Vec<usize>> {
    let mut groups: Vec<Vec<usize>> = Vec::new();
    // Of each row the groups that one of its columns is in.
    let mut taken: Vec<Vec<usize>> = vec![Vec::new(); rows];
    for (j, own) in columns.iter().enumerate() {
        let free = |g: &usize| own.iter().all(|i| !taken[*i].contains(g));
        let place = (0..groups.len()).find(free).unwrap_or(groups.len());
        if place == groups.len() {
            groups.push(Vec::new());
        }
        groups[place].push(j);
        own.iter().for_each(|i| taken[*i].push(place));
    }
    groups
}

/// What a matrix, given by the rows of each column, falls apart into: equations that share no unknown.
pub(super) fn blocks(rows_of: &[Vec<usize>]) -> Vec<Vec<usize>> {
    let mut towards: Vec<usize> = (0..rows_of.len()).collect();
    let first = |towards: &mut [usize], mut i: usize| {
        while towards[i] != i {
            towards[i] = towards[towards[i]];
            i = towards[i];
        }
        i
    };
    for (j, rows) in rows_of.iter().enumerate() {
        for &i in rows {
            let [a, b] = [i, j].map(|k| first(&mut towards, k));
            towards[a.max(b)] = a.min(b);
        }
    }
    let mut blocks: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    for i in 0..rows_of.len() {
        blocks.entry(first(&mut towards, i)).or_default().push(i);
    }
    blocks.into_values().collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ir::Slot;

    #[test]
    fn rates_of_no_common_equation_are_moved_together() {
        let rows: [&[u32]; 3] = [&[0, 1], &[1], &[2]];
        let groups = apart(&by_column(&rows, 3), rows.len());
        assert_eq!(groups, [vec![0, 2], vec![1]]);
        let mut graph = Graph::new();
        let rates = [0, 1, 2].map(|index| {
            graph.input(Slot {
                group: group::GIVEN,
                index,
            })
        });
        let (sum, square) = (graph.add(rates[0], rates[2]), graph.mul(rates[1], rates[1]));
        let all = graph.mul(sum, square);
        assert_eq!(blocks(&by_column(&rows, 3)), [vec![0, 1], vec![2]]);
        let values = [sum, square, all, graph.one()];
        let live = graph.live(&values);
        let entering = Entering::of(&graph, &live);
        let place = |v: &Value| live.iter().position(|own| own == v).unwrap();
        let found = values.map(|v| entering.at(place(&v)));
        assert_eq!(found, [&[0, 2][..], &[1], &[0, 1, 2], &[]]);
        let moved: Vec<Value> = entering
            .moved_by(&[false, true, false])
            .into_iter()
            .map(|at| live[at])
            .collect();
        assert_eq!(moved, [rates[1], square, all]);
    }
}
