//! The functions of a module against what they have to equal, at one state.

use super::entries::scale;
use super::expectation::{self, Domain, Expectation, Observation, domain};
use super::number::{EvalError, Number};
use super::reduced::REDUCED;
use super::slopes;
use super::test_point::{TestPoint, TestPoints};
use super::text::run;
use super::text::tree::{Function, Shape};
use super::verifier::{Arithmetic, Verifier};
use crate::catalogue::{IDENTIFICATION, Place, asked};

/// What was found on a function at a state.
#[derive(Clone, Debug, PartialEq)]
pub enum Verdict {
    /// It gives what it should.
    Agrees,
    /// It does so where the constraints hold, not elsewhere.
    AgreesOnConstraints,
    /// It does not.
    Differs(Box<Difference>),
    /// Nobody knows what it should give.
    NotChecked(String),
    /// Nothing can be said at this state, or in this arithmetic.
    Error(EvalError),
}

/// A wrong entry of a result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// The function.
    pub function: String,
    /// The entry: `[2]`, `[0][1]`, with its name where it has one.
    pub entry: String,
    /// Line of the file where the entry is set.
    pub line: u32,
    /// What the file gives.
    pub found: String,
    /// What it should be.
    pub expected: String,
    /// What it is compared with: the model, or the function with checks.
    pub against: String,
}

impl Difference {
    fn verdict(
        function: &Function,
        (entry, line): (String, u32),
        found: String,
        expected: String,
        against: &str,
    ) -> Verdict {
        Verdict::Differs(Box::new(Self {
            function: function.name.clone(),
            entry,
            line,
            found,
            expected,
            against: against.to_owned(),
        }))
    }
}

/// What derivatives are compared with.
const DIFFERENTIATED: &str = "the derivatives of the text that it differentiates";

