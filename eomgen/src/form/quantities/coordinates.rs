//! The equations in the coordinates: `M q'' = F + C + A^T lambda`, `F = Q - h`, and their parts one by one.

use crate::diag;
use crate::elim::Matrix;
use crate::form::{Context, Space, Table, projected, regular};
use crate::mech::vec3;
use crate::sym::Expr;

/// M, F, Q, C.
#[derive(Clone, Debug)]
pub(super) struct Coordinates {
    pub(super) mass: Matrix,
    /// F, without C.
    pub(super) forcing: Vec<Expr>,
    applied: Vec<Expr>,
    nonideal: Vec<Expr>,
    /// Whether M is certainly positive definite.
    pub(super) definite: bool,
}

impl Coordinates {
    pub(super) fn derive(c: &mut Context<'_>) -> diag::Result<Self> {
        let equations = projected(c, Space::Accelerations)?;
        let (applied, nonideal, _) = c.forces(Space::Accelerations)?;
        let definite = regular::is_positive_definite(c, &equations);
        let names = c.system.coord_names("");
        let parts = equations.forcing.iter().zip(&equations.nonideal);
        let forcing = parts
            .zip(&names)
            .map(|((f, ideal), name)| {
                if ideal.is_literal_zero() {
                    f.clone()
                } else {
                    c.alg.define(&format!("free_forcing_{name}"), f - ideal)
                }
            })
            .collect();
        Ok(Self {
            mass: equations.mass,
            forcing,
            applied,
            nonideal,
            definite,
        })
    }

    /// Q.
    pub(super) fn applied(&self) -> &[Expr] {
        &self.applied
    }

    /// M, F, Q or C as a table; `None` for any other name.
    pub(super) fn table(&self, c: &Context<'_>, name: &str) -> Option<Table> {
        let names = c.system.coord_names("");
        let vector = |name, entries: &[Expr]| Table::vector(name, names.clone(), entries.to_vec());
        Some(match name {
            "coordinate_mass_matrix" => {
                let entries = self.mass.clone();
                Table::matrix("coordinate_mass_matrix", names.clone(), names, entries)
            }
            "coordinate_forcing" => vector("coordinate_forcing", &self.forcing),
            "applied_forces" => vector("applied_forces", &self.applied).noted(if c.coupled {
                "The contribution of loads through reactions is omitted; it is `reaction_loads` times `multipliers`."
            } else {
                ""
            }),
            "nonideal_vector" => {
                vector("nonideal_vector", &self.nonideal).noted(if c.system.nonideal.is_empty() {
                    "All constraints of this model are ideal, so it is 0."
                } else {
                    ""
                })
            }
            _ => return None,
        })
    }
}

/// `h = d/dt(dT/dq') - dT/dq - M q''`: inertia forces at q'' = 0.
pub(super) fn velocity_terms(c: &mut Context<'_>) -> Table {
    let names = c.system.coord_names("");
    let given = c.given_inertia(Space::Accelerations);
    let (alg, _, k, masses) = c.parts(Space::Accelerations);
    let mut h = match given {
        Some(given) => given.rest,
        None => vec![Expr::zero(); names.len()],
    };
    for m in masses {
        let p = &k.points[m.center.index()];
        for (i, beta) in &k.moving(alg, m.center).coef {
            h[*i] = &h[*i] + &m.mass * vec3::dot(beta, &p.acceleration_bias);
        }
        if let Some((f, inertia)) = &m.rotation {
            let rest = m.inertia_torque(alg, k, *f, inertia);
            for (i, gamma) in &k.turning(alg, *f).coef {
                h[*i] = &h[*i] + vec3::dot(gamma, &rest);
            }
        }
    }
    let h = h.into_iter().zip(&names);
    let h = h
        .map(|(e, name)| alg.define(&format!("velocity_terms_{name}"), e))
        .collect();
    Table::vector("velocity_terms", names, h)
}
