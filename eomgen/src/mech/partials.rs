//! Partial velocities: what a unit of each speed adds to the velocities of points and the angular velocities of frames. Those of a chain are as many
//! as the square of its length, so those of large machines are worked out for the points and frames for which they are asked. Which speeds
//! move what is known for all of them.

use super::kinematics::{FrameMotion, Kinematics, PointMotion};
use super::motion::Motion;
use super::support::Support;
use super::vec3::{self, Linear, Mat3, Vec3};
use crate::field::Extended;
use crate::model::System;
use crate::model::system::{FrameId, PointId, Site};
use crate::sym::{Algebra, Expr};
use std::collections::BTreeMap;
use std::sync::OnceLock;

/// Up to so many speeds all partial velocities are worked out at once.
const MANY: usize = 24;

/// Whether the partial velocities of a machine wait until they are asked for. Constraint rows ask for them.
pub(super) fn wait(system: &System, motion: &Motion) -> bool {
    motion.speeds.len() > MANY && system.constraints.is_empty()
}

impl Kinematics {
    /// The partial angular velocities of a frame in its own components, and the part free of speeds.
    pub fn turning(&self, alg: &mut Algebra, f: FrameId) -> &Linear<Vec3> {
        let open = self.path(f, |f| f.omega.get().is_none());
        for f in open.into_iter().rev() {
            let frame = &self.frames[f.index()];
            let none = Linear::none();
            let parent = frame
                .parent
                .and_then(|p| self.frames[p.index()].omega.get());
            let found = self.turning_on(alg, parent.unwrap_or(&none), frame, &frame.relative);
            frame.omega.get_or_init(|| found);
        }
        self.frames[f.index()].omega.get_or_init(Linear::none)
    }

    /// Those of some speeds.
    pub fn turning_by(&self, alg: &mut Algebra, f: FrameId, speeds: &[usize]) -> Linear<Vec3> {
        let open = self.path(f, |f| {
            f.omega.get().is_none() && f.turned_by.is_any_of(speeds)
        });
        let first = open
            .last()
            .map_or(Some(f), |f| self.frames[f.index()].parent);
        let known = first.and_then(|f| self.frames[f.index()].omega.get());
        let mut turning = known.map_or_else(Linear::none, |l| l.only(speeds));
        for f in open.into_iter().rev() {
            let frame = &self.frames[f.index()];
            turning = self.turning_on(alg, &turning, frame, &frame.relative.only(speeds));
        }
        turning
    }

    /// A frame and those before it, as long as a test holds.
    fn path(&self, f: FrameId, test: impl Fn(&FrameMotion) -> bool) -> Vec<FrameId> {
        let mut path = Vec::new();
        let mut at = Some(f);
        while let Some(f) = at.filter(|f| test(&self.frames[f.index()])) {
            path.push(f);
            at = self.frames[f.index()].parent;
        }
        path
    }

    fn turning_on(
        &self,
        alg: &mut Algebra,
        parent: &Linear<Vec3>,
        FrameMotion { name, rotation, .. }: &FrameMotion,
        relative: &Linear<Vec3>,
    ) -> Linear<Vec3> {
        let carried = self.carried_turning(alg, parent, rotation, name);
        self.whole_turning(alg, carried, relative, name)
    }

    /// The partial angular velocities of its parent in the components of a frame.
    pub(super) fn carried_turning(
        &self,
        alg: &mut Algebra,
        parent: &Linear<Vec3>,
        rotation: &Mat3,
        name: &str,
    ) -> Linear<Vec3> {
        let carried = parent.map(|v| vec3::apply_transposed(rotation, v));
        self.define_linear(alg, carried, &format!("w_{name}"))
    }

    /// Those of a frame, from those of its parent and those relative to it.
    pub(super) fn whole_turning(
        &self,
        alg: &mut Algebra,
        carried: Linear<Vec3>,
        relative: &Linear<Vec3>,
        name: &str,
    ) -> Linear<Vec3> {
        let mut omega = carried;
        omega.add(relative);
        self.define_linear(alg, omega, &format!("w_{name}"))
    }

    /// The partial velocities of a point in the components of its frame, and the part free of speeds.
    pub fn moving(&self, alg: &mut Algebra, p: PointId) -> &Linear<Vec3> {
        self.work_out(alg, p);
        self.points[p.index()].velocity.get_or_init(Linear::none)
    }

    /// The same of the velocity less that of the point's base.
    pub fn step(&self, alg: &mut Algebra, p: PointId) -> &Linear<Vec3> {
        self.work_out(alg, p);
        self.points[p.index()].step.get_or_init(Linear::none)
    }

