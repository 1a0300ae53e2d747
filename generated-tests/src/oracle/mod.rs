//! Any model text checked by Gauss's principle: the model is read, but nothing of its mechanics is taken from the library.
//!
//! Bodies are seven point masses each, positions are jets in time, and of all accelerations that the constraints allow
//! the true ones minimise `sum of m |a - F/m|^2 / 2`. Nothing is shared with the derivation but the reading of the text.

mod compare;
mod differences;
mod energies;
mod forces;
mod values;

pub use compare::{Settings, check, check_source, is_thorough, reference};
pub use values::Instant;

use crate::gauss::geometry::{dot, equimomental};
use crate::gauss::{Jet, Vec3, add_inertia, half_square, least_constraint, partials};
use eomgen::internals::model::System;
use eomgen::internals::model::system::{
    Action, ConstraintRelation, EnergyKind, Load, LoadKind, Quantity, Scalar,
};
use nalgebra::{DMatrix, DVector};

/// A model with values for its constants.
pub struct Oracle {
    /// The model as read.
    pub system: System,
    /// One value per parameter.
    pub params: Vec<f64>,
    /// One formula per user function.
    pub functions: Vec<Scalar>,
}

/// A state.
#[derive(Clone, Debug)]
pub struct State {
    /// Time.
    pub t: f64,
    /// Coordinates.
    pub q: Vec<f64>,
    /// Their rates.
    pub qd: Vec<f64>,
    /// Inputs.
    pub inputs: Vec<f64>,
}

/// What the equations of motion should give.
#[derive(Clone, Debug)]
pub struct Expected {
    /// q''
    pub accelerations: Vec<f64>,
    /// `A^T lambda`, the forces that do no virtual work.
    pub ideal: Vec<f64>,
    /// The rest of the constraint force.
    pub nonideal: Vec<f64>,
    /// The shortest lambda.
    pub multipliers: Vec<f64>,
    /// T
    pub kinetic_energy: f64,
    /// V of gravity, 0 at the origin.
    pub potential_energy: f64,
    /// 1/2 sum of m |a|^2
    pub gibbs: f64,
    /// The model's outputs.
    pub outputs: Vec<(String, Vec<f64>)>,
    /// M for u = q'.
    pub mass: DMatrix<f64>,
}

/// Rows at a state: residual on its own level, residual of velocities, A, b.
pub struct Rows {
    /// Residuals as stated.
    pub residual: DVector<f64>,
    /// Residuals of velocities.
    pub velocity: DVector<f64>,
    /// Whether a row is on positions.
    pub position: Vec<bool>,
    /// Whether a row is on accelerations.
    pub acceleration: Vec<bool>,
    /// Constraint and component of a row.
    pub source: Vec<(usize, usize)>,
    /// Derivatives of the rows by q''.
    pub a: DMatrix<f64>,
    /// The rest.
    pub b: DVector<f64>,
}

/// A constraint row along a motion.
struct Residual {
    source: (usize, usize),
    level: usize,
    value: Jet,
}

/// The shortest lambda with `A^T lambda = pull`.
fn shortest(a: &DMatrix<f64>, pull: &DVector<f64>) -> Vec<f64> {
    if a.nrows() == 0 {
        return Vec::new();
    }
    let gram = (a * a.transpose()).symmetric_eigen();
    let largest = gram.eigenvalues.amax();
    let right = a * pull;
    let mut lambda = DVector::zeros(a.nrows());
    for (value, vector) in gram.eigenvalues.iter().zip(gram.eigenvectors.column_iter()) {
        if *value > 1e-12 * largest {
            lambda += vector * (vector.dot(&right) / value);
        }
    }
    lambda.as_slice().to_vec()
}

/// A small step, another for every number.
fn aside(i: usize) -> f64 {
    0.05 * (1.0 + i as f64).sin()
}

impl Oracle {
    fn instant<'a>(&'a self, s: &'a State, qdd: &[f64]) -> Instant<'a> {
        Instant {
            oracle: self,
            t: Jet::new(s.t, 1.0, 0.0),
            q: (0..s.q.len())
                .map(|i| Jet::new(s.q[i], s.qd[i], qdd[i]))
                .collect(),
            inputs: &s.inputs,
            reactions: vec![[0.0; 3]; self.system.constraints.len()],
            joints: vec![0.0; self.system.joints.len()],
            released: None,
            moved: None,
            bound: Vec::new(),
        }
    }

