//! How likely it is that two different functions agree in a state of the field, from their degrees.

use crate::verify::dynamics::State;
use crate::verify::functions::{Functions, Jets};
use crate::verify::machine::Machine;
use crate::verify::number::{EvalError, Graded, Modular, accident};

impl State<Modular> {
    /// The same state, with everything in it taken as drawn at random.
    pub fn graded(&self) -> State<Graded> {
        let all = |list: &[Modular]| list.iter().map(|x| Graded::drawn(*x)).collect();
        State {
            t: Graded::drawn(self.t),
            params: all(&self.params),
            inputs: all(&self.inputs),
            q: all(&self.q),
            rates: all(&self.rates),
        }
    }
}

impl Jets<Graded> for Functions {
    fn jet(&self, f: usize, orders: &[u32], arguments: &[Graded]) -> Result<Graded, EvalError> {
        let values: Vec<Modular> = arguments.iter().map(|a| *a.value()).collect();
        let value: Modular = self.jet(f, orders, &values)?;
        Ok(Graded::drawn(value))
    }
}

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
    let state = state.graded();
    let rows = machine.equations(&state)?;
    let own = 2.0 * rows.iter().map(|row| Graded::row_degree(row)).sum::<f64>();
    let own = own * Graded::doubled(rows.iter().flatten());
    let places = machine.position_residuals(&state)?;
    let rates = machine.velocity_residuals(&state)?;
    let kept = places.iter().chain(&rates);
    let kept = kept.fold(1.0, |k, r| k * r.degree().max(1.0));
    Ok(accident(own + other, kept))
}
