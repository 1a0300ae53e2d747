//! Back to the constraints: what a state violates, and the nearest state that does not.

use crate::ir::tape::Runner;
use crate::machine::Mechanism;

/// Residuals and steps towards the constraints.
pub(super) struct Drift<'m> {
    residuals: Runner<'m>,
    step: Option<Runner<'m>>,
    rows: usize,
    buffer: Vec<f64>,
}

/// Steps at once: the first leaves the square of what was violated.
const STEPS: usize = 5;

impl<'m> Drift<'m> {
    pub fn new(mechanism: &Mechanism<'m>) -> Self {
        let machine = mechanism.machine;
        let step = machine.projection.as_ref();
        let step = step.filter(|tape| tape.len() == machine.states());
        Self {
            residuals: mechanism.runner(&machine.residuals),
            step: step.map(|tape| mechanism.runner(tape)),
            rows: machine.rows.len(),
            buffer: vec![0.0; machine.residuals.len()],
        }
    }

    /// Whether there is anything to be drifted from.
    pub fn is_possible(&self) -> bool {
        self.step.is_some()
    }

    /// Residuals as stated and as conditions on velocities; empty where they have no values.
    pub fn residuals(&mut self, mechanism: &mut Mechanism<'m>, t: f64, x: &[f64]) -> &[f64] {
        if self.rows == 0 {
            return &[];
        }
        let done = mechanism.run(&mut self.residuals, (t, x, &[]), &mut self.buffer);
        if done.is_ok() { &self.buffer } else { &[] }
    }

    /// The largest residual.
    pub fn largest(&mut self, mechanism: &mut Mechanism<'m>, t: f64, x: &[f64]) -> f64 {
        let residuals = self.residuals(mechanism, t, x).iter();
        residuals.fold(0.0, |m: f64, r| m.max(r.abs()))
    }

    /// The state after a step towards the constraints.
    pub fn step(&mut self, mechanism: &mut Mechanism<'m>, t: f64, x: &[f64]) -> Option<Vec<f64>> {
        let mut next = vec![0.0; x.len()];
        let runner = self.step.as_mut()?;
        mechanism.run(runner, (t, x, &[]), &mut next).ok()?;
        next.iter().all(|x| x.is_finite()).then_some(next)
    }

    /// Moves a state to the constraints, if it is off by more than `allowed`; says whether it was moved.
    pub fn project(
        &mut self,
        mechanism: &mut Mechanism<'m>,
        t: f64,
        x: &mut Vec<f64>,
        allowed: f64,
    ) -> bool {
        if !self.is_possible() {
            return false;
        }
        let mut off = self.largest(mechanism, t, x);
        if off <= allowed || !off.is_finite() {
            return false;
        }
        let mut moved = false;
        for _ in 0..STEPS {
            let Some(next) = self.step(mechanism, t, x) else {
                break;
            };
            let left = self.largest(mechanism, t, &next);
            if left >= off || !left.is_finite() {
                break;
            }
            (*x, off, moved) = (next, left, true);
            if off <= 0.01 * allowed {
                break;
            }
        }
        moved
    }
}
