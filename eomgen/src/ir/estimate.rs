//! How long an evaluation takes, estimated by a fixed rule from its operations and from which of them wait for others.

use std::collections::BTreeMap;

use super::{Binary, Cost, Graph, Op, Prepared, Price, Unary, Value};

/// What one evaluation of some values costs, without what is prepared.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Estimate {
    /// Its operations.
    pub cost: Cost,
    /// The longest chain of operations that wait for one another, in cycles of a processor that has any number of
    /// units: what is left of the time where enough can be done at once. Latencies are those of common processors of the 2020s.
    pub path: u32,
    /// Its divisions, where what is divided by [often](RECIPROCAL) has a reciprocal.
    pub divisions: usize,
}

/// So many divisions by one value become products with its reciprocal.
pub const RECIPROCAL: usize = 3;

impl Estimate {
    /// Of an evaluation of `roots`.
    pub fn of(graph: &Graph, roots: &[Value], prepared: &Prepared) -> Self {
        let mut live = graph.live(roots);
        let length = live.last().map_or(0, |last| last.index() + 1);
        live.retain(|value| !prepared.is(graph, *value));
        let mut divided: BTreeMap<Value, usize> = BTreeMap::new();
        for value in &live {
            if let Op::Binary(Binary::Div, _, by) = graph.op(*value) {
                *divided.entry(*by).or_default() += 1;
            }
        }
        let mut ends: Vec<u32> = vec![0; length];
        let (mut cost, mut divisions) = (Cost::default(), 0);
        for value in live {
            let op = graph.op(value);
            let end = |v: Value| ends[v.index()];
            let start = op.operands().map(end).max().unwrap_or(0);
            ends[value.index()] = match op {
                // Its reciprocal is prepared as well.
                Op::Binary(Binary::Div, _, by) if prepared.is(graph, *by) => start + PRODUCT,
                Op::Binary(Binary::Div, a, by) if divided[by] >= RECIPROCAL => {
                    end(*a).max(end(*by) + QUOTIENT) + PRODUCT
                }
                op => start + latency(op),
            };
            if let Op::Binary(Binary::Div, _, by) = op
                && !prepared.is(graph, *by)
            {
                divisions += usize::from(divided[by] < RECIPROCAL);
            }
            cost += Cost::of(op);
        }
        let is_often =
            |(by, count): &(&Value, &usize)| **count >= RECIPROCAL && !prepared.is(graph, **by);
        divisions += divided.iter().filter(is_often).count();
        let path = roots.iter().map(|v| ends[v.index()]).max().unwrap_or(0);
        Self {
            cost,
            path,
            divisions,
        }
    }

    /// Its time in cycles: half of the longest chain, since one evaluation begins while another ends; the units' time for all operations; and what it takes
    /// to fetch long code. Fitted to measured times of many machines, see `docs/decisions/0033-time-by-default.md`.
    pub fn cycles(self) -> u32 {
        let operations = self.cost.total();
        let slow = self.divisions + self.cost.trig;
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

/// Cycles until a product is there.
const PRODUCT: u32 = 4;
/// Until a quotient is.
const QUOTIENT: u32 = 13;

/// Cycles until the result is there.
fn latency(op: &Op) -> u32 {
    match op {
        Op::Unary(Unary::Neg, _) => 1,
        Op::Unary(Unary::Of(function), _) | Op::Binary(Binary::Of(function), ..) => {
            function.row().cycles
        }
        Op::Binary(Binary::Add | Binary::Sub | Binary::Mul, ..) => PRODUCT,
        Op::Binary(Binary::Div, ..) => QUOTIENT,
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
        // What is divided by has a reciprocal beforehand.
        assert_eq!((all.path, all.divisions), (40 + 4 + 4, 0));
        // The square of the parameter is not among them.
        assert_eq!(all.cost.total(), 4);
        assert_eq!(all.price(false), Price::of_operations(4));
    }

    #[test]
    fn what_is_divided_by_often_has_a_reciprocal() {
        let mut g = Graph::new();
        let inputs = [0, 1, 2, 3, 4].map(|index| g.input(Slot { group: 1, index }));
        let [a, b, c, by, late] = inputs;
        let late = g.unary(Unary::Sin, late);
        let (once, twice) = (g.div(a, by), g.div(b, by));
        let known = Prepared::new(&[0]);
        let of = |g: &Graph, roots: &[Value]| Estimate::of(g, roots, &known);
        let two = of(&g, &[once, twice]);
        assert_eq!((two.path, two.divisions), (13, 2));
        let thrice = g.div(c, by);
        let three = of(&g, &[once, twice, thrice]);
        assert_eq!(
            (three.path, three.divisions, three.cost.div),
            (13 + 4, 1, 3)
        );
        // The reciprocal does not wait for what is divided.
        let waiting = g.div(late, by);
        let four = of(&g, &[once, twice, thrice, waiting]);
        assert_eq!(four.path, 40 + 4);
    }

    #[test]
    fn time_is_more_than_what_waits() {
        let of = |path, cost: Cost| {
            let divisions = cost.div;
            Estimate {
                cost,
                path,
                divisions,
            }
            .cycles()
        };
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
