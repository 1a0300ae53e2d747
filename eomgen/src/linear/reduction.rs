//! From the derivatives of a machine's functions to a linear model on its constraints.
//!
//! The states that satisfy the constraints are a manifold, of which some entries of the state, the independent ones, are coordinates. With
//! `D` the derivative of the residuals and `T` the matrix whose columns are the directions with `D T = 0` in which one independent entry
//! changes at rate 1, the model is the independent rows of `A T`. So the dependent coordinates' changes enter the rates of all others,
//! nonholonomic constraints among them (G. Basu-Mandal, A. Chatterjee, J. M. Papadopoulos, Proc. R. Soc. A 463 (2007) 1983-2003; D. L.
//! Peterson, G. Gede, M. Hubbard, Multibody Syst. Dyn. 33 (2015) 143-161), and the directions that leave the manifold, along a quaternion
//! for one, bring no eigenvalues.

use nalgebra::DMatrix;

use crate::machine::{Machine, Mechanism, Slopes, Source};
use crate::operating::Point;

/// A linear model: `x' = A x + B u`, `y = C x + D u`, all of them deviations from the point.
#[derive(Clone, Debug, PartialEq)]
pub struct Linear {
    /// Names of the independent entries of the state.
    pub states: Vec<String>,
    /// Names of the inputs.
    pub inputs: Vec<String>,
    /// Names of the outputs.
    pub outputs: Vec<String>,
    /// Values at the point.
    pub at: (Vec<f64>, Vec<f64>, Vec<f64>),
    /// Of the states by the states.
    pub a: DMatrix<f64>,
    /// Of the states by the inputs.
    pub b: DMatrix<f64>,
    /// Of the outputs by the states.
    pub c: DMatrix<f64>,
    /// Of the outputs by the inputs.
    pub d: DMatrix<f64>,
    /// Entries that the constraints determine.
    pub dependent: Vec<String>,
    /// Coordinates that nothing else depends on: each an eigenvalue 0, and an integral of the others.
    pub integrals: Vec<usize>,
}

/// Why there is no linear model.
#[derive(Clone, Debug, PartialEq)]
pub struct Refused(pub String);

/// What is no slope beside others.
const RANK: f64 = 1e-9;

/// The derivatives at a state.
struct Slope {
    a: DMatrix<f64>,
    b: DMatrix<f64>,
    rows: DMatrix<f64>,
    c: DMatrix<f64>,
    d: DMatrix<f64>,
}

/// The linear model beside a point at a time; its inputs are those of these places, its outputs entries of the state by name or
/// what the machine follows.
///
/// # Errors
/// Why there is none.
pub fn linear(
    machine: &Machine,
    time: f64,
    point: &Point,
    inputs: &[usize],
    outputs: &[String],
) -> Result<Linear, Refused> {
    let slopes = machine.slopes.as_ref().ok_or_else(|| {
        Refused("a function of the model would have to be differentiated three times".to_owned())
    })?;
    let mut mechanism = Mechanism::new(machine, point.params.clone());
    let followed = closed(machine);
    for (i, value) in point.inputs.iter().enumerate() {
        if !followed.contains(&i) {
            mechanism.hold_input(i, *value);
        }
    }
    let here = slope(&mut mechanism, slopes, time, &point.state, &followed)?;
    let dependent = dependents(machine, &here.rows, RANK);
    let singular = loses_rank(&mut mechanism, slopes, (time, point), &here.rows);
    if singular {
        return Err(Refused(
            "the point is singular: the constraints have fewer independent rows here than beside it".to_owned(),
        ));
    }
    let names = machine.state_names();
    let independent: Vec<usize> = (0..names.len())
        .filter(|i| !dependent.0.contains(i))
        .collect();
    let of = |slope: &Slope, tangent: &DMatrix<f64>| -> DMatrix<f64> {
        (&slope.a * tangent).select_rows(&independent)
    };
    let a = cleaned(of(&here, &dependent.1));
    let integrals = integrals(machine, &independent, &a);
    steady(
        &mut mechanism,
        slopes,
        (time, point),
        &followed,
        (&a, &integrals, &independent, &dependent.0),
    )?;
    let b = here.b.select_rows(&independent).select_columns(inputs);
    let (c, d, values) = observed(&mut mechanism, (time, point), &here, outputs)?;
    let name = |list: &[usize]| list.iter().map(|i| names[*i].to_owned()).collect();
    Ok(Linear {
        states: name(&independent),
        inputs: inputs
            .iter()
            .map(|i| machine.inputs[*i].named.name.clone())
            .collect(),
        outputs: outputs.to_vec(),
        at: (
            independent.iter().map(|i| point.state[*i]).collect(),
            inputs.iter().map(|i| point.inputs[*i]).collect(),
            values,
        ),
        c: c * &dependent.1,
        d: d.select_columns(inputs),
        dependent: name(&dependent.0),
        integrals,
        a,
        b,
    })
}

