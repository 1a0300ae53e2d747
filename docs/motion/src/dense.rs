//! With ode_solvers: pieces of a motion with dense output, a projection between two pieces, and the passages through the vertical.

use ode_solvers::dop_shared::IntegrationError;
use ode_solvers::{Dopri5, SVector, System};

use crate::projected::projected;
use crate::trolley::{Inputs, Model, STATES};

type Vector = SVector<f64, STATES>;

struct Trolley<'a> {
    model: &'a Model,
    inputs: Inputs,
}

impl System<f64, Vector> for Trolley<'_> {
    fn system(&self, t: f64, state: &Vector, rate: &mut Vector) {
        // The integrator takes no errors: what is no number makes it give up.
        let found = self.model.derivative(t, &state.data.0[0], &self.inputs);
        rate.copy_from_slice(&found.unwrap_or([f64::NAN; STATES]));
    }
}

/// Rows of a motion, each a time and a state.
pub type Rows = Vec<(f64, [f64; STATES])>;

/// The motion over some seconds, a row each hundredth; projected ten times in a second.
///
/// # Errors
/// When the integrator gives up.
pub fn motion(
    model: &Model,
    inputs: Inputs,
    start: [f64; STATES],
    seconds: f64,
) -> Result<Rows, IntegrationError> {
    let mut rows = vec![(0.0, start)];
    let mut state = start;
    let pieces = (seconds * 10.0).round() as u32;
    for piece in 0..pieces {
        let t = f64::from(piece) / 10.0;
        let trolley = Trolley { model, inputs };
        let from = Vector::from(state);
        let mut stepper = Dopri5::new(trolley, 0.0, 0.1, 0.01, from, 1e-10, 1e-10);
        stepper.integrate()?;
        let times = stepper.x_out().iter().skip(1);
        for (time, place) in times.zip(stepper.y_out().iter().skip(1)) {
            rows.push((t + time, place.data.0[0]));
        }
        if let Some((time, last)) = rows.last_mut() {
            let inputs = &inputs;
            *last = projected(model, *time, *last, inputs).unwrap_or(*last);
            state = *last;
        }
    }
    Ok(rows)
}

/// When the load passes below the trolley: the cubic through two rows and their rates, by bisection.
pub fn passages(model: &Model, inputs: &Inputs, rows: &Rows) -> Vec<f64> {
    // s and x are entries 0 and 1.
    let aside = |state: &[f64; STATES]| state[1] - state[0];
    let rate = |t: f64, state: &[f64; STATES]| {
        let found = model.derivative(t, state, inputs);
        found.map_or(f64::NAN, |rate| rate[1] - rate[0])
    };
    let mut times = Vec::new();
    for pair in rows.windows(2) {
        let [(t0, a), (t1, b)] = pair else { continue };
        let (f0, f1) = (aside(a), aside(b));
        if f0 == 0.0 || f0 * f1 > 0.0 {
            continue;
        }
        let h = t1 - t0;
        let (d0, d1) = (h * rate(*t0, a), h * rate(*t1, b));
        let cubic = |u: f64| {
            let (v, w) = (1.0 - u, u);
            v * v * ((1.0 + 2.0 * u) * f0 + u * d0) + w * w * ((3.0 - 2.0 * u) * f1 - v * d1)
        };
        let (mut low, mut high) = (0.0, 1.0);
        for _ in 0..60 {
            let middle = (low + high) / 2.0;
            if cubic(middle) * f0 > 0.0 {
                low = middle;
            } else {
                high = middle;
            }
        }
        times.push(t0 + h * low);
    }
    times
}
