//! Vectors whose parts have their components in different frames. Knows nothing of how frames are oriented.

use super::vec3::{self, Vec3};
use crate::model::system::{Axis, FrameId};
use crate::sym::Expr;
use std::collections::BTreeMap;

/// A vector as a sum of parts, each with components in its own frame.
#[derive(Clone, Debug, Default)]
pub struct Mixed {
    /// Components by frame; no part is zero.
    pub parts: BTreeMap<FrameId, Vec3>,
}

impl Mixed {
    /// One part.
    pub fn single(frame: FrameId, v: Vec3) -> Self {
        let mut m = Self::default();
        m.add_part(frame, &v);
        m
    }

    /// A basis vector of a frame.
    pub fn basis(frame: FrameId, axis: Axis) -> Self {
        Self::single(frame, vec3::unit(axis as usize))
    }

    /// Adds a part.
    pub fn add_part(&mut self, frame: FrameId, v: &Vec3) {
        let new = match self.parts.get(&frame) {
            Some(old) => vec3::add(old, v),
            None => v.clone(),
        };
        if vec3::is_zero(&new) {
            self.parts.remove(&frame);
        } else {
            self.parts.insert(frame, new);
        }
    }

    /// Adds a vector.
    pub fn add(&mut self, o: &Mixed) {
        for (f, v) in &o.parts {
            self.add_part(*f, v);
        }
    }

    /// This vector less another.
    pub fn minus(mut self, o: &Mixed) -> Self {
        self.add(&o.opposite());
        self
    }

    /// A multiple.
    pub fn scaled(&self, k: &Expr) -> Self {
        let mut m = Self::default();
        for (f, v) in &self.parts {
            m.add_part(*f, &vec3::scale(k, v));
        }
        m
    }

    /// The vector of opposite direction.
    pub fn opposite(&self) -> Self {
        self.scaled(&Expr::int(-1))
    }
}
