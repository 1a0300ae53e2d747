//! The body of a generated function: its instructions as statements.
//!
//! A value is written where it is used if it is used once, has no name of its own and leaves the
//! expression plain ([`Expr::is_plain`]); else it becomes a temporary. The order is that of
//! [`schedule`]: the checks first, each as soon as its operands are known, then the outputs.

use std::collections::{BTreeMap, BTreeSet};

use super::error::EmitError;
use super::expr::Expr;
use super::layout::{Choice, Item, Writer, width};
use super::literal::{nearest_f64, resembles_constant};
use super::module::{EmittedFunction, Module, Shape};
use super::names::{identifier, snake};
use super::scope::{Argument, Scope};
use crate::ir::{Check, Graph, Op, Part, RoutineKind, Value, schedule};

/// Widest expression in an argument list or an array literal.
const NARROW: usize = 40;
/// Widest array literal written as the result.
const RESULT: usize = 56;

/// Whether a function returns a `Result`.
pub fn is_fallible(module: &Module, function: &EmittedFunction) -> bool {
    !function.body.checks.is_empty() || uses_routines(module, function)
}

/// Whether a function uses numerical routines.
fn uses_routines(module: &Module, function: &EmittedFunction) -> bool {
    let live = module.graph.live(&function.body.roots());
    let is_routine = |&value: &Value| matches!(module.graph.op(value), Op::Routine { .. });
    live.iter().any(is_routine)
}

/// A body and what the rest of the function has to know of it.
pub struct Body<'m> {
    /// The statements, the state's unpacking first.
    pub text: String,
    /// The names, and which of them are used.
    pub scope: Scope<'m>,
    /// Whether some number looks like a famous constant.
    pub resembles_constant: bool,
    /// Whether the result is the last variable.
    pub returns_variable: bool,
}

/// Writes the statements of a function: with its checks, or its unchecked twin.
///
/// # Errors
/// What the graph asks for and the module doesn't have.
pub fn body<'m>(
    module: &'m Module,
    function: &'m EmittedFunction,
    checked: bool,
) -> Result<Body<'m>, EmitError> {
    let mut writing = Writing {
        module,
        function,
        graph: &module.graph,
        checked,
        scope: Scope::new(module, function),
        resembles_constant: false,
        returns_variable: false,
        uses: BTreeMap::new(),
        written: BTreeMap::new(),
        routines: BTreeMap::new(),
        lines: Writer::inside(),
        label: String::new(),
    };
    writing.run()?;
    let Writing {
        scope,
        lines,
        resembles_constant,
        returns_variable,
        ..
    } = writing;
    let mut text = Writer::new();
    let state = scope.name_of(Argument::State).to_owned();
    for (name, index) in scope.state_locals() {
        text.line(&format!("let {name} = {state}[{index}];"));
    }
    text.blank();
    text.verbatim(&lines.finish());
    Ok(Body {
        text: text.finish(),
        scope,
        resembles_constant,
        returns_variable,
    })
}

/// A body that is being written.
struct Writing<'m> {
    module: &'m Module,
    function: &'m EmittedFunction,
    graph: &'m Graph,
    checked: bool,
    scope: Scope<'m>,
    resembles_constant: bool,
    returns_variable: bool,
    /// How often each value is used, by others and as a root.
    uses: BTreeMap<Value, usize>,
    /// How each value is written where it is used.
    written: BTreeMap<Value, Expr>,
    /// The arrays that hold each routine's results.
    routines: BTreeMap<Value, Results>,
    lines: Writer,
    /// What temporaries are called that have no name of their own.
    label: String,
}

/// The arrays that hold a routine's results: the first `split` ones, then the others.
struct Results {
    first: String,
    split: u32,
    second: String,
}

/// An output that is ready to be written.
struct Output {
    /// The temporaries that it is the first to need.
    lines: String,
    expression: Expr,
}

