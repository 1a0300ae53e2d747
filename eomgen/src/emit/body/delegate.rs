//! Calls of other functions of the module, which compute what this one would compute the same way.

use std::collections::BTreeSet;

use super::Writing;
use crate::emit::arrangement::{Call, Share, is_fallible, roots};
use crate::emit::expr::Expr;
use crate::emit::module::Shape;
use crate::emit::names::snake;
use crate::emit::scope::Argument;
use crate::emit::tree::{self, Target, Value as Expression};
use crate::ir::Value;

/// Where the call of another function stands.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum When {
    /// A check reads what it supplies.
    Early,
    /// Nothing reads it sooner.
    Late,
    /// Only the checks that it makes matter.
    Checking,
}

impl<'m> Writing<'m> {
    /// The call that gives the whole result as it is, if there is one.
    pub(super) fn whole(&self, share: &'m Share) -> Option<&'m Call> {
        let [call] = share.calls.as_slice() else {
            return None;
        };
        let other = self.module.functions.get(call.callee)?;
        let same = other.output == self.function.output
            && other.body.outputs == self.function.body.outputs
            && is_fallible(self.module, other) == self.fallible
            && share.checks.is_empty();
        same.then_some(call)
    }

    /// The function that is called and its arguments.
    fn callee(&mut self, call: &Call) -> tree::Call {
        let module = self.module;
        let Some(other) = module.functions.get(call.callee) else {
            return tree::Call::new("", Vec::new());
        };
        let mut arguments = vec![Argument::Time, Argument::State];
        for extra in &other.extra_args {
            let own = self.function.extra_args.iter();
            let position = own.clone().position(|argument| argument == extra);
            arguments.extend(position.map(Argument::Extra));
        }
        if !module.inputs.is_empty() {
            arguments.push(Argument::Inputs);
        }
        if !module.functions_trait.is_empty() {
            arguments.push(Argument::Functions);
        }
        let passed = arguments.into_iter();
        let passed = passed.map(|argument| Expr::variable(self.scope.argument(argument)));
        tree::Call {
            fails: is_fallible(module, other),
            ..tree::Call::new(format!("self.{}", other.name), passed.collect())
        }
    }

    /// The whole body: a call whose result is returned as it is.
    pub(super) fn tail_call(&mut self, call: &Call) {
        let call = tree::Call {
            fails: false,
            ..self.callee(call)
        };
        self.block.put(Target::Result, Expression::Call(call));
    }

    /// Gives what a call supplies its names, before the call is written.
    pub(super) fn expect(&mut self, call: &Call) {
        let Some(other) = self.module.functions.get(call.callee) else {
            return;
        };
        let name = self.scope.claim(&snake(&other.name));
        for (&value, &index) in &call.supplies {
            let variable = Expr::variable(&name);
            let entry = match other.output {
                Shape::Scalar => variable,
                shape => variable.entry(&shape.place(index)),
            };
            self.put(value, entry);
        }
        self.locals.insert(call.callee, name);
    }

    /// When each call is made: as soon as something reads what it supplies, and not at all where nothing reads it and no check of
    /// the function's is made by it.
    pub(super) fn calls(&self, share: &'m Share, known: &BTreeSet<Value>) -> Vec<(&'m Call, When)> {
        let of_checks = self.read(&roots(&share.checks, &[]), known);
        let of_outputs = self.read(&self.function.body.outputs, known);
        let mut list = Vec::new();
        for call in &share.calls {
            let supplies =
                |read: &BTreeSet<Value>| call.supplies.keys().any(|value| read.contains(value));
            let other = self.module.functions.get(call.callee);
            if supplies(&of_checks) {
                list.push((call, When::Early));
            } else if supplies(&of_outputs) {
                list.push((call, When::Late));
            } else if other.is_some_and(|other| is_fallible(self.module, other)) {
                list.push((call, When::Checking));
            }
        }
        list
    }

    /// The known values that roots are made of, whatever these are made of.
    fn read(&self, roots: &[Value], known: &BTreeSet<Value>) -> BTreeSet<Value> {
        let mut read = BTreeSet::new();
        let mut seen = vec![false; self.graph.len()];
        let mut stack = roots.to_vec();
        while let Some(value) = stack.pop() {
            if std::mem::replace(&mut seen[value.index()], true) {
                continue;
            }
            if known.contains(&value) {
                read.insert(value);
            } else {
                stack.extend(self.graph.op(value).operands());
            }
        }
        read
    }

    /// `let speed_rates = self.speed_rates(t, state)?;`
    pub(super) fn delegate(&mut self, calls: &[(&Call, When)], when: When) {
        for (call, at) in calls {
            let late = *at != When::Early;
            if late != (when == When::Late) {
                continue;
            }
            let callee = self.callee(call);
            let target = match self.locals.get(&call.callee) {
                Some(name) if *at != When::Checking => Target::variable(name),
                _ => Target::Nothing,
            };
            self.block.put(target, Expression::Call(callee));
        }
    }
}
