//! Integrates the sleigh.

use ode_solvers::dop_shared::IntegrationError;
use ode_solvers::{Dop853, OutputType, SVector, System};

use crate::checked::{Inputs, Model, Params, STATES, State};

type Vector = SVector<f64, STATES>;

/// The sleigh with its parameters and a constant thrust, as the integrator wants it.
struct Sleigh {
    model: Model,
    inputs: Inputs,
}

impl System<f64, Vector> for Sleigh {
    fn system(&self, t: f64, state: &Vector, rate: &mut Vector) {
        let rates = self.model.derivative(t, &state.data.0[0], &self.inputs);
        rate.copy_from_slice(&rates);
    }
}

/// The motion from `start` over some seconds: time and state of every step, whose local error is at most 1e-13.
///
/// # Errors
/// When the integrator gives up.
pub fn drive(
    params: Params,
    inputs: Inputs,
    start: State,
    seconds: f64,
) -> Result<Vec<(f64, State)>, IntegrationError> {
    let model = Model::new(&params);
    let sleigh = Sleigh { model, inputs };
    let start = Vector::from(start.to_array());
    let mut stepper = Dop853::new(sleigh, 0.0, seconds, 0.1, start, 1e-13, 1e-13);
    // The steps themselves: states interpolated between them would be less exact.
    stepper.set_output(OutputType::Sparse);
    stepper.integrate()?;
    let states = stepper.y_out().iter();
    let states = states.map(|state| State::from_array(&state.data.0[0]));
    Ok(stepper.x_out().iter().copied().zip(states).collect())
}
