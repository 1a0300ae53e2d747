//! Random states that meet the constraints of a model, in the field where that can be done, with many digits where it cannot.

mod chance;
mod draw;
mod field;
mod newton;

pub use chance::chance;

use super::dynamics::{Dynamics, State};
use super::functions::{Functions, Jets};
use super::machine::Machine;
use super::number::Decimal;
use super::number::{EvalError, Modular, Number};
use crate::field::pseudo_random;

/// States that are tried before a model is given up on.
const TRIES: u64 = 400;

/// As long as there has been none at all.
const FIRST: u64 = 120;

/// A state and what the machine does there.
#[derive(Clone, Debug)]
pub struct Point<N> {
    /// The state.
    pub state: State<N>,
    /// What the machine does.
    pub dynamics: Dynamics<N>,
}

#[cfg(test)]
impl Point<Decimal> {
    /// The state next to a given one that meets the constraints to all digits, by Newton's iteration, and what the machine does
    /// there.
    ///
    /// # Errors
    ///
    /// No such state was found, or the machine has no motion there.
    pub fn near(machine: &Machine<'_>, state: &State<Decimal>) -> Result<Self, EvalError> {
        let state = newton::polished(machine, state)?;
        let dynamics = machine.dynamics(&state)?;
        Ok(Self { state, dynamics })
    }
}

/// States of the field.
///
/// # Errors
///
/// [`EvalError::Unsupported`] what a field does not have, or cannot solve for; [`EvalError::Singular`] where no state of those tried has a motion.
pub fn in_field(
    machine: &Machine<'_>,
    count: usize,
    seed: u64,
) -> Result<Vec<Point<Modular>>, EvalError> {
    several(machine, count, seed, |seed| field::state(machine, seed))
}

/// States of real numbers.
///
/// # Errors
///
/// [`EvalError::Singular`] where no state was found that meets the constraints, or none of those found has a motion.
pub fn with_digits(
    machine: &Machine<'_>,
    count: usize,
    seed: u64,
) -> Result<Vec<Point<Decimal>>, EvalError> {
    several(machine, count, seed, |seed| newton::state(machine, seed))
}

fn several<N: Number>(
    machine: &Machine<'_>,
    count: usize,
    seed: u64,
    draw: impl Fn(u64) -> Result<State<N>, EvalError>,
) -> Result<Vec<Point<N>>, EvalError>
where
    Functions: Jets<N>,
{
    let mut points = Vec::with_capacity(count);
    let mut last = None;
    for attempt in 0..TRIES {
        if points.len() == count || (points.is_empty() && attempt >= FIRST) {
            break;
        }
        let own = pseudo_random(seed, attempt).get();
        let point = draw(own).and_then(|state| {
            let dynamics = machine.dynamics(&state)?;
            Ok(Point { state, dynamics })
        });
        match point {
            Ok(point) => points.push(point),
            Err(EvalError::Unsupported(why)) => return Err(EvalError::Unsupported(why)),
            Err(other) => last = Some(other),
        }
    }
    match (points.len() == count, last) {
        (false, Some(error)) => Err(error),
        _ => Ok(points),
    }
}
