//! States that were found, which cost more than all that is evaluated there: they depend on the model and a seed alone, and so serve every text
//! for that model.

use std::cell::RefCell;
use std::collections::BTreeMap;

use super::machine::Machine;
use super::number::EvalError;
use super::states::SolvedState;
use super::verifier::Arithmetic;

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

impl<N: Arithmetic> Solutions<N> {
    /// [`Arithmetic::consistent`].
    pub(super) fn consistent(
        &self,
        machine: &Machine<'_>,
        seed: u64,
    ) -> Result<SolvedState<N>, EvalError> {
        let known = self.consistent.borrow().get(&seed).cloned();
        known.unwrap_or_else(|| {
            let found = N::consistent(machine, seed);
            self.consistent.borrow_mut().insert(seed, found.clone());
            found
        })
    }

    /// [`Arithmetic::distant`].
    pub(super) fn distant(&self, machine: &Machine<'_>, seed: u64) -> Option<SolvedState<N>> {
        let known = self.distant.borrow().get(&seed).cloned();
        known.unwrap_or_else(|| {
            let found = N::distant(machine, seed);
            self.distant.borrow_mut().insert(seed, found.clone());
            found
        })
    }
}
