//! Whether the length of steps is a matter of stability and no longer of accuracy: the largest eigenvalue of the Jacobian by the power method, against the step.

use crate::machine::Fault;

/// Iterations for each estimate; the vector is kept from one to the next.
const ITERATIONS: usize = 4;
/// The explicit method is stable down to about 4 on the negative axis.
const STIFF: f64 = 2.5;
/// Below this an explicit method does with the same steps.
const EASY: f64 = 0.5;

/// Follows the largest eigenvalue.
#[derive(Clone, Debug, Default)]
pub(super) struct Stiffness {
    vector: Vec<f64>,
    votes: u32,
}

/// A rate of the state.
pub(super) type Rate<'a> = dyn FnMut(f64, &[f64], &mut [f64]) -> Result<(), Fault> + 'a;

impl Stiffness {
    /// Whether to change from the explicit method to the implicit one, or back.
    pub fn changes(
        &mut self,
        rate: &mut Rate<'_>,
        t: f64,
        x: &[f64],
        h: f64,
        explicit: bool,
    ) -> bool {
        let Some((size, along)) = self.largest(rate, t, x) else {
            return false;
        };
        let vote = if explicit {
            h * size > STIFF && along < -0.5 * size
        } else {
            h * size < EASY
        };
        self.votes = if vote { self.votes + 1 } else { 0 };
        let changes = self.votes >= 2;
        if changes {
            self.votes = 0;
        }
        changes
    }

    /// The size of the largest eigenvalue, and the Rayleigh quotient: its real part where it is real.
    fn largest(&mut self, rate: &mut Rate<'_>, t: f64, x: &[f64]) -> Option<(f64, f64)> {
        let n = x.len();
        let mut here = vec![0.0; n];
        rate(t, x, &mut here).ok()?;
        if self.vector.len() != n {
            // No direction is special.
            self.vector = (0..n).map(|i| 1.0 + 0.1 * (i % 7) as f64).collect();
        }
        let mut estimate = None;
        for _ in 0..ITERATIONS {
            let norm = norm(&self.vector);
            if norm == 0.0 || !norm.is_finite() {
                self.vector.clear();
                return None;
            }
            let scale = x.iter().fold(1.0, |m: f64, x| m.max(x.abs()));
            let e = 1e-7 * scale / norm;
            let moved: Vec<f64> = x.iter().zip(&self.vector).map(|(x, v)| x + e * v).collect();
            let mut there = vec![0.0; n];
            rate(t, &moved, &mut there).ok()?;
            let next: Vec<f64> = there.iter().zip(&here).map(|(a, b)| (a - b) / e).collect();
            let products = next.iter().zip(&self.vector).map(|(a, b)| a * b);
            let along = products.sum::<f64>() / (norm * norm);
            estimate = Some((self::norm(&next) / norm, along));
            self.vector = next;
        }
        estimate
    }
}

fn norm(v: &[f64]) -> f64 {
    v.iter().map(|x| x * x).sum::<f64>().sqrt()
}
