//! The loop that runs the instructions of a tape. Knows nothing of how tapes are made.

use super::{Code, Functions, NONE, RoutineCall, Step, Tape, UserCall};
use crate::function::{Real, TABLE};
use crate::ir::interpret::{Failure, VANISHING};
use crate::ir::routine::{self, RoutineError};
use crate::ir::{Comparison, Value};

/// Sizes of the files of registers for which the loop is compiled: with a length that the compiler knows, and indices that are cut to it, no
/// index has to be compared with the length. That is a third of the time.
const FILES: [usize; 4] = [1 << 8, 1 << 12, 1 << 16, 1 << 20];

/// The numbers of a tape: as many as it has registers, or more.
pub(super) fn file(registers: u32) -> Vec<f64> {
    let registers = registers as usize;
    let size = FILES.into_iter().find(|size| *size >= registers);
    vec![0.0; size.unwrap_or(registers)]
}

/// Runs instructions over a [`file`] of registers.
pub(super) fn run(
    tape: &Tape,
    steps: &[Step],
    numbers: &mut [f64],
    functions: &mut dyn Functions,
) -> Result<(), Failure> {
    if let Ok(numbers) = <&mut [f64; FILES[0]]>::try_from(&mut *numbers) {
        return run_over(tape, steps, numbers, functions);
    }
    if let Ok(numbers) = <&mut [f64; FILES[1]]>::try_from(&mut *numbers) {
        return run_over(tape, steps, numbers, functions);
    }
    if let Ok(numbers) = <&mut [f64; FILES[2]]>::try_from(&mut *numbers) {
        return run_over(tape, steps, numbers, functions);
    }
    if let Ok(numbers) = <&mut [f64; FILES[3]]>::try_from(&mut *numbers) {
        return run_over(tape, steps, numbers, functions);
    }
    run_over(tape, steps, numbers, functions)
}

/// A file of registers.
trait Registers {
    fn get(&self, register: u32) -> f64;
    fn set(&mut self, register: u32, number: f64);
    fn all(&mut self) -> &mut [f64];
}

impl<const N: usize> Registers for [f64; N] {
    #[inline(always)]
    fn get(&self, register: u32) -> f64 {
        self[register as usize & (N - 1)]
    }

    #[inline(always)]
    fn set(&mut self, register: u32, number: f64) {
        self[register as usize & (N - 1)] = number;
    }

    fn all(&mut self) -> &mut [f64] {
        self
    }
}

impl Registers for [f64] {
    fn get(&self, register: u32) -> f64 {
        self[register as usize]
    }

    fn set(&mut self, register: u32, number: f64) {
        self[register as usize] = number;
    }

    fn all(&mut self) -> &mut [f64] {
        self
    }
}

/// The loop. A slice and a counter: this has to be quick where nothing is optimised, too.
fn run_over<R: Registers + ?Sized>(
    tape: &Tape,
    steps: &[Step],
    numbers: &mut R,
    functions: &mut dyn Functions,
) -> Result<(), Failure> {
    let (mut at, mut held) = (0, false);
    while at < steps.len() {
        let Step(code, a, b, c, to) = steps[at];
        at += 1;
        let number = match code {
            Code::Add => numbers.get(a) + numbers.get(b),
            Code::Sub => numbers.get(a) - numbers.get(b),
            Code::Mul => numbers.get(a) * numbers.get(b),
            Code::Div => numbers.get(a) / numbers.get(b),
            Code::Neg => -numbers.get(a),
            Code::MulAdd => numbers.get(a) * numbers.get(b) + numbers.get(c),
            Code::MulSub => numbers.get(a) * numbers.get(b) - numbers.get(c),
            Code::SubMul => numbers.get(c) - numbers.get(a) * numbers.get(b),
            Code::One(f) => match TABLE[f as usize].real {
                Real::One(f) => f(numbers.get(a)),
                Real::Two(_) | Real::None => f64::NAN,
            },
            Code::Two(f) => match TABLE[f as usize].real {
                Real::Two(f) => f(numbers.get(a), numbers.get(b)),
                Real::One(_) | Real::None => f64::NAN,
            },
            Code::Compare(test) => {
                let test = Comparison::ALL[test as usize];
                held = test.holds(&numbers.get(a), &numbers.get(b));
                continue;
            }
            Code::Pick => numbers.get(if held { a } else { b }),
            Code::Check => {
                let scale = if b == NONE { 0.0 } else { numbers.get(b) };
                check(numbers.get(a), scale, to)?;
                continue;
            }
            Code::Routine => {
                solve(&tape.routines[a as usize], numbers.all())?;
                continue;
            }
            Code::Call => {
                call(&tape.calls[a as usize], numbers.all(), functions);
                continue;
            }
        };
        numbers.set(to, number);
    }
    Ok(())
}

fn check(value: f64, scale: f64, condition: u32) -> Result<(), Failure> {
    // Not `<=`: NaN fails too.
    if value.abs() > VANISHING * scale.abs() {
        return Ok(());
    }
    Err(Failure::Singular {
        condition,
        value,
        scale,
    })
}

fn solve(call: &RoutineCall, numbers: &mut [f64]) -> Result<(), Failure> {
    let operands: Vec<f64> = call.operands.iter().map(|&a| numbers[a as usize]).collect();
    let failed = |error: RoutineError| Failure::Routine {
        routine: Value(call.value),
        error,
    };
    let results = routine::run(call.kind(), &operands).map_err(failed)?;
    let from = call.results as usize;
    numbers[from..from + results.len()].copy_from_slice(&results);
    Ok(())
}

fn call(call: &UserCall, numbers: &mut [f64], functions: &mut dyn Functions) {
    let arguments: Vec<f64> = call
        .arguments
        .iter()
        .map(|&a| numbers[a as usize])
        .collect();
    let from = call.results as usize;
    let count = results_of(arguments.len());
    functions.call(call.function, &arguments, &mut numbers[from..from + count]);
}

/// Value, gradient and second derivatives.
pub(super) fn results_of(arity: usize) -> usize {
    1 + arity + arity * arity
}
