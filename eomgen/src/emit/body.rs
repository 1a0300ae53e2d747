//! The body of a generated function: its instructions as statements.
//!
//! A value is written where it is used if it is used once, has no name of its own and leaves the
//! expression plain ([`Expr::is_plain`]); else it becomes a temporary. The order is that of
//! [`schedule`]: the checks first, each as soon as its operands are known, then the outputs.

use std::collections::{BTreeMap, BTreeSet};

use super::arrangement::{Share, is_fallible, roots};
use super::error::EmitError;
use super::expr::Expr;
use super::layout::width;
use super::literal::{nearest_f64, resembles_constant};
use super::module::{EmittedFunction, Math, Module, Scalar, Shape};
use super::names::snake;
use super::scope::{Argument, FieldNames, LONGEST_HINT, Scope};
use super::tree::{Block, Call, Target, Value as Expression};
use crate::ir::{Check, Graph, Op, Value, schedule_from};

mod branches;
mod calls;
mod constructor;
mod delegate;
mod parts;
mod result;
mod sin_cos;

pub use constructor::{Constructor, constructor};
pub use parts::Part;

use branches::Abreast;
use calls::Results;
use delegate::When;
use parts::Parts;
use result::Output;

/// A body and what the rest of the function has to know of it.
pub struct Body<'m> {
    /// The statements, the state's unpacking first.
    pub block: Block,
    /// The names, and which of them are used.
    pub scope: Scope<'m>,
    /// Whether some number looks like a famous constant.
    pub resembles_constant: bool,
    /// Whether the result is the last variable.
    pub returns_variable: bool,
    /// The parts of a long body; then there is no text.
    pub split: Option<Split>,
}

/// A long body in parts.
pub struct Split {
    /// All but the last, which are functions of their own.
    pub parts: Vec<Part>,
    /// The last one, with the result.
    pub last: Part,
    /// What the array of values that are handed on is called.
    pub work: String,
    /// Its length.
    pub places: usize,
    /// What the array of results is called, if there is one.
    pub out: Option<String>,
}

/// Writes the statements of a function that computes its share and reads what the model holds.
///
/// # Errors
/// What the graph asks for and the module doesn't have.
pub fn body<'m>(
    module: &'m Module,
    function: &'m EmittedFunction,
    share: &'m Share,
    held: &FieldNames,
) -> Result<Body<'m>, EmitError> {
    let mut writing = Writing::new(module, function, 2);
    let fields = writing.scope.held(held, share.needs.values.iter().copied());
    writing.fields = fields.iter().map(|field| field.0).collect();
    writing.written.extend(fields);
    writing.run(share)?;
    let last = writing.last_part();
    let Writing {
        scope,
        block,
        resembles_constant,
        returns_variable,
        parts,
        out,
        ..
    } = writing;
    let mut body = Body {
        block: Block::default(),
        scope,
        resembles_constant,
        returns_variable,
        split: None,
    };
    match (parts, last) {
        (Some(parts), Some(last)) => {
            body.split = Some(Split {
                parts: parts.done,
                last,
                work: parts.work,
                places: parts.places,
                out,
            });
        }
        _ => {
            unpack(&mut body.block, &body.scope, |_| true);
            body.block.append(block);
        }
    }
    Ok(body)
}

/// Longest name of an output that temporaries are called after.
const LONGEST_LABEL: usize = 12;

/// Widest pattern of a state, and how many entries it may pass over.
const PATTERN: usize = 60;
const PASSED: usize = 6;

/// Gives the entries of the state that are read their names: all at once where that is one line, else one by one.
pub fn unpack(block: &mut Block, scope: &Scope<'_>, is_read: impl Fn(&str) -> bool) {
    let read: Vec<(&str, usize)> = scope.state_locals().filter(|(n, _)| is_read(n)).collect();
    let Some(&(_, last)) = read.last() else {
        return;
    };
    let state = Expr::variable(scope.name_of(Argument::State));
    let mut pattern = vec!["_"; last + 1];
    for (name, index) in &read {
        pattern[*index] = name;
    }
    let rest = if last + 1 < scope.states() {
        ", .."
    } else {
        ""
    };
    let text = format!("[{}{rest}]", pattern.join(", "));
    if read.len() > 1 && last + 1 - read.len() <= PASSED && width(&text) <= PATTERN {
        return block.set(text, state.dereferenced());
    }
    for (name, index) in read {
        block.set(name, state.entry(&format!("[{index}]")));
    }
}

