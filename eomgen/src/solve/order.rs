//! Which pivot comes next.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use super::context::EliminationContext;
use super::dissect;
use super::matrix::Matrix;
use super::price;
use super::system::{SymmetricSystem, Unknown, UnknownKind};
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
    /// The cheapest next pivot by a price of one's own.
    Cheapest(Price),
    /// Nested dissection: what a chain falls apart at is eliminated last, and so on in the pieces, down to pieces of so many levels. What is
    /// left of one piece does not wait for another.
    Dissection(u8),
}

/// How [`Ordering::Cheapest`] prices a pivot.
///
/// Operations counted now are exact, but blind to what comes: today's numbers are tomorrow's expressions. Lengths of rows foresee
/// that, but are blind to what folds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Price {
    /// How much an operation counts; constants fold, and units cost no product.
    pub counted: u8,
    /// How much an operation counts that is estimated from the lengths of the rows.
    pub lengths: u8,
    /// The price of a 1x1 pivot is multiplied by this many halves. A 2x2 pivot eliminates two unknowns: 2 compares pivots, 4 compares
    /// unknowns.
    pub single: u8,
    /// Whether 1x1 pivots on other unknowns than rates are a last resort. Where they are not, digits may be lost: measure.
    pub careful: bool,
    /// Only pivots of the deepest body that is left, and of those less than this many levels above it, are considered. On a long
    /// chain the cheapest pivot may lie in the middle, and the fronts that grow from there are costly where they meet.
    pub levels: u8,
}

impl Price {
    /// [`Ordering::LeastCost`].
    pub const LEAST_COST: Self = Self {
        counted: 0,
        lengths: 1,
        single: 4,
        careful: true,
        levels: u8::MAX,
    };
}

impl Ordering {
    /// The rules worth a try, the careful ones first: each was the cheapest somewhere.
    pub const ALL: [Self; 8] = [
        Self::LeastCost,
        Self::outboard(1),
        Self::outboard(2),
        Self::MinimumDegree,
        Self::Natural,
        Self::cheapest(0, 1, 3),
        Self::cheapest(1, 0, 3),
        Self::cheapest(1, 2, 4),
    ];

    /// The rules that tell which way to state the equations is worth a closer look.
    pub const SCOUTS: [Self; 3] = [Self::LeastCost, Self::cheapest(0, 1, 3), Self::outboard(1)];

    /// The rules of which one was the cheapest, or near, of every large system: the first where the bodies move in space, the second for
    /// planar chains.
    pub const SCOUTS_OF_LARGE: [Self; 2] = [Self::outboard(1), Self::cheapest(0, 1, 3)];

    /// What is tried beside it on the best of large systems.
    pub const FAMILY_OF_LARGE: [Self; 2] = [Self::outboard(2), Self::LeastCost];

    /// The rules tried on what the scouts found best, beside theirs.
    pub const FAMILY: [Self; 12] = [
        Self::outboard(2),
        Self::MinimumDegree,
        Self::Natural,
        Self::cheapest(1, 0, 3),
        Self::cheapest(1, 2, 4),
        Self::cheapest(1, 1, 3),
        Self::cheapest(1, 1, 4),
        Self::cheapest(1, 0, 4),
        Self::cheapest(0, 1, 4),
        Self::cheapest(2, 1, 4),
        Self::cheapest(1, 0, 5),
        Self::cheapest(0, 1, 2),
    ];

    /// Beside these, of systems that are long.
    pub const FAMILY_OF_LONG: [Self; 2] = [Self::Dissection(4), Self::Dissection(8)];

    /// [`LeastCost`](Self::LeastCost) among the outermost levels.
    pub const fn outboard(levels: u8) -> Self {
        Self::Cheapest(Price {
            levels,
            ..Price::LEAST_COST
        })
    }

    const fn cheapest(counted: u8, lengths: u8, single: u8) -> Self {
        Self::Cheapest(Price {
            counted,
            lengths,
            single,
            careful: false,
            levels: u8::MAX,
        })
    }

    /// The price, if there is one.
    fn price(self) -> Option<Price> {
        match self {
            Self::Natural | Self::MinimumDegree => None,
            Self::LeastCost => Some(Price::LEAST_COST),
            Self::Cheapest(price) => Some(price),
            Self::Dissection(_) => Some(Price {
                single: 3,
                careful: false,
                ..Price::LEAST_COST
            }),
        }
    }

