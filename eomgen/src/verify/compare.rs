//! The functions of a module against what they have to equal, at one state.

use super::entries::{given_array, scale};
use super::expectation::{self, Domain, Expectation, Observation, Unchecked};
use super::layout::Layout;
use super::number::{EvalError, Number};
use super::test_point::TestPoint;
use super::text::run::{self, Calls, Given, Outcome};
use super::text::tree::{Function, Module, Shape};

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

/// A module at a state.
pub struct Comparison<'a, N> {
    /// The module.
    pub module: &'a Module,
    /// Its names.
    pub layout: &'a Layout,
    /// A consistent state.
    pub on: &'a TestPoint<N>,
    /// One off the constraints, where there are some.
    pub off: Option<&'a TestPoint<N>>,
    /// The user's functions.
    pub functions: &'a Calls<'a, N>,
    /// The module's literals.
    pub literals: &'a [Result<N, EvalError>],
}

impl<N: Number> Comparison<'_, N> {
    /// Evaluates all steps of a function at a point.
    pub fn run(&self, function: &Function, point: &TestPoint<N>) -> Vec<Outcome<N>> {
        self.with_arguments(function, point, |given| run::run(function, given))
    }

    /// Hands out the arguments of a function at a point.
    pub fn with_arguments<T>(
        &self,
        function: &Function,
        point: &TestPoint<N>,
        of: impl FnOnce(&Given<'_, N>) -> T,
    ) -> T {
        let extra = function
            .extra
            .iter()
            .map(|(_, length)| given_array(*length));
        let extra: Vec<Vec<N>> = extra.collect();
        of(&Given {
            t: &point.state.t,
            state: &point.x,
            extra: &extra,
            params: &point.state.params,
            inputs: &point.state.inputs,
            functions: self.functions,
            literals: self.literals,
        })
    }

    /// Whether a function, or the one of which it is a variant, gives what it should.
    pub fn check(&self, function: &Function) -> Verdict {
        let name = function.name.as_str();
        let of = self.module.base(name);
        if of == "closeness" && of != name {
            return self.check_variant(function, of);
        }
        let Some((domain, _)) = expectation::rule::<N>(of) else {
            return Verdict::NotChecked("there is no rule for it".into());
        };
        let known = match function.extra.len() {
            0 => true,
            1 => of == "inverse_dynamics",
            _ => false,
        };
        if !known {
            return Verdict::NotChecked("it has arguments of its own".into());
        }
        let here = |point: &TestPoint<N>| {
            let values = self.run(function, point);
            self.check_values(function, point, &values)
        };
        match (domain, self.off) {
            (Domain::Everywhere, Some(off)) => match here(off) {
                Verdict::Agrees => here(self.on),
                Verdict::Error(EvalError::Singular(_)) => here(self.on),
                Verdict::Differs(difference) => match here(self.on) {
                    // Residuals say nothing there.
                    Verdict::Agrees if is_right_on_constraints(of) => Verdict::AgreesOnConstraints,
                    Verdict::Agrees => Verdict::Differs(difference),
                    other => other,
                },
                other => other,
            },
            _ => here(self.on),
        }
    }

    /// Compares a variant with its function, where checks confirm that one and no rule does.
    fn check_variant(&self, function: &Function, of: &str) -> Verdict {
        let outputs = |f: &Function| run::outputs(f, &self.run(f, self.on));
        let Some(base) = self.module.function(of) else {
            return Verdict::NotChecked("there is no rule for it".into());
        };
        let (found, expected) = match (outputs(function), outputs(base)) {
            (Ok(found), Ok(expected)) => (found, expected),
            (Err(error), _) | (_, Err(error)) => return Verdict::Error(error),
        };
        let pairs = found.iter().zip(&expected).enumerate();
        let different = pairs
            .filter(|(_, (found, expected))| {
                !found.agrees(expected, &scale(&[(*expected).clone(), N::int(1)]))
            })
            .map(|(index, (found, expected))| (index, found.show(), expected.show()))
            .next();
        let Some((index, found, expected)) = different.filter(|_| found.len() == expected.len())
        else {
            return if found.len() == expected.len() {
                Verdict::Agrees
            } else {
                Verdict::NotChecked("it has another number of entries".into())
            };
        };
        Verdict::Differs(Box::new(Difference {
            function: function.name.clone(),
            entry: index.to_string(),
            line: function.outputs.get(index).map_or(function.line, |o| o.1),
            found,
            expected,
            against: of.to_owned(),
        }))
    }

    /// The point at which a wrong function shows that.
    pub fn wrong_at(&self, function: &Function) -> &TestPoint<N> {
        let rule = expectation::rule::<N>(self.module.base(&function.name));
        match (rule, self.off) {
            (Some((Domain::Everywhere, _)), Some(off)) => off,
            _ => self.on,
        }
    }

    /// What a function should give at a point.
    ///
    /// # Errors
    /// Why that is not known there.
    pub fn expected(
        &self,
        function: &Function,
        point: &TestPoint<N>,
        found: &[N],
    ) -> Option<Expectation<N>> {
        let name = function.name.as_str();
        let base = self.module.base(name);
        let (_, rule) = expectation::rule(base).or_else(|| expectation::rule(name))?;
        // What the documentation says stands at the function of which others are variants.
        let documented = self.module.function(base).unwrap_or(function);
        Some(rule(&Observation {
            point,
            layout: self.layout,
            function: documented,
            module: self.module,
            found,
        }))
    }

    /// Whether the values of a function's steps at a point give what they should.
    pub fn check_values(
        &self,
        function: &Function,
        point: &TestPoint<N>,
        values: &[Outcome<N>],
    ) -> Verdict {
        let found = match run::outputs(function, values) {
            Ok(found) => found,
            Err(error) => return Verdict::Error(error),
        };
        let name = function.name.as_str();
        let expected = match self.expected(function, point, &found) {
            Some(Ok(expected)) => expected,
            Some(Err(Unchecked::Error(error))) => return Verdict::Error(error),
            Some(Err(Unchecked::Unknown(why))) => return Verdict::NotChecked(why),
            None => return Verdict::NotChecked("there is no rule for it".into()),
        };
        if expected.values.len() != found.len() {
            let (found, expected) = (found.len(), expected.values.len());
            return Verdict::Differs(Box::new(Difference {
                function: name.to_owned(),
                entry: "number of entries".into(),
                line: function.line,
                found: found.to_string(),
                expected: expected.to_string(),
                against: "the model".into(),
            }));
        }
        let scale = scale(&expected.values);
        let pairs = found.iter().zip(&expected.values).enumerate();
        for (i, (found, value)) in pairs {
            if found.agrees(value, &scale) {
                continue;
            }
            let label = expected.labels.get(i).map(String::as_str);
            return Verdict::Differs(Box::new(Difference {
                function: name.to_owned(),
                entry: entry(function.shape, i, label),
                line: function.outputs.get(i).map_or(function.line, |o| o.1),
                found: found.show(),
                expected: value.show(),
                against: "the model".into(),
            }));
        }
        match expected.open {
            Some(why) => Verdict::NotChecked(why),
            None => Verdict::Agrees,
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
