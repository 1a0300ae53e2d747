//! Calls of user functions and of numerical routines, and what they yield.

use super::Writing;
use crate::emit::error::EmitError;
use crate::emit::expr::Expr;
use crate::emit::layout::width;
use crate::emit::module::Scalar;
use crate::emit::names::{identifier, snake};
use crate::emit::scope::Argument;
use crate::emit::tree::{Call, Target, Value as Expression};
use crate::ir::{Comparison, Op, Part, RoutineKind, Value};

/// Widest expression in an argument list or an array literal.
const NARROW: usize = 40;

/// The arrays that hold a routine's results: the first `split` ones, then the others.
pub(super) struct Results {
    first: String,
    split: u32,
    second: String,
}

impl Writing<'_> {
    /// Operands of a call or a routine: named if they are wide, or if all together are.
    pub(super) fn arguments(
        &mut self,
        values: &[Value],
        together: usize,
    ) -> Result<Vec<Expr>, EmitError> {
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
                _ => return Ok(written),
            }
        }
    }

    pub(super) fn call(
        &mut self,
        value: Value,
        function: u32,
        args: &[Value],
    ) -> Result<(), EmitError> {
        let user = self.module.functions_trait.get(function as usize);
        let Some(user) = user.filter(|user| user.args.len() == args.len()) else {
            return Err(self.unknown_function(function));
        };
        let args = self.arguments(args, 60)?;
        let wanted = self.graph.name_of(value).unwrap_or(&user.name);
        let name = self.scope.claim(&snake(wanted));
        let functions = self.scope.argument(Argument::Functions);
        let on = Expr::variable(functions);
        let call = Call {
            on: Some(("Functions", on)),
            ..Call::new(identifier(&user.name), args)
        };
        self.block
            .put(Target::variable(&name), Expression::Call(call));
        self.put(value, Expr::variable(name));
        Ok(())
    }

    /// A selection by a function of the trait, both branches evaluated: what computes with several numbers at once has no single
    /// answer to a comparison.
    pub(super) fn select_generic(&mut self, value: Value) -> Result<(), EmitError> {
        let op = self.graph.op(value);
        let operands: Vec<Value> = op.operands().collect();
        let (Op::Select { test, .. }, &[a, b, then, other]) = (op, operands.as_slice()) else {
            return Err(self.not_a_number());
        };
        let (function, a, b) = match test {
            Comparison::Less => ("T::select_less", a, b),
            Comparison::LessEqual => ("T::select_less_equal", a, b),
            Comparison::Greater => ("T::select_less", b, a),
            Comparison::GreaterEqual => ("T::select_less_equal", b, a),
        };
        let args = self.arguments(&[a, b, then, other], usize::MAX)?;
        let name = self.scope.temporary(value, &self.label);
        let passed: Vec<&str> = args.iter().map(Expr::text).collect();
        let text = format!("{function}({})", passed.join(", "));
        self.texts.insert(value, text);
        let call = Expression::Call(Call::new(function, args));
        self.block.put(Target::variable(&name), call);
        self.put(value, Expr::variable(name));
        Ok(())
    }

    pub(super) fn jet(&self, call: Value, part: Part) -> Result<Expr, EmitError> {
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
        Ok(match part {
            Part::Value if order == 0 => jet.clone(),
            Part::Value => jet.field("value"),
            Part::Gradient(i) => jet.field("gradient").entry(&format!("[{i}]")),
            Part::Hessian(i, j) => jet.field("hessian").entry(&format!("[{i}][{j}]")),
        })
    }

    pub(super) fn routine(
        &mut self,
        value: Value,
        kind: RoutineKind,
        operands: &[Value],
    ) -> Result<(), EmitError> {
        if operands.len() != kind.operands() {
            return Err(self.not_a_number());
        }
        let condition = match self.function.routine_condition {
            Some(condition) if (condition as usize) + 1 < self.module.conditions.len() => condition,
            _ => return Err(self.unknown_condition()),
        };
        // Named one by one: array literals have a line for each.
        let written = self.arguments(operands, usize::MAX)?;
        let mut rest = written.as_slice();
        let mut passed = Vec::new();
        for (name, rows, columns) in arrays(kind) {
            let (mine, later) = rest.split_at(rows * columns.unwrap_or(1));
            rest = later;
            let name = self.scope.claim(name);
            passed.push(Expr::variable(&name).borrowed());
            let array = Expression::Array(mine.to_vec(), columns);
            self.block.put(Target::variable(name), array);
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
        let list: Vec<String> = passed.iter().map(|p| p.text().to_owned()).collect();
        let of = match self.module.scalar {
            Scalar::Generic => "T, ",
            _ => "",
        };
        let list = list.join(", ");
        let call = format!("{routine}::<{of}{one}, {two}>({list})");
        let nan = match self.module.scalar {
            Scalar::Generic => "T::from_f64(f64::NAN)".to_owned(),
            plain => format!("{}::NAN", plain.type_name()),
        };
        let otherwise = match kind {
            RoutineKind::MinimumNorm { cols, .. } => format!("[{nan}; {cols}]"),
            RoutineKind::Constrained { n, m } => format!("([{nan}; {n}], [{nan}; {m}])"),
        };
        let arguments = vec![condition.to_string(), call, otherwise];
        let solved = self.routine_name("solved", ", _");
        let solved = Expr::call(&solved, arguments, &passed).or_fail();
        self.block.set(pattern, solved);
        self.routines.insert(value, results);
        Ok(())
    }

    /// Names for the arrays of results; `_` for one that nothing reads.
    fn results(&mut self, value: Value, kind: RoutineKind, hint: Option<String>) -> Results {
        let (names, split) = match kind {
            RoutineKind::MinimumNorm { cols, .. } => (["solution", ""], cols),
            RoutineKind::Constrained { n, .. } => (["accelerations", "least_multipliers"], n),
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

    pub(super) fn element(&self, routine: Value, index: u32) -> Result<Expr, EmitError> {
        let Op::Routine { kind, .. } = self.graph.op(routine) else {
            return Err(self.not_a_number());
        };
        let Some(results) = self.routines.get(&routine) else {
            return Err(self.not_a_number());
        };
        if index as usize >= kind.results() {
            return Err(self.not_a_number());
        }
        let (array, index) = match index.checked_sub(results.split) {
            None => (&results.first, index),
            Some(index) => (&results.second, index),
        };
        Ok(Expr::variable(array).entry(&format!("[{index}]")))
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
