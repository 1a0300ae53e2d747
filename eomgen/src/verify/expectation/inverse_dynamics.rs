//! Inverse dynamics: the forces on the state's speeds that balances of momentum lack for given rates of these speeds.

use super::velocities::basis;
use super::{Expectation, Observation, Rule, labelled};
use crate::verify::entries::given_array;
use crate::verify::linear::{self, add, minimum_norm, sub, times};
use crate::verify::number::{EvalError, Number};

/// The rule for one of these quantities.
pub(super) fn rule<N: Number>(name: &str) -> Option<Rule<N>> {
    let rule: Rule<N> = match name {
        "inverse_dynamics" => |s| missing_forces(s, &given_array(s.layout.independent.len())),
        "minimum_norm_forces" => minimum_norm_forces,
        "bias_forces" => |s| missing_forces(s, &vec![N::int(0); s.layout.independent.len()]),
        _ => return None,
    };
    Some(rule)
}

/// Forces on the coordinates of least norm that do on the speeds what is missing, those of the rows that remain left out.
fn minimum_norm_forces<N: Number>(s: &Observation<'_, N>) -> Expectation<N> {
    let names = &s.layout.coordinates;
    let missing = missing_forces(s, &given_array(s.layout.independent.len()))?;
    let force = minimum_norm(&basis(s)?, &missing.values, names.len())?;
    let force = if s.layout.is_reduced() {
        force
    } else {
        free_part(&s.point.dynamics.constraint_matrix, &force)?
    };
    labelled(force, names.clone())
}

/// `x - A^+ A x`
fn free_part<N: Number>(a: &[Vec<N>], x: &[N]) -> Result<Vec<N>, EvalError> {
    if a.is_empty() {
        return Ok(x.to_vec());
    }
    Ok(sub(x, &minimum_norm(a, &times(a, x), x.len())?))
}

/// Values of inputs of least norm that do the same: the forces per unit of each are what the balances gain where it is larger by 1.
pub(super) fn actuation<N: Number>(s: &Observation<'_, N>, names: &[String]) -> Expectation<N> {
    let basis = basis(s)?;
    let missing = missing_forces(s, &given_array(s.layout.independent.len()))?;
    let mut force = missing.values;
    let rows: Vec<Vec<N>> = if s.layout.is_reduced() {
        Vec::new()
    } else {
        let all = s.point.dynamics.constraint_matrix.iter();
        all.map(|row| times(&basis, row)).collect()
    };
    let mut columns = Vec::with_capacity(names.len());
    for name in names {
        let mut all = s.point.actuators.iter();
        let Some((_, value, gain)) = all.find(|(own, ..)| own == name) else {
            return EvalError::unsupported(format!("the model has no input `{name}`"));
        };
        let own = times(&basis, gain);
        force = add(&force, &linear::scaled(&own, value));
        columns.push(free_part(&rows, &own)?);
    }
    let force = free_part(&rows, &force)?;
    let values = minimum_norm(&linear::transposed(&columns), &force, names.len())?;
    labelled(values, names.to_vec())
}

/// `H^T (M q'' - F - C)` with `q' = H u + h`, the accelerations being those of the machine with its own rates `u'` of the speeds
/// exchanged for others.
fn missing_forces<N: Number>(s: &Observation<'_, N>, rates: &[N]) -> Expectation<N> {
    let dynamics = &s.point.dynamics;
    let basis = basis(s)?;
    let mut accelerations = dynamics.accelerations.clone();
    for ((column, name), rate) in basis.iter().zip(&s.layout.independent).zip(rates) {
        let change = rate.sub(&s.point.speed_rate(s.layout, name)?);
        accelerations = add(&accelerations, &linear::scaled(column, &change));
    }
    let inertia = add(
        &times(&dynamics.mass, &accelerations),
        &dynamics.velocity_terms,
    );
    let lacking = sub(&sub(&inertia, &dynamics.applied), &dynamics.nonideal);
    labelled(times(&basis, &lacking), s.layout.independent.clone())
}
