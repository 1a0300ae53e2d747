//! The model in a loop of 1 kHz: a force every millisecond, held until the next, with no allocation and in a time that is always the same.

use crate::projected::projected;
use crate::trolley::{Inputs, Model, STATES, Singular, State};

/// Between two forces, in s.
pub const PERIOD: f64 = 1e-3;

/// The force that drives the trolley to a place and takes the swing out of the load.
pub fn force(state: &State, place: f64) -> f64 {
    let swing = state.x - state.s;
    let rate = state.x_dot - state.s_dot;
    12.0 * (place - state.s) - 14.0 * state.s_dot + 20.0 * swing + 6.0 * rate
}

/// One period: a step of the classical Runge-Kutta method with the force held, then back to the constraints.
///
/// # Errors
/// Where the accelerations are singular.
pub fn period(
    model: &Model,
    t: f64,
    x: [f64; STATES],
    inputs: &Inputs,
) -> Result<[f64; STATES], Singular> {
    let h = PERIOD;
    let along = |k: &[f64; STATES], f: f64| -> [f64; STATES] {
        core::array::from_fn(|i| x[i] + f * h * k[i])
    };
    let k1 = model.derivative(t, &x, inputs)?;
    let k2 = model.derivative(t + h / 2.0, &along(&k1, 0.5), inputs)?;
    let k3 = model.derivative(t + h / 2.0, &along(&k2, 0.5), inputs)?;
    let k4 = model.derivative(t + h, &along(&k3, 1.0), inputs)?;
    let next = core::array::from_fn(|i| x[i] + h / 6.0 * (k1[i] + 2.0 * (k2[i] + k3[i]) + k4[i]));
    projected(model, t + h, next, inputs)
}

/// The loop over some seconds: the state at the end.
///
/// # Errors
/// As [`period`].
pub fn drive(model: &Model, start: State, place: f64, seconds: f64) -> Result<State, Singular> {
    let mut x = start.to_array();
    for step in 0..(seconds / PERIOD).round() as u32 {
        let inputs = Inputs {
            F: force(&State::from_array(&x), place),
        };
        x = period(model, f64::from(step) * PERIOD, x, &inputs)?;
    }
    Ok(State::from_array(&x))
}