    fn work_out(&self, alg: &mut Algebra, p: PointId) {
        let open = self.bases(p, |p| p.velocity.get().is_none());
        for p in open.into_iter().rev() {
            let point = &self.points[p.index()];
            let mut moving = match point.base {
                Some(base) => self.carried_moving(alg, base, point.frame, &point.name),
                None => Linear::none(),
            };
            let mut step = Linear::none();
            for (f, r) in &point.offset.parts {
                let Some(rate) = point.rates.get(f) else {
                    continue;
                };
                let part = self.part_moving(alg, (*f, r, rate), point.frame, &point.name);
                moving.add(&part);
                step.add(&part);
            }
            let moving = self.define_linear(alg, moving, &format!("v_{}", point.name));
            point.step.get_or_init(|| step);
            point.velocity.get_or_init(|| moving);
        }
    }

    /// The partial velocities of a point for some speeds.
    pub fn moving_by(&self, alg: &mut Algebra, p: PointId, speeds: &[usize]) -> Linear<Vec3> {
        let open = self.bases(p, |p| {
            p.velocity.get().is_none() && p.moved_by.is_any_of(speeds)
        });
        let first = open.last().map_or(Some(p), |p| self.points[p.index()].base);
        let first = first.map(|p| &self.points[p.index()]);
        let of = |l: Option<&Linear<Vec3>>| l.map_or_else(Linear::none, |l| l.only(speeds));
        let mut moving = of(first.and_then(|p| p.velocity.get()));
        let mut frame = first.map_or(FrameId(0), |p| p.frame);
        for p in open.into_iter().rev() {
            let point = &self.points[p.index()];
            let name = &point.name;
            moving = self.express_linear(alg, &moving, frame, point.frame, name);
            moving.add(&self.step_by(alg, p, speeds));
            moving = self.define_linear(alg, moving, &format!("v_{name}"));
            frame = point.frame;
        }
        moving
    }

    /// The same of the velocity less that of the point's base.
    pub fn step_by(&self, alg: &mut Algebra, p: PointId, speeds: &[usize]) -> Linear<Vec3> {
        let point = &self.points[p.index()];
        if let Some(step) = point.step.get() {
            return step.only(speeds);
        }
        let mut step = Linear::none();
        for (f, r) in &point.offset.parts {
            let mut own = point
                .rates
                .get(f)
                .map_or_else(Linear::none, |l| l.only(speeds));
            let turning = self.turning_by(alg, *f, speeds);
            own.add(&turning.map(|w| vec3::cross(w, r)));
            step.add(&self.express_linear(alg, &own, *f, point.frame, &point.name));
        }
        step
    }

    /// A point and those that it is placed from, as long as a test holds.
    fn bases(&self, p: PointId, test: impl Fn(&PointMotion) -> bool) -> Vec<PointId> {
        let mut path = Vec::new();
        let mut at = Some(p);
        while let Some(p) = at.filter(|p| test(&self.points[p.index()])) {
            path.push(p);
            at = self.points[p.index()].base;
        }
        path
    }

    /// The partial velocities of a base in the components of a frame.
    pub(super) fn carried_moving(
        &self,
        alg: &mut Algebra,
        base: PointId,
        frame: FrameId,
        name: &str,
    ) -> Linear<Vec3> {
        let moving = self.moving(alg, base);
        let from = self.points[base.index()].frame;
        self.express_linear(alg, moving, from, frame, name)
    }

    /// What a part of an offset, with the rates of its components, adds to them.
    pub(super) fn part_moving(
        &self,
        alg: &mut Algebra,
        (f, r, rate): (FrameId, &Vec3, &Linear<Vec3>),
        frame: FrameId,
        name: &str,
    ) -> Linear<Vec3> {
        let mut own = rate.clone();
        own.add(&self.turning(alg, f).map(|w| vec3::cross(w, r)));
        self.express_linear(alg, &own, f, frame, name)
    }

    /// The partial velocities of a point or partial angular velocities of a frame, and in whose components they are.
    pub fn partials(&self, alg: &mut Algebra, site: Site) -> (FrameId, &Linear<Vec3>) {
        match site {
            Site::Point(p) => (self.points[p.index()].frame, self.moving(alg, p)),
            Site::Frame(f) => (f, self.turning(alg, f)),
        }
    }

    /// The acceleration of a point where the rates of the speeds are these.
    pub fn acceleration(&self, alg: &mut Algebra, p: PointId, dots: &[Expr]) -> Vec3 {
        let bias = &self.points[p.index()].acceleration_bias;
        self.moving(alg, p).value_from(bias, dots)
    }

    /// The angular acceleration of a frame where the rates of the speeds are these.
    pub fn angular_acceleration(&self, alg: &mut Algebra, f: FrameId, dots: &[Expr]) -> Vec3 {
        let bias = &self.frames[f.index()].alpha_bias;
        self.turning(alg, f).value_from(bias, dots)
    }
}

/// A vector in N at a test point; `None` where its value there proves nothing.
type Sampled = Option<[Extended; 3]>;

/// The place of the part free of speeds, after all speeds.
const DRIFT: usize = usize::MAX;

