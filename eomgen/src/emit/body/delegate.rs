//! Calls of other functions of the module, which compute what this one would compute the same way.

use std::collections::BTreeSet;

use super::Writing;
use crate::emit::arrangement::{Call, is_fallible, roots};
use crate::emit::expr::Expr;
use crate::emit::module::Shape;
use crate::emit::names::snake;
use crate::emit::scope::Argument;
use crate::emit::tree::{self, Target, Value as Expression};
use crate::ir::{Check, Value};

/// What a function's variant with prepared parameters is called.
pub fn prepared_name(name: &str) -> String {
    format!("{name}_prepared")
}

/// What a function's variant without checks is called.
pub fn unchecked_name(name: &str) -> String {
    format!("{name}_unchecked")
}

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
    pub(super) fn whole(&self, calls: &'m [Call]) -> Option<&'m Call> {
        let [call] = calls else { return None };
        let other = self.module.functions.get(call.callee)?;
        let same = other.output == self.function.output
            && other.body.outputs == self.function.body.outputs
            && is_fallible(self.module, self.function) == call.checks;
        same.then_some(call)
    }

    /// The function that is called and its arguments.
    fn callee(&mut self, call: &Call, prepared: bool) -> tree::Call {
        let module = self.module;
        let Some(other) = module.functions.get(call.callee) else {
            return tree::Call::new("", Vec::new());
        };
        let fallible = is_fallible(module, other);
        let checked = fallible && call.checks && self.checked;
        let mut name = other.name.clone();
        if prepared {
            name = prepared_name(&name);
        }
        if fallible && !checked {
            name = unchecked_name(&name);
        }
        let mut arguments = vec![Argument::Time, Argument::State];
        for extra in &other.extra_args {
            let own = self.function.extra_args.iter();
            let position = own.clone().position(|argument| argument == extra);
            arguments.extend(position.map(Argument::Extra));
        }
        if !module.no_params {
            arguments.push(Argument::Params);
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
            fails: checked,
            ..tree::Call::new(name, passed.collect())
        }
    }

    /// The whole body: a call whose result is returned as it is.
    pub(super) fn tail_call(&mut self, call: &Call, prepared: bool) {
        let call = tree::Call {
            fails: false,
            ..self.callee(call, prepared)
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

    /// When each call is made: as soon as something reads what it supplies, and not at all where nothing does.
    pub(super) fn calls(
        &self,
        calls: &'m [Call],
        checks: &[Check],
        known: &BTreeSet<Value>,
    ) -> Vec<(&'m Call, When)> {
        let of_checks = self.read(&roots(checks, &[]), known);
        let of_outputs = self.read(&self.function.body.outputs, known);
        let mut list = Vec::new();
        for call in calls {
            let supplies =
                |read: &BTreeSet<Value>| call.supplies.keys().any(|value| read.contains(value));
            // A body without checks of its own may keep the order of the one with them.
            let is_read = supplies(&of_outputs) || self.checked && supplies(&of_checks);
            if supplies(&of_checks) && is_read {
                list.push((call, When::Early));
            } else if is_read || call.checks {
                let when = if is_read { When::Late } else { When::Checking };
                list.push((call, when));
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

    /// `let speed_rates = speed_rates(t, state, p)?;`
    pub(super) fn delegate(&mut self, calls: &[(&Call, When)], when: When, prepared: bool) {
        for (call, at) in calls {
            let late = *at != When::Early;
            if late != (when == When::Late) {
                continue;
            }
            let callee = self.callee(call, prepared);
            let target = match self.locals.get(&call.callee) {
                Some(name) if *at != When::Checking => Target::variable(name),
                _ => Target::Nothing,
            };
            self.block.put(target, Expression::Call(callee));
        }
    }
}
