//! Maggi's equations (O'Reilly et al. 2.15-2.16): with the kinetic characteristics e, `q' = E(q,t) e + e0(q,t)`,
//!
//! `E^T [d/dt(dT/dq') - dT/dq - Q] = 0`
//!
//! together with the constraints. The columns of H that belong to constrained quasi-velocities, put for E, give the
//! multipliers instead of 0 (O'Reilly et al. 2.17).

use super::lagrange::operator;
use super::quasi::QuasiVelocities;
use super::{
    Context, Equations, Formulated, Formulation, Options, Space, Table, linear, projection,
};
use crate::diag::{self, Diagnostic};
use crate::elim::Matrix;
use crate::sym::Expr;

/// Maggi's equations.
pub struct Maggi;

impl Formulation for Maggi {
    fn name(&self) -> &'static str {
        "maggi"
    }

    fn refusal(&self, c: &mut Context<'_>, _: &Options<'_>) -> Option<Diagnostic> {
        linear::refusal(c, self.name())
    }

    fn formulate(&self, c: &mut Context<'_>, options: &Options<'_>) -> diag::Result<Formulated> {
        let space = c.working_space(Space::SpeedRates);
        let closure = linear::closure(c, space);
        let left = LeftSide::derive(c)?;
        let forcing = left.forcing();
        if space == Space::Accelerations {
            let equations = Equations {
                space,
                mass: left.mass,
                forcing,
                nonideal: left.nonideal,
                coupling: left.coupling,
                closure,
            };
            return Ok(Formulated::new(equations, options));
        }
        let p = projection::onto_speeds(c, left.mass, forcing, left.nonideal);
        let equations = Equations {
            space,
            mass: p.mass,
            forcing: p.forcing,
            nonideal: p.nonideal,
            coupling: None,
            closure,
        };
        Ok(Formulated::new(equations, options))
    }

    fn table(
        &self,
        c: &mut Context<'_>,
        _: &Formulated,
        name: &str,
    ) -> diag::Result<Option<Table>> {
        Ok(Some(match name {
            "maggi_matrix" => linear::matrix(c, "maggi_matrix"),
            "maggi_drift" => linear::drift(c, "maggi_drift"),
            "maggi_multiplier_matrix" => Extension::derive(c)?.coefficients(c),
            "maggi_multiplier_forcing" => Extension::derive(c)?.forces(),
            "maggi_multipliers" => Extension::derive(c)?.multipliers(c),
            _ => return Ok(QuasiVelocities::complete(c)?.table(c, name)),
        }))
    }
}

/// `d/dt(dT/dq') - dT/dq - Q - C = mass*q'' + inertia - force - nonideal`.
struct LeftSide {
    mass: Matrix,
    inertia: Vec<Expr>,
    force: Vec<Expr>,
    nonideal: Vec<Expr>,
    coupling: Option<Matrix>,
}

impl LeftSide {
    fn derive(c: &mut Context<'_>) -> diag::Result<Self> {
        let (force, nonideal, coupling) = c.forces(Space::Accelerations)?;
        let (mass, inertia) = operator(c, &mut |alg, _, name, change, slope| {
            alg.define(&format!("velocity_terms_{name}"), change - slope)
        });
        Ok(Self {
            mass,
            inertia,
            force,
            nonideal,
            coupling,
        })
    }

    /// What stands on the right: `Q + C` less the velocity terms.
    fn forcing(&self) -> Vec<Expr> {
        let lists = self.force.iter().zip(&self.nonideal).zip(&self.inertia);
        lists.map(|((q, c), h)| q + c - h).collect()
    }
}

/// Maggi's equations by the columns of H that belong to constrained quasi-velocities: `mu = coefficients*q'' - force`.
struct Extension {
    names: Vec<String>,
    coefficients: Matrix,
    force: Vec<Expr>,
    quasi: QuasiVelocities,
}

impl Extension {
    fn derive(c: &mut Context<'_>) -> diag::Result<Self> {
        let quasi = QuasiVelocities::complete(c)?;
        let left = LeftSide::derive(c)?;
        let forcing = left.forcing();
        let n = forcing.len();
        let (mut coefficients, mut force) = (Matrix::new(), Vec::new());
        for k in quasi.free..n {
            let column: Vec<Expr> = quasi.inverse.iter().map(|row| row[k].clone()).collect();
            let against = |list: &dyn Fn(usize) -> Expr| -> Expr {
                let used = (0..n).filter(|i| !column[*i].is_literal_zero());
                used.map(|i| &column[i] * list(i)).sum()
            };
            let row = (0..n).map(|j| {
                let e = against(&|i| left.mass[i][j].clone());
                c.alg.define("multiplier_coefficient", e)
            });
            coefficients.push(row.collect());
            let e = against(&|i| forcing[i].clone());
            force.push(c.alg.define("multiplier_force", e));
        }
        Ok(Self {
            names: quasi.held.iter().map(|h| h.row_name.clone()).collect(),
            coefficients,
            force,
            quasi,
        })
    }

    fn coefficients(&self, c: &Context<'_>) -> Table {
        let columns = c.system.coord_names("''");
        let entries = self.coefficients.clone();
        self.quasi.tell(Table::matrix(
            "maggi_multiplier_matrix",
            self.names.clone(),
            columns,
            entries,
        ))
    }

    fn forces(&self) -> Table {
        let (rows, entries) = (self.names.clone(), self.force.clone());
        self.quasi
            .tell(Table::vector("maggi_multiplier_forcing", rows, entries))
    }

    fn multipliers(&self, c: &mut Context<'_>) -> Table {
        let dots = c.vars.rate_dots.clone();
        let mut entries = Vec::new();
        for (row, f) in self.coefficients.iter().zip(&self.force) {
            let terms = row.iter().zip(&dots);
            let sum: Expr = terms.map(|(e, v)| e * c.alg.var(*v)).sum();
            entries.push(c.alg.define("multiplier", sum - f));
        }
        self.quasi.tell(Table::vector(
            "maggi_multipliers",
            self.names.clone(),
            entries,
        ))
    }
}
