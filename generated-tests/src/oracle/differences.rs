//! The accelerations of models whose constraints hold positions, from positions alone: no velocity, no derivative is written down anywhere, all of
//! them are central differences of positions, extrapolated to no step, with an estimate of their error.

use super::{Oracle, State, coupled_motion};
use crate::gauss::Jet;
use nalgebra::{DMatrix, DVector};

/// Halvings of the step.
const LEVELS: usize = 6;
/// The first step, in the units of coordinates and time.
const STEP: f64 = 0.04;

/// Ridders' extrapolation of even differences: values, and the largest estimate of an error.
fn extrapolated(difference: impl Fn(f64) -> Vec<f64>) -> (Vec<f64>, f64) {
    let mut table: Vec<Vec<Vec<f64>>> = Vec::new();
    let mut best: Option<(Vec<f64>, f64)> = None;
    for level in 0..LEVELS {
        let mut line = vec![difference(STEP / f64::powi(2.0, level as i32))];
        for k in 1..=level {
            let weight = f64::powi(4.0, k as i32);
            let (fine, coarse) = (&line[k - 1], &table[level - 1][k - 1]);
            let next: Vec<f64> = fine
                .iter()
                .zip(coarse)
                .map(|(f, c)| (weight * f - c) / (weight - 1.0))
                .collect();
            let gap = |other: &[f64]| {
                next.iter()
                    .zip(other)
                    .fold(0.0_f64, |m, (a, b)| m.max((a - b).abs()))
            };
            let error = gap(fine).max(gap(coarse));
            if best.as_ref().is_none_or(|b| error < b.1) {
                best = Some((next.clone(), error));
            }
            line.push(next);
        }
        table.push(line);
    }
    best.unwrap_or_default()
}

/// The coordinates a step away in a direction.
fn moved(s: &State, direction: &[f64], h: f64) -> Vec<f64> {
    s.q.iter().zip(direction).map(|(q, d)| q + h * d).collect()
}

impl Oracle {
    /// Coordinates of all point masses, followed by the residuals of all rows.
    fn positions(&self, s: &State, t: f64, q: &[f64]) -> Vec<f64> {
        let still = State {
            t,
            q: q.to_vec(),
            ..s.clone()
        };
        let mut at = self.instant(&still, &vec![0.0; q.len()]);
        at.t = Jet::constant(t);
        at.q = q.iter().map(|q| Jet::constant(*q)).collect();
        let masses = self.masses(&at);
        let positions = masses.iter().flat_map(|(_, p)| p.map(|c| c.value));
        let rows = self.residuals(&at);
        positions
            .chain(rows.iter().map(|r| r.value.value))
            .collect()
    }

    /// Derivatives of the positions by each coordinate, and an estimate of their error.
    fn partials(&self, s: &State) -> (Vec<Vec<f64>>, f64) {
        let n = s.q.len();
        let mut worst = 0.0_f64;
        let column = |k: usize| {
            let unit: Vec<f64> = (0..n).map(|j| f64::from(u8::from(j == k))).collect();
            let (d, error) = extrapolated(|h| {
                let a = self.positions(s, s.t, &moved(s, &unit, h));
                let b = self.positions(s, s.t, &moved(s, &unit, -h));
                a.iter().zip(b).map(|(a, b)| (a - b) / (2.0 * h)).collect()
            });
            worst = worst.max(error);
            d
        };
        let columns = (0..n).map(column).collect();
        (columns, worst)
    }

    /// q'' and an estimate of its error; `None` if a constraint is on velocities, or if there is more than masses and forces: energies, or forces
    /// that depend on reactions.
    pub fn by_differences(&self, s: &State) -> Option<(Vec<f64>, f64)> {
        let simple = self.system.energies.is_empty()
            && !format!("{:?}", self.system.loads).contains("Reaction");
        if !simple || self.rows(s).position.iter().any(|p| !p) {
            return None;
        }
        let n = s.q.len();
        let (still, units) = self.instants(s);
        let masses: Vec<f64> = self.masses(&still).iter().map(|m| m.0).collect();
        let (partials, mut worst) = self.partials(s);
        // Along the motion at constant rates.
        let here = self.positions(s, s.t, &s.q);
        let (second, error) = extrapolated(|h| {
            let a = self.positions(s, s.t + h, &moved(s, &s.qd, h));
            let b = self.positions(s, s.t - h, &moved(s, &s.qd, -h));
            let sides = a.iter().zip(b).zip(&here);
            sides
                .map(|((a, b), c)| (a - 2.0 * c + b) / (h * h))
                .collect()
        });
        worst = worst.max(error);
        let gravity = self.gravity(&still);
        let mut force = self.forces(&self.system.loads, &still, &units)
            + self.forces(&self.system.nonideal, &still, &units);
        let mut mass = DMatrix::zeros(n, n);
        for j in 0..n {
            for (i, m) in masses.iter().enumerate() {
                for (c, g) in gravity.iter().enumerate() {
                    let x = 3 * i + c;
                    force[j] += m * partials[j][x] * (g - second[x]);
                    for k in 0..n {
                        mass[(j, k)] += m * partials[j][x] * partials[k][x];
                    }
                }
            }
        }
        let first = 3 * masses.len();
        let kept: Vec<usize> = (first..here.len())
            .filter(|r| partials.iter().any(|p| p[*r].abs() > 1e-9))
            .collect();
        let a = DMatrix::from_fn(kept.len(), n, |i, k| partials[k][kept[i]]);
        let b = DVector::from_fn(kept.len(), |i, _| -second[kept[i]]);
        let rows = self.rows(s);
        let all = self.coupling(s, &rows, &units);
        let sources: Vec<(usize, usize)> =
            self.residuals(&still).iter().map(|r| r.source).collect();
        let mut phi = DMatrix::zeros(n, kept.len());
        for (i, r) in kept.iter().enumerate() {
            let at = rows.source.iter().position(|x| *x == sources[r - first])?;
            phi.set_column(i, &all.column(at));
        }
        let (q, _) = coupled_motion(&mass, &force, &phi, &a, &b);
        Some((q.as_slice().to_vec(), worst))
    }
}
