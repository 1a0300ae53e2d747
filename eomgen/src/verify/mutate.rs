//! Small errors put into a function that was read: what a proof has to notice. A fixed set of them at every step, in the order of the
//! text. Knows steps and nothing of what they mean.

use super::number::Number;
use super::text::run::{Given, Outcome, evaluate};
use super::text::tree::{Function, Module, Step, StepId};

/// The kinds of errors.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// Another operator: + for -, * for /, and the other way round.
    Operator,
    /// A sign dropped or added.
    Sign,
    /// Another constant.
    Constant,
    /// A neighbour of the entry of an array, or of the field.
    Index,
    /// Another variable, the next one before it in the text.
    Variable,
    /// Another entry of the result gets the value.
    Output,
}

/// An error at a step of a function.
#[derive(Clone, Debug, PartialEq)]
pub struct Mutant {
    /// Its kind.
    pub kind: Kind,
    /// The step, or the entry of the result.
    pub place: StepId,
    /// Line of the file.
    pub line: u32,
    /// What it does, for a reader.
    pub text: String,
    change: Change,
}

#[derive(Clone, Debug, PartialEq)]
enum Change {
    /// The step is this one.
    Step(Step),
    /// The step's value has the other sign.
    Negated,
    /// The step's value is multiplied by this and this is added.
    Altered(i64),
    /// The result's entries at these positions are exchanged.
    Exchanged(usize, usize),
}

/// All errors of the fixed set in a function. What it takes from another function by calling it has its errors there.
#[must_use]
pub fn mutants(module: &Module, function: &Function) -> Vec<Mutant> {
    let mut list = Vec::new();
    let heads = || module.functions.iter().map(|f| f.line);
    let first = heads().min().unwrap_or(0);
    let next = heads().filter(|head| *head > function.line).min();
    let is_own =
        |line: u32| line < first || line >= function.line && next.is_none_or(|next| line < next);
    for (place, step) in function.steps.iter().enumerate() {
        let line = function.lines.get(place).copied().unwrap_or(function.line);
        if !is_own(line) {
            continue;
        }
        let place = place as StepId;
        let mut add = |kind, text: &str, change| {
            list.push(Mutant {
                kind,
                place,
                line,
                text: text.to_owned(),
                change,
            });
        };
        if let Some((text, step)) = other_operator(step) {
            add(Kind::Operator, text, Change::Step(step));
        }
        match step {
            Step::Negative(_) => add(Kind::Sign, "sign dropped", Change::Negated),
            Step::Product(..) | Step::Quotient(..) | Step::Function(..) => {
                add(Kind::Sign, "sign added", Change::Negated);
            }
            _ => {}
        }
        if matches!(step, Step::Literal(_)) {
            add(Kind::Constant, "constant altered", Change::Altered(3));
        }
        if let Some(step) = neighbour(module, function, step) {
            add(Kind::Index, "another entry", Change::Step(step));
        }
        if let Some(step) = other_variable(function, step, place) {
            add(Kind::Variable, "another variable", Change::Step(step));
        }
    }
    for index in 1..function.outputs.len() {
        let line = function.line_of_output(index);
        list.push(Mutant {
            kind: Kind::Output,
            place: index as StepId,
            line,
            text: format!("entries {} and {index} exchanged", index - 1),
            change: Change::Exchanged(index - 1, index),
        });
    }
    list
}

/// The step with the operator exchanged for its opposite, and what that is called.
fn other_operator(step: &Step) -> Option<(&'static str, Step)> {
    match *step {
        Step::Sum(a, b) => Some(("+ becomes -", Step::Difference(a, b))),
        Step::Difference(a, b) => Some(("- becomes +", Step::Sum(a, b))),
        Step::Product(a, b) => Some(("* becomes /", Step::Quotient(a, b))),
        Step::Quotient(a, b) => Some(("/ becomes *", Step::Product(a, b))),
        _ => None,
    }
}

