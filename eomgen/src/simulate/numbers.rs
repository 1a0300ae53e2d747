//! A state as the integrator's crate sees it. Its own `Vec` does the same; plain loops over slices are several times faster where nothing is optimised.

use differential_equations::tolerance::Tolerance;
use differential_equations::traits::State;

/// Numbers of a length that is known when they are made.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Numbers(pub Vec<f64>);

impl State<f64> for Numbers {
    fn len(&self) -> usize {
        self.0.len()
    }

    fn get_component(&self, index: usize) -> f64 {
        self.0[index]
    }

    fn set_component(&mut self, index: usize, value: f64) {
        self.0[index] = value;
    }

    fn map_components_mut<F>(&mut self, mut f: F)
    where
        F: FnMut(usize, &mut f64),
    {
        for (i, x) in self.0.iter_mut().enumerate() {
            f(i, x);
        }
    }

    fn zeros_like(&self) -> Self {
        Self(vec![0.0; self.0.len()])
    }

    fn zeros() -> Self {
        Self(Vec::new())
    }

    fn mul_add_assign(&mut self, alpha: f64, other: &Self) {
        self.add_scaled(alpha, other);
    }

    fn scale_mut(&mut self, alpha: f64) {
        for x in &mut self.0 {
            *x *= alpha;
        }
    }

    fn add_scaled(&mut self, alpha: f64, other: &Self) -> &mut Self {
        let to = self.0.as_mut_slice();
        let from = &other.0.as_slice()[..to.len()];
        let mut i = 0;
        while i < to.len() {
            to[i] += alpha * from[i];
            i += 1;
        }
        self
    }

    fn error_norm(
        &self,
        y_new: &Self,
        err: &Self,
        atol: &Tolerance<f64>,
        rtol: &Tolerance<f64>,
    ) -> f64 {
        let (y, y_new, err) = (self.0.as_slice(), y_new.0.as_slice(), err.0.as_slice());
        let (mut sum, mut i) = (0.0, 0);
        while i < y.len() {
            let e = err[i] / (atol[i] + rtol[i] * y[i].abs().max(y_new[i].abs()));
            sum += e * e;
            i += 1;
        }
        sum
    }

    fn error_norm_inf(
        &self,
        y_new: &Self,
        err: &Self,
        atol: &Tolerance<f64>,
        rtol: &Tolerance<f64>,
    ) -> f64 {
        let (y, y_new, err) = (self.0.as_slice(), y_new.0.as_slice(), err.0.as_slice());
        let (mut largest, mut i) = (0.0, 0);
        while i < y.len() {
            let e = (err[i] / (atol[i] + rtol[i] * y[i].abs().max(y_new[i].abs()))).abs();
            // NaN is no small error: a step to where there are no numbers is rejected.
            if e > largest || e.is_nan() {
                largest = if e.is_nan() { f64::INFINITY } else { e };
            }
            i += 1;
        }
        largest
    }
}
