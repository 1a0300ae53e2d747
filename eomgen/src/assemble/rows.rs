//! Rows of constraints and symmetric factors as instructions, made ready for the routines that find ranks at run time: rows that
//! are certain to be independent elsewhere are told apart or scaled first, so that where they fail it shows.

use super::Work;
use crate::elim::Matrix;
use crate::ir::field::Points;
use crate::ir::{Binary, Comparison, Graph, Unary, Value};
use crate::mech::constraints::Rank;

/// `M = L D L^T`, L unit lower triangular.
pub(super) struct Factor {
    lower: Vec<Vec<Value>>,
    /// D.
    pub(super) found: Vec<Value>,
    /// What is divided by for D: 1 in place of 0, where that is reported.
    pub(super) pivots: Vec<Value>,
}

impl Factor {
    /// `None` if a pivot vanishes identically. `guarded` if one may vanish at a state.
    pub(super) fn of(g: &mut Graph, m: &[Vec<Value>], guarded: bool) -> Option<Self> {
        let points = Points::new(0);
        let mut lower: Vec<Vec<Value>> = Vec::with_capacity(m.len());
        let mut pivots: Vec<Value> = Vec::with_capacity(m.len());
        let mut found: Vec<Value> = Vec::with_capacity(m.len());
        for (i, entries) in m.iter().enumerate() {
            // Row i of L D, then of L.
            let mut scaled: Vec<Value> = Vec::with_capacity(i);
            let mut row: Vec<Value> = Vec::with_capacity(i);
            for j in 0..i {
                let known = sum(g, &scaled, &lower[j]);
                let e = g.sub(entries[j], known);
                row.push(g.div(e, pivots[j]));
                scaled.push(e);
            }
            let known = sum(g, &scaled, &row);
            let d = g.sub(entries[i], known);
            if !points.nonzero(g, d) {
                return None;
            }
            lower.push(row);
            found.push(d);
            pivots.push(match guarded && g.as_rational(d).is_none() {
                true => {
                    let (zero, one) = (g.zero(), g.one());
                    g.select(Comparison::Greater, d, zero, d, one)
                }
                false => d,
            });
        }
        Some(Self {
            lower,
            found,
            pivots,
        })
    }

    /// y with `L y = b`.
    pub(super) fn forward(&self, g: &mut Graph, b: &[Value]) -> Vec<Value> {
        let mut y: Vec<Value> = Vec::with_capacity(b.len());
        for (row, b) in self.lower.iter().zip(b) {
            let known = sum(g, row, &y);
            let next = g.sub(*b, known);
            y.push(next);
        }
        y
    }

    /// x with `L^T x = y`.
    pub(super) fn backward(&self, g: &mut Graph, y: &[Value]) -> Vec<Value> {
        let mut x = y.to_vec();
        for i in (0..y.len()).rev() {
            for k in i + 1..y.len() {
                let t = g.mul(self.lower[k][i], x[k]);
                x[i] = g.sub(x[i], t);
            }
        }
        x
    }
}

impl Factor {
    /// Multipliers of rows from those of the rows made orthogonal by [`Work::told_apart`].
    pub(super) fn of_rows(&self, g: &mut Graph, multipliers: &[Value]) -> Vec<Value> {
        let scaled = over(g, multipliers, &self.pivots);
        self.backward(g, &scaled)
    }
}

/// The sum of the products of entries, as far as there are both.
pub(super) fn sum(g: &mut Graph, a: &[Value], b: &[Value]) -> Value {
    let mut total = g.zero();
    for (a, b) in a.iter().zip(b) {
        let t = g.mul(*a, *b);
        total = g.add(total, t);
    }
    total
}

