//! Formulations: one file each, one trait, one result. Knows nothing of code generation or solving.
//!
//! Every formulation states its equations as `M z' = f` in the independent speeds s' or in the
//! accelerations q'', with or without constraint rows left to impose. It is a function of what mechanics makes of the model, in a
//! [`Context`], and of the [`Options`]; what it returns is [`Formulated`].

mod appell_reduced;
mod balance;
pub mod balances;
mod boltzmann_hamel;
pub mod charts;
mod context;
pub mod energies;
pub mod explicit_gibbs_appell;
mod formulated;
mod gibbs_appell;
mod inverses;
pub mod joints;
mod jourdain;
mod kane;
mod lagrange;
mod linear;
mod maggi;
pub mod multipliers;
mod newton_euler;
mod projection;
mod quantities;
mod quasi;
mod recursive;
pub mod regular;
pub mod solution;
mod table;
#[cfg(test)]
mod tests;
mod udwadia_kalaba;

pub use crate::catalogue::{Inverse, Route, Variant};
pub use context::Context;
pub use formulated::{Formulated, Options};
pub use quantities::{Column, Quantities, Regressor, Representative, matrix};
pub use quasi::QuasiVelocities;
pub use table::{Layout, Table};

use crate::diag::Diagnostic;
use crate::elim::Matrix;
use crate::sym::Expr;

/// In which unknowns equations are stated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Space {
    /// The rates u' of the state's speeds (independent ones, or all of them).
    SpeedRates,
    /// The accelerations q''.
    Accelerations,
    /// u' with angular velocities in the place of quaternions' rates, for the solution alone; u' where there are none.
    Spins,
    /// The rates of all speeds, those that the state does without included, for the solution alone; q'' where no speeds are left out.
    Whole,
}

/// How remaining constraint rows are imposed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Closure {
    /// Multipliers and accelerations together: the bordered system.
    Bordered,
    /// Through `G = A M^-1 A^T`.
    GeneralizedInverse,
    /// Projection on the null space of A.
    NullSpace,
    /// Elimination of dependent accelerations in the [charts] of the context.
    Explicit,
}

/// Equations of motion of one formulation.
#[derive(Clone, Debug)]
pub struct Equations {
    /// The unknowns.
    pub space: Space,
    /// M, symmetric.
    pub mass: Matrix,
    /// f: everything else, so that without constraint rows `M z' = f`. Contains the non-ideal vector C.
    pub forcing: Vec<Expr>,
    /// The part of f that comes from the non-ideal vector C.
    pub nonideal: Vec<Expr>,
    /// Phi, where loads depend on reactions: `M z' = f + (A^T + Phi) lambda`, one column per constraint row.
    pub coupling: Option<Matrix>,
    /// How constraint rows are imposed; `None` if none remain.
    pub closure: Option<Closure>,
}

impl Equations {
    /// Equations that are not stated: neither M nor f is there, nor are there rows.
    pub fn unstated(space: Space) -> Self {
        Self {
            space,
            mass: Matrix::new(),
            forcing: Vec::new(),
            nonideal: Vec::new(),
            coupling: None,
            closure: None,
        }
    }
}

/// A formulation. What a user is told of it stands in the [catalogue](crate::catalogue).
pub trait Formulation: Sync {
    /// Its name on the command line.
    fn name(&self) -> &'static str;
    /// Whether chosen dependent rates are a chart of the accelerations, so that they may be named where they cannot be eliminated from
    /// the state.
    fn takes_chart(&self) -> bool {
        false
    }
    /// Whether it keeps every reaction as an unknown, for which a module by it has an output.
    fn has_reactions(&self) -> bool {
        false
    }
    /// In which unknowns it states its equations where no constraint row remains and no load depends on a reaction.
    fn space(&self) -> Space {
        Space::SpeedRates
    }
    /// Why this formulation says nothing of this model, if that is so; a labelled error with what to choose instead.
    fn refusal(&self, _c: &mut Context<'_>, _options: &Options<'_>) -> Option<Diagnostic> {
        None
    }
    /// Forms the equations.
    fn formulate(
        &self,
        c: &mut Context<'_>,
        options: &Options<'_>,
    ) -> Result<Formulated, Vec<Diagnostic>>;
    /// Quantities of its own that every module by this formulation has, asked for or not.
    fn own_outputs(&self) -> &'static [&'static str] {
        &[]
    }
    /// One of the quantities that are this formulation's own, those of its entry in the catalogue; `None` for any other name.
    fn table(
        &self,
        _c: &mut Context<'_>,
        _f: &Formulated,
        _name: &str,
    ) -> Result<Option<Table>, Vec<Diagnostic>> {
        Ok(None)
    }
}

/// The projection of the momentum balances on the partial velocities of a space, no rows imposed.
pub fn projected(c: &mut Context<'_>, space: Space) -> Result<Equations, Vec<Diagnostic>> {
    kane::by_partial_velocities(c, space, None)
}

/// The formulations, in the order in which they are listed.
pub const ALL: &[&dyn Formulation] = &[
    &newton_euler::NewtonEuler,
    &kane::Kane,
    &gibbs_appell::GibbsAppell,
    &explicit_gibbs_appell::ExplicitGibbsAppell,
    &lagrange::Lagrange,
    &maggi::Maggi,
    &boltzmann_hamel::BoltzmannHamel,
    &jourdain::Jourdain,
    &appell_reduced::AppellReduced,
    &udwadia_kalaba::UdwadiaKalaba,
];

/// A refusal with the formulations that do apply to the model, each in its usual variant.
pub fn with_alternatives(c: &mut Context<'_>, refusal: Diagnostic) -> Diagnostic {
    let options = Options::default();
    let others = ALL
        .iter()
        .filter(|f| f.refusal(c, &options).is_none())
        .map(|f| format!("`{}`", f.name()));
    let others: Vec<String> = others.collect();
    let which = match others.split_last() {
        None => return refusal,
        Some((last, [])) => format!("use {last}"),
        Some((last, rest)) => format!("use {} or {last}", rest.join(", ")),
    };
    let help = match &refusal.help {
        None => which,
        Some(own) => format!("{own}, or {which}"),
    };
    refusal.help(help)
}

/// The formulation of that name.
pub fn find(name: &str) -> Option<&'static dyn Formulation> {
    ALL.iter().copied().find(|f| f.name() == name)
}

#[cfg(test)]
mod listing {
    use super::*;
    use crate::catalogue;

    #[test]
    fn the_catalogue_lists_what_there_is() {
        let there: Vec<&str> = ALL.iter().map(|f| f.name()).collect();
        let listed: Vec<&str> = catalogue::METHODS.iter().map(|m| m.name).collect();
        assert_eq!(there, listed);
    }
}
