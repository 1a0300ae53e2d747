//! A machine with its parameters: what an integrator, an assembly or a picture evaluates.

use super::{Machine, Source};
use crate::ir::interpret::Failure;
use crate::ir::tape::{Functions, Given, NoFunctions, Runner, Tape};

/// Why there are no numbers.
#[derive(Clone, Debug, PartialEq)]
pub struct Fault {
    /// What fails.
    pub what: String,
    /// At which time.
    pub time: f64,
}

/// A machine with its parameters.
pub struct Mechanism<'m> {
    /// The machine.
    pub machine: &'m Machine,
    /// Its parameters, in order.
    pub params: Vec<f64>,
    inputs: Vec<f64>,
    held: Vec<Option<f64>>,
    user: Vec<Runner<'m>>,
    inputs_by_expression: Vec<Runner<'m>>,
    derivative: Runner<'m>,
}

/// A state to start from: all coordinates and all speeds.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Start {
    /// Time.
    pub time: f64,
    /// Coordinates.
    pub q: Vec<f64>,
    /// All speeds.
    pub speeds: Vec<f64>,
    /// States of first order.
    pub states: Vec<f64>,
}

const EMPTY: &[f64] = &[];

/// The user's functions at a state.
struct Calls<'a, 'm> {
    runners: &'a mut [Runner<'m>],
    given: Given<'a>,
}

impl Functions for Calls<'_, '_> {
    fn call(&mut self, function: u32, arguments: &[f64], results: &mut [f64]) {
        let mut given = self.given;
        given[7] = arguments;
        let found = self.runners.get_mut(function as usize);
        let done = found.map(|runner| runner.run(&given, &mut NoFunctions, results));
        if !matches!(done, Some(Ok(()))) {
            results.fill(f64::NAN);
        }
    }
}

impl<'m> Mechanism<'m> {
    /// With these parameters, as many as the machine has.
    pub fn new(machine: &'m Machine, params: Vec<f64>) -> Self {
        let given: Given<'_> = [EMPTY, EMPTY, &params, EMPTY, EMPTY, EMPTY, EMPTY, EMPTY];
        let ready = |tapes: &'m [Tape]| -> Vec<Runner<'m>> {
            tapes.iter().map(|tape| tape.runner(&given)).collect()
        };
        let user = ready(&machine.functions);
        let inputs_by_expression = ready(&machine.inputs_by_expression);
        let derivative = machine.derivative.runner(&given);
        Self {
            machine,
            inputs: vec![0.0; machine.inputs.len()],
            held: vec![None; machine.inputs.len()],
            user,
            inputs_by_expression,
            derivative,
            params,
        }
    }

