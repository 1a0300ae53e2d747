//! Which pivots cannot vanish at any state, by the structure of the system.
//!
//! Let `K = [M A^T; A 0]` be the system as stated, M over the accelerations and rates, A the rows of the reactions. A pivot after the set E
//! has been eliminated is `det K_SS / det K_EE`, S being E and the new unknown. So it does not vanish if `K_SS` is regular, whatever the order in
//! which S is eliminated. With Z and L the accelerations and the reactions in S, `K_SS` is regular if
//!
//! 1. the rows L of A, cut down to Z, are independent, and
//! 2. M is positive definite on the z in Z that these rows allow.
//!
//! Both are shown by peeling. For 1: a column that only one row holds, with a coefficient that never vanishes, proves this row independent of the
//! others, and the row is set aside; so do several rows that are orthogonal on columns which no other row holds. For 2, one of
//! these: M is positive semidefinite as stated, and what moves without inertia (its columns cut down to L) is held by rows one by one; or
//! M is definite on all that A allows, and no row outside L holds anything in Z. `K_SS` falls into parts that have nothing to do with each
//! other; only the part of the new unknown counts.
//!
//! A pivot that is an acceleration or a rate, and which no row that is left holds, needs less: it is the energy of a motion
//! that A allows, hence positive wherever M is definite on these.

use super::means::{Calc, Means};
use super::system::{SymmetricSystem, UnknownKind};
use crate::ir::Value;

/// The sets eliminated so far, and what is known of the system as stated.
pub(super) struct Certain<'a> {
    system: &'a SymmetricSystem,
    /// Entries beside the diagonal, by row.
    entries: Vec<Vec<(usize, Value)>>,
    gone: Vec<bool>,
    /// What was found since the part of an unknown last grew.
    known: Vec<Option<bool>>,
}

impl<'a> Certain<'a> {
    pub fn new(system: &'a SymmetricSystem, means: &Means<'_>, calc: &Calc<'_>) -> Self {
        let mut entries = vec![Vec::new(); system.len()];
        for (i, j, value) in system.entries() {
            if i != j && (means.nonzero)(calc.graph, value) {
                entries[i].push((j, value));
                entries[j].push((i, value));
            }
        }
        Self {
            system,
            entries,
            gone: vec![false; system.len()],
            known: vec![None; system.len()],
        }
    }

    /// Records that an unknown has been eliminated.
    pub fn eliminate(&mut self, i: usize) {
        self.gone[i] = true;
    }

    /// Forgets what was found of unknowns whose rows have changed: their parts have grown.
    pub fn forget(&mut self, touched: &[usize]) {
        for i in touched {
            self.known[*i] = None;
        }
    }

    fn is_row(&self, i: usize) -> bool {
        self.system.unknowns[i].kind == UnknownKind::Reaction
    }

    /// Whether a 1x1 pivot on `i` never vanishes; `tied` says whether a row that is left holds it.
    pub fn proves(
        &mut self,
        calc: &mut Calc<'_>,
        means: &Means<'_>,
        i: usize,
        tied: bool,
    ) -> bool {
        if self.system.definite && !self.is_row(i) && !tied {
            return true;
        }
        if let Some(known) = self.known[i] {
            return known;
        }
        let found = self.is_regular(calc, means, i);
        self.known[i] = Some(found);
        found
    }

    fn is_regular(&self, calc: &mut Calc<'_>, means: &Means<'_>, i: usize) -> bool {
        let part = self.part(i);
        let (rows, columns): (Vec<usize>, Vec<usize>) =
            part.iter().copied().partition(|i| self.is_row(*i));
        let mut of_part = vec![false; self.system.len()];
        for i in &part {
            of_part[*i] = true;
        }
        let held = Held {
            certain: self,
            of_part,
        };
        held.is_definite(calc, means, &rows, &columns)
            && held.is_independent(calc, means, &rows, &columns)
    }

