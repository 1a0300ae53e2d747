//! What the numerical routines of a generated module compute, by exact elimination in any arithmetic and for any rank. Their text
//! is compared with the library's; here they are what their documentation says: the solution of least norm, and the accelerations
//! and multipliers of least norm. In a field any element that is not zero is a pivot; elsewhere a remainder counts as zero where
//! the arithmetic cannot tell it from zero beside what it was made of.

use crate::verify::number::{EvalError, Number};

/// A matrix from its entries row by row.
pub fn matrix<N: Clone>(entries: &[N], rows: usize, columns: usize) -> Vec<Vec<N>> {
    let row = |i: usize| entries.iter().skip(i * columns).take(columns).cloned();
    (0..rows).map(|i| row(i).collect()).collect()
}

/// What an elimination finds.
#[derive(Clone, Debug, PartialEq)]
pub struct Solution<N> {
    /// A solution, with zeros for the unknowns that are free; of the independent rows, where others contradict them.
    pub x: Vec<N>,
    /// The columns that hold pivots; as many as the rank.
    pub pivots: Vec<usize>,
    /// Whether no row contradicts the others.
    pub consistent: bool,
}

/// A row of an elimination: the matrix and the right-hand side.
struct Row<N> {
    row: Vec<N>,
    /// What the rounding errors of each entry are measured by.
    sizes: Vec<N>,
}

impl<N: Number> Row<N> {
    fn is_zero(&self, j: usize, rounded: bool) -> bool {
        match (self.row.get(j), self.sizes.get(j)) {
            (Some(x), Some(size)) if rounded => x.agrees(&N::int(0), size),
            (Some(x), _) => x.is_zero(),
            _ => true,
        }
    }
}

/// Any solution of `a x = b`.
///
/// # Errors
/// What the arithmetic cannot do.
pub fn solve<N: Number>(a: &[Vec<N>], b: &[N], columns: usize) -> Result<Solution<N>, EvalError> {
    let rounded = rounds::<N>();
    // Operands may be remainders of cancellations themselves, so the largest entry counts for all.
    let largest = |entries: &mut dyn Iterator<Item = &N>| {
        entries.map(size_of).fold(N::int(0), |largest, x| {
            if rounded && largest.is_less(&x).unwrap_or(false) {
                x
            } else {
                largest
            }
        })
    };
    let of_matrix = largest(&mut a.iter().flatten());
    // At a state that meets the constraints right-hand sides are rounding errors of zero, which contradict one another wherever rows
    // depend on one another: they are measured by unknowns of size one at least.
    let of_rhs = largest(&mut b.iter().chain([&of_matrix]));
    let mut rows: Vec<Row<N>> = a
        .iter()
        .zip(b)
        .map(|(row, rhs)| Row {
            row: row.iter().chain([rhs]).cloned().collect(),
            sizes: std::iter::repeat_n(of_matrix.clone(), columns)
                .chain([of_rhs.clone()])
                .collect(),
        })
        .collect();
    let mut used: Vec<usize> = Vec::new();
    let mut pivots: Vec<usize> = Vec::new();
    while let Some((i, j)) = best_pivot(&rows, columns, &used, &pivots)? {
        clear(&mut rows, i, j)?;
        used.push(i);
        pivots.push(j);
    }
    let left = (0..rows.len()).filter(|i| !used.contains(i));
    let consistent = left
        .filter_map(|i| rows.get(i))
        .all(|row| row.is_zero(columns, rounded));
    let mut x = vec![N::int(0); columns];
    for (i, j) in used.iter().zip(&pivots) {
        if let (Some(x), Some(value)) =
            (x.get_mut(*j), rows.get(*i).and_then(|r| r.row.get(columns)))
        {
            *x = value.clone();
        }
    }
    Ok(Solution {
        x,
        pivots,
        consistent,
    })
}

/// Row and column of the next pivot: in a field the first one, where numbers are rounded the largest of the matrix.
fn best_pivot<N: Number>(
    rows: &[Row<N>],
    columns: usize,
    used: &[usize],
    pivots: &[usize],
) -> Result<Option<(usize, usize)>, EvalError> {
    let rounded = rounds::<N>();
    let mut best: Option<(usize, usize, N)> = None;
    'search: for i in (0..rows.len()).filter(|i| !used.contains(i)) {
        for j in (0..columns).filter(|j| !pivots.contains(j)) {
            let Some(row) = rows.get(i).filter(|row| !row.is_zero(j, rounded)) else {
                continue;
            };
            let Some(x) = row.row.get(j) else { continue };
            if !rounded {
                best = Some((i, j, x.clone()));
                break 'search;
            }
            let x = magnitude(x);
            let larger = match &best {
                None => true,
                Some((_, _, largest)) => largest.is_less(&x)?,
            };
            if larger {
                best = Some((i, j, x));
            }
        }
    }
    Ok(best.map(|(i, j, _)| (i, j)))
}

