//! Derivatives of inverse dynamics at given rates of the speeds, in closed form along the tree: how the forces that a motion takes change with
//! the state, and the mass matrix with them (J. Carpentier & N. Mansard 2018; S. Singh, R. Russo & P. Wensing 2022).
//!
//! Whatever changes at one joint, all that lies beyond it moves on as it did relative to the joint. So the change of the motion beyond is that of
//! nine numbers, and what its inertia answers is a [`Composite`](composite::Composite) of the whole branch: the answer is carried to the base
//! once, and each joint on the way takes its share of it. The same vectors carried for a speed's own force say how that changes with
//! the joints nearer to the base.
//!
//! It takes a tree in which every branch hangs on one joint, and no energy that is given as such; other models have no slopes of this kind.

mod composite;
mod definite;
mod homogeneous;
mod local;
mod motion;
mod sweep;
mod tree;

use super::FullSystem;
use super::axes::{Axes, Turner};
use super::inertias::Inertias;
use super::skeleton::Skeleton;
use crate::ir::derivative::{self, Obstacle, Pole};
use crate::ir::{Equals, Graph, Prepared, Rational, Value};
use crate::plan::facts::ValueFacts;
use crate::plan::group;
use crate::solve::Calc;
use crate::solve::inertia::Share;
use definite::Solution;

/// How the rates of the speeds and the forces on these change.
pub(crate) struct Slopes {
    /// The rates of the speeds at which no force is missing.
    pub rates: Vec<Value>,
    /// How they change: one row per speed, one column per leaf.
    pub entries: Vec<Value>,
    /// What these are divided by beyond what the forces are.
    pub poles: Vec<Pole>,
}

/// How forces on the speeds change with leaves.
#[derive(Clone)]
pub(crate) struct ForceSlopes {
    /// One row per speed, one column per leaf.
    pub entries: Vec<Value>,
    /// Of which leaves these are the halves.
    pub halves: Vec<bool>,
    /// What these are divided by beyond what the forces are.
    pub poles: Vec<Pole>,
}

/// What is differentiated by: inputs, but no parameters.
#[derive(Clone, Copy)]
pub(crate) struct Leaves<'l> {
    pub all: &'l [Value],
    /// The speeds, as the state holds them.
    pub speeds: &'l [Value],
}

impl FullSystem {
    /// How the rates of the speeds are found, and how the forces that are missing to make them what they are change. `None` where the model is no tree
    /// of this kind.
    pub fn slopes(
        &self,
        graph: &mut Graph,
        facts: &ValueFacts,
        leaves: &Leaves<'_>,
    ) -> Result<Option<Slopes>, Obstacle> {
        let roots = |found: &Slopes| {
            let all = found.rates.iter().chain(&found.entries);
            all.copied().collect()
        };
        self.cheapest(graph, facts, &roots, &|calc, s, inertias| {
            let machine = Machine::new(calc, s, inertias, leaves.all)?;
            Ok(machine.map(|m| m.solved(calc, leaves)))
        })
    }

    /// How the forces that are missing to make the rates of the speeds these ones change.
    pub fn force_slopes(
        &self,
        graph: &mut Graph,
        facts: &ValueFacts,
        rates: &[Value],
        leaves: &[Value],
    ) -> Result<Option<ForceSlopes>, Obstacle> {
        let roots = |found: &ForceSlopes| found.entries.clone();
        self.cheapest(graph, facts, &roots, &|calc, s, inertias| {
            let machine = Machine::new(calc, s, inertias, leaves)?;
            Ok(machine.map(|m| vec![m.missing(calc, rates)]))
        })
    }

    /// With inertia placed in the way that takes the fewest operations.
    fn cheapest<T>(
        &self,
        graph: &mut Graph,
        facts: &ValueFacts,
        roots: &dyn Fn(&T) -> Vec<Value>,
        one: &One<'_, T>,
    ) -> Result<Option<T>, Obstacle> {
        let s = &in_own_axes(graph, &self.skeleton);
        if !s.inertia.is_empty() {
            return Ok(None);
        }
        let mut shares: Vec<Option<Share>> = Vec::new();
        for way in &self.ways {
            let share = way.choice.as_ref().and_then(|c| c.frames.first());
            let share = share.and_then(|f| f.share);
            if !shares.contains(&share) {
                shares.push(share);
            }
        }
        let prepared = Prepared::new(&[group::PARAMS]);
        let mut best: Option<(usize, T)> = None;
        for share in shares {
            let shares = vec![share; s.frames.len()];
            let calc = &mut Calc {
                graph,
                equals: Some(Equals::new(&facts.prints)),
            };
            let inertias = Inertias::moved(calc, s, &shares);
            let Some(ways) = one(calc, s, &inertias)? else {
                return Ok(None);
            };
            for found in ways {
                let cost = prepared.count(graph, &roots(&found)).1.total();
                if best.as_ref().is_none_or(|b| cost < b.0) {
                    best = Some((cost, found));
                }
            }
        }
        Ok(best.map(|b| b.1))
    }
}

