//! Orientations, velocities and accelerations of frames and points: angular velocities in each frame's own components, partial
//! velocities, and velocity terms (the part of an acceleration that is free of s'). Knows nothing of mass, nor how all this is derived.

use super::Fault;
use super::mixed::Mixed;
use super::motion::Motion;
use super::support::Support;
use super::vec3::{self, Linear, Mat3, Vec3};
use crate::model::system::{FrameId, PointId};
use crate::sym::{Algebra, Expr};
use std::collections::BTreeMap;
use std::sync::OnceLock;

/// In which frames the components of point velocities are taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Components {
    /// The frame in which the point is given.
    Local,
    /// The inertial frame.
    Inertial,
}

/// Motion of a frame, in its own components.
#[derive(Clone, Debug)]
pub struct FrameMotion {
    /// The model's name.
    pub(super) name: String,
    /// Parent, if any.
    pub parent: Option<FrameId>,
    /// `rotation[i][j] = parent_i . own_j`.
    pub rotation: Mat3,
    /// Number of non-constant rotations from N.
    pub depth: usize,
    /// Angular velocity relative to the parent.
    pub relative: Linear<Vec3>,
    /// The same for the speeds as they are.
    pub relative_value: Vec3,
    /// alpha - R^T alpha_parent - relative coefficients * s'.
    pub relative_bias: Vec3,
    /// Which speeds turn it.
    pub turned_by: Support,
    /// Partial angular velocities and the part free of speeds, once they have been worked out: [`Kinematics::turning`].
    pub(super) omega: OnceLock<Linear<Vec3>>,
    /// Angular velocity.
    pub omega_value: Vec3,
    /// Angular acceleration at s' = 0.
    pub alpha_bias: Vec3,
}

impl FrameMotion {
    /// A frame that does not move in its parent.
    pub(super) fn fixed(parent: Option<FrameId>) -> Self {
        Self {
            name: String::new(),
            parent,
            rotation: vec3::identity(),
            depth: 0,
            relative: Linear::none(),
            relative_value: vec3::zero(),
            relative_bias: vec3::zero(),
            turned_by: Support::default(),
            omega: OnceLock::from(Linear::none()),
            omega_value: vec3::zero(),
            alpha_bias: vec3::zero(),
        }
    }
}

/// Motion of a point.
#[derive(Clone, Debug)]
pub struct PointMotion {
    /// The model's name.
    pub(super) name: String,
    /// Base point, if any.
    pub base: Option<PointId>,
    /// In whose components the following are.
    pub frame: FrameId,
    /// Offset from the base, by frame.
    pub offset: Mixed,
    /// Velocity relative to the base that is not due to rotation: coefficients of s in `frame`.
    pub relative: Linear<Vec3>,
    /// a - a_base - sum alpha_F x r_F - relative coefficients * s'.
    pub relative_bias: Vec3,
    /// The rates of change of the offset's components.
    pub(super) rates: BTreeMap<FrameId, Linear<Vec3>>,
    /// Which speeds move it.
    pub moved_by: Support,
    /// Which speeds move it relative to its base.
    pub stepped_by: Support,
    /// Velocity less that of the base, once it has been worked out: [`Kinematics::step`].
    pub(super) step: OnceLock<Linear<Vec3>>,
    /// Partial velocities and the part free of speeds, once they have been worked out: [`Kinematics::moving`].
    pub(super) velocity: OnceLock<Linear<Vec3>>,
    /// Velocity.
    pub velocity_value: Vec3,
    /// Acceleration at s' = 0.
    pub acceleration_bias: Vec3,
    /// Position from O, by frame.
    pub position: Mixed,
}

impl PointMotion {
    /// A point at O.
    pub(super) fn fixed() -> Self {
        Self {
            name: String::new(),
            base: None,
            frame: FrameId(0),
            offset: Mixed::default(),
            relative: Linear::none(),
            relative_bias: vec3::zero(),
            rates: BTreeMap::new(),
            moved_by: Support::default(),
            stepped_by: Support::default(),
            step: OnceLock::from(Linear::none()),
            velocity: OnceLock::from(Linear::none()),
            velocity_value: vec3::zero(),
            acceleration_bias: vec3::zero(),
            position: Mixed::default(),
        }
    }
}

/// Kinematics of a model under one parametrisation of the velocities.
pub struct Kinematics {
    /// The parametrisation.
    pub motion: Motion,
    /// As in `System::frames`.
    pub frames: Vec<FrameMotion>,
    /// As in `System::points`.
    pub points: Vec<PointMotion>,
    /// Whether partial velocities are worked out where they are asked for.
    pub waits: bool,
}

impl Kinematics {
    /// Rates without frames and points: enough for scalars without vectors in them.
    pub fn nowhere(motion: Motion) -> Self {
        Self {
            motion,
            frames: Vec::new(),
            points: Vec::new(),
            waits: false,
        }
    }

    /// The motion of a point.
    pub fn point(&self, p: PointId) -> Result<&PointMotion, Fault> {
        let found = self.points.get(p.index());
        found.ok_or_else(|| Fault::internal("a point is used before it is placed"))
    }

    /// The motion of a frame.
    pub fn frame(&self, f: FrameId) -> Result<&FrameMotion, Fault> {
        let found = self.frames.get(f.index());
        found.ok_or_else(|| Fault::internal("a frame is used before it is oriented"))
    }

