//! A text in doubles, as it will run: two texts that say the same in a field need not give the same numbers, since one may lose every digit, or overflow, on the
//! way. Each function is run in doubles and in many digits at the same states, special ones among them, and what is lost is compared with
//! what another text for the same model loses there, which is this version's.

use super::dynamics::State;
use super::entries::given_array;
use super::layout::Layout;
use super::machine::Machine;
use super::number::{Decimal, EvalError, Number};
use super::test_point::TestPoint;
use super::text::run::{self, Given, Jet};
use super::text::tree::{Function, Module};
use super::verifier::Arithmetic;

/// Loss that is never held against a text, relative to the largest entry of a result.
const NOTHING: f64 = 1e-9;
/// How much more a text may lose than the other one.
const MORE: f64 = 1e3;
/// States on the constraints.
const STATES: u64 = 6;
/// What the entries of further states are multiplied by. Zero is where a quotient that cancels has no value.
const SIZES: [f64; 6] = [0.0, 1e-6, 1e-3, 30.0, 1e3, 1e6];

/// Where a text loses digits, or all of them, and the other one does not: one line for each function.
#[must_use]
pub fn losses(
    found: &Module,
    wanted: &Module,
    layout: &Layout,
    machine: &Machine<'_>,
    seed: u64,
) -> Vec<String> {
    let states = states(layout, machine, seed);
    let texts = [Text::of(found, machine), Text::of(wanted, machine)];
    let mut list = Vec::new();
    for function in &found.functions {
        let other = wanted.function(&function.name);
        let lost = states.iter().find_map(|(state, x)| {
            let [own, others] = [(&texts[0], Some(function)), (&texts[1], other)];
            let allowed = match others.1 {
                Some(function) => others.0.loss(function, state, x),
                None => Loss::Digits(0.0),
            };
            excess(own.0.loss(function, state, x), allowed)
        });
        if let Some(lost) = lost {
            let (line, name) = (function.line, &function.name);
            list.push(format!("line {line}: in doubles `{name}` {lost}"));
        }
    }
    list
}

/// What doubles make of a result.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Loss {
    /// There is no number, not even with many digits.
    Undefined,
    /// There is one with many digits, and in doubles an infinity or none.
    Everything,
    /// The error relative to the largest entry.
    Digits(f64),
}

/// What is lost more than there need be.
fn excess(own: Loss, allowed: Loss) -> Option<String> {
    match (own, allowed) {
        (Loss::Undefined, Loss::Digits(_)) => {
            Some("has no value at a state where there is one".into())
        }
        (Loss::Everything, Loss::Digits(_)) => {
            Some("overflows, or becomes NaN, at a state where it need not".into())
        }
        (Loss::Digits(own), Loss::Digits(allowed)) if own > NOTHING.max(MORE * allowed) => Some(
            format!("is off by {own:.0e} of its size at a state where {allowed:.0e} would do"),
        ),
        _ => None,
    }
}

/// A module in both arithmetics.
struct Text<'a> {
    module: &'a Module,
    machine: &'a Machine<'a>,
    exact: Vec<Result<Decimal, EvalError>>,
    rounded: Vec<Result<f64, EvalError>>,
}

impl<'a> Text<'a> {
    fn of(module: &'a Module, machine: &'a Machine<'a>) -> Self {
        Self {
            module,
            machine,
            exact: run::literals(module),
            rounded: run::literals(module),
        }
    }

    fn loss(&self, function: &Function, state: &State<f64>, x: &[f64]) -> Loss {
        let many = state.map(&|x| Decimal::from_f64(*x));
        let array: Vec<Decimal> = x.iter().map(|x| Decimal::from_f64(*x)).collect();
        let Ok(right) = self.outputs(function, &many, &array, &self.exact) else {
            return Loss::Undefined;
        };
        let right: Vec<f64> = right.iter().map(Decimal::to_f64).collect();
        let size = right.iter().fold(0.0_f64, |size, x| size.max(x.abs()));
        let Ok(rounded) = self.outputs(function, state, x, &self.rounded) else {
            return Loss::Everything;
        };
        let errors = rounded.iter().zip(&right).map(|(a, b)| (a - b).abs());
        let error = errors.fold(0.0_f64, |most, e| {
            if e.is_nan() {
                f64::INFINITY
            } else {
                most.max(e)
            }
        });
        if !error.is_finite() {
            return Loss::Everything;
        }
        Loss::Digits(if error == 0.0 {
            0.0
        } else {
            error / size.max(f64::MIN_POSITIVE)
        })
    }

    fn outputs<N: Number>(
        &self,
        function: &Function,
        state: &State<N>,
        x: &[N],
        literals: &[Result<N, EvalError>],
    ) -> Result<Vec<N>, EvalError> {
        let extra: Vec<Vec<N>> = function
            .extra
            .iter()
            .map(|(_, n)| given_array(*n))
            .collect();
        let functions = |index: usize, arguments: &[N]| {
            let order = self.module.user_functions.get(index).map_or(0, |f| f.order);
            let of = self.machine.functions.function(index, arguments.len());
            Jet::of(&of, order, arguments)
        };
        let values = run::run(
            function,
            &Given {
                t: &state.t,
                state: x,
                extra: &extra,
                params: &state.params,
                inputs: &state.inputs,
                functions: &functions,
                literals,
            },
        );
        run::outputs(function, &values)
    }
}

/// States that doubles hold, with the module's array: on the constraints, and others of all sizes.
fn states(layout: &Layout, machine: &Machine<'_>, seed: u64) -> Vec<(State<f64>, Vec<f64>)> {
    let mut list = Vec::new();
    for attempt in 0..STATES {
        let seed = seed.wrapping_add(0x9_0000 * (attempt + 1));
        let solved = match attempt % 3 {
            2 => Decimal::distant(machine, seed).ok_or(()),
            _ => Decimal::consistent(machine, seed).map_err(|_| ()),
        };
        if let Ok(on) = solved.and_then(|s| TestPoint::on(machine, layout, s).map_err(|_| ())) {
            let array = on.x.iter().map(Decimal::to_f64).collect();
            list.push((on.state.map(&Decimal::to_f64), array));
        }
    }
    let speeds = layout.independent.len();
    for (size, attempt) in SIZES.iter().zip(1..) {
        let mut state = State::<Decimal>::random(machine.system, seed.wrapping_add(attempt))
            .map(&Decimal::to_f64);
        state
            .q
            .iter_mut()
            .chain(&mut state.rates)
            .for_each(|x| *x *= size);
        let array = state
            .q
            .iter()
            .chain(state.rates.iter().take(speeds))
            .copied()
            .collect();
        list.push((state, array));
    }
    list
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_is_lost_beyond_the_other_text_counts() {
        let lost = |own, allowed| excess(own, allowed).is_some();
        assert!(lost(Loss::Digits(1e-3), Loss::Digits(1e-12)));
        assert!(!lost(Loss::Digits(1e-3), Loss::Digits(1e-5)));
        assert!(!lost(Loss::Digits(1e-10), Loss::Digits(0.0)));
        assert!(lost(Loss::Everything, Loss::Digits(1e-3)));
        assert!(!lost(Loss::Everything, Loss::Everything));
        assert!(lost(Loss::Undefined, Loss::Digits(0.0)));
        assert!(!lost(Loss::Undefined, Loss::Undefined));
    }
}