/// A velocity at a test point, by speeds; what is identically zero is left out.
type Velocity = BTreeMap<usize, Sampled>;

/// Partial velocities as numbers at a test point, for which of them vanish. All are components in N, so that those of a joint are the same vector in
/// all that hangs on it.
#[derive(Default)]
pub(super) struct Numbers {
    /// The axes of each frame.
    axes: Vec<Option<[[Extended; 3]; 3]>>,
    turning: Vec<Velocity>,
    moving: Vec<Velocity>,
}

impl Numbers {
    /// Which speeds turn the next frame.
    pub fn push_frame(&mut self, alg: &Algebra, frame: &FrameMotion) -> Support {
        let before = frame.parent.map(FrameId::index);
        let ground = Some(std::array::from_fn(unit));
        let axes = before.map_or(ground, |parent| self.axes[parent]);
        let axes = axes.and_then(|axes| {
            let columns = vec3::transpose(&frame.rotation);
            let [a, b, c] = columns.each_ref().map(|v| sampled(alg, v));
            let columns = [a?, b?, c?].map(|v| turned(&axes, v));
            Some(std::array::from_fn(|i| columns.map(|v| v[i])))
        });
        let turning = before.map(|parent| self.turning[parent].clone());
        let mut turning = turning.unwrap_or_default();
        add_linear(alg, &mut turning, axes.as_ref(), &frame.relative);
        let found = support(&mut turning);
        self.axes.push(axes);
        self.turning.push(turning);
        found
    }

    /// Which speeds move the next point, and which move it relative to its base.
    pub fn push_point(&mut self, alg: &Algebra, p: &PointMotion) -> [Support; 2] {
        let mut step = Velocity::new();
        for (f, r) in &p.offset.parts {
            let axes = self.axes[f.index()].as_ref();
            if let Some(rate) = p.rates.get(f) {
                add_linear(alg, &mut step, axes, rate);
            }
            let arm = axes.and_then(|axes| Some(turned(axes, sampled(alg, r)?)));
            for (k, w) in &self.turning[f.index()] {
                let moved = w.zip(arm).map(|(w, r)| cross(&w, &r));
                add(&mut step, *k, moved);
            }
        }
        let base = p.base.map(|base| self.moving[base.index()].clone());
        let mut moving = base.unwrap_or_default();
        for (k, v) in &step {
            add(&mut moving, *k, *v);
        }
        let found = [support(&mut moving), support(&mut step)];
        self.moving.push(moving);
        found
    }
}

fn unit(axis: usize) -> [Extended; 3] {
    let mut v = [Extended::ZERO; 3];
    v[axis] = Extended::ONE;
    v
}

fn sampled(alg: &Algebra, v: &Vec3) -> Sampled {
    let [x, y, z] = v.each_ref().map(|e| alg.certain_sample(e));
    Some([x?, y?, z?])
}

fn turned(axes: &[[Extended; 3]; 3], v: [Extended; 3]) -> [Extended; 3] {
    axes.map(|row| row[0] * v[0] + row[1] * v[1] + row[2] * v[2])
}

fn cross(a: &[Extended; 3], b: &[Extended; 3]) -> [Extended; 3] {
    std::array::from_fn(|i| {
        let (j, k) = ((i + 1) % 3, (i + 2) % 3);
        a[j] * b[k] - a[k] * b[j]
    })
}

fn add(sum: &mut Velocity, k: usize, v: Sampled) {
    let entry = sum.entry(k).or_insert(Some([Extended::ZERO; 3]));
    *entry = entry
        .zip(v)
        .map(|(a, b)| std::array::from_fn(|i| a[i] + b[i]));
}

fn add_linear(
    alg: &Algebra,
    sum: &mut Velocity,
    axes: Option<&[[Extended; 3]; 3]>,
    l: &Linear<Vec3>,
) {
    let coefficients = l.coef.iter().map(|(k, v)| (*k, v));
    let drift = Some((DRIFT, &l.bias)).filter(|(_, v)| !vec3::is_zero(v));
    for (k, v) in coefficients.chain(drift) {
        let v = axes.and_then(|axes| Some(turned(axes, sampled(alg, v)?)));
        add(sum, k, v);
    }
}

/// The speeds of a velocity, of which what vanishes is taken out.
fn support(velocity: &mut Velocity) -> Support {
    velocity.retain(|_, v| *v != Some([Extended::ZERO; 3]));
    let speeds = velocity.keys().copied();
    Support {
        speeds: speeds.filter(|k| *k != DRIFT).collect(),
        drifts: velocity.contains_key(&DRIFT),
    }
}

/// A velocity that is worked out now, or later.
pub(super) fn cell(l: Option<Linear<Vec3>>) -> OnceLock<Linear<Vec3>> {
    l.map_or_else(OnceLock::new, OnceLock::from)
}
