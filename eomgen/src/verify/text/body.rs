//! The statements of a generated function as steps: `let`s, checks, assignments to the entries of the result, and the result.

use std::collections::{BTreeMap, BTreeSet};

use quote::ToTokens;
use syn::{Expr, Pat, Stmt, Type};

use super::Unreadable;
use super::frame::{Frame, Returned, is_f64, returned, shape, whole};
use super::lines::Lines;
use super::sources::{Source, Sources};
use super::tree::{Check, Function, Module, Shape, Step, StepId, Test};
use crate::verify::number::Elementary;

/// What a name of a function stands for.
#[derive(Clone, Debug)]
pub(super) enum Local {
    /// A number.
    Number(StepId),
    /// A comparison.
    Test(Test, StepId, StepId),
    /// An array, or a matrix row by row with its number of columns.
    Array(Vec<(StepId, u32)>, Shape),
    /// What a user's function with derivatives returns.
    Jet(StepId, u32),
    /// Results of a routine: from which one on, and how many.
    Results(StepId, u32, u32),
    /// The argument `state`.
    State,
    /// An array of the function's own.
    Extra(u32),
    /// The argument with the parameters.
    Params,
    /// The model, field by field.
    Model(BTreeMap<String, StepId>),
    /// The argument with the inputs.
    Inputs,
    /// The argument with the user's functions.
    Functions,
    /// What a function gives that only fills arrays.
    Nothing,
}

impl Local {
    /// The place of the entry `[row][column]` of an array.
    pub(super) fn entry(&self, row: Option<usize>, column: usize) -> Option<usize> {
        match (self, row) {
            (Self::Array(_, Shape::Array(n)), None) if column < *n => Some(column),
            (Self::Array(_, Shape::Matrix(r, c)), Some(row)) if column < *c && row < *r => {
                Some(row * c + column)
            }
            _ => None,
        }
    }
}

/// A function on its way into steps.
pub(super) struct Compiler<'m> {
    pub(super) module: &'m mut Module,
    pub(super) sources: &'m Sources,
    pub(super) function: Function,
    pub(super) frame: Frame,
    pub(super) locals: BTreeMap<String, Local>,
    /// What the numbers of loops are at present.
    pub(super) numbers: BTreeMap<String, usize>,
    /// The functions that are being followed.
    pub(super) calls: Vec<String>,
    /// All that were.
    pub(super) used: BTreeSet<String>,
    pub(super) line: u32,
}

/// Turns a function into steps; with the names of the functions that it calls.
pub(super) fn compile(
    module: &mut Module,
    sources: &Sources,
    of: &Source,
) -> Result<(Function, BTreeSet<String>), Unreadable> {
    let Source {
        sig,
        statements,
        lines,
    } = of;
    let name = sig.ident.to_string();
    let frame = returned(&sig.output);
    let Some((frame, Returned::Numbers(shape))) = frame.map(|frame| (frame, frame.of)) else {
        let found = sig.output.to_token_stream();
        let message = format!("the result type `{found}` is not known");
        return Err(Unreadable::new(lines.head, message));
    };
    let mut compiler = Compiler {
        module,
        sources,
        function: Function {
            name: name.clone(),
            line: lines.head,
            extra: Vec::new(),
            checked: frame.checked,
            steps: Vec::new(),
            lines: Vec::new(),
            checks: Vec::new(),
            finite: None,
            routines: Vec::new(),
            shape,
            outputs: Vec::new(),
            guarded: None,
            part_of: None,
        },
        frame,
        locals: BTreeMap::new(),
        numbers: BTreeMap::new(),
        calls: vec![name],
        used: BTreeSet::new(),
        line: lines.head,
    };
    for argument in &sig.inputs {
        compiler.argument(argument)?;
    }
    let result = compiler.block(statements, lines)?;
    if let Local::Array(outputs, _) = result {
        compiler.function.outputs = outputs;
    }
    if compiler.function.outputs.len() != shape.len() {
        return Err(compiler.unknown("result of", &sig.ident));
    }
    compiler.prune();
    Ok((compiler.function, compiler.used))
}

