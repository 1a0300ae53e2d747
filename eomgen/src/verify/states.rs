//! Random states that meet the constraints of a model, in the field where that can be done, with many digits where it cannot.

mod chance;
mod draw;
mod field;
mod newton;

pub use chance::chance;

use super::functions::{Functions, Jets};
use super::machine::Machine;
use super::number::Decimal;
use super::number::{Modular, Number, Trouble};
use super::truth::{State, Truth};
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
    pub truth: Truth<N>,
}

#[cfg(test)]
impl Point<Decimal> {
    /// The state next to a given one that meets the constraints to all digits, by Newton's iteration, and what the machine does
    /// there.
    ///
    /// # Errors
    ///
    /// No such state was found, or the machine has no motion there.
    pub fn near(machine: &Machine<'_>, state: &State<Decimal>) -> Result<Self, Trouble> {
        let state = newton::polished(machine, state)?;
        let truth = machine.truth(&state)?;
        Ok(Self { state, truth })
    }
}

/// States of the field.
///
/// # Errors
///
/// [`Trouble::Beyond`] what a field does not have, or cannot solve for; [`Trouble::Singular`] where no state of those tried has a motion.
pub fn in_field(
    machine: &Machine<'_>,
    count: usize,
    seed: u64,
) -> Result<Vec<Point<Modular>>, Trouble> {
    several(machine, count, seed, |seed| field::state(machine, seed))
}

/// States of real numbers.
///
/// # Errors
///
/// [`Trouble::Singular`] where no state was found that meets the constraints, or none of those found has a motion.
pub fn with_digits(
    machine: &Machine<'_>,
    count: usize,
    seed: u64,
) -> Result<Vec<Point<Decimal>>, Trouble> {
    several(machine, count, seed, |seed| newton::state(machine, seed))
}

fn several<N: Number>(
    machine: &Machine<'_>,
    count: usize,
    seed: u64,
    draw: impl Fn(u64) -> Result<State<N>, Trouble>,
) -> Result<Vec<Point<N>>, Trouble>
where
    Functions: Jets<N>,
{
    let mut points = Vec::with_capacity(count);
    let mut last = None;
    for trial in 0..TRIES {
        if points.len() == count || (points.is_empty() && trial >= FIRST) {
            break;
        }
        let own = pseudo_random(seed, trial).get();
        let point = draw(own).and_then(|state| {
            let truth = machine.truth(&state)?;
            Ok(Point { state, truth })
        });
        match point {
            Ok(point) => points.push(point),
            Err(Trouble::Beyond(why)) => return Err(Trouble::Beyond(why)),
            Err(other) => last = Some(other),
        }
    }
    match (points.len() == count, last) {
        (false, Some(trouble)) => Err(trouble),
        _ => Ok(points),
    }
}
