//! Trees of bodies in exact numbers, and their inertia moved to the parents joint by joint.

use eomgen::internals::ir::Rational;
use eomgen::internals::solve::inertia::{
    Arithmetic, Inertia, Joint, Share, Tensor, Vector, difference, seen_from, unfelt,
};

/// Arithmetic on rational numbers.
#[derive(Clone, Copy, Debug, Default)]
pub struct Exact;

impl Arithmetic for Exact {
    type Number = Rational;
    fn constant(&mut self, value: &Rational) -> Rational {
        value.clone()
    }
    fn add(&mut self, a: &Rational, b: &Rational) -> Rational {
        a + b
    }
    fn sub(&mut self, a: &Rational, b: &Rational) -> Rational {
        a - b
    }
    fn mul(&mut self, a: &Rational, b: &Rational) -> Rational {
        a * b
    }
}

/// A body of a tree.
#[derive(Clone, Debug, PartialEq)]
pub struct Body {
    /// Its parent, which comes before it; `None` for the ground.
    pub parent: Option<usize>,
    /// Its joint.
    pub joint: Joint,
    /// Takes components in the child's frame to the parent's, at any one position of the joint.
    pub rotation: Tensor<Rational>,
    /// The origin of the child's frame in the parent's, at the same position of the joint.
    pub position: Vector<Rational>,
    /// Its inertia.
    pub inertia: Inertia<Rational>,
}

/// Why inertia cannot be moved.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum InertiaError {
    /// A parent comes after its child, or does not exist.
    #[error("body {body} comes before its parent {parent}")]
    Order {
        /// The child.
        body: usize,
        /// Its parent.
        parent: usize,
    },
    /// An axis has no direction.
    #[error("the joint axis of body {body} is zero")]
    Axis {
        /// The child.
        body: usize,
    },
}

/// The inertias of the bodies of a tree after all that no joint can feel has gone to the parents, the most distal first. What
/// the ground receives is dropped.
pub fn move_inertia(bodies: &[Body]) -> Result<Vec<Inertia<Rational>>, InertiaError> {
    let mut inertias: Vec<_> = bodies.iter().map(|body| body.inertia.clone()).collect();
    for (i, body) in bodies.iter().enumerate().rev() {
        if let Some(parent) = body.parent.filter(|&parent| parent >= i) {
            return Err(InertiaError::Order { body: i, parent });
        }
        let moved = unfelt(&mut Exact, &body.joint, Share::First, &inertias[i]);
        let moved = moved.ok_or(InertiaError::Axis { body: i })?;
        inertias[i] = difference(&mut Exact, &inertias[i], &moved);
        if let Some(parent) = body.parent {
            let seen = seen_from(&mut Exact, &body.rotation, &body.position, &moved);
            inertias[parent] = sum(&inertias[parent], &seen);
        }
    }
    Ok(inertias)
}

fn sum(a: &Inertia<Rational>, b: &Inertia<Rational>) -> Inertia<Rational> {
    Inertia {
        mass: &a.mass + &b.mass,
        first_moment: std::array::from_fn(|k| &a.first_moment[k] + &b.first_moment[k]),
        second_moment: std::array::from_fn(|r| {
            std::array::from_fn(|c| &a.second_moment[r][c] + &b.second_moment[r][c])
        }),
    }
}
