//! Accelerations and forces from the balances, and everything that is known once these are.

use super::balance::{Balance, apply, cross, dot};
use super::instant::Instant;
use super::{Level, Machine, half, vector};
use crate::model::system::{Action, EnergyKind, Quantity, Scalar, SpeedId};
use crate::verify::dynamics::{Dynamics, State};
use crate::verify::functions::{Functions, Jets};
use crate::verify::linear;
use crate::verify::number::{EvalError, Number};
use crate::verify::series::Series;

impl Machine<'_> {
    pub(super) fn solution<N: Number>(
        &self,
        state: &State<N>,
        balance: &Balance<N>,
    ) -> Result<Dynamics<N>, EvalError>
    where
        Functions: Jets<N>,
    {
        let n = state.q.len();
        let mass = &balance.mass[..n];
        let a: Vec<Vec<N>> = balance.a.iter().map(|r| r[..n].to_vec()).collect();
        let force: Vec<N> = difference(&balance.applied[..n], &balance.velocity_terms[..n]);
        let prescribed = &balance.nonideal[..n];
        let has_nonideal = !self.system.nonideal.is_empty();
        let (first, own) = accelerations(mass, &force, &a, balance)?;
        let ideal_forces = constraint_forces(mass, &first, &force, balance, &own, n);
        let (accelerations, loading, total) = if has_nonideal {
            let (q, own) = accelerations(mass, &sum(&force, prescribed), &a, balance)?;
            let total = constraint_forces(mass, &q, &force, balance, &own, n);
            (q, own, total)
        } else {
            (first, own, ideal_forces.clone())
        };
        let nonideal_forces = difference(&total, &ideal_forces);
        let pull = difference(&total, prescribed);
        let multipliers = if a.is_empty() {
            Vec::new()
        } else {
            linear::shortest(&a, &pull)?
        };
        let reactions = self.reactions(balance, &accelerations, &multipliers, &loading);
        let mut motion = self.motion(state, Some(&accelerations), Vec::new());
        for (row, l) in self.rows.iter().zip(&multipliers) {
            motion.reactions[row.constraint][row.component] = l.clone();
        }
        motion.joints.clone_from(&reactions);
        // Outputs alone need these: without them, such outputs have no value.
        motion.constraint_forces = self
            .constraint_forces(state, &accelerations, &multipliers)
            .unwrap_or_default();
        let instant = Instant::new(self.system, &self.functions, motion)?;
        let stated = self.residuals(&instant, |row, r| {
            Some(match row.level {
                Level::Acceleration => Ok(N::int(0)),
                _ => r.now().cloned(),
            })
        })?;
        let moving = self.residuals(&instant, |row, r| {
            Some(match row.level {
                Level::Position => r.rate().now().cloned(),
                Level::Velocity => r.now().cloned(),
                Level::Acceleration => Ok(N::int(0)),
            })
        })?;
        let (kinetic, potential) = self.energy(&instant)?;
        let mut gibbs_function = self.gibbs(&instant)?;
        if let Some((mass, rest)) = &balance.given {
            for (i, q) in accelerations.iter().enumerate() {
                let own = half(&linear::dot(&mass[i], &accelerations)).add(&rest[i]);
                gibbs_function = gibbs_function.add(&own.mul(q));
            }
        }
        Ok(Dynamics {
            rows: self.rows.iter().map(|r| r.name.clone()).collect(),
            constraint_rhs: balance.b.clone(),
            residuals: stated,
            velocity_residuals: moving,
            mass: mass.to_vec(),
            applied: balance.applied[..n].to_vec(),
            velocity_terms: balance.velocity_terms[..n].to_vec(),
            nonideal: prescribed.to_vec(),
            coupling: balance.coupling.as_ref().map(|phi| phi[..n].to_vec()),
            ideal_forces,
            nonideal_forces,
            multipliers,
            kinetic_energy: kinetic.now()?.clone(),
            potential_energy: Some(potential.now()?.clone()),
            gibbs_function,
            declared_speeds: self.speeds(&instant, state, &accelerations)?,
            masses: balance.masses.clone(),
            partial_velocities: balance.partial_velocities.clone(),
            partial_angular_velocities: balance.partial_angular_velocities.clone(),
            joints: self.system.joints.len(),
            outputs: self.outputs(&instant, &reactions),
            constraint_matrix: a,
            accelerations,
        })
    }

    /// The equations for accelerations and multipliers in a state, each row with its right side at the end.
    ///
    /// # Errors
    ///
    /// As for [`Machine::dynamics`].
    pub fn equations<N: Number>(&self, state: &State<N>) -> Result<Vec<Vec<N>>, EvalError>
    where
        Functions: Jets<N>,
    {
        let n = state.q.len();
        let balance = self.balance(state)?;
        let a: Vec<Vec<N>> = balance.a.iter().map(|r| r[..n].to_vec()).collect();
        let force = difference(&balance.applied[..n], &balance.velocity_terms[..n]);
        let force = sum(&force, &balance.nonideal[..n]);
        let mut rows = bordered(&balance.mass[..n], &a, &balance);
        for (row, right) in rows.iter_mut().zip(force.into_iter().chain(balance.b)) {
            row.push(right);
        }
        Ok(rows)
    }

    /// What holds the definitions: what is left of their balances.
    fn reactions<N: Number>(
        &self,
        balance: &Balance<N>,
        accelerations: &[N],
        multipliers: &[N],
        loading: &[N],
    ) -> Vec<N> {
        let n = accelerations.len();
        (n..balance.mass.len())
            .map(|s| {
                let mut rest = linear::dot(&balance.mass[s], accelerations)
                    .add(&balance.velocity_terms[s])
                    .sub(&balance.applied[s])
                    .sub(&balance.nonideal[s]);
                for (row, l) in balance.a.iter().zip(multipliers) {
                    rest = rest.sub(&row[s].mul(l));
                }
                if let Some(phi) = &balance.coupling {
                    rest = rest.sub(&linear::dot(&phi[s], loading));
                }
                rest
            })
            .collect()
    }

    /// Kinetic energy, and potential energy with that of gravity about the origin.
    pub(super) fn energy<N: Number>(
        &self,
        instant: &Instant<'_, N>,
    ) -> Result<(Series<N>, Series<N>), EvalError> {
        let (mut kinetic, mut potential) = (Series::int(0), Series::int(0));
        let gravity = match &self.system.gravity {
            Some(g) => Some(instant.vector(g)?),
            None => None,
        };
        for (i, body) in self.system.bodies.iter().enumerate() {
            kinetic = kinetic.add(&instant.kinetic(i)?);
            if let Some(g) = &gravity {
                let fall = vector::dot(g, &*instant.point(body.center)?);
                potential = potential.sub(&instant.scalar(&body.mass)?.mul(&fall));
            }
        }
        for e in &self.system.energies {
            let value = instant.scalar(&e.value)?;
            match e.kind {
                EnergyKind::Kinetic => kinetic = kinetic.add(&value),
                EnergyKind::Potential => potential = potential.add(&value),
                EnergyKind::Dissipation => {}
            }
        }
        Ok((kinetic, potential))
    }

    /// `1/2` times the integral of `|a|^2 dm`, of what is no energy that is given as such.
    pub(super) fn gibbs<E: Number>(&self, instant: &Instant<'_, E>) -> Result<E, EvalError> {
        let mut twice = E::int(0);
        for (i, body) in self.system.bodies.iter().enumerate() {
            let a = vector::rate(&vector::rate(&*instant.point(body.center)?));
            let square = instant.scalar(&body.mass)?.mul(&vector::dot(&a, &a));
            twice = twice.add(square.now()?);
            let (Some(rigid), Some(tensor)) = (&body.rigid, instant.inertia(i)?) else {
                continue;
            };
            let rotation = &instant.frame(rigid.axes)?.rotation;
            let spin = &instant.frame(rigid.frame)?.omega;
            let now = |v: &vector::Vec3<E>| -> Result<[E; 3], EvalError> {
                Ok([
                    v[0].now()?.clone(),
                    v[1].now()?.clone(),
                    v[2].now()?.clone(),
                ])
            };
            let omega = now(&vector::own(rotation, spin))?;
            let alpha = now(&vector::own(rotation, &vector::rate(spin)))?;
            let momentum = apply(&tensor, &omega);
            let turning = dot(&alpha, &apply(&tensor, &alpha));
            let mixed = dot(&alpha, &cross(&omega, &momentum));
            let steady = dot(&omega, &omega).mul(&dot(&omega, &momentum));
            twice = twice.add(&turning).add(&mixed).add(&mixed).add(&steady);
        }
        Ok(half(&twice))
    }

    /// All speeds with their rates: the declared ones, then rates of coordinates that complete them.
    fn speeds<N: Number>(
        &self,
        instant: &Instant<'_, N>,
        state: &State<N>,
        accelerations: &[N],
    ) -> Result<Vec<(String, N, N)>, EvalError>
    where
        Functions: Jets<N>,
    {
        let mut list = Vec::new();
        for (i, speed) in self.system.speeds.iter().enumerate() {
            let value = instant.speed(SpeedId(i as u32))?;
            let rate = value.rate().now()?.clone();
            list.push((speed.meta.name.clone(), value.now()?.clone(), rate));
        }
        for i in self.completion(state)? {
            let name = format!("{}'", self.system.coords[i].meta.name);
            list.push((name, state.rates[i].clone(), accelerations[i].clone()));
        }
        Ok(list)
    }

    /// The coordinates whose rates complete the declared speeds: privileged ones first, then in order, each that the speeds
    /// before it do not determine.
    fn completion<N: Number>(&self, state: &State<N>) -> Result<Vec<usize>, EvalError>
    where
        Functions: Jets<N>,
    {
        use super::Wrt;
        use crate::verify::functions::Lifted;
        let n = state.q.len();
        let mut set: Vec<Vec<N>> = Vec::new();
        if !self.system.speeds.is_empty() {
            let lifted = Lifted(&self.functions);
            let motion = self.dual_motion(state, Wrt::Rates, n, &[]);
            let instant = Instant::new(self.system, &lifted, motion)?;
            for i in 0..self.system.speeds.len() {
                let value = instant.speed(SpeedId(i as u32))?;
                set.push(
                    (0..n)
                        .map(|k| value.now().map(|v| v.along(k)))
                        .collect::<Result<_, _>>()?,
                );
            }
        }
        let mut candidates: Vec<usize> = Vec::new();
        for (s, _) in &self.system.privileged {
            if let Scalar::Rate(inner) = s
                && let Scalar::Coord(c) = **inner
            {
                candidates.push(c.index());
            }
        }
        candidates.extend(0..n);
        let mut chosen: Vec<usize> = Vec::new();
        for i in candidates {
            if set.len() == n || chosen.contains(&i) {
                continue;
            }
            set.push((0..n).map(|k| N::int(i64::from(i == k))).collect());
            if self.system.speeds.is_empty() || linear::rank(&set)? == set.len() {
                chosen.push(i)
            } else {
                set.pop();
            }
        }
        chosen.sort_unstable();
        Ok(chosen)
    }

    fn outputs<N: Number>(
        &self,
        instant: &Instant<'_, N>,
        reactions: &[N],
    ) -> Vec<(String, Result<Vec<N>, EvalError>)> {
        let own = self.system.outputs.iter().map(|o| {
            let value = match &o.value {
                Quantity::Scalar(s) => instant
                    .scalar(s)
                    .and_then(|v| v.now().cloned())
                    .map(|v| vec![v]),
                Quantity::Vector(v) => instant.vector(v).and_then(|v| {
                    v.iter()
                        .map(|c| c.now().cloned())
                        .collect::<Result<Vec<N>, _>>()
                }),
            };
            (o.meta.name.clone(), value)
        });
        let joints = self.system.joints.iter().zip(reactions);
        let joints = joints.map(|(j, r)| {
            let value = match j.action {
                Action::Definition => Ok(vec![r.clone()]),
                Action::Pair { .. } => Err(between()),
            };
            (j.meta.name.clone(), value)
        });
        own.chain(joints).collect()
    }
}

