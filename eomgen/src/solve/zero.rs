//! The caller's exact test for zero, asked once per value.

use rustc_hash::FxHashMap;

use crate::ir::{Graph, Value};

/// Decides whether a value vanishes identically.
pub(super) struct ZeroTest<'a> {
    nonzero: &'a dyn Fn(&Graph, Value) -> bool,
    /// Looked up only, never iterated.
    known: FxHashMap<Value, bool>,
}

impl<'a> ZeroTest<'a> {
    pub fn new(nonzero: &'a dyn Fn(&Graph, Value) -> bool) -> Self {
        Self {
            nonzero,
            known: FxHashMap::default(),
        }
    }

    /// The value, unless it is identically zero.
    pub fn keep(&mut self, graph: &Graph, value: Value) -> Option<Value> {
        if graph.is_zero(value) {
            return None;
        }
        if graph.as_rational(value).is_some() {
            return Some(value);
        }
        let nonzero = self.nonzero;
        let known = self.known.entry(value);
        known
            .or_insert_with(|| nonzero(graph, value))
            .then_some(value)
    }
}
