//! The gap that a constraint between positions closes, and how it grows; or that between velocities. Its derivatives are taken in the frame nearest to all of
//! its parts: where the gap is closed they are those in the ground, and what moves this frame has no part in them. Knows nothing of rows.

use crate::mech::kinematics::Kinematics;
use crate::mech::mixed::Mixed;
use crate::mech::still::Still;
use crate::mech::value::Values;
use crate::mech::vec3::{self, Linear, Vec3};
use crate::model::system::{ConstraintRelation, FrameId};
use crate::sym::{Algebra, Derivation, Expr};
use rustc_hash::FxHashMap;
use std::collections::{BTreeMap, BTreeSet};

/// Left side less right side of a constraint, by frames.
pub(super) struct Gap<'t> {
    values: &'t Values<'t>,
    k: &'t Kinematics,
    vector: Mixed,
    /// Whether it is one between velocities.
    of_velocities: bool,
    /// The frame in which derivatives are taken.
    pub from: FrameId,
    /// How the frames of the parts turn in it.
    turning: BTreeMap<FrameId, Turning>,
    /// What is taken for zero in all results.
    still: &'t Still,
}

/// How a frame turns, in its own components.
struct Turning {
    omega: Linear<Vec3>,
    value: Vec3,
    /// The angular acceleration where the rates of the speeds are 0.
    bias: Vec3,
}

impl<'t> Gap<'t> {
    /// The gap of a constraint between vectors.
    pub fn of(
        alg: &mut Algebra,
        values: &'t Values<'t>,
        k: &'t Kinematics,
        (number, of_velocities): (usize, bool),
        still: &'t Still,
    ) -> Option<Self> {
        let relation = &values.system.constraints.get(number)?.relation;
        let ConstraintRelation::Vector { lhs, rhs, .. } = relation else {
            return None;
        };
        let mut at = values.with(alg, k);
        let vector = at.vector(lhs).ok()?.minus(&at.vector(rhs).ok()?);
        let frames: Vec<FrameId> = vector.parts.keys().copied().collect();
        let mut found = Self {
            values,
            k,
            from: nearest(k, &frames)?,
            vector,
            of_velocities,
            turning: BTreeMap::new(),
            still,
        };
        for f in frames {
            found.turn(alg, f);
        }
        Some(found)
    }

    /// Works out how a frame turns.
    fn turn(&mut self, alg: &mut Algebra, f: FrameId) {
        if self.turning.contains_key(&f) {
            return;
        }
        let frame = &self.k.frames[f.index()];
        let parent = frame.parent.filter(|_| f != self.from);
        let found = if !self.is_carried() {
            Turning {
                omega: self.k.turning(alg, f).clone(),
                value: frame.omega_value.clone(),
                bias: frame.alpha_bias.clone(),
            }
        } else if let Some(parent) = parent {
            self.turn(alg, parent);
            let before = &self.turning[&parent];
            let (k, name) = (self.k, "gap_turning");
            let mut omega = k.express_linear(alg, &before.omega, parent, f, name);
            omega.add(&frame.relative);
            let carried = k.express(alg, &before.value, parent, f, name);
            let spun = k.express(alg, &before.bias, parent, f, name);
            let mut flow = k.motion.flow(alg, self.values.vars, false);
            let own = derived(alg, &frame.relative_value, &mut flow);
            let crossed = vec3::cross(&carried, &frame.relative_value);
            let bias = vec3::add(&spun, &vec3::add(&own, &crossed));
            let value = vec3::add(&carried, &frame.relative_value);
            Turning {
                omega: k.define_linear(alg, omega, name),
                value: k.define_vec(alg, value, name),
                bias: k.define_vec(alg, bias, name),
            }
        } else {
            Turning {
                omega: Linear::none(),
                value: vec3::zero(),
                bias: vec3::zero(),
            }
        };
        self.turning.insert(f, found);
    }

    /// Whether the frame in which derivatives are taken turns in the ground.
    pub fn is_carried(&self) -> bool {
        !self.k.frames[self.from.index()].turned_by.is_zero()
    }

    /// The frames in which the gap has parts and those that they are turned from, but for those that stand still, and no farther than where derivatives
    /// are taken.
    pub fn near(&self) -> BTreeSet<FrameId> {
        let mut near: BTreeSet<FrameId> = BTreeSet::new();
        for f in self.vector.parts.keys() {
            let path = self.k.ancestors(*f);
            let last = path.iter().position(|f| *f == self.from);
            near.extend(&path[..=last.unwrap_or(path.len() - 1)]);
        }
        near.retain(|f: &FrameId| !self.k.frames[f.index()].turned_by.is_zero());
        near
    }

    /// The speeds that may change the gap.
    pub fn speeds(&self, alg: &mut Algebra) -> BTreeSet<usize> {
        let mut list = BTreeSet::new();
        for (f, u) in &self.vector.parts {
            let grown = self.grown(alg, u);
            list.extend(grown.iter().flat_map(|l| l.coef.keys()));
            list.extend(self.turning[f].omega.coef.keys());
        }
        list
    }

