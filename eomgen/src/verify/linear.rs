//! Vectors, matrices by rows, and linear equations of any rank by Gauss's elimination with complete pivoting: exact in a field, largest
//! pivots first elsewhere. All of `verify` calculates with these.

use super::number::{EvalError, Number};

/// What elimination finds.
#[derive(Clone, Debug)]
pub struct Solved<N> {
    /// One solution: the unknowns that are not determined keep the values they are given. Of the independent rows, where others
    /// contradict them.
    pub x: Vec<N>,
    /// The unknowns that were solved for, in the order of elimination.
    pub pivots: Vec<usize>,
    /// Whether no row contradicts the others.
    pub consistent: bool,
}

impl<N> Solved<N> {
    /// The same, where no row contradicts the others.
    ///
    /// # Errors
    /// Where one does.
    pub fn checked(self) -> Result<Self, EvalError> {
        if self.consistent {
            return Ok(self);
        }
        EvalError::singular("linear equations that contradict one another")
    }
}

/// Solves `a x = b`; `free` are the values of unknowns that are not determined (0 if there are none).
pub fn solve<N: Number>(a: &[Vec<N>], b: &[N], free: Option<&[N]>) -> Result<Solved<N>, EvalError> {
    let zero = N::int(0);
    let rows = augmented(a, b);
    // Entries may be remainders of cancellations, so the largest of all counts for each; it grows with what is added to a row.
    let largest = largest(rows.iter().flatten());
    let bounds = Bounds {
        scales: vec![largest.size(); rows.len()],
        grow: true,
    };
    eliminate(rows, bounds, free, &|x, scale| x.agrees(&zero, scale))
}

/// Solves those of the equations that are independent; pivots that are small by some measure, relative to their row, are none.
pub fn solve_some<N: Number>(
    a: &[Vec<N>],
    b: &[N],
    is_small: &dyn Fn(&N, &N) -> bool,
) -> Result<Vec<N>, EvalError> {
    let rows = augmented(a, b);
    let bounds = Bounds {
        scales: scales(&rows),
        grow: false,
    };
    Ok(eliminate(rows, bounds, None, is_small)?.x)
}

/// The only solution of `a x = b`.
pub fn solve_square<N: Number>(a: &[Vec<N>], b: &[N]) -> Result<Vec<N>, EvalError> {
    let solved = solve(a, b, None)?;
    if solved.consistent && solved.pivots.len() == a.first().map_or(0, Vec::len) {
        Ok(solved.x)
    } else {
        EvalError::singular("a matrix is singular")
    }
}

/// The columns of the inverse of a square matrix.
pub fn inverse_columns<N: Number>(a: &[Vec<N>]) -> Result<Vec<Vec<N>>, EvalError> {
    identity(a.len())
        .iter()
        .map(|e| solve_square(a, e))
        .collect()
}

/// What entries of the rows are compared with to be zero.
struct Bounds<N> {
    scales: Vec<N>,
    grow: bool,
}

/// The rows with their right sides.
fn augmented<N: Number>(a: &[Vec<N>], b: &[N]) -> Vec<Vec<N>> {
    let rows = a.iter().zip(b);
    rows.map(|(row, b)| row.iter().chain([b]).cloned().collect())
        .collect()
}

fn eliminate<N: Number>(
    mut rows: Vec<Vec<N>>,
    Bounds { mut scales, grow }: Bounds<N>,
    free: Option<&[N]>,
    is_small: &dyn Fn(&N, &N) -> bool,
) -> Result<Solved<N>, EvalError> {
    let n = rows.first().map_or(0, |row| row.len() - 1);
    let (mut left, mut open): (Vec<usize>, Vec<usize>) =
        ((0..rows.len()).collect(), (0..n).collect());
    let (mut used, mut pivots) = (Vec::new(), Vec::new());
    while let Some((at, r, c)) = pivot(&rows, &scales, &left, &open, is_small) {
        left.remove(at);
        open.retain(|x| *x != c);
        let reciprocal = N::int(1).div(&rows[r][c])?;
        let own = rows[r].clone();
        for i in &left {
            if rows[*i][c].is_zero() {
                continue;
            }
            let factor = rows[*i][c].mul(&reciprocal);
            for (x, y) in rows[*i].iter_mut().zip(&own) {
                if !y.is_zero() {
                    *x = x.sub(&factor.mul(y));
                }
            }
            rows[*i][c] = N::int(0);
            if grow {
                scales[*i] = scales[*i].add(&factor.size().mul(&scales[r]));
            }
        }
        used.push(r);
        pivots.push(c);
    }
    let zero = N::int(0);
    let consistent = left.iter().all(|i| rows[*i][n].agrees(&zero, &scales[*i]));
    let given = free.map_or_else(|| vec![zero; n], <[N]>::to_vec);
    let x = substituted(&rows, given, &used, &pivots)?;
    Ok(Solved {
        x,
        pivots,
        consistent,
    })
}

