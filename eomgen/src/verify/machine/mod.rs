//! The mechanics of a model by balances of linear and angular momentum. Positions are followed along a motion as Taylor series
//! in time; the accelerations of points and frames are linear in q'', and their coefficients are the partial velocities on which
//! the balances are projected (d'Alembert's principle). Energies that are given as such enter by Nielsen's form of Lagrange's
//! equations, `dT'/dq' - 2 dT/dq`, constraints by their derivatives along the motion. All by numbers: there are no formulae here.

mod balance;
mod differentials;
mod energies;
mod kinematics;
mod rows;
mod scene;
mod solution;
mod value;
mod vector;

pub use differentials::Differentials;
pub use rows::{Level, Row};

use super::dual::Dual;
use super::functions::{Functions, Jets, Lifted};
use super::number::{Number, Trouble};
use super::series::Series;
use super::truth::{State, Truth};
use crate::model::System;
use scene::{Motion, Release, Scene};

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
enum Seed {
    /// t, with one direction.
    Time,
    /// q
    Places,
    /// q'
    Rates,
    /// q''
    Accelerations,
}

impl<'a> Machine<'a> {
    /// A machine with the functions that belong to a seed. Which constraints say anything, and at which level, is found at
    /// random places.
    pub fn new(system: &'a System, seed: u64) -> Result<Self, Trouble> {
        let mut machine = Self {
            system,
            functions: Functions::new(seed),
            rows: Vec::new(),
        };
        machine.rows = machine.find_rows(seed)?;
        Ok(machine)
    }

    /// Everything about a state, which has to be consistent with the constraints.
    pub fn truth<N: Number>(&self, state: &State<N>) -> Result<Truth<N>, Trouble>
    where
        Functions: Jets<N>,
    {
        let balance = self.balance(state)?;
        self.solution(state, &balance)
    }

    /// Constraints on places: left less right side.
    pub fn place_residuals<N: Number>(&self, state: &State<N>) -> Result<Vec<N>, Trouble>
    where
        Functions: Jets<N>,
    {
        let motion = self.motion(state, None, Vec::new());
        let scene = Scene::new(self.system, &self.functions, motion)?;
        self.residuals(&scene, |row, r| match row.level {
            Level::Position => Some(r.now().cloned()),
            _ => None,
        })
    }

    /// Constraints on velocities, those included that follow from constraints on places.
    pub fn rate_residuals<N: Number>(&self, state: &State<N>) -> Result<Vec<N>, Trouble>
    where
        Functions: Jets<N>,
    {
        let motion = self.motion(state, None, Vec::new());
        let scene = Scene::new(self.system, &self.functions, motion)?;
        self.residuals(&scene, |row, r| match row.level {
            Level::Position => Some(r.rate().now().cloned()),
            Level::Velocity => Some(r.now().cloned()),
            Level::Acceleration => None,
        })
    }

    /// [`Machine::place_residuals`] or [`Machine::rate_residuals`] with their derivatives by q or q'.
    pub fn gradients<N: Number>(
        &self,
        state: &State<N>,
        rates: bool,
    ) -> Result<Vec<Dual<N>>, Trouble>
    where
        Functions: Jets<N>,
    {
        let lifted = Lifted(&self.functions);
        let seed = if rates { Seed::Rates } else { Seed::Places };
        let motion = self.seeded(state, seed, state.q.len(), &[]);
        let scene = Scene::new(self.system, &lifted, motion)?;
        self.residuals(&scene, |row, r| match (row.level, rates) {
            (Level::Position, false) | (Level::Velocity, true) => Some(r.now().cloned()),
            (Level::Position, true) => Some(r.rate().now().cloned()),
            _ => None,
        })
    }

    /// Quantities that the model assumes to be of some sign.
    pub fn assumed<N: Number>(&self, state: &State<N>) -> Result<Vec<N>, Trouble>
    where
        Functions: Jets<N>,
    {
        let motion = self.motion(state, None, Vec::new());
        let scene = Scene::new(self.system, &self.functions, motion)?;
        let all = self.system.assumptions.iter();
        all.map(|a| scene.scalar(&a.value)?.now().cloned())
            .collect()
    }

    /// The motion through a state with given accelerations, 0 if there are none.
    fn motion<N: Number>(
        &self,
        state: &State<N>,
        accelerations: Option<&[N]>,
        releases: Vec<Release<N>>,
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
            releases,
        }
    }

    /// The same without accelerations, with derivatives in `count` directions: those of the coordinates, then those of the
    /// releases.
    fn seeded<N: Number>(
        &self,
        state: &State<N>,
        seed: Seed,
        count: usize,
        directions: &[[N; 3]],
    ) -> Motion<Dual<N>> {
        let none = vec![N::int(0); state.q.len()];
        self.seeded_at(state, &none, seed, count, directions)
    }

    fn seeded_at<N: Number>(
        &self,
        state: &State<N>,
        accelerations: &[N],
        seed: Seed,
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
                Seed::Places => list[0] = list[0].add(&own),
                Seed::Rates => list[1] = list[1].add(&own),
                Seed::Accelerations => list[2] = list[2].add(&half(&own)),
                Seed::Time => {}
            }
            Series(list)
        };
        let coords = (0..n)
            .map(|i| moved([&state.q[i], &state.rates[i], &accelerations[i]], i))
            .collect();
        let still = N::int(0);
        let now = match seed {
            Seed::Time => Dual::variable(state.t.clone(), 0, count),
            _ => fixed(&state.t),
        };
        let releases = self
            .system
            .joints
            .iter()
            .zip(directions)
            .enumerate()
            .map(|(k, (joint, direction))| Release {
                site: joint.site,
                direction: direction.clone().map(Dual::fixed),
                way: moved([&still; 3], n + k),
            })
            .collect();
        Motion {
            time: Series(vec![now, Dual::int(1), zero.clone()]),
            params: state.params.iter().map(fixed).collect(),
            inputs: state.inputs.iter().map(fixed).collect(),
            coords,
            reactions: vec![[(); 3].map(|()| zero.clone()); self.system.constraints.len()],
            joints: Vec::new(),
            releases,
        }
    }
}

fn half<E: Number>(x: &E) -> E {
    // Two divides everything in every arithmetic here.
    x.div(&E::int(2)).unwrap_or_else(|_| x.clone())
}
