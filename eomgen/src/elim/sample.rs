//! Rank and echelon form at a random point of a prime field: exact up to a probability of about 2^-55.

use crate::field::Extended;
use crate::sym::{Algebra, Expr};

/// The result of eliminating a matrix at a sample point, rows in order.
#[derive(Clone, Debug)]
pub struct Echelon {
    /// Rows that are independent of those before them.
    pub rows: Vec<usize>,
    /// The pivot column of each of them.
    pub columns: Vec<usize>,
    /// The rows themselves, reduced: 1 in their own pivot column, 0 in those of the others.
    reduced: Vec<Vec<Extended>>,
    /// How many columns there are.
    width: usize,
}

impl Echelon {
    /// Without rows, in so many columns.
    pub fn new(width: usize) -> Self {
        Self {
            rows: Vec::new(),
            columns: Vec::new(),
            reduced: Vec::new(),
            width,
        }
    }

    /// The rank.
    pub fn rank(&self) -> usize {
        self.rows.len()
    }

    /// Takes a row with this number, unless it depends on those before it. Columns are tried in `order`.
    pub fn grow(&mut self, number: usize, mut v: Vec<Extended>, order: &[usize]) -> bool {
        for (c, r) in self.columns.iter().zip(&self.reduced) {
            let factor = v[*c];
            subtract(&mut v, r, factor);
        }
        let Some(c) = order.iter().copied().find(|c| v[*c] != Extended::ZERO) else {
            return false;
        };
        if let Some(k) = v[c].inverse() {
            v.iter_mut().for_each(|x| *x = *x * k);
        }
        for r in &mut self.reduced {
            let f = r[c];
            subtract(r, &v, f);
        }
        self.rows.push(number);
        self.columns.push(c);
        self.reduced.push(v);
        true
    }

    /// A basis of the null space at the sample point, one vector per free column.
    pub fn null_space(&self) -> Vec<Vec<Extended>> {
        let free = (0..self.width).filter(|c| !self.columns.contains(c));
        let vector = |free: usize| {
            let mut v = vec![Extended::ZERO; self.width];
            v[free] = Extended::ONE;
            for (c, r) in self.columns.iter().zip(&self.reduced) {
                v[*c] = -r[free];
            }
            v
        };
        free.map(vector).collect()
    }
}

/// Eliminates `matrix` (rows of equal length) at a sample point. Columns are tried in `order`.
pub fn echelon(alg: &Algebra, matrix: &[Vec<Expr>], order: &[usize]) -> Echelon {
    let mut found = Echelon::new(order.len());
    for (i, row) in matrix.iter().enumerate() {
        let sampled = row.iter().map(|e| alg.sample(e).unwrap_or(Extended::ONE));
        found.grow(i, sampled.collect(), order);
    }
    found
}

fn subtract(v: &mut [Extended], r: &[Extended], factor: Extended) {
    if factor == Extended::ZERO {
        return;
    }
    for (x, y) in v.iter_mut().zip(r) {
        *x = *x - factor * *y;
    }
}