    /// How many times the updates of the best order this one may take.
    pub(super) fn slack(self) -> usize {
        match self {
            // It trades operations for shorter chains of them.
            Self::Dissection(_) => 4,
            _ => 1,
        }
    }
}

impl fmt::Display for Ordering {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let price = match *self {
            Self::Natural => return f.write_str("natural order"),
            Self::MinimumDegree => return f.write_str("minimum degree"),
            Self::LeastCost => Price::LEAST_COST,
            Self::Cheapest(price) => price,
            Self::Dissection(levels) => {
                return write!(f, "nested dissection down to {levels} levels");
            }
        };
        f.write_str("least cost")?;
        let kept = Price {
            levels: u8::MAX,
            ..price
        };
        if kept != Price::LEAST_COST {
            let Price {
                counted,
                lengths,
                single,
                ..
            } = price;
            write!(f, " {counted}:{lengths}:{single}")?;
            f.write_str(if price.careful { " careful" } else { "" })?;
        }
        match price.levels {
            u8::MAX => Ok(()),
            levels => write!(f, " within {levels}"),
        }
    }
}

/// A possible pivot: `x` alone, or `x` together with the row `row` that has nothing on its diagonal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Block {
    pub x: usize,
    pub row: Option<usize>,
}

/// What the choice is by: resort, price, depth, which way round; then the block itself.
type Key = (u8, u64, Reverse<u32>, bool);

/// Price of a 1x1 pivot that is not on a rate: it costs digits.
const PENALTY: u64 = 200;

/// The possible pivots in the order of choice, kept up to date as the matrix changes.
pub(super) struct Queue<'a> {
    ordering: Ordering,
    unknowns: &'a [Unknown],
    /// Of each unknown; the deepest are offered first where the order goes by levels.
    levels: Vec<u32>,
    /// Blocks with an unknown from this one on are not offered.
    limit: usize,
    sides: usize,
    context: &'a EliminationContext<'a>,
    keys: BTreeMap<Block, Key>,
    /// By level.
    order: BTreeMap<u32, BTreeSet<(Key, Block)>>,
    /// The blocks an unknown takes part in.
    of: Vec<BTreeSet<Block>>,
}

impl<'a> Queue<'a> {
    /// An empty queue for the matrix of a system with `sides` right-hand sides.
    pub fn new(
        ordering: Ordering,
        system: &'a SymmetricSystem,
        sides: usize,
        context: &'a EliminationContext<'a>,
    ) -> Self {
        Self {
            ordering,
            unknowns: &system.unknowns,
            levels: match ordering {
                Ordering::Dissection(levels) => dissect::levels(system, u32::from(levels)),
                _ => system.unknowns.iter().map(|u| u.depth).collect(),
            },
            limit: system.first_checked(),
            sides,
            context,
            keys: BTreeMap::new(),
            order: BTreeMap::new(),
            of: vec![BTreeSet::new(); system.len()],
        }
    }

    /// The pivots to take next, the best first, so many at most.
    pub fn firsts(&self, count: usize) -> Vec<Block> {
        let Some(&deepest) = self.order.keys().next_back() else {
            return Vec::new();
        };
        if matches!(self.ordering, Ordering::Dissection(_)) {
            let inwards = self.order.values().rev();
            let firsts = inwards.flat_map(|order| order.iter().map(|(_, block)| *block));
            return firsts.take(count).collect();
        }
        let levels = self.order.range(self.highest(deepest)..=deepest);
        let mut firsts: Vec<(Key, Block)> = levels
            .flat_map(|(_, order)| order.iter().take(count))
            .copied()
            .collect();
        firsts.sort_unstable();
        firsts.truncate(count);
        firsts.into_iter().map(|(_, block)| block).collect()
    }

    /// The highest level of which pivots are considered where this one is the deepest that is left.
    fn highest(&self, deepest: u32) -> u32 {
        match self.ordering.price().map_or(u8::MAX, |price| price.levels) {
            u8::MAX => 0,
            levels => (deepest + 1).saturating_sub(u32::from(levels.max(1))),
        }
    }

    /// The pivots of the levels above those that are considered first, the deepest first, so many of each level at most.
    pub fn above(&self, count: usize) -> impl Iterator<Item = Block> {
        let deepest = self.order.keys().next_back().copied();
        let highest = deepest.map_or(0, |deepest| self.highest(deepest));
        let above = self.order.range(..highest).rev();
        above.flat_map(move |(_, order)| order.iter().take(count).map(|(_, block)| *block))
    }

