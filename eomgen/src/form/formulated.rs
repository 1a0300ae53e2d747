//! What a formulation is given beside the mechanics, and what it returns.

use super::balances::Balances;
use super::charts::Charts;
use super::{Equations, Space, Variant};
use crate::diag::Diagnostic;

/// What is chosen of a formulation.
#[derive(Clone, Copy, Debug, Default)]
pub struct Options<'a> {
    /// Its variant.
    pub variant: Variant,
    /// Rates that were named as dependent, for formulations that eliminate accelerations.
    pub dependent: &'a [String],
}

/// The equations of a formulation, with what it says of them.
#[derive(Clone, Debug)]
pub struct Formulated {
    /// The equations.
    pub equations: Equations,
    /// Whether they are stated: M may also be empty because no freedom is left.
    pub stated: bool,
    /// The variant by which they were stated.
    pub variant: Variant,
    /// The charts, where accelerations are eliminated.
    pub charts: Option<Charts>,
    /// The balances of momentum, where they are solved.
    pub balances: Option<Balances>,
    /// Coordinates that the equations are written without.
    pub cyclic: Vec<usize>,
    /// What there is to say of the equations, for the generated documentation.
    pub remarks: Vec<String>,
    /// What there is to say to the author of the model.
    pub notes: Vec<Diagnostic>,
}

impl Formulated {
    /// Equations of which nothing more is to be said.
    pub fn new(equations: Equations, options: &Options<'_>) -> Self {
        Self {
            equations,
            stated: true,
            variant: options.variant,
            charts: None,
            balances: None,
            cyclic: Vec::new(),
            remarks: Vec::new(),
            notes: Vec::new(),
        }
    }

    /// Equations that are not stated: neither M nor f is there, nor are there rows.
    pub fn unstated(space: Space, options: &Options<'_>) -> Self {
        Self {
            stated: false,
            ..Self::new(Equations::unstated(space), options)
        }
    }
}