/// A body that is being written.
struct Writing<'m> {
    module: &'m Module,
    function: &'m EmittedFunction,
    graph: &'m Graph,
    /// Whether it can fail.
    fallible: bool,
    scope: Scope<'m>,
    resembles_constant: bool,
    returns_variable: bool,
    /// How often each value is used, by others and as a root.
    uses: BTreeMap<Value, usize>,
    /// How each value is written where it is used.
    written: BTreeMap<Value, Expr>,
    /// What was written since the last part ended.
    recent: Vec<Value>,
    /// What the function returns.
    results: BTreeSet<Value>,
    /// The arrays that hold each routine's results.
    routines: BTreeMap<Value, Results>,
    /// What temporaries were set to.
    texts: BTreeMap<Value, String>,
    /// The results of other functions that are called, by their index.
    locals: BTreeMap<usize, String>,
    /// What has been written.
    block: Block,
    /// In how many blocks that will stand.
    depth: usize,
    /// What temporaries are called that have no name of their own.
    label: String,
    /// The parts, if the body is long.
    parts: Option<Parts>,
    /// What is computed side by side.
    abreast: Abreast<'m>,
    /// Values that are fields of the model.
    fields: BTreeSet<Value>,
    /// What the array of results is called that parts fill.
    out: Option<String>,
    /// The places of outputs that are to be written there as soon as they are known.
    unfilled: BTreeMap<Value, Vec<usize>>,
}

impl<'m> Writing<'m> {
    fn new(module: &'m Module, function: &'m EmittedFunction, depth: usize) -> Self {
        Self {
            module,
            function,
            graph: &module.graph,
            fallible: is_fallible(module, function),
            scope: Scope::new(module, function),
            resembles_constant: false,
            returns_variable: false,
            uses: BTreeMap::new(),
            written: BTreeMap::new(),
            recent: Vec::new(),
            results: function.body.outputs.iter().copied().collect(),
            texts: BTreeMap::new(),
            locals: BTreeMap::new(),
            routines: BTreeMap::new(),
            block: Block::default(),
            depth,
            label: String::new(),
            parts: None,
            abreast: Abreast::default(),
            fields: BTreeSet::new(),
            out: None,
            unfilled: BTreeMap::new(),
        }
    }

    fn run(&mut self, share: &'m Share) -> Result<(), EmitError> {
        let function = self.function;
        if let Some(call) = self.whole(share) {
            self.tail_call(call);
            return Ok(());
        }
        for call in &share.calls {
            self.expect(call);
        }
        let known: BTreeSet<Value> = self.written.keys().copied().collect();
        let order = self.ordered(share, &known);
        let calls = self.calls(share, &known);
        self.delegate(&calls, When::Early);
        let mut order = order.into_iter();
        let mut done = known;
        for check in &share.checks {
            for (value, label) in [(Some(check.value), "divisor"), (check.scale, "scale")] {
                label.clone_into(&mut self.label);
                self.steps(value, &mut order, &mut done)?;
            }
            self.check(check)?;
        }
        self.delegate(&calls, When::Late);
        if self.parts.is_some() {
            return self.filled(&mut order, &mut done);
        }
        let mut outputs = Vec::new();
        for (index, &value) in function.body.outputs.iter().enumerate() {
            self.label = self.temporaries_of(index);
            let before = std::mem::take(&mut self.block);
            self.steps(Some(value), &mut order, &mut done)?;
            let block = std::mem::replace(&mut self.block, before);
            let expression = self.operand(value)?;
            outputs.push(Output { block, expression });
        }
        self.outputs(outputs);
        Ok(())
    }

    /// The order of the values; divides the body into parts if it is long.
    fn ordered(&mut self, share: &Share, known: &BTreeSet<Value>) -> Vec<Value> {
        let all = roots(&share.checks, &self.function.body.outputs);
        let mut order = schedule_from(self.graph, &all, known.iter().copied());
        if self.module.scalar != Scalar::Generic {
            let branches = &self.module.branches;
            let sines = self.module.math == Math::Inline;
            let (abreast, sorted) = Abreast::of(self.graph, branches, &order, &all, sines);
            self.abreast = abreast;
            order = sorted.unwrap_or(order);
        }
        self.count_uses(&order, &all);
        let parts = self.parts_of(&order, &all, !share.calls.is_empty());
        self.divide(parts, order)
    }

