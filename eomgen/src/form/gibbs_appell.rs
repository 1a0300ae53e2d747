//! The Gibbs-Appell equations (O'Reilly et al. 2.23-2.26; Wang & Pao 13-17):
//!
//! `S = sum 1/2 m a.a + sum [1/2 m aG.aG + 1/2 alpha.I.alpha + alpha.(omega x I.omega) + ...]`,  `dS/du'_k = R_k`.
//!
//! S is quadratic in u', so `M = d2S/du' du'` and f is R less the rest of the gradient.

use super::{Closure, Context, Equations, Formulated, Formulation, Options, Space, linear};
use crate::diag;
use crate::elim::Matrix;
use crate::sym::{Algebra, Expr, Var};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;

/// The Gibbs-Appell equations.
pub struct GibbsAppell;

impl Formulation for GibbsAppell {
    fn name(&self) -> &'static str {
        "gibbs-appell"
    }

    fn formulate(&self, c: &mut Context<'_>, options: &Options<'_>) -> diag::Result<Formulated> {
        let space = c.working_space(Space::SpeedRates);
        let closure = linear::closure(c, space);
        let equations = by_gibbs_function(c, space, closure)?;
        Ok(Formulated::new(equations, options))
    }
}

/// The gradient of the Gibbs function by the rates of a space's speeds.
pub(super) fn by_gibbs_function(
    c: &mut Context<'_>,
    space: Space,
    closure: Option<Closure>,
) -> diag::Result<Equations> {
    let (r, nonideal, coupling) = c.forces(space)?;
    let s = c.gibbs_function(space);
    let (alg, _, k, _) = c.parts(space);
    let dots = k.motion.speed_dots.clone();
    let names = k.motion.names(alg);
    let (mass, forcing) = quadratic(alg, &s, &dots, &names, &mut |alg, i, rest| {
        alg.define(
            &format!("forcing_{}", names[i]),
            &r[i] + &nonideal[i] - rest,
        )
    });
    Ok(Equations {
        space,
        mass,
        forcing,
        nonideal,
        coupling,
        closure,
    })
}

/// Of a function that is quadratic in these symbols the matrix of second derivatives, and what `row` makes of each entry of the gradient
/// where they vanish.
pub(super) fn quadratic(
    alg: &mut Algebra,
    s: &Expr,
    by: &[Var],
    names: &[String],
    row: &mut dyn FnMut(&mut Algebra, usize, Expr) -> Expr,
) -> (Matrix, Vec<Expr>) {
    let l = by.len();
    let mut mass: Matrix = vec![vec![Expr::zero(); l]; l];
    let mut rest = Vec::with_capacity(l);
    let zero: BTreeMap<Var, Expr> = by.iter().map(|d| (*d, Expr::zero())).collect();
    let mut memo = FxHashMap::default();
    for i in 0..l {
        let gradient = alg.partial(s, by[i]);
        for j in i..l {
            let e = alg.partial(&gradient, by[j]);
            let e = alg.define(&format!("mass_{}_{}", names[i], names[j]), e);
            mass[i][j] = e.clone();
            mass[j][i] = e;
        }
        let still = alg.restrict(&gradient, &zero, &mut memo);
        rest.push(row(alg, i, still));
    }
    (mass, rest)
}
