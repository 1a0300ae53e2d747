//! The pivots that are possible, the best first.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use super::context::EliminationContext;
use super::dissect;
use super::matrix::Matrix;
use super::order::{Block, Ordering};
use super::outward::Outward;
use super::price;
use super::system::{SymmetricSystem, Unknown, UnknownKind};
use crate::ir::Graph;

/// What the choice is by: resort, price, depth, which way round; then the block itself.
type Key = (u8, u64, Reverse<u32>, bool);

/// Price of a 1x1 pivot that is not on a rate: it costs digits.
const PENALTY: u64 = 200;

/// The possible pivots in the order of choice, kept up to date as the matrix changes.
pub(super) struct Queue<'a> {
    ordering: Ordering,
    unknowns: &'a [Unknown],
    outward: Outward,
    /// Only blocks of less than so many levels above the deepest of what hangs on them come first.
    window: u32,
    /// Blocks with an unknown from this one on are not offered.
    limit: usize,
    sides: usize,
    context: &'a EliminationContext<'a>,
    keys: BTreeMap<Block, Key>,
    groups: Vec<Group>,
    /// Groups of which something may have changed for those that they hang on.
    changed: BTreeSet<usize>,
    /// The blocks of groups that are within the window.
    ready: BTreeSet<(Key, Block)>,
    /// The blocks an unknown takes part in.
    of: Vec<BTreeSet<Block>>,
}

/// The blocks of a group of [`Outward`].
#[derive(Default)]
struct Group {
    order: BTreeSet<(Key, Block)>,
    /// The depth of the deepest that has blocks of what hangs on it, itself included.
    deepest: Option<u32>,
    ready: bool,
}

impl<'a> Queue<'a> {
    /// An empty queue for the matrix of a system with `sides` right-hand sides.
    pub fn new(
        ordering: Ordering,
        system: &'a SymmetricSystem,
        sides: usize,
        context: &'a EliminationContext<'a>,
    ) -> Self {
        let levels = ordering.price().map_or(u8::MAX, |price| price.levels);
        let outward = match (ordering, levels) {
            (Ordering::Dissection(levels), _) => {
                Outward::of_levels(&dissect::levels(system, u32::from(levels)))
            }
            (_, u8::MAX) => Outward::nowhere(system.len()),
            _ => Outward::new(system),
        };
        let groups = (0..outward.len()).map(|_| Group::default()).collect();
        Self {
            ordering,
            unknowns: &system.unknowns,
            outward,
            window: u32::from(levels.max(1)),
            limit: system.first_checked(),
            sides,
            context,
            keys: BTreeMap::new(),
            groups,
            changed: BTreeSet::new(),
            ready: BTreeSet::new(),
            of: vec![BTreeSet::new(); system.len()],
        }
    }

    /// The pivots to take next, the best first, so many at most.
    pub fn firsts(&self, count: usize) -> Vec<Block> {
        if matches!(self.ordering, Ordering::Dissection(_)) {
            let inwards = self.groups.iter().rev();
            let firsts = inwards.flat_map(|group| group.order.iter().map(|(_, block)| *block));
            return firsts.take(count).collect();
        }
        let firsts = self.ready.iter().take(count);
        firsts.map(|(_, block)| *block).collect()
    }

    /// The pivots above those that are considered first, the deepest first, so many of each level at most.
    pub fn above(&self, count: usize) -> Vec<Block> {
        let groups = self.groups.iter().enumerate();
        let above = groups.filter(|(_, group)| !group.ready && !group.order.is_empty());
        let mut levels: BTreeMap<Reverse<u32>, Vec<(Key, Block)>> = BTreeMap::new();
        for (number, group) in above {
            let level = levels.entry(Reverse(self.outward.depth(number)));
            let firsts = group.order.iter().take(count);
            level.or_default().extend(firsts.copied());
        }
        let mut blocks = Vec::new();
        for mut level in levels.into_values() {
            level.sort_unstable();
            blocks.extend(level.into_iter().take(count).map(|(_, block)| block));
        }
        blocks
    }

    /// Forgets every block in which `unknown` takes part.
    pub fn remove(&mut self, unknown: usize) {
        for block in std::mem::take(&mut self.of[unknown]) {
            if let Some(key) = self.keys.remove(&block) {
                let number = self.group(block);
                let group = &mut self.groups[number];
                group.order.remove(&(key, block));
                if group.ready {
                    self.ready.remove(&(key, block));
                }
                if group.order.is_empty() {
                    self.changed.insert(number);
                }
            }
            for member in [Some(block.x), block.row].into_iter().flatten() {
                self.of[member].remove(&block);
            }
        }
    }

    /// Looks again at which groups are within the window.
    fn settle(&mut self) {
        // Those that hang on others come before them.
        while let Some(number) = self.changed.pop_first() {
            let own = &self.groups[number];
            let depth = self.outward.depth(number);
            let below = self.outward.children(number).iter();
            let below = below.filter_map(|child| self.groups[*child].deepest).max();
            let deepest = below.max((!own.order.is_empty()).then_some(depth));
            let ready = deepest.is_some_and(|deepest| deepest - depth < self.window);
            let (before, was_ready) = (own.deepest, own.ready);
            let group = &mut self.groups[number];
            group.deepest = deepest;
            group.ready = ready;
            if ready && !was_ready {
                self.ready.extend(group.order.iter().copied());
            } else if was_ready && !ready {
                group.order.iter().for_each(|block| {
                    self.ready.remove(block);
                });
            }
            if deepest != before {
                self.changed.extend(self.outward.parent(number));
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
        self.settle();
    }

    /// The group of a block: that of its member nearer to the base.
    fn group(&self, block: Block) -> usize {
        let own = self.outward.of[block.x];
        let Some(row) = block.row else {
            return own;
        };
        let other = self.outward.of[row];
        if self.outward.depth(other) < self.outward.depth(own) {
            other
        } else {
            own
        }
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
        let number = self.group(block);
        let group = &mut self.groups[number];
        if group.order.is_empty() {
            self.changed.insert(number);
        }
        group.order.insert((key, block));
        if group.ready {
            self.ready.insert((key, block));
        }
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