/// What is found with the inertia at certain places, in one or several ways.
type One<'f, T> =
    dyn Fn(&mut Calc<'_>, &Skeleton, &Inertias) -> Result<Option<Vec<T>>, Obstacle> + 'f;

/// The same with the rates of all offsets in the axes of the frames in which they are offset.
fn in_own_axes(graph: &mut Graph, given: &Skeleton) -> Skeleton {
    let mut s = given.clone();
    let calc = &mut Calc {
        graph,
        equals: None,
    };
    let axes = vec![Axes::Own; s.frames.len()];
    let mut turner = Turner::new(calc, given, &axes);
    for offset in s.points.iter_mut().flat_map(|p| &mut p.offsets) {
        let (from, to) = (offset.rate_axes, offset.frame);
        let rates = offset.rate.iter_mut().map(|r| &mut r.1);
        for v in rates.chain([&mut offset.rate_value, &mut offset.second]) {
            *v = turner.turn(calc, v, from, to);
        }
        offset.rate_axes = to;
    }
    s
}

/// The machine with its inertia at certain places, and how its steps and its loads change with the leaves.
struct Machine<'a> {
    s: &'a Skeleton,
    inertias: &'a Inertias,
    tree: tree::Tree,
    locals: Vec<Vec<local::Local>>,
    /// Of which leaves halves are taken.
    halves: Vec<bool>,
    loads: Vec<Value>,
    by_loads: Vec<Value>,
    poles: Vec<Pole>,
}

impl<'a> Machine<'a> {
    /// `None` where the model is no tree of this kind.
    fn new(
        calc: &mut Calc<'_>,
        s: &'a Skeleton,
        inertias: &'a Inertias,
        leaves: &[Value],
    ) -> Result<Option<Self>, Obstacle> {
        let Some(tree) = tree::Tree::new(calc, s, inertias) else {
            return Ok(None);
        };
        let Some((locals, mut poles)) = local::locals(calc, s, &tree, leaves)? else {
            return Ok(None);
        };
        let loads = sweep::loads(calc, s, &tree);
        let by_loads = derivative::jacobian(calc.graph, &loads, leaves)?;
        poles.extend(by_loads.poles);
        let halves = local::rates_only(calc, &locals, leaves.len());
        Ok(Some(Self {
            s,
            inertias,
            tree,
            locals,
            loads,
            by_loads: halved(calc, &by_loads.entries, &halves),
            halves,
            poles,
        }))
    }

    /// The rates that the loads cause, and how the forces that are missing at them change: one for each way to the rates.
    fn solved(&self, calc: &mut Calc<'_>, leaves: &Leaves<'_>) -> Vec<Slopes> {
        let n = self.s.speeds.len();
        let still = vec![calc.graph.zero(); n];
        let bias = self.forces(calc, self.s, &still);
        let constant = self.swept(calc, &still);
        let other = homogeneous::bias(calc, self, leaves, &constant.forces, &bias);
        let mut list = Vec::new();
        for bias in [bias].into_iter().chain(other) {
            let own = self.loads.iter().zip(&bias);
            let own: Vec<Value> = own.map(|(l, b)| calc.sub(*l, *b)).collect();
            for inverts in [true, false] {
                // The rates of one way equal those of the other, which are not to be taken for them.
                calc.equals = calc.equals.as_ref().map(Equals::renewed);
                let solution = Solution::new(calc, &constant.mass, n, inverts);
                let rates = solution.of(calc, &own);
                let forces = self.missing(calc, &rates);
                list.push(Slopes {
                    rates,
                    entries: solution.opposite(calc, &forces),
                    poles: forces.poles,
                });
            }
        }
        list
    }

    /// How the forces that are missing at these rates of the speeds change.
    fn missing(&self, calc: &mut Calc<'_>, rates: &[Value]) -> ForceSlopes {
        let found = self.swept(calc, rates);
        let forces = found.forces.iter().zip(&self.by_loads);
        ForceSlopes {
            entries: forces.map(|(own, load)| calc.sub(*own, *load)).collect(),
            halves: self.halves.clone(),
            poles: self.poles.clone(),
        }
    }

    /// The mass matrix, and how the forces that the motion takes change at these rates of the speeds.
    fn swept(&self, calc: &mut Calc<'_>, rates: &[Value]) -> sweep::Found {
        let (s, tree) = (self.s, &self.tree);
        let motion = motion::motions(calc, s, tree, rates);
        let composites = composite::composites(calc, s, (tree, self.inertias), &motion);
        let changing = (self.locals.as_slice(), self.halves.as_slice());
        sweep::sweep(calc, (s, tree), changing, (&motion, &composites), rates)
    }

    /// The forces that the motion takes at these rates, the skeleton's motion being this one.
    fn forces(&self, calc: &mut Calc<'_>, s: &Skeleton, rates: &[Value]) -> Vec<Value> {
        let motion = motion::motions(calc, s, &self.tree, rates);
        let composites = composite::composites(calc, s, (&self.tree, self.inertias), &motion);
        sweep::forces(calc, s, &self.tree, &composites)
    }
}

/// Entries, the columns of some leaves halved.
fn halved(calc: &mut Calc<'_>, entries: &[Value], halves: &[bool]) -> Vec<Value> {
    let half = Rational::new(1.into(), 2.into());
    let half = calc.graph.rational(&half);
    let mut all = Vec::with_capacity(entries.len());
    for (entry, is_half) in entries.iter().zip(halves.iter().cycle()) {
        all.push(match is_half {
            true => calc.mul(half, *entry),
            false => *entry,
        });
    }
    all
}
