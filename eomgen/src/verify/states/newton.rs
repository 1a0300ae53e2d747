//! Consistent states of real numbers, by Newton's iteration from near the values that the model gives.

use super::check_signs;
use crate::model::system::Sign;
use crate::verify::dual::Dual;
use crate::verify::dynamics::State;
use crate::verify::linear;
use crate::verify::machine::{Level, Machine};
use crate::verify::number::{Algebra, Decimal, EvalError, Number};
use num_rational::BigRational;

/// Steps of an iteration in doubles: from afar the first ones wander.
const STEPS: usize = 60;

/// Steps without a better residual after which there is none to be had.
const PATIENCE: usize = 8;

/// Steps with all digits: each doubles those that doubles have found.
const POLISHING: usize = 12;

/// A step that does not lead anywhere.
const FAR: f64 = 1e6;

/// Residuals below this power of two are met.
const MET: f64 = 1.9e-68;

/// Residuals below which doubles have found what they can.
const NEAR: f64 = 1e-9;

/// Residuals of a state that is left as it is, but for the polishing.
const CLOSE: f64 = 1e-6;

/// What doubles have found is kept to this fraction of a unit.
const KEPT: f64 = 4_294_967_296.0;

/// Rows whose pivots are below this share of their size depend on others where the constraints hold.
const DEPENDENT: f64 = 6.1e-5;

/// A state that meets the constraints.
pub(super) fn state(machine: &Machine<'_>, seed: u64) -> Result<State<Decimal>, EvalError> {
    let closed = machine.rows.iter().any(|r| r.level == Level::Position);
    let each = [0.5, 0.125, 1.0 / 32.0, 0.0].map(|s| (if closed { 0.0 } else { s }, s));
    around(machine, seed, &each)
}

/// One farther away from the values that the model gives, where branches may go the other way.
pub(super) fn far(machine: &Machine<'_>, seed: u64) -> Result<State<Decimal>, EvalError> {
    let spread = [3.0, 1.0, 8.0][(seed % 3) as usize];
    around(
        machine,
        seed,
        &[(spread, spread), (spread, 0.5), (0.0, spread)],
    )
}

/// A state whose parameters and coordinates differ from the given values by these parts of them, the first that meets the constraints.
fn around(
    machine: &Machine<'_>,
    seed: u64,
    parts: &[(f64, f64)],
) -> Result<State<Decimal>, EvalError> {
    // The farther from the given values, the more there is to see; a mechanism may not close there. It may move only with the
    // given parameters, as a parallelogram does.
    let mut last = None;
    for part in parts {
        let state = State::near(machine.system, seed, *part);
        let met = polished(machine, &state).and_then(|state| {
            check_signs(machine, &state, true, fits)?;
            // Parameters apart from the given ones may make a mass or a tensor that no body has.
            let given = part.0 == 0.0;
            if given || is_physical(machine, &state)? {
                Ok(state)
            } else {
                Err(EvalError::Singular("no body has such an inertia".into()))
            }
        });
        match met {
            Ok(state) => return Ok(state),
            Err(EvalError::Unsupported(why)) => return Err(EvalError::Unsupported(why)),
            Err(other) => last = Some(other),
        }
    }
    Err(last.unwrap_or_else(|| EvalError::Singular("no state meets the constraints".into())))
}

/// Whether bodies can have these masses and tensors: roots of the mass matrix are taken, and formulas may rely on its definiteness.
fn is_physical(machine: &Machine<'_>, state: &State<Decimal>) -> Result<bool, EvalError> {
    let masses = machine.masses(state)?;
    let weighs = masses.iter().all(|m| m.to_f64() >= 0.0);
    Ok(weighs && machine.inertias(state)?.iter().all(is_definite))
}

