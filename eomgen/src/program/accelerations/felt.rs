//! Which pivots of a mass matrix vanish at no state, since certain inertias feel what moves.

use crate::form::{Space, regular};
use crate::program::writer::Writer;

/// Pivots of a mass matrix in the order of elimination: which of them vanish at no state.
pub(super) struct Felt {
    space: Space,
    semidefinite: bool,
    /// The speeds that are not eliminated yet.
    left: Vec<bool>,
}

impl Felt {
    pub fn new(w: &mut Writer<'_>, space: Space, count: usize) -> Self {
        Self {
            space,
            semidefinite: regular::is_semidefinite(&mut w.c),
            left: vec![true; count],
        }
    }

    /// The same of a matrix whose motions have a part in every speed, as the rows of constraints say.
    pub fn of_motions(w: &mut Writer<'_>, space: Space) -> Self {
        Self::new(w, space, 0)
    }

    /// Whether the next pivot, that of these speeds, is certain.
    pub fn next(&mut self, w: &mut Writer<'_>, own: &[usize]) -> bool {
        for i in own {
            if let Some(left) = self.left.get_mut(*i) {
                *left = false;
            }
        }
        let mut left = self.left.clone();
        left.resize(w.c.kinematics(self.space).motion.speeds.len(), false);
        self.semidefinite && regular::is_felt(&mut w.c, self.space, own, left)
    }
}
