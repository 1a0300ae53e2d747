//! The linear model on the constraints: the rates of the state and the outputs, which are compared with the model where the constraints hold, are
//! differentiated along directions that stay there. The directions follow from the model's own constraint matrix; those of the speeds,
//! where these are not independent, from the text of the residuals of velocities, which is compared with the model everywhere.

use super::expectation::among;
use super::layout::Layout;
use super::linear;
use super::machine::Level;
use super::number::{EvalError, Number};
use super::slopes::{Argument, Derivative};
use super::test_point::TestPoint;
use super::text::tree::{Function, Module};
use super::verifier::{Arithmetic, Verifier};
use crate::facts::Fact;

/// Its name.
pub(super) const REDUCED: &str = "linearization_reduced";

type Matrix<N> = Vec<Vec<N>>;

impl<N: Arithmetic> Verifier<'_, N> {
    /// The entries that it should have at a state.
    ///
    /// # Errors
    /// Why they are not known.
    pub(super) fn reduced(
        &self,
        point: &TestPoint<N>,
        function: &Function,
    ) -> Result<Vec<N::Text>, EvalError> {
        let states = state_names(self.layout);
        let names = self.module.facts.of(&function.name);
        let names = names.filter_map(|fact| match fact {
            Fact::IndependentEntries(names) => Some(names.clone()),
            _ => None,
        });
        let Some(names) = names.last() else {
            return EvalError::unsupported("`FACTS` does not say which entries are independent");
        };
        among(&names, &states)?;
        let place = |name: &String| states.iter().position(|other| other == name);
        let independent: Vec<usize> = names.iter().filter_map(place).collect();
        let tangent = self.tangent(point, &independent, states.len())?;
        let rates = self.by_state_and_inputs(point, "derivative", true)?;
        let mut rows: Matrix<N::Text> = independent
            .iter()
            .filter_map(|i| rates.get(*i).cloned())
            .collect();
        for name in outputs(self.module, self.machine.system) {
            rows.extend(self.by_state_and_inputs(point, &name, true)?);
        }
        let mut expected = Vec::new();
        for row in rows {
            let (value, slopes) = row.split_at(1);
            let (by_state, by_inputs) = slopes.split_at(states.len());
            expected.extend_from_slice(value);
            for direction in &tangent {
                let direction: Vec<N::Text> = direction.iter().map(N::lift).collect();
                expected.push(linear::dot(by_state, &direction));
            }
            expected.extend_from_slice(by_inputs);
        }
        Ok(expected)
    }

    /// The values of a function, if they are asked for, and its derivatives by the state and the inputs: a row for each entry.
    fn by_state_and_inputs(
        &self,
        point: &TestPoint<N>,
        name: &str,
        with_value: bool,
    ) -> Result<Matrix<N::Text>, EvalError> {
        let Some(of) = self.module.function(name) else {
            return EvalError::unsupported(format!("the module has no `{name}`"));
        };
        let states = (0..state_names(self.layout).len()).map(Argument::State);
        let inputs = (0..self.module.inputs.names.len()).map(Argument::Input);
        let by: Vec<Argument> = states.chain(inputs).collect();
        let columns = by.len() + usize::from(with_value);
        let derivative = Derivative { of, by, with_value };
        let flat = self.slopes(point, &derivative)?;
        Ok(flat.chunks(columns).map(<[N::Text]>::to_vec).collect())
    }

    /// The directions that belong to the independent entries.
    fn tangent(
        &self,
        point: &TestPoint<N>,
        independent: &[usize],
        states: usize,
    ) -> Result<Matrix<N>, EvalError> {
        let n = self.layout.coordinates.len();
        let unit = |i: &usize| {
            let mut direction = vec![N::int(0); states];
            direction[*i] = N::int(1);
            direction
        };
        let mut tangent: Matrix<N> = independent.iter().map(unit).collect();
        let rows = || self.machine.rows.iter().enumerate();
        let matrix = &point.dynamics.constraint_matrix;
        let positions = rows().filter(|(_, row)| row.level == Level::Position);
        let positions: Matrix<N> = positions.map(|(i, _)| matrix[i].clone()).collect();
        follow(&positions, &mut tangent, independent, 0..n)?;
        let moving = rows().filter(|(_, row)| row.level != Level::Acceleration);
        let moving: Vec<usize> = moving.map(|(i, _)| i).collect();
        if !self.layout.is_reduced() && !moving.is_empty() {
            let slopes = self.by_state_and_inputs(point, "velocity_residuals", false)?;
            let rows = moving.iter().filter_map(|i| slopes.get(*i));
            let lower = |row: &Vec<N::Text>| row[..states].iter().map(N::lower).collect();
            let rows: Matrix<N> = rows.map(lower).collect();
            follow(&rows, &mut tangent, independent, n..states)?;
        }
        Ok(tangent)
    }
}

fn state_names(layout: &Layout) -> Vec<String> {
    let names = layout.coordinates.iter().chain(&layout.independent);
    names.chain(&layout.states).cloned().collect()
}

/// The functions of the model's outputs, in its order.
fn outputs(module: &Module, system: &crate::model::System) -> Vec<String> {
    let of = |name: &String| {
        let mut facts = module.facts.list.iter();
        let found = facts.find(|(_, fact)| matches!(fact, Fact::Output(own) if own == name));
        found.and_then(|(functions, _)| functions.first().cloned())
    };
    let names = system.outputs.iter().map(|o| &o.meta.name);
    names
        .map(|name| of(name).unwrap_or_else(|| name.clone()))
        .collect()
}

/// Gives the entries of a range that are not independent the changes with which rows keep their values.
fn follow<N: Number>(
    rows: &[Vec<N>],
    tangent: &mut [Vec<N>],
    independent: &[usize],
    range: std::ops::Range<usize>,
) -> Result<(), EvalError> {
    let dependent: Vec<usize> = range.filter(|i| !independent.contains(i)).collect();
    // What no row mentions is no unknown, and has no business among the dependent ones.
    let own = |row: &Vec<N>| dependent.iter().map(|i| row[*i].clone()).collect();
    let matrix: Vec<Vec<N>> = rows.iter().map(own).collect();
    for direction in tangent {
        let left = |row: &Vec<N>| {
            let sum = row.iter().zip(direction.iter());
            sum.fold(N::int(0), |sum, (a, x)| sum.sub(&a.mul(x)))
        };
        let right: Vec<N> = rows.iter().map(left).collect();
        if rows.is_empty() {
            if dependent.is_empty() {
                continue;
            }
            return EvalError::unsupported(
                "`FACTS` calls entries dependent that no row determines",
            );
        }
        let solved = linear::solve(&matrix, &right, None)?;
        if solved.pivots.len() < dependent.len() {
            return EvalError::singular("the rows do not determine the dependent entries");
        }
        if !solved.consistent {
            return EvalError::unsupported("`FACTS` calls entries independent that are not");
        }
        for (i, x) in dependent.iter().zip(solved.x) {
            direction[*i] = x;
        }
    }
    Ok(())
}