/// Inputs that follow the state by an expression.
fn closed(machine: &Machine) -> Vec<usize> {
    (0..machine.inputs.len())
        .filter(|i| machine.follows_state(*i))
        .collect()
}

fn slope<'m>(
    mechanism: &mut Mechanism<'m>,
    slopes: &'m Slopes,
    time: f64,
    state: &[f64],
    followed: &[usize],
) -> Result<Slope, Refused> {
    let machine = mechanism.machine;
    let states = machine.states();
    let mut rate = vec![0.0; states];
    let failed = |f: crate::machine::Fault| Refused(format!("the point is singular: {}", f.what));
    mechanism
        .derivative(time, state, &mut rate)
        .map_err(failed)?;
    let rates = rate[..machine.coords.len()].to_vec();
    let columns = states + machine.inputs.len();
    let mut matrix = |tape: &'m crate::ir::tape::Tape| {
        let numbers = mechanism.numbers(tape, time, state, &rates);
        DMatrix::from_row_slice(tape.len() / columns.max(1), columns, &numbers)
    };
    let (f, rows) = (matrix(&slopes.derivative), matrix(&slopes.residuals));
    let (own, watch) = (matrix(&slopes.inputs), matrix(&slopes.watch));
    if [&f, &rows, &own, &watch]
        .iter()
        .any(|m| m.iter().any(|x| !x.is_finite()))
    {
        return Err(Refused(
            "the equations have no derivatives at this point".to_owned(),
        ));
    }
    let split = |m: &DMatrix<f64>| {
        (
            m.columns(0, states).into_owned(),
            m.columns(states, machine.inputs.len()).into_owned(),
        )
    };
    let ((mut a, b), (mut c, d)) = (split(&f), split(&watch));
    // Inputs that follow the state close their loops.
    for input in followed {
        let Source::Expression(at) = &machine.inputs[*input].source else {
            continue;
        };
        let gain = own.row(*at).columns(0, states).into_owned();
        a += b.column(*input) * &gain;
        c += d.column(*input) * &gain;
    }
    let rows = rows.columns(0, states).into_owned();
    Ok(Slope { a, b, rows, c, d })
}

/// Rows of the residuals that restrict a state: all of them, or, where the state has only independent speeds, those of positions.
fn restricting(machine: &Machine) -> (Vec<usize>, Vec<usize>) {
    let rows = machine.rows.len();
    let reduced = machine.independent.len() < machine.speeds.len();
    let of = |levels: &[u8]| -> Vec<usize> {
        (0..rows)
            .filter(|i| levels.contains(&machine.rows[*i].level))
            .collect()
    };
    let speeds = if reduced {
        Vec::new()
    } else {
        of(&[0, 1]).into_iter().map(|i| rows + i).collect()
    };
    (of(&[0]), speeds)
}

