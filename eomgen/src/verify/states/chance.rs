//! How likely it is that two different functions agree in a state of the field, from their degrees.

use crate::verify::dynamics::State;
use crate::verify::machine::{Level, Machine};
use crate::verify::number::{EvalError, Graded, Modular, accident};

/// Binary logarithm of a bound on the probability that a relation between the accelerations of the machine and another function
/// of a state holds by accident at one random consistent state; 0 where the degrees are too large to say anything. `other` is the
/// degree of the other function (see [`Graded::degree`]).
///
/// By Cramer's rule an acceleration is a quotient of two determinants, whose degrees are at most the sum of those of the rows. The
/// bound takes states as uniform among those that meet the constraints, and angles that are products (as of a rate and time) as
/// independent of others.
///
/// # Errors
///
/// As for [`Machine::dynamics`].
pub fn chance(machine: &Machine<'_>, state: &State<Modular>, other: f64) -> Result<i32, EvalError> {
    // Everything in it is drawn at random.
    let state = state.map(&|x| Graded::drawn(*x));
    let rows = machine.equations(&state)?;
    let own = 2.0 * rows.iter().map(|row| Graded::row_degree(row)).sum::<f64>();
    let own = own * Graded::doubled(rows.iter().flatten());
    let positions = machine.residuals(&state, Level::Position)?;
    let velocities = machine.residuals(&state, Level::Velocity)?;
    let kept = positions.iter().chain(&velocities);
    let kept = kept.fold(1.0, |k, r| k * r.degree().max(1.0));
    Ok(accident(own + other, kept))
}
