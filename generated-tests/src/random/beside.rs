//! What the oracle knows of a state beside the motion itself: loads apart from inertia, paths by speeds, quasi-velocities and how they
//! change. In doubles, worked out in many digits.

use super::expr::{Expr, name, rate};
use super::linear::{Matrix, inner, solve, times};
use super::machine::Statement;
use super::number::{Field, Real};
use super::oracle::{Expected, Oracle, State};
use nalgebra::{DMatrix, DVector};

type Found<T> = Result<T, String>;

/// Step of differences: their error is its square, far below doubles; a power of two, so that a time is moved exactly.
const STEP: f64 = 1.0 / (1u64 << 30) as f64;

/// What there is to compare with at a state.
pub struct Beside {
    /// The state's motion.
    pub motion: Expected,
    /// Velocity terms: `M q'' + h` is the whole inertia force.
    pub velocity_terms: DVector<f64>,
    /// Velocities of mass centres by rates, three rows for each.
    pub paths: DMatrix<f64>,
    /// Angular velocities of rigid bodies by rates, three rows for each.
    pub turns: DMatrix<f64>,
    /// Rates by the speeds of the state; nothing if these and the rows do not determine them.
    pub by_speeds: Option<DMatrix<f64>>,
    /// Values of the speeds.
    pub speeds: Vec<f64>,
    /// The state: coordinates, then speeds.
    pub state: Vec<f64>,
}

/// What of it is asked for.
#[derive(Clone, Copy, Debug)]
pub struct Wanted {
    /// Velocity terms apart from loads.
    pub loads: bool,
    /// Paths, turns and rates by the speeds of the state.
    pub speeds: bool,
}

/// Quasi-velocities `u = J q' + j` at a state.
pub struct Quasi {
    /// J
    pub matrix: DMatrix<f64>,
    /// j
    pub drift: DVector<f64>,
    /// `dJ/dq` by coordinate.
    pub slopes: Vec<DMatrix<f64>>,
    /// `d/dt J` along the motion, less `du_M/dq_L` at constant rates.
    pub curl: DMatrix<f64>,
}

/// In doubles.
pub fn doubles(rows: &[Vec<Real>], columns: usize) -> DMatrix<f64> {
    DMatrix::from_fn(rows.len(), columns, |i, j| rows[i][j].to_f64())
}

/// A list of vectors by displacement as three rows.
fn three_rows(out: &mut Vec<Vec<Real>>, list: &[[Real; 3]]) {
    for i in 0..3 {
        out.push(list.iter().map(|v| v[i].clone()).collect());
    }
}

impl Oracle {
    /// What is wanted beside the motion at a state, for these speeds; the rest is empty.
    ///
    /// # Errors
    /// Where the oracle cannot follow.
    pub fn beside(
        &self,
        state: &State,
        motion: &Expected,
        speeds: &[String],
        wanted: Wanted,
    ) -> Found<Beside> {
        let n = self.coordinates();
        let velocity_terms = if wanted.loads {
            let still = self.without_loads().equations(state)?;
            DVector::from_iterator(n, still.force[..n].iter().map(|f| -f.to_f64()))
        } else {
            DVector::zeros(n)
        };
        let (paths, turns) = if wanted.speeds {
            self.paths_and_turns(state)?
        } else {
            Default::default()
        };
        let by_speeds = if wanted.speeds {
            self.rates_by_speeds(state, speeds)?
        } else {
            None
        };
        let listed = self.speeds(state)?;
        let value = |s: &String| listed.iter().find(|(n, _)| n == s).map(|(_, v)| *v);
        let speeds: Vec<f64> = speeds.iter().filter_map(value).collect();
        let coordinates = state.q.iter().map(Real::to_f64);
        Ok(Beside {
            state: coordinates.chain(speeds.iter().copied()).collect(),
            motion: motion.clone(),
            velocity_terms,
            paths: doubles(&paths, n),
            turns: doubles(&turns, n),
            by_speeds: by_speeds.map(|columns| doubles(&columns, n).transpose()),
            speeds,
        })
    }

    /// How mass centres go and bodies turn with each coordinate, three rows for each.
    fn paths_and_turns(&self, state: &State) -> Found<(Matrix, Matrix)> {
        let n = self.coordinates();
        let none = vec![Real::zero(); n];
        let base = self.instant(state, &none, None);
        let directions: Vec<_> = (0..n)
            .map(|k| {
                let mut unit = none.clone();
                unit[k] = Real::of(1.0);
                self.instant(state, &unit, None)
            })
            .collect();
        let (mut paths, mut turns) = (Vec::new(), Vec::new());
        for s in &self.model.statements {
            let center = match s {
                Statement::Particle { at, .. } => at,
                Statement::Body { center, frame, .. } => {
                    three_rows(&mut turns, &Self::turns(&base, &directions, frame)?);
                    center
                }
                _ => continue,
            };
            three_rows(&mut paths, &Self::paths(&base, &directions, center)?);
        }
        Ok((paths, turns))
    }

    /// The same machine with nothing that acts on it.
    fn without_loads(&self) -> Oracle {
        let acts = |s: &Statement| match s {
            Statement::Load { .. } | Statement::Spring { .. } | Statement::Gravity(_) => true,
            Statement::Energy { keyword, .. } => *keyword != "kinetic",
            _ => false,
        };
        self.without(acts)
    }

