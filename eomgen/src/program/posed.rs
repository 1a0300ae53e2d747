//! Equations of motion as they are handed over to be solved: what the formulation states, what is certain of it, and what is asked of the way to the
//! accelerations. Made once; knows nothing of instructions.

use super::Settings;
use crate::diag::Diagnostic;
use crate::explain::MultiplierSymbols;
use crate::form::solution::{self, Solution};
use crate::form::{
    Context, Equations, Formulated, Formulation, Options, Space, projected, regular,
};
use crate::plan::Aims;
use std::cell::OnceCell;

/// Equations to be solved.
#[derive(Clone)]
pub(super) struct Posed {
    pub formulation: &'static dyn Formulation,
    pub formulated: Formulated,
    /// Whether the equations are there; those of models of many speeds are not.
    pub stated: bool,
    /// M is certainly positive definite in the equations' space.
    pub definite: bool,
    /// Their solution in closed form, where there is a short one.
    pub solution: Option<Solution>,
    /// What is asked of plans.
    pub aims: Aims,
    pub multipliers: MultiplierSymbols,
    /// The rates that were named as dependent.
    dependent: Vec<String>,
    /// The equations in q'', formed when they are first needed.
    unreduced: OnceCell<Option<Equations>>,
}

impl Posed {
    pub fn new(c: &mut Context<'_>, formulated: Formulated, settings: &Settings<'_>) -> Self {
        let stated = formulated.stated;
        let definite = regular::is_positive_definite(c, &formulated.equations);
        let solution = solution::solve(c, &formulated, definite);
        Self {
            formulation: settings.formulation,
            formulated,
            stated,
            definite,
            solution,
            aims: settings.aims(c.system),
            multipliers: MultiplierSymbols::default(),
            dependent: settings.choice.dependent.clone(),
            unreduced: OnceCell::new(),
        }
    }

    /// The same with the equations, where they were left unstated.
    pub fn with_equations(self, c: &mut Context<'_>) -> Result<Self, Vec<Diagnostic>> {
        if self.stated {
            return Ok(self);
        }
        let options = Options {
            variant: self.formulated.variant,
            dependent: &self.dependent,
        };
        Ok(Self {
            formulated: self.formulation.formulate(c, &options)?,
            stated: true,
            ..self
        })
    }

    pub fn equations(&self) -> &Equations {
        &self.formulated.equations
    }

    pub fn space(&self) -> Space {
        self.equations().space
    }

    /// The equations in q'', before anything is reduced.
    pub fn unreduced(&self, c: &mut Context<'_>) -> Option<&Equations> {
        if self.space() == Space::Accelerations {
            return Some(self.equations());
        }
        let form = || projected(c, Space::Accelerations).ok();
        self.unreduced.get_or_init(form).as_ref()
    }
}
