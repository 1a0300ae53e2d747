//! What is left of a symmetric matrix while it is being eliminated.

use std::collections::BTreeMap;

use crate::ir::Value;

/// The part that has not been eliminated; both triangles are stored, zeros are not.
#[derive(Clone, Debug, Default)]
pub(super) struct Matrix {
    diagonal: Vec<Option<Value>>,
    rows: Vec<BTreeMap<usize, Value>>,
}

impl Matrix {
    /// The zero matrix.
    pub fn new(size: usize) -> Self {
        Self {
            diagonal: vec![None; size],
            rows: vec![BTreeMap::new(); size],
        }
    }

    pub fn get(&self, i: usize, j: usize) -> Option<Value> {
        if i == j {
            self.diagonal[i]
        } else {
            self.rows[i].get(&j).copied()
        }
    }

    /// Sets both triangles.
    pub fn put(&mut self, i: usize, j: usize, value: Option<Value>) {
        if i == j {
            self.diagonal[i] = value;
            return;
        }
        for (row, column) in [(i, j), (j, i)] {
            match value {
                Some(value) => self.rows[row].insert(column, value),
                None => self.rows[row].remove(&column),
            };
        }
    }

    /// Row `i` without its diagonal entry.
    pub fn row(&self, i: usize) -> &BTreeMap<usize, Value> {
        &self.rows[i]
    }

    /// How many entries row `i` has beside its diagonal.
    pub fn degree(&self, i: usize) -> usize {
        self.rows[i].len()
    }

    /// Takes row and column `i` out and returns its diagonal entry and the others.
    pub fn take(&mut self, i: usize) -> (Option<Value>, BTreeMap<usize, Value>) {
        let row = std::mem::take(&mut self.rows[i]);
        for &j in row.keys() {
            self.rows[j].remove(&i);
        }
        (self.diagonal[i].take(), row)
    }

    /// Sets of unknowns that have nothing to do with each other, each in increasing order, ordered by their first members.
    pub fn components(&self) -> Vec<Vec<usize>> {
        let mut seen = vec![false; self.rows.len()];
        let mut components = Vec::new();
        for start in 0..self.rows.len() {
            if std::mem::replace(&mut seen[start], true) {
                continue;
            }
            let (mut component, mut next) = (vec![start], 0);
            while let Some(&i) = component.get(next) {
                next += 1;
                for &j in self.rows[i].keys() {
                    if !std::mem::replace(&mut seen[j], true) {
                        component.push(j);
                    }
                }
            }
            component.sort_unstable();
            components.push(component);
        }
        components
    }
}
