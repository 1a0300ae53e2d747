//! How long an evaluation takes, estimated by a fixed rule from its operations and from which of them wait for others.

use super::{Binary, Cost, Graph, Op, Prepared, Price, Unary, Value};

/// What one evaluation of some values costs, without what is prepared.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Estimate {
    /// Its operations.
    pub cost: Cost,
    /// The longest chain of operations that wait for one another, in cycles of a processor that has any number of
    /// units: what is left of the time where enough can be done at once. Latencies are those of common processors of the 2020s.
    pub path: u32,
}

impl Estimate {
    /// Of an evaluation of `roots`.
    pub fn of(graph: &Graph, roots: &[Value], prepared: &Prepared) -> Self {
        let live = graph.live(roots);
        let mut ends: Vec<u32> = vec![0; live.last().map_or(0, |last| last.index() + 1)];
        let mut cost = Cost::default();
        for value in live {
            if prepared.is(graph, value) {
                continue;
            }
            let op = graph.op(value);
            let start = op.operands().map(|v| ends[v.index()]).max().unwrap_or(0);
            ends[value.index()] = start + latency(op);
            cost += Cost::of(op);
        }
        let path = roots.iter().map(|v| ends[v.index()]).max().unwrap_or(0);
        Self { cost, path }
    }

    /// Its time in cycles: half of the longest chain, since one evaluation begins while another ends; the units' time for all operations; and what it takes
    /// to fetch long code. Fitted to measured times of many machines, see `docs/decisions/0033-time-by-default.md`.
    pub fn cycles(self) -> u32 {
        let operations = self.cost.total();
        let slow = self.cost.div + self.cost.trig;
        let work = operations + (SLOW - 1) * slow;
        let fetched = FETCH * operations.saturating_sub(CACHED);
        self.path / 2 + ((work + fetched) / PER_CYCLE) as u32
    }

    /// What it is compared by: operations, and if `timed` its time before them.
    pub fn price(self, timed: bool) -> Price {
        Price {
            cycles: if timed { self.cycles() as usize } else { 0 },
            operations: self.cost.total(),
        }
    }
}

/// Operations that a processor does in a cycle.
const PER_CYCLE: usize = 5;
/// So many operations take as long as a division, of which one begins only every few cycles, and as a sine, of which the module has the text.
const SLOW: usize = 20;
/// Operations whose code the first level of the cache holds, some eight bytes each.
const CACHED: usize = 4_000;
/// So many times the time of an operation it takes to fetch one that is not there.
const FETCH: usize = 3;

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
        let of = |roots: &[Value]| Estimate::of(&g, roots, &known);
        assert_eq!(of(&[square]).path, 0);
        assert_eq!(of(&[cube]).path, 4);
        let all = of(&[cube, quotient]);
        assert_eq!(all.path, 40 + 4 + 13);
        // The square of the parameter is not among them.
        assert_eq!(all.cost.total(), 4);
        assert_eq!(all.price(false), Price::of_operations(4));
    }

    #[test]
    fn time_is_more_than_what_waits() {
        let of = |path, cost| Estimate { path, cost }.cycles();
        let cost = |mul, div| Cost {
            mul,
            div,
            ..Cost::default()
        };
        assert_eq!(of(57, cost(10, 0)), 28 + 2);
        // A division takes four cycles.
        assert_eq!(of(57, cost(10, 5)), 28 + 2 + 5 * 4);
        // Beyond the cache each operation takes four times as long.
        assert_eq!(of(0, cost(4_000, 0)), 800);
        assert_eq!(of(0, cost(5_000, 0)), 800 + 200 + 600);
    }
}