    /// What a speed contributes to its rate, or to itself if it is one between velocities, in a frame.
    pub fn coefficient(&self, alg: &mut Algebra, c: usize, to: FrameId) -> Vec3 {
        let mut sum = Mixed::default();
        for (f, u) in &self.vector.parts {
            if self.of_velocities {
                let speed = self.k.motion.speeds[c];
                sum.add_part(*f, &u.each_ref().map(|e| alg.partial(e, speed)));
                continue;
            }
            let grown = self.grown(alg, u);
            sum.add_part(
                *f,
                &grown
                    .each_ref()
                    .map(|l| l.coef.get(&c).cloned().unwrap_or_else(Expr::zero)),
            );
            if let Some(omega) = self.turning[f].omega.coef.get(&c) {
                sum.add_part(*f, &vec3::cross(omega, u));
            }
        }
        self.gathered(alg, &sum, to)
    }

    /// Components in one frame.
    pub fn gathered(&self, alg: &mut Algebra, v: &Mixed, to: FrameId) -> Vec3 {
        let plain = |alg: &mut Algebra, e: Expr| {
            let e = self.still.within(alg, &e);
            if alg.is_zero(&e) {
                Expr::zero()
            } else if alg.is_closed() {
                alg.simplify(&e)
            } else {
                e
            }
        };
        gathered(alg, self.k, v, to).map(|e| plain(alg, e))
    }

    /// The rates of components.
    fn grown(&self, alg: &mut Algebra, u: &Vec3) -> [Linear<Expr>; 3] {
        let motion = &self.k.motion;
        u.each_ref()
            .map(|e| motion.rate_of(alg, self.values.vars, e))
    }

    /// The part of its rate that is free of speeds, in a frame; between velocities that of the gap itself.
    pub fn drift(&self, alg: &mut Algebra, to: FrameId) -> Vec3 {
        let mut sum = Mixed::default();
        let speeds = self.k.motion.speeds.iter();
        let at_rest: BTreeMap<_, _> = speeds.map(|s| (*s, Expr::zero())).collect();
        for (f, u) in &self.vector.parts {
            if self.of_velocities {
                let mut memo = FxHashMap::default();
                let rest = u.each_ref().map(|e| alg.restrict(e, &at_rest, &mut memo));
                sum.add_part(*f, &rest);
                continue;
            }
            let grown = self.grown(alg, u);
            sum.add_part(*f, &grown.each_ref().map(|l| l.bias.clone()));
            sum.add_part(*f, &vec3::cross(&self.turning[f].omega.bias, u));
        }
        self.gathered(alg, &sum, to)
    }

    /// The second derivative where the rates of the speeds are 0, in a frame; between velocities the first.
    pub fn bias(&self, alg: &mut Algebra, to: FrameId) -> Vec3 {
        let mut flow = self.k.motion.flow(alg, self.values.vars, false);
        let mut sum = Mixed::default();
        for (f, u) in &self.vector.parts {
            let turning = &self.turning[f];
            let rate = derived(alg, u, &mut flow);
            if self.of_velocities {
                let turned = vec3::cross(&turning.value, u);
                sum.add_part(*f, &vec3::add(&rate, &turned));
                continue;
            }
            let second = derived(alg, &rate, &mut flow);
            let carried = vec3::cross(&turning.value, u);
            let twice = vec3::scale(&Expr::int(2), &rate);
            let turned = vec3::cross(&turning.value, &vec3::add(&twice, &carried));
            let spun = vec3::cross(&turning.bias, u);
            sum.add_part(*f, &vec3::add(&second, &vec3::add(&turned, &spun)));
        }
        self.gathered(alg, &sum, to)
    }
}

fn derived(alg: &mut Algebra, v: &Vec3, flow: &mut Derivation) -> Vec3 {
    std::array::from_fn(|i| alg.derivative(&v[i], flow))
}

/// The frame nearest to all of these that all of them are turned from.
fn nearest(k: &Kinematics, frames: &[FrameId]) -> Option<FrameId> {
    let (first, others) = frames.split_first()?;
    let paths: Vec<Vec<FrameId>> = others.iter().map(|f| k.ancestors(*f)).collect();
    let mut path = k.ancestors(*first).into_iter();
    path.find(|f| paths.iter().all(|path| path.contains(f)))
}

/// Components in one frame: parts are added before they are turned on.
fn gathered(alg: &mut Algebra, k: &Kinematics, v: &Mixed, to: FrameId) -> Vec3 {
    let mut path = k.ancestors(to);
    let mut left: BTreeMap<(usize, FrameId), Vec3> = BTreeMap::new();
    let mut sums: BTreeMap<FrameId, Vec3> = BTreeMap::new();
    let depth = |f: FrameId| k.ancestors(f).len();
    for (f, u) in &v.parts {
        left.insert((depth(*f), *f), u.clone());
    }
    while let Some(((_, f), u)) = left.pop_last() {
        let parent = k.frames[f.index()].parent;
        match parent.filter(|_| !path.contains(&f)) {
            None => {
                let sum = sums.entry(f).or_insert_with(vec3::zero);
                *sum = vec3::add(sum, &u);
            }
            Some(parent) => {
                let up = k.express(alg, &u, f, parent, "gap");
                let sum = left.entry((depth(parent), parent));
                let sum = sum.or_insert_with(vec3::zero);
                *sum = vec3::add(sum, &up);
            }
        }
    }
    let mut at = path.pop();
    let mut sum = at.and_then(|f| sums.remove(&f)).unwrap_or_else(vec3::zero);
    while let (Some(f), Some(next)) = (at, path.pop()) {
        sum = k.express(alg, &sum, f, next, "gap");
        if let Some(part) = sums.remove(&next) {
            sum = vec3::add(&sum, &part);
        }
        at = Some(next);
    }
    sum
}
