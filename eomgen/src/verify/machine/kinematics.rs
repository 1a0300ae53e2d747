//! What follows from coordinates and rates alone, on the constraints or off them.

use super::balance::Balance;
use super::instant::Instant;
use super::{Level, Machine, Wrt, vector};
use crate::model::system::{LoadKind, SpeedId, StateVariable};
use crate::verify::dual::Dual;
use crate::verify::dynamics::{Dynamics, State};
use crate::verify::number::{Algebra, EvalError, Number};

/// The derivatives of a velocity `J q' + j` that is linear in the rates.
#[derive(Clone, Debug)]
pub struct VelocityGradients<N> {
    /// The speed's or the row's name.
    pub name: String,
    /// `dJ_L/dq_P` at `[L][P]`.
    pub by_coordinate: Vec<Vec<N>>,
    /// `dJ_L/dt`.
    pub by_time: Vec<N>,
    /// `dj/dq_P`.
    pub of_drift: Vec<N>,
}

impl Machine<'_> {
    /// What follows from coordinates and rates alone, which need not fulfil the constraints: rows, residuals, speeds, M,
    /// energies. The rest of the result is empty or zero.
    ///
    /// # Errors
    /// Why nothing can be said of the state.
    pub fn kinematics<N: Number>(&self, state: &State<N>) -> Result<Dynamics<N>, EvalError> {
        self.kinematics_by(state, &self.balance(state)?)
    }

    /// Which rows are stated on accelerations.
    pub(super) fn of_accelerations(&self) -> Vec<bool> {
        let rows = self.rows.iter();
        rows.map(|r| r.level == Level::Acceleration).collect()
    }

    pub(super) fn kinematics_by<N: Number>(
        &self,
        state: &State<N>,
        balance: &Balance<N>,
    ) -> Result<Dynamics<N>, EvalError> {
        let n = state.q.len();
        let at = self.at(state)?;
        let zero = N::int(0);
        let rows = |times: &dyn Fn(Level) -> usize| -> Result<Vec<N>, EvalError> {
            let stated = |own| (own < Level::Acceleration).then(|| times(own));
            let rows = self.rows_at(&at, stated)?.into_iter();
            Ok(rows.map(|r| r.unwrap_or_else(|| zero.clone())).collect())
        };
        let (kinetic, potential) = self.energy(&at)?;
        let first = |list: &[N]| list[..n].to_vec();
        let mut declared_speeds = Vec::new();
        for (i, speed) in self.system.speeds.iter().enumerate() {
            let value = at.speed(SpeedId(i as u32))?.now()?.clone();
            declared_speeds.push((speed.meta.name.clone(), value, zero.clone()));
        }
        let rate = |s: &StateVariable| at.scalar(&s.rate)?.now().cloned();
        let state_rates = self.system.states.iter().map(rate).collect();
        Ok(Dynamics {
            state_rates,
            accelerations: Vec::new(),
            constraint_matrix: balance.a.iter().map(|r| first(r)).collect(),
            rows: self.rows.iter().map(|r| r.name.clone()).collect(),
            of_accelerations: self.of_accelerations(),
            constraint_rhs: balance.b.clone(),
            residuals: rows(&|_| 0)?,
            velocity_residuals: rows(&|own| Level::Velocity as usize - own as usize)?,
            mass: balance.mass[..n].to_vec(),
            applied: first(&balance.applied),
            velocity_terms: first(&balance.velocity_terms),
            nonideal: first(&balance.nonideal),
            coupling: balance.coupling.as_ref().map(|phi| phi[..n].to_vec()),
            ideal_forces: Vec::new(),
            nonideal_forces: Vec::new(),
            multipliers: Vec::new(),
            kinetic_energy: kinetic.now()?.clone(),
            potential_energy: Some(potential.now()?.clone()),
            gibbs_function: zero.clone(),
            declared_speeds,
            masses: balance.masses.clone(),
            forces_at_centres: self.forces_at_centres(&at).unwrap_or_default(),
            partial_velocities: balance.partial_velocities.clone(),
            partial_angular_velocities: balance.partial_angular_velocities.clone(),
            joints: 0,
            outputs: Vec::new(),
        })
    }

    /// The weight and the loads at the centre of each body.
    fn forces_at_centres<N: Number>(&self, at: &Instant<'_, N>) -> Result<Vec<N>, EvalError> {
        let mut list = Vec::with_capacity(3 * self.system.bodies.len());
        for body in &self.system.bodies {
            let mut force = [N::int(0), N::int(0), N::int(0)];
            if let Some(gravity) = &self.system.gravity {
                let mass = at.scalar(&body.mass)?.now()?.clone();
                force = vector::now(&at.vector(gravity)?)?.map(|g| mass.mul(&g));
            }
            for load in &self.system.loads {
                if let LoadKind::Force { point, vector: of } = &load.kind
                    && *point == body.center
                {
                    force = vector::add(&force, &vector::now(&at.vector(of)?)?);
                }
            }
            list.extend(force);
        }
        Ok(list)
    }

    /// How the coefficients of the declared speeds and of the constraint rows change with the coordinates and time.
    ///
    /// # Errors
    /// As [`kinematics`](Self::kinematics).
    pub fn velocity_gradients<N: Number>(
        &self,
        state: &State<N>,
    ) -> Result<Vec<VelocityGradients<N>>, EvalError> {
        let n = state.q.len();
        let mut moved = state.with_variable_coordinates(n + 1);
        moved.t = Dual::variable(state.t.clone(), n, n + 1);
        let dynamics = self.kinematics(&moved)?;
        let gradients = self.speed_gradients(&moved)?;
        let changes = |name: &str, value: &Dual<N>, row: &[Dual<N>]| {
            let steady = row.iter().zip(&moved.rates);
            let steady = steady.fold(value.clone(), |rest, (j, v)| rest.sub(&j.mul(v)));
            VelocityGradients {
                name: name.to_owned(),
                by_coordinate: row.iter().map(|e| e.slopes(n)).collect(),
                by_time: row.iter().map(|e| e.along(n)).collect(),
                of_drift: steady.slopes(n),
            }
        };
        let speeds = gradients.iter().zip(&dynamics.declared_speeds);
        let speeds = speeds.map(|((name, row), (_, value, _))| changes(name, value, row));
        let rows = dynamics.rows.iter().zip(&dynamics.constraint_matrix);
        let rows = rows.zip(&dynamics.velocity_residuals);
        let rows = rows.map(|((name, row), value)| changes(name, value, row));
        Ok(speeds.chain(rows).collect())
    }

    /// The partial derivatives of the declared speeds by the rates, in the order of their declaration.
    ///
    /// # Errors
    /// As [`kinematics`](Self::kinematics).
    pub fn speed_gradients<N: Number>(
        &self,
        state: &State<N>,
    ) -> Result<Vec<(String, Vec<N>)>, EvalError> {
        if self.system.speeds.is_empty() {
            return Ok(Vec::new());
        }
        let at = self.dual_at(state, Wrt::Rates)?;
        let speeds = self.system.speeds.iter().enumerate();
        let gradient = |(i, speed): (usize, &crate::model::system::Speed)| {
            let value = at.speed(SpeedId(i as u32))?;
            Ok((speed.meta.name.clone(), value.now()?.slopes(state.q.len())))
        };
        speeds.map(gradient).collect()
    }
}
