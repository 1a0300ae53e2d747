//! The expressions of a generated function as steps: arithmetic, elementary functions, entries of arrays, selections, calls of the
//! user's functions and of the numerical routines.

use quote::ToTokens;
use syn::punctuated::Punctuated;
use syn::token::Comma;
use syn::{BinOp, Expr, Lit, Member, UnOp};

use super::Unreadable;
use super::body::{Compiler, Local, ident, segments, test};
use super::frame::{indices, whole};
use super::literal::Literal;
use super::tree::{Shape, Step, StepId, Test};
use crate::verify::number::Elementary;

impl Compiler<'_> {
    /// An expression that is a number.
    pub(super) fn number(&mut self, expr: &Expr) -> Result<StepId, Unreadable> {
        match expr {
            Expr::Paren(inner) => self.number(&inner.expr),
            Expr::Group(inner) => self.number(&inner.expr),
            Expr::Lit(lit) => self.literal(lit),
            Expr::Unary(unary) if matches!(unary.op, UnOp::Neg(_)) => {
                let a = self.number(&unary.expr)?;
                Ok(self.push(Step::Negative(a)))
            }
            Expr::Binary(binary) => {
                let of: fn(StepId, StepId) -> Step = match binary.op {
                    BinOp::Add(_) => Step::Sum,
                    BinOp::Sub(_) => Step::Difference,
                    BinOp::Mul(_) => Step::Product,
                    BinOp::Div(_) => Step::Quotient,
                    _ => return Err(self.unknown("operation", expr)),
                };
                let (a, b) = (self.number(&binary.left)?, self.number(&binary.right)?);
                Ok(self.push(of(a, b)))
            }
            Expr::Path(_) => self.name(expr),
            Expr::Field(field) => self.field(field, expr),
            Expr::Index(index) => self.index(index, expr),
            Expr::MethodCall(call) if self.is_functions(&call.receiver) => match self.user(call)? {
                Local::Number(place) => Ok(place),
                _ => Err(self.unknown("expression", expr)),
            },
            Expr::MethodCall(call) => self.method(call),
            Expr::Call(call) => self.call(call),
            Expr::If(choice) => self.select(choice, expr),
            _ => Err(self.unknown("expression", expr)),
        }
    }

    fn literal(&mut self, lit: &syn::ExprLit) -> Result<StepId, Unreadable> {
        let Lit::Float(float) = &lit.lit else {
            return Err(self.unknown("number", lit));
        };
        let known = Literal::read(float.base10_digits(), self.module.precision);
        let known = known.filter(|_| matches!(float.suffix(), "" | "f64"));
        let literal = known.ok_or_else(|| self.unknown("number", lit))?;
        self.module.literals.push(literal);
        let index = (self.module.literals.len() - 1) as u32;
        Ok(self.push(Step::Literal(index)))
    }

    fn name(&mut self, expr: &Expr) -> Result<StepId, Unreadable> {
        let name = ident(expr).ok_or_else(|| self.unknown("name", expr))?;
        match self.locals.get(&name) {
            Some(Local::Number(place)) => Ok(*place),
            None if self.is_fixed(expr, "PI") => Ok(self.push(Step::Pi)),
            _ => Err(self.unknown("name", expr)),
        }
    }

    /// `self.m`, `p.m`, `inputs.f`, `g.value`, `sincos(theta).0`
    fn field(&mut self, field: &syn::ExprField, expr: &Expr) -> Result<StepId, Unreadable> {
        if let Member::Unnamed(entry) = &field.member
            && let Some(both) = self.sin_cos(&field.base)?
        {
            let one = both.get(entry.index as usize).copied();
            return one.ok_or_else(|| self.unknown("field", expr));
        }
        let (Some(base), Member::Named(member)) = (ident(&field.base), &field.member) else {
            return Err(self.unknown("field", expr));
        };
        let at = |names: &[String]| {
            let found = names.iter().position(|name| member == name);
            found.map(|index| index as u32)
        };
        let step = match self.locals.get(&base) {
            Some(Local::Params) => at(&self.module.params.names).map(Step::Param),
            Some(Local::Model(fields)) => {
                let place = fields.get(&member.to_string()).copied();
                return place.ok_or_else(|| self.unknown("field", expr));
            }
            Some(Local::Inputs) => at(&self.module.inputs.names).map(Step::Input),
            Some(Local::Jet(call, _)) if member == "value" => Some(Step::Value(*call)),
            _ => None,
        };
        let step = step.ok_or_else(|| self.unknown("field", expr))?;
        Ok(self.push(step))
    }

    /// `state[0]`, `solution[1]`, `rows[0][1]`, `g.gradient[0]`, `g.hessian[0][1]`
    fn index(&mut self, outer: &syn::ExprIndex, expr: &Expr) -> Result<StepId, Unreadable> {
        let step = indices(outer, |e| self.counted(e)).and_then(|(base, first, last)| match base {
            Expr::Field(field) => self.jet_entry(field, first, last).map(Err),
            _ => {
                let local = self.locals.get(&ident(base)?)?;
                match local {
                    Local::Array(entries, _) => Some(Ok(entries.get(local.entry(first, last)?)?.0)),
                    _ if first.is_some() => None,
                    _ => self.argument_entry(local, last).map(Err),
                }
            }
        });
        match step.ok_or_else(|| self.unknown("entry", expr))? {
            Ok(known) => Ok(known),
            Err(step) => Ok(self.push(step)),
        }
    }

    /// An entry of an argument, or of the results of a routine.
    fn argument_entry(&self, local: &Local, index: usize) -> Option<Step> {
        // The number of states is a constant of the module.
        let (step, count) = match *local {
            Local::State => (Step::State(index as u32), self.module.constant("STATES")?),
            Local::Extra(array) => {
                let length = self.function.extra.get(array as usize)?.1;
                (Step::Extra(array, index as u32), length)
            }
            Local::Results(routine, from, count) => {
                (Step::Element(routine, from + index as u32), count as usize)
            }
            _ => return None,
        };
        (index < count).then_some(step)
    }

    /// A derivative that a user's function returned.
    fn jet_entry(&self, of: &syn::ExprField, first: Option<usize>, last: usize) -> Option<Step> {
        let (Some(Local::Jet(call, function)), Member::Named(member)) =
            (self.locals.get(&ident(&of.base)?), &of.member)
        else {
            return None;
        };
        let user = self.module.user_functions.get(*function as usize)?;
        let inside = |i: usize| i < user.arguments;
        match first {
            None if member == "gradient" && inside(last) => {
                Some(Step::Gradient(*call, last as u32))
            }
            Some(first)
                if member == "hessian" && user.order == 2 && inside(first) && inside(last) =>
            {
                Some(Step::Hessian(*call, first as u32, last as u32))
            }
            _ => None,
        }
    }

    /// Whether an expression is the argument with the user's functions.
    pub(super) fn is_functions(&self, expr: &Expr) -> bool {
        let local = ident(expr).and_then(|name| self.locals.get(&name));
        matches!(local, Some(Local::Functions))
    }

    /// A call of a user's function.
    pub(super) fn user(&mut self, call: &syn::ExprMethodCall) -> Result<Local, Unreadable> {
        let users = self.module.user_functions.iter();
        let found = users.enumerate().find(|(_, user)| call.method == user.name);
        let found = found.filter(|(_, user)| user.arguments == call.args.len());
        let Some((function, user)) = found.filter(|_| call.turbofish.is_none()) else {
            return Err(self.unknown("call", call));
        };
        let (function, order) = (function as u32, user.order);
        let arguments = self.all(&call.args)?;
        let called = self.push(Step::Call {
            function,
            arguments,
        });
        Ok(match order {
            0 => Local::Number(self.push(Step::Value(called))),
            _ => Local::Jet(called, function),
        })
    }

    /// `theta.sin_cos()`, `libm::sincos(theta)`, `sincos(theta)` with the text that belongs to it: sine and cosine; `None` if the
    /// expression is something else.
    pub(super) fn sin_cos(&mut self, expr: &Expr) -> Result<Option<[StepId; 2]>, Unreadable> {
        let angle = match expr {
            Expr::MethodCall(call) if call.method == "sin_cos" && call.args.is_empty() => {
                &*call.receiver
            }
            Expr::Call(call) if call.args.len() == 1 => {
                let names = segments(&call.func).unwrap_or_default();
                if names != ["libm", "sincos"] && !self.is_fixed(&call.func, "sincos") {
                    return Ok(None);
                }
                &call.args[0]
            }
            _ => return Ok(None),
        };
        let angle = self.number(angle)?;
        let both = [Elementary::Sin, Elementary::Cos];
        Ok(Some(both.map(|f| self.push(Step::Function(f, angle)))))
    }

    fn method(&mut self, call: &syn::ExprMethodCall) -> Result<StepId, Unreadable> {
        let name = call.method.to_string();
        let a = self.number(&call.receiver)?;
        if name == "powi" && call.args.len() == 1 {
            let exponent = exponent_of(&call.args[0]);
            let exponent = exponent.ok_or_else(|| self.unknown("method", call))?;
            return Ok(self.push(Step::Power(a, exponent)));
        }
        let arguments = self.all(&call.args)?;
        let step = match (name.as_str(), arguments.as_slice()) {
            ("min", [b]) => Some(Step::Min(a, *b)),
            ("max", [b]) => Some(Step::Max(a, *b)),
            ("abs", []) => Some(Step::Abs(a)),
            // Doubles have no method of this name; the trait of other numbers has.
            ("sign", []) if self.module.is_generic => Some(Step::Sign(a)),
            ("atan2", [b]) => Some(Step::Function2(Elementary::Atan2, a, *b)),
            ("powf", [b]) => Some(Step::Function2(Elementary::Pow, a, *b)),
            (name, []) => function(name, self.below(name, a)),
            _ => None,
        };
        let step = step.ok_or_else(|| self.unknown("method", call))?;
        Ok(self.push(step))
    }

    /// `sign(x)`, `libm::sin(x)`
    fn call(&mut self, call: &syn::ExprCall) -> Result<StepId, Unreadable> {
        let segments = segments(&call.func).ok_or_else(|| self.unknown("call", call))?;
        let arguments = self.all(&call.args)?;
        let names: Vec<&str> = segments.iter().map(String::as_str).collect();
        let step = match (names.as_slice(), arguments.as_slice()) {
            (["sign"], [a]) if self.is_fixed(&call.func, "sign") => Some(Step::Sign(*a)),
            (["f64", "mul_add"] | ["libm", "fma"], [a, b, c]) => {
                let product = self.push(Step::Product(*a, *b));
                Some(Step::Sum(product, *c))
            }
            (["libm", "log"], [a]) => Some(Step::Function(Elementary::Ln, *a)),
            (["libm", "ln"], _) => None,
            (["libm", name], [a]) => function(name, self.below(name, *a)),
            (["libm", "atan2"], [a, b]) => Some(Step::Function2(Elementary::Atan2, *a, *b)),
            (["libm", "pow"], [a, b]) => Some(Step::Function2(Elementary::Pow, *a, *b)),
            _ => None,
        };
        let step = step.ok_or_else(|| self.unknown("call", call))?;
        Ok(self.push(step))
    }

    /// `a < b`, or a name that stands for it.
    pub(super) fn test(&mut self, expr: &Expr) -> Result<(Test, StepId, StepId), Unreadable> {
        if let Some(Local::Test(test, a, b)) = ident(expr).and_then(|name| self.locals.get(&name)) {
            return Ok((*test, *a, *b));
        }
        let Expr::Binary(binary) = expr else {
            return Err(self.unknown("comparison", expr));
        };
        let Some(test) = test(&binary.op) else {
            return Err(self.unknown("comparison", expr));
        };
        Ok((
            test,
            self.number(&binary.left)?,
            self.number(&binary.right)?,
        ))
    }

    fn select(&mut self, choice: &syn::ExprIf, expr: &Expr) -> Result<StepId, Unreadable> {
        let (test, a, b) = self.test(&choice.cond)?;
        let other = choice
            .else_branch
            .as_ref()
            .and_then(|(_, other)| match &**other {
                Expr::Block(other) => only(&other.block),
                _ => None,
            });
        let (Some(then), Some(other)) = (only(&choice.then_branch), other) else {
            return Err(self.unknown("selection", expr));
        };
        let (then, other) = (self.number(then)?, self.number(other)?);
        Ok(self.push(Step::Select(test, [a, b, then, other])))
    }

    /// What stands below a root. `if x < 0.0 { 0.0 } else { x }` there is x wherever x has a root.
    fn below(&self, name: &str, a: StepId) -> StepId {
        match self.function.steps.get(a as usize) {
            Some(Step::Select(Test::Less, [x, least, then, other]))
                if name == "sqrt"
                    && x == other
                    && self.is_literal(*least, 0)
                    && self.is_literal(*then, 0) =>
            {
                *x
            }
            _ => a,
        }
    }

    /// Expressions that are numbers.
    fn all(&mut self, list: &Punctuated<Expr, Comma>) -> Result<Vec<StepId>, Unreadable> {
        list.iter().map(|e| self.number(e)).collect()
    }

    /// The results of a numerical routine; `None` if the expression is something else.
    pub(super) fn routine(&mut self, expr: &Expr) -> Result<Option<Vec<Local>>, Unreadable> {
        let Expr::Try(of) = expr else { return Ok(None) };
        let Expr::Call(solved) = &*of.expr else {
            return Ok(None);
        };
        if !self.is_checking(&solved.func, "solved", "CHECKED,_") {
            return Ok(None);
        }
        let [condition, Expr::Call(call), otherwise] = solved.args.iter().collect::<Vec<_>>()[..]
        else {
            return Err(self.unknown("call", expr));
        };
        let condition = self.condition(condition)?;
        let is_constrained = self.is_fixed(&call.func, "constrained");
        if !is_constrained && !self.is_fixed(&call.func, "minimum_norm") {
            return Err(self.unknown("routine", expr));
        }
        let (one, two) = sizes(&call.func).ok_or_else(|| self.unknown("routine", expr))?;
        let (shapes, operands) = self.matrices(&call.args)?;
        let (expected, step, counts) = if is_constrained {
            let (n, m) = (one, two);
            let expected = vec![matrix(n, n), Shape::Array(n), matrix(m, n), Shape::Array(m)];
            (expected, Step::Constrained { n, m, operands }, vec![n, m])
        } else {
            let step = Step::MinimumNorm {
                rows: one,
                columns: two,
                operands,
            };
            (vec![matrix(one, two), Shape::Array(one)], step, vec![two])
        };
        // What an unchecked model has in place of them.
        let nan: Vec<String> = counts.iter().map(|n| format!("[f64::NAN;{n}]")).collect();
        let stated = otherwise.to_token_stream().to_string().replace(' ', "");
        let stands = match nan.as_slice() {
            [only] => stated == *only,
            all => stated == format!("({})", all.join(",")),
        };
        if shapes != expected || !stands {
            return Err(self.unknown("routine", expr));
        }
        let place = self.push(step);
        self.function.routines.push((place, condition));
        let mut from = 0;
        let results = counts.into_iter().map(|count| {
            from += count as u32;
            Local::Results(place, from - count as u32, count as u32)
        });
        Ok(Some(results.collect()))
    }

    /// The shapes and the entries of arrays that are handed to a routine.
    fn matrices(
        &self,
        list: &Punctuated<Expr, Comma>,
    ) -> Result<(Vec<Shape>, Vec<StepId>), Unreadable> {
        let (mut shapes, mut operands) = (Vec::new(), Vec::new());
        for argument in list {
            let array = match argument {
                Expr::Reference(reference) => ident(&reference.expr),
                _ => None,
            };
            let Some(Local::Array(entries, shape)) = array.and_then(|a| self.locals.get(&a)) else {
                return Err(self.unknown("argument", argument));
            };
            operands.extend(entries.iter().map(|entry| entry.0));
            shapes.push(*shape);
        }
        Ok((shapes, operands))
    }
}

