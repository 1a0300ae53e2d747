//! Which values depend on some groups of inputs alone, and can be worked out once for each value of these.

use std::cell::RefCell;

use super::{Cost, Graph, Op, Value};

/// A memo of which values of one graph depend on no inputs but those of the groups given. The graph may grow between questions.
pub struct Prepared {
    groups: Vec<u8>,
    known: RefCell<Vec<bool>>,
}

impl Prepared {
    /// With these groups given.
    pub fn new(groups: &[u8]) -> Self {
        Self {
            groups: groups.to_vec(),
            known: RefCell::new(Vec::new()),
        }
    }

    /// Whether the value depends on the given groups alone; numbers do.
    pub fn is(&self, graph: &Graph, value: Value) -> bool {
        let mut known = self.known.borrow_mut();
        // Operands have smaller ids than their users.
        for at in known.len()..=value.index() {
            let of = Value(at as u32);
            let given = match graph.op(of) {
                Op::Input(slot) => self.groups.contains(&slot.group),
                // What a function of the user's returns may change, and a routine may fail.
                Op::Call { .. } | Op::Routine { .. } => false,
                op => op.operands().all(|v| known[v.index()]),
            };
            known.push(given);
        }
        known[value.index()]
    }

    /// What computing `roots` together costs once per value of the given groups, and what for each evaluation.
    pub fn count(&self, graph: &Graph, roots: &[Value]) -> (Cost, Cost) {
        let (mut once, mut each) = (Cost::default(), Cost::default());
        for value in graph.live(roots) {
            let cost = Cost::of(graph.op(value));
            if self.is(graph, value) {
                once += cost
            } else {
                each += cost
            }
        }
        (once, each)
    }
}