/// What an entry of a row is compared with to be zero: the row's largest, unless the whole row is what rounding left.
fn scales<N: Number>(rows: &[Vec<N>]) -> Vec<N> {
    let mut scales: Vec<N> = rows.iter().map(largest).collect();
    let floor = largest(&scales).div(&N::int(1 << 60));
    let floor = floor.unwrap_or_else(|_| N::int(1));
    for scale in &mut scales {
        if scale.magnitude() < floor.magnitude() {
            scale.clone_from(&floor);
        }
    }
    scales
}

/// The unknowns of the pivots from rows in echelon form, the others given.
fn substituted<N: Number>(
    rows: &[Vec<N>],
    mut x: Vec<N>,
    used: &[usize],
    pivots: &[usize],
) -> Result<Vec<N>, EvalError> {
    for (r, c) in used.iter().zip(pivots).rev() {
        let row = &rows[*r];
        let n = row.len() - 1;
        let mut sum = row[n].clone();
        for j in (0..n).filter(|j| j != c) {
            if !row[j].is_zero() {
                sum = sum.sub(&row[j].mul(&x[j]));
            }
        }
        x[*c] = sum.div(&row[*c])?;
    }
    Ok(x)
}

fn largest<'n, N: Number + 'n>(list: impl IntoIterator<Item = &'n N>) -> N {
    let best = list.into_iter().max_by_key(|x| x.magnitude());
    best.cloned().unwrap_or_else(|| N::int(0))
}

/// The largest entry in these rows and columns relative to what its row began with.
fn pivot<N: Number>(
    rows: &[Vec<N>],
    scales: &[N],
    left: &[usize],
    open: &[usize],
    is_small: &dyn Fn(&N, &N) -> bool,
) -> Option<(usize, usize, usize)> {
    let mut best: Option<(i64, (usize, usize, usize))> = None;
    for (at, r) in left.iter().enumerate() {
        for c in open {
            let x = &rows[*r][*c];
            if x.is_zero() || is_small(x, &scales[*r]) {
                continue;
            }
            let size = x.magnitude().saturating_sub(scales[*r].magnitude());
            if best.as_ref().is_none_or(|(s, _)| size > *s) {
                best = Some((size, (at, *r, *c)));
            }
        }
    }
    best.map(|(_, place)| place)
}

/// The determinant of a square matrix, by elimination with the best pivots.
///
/// # Errors
/// Where a quotient has no value.
pub fn determinant<N: Number>(a: &[Vec<N>]) -> Result<N, EvalError> {
    let mut rows = a.to_vec();
    let mut product = N::int(1);
    for k in 0..rows.len() {
        let size = |i: &usize| rows[*i].get(k).map_or(i64::MIN, N::magnitude);
        let Some(best) = (k..rows.len()).max_by_key(size) else {
            return Ok(product);
        };
        let Some(pivot) = rows[best].get(k).cloned().filter(|x| !x.is_zero()) else {
            return Ok(N::int(0));
        };
        if best != k {
            rows.swap(best, k);
            product = product.neg();
        }
        product = product.mul(&pivot);
        let top = rows[k].clone();
        for row in rows.iter_mut().skip(k + 1) {
            let factor = row[k].div(&pivot)?;
            for (x, y) in row.iter_mut().zip(&top).skip(k) {
                *x = x.sub(&factor.mul(y));
            }
        }
    }
    Ok(product)
}

/// The number of independent rows.
pub fn rank<N: Number>(a: &[Vec<N>]) -> Result<usize, EvalError> {
    let zero = vec![N::int(0); a.len()];
    Ok(solve(a, &zero, None)?.pivots.len())
}

/// A matrix times a vector.
pub fn times<N: Number>(a: &[Vec<N>], x: &[N]) -> Vec<N> {
    a.iter().map(|row| dot(row, x)).collect()
}

/// A product of matrices.
pub fn product<N: Number>(a: &[Vec<N>], b: &[Vec<N>]) -> Vec<Vec<N>> {
    let columns = transposed(b);
    a.iter().map(|row| times(&columns, row)).collect()
}

/// `V^T A V` for a symmetric matrix A and the columns of V.
pub fn congruent<N: Number>(a: &[Vec<N>], columns: &[Vec<N>]) -> Vec<Vec<N>> {
    let images: Vec<Vec<N>> = columns.iter().map(|v| times(a, v)).collect();
    columns.iter().map(|v| times(&images, v)).collect()
}

/// Columns as rows.
pub fn transposed<N: Clone>(a: &[Vec<N>]) -> Vec<Vec<N>> {
    let n = a.first().map_or(0, Vec::len);
    let column = |j: usize| a.iter().filter_map(|row| row.get(j).cloned()).collect();
    (0..n).map(column).collect()
}

/// The matrix of `M q'' - A^T lambda = F`, `A q'' = b`.
pub fn bordered<N: Number>(mass: &[Vec<N>], a: &[Vec<N>]) -> Vec<Vec<N>> {
    let mut rows: Vec<Vec<N>> = Vec::with_capacity(mass.len() + a.len());
    for (i, row) in mass.iter().enumerate() {
        let forces = a.iter().filter_map(|r| r.get(i)).map(N::neg);
        rows.push(row.iter().cloned().chain(forces).collect());
    }
    for row in a {
        let zeros = std::iter::repeat_n(N::int(0), a.len());
        rows.push(row.iter().cloned().chain(zeros).collect());
    }
    rows
}

