//! The balances of momentum, projected on the partial velocities of all coordinates and of all definitions that are let go.

use super::instant::Instant;
use super::vector::Vec3;
use super::{Level, Machine, Wrt, vector};
use crate::model::system::{Joint, Load, LoadKind, Rigid};
use crate::verify::dual::Dual;
use crate::verify::dynamics::State;
use crate::verify::linear::dot;
use crate::verify::number::{Algebra, EvalError, Number};
use std::array::from_fn;

/// Linear equations for q'' and the multipliers, `M q'' + h = Q + C + (A^T + Phi) lambda` and `A q'' = b`. There are more
/// balances than coordinates: those of the declared reactions follow.
#[derive(Clone, Debug)]
pub(super) struct Balance<N> {
    /// M: balances by coordinates.
    pub mass: Vec<Vec<N>>,
    /// h
    pub velocity_terms: Vec<N>,
    /// Q
    pub applied: Vec<N>,
    /// C
    pub nonideal: Vec<N>,
    /// Phi, if loads may depend on reactions: balances by rows.
    pub coupling: Option<Vec<Vec<N>>>,
    /// Derivatives of the constraints: rows by balances.
    pub a: Vec<Vec<N>>,
    /// b
    pub b: Vec<N>,
    /// Of the kinetic energy that is given as such: its part of M and h.
    pub given: Option<(Vec<Vec<N>>, Vec<N>)>,
    /// Masses of the bodies.
    pub masses: Vec<N>,
    /// Partial velocities of mass centres by the coordinates' rates, three rows for each body.
    pub partial_velocities: Vec<Vec<N>>,
    /// Partial angular velocities of rigid bodies likewise.
    pub partial_angular_velocities: Vec<Vec<N>>,
}

/// A vector's value, and its derivatives by the directions.
struct Linear<N> {
    value: [N; 3],
    slopes: Vec<[N; 3]>,
}

impl<N: Number> Linear<N> {
    /// Three rows, a column for each of the first `n` directions.
    fn rows(&self, n: usize) -> impl Iterator<Item = Vec<N>> {
        (0..3).map(move |i| self.slopes.iter().take(n).map(|s| s[i].clone()).collect())
    }

    fn of(v: &Vec3<Dual<N>>, count: usize) -> Result<Self, EvalError> {
        let now = vector::now(v)?;
        Ok(Self {
            value: from_fn(|i| now[i].value.clone()),
            slopes: (0..count).map(|k| from_fn(|i| now[i].along(k))).collect(),
        })
    }
}

fn apply<N: Number>(m: &[[N; 3]; 3], v: &[N; 3]) -> [N; 3] {
    from_fn(|i| dot(&m[i], v))
}

