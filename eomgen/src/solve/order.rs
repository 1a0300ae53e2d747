//! Which pivot comes next.

use std::fmt;

use super::matrix::Matrix;
use crate::ir::Value;

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
    /// Only pivots of the deepest body of a branch that is left, and of those less than this many levels above it, are considered. On a long
    /// chain the cheapest pivot may lie in the middle, and the fronts that grow from there are costly where they meet. Branches do not wait for one
    /// another, so that equal ones go in the same order.
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
    pub(super) fn price(self) -> Option<Price> {
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
