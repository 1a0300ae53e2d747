//! Mutation test of a proof: small errors are put into a module that was proven, one at a time, and each has to be noticed, or change
//! nothing at all. What is left is listed.

use super::checks;
use super::compare::Verdict;
use super::dynamics::State;
use super::entries::scale;
use super::expectation::{self, Domain};
use super::layout;
use super::machine::Machine;
use super::mutate::{Kind, Mutant, mutants};
use super::number::{Algebra, Decimal, Modular, Number};
use super::proof::Request;
use super::reduced::REDUCED;
use super::solutions::Solutions;
use super::test_point::{TestPoint, TestPoints};
use super::text::run::{self, Outcome};
use super::text::tree::{Function, Module};
use super::verifier::{Arithmetic, Verifier};
use crate::model::System;

/// An error that no comparison noticed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Survivor {
    /// The function.
    pub function: String,
    /// Line of the file.
    pub line: u32,
    /// The kind of error.
    pub kind: Kind,
    /// What it does.
    pub text: String,
    /// Why nothing is noticed, as far as that is known.
    pub reason: &'static str,
}

/// What came of a mutation test.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MutationReport {
    /// Errors that were noticed.
    pub caught: usize,
    /// The others.
    pub survivors: Vec<Survivor>,
    /// Functions that have no rule.
    pub skipped: Vec<String>,
}

/// A function at a state: the values of its steps and what it should give.
struct Baseline<'s, N: Arithmetic> {
    state: &'s State<N>,
    x: &'s [N],
    values: Vec<Outcome<N::Text>>,
    expected: Vec<N::Text>,
    scale: N::Text,
}

/// A state with the module's array for it.
type Synthetic = (State<Decimal>, Vec<Decimal>);

/// A module in both arithmetics, with its states.
struct Mutation<'a> {
    exact: Verifier<'a, Modular>,
    /// Without states of the field everything is done in numbers.
    exact_points: Vec<TestPoints<Modular>>,
    rough: Verifier<'a, Decimal>,
    rough_points: Option<Vec<TestPoints<Decimal>>>,
    synthetic: Vec<Synthetic>,
    request: Request,
}

/// Puts every `stride`-th error of the fixed set into a module.
///
/// # Errors
/// Where the module is not right to begin with.
pub fn mutation_test(
    module: &Module,
    system: &System,
    request: Request,
    stride: usize,
) -> Result<MutationReport, Vec<String>> {
    let layout = layout::layout(module, system)?;
    let machine = Machine::new(system, request.seed).map_err(|error| vec![error.to_string()])?;
    let (of_field, of_digits) = (Solutions::default(), Solutions::default());
    let exact = Verifier::new(module, &layout, (&machine, &of_field));
    let rough = Verifier::new(module, &layout, (&machine, &of_digits));
    let exact_points = exact.test_points(request.states, request.seed);
    let mut test = Mutation {
        exact_points: exact_points.unwrap_or_default(),
        rough_points: None,
        synthetic: Decimal::synthetic(&machine, &layout, request.seed),
        exact,
        rough,
        request,
    };
    let mut report = MutationReport::default();
    let mut count = 0;
    for function in &module.functions {
        let mut own = mutants(module, function);
        own.retain(|_| {
            count += 1;
            count % stride.max(1) == 0
        });
        if test.is_open(function) {
            report.skipped.push(function.name.clone());
            continue;
        }
        let (left, is_exact) = test.left(function, &own)?;
        report.caught += own.len() - left.len();
        report.add(function, left, is_exact);
    }
    Ok(report)
}

impl MutationReport {
    fn add(&mut self, function: &Function, left: Vec<&Mutant>, is_exact: bool) {
        let outputs = function.outputs.iter().map(|o| o.0);
        let reach = function.needed_for(outputs.chain(function.measured()));
        self.survivors.extend(left.into_iter().map(|mutant| {
            let reached = reach.get(mutant.place as usize).copied().unwrap_or(true);
            Survivor {
                function: function.name.clone(),
                line: mutant.line,
                kind: mutant.kind,
                text: mutant.text.clone(),
                reason: match (mutant.kind, reached, is_exact) {
                    (Kind::Output, ..) => "the entries are equal",
                    (_, false, _) => "the value reaches neither the result nor a check",
                    (_, _, true) => "equal at all states of the field",
                    (_, _, false) => "equal in numbers of many digits",
                },
            }
        }));
    }
}

