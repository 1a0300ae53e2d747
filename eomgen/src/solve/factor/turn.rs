//! Two unknowns that are two others turned about an angle, eliminated together.
//!
//! With `x = C X + S Y + e`, `y = s (C Y - S X) + f`, `C^2 + S^2 = 1` and s = 1 or -1, the block `[a b; b d]` of x and y moves to X and Y.
//! One unknown after the other that takes some twenty operations. By double angles it takes ten:
//!
//! ```text
//! u = S (d - a) - 2 s b C,    XX: a + S u,    YY: d - S u,    XY: -(C u) - s b
//! ```

use std::collections::{BTreeMap, BTreeSet};

use super::super::order::Block;
use super::super::substitute::{Side, Step};
use super::super::system::UnknownKind;
use super::Factor;
use crate::ir::Value;

/// The rows p and q of a turn, and what they say.
pub(super) struct Turn {
    /// x, with the row p, and y, with the row q.
    pub pairs: [(usize, usize); 2],
    /// X and Y.
    to: [usize; 2],
    /// `x = C X + S Y`, and the same for y.
    matrix: [[Value; 2]; 2],
    /// s is -1.
    mirrored: bool,
}

impl Factor<'_> {
    /// The turn that a 2x2 pivot is half of, if it is.
    pub(super) fn turn(&mut self, block: Block) -> Option<Turn> {
        let (x, p) = (block.x, block.row?);
        let to = self.turned_to(x, p)?;
        let zero = self.calc.graph.zero();
        let first = self.coefficients((x, p), to)?;
        let (square, other) = (
            self.calc.mul(first[0], first[0]),
            self.calc.mul(first[1], first[1]),
        );
        let unit = self.calc.add(square, other);
        if unit != self.calc.graph.one() || first.contains(&zero) {
            return None;
        }
        let candidates: Vec<usize> = self.matrix.row(to[0]).keys().copied().collect();
        for q in candidates {
            if q == p || self.matrix.get(q, q).is_some() {
                continue;
            }
            let members: Vec<usize> = self.matrix.row(q).keys().copied().collect();
            let mut own = members.iter().copied().filter(|i| !to.contains(i));
            let (Some(y), None) = (own.next(), own.next()) else {
                continue;
            };
            if y == x || y == p || self.turned_to(y, q) != Some(to) {
                continue;
            }
            let Some(second) = self.coefficients((y, q), to) else {
                continue;
            };
            let back = self.calc.neg(first[1]);
            let forth = self.calc.neg(first[0]);
            let mirrored = match second {
                s if s == [back, first[0]] => false,
                s if s == [first[1], forth] => true,
                _ => continue,
            };
            let tied = |i: usize| to.iter().any(|j| self.matrix.get(i, *j).is_some());
            if tied(x)
                || tied(y)
                || self.matrix.get(x, q).is_some()
                || self.matrix.get(y, p).is_some()
            {
                continue;
            }
            return Some(Turn {
                pairs: [(x, p), (y, q)],
                to,
                matrix: [first, second],
                mirrored,
            });
        }
        None
    }

    /// The two others in a row whose unit entry is that of `x`.
    fn turned_to(&self, x: usize, p: usize) -> Option<[usize; 2]> {
        let mut others = self.matrix.row(p).keys().copied().filter(|i| *i != x);
        let (Some(a), Some(b), None) = (others.next(), others.next(), others.next()) else {
            return None;
        };
        let is_row = |i: usize| self.system.unknowns[i].kind == UnknownKind::Reaction;
        (!is_row(a) && !is_row(b) && !is_row(x)).then_some([a, b])
    }

    /// Of `x = C X + S Y` as the row says it; its own coefficient must be 1 or -1.
    fn coefficients(&mut self, (x, p): (usize, usize), to: [usize; 2]) -> Option<[Value; 2]> {
        let own = self.matrix.get(x, p)?;
        let one = self.calc.graph.one();
        let plus = own == one;
        if !plus && own != self.calc.graph.integer(-1) {
            return None;
        }
        let [c, s] = [self.matrix.get(p, to[0])?, self.matrix.get(p, to[1])?];
        Some(if plus {
            [self.calc.neg(c), self.calc.neg(s)]
        } else {
            [c, s]
        })
    }

    /// Eliminates the turned unknowns with their rows; returns the rows that changed.
    pub(super) fn eliminate_turn(&mut self, turn: &Turn) -> Vec<usize> {
        let zero = self.calc.graph.zero();
        let [(x, p), (y, q)] = turn.pairs;
        let signs = turn
            .pairs
            .map(|(x, row)| self.there(self.matrix.get(x, row), x));
        self.matrix.take(p);
        self.matrix.take(q);
        let b = self.matrix.get(x, y).unwrap_or(zero);
        let (a, mut row_x) = self.matrix.take(x);
        row_x.remove(&y);
        let (d, row_y) = self.matrix.take(y);
        let (a, d) = (a.unwrap_or(zero), d.unwrap_or(zero));
        self.move_block(turn, [a, b, d]);
        // What x and y have in common with others.
        let keys: BTreeSet<usize> = row_x.keys().chain(row_y.keys()).copied().collect();
        let rows = [row_x, row_y];
        for &j in &keys {
            let entries = rows.each_ref();
            let entries = entries.map(|row| row.get(&j).copied().unwrap_or(zero));
            self.carry(turn, entries, |own, to, amount| own.subtract(to, j, amount));
        }
        for k in 0..self.rhs.len() {
            self.turn_rhs(k, turn, signs, [a, b, d], &rows, &keys);
        }
        let side = |k: usize, diagonal, other| Side {
            x: turn.pairs[k].0,
            p: turn.pairs[k].1,
            sign: signs[k],
            turned: std::array::from_fn(|i| (turn.to[i], turn.matrix[k][i])),
            diagonal,
            common: (other, b),
            row: rows[k].iter().map(|(j, v)| (*j, *v)).collect(),
        };
        self.steps.push(Step::Turn([side(0, a, y), side(1, d, x)]));
        let mut touched: BTreeSet<usize> = keys;
        touched.extend(turn.to);
        touched.into_iter().collect()
    }

    /// Moves the block `[a b; b d]` to X and Y.
    fn move_block(&mut self, turn: &Turn, [a, b, d]: [Value; 3]) {
        let ([to_x, to_y], [c, s]) = (turn.to, turn.matrix[0]);
        let of_b = if turn.mirrored { self.calc.neg(b) } else { b };
        let two = self.calc.graph.integer(2);
        let difference = self.calc.sub(d, a);
        let sine = self.calc.mul(s, difference);
        let twice = self.calc.mul(two, c);
        let mixed = self.calc.mul(twice, of_b);
        let u = self.calc.sub(sine, mixed);
        let (su, cu) = (self.calc.mul(s, u), self.calc.mul(c, u));
        let moved = [
            self.calc.add(a, su),
            self.calc.sub(d, su),
            self.calc.add(cu, of_b),
        ];
        for (i, j, value) in [(to_x, to_x, moved[0]), (to_y, to_y, moved[1])] {
            let value = self.calc.neg(value);
            self.subtract(i, j, value);
        }
        self.subtract(to_x, to_y, moved[2]);
    }

    /// What belongs to x and y goes to X and Y.
    fn carry(
        &mut self,
        turn: &Turn,
        [of_x, of_y]: [Value; 2],
        subtract: impl Fn(&mut Self, usize, Value),
    ) {
        let [first, second] = turn.matrix;
        for (i, to) in turn.to.into_iter().enumerate() {
            let (one, other) = (
                self.calc.mul(first[i], of_x),
                self.calc.mul(second[i], of_y),
            );
            let sum = self.calc.add(one, other);
            let sum = self.calc.neg(sum);
            subtract(self, to, sum);
        }
    }

    /// The same for a right-hand side.
    fn turn_rhs(
        &mut self,
        k: usize,
        turn: &Turn,
        signs: [Value; 2],
        [a, b, d]: [Value; 3],
        rows: &[BTreeMap<usize, Value>; 2],
        keys: &BTreeSet<usize>,
    ) {
        let [(x, p), (y, q)] = turn.pairs;
        let [e, f] = [(p, signs[0]), (q, signs[1])].map(|(row, sign)| {
            let value = self.rhs[k][row];
            self.calc.mul(sign, value)
        });
        let (mut of_x, mut of_y) = (self.rhs[k][x], self.rhs[k][y]);
        for (entry, known, is_x) in [(a, e, true), (b, f, true), (b, e, false), (d, f, false)] {
            let product = self.calc.mul(entry, known);
            let side = if is_x { &mut of_x } else { &mut of_y };
            *side = self.calc.sub(*side, product);
        }
        for &j in keys {
            for (row, known) in [(&rows[0], e), (&rows[1], f)] {
                if let Some(entry) = row.get(&j) {
                    let product = self.calc.mul(*entry, known);
                    self.subtract_rhs(k, j, product);
                }
            }
        }
        self.carry(turn, [of_x, of_y], |own, to, amount| {
            own.subtract_rhs(k, to, amount);
        });
    }
}