    /// Counts how often each value is used.
    fn count_uses(&mut self, order: &[Value], roots: &[Value]) {
        let operands = order
            .iter()
            .flat_map(|&value| self.graph.op(value).operands());
        for value in operands.chain(roots.iter().copied()) {
            *self.uses.entry(value).or_default() += 1;
        }
    }

    /// Writes the instructions up to and with `value`.
    fn steps(
        &mut self,
        value: Option<Value>,
        order: &mut impl Iterator<Item = Value>,
        done: &mut BTreeSet<Value>,
    ) -> Result<(), EmitError> {
        let Some(value) = value else { return Ok(()) };
        while !done.contains(&value) {
            let Some(next) = order.next() else { break };
            self.step(next)?;
            done.insert(next);
            self.fill(next)?;
            self.pass()?;
        }
        Ok(())
    }

    fn step(&mut self, value: Value) -> Result<(), EmitError> {
        let graph = self.graph;
        if self.abreast(value)? {
            return Ok(());
        }
        if let Some(pair) = self.pair(value) {
            return self.sin_cos(pair);
        }
        let written = match graph.op(value) {
            Op::Constant(number) => {
                let scalar = self.module.scalar;
                let nearest = nearest_f64(number).filter(|n| scalar.holds(*n));
                let number = nearest.ok_or_else(|| EmitError::Overflow {
                    number: number.to_string(),
                })?;
                self.resembles_constant |= resembles_constant(number);
                Expr::number(number, scalar)
            }
            Op::Pi if self.module.scalar == Scalar::Generic => Expr::given("T::from_f64(PI)"),
            Op::Pi => Expr::given("PI"),
            Op::Input(slot) => self
                .scope
                .input(*slot)
                .ok_or_else(|| EmitError::UnknownInput {
                    function: self.function.name.clone(),
                    group: slot.group,
                    index: slot.index,
                })?,
            Op::Call { function, args } => return self.call(value, *function, args),
            Op::Jet { call, part } => self.jet(*call, *part)?,
            Op::Routine { kind, operands } => return self.routine(value, *kind, operands),
            Op::Element { routine, index } => self.element(*routine, *index)?,
            Op::Select { .. } if self.module.scalar == Scalar::Generic => {
                return self.select_generic(value);
            }
            Op::Unary(..) | Op::Binary(..) | Op::Select { .. } => {
                let composed = self.composed(value)?;
                self.put(value, composed);
                if self.needs_name(value) {
                    self.name(value)?;
                }
                return Ok(());
            }
        };
        self.put(value, written);
        Ok(())
    }

    /// The expression of an instruction, its operands named where it would not be plain otherwise.
    fn composed(&mut self, value: Value) -> Result<Expr, EmitError> {
        let op = self.graph.op(value);
        let style = self.module.style();
        loop {
            let operands: Vec<Value> = op.operands().collect();
            let written = operands.iter().map(|&operand| self.operand(operand));
            let written = written.collect::<Result<Vec<Expr>, _>>()?;
            let (kind, composed) = match (op, written.as_slice()) {
                (Op::Unary(op, _), [a]) => (None, Expr::unary(*op, a, style)),
                (Op::Binary(op, ..), [a, b]) => (Some(*op), Expr::binary(*op, a, b, style)),
                (Op::Select { test, .. }, [a, b, c, d]) => {
                    (None, Expr::select(*test, [a, b, c, d]))
                }
                _ => return Err(self.not_a_number()),
            };
            let fit = written.iter().all(|operand| operand.fits_into(kind));
            if composed.is_plain() && fit {
                return Ok(composed);
            }
            let candidates = operands.iter().zip(&written);
            let candidates = candidates.filter(|(_, written)| !written.is_atom());
            let widest = candidates.max_by_key(|(_, e)| (!e.fits_into(kind), width(e.text())));
            match widest {
                Some((&operand, _)) => self.name(operand)?,
                None => return Ok(composed),
            }
        }
    }