impl Mutation<'_> {
    /// Compared with the checks, not with a rule.
    fn is_closeness(&self, function: &Function) -> bool {
        function.name == "closeness"
    }

    /// Whether nobody knows all that a function should give: what is compared in part only says nothing of errors in the rest.
    fn is_open(&self, function: &Function) -> bool {
        if self.is_closeness(function) || function.name == REDUCED {
            return false;
        }
        let base = function.name.as_str();
        expectation::rule::<Modular>(base).is_none()
            || self.exact.module.is_derivative(base)
            || self.exact_points.first().is_some_and(|points| {
                matches!(self.exact.check(points, function), Verdict::NotChecked(_))
            })
    }

    /// The errors that nothing notices, and whether that was found in the field.
    fn left<'m>(
        &mut self,
        function: &Function,
        own: &'m [Mutant],
    ) -> Result<(Vec<&'m Mutant>, bool), Vec<String>> {
        let exact = if self.is_closeness(function) {
            None
        } else {
            self.exact.survivors(&self.exact_points, function, own)
        };
        let is_exact = exact.is_some();
        let mut left = match exact {
            Some(left) => left,
            None if own.is_empty() => Vec::new(),
            None => self.left_in_numbers(function, own)?,
        };
        if !left.is_empty() && !function.checks.is_empty() {
            let measured = function.needed_for(function.measured());
            let matters = |m: &Mutant| measured.get(m.place as usize) == Some(&true);
            let spoils = |m: &Mutant| {
                let mut states = self.synthetic.iter();
                states.any(|(state, x)| self.rough.spoils_a_check(function, state, x, m))
            };
            left.retain(|m| !matters(m) || !spoils(m));
        }
        Ok((left, is_exact))
    }

    fn left_in_numbers<'m>(
        &mut self,
        function: &Function,
        own: &'m [Mutant],
    ) -> Result<Vec<&'m Mutant>, Vec<String>> {
        let left = if self.is_closeness(function) {
            let at = self.synthetic.iter();
            self.rough.unnoticed(
                at.filter_map(|(state, x)| self.rough.own_baseline(function, state, x)),
                function,
                own,
            )
        } else {
            let points = match self.rough_points.take() {
                Some(points) => points,
                None => {
                    let (states, seed) = (self.request.states, self.request.seed);
                    let points = self.rough.test_points(states, seed);
                    points.map_err(|error| vec![error.to_string()])?
                }
            };
            let left = self.rough.survivors(&points, function, own);
            self.rough_points = Some(points);
            left
        };
        left.ok_or_else(|| vec![format!("`{}` is not right to begin with", function.name)])
    }
}
impl<N: Arithmetic> Verifier<'_, N> {
    /// The errors that change nothing in the result; `None` if the function is not right without them, as far as this arithmetic can
    /// tell.
    fn survivors<'m>(
        &self,
        all: &[TestPoints<N>],
        function: &Function,
        own: &'m [Mutant],
    ) -> Option<Vec<&'m Mutant>> {
        let domain = expectation::domain(&function.name);
        let points = all.iter().flat_map(|points| {
            let off = points.off.as_ref().filter(|_| domain == Domain::Everywhere);
            std::iter::once(&points.on).chain(off)
        });
        let baselines = points.filter_map(|point| self.baseline(function, point));
        self.unnoticed(baselines, function, own)
    }

    /// The same at these states; `None` if there is none.
    fn unnoticed<'s, 'm>(
        &self,
        baselines: impl Iterator<Item = Baseline<'s, N>>,
        function: &Function,
        own: &'m [Mutant],
    ) -> Option<Vec<&'m Mutant>>
    where
        N: 's,
    {
        let mut left: Vec<&Mutant> = own.iter().collect();
        let mut compared = false;
        for baseline in baselines {
            compared = true;
            left.retain(|mutant| !self.is_noticed(function, &baseline, mutant));
        }
        compared.then_some(left)
    }

    /// What a function gives and should give; `None` if that is not the same.
    fn baseline<'s>(
        &self,
        function: &Function,
        point: &'s TestPoint<N>,
    ) -> Option<Baseline<'s, N>> {
        let own = self.own_baseline(function, &point.state, &point.x)?;
        let expected: Vec<N::Text> = if function.name == REDUCED {
            self.reduced(point, function).ok()?
        } else {
            let known = self.expected(point, function, &own.expected)?.ok()?.values;
            known.iter().map(N::lift).collect()
        };
        let scale = scale(&expected);
        let mut pairs = own.expected.iter().zip(&expected);
        let same = own.expected.len() == expected.len() && pairs.all(|(a, b)| a.agrees(b, &scale));
        same.then_some(Baseline {
            expected,
            scale,
            ..own
        })
    }

    /// What a function gives, taken as what it should give.
    fn own_baseline<'s>(
        &self,
        function: &Function,
        state: &'s State<N>,
        x: &'s [N],
    ) -> Option<Baseline<'s, N>> {
        let values = self.run(function, state, x);
        let expected = run::outputs(function, &values).ok()?;
        Some(Baseline {
            state,
            x,
            values,
            scale: scale(&expected),
            expected,
        })
    }

    fn is_noticed(&self, function: &Function, at: &Baseline<'_, N>, mutant: &Mutant) -> bool {
        let outputs = match mutant.function(function) {
            Some(other) => run::outputs(&other, &at.values),
            None => {
                let values = self.given(&function.extra, at.state, at.x, |given| {
                    mutant.values(function, &at.values, given)
                });
                run::outputs(function, &values)
            }
        };
        outputs.map_or(true, |found| {
            let mut pairs = found.iter().zip(&at.expected);
            pairs.any(|(found, expected)| !found.agrees(expected, &at.scale))
        })
    }

    /// Whether a check measures something else.
    fn spoils_a_check(
        &self,
        function: &Function,
        state: &State<N>,
        x: &[N],
        mutant: &Mutant,
    ) -> bool {
        let values = self.run(function, state, x);
        let wrong = self.given(&function.extra, state, x, |given| {
            mutant.values(function, &values, given)
        });
        let one = N::Text::int(1);
        function.checks.iter().any(|check| {
            let right = checks::relative(check, &values);
            match (right, checks::relative(check, &wrong)) {
                (Ok(Some(right)), Ok(Some(wrong))) => !wrong.agrees(&right, &one),
                (Ok(a), Ok(b)) => a.is_some() != b.is_some(),
                (Ok(_), Err(_)) => true,
                (Err(_), _) => false,
            }
        })
    }
}
