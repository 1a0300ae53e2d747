//! What every formulation has for whoever asks by name: the coordinate equations and their parts, the geometry of the constraints in
//! scaled accelerations, partial velocities, the representative particle.

use super::velocities::{Quasi, basis};
use super::{Expectation, Observation, Rule, by, flat, inertia, labelled, missing, plain};
use crate::verify::linear::{self, add, dot, rank, solve_square, sub, times, transposed};
use crate::verify::number::{Elementary, EvalError, Number};

/// The rule for one of these quantities.
pub(super) fn rule<N: Number>(name: &str) -> Option<Rule<N>> {
    let rule: Rule<N> = match name {
        "coordinate_mass_matrix" => |s| plain(flat(&s.point.dynamics.mass)),
        "coordinate_forcing" => |s| by(s, &unconstrained(s), ""),
        "applied_forces" => |s| by(s, &s.point.dynamics.applied, ""),
        "velocity_terms" => |s| by(s, &s.point.dynamics.velocity_terms, ""),
        "nonideal_vector" => |s| by(s, &s.point.dynamics.nonideal, ""),
        "unconstrained_accelerations" => |s| {
            by(
                s,
                &solve_square(&s.point.dynamics.mass, &unconstrained(s))?,
                "''",
            )
        },
        "scaled_constraint_matrix" => |s| plain(flat(&scaled(s)?)),
        "constraint_gram_matrix" => |s| plain(flat(&gram(s)?)),
        "normal_projector" => |s| projector(s, true),
        "tangent_projector" => |s| projector(s, false),
        "partial_velocities" => |s| in_speeds(s, &s.point.dynamics.partial_velocities),
        "partial_angular_velocities" => {
            |s| in_speeds(s, &s.point.dynamics.partial_angular_velocities)
        }
        "generalized_forces_in_speeds" => |s| conjugate(s, &s.point.dynamics.applied.clone()),
        "gibbs_gradient" => |s| conjugate(s, &inertia(s)),
        "quasi_velocity_mass_matrix" => |s| {
            let h = Quasi::read(s)?.inverse;
            let mass = &s.point.dynamics.mass;
            plain(flat(&linear::product(
                &transposed(&h),
                &linear::product(mass, &h),
            )))
        },
        "quasi_velocity_forces" => |s| {
            let quasi = Quasi::read(s)?;
            let h = transposed(&quasi.inverse);
            labelled(times(&h, &s.point.dynamics.applied), quasi.names)
        },
        "covariant_basis" => |s| plain(flat(&covariant(s)?.0)),
        "contravariant_basis" => |s| plain(flat(&contravariant(s)?)),
        "quasi_velocity_basis" => |s| {
            let h = Quasi::read(s)?.inverse;
            plain(flat(&linear::product(&covariant(s)?.0, &h)))
        },
        "quasi_velocity_dual_basis" => |s| {
            let j = Quasi::read(s)?.matrix;
            plain(flat(&linear::product(&contravariant(s)?, &transposed(&j))))
        },
        "representative_force" => representative_force,
        _ => return None,
    };
    Some(rule)
}

/// `F = Q - h`
fn unconstrained<N: Number>(s: &Observation<'_, N>) -> Vec<N> {
    sub(&s.point.dynamics.applied, &s.point.dynamics.velocity_terms)
}

/// The lower factor L of `M = L L^T`.
fn cholesky<N: Number>(m: &[Vec<N>]) -> Result<Vec<Vec<N>>, EvalError> {
    let n = m.len();
    let mut l = vec![vec![N::int(0); n]; n];
    for i in 0..n {
        for j in 0..=i {
            let (before, other) = (&l[i][..j], &l[j][..j]);
            let rest = m[i][j].sub(&dot(before, other));
            l[i][j] = if i == j {
                rest.function(Elementary::Sqrt)?
            } else {
                rest.div(&l[j][j])?
            };
        }
    }
    Ok(l)
}

/// `B = A L^-T`
pub(super) fn scaled<N: Number>(s: &Observation<'_, N>) -> Result<Vec<Vec<N>>, EvalError> {
    let l = cholesky(&s.point.dynamics.mass)?;
    let a = s.point.dynamics.constraint_matrix.iter();
    a.map(|row| solve_square(&l, row)).collect()
}

/// `G = A M^-1 A^T`
pub(super) fn gram<N: Number>(s: &Observation<'_, N>) -> Result<Vec<Vec<N>>, EvalError> {
    let dynamics = &s.point.dynamics;
    let a = &dynamics.constraint_matrix;
    let columns = a.iter().map(|row| solve_square(&dynamics.mass, row));
    let columns = columns.collect::<Result<Vec<_>, _>>()?;
    Ok(a.iter().map(|row| times(&columns, row)).collect())
}