/// A reaction between two sites is shared with others in a way that depends on which else are declared.
pub(super) fn between() -> EvalError {
    EvalError::Unsupported("a reaction between two points or frames".into())
}

fn sum<N: Number>(a: &[N], b: &[N]) -> Vec<N> {
    a.iter().zip(b).map(|(x, y)| x.add(y)).collect()
}

fn difference<N: Number>(a: &[N], b: &[N]) -> Vec<N> {
    a.iter().zip(b).map(|(x, y)| x.sub(y)).collect()
}

/// The matrix of the bordered equations `M q'' - (A^T + Phi) lambda = F`, `A q'' = b`.
fn bordered<N: Number>(mass: &[Vec<N>], a: &[Vec<N>], balance: &Balance<N>) -> Vec<Vec<N>> {
    let n = mass.len();
    let mut rows: Vec<Vec<N>> = Vec::with_capacity(n + a.len());
    for i in 0..n {
        let mut row = mass[i].clone();
        for (r, own) in a.iter().enumerate() {
            let mut pull = own[i].neg();
            if let Some(phi) = &balance.coupling {
                pull = pull.sub(&phi[i][r]);
            }
            row.push(pull);
        }
        rows.push(row);
    }
    for own in a {
        let row = own.iter().cloned().chain(a.iter().map(|_| N::int(0)));
        rows.push(row.collect());
    }
    rows
}

