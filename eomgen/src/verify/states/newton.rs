//! Consistent states of real numbers, by Newton's iteration from near the values that the model gives.

use crate::model::system::Sign;
use crate::verify::dynamics::State;
use crate::verify::linear;
use crate::verify::machine::{Level, Machine};
use crate::verify::number::{Decimal, EvalError, Number};

/// Steps of an iteration: each doubles the digits once it is near.
const STEPS: usize = 60;

/// A step that does not lead anywhere.
const FAR: f64 = 1e6;

/// Residuals below this power of two are met.
const MET: i32 = -225;

/// Rows whose pivots are below this power of two depend on others where the constraints hold.
const DEPENDENT: i32 = -14;

/// A state that meets the constraints.
pub(super) fn state(machine: &Machine<'_>, seed: u64) -> Result<State<Decimal>, EvalError> {
    // The farther from the given values, the more there is to see; a mechanism may not close there. It may move only with the
    // given parameters, as a parallelogram does.
    let closed = machine.rows.iter().any(|r| r.level == Level::Position);
    let mut last = None;
    for spread in [0.5, 0.125, 1.0 / 32.0, 0.0] {
        let loose = if closed { 0.0 } else { spread };
        let mut state = State::near(machine.system, seed, (loose, spread));
        let met = meet(machine, &mut state, false)
            .and_then(|()| meet(machine, &mut state, true))
            .and_then(|()| check_signs(machine, &state));
        match met {
            Ok(()) => return Ok(state),
            Err(EvalError::Unsupported(why)) => return Err(EvalError::Unsupported(why)),
            Err(other) => last = Some(other),
        }
    }
    Err(last.unwrap_or_else(|| EvalError::Singular("no state meets the constraints".into())))
}

/// The state near a given one that meets the constraints, with its parameters.
#[cfg(test)]
pub(super) fn polished(
    machine: &Machine<'_>,
    near: &State<Decimal>,
) -> Result<State<Decimal>, EvalError> {
    let mut state = near.clone();
    meet(machine, &mut state, false)?;
    meet(machine, &mut state, true)?;
    Ok(state)
}

fn meet(machine: &Machine<'_>, state: &mut State<Decimal>, rates: bool) -> Result<(), EvalError> {
    let one = Decimal::int(1);
    let mut near = 0;
    for _ in 0..STEPS {
        let rows = machine.gradients(state, rates)?;
        if rows.iter().all(|r| r.value.is_below(&one, MET)) {
            near += 1;
            // Once more: the last step was quadratic.
            if near == 2 {
                return Ok(());
            }
        }
        let n = state.q.len();
        let a: Vec<Vec<Decimal>> = rows
            .iter()
            .map(|r| (0..n).map(|k| r.along(k)).collect())
            .collect();
        let b: Vec<Decimal> = rows.iter().map(|r| r.value.neg()).collect();
        let small = |x: &Decimal, scale: &Decimal| x.is_below(scale, DEPENDENT);
        let found = linear::solve_some(&a, &b, &small)?;
        let unknowns = if rates {
            &mut state.rates
        } else {
            &mut state.q
        };
        for (v, d) in unknowns.iter_mut().zip(&found.x) {
            *v = v.add(d);
            if Decimal::from_f64(FAR).is_less(&v.abs())? {
                return Err(EvalError::Singular("constraints that are not met".into()));
            }
        }
    }
    Err(EvalError::Singular("constraints that are not met".into()))
}

fn check_signs(machine: &Machine<'_>, state: &State<Decimal>) -> Result<(), EvalError> {
    let zero = Decimal::int(0);
    let fits = |x: &Decimal, sign: Option<Sign>| -> Result<bool, EvalError> {
        Ok(match sign {
            Some(Sign::Positive) => zero.is_less(x)?,
            Some(Sign::NonNegative) => !x.is_less(&zero)?,
            Some(Sign::Negative) => x.is_less(&zero)?,
            Some(Sign::NonPositive) => !zero.is_less(x)?,
            Some(Sign::NonZero) => !x.is_zero(),
            None => true,
        })
    };
    let coords = machine.system.coords.iter().map(|c| c.sign);
    let assumed = machine.assumed(state)?;
    let stated = machine.system.assumptions.iter().map(|a| Some(a.sign));
    let places = state.q.iter().zip(coords);
    for (x, sign) in places.chain(assumed.iter().zip(stated)) {
        if !fits(x, sign)? {
            return Err(EvalError::Singular("what is assumed does not hold".into()));
        }
    }
    Ok(())
}
