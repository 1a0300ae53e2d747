//! The mechanics of a model by balances of linear and angular momentum. Positions are followed along a motion as Taylor series
//! in time; the accelerations of points and frames are linear in q'', and their coefficients are the partial velocities on which
//! the balances are projected (d'Alembert's principle). Energies that are given as such enter by Nielsen's form of Lagrange's
//! equations, `dT'/dq' - 2 dT/dq`, constraints by their derivatives along the motion. All by numbers: there are no formulae here.

mod balance;
mod constraint_forces;
mod differentials;
mod energies;
mod instant;
mod kinematics;
mod rows;
mod solution;
mod value;
mod vector;

pub use differentials::Differentials;
pub use rows::{Level, Row};

use super::dual::Dual;
use super::dynamics::{Dynamics, State};
use super::functions::{Functions, Jets, Lifted};
use super::number::{EvalError, Number};
use super::series::Series;
use crate::model::System;
use instant::{Instant, Motion, VirtualDisplacement};

/// A model that can be evaluated.
#[derive(Clone, Debug)]
pub struct Machine<'a> {
    /// The model.
    pub system: &'a System,
    /// The user's functions.
    pub functions: Functions,
    /// The scalar constraints that are not identically satisfied.
    pub rows: Vec<Row>,
}

/// By what a motion is differentiated.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Wrt {
    /// t, with one direction.
    Time,
    /// q
    Coordinates,
    /// q'
    Rates,
    /// q''
    Accelerations,
}

impl<'a> Machine<'a> {
    /// A machine with the functions that belong to a seed. Which constraints say anything, and at which level, is found at
    /// random places.
    pub fn new(system: &'a System, seed: u64) -> Result<Self, EvalError> {
        let mut machine = Self {
            system,
            functions: Functions::new(seed),
            rows: Vec::new(),
        };
        machine.rows = machine.find_rows(seed)?;
        Ok(machine)
    }

    /// Everything about a state, which has to be consistent with the constraints.
    pub fn dynamics<N: Number>(&self, state: &State<N>) -> Result<Dynamics<N>, EvalError>
    where
        Functions: Jets<N>,
    {
        let balance = self.balance(state)?;
        self.solution(state, &balance)
    }

    /// Constraints on places: left less right side.
    pub fn position_residuals<N: Number>(&self, state: &State<N>) -> Result<Vec<N>, EvalError>
    where
        Functions: Jets<N>,
    {
        let motion = self.motion(state, None, Vec::new());
        let instant = Instant::new(self.system, &self.functions, motion)?;
        self.residuals(&instant, |row, r| match row.level {
            Level::Position => Some(r.now().cloned()),
            _ => None,
        })
    }

    /// Constraints on velocities, those included that follow from constraints on places.
    pub fn velocity_residuals<N: Number>(&self, state: &State<N>) -> Result<Vec<N>, EvalError>
    where
        Functions: Jets<N>,
    {
        let motion = self.motion(state, None, Vec::new());
        let instant = Instant::new(self.system, &self.functions, motion)?;
        self.residuals(&instant, |row, r| match row.level {
            Level::Position => Some(r.rate().now().cloned()),
            Level::Velocity => Some(r.now().cloned()),
            Level::Acceleration => None,
        })
    }

    /// [`Machine::position_residuals`] or [`Machine::velocity_residuals`] with their derivatives by q or q'.
    pub fn gradients<N: Number>(
        &self,
        state: &State<N>,
        rates: bool,
    ) -> Result<Vec<Dual<N>>, EvalError>
    where
        Functions: Jets<N>,
    {
        let lifted = Lifted(&self.functions);
        let seed = if rates { Wrt::Rates } else { Wrt::Coordinates };
        let motion = self.dual_motion(state, seed, state.q.len(), &[]);
        let instant = Instant::new(self.system, &lifted, motion)?;
        self.residuals(&instant, |row, r| match (row.level, rates) {
            (Level::Position, false) | (Level::Velocity, true) => Some(r.now().cloned()),
            (Level::Position, true) => Some(r.rate().now().cloned()),
            _ => None,
        })
    }

