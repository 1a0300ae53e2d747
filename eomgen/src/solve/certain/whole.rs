//! The two conditions of [`certain`](super) shown for a part of the eliminated set as a whole.

use super::super::context::{Calc, EliminationContext};
use super::super::system::{SymmetricSystem, UnknownKind};
use crate::ir::Value;

/// A part of the eliminated set.
pub(super) struct Held<'a> {
    system: &'a SymmetricSystem,
    /// Entries beside the diagonal, by row.
    entries: &'a [Vec<(usize, Value)>],
    of_part: Vec<bool>,
}

impl<'a> Held<'a> {
    pub fn new(
        system: &'a SymmetricSystem,
        entries: &'a [Vec<(usize, Value)>],
        part: &[usize],
    ) -> Self {
        let mut of_part = vec![false; system.len()];
        for i in part {
            of_part[*i] = true;
        }
        Self {
            system,
            entries,
            of_part,
        }
    }

    /// Condition 2.
    pub fn is_definite(
        &self,
        calc: &mut Calc<'_>,
        context: &EliminationContext<'_>,
        rows: &[usize],
        columns: &[usize],
    ) -> bool {
        let system = self.system;
        let closed = || {
            columns.iter().all(|z| {
                let mut others = self.entries[*z].iter();
                others.all(|(j, _)| {
                    self.system.unknowns[*j].kind != UnknownKind::Reaction || self.of_part[*j]
                })
            })
        };
        if system.definite && closed() {
            return true;
        }
        let Some(massive) = &system.massive else {
            return false;
        };
        let mut open = vec![false; system.len()];
        for z in columns {
            open[*z] = !massive[*z];
        }
        loop {
            // What each open column is held by, alone among the open ones.
            let mut held: Vec<(usize, Vec<Value>)> = Vec::new();
            for row in rows {
                let mut free = self.entries[*row].iter().filter(|(z, _)| open[*z]);
                if let (Some(&(z, value)), None) = (free.next(), free.next()) {
                    match held.iter_mut().find(|h| h.0 == z) {
                        Some(h) => h.1.push(value),
                        None => held.push((z, vec![value])),
                    }
                }
            }
            let mut found = false;
            for (z, values) in held {
                if context.not_all_zero(calc, values) {
                    open[z] = false;
                    found = true;
                }
            }
            if !columns.iter().any(|z| open[*z]) {
                return true;
            }
            if !found {
                return false;
            }
        }
    }

    /// Condition 1.
    pub fn is_independent(
        &self,
        calc: &mut Calc<'_>,
        context: &EliminationContext<'_>,
        rows: &[usize],
        columns: &[usize],
    ) -> bool {
        let size = self.system.len();
        let mut left = vec![false; size];
        for row in rows {
            left[*row] = true;
        }
        let mut count = rows.len();
        let holders = |left: &[bool], z: usize| -> Vec<(usize, Value)> {
            let entries = self.entries[z].iter();
            entries.filter(|(row, _)| left[*row]).copied().collect()
        };
        let mut queue: Vec<usize> = columns.to_vec();
        while count > 0 {
            let mut again = Vec::new();
            let before = count;
            // A column that one row holds.
            while let Some(z) = queue.pop() {
                let found = holders(&left, z);
                if let [(row, value)] = found[..]
                    && context.is_never_zero(calc.graph, value)
                {
                    left[row] = false;
                    count -= 1;
                    let touched = self.entries[row].iter().map(|e| e.0);
                    queue.extend(touched.filter(|z| self.of_part[*z]));
                } else if !found.is_empty() && found.len() <= 3 {
                    again.push(z);
                }
            }
            if count == 0 {
                return true;
            }
            // Rows that are orthogonal on columns of their own.
            for z in &again {
                let found = holders(&left, *z);
                if found.is_empty() {
                    continue;
                }
                let group: Vec<usize> = found.iter().map(|h| h.0).collect();
                if self.is_orthogonal(calc, context, &left, &group) {
                    for row in &group {
                        left[*row] = false;
                        count -= 1;
                        let touched = self.entries[*row].iter().map(|e| e.0);
                        queue.extend(touched.filter(|z| self.of_part[*z]));
                    }
                    break;
                }
            }
            if count == before {
                return false;
            }
        }
        true
    }

    /// Whether rows are orthogonal, and never zero, on the columns that no other row that is left holds.
    fn is_orthogonal(
        &self,
        calc: &mut Calc<'_>,
        context: &EliminationContext<'_>,
        left: &[bool],
        group: &[usize],
    ) -> bool {
        let entry = |row: usize, z: usize| {
            let found = self.entries[row].iter().find(|e| e.0 == z);
            found.map(|e| e.1)
        };
        let mut own: Vec<usize> = Vec::new();
        for row in group {
            for &(z, _) in &self.entries[*row] {
                let mut holders = self.entries[z].iter().filter(|h| left[h.0]);
                if self.of_part[z] && !own.contains(&z) && holders.all(|h| group.contains(&h.0)) {
                    own.push(z);
                }
            }
        }
        for (n, first) in group.iter().enumerate() {
            let values: Vec<Value> = own.iter().filter_map(|z| entry(*first, *z)).collect();
            if !context.not_all_zero(calc, values) {
                return false;
            }
            for second in &group[n + 1..] {
                let mut sum = calc.graph.zero();
                for z in &own {
                    if let (Some(a), Some(b)) = (entry(*first, *z), entry(*second, *z)) {
                        let product = calc.mul(a, b);
                        sum = calc.add(sum, product);
                    }
                }
                if !calc.graph.is_zero(sum) && (context.nonzero)(calc.graph, sum) {
                    return false;
                }
            }
        }
        true
    }
}
