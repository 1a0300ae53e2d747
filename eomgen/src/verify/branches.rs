//! Which branches of a module's functions no state takes: what was not exercised is not proven.

use std::collections::BTreeSet;

use num_rational::BigRational;

use super::compare::Verdict;
use super::dynamics::State;
use super::number::Elementary;
use super::states::SolvedState;
use super::test_point::{TestPoint, TestPoints};
use super::text::tree::{Function, Step, StepId, Test};
use super::verifier::{Arithmetic, Branch, Verifier, is_branch, on};

/// How many states are tried for branches that no other one takes.
const FARTHER: u64 = 60;

/// How many states off the constraints are tried for branches that no other one takes.
const OFF: u64 = 24;

impl<N: Arithmetic> Verifier<'_, N> {
    /// Adds states where branches go ways that they do not go at the others.
    pub(super) fn add_distant(&self, list: &mut Vec<TestPoints<N>>, seed: u64) {
        let functions = self.module.functions.iter();
        if !functions.flat_map(|f| &f.steps).any(is_branch) {
            return;
        }
        let mut taken = self.taken(&on(list), |_| true);
        let in_checks = self.taken_in_checks(seed);
        for attempt in 0..FARTHER {
            if self.open(&taken, &in_checks).is_empty() {
                break;
            }
            let seed = seed.wrapping_add(0x51_0000 + attempt);
            let Some(solved) = self
                .solutions
                .distant(seed, || N::distant(self.machine, seed))
            else {
                break;
            };
            let Ok(points) = self.around(solved, seed) else {
                continue;
            };
            let before = taken.len();
            taken.extend(self.taken(&on(std::slice::from_ref(&points)), |_| true));
            if taken.len() > before {
                list.push(points);
            }
        }
    }

    /// Which way branches go at the states at which checks are compared with `closeness`.
    fn taken_in_checks(&self, seed: u64) -> BTreeSet<Branch> {
        let synthetic = N::synthetic(self.machine, self.layout, seed);
        let synthetic: Vec<(&State<N>, &[N])> =
            synthetic.iter().map(|(s, x)| (s, x.as_slice())).collect();
        self.taken(&synthetic, |_| true)
    }

    /// Whether a choice does nothing but say whether a number is in a domain, for a check: 0 outside and 1 inside. What cannot leave it,
    /// as a sum of squares, takes one branch only.
    fn is_domain(&self, step: &Step, function: &Function) -> bool {
        let Step::Select(_, [.., outside, inside]) = step else {
            return false;
        };
        self.is_literal(function, *outside, 0) && self.is_literal(function, *inside, 1)
    }

    /// Whether a choice does nothing but keep what is under square roots from falling below 0: `if x < 0 { 0 } else { x }`. A square that
    /// rounding alone takes there leaves the first branch to no state, and below 0 there is no root that it could differ from. What only checks use
    /// of it is not looked at.
    fn is_guard_of_roots(&self, place: StepId, function: &Function, of_results: &[bool]) -> bool {
        let Some(Step::Select(Test::Less, [x, zero, below, above])) =
            function.steps.get(place as usize)
        else {
            return false;
        };
        let keeps = x == above && self.is_literal(function, *zero, 0);
        let under_roots = || {
            let results = function.steps.iter().zip(of_results).filter(|(_, of)| **of);
            let mut users = results.filter(|(step, _)| step.operands().contains(&place));
            users.all(|(user, _)| matches!(user, Step::Function(Elementary::Sqrt, _)))
                && function.outputs.iter().all(|(output, _)| *output != place)
        };
        keeps && self.is_literal(function, *below, 0) && under_roots()
    }

    /// Whether a step is this number.
    fn is_literal(&self, function: &Function, place: StepId, number: i64) -> bool {
        let Some(Step::Literal(index)) = function.steps.get(place as usize) else {
            return false;
        };
        let literal = self.module.literals.get(*index as usize);
        literal.is_some_and(|l| l.is_exact() && l.value == BigRational::from_integer(number.into()))
    }

    /// The branches that no state takes: function and line.
    pub(super) fn untaken(&self, list: &[TestPoints<N>], seed: u64) -> Vec<(String, u32)> {
        let mut taken = self.taken(&on(list), |_| true);
        let in_checks = self.taken_in_checks(seed);
        let mut untaken = self.open(&taken, &in_checks);
        // Off the constraints a formula may hold or not; where it does, it is no accident.
        for attempt in 0..OFF {
            if untaken.is_empty() {
                break;
            }
            let state = N::any(self.machine, seed.wrapping_add(0x77_0000 + attempt));
            let Ok(dynamics) = self.machine.dynamics(&state) else {
                continue;
            };
            let solved = SolvedState { state, dynamics };
            let Ok(mut point) = TestPoint::on(self.machine, self.layout, solved) else {
                continue;
            };
            self.number(&mut point);
            let holds = |function: &Function| {
                let is_open = untaken.iter().any(|(index, ..)| {
                    let own = self.module.functions.get(*index);
                    own.is_some_and(|own| own.name == function.name)
                });
                is_open && self.check_at(&point, function) == Verdict::Agrees
            };
            let more = self.taken(&[(&point.state, point.x.as_slice())], holds);
            taken.extend(more);
            untaken = self.open(&taken, &in_checks);
        }
        let named = |(index, line): (usize, u32)| {
            let function = self.module.functions.get(index);
            Some((function?.name.clone(), line))
        };
        untaken.into_iter().filter_map(named).collect()
    }

    /// The branches that are not taken both ways: number of the function, line.
    fn open(&self, taken: &BTreeSet<Branch>, in_checks: &BTreeSet<Branch>) -> Vec<(usize, u32)> {
        let mut untaken = Vec::new();
        for (index, function) in self.module.functions.iter().enumerate() {
            let results = function.outputs.iter().map(|(place, _)| *place);
            let of_results = function.needed_for(results);
            for (place, step) in function.steps.iter().enumerate() {
                let is_of_checks = of_results.get(place) == Some(&false);
                let is_taken = |way| {
                    let branch = (index, place, way);
                    taken.contains(&branch) || (is_of_checks && in_checks.contains(&branch))
                };
                if is_of_checks && self.is_domain(step, function) {
                    continue;
                }
                let is_taken_both_ways = is_taken(true) && is_taken(false);
                if is_branch(step)
                    && !is_taken_both_ways
                    && !self.is_guard_of_roots(place as StepId, function, &of_results)
                {
                    let line = function.lines.get(place).copied().unwrap_or(function.line);
                    untaken.push((index, line));
                }
            }
        }
        untaken
    }
}
