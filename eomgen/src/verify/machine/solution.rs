//! Accelerations and forces from the balances, and everything that is known once these are.

use super::balance::Balance;
use super::instant::Instant;
use super::{Machine, half, vector};
use crate::model::system::{EnergyKind, Quantity, Scalar, SpeedId};
use crate::verify::dynamics::{Dynamics, State};
use crate::verify::linear;
use crate::verify::number::{Algebra, EvalError, Number};
use crate::verify::series::Series;

/// Outputs, then declared reactions: name and value, or why there is none.
type Outputs<N> = Vec<(String, Result<Vec<N>, EvalError>)>;

/// The motion under a force.
#[derive(Clone)]
struct Forced<N> {
    accelerations: Vec<N>,
    /// One set of multipliers; they may not be determined.
    multipliers: Vec<N>,
    /// `M q'' - F - Phi lambda` with a force F.
    constraint_forces: Vec<N>,
}

impl Machine<'_> {
    /// Everything about a state, which has to be consistent with the constraints.
    ///
    /// # Errors
    /// Where the state has no motion, or this arithmetic does not have what the model asks for.
    pub fn dynamics<N: Number>(&self, state: &State<N>) -> Result<Dynamics<N>, EvalError> {
        let balance = self.balance(state)?;
        let known = self.kinematics_by(state, &balance)?;
        let force = linear::sub(&known.applied, &known.velocity_terms);
        let first = forced(&known, &force, &force)?;
        let total = if self.system.nonideal.is_empty() {
            first.clone()
        } else {
            forced(&known, &linear::add(&force, &known.nonideal), &force)?
        };
        let nonideal_forces = linear::sub(&total.constraint_forces, &first.constraint_forces);
        let multipliers = linear::multipliers(
            &known.constraint_matrix,
            &linear::sub(&total.constraint_forces, &known.nonideal),
        )?;
        let accelerations = total.accelerations;
        let reactions = reactions(&balance, &accelerations, &multipliers, &total.multipliers);
        let joints = self.system.joints.iter().zip(reactions);
        let joints = joints.map(|(joint, r)| (!joint.is_pair()).then_some(r));
        let at = self.solved(state, (&accelerations, &multipliers), joints.collect())?;
        let mut gibbs_function = self.gibbs(&at)?;
        if let Some((mass, rest)) = &balance.given {
            for (i, q) in accelerations.iter().enumerate() {
                let own = half(&linear::dot(&mass[i], &accelerations)).add(&rest[i]);
                gibbs_function = gibbs_function.add(&own.mul(q));
            }
        }
        Ok(Dynamics {
            ideal_forces: first.constraint_forces,
            nonideal_forces,
            multipliers,
            gibbs_function,
            declared_speeds: self.speeds(&at, state, &accelerations)?,
            joints: self.system.joints.len(),
            outputs: self.outputs(&at),
            accelerations,
            ..known
        })
    }

    /// The motion with everything that outputs may ask for.
    fn solved<N: Number>(
        &self,
        state: &State<N>,
        (accelerations, multipliers): (&[N], &[N]),
        joints: Vec<Option<N>>,
    ) -> Result<Instant<'_, N>, EvalError> {
        let mut motion = self.motion(state, Some(accelerations));
        for (row, l) in self.rows.iter().zip(multipliers) {
            motion.reactions[row.constraint][row.component] = l.clone();
        }
        motion.joints = joints;
        // Outputs alone need these: without them, such outputs have no value.
        let forces = self.constraint_forces(state, accelerations, multipliers);
        motion.constraint_forces = forces.unwrap_or_default();
        self.instant(motion)
    }

    /// The outputs of a solved state where reactions between two sides have these values, each with the number of the reaction.
    ///
    /// # Errors
    /// Where the model has no values there.
    pub fn outputs_with_pairs<N: Number>(
        &self,
        state: &State<N>,
        known: &Dynamics<N>,
        pairs: &[(usize, N)],
    ) -> Result<Outputs<N>, EvalError> {
        let first = known.outputs.len().saturating_sub(known.joints);
        let joints = known.outputs.iter().skip(first).enumerate();
        let joints = joints.map(|(j, (_, value))| {
            let own = pairs.iter().find(|(k, _)| *k == j);
            own.map(|(_, value)| value.clone())
                .or_else(|| value.as_ref().ok()?.first().cloned())
        });
        let motion = (known.accelerations.as_slice(), known.multipliers.as_slice());
        let at = self.solved(state, motion, joints.collect())?;
        Ok(self.outputs(&at))
    }

    /// The equations for accelerations and multipliers in a state, each row with its right side at the end.
    ///
    /// # Errors
    ///
    /// As for [`Machine::dynamics`].
    pub fn equations<N: Number>(&self, state: &State<N>) -> Result<Vec<Vec<N>>, EvalError> {
        let known = self.kinematics(state)?;
        let force = linear::sub(&known.applied, &known.velocity_terms);
        let force = linear::add(&force, &known.nonideal);
        let mut rows = coupled(&known);
        for (row, right) in rows
            .iter_mut()
            .zip(force.iter().chain(&known.constraint_rhs))
        {
            row.push(right.clone());
        }
        Ok(rows)
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
            let omega = vector::now(&vector::own(rotation, spin))?;
            let alpha = vector::now(&vector::own(rotation, &vector::rate(spin)))?;
            let momentum = vector::outward(&tensor, &omega);
            let turning = vector::dot(&alpha, &vector::outward(&tensor, &alpha));
            let mixed = vector::dot(&alpha, &vector::cross(&omega, &momentum));
            let steady = vector::dot(&omega, &omega).mul(&vector::dot(&omega, &momentum));
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
    ) -> Result<Vec<(String, N, N)>, EvalError> {
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
    fn completion<N: Number>(&self, state: &State<N>) -> Result<Vec<usize>, EvalError> {
        let n = state.q.len();
        let gradients = self.speed_gradients(state)?.into_iter();
        let mut set: Vec<Vec<N>> = gradients.map(|(_, gradient)| gradient).collect();
        let units = linear::identity(n);
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
            set.push(units[i].clone());
            if self.system.speeds.is_empty() || linear::rank(&set)? == set.len() {
                chosen.push(i)
            } else {
                set.pop();
            }
        }
        chosen.sort_unstable();
        Ok(chosen)
    }

    fn outputs<N: Number>(&self, at: &Instant<'_, N>) -> Outputs<N> {
        let value = |quantity: &Quantity| {
            Ok(match quantity {
                Quantity::Scalar(s) => vec![at.scalar(s)?.now()?.clone()],
                Quantity::Vector(v) => vector::now(&at.vector(v)?)?.to_vec(),
            })
        };
        let outputs = self.system.outputs.iter();
        let outputs = outputs.map(|o| (o.meta.name.clone(), value(&o.value)));
        let joints = self.system.joints.iter().zip(&at.motion.joints);
        let joints = joints.map(|(j, r)| {
            let value = r.clone().map(|r| vec![r]).ok_or_else(between);
            (j.meta.name.clone(), value)
        });
        outputs.chain(joints).collect()
    }
}