/// q'' and a set of multipliers by the bordered equations `M q'' - (A^T + Phi) lambda = F`, `A q'' = b`. The multipliers may not
/// be determined; q'' has to be.
fn accelerations<N: Number>(
    mass: &[Vec<N>],
    force: &[N],
    a: &[Vec<N>],
    balance: &Balance<N>,
) -> Result<(Vec<N>, Vec<N>), EvalError> {
    let n = mass.len();
    let rows = bordered(mass, a, balance);
    let right: Vec<N> = force.iter().chain(&balance.b).cloned().collect();
    let solved = linear::solve(&rows, &right, None)?;
    let settled = (0..n).all(|i| solved.pivots.contains(&i));
    if !settled {
        return Err(EvalError::Singular(
            "the accelerations are not determined".into(),
        ));
    }
    let mut x = solved.x;
    let multipliers = x.split_off(n);
    Ok((x, multipliers))
}

/// `M q'' - F - Phi lambda`
fn constraint_forces<N: Number>(
    mass: &[Vec<N>],
    accelerations: &[N],
    force: &[N],
    balance: &Balance<N>,
    multipliers: &[N],
    n: usize,
) -> Vec<N> {
    let mut rest = difference(&linear::times(mass, accelerations), force);
    if let Some(phi) = &balance.coupling {
        rest = difference(&rest, &linear::times(&phi[..n], multipliers));
    }
    rest
}
