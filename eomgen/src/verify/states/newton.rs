//! Consistent states of real numbers, by Newton's iteration from near the values that the model gives.

use super::check_signs;
use crate::model::system::Sign;
use crate::verify::dynamics::State;
use crate::verify::linear;
use crate::verify::machine::{Level, Machine};
use crate::verify::number::{Algebra, Decimal, EvalError, Number};

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
        let state = State::near(machine.system, seed, (loose, spread));
        let met = polished(machine, &state).and_then(|state| {
            check_signs(machine, &state, true, fits)?;
            Ok(state)
        });
        match met {
            Ok(state) => return Ok(state),
            Err(EvalError::Unsupported(why)) => return Err(EvalError::Unsupported(why)),
            Err(other) => last = Some(other),
        }
    }
    Err(last.unwrap_or_else(|| EvalError::Singular("no state meets the constraints".into())))
}

/// The state near a given one that meets the constraints, with its parameters.
pub(super) fn polished(
    machine: &Machine<'_>,
    near: &State<Decimal>,
) -> Result<State<Decimal>, EvalError> {
    let mut state = near.clone();
    meet(machine, &mut state, Level::Position)?;
    meet(machine, &mut state, Level::Velocity)?;
    Ok(state)
}

fn meet(machine: &Machine<'_>, state: &mut State<Decimal>, level: Level) -> Result<(), EvalError> {
    let one = Decimal::int(1);
    let mut near = 0;
    for _ in 0..STEPS {
        let rows = machine.gradients(state, level)?;
        if rows.iter().all(|r| r.value.is_below(&one, MET)) {
            near += 1;
            // Once more: the last step was quadratic.
            if near == 2 {
                return Ok(());
            }
        }
        let n = state.q.len();
        let a: Vec<Vec<Decimal>> = rows.iter().map(|r| r.slopes(n)).collect();
        let b: Vec<Decimal> = rows.iter().map(|r| r.value.neg()).collect();
        let small = |x: &Decimal, scale: &Decimal| x.is_below(scale, DEPENDENT);
        let found = linear::solve_some(&a, &b, &small)?;
        let unknowns = match level {
            Level::Position => &mut state.q,
            _ => &mut state.rates,
        };
        for (v, d) in unknowns.iter_mut().zip(&found) {
            *v = v.add(d);
            if Decimal::from_f64(FAR).is_less(&v.abs())? {
                return Err(EvalError::Singular("constraints that are not met".into()));
            }
        }
    }
    Err(EvalError::Singular("constraints that are not met".into()))
}

fn fits(x: &Decimal, sign: Sign) -> Result<bool, EvalError> {
    let zero = Decimal::int(0);
    Ok(match sign {
        Sign::Positive => zero.is_less(x)?,
        Sign::NonNegative => !x.is_less(&zero)?,
        Sign::Negative => x.is_less(&zero)?,
        Sign::NonPositive => !zero.is_less(x)?,
        Sign::NonZero => !x.is_zero(),
    })
}