/// The unit matrix.
pub fn identity<N: Number>(n: usize) -> Vec<Vec<N>> {
    let entry = |i: usize, j: usize| N::int(i64::from(i == j));
    (0..n)
        .map(|i| (0..n).map(|j| entry(i, j)).collect())
        .collect()
}

/// Sum of vectors.
pub fn add<N: Number>(a: &[N], b: &[N]) -> Vec<N> {
    a.iter().zip(b).map(|(x, y)| x.add(y)).collect()
}

/// Difference of vectors.
pub fn sub<N: Number>(a: &[N], b: &[N]) -> Vec<N> {
    a.iter().zip(b).map(|(x, y)| x.sub(y)).collect()
}

/// A multiple of a vector.
pub fn scaled<N: Number>(a: &[N], by: &N) -> Vec<N> {
    a.iter().map(|x| x.mul(by)).collect()
}

/// A scalar product.
pub fn dot<N: Number>(a: &[N], b: &[N]) -> N {
    let mut sum = N::int(0);
    for (x, y) in a.iter().zip(b) {
        if !x.is_zero() && !y.is_zero() {
            sum = sum.add(&x.mul(y));
        }
    }
    sum
}

/// The solution of least norm, `x = A^T y` with `A A^T y = b`.
pub fn least_norm<N: Number>(
    a: &[Vec<N>],
    b: &[N],
    columns: usize,
) -> Result<Solved<N>, EvalError> {
    let gram: Vec<Vec<N>> = a.iter().map(|row| times(a, row)).collect();
    let solved = solve(&gram, b, None)?;
    let mut x = vec![N::int(0); columns];
    for (row, y) in a.iter().zip(&solved.x) {
        x = add(&x, &scaled(row, y));
    }
    Ok(Solved { x, ..solved })
}

/// The same where no row contradicts the others.
pub fn minimum_norm<N: Number>(a: &[Vec<N>], b: &[N], columns: usize) -> Result<Vec<N>, EvalError> {
    Ok(least_norm(a, b, columns)?.checked()?.x)
}

/// The least multipliers with `A^T lambda = force`.
pub fn multipliers<N: Number>(a: &[Vec<N>], force: &[N]) -> Result<Vec<N>, EvalError> {
    minimum_norm(&transposed(a), force, a.len())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::verify::number::{Algebra, Decimal, Graded, Modular};

    fn matrix<N: Number>(rows: &[&[i64]]) -> Vec<Vec<N>> {
        rows.iter()
            .map(|r| r.iter().map(|x| N::int(*x)).collect())
            .collect()
    }

    fn any_rank<N: Number>() {
        let one = N::int(1);
        let close = |a: &[N], b: &[i64]| {
            assert_eq!(a.len(), b.len());
            assert!(
                a.iter().zip(b).all(|(x, y)| x.agrees(&N::int(*y), &one)),
                "{a:?} {b:?}"
            );
        };
        let a = matrix::<N>(&[&[2, 1], &[1, 3]]);
        close(
            &solve(&a, &[N::int(4), N::int(7)], None)
                .unwrap()
                .checked()
                .unwrap()
                .x,
            &[1, 2],
        );
        // The second row is twice the first.
        let a = matrix::<N>(&[&[1, 2, 3], &[2, 4, 6], &[0, 1, 1]]);
        assert_eq!(rank(&a).unwrap(), 2);
        let b = [N::int(6), N::int(12), N::int(2)];
        let x = solve(&a, &b, Some(&[one.clone(), one.clone(), one.clone()]))
            .unwrap()
            .checked()
            .unwrap()
            .x;
        close(&times(&a, &x), &[6, 12, 2]);
        let b = [N::int(6), N::int(13), N::int(2)];
        assert!(matches!(
            solve(&a, &b, None).unwrap().checked(),
            Err(EvalError::Singular(_))
        ));
        // Least norm of a dependent row: lambda = (1, 2)/5 times 5.
        let a = matrix::<N>(&[&[1, 1], &[2, 2]]);
        close(&multipliers(&a, &[N::int(5), N::int(5)]).unwrap(), &[1, 2]);
    }

    #[test]
    fn equations_of_any_rank() {
        any_rank::<Modular>();
        any_rank::<Decimal>();
    }

    /// No linear equation has more solutions than its degree says: of 2^57 angles at most two have a given cosine.
    #[test]
    fn pivots_of_low_degree_come_first() {
        let x = |k: u64| Graded::drawn(Modular::random(1, k));
        let a = vec![vec![x(1).mul(&x(2)), x(3)], vec![x(4), x(5)]];
        let b = [x(6), x(7)];
        let found = solve(&a, &b, None).unwrap().checked().unwrap();
        assert_eq!(found.pivots[0], 1);
        let back = times(&a, &found.x);
        assert_eq!(back, b);
        assert!(found.x.iter().all(|e| (2.0..40.0).contains(&e.degree())));
    }
}
