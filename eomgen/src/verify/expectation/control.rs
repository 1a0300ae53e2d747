//! What a controller is made of: the Coriolis matrix, gravity, the mobility of points.

use super::general::independent;
use super::velocities::basis;
use super::{Expectation, Observation, Rule, flat, labelled, missing, plain};
use crate::verify::linear::{self, dot, solve_square, times};
use crate::verify::number::{EvalError, Number};

/// The rule for one of these quantities.
pub(super) fn rule<N: Number>(name: &str) -> Option<Rule<N>> {
    let rule: Rule<N> = match name {
        "coriolis_matrix" => |s| match s.point.geometry.as_ref().map(|g| &g.coriolis) {
            Some(Some(matrix)) => plain(flat(matrix)),
            _ => missing("a mass matrix that depends on coordinates and time alone"),
        },
        "gravity_vector" => gravity_vector,
        _ => return None,
    };
    Some(rule)
}

/// `-sum m g . v` for unit speeds.
fn gravity_vector<N: Number>(s: &Observation<'_, N>) -> Expectation<N> {
    let dynamics = &s.point.dynamics;
    let mut force = vec![N::int(0); s.layout.coordinates.len()];
    if let Some(g) = s.point.geometry.as_ref().and_then(|g| g.gravity.as_ref()) {
        let bodies = dynamics.partial_velocities.chunks(3).zip(&dynamics.masses);
        for (three, mass) in bodies {
            for (row, g) in three.iter().zip(g) {
                let own = linear::scaled(row, &mass.mul(g));
                force = linear::sub(&force, &own);
            }
        }
    }
    labelled(times(&basis(s)?, &force), s.layout.independent.clone())
}

/// Accelerations of a place per unit force, from the coefficients `j` of q'' in them: each force added to the equations with the rows imposed.
pub(super) fn mobility<N: Number>(
    s: &Observation<'_, N>,
    j: &[Vec<N>],
) -> Result<Vec<Vec<N>>, EvalError> {
    let mass = &s.point.dynamics.mass;
    let a = &s.point.dynamics.constraint_matrix;
    let rows = independent(s, &|_| true)?;
    let (n, all) = (mass.len(), mass.len() + rows.len());
    let mut bordered = vec![vec![N::int(0); all]; all];
    for (i, row) in mass.iter().enumerate() {
        bordered[i][..n].clone_from_slice(row);
    }
    for (k, row) in rows.iter().enumerate() {
        for (i, e) in a[*row].iter().enumerate() {
            bordered[n + k][i] = e.clone();
            bordered[i][n + k] = e.clone();
        }
    }
    let mut columns = Vec::with_capacity(j.len());
    for force in j {
        let mut right = force.clone();
        right.resize(all, N::int(0));
        let x = solve_square(&bordered, &right)?;
        columns.push(j.iter().map(|row| dot(row, &x[..n])).collect());
    }
    Ok(linear::transposed(&columns))
}

/// The inverse of that in the components that move.
pub(super) fn inertia<N: Number>(
    s: &Observation<'_, N>,
    j: &[Vec<N>],
) -> Result<Vec<N>, EvalError> {
    let mobility = mobility(s, j)?;
    let moves = |i: &usize| mobility[*i].iter().any(|e| !e.is_zero());
    let kept: Vec<usize> = (0..mobility.len()).filter(moves).collect();
    let row = |i: &usize| kept.iter().map(|j| mobility[*i][*j].clone()).collect();
    let block: Vec<Vec<N>> = kept.iter().map(row).collect();
    let columns = linear::inverse_columns(&block)?;
    let mut values = vec![N::int(0); mobility.len() * mobility.len()];
    for (column, j) in columns.iter().zip(&kept) {
        for (e, i) in column.iter().zip(&kept) {
            values[i * mobility.len() + j] = e.clone();
        }
    }
    Ok(values)
}