    /// Rates for one unit of each speed at a time, the rows kept.
    fn rates_by_speeds(&self, state: &State, speeds: &[String]) -> Found<Option<Matrix>> {
        let n = self.coordinates();
        let (mut matrix, _, mut rows) = self.speed_rows(state, speeds)?;
        if speeds.len() == n {
            // The speeds alone determine the rates.
            matrix.drain(..rows);
            rows = 0;
        }
        let mut columns = Vec::new();
        for i in 0..speeds.len() {
            let mut one = vec![Real::zero(); matrix.len()];
            one[rows + i] = Real::of(1.0);
            let found = solve(&matrix, &one, n);
            if found.rank < n || found.smallest < 1e-9 || found.contradiction > 1e-20 {
                return Ok(None);
            }
            columns.push(found.particular);
        }
        Ok(Some(columns))
    }

    /// The generalized forces on these speeds that give them these rates; nothing if they do not determine the rates of the coordinates.
    ///
    /// # Errors
    /// Where a speed cannot be evaluated.
    pub fn forces_on(
        &self,
        state: &State,
        speeds: &[String],
        rates: &[f64],
    ) -> Found<Option<Vec<f64>>> {
        let n = self.coordinates();
        let Some(directions) = self.rates_by_speeds(state, speeds)? else {
            return Ok(None);
        };
        let (mut matrix, mut right, mut rows) = self.speed_rows(state, speeds)?;
        if speeds.len() == n {
            matrix.drain(..rows);
            right.drain(..rows);
            rows = 0;
        }
        for (r, rate) in right[rows..].iter_mut().zip(rates) {
            *r = r.add(&Real::of(*rate));
        }
        let moved = solve(&matrix, &right, n);
        if moved.contradiction > 1e-20 {
            return Ok(None);
        }
        let eq = self.equations(state)?;
        let inertia = times(&eq.mass[..n].to_vec(), &moved.particular);
        let needed: Vec<Real> = (0..n)
            .map(|i| inertia[i].sub(&eq.force[i]).sub(&eq.nonideal[i]))
            .collect();
        let power = |d: &Vec<Real>| inner(d, &needed).to_f64();
        Ok(Some(directions.iter().map(power).collect()))
    }

    /// J of these quasi-velocities, speeds or `row'`.
    fn gradients_of(&self, state: &State, names: &[String]) -> Found<Matrix> {
        let (mut matrix, _, rows) = self.speed_rows(state, names)?;
        Ok(matrix.split_off(rows))
    }

    /// Values of quasi-velocities.
    fn values_of(&self, state: &State, names: &[String]) -> Found<Vec<Real>> {
        let none = vec![Real::zero(); self.coordinates()];
        let instant = self.instant(state, &none, None);
        let rows = self.rows(&instant)?;
        let value = |of: &String| -> Found<Real> {
            let row = of.strip_suffix('\'');
            if let Some(row) = row.and_then(|of| rows.iter().find(|r| r.name == of)) {
                let series = match row.level() {
                    0 => row.series.rate().ok_or("a row without a rate")?,
                    1 => row.series.clone(),
                    _ => return Err("a row on accelerations is no quasi-velocity".into()),
                };
                return Ok(series.now().clone());
            }
            let e: Expr = row.map_or_else(|| name(of), |coordinate| rate(name(coordinate)));
            Ok(instant.scalar(&e)?.now().clone())
        };
        names.iter().map(value).collect()
    }

    /// Quasi-velocities at a state.
    ///
    /// # Errors
    /// Where one of them cannot be evaluated.
    pub fn quasi_velocities(&self, state: &State, names: &[String]) -> Found<Quasi> {
        let n = self.coordinates();
        let (step, twice) = (Real::of(STEP), Real::of(0.5 / STEP));
        let moved = |k: usize, forward: bool| {
            let mut moved = state.clone();
            moved.q[k] = if forward {
                moved.q[k].add(&step)
            } else {
                moved.q[k].sub(&step)
            };
            moved
        };
        let along = |forward: bool| {
            let mut moved = state.clone();
            moved.t += if forward { STEP } else { -STEP };
            for (q, v) in moved.q.iter_mut().zip(&state.v) {
                let by = v.mul(&step);
                *q = if forward { q.add(&by) } else { q.sub(&by) };
            }
            moved
        };
        let slope = |plus: &Matrix, minus: &Matrix| -> Matrix {
            let entry = |(a, b): (&Real, &Real)| a.sub(b).mul(&twice);
            let row = |(a, b): (&Vec<Real>, &Vec<Real>)| a.iter().zip(b).map(entry).collect();
            plus.iter().zip(minus).map(row).collect()
        };
        let here = self.gradients_of(state, names)?;
        let values = self.values_of(state, names)?;
        let of_rates = times(&here, &state.v);
        let drift = values.iter().zip(&of_rates).map(|(u, j)| u.sub(j).to_f64());
        let mut slopes = Vec::new();
        let mut change = doubles(
            &slope(
                &self.gradients_of(&along(true), names)?,
                &self.gradients_of(&along(false), names)?,
            ),
            n,
        );
        for k in 0..n {
            let (plus, minus) = (moved(k, true), moved(k, false));
            let differences = slope(
                &self.gradients_of(&plus, names)?,
                &self.gradients_of(&minus, names)?,
            );
            slopes.push(doubles(&differences, n));
            let (plus, minus) = (
                self.values_of(&plus, names)?,
                self.values_of(&minus, names)?,
            );
            for (m, (a, b)) in plus.iter().zip(&minus).enumerate() {
                change[(m, k)] -= a.sub(b).mul(&twice).to_f64();
            }
        }
        Ok(Quasi {
            matrix: doubles(&here, n),
            drift: DVector::from_iterator(names.len(), drift),
            slopes,
            curl: change,
        })
    }
}
