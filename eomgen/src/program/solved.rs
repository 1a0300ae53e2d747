//! The accelerations, found: what every output is made of. Knows nothing of how they are searched for.

use super::accelerations::full_systems::FullSystems;
use super::accelerations::route::Route;
use super::posed::Posed;
use crate::ir::Value;
use crate::plan::{Compared, PlanId, Reduced};
use crate::sym::Expr;
use std::collections::BTreeMap;

/// Multipliers that enter loads: rows with values.
pub(super) type Entering = Vec<(usize, Value)>;

/// The unknowns of the equations as values.
pub(super) struct Unknowns {
    pub values: Vec<Value>,
    pub route: Route,
    /// The multipliers that are found on the way, where they enter loads.
    pub entering: Entering,
    /// Those of the rows that were kept, where these are imposed by the plan.
    pub multipliers: Option<Entering>,
}

impl Unknowns {
    /// Found with nothing beside them.
    pub fn by(route: Route, values: Vec<Value>) -> Self {
        Self {
            values,
            route,
            entering: Entering::new(),
            multipliers: None,
        }
    }
}

/// What presumes something, and what it presumes.
#[derive(Clone, Debug)]
pub(in crate::program) struct Presuming {
    /// Quick values in the place of those by the plan that presumes nothing.
    pub quick: BTreeMap<Value, Value>,
    /// What the quick ones are made of: who computes any of these has to look at the margin.
    pub solved: Vec<Value>,
    /// Positive where nothing that is presumed fails.
    pub margin: Value,
    /// The plan by which they are found.
    pub plan: PlanId,
    /// The coordinates that it takes to stand still.
    pub still: Vec<String>,
}

/// What was found of a model's motion.
pub(super) struct Solved {
    /// The equations.
    pub posed: Posed,
    /// q''.
    pub accelerations: Vec<Value>,
    /// q'' as the expressions that they are computed from, in closed form only.
    pub closed: Option<Vec<Expr>>,
    pub route: Route,
    /// Multipliers that enter loads, where they are found with the accelerations.
    pub entering: Entering,
    /// The multipliers of the rows that were kept, where the plan of the accelerations imposes these.
    pub multipliers: Option<Entering>,
    /// The plans that were compared.
    pub compared: Vec<Compared>,
    /// Why the full Newton-Euler system was not among them, where that is not by choice.
    pub untried: Option<&'static str>,
    /// M and f, where the equations were solved without being stated.
    pub reduced: Option<Reduced>,
    pub systems: FullSystems,
    /// The accelerations by a plan that presumes something, beside these.
    pub presuming: Option<Presuming>,
}