    /// A tape of this machine, ready to run.
    pub fn runner(&self, tape: &'m Tape) -> Runner<'m> {
        tape.runner(&[
            EMPTY,
            EMPTY,
            &self.params,
            EMPTY,
            EMPTY,
            EMPTY,
            EMPTY,
            EMPTY,
        ])
    }

    /// Holds an input at a number, whatever is said of it.
    pub fn hold_input(&mut self, input: usize, number: f64) {
        if let Some(held) = self.held.get_mut(input) {
            *held = Some(number);
        }
    }

    /// The inputs at a state, which stay until the next call.
    pub fn set_inputs(&mut self, time: f64, state: &[f64]) -> Result<(), Fault> {
        for at in 0..self.machine.inputs.len() {
            if let Some(number) = self.held[at] {
                self.inputs[at] = number;
                continue;
            }
            let number = match &self.machine.inputs[at].source {
                Source::Nothing => 0.0,
                Source::Table { times, values } => between(times, values, time),
                Source::Expression(tape) => {
                    let times = [time];
                    let params = self.params.as_slice();
                    let given = [
                        &times,
                        state,
                        params,
                        &self.inputs,
                        EMPTY,
                        EMPTY,
                        EMPTY,
                        EMPTY,
                    ];
                    let mut calls = Calls {
                        runners: &mut self.user,
                        given,
                    };
                    let mut number = [0.0];
                    let runner = &mut self.inputs_by_expression[*tape];
                    let done = runner.run(&given, &mut calls, &mut number);
                    done.map_err(|failure| fault(self.machine, "an input", time, failure))?;
                    number[0]
                }
            };
            self.inputs[at] = number;
        }
        Ok(())
    }

    /// The inputs as they were last.
    pub fn inputs(&self) -> &[f64] {
        &self.inputs
    }

    /// Rate of the state.
    ///
    /// # Errors
    /// The condition that fails.
    pub fn derivative(&mut self, time: f64, state: &[f64], rate: &mut [f64]) -> Result<(), Fault> {
        if !self.inputs.is_empty() {
            self.set_inputs(time, state)?;
        }
        let times = [time];
        let params = self.params.as_slice();
        let inputs = self.inputs.as_slice();
        let given = [&times, state, params, inputs, EMPTY, EMPTY, EMPTY, EMPTY];
        let mut calls = Calls {
            runners: &mut self.user,
            given,
        };
        let done = self.derivative.run(&given, &mut calls, rate);
        done.map_err(|failure| fault(self.machine, "the accelerations", time, failure))
    }

    /// Runs a tape of this machine at a state, with rates for those that take them. The inputs are those of the last call of
    /// [`set_inputs`](Self::set_inputs).
    ///
    /// # Errors
    /// The condition that fails.
    pub fn run(
        &mut self,
        runner: &mut Runner<'m>,
        (time, state, rates): (f64, &[f64], &[f64]),
        results: &mut [f64],
    ) -> Result<(), Failure> {
        let times = [time];
        let (params, inputs) = (self.params.as_slice(), self.inputs.as_slice());
        let given = [&times, state, params, inputs, rates, EMPTY, EMPTY, EMPTY];
        let mut calls = Calls {
            runners: &mut self.user,
            given,
        };
        runner.run(&given, &mut calls, results)
    }

    /// The speeds that follow from the initial values of the model where it is at `q`, and which of them it states. What it does not
    /// state is 0.
    pub fn initial_speeds(&mut self, time: f64, q: &[f64]) -> (Vec<f64>, Vec<bool>) {
        let machine = self.machine;
        let mut speeds = vec![0.0; machine.speeds.len()];
        if machine.initial_rates.iter().any(Option::is_some) {
            let rates = machine.initial_rates.iter().map(|x| x.unwrap_or(0.0));
            let rates: Vec<f64> = rates.collect();
            speeds = self.numbers(&machine.probe.speeds, time, q, &rates);
        }
        let mut stated = vec![false; speeds.len()];
        for (i, initial) in machine.initial_speeds.iter().enumerate() {
            if let Some(initial) = initial {
                (speeds[i], stated[i]) = (*initial, true);
            }
        }
        (speeds, stated)
    }

    /// The same for a function that is evaluated now and then; NaN where it fails.
    pub fn numbers(&mut self, tape: &'m Tape, time: f64, state: &[f64], rates: &[f64]) -> Vec<f64> {
        let mut runner = self.runner(tape);
        let mut results = vec![f64::NAN; tape.len()];
        if self
            .run(&mut runner, (time, state, rates), &mut results)
            .is_err()
        {
            results.fill(f64::NAN);
        }
        results
    }
}

/// What failed, in words.
pub(super) fn fault(machine: &Machine, what: &str, time: f64, failure: Failure) -> Fault {
    let what = match failure {
        Failure::Singular {
            condition,
            value,
            scale,
        } => {
            let known = machine.conditions.get(condition as usize);
            let text = known.map_or("a divisor vanishes", String::as_str);
            let closeness = if value == 0.0 {
                0.0
            } else {
                (value / scale).abs()
            };
            if closeness.is_nan() {
                format!("{what} are not finite numbers")
            } else {
                format!("{what} are singular: {text} (closeness {closeness:.1e})")
            }
        }
        Failure::NotFinite => format!("{what} are not finite numbers"),
        Failure::Routine { error, .. } => format!("{what} do not exist: {error}"),
    };
    Fault { what, time }
}

/// Straight lines between points.
fn between(times: &[f64], values: &[f64], time: f64) -> f64 {
    let next = times.partition_point(|t| *t <= time);
    let last = values.last().copied().unwrap_or(f64::NAN);
    match (next, values.get(next)) {
        (0, first) => first.copied().unwrap_or(f64::NAN),
        (_, None) => last,
        (next, Some(after)) => {
            let (t0, t1) = (times[next - 1], times[next]);
            let before = values[next - 1];
            before + (after - before) * (time - t0) / (t1 - t0)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::between;

    #[test]
    fn tables_are_joined_by_straight_lines() {
        let (times, values) = ([0.0, 1.0, 3.0], [2.0, 4.0, 0.0]);
        let expected = [
            (-1.0, 2.0),
            (0.0, 2.0),
            (0.5, 3.0),
            (1.0, 4.0),
            (2.0, 2.0),
            (3.0, 0.0),
            (9.0, 0.0),
        ];
        for (time, value) in expected {
            assert_eq!(between(&times, &values, time), value, "{time}");
        }
    }
}
