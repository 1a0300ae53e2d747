//! Distributions: the directions in the space of coordinates and time that linear velocity constraints
//! leave, and their closure under Lie brackets.
//!
//! Rows `A q' + a = 0` annihilate the directions `(q', 1)`. By Frobenius' theorem a system of such rows is
//! integrable exactly if the brackets of its directions are again directions of it; otherwise the brackets,
//! taken again and again, span a larger space, and what annihilates that is the integrable part.

use super::test_point::TestPoint;
use crate::elim::{Matrix, echelon};
use crate::field::Extended;
use crate::sym::{Algebra, Derivation, Expr, Var};
use std::collections::BTreeMap;

/// The closure of the directions that rows leave.
pub(super) struct Closure {
    /// Directions that the rows leave, then the brackets that are new.
    pub(super) fields: Matrix,
    /// How many of them the rows leave.
    pub(super) first: usize,
}

impl Closure {
    /// Closes the directions that `rows` (independent ones, a column for each of `space`) leave. Their number stays
    /// at or below `limit`, where it stops.
    pub(super) fn of(
        alg: &mut Algebra,
        rows: &Matrix,
        space: &[Var],
        point: &mut TestPoint,
        limit: usize,
    ) -> Self {
        let mut fields = kernel(alg, rows, space.len(), point);
        let first = fields.len();
        let mut at = at_test_point(alg, &fields, point);
        let mut flows: Vec<Derivation> = fields.iter().map(|f| flow(space, f)).collect();
        let mut j = 1;
        while j < fields.len() && fields.len() < limit {
            for i in 0..j {
                let new: Vec<Expr> = (0..space.len())
                    .map(|k| {
                        let along = alg.derivative(&fields[j][k], &mut flows[i]);
                        let back = alg.derivative(&fields[i][k], &mut flows[j]);
                        alg.define("bracket", along - back)
                    })
                    .collect();
                let there: Vec<Expr> = new.iter().map(|e| point.substitute(alg, e)).collect();
                let mut trial = at.clone();
                trial.push(there.clone());
                let order: Vec<usize> = (0..space.len()).collect();
                if echelon(alg, &trial, &order).rank() == trial.len() {
                    flows.push(flow(space, &new));
                    fields.push(new);
                    at.push(there);
                    if fields.len() >= limit {
                        break;
                    }
                }
            }
            j += 1;
        }
        Self { fields, first }
    }

    /// Whether brackets led out of the directions.
    pub(super) fn is_integrable(&self) -> bool {
        self.fields.len() == self.first
    }

    /// The brackets that are new.
    pub(super) fn brackets(&self) -> &[Vec<Expr>] {
        &self.fields[self.first..]
    }
}

fn flow(space: &[Var], field: &[Expr]) -> Derivation {
    let seeds: BTreeMap<Var, Expr> = space.iter().copied().zip(field.iter().cloned()).collect();
    Derivation::along(seeds, "_along")
}

/// The matrix at the test point.
pub(super) fn at_test_point(alg: &mut Algebra, m: &Matrix, point: &mut TestPoint) -> Matrix {
    m.iter()
        .map(|row| row.iter().map(|e| point.substitute(alg, e)).collect())
        .collect()
}

/// A basis of the null space of independent rows, one vector for each free column.
pub(super) fn kernel(alg: &mut Algebra, rows: &Matrix, n: usize, point: &mut TestPoint) -> Matrix {
    let (reduced, columns) = reduce(alg, rows, n, point);
    (0..n)
        .filter(|c| !columns.contains(c))
        .map(|free| {
            let mut v = vec![Expr::zero(); n];
            v[free] = Expr::one();
            for (row, c) in reduced.iter().zip(&columns) {
                v[*c] = -&row[free];
            }
            v
        })
        .collect()
}

/// Gauss-Jordan elimination, pivots nonzero at the test point; rows that vanish are left out.
pub(super) fn reduce(
    alg: &mut Algebra,
    rows: &Matrix,
    n: usize,
    point: &mut TestPoint,
) -> (Matrix, Vec<usize>) {
    let (mut reduced, mut columns): (Matrix, Vec<usize>) = (Matrix::new(), Vec::new());
    for row in rows {
        let mut row = row.clone();
        for (r, c) in reduced.iter().zip(&columns) {
            let factor = row[*c].clone();
            subtract(alg, &mut row, r, &factor);
        }
        let nonzero = |alg: &mut Algebra, point: &mut TestPoint, e: &Expr| {
            let e = point.substitute(alg, e);
            !alg.is_zero(&e) && alg.sample(&e) != Some(Extended::ZERO)
        };
        // Numbers first: they bring no denominators.
        let number = (0..n).find(|c| alg.as_number(&row[*c]).is_some() && !alg.is_zero(&row[*c]));
        let column = number.or_else(|| (0..n).find(|c| nonzero(alg, point, &row[*c])));
        let Some(c) = column else { continue };
        let pivot = row[c].clone();
        for e in &mut row {
            if !e.is_literal_zero() {
                *e = alg.define("row", &*e / &pivot);
            }
        }
        for r in &mut reduced {
            let factor = r[c].clone();
            subtract(alg, r, &row, &factor);
        }
        reduced.push(row);
        columns.push(c);
    }
    (reduced, columns)
}

fn subtract(alg: &mut Algebra, from: &mut [Expr], row: &[Expr], factor: &Expr) {
    if factor.is_literal_zero() {
        return;
    }
    for (x, y) in from.iter_mut().zip(row) {
        if !y.is_literal_zero() {
            *x = alg.define("row", &*x - factor * y);
        }
    }
}
