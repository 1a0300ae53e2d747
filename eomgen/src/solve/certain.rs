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
//! Rows whose pivots are checked have no part in this: they are eliminated after everything else, or else where
//!
//! 3. all that they hold is gone, and
//! 4. L, cut down to what none of them holds, is independent.
//!
//! What they hold may then change in any way, so that their own independence is all that their pivots, and those after them, need beside.
//!
//! A pivot that is an acceleration or a rate, and which no row that is left holds, needs less: it is the energy of a motion
//! that A allows, hence positive wherever M is definite on these.

use std::cmp::Reverse;

use super::context::{Calc, EliminationContext};
use super::system::{SymmetricSystem, UnknownKind};
use crate::ir::Value;
use whole::Held;

mod whole;

/// Parts of at most this many unknowns are looked at as a whole where what is known of their pieces does not settle it.
const WHOLE: usize = 1_000;

/// The sets eliminated so far, and what is known of the system as stated.
pub(super) struct Certain<'a> {
    pub system: &'a SymmetricSystem,
    /// Entries beside the diagonal, by row.
    pub entries: Vec<Vec<(usize, Value)>>,
    /// Whether rows of reactions hold no reactions, as the argument needs.
    stated: bool,
    gone: Vec<bool>,
    /// Of what is gone the number of its part, or of a part that this one has become a piece of.
    part_of: Vec<usize>,
    parts: Vec<Part>,
    /// For each row that is gone the columns by which it is set aside.
    witness: Uses,
    /// For each unknown without inertia that is gone the rows that hold it.
    holder: Uses,
    /// What was found since the part of an unknown last grew.
    known: Vec<Option<bool>>,
    /// What each of the rows holds whose pivots are checked, and whether it is gone.
    checked: Vec<(Vec<usize>, bool)>,
}

/// Entries of a row or column.
type Entries = Vec<(usize, Value)>;

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
    witness: Changes,
    holder: Changes,
}

/// What is used for what: entries by their users, and the user of each entry.
struct Uses {
    of: Vec<Vec<usize>>,
    user: Vec<Option<usize>>,
}

/// Users with the entries that they use from now on.
#[derive(Default)]
struct Changes(Vec<(usize, Vec<usize>)>);

impl Uses {
    fn new(size: usize) -> Self {
        Self {
            of: vec![Vec::new(); size],
            user: vec![None; size],
        }
    }

    fn make(&mut self, changes: Changes) {
        for (user, entries) in changes.0 {
            for entry in std::mem::take(&mut self.of[user]) {
                if self.user[entry] == Some(user) {
                    self.user[entry] = None;
                }
            }
            for entry in &entries {
                self.user[*entry] = Some(user);
            }
            self.of[user] = entries;
        }
    }

    /// Whether an entry is in use once the changes are made.
    fn in_use(&self, changes: &Changes, entry: usize) -> bool {
        let changed = |user: usize| changes.0.iter().any(|c| c.0 == user);
        changes.0.iter().any(|c| c.1.contains(&entry))
            || self.user[entry].is_some_and(|user| !changed(user))
    }
}

impl<'a> Certain<'a> {
    pub fn new(
        system: &'a SymmetricSystem,
        context: &EliminationContext<'_>,
        calc: &Calc<'_>,
    ) -> Self {
        let mut entries = vec![Vec::new(); system.len()];
        let is_row = |i: usize| system.unknowns[i].kind == UnknownKind::Reaction;
        let first_checked = system.first_checked();
        let mut checked = vec![(Vec::new(), false); system.checked];
        let mut stated = true;
        for (i, j, value) in system.entries() {
            let zero = match calc.graph.as_rational(value) {
                Some(_) => calc.graph.is_zero(value),
                None => !(context.nonzero)(calc.graph, value),
            };
            stated &= zero || !(is_row(i) && is_row(j));
            // Rows whose pivots are checked have no part in this: M is definite without them.
            if i == j || zero {
                continue;
            }
            if j < first_checked {
                entries[i].push((j, value));
                entries[j].push((i, value));
            } else if i < first_checked {
                checked[j - first_checked].0.push(i);
            }
        }
        let size = system.len();
        Self {
            system,
            entries,
            stated,
            gone: vec![false; size],
            part_of: vec![usize::MAX; size],
            parts: Vec::new(),
            witness: Uses::new(size),
            holder: Uses::new(size),
            known: vec![None; size],
            checked,
        }
    }

    /// Whether a row whose pivot is checked may be eliminated now.
    pub fn admits(
        &self,
        calc: &mut Calc<'_>,
        context: &EliminationContext<'_>,
        row: usize,
    ) -> bool {
        let held = &self.checked[row - self.system.first_checked()].0;
        held.iter().all(|i| self.gone[*i])
            && !held.is_empty()
            && self.stated
            && self.system.definite
            && self.leaves_free(calc, context, held)
    }

