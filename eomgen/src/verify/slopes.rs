//! Derivatives of a module's functions against its functions: the text of the one that is differentiated is run with derivatives, all arguments but
//! one held fixed, which is what the derivative is said to be. That function itself is compared with the model.

use super::layout::Layout;
use super::number::{EvalError, Number};
use super::test_point::TestPoint;
use super::text::run::{self, Given, Jet};
use super::text::tree::{Function, Module, Shape};
use super::verifier::{Arithmetic, Verifier};
use crate::emit::names::identifier;
use crate::verify::dual::Dual;

/// What a function is differentiated by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Argument {
    Time,
    State(usize),
    Param(usize),
    Input(usize),
}

/// A function that gives derivatives of another one.
pub(super) struct Derivative<'m> {
    /// The one that is differentiated.
    pub(super) of: &'m Function,
    pub(super) by: Vec<Argument>,
    /// The value comes first in each row.
    pub(super) with_value: bool,
}

/// The function of which one of this name gives derivatives, and by what; `None` if it is none.
pub(super) fn derivative<'m>(
    module: &'m Module,
    layout: &Layout,
    function: &Function,
) -> Option<Derivative<'m>> {
    let name = function.name.as_str();
    let states = layout.coordinates.len() + layout.independent.len() + layout.states.len();
    if name == "linearization" {
        let inputs = (0..module.inputs.names.len()).map(Argument::Input);
        return Some(Derivative {
            of: module.function("derivative")?,
            by: (0..states).map(Argument::State).chain(inputs).collect(),
            with_value: true,
        });
    }
    if !module.is_derivative(name) {
        return None;
    }
    let entries = entries(function.shape);
    name.match_indices("_wrt_").find_map(|(at, mark)| {
        let of = module.function(&name[..at])?;
        let each = candidates(module, layout, &name[at + mark.len()..]);
        let by = each
            .into_iter()
            .find(|by| by.len() * self::entries(of.shape) == entries)?;
        Some(Derivative {
            of,
            by,
            with_value: false,
        })
    })
}

fn entries(shape: Shape) -> usize {
    match shape {
        Shape::Scalar => 1,
        Shape::Array(n) => n,
        Shape::Matrix(rows, columns) => rows * columns,
    }
}

/// What the last part of a name may mean: a group of arguments, or one of them.
fn candidates(module: &Module, layout: &Layout, word: &str) -> Vec<Vec<Argument>> {
    let n = layout.coordinates.len();
    let speeds = n + layout.independent.len();
    let mut list: Vec<Vec<Argument>> = Vec::new();
    let all = |count: usize, of: fn(usize) -> Argument| (0..count).map(of).collect();
    match word {
        "q" => list.push(all(n, Argument::State)),
        "u" | "v" => list.push((n..speeds).map(Argument::State).collect()),
        "states" => {
            let states = speeds..speeds + layout.states.len();
            list.push(states.map(Argument::State).collect());
        }
        "params" => list.push(all(module.params.names.len(), Argument::Param)),
        "inputs" => list.push(all(module.inputs.names.len(), Argument::Input)),
        "t" => list.push(vec![Argument::Time]),
        _ => {}
    }
    let named = |names: &[String], of: fn(usize) -> Argument| {
        let same = |name: &String| name == word || identifier(name) == word;
        names.iter().position(same).map(|i| vec![of(i)])
    };
    list.extend(named(&module.state.names, Argument::State));
    list.extend(named(&module.params.names, Argument::Param));
    list.extend(named(&module.inputs.names, Argument::Input));
    list
}

impl<N: Arithmetic> Verifier<'_, N> {
    /// The entries that a derivative should have at a state.
    ///
    /// # Errors
    /// Why they are not known.
    pub(super) fn slopes(
        &self,
        point: &TestPoint<N>,
        derivative: &Derivative<'_>,
    ) -> Result<Vec<N::Text>, EvalError> {
        let count = derivative.by.len();
        let values = self.given(&derivative.of.extra, &point.state, &point.x, |given| {
            let vary = |x: &N::Text, argument: Argument| match derivative
                .by
                .iter()
                .position(|by| *by == argument)
            {
                Some(direction) => Dual::variable(x.clone(), direction, count),
                None => Dual::fixed(x.clone()),
            };
            let list = |values: &[N::Text], of: fn(usize) -> Argument| -> Vec<Dual<N::Text>> {
                let each = values.iter().enumerate();
                each.map(|(i, x)| vary(x, of(i))).collect()
            };
            let functions = |f: usize, arguments: &[Dual<N::Text>]| self.dual_jet(f, arguments);
            let literals: Vec<Result<Dual<N::Text>, EvalError>> = given
                .literals
                .iter()
                .map(|literal| literal.clone().map(Dual::fixed))
                .collect();
            let fixed = given
                .extra
                .iter()
                .map(|list| list.iter().cloned().map(Dual::fixed).collect());
            let fixed: Vec<Vec<Dual<N::Text>>> = fixed.collect();
            let lifted = Given {
                t: &vary(given.t, Argument::Time),
                state: &list(given.state, Argument::State),
                extra: &fixed,
                params: &list(given.params, Argument::Param),
                inputs: &list(given.inputs, Argument::Input),
                functions: &functions,
                literals: &literals,
            };
            let steps = run::run(derivative.of, &lifted);
            run::outputs(derivative.of, &steps)
        })?;
        let mut expected = Vec::new();
        for value in values {
            let slopes = value.slopes(count);
            if derivative.with_value {
                expected.push(value.value);
            }
            expected.extend(slopes);
        }
        Ok(expected)
    }

    /// What a user's function returns, with derivatives.
    fn dual_jet(
        &self,
        function: usize,
        arguments: &[Dual<N::Text>],
    ) -> Result<Jet<Dual<N::Text>>, EvalError> {
        let user = self.module.user_functions.get(function);
        let of = self.machine.functions.function(function, arguments.len());
        Jet::of(&of, user.map_or(0, |f| f.order), arguments)
    }
}

/// The largest of some entries, or 1.
pub(super) fn scale_of<N: Number>(list: &[N]) -> N {
    super::entries::scale(&[list, &[N::int(1)]].concat())
}
