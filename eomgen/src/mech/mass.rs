//! Mass properties as the formulations see them. Knows nothing of how a model states them.

use super::kinematics::Kinematics;
use super::vec3::{self, Mat3};
use crate::model::system::{FrameId, PointId};
use crate::sym::Expr;

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
