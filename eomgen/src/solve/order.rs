//! Which pivot comes next.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use super::matrix::Matrix;
use super::price;
use super::system::{Unknown, UnknownKind};
use crate::ir::{Graph, Value};

/// A rule for choosing the next pivot. Ties go to the deeper body, then to the earlier unknown.
///
/// Every rule falls back on the other sort of pivot where its own is not to be had, so all of them succeed on the same systems.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Ordering {
    /// 1x1 pivots in the order of the unknowns.
    Natural,
    /// 1x1 pivots, the unknown with the fewest neighbours first.
    MinimumDegree,
    /// The cheapest next pivot per unknown, by the lengths of the rows: 1x1 on rates, 2x2 anywhere, other 1x1 as a last resort.
    LeastCost,
    /// As [`LeastCost`](Self::LeastCost), but by counted operations: constants fold, and units cost no product.
    LeastOperations,
    /// As [`LeastOperations`](Self::LeastOperations), but everything of a deeper body before anything of a shallower one.
    DeepestFirst,
}

impl Ordering {
    /// All of them, the simplest first.
    pub const ALL: [Self; 5] = [
        Self::Natural,
        Self::MinimumDegree,
        Self::LeastCost,
        Self::LeastOperations,
        Self::DeepestFirst,
    ];
}

impl fmt::Display for Ordering {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Natural => "natural order",
            Self::MinimumDegree => "minimum degree",
            Self::LeastCost => "least cost",
            Self::LeastOperations => "least operations",
            Self::DeepestFirst => "deepest first",
        })
    }
}

/// A possible pivot: `x` alone, or `x` together with the row `row` that has nothing on its diagonal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Block {
    pub x: usize,
    pub row: Option<usize>,
}

/// What the choice is by: resort, price, depth; then the block itself.
type Key = (u8, u64, Reverse<u32>);

/// Price of a 1x1 pivot that is not on a rate: it costs digits.
const PENALTY: u64 = 200;

/// The possible pivots in the order of choice, kept up to date as the matrix changes.
pub(super) struct Queue<'a> {
    ordering: Ordering,
    unknowns: &'a [Unknown],
    sides: usize,
    keys: BTreeMap<Block, Key>,
    order: BTreeSet<(Key, Block)>,
    /// The blocks an unknown takes part in.
    of: Vec<BTreeSet<Block>>,
}

impl<'a> Queue<'a> {
    /// An empty queue for a matrix over `unknowns` with `sides` right-hand sides.
    pub fn new(ordering: Ordering, unknowns: &'a [Unknown], sides: usize) -> Self {
        Self {
            ordering,
            unknowns,
            sides,
            keys: BTreeMap::new(),
            order: BTreeSet::new(),
            of: vec![BTreeSet::new(); unknowns.len()],
        }
    }

    /// The pivot to take next.
    pub fn first(&self) -> Option<Block> {
        self.order.first().map(|&(_, block)| block)
    }

    /// Forgets every block in which `unknown` takes part.
    pub fn remove(&mut self, unknown: usize) {
        for block in std::mem::take(&mut self.of[unknown]) {
            if let Some(key) = self.keys.remove(&block) {
                self.order.remove(&(key, block));
            }
            for member in [Some(block.x), block.row].into_iter().flatten() {
                self.of[member].remove(&block);
            }
        }
    }

    /// Prices again what the change of the rows `touched` may have changed.
    pub fn refresh(&mut self, graph: &Graph, matrix: &Matrix, touched: &[usize]) {
        let mut stale: BTreeSet<usize> = touched.iter().copied().collect();
        if matches!(
            self.ordering,
            Ordering::LeastOperations | Ordering::DeepestFirst
        ) {
            // Fill between two neighbours of an unknown makes its own updates dearer.
            stale.extend(touched.iter().flat_map(|&i| matrix.row(i).keys().copied()));
        }
        for &i in &stale {
            self.remove(i);
        }
        for &i in &stale {
            self.offer(graph, matrix, i);
        }
    }

    /// Enters every block in which `i` can take part.
    fn offer(&mut self, graph: &Graph, matrix: &Matrix, i: usize) {
        let diagonal = matrix.get(i, i).is_some();
        if diagonal {
            self.enter(graph, matrix, Block { x: i, row: None });
        }
        for (&j, &value) in matrix.row(i) {
            if graph.as_rational(value).is_none() {
                continue;
            }
            if matrix.get(j, j).is_none() {
                let block = Block { x: i, row: Some(j) };
                self.enter(graph, matrix, block);
            }
            if !diagonal {
                let block = Block { x: j, row: Some(i) };
                self.enter(graph, matrix, block);
            }
        }
    }

    fn enter(&mut self, graph: &Graph, matrix: &Matrix, block: Block) {
        if self.keys.contains_key(&block) {
            return;
        }
        let key = self.key(graph, matrix, block);
        self.keys.insert(block, key);
        self.order.insert((key, block));
        for member in [Some(block.x), block.row].into_iter().flatten() {
            self.of[member].insert(block);
        }
    }

    fn key(&self, graph: &Graph, matrix: &Matrix, block: Block) -> Key {
        let single = block.row.is_none();
        let member = &self.unknowns[block.row.unwrap_or(block.x)];
        let penalty = if single && member.kind != UnknownKind::Rate {
            PENALTY
        } else {
            0
        };
        let depth = Reverse(member.depth);
        let resort = u8::from(!single);
        match self.ordering {
            Ordering::Natural => (resort, 0, Reverse(0)),
            Ordering::MinimumDegree => {
                let row = block.row.map_or(0, |row| matrix.degree(row));
                (resort, (matrix.degree(block.x) + row) as u64, depth)
            }
            // Prices are per unknown, so that of a single is doubled.
            Ordering::LeastCost if single => (0, 2 * (by_length(matrix, block) + penalty), depth),
            Ordering::LeastCost => (0, by_length(matrix, block), depth),
            Ordering::LeastOperations => (0, self.price(graph, matrix, block, penalty), depth),
            Ordering::DeepestFirst => {
                let resort = u8::from(penalty > 0);
                let price = self.price(graph, matrix, block, 0);
                (resort, (u64::from(u32::MAX - member.depth) << 32) + price, depth)
            }
        }
    }

    fn price(&self, graph: &Graph, matrix: &Matrix, block: Block, penalty: u64) -> u64 {
        match block.row {
            None => 2 * (price::single(graph, matrix, block.x, self.sides) + penalty),
            Some(row) => price::pair(graph, matrix, block.x, row, self.sides),
        }
    }
}

/// Operations by the lengths of the rows alone.
fn by_length(matrix: &Matrix, block: Block) -> u64 {
    match block.row {
        None => {
            let k = matrix.degree(block.x) as u64;
            k * (k + 3)
        }
        Some(row) => {
            let (m, k) = (matrix.degree(block.x) - 1, matrix.degree(row) - 1);
            let own = match matrix.get(block.x, block.x) {
                Some(_) => k * (k + 1),
                None => 0,
            };
            (2 * m * k + own + 2 * (m + k)) as u64
        }
    }
}

/// The pivot where the queue is empty but the matrix is not: an entry that is no number, of the row and column with the fewest others.
pub(super) fn last_resort(
    matrix: &Matrix,
    members: impl Iterator<Item = usize>,
) -> Option<(Block, Value)> {
    members
        .flat_map(|i| matrix.row(i).iter().map(move |(&j, &value)| (i, j, value)))
        .min_by_key(|&(i, j, _)| (matrix.degree(i) + matrix.degree(j), i, j))
        .map(|(x, row, value)| (Block { x, row: Some(row) }, value))
}
