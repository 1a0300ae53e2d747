//! Any model text judged by Gauss's principle: the model is read, but nothing of its mechanics is taken from the library.
//!
//! Bodies are seven point masses each, positions are jets in time, and of all accelerations that the constraints allow
//! the true ones minimise `sum of m |a - F/m|^2 / 2`. Nothing is shared with the derivation but the reading of the text.

mod compare;
mod differences;
mod values;

pub use compare::{Settings, check, check_source};
pub use values::Instant;

use crate::gauss::geometry::{dot, equimomental};
use crate::gauss::{Jet, Vec3, least_constraint};
use eomgen::model::System;
use eomgen::model::system::{ConstraintRelation, Load, LoadKind, Quantity, Scalar};
use nalgebra::{DMatrix, DVector};

/// A model with values for its constants.
pub struct Judge {
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
pub struct Verdict {
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
    /// Derivatives of the rows by q''.
    pub a: DMatrix<f64>,
    /// The rest.
    pub b: DVector<f64>,
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

impl Judge {
    fn instant<'a>(&'a self, s: &'a State, qdd: &[f64]) -> Instant<'a> {
        Instant {
            judge: self,
            t: Jet::new(s.t, 1.0, 0.0),
            q: (0..s.q.len())
                .map(|i| Jet::new(s.q[i], s.qd[i], qdd[i]))
                .collect(),
            inputs: &s.inputs,
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
        let mut list = Vec::new();
        for b in &self.system.bodies {
            let mass = at.scalar(&b.mass).value;
            let center = at.place(b.center);
            let Some(r) = &b.rigid else {
                list.push((mass, center));
                continue;
            };
            let axes = at.axes(r.axes);
            let about = at.place(r.about);
            let d: [f64; 3] = std::array::from_fn(|i| {
                dot(&std::array::from_fn(|k| center[k] - about[k]), &axes.0[i]).value
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
    fn residuals(&self, at: &Instant<'_>) -> Vec<(bool, Jet)> {
        let mut rows = Vec::new();
        for c in &self.system.constraints {
            match &c.relation {
                ConstraintRelation::Scalar { lhs, rhs } => {
                    rows.push(at.scalar(lhs) - at.scalar(rhs));
                }
                ConstraintRelation::Vector { lhs, rhs, frame } => {
                    let (l, r) = (at.vector(lhs), at.vector(rhs));
                    let gap = std::array::from_fn(|k| l[k] - r[k]);
                    rows.extend(at.axes(*frame).0.iter().map(|e| dot(&gap, e)));
                }
            }
        }
        rows.into_iter().map(|r| (true, r)).collect()
    }

    /// A row is on positions if its value does not change with the rates, nor its rate with q''.
    pub fn rows(&self, s: &State) -> Rows {
        let (still, units) = self.instants(s);
        let mut base = self.residuals(&still);
        let each: Vec<Vec<(bool, Jet)>> = units.iter().map(|u| self.residuals(u)).collect();
        for (i, row) in base.iter_mut().enumerate() {
            row.0 = each
                .iter()
                .all(|e| (e[i].1.rate - row.1.rate).abs() < 1e-10);
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
                if base[*i].1.value.abs() < 1e-13 && there[*i].1.value.abs() < 1e-13 {
                    return false;
                }
                let same = |e: &Vec<(bool, Jet)>| {
                    let d = (e[*i].1.rate - base[*i].1.rate).abs();
                    d < 1e-13 && (e[*i].1.second - base[*i].1.second).abs() < 1e-13
                };
                !each.iter().all(same)
            })
            .collect();
        let second =
            |r: &(bool, Jet), on_positions: bool| if on_positions { r.1.second } else { r.1.rate };
        let value = |r: &(bool, Jet)| if r.0 { r.1.rate } else { r.1.value };
        Rows {
            residual: DVector::from_iterator(kept.len(), kept.iter().map(|i| base[*i].1.value)),
            velocity: DVector::from_iterator(kept.len(), kept.iter().map(|i| value(&base[*i]))),
            position: kept.iter().map(|i| base[*i].0).collect(),
            a: DMatrix::from_fn(kept.len(), s.q.len(), |i, k| {
                let on = base[kept[i]].0;
                second(&each[k][kept[i]], on) - second(&base[kept[i]], on)
            }),
            b: DVector::from_iterator(
                kept.len(),
                kept.iter().map(|i| -second(&base[*i], base[*i].0)),
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
                    let inertial = eomgen::model::system::FrameId(0);
                    let w0 = still.turn_rate(*frame, inertial);
                    for (k, u) in units.iter().enumerate() {
                        let w = u.turn_rate(*frame, inertial);
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

    /// Judges a state.
    pub fn judge(&self, s: &State) -> Verdict {
        let n = s.q.len();
        let (still, units) = self.instants(s);
        let rows = self.rows(s);
        let base = self.masses(&still);
        let partials: Vec<Vec<[f64; 3]>> = units
            .iter()
            .map(|u| {
                let moved = self.masses(u);
                moved
                    .iter()
                    .zip(&base)
                    .map(|((_, p), (_, p0))| std::array::from_fn(|i| p[i].second - p0[i].second))
                    .collect()
            })
            .collect();
        let gravity = self
            .system
            .gravity
            .as_ref()
            .map_or([0.0; 3], |g| still.vector(g).map(|j| j.value));
        let mut force = self.forces(&self.system.loads, &still, &units);
        let mut mass = DMatrix::zeros(n, n);
        for (p, (m, place)) in base.iter().enumerate() {
            for i in 0..3 {
                for j in 0..n {
                    force[j] += m * partials[j][p][i] * (gravity[i] - place[i].second);
                    for k in 0..n {
                        mass[(j, k)] += m * partials[j][p][i] * partials[k][p][i];
                    }
                }
            }
        }
        let c = self.forces(&self.system.nonideal, &still, &units);
        let total = &force + &c;
        let accelerations = least_constraint(&mass, &total, &rows.a, &rows.b);
        let first = least_constraint(&mass, &force, &rows.a, &rows.b);
        let ideal = &mass * &first - &force;
        let nonideal = &mass * &accelerations - &force - &ideal;
        let pull = &mass * &accelerations - &total;
        let multipliers = shortest(&rows.a, &pull);
        let end = self.instant(s, accelerations.as_slice());
        let half = |pick: fn(&Jet) -> f64, masses: &[(f64, Vec3)]| -> f64 {
            masses
                .iter()
                .map(|(m, p)| 0.5 * m * p.iter().map(|c| pick(c) * pick(c)).sum::<f64>())
                .sum()
        };
        let outputs = self.system.outputs.iter().map(|o| {
            let value = match &o.value {
                Quantity::Scalar(x) => vec![end.scalar(x).value],
                Quantity::Vector(v) => end.vector(v).map(|j| j.value).to_vec(),
            };
            (o.meta.name.clone(), value)
        });
        Verdict {
            kinetic_energy: half(|c| c.rate, &base),
            gibbs: half(|c| c.second, &self.masses(&end)),
            potential_energy: base
                .iter()
                .map(|(m, p)| -m * (0..3).map(|i| gravity[i] * p[i].value).sum::<f64>())
                .sum(),
            ideal: ideal.as_slice().to_vec(),
            nonideal: nonideal.as_slice().to_vec(),
            multipliers,
            outputs: outputs.collect(),
            accelerations: accelerations.as_slice().to_vec(),
            mass,
        }
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
            let step = rows.a.clone().pseudo_inverse(1e-8).ok()? * &rows.velocity;
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
