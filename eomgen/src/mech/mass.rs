//! Mass properties as the formulations see them. Knows nothing of how a model states them.

use super::kinematics::Kinematics;
use super::vec3::{self, Mat3, Vec3};
use crate::model::system::{FrameId, PointId};
use crate::sym::{Algebra, Expr};

/// A particle or rigid body.
#[derive(Clone, Debug)]
pub struct MassElement {
    /// The model's name.
    pub name: String,
    /// Mass.
    pub mass: Expr,
    /// Mass centre.
    pub center: PointId,
    /// Body frame and inertia tensor about the mass centre in it; `None` for a particle.
    pub rotation: Option<(FrameId, Mat3)>,
}

impl MassElement {
    /// `I.alpha + omega x I.omega` at s' = 0 for a body with this frame and tensor.
    pub fn inertia_torque(&self, alg: &mut Algebra, k: &Kinematics, f: FrameId, i: &Mat3) -> Vec3 {
        let motion = &k.frames[f.index()];
        let w = &motion.omega_value;
        let spin = k.define_vec(alg, vec3::apply(i, w), &format!("spin_{}", self.name));
        let angular = vec3::apply(i, &motion.alpha_bias);
        let torque = vec3::add(&angular, &vec3::cross(w, &spin));
        k.define_vec(alg, torque, &format!("torque_{}", self.name))
    }

    /// `m v.v + omega.I.omega`
    pub fn twice_kinetic(&self, k: &Kinematics) -> Expr {
        let v = &k.points[self.center.index()].velocity_value;
        let along = &self.mass * vec3::dot(v, v);
        match &self.rotation {
            None => along,
            Some((f, inertia)) => {
                let w = &k.frames[f.index()].omega_value;
                along + vec3::dot(w, &vec3::apply(inertia, w))
            }
        }
    }
}