    /// The motion without acceleration, and those with one unit in a single coordinate.
    fn instants<'a>(&'a self, s: &'a State) -> (Instant<'a>, Vec<Instant<'a>>) {
        let n = s.q.len();
        let units = (0..n).map(|k| {
            let mut qdd = vec![0.0; n];
            qdd[k] = 1.0;
            self.instant(s, &qdd)
        });
        (self.instant(s, &vec![0.0; n]), units.collect())
    }

    fn masses(&self, at: &Instant<'_>) -> Vec<(f64, Vec3)> {
        (0..self.system.bodies.len())
            .flat_map(|body| self.points_of(at, body))
            .collect()
    }

    /// Point masses that move like a body.
    fn points_of(&self, at: &Instant<'_>, body: usize) -> Vec<(f64, Vec3)> {
        let mut list = Vec::new();
        if let Some(b) = self.system.bodies.get(body) {
            let mass = at.scalar(&b.mass).value;
            let center = at.place(b.center);
            let Some(r) = &b.rigid else {
                list.push((mass, center));
                return list;
            };
            let axes = at.axes(r.axes);
            let about = at.place(r.about);
            let d: [f64; 3] = std::array::from_fn(|i| {
                // The same at every place, to the last digit: the masses found from it have to be the same ones.
                let along = dot(&std::array::from_fn(|k| center[k] - about[k]), &axes.0[i]);
                (along.value * 1e12).round() / 1e12
            });
            let [xx, yy, zz, xy, yz, zx] = r.inertia.clone().map(|e| at.scalar(&e).value);
            let [x, y, z] = d;
            let central = [
                xx - mass * (y * y + z * z),
                yy - mass * (z * z + x * x),
                zz - mass * (x * x + y * y),
                xy + mass * x * y,
                yz + mass * y * z,
                zx + mass * z * x,
            ];
            for (m, p) in equimomental(mass, central) {
                list.push((m, axes.place(&center, p)));
            }
        }
        list
    }

    /// Constraint rows along a motion: name, whether on positions, `lhs - rhs`.
    fn residuals(&self, at: &Instant<'_>) -> Vec<Residual> {
        let mut rows = Vec::new();
        for (i, c) in self.system.constraints.iter().enumerate() {
            match &c.relation {
                ConstraintRelation::Scalar { lhs, rhs } => {
                    rows.push(((i, 0), at.scalar(lhs) - at.scalar(rhs)));
                }
                ConstraintRelation::Vector { lhs, rhs, frame } => {
                    let (l, r) = (at.vector(lhs), at.vector(rhs));
                    let gap = std::array::from_fn(|k| l[k] - r[k]);
                    let axes = at.mentioned_axes(*frame).0;
                    let each = axes.iter().enumerate();
                    rows.extend(each.map(|(k, e)| ((i, k), dot(&gap, e))));
                }
            }
        }
        let start = |(source, value)| Residual {
            source,
            level: 0,
            value,
        };
        rows.into_iter().map(start).collect()
    }

    /// A row is on accelerations if its value changes with q'', on velocities if its rate does, and else on positions.
    pub fn rows(&self, s: &State) -> Rows {
        let (still, units) = self.instants(s);
        self.rows_along(s, &still, &units)
    }

    /// The rows, differentiated by as many independent changes of q''.
    fn rows_along(&self, s: &State, still: &Instant<'_>, units: &[Instant<'_>]) -> Rows {
        let mut base = self.residuals(still);
        let each: Vec<Vec<Residual>> = units.iter().map(|u| self.residuals(u)).collect();
        let derivative =
            |r: &Residual, level: usize| [r.value.second, r.value.rate, r.value.value][level];
        let moves = |e: &[Residual], row: &Residual, i: usize, level: usize| {
            (derivative(&e[i], level) - derivative(row, level)).abs() >= 1e-13
        };
        for (i, row) in base.iter_mut().enumerate() {
            let level = (1..=2)
                .rev()
                .find(|level| each.iter().any(|e| moves(e, row, i, *level)));
            row.level = level.unwrap_or(0);
        }
        // Rows that read 0 = 0 drop out: also those whose second derivatives are not those of a velocity.
        let elsewhere = State {
            q: (0..).zip(&s.q).map(|(i, q)| q + aside(i)).collect(),
            qd: (0..).zip(&s.qd).map(|(i, v)| v - aside(i + 7)).collect(),
            ..s.clone()
        };
        let there = self.residuals(&self.instant(&elsewhere, &vec![0.0; s.q.len()]));
        let kept: Vec<usize> = (0..base.len())
            .filter(|i| {
                if base[*i].level < 2
                    && base[*i].value.value.abs() < 1e-13
                    && there[*i].value.value.abs() < 1e-13
                {
                    return false;
                }
                each.iter().any(|e| moves(e, &base[*i], *i, base[*i].level))
            })
            .collect();
        let value = |r: &Residual| [r.value.rate, r.value.value, 0.0][r.level];
        let stated = |r: &Residual| [r.value.value, r.value.value, 0.0][r.level];
        let m = kept.len();
        Rows {
            residual: DVector::from_iterator(m, kept.iter().map(|i| stated(&base[*i]))),
            velocity: DVector::from_iterator(m, kept.iter().map(|i| value(&base[*i]))),
            position: kept.iter().map(|i| base[*i].level == 0).collect(),
            acceleration: kept.iter().map(|i| base[*i].level == 2).collect(),
            source: kept.iter().map(|i| base[*i].source).collect(),
            a: DMatrix::from_fn(m, units.len(), |i, k| {
                let row = &base[kept[i]];
                derivative(&each[k][kept[i]], row.level) - derivative(row, row.level)
            }),
            b: DVector::from_iterator(
                m,
                kept.iter().map(|i| -derivative(&base[*i], base[*i].level)),
            ),
        }
    }

    fn forces(&self, loads: &[Load], still: &Instant<'_>, units: &[Instant<'_>]) -> DVector<f64> {
        let n = units.len();
        let mut force = DVector::zeros(n);
        for load in loads {
            match &load.kind {
                LoadKind::Force { point, vector } => {
                    let f = still.vector(vector);
                    let p0 = still.place(*point);
                    for (k, u) in units.iter().enumerate() {
                        let p = u.place(*point);
                        force[k] += (0..3)
                            .map(|i| f[i].value * (p[i].second - p0[i].second))
                            .sum::<f64>();
                    }
                }
                LoadKind::Torque { frame, vector } => {
                    let t = still.vector(vector);
                    let inertial = eomgen::internals::model::system::FrameId(0);
                    let w0 = still.angular_velocity(*frame, inertial);
                    for (k, u) in units.iter().enumerate() {
                        let w = u.angular_velocity(*frame, inertial);
                        force[k] += (0..3)
                            .map(|i| t[i].value * (w[i].rate - w0[i].rate))
                            .sum::<f64>();
                    }
                }
                LoadKind::Generalized { coord, value } => {
                    force[coord.index()] += still.scalar(value).value;
                }
            }
        }
        force
    }

    /// By how much each load grows with each multiplier.
    fn coupling(&self, s: &State, rows: &Rows, units: &[Instant<'_>]) -> DMatrix<f64> {
        let n = s.q.len();
        let mut phi = DMatrix::zeros(n, rows.source.len());
        let idle = self.forces(&self.system.loads, &self.instant(s, &vec![0.0; n]), units);
        for (j, (c, k)) in rows.source.iter().enumerate() {
            let mut pressed = self.instant(s, &vec![0.0; n]);
            pressed.reactions[*c][*k] = 1.0;
            let with = self.forces(&self.system.loads, &pressed, units);
            phi.set_column(j, &(with - &idle));
        }
        phi
    }

    /// The force or torque that keeps a definition, by d'Alembert: what the inertia of all that would move
    /// with it lacks when the loads and the constraints have done their part.
    fn joint(&self, s: &State, j: usize, end: &Instant<'_>) -> f64 {
        let qdd: Vec<f64> = end.q.iter().map(|q| q.second).collect();
        let place = |far: f64| {
            let mut at = self.instant(s, &qdd);
            at.reactions.clone_from(&end.reactions);
            at.released = Some((j, Jet::new(0.0, 0.0, far)));
            at
        };
        let (held, given) = (place(0.0), [place(1.0)]);
        let (fixed, moved) = (self.masses(&held), self.masses(&given[0]));
        let gravity = self.gravity(&held);
        let mut sum = 0.0;
        for ((m, p0), (_, p)) in fixed.iter().zip(&moved) {
            for i in 0..3 {
                sum += m * (p0[i].second - gravity[i]) * (p[i].second - p0[i].second);
            }
        }
        // Potentials pull, dissipation resists.
        for e in &self.system.energies {
            let (a, b) = (held.scalar(&e.value), given[0].scalar(&e.value));
            sum += match e.kind {
                EnergyKind::Potential => b.second - a.second,
                EnergyKind::Dissipation => b.rate - a.rate,
                EnergyKind::Kinetic => f64::NAN,
            };
        }
        let spatial = |list: &[Load]| -> Vec<Load> {
            // A generalized force belongs to its coordinate, and the coordinates do not change.
            let on_place = |l: &&Load| !matches!(l.kind, LoadKind::Generalized { .. });
            list.iter().filter(on_place).cloned().collect()
        };
        sum -= self.forces(&spatial(&self.system.loads), &held, &given)[0];
        sum -= self.forces(&spatial(&self.system.nonideal), &held, &given)[0];
        for ((a, b), level) in self
            .residuals(&held)
            .iter()
            .zip(self.residuals(&given[0]))
            .zip(self.levels(s))
        {
            let (i, k) = a.source;
            let pick = |r: &Residual| [r.value.second, r.value.rate, r.value.value][level];
            sum -= end.reactions[i][k] * (pick(&b) - pick(a));
        }
        sum
    }

    /// The level of every row, those that read 0 = 0 included.
    fn levels(&self, s: &State) -> Vec<usize> {
        let (still, units) = self.instants(s);
        let rows = self.rows_along(s, &still, &units);
        let all = self.residuals(&still);
        let of = |source: (usize, usize)| {
            let at = rows.source.iter().position(|x| *x == source)?;
            Some(match (rows.position[at], rows.acceleration[at]) {
                (true, _) => 0,
                (_, false) => 1,
                (_, true) => 2,
            })
        };
        all.iter().map(|r| of(r.source).unwrap_or(0)).collect()
    }

    /// What the motion at a state is.
    pub fn expected(&self, s: &State) -> Expected {
        let n = s.q.len();
        let (still, units) = self.instants(s);
        let rows = self.rows(s);
        let base = self.masses(&still);
        let gravity = self.gravity(&still);
        let mut mass = DMatrix::zeros(n, n);
        let mut force = self.forces(&self.system.loads, &still, &units);
        let partials: Vec<Vec<[f64; 3]>> = units
            .iter()
            .map(|u| partials(&self.masses(u), &base))
            .collect();
        add_inertia(&mut mass, &mut force, &base, &partials, gravity);
        let stated = self.energies(s);
        force += &stated.force;
        mass += &stated.mass;
        let c = self.forces(&self.system.nonideal, &still, &units);
        let total = &force + &c;
        let phi = self.coupling(s, &rows, &units);
        let moved = |force: &DVector<f64>| coupled_motion(&mass, force, &phi, &rows.a, &rows.b);
        let (accelerations, acting) = moved(&total);
        let (first, own) = moved(&force);
        let ideal = &mass * &first - &force - &phi * &own;
        let nonideal = &mass * &accelerations - &force - &phi * &acting - &ideal;
        let pull = &mass * &accelerations - &total - &phi * &acting;
        let multipliers = shortest(&rows.a, &pull);
        let end = self.end(s, accelerations.as_slice(), &multipliers, &rows);
        let gibbs = half_square(|c| c.second, &self.masses(&end));
        let fall = |(m, p): &(f64, Vec3)| -> f64 {
            -m * (0..3).map(|i| gravity[i] * p[i].value).sum::<f64>()
        };
        Expected {
            kinetic_energy: half_square(|c| c.rate, &base) + stated.kinetic,
            gibbs: gibbs + accelerations.dot(&(&stated.mass * &accelerations * 0.5 + &stated.rest)),
            potential_energy: stated.potential + base.iter().map(fall).sum::<f64>(),
            ideal: ideal.as_slice().to_vec(),
            nonideal: nonideal.as_slice().to_vec(),
            multipliers,
            outputs: self.outputs(&end),
            accelerations: accelerations.as_slice().to_vec(),
            mass,
        }
    }

    /// Acceleration of free fall.
    fn gravity(&self, at: &Instant<'_>) -> [f64; 3] {
        let gravity = self.system.gravity.as_ref();
        gravity.map_or([0.0; 3], |g| at.vector(g).map(|j| j.value))
    }

    /// The motion with its accelerations, multipliers and declared reactions.
    fn end<'a>(
        &'a self,
        s: &'a State,
        accelerations: &[f64],
        multipliers: &[f64],
        rows: &Rows,
    ) -> Instant<'a> {
        let mut end = self.instant(s, accelerations);
        for (l, (i, k)) in multipliers.iter().zip(&rows.source) {
            end.reactions[*i][*k] = *l;
        }
        let reaction = |j: usize| match self.system.joints[j].action {
            Action::Definition => self.joint(s, j, &end),
            Action::Pair { .. } => self.pair(j, &end),
        };
        end.joints = (0..self.system.joints.len()).map(reaction).collect();
        end
    }

    /// Outputs, then declared reactions.
    fn outputs(&self, end: &Instant<'_>) -> Vec<(String, Vec<f64>)> {
        let declared = self.system.joints.iter().zip(&end.joints);
        let declared = declared.map(|(j, v)| (j.meta.name.clone(), vec![*v]));
        let outputs = self.system.outputs.iter().map(|o| {
            let value = match &o.value {
                Quantity::Scalar(x) => vec![end.scalar(x).value],
                Quantity::Vector(v) => end.vector(v).map(|j| j.value).to_vec(),
            };
            (o.meta.name.clone(), value)
        });
        outputs.chain(declared).collect()
    }

    /// Moves a state onto the constraints by Newton steps of minimum norm; `None` if that fails.
    pub fn settle(&self, s: &State) -> Option<State> {
        let mut s = s.clone();
        for _ in 0..60 {
            let rows = self.rows(&s);
            let held: Vec<usize> = (0..rows.position.len())
                .filter(|i| rows.position[*i])
                .collect();
            let gap = rows.residual.select_rows(&held);
            if held.is_empty() || gap.amax() < 1e-13 {
                break;
            }
            let step = rows.a.select_rows(&held).pseudo_inverse(1e-8).ok()? * gap;
            s.q.iter_mut().zip(step.iter()).for_each(|(q, d)| *q -= d);
        }
        for _ in 0..60 {
            let rows = self.rows(&s);
            if rows.velocity.is_empty() || rows.velocity.amax() < 1e-13 {
                break;
            }
            let held: Vec<usize> = (0..rows.acceleration.len())
                .filter(|i| !rows.acceleration[*i])
                .collect();
            let gap = rows.velocity.select_rows(&held);
            let step = rows.a.select_rows(&held).pseudo_inverse(1e-8).ok()? * gap;
            s.qd.iter_mut().zip(step.iter()).for_each(|(q, d)| *q -= d);
        }
        let rows = self.rows(&s);
        let off = rows
            .residual
            .iter()
            .chain(rows.velocity.iter())
            .fold(0.0_f64, |m, r| m.max(r.abs()));
        (off < 1e-10).then_some(s)
    }
}