/// Entries that follow from the others, and the directions in which one of the others changes.
fn dependents(machine: &Machine, rows: &DMatrix<f64>, least: f64) -> (Vec<usize>, DMatrix<f64>) {
    let (n, states) = (machine.coords.len(), machine.states());
    let (positions, velocities) = restricting(machine);
    let mut chosen: Vec<(usize, Vec<f64>)> = Vec::new();
    for (list, columns) in [(positions, 0..n), (velocities, n..states)] {
        let mut left: Vec<Vec<f64>> = list
            .iter()
            .map(|i| rows.row(*i).iter().copied().collect())
            .collect();
        for row in &mut left {
            for (at, known) in &chosen {
                subtract(row, known, *at);
            }
        }
        let sizes: Vec<f64> = list.iter().map(|i| rows.row(*i).amax().max(1e-6)).collect();
        while let Some((i, k)) = pivot(&left, &sizes, columns.clone(), least) {
            let mut row = left[i].clone();
            let divisor = row[k];
            row.iter_mut().for_each(|x| *x /= divisor);
            left.iter_mut().for_each(|other| subtract(other, &row, k));
            chosen
                .iter_mut()
                .for_each(|(_, other)| subtract(other, &row, k));
            chosen.push((k, row));
        }
    }
    let mut dependent: Vec<usize> = chosen.iter().map(|(k, _)| *k).collect();
    dependent.sort_unstable();
    let independent: Vec<usize> = (0..states).filter(|i| !dependent.contains(i)).collect();
    let mut tangent = DMatrix::zeros(states, independent.len());
    for (column, i) in independent.iter().enumerate() {
        tangent[(*i, column)] = 1.0;
        for (k, row) in &chosen {
            tangent[(*k, column)] = -row[*i];
        }
    }
    (dependent, tangent)
}

fn subtract(row: &mut [f64], known: &[f64], at: usize) {
    let factor = row[at];
    for (x, y) in row.iter_mut().zip(known) {
        *x -= factor * y;
    }
    row[at] = 0.0;
}

/// The entry that is largest beside its row's size, the first of those.
fn pivot(
    rows: &[Vec<f64>],
    sizes: &[f64],
    columns: std::ops::Range<usize>,
    least: f64,
) -> Option<(usize, usize)> {
    let mut best: Option<(usize, usize, f64)> = None;
    for (i, row) in rows.iter().enumerate() {
        for k in columns.clone() {
            let size = row[k].abs() / sizes[i];
            if size > least && best.is_none_or(|(.., known)| size > known * (1.0 + RANK)) {
                best = Some((i, k, size));
            }
        }
    }
    best.map(|(i, k, _)| (i, k))
}

/// How far beside a point the rank and the steadiness are compared.
const BESIDE: f64 = 1e-4;

/// Whether the rows have a higher rank beside the point than at it.
fn loses_rank<'m>(
    mechanism: &mut Mechanism<'m>,
    slopes: &'m Slopes,
    (time, point): (f64, &Point),
    rows: &DMatrix<f64>,
) -> bool {
    let machine = mechanism.machine;
    let mut state = point.state.clone();
    for (i, x) in state.iter_mut().enumerate() {
        // Any direction will do that is in no special position.
        *x += BESIDE * (0.7 + 0.1 * ((i * 7) % 5) as f64) * if i % 3 == 1 { -1.0 } else { 1.0 };
    }
    let Ok(beside) = slope(mechanism, slopes, time, &state, &[]) else {
        return false;
    };
    let rank = |rows: &DMatrix<f64>| dependents(machine, rows, 0.1 * BESIDE).0.len();
    rank(&beside.rows) > rank(rows)
}

/// Without what is left of entries that cancel.
fn cleaned(mut a: DMatrix<f64>) -> DMatrix<f64> {
    let size = a.amax();
    a.iter_mut().for_each(|x| {
        if x.abs() <= 4.0 * f64::EPSILON * size {
            *x = 0.0;
        }
    });
    a
}