    /// Records that a row whose pivot is checked has been eliminated.
    pub fn take_checked(&mut self, row: usize) {
        self.checked[row - self.system.first_checked()].1 = true;
    }

    /// Condition 4 for the part of these, and all that checked rows that are gone hold there.
    fn leaves_free(
        &self,
        calc: &mut Calc<'_>,
        context: &EliminationContext<'_>,
        from: &[usize],
    ) -> bool {
        let mut seeds = from.to_vec();
        let mut free: Vec<bool> = vec![false; self.system.len()];
        for i in from.iter().filter(|i| !self.is_row(**i)) {
            free[*i] = true;
        }
        let part = loop {
            let part = self.part_of_all(&seeds);
            let taken = self.checked.iter().filter(|of| of.1);
            let near = taken.filter(|of| of.0.iter().any(|i| part.binary_search(i).is_ok()));
            let more: Vec<usize> = near
                .flat_map(|of| of.0.iter().copied())
                .filter(|i| !free[*i])
                .collect();
            if more.is_empty() {
                break part;
            }
            for i in more {
                free[i] = true;
                seeds.push(i);
            }
        };
        if part.len() > WHOLE {
            return false;
        }
        let (rows, columns): (Vec<usize>, Vec<usize>) =
            part.iter().copied().partition(|i| self.is_row(*i));
        let columns: Vec<usize> = columns.into_iter().filter(|i| !free[*i]).collect();
        let within: Vec<usize> = part.iter().copied().filter(|i| !free[*i]).collect();
        let held = Held::new(self.system, &self.entries, &within);
        held.is_independent(calc, context, &rows, &columns)
    }

