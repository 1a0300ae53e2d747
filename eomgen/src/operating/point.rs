//! One operating point, from one start.

use nalgebra::{DMatrix, DVector};

use super::conditions::Conditions;
use crate::assemble::TOLERANCE;
use crate::assemble::least::{Problem, Solved, solve};

/// An operating point.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Point {
    /// Parameters there.
    pub params: Vec<f64>,
    /// The state.
    pub state: Vec<f64>,
    /// All coordinates' rates.
    pub rates: Vec<f64>,
    /// All speeds.
    pub speeds: Vec<f64>,
    /// All inputs.
    pub inputs: Vec<f64>,
    /// The state and the free inputs.
    pub unknowns: Vec<f64>,
    /// The residual that is largest, and its row.
    pub residual: (String, f64),
    /// Multipliers of the machine's rows; none where there are no rows.
    pub multipliers: Vec<f64>,
    /// Orthonormal directions in which the unknowns may change.
    pub directions: Vec<Vec<f64>>,
    /// Unknowns that may take other values, by name.
    pub undetermined: Vec<String>,
}

/// That there is none near the start.
#[derive(Clone, Debug, PartialEq)]
pub enum Unfound {
    /// The equations have no values at the start: what fails.
    Nowhere(String),
    /// The row that is farthest from holding, what it leaves, and the unknowns there.
    Left {
        /// The row.
        row: String,
        /// What is left.
        residual: f64,
        /// Names and values.
        at: Vec<(String, f64)>,
    },
}

/// What counts as no slope beside the largest, where slopes are differences.
const RANK: f64 = 1e-7;
/// Steps of Newton's method at the end.
const POLISH: usize = 30;

/// The conditions with rows of one size, as they are at the start: accelerations may be a thousand times what constraints are.
struct Even<'a, 'm> {
    conditions: &'a mut Conditions<'m>,
    weights: Vec<f64>,
}

impl<'a, 'm> Even<'a, 'm> {
    fn new(conditions: &'a mut Conditions<'m>, start: &[f64]) -> Self {
        let (residuals, slopes) = conditions.linearized(start);
        let columns = start.len();
        let weight = |i: usize| {
            let row = &slopes[i * columns..(i + 1) * columns];
            let size = row.iter().map(|x| x.abs()).fold(0.0, f64::max);
            1.0 / size.max(1.0)
        };
        let weights = (0..residuals.len()).map(weight).collect();
        Self {
            conditions,
            weights,
        }
    }
}

impl Problem for Even<'_, '_> {
    fn at(&mut self, x: &[f64]) -> (Vec<f64>, Vec<f64>) {
        let (mut residuals, mut slopes) = self.conditions.linearized(x);
        let rows = slopes.chunks_mut(x.len().max(1));
        for ((residual, row), weight) in residuals.iter_mut().zip(rows).zip(&self.weights) {
            *residual *= weight;
            row.iter_mut().for_each(|x| *x *= weight);
        }
        (residuals, slopes)
    }
}

/// What may be left of rows of one size at a point where they lose rank: of a double zero half the digits can be found.
const DOUBLE: f64 = 1e-8;

/// Where the iteration comes to rest, and the row that is worst there, if one is not met, with the most that a row of one size leaves.
fn rest(
    conditions: &mut Conditions<'_>,
    start: &[f64],
    free: &[usize],
) -> (Solved, Option<(usize, f64)>) {
    let mut even = Even::new(conditions, start);
    let mut found = solve(&mut even, start, free);
    let residuals = found.residuals.iter();
    let left = residuals.fold(0.0_f64, |most, r| most.max(r.abs()));
    let worst = found.worst().map(|row| (row, left));
    for (residual, weight) in found.residuals.iter_mut().zip(&even.weights) {
        *residual /= weight;
    }
    (found, worst)
}

/// The operating point that the iteration finds from a start.
///
/// # Errors
/// What is left where the iteration came to rest.
pub fn point(conditions: &mut Conditions<'_>, start: &[f64]) -> Result<Point, Unfound> {
    if let Err(fault) = conditions.residuals(start) {
        return Err(Unfound::Nowhere(fault.what));
    }
    let free = conditions.free();
    let (found, worst) = rest(conditions, start, &free);
    let (unknowns, slopes) = polished(conditions, found.x.clone(), &free);
    if let Some(worst) = worst {
        // Long valleys are left by Newton's steps, if at all.
        let (again, still) = rest(conditions, &unknowns, &free);
        if still.is_none_or(|(_, left)| left <= DOUBLE) {
            let (unknowns, slopes) = polished(conditions, again.x, &free);
            if still.is_none() || loses_rank(&slopes) {
                return Ok(described(conditions, unknowns, &free, &slopes));
            }
        }
        let (found, (worst, _)) = at_rest(conditions, start, &free).unwrap_or((found, worst));
        let at = (0..start.len()).map(|i| (conditions.unknown(i).to_owned(), found.x[i]));
        return Err(Unfound::Left {
            at: at.collect(),
            row: conditions.row(worst).to_owned(),
            residual: found.residuals[worst],
        });
    }
    Ok(described(conditions, unknowns, &free, &slopes))
}

/// What is left where speeds keep their values, if nothing turns: the row that cannot hold, rather than a motion that makes up for it.
fn at_rest(
    conditions: &mut Conditions<'_>,
    start: &[f64],
    free: &[usize],
) -> Option<(Solved, (usize, f64))> {
    let machine = conditions.machine();
    let n = machine.coords.len();
    if !conditions.asked.turning.is_empty() {
        return None;
    }
    let speeds = n..n + machine.independent.len();
    let free = free.iter().copied().filter(|k| !speeds.contains(k));
    let (found, worst) = rest(conditions, start, &free.collect::<Vec<_>>());
    Some((found, worst?))
}