impl Work<'_> {
    /// Where some rows are left out since they depend on the others wherever the constraints hold, there may be states at which
    /// those others depend on one another and one that was left out counts. So the rows that are kept are made orthogonal first, by
    /// `A A^T = L D L^T`, and a pivot of D that vanishes is reported. `None` where no row is left out for that reason.
    pub(super) fn told_apart(
        &mut self,
        rows: &mut [Vec<Value>],
        rhs: &mut Vec<Value>,
    ) -> Option<Factor> {
        let constraints = &self.c.constraints;
        if constraints.rank_where_they_hold != Rank::Lower || rows.len() < 2 {
            return None;
        }
        let names: Vec<String> = constraints
            .independent
            .iter()
            .map(|i| constraints.rows[*i].name.clone())
            .collect();
        let g = &mut self.low.graph;
        let m = rows.len();
        let gram: Vec<Vec<Value>> = (0..m)
            .map(|i| (0..m).map(|j| sum(g, &rows[i], &rows[j])).collect())
            .collect();
        let factor = Factor::of(g, &gram, true)?;
        for k in 0..m {
            let (d, size) = (factor.found[k], gram[k][k]);
            if self.low.graph.as_rational(d).is_none() {
                let text = format!("constraint `{}` depends on those before it", names[k]);
                let note = "there a row that was left out may count";
                self.condition_for(d, factor.pivots[k], Some(size), text, note);
            }
        }
        let g = &mut self.low.graph;
        let n = rows.first().map_or(0, Vec::len);
        for j in 0..n {
            let column: Vec<Value> = rows.iter().map(|row| row[j]).collect();
            let column = factor.forward(g, &column);
            for (row, value) in rows.iter_mut().zip(over(g, &column, &factor.pivots)) {
                row[j] = value;
            }
        }
        let apart = factor.forward(g, rhs);
        *rhs = over(g, &apart, &factor.pivots);
        Some(factor)
    }

    /// Rows of which every coefficient may vanish are divided by their largest one, and where that vanishes, beside what it is made of,
    /// it is reported: the routines take what little is left of a row for the row. `which` are the rows by their numbers. What they
    /// were divided by; `None` for those that were left as they are.
    pub(super) fn sized(
        &mut self,
        which: &[usize],
        exprs: &Matrix,
        rows: &mut [Vec<Value>],
        rhs: &mut [Value],
    ) -> Vec<Option<Value>> {
        let constraints = self.c.constraints.clone();
        let mut sizes = vec![None; rows.len()];
        if constraints.rank_where_they_hold != Rank::Same {
            return sizes;
        }
        for (at, number) in which.iter().enumerate() {
            let Some(place) = constraints.independent.iter().position(|i| i == number) else {
                continue;
            };
            let kept = exprs[at].iter().any(|e| self.c.alg.is_nonzero(e));
            // Another row may hold what this one does not hold there.
            let alone = constraints.combination.iter().all(|t| {
                let factor = &t[place];
                self.c.alg.is_zero(factor) || self.c.alg.is_nonzero(factor)
            });
            if kept || !alone {
                continue;
            }
            let mut size: Option<(Value, Value)> = None;
            for (e, v) in exprs[at].iter().zip(&rows[at]) {
                if e.is_literal_zero() {
                    continue;
                }
                let natural = self.low.magnitude(&self.c.alg, e);
                let g = &mut self.low.graph;
                let own = g.unary(Unary::Abs, *v);
                size = Some(match size {
                    None => (own, natural),
                    Some((a, b)) => (
                        g.binary(Binary::Max, a, own),
                        g.binary(Binary::Max, b, natural),
                    ),
                });
            }
            let Some((size, natural)) = size else {
                continue;
            };
            let g = &mut self.low.graph;
            let (zero, one) = (g.zero(), g.one());
            let divisor = g.select(Comparison::Greater, size, zero, size, one);
            for v in rows[at].iter_mut() {
                *v = g.div(*v, divisor);
            }
            rhs[at] = g.div(rhs[at], divisor);
            sizes[at] = Some(divisor);
            let text = format!(
                "constraint `{}` holds no acceleration",
                constraints.rows[*number].name
            );
            let note = "all its coefficients vanish there";
            self.condition_for(size, divisor, Some(natural), text, note);
        }
        sizes
    }
}

/// Each entry over its divisor.
pub(super) fn over(g: &mut Graph, list: &[Value], divisors: &[Value]) -> Vec<Value> {
    list.iter()
        .zip(divisors)
        .map(|(a, d)| g.div(*a, *d))
        .collect()
}