/// What holds the definitions: what is left of their balances.
fn reactions<N: Number>(
    balance: &Balance<N>,
    accelerations: &[N],
    multipliers: &[N],
    loading: &[N],
) -> Vec<N> {
    let left = |s: usize| {
        let mut rest = linear::dot(&balance.mass[s], accelerations)
            .add(&balance.velocity_terms[s])
            .sub(&balance.applied[s])
            .sub(&balance.nonideal[s]);
        for (row, l) in balance.a.iter().zip(multipliers) {
            rest = rest.sub(&row[s].mul(l));
        }
        match &balance.coupling {
            Some(phi) => rest.sub(&linear::dot(&phi[s], loading)),
            None => rest,
        }
    };
    (accelerations.len()..balance.mass.len())
        .map(left)
        .collect()
}

/// A reaction between two sites is shared with others in a way that depends on which else are declared.
pub(super) fn between() -> EvalError {
    EvalError::Unsupported("a reaction between two points or frames".into())
}

/// The matrix of the bordered equations `M q'' - (A^T + Phi) lambda = F`, `A q'' = b`.
fn coupled<N: Number>(known: &Dynamics<N>) -> Vec<Vec<N>> {
    let mut rows = linear::bordered(&known.mass, &known.constraint_matrix);
    if let Some(phi) = &known.coupling {
        let n = known.mass.len();
        for (row, phi) in rows.iter_mut().zip(phi) {
            for (entry, p) in row.iter_mut().skip(n).zip(phi) {
                *entry = entry.sub(p);
            }
        }
    }
    rows
}

/// The motion under a force, of which the constraint forces count what exceeds `counted`. The multipliers may not be determined; q''
/// has to be.
fn forced<N: Number>(
    known: &Dynamics<N>,
    force: &[N],
    counted: &[N],
) -> Result<Forced<N>, EvalError> {
    let n = known.mass.len();
    let right: Vec<N> = force.iter().chain(&known.constraint_rhs).cloned().collect();
    let solved = linear::solve(&coupled(known), &right, None)?.checked()?;
    if !(0..n).all(|i| solved.pivots.contains(&i)) {
        return EvalError::singular("the accelerations are not determined");
    }
    let mut accelerations = solved.x;
    let multipliers = accelerations.split_off(n);
    let mut rest = linear::sub(&linear::times(&known.mass, &accelerations), counted);
    if let Some(phi) = &known.coupling {
        rest = linear::sub(&rest, &linear::times(phi, &multipliers));
    }
    Ok(Forced {
        accelerations,
        multipliers,
        constraint_forces: rest,
    })
}
