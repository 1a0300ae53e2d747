//! A sparse symmetric linear system as it comes from the equations of motion.

use std::collections::BTreeMap;

use crate::ir::{Graph, Value};

/// What an unknown is; all that `solve` knows of mechanics.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum UnknownKind {
    /// The rate of a speed or of a joint, `u'`. What remains on its diagonal when everything outboard has been eliminated is a
    /// positive articulated inertia, so a 1x1 pivot on it keeps the digits.
    Rate,
    /// A component of the acceleration of a point or of the angular acceleration of a body. The inertia of a small distal body is a
    /// poor pivot: its digits drown in those of its neighbours.
    Acceleration,
    /// The multiplier of a kinematic or constraint row. Its own diagonal entry is zero in the system as stated.
    Reaction,
}

/// One unknown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unknown {
    /// How messages and tables call it.
    pub name: String,
    /// What it is.
    pub kind: UnknownKind,
    /// How far from the base its body is, where there is such a thing; of equally cheap pivots the deepest goes first.
    pub depth: u32,
}

/// `A x = b` for one or more right-hand sides `b`, `A` symmetric and sparse.
#[derive(Clone, Debug, Default)]
pub struct SymmetricSystem {
    /// The unknowns, which are also the names of the rows.
    pub unknowns: Vec<Unknown>,
    /// `(i, j)` with `i <= j`; both triangles are implied, and what is absent is zero.
    entries: BTreeMap<(usize, usize), Value>,
    /// `rhs[k][i]` is row `i` of right-hand side `k`.
    pub rhs: Vec<Vec<Value>>,
    /// Whether the part of the matrix that belongs to accelerations and rates is certainly positive definite on all that the rows of the
    /// reactions allow.
    pub definite: bool,
    /// Where that part is certainly positive semidefinite as it stands: of each unknown whether it must be zero where the form vanishes.
    pub massive: Option<Vec<bool>>,
    /// So many of the last unknowns, multipliers all, are eliminated where all that their rows hold is gone, or after everything else, by 1x1 pivots that
    /// whoever uses the plan has to check: with M definite on what the other rows allow, these pivots vanish exactly where the rows depend on one another.
    pub checked: usize,
}

impl SymmetricSystem {
    /// A system without entries and without right-hand sides.
    pub fn new(unknowns: Vec<Unknown>) -> Self {
        Self {
            unknowns,
            entries: BTreeMap::new(),
            rhs: Vec::new(),
            definite: false,
            massive: None,
            checked: 0,
        }
    }

    /// The first of the unknowns whose pivots are checked; the number of all where there are none.
    pub fn first_checked(&self) -> usize {
        self.unknowns.len().saturating_sub(self.checked)
    }

    /// How many unknowns there are.
    pub fn len(&self) -> usize {
        self.unknowns.len()
    }

    /// Whether there is no unknown.
    pub fn is_empty(&self) -> bool {
        self.unknowns.is_empty()
    }

    /// Makes `value` the entry `(i, j)` and `(j, i)`.
    pub fn set(&mut self, i: usize, j: usize, value: Value) {
        self.entries.insert((i.min(j), i.max(j)), value);
    }

    /// Adds `value` to the entry `(i, j)`, which for `i != j` is also the entry `(j, i)`.
    pub fn add(&mut self, graph: &mut Graph, i: usize, j: usize, value: Value) {
        let sum = match self.get(i, j) {
            Some(entry) => graph.add(entry, value),
            None => value,
        };
        self.set(i, j, sum);
    }

    /// The entry `(i, j)`; `None` where nothing was set.
    pub fn get(&self, i: usize, j: usize) -> Option<Value> {
        self.entries.get(&(i.min(j), i.max(j))).copied()
    }

    /// All entries `(i, j, value)` with `i <= j`, in order.
    pub fn entries(&self) -> impl Iterator<Item = (usize, usize, Value)> + '_ {
        self.entries.iter().map(|(&(i, j), &value)| (i, j, value))
    }

    /// The same with all pivots alike.
    pub fn unchecked(&self) -> Self {
        Self {
            checked: 0,
            ..self.clone()
        }
    }

    /// All values in it.
    pub fn values(&self) -> Vec<Value> {
        let sides = self.rhs.iter().flatten();
        self.entries.values().chain(sides).copied().collect()
    }

    /// Puts others in the place of values.
    pub fn replace(&mut self, by: &BTreeMap<Value, Value>) {
        let all = self.entries.values_mut();
        for value in all.chain(self.rhs.iter_mut().flatten()) {
            *value = by.get(value).copied().unwrap_or(*value);
        }
    }

    /// Makes `value` row `i` of right-hand side `k`. Right-hand sides up to `k` come into being with it; their rows are 0 until set.
    pub fn set_rhs(&mut self, k: usize, i: usize, value: Value) {
        while self.rhs.len() <= k {
            // 0 is the same value in every graph.
            let zero = Graph::new().zero();
            self.rhs.push(vec![zero; self.unknowns.len()]);
        }
        self.rhs[k][i] = value;
    }
}
