//! Rank and echelon form at a random point of a prime field: exact up to a probability of about 2^-55.

use crate::sym::{Algebra, Expr, field};

/// The result of eliminating a matrix at a sample point, rows in order.
#[derive(Clone, Debug)]
pub struct Echelon {
    /// Rows that are independent of those before them.
    pub rows: Vec<usize>,
    /// The pivot column of each of them.
    pub columns: Vec<usize>,
    /// A basis of the null space at the sample point, one vector per free column.
    pub null_space: Vec<Vec<u64>>,
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
    let mut reduced: Vec<(usize, Vec<u64>)> = Vec::new();
    let mut rows = Vec::new();
    for (i, row) in matrix.iter().enumerate() {
        let mut v: Vec<u64> = row.iter().map(|e| alg.sample(e).unwrap_or(1)).collect();
        for (c, r) in &reduced {
            let factor = v[*c];
            subtract(&mut v, r, factor);
        }
        if let Some(c) = order.iter().copied().find(|c| v[*c] != 0) {
            if let Some(k) = field::inv(v[c]) {
                v.iter_mut().for_each(|x| *x = field::mul(*x, k));
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
        let mut v = vec![0; n];
        v[free] = 1;
        for (c, r) in &reduced {
            v[*c] = field::neg(r[free]);
        }
        null_space.push(v);
    }
    Echelon {
        rows,
        columns,
        null_space,
    }
}

fn subtract(v: &mut [u64], r: &[u64], factor: u64) {
    if factor == 0 {
        return;
    }
    for (x, y) in v.iter_mut().zip(r) {
        *x = field::add(*x, field::neg(field::mul(factor, *y)));
    }
}
