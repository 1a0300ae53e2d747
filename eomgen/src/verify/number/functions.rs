//! The user's functions: anything smooth will do, as long as all who ask for the same value or derivative get the same. In a field each
//! value and each derivative is a random element of its own, so that only identities that hold for every function hold for these. Among
//! real numbers they are sums of a few sines, with the derivatives that belong to them. The arithmetics make the values; here is what
//! they draw them from.

use crate::field::pseudo_random;

/// The functions that belong to a seed.
#[derive(Clone, Copy, Debug)]
pub struct Functions {
    seed: u64,
}

impl Functions {
    /// Other functions for each seed.
    pub fn new(seed: u64) -> Self {
        Self { seed }
    }

    /// A function by its place in the model.
    pub fn function(&self, index: usize, arguments: usize) -> UserFunction {
        UserFunction {
            seed: self.seed,
            index,
            orders: vec![0; arguments],
        }
    }
}

/// A user's function, or a partial derivative of it.
#[derive(Clone, Debug)]
pub struct UserFunction {
    pub(super) seed: u64,
    index: usize,
    /// How often it is differentiated by each argument.
    orders: Vec<u32>,
}

impl UserFunction {
    /// Its derivative by an argument.
    #[must_use]
    pub fn by(&self, argument: usize) -> Self {
        let mut derivative = self.clone();
        derivative.orders[argument] += 1;
        derivative
    }

    /// How often it is differentiated by each argument.
    pub fn orders(&self) -> impl Iterator<Item = u32> {
        self.orders.iter().copied()
    }

    /// A random number that belongs to the function, be it differentiated or not, and a list.
    pub(super) fn mix(&self, list: impl IntoIterator<Item = u64>) -> u64 {
        let start = pseudo_random(self.seed ^ 0x6A09_E667_F3BC_C908, self.index as u64).get();
        list.into_iter()
            .fold(start, |h, x| pseudo_random(h, x).get())
    }
}
