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
    /// A basis of the null space at the sample point, one vector per free column.
    pub null_space: Vec<Vec<Extended>>,
}

impl Echelon {
    /// The rank.
    pub fn rank(&self) -> usize {
        self.rows.len()
    }
}

/// Eliminates `matrix` (rows of equal length) at a sample point. Columns are tried in `order`.
pub fn echelon(alg: &Algebra, matrix: &[Vec<Expr>], order: &[usize]) -> Echelon {
    let n = order.len();
    let mut reduced: Vec<(usize, Vec<Extended>)> = Vec::new();
    let mut rows = Vec::new();
    for (i, row) in matrix.iter().enumerate() {
        let mut v: Vec<Extended> = row
            .iter()
            .map(|e| alg.sample(e).unwrap_or(Extended::ONE))
            .collect();
        for (c, r) in &reduced {
            let factor = v[*c];
            subtract(&mut v, r, factor);
        }
        if let Some(c) = order.iter().copied().find(|c| v[*c] != Extended::ZERO) {
            if let Some(k) = v[c].inverse() {
                v.iter_mut().for_each(|x| *x = *x * k);
            }
            for (_, r) in &mut reduced {
                let f = r[c];
                subtract(r, &v, f);
            }
            reduced.push((c, v));
            rows.push(i);
        }
    }
    let columns: Vec<usize> = reduced.iter().map(|(c, _)| *c).collect();
    let mut null_space = Vec::new();
    for free in (0..n).filter(|c| !columns.contains(c)) {
        let mut v = vec![Extended::ZERO; n];
        v[free] = Extended::ONE;
        for (c, r) in &reduced {
            v[*c] = -r[free];
        }
        null_space.push(v);
    }
    Echelon {
        rows,
        columns,
        null_space,
    }
}

fn subtract(v: &mut [Extended], r: &[Extended], factor: Extended) {
    if factor == Extended::ZERO {
        return;
    }
    for (x, y) in v.iter_mut().zip(r) {
        *x = *x - factor * *y;
    }
}
