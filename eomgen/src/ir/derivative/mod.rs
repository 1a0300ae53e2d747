//! Derivatives of values with respect to others, on the shared graph: forward or reverse accumulation, whichever counts cheaper once
//! shared and folded together with the values themselves.
//!
//! It knows instructions and their derivatives; it knows nothing of what they stand for. What is identically zero is decided at
//! points of the prime field and left out exactly. Where a function has a value but no derivative (a root at 0, an arc sine at 1)
//! the divisor that vanishes there is on record, as every division is. `abs` and `sign` have the derivatives `sign` and 0, at 0
//! too, and a choice has that of the branch taken.

mod forward;
mod reverse;
mod routine;
mod rules;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;

use super::field::Points;
use super::{Graph, Op, Value};
use rules::Rules;

/// Reverse accumulation is not tried where it would visit more instructions than this.
const VISITS: usize = 4_000_000;
/// Where the points at which zeros are recognised start from.
const SEED: u64 = 0x6a61_636f_6269;

/// How derivatives were accumulated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// From the leaves to the roots: one sweep for each leaf.
    Forward,
    /// From the roots to the leaves: one sweep for each root.
    Reverse,
}

/// A divisor of a derivative that its value does not divide by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pole {
    /// What must not vanish.
    pub divisor: Value,
    /// The instruction that has no derivative there: a root, an arc function, a power or an angle.
    pub of: Value,
}

/// Why there is no derivative.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Obstacle {
    /// The values contain second derivatives of a user function, whose jet ends there.
    #[error("third derivatives of user function {function} would be needed")]
    ThirdDerivative {
        /// Index into [`Interface::functions`](super::Interface::functions).
        function: u32,
    },
    /// A value that is no number was requested.
    #[error("calls and routines are no numbers")]
    NotANumber,
}

/// Derivatives of some roots with respect to some leaves.
#[derive(Clone, Debug)]
pub struct Jacobian {
    /// Row by row: one row per root, one column per leaf. Structural zeros are the constant 0.
    pub entries: Vec<Value>,
    /// How they were accumulated.
    #[cfg_attr(
        not(test),
        expect(dead_code, reason = "which way was cheaper is for tests to see")
    )]
    pub direction: Direction,
    /// Divisors that the roots do not have, each once, in order.
    pub poles: Vec<Pole>,
}

/// The derivatives of `roots` with respect to `leaves`, all leaves independent of each other and everything that is no leaf held
/// fixed unless it is computed from leaves. What the graph gains and nothing needs stays in it as dead instructions of the chosen
/// direction only.
///
/// A numerical routine is differentiated implicitly, by the same routine with other right-hand sides: the derivative is right where
/// the rank does not change, and the routine fails where the equations it is taken from contradict each other in some direction.
///
/// # Errors
/// What has no derivative.
pub fn jacobian(
    graph: &mut Graph,
    roots: &[Value],
    leaves: &[Value],
) -> Result<Jacobian, Obstacle> {
    let live = graph.live(roots);
    if roots.iter().any(|root| !graph.op(*root).is_scalar()) {
        return Err(Obstacle::NotANumber);
    }
    let active = active(graph, &live, leaves);
    let mut with_forward = graph.clone();
    let mut swept = Sweep::new(&mut with_forward);
    let entries = forward::sweep(&mut swept, &live, &active, roots, leaves)?;
    let forward = Jacobian {
        entries,
        direction: Direction::Forward,
        poles: swept.rules.poles(),
    };
    let smooth = |v: &Value| !matches!(graph.op(*v), Op::Routine { .. });
    let short = live.len().saturating_mul(roots.len()) <= VISITS;
    if short && live.iter().filter(|v| active[v.index()]).all(smooth) {
        let mut with_reverse = graph.clone();
        let mut swept = Sweep::new(&mut with_reverse);
        let entries = reverse::sweep(&mut swept, &active, roots, leaves)?;
        let reverse = Jacobian {
            entries,
            direction: Direction::Reverse,
            poles: swept.rules.poles(),
        };
        if cost(&with_reverse, roots, &reverse) < cost(&with_forward, roots, &forward) {
            *graph = with_reverse;
            return Ok(reverse);
        }
    }
    *graph = with_forward;
    Ok(forward)
}

/// Operations of the values and their derivatives together.
fn cost(graph: &Graph, roots: &[Value], jacobian: &Jacobian) -> usize {
    let all: Vec<Value> = roots.iter().chain(&jacobian.entries).copied().collect();
    graph.count(&all).total()
}

/// Which instructions depend on a leaf.
fn active(graph: &Graph, live: &[Value], leaves: &[Value]) -> Vec<bool> {
    let mut active = vec![false; graph.len()];
    for v in live {
        let depends = |operand: Value| active[operand.index()];
        active[v.index()] = leaves.contains(v) || graph.op(*v).operands().any(depends);
    }
    active
}

/// Derivatives of one instruction: leaf to value, those that are identically zero left out.
type Row = BTreeMap<usize, Value>;

/// Derivatives of the instructions passed so far.
type Rows = BTreeMap<Value, Row>;

/// What both directions share: the graph that grows, the rules, the test for zero.
struct Sweep<'g> {
    graph: &'g mut Graph,
    rules: Rules,
    points: Points,
    known: BTreeMap<Value, bool>,
}

impl<'g> Sweep<'g> {
    fn new(graph: &'g mut Graph) -> Self {
        Self {
            graph,
            rules: Rules::default(),
            points: Points::new(SEED),
            known: BTreeMap::new(),
        }
    }

    /// The value, unless it is identically zero.
    fn kept(&mut self, value: Value) -> Option<Value> {
        if self.graph.is_zero(value) {
            return None;
        }
        if self.graph.as_rational(value).is_some() {
            return Some(value);
        }
        let (graph, points) = (&*self.graph, &self.points);
        let known = self.known.entry(value);
        known
            .or_insert_with(|| points.nonzero(graph, value))
            .then_some(value)
    }

    /// A sum of terms with signs, the first positive one first; `None` if it is identically zero.
    fn sum(&mut self, terms: &[(bool, Value)]) -> Option<Value> {
        let mut total: Option<Value> = None;
        for (_, v) in terms.iter().filter(|t| !t.0) {
            total = Some(match total {
                None => *v,
                Some(t) => self.graph.add(t, *v),
            });
        }
        let mut less: Option<Value> = None;
        for (_, v) in terms.iter().filter(|t| t.0) {
            match total {
                Some(t) => total = Some(self.graph.sub(t, *v)),
                None => {
                    less = Some(match less {
                        None => *v,
                        Some(l) => self.graph.add(l, *v),
                    });
                }
            }
        }
        let sum = match (total, less) {
            (Some(t), _) => t,
            (None, Some(l)) => self.graph.neg(l),
            (None, None) => return None,
        };
        self.kept(sum)
    }
}
