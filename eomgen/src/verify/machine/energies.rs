//! What energies contribute that the model gives as such.

use super::balance::Balance;
use super::instant::{Instant, Motion, VirtualDisplacement};
use super::{Machine, Wrt};
use crate::model::system::EnergyKind;
use crate::verify::dual::Dual;
use crate::verify::dynamics::State;
use crate::verify::functions::{Functions, Jets, Lifted};
use crate::verify::number::{EvalError, Number};
use crate::verify::series::Series;

impl Machine<'_> {
    /// Adds `-dV/dq`, `-dD/dq'` and, of T, `dT'/dq' - 2 dT/dq`, which is linear in q''.
    pub(super) fn energies<N: Number>(
        &self,
        state: &State<N>,
        directions: &[[N; 3]],
        balance: &mut Balance<N>,
    ) -> Result<(), EvalError>
    where
        Functions: Jets<N>,
    {
        let given = |kind| self.system.energies.iter().any(|e| e.kind == kind);
        let lifted = Lifted(&self.functions);
        let count = balance.applied.len();
        let kinetic = given(EnergyKind::Kinetic);
        let mut slope = vec![N::int(0); count];
        if kinetic || given(EnergyKind::Potential) {
            let motion = self.dual_motion(state, Wrt::Coordinates, count, directions);
            let instant = Instant::new(self.system, &lifted, motion)?;
            for e in &self.system.energies {
                if e.kind == EnergyKind::Dissipation {
                    continue;
                }
                let value = instant.scalar(&e.value)?;
                let value = value.now()?;
                for j in 0..count {
                    match e.kind {
                        EnergyKind::Potential => {
                            balance.applied[j] = balance.applied[j].sub(&value.along(j));
                        }
                        _ => slope[j] = slope[j].add(&value.along(j)),
                    }
                }
            }
        }
        if given(EnergyKind::Dissipation) {
            let motion = self.dual_motion(state, Wrt::Rates, count, directions);
            let instant = Instant::new(self.system, &lifted, motion)?;
            for e in &self.system.energies {
                if e.kind == EnergyKind::Dissipation {
                    let value = instant.scalar(&e.value)?;
                    let value = value.now()?;
                    for j in 0..count {
                        balance.applied[j] = balance.applied[j].sub(&value.along(j));
                    }
                }
            }
        }
        if !kinetic {
            return Ok(());
        }
        let twice = Lifted(&lifted);
        let motion = doubled(
            self.dual_motion(state, Wrt::Accelerations, count, directions),
            count,
        );
        let instant = Instant::new(self.system, &twice, motion)?;
        let mut change = Dual::fixed(Dual::fixed(N::int(0)));
        for e in &self.system.energies {
            if e.kind == EnergyKind::Kinetic {
                change = change.add(instant.scalar(&e.value)?.rate().now()?);
            }
        }
        let n = state.q.len();
        let mut mass = Vec::with_capacity(count);
        let mut rest = Vec::with_capacity(count);
        for j in 0..count {
            let own = change.along(j);
            mass.push((0..n).map(|k| own.along(k)).collect::<Vec<N>>());
            rest.push(own.value.sub(&slope[j]).sub(&slope[j]));
            for k in 0..n {
                balance.mass[j][k] = balance.mass[j][k].add(&mass[j][k]);
            }
            balance.velocity_terms[j] = balance.velocity_terms[j].add(&rest[j]);
        }
        balance.given = Some((mass, rest));
        Ok(())
    }
}

/// Second derivatives: the same motion with derivatives by the rates around those by the accelerations.
fn doubled<N: Number>(motion: Motion<Dual<N>>, count: usize) -> Motion<Dual<Dual<N>>> {
    let moved = |s: &Series<Dual<N>>, i: usize| {
        let mut list: Vec<Dual<Dual<N>>> = s.0.iter().cloned().map(Dual::fixed).collect();
        let own = Dual::variable(Dual::int(0), i, count);
        list[1] = list[1].add(&own);
        Series(list)
    };
    let n = motion.coords.len();
    Motion {
        time: Series(motion.time.0.into_iter().map(Dual::fixed).collect()),
        params: motion.params.into_iter().map(Dual::fixed).collect(),
        inputs: motion.inputs.into_iter().map(Dual::fixed).collect(),
        coords: motion
            .coords
            .iter()
            .enumerate()
            .map(|(i, s)| moved(s, i))
            .collect(),
        reactions: motion
            .reactions
            .into_iter()
            .map(|r| r.map(Dual::fixed))
            .collect(),
        joints: Vec::new(),
        shifts: Vec::new(),
        constraint_forces: Vec::new(),
        displacements: motion
            .displacements
            .into_iter()
            .enumerate()
            .map(|(k, r)| VirtualDisplacement {
                site: r.site,
                direction: r.direction.map(Dual::fixed),
                distance: moved(&r.distance, n + k),
            })
            .collect(),
    }
}
