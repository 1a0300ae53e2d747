//! The user's functions: anything smooth will do, as long as all who ask for the same value or derivative get the same. In a field each
//! value and each derivative is a random element of its own, so that only identities that hold for every function hold for these. Among
//! real numbers they are sums of a few sines, with the derivatives that belong to them. The arithmetics make the values; here is what
//! they draw them from.

use crate::field::pseudo_random;

/// The functions that belong to a seed.
#[derive(Clone, Copy, Debug)]
pub struct Functions {
    pub(super) seed: u64,
}

impl Functions {
    /// Other functions for each seed.
    pub fn new(seed: u64) -> Self {
        Self { seed }
    }

    /// A random number that belongs to a function and a list.
    pub(super) fn mix(&self, function: usize, list: impl IntoIterator<Item = u64>) -> u64 {
        let start = pseudo_random(self.seed ^ 0x6A09_E667_F3BC_C908, function as u64).get();
        list.into_iter()
            .fold(start, |h, x| pseudo_random(h, x).get())
    }
}
