//! `M = L D L^T` of a symmetric matrix of expressions, with L unit lower triangular. Every division is by a pivot, so that
//! conditions can be read off the results.

use crate::elim::Matrix;
use crate::model::system::Sign;
use crate::sym::{Algebra, Expr};

/// The factors.
#[derive(Clone, Debug)]
pub(in crate::form) struct Factor {
    /// Rows of L below its diagonal.
    lower: Matrix,
    /// D.
    pub(in crate::form) pivots: Vec<Expr>,
    names: Vec<String>,
}

impl Factor {
    /// Factors in the order of the rows. `Err`: the row in which the matrix turns out to be singular identically (it is
    /// taken to be positive semidefinite, so that a pivot that is 0 says so). If it is certainly `definite`, its
    /// pivots and their factors are known not to vanish from here on.
    pub(in crate::form) fn of(
        alg: &mut Algebra,
        m: &Matrix,
        names: &[String],
        definite: bool,
    ) -> Result<Self, usize> {
        let n = m.len();
        let mut lower: Matrix = Vec::with_capacity(n);
        let mut pivots: Vec<Expr> = Vec::with_capacity(n);
        for i in 0..n {
            // Row i of L D, then of L.
            let mut scaled: Vec<Expr> = Vec::with_capacity(i);
            let mut row: Vec<Expr> = Vec::with_capacity(i);
            for j in 0..i {
                let mut e = m[i][j].clone();
                for (k, s) in scaled.iter().enumerate() {
                    if !s.is_literal_zero() && k < j && !lower[j][k].is_literal_zero() {
                        e = e - s * &lower[j][k];
                    }
                }
                let name = format!("reduced_mass_{}_{}", names[i], names[j]);
                let e = define_bounded(alg, &name, e);
                let name = format!("factor_{}_{}", names[i], names[j]);
                row.push(define_bounded(alg, &name, &e / &pivots[j]));
                scaled.push(e);
            }
            let mut d = m[i][i].clone();
            for (s, l) in scaled.iter().zip(&row) {
                if !s.is_literal_zero() {
                    d = d - s * l;
                }
            }
            let d = define_bounded(alg, &format!("reduced_mass_{}", names[i]), d);
            if alg.is_zero(&d) {
                return Err(i);
            }
            if definite {
                certify(alg, &d);
            }
            lower.push(row);
            pivots.push(d);
        }
        Ok(Self {
            lower,
            pivots,
            names: names.to_vec(),
        })
    }

    /// Whether the matrix is diagonal.
    pub(in crate::form) fn is_diagonal(&self) -> bool {
        self.lower.iter().flatten().all(Expr::is_literal_zero)
    }

    /// y with `L y = b`.
    pub(in crate::form) fn forward(&self, alg: &mut Algebra, b: &[Expr], name: &str) -> Vec<Expr> {
        let mut y: Vec<Expr> = Vec::with_capacity(b.len());
        for (i, b) in b.iter().enumerate() {
            let mut e = b.clone();
            for (l, y) in self.lower[i].iter().zip(&y) {
                if !l.is_literal_zero() && !y.is_literal_zero() {
                    e = e - l * y;
                }
            }
            y.push(define_bounded(alg, &format!("{name}_{}", self.names[i]), e));
        }
        y
    }

    /// x with `D L^T x = y`.
    pub(in crate::form) fn backward(&self, alg: &mut Algebra, y: &[Expr], name: &str) -> Vec<Expr> {
        let n = y.len();
        let mut x = vec![Expr::zero(); n];
        for i in (0..n).rev() {
            let mut e = &y[i] / &self.pivots[i];
            for k in i + 1..n {
                let l = &self.lower[k][i];
                if !l.is_literal_zero() && !x[k].is_literal_zero() {
                    e = e - l * &x[k];
                }
            }
            x[i] = define_bounded(alg, &format!("{name}_{}", self.names[i]), e);
        }
        x
    }
}

/// Expressions of more leaves are not simplified: products of such ones would take minutes and gigabytes before a budget is spent.
const LARGEST: usize = 4000;

/// As [`Algebra::define`]; what is too large, or exceeds a budget, gets a name, so that what is built from it does not grow without bound.
pub(in crate::form) fn define_bounded(alg: &mut Algebra, name: &str, e: Expr) -> Expr {
    if alg.size(&e) > LARGEST {
        return alg.name(name, e);
    }
    let spent = alg.spent();
    let e = alg.define(name, e);
    if alg.spent() > spent {
        alg.name(name, e)
    } else {
        e
    }
}

/// Remembers that a pivot of a positive definite matrix is positive, and that no factor of it vanishes.
fn certify(alg: &mut Algebra, pivot: &Expr) {
    if !matches!(alg.sign(pivot), Some(Sign::Positive)) {
        alg.certify(pivot, Sign::Positive);
    }
    for f in alg.factors(pivot) {
        if !alg.is_nonzero(&f) {
            alg.certify(&f, Sign::NonZero);
        }
    }
}