/// The shape of a matrix; an empty one has no rows to tell its columns.
fn matrix(rows: usize, columns: usize) -> Shape {
    match rows {
        0 => Shape::Array(0),
        _ => Shape::Matrix(rows, columns),
    }
}

/// The expression that a block is.
fn only(block: &syn::Block) -> Option<&Expr> {
    match block.stmts.as_slice() {
        [syn::Stmt::Expr(value, None)] => Some(value),
        _ => None,
    }
}

fn exponent_of(expr: &Expr) -> Option<i32> {
    match expr {
        Expr::Unary(unary) if matches!(unary.op, UnOp::Neg(_)) => {
            i32::try_from(whole(&unary.expr)?).ok().map(|e| -e)
        }
        other => i32::try_from(whole(other)?).ok(),
    }
}

/// The two numbers of `routine::<2, 3>`.
fn sizes(function: &Expr) -> Option<(usize, usize)> {
    let Expr::Path(path) = function else {
        return None;
    };
    let syn::PathArguments::AngleBracketed(arguments) = &path.path.segments.last()?.arguments
    else {
        return None;
    };
    let size = |argument: &syn::GenericArgument| match argument {
        syn::GenericArgument::Const(expr) => whole(expr),
        _ => None,
    };
    match arguments.args.iter().collect::<Vec<_>>()[..] {
        [one, two] => Some((size(one)?, size(two)?)),
        _ => None,
    }
}

/// A function of one number by the name that it has in `f64` and in `libm`.
fn function(name: &str, a: StepId) -> Option<Step> {
    let elementary = match name {
        "sqrt" => Elementary::Sqrt,
        "sin" => Elementary::Sin,
        "cos" => Elementary::Cos,
        "tan" => Elementary::Tan,
        "asin" => Elementary::Asin,
        "acos" => Elementary::Acos,
        "atan" => Elementary::Atan,
        "sinh" => Elementary::Sinh,
        "cosh" => Elementary::Cosh,
        "tanh" => Elementary::Tanh,
        "exp" => Elementary::Exp,
        "ln" => Elementary::Ln,
        "asinh" => return Some(Step::Asinh(a)),
        "acosh" => return Some(Step::Acosh(a)),
        "atanh" => return Some(Step::Atanh(a)),
        _ => return None,
    };
    Some(Step::Function(elementary, a))
}