    /// What hangs together with `i` through what has been eliminated.
    fn part(&self, i: usize) -> Vec<usize> {
        let mut seen = vec![false; self.system.len()];
        seen[i] = true;
        let (mut part, mut next) = (vec![i], 0);
        while let Some(&at) = part.get(next) {
            next += 1;
            for &(j, _) in &self.entries[at] {
                if self.gone[j] && !std::mem::replace(&mut seen[j], true) {
                    part.push(j);
                }
            }
        }
        part.sort_unstable();
        part
    }
}

/// A part of the eliminated set.
struct Held<'c, 'a> {
    certain: &'c Certain<'a>,
    of_part: Vec<bool>,
}

impl Held<'_, '_> {
    /// Condition 2.
    fn is_definite(
        &self,
        calc: &mut Calc<'_>,
        means: &Means<'_>,
        rows: &[usize],
        columns: &[usize],
    ) -> bool {
        let system = self.certain.system;
        let closed = || {
            columns.iter().all(|z| {
                let mut others = self.certain.entries[*z].iter();
                others.all(|(j, _)| !self.certain.is_row(*j) || self.of_part[*j])
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
                let mut free = self.certain.entries[*row].iter().filter(|(z, _)| open[*z]);
                if let (Some(&(z, value)), None) = (free.next(), free.next()) {
                    match held.iter_mut().find(|h| h.0 == z) {
                        Some(h) => h.1.push(value),
                        None => held.push((z, vec![value])),
                    }
                }
            }
            let mut found = false;
            for (z, values) in held {
                if never_zero(calc, means, &values) {
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
    fn is_independent(
        &self,
        calc: &mut Calc<'_>,
        means: &Means<'_>,
        rows: &[usize],
        columns: &[usize],
    ) -> bool {
        let size = self.certain.system.len();
        let mut left = vec![false; size];
        for row in rows {
            left[*row] = true;
        }
        let mut count = rows.len();
        let holders = |left: &[bool], z: usize| -> Vec<(usize, Value)> {
            let entries = self.certain.entries[z].iter();
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
                    && (means.pairs(calc.graph, value) || (means.sure)(calc.graph, value))
                {
                    left[row] = false;
                    count -= 1;
                    let touched = self.certain.entries[row].iter().map(|e| e.0);
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
                if self.is_orthogonal(calc, means, &left, &group) {
                    for row in &group {
                        left[*row] = false;
                        count -= 1;
                        let touched = self.certain.entries[*row].iter().map(|e| e.0);
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
        means: &Means<'_>,
        left: &[bool],
        group: &[usize],
    ) -> bool {
        let entry = |row: usize, z: usize| {
            let found = self.certain.entries[row].iter().find(|e| e.0 == z);
            found.map(|e| e.1)
        };
        let mut own: Vec<usize> = Vec::new();
        for row in group {
            for &(z, _) in &self.certain.entries[*row] {
                let mut holders = self.certain.entries[z].iter().filter(|h| left[h.0]);
                if self.of_part[z] && !own.contains(&z) && holders.all(|h| group.contains(&h.0)) {
                    own.push(z);
                }
            }
        }
        for (n, first) in group.iter().enumerate() {
            let values: Vec<Value> = own.iter().filter_map(|z| entry(*first, *z)).collect();
            if !never_zero(calc, means, &values) {
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
                if !calc.graph.is_zero(sum) && (means.nonzero)(calc.graph, sum) {
                    return false;
                }
            }
        }
        true
    }
}

/// Whether not all of the values can vanish at once: one never does, or the sum of their squares never does.
fn never_zero(calc: &mut Calc<'_>, means: &Means<'_>, values: &[Value]) -> bool {
    let sure = |calc: &Calc<'_>, v: Value| {
        means.pairs(calc.graph, v) || (means.sure)(calc.graph, v)
    };
    if values.iter().any(|v| sure(calc, *v)) {
        return true;
    }
    if values.len() < 2 {
        return false;
    }
    let mut sum = calc.graph.zero();
    for v in values {
        let square = calc.mul(*v, *v);
        sum = calc.add(sum, square);
    }
    sure(calc, sum)
}