/// `T = B^+ B`, of which column j is the shortest x with `B x = B e_j`; or `1 - T`.
fn projector<N: Number>(s: &Observation<'_, N>, normal: bool) -> Expectation<N> {
    let b = scaled(s)?;
    let n = s.layout.coordinates.len();
    let mut columns = Vec::with_capacity(n);
    for (j, column) in transposed(&b).iter().enumerate() {
        let own = linear::minimum_norm(&b, column, n)?;
        let entry = |(i, x): (usize, &N)| {
            if normal {
                x.clone()
            } else {
                N::int(i64::from(i == j)).sub(x)
            }
        };
        columns.push(own.iter().enumerate().map(entry).collect::<Vec<N>>());
    }
    plain(flat(&transposed(&columns)))
}

/// Of partial velocities by the rates: those by the speeds of the state.
fn in_speeds<N: Number>(s: &Observation<'_, N>, by_rates: &[Vec<N>]) -> Expectation<N> {
    if by_rates.is_empty() {
        return missing("bodies of that kind");
    }
    let h = basis(s)?;
    plain(by_rates.iter().flat_map(|row| times(&h, row)).collect())
}

/// What belongs to the speeds of the state of a force on the coordinates.
fn conjugate<N: Number>(s: &Observation<'_, N>, force: &[N]) -> Expectation<N> {
    labelled(times(&basis(s)?, force), s.layout.independent.clone())
}

/// `a_K = dr/dq_K` by columns, `r = sum sqrt(m_a/m) r_a`, and m.
fn covariant<N: Number>(s: &Observation<'_, N>) -> Result<(Vec<Vec<N>>, N), EvalError> {
    let dynamics = &s.point.dynamics;
    let total = dynamics.masses.iter().fold(N::int(0), |sum, m| sum.add(m));
    let mut list = Vec::with_capacity(dynamics.partial_velocities.len());
    for (three, mass) in dynamics.partial_velocities.chunks(3).zip(&dynamics.masses) {
        let weight = N::elementary(Elementary::Sqrt, &[mass.div(&total)?])?;
        for row in three {
            list.push(row.iter().map(|x| x.mul(&weight)).collect());
        }
    }
    Ok((list, total))
}

/// `a^K` by columns: `m M^-1` applied to the `a_K`.
fn contravariant<N: Number>(s: &Observation<'_, N>) -> Result<Vec<Vec<N>>, EvalError> {
    let (list, total) = covariant(s)?;
    let scaled = |row: &Vec<N>| row.iter().map(|x| x.mul(&total)).collect::<Vec<N>>();
    let each = list
        .iter()
        .map(|row| solve_square(&s.point.dynamics.mass, &scaled(row)));
    each.collect()
}

/// `sqrt(m/m_a) F_a` of the weight and the forces on particle a; what else is in Q acts along the `a^K`.
fn representative_force<N: Number>(s: &Observation<'_, N>) -> Expectation<N> {
    let dynamics = &s.point.dynamics;
    let (tangents, total) = covariant(s)?;
    let duals = contravariant(s)?;
    // Loads that depend on reactions are known by their projections alone.
    let direct = if dynamics.coupling.is_some() {
        vec![N::int(0); tangents.len()]
    } else {
        dynamics.forces_at_centres.clone()
    };
    if direct.len() != tangents.len() {
        return missing("forces on its particles that are known");
    }
    let mut phi = Vec::with_capacity(direct.len());
    for (force, mass) in direct.chunks(3).zip(&dynamics.masses) {
        let weight = N::elementary(Elementary::Sqrt, &[total.div(mass)?])?;
        phi.extend(force.iter().map(|x| x.mul(&weight)));
    }
    let along = times(&transposed(&tangents), &phi);
    let further = sub(&dynamics.applied, &along);
    plain(add(&phi, &times(&duals, &further)))
}

/// The rows of A that are in use: those that are marked as far as they are independent, then others until the rank is reached.
pub(super) fn independent<N: Number>(
    s: &Observation<'_, N>,
    marked: &dyn Fn(usize) -> bool,
) -> Result<Vec<usize>, EvalError> {
    let a = &s.point.dynamics.constraint_matrix;
    let (first, others): (Vec<usize>, Vec<usize>) = (0..a.len()).partition(|i| marked(*i));
    let (mut kept, mut list) = (Vec::new(), Vec::new());
    for i in first.into_iter().chain(others) {
        list.push(a[i].clone());
        if rank(&list)? == list.len() {
            kept.push(i)
        } else {
            list.pop();
        }
    }
    kept.sort_unstable();
    Ok(kept)
}