    /// Quantities that the model assumes to be of some sign.
    pub fn assumed<N: Number>(&self, state: &State<N>) -> Result<Vec<N>, EvalError>
    where
        Functions: Jets<N>,
    {
        let motion = self.motion(state, None, Vec::new());
        let instant = Instant::new(self.system, &self.functions, motion)?;
        let all = self.system.assumptions.iter();
        all.map(|a| instant.scalar(&a.value)?.now().cloned())
            .collect()
    }

    /// The motion through a state with given accelerations, 0 if there are none.
    fn motion<N: Number>(
        &self,
        state: &State<N>,
        accelerations: Option<&[N]>,
        displacements: Vec<VirtualDisplacement<N>>,
    ) -> Motion<N> {
        let zero = N::int(0);
        let coords = (0..state.q.len())
            .map(|i| {
                let second = match accelerations {
                    Some(a) => half(&a[i]),
                    None => zero.clone(),
                };
                Series(vec![state.q[i].clone(), state.rates[i].clone(), second])
            })
            .collect();
        Motion {
            time: Series(vec![state.t.clone(), N::int(1), zero.clone()]),
            params: state.params.clone(),
            inputs: state.inputs.clone(),
            coords,
            reactions: vec![[(); 3].map(|()| zero.clone()); self.system.constraints.len()],
            joints: Vec::new(),
            displacements,
            shifts: Vec::new(),
            constraint_forces: Vec::new(),
        }
    }

    /// The same without accelerations, with derivatives in `count` directions: those of the coordinates, then those of the
    /// displacements.
    fn dual_motion<N: Number>(
        &self,
        state: &State<N>,
        seed: Wrt,
        count: usize,
        directions: &[[N; 3]],
    ) -> Motion<Dual<N>> {
        let none = vec![N::int(0); state.q.len()];
        self.dual_motion_at(state, &none, seed, count, directions)
    }

    fn dual_motion_at<N: Number>(
        &self,
        state: &State<N>,
        accelerations: &[N],
        seed: Wrt,
        count: usize,
        directions: &[[N; 3]],
    ) -> Motion<Dual<N>> {
        let zero = Dual::fixed(N::int(0));
        let n = state.q.len();
        let fixed = |x: &N| Dual::fixed(x.clone());
        let moved = |[q, v, a]: [&N; 3], i: usize| {
            let own = Dual::variable(N::int(0), i, count);
            let mut list = vec![fixed(q), fixed(v), fixed(&half(a))];
            match seed {
                Wrt::Coordinates => list[0] = list[0].add(&own),
                Wrt::Rates => list[1] = list[1].add(&own),
                Wrt::Accelerations => list[2] = list[2].add(&half(&own)),
                Wrt::Time => {}
            }
            Series(list)
        };
        let coords = (0..n)
            .map(|i| moved([&state.q[i], &state.rates[i], &accelerations[i]], i))
            .collect();
        let still = N::int(0);
        let now = match seed {
            Wrt::Time => Dual::variable(state.t.clone(), 0, count),
            _ => fixed(&state.t),
        };
        let displacements = self
            .system
            .joints
            .iter()
            .zip(directions)
            .enumerate()
            .map(|(k, (joint, direction))| VirtualDisplacement {
                site: joint.site,
                direction: direction.clone().map(Dual::fixed),
                distance: moved([&still; 3], n + k),
            })
            .collect();
        Motion {
            time: Series(vec![now, Dual::int(1), zero.clone()]),
            params: state.params.iter().map(fixed).collect(),
            inputs: state.inputs.iter().map(fixed).collect(),
            coords,
            reactions: vec![[(); 3].map(|()| zero.clone()); self.system.constraints.len()],
            joints: Vec::new(),
            displacements,
            shifts: Vec::new(),
            constraint_forces: Vec::new(),
        }
    }
}

fn half<E: Number>(x: &E) -> E {
    // Two divides everything in every arithmetic here.
    x.div(&E::int(2)).unwrap_or_else(|_| x.clone())
}