    /// Forgets every block in which `unknown` takes part.
    pub fn remove(&mut self, unknown: usize) {
        for block in std::mem::take(&mut self.of[unknown]) {
            if let Some(key) = self.keys.remove(&block) {
                let depth = self.level(block);
                if let Some(order) = self.order.get_mut(&depth) {
                    order.remove(&(key, block));
                    if order.is_empty() {
                        self.order.remove(&depth);
                    }
                }
            }
            for member in [Some(block.x), block.row].into_iter().flatten() {
                self.of[member].remove(&block);
            }
        }
    }

    /// Prices again what the change of the rows `touched` may have changed.
    pub fn refresh(&mut self, graph: &Graph, matrix: &Matrix, touched: &[usize]) {
        let mut stale: BTreeSet<usize> = touched.iter().copied().collect();
        if self.ordering.price().is_some_and(|price| price.counted > 0) {
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

    /// The level of a block: that of its shallower member.
    fn level(&self, block: Block) -> u32 {
        let own = self.levels[block.x];
        block.row.map_or(own, |row| own.min(self.levels[row]))
    }

    /// Enters every block in which `i` can take part.
    fn offer(&mut self, graph: &Graph, matrix: &Matrix, i: usize) {
        if matrix.get(i, i).is_some() {
            self.enter(graph, matrix, Block { x: i, row: None });
        }
        for (&j, &value) in matrix.row(i) {
            if !self.context.pairs(graph, value) {
                continue;
            }
            for (x, row) in [(i, j), (j, i)] {
                if matrix.get(row, row).is_none() {
                    self.enter(graph, matrix, Block { x, row: Some(row) });
                }
            }
        }
    }

    fn enter(&mut self, graph: &Graph, matrix: &Matrix, block: Block) {
        let last = block.x.max(block.row.unwrap_or(block.x));
        if last >= self.limit || self.keys.contains_key(&block) {
            return;
        }
        let key = self.key(graph, matrix, block);
        self.keys.insert(block, key);
        let order = self.order.entry(self.level(block)).or_default();
        order.insert((key, block));
        for member in [Some(block.x), block.row].into_iter().flatten() {
            self.of[member].insert(block);
        }
    }

    fn key(&self, graph: &Graph, matrix: &Matrix, block: Block) -> Key {
        let member = &self.unknowns[block.row.unwrap_or(block.x)];
        let depth = Reverse(member.depth);
        // Where either could be the row, the reaction had better not be: that costs a little less on robot arms.
        let reaction = block.row.is_some() && member.kind == UnknownKind::Reaction;
        let single = block.row.is_none();
        let Some(weights) = self.ordering.price() else {
            let row = block.row.map_or(0, |row| matrix.degree(row));
            let degree = (matrix.degree(block.x) + row) as u64;
            return match self.ordering {
                Ordering::MinimumDegree => (u8::from(!single), degree, depth, reaction),
                _ => (u8::from(!single), 0, Reverse(0), reaction),
            };
        };
        let poor = single && weights.careful && member.kind != UnknownKind::Rate;
        let [counted, lengths] = [weights.counted, weights.lengths].map(u64::from);
        let operations = if counted == 0 {
            0
        } else {
            self.operations(graph, matrix, block)
        };
        let price = counted * operations + lengths * by_length(matrix, block);
        let price = price
            + if poor {
                PENALTY * (counted + lengths)
            } else {
                0
            };
        let halves = if single { u64::from(weights.single) } else { 2 };
        (0, halves * price, depth, reaction)
    }

    fn operations(&self, graph: &Graph, matrix: &Matrix, block: Block) -> u64 {
        match block.row {
            None => price::single(self.context, graph, matrix, block.x, self.sides),
            Some(row) => price::pair(self.context, graph, matrix, (block.x, row), self.sides),
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

/// The pivot where the queue is empty but the matrix, up to `limit`, is not: an entry that is no number, of the row and column with the fewest others.
pub(super) fn last_resort(
    matrix: &Matrix,
    members: impl Iterator<Item = usize>,
    limit: usize,
) -> Option<(Block, Value)> {
    members
        .flat_map(|i| {
            matrix
                .row(i)
                .range(..limit)
                .map(move |(&j, &value)| (i, j, value))
        })
        .min_by_key(|&(i, j, _)| (matrix.degree(i) + matrix.degree(j), i, j))
        .map(|(x, row, value)| (Block { x, row: Some(row) }, value))
}
