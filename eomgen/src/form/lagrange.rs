//! Lagrange's equations of the first kind (Udwadia 1996, 30-31; O'Reilly et al. 2.12-2.14):
//!
//! `d/dt(dT/dq'_K) - dT/dq_K = Q_K + (A^T lambda)_K`,  `A q'' = b`.
//!
//! With `p = dT/dq'`: `M = dp/dq'` and `F = Q - h`, `h = dp/dt|(q''=0) - dT/dq`.

use super::{
    Closure, Context, Equations, Formulated, Formulation, Options, Space, Table, multipliers,
};
use crate::diag::Diagnostic;
use crate::elim::Matrix;
use crate::sym::{Algebra, Derivation, Expr};

/// Lagrange's equations with multipliers.
pub struct Lagrange;

impl Formulation for Lagrange {
    fn name(&self) -> &'static str {
        "lagrange"
    }

    fn space(&self) -> Space {
        Space::Accelerations
    }

    fn table(
        &self,
        c: &mut Context<'_>,
        _: &Formulated,
        name: &str,
    ) -> Result<Option<Table>, Vec<Diagnostic>> {
        match name {
            "multiplier_family" => multipliers::table(c).map(Some),
            _ => Ok(None),
        }
    }

    fn formulate(
        &self,
        c: &mut Context<'_>,
        options: &Options<'_>,
    ) -> Result<Formulated, Vec<Diagnostic>> {
        let space = Space::Accelerations;
        let closure = c.has_rows(space).then_some(Closure::Bordered);
        let (q, nonideal, coupling) = c.forces(space)?;
        let (mass, forcing) = operator(c, &mut |alg, i, name, change, slope| {
            alg.define(
                &format!("forcing_{name}"),
                &q[i] + &nonideal[i] - change + slope,
            )
        });
        let equations = Equations {
            space,
            mass,
            forcing,
            nonideal,
            coupling,
            closure,
        };
        Ok(Formulated::new(equations, options))
    }
}

/// What becomes of a row of Lagrange's operator: of its number, its coordinate's name, `dp/dt|(q''=0)` and `dT/dq`.
pub(super) type Row<'r> = dyn FnMut(&mut Algebra, usize, &str, Expr, Expr) -> Expr + 'r;

/// Lagrange's operator `d/dt(dT/dq') - dT/dq = M q'' + dp/dt|(q''=0) - dT/dq`: M, and what `row` makes of the rest.
pub(super) fn operator(c: &mut Context<'_>, row: &mut Row<'_>) -> (Matrix, Vec<Expr>) {
    let t = c.kinetic_energy(Space::Accelerations);
    let vars = c.vars.clone();
    let (alg, _, k, _) = c.parts(Space::Accelerations);
    let n = vars.coords.len();
    let mut mass: Matrix = vec![vec![Expr::zero(); n]; n];
    let mut rest = Vec::with_capacity(n);
    let mut flow = k.motion.flow(alg, &vars, false);
    let mut by_rate: Vec<Derivation> = vars
        .rates
        .iter()
        .map(|r| Derivation::partial(*r, &format!("_{}", alg.info(*r).name)))
        .collect();
    for i in 0..n {
        let name = alg.info(vars.coords[i]).name.clone();
        let p = alg.derivative(&t, &mut by_rate[i]);
        let p = alg.define(&format!("momentum_{name}"), p);
        for j in i..n {
            let other = alg.info(vars.coords[j]).name.clone();
            let e = alg.derivative(&p, &mut by_rate[j]);
            let e = alg.define(&format!("mass_{name}_{other}"), e);
            mass[i][j] = e.clone();
            mass[j][i] = e;
        }
        let change = alg.derivative(&p, &mut flow);
        let slope = alg.partial(&t, vars.coords[i]);
        rest.push(row(alg, i, &name, change, slope));
    }
    (mass, rest)
}
