//! Which values depend on some groups of inputs alone, and can be worked out once for each value of these.

use std::cell::RefCell;

use super::{Binary, Cost, Graph, Op, Unary, Value};

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

    /// The time of one evaluation of `roots`, estimated in cycles: the longest chain of operations that wait for one another, and a fifth of a cycle for
    /// each operation, which is what the others take beside it. Of the measured modules of `docs/performance.md` it is within a fifth, but for the smallest.
    pub fn time(&self, graph: &Graph, roots: &[Value]) -> u32 {
        let operations = self.count(graph, roots).1.total();
        self.path(graph, roots) + (operations / PER_CYCLE) as u32
    }

    /// The longest chain of operations that wait for one another in an evaluation of `roots`, in cycles of a processor that has any number of
    /// units: what is left of the time where enough can be done at once. Latencies are those of common processors of the 2020s.
    pub fn path(&self, graph: &Graph, roots: &[Value]) -> u32 {
        let live = graph.live(roots);
        let mut ends: Vec<u32> = vec![0; live.last().map_or(0, |last| last.index() + 1)];
        for value in &live {
            let op = graph.op(*value);
            if self.is(graph, *value) {
                continue;
            }
            let start = op.operands().map(|v| ends[v.index()]).max().unwrap_or(0);
            ends[value.index()] = start + latency(op);
        }
        roots.iter().map(|v| ends[v.index()]).max().unwrap_or(0)
    }
}

/// Operations that a processor does in a cycle beside those of the longest chain.
const PER_CYCLE: usize = 5;

/// Cycles until the result is there.
fn latency(op: &Op) -> u32 {
    match op {
        Op::Unary(Unary::Neg, _) => 1,
        Op::Unary(Unary::Of(function), _) | Op::Binary(Binary::Of(function), ..) => {
            function.row().cycles
        }
        Op::Binary(Binary::Add | Binary::Sub | Binary::Mul, ..) => 4,
        Op::Binary(Binary::Div, ..) => 13,
        Op::Select { .. } => 2,
        Op::Constant(_) | Op::Pi | Op::Input(_) | Op::Jet { .. } | Op::Element { .. } => 0,
        Op::Call { .. } | Op::Routine { .. } => 100,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ir::Slot;

    #[test]
    fn a_path_is_what_waits() {
        let mut g = Graph::new();
        let [p, a, b] =
            [(0, 0), (1, 0), (1, 1)].map(|(group, index)| g.input(Slot { group, index }));
        let sine = g.unary(Unary::Sin, a);
        let (square, cube) = (g.mul(p, p), g.mul(b, b));
        let sum = g.add(sine, cube);
        let quotient = g.div(sum, square);
        let known = Prepared::new(&[0]);
        assert_eq!(known.path(&g, &[square]), 0);
        assert_eq!(known.path(&g, &[cube]), 4);
        assert_eq!(known.path(&g, &[cube, quotient]), 40 + 4 + 13);
        // Four operations, the square of the parameter not among them.
        assert_eq!(known.time(&g, &[cube, quotient]), 40 + 4 + 13);
        let fifth = g.add(quotient, cube);
        assert_eq!(known.time(&g, &[fifth]), 40 + 4 + 13 + 4 + 1);
    }
}