/// Whether a symmetric tensor is positive definite or no more than rounding errors from it: bars and particles have zeros.
fn is_definite(tensor: &[[Decimal; 3]; 3]) -> bool {
    let j = tensor
        .each_ref()
        .map(|row| row.each_ref().map(Decimal::to_f64));
    let size = (j[0][0].abs()).max(j[1][1].abs()).max(j[2][2].abs());
    let minor = |a: usize, b: usize| j[a][a] * j[b][b] - j[a][b] * j[a][b];
    let determinant = j[0][0] * minor(1, 2) - j[0][1] * (j[0][1] * j[2][2] - j[0][2] * j[1][2])
        + j[0][2] * (j[0][1] * j[1][2] - j[0][2] * j[1][1]);
    let least = |power: i32| -1e-12 * (0..power).fold(1.0, |p, _| p * size);
    (0..3).all(|i| j[i][i] >= least(1))
        && [(0, 1), (1, 2), (0, 2)]
            .iter()
            .all(|(a, b)| minor(*a, *b) >= least(2))
        && determinant >= least(3)
}

/// The state near a given one that meets the constraints, with its parameters.
pub(super) fn polished(
    machine: &Machine<'_>,
    near: &State<Decimal>,
) -> Result<State<Decimal>, EvalError> {
    let found = approached(machine, near)?;
    let mut state = near.clone();
    state.q = found.q;
    state.rates = found.rates;
    meet(machine, &mut state, Level::Position, (MET, POLISHING))?;
    meet(machine, &mut state, Level::Velocity, (MET, POLISHING))?;
    Ok(state)
}

/// The same in doubles, which says within moments where there is no such state. What is out of their reach is left to more digits.
fn approached(machine: &Machine<'_>, near: &State<Decimal>) -> Result<State<Decimal>, EvalError> {
    let mut state = near.map(&Decimal::to_f64);
    let levels = [Level::Position, Level::Velocity];
    let off = levels.iter().try_fold(0.0_f64, |off, level| {
        let rows = machine.residuals(&state, *level)?;
        Ok::<_, EvalError>(rows.iter().fold(off, |off, x| off.max(x.abs())))
    })?;
    if off < CLOSE {
        return Ok(near.clone());
    }
    for level in levels {
        meet(machine, &mut state, level, (NEAR, STEPS))?;
    }
    // Without the digits that differ between platforms.
    let rounded = |x: &f64| Decimal::from_f64((x * KEPT).round() / KEPT);
    Ok(state.map(&rounded))
}

/// Newton's iteration on the rows of a level, until residuals are small enough.
fn meet<N: Number>(
    machine: &Machine<'_>,
    state: &mut State<N>,
    level: Level,
    (met, steps): (f64, usize),
) -> Result<(), EvalError> {
    let number = |x: f64| N::rational(&BigRational::from_float(x).unwrap_or_default());
    let (met, far, dependent) = (number(met)?, number(FAR)?, number(DEPENDENT)?);
    let small = |x: &N, scale: &N| !matches!(dependent.mul(scale).is_less(&x.size()), Ok(true));
    let mut near = 0;
    let (mut best, mut since) = (far.clone(), 0);
    for _ in 0..steps {
        let rows = machine.gradients(state, level)?;
        let worst = largest(&rows)?;
        if worst.is_less(&met)? {
            near += 1;
            // Once more: the last step was quadratic.
            if near == 2 {
                return Ok(());
            }
        }
        since += 1;
        if worst.is_less(&best)? {
            (best, since) = (worst, 0);
        }
        if since > PATIENCE {
            break;
        }
        let n = state.q.len();
        let a: Vec<Vec<N>> = rows.iter().map(|r| r.slopes(n)).collect();
        let b: Vec<N> = rows.iter().map(|r| r.value.neg()).collect();
        let found = linear::solve_some(&a, &b, &small)?;
        let unknowns = match level {
            Level::Position => &mut state.q,
            _ => &mut state.rates,
        };
        for (v, d) in unknowns.iter_mut().zip(&found) {
            *v = v.add(d);
            if far.is_less(&v.size())? {
                return EvalError::singular("constraints that are not met");
            }
        }
    }
    EvalError::singular("constraints that are not met")
}

/// The largest residual.
fn largest<N: Number>(rows: &[Dual<N>]) -> Result<N, EvalError> {
    rows.iter().try_fold(N::int(0), |largest, row| {
        let own = row.value.size();
        Ok(if largest.is_less(&own)? { own } else { largest })
    })
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
