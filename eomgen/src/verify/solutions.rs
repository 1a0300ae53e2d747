//! States that were found, which cost more than all that is evaluated there: they depend on the model and a seed alone, and so serve every text
//! for that model.

use std::cell::RefCell;
use std::collections::BTreeMap;

use super::number::EvalError;
use super::states::SolvedState;

/// States by the seeds that they were drawn from.
#[derive(Debug)]
pub(super) struct Solutions<N> {
    consistent: RefCell<BTreeMap<u64, Result<SolvedState<N>, EvalError>>>,
    distant: RefCell<BTreeMap<u64, Option<SolvedState<N>>>>,
}

impl<N> Default for Solutions<N> {
    fn default() -> Self {
        Self {
            consistent: RefCell::default(),
            distant: RefCell::default(),
        }
    }
}

impl<N: Clone> Solutions<N> {
    /// The consistent state of a seed, found if need be.
    pub(super) fn consistent(
        &self,
        seed: u64,
        find: impl FnOnce() -> Result<SolvedState<N>, EvalError>,
    ) -> Result<SolvedState<N>, EvalError> {
        let known = self.consistent.borrow().get(&seed).cloned();
        known.unwrap_or_else(|| {
            let found = find();
            self.consistent.borrow_mut().insert(seed, found.clone());
            found
        })
    }

    /// The same of one farther away.
    pub(super) fn distant(
        &self,
        seed: u64,
        find: impl FnOnce() -> Option<SolvedState<N>>,
    ) -> Option<SolvedState<N>> {
        let known = self.distant.borrow().get(&seed).cloned();
        known.unwrap_or_else(|| {
            let found = find();
            self.distant.borrow_mut().insert(seed, found.clone());
            found
        })
    }
}
