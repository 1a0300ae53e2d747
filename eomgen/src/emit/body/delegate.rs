//! Calls of other functions of the module, which compute what this one would compute the same way.

use super::{Writing, is_fallible};
use crate::emit::arrangement::Call;
use crate::emit::expr::Expr;
use crate::emit::module::Shape;
use crate::emit::names::snake;
use crate::emit::scope::Argument;

/// What a function's twin with prepared parameters is called.
pub fn prepared_name(name: &str) -> String {
    format!("{name}_prepared")
}

/// What a function's twin without checks is called.
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
    fn callee(&mut self, call: &Call, prepared: bool) -> (String, Vec<String>, bool) {
        let module = self.module;
        let Some(other) = module.functions.get(call.callee) else {
            return Default::default();
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
        let passed = passed.map(|argument| self.scope.argument(argument).to_owned());
        (name, passed.collect(), checked)
    }

    /// The whole body: a call whose result is returned as it is.
    pub(super) fn tail_call(&mut self, call: &Call, prepared: bool) {
        let (name, arguments, _) = self.callee(call, prepared);
        self.lines.statement(&name, &arguments, "");
    }

    /// Gives what a call supplies its names, before the call is written.
    pub(super) fn expect(&mut self, call: &Call) {
        let Some(other) = self.module.functions.get(call.callee) else {
            return;
        };
        let name = self.scope.claim(&snake(&other.name));
        for (&value, &index) in &call.supplies {
            let text = match other.output {
                Shape::Scalar => name.clone(),
                Shape::Array(_) => format!("{name}[{index}]"),
                Shape::Matrix(_, columns) => {
                    format!("{name}[{}][{}]", index / columns, index % columns)
                }
            };
            self.put(value, Expr::atom(text));
        }
        self.locals.insert(call.callee, name);
    }

    /// `let speed_rates = speed_rates(t, state, p)?;`
    pub(super) fn delegate(&mut self, call: &Call, prepared: bool) {
        let (callee, arguments, checked) = self.callee(call, prepared);
        let Some(name) = self.locals.get(&call.callee) else {
            return;
        };
        let tail = if checked { "?;" } else { ";" };
        let head = format!("let {name} =");
        self.lines.apply_with(&head, &callee, &arguments, tail);
    }
}
