//! Linear equations of any rank by Gauss's elimination with complete pivoting: exact in a field, largest pivots first elsewhere.

use super::number::{EvalError, Number};

/// What elimination finds.
#[derive(Clone, Debug)]
pub struct Solved<N> {
    /// One solution: the unknowns that are not determined keep the values they are given.
    pub x: Vec<N>,
    /// The unknowns that were solved for, in the order of elimination.
    pub pivots: Vec<usize>,
}

/// Solves `a x = b`; `free` are the values of unknowns that are not determined (0 if there are none). Rows that depend on others
/// have to agree with them.
pub fn solve<N: Number>(a: &[Vec<N>], b: &[N], free: Option<&[N]>) -> Result<Solved<N>, EvalError> {
    let zero = N::int(0);
    eliminate(a, b, free, &|x, scale| x.agrees(&zero, scale), true)
}

/// Solves those of the equations that are independent; pivots that are small by some measure, relative to a scale, are none.
pub fn solve_some<N: Number>(
    a: &[Vec<N>],
    b: &[N],
    is_small: &dyn Fn(&N, &N) -> bool,
) -> Result<Solved<N>, EvalError> {
    eliminate(a, b, None, is_small, false)
}

fn eliminate<N: Number>(
    a: &[Vec<N>],
    b: &[N],
    free: Option<&[N]>,
    is_small: &dyn Fn(&N, &N) -> bool,
    strict: bool,
) -> Result<Solved<N>, EvalError> {
    let n = a.first().map_or(0, Vec::len);
    let mut rows: Vec<Vec<N>> = a
        .iter()
        .zip(b)
        .map(|(row, b)| row.iter().chain([b]).cloned().collect())
        .collect();
    let scales = scales(&rows);
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
        }
        used.push(r);
        pivots.push(c);
    }
    let zero = N::int(0);
    for i in left {
        if strict && !rows[i][n].agrees(&zero, &scales[i]) {
            return Err(EvalError::Singular(
                "linear equations that contradict one another".into(),
            ));
        }
    }
    let given = free.map_or_else(|| vec![zero; n], <[N]>::to_vec);
    let x = substituted(&rows, given, &used, &pivots)?;
    Ok(Solved { x, pivots })
}

/// What an entry of a row is compared with to be zero: the row's largest, unless the whole row is what rounding left.
fn scales<N: Number>(rows: &[Vec<N>]) -> Vec<N> {
    let scales: Vec<N> = rows.iter().map(|row| largest(row)).collect();
    let floor = largest(&scales)
        .div(&N::int(1 << 60))
        .unwrap_or_else(|_| N::int(1));
    scales
        .into_iter()
        .map(|s| {
            if s.magnitude() < floor.magnitude() {
                floor.clone()
            } else {
                s
            }
        })
        .collect()
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

fn largest<N: Number>(row: &[N]) -> N {
    let best = row.iter().max_by_key(|x| x.magnitude());
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

/// The number of independent rows.
pub fn rank<N: Number>(a: &[Vec<N>]) -> Result<usize, EvalError> {
    let zero = vec![N::int(0); a.len()];
    Ok(solve(a, &zero, None)?.pivots.len())
}

/// A matrix times a vector.
pub fn times<N: Number>(a: &[Vec<N>], x: &[N]) -> Vec<N> {
    a.iter().map(|row| dot(row, x)).collect()
}

/// A transposed matrix (rows of `n` entries) times a vector.
pub fn transposed_times<N: Number>(a: &[Vec<N>], x: &[N], n: usize) -> Vec<N> {
    let mut sum = vec![N::int(0); n];
    for (row, x) in a.iter().zip(x) {
        for (s, e) in sum.iter_mut().zip(row) {
            if !e.is_zero() {
                *s = s.add(&e.mul(x));
            }
        }
    }
    sum
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

/// The shortest vector with a given `a^T x`, that is a combination of rows of a: `x = a w` with `a^T a w = y`.
pub fn shortest<N: Number>(a: &[Vec<N>], y: &[N]) -> Result<Vec<N>, EvalError> {
    let n = y.len();
    let mut gram = vec![vec![N::int(0); n]; n];
    for row in a {
        for i in (0..n).filter(|i| !row[*i].is_zero()) {
            for j in 0..n {
                gram[i][j] = gram[i][j].add(&row[i].mul(&row[j]));
            }
        }
    }
    let w = solve(&gram, y, None)?;
    Ok(times(a, &w.x))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::verify::number::{Decimal, Graded, Modular};

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
            &solve(&a, &[N::int(4), N::int(7)], None).unwrap().x,
            &[1, 2],
        );
        // The second row is twice the first.
        let a = matrix::<N>(&[&[1, 2, 3], &[2, 4, 6], &[0, 1, 1]]);
        assert_eq!(rank(&a).unwrap(), 2);
        let b = [N::int(6), N::int(12), N::int(2)];
        let x = solve(&a, &b, Some(&[one.clone(), one.clone(), one.clone()]))
            .unwrap()
            .x;
        close(&times(&a, &x), &[6, 12, 2]);
        let b = [N::int(6), N::int(13), N::int(2)];
        assert!(matches!(solve(&a, &b, None), Err(EvalError::Singular(_))));
        // Least norm of a dependent row: lambda = (1, 2)/5 times 5.
        let a = matrix::<N>(&[&[1, 1], &[2, 2]]);
        close(&shortest(&a, &[N::int(5), N::int(5)]).unwrap(), &[1, 2]);
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
        let found = solve(&a, &b, None).unwrap();
        assert_eq!(found.pivots[0], 1);
        let back = times(&a, &found.x);
        assert_eq!(back, b);
        assert!(found.x.iter().all(|e| (2.0..40.0).contains(&e.degree())));
    }
}
