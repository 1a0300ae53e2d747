//! A function as a tape: a dense list of small instructions over a file of registers, to be run many times.
//!
//! [`interpret`](super::interpret) walks the graph and is there for tests and single evaluations; a tape is made once from a graph and keeps
//! nothing of it, so that it can be written down, sent to another process and run there. It computes the same to the last bit: the same
//! operations in the same order. What depends on the parameters alone is run once for each choice of these.

mod run;

use num_traits::ToPrimitive;
use serde::{Deserialize, Serialize};

use super::interpret::Failure;
use super::{
    Binary, Comparison, Function, Graph, Op, Part, Prepared, RoutineKind, Unary, Value, schedule,
};
use crate::function::Elementary;
use run::{file, results_of, run};

/// What an instruction does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
enum Code {
    Add,
    Sub,
    Mul,
    Div,
    Neg,
    /// A product and a third operand: their sum, the product less it, and it less the product, each rounded twice. Half of all additions
    /// are of this kind.
    MulAdd,
    MulSub,
    SubMul,
    /// A function of one number: its place in the table.
    One(u8),
    /// A function of two numbers.
    Two(u8),
    /// Compares, for the [`Code::Pick`] that follows.
    Compare(u8),
    /// The first operand if the comparison before it held, else the second.
    Pick,
    /// Fails where the first operand is nothing beside the second; `to` is the condition.
    Check,
    /// The numerical routine of this number.
    Routine,
    /// The user's function call of this number.
    Call,
}

/// One instruction: what to do, three operands, and where the result goes.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
struct Step(Code, u32, u32, u32, u32);

/// A check without a scale.
const NONE: u32 = u32::MAX;

/// A numerical routine with its operands; its results have registers of their own, one after the other.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct RoutineCall {
    constrained: bool,
    rows: u32,
    columns: u32,
    operands: Vec<u32>,
    results: u32,
    value: u32,
}

/// A call of a user function. Its results are its value, its gradient and its second derivatives, row by row.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct UserCall {
    function: u32,
    arguments: Vec<u32>,
    results: u32,
}

/// A function, ready to run.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Tape {
    registers: u32,
    constants: Vec<(u32, f64)>,
    /// Group, index, register.
    inputs: Vec<(u8, u32, u32)>,
    once: Vec<Step>,
    steps: Vec<Step>,
    routines: Vec<RoutineCall>,
    calls: Vec<UserCall>,
    outputs: Vec<u32>,
    fallible: bool,
}

/// The group of inputs that hold a user function's own arguments.
pub const ARGUMENTS: u8 = 7;

/// Number of groups of inputs that a tape may read.
const GROUPS: usize = 8;

/// What a tape reads: the numbers of each group.
pub type Given<'a> = [&'a [f64]; GROUPS];

impl Tape {
    /// The tape of a function over a graph. What depends on the groups `fixed` alone is run once.
    pub fn new(graph: &Graph, function: &Function, fixed: &[u8]) -> Self {
        Writer::new(graph, fixed).written(function)
    }

    /// How many numbers come out.
    pub fn len(&self) -> usize {
        self.outputs.len()
    }

    /// Instructions of one run.
    #[cfg(test)]
    pub fn instructions(&self) -> usize {
        self.steps.len()
    }

    /// Which entries of a group are read.
    pub fn reads(&self, group: u8) -> impl Iterator<Item = u32> + '_ {
        let of_group = self.inputs.iter().filter(move |input| input.0 == group);
        of_group.map(|input| input.1)
    }

    /// Ready to run with given parameters.
    pub fn runner(&self, given: &Given<'_>) -> Runner<'_> {
        let mut numbers = file(self.registers);
        for (register, number) in &self.constants {
            numbers[*register as usize] = *number;
        }
        let mut runner = Runner {
            tape: self,
            numbers,
        };
        runner.read(given);
        // Only checks and routines fail, and neither is run once.
        let _ = run(self, &self.once, &mut runner.numbers, &mut NoFunctions);
        runner
    }
}

/// The user's functions.
pub trait Functions {
    /// Writes the value, the gradient and the second derivatives, as far as there is room for them.
    fn call(&mut self, function: u32, arguments: &[f64], results: &mut [f64]);
}

/// For tapes that call none.
#[derive(Clone, Copy, Debug)]
pub struct NoFunctions;

impl Functions for NoFunctions {
    fn call(&mut self, _: u32, _: &[f64], results: &mut [f64]) {
        results.fill(f64::NAN);
    }
}

/// A tape with its registers.
#[derive(Clone, Debug)]
pub struct Runner<'t> {
    tape: &'t Tape,
    numbers: Vec<f64>,
}

