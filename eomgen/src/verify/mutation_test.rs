//! Mutation test of a proof: small errors are put into a module that was proven, one at a time, and each has to be noticed, or change
//! nothing at all. What is left is listed.

use super::checks;
use super::compare::{Comparison, Verdict};
use super::entries::scale;
use super::expectation::Domain;
use super::machine::Machine;
use super::mutate::{Kind, Mutant, mutants};
use super::number::{Decimal, EvalError, Modular, Number};
use super::proof::{Request, say};
use super::test_point::{Mechanics, TestPoint};
use super::text::run::{self, Outcome};
use super::text::tree::{Function, Module};
use super::verifier::{Arithmetic, TestPoints, Verifier, rounded_literals};
use super::{expectation, layout};
use crate::model::System;

type Rough = <Decimal as Arithmetic>::Text;

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

/// How often a state that says nothing is replaced.
const ATTEMPTS: usize = 12;

/// A function at a point: the values of its steps and what it should give.
struct Prepared<'s, N> {
    point: &'s TestPoint<N>,
    values: Vec<Outcome<N>>,
    expected: Vec<N>,
    scale: N,
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
    let failed = |t: EvalError| vec![say(&t)];
    let machine = Machine::new(system, request.seed).map_err(failed)?;
    let exact = Verifier::<Modular>::new(module, &layout, &machine, run::literals(module));
    let rough = Verifier::<Decimal>::new(module, &layout, &machine, rounded_literals(module));
    let (states, seed) = (request.states, request.seed);
    // Without states of the field everything is done in numbers.
    let exact_points = exact
        .test_points(states, seed, ATTEMPTS)
        .unwrap_or_default();
    let mut rough_points: Option<Vec<TestPoints<Rough>>> = None;
    let synthetic = rough.synthetic(request.seed).into_iter();
    let synthetic: Vec<TestPoints<Rough>> = synthetic.map(|point| (point, None)).collect();
    let mut result = MutationReport::default();
    let mut count = 0;
    for function in &module.functions {
        let own: Vec<Mutant> = mutants(module, function)
            .into_iter()
            .filter(|_| {
                count += 1;
                count % stride.max(1) == 0
            })
            .collect();
        let base = module.base(&function.name);
        // Compared with the checks, not with a rule.
        let is_closeness = base == "closeness";
        if !is_closeness && expectation::rule::<Modular>(base).is_none() {
            result.skipped.push(function.name.clone());
            continue;
        }
        // What is compared in part only says nothing of errors in the rest.
        let is_open = match exact_points.first() {
            Some(points) if !is_closeness => is_open(&exact, points, function),
            _ => false,
        };
        if is_open {
            result.skipped.push(function.name.clone());
            continue;
        }
        let left = if is_closeness {
            None
        } else {
            survivors(&exact, &exact_points, function, &own)
        };
        let is_exact = left.is_some();
        let mut left = left.unwrap_or_else(|| own.iter().collect());
        let checked = !function.checks.is_empty();
        if !left.is_empty() && (!is_exact || checked) {
            if !is_exact {
                let all: &[TestPoints<Rough>] = if is_closeness {
                    &synthetic
                } else {
                    if rough_points.is_none() {
                        let points = rough.test_points(states, seed, ATTEMPTS);
                        rough_points = Some(points.map_err(failed)?);
                    }
                    rough_points.as_deref().unwrap_or(&[])
                };
                left = survivors(&rough, all, function, &own).ok_or_else(|| {
                    vec![format!("`{}` is not right to begin with", function.name)]
                })?;
            }
            if checked {
                let measured = reached(function, Goal::Checks);
                let matters = |m: &Mutant| measured.get(m.place as usize) == Some(&true);
                left.retain(|m| !matters(m) || !spoils_a_check(&rough, &synthetic, function, m));
            }
        }
        result.caught += own.len() - left.len();
        let reach = reached(function, Goal::Anything);
        result.survivors.extend(left.into_iter().map(|mutant| {
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
    Ok(result)
}

/// The errors that change nothing in the result; `None` if the function is not right without them, as far as this arithmetic can
/// tell.
fn survivors<'a, 'm, N: Arithmetic>(
    verifier: &Verifier<'a, N>,
    all: &[TestPoints<N::Text>],
    function: &Function,
    own: &'m [Mutant],
) -> Option<Vec<&'m Mutant>>
where
    Machine<'a>: Mechanics<N>,
{
    let calls = |f: usize, arguments: &[N::Text]| verifier.jet(f, arguments);
    let mut left: Vec<&Mutant> = own.iter().collect();
    let mut compared = false;
    for points in all {
        let comparison = verifier.comparison(points, &calls);
        let rule = expectation::rule::<N::Text>(verifier.module.base(&function.name));
        let everywhere = rule.is_some_and(|(domain, _)| domain == Domain::Everywhere);
        let mut here = vec![&points.0];
        here.extend(points.1.as_ref().filter(|_| everywhere));
        for point in here {
            let Some(prepared) = prepare(&comparison, function, point) else {
                continue;
            };
            compared = true;
            left.retain(|mutant| !is_noticed(&comparison, function, &prepared, mutant));
        }
    }
    compared.then_some(left)
}

/// Whether nobody knows all that a function should give.
fn is_open<'a, N: Arithmetic>(
    verifier: &Verifier<'a, N>,
    points: &TestPoints<N::Text>,
    function: &Function,
) -> bool
where
    Machine<'a>: Mechanics<N>,
{
    let calls = |f: usize, arguments: &[N::Text]| verifier.jet(f, arguments);
    let verdict = verifier.comparison(points, &calls).check(function);
    matches!(verdict, Verdict::NotChecked(_))
}

fn prepare<'s, N: Number>(
    comparison: &Comparison<'_, N>,
    function: &Function,
    point: &'s TestPoint<N>,
) -> Option<Prepared<'s, N>> {
    let values = comparison.run(function, point);
    let found = run::outputs(function, &values).ok()?;
    let expected = match comparison.expected(function, point, &found) {
        Some(expected) => expected.ok()?.values,
        // Compared with the checks.
        None => found.clone(),
    };
    let scale = scale(&expected);
    let pairs = || found.iter().zip(&expected);
    let right = found.len() == expected.len() && pairs().all(|(a, b)| a.agrees(b, &scale));
    right.then_some(Prepared {
        point,
        values,
        expected,
        scale,
    })
}

