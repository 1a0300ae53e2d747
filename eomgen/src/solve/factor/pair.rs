//! An unknown and a row that has nothing on its diagonal, eliminated together.

use std::collections::{BTreeMap, BTreeSet};

use super::super::price::Tally;
use super::super::substitute::{Divisor, PairTerm, Step};
use super::Factor;
use crate::ir::Value;

impl Factor<'_> {
    /// Eliminates `x` and `p` by their block; returns the rows that changed.
    pub(super) fn pair(&mut self, x: usize, p: usize) -> Vec<usize> {
        let zero = self.calc.graph.zero();
        let coefficient = self.there(self.matrix.get(x, p), x);
        let coefficient = Divisor::new(&mut self.calc, self.context, coefficient);
        let (_, mut row_p) = self.matrix.take(p);
        row_p.remove(&x);
        let (diagonal, row_x) = self.matrix.take(x);
        let keys: BTreeSet<usize> = row_x.keys().chain(row_p.keys()).copied().collect();
        let terms: Vec<PairTerm> = keys
            .into_iter()
            .map(|j| self.pair_term(j, [&row_x, &row_p], diagonal, coefficient))
            .collect();
        for (n, first) in terms.iter().enumerate() {
            for second in &terms[n..] {
                // Nothing comes of two columns that the row does not hold.
                if first.p == zero && second.p == zero {
                    continue;
                }
                let update = self.pair_update(first, second);
                self.subtract(first.j, second.j, update);
            }
        }
        for k in 0..self.rhs.len() {
            let b_x = self.rhs[k][x];
            let b_p = coefficient.under(&mut self.calc, self.rhs[k][p]);
            for term in &terms {
                let (one, other) = (self.calc.mul(term.w, b_p), self.calc.mul(term.p, b_x));
                let update = self.calc.add(one, other);
                self.subtract_rhs(k, term.j, update);
            }
        }
        let touched = terms.iter().map(|term| term.j).collect();
        self.steps.push(Step::Pair {
            x,
            p,
            diagonal,
            coefficient,
            terms,
        });
        touched
    }

    fn pair_term(
        &mut self,
        j: usize,
        rows: [&BTreeMap<usize, Value>; 2],
        diagonal: Option<Value>,
        coefficient: Divisor,
    ) -> PairTerm {
        let zero = self.calc.graph.zero();
        let [x, p] = rows.map(|row| row.get(&j).copied().unwrap_or(zero));
        let entry = p;
        let p = coefficient.under(&mut self.calc, entry);
        let own = self.calc.mul(diagonal.unwrap_or(zero), p);
        let w = self.calc.sub(x, own);
        PairTerm { j, x, entry, p, w }
    }

    /// `w_i p_j + p_i r_j`, which is `w_j p_i + p_j r_i`.
    fn pair_update(&mut self, i: &PairTerm, j: &PairTerm) -> Value {
        if i.j == j.j && i.w != i.x {
            let sum = self.calc.add(i.w, i.x);
            return self.calc.mul(i.p, sum);
        }
        let price = |i: &PairTerm, j: &PairTerm| {
            let mut tally = Tally::default();
            let one = tally.product(self.weight(i.w), self.weight(j.p));
            let other = tally.product(self.weight(i.p), self.weight(j.x));
            tally.sum(one, other);
            tally.0
        };
        let (i, j) = if price(j, i) < price(i, j) {
            (j, i)
        } else {
            (i, j)
        };
        let (one, other) = (self.calc.mul(i.w, j.p), self.calc.mul(i.p, j.x));
        self.calc.add(one, other)
    }
}
