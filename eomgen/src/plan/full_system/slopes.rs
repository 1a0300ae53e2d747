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
mod local;
mod motion;
mod sweep;
mod tree;

use super::FullSystem;
use super::axes::{Axes, Turner};
use super::inertias::Inertias;
use super::skeleton::Skeleton;
use crate::ir::derivative::{self, Obstacle, Pole};
use crate::ir::{Equals, Graph, Prepared, Value};
use crate::plan::facts::ValueFacts;
use crate::plan::group;
use crate::solve::Calc;
use crate::solve::inertia::Share;

/// What the forces on the speeds change by.
pub(crate) struct Slopes {
    /// With the rates of the speeds: the mass matrix, row by row.
    pub mass: Vec<Value>,
    /// With the leaves, at these rates: one row per speed, one column per leaf.
    pub forces: Vec<Value>,
    /// What these are divided by beyond what the forces are.
    pub poles: Vec<Pole>,
}

impl FullSystem {
    /// How the forces that are missing to make the rates of the speeds these ones change with leaves, which are inputs but no parameters. The way of
    /// placing inertia that takes the fewest operations. `None` where the model is no tree of this kind.
    pub fn slopes(
        &self,
        graph: &mut Graph,
        facts: &ValueFacts,
        rates: &[Value],
        leaves: &[Value],
    ) -> Result<Option<Slopes>, Obstacle> {
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
        let mut best: Option<(usize, Slopes)> = None;
        for share in shares {
            let shares = vec![share; s.frames.len()];
            let calc = &mut Calc {
                graph,
                equals: Some(Equals::new(&facts.prints)),
            };
            let inertias = Inertias::moved(calc, s, &shares);
            let Some(slopes) = one(calc, s, &inertias, rates, leaves)? else {
                return Ok(None);
            };
            let roots: Vec<Value> = slopes.mass.iter().chain(&slopes.forces).copied().collect();
            let cost = prepared.count(graph, &roots).1.total();
            if best.as_ref().is_none_or(|b| cost < b.0) {
                best = Some((cost, slopes));
            }
        }
        Ok(best.map(|b| b.1))
    }
}

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

/// With the inertia at these places.
fn one(
    calc: &mut Calc<'_>,
    s: &Skeleton,
    inertias: &Inertias,
    rates: &[Value],
    leaves: &[Value],
) -> Result<Option<Slopes>, Obstacle> {
    let Some(tree) = tree::Tree::new(calc, s, inertias) else {
        return Ok(None);
    };
    let Some((locals, mut poles)) = local::locals(calc, s, &tree, leaves)? else {
        return Ok(None);
    };
    let motion = motion::motions(calc, s, &tree, rates);
    let composites = composite::composites(calc, s, (&tree, inertias), &motion);
    let found = sweep::sweep(
        calc,
        (s, &tree),
        &locals,
        (&motion, &composites),
        rates,
        leaves,
    );
    let loads = sweep::loads(calc, s, &tree);
    let loads = derivative::jacobian(calc.graph, &loads, leaves)?;
    poles.extend(loads.poles);
    let forces = found.forces.iter().zip(&loads.entries);
    let forces = forces.map(|(own, load)| calc.sub(*own, *load)).collect();
    Ok(Some(Slopes {
        mass: found.mass,
        forces,
        poles,
    }))
}
