//! Determinant and adjugate of a block by minors of its first and of its last rows (Laplace), each computed once from those of one row
//! less. Nothing is divided, so the only divisor of a solution is the determinant. Knows nothing of what is solved.

use super::Matrix;
use crate::sym::{Algebra, Expr};
use std::collections::BTreeMap;

/// Most minors that are written; a full block of six has 128.
const MINORS: usize = 600;

/// Minors by their columns, a bit each.
type Level = BTreeMap<u64, Expr>;

/// The minors of a block.
pub(super) struct Minors {
    /// `top[k]`: of the first k rows.
    top: Vec<Level>,
    /// `bottom[k]`: of the rows from k on.
    bottom: Vec<Level>,
    /// The rows in the order in which they are taken.
    order: Vec<usize>,
}

impl Minors {
    /// `None` if there are too many, or a budget of simplification is spent on the way.
    pub fn new(alg: &mut Algebra, block: &Matrix) -> Option<Self> {
        let n = block.len();
        if n > 63 {
            return None;
        }
        let order = banded(block);
        let rows: Vec<&Vec<Expr>> = order.iter().map(|i| &block[*i]).collect();
        let spent = alg.spent();
        let start = || Level::from([(0, Expr::one())]);
        let (mut top, mut bottom) = (vec![start()], vec![start()]);
        let mut count = 0;
        for k in 0..n {
            // The new row stands below the first ones, and above the last ones.
            let (next, size) = (top.last()?, MINORS - count);
            let level = longer(alg, next, rows[k], size, |place| (k + place) % 2 == 1)?;
            count += level.len();
            top.push(level);
            let (next, size) = (bottom.last()?, MINORS - count);
            let level = longer(alg, next, rows[n - 1 - k], size, |place| place % 2 == 1)?;
            count += level.len();
            bottom.push(level);
            if alg.gave_up(spent) {
                return None;
            }
        }
        bottom.reverse();
        Some(Self { top, bottom, order })
    }

    /// The determinant of the rows in their own order, but for the sign.
    pub fn determinant(&self) -> Expr {
        let all = self.top.last().and_then(|level| level.values().next());
        all.cloned().unwrap_or_else(Expr::zero)
    }

    /// `adj b`: the unknowns times the determinant.
    pub fn numerators(&self, alg: &mut Algebra, right: &Matrix) -> Matrix {
        let n = self.order.len();
        let width = right.first().map_or(0, Vec::len);
        let mut x = vec![vec![Expr::zero(); width]; n];
        for (at, row) in self.order.iter().enumerate() {
            if right[*row].iter().all(Expr::is_literal_zero) {
                continue;
            }
            for (column, x) in x.iter_mut().enumerate() {
                let cofactor = self.cofactor(alg, at, column);
                if cofactor.is_literal_zero() {
                    continue;
                }
                for (x, b) in x.iter_mut().zip(&right[*row]) {
                    if !b.is_literal_zero() {
                        *x = &*x + &cofactor * b;
                    }
                }
            }
        }
        x
    }

    /// What an entry is multiplied by in the determinant.
    fn cofactor(&self, alg: &mut Algebra, row: usize, column: usize) -> Expr {
        let others = ((1u64 << self.order.len()) - 1) & !(1 << column);
        let mut sum = Expr::zero();
        for (columns, above) in &self.top[row] {
            let rest = others & !columns;
            let below = self.bottom[row + 1].get(&rest);
            let Some(below) = below.filter(|_| columns & (1 << column) == 0) else {
                continue;
            };
            // How many exchanges bring these columns in front of the rest.
            let passed = bits(*columns).map(|c| (rest & ((1 << c) - 1)).count_ones());
            let odd = (passed.sum::<u32>() as usize + row + column) % 2 == 1;
            let term = above * below;
            sum = if odd { sum - term } else { sum + term };
        }
        alg.define("minor", sum)
    }
}

/// The minors of one row more; `None` if there are more than `size`. `odd` tells the sign by the place of the row's column among the others.
fn longer(
    alg: &mut Algebra,
    minors: &Level,
    row: &[Expr],
    size: usize,
    odd: impl Fn(usize) -> bool,
) -> Option<Level> {
    let mut level = Level::new();
    for (columns, minor) in minors {
        for (j, entry) in row.iter().enumerate() {
            let bit = 1u64 << j;
            if entry.is_literal_zero() || columns & bit != 0 {
                continue;
            }
            let place = (columns & (bit - 1)).count_ones() as usize;
            let term = entry * minor;
            let sum = level.entry(columns | bit).or_insert_with(Expr::zero);
            *sum = if odd(place) {
                &*sum - term
            } else {
                &*sum + term
            };
            if level.len() > size {
                return None;
            }
        }
    }
    for sum in level.values_mut() {
        *sum = alg.define("minor", sum.clone());
    }
    level.retain(|_, e| !e.is_literal_zero());
    Some(level)
}

/// Rows in an order in which the columns touched so far stay few.
fn banded(block: &Matrix) -> Vec<usize> {
    let mut left: Vec<usize> = (0..block.len()).collect();
    let mut touched = vec![false; block.len()];
    let mut order = Vec::with_capacity(block.len());
    while !left.is_empty() {
        let fresh = |row: &Vec<Expr>| {
            let filled = row.iter().zip(&touched);
            filled.filter(|(e, t)| !e.is_literal_zero() && !**t).count()
        };
        let at = (0..left.len()).min_by_key(|k| fresh(&block[left[*k]]));
        let row = left.remove(at.unwrap_or(0));
        for (t, e) in touched.iter_mut().zip(&block[row]) {
            *t |= !e.is_literal_zero();
        }
        order.push(row);
    }
    order
}

fn bits(set: u64) -> impl Iterator<Item = u32> {
    (0..64).filter(move |c| set >> c & 1 == 1)
}
