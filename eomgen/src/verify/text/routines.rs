//! What the numerical routines of a generated module compute, in any arithmetic and for any rank. Their text is compared with the
//! library's; here they are what their documentation says: the solution of least norm (see `linear`), and the accelerations and
//! multipliers of least norm.

use crate::verify::linear::{self, Solved};
use crate::verify::number::{EvalError, Number};

/// A matrix from its entries row by row.
pub fn matrix<N: Clone>(entries: &[N], rows: usize, columns: usize) -> Vec<Vec<N>> {
    let row = |i: usize| entries.iter().skip(i * columns).take(columns).cloned();
    (0..rows).map(|i| row(i).collect()).collect()
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
    let n = force.len();
    let rhs: Vec<N> = force.iter().chain(b).cloned().collect();
    let Solved {
        mut x,
        pivots,
        consistent,
    } = linear::solve(&linear::bordered(mass, a), &rhs, None)?;
    if !consistent {
        return EvalError::singular("constraints contradict each other");
    }
    if (0..n).any(|j| !pivots.contains(&j)) {
        return EvalError::singular("a motion that the constraints allow has no inertia");
    }
    x.truncate(n);
    let lacking = linear::sub(&linear::times(mass, &x), force);
    // In the range of A^T by construction up to rounding, which is no reason to refuse.
    let lambda = linear::least_norm(&linear::transposed(a), &lacking, a.len())?;
    Ok((x, lambda.x))
}
