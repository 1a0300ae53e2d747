//! The mechanics of a model by balances of linear and angular momentum. Positions are followed along a motion as Taylor series
//! in time; the accelerations of points and frames are linear in q'', and their coefficients are the partial velocities on which
//! the balances are projected (d'Alembert's principle). Energies that are given as such enter by Nielsen's form of Lagrange's
//! equations, `dT'/dq' - 2 dT/dq`, constraints by their derivatives along the motion. All by numbers: there are no formulae here.

mod balance;
mod body_balances;
mod constraint_forces;
mod differentials;
mod energies;
mod geometry;
mod identification;
mod instant;
mod kinematics;
mod rows;
mod solution;
mod supports;
mod value;
mod vector;

pub use body_balances::BodyBalances;
pub use differentials::Differentials;
pub use geometry::{Geometry, Momenta, Moving, Sited};
pub use identification::{Identification, Identified, Sampled, Shares};
pub use kinematics::VelocityGradients;
pub use rows::{Level, Row};
pub use supports::{Attachments, Supports};

use super::dual::Dual;
use super::dynamics::State;
use super::number::{Algebra, EvalError, Functions, Number};
use super::series::Series;
use crate::model::System;
use crate::model::system::Joint;
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
    /// random states.
    pub fn new(system: &'a System, seed: u64) -> Result<Self, EvalError> {
        let mut machine = Self {
            system,
            functions: Functions::new(seed),
            rows: Vec::new(),
        };
        machine.rows = machine.find_rows(seed)?;
        Ok(machine)
    }

    /// Constraints on positions, or on velocities, those included that follow from constraints on positions.
    pub fn residuals<N: Number>(
        &self,
        state: &State<N>,
        level: Level,
    ) -> Result<Vec<N>, EvalError> {
        self.rows_up_to(&self.at(state)?, level)
    }

    /// The same with their derivatives by q, or by q'.
    pub fn gradients<N: Number>(
        &self,
        state: &State<N>,
        level: Level,
    ) -> Result<Vec<Dual<N>>, EvalError> {
        let wrt = match level {
            Level::Position => Wrt::Coordinates,
            _ => Wrt::Rates,
        };
        self.rows_up_to(&self.dual_at(state, wrt)?, level)
    }

    /// Quantities that the model assumes to be of some sign.
    pub fn assumed<N: Number>(&self, state: &State<N>) -> Result<Vec<N>, EvalError> {
        let at = self.at(state)?;
        let all = self.system.assumptions.iter();
        all.map(|a| at.scalar(&a.value)?.now().cloned()).collect()
    }

    /// Inertia of each rigid body about its mass centre, in the axes in which it is given.
    pub fn inertias<N: Number>(&self, state: &State<N>) -> Result<Vec<[[N; 3]; 3]>, EvalError> {
        let at = self.at(state)?;
        let bodies = 0..self.system.bodies.len();
        bodies.filter_map(|b| at.inertia(b).transpose()).collect()
    }

    /// Mass of each particle and body.
    pub fn masses<N: Number>(&self, state: &State<N>) -> Result<Vec<N>, EvalError> {
        let at = self.at(state)?;
        let bodies = self.system.bodies.iter();
        bodies
            .map(|body| at.scalar(&body.mass)?.now().cloned())
            .collect()
    }

    /// The instant of a state, without accelerations.
    fn at<N: Number>(&self, state: &State<N>) -> Result<Instant<'a, N>, EvalError> {
        self.instant(self.motion(state, None))
    }

    /// The same with derivatives by all coordinates, rates or accelerations.
    fn dual_at<N: Number>(
        &self,
        state: &State<N>,
        wrt: Wrt,
    ) -> Result<Instant<'a, Dual<N>>, EvalError> {
        self.instant(self.dual_motion((state, None), wrt, state.q.len(), &[]))
    }

    fn instant<E: Number>(&self, motion: Motion<E>) -> Result<Instant<'a, E>, EvalError> {
        Instant::new(self.system, self.functions, motion)
    }

    /// The motion through a state with given accelerations, 0 if there are none.
    fn motion<N: Number>(&self, state: &State<N>, accelerations: Option<&[N]>) -> Motion<N> {
        let zero = N::int(0);
        let second = |i: usize| accelerations.map_or_else(|| zero.clone(), |a| half(&a[i]));
        let coord = |i: usize| Series(vec![state.q[i].clone(), state.rates[i].clone(), second(i)]);
        Motion {
            time: Series(vec![state.t.clone(), N::int(1), zero.clone()]),
            params: state.params.clone(),
            states: state.states.clone(),
            inputs: state.inputs.clone(),
            coords: (0..state.q.len()).map(coord).collect(),
            reactions: vec![[(); 3].map(|()| zero.clone()); self.system.constraints.len()],
            joints: Vec::new(),
            displacements: Vec::new(),
            shifts: Vec::new(),
            constraint_forces: Vec::new(),
        }
    }

    /// The same with derivatives in `count` directions: those of the coordinates, then those of the virtual displacements.
    fn dual_motion<N: Number>(
        &self,
        (state, accelerations): (&State<N>, Option<&[N]>),
        wrt: Wrt,
        count: usize,
        directions: &[[N; 3]],
    ) -> Motion<Dual<N>> {
        let mut motion = self
            .motion(state, accelerations)
            .map(|x| Dual::fixed(x.clone()));
        if wrt == Wrt::Time {
            motion.time.0[0] = Dual::variable(state.t.clone(), 0, count);
        }
        let joints = self.system.joints.iter().zip(directions);
        let displacement = |(joint, direction): (&Joint, &[N; 3])| VirtualDisplacement {
            site: joint.site,
            direction: direction.clone().map(Dual::fixed),
            distance: Series::int(0),
        };
        motion.displacements = joints.map(displacement).collect();
        motion.vary(wrt, count);
        motion
    }
}

fn half<E: Number>(x: &E) -> E {
    // Two divides everything in every arithmetic here.
    x.div(&E::int(2)).unwrap_or_else(|_| x.clone())
}
