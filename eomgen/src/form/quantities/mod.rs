//! Quantities that every formulation has, for whoever asks by name: the coordinate equations and their parts, the geometry of
//! the constraints, partial velocities. Knows mechanics; knows nothing of how they are evaluated or written.
//!
//! Where something does not exist for a model the answer is a diagnostic that says why.

mod coordinates;
mod coriolis;
pub(super) mod factor;
mod geometry;
mod kinematic;
mod momentum;
mod operational;
mod projectors;
mod regressor;
mod speeds;

use super::quasi::QuasiVelocities;
use super::{Context, Space, Table};
use crate::catalogue::asked::Asked;
use crate::diag::codes::quantities::{E0580, E0581, E0582};
use crate::diag::{self, Diagnostic};
use crate::span::Span;
use crate::sym::Expr;
use coordinates::Coordinates;
use factor::Factor;
pub use geometry::Representative;
pub use regressor::{Column, Regressor, matrix};

/// What has been worked out for one quantity and serves others.
#[derive(Default)]
pub struct Quantities {
    coordinates: Option<Coordinates>,
    factor: Option<Factor>,
    quasi: Option<QuasiVelocities>,
    particle: Option<Representative>,
    regressor: Option<Regressor>,
    /// Factors that were divided by on the way and do not divide a result.
    cancelled: Vec<Expr>,
}

impl Quantities {
    /// The quantity of that name; `None` if it is none of those that every formulation has.
    pub fn table(&mut self, c: &mut Context<'_>, name: &str) -> diag::Result<Option<Table>> {
        Ok(Some(match name {
            "coordinate_mass_matrix"
            | "coordinate_forcing"
            | "applied_forces"
            | "nonideal_vector" => return Ok(self.coordinates(c)?.table(c, name)),
            "velocity_terms" => coordinates::velocity_terms(c),
            "unconstrained_accelerations" => self.unconstrained_accelerations(c)?,
            "scaled_constraint_matrix" => self.scaled_constraint_matrix(c)?,
            "constraint_gram_matrix" => self.gram_matrix(c)?,
            "normal_projector" => self.projector(c, true)?,
            "tangent_projector" => self.projector(c, false)?,
            "partial_velocities" => speeds::partial_velocities(c)?,
            "partial_angular_velocities" => speeds::partial_angular_velocities(c)?,
            "generalized_forces_in_speeds" => speeds::forces(c)?,
            "coriolis_matrix" => self.coriolis_matrix(c)?,
            "gravity_vector" => self.gravity_vector(c)?,
            "gibbs_gradient" => speeds::gibbs_gradient(c),
            other => {
                if let Some(table) = momentum::table(c, other)? {
                    return Ok(Some(table));
                }
                return match self.identification(c, other)? {
                    Some(table) => Ok(Some(table)),
                    None => self.geometry_table(c, other),
                };
            }
        }))
    }

    /// A quantity of a point or a frame.
    pub fn of_place(&mut self, c: &mut Context<'_>, asked: &Asked) -> diag::Result<Table> {
        match asked.quantity.name {
            "mobility" | "operational_space_inertia" => self.operational(c, asked),
            _ => kinematic::table(c, asked),
        }
    }

    /// `M q'' + h`, the force of inertia on the coordinates, with q'' as symbols.
    pub fn inertia(&mut self, c: &mut Context<'_>) -> diag::Result<Vec<Expr>> {
        let terms = coordinates::velocity_terms(c).entries;
        let mass = self.coordinates(c)?.mass.clone();
        let dots = c.vars.rate_dots.clone();
        let rows = mass.iter().zip(terms);
        let sum = |(row, h): (&Vec<Expr>, Expr)| -> Expr {
            let products = row.iter().zip(&dots).map(|(m, d)| m * c.alg.var(*d));
            products.sum::<Expr>() + h
        };
        Ok(rows.map(sum).collect())
    }

    /// Factors that were divided by, may vanish, and do not divide any quantity found so far.
    pub fn cancelled(&mut self) -> Vec<Expr> {
        std::mem::take(&mut self.cancelled)
    }

    /// M, F, Q, C of the coordinates.
    fn coordinates(&mut self, c: &mut Context<'_>) -> diag::Result<&Coordinates> {
        if self.coordinates.is_none() {
            self.coordinates = Some(Coordinates::derive(c)?);
        }
        match &self.coordinates {
            Some(found) => Ok(found),
            None => Err(Vec::new()),
        }
    }

    /// `M = L D L^T`.
    fn factor(&mut self, c: &mut Context<'_>) -> diag::Result<Factor> {
        if let Some(factor) = &self.factor {
            return Ok(factor.clone());
        }
        let (mass, definite) = {
            let own = self.coordinates(c)?;
            (own.mass.clone(), own.definite)
        };
        let names = c.system.coord_names("");
        match Factor::of(&mut c.alg, &mass, &names, definite) {
            Ok(factor) => {
                self.factor = Some(factor.clone());
                Ok(factor)
            }
            Err(at) => Err(vec![singular(c, at)]),
        }
    }

    /// `a = M^-1 F`
    fn unconstrained_accelerations(&mut self, c: &mut Context<'_>) -> diag::Result<Table> {
        let factor = self.factor(c)?;
        let forcing = self.coordinates(c)?.forcing.clone();
        let y = factor.forward(&mut c.alg, &forcing, "reduced_forcing");
        let a = factor.backward(&mut c.alg, &y, "free_acceleration");
        Ok(Table::vector(
            "unconstrained_accelerations",
            c.system.coord_names(""),
            a,
        ))
    }
}

/// Names of the speeds of the state.
fn speed_names(c: &Context<'_>) -> Vec<String> {
    c.kinematics(Space::SpeedRates).motion.names(&c.alg)
}

/// A quantity of constraints of a model without any.
fn unconstrained(c: &Context<'_>, name: &str) -> Diagnostic {
    Diagnostic::error(
        E0580,
        format!("there is no `{name}`: the model has no constraints"),
        c.system.whole(),
        "nothing constrains these coordinates",
    )
    .help("omit it, or state the constraint with `constraint NAME: ... = 0`")
}

/// A quantity of bodies of a model without any.
fn absent(c: &Context<'_>, name: &str, why: &str) -> Diagnostic {
    Diagnostic::error(
        E0582,
        format!("there is no `{name}`: the model has {why}"),
        c.system.whole(),
        "nothing here has mass and a velocity of that kind",
    )
    .help("omit it")
}

/// A quantity that needs `M^-1` where M has none.
fn singular(c: &Context<'_>, at: usize) -> Diagnostic {
    let q = c.system.coords.get(at).map(|q| &q.meta);
    Diagnostic::error(
        E0581,
        "the mass matrix of the coordinates is singular, so that M^-1 does not exist",
        q.map_or_else(Span::default, |m| m.span),
        format!(
            "no mass moves with `{}` that does not move with the coordinates before it",
            q.map_or("", |m| m.name.as_str())
        ),
    )
    .note("unconstrained accelerations, the scaled constraint matrix, G and the projectors need M^-1")
    .help("omit them: `mass_matrix`, `constraint_matrix` and the bordered system of `--method lagrange` still exist")
}
