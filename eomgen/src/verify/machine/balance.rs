//! The balances of momentum, projected on the partial velocities of all coordinates and of all definitions that are let go.

use super::instant::Instant;
use super::vector::Vec3;
use super::{Level, Machine, Wrt, vector};
use crate::model::system::{Load, LoadKind};
use crate::verify::dual::Dual;
use crate::verify::dynamics::State;
use crate::verify::functions::{Functions, Jets, Lifted};
use crate::verify::number::{EvalError, Number};
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
        let now = [v[0].now()?, v[1].now()?, v[2].now()?];
        Ok(Self {
            value: from_fn(|i| now[i].value.clone()),
            slopes: (0..count).map(|k| from_fn(|i| now[i].along(k))).collect(),
        })
    }
}

pub(super) fn dot<N: Number>(a: &[N; 3], b: &[N; 3]) -> N {
    let mut sum = N::int(0);
    for (x, y) in a.iter().zip(b) {
        if !x.is_zero() && !y.is_zero() {
            sum = sum.add(&x.mul(y));
        }
    }
    sum
}

pub(super) fn cross<N: Number>(a: &[N; 3], b: &[N; 3]) -> [N; 3] {
    from_fn(|i| {
        let (j, k) = ((i + 1) % 3, (i + 2) % 3);
        a[j].mul(&b[k]).sub(&a[k].mul(&b[j]))
    })
}

pub(super) fn apply<N: Number>(m: &[[N; 3]; 3], v: &[N; 3]) -> [N; 3] {
    from_fn(|i| dot(&m[i], v))
}

impl Machine<'_> {
    pub(super) fn balance<N: Number>(&self, state: &State<N>) -> Result<Balance<N>, EvalError>
    where
        Functions: Jets<N>,
    {
        let n = state.q.len();
        let count = n + self.system.joints.len();
        let directions = self.directions(state)?;
        let mentioned = self.system.constraints.iter().any(|c| c.reaction);
        let total = count + if mentioned { self.rows.len() } else { 0 };
        let lifted = Lifted(&self.functions);
        let mut motion = self.dual_motion(state, Wrt::Accelerations, total, &directions);
        if mentioned {
            for (r, row) in self.rows.iter().enumerate() {
                motion.reactions[row.constraint][row.component] =
                    Dual::variable(N::int(0), count + r, total);
            }
        }
        let instant = Instant::new(self.system, &lifted, motion)?;
        let zeros = || vec![N::int(0); count];
        let mut balance = Balance {
            mass: vec![vec![N::int(0); n]; count],
            velocity_terms: zeros(),
            applied: zeros(),
            nonideal: zeros(),
            coupling: None,
            a: Vec::new(),
            b: Vec::new(),
            given: None,
            masses: Vec::new(),
            partial_velocities: Vec::new(),
            partial_angular_velocities: Vec::new(),
        };
        self.inertia(&instant, &mut balance, count)?;
        let mut forces = vec![Dual::fixed(N::int(0)); count];
        self.loads(&instant, &self.system.loads, &mut forces)?;
        for (q, f) in balance.applied.iter_mut().zip(&forces) {
            *q = q.add(&f.value);
        }
        if mentioned {
            let phi: Vec<Vec<N>> = forces
                .iter()
                .map(|f| (0..self.rows.len()).map(|r| f.along(count + r)).collect())
                .collect();
            if phi.iter().flatten().any(|x| !x.is_zero()) {
                balance.coupling = Some(phi);
            }
        }
        let mut prescribed = vec![Dual::fixed(N::int(0)); count];
        self.loads(&instant, &self.system.nonideal, &mut prescribed)?;
        for (c, f) in balance.nonideal.iter_mut().zip(prescribed) {
            *c = f.value;
        }
        let rows: Vec<Dual<N>> = self.residuals(&instant, |row, r| {
            Some(match row.level {
                Level::Position => r.rate().rate().now().cloned(),
                Level::Velocity => r.rate().now().cloned(),
                Level::Acceleration => r.now().cloned(),
            })
        })?;
        for row in rows {
            balance.a.push((0..count).map(|k| row.along(k)).collect());
            balance.b.push(row.value.neg());
        }
        self.energies(state, &directions, &mut balance)?;
        Ok(balance)
    }

    /// Unit vectors along which definitions are let go.
    fn directions<N: Number>(&self, state: &State<N>) -> Result<Vec<[N; 3]>, EvalError>
    where
        Functions: Jets<N>,
    {
        if self.system.joints.is_empty() {
            return Ok(Vec::new());
        }
        let motion = self.motion(state, None, Vec::new());
        let instant = Instant::new(self.system, &self.functions, motion)?;
        let mut list = Vec::new();
        for joint in &self.system.joints {
            let v = instant.vector(&joint.direction)?;
            let length = vector::norm(&v)?;
            let length = length.now()?;
            list.push([
                v[0].now()?.div(length)?,
                v[1].now()?.div(length)?,
                v[2].now()?.div(length)?,
            ]);
        }
        Ok(list)
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
            let pushed: Vec<[N; 3]> = motion
                .slopes
                .iter()
                .map(|b| b.clone().map(|x| mass.mul(&x)))
                .collect();
            balance.project(
                &motion.slopes,
                &pushed,
                &motion.value.clone().map(|x| mass.mul(&x)),
            );
            if let Some(g) = &gravity {
                for (q, p) in balance.applied.iter_mut().zip(&pushed) {
                    *q = q.add(&dot(g, p));
                }
            }
            let (Some(rigid), Some(own)) = (&body.rigid, instant.inertia(index)?) else {
                continue;
            };
            let spin = &instant.frame(rigid.frame)?.omega;
            let rotation = &instant.frame(rigid.axes)?.rotation;
            let mut r: [[N; 3]; 3] = from_fn(|_| from_fn(|_| N::int(0)));
            let mut tensor = r.clone();
            for i in 0..3 {
                for j in 0..3 {
                    r[i][j] = rotation[i][j].now()?.value.clone();
                    tensor[i][j] = own[i][j].value.clone();
                }
            }
            // R I R^T
            let half: [[N; 3]; 3] = from_fn(|i| from_fn(|j| dot(&r[i], &tensor[j])));
            let tensor: [[N; 3]; 3] = from_fn(|i| from_fn(|j| dot(&half[i], &r[j])));
            let omega = Linear::of(spin, 0)?.value;
            let alpha = Linear::of(&vector::rate(spin), count)?;
            balance.partial_angular_velocities.extend(alpha.rows(n));
            let pushed: Vec<[N; 3]> = alpha.slopes.iter().map(|g| apply(&tensor, g)).collect();
            let gyroscopic = cross(&omega, &apply(&tensor, &omega));
            let rest = apply(&tensor, &alpha.value);
            let rest: [N; 3] = from_fn(|i| rest[i].add(&gyroscopic[i]));
            balance.project(&alpha.slopes, &pushed, &rest);
        }
        Ok(())
    }

    /// Generalized forces of loads.
    fn loads<N: Number>(
        &self,
        instant: &Instant<'_, Dual<N>>,
        loads: &[Load],
        forces: &mut [Dual<N>],
    ) -> Result<(), EvalError> {
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
            let partial = Linear::of(&motion, forces.len())?;
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
        Ok(())
    }
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
