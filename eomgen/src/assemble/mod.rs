//! The nearest state that satisfies the constraints: coordinates first, then speeds.
//!
//! Both are zeros of a few functions of several numbers, some of which are held, and are found by the same iteration. It knows a
//! [`Mechanism`] and nothing of how it was derived.

pub(crate) mod least;

use crate::machine::{Machine, Mechanism, Start};
use least::{Found, Problem};

/// What is held.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Held {
    /// Which coordinates keep their values.
    pub coords: Vec<bool>,
    /// Which speeds do, by their place among all speeds.
    pub speeds: Vec<bool>,
}

/// A consistent state, and how it differs from the guess.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Consistent {
    /// The state.
    pub start: Start,
    /// The rates of the coordinates.
    pub rates: Vec<f64>,
    /// The largest residual of the guess: the row's name and the number; `None` if it satisfies all.
    pub off: Option<(String, f64)>,
    /// What is worth knowing: another branch, a sign that the model excludes.
    pub remarks: Vec<String>,
}

/// That there is no consistent state near the guess.
#[derive(Clone, Debug, PartialEq)]
pub struct Unassembled {
    /// The row that is farthest from holding.
    pub row: String,
    /// What it leaves there.
    pub residual: f64,
    /// Whether it is a row of positions, or what velocities have to satisfy.
    pub position: bool,
    /// The coordinates where the iteration came to rest.
    pub q: Vec<f64>,
}

/// Relative to the size of its terms, what a residual may be and count as zero.
pub const TOLERANCE: f64 = 1e-10;

/// Rows of positions as functions of the coordinates.
struct Positions<'a, 'm> {
    mechanism: &'a mut Mechanism<'m>,
    time: f64,
    rows: Vec<usize>,
}

/// Rows as conditions on the rates at given coordinates, and speeds that are held.
struct Velocities<'a, 'm> {
    mechanism: &'a mut Mechanism<'m>,
    time: f64,
    q: Vec<f64>,
    rows: Vec<usize>,
    /// Definitions of the speeds in the rates, row by row, and what they are without rates.
    definitions: (Vec<f64>, Vec<f64>),
    held: Vec<(usize, f64)>,
}

impl Problem for Positions<'_, '_> {
    fn at(&mut self, q: &[f64]) -> (Vec<f64>, Vec<f64>) {
        let machine = self.mechanism.machine;
        let n = q.len();
        let still = vec![0.0; n];
        let state = state_of(machine, q, &still);
        let probe = &machine.probe;
        let all = self
            .mechanism
            .numbers(&probe.residuals, self.time, &state, &still);
        let matrix = self
            .mechanism
            .numbers(&probe.matrix, self.time, &state, &still);
        let residuals = self.rows.iter().map(|i| all[*i]).collect();
        let rows = self.rows.iter();
        let matrix = rows.flat_map(|i| matrix[i * n..(i + 1) * n].to_vec());
        (residuals, matrix.collect())
    }
}

impl Problem for Velocities<'_, '_> {
    fn at(&mut self, rates: &[f64]) -> (Vec<f64>, Vec<f64>) {
        let machine = self.mechanism.machine;
        let n = rates.len();
        let (slopes, constants) = &self.definitions;
        let product = |i: usize| {
            let row = &slopes[i * n..(i + 1) * n];
            constants[i] + row.iter().zip(rates).map(|(a, b)| a * b).sum::<f64>()
        };
        let speeds: Vec<f64> = (0..n).map(product).collect();
        let state = state_of(machine, &self.q, &speeds);
        let probe = &machine.probe;
        let all = &probe.velocity_residuals;
        let all = self.mechanism.numbers(all, self.time, &state, rates);
        let matrix = self
            .mechanism
            .numbers(&probe.matrix, self.time, &state, rates);
        let mut residuals: Vec<f64> = self.rows.iter().map(|i| all[*i]).collect();
        let rows = self.rows.iter();
        let rows = rows.flat_map(|i| matrix[i * n..(i + 1) * n].to_vec());
        let mut jacobian: Vec<f64> = rows.collect();
        for (i, value) in &self.held {
            residuals.push(speeds[*i] - value);
            jacobian.extend_from_slice(&slopes[i * n..(i + 1) * n]);
        }
        (residuals, jacobian)
    }
}

/// The state array: coordinates and the speeds of the state.
pub fn state_of(machine: &Machine, q: &[f64], speeds: &[f64]) -> Vec<f64> {
    let own = machine.independent.iter().map(|i| speeds[*i]);
    q.iter().copied().chain(own).collect()
}

/// The nearest consistent state to a guess.
///
/// # Errors
/// The row that cannot be satisfied.
pub fn assemble(
    mechanism: &mut Mechanism<'_>,
    guess: &Start,
    held: &Held,
) -> Result<Consistent, Unassembled> {
    let guessed = state_of(mechanism.machine, &guess.q, &guess.speeds);
    // Inputs may stand in constraints; an expression that has no value there has none later either.
    let _ = mechanism.set_inputs(guess.time, &guessed);
    let mut off = None;
    let (q, remarks) = positions(mechanism, guess, held, &mut off)?;
    let (rates, speeds) = velocities(mechanism, guess, &q, held, &mut off)?;
    let time = guess.time;
    Ok(Consistent {
        start: Start {
            time,
            q,
            speeds,
            states: guess.states.clone(),
        },
        rates,
        off,
        remarks,
    })
}

fn rows_of(machine: &Machine, levels: std::ops::Range<u8>) -> Vec<usize> {
    let rows = machine.rows.iter().enumerate();
    let of = rows.filter(|(_, row)| levels.contains(&row.level));
    of.map(|(i, _)| i).collect()
}

