//! The balances of momentum of every body, not projected on anything: what holds the bodies at rest of the accelerations, and what unit accelerations, multipliers and
//! declared reactions change of it. Who asks names the directions.

use super::{Attachments, Machine, Supports};
use crate::verify::dynamics::{Dynamics, State};
use crate::verify::linear;
use crate::verify::number::{EvalError, Number};

/// What the balances of all bodies say in one state.
#[derive(Clone, Debug)]
pub struct BodyBalances<N> {
    /// What holds the bodies at q'' = 0 and without multipliers.
    pub at_rest: Supports<N>,
    /// What a unit of each q'' adds.
    pub by_accelerations: Vec<Supports<N>>,
    /// What a unit of each multiplier adds.
    pub by_multipliers: Vec<Supports<N>>,
    /// Partial velocities of the bodies, for each coordinate.
    pub partials: Vec<Supports<N>>,
}

impl Machine<'_> {
    /// The balances of all bodies.
    ///
    /// # Errors
    /// Where the model has no values there.
    pub fn body_balances<N: Number>(
        &self,
        state: &State<N>,
        known: &Dynamics<N>,
        attachments: &Attachments,
    ) -> Result<BodyBalances<N>, EvalError> {
        let (n, m) = (state.q.len(), self.rows.len());
        let (still, free) = (vec![N::int(0); n], vec![N::int(0); m]);
        let at_rest = self.supports(state, (&still, &free), attachments)?;
        let mut by_accelerations = Vec::with_capacity(n);
        for unit in linear::identity(n) {
            let moved = self.supports(state, (&unit, &free), attachments)?;
            by_accelerations.push(moved.less(&at_rest));
        }
        let mut by_multipliers = Vec::with_capacity(m);
        for unit in linear::identity(m) {
            let pulled = self.supports(state, (&still, &unit), attachments)?;
            by_multipliers.push(pulled.less(&at_rest));
        }
        let column = |rows: &[Vec<N>], k: usize| -> Vec<N> {
            rows.iter().filter_map(|row| row.get(k).cloned()).collect()
        };
        let partials = (0..n).map(|k| {
            let forces = column(&known.partial_velocities, k);
            let torques = column(&known.partial_angular_velocities, k);
            at_rest.with_lists(&forces, &torques)
        });
        Ok(BodyBalances {
            partials: partials.collect(),
            at_rest,
            by_accelerations,
            by_multipliers,
        })
    }
}