impl<'m> Writing<'m> {
    fn run(&mut self) -> Result<(), EmitError> {
        let function = self.function;
        let checks: &'m [Check] = if self.checked {
            &function.body.checks
        } else {
            &[]
        };
        let of_checks = checks
            .iter()
            .flat_map(|c| [Some(c.value), c.scale])
            .flatten();
        let roots: Vec<Value> = of_checks
            .chain(function.body.outputs.iter().copied())
            .collect();
        let order = schedule(self.graph, &roots);
        let operands = order
            .iter()
            .flat_map(|&value| self.graph.op(value).operands());
        for value in operands.chain(roots.iter().copied()) {
            *self.uses.entry(value).or_default() += 1;
        }
        let mut order = order.into_iter();
        let mut done = BTreeSet::new();
        for check in checks {
            for (value, label) in [(Some(check.value), "divisor"), (check.scale, "scale")] {
                label.clone_into(&mut self.label);
                self.steps(value, &mut order, &mut done)?;
            }
            self.check(check)?;
        }
        let mut outputs = Vec::new();
        for (index, &value) in function.body.outputs.iter().enumerate() {
            self.label = self.output_name(index);
            let before = std::mem::replace(&mut self.lines, Writer::inside());
            self.steps(Some(value), &mut order, &mut done)?;
            let lines = std::mem::replace(&mut self.lines, before).finish();
            let expression = self.operand(value)?;
            outputs.push(Output { lines, expression });
        }
        self.outputs(&outputs);
        Ok(())
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
        }
        Ok(())
    }

    fn step(&mut self, value: Value) -> Result<(), EmitError> {
        let graph = self.graph;
        let written = match graph.op(value) {
            Op::Constant(number) => {
                let number = nearest_f64(number).ok_or_else(|| EmitError::Overflow {
                    number: number.to_string(),
                })?;
                self.resembles_constant |= resembles_constant(number);
                Expr::number(number)
            }
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
            Op::Unary(..) | Op::Binary(..) | Op::Select { .. } => {
                let composed = self.composed(value)?;
                self.written.insert(value, composed);
                if self.needs_name(value) {
                    self.name(value)?;
                }
                return Ok(());
            }
        };
        self.written.insert(value, written);
        Ok(())
    }

    /// The expression of an instruction, its operands named where it would not be plain otherwise.
    fn composed(&mut self, value: Value) -> Result<Expr, EmitError> {
        let op = self.graph.op(value);
        let math = self.module.math;
        loop {
            let operands: Vec<Value> = op.operands().collect();
            let written = operands.iter().map(|&operand| self.operand(operand));
            let written = written.collect::<Result<Vec<Expr>, _>>()?;
            let (kind, composed) = match (op, written.as_slice()) {
                (Op::Unary(op, _), [a]) => (None, Expr::unary(*op, a, math)),
                (Op::Binary(op, ..), [a, b]) => (Some(*op), Expr::binary(*op, a, b, math)),
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
        if self.function.body.outputs.contains(&value) {
            let tail = self.function.output == Shape::Scalar && !self.checked;
            return written.choice().is_some() && !tail;
        }
        self.graph.name_of(value).is_some()
    }

    /// Makes a value a temporary.
    fn name(&mut self, value: Value) -> Result<(), EmitError> {
        let written = self.operand(value)?;
        let name = self.scope.temporary(value, &self.label);
        let head = format!("let {name}{} =", written.annotation());
        match written.choice() {
            Some(choice) => self.select(&head, choice, ";"),
            None => self.assign(&head, &written),
        }
        self.written.insert(value, Expr::atom(name));
        Ok(())
    }

    /// How an operand is written.
    fn operand(&self, value: Value) -> Result<Expr, EmitError> {
        let scalar = self.graph.op(value).is_scalar();
        let written = self.written.get(&value).filter(|_| scalar);
        written.cloned().ok_or_else(|| self.not_a_number())
    }

    /// Operands of a call or a routine: named if they are wide, or if all together are.
    fn arguments(&mut self, values: &[Value], together: usize) -> Result<Vec<String>, EmitError> {
        for &value in values {
            let written = self.operand(value)?;
            if !written.is_atom() && (!written.fits_into(None) || width(written.text()) > NARROW) {
                self.name(value)?;
            }
        }
        loop {
            let written = values.iter().map(|&value| self.operand(value));
            let written = written.collect::<Result<Vec<Expr>, _>>()?;
            let total: usize = written.iter().map(|e| width(e.text()) + 2).sum();
            let candidates = values.iter().zip(&written).filter(|(_, e)| !e.is_atom());
            match candidates.max_by_key(|(_, e)| width(e.text())) {
                Some((&value, _)) if total > together => self.name(value)?,
                _ => return Ok(written.iter().map(Expr::to_string).collect()),
            }
        }
    }

    fn check(&mut self, check: &Check) -> Result<(), EmitError> {
        let condition = check.condition as usize;
        let Some(known) = self.module.conditions.get(condition) else {
            return Err(self.unknown_condition());
        };
        let mut operands = vec![check.value];
        operands.extend(check.scale);
        let written = self.arguments(&operands, 50)?;
        let divisor = written.first().map_or("", String::as_str);
        let scale = written.get(1).map_or("1.0", String::as_str);
        self.lines
            .line(&format!("// singular: {}", one_line(&known.text)));
        self.lines
            .line(&format!("check({condition}, {divisor}, {scale})?;"));
        Ok(())
    }

    fn call(&mut self, value: Value, function: u32, args: &[Value]) -> Result<(), EmitError> {
        let user = self.module.functions_trait.get(function as usize);
        let Some(user) = user.filter(|user| user.args.len() == args.len()) else {
            return Err(self.unknown_function(function));
        };
        let args = self.arguments(args, 60)?;
        let wanted = self.graph.name_of(value).unwrap_or(&user.name);
        let name = self.scope.claim(&snake(wanted));
        let functions = self.scope.argument(Argument::Functions);
        let head = format!("let {name} =");
        let method = identifier(&user.name);
        self.lines
            .call(&head, ["Functions", functions, &method], &args);
        self.written.insert(value, Expr::atom(name));
        Ok(())
    }

    fn jet(&self, call: Value, part: Part) -> Result<Expr, EmitError> {
        let (Op::Call { function, args }, Some(jet)) =
            (self.graph.op(call), self.written.get(&call))
        else {
            return Err(self.not_a_number());
        };
        let user = self.module.functions_trait.get(*function as usize);
        let order = user.map_or(0, |user| user.order);
        let arity = args.len() as u32;
        let known = match part {
            Part::Value => true,
            Part::Gradient(i) => order >= 1 && i < arity,
            Part::Hessian(i, j) => order >= 2 && i < arity && j < arity,
        };
        if !known {
            return Err(self.unknown_function(*function));
        }
        Ok(Expr::atom(match part {
            Part::Value if order == 0 => jet.to_string(),
            Part::Value => format!("{jet}.value"),
            Part::Gradient(i) => format!("{jet}.gradient[{i}]"),
            Part::Hessian(i, j) => format!("{jet}.hessian[{i}][{j}]"),
        }))
    }

    fn routine(
        &mut self,
        value: Value,
        kind: RoutineKind,
        operands: &[Value],
    ) -> Result<(), EmitError> {
        if operands.len() != kind.operands() {
            return Err(self.not_a_number());
        }
        let condition = match self.function.routine_condition {
            Some(condition) if (condition as usize) < self.module.conditions.len() => condition,
            _ if self.checked => return Err(self.unknown_condition()),
            _ => 0,
        };
        // Named one by one: array literals have a line for each.
        let written = self.arguments(operands, usize::MAX)?;
        let mut rest = written.as_slice();
        let mut passed = Vec::new();
        for (name, rows, columns) in arrays(kind) {
            let (mine, later) = rest.split_at(rows * columns.unwrap_or(1));
            rest = later;
            let items = match columns {
                Some(columns) => Item::rows(mine, columns),
                None => Item::texts(mine),
            };
            let name = self.scope.claim(name);
            self.lines.array(&format!("let {name} = "), &items, ";");
            passed.push(format!("&{name}"));
        }
        let hint = self.graph.name_of(value).map(snake);
        let results = self.results(value, kind, hint);
        let pattern = match kind {
            RoutineKind::MinimumNorm { .. } => results.first.clone(),
            RoutineKind::Constrained { .. } => format!("({}, {})", results.first, results.second),
        };
        let (routine, sizes) = match kind {
            RoutineKind::MinimumNorm { rows, cols } => ("minimum_norm", [rows, cols]),
            RoutineKind::Constrained { n, m } => ("constrained", [n, m]),
        };
        let [one, two] = sizes;
        let passed = passed.join(", ");
        self.lines.assign(
            &format!("let {pattern} ="),
            &if self.checked {
                format!("solved({condition}, {routine}::<{one}, {two}>({passed}))?")
            } else {
                format!("{routine}_or_nan::<{one}, {two}>({passed})")
            },
            None,
        );
        self.routines.insert(value, results);
        Ok(())
    }

    /// Names for the arrays of results; `_` for one that nothing reads.
    fn results(&mut self, value: Value, kind: RoutineKind, hint: Option<String>) -> Results {
        let (names, split) = match kind {
            RoutineKind::MinimumNorm { cols, .. } => (["solution", ""], cols),
            RoutineKind::Constrained { n, .. } => (["accelerations", "multipliers"], n),
        };
        let end = kind.results() as u32;
        let [first, second] =
            [(0..split, names[0]), (split..end, names[1])].map(|(range, name)| {
                let read = range.into_iter().any(|index| {
                    let element = Op::Element {
                        routine: value,
                        index,
                    };
                    let element = self.graph.find(&element);
                    element.is_some_and(|element| self.uses.contains_key(&element))
                });
                let name = hint.as_deref().filter(|_| name == names[0]).unwrap_or(name);
                if read {
                    self.scope.claim(name)
                } else {
                    "_".to_owned()
                }
            });
        Results {
            first,
            split,
            second,
        }
    }

    fn element(&self, routine: Value, index: u32) -> Result<Expr, EmitError> {
        let Op::Routine { kind, .. } = self.graph.op(routine) else {
            return Err(self.not_a_number());
        };
        let Some(results) = self.routines.get(&routine) else {
            return Err(self.not_a_number());
        };
        if index as usize >= kind.results() {
            return Err(self.not_a_number());
        }
        Ok(Expr::atom(match index.checked_sub(results.split) {
            None => format!("{}[{index}]", results.first),
            Some(index) => format!("{}[{index}]", results.second),
        }))
    }

    /// Writes what the outputs need, the outputs, and the result.
    fn outputs(&mut self, outputs: &[Output]) {
        let shape = self.function.output;
        let texts: Vec<&str> = outputs.iter().map(|o| o.expression.text()).collect();
        let literal = match shape {
            Shape::Scalar => texts.first().map(|text| (*text).to_owned()),
            Shape::Array(_) => Some(format!("[{}]", texts.join(", "))),
            Shape::Matrix(_, 0) | Shape::Matrix(0, _) => None,
            Shape::Matrix(_, columns) => {
                let rows = texts
                    .chunks(columns)
                    .map(|row| format!("[{}]", row.join(", ")));
                Some(format!("[{}]", rows.collect::<Vec<_>>().join(", ")))
            }
        };
        let short = literal.filter(|text| shape == Shape::Scalar || width(text) <= RESULT);
        match short {
            Some(text) => {
                for output in outputs {
                    self.lines.verbatim(&output.lines);
                }
                match outputs {
                    [output] if shape == Shape::Scalar => self.tail(&output.expression),
                    _ => self.tail(&Expr::atom(text)),
                }
            }
            None => self.assignments(outputs),
        }
    }

    /// The outputs that are not zero as assignments to the entries of an array.
    fn assignments(&mut self, outputs: &[Output]) {
        let zeros = match self.function.output {
            Shape::Scalar => "0.0".to_owned(),
            Shape::Array(length) => format!("[0.0; {length}]"),
            Shape::Matrix(rows, columns) => format!("[[0.0; {columns}]; {rows}]"),
        };
        let values = &self.function.body.outputs;
        if values.iter().all(|&value| self.graph.is_zero(value)) {
            self.tail(&Expr::atom(zeros));
            return;
        }
        let is_array = matches!(self.function.output, Shape::Array(_));
        let out = self.scope.claim("out");
        self.lines.line(&format!("let mut {out} = {zeros};"));
        let apart = outputs.iter().any(|output| !output.lines.is_empty());
        for (index, (output, &value)) in outputs.iter().zip(values).enumerate() {
            if self.graph.is_zero(value) {
                continue;
            }
            let label = self.function.output_labels.get(index);
            let label = label.map_or(String::new(), |label| one_line(label));
            let long = !output.lines.is_empty();
            if long || apart && is_array {
                self.lines.blank();
            }
            if !label.is_empty() && (long || is_array) {
                self.lines.line(&format!("// {label}"));
            }
            self.lines.verbatim(&output.lines);
            let entry = match self.function.output {
                Shape::Matrix(_, columns) => format!("[{}][{}]", index / columns, index % columns),
                _ => format!("[{index}]"),
            };
            let head = format!("{out}{entry} =");
            self.assign(&head, &output.expression);
        }
        if apart {
            self.lines.blank();
        }
        self.tail(&Expr::atom(out));
    }

    /// The function's result.
    fn tail(&mut self, result: &Expr) {
        match result.choice() {
            _ if self.checked && width(result.text()) > RESULT => {
                let name = self.scope.claim(&snake(&self.function.name));
                self.assign(&format!("let {name} ="), result);
                self.lines.line(&format!("Ok({name})"));
            }
            _ if self.checked => self.lines.line(&format!("Ok({result})")),
            Some(choice) => self.select("", choice, ""),
            None => {
                // A user's function without derivatives is called in a statement of its own.
                let root = self.function.body.outputs.first();
                let part = root.map(|&root| self.graph.op(root));
                self.returns_variable = self.function.output == Shape::Scalar
                    && matches!(part, Some(Op::Jet { .. }))
                    && !result.text().contains('.');
                self.lines.tail(result.text(), result.operator());
            }
        }
    }

    fn assign(&mut self, head: &str, expression: &Expr) {
        let operator = expression.operator();
        self.lines.assign(head, expression.text(), operator);
    }

    /// A selection; its condition gets a name if the line would be too long.
    fn select(&mut self, head: &str, choice: &Choice, tail: &str) {
        if self.lines.holds(head, choice) {
            return self.lines.select(head, choice, tail);
        }
        let name = self.scope.claim("condition");
        let condition = format!("{} {}", choice.left, choice.right);
        let operator = Some(choice.left.len() + 1);
        self.lines
            .assign(&format!("let {name} ="), &condition, operator);
        let choice = Choice {
            left: name,
            right: String::new(),
            ..choice.clone()
        };
        self.lines.select(head, &choice, tail);
    }

    /// What temporaries that an output is the first to need are called.
    fn output_name(&self, index: usize) -> String {
        let label = self.function.output_labels.get(index);
        match label.filter(|label| !label.trim().is_empty()) {
            Some(label) => snake(label),
            None if self.function.output == Shape::Scalar => snake(&self.function.name),
            None => snake(&format!("{}_{index}", self.function.name)),
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

/// A routine's arguments: name, rows, and columns unless it is a vector.
fn arrays(kind: RoutineKind) -> Vec<(&'static str, usize, Option<usize>)> {
    match kind {
        RoutineKind::MinimumNorm { rows, cols } => {
            let (rows, cols) = (rows as usize, cols as usize);
            vec![("rows", rows, Some(cols)), ("rhs", rows, None)]
        }
        RoutineKind::Constrained { n, m } => {
            let (n, m) = (n as usize, m as usize);
            vec![
                ("mass", n, Some(n)),
                ("force", n, None),
                ("rows", m, Some(n)),
                ("rhs", m, None),
            ]
        }
    }
}

/// Without line breaks, which would end a comment.
fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
