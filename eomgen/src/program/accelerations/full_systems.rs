//! The full Newton-Euler systems of a model, each written down once.

use crate::form::Space;
use crate::plan::{Aims, FullSystem, Rows, Skeleton};
use crate::program::writer::Writer;
use std::cell::OnceCell;

/// The systems of the spaces, each written down when it is first needed; `None` in place of one that cannot be.
#[derive(Default)]
pub(in crate::program) struct FullSystems {
    speeds: OnceCell<Option<FullSystem>>,
    rates: OnceCell<Option<FullSystem>>,
    spins: OnceCell<Option<FullSystem>>,
    whole: OnceCell<Option<FullSystem>>,
}

impl FullSystems {
    /// The place of the one of a space.
    pub fn of(&self, space: Space) -> &OnceCell<Option<FullSystem>> {
        match space {
            Space::SpeedRates => &self.speeds,
            Space::Accelerations => &self.rates,
            Space::Spins => &self.spins,
            Space::Whole => &self.whole,
        }
    }

    /// The one of a space.
    pub fn get(&self, w: &mut Writer<'_>, space: Space, aims: &Aims) -> Option<&FullSystem> {
        let state = || {
            let skeleton = skeleton(w, space)?;
            let facts = aims.facts();
            let graph = &mut w.low.graph;
            Some(FullSystem::state(skeleton, graph, &facts, Rows::NONE))
        };
        self.of(space).get_or_init(state).as_ref()
    }
}

/// What the full system of a space is made of; `None` where loads depend on reactions, or gravity or loads cannot be written.
pub(in crate::program) fn skeleton(w: &mut Writer<'_>, space: Space) -> Option<Skeleton> {
    if w.c.coupled {
        return None;
    }
    Skeleton::new(&mut w.c, &mut w.low, space)
}
