//! What follows from coordinates and rates alone, on the constraints or off them.

use super::instant::Instant;
use super::{Level, Machine, Wrt};
use crate::model::system::SpeedId;
use crate::verify::dual::Dual;
use crate::verify::dynamics::{Dynamics, State};
use crate::verify::functions::{Functions, Jets, Lifted};
use crate::verify::number::{EvalError, Number};
use crate::verify::test_point::{Mechanics, Slopes};

impl<N: Number> Mechanics<N> for Machine<'_>
where
    Functions: Jets<N>,
{
    fn kinematics(&self, state: &State<N>) -> Result<Dynamics<N>, EvalError> {
        let n = state.q.len();
        let balance = self.balance(state)?;
        let instant = Instant::new(
            self.system,
            &self.functions,
            self.motion(state, None, Vec::new()),
        )?;
        let residuals = self.residuals(&instant, |row, r| {
            Some(match row.level {
                Level::Acceleration => Ok(N::int(0)),
                _ => r.now().cloned(),
            })
        })?;
        let velocity_residuals = self.residuals(&instant, |row, r| {
            Some(match row.level {
                Level::Position => r.rate().now().cloned(),
                Level::Velocity => r.now().cloned(),
                Level::Acceleration => Ok(N::int(0)),
            })
        })?;
        let (kinetic, potential) = self.energy(&instant)?;
        let rows = balance
            .a
            .iter()
            .map(|r| r.iter().take(n).cloned().collect());
        let first = |list: &[N]| list.iter().take(n).cloned().collect::<Vec<N>>();
        let mut declared_speeds = Vec::new();
        for (i, speed) in self.system.speeds.iter().enumerate() {
            let value = instant.speed(SpeedId(i as u32))?.now()?.clone();
            declared_speeds.push((speed.meta.name.clone(), value, N::int(0)));
        }
        Ok(Dynamics {
            accelerations: Vec::new(),
            constraint_matrix: rows.collect(),
            rows: self.rows.iter().map(|r| r.name.clone()).collect(),
            constraint_rhs: balance.b.clone(),
            residuals,
            velocity_residuals,
            mass: balance.mass.iter().take(n).cloned().collect(),
            applied: first(&balance.applied),
            velocity_terms: first(&balance.velocity_terms),
            nonideal: first(&balance.nonideal),
            coupling: None,
            ideal_forces: Vec::new(),
            nonideal_forces: Vec::new(),
            multipliers: Vec::new(),
            kinetic_energy: kinetic.now()?.clone(),
            potential_energy: Some(potential.now()?.clone()),
            gibbs_function: N::int(0),
            declared_speeds,
            masses: balance.masses,
            partial_velocities: balance.partial_velocities,
            partial_angular_velocities: balance.partial_angular_velocities,
            joints: 0,
            outputs: Vec::new(),
        })
    }

    fn velocity_slopes(&self, state: &State<N>) -> Result<Vec<Slopes<N>>, EvalError> {
        let n = state.q.len();
        let fixed =
            |list: &[N]| -> Vec<Dual<N>> { list.iter().cloned().map(Dual::fixed).collect() };
        let moved = State {
            t: Dual::variable(state.t.clone(), n, n + 1),
            params: fixed(&state.params),
            inputs: fixed(&state.inputs),
            q: (0..n)
                .map(|k| Dual::variable(state.q[k].clone(), k, n + 1))
                .collect(),
            rates: fixed(&state.rates),
        };
        let dynamics: Dynamics<Dual<N>> = Mechanics::<Dual<N>>::kinematics(self, &moved)?;
        let gradients: Vec<(String, Vec<Dual<N>>)> =
            Mechanics::<Dual<N>>::speed_gradients(self, &moved)?;
        let slopes = |name: &str, value: &Dual<N>, row: &[Dual<N>]| {
            let steady = row.iter().zip(&moved.rates);
            let steady = steady.fold(value.clone(), |rest, (j, v)| rest.sub(&j.mul(v)));
            Slopes {
                name: name.to_owned(),
                by_coordinate: row
                    .iter()
                    .map(|e| (0..n).map(|k| e.along(k)).collect())
                    .collect(),
                by_time: row.iter().map(|e| e.along(n)).collect(),
                of_drift: (0..n).map(|k| steady.along(k)).collect(),
            }
        };
        let speeds = gradients.iter().zip(&dynamics.declared_speeds);
        let speeds = speeds.map(|((name, row), (_, value, _))| slopes(name, value, row));
        let rows = dynamics.rows.iter().zip(&dynamics.constraint_matrix);
        let rows = rows.zip(&dynamics.velocity_residuals);
        let rows = rows.map(|((name, row), value)| slopes(name, value, row));
        Ok(speeds.chain(rows).collect())
    }

    fn speed_gradients(&self, state: &State<N>) -> Result<Vec<(String, Vec<N>)>, EvalError> {
        if self.system.speeds.is_empty() {
            return Ok(Vec::new());
        }
        let n = state.q.len();
        let lifted = Lifted(&self.functions);
        let motion = self.dual_motion(state, Wrt::Rates, n, &[]);
        let instant = Instant::new(self.system, &lifted, motion)?;
        let speeds = self.system.speeds.iter().enumerate();
        let gradient = |(i, speed): (usize, &crate::model::system::Speed)| {
            let value = instant.speed(SpeedId(i as u32))?;
            let now = value.now()?;
            let along = (0..n).map(|k| now.along(k));
            Ok((speed.meta.name.clone(), along.collect()))
        };
        speeds.map(gradient).collect()
    }
}
