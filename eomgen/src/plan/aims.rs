//! What is asked of plans, and what is known beforehand of the values in them.

use super::facts::ValueFacts;
use super::group;
use super::id::PlanId;
use crate::catalogue::{self, Prefer};
use crate::ir::{Estimate, Graph, Prepared, Price, Slot, Value};

/// What is asked of a plan.
#[derive(Clone)]
pub(crate) struct Aims {
    /// Which equations are eliminated.
    pub plan: catalogue::Plan,
    /// What the chosen plan has least of.
    pub prefer: Prefer,
    /// Whether the accelerations may be written a second time, by a plan that presumes that pivots do not vanish which seldom do.
    pub presumes: bool,
    /// The one plan that is tried, where a search has been made before.
    pub only: Option<PlanId>,
    /// The same of plans that presume something.
    pub only_presuming: Option<PlanId>,
    /// Inputs that are declared positive.
    pub positive: Vec<Slot>,
    /// Values that are known not to vanish where the accelerations are asked for.
    pub nonzero: Vec<Value>,
}

impl Aims {
    /// What plans are compared by, of what depends on more than parameters: operations, or estimated cycles.
    pub fn price(&self, graph: &Graph, values: &[Value]) -> Price {
        Estimate::of(graph, values, &Prepared::new(&[group::PARAMS])).price(self.by_time())
    }

    /// What is known of values beside their form.
    pub fn facts(&self) -> ValueFacts {
        ValueFacts::new(&self.positive, &self.nonzero)
    }

    /// Whether certain equations were asked for, which are then taken even where they may fail.
    pub fn by_name(&self) -> bool {
        matches!(
            self.plan,
            catalogue::Plan::NewtonEuler | catalogue::Plan::Bordered
        )
    }

    pub fn by_time(&self) -> bool {
        self.prefer == Prefer::Time
    }
}
