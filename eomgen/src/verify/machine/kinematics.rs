//! What follows from coordinates and rates alone, on the constraints or off them.

use super::scene::Scene;
use super::{Level, Machine, Seed};
use crate::model::system::SpeedId;
use crate::verify::functions::{Functions, Jets, Lifted};
use crate::verify::number::{Number, Trouble};
use crate::verify::scene::Mechanics;
use crate::verify::truth::{State, Truth};

impl<N: Number> Mechanics<N> for Machine<'_>
where
    Functions: Jets<N>,
{
    fn kinematics(&self, state: &State<N>) -> Result<Truth<N>, Trouble> {
        let n = state.q.len();
        let balance = self.balance(state)?;
        let scene = Scene::new(
            self.system,
            &self.functions,
            self.motion(state, None, Vec::new()),
        )?;
        let residuals = self.residuals(&scene, |row, r| {
            Some(match row.level {
                Level::Acceleration => Ok(N::int(0)),
                _ => r.now().cloned(),
            })
        })?;
        let velocity_residuals = self.residuals(&scene, |row, r| {
            Some(match row.level {
                Level::Position => r.rate().now().cloned(),
                Level::Velocity => r.now().cloned(),
                Level::Acceleration => Ok(N::int(0)),
            })
        })?;
        let (kinetic, potential) = self.energy(&scene)?;
        let rows = balance
            .a
            .iter()
            .map(|r| r.iter().take(n).cloned().collect());
        let first = |list: &[N]| list.iter().take(n).cloned().collect::<Vec<N>>();
        let mut declared_speeds = Vec::new();
        for (i, speed) in self.system.speeds.iter().enumerate() {
            let value = scene.speed(SpeedId(i as u32))?.now()?.clone();
            declared_speeds.push((speed.meta.name.clone(), value, N::int(0)));
        }
        Ok(Truth {
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
            outputs: Vec::new(),
        })
    }

    fn speed_gradients(&self, state: &State<N>) -> Result<Vec<(String, Vec<N>)>, Trouble> {
        if self.system.speeds.is_empty() {
            return Ok(Vec::new());
        }
        let n = state.q.len();
        let lifted = Lifted(&self.functions);
        let motion = self.seeded(state, Seed::Rates, n, &[]);
        let scene = Scene::new(self.system, &lifted, motion)?;
        let speeds = self.system.speeds.iter().enumerate();
        let gradient = |(i, speed): (usize, &crate::model::system::Speed)| {
            let value = scene.speed(SpeedId(i as u32))?;
            let now = value.now()?;
            let along = (0..n).map(|k| now.along(k));
            Ok((speed.meta.name.clone(), along.collect()))
        };
        speeds.map(gradient).collect()
    }
}