impl Runner<'_> {
    fn read(&mut self, given: &Given<'_>) {
        for (group, index, register) in &self.tape.inputs {
            let entry = given[*group as usize & (GROUPS - 1)].get(*index as usize);
            self.numbers[*register as usize] = entry.copied().unwrap_or(f64::NAN);
        }
    }

    /// Runs the tape.
    ///
    /// # Errors
    /// The check or the routine that fails first.
    pub fn run(
        &mut self,
        given: &Given<'_>,
        functions: &mut dyn Functions,
        results: &mut [f64],
    ) -> Result<(), Failure> {
        self.read(given);
        run(self.tape, &self.tape.steps, &mut self.numbers, functions)?;
        let numbers = self.numbers.as_slice();
        let mut finite = true;
        for (result, register) in results.iter_mut().zip(&self.tape.outputs) {
            *result = numbers[*register as usize];
            finite &= result.is_finite();
        }
        if self.tape.fallible && !finite {
            return Err(Failure::NotFinite);
        }
        Ok(())
    }
}

impl RoutineCall {
    fn kind(&self) -> RoutineKind {
        let (rows, cols) = (self.rows, self.columns);
        if self.constrained {
            RoutineKind::Constrained { n: rows, m: cols }
        } else {
            RoutineKind::MinimumNorm { rows, cols }
        }
    }
}

/// Writes a tape.
struct Writer<'g> {
    graph: &'g Graph,
    once: Prepared,
    tape: Tape,
    /// The register of each value.
    place: Vec<u32>,
    /// How often each value is still to be read.
    uses: Vec<u32>,
    free: Vec<u32>,
}

impl<'g> Writer<'g> {
    fn new(graph: &'g Graph, fixed: &[u8]) -> Self {
        Self {
            graph,
            once: Prepared::new(fixed),
            tape: Tape::default(),
            place: vec![NONE; graph.len()],
            uses: vec![0; graph.len()],
            free: Vec::new(),
        }
    }

    fn written(mut self, function: &Function) -> Tape {
        let roots = function.roots();
        let order = schedule(self.graph, &roots);
        for value in &order {
            for operand in self.graph.op(*value).operands() {
                self.uses[operand.index()] += 1;
            }
        }
        for root in &roots {
            self.uses[root.index()] += 1;
        }
        let mut position = vec![0; self.graph.len()];
        for (place, value) in order.iter().enumerate() {
            position[value.index()] = place + 1;
        }
        let ready = |check: &super::Check| {
            let scale = check.scale.map_or(0, |scale| position[scale.index()]);
            position[check.value.index()].max(scale)
        };
        let mut checks = function.checks.iter().peekable();
        for (place, value) in order.iter().enumerate() {
            while let Some(check) = checks.next_if(|check| ready(check) <= place) {
                self.check(check);
            }
            self.value(*value);
        }
        for check in checks {
            self.check(check);
        }
        let outputs = function.outputs.iter();
        self.tape.outputs = outputs.map(|o| self.place[o.index()]).collect();
        self.tape.fallible = !function.checks.is_empty() || !self.tape.routines.is_empty();
        self.tape
    }

    fn check(&mut self, check: &super::Check) {
        let scale = check.scale.map_or(NONE, |scale| self.place[scale.index()]);
        let value = self.place[check.value.index()];
        let step = Step(Code::Check, value, scale, 0, check.condition);
        self.tape.steps.push(step);
        self.release(check.value);
        if let Some(scale) = check.scale {
            self.release(scale);
        }
    }

    fn new_registers(&mut self, count: usize) -> u32 {
        let first = self.tape.registers;
        self.tape.registers += count as u32;
        first
    }

    /// A register that may be taken again; what is computed once keeps its own.
    fn register(&mut self, kept: bool) -> u32 {
        let free = if kept { None } else { self.free.pop() };
        free.unwrap_or_else(|| self.new_registers(1))
    }

    /// One reader less. The registers of instructions of every run are taken again after the last.
    fn release(&mut self, value: Value) {
        let uses = &mut self.uses[value.index()];
        *uses = uses.saturating_sub(1);
        let single = matches!(
            self.graph.op(value),
            Op::Unary(..) | Op::Binary(..) | Op::Select { .. }
        );
        if *uses == 0 && single && !self.once.is(self.graph, value) {
            self.free.push(self.place[value.index()]);
        }
    }

