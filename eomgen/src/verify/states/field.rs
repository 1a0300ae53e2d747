//! Consistent states of the prime field. Parameters are as free as coordinates, so that a closed loop may be met by the lengths
//! of its links. Equations that are linear in some unknowns together are solved for these; what is left one by one, quadratic in
//! an unknown or linear in the sine and cosine of one. Where a root is needed that does not exist, another state is tried.

use super::check_signs;
use crate::field::{Residue, pseudo_random};
use crate::model::system::Sign;
use crate::verify::dynamics::State;
use crate::verify::linear;
use crate::verify::machine::{Level, Machine};
use crate::verify::number::{Algebra, Elementary, EvalError, Modular, Number};

/// An unknown of the constraints.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Unknown {
    Coordinate(usize),
    Param(usize),
    Rate(usize),
}

impl Unknown {
    fn of<'s>(&self, state: &'s mut State<Modular>) -> &'s mut Modular {
        match *self {
            Self::Coordinate(i) => &mut state.q[i],
            Self::Param(i) => &mut state.params[i],
            Self::Rate(i) => &mut state.rates[i],
        }
    }
}

/// How a row depends on an unknown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Dependence {
    None,
    /// With this coefficient.
    Linear(Residue),
    Other,
}

/// The equations of one level.
struct Equations<'a> {
    machine: &'a Machine<'a>,
    level: Level,
}

fn singular(why: &str) -> EvalError {
    EvalError::Singular(why.into())
}

/// A state that meets the constraints.
pub(super) fn state(machine: &Machine<'_>, seed: u64) -> Result<State<Modular>, EvalError> {
    let system = machine.system;
    let mut state = State::<Modular>::random(system, seed);
    let mut unknowns: Vec<Unknown> = (0..system.coords.len()).map(Unknown::Coordinate).collect();
    // Parameters of which nothing is assumed first: others have to turn out to be squares.
    let mut params: Vec<usize> = (0..system.params.len()).collect();
    params.sort_by_key(|p| system.params[*p].sign.is_some());
    unknowns.extend(params.into_iter().map(Unknown::Param));
    let level = Level::Position;
    Equations { machine, level }.meet(&mut state, &unknowns, seed)?;
    check_signs(machine, &state, false, fits)?;
    let unknowns: Vec<Unknown> = (0..system.coords.len()).map(Unknown::Rate).collect();
    let level = Level::Velocity;
    Equations { machine, level }.meet(&mut state, &unknowns, seed)?;
    check_signs(machine, &state, true, fits)?;
    Ok(state)
}

/// What is assumed to be positive has to be a square.
fn fits(x: &Modular, sign: Sign) -> Result<bool, EvalError> {
    Ok(match sign {
        Sign::Positive | Sign::NonNegative => x.is_square(),
        Sign::Negative | Sign::NonPositive => x.neg().is_square(),
        Sign::NonZero => !x.is_zero(),
    })
}

