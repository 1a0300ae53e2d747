//! Linear algebra of the expectations: small matrices by rows, solved for any rank.

use super::{Observation, plus, product};
use crate::verify::number::{EvalError, Number};
use crate::verify::text::routines;

/// `M q'' + h` of the actual motion.
pub(super) fn inertia<N: Number>(s: &Observation<'_, N>) -> Vec<N> {
    let dynamics = &s.point.dynamics;
    plus(
        &product(&dynamics.mass, &dynamics.accelerations),
        &dynamics.velocity_terms,
    )
}

/// The only solution of `a x = b`.
pub(super) fn settled<N: Number>(a: &[Vec<N>], b: &[N]) -> Result<Vec<N>, EvalError> {
    let n = a.first().map_or(0, Vec::len);
    let solution = routines::solve(a, b, n)?;
    if solution.consistent && solution.pivots.len() == n {
        Ok(solution.x)
    } else {
        Err(EvalError::Singular("a matrix is singular".into()))
    }
}

/// The number of independent rows.
pub(super) fn rank<N: Number>(a: &[Vec<N>]) -> Result<usize, EvalError> {
    let zeros = vec![N::int(0); a.len()];
    let n = a.first().map_or(0, Vec::len);
    Ok(routines::solve(a, &zeros, n)?.pivots.len())
}

/// Columns as rows.
pub(super) fn transposed<N: Clone>(a: &[Vec<N>]) -> Vec<Vec<N>> {
    let n = a.first().map_or(0, Vec::len);
    let column = |j: usize| a.iter().filter_map(|row| row.get(j).cloned()).collect();
    (0..n).map(column).collect()
}

/// A product of matrices.
pub(super) fn products<N: Number>(a: &[Vec<N>], b: &[Vec<N>]) -> Vec<Vec<N>> {
    let columns = transposed(b);
    a.iter().map(|row| product(&columns, row)).collect()
}
