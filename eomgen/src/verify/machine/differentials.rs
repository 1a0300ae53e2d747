//! Derivatives of the energies and of the Gibbs function at a state and its accelerations: another way to the equations of
//! motion, to be compared with the balances.

use super::{Machine, Wrt};
use crate::verify::dynamics::State;
use crate::verify::linear;
use crate::verify::number::{Algebra, EvalError, Number};

/// Derivatives along the motion with some accelerations.
#[derive(Clone, Debug)]
pub struct Differentials<N> {
    /// `p = dT/dq'`
    pub momenta: Vec<N>,
    /// `dp/dt`
    pub momentum_rates: Vec<N>,
    /// `dT/dq`
    pub kinetic_slopes: Vec<N>,
    /// `dV/dq`
    pub potential_slopes: Vec<N>,
    /// `dT/dt` along the motion.
    pub kinetic_rate: N,
    /// `dV/dt` along the motion; `None` if inputs stand in V, whose rates are not known.
    pub potential_rate: Option<N>,
    /// `dL/dt` at fixed q and q'.
    pub lagrangian_slope: N,
    /// `dS/dq''`, of bodies alone.
    pub gibbs_slopes: Vec<N>,
}

impl Machine<'_> {
    /// The derivatives in a state.
    ///
    /// # Errors
    ///
    /// As for [`Machine::dynamics`].
    pub fn differentials<N: Number>(
        &self,
        state: &State<N>,
        accelerations: &[N],
    ) -> Result<Differentials<N>, EvalError> {
        let n = state.q.len();
        let instant = |wrt, count| {
            self.instant(self.dual_motion((state, Some(accelerations)), wrt, count, &[]))
        };
        let (kinetic, potential) = self.energy(&instant(Wrt::Coordinates, n)?)?;
        let kinetic_slopes = kinetic.now()?.slopes(n);
        let potential_slopes = potential.now()?.slopes(n);
        let kinetic_rate = kinetic.rate().now()?.value.clone();
        let potential_rate = potential.rate().now().ok().map(|r| r.value.clone());
        // q + s t: the value's derivative by s is dT/dq', that of its rate dp/dt + dT/dq.
        let (kinetic, _) = self.energy(&instant(Wrt::Rates, n)?)?;
        let momenta = kinetic.now()?.slopes(n);
        let both = kinetic.rate().now()?.slopes(n);
        let momentum_rates = linear::sub(&both, &kinetic_slopes);
        let (kinetic, potential) = self.energy(&instant(Wrt::Time, 1)?)?;
        let lagrangian_slope = kinetic.now()?.sub(potential.now()?).along(0);
        let gibbs_slopes = self.gibbs(&instant(Wrt::Accelerations, n)?)?.slopes(n);
        Ok(Differentials {
            momenta,
            momentum_rates,
            kinetic_slopes,
            potential_slopes,
            kinetic_rate,
            potential_rate,
            lagrangian_slope,
            gibbs_slopes,
        })
    }

    /// Derivatives of the mass matrix by the coordinates: `list[k][i][j] = dM_ij/dq_k`.
    ///
    /// # Errors
    ///
    /// As for [`Machine::dynamics`].
    pub fn mass_slopes<N: Number>(&self, state: &State<N>) -> Result<Vec<Vec<Vec<N>>>, EvalError> {
        let n = state.q.len();
        let mass = self.balance(&state.with_variable_coordinates(n))?.mass;
        let slopes = |k: usize| {
            let rows = mass[..n].iter();
            rows.map(|row| row.iter().map(|e| e.along(k)).collect())
                .collect()
        };
        Ok((0..n).map(slopes).collect())
    }

    /// The velocity terms h in a state, which need not meet the constraints.
    ///
    /// # Errors
    ///
    /// As for [`Machine::dynamics`].
    pub fn velocity_terms<N: Number>(&self, state: &State<N>) -> Result<Vec<N>, EvalError> {
        let mut terms = self.balance(state)?.velocity_terms;
        terms.truncate(state.q.len());
        Ok(terms)
    }
}
