//! Inverse dynamics: the forces on the state's speeds that balances of momentum lack for given rates of these speeds.

use super::velocities::basis;
use super::{Expectation, Observation, Rule, labelled};
use crate::verify::entries::given_array;
use crate::verify::linear::{self, add, sub, times};
use crate::verify::number::Number;

/// The rule for one of these quantities.
pub(super) fn rule<N: Number>(name: &str) -> Option<Rule<N>> {
    let rule: Rule<N> = match name {
        "inverse_dynamics" => |s| missing_forces(s, &given_array(s.layout.independent.len())),
        "bias_forces" => |s| missing_forces(s, &vec![N::int(0); s.layout.independent.len()]),
        _ => return None,
    };
    Some(rule)
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