impl Compiler<'_> {
    pub(super) fn unknown(&self, kind: &str, what: &impl ToTokens) -> Unreadable {
        let text = what.to_token_stream().to_string();
        let text: String = text.chars().take(80).collect();
        Unreadable::new(self.line, format!("the {kind} `{text}` is not known"))
    }

    pub(super) fn push(&mut self, step: Step) -> StepId {
        self.function.steps.push(step);
        self.function.lines.push(self.line);
        (self.function.steps.len() - 1) as StepId
    }

    /// The statements of a function, and its result.
    pub(super) fn block(
        &mut self,
        statements: &[Stmt],
        lines: &Lines,
    ) -> Result<Local, Unreadable> {
        if let Some(results) = self.guarded(statements, lines)? {
            return Ok(results);
        }
        // Statements of unknown kinds may not be counted; they are refused below.
        let counted = Some(lines).filter(|lines| statements.len() == lines.statements.len());
        let head = lines.head;
        let last = statements.len().saturating_sub(1);
        for (i, statement) in statements.iter().enumerate() {
            let line = counted.and_then(|lines| lines.statements.get(i));
            self.line = line.copied().unwrap_or(head);
            match statement {
                Stmt::Local(local) => self.binding(local)?,
                Stmt::Expr(expr, Some(_)) => self.statement(expr)?,
                Stmt::Expr(Expr::ForLoop(of), None) => self.each(of)?,
                Stmt::Expr(expr, None) if i == last => return self.result(expr),
                other => return Err(self.unknown("statement", other)),
            }
        }
        match self.frame.of {
            Returned::Nothing if !self.frame.checked => Ok(Local::Nothing),
            _ => Err(Unreadable::new(head, "a function without a result")),
        }
    }

    fn argument(&mut self, argument: &syn::FnArg) -> Result<(), Unreadable> {
        let typed = match argument {
            syn::FnArg::Typed(typed) => typed,
            syn::FnArg::Receiver(_) if is_lent(argument) => {
                let model = self.model(argument)?;
                return self.bind("self".to_owned(), model, argument);
            }
            syn::FnArg::Receiver(_) => return Err(self.unknown("argument", argument)),
        };
        let Pat::Ident(ident) = &*typed.pat else {
            return Err(self.unknown("argument", argument));
        };
        let name = ident.ident.to_string();
        let of = typed.ty.to_token_stream().to_string().replace(' ', "");
        let local = match of.as_str() {
            "f64" => Local::Number(self.push(Step::Time)),
            "&[f64;STATES]" => Local::State,
            "&Inputs" => Local::Inputs,
            "&implFunctions" => Local::Functions,
            _ => {
                let Some(Shape::Array(length)) = (match &*typed.ty {
                    Type::Reference(reference) => shape(&reference.elem),
                    _ => None,
                }) else {
                    return Err(self.unknown("argument", argument));
                };
                self.function.extra.push((name.clone(), length));
                Local::Extra((self.function.extra.len() - 1) as u32)
            }
        };
        self.bind(name, local, argument)
    }

    /// Gives a name a meaning, once.
    fn bind(&mut self, name: String, local: Local, what: &impl ToTokens) -> Result<(), Unreadable> {
        if self.locals.insert(name, local).is_some() {
            return Err(self.unknown("second meaning in", what));
        }
        Ok(())
    }

    fn binding(&mut self, local: &syn::Local) -> Result<(), Unreadable> {
        let Some(init) = local.init.as_ref().filter(|init| init.diverge.is_none()) else {
            return Err(self.unknown("statement", local));
        };
        if let Pat::Slice(pattern) = &local.pat {
            return self.unpacked(pattern, &init.expr);
        }
        let names: Vec<&Pat> = match &local.pat {
            Pat::Type(typed) if is_f64(&typed.ty) => vec![&*typed.pat],
            Pat::Tuple(tuple) => tuple.elems.iter().collect(),
            other => vec![other],
        };
        let values = self.values(&init.expr)?;
        if names.len() != values.len() {
            return Err(self.unknown("statement", local));
        }
        for (name, value) in names.into_iter().zip(values) {
            match (name, value) {
                (Pat::Wild(_), Local::Results(..)) => {}
                (Pat::Ident(ident), value)
                    if ident.mutability.is_none() || matches!(value, Local::Array(..)) =>
                {
                    self.bind(ident.ident.to_string(), value, local)?;
                }
                _ => return Err(self.unknown("statement", local)),
            }
        }
        Ok(())
    }

    /// `let [x, _, theta, ..] = *state;`
    fn unpacked(&mut self, pattern: &syn::PatSlice, init: &Expr) -> Result<(), Unreadable> {
        let of_state = match init {
            Expr::Unary(unary) if matches!(unary.op, syn::UnOp::Deref(_)) => ident(&unary.expr),
            _ => None,
        };
        let of_state = of_state.and_then(|name| self.locals.get(&name));
        // Of one of many states the entries are at hand.
        let known = match of_state {
            Some(Local::Array(entries, Shape::Array(_))) => Some(entries.clone()),
            _ => None,
        };
        let count = self.module.constant("STATES");
        let length = pattern.elems.len();
        let open = matches!(pattern.elems.last(), Some(Pat::Rest(_)));
        let fits = match count {
            Some(count) if open => length <= count,
            count => count == Some(length),
        };
        let is_state = match &known {
            Some(entries) => Some(entries.len()) == count,
            None => matches!(of_state, Some(Local::State)),
        };
        if !is_state || !fits {
            return Err(self.unknown("pattern", pattern));
        }
        let named = length - usize::from(open);
        for (index, entry) in pattern.elems.iter().take(named).enumerate() {
            match entry {
                Pat::Wild(_) => {}
                Pat::Ident(name)
                    if name.by_ref.is_none()
                        && name.mutability.is_none()
                        && name.subpat.is_none() =>
                {
                    let entry = known.as_ref().and_then(|known| known.get(index));
                    let place = match entry {
                        Some((place, _)) => *place,
                        None => self.push(Step::State(index as u32)),
                    };
                    self.bind(name.ident.to_string(), Local::Number(place), pattern)?;
                }
                _ => return Err(self.unknown("pattern", pattern)),
            }
        }
        Ok(())
    }

    /// What a `let` binds: several values where a routine, or a sine with its cosine, returns them together.
    fn values(&mut self, init: &Expr) -> Result<Vec<Local>, Unreadable> {
        if let Some(both) = self.sin_cos(init)? {
            return Ok(both.map(Local::Number).to_vec());
        }
        if let Some(results) = self.routine(init)? {
            return Ok(results);
        }
        // The other function's failures become one's own.
        let (called, fails) = tried(init);
        if let Some((value, checked)) = self.delegated(called)? {
            if checked != fails || fails && !self.frame.checked {
                return Err(self.unknown("call", init));
            }
            return match value {
                Local::Array(entries, Shape::Scalar) => match entries[..] {
                    [(place, _)] => Ok(vec![Local::Number(place)]),
                    _ => Err(self.unknown("call", init)),
                },
                other => Ok(vec![other]),
            };
        }
        let value = match init {
            Expr::Array(_) | Expr::Repeat(_) => self.array(init)?,
            Expr::Binary(binary) if test(&binary.op).is_some() => {
                let (test, a, b) = self.test(init)?;
                Local::Test(test, a, b)
            }
            Expr::MethodCall(call) if self.is_functions(&call.receiver) => self.user(call)?,
            other => Local::Number(self.number(other)?),
        };
        Ok(vec![value])
    }

    /// `for k in 0..4 { ... }`: the statements for each number in turn.
    fn each(&mut self, of: &syn::ExprForLoop) -> Result<(), Unreadable> {
        let number = match &*of.pat {
            Pat::Ident(name) if name.by_ref.is_none() && name.mutability.is_none() => {
                name.ident.to_string()
            }
            other => return Err(self.unknown("loop over", other)),
        };
        let count = match &*of.expr {
            Expr::Range(range) => {
                let from = range.start.as_deref().and_then(whole);
                let open = matches!(range.limits, syn::RangeLimits::HalfOpen(_));
                let to = range.end.as_deref().and_then(whole);
                to.filter(|to| from == Some(0) && open && *to <= MOST_BRANCHES)
            }
            _ => None,
        };
        let known = self.locals.contains_key(&number) || self.numbers.contains_key(&number);
        let Some(count) = count.filter(|_| !known && of.label.is_none() && of.attrs.is_empty())
        else {
            return Err(self.unknown("loop over", &of.expr));
        };
        let before: BTreeSet<String> = self.locals.keys().cloned().collect();
        for k in 0..count {
            self.numbers.insert(number.clone(), k);
            for statement in &of.body.stmts {
                match statement {
                    Stmt::Local(local) => self.binding(local)?,
                    Stmt::Expr(expr @ Expr::Assign(_), Some(_)) => self.statement(expr)?,
                    other => return Err(self.unknown("statement", other)),
                }
            }
            // What is named within is not known behind.
            self.locals.retain(|name, _| before.contains(name));
        }
        self.numbers.remove(&number);
        Ok(())
    }

    /// `check::<CHECKED>(0, divisor, scale)?;` or `out[0] = value;`
    fn statement(&mut self, expr: &Expr) -> Result<(), Unreadable> {
        let (called, fails) = tried(expr);
        if let Some((value, checked)) = self.delegated(called)? {
            let fits = checked == fails && (!fails || self.frame.checked);
            // What is called for what it refuses may have results.
            return match value {
                Local::Nothing if fits => Ok(()),
                _ if fits && fails => Ok(()),
                _ => Err(self.unknown("call", expr)),
            };
        }
        if let Expr::Call(call) = expr
            && self.is_fixed(&call.func, "sin_cos")
        {
            return self.sines(call);
        }
        match expr {
            Expr::Try(of) => {
                let Expr::Call(call) = &*of.expr else {
                    return Err(self.unknown("statement", expr));
                };
                let arguments: Vec<&Expr> = call.args.iter().collect();
                if let (true, [condition, results]) = (
                    self.is_checking(&call.func, "finite", "CHECKED"),
                    arguments.as_slice(),
                ) {
                    let index = self.condition(condition)?;
                    // It is the last of them.
                    if index as usize + 1 != self.module.conditions.len() {
                        return Err(self.unknown("condition", condition));
                    }
                    self.function.finite = Some(index);
                    return self.tested(results);
                }
                let (true, [condition, divisor, scale]) = (
                    self.is_checking(&call.func, "check", "CHECKED"),
                    arguments.as_slice(),
                ) else {
                    return Err(self.unknown("statement", expr));
                };
                let condition = self.condition(condition)?;
                let divisor = self.number(divisor)?;
                let scale = self.number(scale)?;
                let line = self.line;
                self.function.checks.push(Check {
                    condition,
                    divisor,
                    scale,
                    line,
                });
                Ok(())
            }
            Expr::Assign(assign) => {
                let (target, entry) = self.entry(&assign.left)?;
                let value = self.number(&assign.right)?;
                let line = self.line;
                match self.locals.get_mut(&target) {
                    Some(Local::Array(entries, _)) if entry < entries.len() => {
                        entries[entry] = (value, line);
                        Ok(())
                    }
                    _ => Err(self.unknown("assignment", assign)),
                }
            }
            _ => Err(self.unknown("statement", expr)),
        }
    }

    /// `sin_cos(&angles, &mut sines, &mut cosines);`
    fn sines(&mut self, call: &syn::ExprCall) -> Result<(), Unreadable> {
        let refused = |this: &Self| this.unknown("call", call);
        let [angles, sines, cosines] = call.args.iter().collect::<Vec<_>>()[..] else {
            return Err(refused(self));
        };
        let angles = match angles {
            Expr::Reference(of) if of.mutability.is_none() => ident(&of.expr),
            _ => None,
        };
        let given = angles.and_then(|name| match self.locals.get(&name) {
            Some(Local::Array(entries, Shape::Array(_))) => Some(entries.clone()),
            _ => None,
        });
        let given = given.ok_or_else(|| refused(self))?;
        let functions = [Elementary::Sin, Elementary::Cos];
        for (array, function) in [sines, cosines].into_iter().zip(functions) {
            let name = lent(array).ok_or_else(|| refused(self))?;
            let line = self.line;
            let places = given
                .iter()
                .map(|(angle, _)| Step::Function(function, *angle));
            let places: Vec<Step> = places.collect();
            let places: Vec<(StepId, u32)> = places
                .into_iter()
                .map(|step| (self.push(step), line))
                .collect();
            match self.locals.get_mut(&name) {
                Some(Local::Array(entries, Shape::Array(count))) if *count == places.len() => {
                    *entries = places;
                }
                _ => return Err(refused(self)),
            }
        }
        Ok(())
    }

    /// `&out`, `out.as_flattened()` or `&[value]`: what is tested for being finite has to be there.
    fn tested(&mut self, results: &Expr) -> Result<(), Unreadable> {
        let named = match results {
            Expr::Reference(of) => match &*of.expr {
                Expr::Array(list) => list.elems.first(),
                other => Some(other),
            },
            Expr::MethodCall(call) if call.method == "as_flattened" && call.args.is_empty() => {
                Some(&*call.receiver)
            }
            _ => None,
        };
        let known = named.is_some_and(|expr| match expr {
            Expr::Path(path) => path
                .path
                .get_ident()
                .is_some_and(|name| self.locals.contains_key(&name.to_string())),
            _ => false,
        });
        if known {
            Ok(())
        } else {
            Err(self.unknown("test", results))
        }
    }

    pub(super) fn condition(&self, expr: &Expr) -> Result<u32, Unreadable> {
        let found = whole(expr).filter(|index| *index < self.module.conditions.len());
        let index = found.ok_or_else(|| self.unknown("condition", expr))?;
        Ok(index as u32)
    }

    /// Whether an expression names one of the fixed functions, which the module has to hold.
    pub(super) fn is_fixed(&self, expr: &Expr, name: &str) -> bool {
        let Expr::Path(path) = expr else { return false };
        let [segment] = path.path.segments.iter().collect::<Vec<_>>()[..] else {
            return false;
        };
        segment.ident == name && self.module.fixed.iter().any(|fixed| fixed == name)
    }

    /// The same for one that fails in checked models: its generic arguments say which.
    pub(super) fn is_checking(&self, expr: &Expr, name: &str, arguments: &str) -> bool {
        let text = expr.to_token_stream().to_string().replace(' ', "");
        self.is_fixed(expr, name) && text == format!("{name}::<{arguments}>")
    }

    /// The last expression.
    fn result(&mut self, expr: &Expr) -> Result<Local, Unreadable> {
        let expected = match self.frame.of {
            Returned::Numbers(expected) => expected,
            Returned::Model => return self.struct_of(expr),
            Returned::Nothing => {
                let text = expr.to_token_stream().to_string().replace(' ', "");
                return if self.frame.checked && text == "Ok(())" {
                    Ok(Local::Nothing)
                } else {
                    Err(self.unknown("result", expr))
                };
            }
        };
        if let Some((value, checked)) = self.delegated(expr)? {
            return match &value {
                Local::Array(_, shape) if *shape == expected && checked == self.frame.checked => {
                    Ok(value)
                }
                _ => Err(self.unknown("result", expr)),
            };
        }
        let value = match expr {
            Expr::Call(call) if self.frame.checked => {
                let is_ok = matches!(&*call.func, Expr::Path(path) if path.path.is_ident("Ok"));
                match call.args.iter().collect::<Vec<_>>()[..] {
                    [value] if is_ok => value,
                    _ => return Err(self.unknown("result", expr)),
                }
            }
            _ if self.frame.checked => return Err(self.unknown("result", expr)),
            other => other,
        };
        let whole = ident(value).and_then(|name| self.locals.get(&name).cloned());
        let line = self.line;
        let local = match (whole, value) {
            (Some(local @ Local::Array(..)), _) => local,
            (_, Expr::Array(_) | Expr::Repeat(_)) => self.array(value)?,
            _ => Local::Array(vec![(self.number(value)?, line)], Shape::Scalar),
        };
        match local {
            Local::Array(_, shape) if shape == expected => Ok(local),
            _ => Err(self.unknown("result", expr)),
        }
    }
}