impl Equations<'_> {
    fn residuals(&self, state: &State<Modular>) -> Result<Vec<Modular>, EvalError> {
        self.machine.residuals(state, self.level)
    }

    fn meet(
        &self,
        state: &mut State<Modular>,
        unknowns: &[Unknown],
        seed: u64,
    ) -> Result<(), EvalError> {
        let met = |r: &[Modular]| r.iter().all(Modular::is_zero);
        if met(&self.residuals(state)?) {
            return Ok(());
        }
        if self.level == Level::Velocity && self.step(state)? {
            return Ok(());
        }
        let start = self.residuals(state)?;
        let table: Vec<Vec<Dependence>> = unknowns
            .iter()
            .enumerate()
            .map(|(k, u)| self.dependence(state, *u, &start, pseudo_random(seed, k as u64).get()))
            .collect();
        let chosen = self.together(state, unknowns, &table, &start, seed)?;
        // Rows in which none of these stands.
        let mut solved: Vec<usize> = Vec::new();
        for row in 0..start.len() {
            if chosen.iter().any(|k| table[*k][row] != Dependence::None) {
                continue;
            }
            let now = self.residuals(state)?;
            if !now[row].is_zero() {
                let usable = |k: &usize| !chosen.contains(k) && unknowns[*k].is_moving();
                let list: Vec<Unknown> = (0..unknowns.len())
                    .filter(usable)
                    .map(|k| unknowns[k])
                    .collect();
                self.alone(state, &list, row, &solved, seed)?;
            }
            solved.push(row);
        }
        self.linear(
            state,
            &chosen.iter().map(|k| unknowns[*k]).collect::<Vec<_>>(),
            seed,
        )?;
        if met(&self.residuals(state)?) {
            Ok(())
        } else {
            EvalError::unsupported("constraints that are not solved in a field")
        }
    }

    /// Equations that are linear in all rates together are solved at once. Whether they were.
    fn step(&self, state: &mut State<Modular>) -> Result<bool, EvalError> {
        let rows = self.machine.gradients(state, Level::Velocity)?;
        let n = state.rates.len();
        let a: Vec<Vec<Modular>> = rows.iter().map(|r| r.slopes(n)).collect();
        let b: Vec<Modular> = rows.iter().map(|r| r.value.neg()).collect();
        let found = linear::solve_some(&a, &b, &|x: &Modular, _| x.is_zero())?;
        let mut trial = state.clone();
        for (v, d) in trial.rates.iter_mut().zip(&found) {
            *v = v.with_value(v.add(d).value());
        }
        let done = self.residuals(&trial)?.iter().all(Modular::is_zero);
        if done {
            *state = trial;
        }
        Ok(done)
    }

    /// The rows at another value of an unknown.
    fn elsewhere(
        &self,
        state: &State<Modular>,
        unknown: Unknown,
        value: Residue,
    ) -> Result<Vec<Modular>, EvalError> {
        let mut trial = state.clone();
        let own = unknown.of(&mut trial);
        *own = own.with_value(value);
        self.residuals(&trial)
    }

    /// How each row depends on an unknown, by two other values of it.
    fn dependence(
        &self,
        state: &State<Modular>,
        unknown: Unknown,
        start: &[Modular],
        seed: u64,
    ) -> Vec<Dependence> {
        let own = unknown.of(&mut state.clone()).value();
        let mut tries = (0..12).filter_map(|k| {
            let value = pseudo_random(seed, k);
            let rows = self.elsewhere(state, unknown, value).ok()?;
            Some((value, rows))
        });
        let (Some(first), Some(second)) = (tries.next(), tries.next()) else {
            return vec![Dependence::Other; start.len()];
        };
        let slope = |(value, rows): &(Residue, Vec<Modular>), k: usize| {
            let by = (*value - own).inverse()?;
            Some((rows[k].value() - start[k].value()) * by)
        };
        (0..start.len())
            .map(|k| match (slope(&first, k), slope(&second, k)) {
                (Some(Residue::ZERO), Some(Residue::ZERO)) => Dependence::None,
                (Some(a), Some(b)) if a == b => Dependence::Linear(a),
                _ => Dependence::Other,
            })
            .collect()
    }

    /// Unknowns in which the rows are linear together, as many as are independent.
    fn together(
        &self,
        state: &State<Modular>,
        unknowns: &[Unknown],
        table: &[Vec<Dependence>],
        start: &[Modular],
        seed: u64,
    ) -> Result<Vec<usize>, EvalError> {
        let mut chosen: Vec<usize> = Vec::new();
        let mut columns: Vec<Vec<Modular>> = Vec::new();
        let mut trial = state.clone();
        let mut expected: Vec<Residue> = start.iter().map(Modular::value).collect();
        for (k, own) in table.iter().enumerate() {
            if chosen.len() == start.len() {
                break;
            }
            let Some(column) = linear_column(own) else {
                continue;
            };
            columns.push(column.iter().map(|s| Modular::bare(*s)).collect());
            if linear::rank(&columns)? < columns.len() {
                columns.pop();
                continue;
            }
            let value = pseudo_random(seed ^ 0x0F1E_2D3C, k as u64);
            let mut next = trial.clone();
            let place = unknowns[k].of(&mut next);
            let moved = value - place.value();
            *place = place.with_value(value);
            let then: Vec<Residue> = expected
                .iter()
                .zip(&column)
                .map(|(e, s)| *e + *s * moved)
                .collect();
            let fits = self
                .residuals(&next)
                .is_ok_and(|rows| rows.iter().zip(&then).all(|(r, e)| r.value() == *e));
            if fits {
                (trial, expected) = (next, then);
                chosen.push(k);
            } else {
                columns.pop();
            }
        }
        Ok(chosen)
    }

    /// Solves for unknowns in which the rows are linear together.
    fn linear(
        &self,
        state: &mut State<Modular>,
        unknowns: &[Unknown],
        seed: u64,
    ) -> Result<(), EvalError> {
        let start = self.residuals(state)?;
        let gradients = if unknowns.iter().any(|u| matches!(u, Unknown::Coordinate(_))) {
            self.machine.gradients(state, Level::Position)?
        } else {
            Vec::new()
        };
        let mut a: Vec<Vec<Modular>> = vec![Vec::new(); start.len()];
        for (k, unknown) in unknowns.iter().enumerate() {
            let own = self.dependence(state, *unknown, &start, pseudo_random(seed, k as u64).get());
            let column = linear_column(&own)
                .or_else(|| {
                    own.iter()
                        .all(|d| *d == Dependence::None)
                        .then(|| vec![Residue::ZERO; own.len()])
                })
                .ok_or_else(|| {
                    EvalError::Unsupported("constraints that are not solved one by one".into())
                })?;
            for (row, s) in column.iter().enumerate() {
                // The same coefficient as an angle, if it is known.
                let exact = match unknown {
                    Unknown::Coordinate(i) => gradients.get(row).map(|g| g.along(*i)),
                    _ => None,
                };
                let plain = Modular::bare(*s);
                a[row].push(exact.filter(|e| *e == plain).unwrap_or(plain));
            }
        }
        let b: Vec<Modular> = start.iter().map(Modular::neg).collect();
        let found = linear::solve_some(&a, &b, &|x: &Modular, _| x.is_zero())?;
        for (unknown, d) in unknowns.iter().zip(&found) {
            let own = unknown.of(state);
            let moved = own.add(d);
            *own = if moved.has_angle() {
                moved
            } else {
                own.with_value(moved.value())
            };
        }
        Ok(())
    }

    /// Solves one row for one unknown that does not stand in the rows solved before.
    fn alone(
        &self,
        state: &mut State<Modular>,
        unknowns: &[Unknown],
        row: usize,
        before: &[usize],
        seed: u64,
    ) -> Result<(), EvalError> {
        let start = self.residuals(state)?;
        let mut rootless = false;
        for (k, unknown) in unknowns.iter().enumerate() {
            let seed = pseudo_random(seed ^ 0x7777, k as u64).get();
            let own = self.dependence(state, *unknown, &start, seed);
            let free = before.iter().all(|b| own[*b] == Dependence::None);
            if free && own[row] != Dependence::None {
                match self.quadratic(state, *unknown, row, seed) {
                    Some(true) => return Ok(()),
                    Some(false) => rootless = true,
                    None => {}
                }
            }
            if matches!(unknown, Unknown::Coordinate(_)) {
                match self.circular(state, *unknown, row, before, seed) {
                    Some(true) => return Ok(()),
                    Some(false) => rootless = true,
                    None => {}
                }
            }
        }
        Err(if rootless {
            singular("a constraint without solution in the field")
        } else {
            EvalError::Unsupported("a constraint that is not solved in a field".into())
        })
    }

    /// A row that is quadratic in an unknown, or the root of such a thing less a constant; `None` if it is not, `false` if it
    /// has no solution.
    fn quadratic(
        &self,
        state: &mut State<Modular>,
        unknown: Unknown,
        row: usize,
        seed: u64,
    ) -> Option<bool> {
        let points = (0..40).filter_map(|k| {
            let x = pseudo_random(seed ^ 0x51, k);
            let rows = self.elsewhere(state, unknown, x).ok()?;
            Some((vec![x, x * x], rows.get(row)?.value()))
        });
        let found = fit(&points.take(POINTS).collect::<Vec<_>>())?;
        let [a, b, c] = found[..] else {
            return None;
        };
        let x = match c.inverse() {
            None => -a * b.inverse()?,
            Some(by) => {
                let half = b * Residue::HALF;
                let Some(root) = (half * half - a * c).root() else {
                    return Some(false);
                };
                let root = if seed & 1 == 0 { root } else { -root };
                (root - half) * by
            }
        };
        let own = unknown.of(state);
        *own = own.with_value(x);
        Some(true)
    }

    /// A row that is linear in the cosine and sine of a coordinate, or the root of such a thing less a constant; `None` if it is
    /// not, `false` if it has no solution.
    fn circular(
        &self,
        state: &mut State<Modular>,
        unknown: Unknown,
        row: usize,
        before: &[usize],
        seed: u64,
    ) -> Option<bool> {
        let mut points = Vec::new();
        for k in 0..40 {
            let other = Modular::random(seed ^ 0xC1, k);
            let mut trial = state.clone();
            let own = unknown.of(&mut trial);
            *own = own.with_angle_of(&other);
            let Ok(rows) = self.residuals(&trial) else {
                continue;
            };
            if before.iter().any(|b| !rows[*b].is_zero()) {
                return None;
            }
            let c = Modular::elementary(Elementary::Cos, &[other]).ok()?;
            let s = Modular::elementary(Elementary::Sin, &[other]).ok()?;
            points.push((vec![c.value(), s.value()], rows.get(row)?.value()));
            if points.len() == POINTS {
                break;
            }
        }
        let found = fit(&points)?;
        let [a, b, c] = found[..] else {
            return None;
        };
        let square = b * b + c * c;
        let by = square.inverse()?;
        let Some(root) = (square - a * a).root() else {
            return Some(false);
        };
        let root = if seed & 1 == 0 { root } else { -root };
        let cosine = -(a * b + c * root) * by;
        let sine = (b * root - a * c) * by;
        let own = unknown.of(state);
        *own = own.turned_to(cosine, sine, seed)?;
        Some(true)
    }
}

