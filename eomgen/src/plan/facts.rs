//! What is known of values while plans are searched.

use super::group;
use super::signs::Signs;
use crate::ir::field::Points;
use crate::ir::{Graph, Prepared, Prints, Slot, Value};

/// What is known of the values of one graph, which may grow.
pub(crate) struct ValueFacts {
    /// What depends on parameters alone.
    pub prepared: Prepared,
    /// Points at which equal values are recognised.
    pub prints: Prints,
    /// Points at which what vanishes identically is recognised.
    pub points: Points,
    signs: Signs,
}

impl ValueFacts {
    /// With these inputs declared positive, and these values known not to vanish.
    pub fn new(positive: &[Slot], nonzero: &[Value]) -> Self {
        Self {
            prepared: Prepared::new(&[group::PARAMS]),
            prints: Prints::new(0),
            points: Points::new(0),
            signs: Signs::new(positive.to_vec(), nonzero.to_vec()),
        }
    }

    /// Whether the form of a value shows that it never vanishes.
    pub fn never_zero(&self, graph: &Graph, value: Value) -> bool {
        self.signs.never_zero(graph, value)
    }

    /// Whether the form of a value shows that it is greater than zero.
    pub fn is_positive(&self, graph: &Graph, value: Value) -> bool {
        self.signs.is_positive(graph, value)
    }
}