fn positions(
    mechanism: &mut Mechanism<'_>,
    guess: &Start,
    held: &Held,
    off: &mut Option<(String, f64)>,
) -> Result<(Vec<f64>, Vec<String>), Unassembled> {
    let machine = mechanism.machine;
    let rows = rows_of(machine, 0..1);
    let mut remarks = Vec::new();
    if rows.is_empty() {
        return Ok((guess.q.clone(), remarks));
    }
    let time = guess.time;
    let mut problem = Positions {
        mechanism,
        time,
        rows: rows.clone(),
    };
    let free: Vec<usize> = (0..guess.q.len()).filter(|i| !held.coords[*i]).collect();
    let before = problem.at(&guess.q);
    let found = least::solve(&mut problem, &guess.q, &free);
    note(machine, &rows, &found.first, off);
    if let Some(worst) = found.worst() {
        return Err(Unassembled {
            row: machine.rows[rows[worst]].name.clone(),
            residual: found.residuals[worst],
            position: true,
            q: found.x,
        });
    }
    if free.len() == rows.len() {
        let n = guess.q.len();
        let after = problem.at(&found.x);
        let sign = |matrix: &[f64]| least::orientation(matrix, n, &free);
        let start: Vec<f64> = machine.initial.iter().map(|x| x.unwrap_or(0.0)).collect();
        let of_model = problem.at(&start);
        if sign(&before.1) * sign(&after.1) < 0.0 {
            remarks.push("the guess is on another branch than the state that was found: the determinant of the constraints changed its sign".to_owned());
        } else if machine.initial.iter().any(Option::is_some)
            && sign(&of_model.1) * sign(&after.1) < 0.0
        {
            remarks.push("the state is on another branch than the initial values of the model: the determinant of the constraints has the opposite sign".to_owned());
        }
    }
    excluded(machine, &found.x, &mut remarks);
    Ok((found.x, remarks))
}

/// Coordinates whose signs the model excludes.
fn excluded(machine: &Machine, q: &[f64], remarks: &mut Vec<String>) {
    for ((named, sign), x) in machine.coords.iter().zip(&machine.signs).zip(q) {
        let Some(sign) = sign else { continue };
        let holds = match sign.as_str() {
            "> 0" => *x > 0.0,
            ">= 0" => *x >= 0.0,
            "< 0" => *x < 0.0,
            "<= 0" => *x <= 0.0,
            _ => *x != 0.0,
        };
        if !holds {
            let name = &named.name;
            remarks.push(format!(
                "{name} = {x:.6}, but the model states {name} {sign}: this is the wrong side"
            ));
        }
    }
}

/// The row that the guess violates most.
fn note(machine: &Machine, rows: &[usize], first: &Found, off: &mut Option<(String, f64)>) {
    if let Some(worst) = first.worst() {
        let residual = first.residuals[worst];
        let known = off.as_ref().map_or(0.0, |(_, known)| known.abs());
        if residual.abs() > known {
            // Rows beyond those of the model are speeds that are held.
            let row = rows.get(worst).map(|i| machine.rows[*i].name.clone());
            *off = row.map(|name| (name, residual)).or_else(|| off.take());
        }
    }
}

fn velocities(
    mechanism: &mut Mechanism<'_>,
    guess: &Start,
    q: &[f64],
    held: &Held,
    off: &mut Option<(String, f64)>,
) -> Result<(Vec<f64>, Vec<f64>), Unassembled> {
    let machine = mechanism.machine;
    let rows = rows_of(machine, 0..2);
    let n = q.len();
    let definitions = definitions(mechanism, guess.time, q);
    let first = least::linear(&definitions.0, n, &{
        let pairs = guess.speeds.iter().zip(&definitions.1);
        pairs.map(|(u, c)| u - c).collect::<Vec<_>>()
    });
    let speeds = (0..n).filter(|i| held.speeds[*i]);
    let mut problem = Velocities {
        mechanism,
        time: guess.time,
        q: q.to_vec(),
        rows: rows.clone(),
        held: speeds.map(|i| (i, guess.speeds[i])).collect(),
        definitions,
    };
    let all: Vec<usize> = (0..n).collect();
    let found = least::solve(&mut problem, &first, &all);
    note(machine, &rows, &found.first, off);
    if let Some(worst) = found.worst() {
        let row = rows.get(worst).map(|i| machine.rows[*i].name.clone());
        return Err(Unassembled {
            row: row.unwrap_or_else(|| "the speeds that are held".to_owned()),
            residual: found.residuals[worst],
            position: false,
            q: q.to_vec(),
        });
    }
    let state = q.to_vec();
    let speeds = mechanism.numbers(&machine.probe.speeds, guess.time, &state, &found.x);
    Ok((found.x, speeds))
}

/// The speeds as affine functions of the rates: slopes, row by row, and constants.
fn definitions(mechanism: &mut Mechanism<'_>, time: f64, q: &[f64]) -> (Vec<f64>, Vec<f64>) {
    let n = q.len();
    let machine = mechanism.machine;
    let mut rates = vec![0.0; n];
    let constants = mechanism.numbers(&machine.probe.speeds, time, q, &rates);
    let mut slopes = vec![0.0; n * n];
    for j in 0..n {
        rates[j] = 1.0;
        let speeds = mechanism.numbers(&machine.probe.speeds, time, q, &rates);
        rates[j] = 0.0;
        for i in 0..n {
            slopes[i * n + j] = speeds[i] - constants[i];
        }
    }
    (slopes, constants)
}
