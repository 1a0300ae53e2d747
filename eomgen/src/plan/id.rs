//! Which plan is meant, as data; and the sentence that tables and remarks call it by.

use super::full_system::Choice;
use crate::ir::Cost;
use crate::solve::{Candidate, Ordering};
use std::fmt;

/// The equations that a plan eliminates.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Statement {
    /// The mass matrix as the formulation states it.
    MassMatrix,
    /// The mass matrix in the coordinates with the constraints as rows.
    Bordered,
    /// The full Newton-Euler system, written down by this choice.
    NewtonEuler(Choice),
}

/// What a plan is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// The unknowns of the equations.
    Unknowns,
    /// These, with the constraints as rows that are checked at run time.
    CheckedRows,
    /// q'', with the constraints as rows, where the unknowns would be speeds.
    Accelerations,
}

/// A plan for the accelerations.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlanId {
    /// What it is asked for.
    pub role: Role,
    /// What is eliminated.
    pub statement: Statement,
    /// In which order.
    pub order: Ordering,
}

impl fmt::Display for Statement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::MassMatrix => f.write_str("mass matrix"),
            Self::Bordered => f.write_str("mass matrix bordered by the constraints"),
            Self::NewtonEuler(choice) => write!(f, "Newton-Euler equations, {choice}"),
        }
    }
}

impl fmt::Display for PlanId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self.role {
            Role::Unknowns => "",
            Role::CheckedRows => "with the constraints as rows, ",
            Role::Accelerations => "q'' by ",
        })?;
        write!(f, "{}, {}", self.statement, self.order)
    }
}

/// A row of the table of plans that were compared.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Compared {
    /// Which plan.
    pub id: PlanId,
    /// Operations; `None` where there is no plan.
    pub cost: Option<Cost>,
    /// The longest chain of operations that wait for one another, in cycles.
    pub path: Option<u32>,
    /// The cycles that it is estimated to take, where plans are compared by that.
    pub time: Option<u32>,
    /// Tenths of decimal digits that it loses against the plan that is trusted.
    pub growth: Option<u32>,
    /// Whether it is the one that was kept.
    pub chosen: bool,
    /// What was found of it, or why there is none.
    pub note: String,
}

impl Compared {
    pub(super) fn new(role: Role, statement: Statement, row: Candidate) -> Self {
        Self {
            id: PlanId {
                role,
                statement,
                order: row.order,
            },
            cost: row.cost,
            path: row.path,
            time: row.time,
            growth: row.growth,
            chosen: row.chosen,
            note: row.note,
        }
    }
}