    /// Whether a value is written as a temporary however plain it is.
    fn needs_name(&self, value: Value) -> bool {
        let Some(written) = self.written.get(&value) else {
            return false;
        };
        if written.is_atom() {
            return false;
        }
        if self.uses.get(&value).is_some_and(|&uses| uses > 1) {
            return true;
        }
        if self.results.contains(&value) {
            let tail = self.function.output == Shape::Scalar && !self.fallible;
            return written.choice().is_some() && !tail;
        }
        self.graph.name_of(value).is_some()
    }

    /// Makes a value a temporary.
    fn name(&mut self, value: Value) -> Result<(), EmitError> {
        let written = self.operand(value)?;
        let name = self.name_for(value);
        let target = Target::Let {
            pattern: name.clone(),
            of: written.annotation(self.module.scalar),
        };
        self.texts.insert(value, written.to_string());
        self.set(target, written);
        self.put(value, Expr::variable(name));
        Ok(())
    }

    /// A name for a temporary.
    fn name_for(&mut self, value: Value) -> String {
        let mut outputs = self.function.body.outputs.iter();
        match outputs.position(|output| *output == value) {
            Some(index) => {
                let wanted = self.output_name(index);
                self.scope.result(value, &wanted)
            }
            None => self.scope.temporary(value, &self.label),
        }
    }

    fn put(&mut self, value: Value, written: Expr) {
        self.written.insert(value, written);
        self.recent.push(value);
    }

    /// How an operand is written.
    fn operand(&self, value: Value) -> Result<Expr, EmitError> {
        let scalar = self.graph.op(value).is_scalar();
        let written = self.written.get(&value).filter(|_| scalar);
        written.cloned().ok_or_else(|| self.not_a_number())
    }

    fn check(&mut self, check: &Check) -> Result<(), EmitError> {
        let condition = check.condition as usize;
        // The last one is no check's: it is on results that are not finite.
        let known = self.module.conditions.split_last();
        let Some(known) = known.and_then(|(_, checked)| checked.get(condition)) else {
            return Err(self.unknown_condition());
        };
        let mut operands = vec![check.value];
        operands.extend(check.scale);
        let written = self.arguments(&operands, 50)?;
        let zero = Expr::atom(self.module.scalar.literal(0.0));
        let text = format!("singular: {}", one_line(&known.text));
        self.block.comment(text);
        let mut arguments = vec![Expr::atom(condition.to_string())];
        arguments.extend(written.into_iter().chain([zero]).take(2));
        let call = Call {
            fails: true,
            ..Call::new(self.routine_name("check", ""), arguments)
        };
        self.block.put(Target::Nothing, Expression::Call(call));
        Ok(())
    }

    /// A function that fails where the model is a checked one: `check::<CHECKED>`, with more of what it is generic in.
    fn routine_name(&self, name: &str, more: &str) -> String {
        let of = match self.module.scalar {
            Scalar::Generic if more.is_empty() => "T, ",
            _ => "",
        };
        format!("{name}::<{of}CHECKED{more}>")
    }

    /// What temporaries without a name of their own are called that an output is the first to need: after the output if that is
    /// short, else after the function.
    fn temporaries_of(&self, index: usize) -> String {
        let name = self.output_name(index);
        if name.len() <= LONGEST_LABEL {
            return name;
        }
        let function = snake(&self.function.name);
        let first = function.split('_').find(|word| !word.is_empty());
        first.unwrap_or(&function).to_owned()
    }

    /// What an output is called where it is a variable.
    fn output_name(&self, index: usize) -> String {
        let label = self.function.output_labels.get(index);
        let label = label.filter(|label| !label.trim().is_empty());
        match label.map(|label| snake(label)) {
            _ if self.function.output == Shape::Scalar => snake(&self.function.name),
            Some(label) if label.len() <= LONGEST_HINT => label,
            _ => snake(&format!("{}_{index}", self.function.name)),
        }
    }

    fn not_a_number(&self) -> EmitError {
        EmitError::NotANumber {
            function: self.function.name.clone(),
        }
    }

    fn unknown_function(&self, index: u32) -> EmitError {
        EmitError::UnknownFunction {
            function: self.function.name.clone(),
            index,
        }
    }

    fn unknown_condition(&self) -> EmitError {
        EmitError::UnknownCondition {
            function: self.function.name.clone(),
        }
    }
}

/// Without line breaks, which would end a comment.
fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
