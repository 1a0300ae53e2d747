//! A point in configuration space where the position constraints hold, as replacements of some quantities by expressions of
//! the others: decisions on what holds there can then be taken at the field's test point.

use crate::sym::{Algebra, Expr, Kernel, Var};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;

/// Replacements that make position constraints hold at the test point.
#[derive(Clone, Debug, Default)]
pub(super) struct TestPoint {
    with: BTreeMap<Var, Expr>,
    memo: FxHashMap<Var, Expr>,
    /// Whether every constraint could be met.
    pub(super) exact: bool,
}

impl TestPoint {
    /// Solves one residual after another for a quantity in which it is linear or quadratic.
    pub(super) fn find(alg: &mut Algebra, residuals: &[Expr], unknowns: &[Var]) -> Self {
        let mut point = Self {
            exact: true,
            ..Self::default()
        };
        for residual in residuals {
            let e = point.substitute(alg, residual);
            if alg.sample(&e) == Some(crate::field::Extended::ZERO) {
                continue;
            }
            let solved = unknowns
                .iter()
                .filter(|v| !point.with.contains_key(v))
                .find_map(|v| Some((*v, solve(alg, &e, *v)?)));
            match solved {
                Some((v, value)) => point.add(alg, v, value),
                None => point.exact = false,
            }
        }
        point
    }

    fn add(&mut self, alg: &mut Algebra, v: Var, value: Expr) {
        let only = BTreeMap::from([(v, value.clone())]);
        let mut memo = FxHashMap::default();
        let old: Vec<(Var, Expr)> = self.with.iter().map(|(w, e)| (*w, e.clone())).collect();
        for (w, e) in old {
            let e = alg.restrict(&e, &only, &mut memo);
            self.with.insert(w, e);
        }
        self.with.insert(v, value);
        self.memo.clear();
    }

    /// The expression at this point.
    pub(super) fn substitute(&mut self, alg: &mut Algebra, e: &Expr) -> Expr {
        if self.with.is_empty() {
            return e.clone();
        }
        alg.restrict(e, &self.with, &mut self.memo)
    }
}

/// A value of `v` at which the expression vanishes, if it is of first or second degree in it and the
/// root exists at the test point.
fn solve(alg: &mut Algebra, e: &Expr, v: Var) -> Option<Expr> {
    let slope = alg.partial(e, v);
    if alg.is_zero(&slope) {
        return None;
    }
    let zero = BTreeMap::from([(v, Expr::zero())]);
    let at_zero = |alg: &mut Algebra, e: &Expr| alg.restrict(e, &zero, &mut FxHashMap::default());
    let curvature = alg.partial(&slope, v);
    let third = alg.partial(&curvature, v);
    if !alg.is_zero(&third) {
        return None;
    }
    let (constant, slope) = (at_zero(alg, e), at_zero(alg, &slope));
    let value = if alg.is_zero(&curvature) {
        -constant / slope
    } else {
        let square = &slope * &slope - Expr::int(2) * &curvature * constant;
        let root = alg.apply(Kernel::Sqrt, vec![square]);
        (root - slope) / curvature
    };
    let mut memo = FxHashMap::default();
    let rest = alg.restrict(e, &BTreeMap::from([(v, value.clone())]), &mut memo);
    (alg.sample(&rest) == Some(crate::field::Extended::ZERO)).then_some(value)
}