/// A state that satisfies the conditions already, described.
pub(super) fn at(conditions: &mut Conditions<'_>, unknowns: &[f64]) -> Point {
    let free = conditions.free();
    let (residuals, slopes) = conditions.linearized(unknowns);
    let matrix = of_free(&slopes, residuals.len(), unknowns.len(), &free);
    described(conditions, unknowns.to_vec(), &free, &matrix)
}

/// Newton's steps of least norm, as long as they help: the point to the last digits.
fn polished(
    conditions: &mut Conditions<'_>,
    unknowns: Vec<f64>,
    free: &[usize],
) -> (Vec<f64>, DMatrix<f64>) {
    let mut x = unknowns;
    let (mut residuals, mut slopes) = conditions.linearized(&x);
    let size = |r: &[f64]| r.iter().map(|x| x * x).sum::<f64>();
    for _ in 0..POLISH {
        let matrix = of_free(&slopes, residuals.len(), x.len(), free);
        let Some(step) = least_norm(&matrix, &residuals) else {
            break;
        };
        let mut next = x.clone();
        for (k, at) in free.iter().enumerate() {
            next[*at] -= step[k];
        }
        let (r, s) = conditions.linearized(&next);
        if size(&r) >= size(&residuals) || !size(&r).is_finite() {
            break;
        }
        (x, residuals, slopes) = (next, r, s);
    }
    let matrix = of_free(&slopes, residuals.len(), x.len(), free);
    (x, matrix)
}

fn of_free(slopes: &[f64], rows: usize, columns: usize, free: &[usize]) -> DMatrix<f64> {
    DMatrix::from_fn(rows, free.len(), |i, k| slopes[i * columns + free[k]])
}

/// Whether the rank is lower than the size of the matrix allows.
fn loses_rank(matrix: &DMatrix<f64>) -> bool {
    if matrix.is_empty() || matrix.iter().any(|x| !x.is_finite()) {
        return false;
    }
    let values = matrix.clone().singular_values();
    values.min() <= RANK * values.max()
}

/// The shortest step that the matrix takes to `of`; nothing where it cannot be had.
pub(super) fn least_norm(matrix: &DMatrix<f64>, of: &[f64]) -> Option<Vec<f64>> {
    if matrix.is_empty() || matrix.iter().any(|x| !x.is_finite()) {
        return None;
    }
    let svd = matrix.clone().try_svd(true, true, f64::EPSILON, 10_000)?;
    let largest = svd.singular_values.max();
    let of = DVector::from_column_slice(of);
    let step = svd.solve(&of, RANK * largest).ok()?;
    Some(step.iter().copied().collect())
}

/// The directions that a matrix takes to 0.
pub(super) fn null_space(matrix: &DMatrix<f64>) -> Vec<Vec<f64>> {
    let columns = matrix.ncols();
    if columns == 0 || matrix.iter().any(|x| !x.is_finite()) {
        return Vec::new();
    }
    // Square, so that all directions are there.
    let rows = matrix.nrows().max(columns);
    let square = matrix.clone().resize(rows, columns, 0.0);
    let Some(svd) = square.try_svd(false, true, f64::EPSILON, 10_000) else {
        return Vec::new();
    };
    let Some(v) = svd.v_t else { return Vec::new() };
    let largest = svd.singular_values.max();
    let small = (0..columns).filter(|i| svd.singular_values[*i] <= RANK * largest);
    small.map(|i| v.row(i).iter().copied().collect()).collect()
}

fn described(
    conditions: &mut Conditions<'_>,
    unknowns: Vec<f64>,
    free: &[usize],
    slopes: &DMatrix<f64>,
) -> Point {
    let machine = conditions.machine();
    let (n, states, time) = (machine.coords.len(), machine.states(), conditions.time());
    let (residuals, all) = conditions.linearized(&unknowns);
    let scale = |i: usize| {
        let row = &all[i * unknowns.len()..(i + 1) * unknowns.len()];
        row.iter().map(|x| x.abs()).fold(1e-6, f64::max)
    };
    let worst = (0..residuals.len()).max_by(|i, j| {
        (residuals[*i].abs() / scale(*i)).total_cmp(&(residuals[*j].abs() / scale(*j)))
    });
    let residual = worst.map_or((String::new(), 0.0), |i| {
        (conditions.row(i).to_owned(), residuals[i])
    });
    let state = unknowns[..states].to_vec();
    conditions.hold(&unknowns);
    let mut rate = vec![f64::NAN; states];
    let _ = conditions.mechanism.derivative(time, &state, &mut rate);
    let rates = rate[..n].to_vec();
    let speeds = conditions.speeds(&state, &rates);
    let multipliers = match &machine.multipliers {
        Some(tape) => conditions.mechanism.numbers(tape, time, &state, &rates),
        None => Vec::new(),
    };
    let mut directions = Vec::new();
    for direction in null_space(slopes) {
        let mut whole = vec![0.0; unknowns.len()];
        for (k, at) in free.iter().enumerate() {
            whole[*at] = direction[k];
        }
        directions.push(whole);
    }
    let undetermined = (0..unknowns.len()).filter(|i| {
        let share = directions.iter().map(|d| d[*i] * d[*i]).sum::<f64>();
        share > TOLERANCE.sqrt()
    });
    let undetermined = undetermined.map(|i| conditions.unknown(i).to_owned());
    Point {
        params: conditions.mechanism.params.clone(),
        undetermined: undetermined.collect(),
        inputs: conditions.mechanism.inputs().to_vec(),
        state,
        rates,
        speeds,
        unknowns,
        residual,
        multipliers,
        directions,
    }
}
