//! Lagrange's equations of the first kind (Udwadia 1996, 30-31; O'Reilly et al. 2.12-2.14):
//!
//! `d/dt(dT/dq'_K) - dT/dq_K = Q_K + (A^T lambda)_K`,  `A q'' = b`.
//!
//! With `p = dT/dq'`: `M = dp/dq'` and `F = Q - h`, `h = dp/dt|(q''=0) - dT/dq`.

use super::{
    Closure, Context, Equations, Formulated, Formulation, Options, Space, Table, multipliers,
};
use crate::diag;
use crate::elim::Matrix;
use crate::mech::energies::{OperatorRow, lagrange_operator};
use crate::sym::Expr;

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
    ) -> diag::Result<Option<Table>> {
        match name {
            "multiplier_family" => multipliers::table(c).map(Some),
            _ => Ok(None),
        }
    }

    fn formulate(&self, c: &mut Context<'_>, options: &Options<'_>) -> diag::Result<Formulated> {
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

/// Lagrange's operator applied to the whole kinetic energy: M, and what `row` makes of the rest.
pub(super) fn operator(c: &mut Context<'_>, row: &mut OperatorRow<'_>) -> (Matrix, Vec<Expr>) {
    let t = c.kinetic_energy(Space::Accelerations);
    let mechanics = c.mechanics.clone();
    let (alg, _, k, _) = c.parts(Space::Accelerations);
    lagrange_operator(alg, &mechanics.vars, k, (&t, "mass"), row)
}
