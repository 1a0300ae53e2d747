//! A point in configuration space where the position constraints hold, as replacements of some quantities by expressions of
//! the others: decisions on what holds there can then be taken at the field's test point.

use crate::field::Extended;
use crate::manifold::Places;
use crate::mech::value::Values;
use crate::sym::{Algebra, Expr, Kernel, Meaning, Var};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;

/// What is smaller than this at a place is zero there: as a residual may be of which only the square is known to vanish.
const SMALL: f64 = 1e-4;

/// Replacements that make position constraints hold at the test point.
#[derive(Clone, Debug, Default)]
pub(super) struct TestPoint {
    with: BTreeMap<Var, Expr>,
    memo: FxHashMap<Var, Expr>,
    /// Whether every constraint could be met.
    pub(super) exact: bool,
}

impl TestPoint {
    /// Solves one residual after another for a coordinate: in which it is linear or quadratic, or of whose sine or cosine it is a multiple.
    /// Of several solutions the one that the places are at, where there are any. Parameters are left alone: what holds for some of their values
    /// only says nothing of the machine.
    pub(super) fn find(
        alg: &mut Algebra,
        values: &Values<'_>,
        places: &Places,
        residuals: &[Expr],
    ) -> Self {
        let mut point = Self {
            exact: true,
            ..Self::default()
        };
        for residual in residuals {
            let e = point.substitute(alg, residual);
            if alg.sample(&e) == Some(Extended::ZERO) {
                continue;
            }
            let is_there = |alg: &Algebra, v: Var, value: &Expr| {
                let gap = alg.var(v) - value;
                vanishes(places.values(alg, values, &[&gap]))
            };
            let mut serving = vec![e.clone()];
            if !places.is_empty() {
                serving = alg.factors(&e);
                serving.retain(|f| vanishes(places.values(alg, values, &[f])));
            }
            let open = values.vars.coords.iter().copied();
            let open: Vec<Var> = open.filter(|v| !point.with.contains_key(v)).collect();
            let solved = serving.iter().find_map(|f| {
                open.iter().find_map(|v| {
                    let list = solve(alg, f, *v);
                    let value = list.into_iter().find(|value| is_there(alg, *v, value))?;
                    Some((*v, value))
                })
            });
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

/// Whether a value is zero at all places; where there are none nothing speaks against it.
fn vanishes(at: Vec<Vec<f64>>) -> bool {
    at.iter().flatten().all(|x| x.abs() < SMALL)
}

/// Values of `v` at which the expression vanishes, if it is of first or second degree in it, or the sine or cosine of an angle that is, and
/// the root exists at the test point.
fn solve(alg: &mut Algebra, e: &Expr, v: Var) -> Vec<Expr> {
    let meaning = alg.as_var(e).map(|f| alg.info(f).meaning.clone());
    if let Some(Meaning::Kernel(kernel, args)) = meaning
        && let [angle] = args.as_slice()
    {
        let half = alg.pi() / Expr::int(2);
        let turns: &[i64] = match kernel {
            Kernel::Sin => &[0, 2, -2],
            Kernel::Cos => &[1, -1],
            _ => &[],
        };
        let roots = turns.iter().flat_map(|k| {
            let gap = angle - &half * Expr::int(*k);
            of_degree_two(alg, &gap, v, e)
        });
        return roots.collect();
    }
    of_degree_two(alg, e, v, e)
}

/// The roots of an expression of first or second degree in `v`, where `e` vanishes as well.
fn of_degree_two(alg: &mut Algebra, p: &Expr, v: Var, e: &Expr) -> Vec<Expr> {
    let slope = alg.partial(p, v);
    if alg.is_zero(&slope) {
        return Vec::new();
    }
    let zero = BTreeMap::from([(v, Expr::zero())]);
    let at_zero = |alg: &mut Algebra, e: &Expr| alg.restrict(e, &zero, &mut FxHashMap::default());
    let curvature = alg.partial(&slope, v);
    let third = alg.partial(&curvature, v);
    if !alg.is_zero(&third) {
        return Vec::new();
    }
    let (constant, slope) = (at_zero(alg, p), at_zero(alg, &slope));
    let roots = if alg.is_zero(&curvature) {
        vec![-constant / slope]
    } else {
        let square = &slope * &slope - Expr::int(2) * &curvature * constant;
        let root = alg.apply(Kernel::Sqrt, vec![square]);
        vec![(&root - &slope) / &curvature, -(root + slope) / curvature]
    };
    let vanishes = |alg: &mut Algebra, value: &Expr| {
        let with = BTreeMap::from([(v, value.clone())]);
        let rest = alg.restrict(e, &with, &mut FxHashMap::default());
        alg.sample(&rest) == Some(Extended::ZERO)
    };
    roots
        .into_iter()
        .filter(|value| vanishes(alg, value))
        .collect()
}
