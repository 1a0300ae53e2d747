//! Coordinates that constraints keep where they are: pitch, roll and height of a wagon that stands on four wheels. Wherever the constraints hold, their rates and
//! accelerations are zero, and what is turned by an angle of zero is not turned. Knows nothing of how that was found out.

use crate::elim::Matrix;
use crate::sym::{Algebra, Expr, Var};
use rustc_hash::FxHashMap;
use std::collections::{BTreeMap, BTreeSet};

/// What is zero where the constraints hold.
#[derive(Clone, Debug, Default)]
pub struct Still {
    /// The coordinates that do not move, by number, and whether they are zero themselves.
    coordinates: BTreeMap<usize, bool>,
    /// Zero for the symbols of what is.
    zero: BTreeMap<Var, Expr>,
    /// The speeds, by number, whose rates are zero for that alone.
    speeds: BTreeSet<usize>,
}

impl Still {
    /// Coordinates that do not move, by number: each with whether it is zero itself, and the symbols of what is zero.
    pub fn of(list: impl IntoIterator<Item = (usize, bool, Vec<Var>)>) -> Self {
        let mut found = Self::default();
        for (coordinate, zero, symbols) in list {
            found.coordinates.insert(coordinate, zero);
            found
                .zero
                .extend(symbols.into_iter().map(|v| (v, Expr::zero())));
        }
        found
    }

    /// Whether nothing is.
    pub fn is_empty(&self) -> bool {
        self.zero.is_empty()
    }

    /// The coordinates that do not move, and whether they are zero themselves.
    pub fn coordinates(&self) -> impl Iterator<Item = (usize, bool)> {
        self.coordinates.iter().map(|(c, zero)| (*c, *zero))
    }

    /// The symbols of what is zero.
    pub fn symbols(&self) -> impl Iterator<Item = Var> {
        self.zero.keys().copied()
    }

    /// An expression with zeros in their place.
    pub fn within(&self, alg: &mut Algebra, e: &Expr) -> Expr {
        if self.is_empty() || e.is_literal_zero() {
            return e.clone();
        }
        let e = alg.restrict(e, &self.zero, &mut FxHashMap::default());
        if alg.is_zero(&e) { Expr::zero() } else { e }
    }

    /// Rows that say of the coordinates' rates that they are zero.
    pub fn rows(&self, coordinates: usize) -> Matrix {
        let row = |c: usize| {
            let entry = |i: usize| Expr::int(i64::from(i == c));
            (0..coordinates).map(entry).collect()
        };
        self.coordinates.keys().map(|c| row(*c)).collect()
    }

    /// Notes which speeds these rows, in speeds of any kind, determine by themselves.
    pub fn note(&mut self, rows: &Matrix) {
        for row in rows {
            let mut held = row.iter().enumerate().filter(|(_, e)| !e.is_literal_zero());
            if let (Some((speed, _)), None) = (held.next(), held.next()) {
                self.speeds.insert(speed);
            }
        }
    }

    /// The speeds whose rates are zero.
    pub fn speeds(&self) -> impl Iterator<Item = usize> {
        self.speeds.iter().copied()
    }

    /// Whether the rate of a speed is zero.
    pub fn holds(&self, speed: usize) -> bool {
        self.speeds.contains(&speed)
    }
}
