//! The Gibbs-Appell equations (O'Reilly et al. 2.23-2.26; Wang & Pao 13-17):
//!
//! `S = sum 1/2 m a.a + sum [1/2 m aG.aG + 1/2 alpha.I.alpha + alpha.(omega x I.omega) + ...]`,  `dS/du'_k = R_k`.
//!
//! S is quadratic in u', so `M = d2S/du' du'` and f is R less the rest of the gradient.

use super::{Closure, Context, Equations, Formulated, Formulation, Options, Space};
use crate::diag::Diagnostic;
use crate::elim::Matrix;
use crate::sym::Expr;
use std::collections::BTreeMap;

/// The Gibbs-Appell equations.
pub struct GibbsAppell;

impl Formulation for GibbsAppell {
    fn name(&self) -> &'static str {
        "gibbs-appell"
    }

    fn formulate(
        &self,
        c: &mut Context<'_>,
        options: &Options<'_>,
    ) -> Result<Formulated, Vec<Diagnostic>> {
        let space = c.working_space(Space::SpeedRates);
        let closure = c.has_rows(space).then_some(if c.coupled {
            Closure::Bordered
        } else {
            Closure::NullSpace
        });
        let equations = by_gibbs_function(c, space, closure)?;
        Ok(Formulated::new(equations, options))
    }
}

/// The gradient of the Gibbs function by the rates of a space's speeds.
pub(super) fn by_gibbs_function(
    c: &mut Context<'_>,
    space: Space,
    closure: Option<Closure>,
) -> Result<Equations, Vec<Diagnostic>> {
    let (r, nonideal, coupling) = c.forces(space)?;
    let s = c.gibbs_function(space);
    let (alg, _, k, _) = c.parts(space);
    let dots = k.motion.speed_dots.clone();
    let l = dots.len();
    let mut mass: Matrix = vec![vec![Expr::zero(); l]; l];
    let mut forcing = Vec::with_capacity(l);
    for i in 0..l {
        let name = alg.info(k.motion.speeds[i]).name.clone();
        let gradient = alg.partial(&s, dots[i]);
        for j in i..l {
            let other = alg.info(k.motion.speeds[j]).name.clone();
            let e = alg.partial(&gradient, dots[j]);
            let e = alg.define(&format!("mass_{name}_{other}"), e);
            mass[i][j] = e.clone();
            mass[j][i] = e;
        }
        // The gradient at u' = 0.
        let zero: BTreeMap<_, _> = dots.iter().map(|d| (*d, Expr::zero())).collect();
        let mut memo = rustc_hash::FxHashMap::default();
        let rest = alg.restrict(&gradient, &zero, &mut memo);
        forcing.push(alg.define(&format!("forcing_{name}"), &r[i] + &nonideal[i] - rest));
    }
    Ok(Equations {
        space,
        mass,
        forcing,
        nonideal,
        coupling,
        closure,
    })
}
