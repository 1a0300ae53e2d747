//! Calls of other functions of the module, which compute what this one would compute the same way.

use super::Writing;
use crate::emit::arrangement::{Call, is_fallible};
use crate::emit::expr::Expr;
use crate::emit::module::Shape;
use crate::emit::names::snake;
use crate::emit::scope::Argument;
use crate::emit::tree::{self, Target, Value};

/// What a function's variant with prepared parameters is called.
pub fn prepared_name(name: &str) -> String {
    format!("{name}_prepared")
}

/// What a function's variant without checks is called.
pub fn unchecked_name(name: &str) -> String {
    format!("{name}_unchecked")
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
        self.block.put(Target::Result, Value::Call(call));
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

    /// `let speed_rates = speed_rates(t, state, p)?;`
    pub(super) fn delegate(&mut self, call: &Call, prepared: bool) {
        let callee = self.callee(call, prepared);
        if let Some(name) = self.locals.get(&call.callee) {
            let target = Target::variable(name);
            self.block.put(target, Value::Call(callee));
        }
    }
}
