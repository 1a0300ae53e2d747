//! Linear systems in many digits, with the rank on record. Nothing of mechanics.

use super::number::{Field, Real};

/// A matrix, row by row.
pub type Matrix = Vec<Vec<Real>>;

/// Entries of this size are what rounding leaves of zero.
const NIL: f64 = 1e-40;

/// The share for states that are exact to some forty digits.
const NOTHING: f64 = 1e-24;

/// Solutions of `a x = b`.
pub struct Solutions {
    /// One of them; free unknowns are zero.
    pub particular: Vec<Real>,
    /// A basis of the solutions of `a x = 0`.
    pub null: Vec<Vec<Real>>,
    /// The largest of what is left of b in the rows that a does not reach, relative to its scale.
    pub contradiction: f64,
    /// The smallest pivot that counts, relative to the largest.
    pub smallest: f64,
    /// The largest pivot.
    pub first: f64,
    /// How many pivots there are.
    pub rank: usize,
}

/// A matrix of zeros.
pub fn zeros(rows: usize, columns: usize) -> Matrix {
    vec![vec![Real::zero(); columns]; rows]
}

/// `a x`.
pub fn times(a: &Matrix, x: &[Real]) -> Vec<Real> {
    let row = |r: &Vec<Real>| inner(r, x);
    a.iter().map(row).collect()
}

/// `a^T x` with so many columns.
pub fn transposed_times(a: &Matrix, x: &[Real], columns: usize) -> Vec<Real> {
    let mut out = vec![Real::zero(); columns];
    for (row, x) in a.iter().zip(x) {
        for (o, entry) in out.iter_mut().zip(row) {
            *o = o.add(&entry.mul(x));
        }
    }
    out
}

/// Scalar product.
pub fn inner(a: &[Real], b: &[Real]) -> Real {
    let pairs = a.iter().zip(b);
    pairs.fold(Real::zero(), |s, (a, b)| s.add(&a.mul(b)))
}

/// The largest magnitude.
pub fn largest<'a>(entries: impl IntoIterator<Item = &'a Real>) -> f64 {
    let entries = entries.into_iter().map(|e| e.to_f64().abs());
    entries.fold(0.0, f64::max)
}

/// Size of a row that is tiny, relative to the largest.
const TINY: f64 = 1e-6;

/// [`solve_above`] for systems that are exact to some forty digits.
pub fn solve(a: &Matrix, b: &[Real], columns: usize) -> Solutions {
    solve_above(a, b, columns, NOTHING)
}

/// Solves `a x = b` by elimination with complete pivoting. Rows are scaled to the same size first, but for those that are tiny beside the
/// others: where an angle is rounded to a quarter turn, all of a row can be cosines that should be zero. A pivot below this share of the
/// first one is zero.
pub fn solve_above(a: &Matrix, b: &[Real], columns: usize, nothing: f64) -> Solutions {
    eliminate(scaled(a, b, columns), b, columns, nothing, 0.0)
}

/// [`solve`] for a matrix whose unknowns have been scaled already: its rows stay as they are, so that a small one counts as small, and one
/// that is nothing but rounding as zero, even if there is no other.
pub fn solve_unscaled(a: &Matrix, b: &[Real], columns: usize) -> Solutions {
    let joined = a.iter().zip(b).map(|(row, right)| {
        let mut row = row.clone();
        row.push(right.clone());
        row
    });
    eliminate(joined.collect(), b, columns, NOTHING, NOTHING)
}

/// Rows of about the same size, each with its right-hand side.
fn scaled(a: &Matrix, b: &[Real], columns: usize) -> Matrix {
    let mut rows: Matrix = Vec::new();
    let tiny = TINY * a.iter().map(largest).fold(0.0_f64, f64::max);
    for (row, right) in a.iter().zip(b) {
        let scale = largest(row);
        let mut row = row.clone();
        row.push(right.clone());
        if scale < NIL {
            row[..columns].fill(Real::zero());
        } else {
            // A power of two, so that it changes nothing else.
            let factor = Real::of(2.0_f64.powi(-(scale.max(tiny).log2().round() as i32)));
            row.iter_mut().for_each(|e| *e = e.mul(&factor));
        }
        rows.push(row);
    }
    rows
}

/// Pivots below a share of the first one are zero, and those below the least.
fn eliminate(mut rows: Matrix, b: &[Real], columns: usize, nothing: f64, least: f64) -> Solutions {
    let mut pivots: Vec<usize> = Vec::new();
    let mut first = 0.0;
    let mut smallest = 1.0_f64;
    while pivots.len() < rows.len() {
        let done = pivots.len();
        let Some((row, column, size)) = next_pivot(&rows, done, columns, &pivots) else {
            break;
        };
        if done == 0 {
            first = size;
        }
        if size <= (nothing * first).max(least) {
            break;
        }
        smallest = smallest.min(size / first);
        rows.swap(done, row);
        let inverse = Real::of(1.0).div(&rows[done][column]);
        rows[done].iter_mut().for_each(|e| *e = e.mul(&inverse));
        let pivot_row = rows[done].clone();
        for (i, row) in rows.iter_mut().enumerate() {
            if i == done || row[column].is_zero() {
                continue;
            }
            let factor = row[column].clone();
            for (e, p) in row.iter_mut().zip(&pivot_row) {
                *e = e.sub(&factor.mul(p));
            }
        }
        pivots.push(column);
    }
    let rank = pivots.len();
    // Right-hand sides that are zero but for rounding contradict nothing.
    let scale = largest(b).max(NOTHING);
    let left = largest(rows[rank..].iter().map(|r| &r[columns]));
    let mut particular = vec![Real::zero(); columns];
    for (row, column) in rows.iter().zip(&pivots) {
        particular[*column] = row[columns].clone();
    }
    let free = (0..columns).filter(|c| !pivots.contains(c));
    let null = free.map(|f| {
        let mut direction = vec![Real::zero(); columns];
        direction[f] = Real::of(1.0);
        for (row, column) in rows.iter().zip(&pivots) {
            direction[*column] = row[f].neg();
        }
        direction
    });
    Solutions {
        null: null.collect(),
        particular,
        contradiction: left / scale,
        smallest,
        first,
        rank,
    }
}

fn next_pivot(
    rows: &Matrix,
    done: usize,
    columns: usize,
    pivots: &[usize],
) -> Option<(usize, usize, f64)> {
    let mut best: Option<(usize, usize)> = None;
    for (i, row) in rows.iter().enumerate().skip(done) {
        for j in (0..columns).filter(|j| !pivots.contains(j)) {
            if best.is_none_or(|(a, b)| row[j].larger(&rows[a][b])) {
                best = Some((i, j));
            }
        }
    }
    let (i, j) = best?;
    let size = rows[i][j].to_f64().abs();
    (size > 0.0).then_some((i, j, size))
}