/// Coordinates that only themselves and each other's rates depend on.
fn integrals(machine: &Machine, independent: &[usize], a: &DMatrix<f64>) -> Vec<usize> {
    let n = machine.coords.len();
    let mut found: Vec<usize> = Vec::new();
    loop {
        let next = (0..independent.len()).find(|j| {
            let rows = (0..a.nrows()).filter(|i| !found.contains(i));
            independent[*j] < n && !found.contains(j) && rows.map(|i| a[(i, *j)]).all(|x| x == 0.0)
        });
        match next {
            Some(next) => found.push(next),
            None => {
                found.sort_unstable();
                return found;
            }
        }
    }
}

/// That the model is the same a moment later, but for what only integrates.
fn steady<'m>(
    mechanism: &mut Mechanism<'m>,
    slopes: &'m Slopes,
    (time, point): (f64, &Point),
    followed: &[usize],
    (a, integrals, independent, dependent): (&DMatrix<f64>, &[usize], &[usize], &[usize]),
) -> Result<(), Refused> {
    let machine = mechanism.machine;
    let mut rate = vec![0.0; machine.states()];
    if mechanism.derivative(time, &point.state, &mut rate).is_err() {
        return Ok(());
    }
    let size = rate.iter().fold(0.0f64, |m, x| m.max(x.abs()));
    if size < 1e-9 {
        return Ok(());
    }
    let later: Vec<f64> = point
        .state
        .iter()
        .zip(&rate)
        .map(|(x, r)| x + BESIDE * r / size)
        .collect();
    let Ok(there) = slope(mechanism, slopes, time, &later, followed) else {
        return Ok(());
    };
    let (others, tangent) = dependents(machine, &there.rows, RANK);
    if others != dependent {
        return Ok(());
    }
    let b = (&there.a * tangent).select_rows(independent);
    let scale = a.amax().max(1.0);
    for i in (0..a.nrows()).filter(|i| !integrals.contains(i)) {
        for j in 0..a.ncols() {
            if (a[(i, j)] - b[(i, j)]).abs() > 1e-2 * BESIDE * scale {
                let names = machine.state_names();
                return Err(Refused(format!(
                    "the linear model is not constant along this motion: how ({})' depends on {} changes with time; describe the machine by coordinates in which the motion is steady",
                    names[independent[i]], names[independent[j]]
                )));
            }
        }
    }
    Ok(())
}

/// Where an expression that is followed, or an output of the model that is one number, is among what is followed.
fn followed_at(machine: &Machine, name: &str) -> Option<usize> {
    if let Some(at) = machine.watched.iter().position(|w| w.text == name) {
        return Some(at);
    }
    let mut at = machine.watched.len();
    for (named, count) in &machine.outputs {
        if named.name == name {
            return (*count == 1).then_some(at);
        }
        at += count;
    }
    None
}

type Observed = (DMatrix<f64>, DMatrix<f64>, Vec<f64>);

/// The outputs' derivatives by the whole state and all inputs, and their values.
fn observed(
    mechanism: &mut Mechanism<'_>,
    (time, point): (f64, &Point),
    here: &Slope,
    outputs: &[String],
) -> Result<Observed, Refused> {
    let machine = mechanism.machine;
    let names = machine.state_names();
    let (states, inputs) = (machine.states(), machine.inputs.len());
    let watched = mechanism.numbers(&machine.watch, time, &point.state, &point.rates);
    let mut c = DMatrix::zeros(outputs.len(), states);
    let mut d = DMatrix::zeros(outputs.len(), inputs);
    let mut values = Vec::new();
    for (row, name) in outputs.iter().enumerate() {
        if let Some(at) = names.iter().position(|n| n == name) {
            c[(row, at)] = 1.0;
            values.push(point.state[at]);
            continue;
        }
        let at = followed_at(machine, name);
        let at = at.ok_or_else(|| Refused(format!("the output \"{name}\" is not one number")))?;
        c.set_row(row, &here.c.row(at));
        d.set_row(row, &here.d.row(at));
        values.push(watched.get(at).copied().unwrap_or(f64::NAN));
    }
    Ok((c, d, values))
}
