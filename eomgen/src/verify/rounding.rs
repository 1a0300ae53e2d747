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
const SIZES: [f64; 10] = [0.0, 1e-12, -1e-6, 1e-3, -1.0, 30.0, -30.0, 1e3, -1e3, 1e6];

/// Where a text loses digits, or all of them, and the other one does not, or where it says something else: one line for each function.
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
        let lost = states.iter().find_map(|at| {
            let own = texts[0].at(function, at);
            let others = other.map(|function| texts[1].at(function, at));
            let (allowed, right) = match &others {
                Some(others) => (others.loss, &others.right),
                None => (Loss::Digits(0.0), &own.right),
            };
            excess(own.loss, allowed).or_else(|| {
                let differs = at.is_consistent && differ(&own.right, right);
                differs.then(|| "gives other numbers than this version's text".to_owned())
            })
        });
        if let Some(lost) = lost {
            let (line, name) = (function.line, &function.name);
            list.push(format!("line {line}: in doubles `{name}` {lost}"));
        }
    }
    list
}

/// Whether results with many digits differ.
fn differ(a: &[f64], b: &[f64]) -> bool {
    let size = b.iter().fold(0.0_f64, |size, x| size.max(x.abs()));
    a.len() == b.len() && a.iter().zip(b).any(|(a, b)| (a - b).abs() > NOTHING * size)
}

/// A state that doubles hold, with the module's array.
struct At {
    state: State<f64>,
    x: Vec<f64>,
    /// Whether it meets the constraints: elsewhere texts may rightly differ.
    is_consistent: bool,
}

/// What a text gives there.
struct Results {
    loss: Loss,
    /// With many digits; nothing where that has no value.
    right: Vec<f64>,
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

    fn at(&self, function: &Function, at: &At) -> Results {
        let (state, x) = (&at.state, at.x.as_slice());
        let many = state.map(&|x| Decimal::from_f64(*x));
        let array: Vec<Decimal> = x.iter().map(|x| Decimal::from_f64(*x)).collect();
        let Ok(right) = self.outputs(function, &many, &array, &self.exact) else {
            let (loss, right) = (Loss::Undefined, Vec::new());
            return Results { loss, right };
        };
        let right: Vec<f64> = right.iter().map(Decimal::to_f64).collect();
        let loss = match self.outputs(function, state, x, &self.rounded) {
            Ok(rounded) => loss(&rounded, &right),
            Err(_) => Loss::Everything,
        };
        Results { loss, right }
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

/// The error of rounded results.
fn loss(rounded: &[f64], right: &[f64]) -> Loss {
    let size = right.iter().fold(0.0_f64, |size, x| size.max(x.abs()));
    let errors = rounded.iter().zip(right).map(|(a, b)| (a - b).abs());
    let worse = |most: f64, e: f64| {
        if e.is_nan() {
            f64::INFINITY
        } else {
            most.max(e)
        }
    };
    let error = errors.fold(0.0_f64, worse);
    if error == 0.0 {
        Loss::Digits(0.0)
    } else if error.is_finite() {
        Loss::Digits(error / size.max(f64::MIN_POSITIVE))
    } else {
        Loss::Everything
    }
}

/// States that doubles hold, with the module's array: on the constraints, and others of all sizes.
fn states(layout: &Layout, machine: &Machine<'_>, seed: u64) -> Vec<At> {
    let mut list = Vec::new();
    for attempt in 0..STATES {
        let seed = seed.wrapping_add(0x9_0000 * (attempt + 1));
        let solved = match attempt % 3 {
            2 => Decimal::distant(machine, seed),
            _ => Decimal::consistent(machine, seed).ok(),
        };
        let point = solved.and_then(|solved| TestPoint::on(machine, layout, solved).ok());
        list.extend(point.map(|on| At {
            x: on.x.iter().map(Decimal::to_f64).collect(),
            state: on.state.map(&Decimal::to_f64),
            is_consistent: true,
        }));
    }
    let speeds = layout.independent.len();
    // Rates are speeds where none are declared, and what the module takes them to be.
    let system = machine.system;
    let is_consistent =
        layout.rows.is_empty() && system.speeds.is_empty() && system.assumptions.is_empty();
    for (size, attempt) in SIZES.iter().zip(1..) {
        let drawn = State::<Decimal>::random(machine.system, seed.wrapping_add(attempt));
        let mut state = drawn.map(&Decimal::to_f64);
        for (x, coord) in state.q.iter_mut().zip(&machine.system.coords) {
            *x *= match coord.sign {
                None => *size,
                // What is assumed of it has to hold.
                Some(_) if *size == 0.0 => 1.0,
                Some(_) => size.abs(),
            };
        }
        let given = state.rates.iter_mut().chain(&mut state.inputs);
        let given = given.chain(&mut state.states);
        given.for_each(|x| *x *= size);
        let rates = state.rates.iter().take(speeds);
        let x = state.q.iter().chain(rates).chain(&state.states);
        let x = x.copied().collect();
        list.push(At {
            state,
            x,
            is_consistent,
        });
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