/// The same kind of entry beside the one that a step reads.
fn neighbour(module: &Module, function: &Function, step: &Step) -> Option<Step> {
    let beside = |index: u32, count: usize| {
        let next = index as usize + 1;
        if next < count {
            Some(index + 1)
        } else {
            index.checked_sub(1)
        }
    };
    let arguments = |call: StepId| match function.steps.get(call as usize)? {
        Step::Call { function, .. } => {
            let user = module.user_functions.get(*function as usize);
            user.map(|user| user.arguments)
        }
        _ => None,
    };
    match *step {
        Step::State(i) => beside(i, module.constant("STATES")?).map(Step::State),
        Step::Param(i) => beside(i, module.params.names.len()).map(Step::Param),
        Step::Input(i) => beside(i, module.inputs.names.len()).map(Step::Input),
        Step::Gradient(call, i) => beside(i, arguments(call)?).map(|i| Step::Gradient(call, i)),
        Step::Hessian(call, i, j) => beside(j, arguments(call)?).map(|j| Step::Hessian(call, i, j)),
        Step::Element(routine, i) => {
            let count = match function.steps.get(routine as usize)? {
                Step::MinimumNorm { columns, .. } => *columns,
                Step::Constrained { n, m, .. } => n + m,
                _ => return None,
            };
            beside(i, count).map(|i| Step::Element(routine, i))
        }
        _ => None,
    }
}

/// The same operation with the last variable before the step in place of its second operand.
fn other_variable(function: &Function, step: &Step, place: StepId) -> Option<Step> {
    let operands = step.operands();
    let is_number = |other: &StepId| {
        let step = function.steps.get(*other as usize);
        let is_other_kind = matches!(
            step,
            Some(
                Step::Call { .. }
                    | Step::MinimumNorm { .. }
                    | Step::Constrained { .. }
                    | Step::Literal(_)
            ) | None
        );
        !is_other_kind && !operands.contains(other)
    };
    let other = (0..place).rev().find(is_number)?;
    match *step {
        Step::Sum(a, _) => Some(Step::Sum(a, other)),
        Step::Difference(a, _) => Some(Step::Difference(a, other)),
        Step::Product(a, _) => Some(Step::Product(a, other)),
        Step::Quotient(a, _) => Some(Step::Quotient(a, other)),
        Step::Function(f, _) => Some(Step::Function(f, other)),
        _ => None,
    }
}

impl Mutant {
    /// The values of a function's steps with the error in it, given those without: only steps that depend on the wrong one are
    /// evaluated again. `None` if the error is not in a step, or changes nothing that the result or a check needs.
    pub fn values<N: Number>(
        &self,
        function: &Function,
        values: &[Outcome<N>],
        given: &Given<'_, N>,
    ) -> Vec<Outcome<N>> {
        let mut values = values.to_vec();
        let start = self.place as usize;
        let (Some(step), Some(old)) = (function.steps.get(start), values.get(start).cloned())
        else {
            return values;
        };
        let new = match &self.change {
            Change::Exchanged(..) => return values,
            Change::Step(step) => evaluate(step, values.get(..start).unwrap_or(&[]), given),
            Change::Negated => match &old {
                Outcome::Number(x) => Outcome::Number(x.neg()),
                _ => evaluate(step, &values, given),
            },
            Change::Altered(by) => match &old {
                Outcome::Number(x) => Outcome::Number(x.mul(&N::int(*by)).add(&N::int(*by))),
                _ => evaluate(step, &values, given),
            },
        };
        if new == old {
            return values;
        }
        let mut changed = vec![false; function.steps.len()];
        if let (Some(value), Some(mark)) = (values.get_mut(start), changed.get_mut(start)) {
            *value = new;
            *mark = true;
        }
        for (place, step) in function.steps.iter().enumerate().skip(start + 1) {
            let is_changed = |a: &StepId| changed.get(*a as usize).copied().unwrap_or(false);
            if !step.operands().iter().any(is_changed) {
                continue;
            }
            let value = evaluate(step, &values, given);
            if let (Some(old), Some(mark)) = (values.get_mut(place), changed.get_mut(place))
                && *old != value
            {
                *old = value;
                *mark = true;
            }
        }
        values
    }

    /// The function with the entries of its result in the order that the error gives them.
    #[must_use]
    pub fn function(&self, function: &Function) -> Option<Function> {
        let Change::Exchanged(a, b) = self.change else {
            return None;
        };
        let mut function = function.clone();
        function.outputs.swap(a, b);
        Some(function)
    }
}