    /// Records that the members of a pivot have been eliminated.
    pub fn eliminate(
        &mut self,
        calc: &mut Calc<'_>,
        context: &EliminationContext<'_>,
        members: &[usize],
    ) {
        let grown = self.grown(calc, context, members);
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
        self.witness.make(grown.witness);
        self.holder.make(grown.holder);
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
    fn grown(
        &self,
        calc: &mut Calc<'_>,
        context: &EliminationContext<'_>,
        members: &[usize],
    ) -> Grown {
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
        let mut grown = Grown {
            pieces,
            part,
            witness: Changes::default(),
            holder: Changes::default(),
        };
        self.grow_independent(calc, context, members, &mut grown);
        self.grow_definite(calc, context, members, &mut grown);
        grown
    }

    /// Condition 1 with the new members.
    fn grow_independent(
        &self,
        calc: &mut Calc<'_>,
        context: &EliminationContext<'_>,
        members: &[usize],
        grown: &mut Grown,
    ) {
        let within = |i: usize| self.gone[i] || members.contains(&i);
        // A row that alone holds a new column is set aside before all others by it.
        for &z in members.iter().filter(|i| !self.is_row(**i)) {
            let rows = self.entries[z].iter().filter(|e| within(e.0));
            let mut rows = rows.filter(|e| self.is_row(e.0));
            if let (Some(&(row, value)), None) = (rows.next(), rows.next())
                && self.gone[row]
                && context.is_never_zero(calc.graph, value)
            {
                grown.witness.0.push((row, vec![z]));
            }
        }
        for &row in members.iter().filter(|i| self.is_row(**i)) {
            let held = self.entries[row].iter();
            let held = held.filter(|e| within(e.0) && !self.is_row(e.0));
            let held: Vec<(usize, Value)> = held.copied().collect();
            grown.part.open -= held.iter().filter(|e| self.gone[e.0]).count();
            let alone = |z: usize| {
                let mut rows = self.entries[z].iter().map(|e| e.0);
                !rows.any(|other| other != row && self.is_row(other) && within(other))
            };
            let fresh: Vec<(usize, Value)> = held.iter().filter(|e| alone(e.0)).copied().collect();
            let last = !held
                .iter()
                .any(|e| self.witness.in_use(&grown.witness, e.0));
            // Set aside before all others, or after them.
            let found = [Some(fresh), last.then_some(held)];
            let mut found = found.into_iter().flatten();
            match found.find_map(|list| self.proof(calc, context, list)) {
                Some(list) => grown.witness.0.push((row, list)),
                None => grown.part.independent = false,
            }
        }
    }

    /// Condition 2 with the new members, and how many rows hold something in the part from outside.
    fn grow_definite(
        &self,
        calc: &mut Calc<'_>,
        context: &EliminationContext<'_>,
        members: &[usize],
        grown: &mut Grown,
    ) {
        let within = |i: usize| self.gone[i] || members.contains(&i);
        let none = Vec::new();
        let massive = self.system.massive.as_ref().unwrap_or(&none);
        let light = |z: usize| massive.get(z).is_some_and(|massive| !massive);
        // What a new row holds alone is held by it before all others.
        for &row in members.iter().filter(|i| self.is_row(**i)) {
            let held = self.entries[row].iter();
            let mut held = held.filter(|e| within(e.0) && light(e.0));
            if let (Some(&(z, value)), None) = (held.next(), held.next())
                && self.gone[z]
                && context.is_never_zero(calc.graph, value)
            {
                grown.holder.0.push((z, vec![row]));
            }
        }
        for &z in members.iter().filter(|i| !self.is_row(**i)) {
            let rows = self.entries[z].iter().filter(|e| self.is_row(e.0));
            let (held, free): (Entries, Entries) = rows.copied().partition(|e| within(e.0));
            grown.part.open += free.len();
            if !light(z) {
                continue;
            }
            let alone = |row: usize| {
                let mut others = self.entries[row].iter().map(|e| e.0);
                !others.any(|other| other != z && within(other) && light(other))
            };
            let first: Vec<(usize, Value)> = held.iter().filter(|e| alone(e.0)).copied().collect();
            let last = !held.iter().any(|e| self.holder.in_use(&grown.holder, e.0));
            // Held before all others, or after them.
            let found = [Some(first), last.then_some(held)];
            let mut found = found.into_iter().flatten();
            match found.find_map(|list| self.proof(calc, context, list)) {
                Some(list) => grown.holder.0.push((z, list)),
                None => grown.part.definite = false,
            }
        }
    }

    /// Which of the entries show that not all of them vanish at once: of those that never do one of the deepest, else all.
    fn proof(
        &self,
        calc: &mut Calc<'_>,
        context: &EliminationContext<'_>,
        list: Vec<(usize, Value)>,
    ) -> Option<Vec<usize>> {
        let depth = |i: usize| Reverse(self.system.unknowns[i].depth);
        let mut sorted = list.clone();
        sorted.sort_by_key(|e| (depth(e.0), self.entries[e.0].len(), e.0));
        let values: Vec<Value> = sorted.iter().map(|e| e.1).collect();
        if let Some(at) = context.first_never_zero(calc.graph, &values) {
            return Some(vec![sorted[at].0]);
        }
        let shown = context.not_all_zero(calc, list.iter().map(|e| e.1));
        shown.then(|| list.into_iter().map(|e| e.0).collect())
    }

    /// Forgets what was found of unknowns whose rows have changed: their parts have grown.
    pub fn forget(&mut self, touched: &[usize]) {
        for i in touched {
            self.known[*i] = None;
        }
    }

    pub fn is_row(&self, i: usize) -> bool {
        self.system.unknowns[i].kind == UnknownKind::Reaction
    }

    /// Whether a 1x1 pivot on `i` never vanishes; `tied` says whether a row that is left holds it.
    pub fn proves(
        &mut self,
        calc: &mut Calc<'_>,
        context: &EliminationContext<'_>,
        i: usize,
        tied: bool,
    ) -> bool {
        if !self.stated {
            return false;
        }
        if self.system.definite && !self.is_row(i) && !tied {
            return true;
        }
        if let Some(known) = self.known[i] {
            return known;
        }
        let part = self.grown(calc, context, &[i]).part;
        let closed = self.system.definite && part.open == 0;
        let found = part.independent && (part.definite || closed)
            || part.size <= WHOLE && self.is_regular(calc, context, i);
        let taken = || self.checked.iter().any(|of| of.1);
        let found = found && (!self.is_row(i) || !taken() || self.leaves_free(calc, context, &[i]));
        self.known[i] = Some(found);
        found
    }

    fn is_regular(&self, calc: &mut Calc<'_>, context: &EliminationContext<'_>, i: usize) -> bool {
        let part = self.part(i);
        let (rows, columns): (Vec<usize>, Vec<usize>) =
            part.iter().copied().partition(|i| self.is_row(*i));
        let held = Held::new(self.system, &self.entries, &part);
        held.is_definite(calc, context, &rows, &columns)
            && held.is_independent(calc, context, &rows, &columns)
    }

    /// What hangs together with `i` through what has been eliminated.
    fn part(&self, i: usize) -> Vec<usize> {
        self.part_of_all(&[i])
    }

    fn part_of_all(&self, seeds: &[usize]) -> Vec<usize> {
        let mut seen = vec![false; self.system.len()];
        seeds.iter().for_each(|i| seen[*i] = true);
        let (mut part, mut next) = (seeds.to_vec(), 0);
        while let Some(&at) = part.get(next) {
            next += 1;
            for &(j, _) in &self.entries[at] {
                if self.gone[j] && !std::mem::replace(&mut seen[j], true) {
                    part.push(j);
                }
            }
        }
        part.sort_unstable();
        part.dedup();
        part
    }
}