/// Branches beyond which none are counted out.
const MOST_BRANCHES: usize = 1000;

/// Whether an argument is `&self`.
pub(super) fn is_lent(argument: &syn::FnArg) -> bool {
    argument.to_token_stream().to_string().replace(' ', "") == "&self"
}

/// `f(x)?` as `f(x)`, and whether that was so.
pub(super) fn tried(expr: &Expr) -> (&Expr, bool) {
    match expr {
        Expr::Try(of) => (&of.expr, true),
        other => (other, false),
    }
}

/// The name of an array that is handed over to be filled: `&mut work`.
pub(super) fn lent(expr: &Expr) -> Option<String> {
    match expr {
        Expr::Reference(of) if of.mutability.is_some() => ident(&of.expr),
        _ => None,
    }
}

/// The names of a path: `libm::sin`.
pub(super) fn segments(expr: &Expr) -> Option<Vec<String>> {
    let Expr::Path(path) = expr else { return None };
    let segments = path.path.segments.iter();
    Some(segments.map(|s| s.ident.to_string()).collect())
}

/// The name that an expression is.
pub(super) fn ident(expr: &Expr) -> Option<String> {
    match expr {
        Expr::Path(path) => path.path.get_ident().map(ToString::to_string),
        _ => None,
    }
}

pub(super) fn test(op: &syn::BinOp) -> Option<Test> {
    match op {
        syn::BinOp::Lt(_) => Some(Test::Less),
        syn::BinOp::Le(_) => Some(Test::LessEqual),
        syn::BinOp::Gt(_) => Some(Test::Greater),
        syn::BinOp::Ge(_) => Some(Test::GreaterEqual),
        _ => None,
    }
}