impl Machine<'_> {
    pub(super) fn balance<N: Number>(&self, state: &State<N>) -> Result<Balance<N>, EvalError> {
        let n = state.q.len();
        let count = n + self.system.joints.len();
        let directions = self.directions(state)?;
        let mentioned = self.system.constraints.iter().any(|c| c.reaction);
        let total = count + if mentioned { self.rows.len() } else { 0 };
        let mut motion = self.dual_motion((state, None), Wrt::Accelerations, total, &directions);
        if mentioned {
            for (r, row) in self.rows.iter().enumerate() {
                motion.reactions[row.constraint][row.component] =
                    Dual::variable(N::int(0), count + r, total);
            }
        }
        let instant = self.instant(motion)?;
        let mut balance = Balance {
            mass: vec![vec![N::int(0); n]; count],
            velocity_terms: vec![N::int(0); count],
            applied: vec![N::int(0); count],
            nonideal: Vec::new(),
            coupling: None,
            a: Vec::new(),
            b: Vec::new(),
            given: None,
            masses: Vec::new(),
            partial_velocities: Vec::new(),
            partial_angular_velocities: Vec::new(),
        };
        self.inertia(&instant, &mut balance, count)?;
        let forces = self.loads(&instant, &self.system.loads, count)?;
        for (q, f) in balance.applied.iter_mut().zip(&forces) {
            *q = q.add(&f.value);
        }
        if mentioned {
            let row = |f: &Dual<N>| (count..total).map(|r| f.along(r)).collect();
            let phi: Vec<Vec<N>> = forces.iter().map(row).collect();
            let any = phi.iter().flatten().any(|x| !x.is_zero());
            balance.coupling = any.then_some(phi);
        }
        let prescribed = self.loads(&instant, &self.system.nonideal, count)?;
        balance.nonideal = prescribed.into_iter().map(|f| f.value).collect();
        for row in self.rows_up_to(&instant, Level::Acceleration)? {
            balance.a.push(row.slopes(count));
            balance.b.push(row.value.neg());
        }
        self.energies(state, &directions, &mut balance)?;
        Ok(balance)
    }

    /// Unit vectors along which the sites of declared reactions are displaced.
    pub(super) fn directions<N: Number>(&self, state: &State<N>) -> Result<Vec<[N; 3]>, EvalError> {
        if self.system.joints.is_empty() {
            return Ok(Vec::new());
        }
        let at = self.at(state)?;
        let direction = |joint: &Joint| {
            let v = at.vector(&joint.direction)?;
            let length = vector::norm(&v)?;
            let length = length.now()?;
            let v = vector::now(&v)?;
            Ok([v[0].div(length)?, v[1].div(length)?, v[2].div(length)?])
        };
        self.system.joints.iter().map(direction).collect()
    }

    /// `m a` and `I alpha + omega x I omega` of every body, and its weight.
    fn inertia<N: Number>(
        &self,
        instant: &Instant<'_, Dual<N>>,
        balance: &mut Balance<N>,
        count: usize,
    ) -> Result<(), EvalError> {
        let gravity = match &self.system.gravity {
            Some(g) => Some(Linear::of(&instant.vector(g)?, 0)?.value),
            None => None,
        };
        for (index, body) in self.system.bodies.iter().enumerate() {
            let mass = instant.scalar(&body.mass)?.now()?.value.clone();
            let velocity = vector::rate(&*instant.point(body.center)?);
            let motion = Linear::of(&vector::rate(&velocity), count)?;
            let n = balance.mass.first().map_or(0, Vec::len);
            balance.masses.push(mass.clone());
            balance.partial_velocities.extend(motion.rows(n));
            let times_mass = |v: &[N; 3]| v.clone().map(|x| mass.mul(&x));
            let pushed: Vec<[N; 3]> = motion.slopes.iter().map(times_mass).collect();
            balance.project(&motion.slopes, &pushed, &times_mass(&motion.value));
            if let Some(g) = &gravity {
                for (q, p) in balance.applied.iter_mut().zip(&pushed) {
                    *q = q.add(&dot(g, p));
                }
            }
            if let (Some(rigid), Some(own)) = (&body.rigid, instant.inertia(index)?) {
                let own = own.map(|row| row.map(|e| e.value));
                rotational_inertia(instant, rigid, &own, balance, count)?;
            }
        }
        Ok(())
    }

    /// Generalized forces of loads.
    fn loads<N: Number>(
        &self,
        instant: &Instant<'_, Dual<N>>,
        loads: &[Load],
        count: usize,
    ) -> Result<Vec<Dual<N>>, EvalError> {
        let mut forces = vec![Dual::fixed(N::int(0)); count];
        for load in loads {
            let (vector, motion) = match &load.kind {
                LoadKind::Force { point, vector } => {
                    let velocity = vector::rate(&*instant.point(*point)?);
                    (vector, vector::rate(&velocity))
                }
                LoadKind::Torque { frame, vector } => {
                    (vector, vector::rate(&instant.frame(*frame)?.omega))
                }
                LoadKind::Generalized { coord, value } => {
                    let value = instant.scalar(value)?;
                    let own = &mut forces[coord.index()];
                    *own = own.add(value.now()?);
                    continue;
                }
            };
            let vector = instant.vector(vector)?;
            let partial = Linear::of(&motion, count)?;
            for i in 0..3 {
                let component = vector[i].now()?;
                if component.is_zero() {
                    continue;
                }
                for (f, slope) in forces.iter_mut().zip(&partial.slopes) {
                    if !slope[i].is_zero() {
                        *f = f.add(&component.mul(&Dual::fixed(slope[i].clone())));
                    }
                }
            }
        }
        Ok(forces)
    }
}

/// `I alpha + omega x I omega` of a rigid body with an inertia in its own axes.
fn rotational_inertia<N: Number>(
    instant: &Instant<'_, Dual<N>>,
    rigid: &Rigid,
    own: &[[N; 3]; 3],
    balance: &mut Balance<N>,
    count: usize,
) -> Result<(), EvalError> {
    let spin = &instant.frame(rigid.frame)?.omega;
    let rotation = &instant.frame(rigid.axes)?.rotation;
    let mut r: [[N; 3]; 3] = own.clone();
    for (row, entries) in r.iter_mut().zip(rotation) {
        *row = vector::now(entries)?.map(|e| e.value);
    }
    // R I R^T
    let half: [[N; 3]; 3] = from_fn(|i| from_fn(|j| dot(&r[i], &own[j])));
    let tensor: [[N; 3]; 3] = from_fn(|i| from_fn(|j| dot(&half[i], &r[j])));
    let omega = Linear::of(spin, 0)?.value;
    let alpha = Linear::of(&vector::rate(spin), count)?;
    let n = balance.mass.first().map_or(0, Vec::len);
    balance.partial_angular_velocities.extend(alpha.rows(n));
    let pushed: Vec<[N; 3]> = alpha.slopes.iter().map(|g| apply(&tensor, g)).collect();
    let gyroscopic = vector::cross(&omega, &apply(&tensor, &omega));
    let rest = vector::add(&apply(&tensor, &alpha.value), &gyroscopic);
    balance.project(&alpha.slopes, &pushed, &rest);
    Ok(())
}

impl<N: Number> Balance<N> {
    /// Adds the inertia of one kind of momentum.
    fn project(&mut self, slopes: &[[N; 3]], pushed: &[[N; 3]], rest: &[N; 3]) {
        let n = self.mass.first().map_or(0, Vec::len);
        for (j, slope) in slopes.iter().enumerate() {
            if slope.iter().all(N::is_zero) {
                continue;
            }
            for k in 0..n {
                let entry = dot(slope, &pushed[k]);
                if !entry.is_zero() {
                    self.mass[j][k] = self.mass[j][k].add(&entry);
                }
            }
            self.velocity_terms[j] = self.velocity_terms[j].add(&dot(slope, rest));
        }
    }
}
