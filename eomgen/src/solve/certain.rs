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
//! other; only the part of the new unknown counts. What is known of the parts is kept as they grow, so that a new member's own row settles most
//! cases: its row is set aside before all others or after them, and likewise what it moves.
//!
//! A pivot that is an acceleration or a rate, and which no row that is left holds, needs less: it is the energy of a motion
//! that A allows, hence positive wherever M is definite on these.

use super::means::{Calc, Means};
use super::system::{SymmetricSystem, UnknownKind};
use crate::ir::Value;

/// Parts of at most this many unknowns are looked at as a whole where what is known of their pieces does not settle it.
const WHOLE: usize = 48;

/// The sets eliminated so far, and what is known of the system as stated.
pub(super) struct Certain<'a> {
    system: &'a SymmetricSystem,
    /// Entries beside the diagonal, by row.
    entries: Vec<Vec<(usize, Value)>>,
    gone: Vec<bool>,
    /// Of what is gone the number of its part, or of a part that this one has become a piece of.
    part_of: Vec<usize>,
    parts: Vec<Part>,
    /// Columns by which a row that is gone was set aside.
    witness: Vec<bool>,
    /// Rows by which something without inertia is held.
    holder: Vec<bool>,
    /// What was found since the part of an unknown last grew.
    known: Vec<Option<bool>>,
}

/// A part of what has been eliminated that hangs together.
#[derive(Clone, Copy)]
struct Part {
    /// The larger one that it became a piece of, or itself.
    whole: usize,
    size: usize,
    /// Condition 1 has been shown.
    independent: bool,
    /// Condition 2 has been shown for an M that is semidefinite as stated.
    definite: bool,
    /// How often a row that is not in the part holds something in it.
    open: usize,
}

/// A part with new members, not yet entered.
struct Grown {
    pieces: Vec<usize>,
    part: Part,
    witnesses: Vec<usize>,
    holders: Vec<usize>,
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
        let size = system.len();
        Self {
            system,
            entries,
            gone: vec![false; size],
            part_of: vec![usize::MAX; size],
            parts: Vec::new(),
            witness: vec![false; size],
            holder: vec![false; size],
            known: vec![None; size],
        }
    }

    /// Records that the members of a pivot have been eliminated.
    pub fn eliminate(&mut self, calc: &mut Calc<'_>, means: &Means<'_>, members: &[usize]) {
        let grown = self.grown(calc, means, members);
        let number = self.parts.len();
        for piece in grown.pieces {
            self.parts[piece].whole = number;
        }
        self.parts.push(Part {
            whole: number,
            ..grown.part
        });
        for i in members {
            self.gone[*i] = true;
            self.part_of[*i] = number;
        }
        for z in grown.witnesses {
            self.witness[z] = true;
        }
        for row in grown.holders {
            self.holder[row] = true;
        }
    }

    /// The part that something that is gone is in.
    fn whole(&self, i: usize) -> usize {
        let mut at = self.part_of[i];
        while self.parts[at].whole != at {
            at = self.parts[at].whole;
        }
        at
    }

    /// What becomes of the parts that new members hang together with, by what is known of the parts and the members' own rows alone.
    fn grown(&self, calc: &mut Calc<'_>, means: &Means<'_>, members: &[usize]) -> Grown {
        let within = |i: usize| self.gone[i] || members.contains(&i);
        let mut pieces: Vec<usize> = Vec::new();
        for (j, _) in members.iter().flat_map(|i| &self.entries[*i]) {
            if self.gone[*j] {
                pieces.push(self.whole(*j));
            }
        }
        pieces.sort_unstable();
        pieces.dedup();
        let mut part = Part {
            whole: 0,
            size: members.len(),
            independent: true,
            definite: self.system.massive.is_some(),
            open: 0,
        };
        for piece in &pieces {
            let piece = &self.parts[*piece];
            part.size += piece.size;
            part.independent &= piece.independent;
            part.definite &= piece.definite;
            part.open += piece.open;
        }
        let (mut witnesses, mut holders) = (Vec::new(), Vec::new());
        for &row in members.iter().filter(|i| self.is_row(**i)) {
            let held = self.entries[row].iter().filter(|e| within(e.0));
            let held: Vec<(usize, Value)> = held.copied().collect();
            part.open -= held.iter().filter(|e| self.gone[e.0]).count();
            let alone = |z: usize| {
                let mut rows = self.entries[z].iter().map(|e| e.0);
                !rows.any(|other| other != row && self.is_row(other) && within(other))
            };
            let fresh: Vec<(usize, Value)> = held.iter().filter(|e| alone(e.0)).copied().collect();
            let used = |z: usize| self.witness[z] || witnesses.contains(&z);
            let last = !held.iter().any(|e| used(e.0));
            // Set aside before all others, or after them.
            let found = [Some(fresh), last.then_some(held)];
            let found = found
                .into_iter()
                .flatten()
                .find(|list| never_zero(calc, means, list.iter().map(|e| e.1)));
            match found {
                Some(list) => witnesses.extend(list.iter().map(|e| e.0)),
                None => part.independent = false,
            }
        }
        for &z in members.iter().filter(|i| !self.is_row(**i)) {
            let rows = self.entries[z].iter().filter(|e| self.is_row(e.0));
            let (held, free): (Vec<(usize, Value)>, Vec<(usize, Value)>) =
                rows.copied().partition(|e| within(e.0));
            part.open += free.len();
            let Some(massive) = &self.system.massive else {
                continue;
            };
            if massive[z] {
                continue;
            }
            let alone = |row: usize| {
                let mut others = self.entries[row].iter().map(|e| e.0);
                !others.any(|other| other != z && within(other) && !massive[other])
            };
            let first: Vec<(usize, Value)> = held.iter().filter(|e| alone(e.0)).copied().collect();
            let used = |row: usize| self.holder[row] || holders.contains(&row);
            let last = !held.iter().any(|e| used(e.0));
            // Held before all others, or after them.
            let found = [Some(first), last.then_some(held)];
            let found = found
                .into_iter()
                .flatten()
                .find(|list| never_zero(calc, means, list.iter().map(|e| e.1)));
            match found {
                Some(list) => holders.extend(list.iter().map(|e| e.0)),
                None => part.definite = false,
            }
        }
        Grown {
            pieces,
            part,
            witnesses,
            holders,
        }
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
        let part = self.grown(calc, means, &[i]).part;
        let closed = self.system.definite && part.open == 0;
        let found = part.independent && (part.definite || closed)
            || part.size <= WHOLE && self.is_regular(calc, means, i);
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
                if never_zero(calc, means, values) {
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
            if !never_zero(calc, means, values) {
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
fn never_zero(
    calc: &mut Calc<'_>,
    means: &Means<'_>,
    values: impl IntoIterator<Item = Value>,
) -> bool {
    let sure =
        |calc: &Calc<'_>, v: Value| means.pairs(calc.graph, v) || (means.sure)(calc.graph, v);
    let values: Vec<Value> = values.into_iter().collect();
    if values.iter().any(|v| sure(calc, *v)) {
        return true;
    }
    if values.len() < 2 {
        return false;
    }
    let mut sum = calc.graph.zero();
    for v in values {
        let square = calc.mul(v, v);
        sum = calc.add(sum, square);
    }
    sure(calc, sum)
}
