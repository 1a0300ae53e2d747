//! Calls between functions of a generated module, followed into the text of the function that is called: its steps become the
//! caller's, with the lines where they stand. The model is followed into its constructor the same way.

use std::collections::{BTreeMap, BTreeSet};

use quote::ToTokens;
use syn::{Expr, FnArg, Member, Pat};

use super::Unreadable;
use super::body::{Compiler, Local, ident, is_lent, lent};
use super::frame::{Returned, returned, shape};
use super::sources::Source;
use super::tree::StepId;

/// How deep calls may be nested.
const DEEPEST: usize = 8;

/// What following a call yields.
type Followed = (Local, bool, Vec<Option<Local>>);

impl Compiler<'_> {
    /// What a call of another function gives, and whether as a `Result`; `None` if the expression is something else.
    pub(super) fn delegated(&mut self, expr: &Expr) -> Result<Option<(Local, bool)>, Unreadable> {
        let Expr::MethodCall(call) = expr else {
            return Ok(None);
        };
        let on = ident(&call.receiver).filter(|name| name == "self" && call.turbofish.is_none());
        let Some(model) = on.and_then(|name| self.locals.get(&name).cloned()) else {
            return Ok(None);
        };
        let sources = self.sources;
        let name = call.method.to_string();
        let Some(source) = sources.methods.get(&name) else {
            return Ok(None);
        };
        let mut arguments = vec![model];
        for argument in &call.args {
            arguments.push(self.passed(argument)?);
        }
        let (result, checked, filled) = self.follow(&name, source, arguments, expr)?;
        for (argument, array) in call.args.iter().zip(filled.into_iter().skip(1)) {
            if let (Some(name), Some(array)) = (lent(argument), array) {
                self.locals.insert(name, array);
            }
        }
        Ok(Some((result, checked)))
    }

    /// The model that belongs to the parameters.
    pub(super) fn model(&mut self, what: &impl ToTokens) -> Result<Local, Unreadable> {
        let sources = self.sources;
        let Some((name, source)) = &sources.constructor else {
            return Err(self.unknown("argument", what));
        };
        let given = if source.sig.inputs.is_empty() {
            Vec::new()
        } else {
            vec![Local::Params]
        };
        let made = self.follow(name, source, given, what)?;
        Ok(made.0)
    }

    /// An argument, which is one of the caller's own.
    fn passed(&self, expr: &Expr) -> Result<Local, Unreadable> {
        let name = ident(expr).or_else(|| lent(expr));
        let local = name.and_then(|name| self.locals.get(&name).cloned());
        // Arrays are handed over to be filled, everything else to be read.
        match local {
            Some(local) if matches!(local, Local::Array(..)) == lent(expr).is_some() => Ok(local),
            _ => Err(self.unknown("argument", expr)),
        }
    }

    /// Runs through the statements of another function: its result, whether as a `Result`, and what became of its arguments that
    /// are arrays.
    fn follow(
        &mut self,
        name: &str,
        source: &Source,
        arguments: Vec<Local>,
        what: &impl ToTokens,
    ) -> Result<Followed, Unreadable> {
        let found = returned(&source.sig.output);
        let fits = self.calls.len() < DEEPEST && source.sig.inputs.len() == arguments.len();
        let Some(frame) = found.filter(|_| fits && !self.calls.iter().any(|n| n == name)) else {
            return Err(self.unknown("call", what));
        };
        let mut locals = BTreeMap::new();
        let mut names = Vec::new();
        for (argument, local) in source.sig.inputs.iter().zip(arguments) {
            let bound = self.bound(argument, &local);
            let name = bound.ok_or_else(|| self.unknown("argument of", what))?;
            names.push(name.clone());
            if locals.insert(name, local).is_some() {
                return Err(self.unknown("argument of", what));
            }
        }
        self.used.insert(name.to_owned());
        self.calls.push(name.to_owned());
        let outer = (
            std::mem::replace(&mut self.locals, locals),
            std::mem::replace(&mut self.frame, frame),
            self.line,
        );
        let result = self.block(&source.statements, &source.lines);
        let inner = std::mem::replace(&mut self.locals, outer.0);
        (self.frame, self.line) = (outer.1, outer.2);
        self.calls.pop();
        let array = |name| match inner.get(name) {
            Some(local @ Local::Array(..)) => Some(local.clone()),
            _ => None,
        };
        let filled = names.iter().map(array).collect();
        Ok((result?, frame.checked, filled))
    }

    /// The name of an argument of another function, if what is passed is of its type.
    fn bound(&self, argument: &FnArg, local: &Local) -> Option<String> {
        let typed = match (argument, local) {
            (FnArg::Typed(typed), _) => typed,
            (FnArg::Receiver(_), Local::Model(_)) if is_lent(argument) => {
                return Some("self".to_owned());
            }
            (FnArg::Receiver(_), _) => return None,
        };
        let Pat::Ident(ident) = &*typed.pat else {
            return None;
        };
        let of = typed.ty.to_token_stream().to_string().replace(' ', "");
        let fits = match local {
            Local::Number(_) => of == "f64",
            Local::State => of == "&[f64;STATES]",
            Local::Params => of == "&Params",
            Local::Inputs => of == "&Inputs",
            Local::Functions => of == "&implFunctions",
            Local::Extra(index) => {
                let extra = self.function.extra.get(*index as usize)?;
                of == format!("&[f64;{}]", extra.1)
            }
            Local::Array(_, expected) => match &*typed.ty {
                syn::Type::Reference(of) => {
                    of.mutability.is_some() && shape(&of.elem) == Some(*expected)
                }
                _ => false,
            },
            _ => false,
        };
        fits.then(|| ident.ident.to_string())
    }

    /// `Self { m: p.m, m_squared }`: every field once.
    pub(super) fn struct_of(&mut self, expr: &Expr) -> Result<Local, Unreadable> {
        let Expr::Struct(of) = expr else {
            return Err(self.unknown("result", expr));
        };
        let makes = self.sources.constructor.as_ref().map(|(name, _)| name);
        let known = of.path.is_ident("Self") && of.rest.is_none() && self.calls.last() == makes;
        if !known || self.frame.of != Returned::Model {
            return Err(self.unknown("result", expr));
        }
        let mut fields: BTreeMap<String, StepId> = BTreeMap::new();
        for field in &of.fields {
            let Member::Named(name) = &field.member else {
                return Err(self.unknown("field", expr));
            };
            let name = name.to_string();
            let place = self.number(&field.expr)?;
            if fields.insert(name, place).is_some() {
                return Err(self.unknown("field twice in", expr));
            }
        }
        let declared: BTreeSet<&String> = self.module.model.names.iter().collect();
        if fields.keys().collect::<BTreeSet<_>>() != declared {
            return Err(self.unknown("set of fields", expr));
        }
        Ok(Local::Model(fields))
    }

    /// Leaves out the steps that nothing needs: what others read of the model.
    pub(super) fn prune(&mut self) {
        let function = &mut self.function;
        let outputs = function.outputs.iter().map(|output| output.0);
        let routines = function.routines.iter().map(|routine| routine.0);
        let needed = function.needed_for(function.measured().chain(outputs).chain(routines));
        let mut new: Vec<StepId> = Vec::with_capacity(needed.len());
        let mut count = 0;
        for needed in &needed {
            new.push(count);
            count += StepId::from(*needed);
        }
        let moved = |place: &mut StepId| {
            if let Some(new) = new.get(*place as usize) {
                *place = *new;
            }
        };
        let mut keep = needed.iter();
        function.steps.retain(|_| keep.next() == Some(&true));
        let mut keep = needed.iter();
        function.lines.retain(|_| keep.next() == Some(&true));
        for step in &mut function.steps {
            step.places(moved);
        }
        for check in &mut function.checks {
            moved(&mut check.divisor);
            moved(&mut check.scale);
        }
        for routine in &mut function.routines {
            moved(&mut routine.0);
        }
        if let Some((margin, _)) = &mut function.guarded {
            moved(margin);
        }
        for output in &mut function.outputs {
            moved(&mut output.0);
        }
    }
}