    fn value(&mut self, value: Value) {
        let op = self.graph.op(value).clone();
        let place = |v: &Value| self.place[v.index()];
        let (codes, special): (Vec<Step>, Option<u32>) = match &op {
            Op::Constant(number) => {
                let to = self.new_registers(1);
                let number = number.to_f64().unwrap_or(f64::NAN);
                self.tape.constants.push((to, number));
                (Vec::new(), Some(to))
            }
            Op::Pi => {
                let to = self.new_registers(1);
                self.tape.constants.push((to, std::f64::consts::PI));
                (Vec::new(), Some(to))
            }
            Op::Input(slot) => {
                let to = self.new_registers(1);
                self.tape.inputs.push((slot.group, slot.index, to));
                (Vec::new(), Some(to))
            }
            Op::Unary(op, a) => (vec![Step(unary(*op), place(a), 0, 0, 0)], None),
            Op::Binary(op, a, b) => {
                let fused = self.fused(*op, *a, *b);
                let plain = Step(
                    binary(*op),
                    self.place[a.index()],
                    self.place[b.index()],
                    0,
                    0,
                );
                (vec![fused.unwrap_or(plain)], None)
            }
            Op::Select {
                test,
                left,
                right,
                then,
                other,
            } => {
                let test = Comparison::ALL.iter().position(|t| t == test);
                let compare = Code::Compare(test.unwrap_or(0) as u8);
                let pick = Step(Code::Pick, place(then), place(other), 0, 0);
                (
                    vec![Step(compare, place(left), place(right), 0, 0), pick],
                    None,
                )
            }
            Op::Call { function, args } => {
                let arguments = args.iter().map(place).collect();
                let to = self.user_call(*function, arguments);
                (Vec::new(), Some(to))
            }
            Op::Routine { kind, operands } => {
                let operands = operands.iter().map(place).collect();
                let to = self.routine(value, *kind, operands);
                (Vec::new(), Some(to))
            }
            Op::Jet { call, part } => {
                let arity = match self.graph.op(*call) {
                    Op::Call { args, .. } => args.len() as u32,
                    _ => 0,
                };
                let within = match *part {
                    Part::Value => 0,
                    Part::Gradient(i) => 1 + i,
                    Part::Hessian(i, j) => 1 + arity + i * arity + j,
                };
                (Vec::new(), Some(place(call) + within))
            }
            Op::Element { routine, index } => (Vec::new(), Some(place(routine) + index)),
        };
        if let Some(to) = special {
            self.place[value.index()] = to;
        } else {
            // Before operands are released: a select reads two of them after its first instruction.
            let kept = self.once.is(self.graph, value);
            let to = self.register(kept);
            self.place[value.index()] = to;
            let list = if kept {
                &mut self.tape.once
            } else {
                &mut self.tape.steps
            };
            list.extend(
                codes
                    .into_iter()
                    .map(|Step(code, a, b, c, _)| Step(code, a, b, c, to)),
            );
        }
        for operand in op.operands() {
            self.release(operand);
        }
    }

    /// A sum or difference together with the product that the last instruction has computed for it alone, which is taken back.
    fn fused(&mut self, op: Binary, a: Value, b: Value) -> Option<Step> {
        let Some(&Step(Code::Mul, x, y, _, product)) = self.tape.steps.last() else {
            return None;
        };
        let alone = |v: Value| {
            let is_product = matches!(self.graph.op(v), Op::Binary(Binary::Mul, ..));
            let is_last = self.place[v.index()] == product && !self.once.is(self.graph, v);
            is_product && is_last && self.uses[v.index()] == 1
        };
        let (code, other) = match op {
            Binary::Add if alone(a) => (Code::MulAdd, b),
            Binary::Add if alone(b) => (Code::MulAdd, a),
            Binary::Sub if alone(a) => (Code::MulSub, b),
            Binary::Sub if alone(b) => (Code::SubMul, a),
            _ => return None,
        };
        self.tape.steps.pop();
        Some(Step(code, x, y, self.place[other.index()], 0))
    }

    fn user_call(&mut self, function: u32, arguments: Vec<u32>) -> u32 {
        let results = self.new_registers(results_of(arguments.len()));
        let call = Step(Code::Call, self.tape.calls.len() as u32, 0, 0, 0);
        self.tape.steps.push(call);
        self.tape.calls.push(UserCall {
            function,
            arguments,
            results,
        });
        results
    }

    fn routine(&mut self, value: Value, kind: RoutineKind, operands: Vec<u32>) -> u32 {
        let results = self.new_registers(kind.results());
        let call = Step(Code::Routine, self.tape.routines.len() as u32, 0, 0, 0);
        self.tape.steps.push(call);
        let (constrained, rows, columns) = match kind {
            RoutineKind::Constrained { n, m } => (true, n, m),
            RoutineKind::MinimumNorm { rows, cols } => (false, rows, cols),
        };
        self.tape.routines.push(RoutineCall {
            constrained,
            rows,
            columns,
            operands,
            results,
            value: value.0,
        });
        results
    }
}

fn of_table(function: Elementary) -> u8 {
    function as u8
}

fn unary(op: Unary) -> Code {
    match op {
        Unary::Neg => Code::Neg,
        Unary::Of(function) => Code::One(of_table(function)),
    }
}

fn binary(op: Binary) -> Code {
    match op {
        Binary::Add => Code::Add,
        Binary::Sub => Code::Sub,
        Binary::Mul => Code::Mul,
        Binary::Div => Code::Div,
        Binary::Of(function) => Code::Two(of_table(function)),
    }
}

#[cfg(test)]
mod tests;