fn is_noticed<N: Number>(
    comparison: &Comparison<'_, N>,
    function: &Function,
    at: &Prepared<'_, N>,
    mutant: &Mutant,
) -> bool {
    let (changed, values);
    let (function, values) = match mutant.function(function) {
        Some(other) => {
            changed = other;
            (&changed, at.values.as_slice())
        }
        None => {
            values = comparison.with_arguments(function, at.point, |given| {
                mutant.values(function, &at.values, given)
            });
            (function, values.as_slice())
        }
    };
    match run::outputs(function, values) {
        Ok(found) => {
            let mut pairs = found.iter().zip(&at.expected);
            pairs.any(|(found, expected)| !found.agrees(expected, &at.scale))
        }
        Err(_) => true,
    }
}

/// Whether a check measures something else.
fn spoils_a_check(
    verifier: &Verifier<'_, Decimal>,
    all: &[TestPoints<Rough>],
    function: &Function,
    mutant: &Mutant,
) -> bool {
    let calls = |f: usize, arguments: &[Rough]| verifier.jet(f, arguments);
    all.iter().any(|points| {
        let comparison = verifier.comparison(points, &calls);
        let values = comparison.run(function, &points.0);
        let wrong = comparison.with_arguments(function, &points.0, |given| {
            mutant.values(function, &values, given)
        });
        let one = Rough::int(1);
        function.checks.iter().any(|check| {
            let (right, wrong) = (
                checks::relative(check, &values),
                checks::relative(check, &wrong),
            );
            match (right, wrong) {
                (Ok(Some(right)), Ok(Some(wrong))) => !wrong.agrees(&right, &one),
                (Ok(a), Ok(b)) => a.is_some() != b.is_some(),
                (Ok(_), Err(_)) => true,
                (Err(_), _) => false,
            }
        })
    })
}

/// What a step may reach.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Goal {
    /// A check.
    Checks,
    /// The result or a check.
    Anything,
}

/// Whether each step reaches the goal.
fn reached(function: &Function, goal: Goal) -> Vec<bool> {
    let mut reached = vec![false; function.steps.len()];
    let checks = function.checks.iter().flat_map(|c| [c.divisor, c.scale]);
    let outputs = function.outputs.iter().map(|o| o.0);
    let outputs = outputs.filter(|_| goal == Goal::Anything);
    for place in outputs.chain(checks) {
        if let Some(mark) = reached.get_mut(place as usize) {
            *mark = true;
        }
    }
    for place in (0..function.steps.len()).rev() {
        let (Some(true), Some(step)) = (reached.get(place), function.steps.get(place)) else {
            continue;
        };
        for operand in step.operands() {
            if let Some(mark) = reached.get_mut(operand as usize) {
                *mark = true;
            }
        }
    }
    reached
}