/// Accelerations and multipliers with `M q'' = F + (A^T + Phi) lambda`, `A q'' = b`: by Gauss's principle
/// where no load depends on lambda, else from all equations at once.
fn coupled_motion(
    mass: &DMatrix<f64>,
    force: &DVector<f64>,
    phi: &DMatrix<f64>,
    a: &DMatrix<f64>,
    b: &DVector<f64>,
) -> (DVector<f64>, DVector<f64>) {
    let (n, m) = (force.len(), b.len());
    if m == 0 || phi.amax() == 0.0 {
        let motion = least_constraint(mass, force, a, b);
        return (motion, DVector::zeros(m));
    }
    let mut all = DMatrix::zeros(n + m, n + m);
    all.view_mut((0, 0), (n, n)).copy_from(mass);
    let pull = a.transpose() + phi;
    all.view_mut((0, n), (n, m)).copy_from(&(-pull));
    all.view_mut((n, 0), (m, n)).copy_from(a);
    let mut right = DVector::zeros(n + m);
    right.rows_mut(0, n).copy_from(force);
    right.rows_mut(n, m).copy_from(b);
    match all.pseudo_inverse(1e-11) {
        Ok(inverse) => {
            let x = inverse * right;
            (x.rows(0, n).into_owned(), x.rows(n, m).into_owned())
        }
        Err(_) => (
            DVector::from_element(n, f64::NAN),
            DVector::from_element(m, f64::NAN),
        ),
    }
}
