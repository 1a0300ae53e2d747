//! Integrating motions, for the tests of physics.

use nalgebra::DVector;
use ode_solvers::{Dop853, OutputType, System};

/// A system whose last state is the time: `Dop853` of ode_solvers 0.6.2 loses its order where the rates depend on the time that
/// it passes on, and not where they depend on the state alone.
struct Flow<F>(F);

impl<F: Fn(f64, &[f64]) -> Vec<f64>> System<f64, DVector<f64>> for Flow<F> {
    fn system(&self, _: f64, state: &DVector<f64>, rate: &mut DVector<f64>) {
        if let [place @ .., t] = state.as_slice() {
            let mut rates = (self.0)(*t, place);
            rates.push(1.0);
            rate.copy_from_slice(&rates);
        }
    }
}

/// The motion from `start` at the time `begin` over some seconds, by the Runge-Kutta method of Dormand and Prince of order eight with a local error
/// of 1e-13: time and state of every step.
pub fn integrated(
    derivative: impl Fn(f64, &[f64]) -> Vec<f64>,
    begin: f64,
    start: &[f64],
    seconds: f64,
) -> Vec<(f64, Vec<f64>)> {
    integrated_to(derivative, (begin, seconds), start, 1e-13)
}

/// The same with a local error of one's own.
pub fn integrated_to(
    derivative: impl Fn(f64, &[f64]) -> Vec<f64>,
    (begin, seconds): (f64, f64),
    start: &[f64],
    error: f64,
) -> Vec<(f64, Vec<f64>)> {
    let with_time = [start, &[begin]].concat();
    let start = DVector::from_vec(with_time);
    let mut stepper = Dop853::new(Flow(derivative), 0.0, seconds, 0.1, start, error, error);
    // Interpolated states would be less exact than the steps themselves.
    stepper.set_output(OutputType::Sparse);
    stepper.integrate().unwrap();
    let mut states = Vec::new();
    for state in stepper.y_out() {
        if let [place @ .., t] = state.as_slice() {
            states.push((*t, place.to_vec()));
        }
    }
    let reached = states.last().map(|(t, _)| *t).unwrap();
    assert!(
        (reached - begin - seconds).abs() < 1e-9,
        "stopped at {reached} s"
    );
    states
}

/// The largest change of an entry between the first and the last state: a motion that stands still keeps everything.
pub fn travelled(motion: &[(f64, Vec<f64>)]) -> f64 {
    let (Some((_, first)), Some((_, last))) = (motion.first(), motion.last()) else {
        return 0.0;
    };
    let changes = first.iter().zip(last).map(|(a, b)| (a - b).abs());
    changes.fold(0.0, f64::max)
}

/// How far a quantity strays from its first value, relative to `max(1, |first|)`, or that it is not a number.
pub fn drift(values: impl IntoIterator<Item = f64>) -> f64 {
    let values: Vec<f64> = values.into_iter().collect();
    let scale = values[0].abs().max(1.0);
    values.iter().fold(0.0, |worst: f64, v| {
        let stray = (v - values[0]).abs() / scale;
        if stray.is_nan() {
            f64::INFINITY
        } else {
            worst.max(stray)
        }
    })
}
