//! Back to the constraints: what the integrators of this crate do after their steps.

use crate::trolley::{Inputs, Model, STATES, Singular};

/// The state near this one that satisfies the constraints.
///
/// # Errors
/// Where the constraints contradict each other.
pub fn projected(
    model: &Model,
    t: f64,
    mut state: [f64; STATES],
    inputs: &Inputs,
) -> Result<[f64; STATES], Singular> {
    // A step of an integrator leaves the constraints by its tolerance; each of these squares what is left. Positions come first, since the
    // residuals of velocities depend on them.
    for _ in 0..3 {
        state = model.projection_step(t, &state, inputs)?;
    }
    Ok(state)
}