impl<N: Arithmetic> Verifier<'_, N> {
    /// Whether a function gives what it should.
    pub(super) fn check(&self, points: &TestPoints<N>, function: &Function) -> Verdict {
        let name = function.means();
        if let Some(one) = self.module.one_of(function) {
            let expected = |on: &_| run::outputs(one, &self.run_at(one, on));
            let against = format!("`{}`", one.name);
            return self.check_alike(&points.on, function, expected, &against);
        }
        if let Some(derivative) = slopes::derivative(self.module, self.layout, function) {
            let expected = |on: &_| self.slopes(on, &derivative);
            return self.check_alike(&points.on, function, expected, DIFFERENTIATED);
        }
        if name == REDUCED {
            let expected = |on: &_| self.reduced(on, function);
            return self.check_alike(&points.on, function, expected, DIFFERENTIATED);
        }
        if expectation::rule::<N>(name).is_none() || self.module.is_derivative(name) {
            return Verdict::NotChecked("there is no rule for it".into());
        }
        let known = match function.extra.len() {
            0 => true,
            1 => {
                ["inverse_dynamics", "minimum_norm_forces"].contains(&name)
                    || asked::of_function(name).is_some_and(|q| q.of == Place::Inputs)
                    || IDENTIFICATION.iter().any(|q| q.name == name)
            }
            _ => false,
        };
        if !known {
            return Verdict::NotChecked("it has arguments of its own".into());
        }
        let on = || self.check_at(&points.on, function);
        let Some(off) = points
            .off
            .as_ref()
            .filter(|_| domain(name) == Domain::Everywhere)
        else {
            return on();
        };
        match self.check_at(off, function) {
            Verdict::Agrees | Verdict::Error(EvalError::Singular(_)) => on(),
            Verdict::Differs(difference) => match on() {
                // Residuals say nothing there.
                Verdict::Agrees if is_right_on_constraints(name) => Verdict::AgreesOnConstraints,
                Verdict::Agrees => Verdict::Differs(difference),
                other => other,
            },
            other => other,
        }
    }

    /// Compares all entries with others: derivatives with those of the text that is differentiated, functions of many states with that of one.
    fn check_alike(
        &self,
        on: &TestPoint<N>,
        function: &Function,
        expected: impl Fn(&TestPoint<N>) -> Result<Vec<N::Text>, EvalError>,
        against: &str,
    ) -> Verdict {
        let found = run::outputs(function, &self.run_at(function, on));
        let (found, expected) = match (found, expected(on)) {
            (Ok(found), Ok(expected)) => (found, expected),
            (Err(error), _) | (_, Err(error)) => return Verdict::Error(error),
        };
        if found.len() != expected.len() {
            return Verdict::NotChecked("it has another number of entries".into());
        }
        let scale = slopes::scale_of(&expected);
        let mut pairs = found.iter().zip(&expected).enumerate();
        match pairs.find(|(_, (found, expected))| !found.agrees(expected, &scale)) {
            None => Verdict::Agrees,
            Some((index, (found, expected))) => Difference::verdict(
                function,
                (
                    entry(function.shape, index, None),
                    function.line_of_output(index),
                ),
                found.show(),
                expected.show(),
                against,
            ),
        }
    }

    /// The state at which a wrong function shows that.
    pub(super) fn wrong_at<'p>(
        &self,
        points: &'p TestPoints<N>,
        function: &Function,
    ) -> &'p TestPoint<N> {
        match (domain(function.means()), &points.off) {
            (Domain::Everywhere, Some(off)) => off,
            _ => &points.on,
        }
    }

    /// What a function should give at a state; `None` if there is no rule.
    ///
    /// # Errors
    /// Why that is not known there.
    pub(super) fn expected(
        &self,
        point: &TestPoint<N>,
        function: &Function,
        found: &[N::Text],
    ) -> Option<Expectation<N>> {
        let rule = expectation::rule(function.means())?;
        let found: Vec<N> = found.iter().map(N::lower).collect();
        Some(rule(&Observation {
            point,
            layout: self.layout,
            function,
            module: self.module,
            found: &found,
        }))
    }

    /// Whether a function gives what it should at a state.
    pub(super) fn check_at(&self, point: &TestPoint<N>, function: &Function) -> Verdict {
        let values = self.run_at(function, point);
        if run::is_refused(function, &values) {
            return Verdict::Error(EvalError::Singular("the text refuses the state".into()));
        }
        let found = match run::outputs(function, &values) {
            Ok(found) => found,
            Err(error) => return Verdict::Error(error),
        };
        let expected = match self.expected(point, function, &found) {
            Some(Ok(expected)) => expected,
            Some(Err(error)) => return Verdict::Error(error),
            None => return Verdict::NotChecked("there is no rule for it".into()),
        };
        let against = "the model";
        if expected.values.len() != found.len() {
            return Difference::verdict(
                function,
                ("number of entries".into(), function.line),
                found.len().to_string(),
                expected.values.len().to_string(),
                against,
            );
        }
        let scale = scale(&expected.values).lift();
        let values = expected.values.iter().map(N::lift);
        let mut pairs = found.iter().zip(values).enumerate();
        if let Some((i, (found, value))) = pairs.find(|(_, (a, b))| !a.agrees(b, &scale)) {
            let label = expected.labels.get(i).map(String::as_str);
            return Difference::verdict(
                function,
                (entry(function.shape, i, label), function.line_of_output(i)),
                found.show(),
                value.show(),
                against,
            );
        }
        match expected.open {
            Some(why) => Verdict::NotChecked(why),
            None => Verdict::Agrees,
        }
    }

    /// A difference off the constraints counts for nothing where the quaternions there are not of the length that their constraint
    /// asks for, and the function gives what it should once they are: formulas are simplified by that length.
    pub(super) fn reconsidered(
        &self,
        points: &TestPoints<N>,
        function: &Function,
        verdict: Verdict,
    ) -> Verdict {
        if !matches!(verdict, Verdict::Differs(_)) {
            return verdict;
        }
        let again = self.with_unit_quaternions(points);
        match again.map(|points| self.check(&points, function)) {
            Some(Verdict::Agrees | Verdict::AgreesOnConstraints) => Verdict::AgreesOnConstraints,
            _ => verdict,
        }
    }
}

/// Functions of which theory asks no more: where rows hold identically, their derivatives may be left out.
fn is_right_on_constraints(name: &str) -> bool {
    matches!(name, "constraint_rhs" | "mass_matrix")
}

fn entry(shape: Shape, index: usize, label: Option<&str>) -> String {
    let place = match shape {
        Shape::Scalar => String::new(),
        Shape::Array(_) => format!("[{index}]"),
        Shape::Matrix(_, columns) => {
            let columns = columns.max(1);
            format!("[{}][{}]", index / columns, index % columns)
        }
    };
    match label {
        Some(label) => format!("{place} ({label})"),
        None => place,
    }
}
