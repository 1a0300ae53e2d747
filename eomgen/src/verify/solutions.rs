//! States that were found, which cost more than all that is evaluated there: they depend on the model and a seed alone, and so serve every text
//! for that model.

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::number::EvalError;
use super::states::SolvedState;

/// What was found, by seed. Two texts may look for the same state at the same time: both find the same.
type Kept<T> = Mutex<BTreeMap<u64, T>>;

fn of<T>(kept: &Kept<T>) -> MutexGuard<'_, BTreeMap<u64, T>> {
    kept.lock().unwrap_or_else(PoisonError::into_inner)
}

/// States by the seeds that they were drawn from.
#[derive(Debug)]
pub(super) struct Solutions<N> {
    consistent: Kept<Result<SolvedState<N>, EvalError>>,
    distant: Kept<Option<SolvedState<N>>>,
}

impl<N> Default for Solutions<N> {
    fn default() -> Self {
        Self {
            consistent: Mutex::default(),
            distant: Mutex::default(),
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
        let known = of(&self.consistent).get(&seed).cloned();
        known.unwrap_or_else(|| {
            let found = find();
            of(&self.consistent).insert(seed, found.clone());
            found
        })
    }

    /// The same of one farther away.
    pub(super) fn distant(
        &self,
        seed: u64,
        find: impl FnOnce() -> Option<SolvedState<N>>,
    ) -> Option<SolvedState<N>> {
        let known = of(&self.distant).get(&seed).cloned();
        known.unwrap_or_else(|| {
            let found = find();
            of(&self.distant).insert(seed, found.clone());
            found
        })
    }
}
