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

/// Whether rows, each given by some of its entries and their columns, determine all of so many columns at a sample point. A column that is alone in a row,
/// beside those determined already, is determined: machines of thousands of coordinates fall apart so, and what is left is eliminated.
pub fn has_full_rank(alg: &Algebra, rows: &[Vec<(usize, Expr)>], columns: usize) -> bool {
    let sampled = |row: &Vec<(usize, Expr)>| -> Vec<(usize, Extended)> {
        let entries = row.iter();
        let entries = entries.map(|(i, e)| (*i, alg.sample(e).unwrap_or(Extended::ONE)));
        entries.filter(|(_, x)| *x != Extended::ZERO).collect()
    };
    let rows: Vec<Vec<(usize, Extended)>> = rows.iter().map(sampled).collect();
    let mut held: Vec<Vec<usize>> = vec![Vec::new(); columns];
    for (number, row) in rows.iter().enumerate() {
        row.iter().for_each(|(i, _)| held[*i].push(number));
    }
    let mut open: Vec<usize> = rows.iter().map(Vec::len).collect();
    let mut determined = vec![false; columns];
    let mut alone: Vec<usize> = (0..rows.len()).filter(|row| open[*row] == 1).collect();
    while let Some(row) = alone.pop() {
        let Some(column) = rows[row].iter().map(|e| e.0).find(|i| !determined[*i]) else {
            continue;
        };
        determined[column] = true;
        for &other in &held[column] {
            open[other] -= 1;
            if open[other] == 1 {
                alone.push(other);
            }
        }
    }
    let left: Vec<usize> = (0..columns).filter(|i| !determined[*i]).collect();
    let mut found = Echelon::new(left.len());
    let order: Vec<usize> = (0..left.len()).collect();
    for (number, row) in rows.iter().enumerate().filter(|(row, _)| open[*row] > 0) {
        let mut rest = vec![Extended::ZERO; left.len()];
        for (i, x) in row {
            if let Ok(at) = left.binary_search(i) {
                rest[at] = *x;
            }
        }
        found.grow(number, rest, &order);
    }
    found.rank() == left.len()
}

fn subtract(v: &mut [Extended], r: &[Extended], factor: Extended) {
    if factor == Extended::ZERO {
        return;
    }
    for (x, y) in v.iter_mut().zip(r) {
        *x = *x - factor * *y;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sym::Class;

    #[test]
    fn columns_are_determined_alone_and_together() {
        crate::host::with_session(|| {
            let mut alg = Algebra::new(None);
            let x = alg.base("x", Class::Coordinate, None);
            let x = alg.var(x);
            let row = |entries: &[(usize, i64)]| -> Vec<(usize, Expr)> {
                let entries = entries.iter();
                entries.map(|(i, n)| (*i, Expr::int(*n) * &x)).collect()
            };
            // The first by itself, the second beside it, the third and the fourth by two rows.
            let rows = [
                row(&[(0, 2), (1, 3)]),
                row(&[(0, 1)]),
                row(&[(1, 1), (2, 1), (3, 1)]),
                row(&[(2, 1), (3, 2)]),
            ];
            assert!(has_full_rank(&alg, &rows, 4));
            assert!(!has_full_rank(&alg, &rows[..3], 4));
            // Twice the same says no more.
            let twice = [
                rows[1].clone(),
                row(&[(2, 1), (1, 1)]),
                row(&[(2, 3), (1, 3)]),
            ];
            assert!(!has_full_rank(&alg, &twice, 3));
            assert!(!has_full_rank(&alg, &[], 1));
        })
        .unwrap();
    }
}