/// Makes a pivot 1 and the rest of its column 0.
fn clear<N: Number>(rows: &mut [Row<N>], i: usize, j: usize) -> Result<(), EvalError> {
    let Some(row) = rows.get(i) else {
        return Ok(());
    };
    let pivot = row.row.get(j).cloned().unwrap_or_else(|| N::int(1));
    let scaled: Result<Vec<N>, EvalError> = row.row.iter().map(|x| x.div(&pivot)).collect();
    let scaled = scaled?;
    // What the rounding errors of the pivot's row are measured by goes along with it.
    let by = size_of(&pivot);
    let carried: Result<Vec<N>, EvalError> = if rounds::<N>() {
        row.sizes.iter().map(|x| x.div(&by)).collect()
    } else {
        Ok(Vec::new())
    };
    let carried = carried?;
    for (k, other) in rows.iter_mut().enumerate() {
        if k == i {
            continue;
        }
        let Some(factor) = other.row.get(j).cloned().filter(|f| !f.is_zero()) else {
            continue;
        };
        for (c, x) in scaled.iter().enumerate() {
            let part = factor.mul(x);
            if let (Some(entry), Some(was)) = (other.row.get_mut(c), other.sizes.get_mut(c)) {
                *entry = if c == j { N::int(0) } else { entry.sub(&part) };
                if let Some(size) = carried.get(c) {
                    *was = was.add(&magnitude(&factor).mul(size));
                }
            }
        }
    }
    if let Some(row) = rows.get_mut(i) {
        row.row = scaled;
    }
    Ok(())
}

/// Whether results are rounded.
fn rounds<N: Number>() -> bool {
    // An order is what a field lacks.
    N::int(0).is_less(&N::int(1)).is_ok()
}

fn size_of<N: Number>(x: &N) -> N {
    if rounds::<N>() {
        magnitude(x)
    } else {
        x.clone()
    }
}

fn magnitude<N: Number>(x: &N) -> N {
    match x.is_less(&N::int(0)) {
        Ok(true) => x.neg(),
        _ => x.clone(),
    }
}

fn dot<N: Number>(a: &[N], b: &[N]) -> N {
    let products = a.iter().zip(b).map(|(x, y)| x.mul(y));
    products.fold(N::int(0), |sum, x| sum.add(&x))
}

/// The solution of least norm, `x = A^T y` with `A A^T y = b`.
///
/// # Errors
/// Where rows contradict each other.
pub fn minimum_norm<N: Number>(a: &[Vec<N>], b: &[N], columns: usize) -> Result<Vec<N>, EvalError> {
    match least_norm(a, b, columns)? {
        (x, true) => Ok(x),
        _ => Err(EvalError::Singular(
            "linear equations contradict each other".into(),
        )),
    }
}

/// The solution of least norm of the rows that do not contradict others, and whether these are all.
fn least_norm<N: Number>(
    a: &[Vec<N>],
    b: &[N],
    columns: usize,
) -> Result<(Vec<N>, bool), EvalError> {
    let gram = a.iter().map(|r| a.iter().map(|s| dot(r, s)).collect());
    let gram: Vec<Vec<N>> = gram.collect();
    let y = solve(&gram, b, a.len())?;
    let entry = |j: usize| {
        let column: Vec<N> = a.iter().filter_map(|row| row.get(j).cloned()).collect();
        dot(&column, &y.x)
    };
    Ok(((0..columns).map(entry).collect(), y.consistent))
}

/// Accelerations and multipliers of least norm with `M q'' = F + A^T lambda` and `A q'' = b`.
///
/// # Errors
/// Where rows contradict each other, or M is singular on the null space of A.
pub fn constrained<N: Number>(
    mass: &[Vec<N>],
    force: &[N],
    a: &[Vec<N>],
    b: &[N],
) -> Result<(Vec<N>, Vec<N>), EvalError> {
    let (n, m) = (force.len(), b.len());
    let zero = N::int(0);
    let mut system: Vec<Vec<N>> = Vec::with_capacity(n + m);
    for (i, row) in mass.iter().enumerate() {
        let pulls = a.iter().filter_map(|r| r.get(i)).map(Number::neg);
        system.push(row.iter().cloned().chain(pulls).collect());
    }
    for row in a {
        let zeros = std::iter::repeat_n(zero.clone(), m);
        system.push(row.iter().cloned().chain(zeros).collect());
    }
    let rhs: Vec<N> = force.iter().chain(b).cloned().collect();
    let Solution {
        x,
        pivots,
        consistent,
    } = solve(&system, &rhs, n + m)?;
    if !consistent {
        return Err(EvalError::Singular(
            "constraints contradict each other".into(),
        ));
    }
    if (0..n).any(|j| !pivots.contains(&j)) {
        return Err(EvalError::Singular(
            "a motion that the constraints allow has no inertia".into(),
        ));
    }
    let accelerations: Vec<N> = x.into_iter().take(n).collect();
    let missing = mass.iter().zip(force);
    let missing: Vec<N> = missing
        .map(|(row, f)| dot(row, &accelerations).sub(f))
        .collect();
    let lambda = multipliers(a, &missing)?;
    Ok((accelerations, lambda))
}

/// The least multipliers with `A^T lambda = force`, a force in the range of `A^T`.
///
/// # Errors
/// What the arithmetic cannot do.
pub fn multipliers<N: Number>(a: &[Vec<N>], force: &[N]) -> Result<Vec<N>, EvalError> {
    let column = |j: usize| a.iter().filter_map(|row| row.get(j).cloned()).collect();
    let transposed: Vec<Vec<N>> = (0..force.len()).map(column).collect();
    // In the range by construction up to rounding, which is no reason to refuse.
    Ok(least_norm(&transposed, force, a.len())?.0)
}