/// Points by which a form is found and confirmed.
const POINTS: usize = 7;

/// The combination of 1 and the given terms that a row is at all points, or that vanishes where the row does: with
/// `r = sqrt(f) - k` that is `f - k^2 = r^2 + 2 k r`, so that r^2 is a combination of r, 1 and the terms.
fn fit(points: &[(Vec<Residue>, Residue)]) -> Option<Vec<Residue>> {
    if points.len() < POINTS {
        return None;
    }
    let terms = |list: &[Residue], more: &[Residue]| -> Vec<Modular> {
        let all = [Residue::ONE].into_iter().chain(list.iter().copied());
        all.chain(more.iter().copied()).map(Modular::bare).collect()
    };
    // More points than coefficients: contradictory unless the form is right.
    let plain: Vec<Vec<Modular>> = points.iter().map(|(t, _)| terms(t, &[])).collect();
    let values: Vec<Modular> = points.iter().map(|(_, y)| Modular::bare(*y)).collect();
    let known = |x: Vec<Modular>, count: usize| -> Vec<Residue> {
        x.iter().take(count).map(Modular::value).collect()
    };
    let count = points.first()?.0.len() + 1;
    let solved = |a: &[Vec<Modular>], b: &[Modular]| linear::solve(a, b, None)?.checked();
    if let Ok(found) = solved(&plain, &values) {
        return Some(known(found.x, count));
    }
    let rooted: Vec<Vec<Modular>> = points.iter().map(|(t, y)| terms(t, &[*y])).collect();
    let squares: Vec<Modular> = points.iter().map(|(_, y)| Modular::bare(*y * *y)).collect();
    let found = solved(&rooted, &squares).ok()?;
    Some(known(found.x, count))
}

impl Unknown {
    fn is_moving(&self) -> bool {
        !matches!(self, Self::Param(_))
    }
}

/// Coefficients of an unknown that stands linearly wherever it does.
fn linear_column(rows: &[Dependence]) -> Option<Vec<Residue>> {
    let column: Option<Vec<Residue>> = rows
        .iter()
        .map(|d| match d {
            Dependence::None => Some(Residue::ZERO),
            Dependence::Linear(s) => Some(*s),
            Dependence::Other => None,
        })
        .collect();
    column.filter(|c| c.iter().any(|s| *s != Residue::ZERO))
}
