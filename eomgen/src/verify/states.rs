//! Random states that meet the constraints of a model, in the field where that can be done, with many digits where it cannot.

mod chance;
mod draw;
mod field;
mod newton;

pub use chance::chance;

use super::dynamics::{Dynamics, State};
use super::machine::Machine;
use super::number::{Decimal, EvalError, Modular, Number};
use crate::field::pseudo_random;
use crate::model::system::Sign;

/// States that are tried before a model is given up on.
const TRIES: u64 = 400;

/// As long as there has been none at all.
const FIRST: u64 = 120;

/// A consistent state and what the machine does there.
#[derive(Clone, Debug)]
pub struct SolvedState<N> {
    /// The state.
    pub state: State<N>,
    /// What the machine does.
    pub dynamics: Dynamics<N>,
}

#[cfg(test)]
impl SolvedState<Decimal> {
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

/// Consistent states of the field, with the motion there. They depend on the model and the seed alone.
///
/// # Errors
///
/// [`EvalError::Unsupported`] what a field does not have, or cannot solve for; [`EvalError::Singular`] where no state of those tried has a
/// motion.
pub fn in_field(
    machine: &Machine<'_>,
    count: usize,
    seed: u64,
) -> Result<Vec<SolvedState<Modular>>, EvalError> {
    several(machine, count, seed, |seed| field::state(machine, seed))
}

/// The same of real numbers.
///
/// # Errors
///
/// [`EvalError::Singular`] where no state was found that meets the constraints, or none of those found has a motion.
pub fn with_digits(
    machine: &Machine<'_>,
    count: usize,
    seed: u64,
) -> Result<Vec<SolvedState<Decimal>>, EvalError> {
    several(machine, count, seed, |seed| newton::state(machine, seed))
}

/// A state of real numbers far from the values that the model gives.
///
/// # Errors
///
/// Where none was found, or it has no motion.
pub fn far(machine: &Machine<'_>, seed: u64) -> Result<SolvedState<Decimal>, EvalError> {
    let state = newton::far(machine, seed)?;
    let dynamics = machine.dynamics(&state)?;
    Ok(SolvedState { state, dynamics })
}

/// Whether parameters, coordinates and, where asked for, what the model assumes have the signs that are assumed of them.
fn check_signs<N: Number>(
    machine: &Machine<'_>,
    state: &State<N>,
    assumptions: bool,
    fits: impl Fn(&N, Sign) -> Result<bool, EvalError>,
) -> Result<(), EvalError> {
    let system = machine.system;
    let params = state.params.iter().zip(&system.params);
    let coords = state.q.iter().zip(&system.coords);
    let signs = params.map(|(x, p)| (x.clone(), p.sign));
    let mut signs: Vec<_> = signs
        .chain(coords.map(|(x, c)| (x.clone(), c.sign)))
        .collect();
    if assumptions {
        let assumed = machine.assumed(state)?.into_iter().zip(&system.assumptions);
        signs.extend(assumed.map(|(x, a)| (x, Some(a.sign))));
    }
    for (x, sign) in signs {
        if let Some(sign) = sign
            && !fits(&x, sign)?
        {
            return Err(EvalError::Singular("what is assumed does not hold".into()));
        }
    }
    Ok(())
}

fn several<N: Number>(
    machine: &Machine<'_>,
    count: usize,
    seed: u64,
    draw: impl Fn(u64) -> Result<State<N>, EvalError>,
) -> Result<Vec<SolvedState<N>>, EvalError> {
    let mut points = Vec::with_capacity(count);
    let mut last = None;
    for attempt in 0..TRIES {
        if points.len() == count || (points.is_empty() && attempt >= FIRST) {
            break;
        }
        let own = pseudo_random(seed, attempt).get();
        let point = draw(own).and_then(|state| {
            let dynamics = machine.dynamics(&state)?;
            Ok(SolvedState { state, dynamics })
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