    /// The angular velocity of a frame.
    pub fn omega(&self, f: FrameId) -> Result<Mixed, Fault> {
        Ok(Mixed::single(f, self.frame(f)?.omega_value.clone()))
    }

    /// The vector from a point to another.
    pub fn arm(&self, from: PointId, to: PointId) -> Result<Mixed, Fault> {
        let to = self.point(to)?.position.clone();
        Ok(to.minus(&self.point(from)?.position))
    }

    /// Components of a vector in one frame.
    pub fn components(&self, alg: &mut Algebra, v: &Mixed, frame: FrameId, name: &str) -> Vec3 {
        v.parts.iter().fold(vec3::zero(), |sum, (f, u)| {
            vec3::add(&sum, &self.express(alg, u, *f, frame, name))
        })
    }

    /// Components in N of a vector given in any frames: the parts farthest from N are turned first, and each frame's part is turned once with all
    /// that comes from beyond it.
    pub fn in_inertial(&self, alg: &mut Algebra, v: &Mixed, name: &str) -> Vec3 {
        let mut rest = v.clone();
        let distance = |f: FrameId| self.ancestors(f).len();
        loop {
            let farthest = rest.parts.keys().copied().max_by_key(|f| distance(*f));
            let Some(f) = farthest else {
                return vec3::zero();
            };
            let Some(own) = rest.parts.remove(&f) else {
                return vec3::zero();
            };
            let frame = &self.frames[f.index()];
            let Some(parent) = frame.parent else {
                return self.define_vec(alg, own, name);
            };
            let turned = vec3::apply(&frame.rotation, &own);
            let turned = self.define_vec(alg, turned, &format!("{name}_turned"));
            rest.add_part(parent, &turned);
        }
    }

    /// Scalar product of two vectors given in any frames.
    pub fn dot(&self, alg: &mut Algebra, a: &Mixed, b: &Mixed) -> Expr {
        let mut sum = Expr::zero();
        for (f, u) in &a.parts {
            for (g, v) in &b.parts {
                let v = self.express(alg, v, *g, *f, "part");
                sum = sum + vec3::dot(u, &v);
            }
        }
        if alg.is_closed() {
            alg.simplify(&sum)
        } else {
            sum
        }
    }

    /// Vector product of two vectors given in any frames.
    pub fn cross(&self, alg: &mut Algebra, a: &Mixed, b: &Mixed) -> Mixed {
        let mut sum = Mixed::default();
        for (f, u) in &a.parts {
            for (g, v) in &b.parts {
                let v = self.express(alg, v, *g, *f, "part");
                sum.add_part(*f, &vec3::cross(u, &v));
            }
        }
        sum
    }

    /// Names the coefficients of the speeds and the bias.
    pub(super) fn define_linear(
        &self,
        alg: &mut Algebra,
        l: Linear<Vec3>,
        name: &str,
    ) -> Linear<Vec3> {
        let mut coef = BTreeMap::new();
        for (k, v) in l.coef {
            let speed = alg.info(self.motion.speeds[k]).name.clone();
            let v = self.define_vec(alg, v, &format!("{name}_{speed}"));
            if !vec3::is_zero(&v) {
                coef.insert(k, v);
            }
        }
        Linear {
            coef,
            bias: self.define_vec(alg, l.bias, &format!("{name}_t")),
        }
    }

    /// Names the components `name_x`, `name_y`, `name_z` where that pays.
    pub fn define_vec(&self, alg: &mut Algebra, v: Vec3, name: &str) -> Vec3 {
        let [x, y, z] = v;
        [
            alg.define(&format!("{name}_x"), x),
            alg.define(&format!("{name}_y"), y),
            alg.define(&format!("{name}_z"), z),
        ]
    }

    /// Components in `to` of a vector given in `from`: rotated frame by frame along the tree.
    pub fn express(
        &self,
        alg: &mut Algebra,
        v: &Vec3,
        from: FrameId,
        to: FrameId,
        name: &str,
    ) -> Vec3 {
        if vec3::is_zero(v) || from == to {
            return v.clone();
        }
        let up: Vec<FrameId> = self.ancestors(from);
        let down: Vec<FrameId> = self.ancestors(to);
        let common = up
            .iter()
            .find(|f| down.contains(f))
            .copied()
            .unwrap_or(FrameId(0));
        let mut r = v.clone();
        for f in up.iter().take_while(|f| **f != common) {
            r = vec3::apply(&self.frames[f.index()].rotation, &r);
            r = self.define_vec(alg, r, &format!("{name}_turned"));
        }
        let below: Vec<FrameId> = down.iter().copied().take_while(|f| *f != common).collect();
        for f in below.iter().rev() {
            r = vec3::apply_transposed(&self.frames[f.index()].rotation, &r);
            r = self.define_vec(alg, r, &format!("{name}_turned"));
        }
        r
    }

    /// The same for every coefficient and the bias.
    pub(super) fn express_linear(
        &self,
        alg: &mut Algebra,
        l: &Linear<Vec3>,
        from: FrameId,
        to: FrameId,
        name: &str,
    ) -> Linear<Vec3> {
        l.map(|v| self.express(alg, v, from, to, name))
    }

    /// The frame and its parents up to N.
    pub(super) fn ancestors(&self, f: FrameId) -> Vec<FrameId> {
        let mut list = vec![f];
        let mut at = f;
        while let Some(p) = self.frames[at.index()].parent {
            list.push(p);
            at = p;
        }
        list
    }
}
