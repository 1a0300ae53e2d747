//! Which speeds a velocity depends on. Knows nothing of points and frames.

use super::vec3::{self, Linear, Vec3};

/// The speeds on which a velocity depends.
#[derive(Clone, Debug, Default)]
pub struct Support {
    /// Indices of the speeds, in order.
    pub speeds: Vec<usize>,
    /// Whether there is a part free of speeds.
    pub drifts: bool,
}

impl Support {
    /// That of a velocity that has been worked out.
    pub(super) fn of(l: &Linear<Vec3>) -> Self {
        Self {
            speeds: l.coef.keys().copied().collect(),
            drifts: !vec3::is_zero(&l.bias),
        }
    }

    /// Whether one of these speeds is among them.
    pub(super) fn is_any_of(&self, speeds: &[usize]) -> bool {
        speeds.iter().any(|k| self.speeds.binary_search(k).is_ok())
    }

    /// Whether the velocity vanishes for all speeds.
    pub fn is_zero(&self) -> bool {
        self.speeds.is_empty() && !self.drifts
    }
}
