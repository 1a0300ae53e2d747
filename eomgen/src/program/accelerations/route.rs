//! How the accelerations are computed, as data; and the words for it.

use crate::plan::{PlanId, Statement};
use crate::solve::Ordering;
use std::fmt;

/// How q'' is computed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(in crate::program) enum Route {
    /// By the formulas of a closed form.
    #[default]
    ClosedForm,
    /// The same, of balances of momentum and constraints together.
    ClosedTogether,
    /// The same, of balances of momentum on the partial velocities.
    ClosedProjected,
    /// By the factors of a mass matrix, although there is a closed form.
    Factored { unknowns: usize, plan: PlanId },
    /// By elimination.
    Plan(PlanId),
    /// By the routine that finds the rank.
    Routine { accelerations: usize, rows: usize },
    /// By the same, with the balances of momentum of every body.
    Balances {
        balances: usize,
        accelerations: usize,
        rows: usize,
    },
    /// Through an inverse of the constraint matrix.
    Inverse(&'static str),
    /// By the explicit Gibbs-Appell equation of so many unknowns.
    Explicit {
        unknowns: usize,
        order: Option<Ordering>,
    },
}

impl fmt::Display for Route {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::ClosedForm => f.write_str("closed form"),
            Self::ClosedTogether => {
                f.write_str("closed form, momentum balances and constraints solved together")
            }
            Self::ClosedProjected => f.write_str(
                "closed form, from the momentum balances projected on the partial velocities",
            ),
            Self::Factored { unknowns, plan } => {
                write!(f, "mass matrix of {unknowns} unknowns factored, ")?;
                Self::Plan(plan.clone()).fmt(f)
            }
            // That it is the mass matrix goes without saying.
            Self::Plan(id) if id.statement == Statement::MassMatrix => id.order.fmt(f),
            Self::Plan(id) => id.fmt(f),
            Self::Routine {
                accelerations,
                rows,
            } => write!(
                f,
                "rank-revealing elimination at run time ({accelerations} accelerations, {rows} constraint rows)"
            ),
            Self::Balances {
                balances,
                accelerations,
                rows,
            } => write!(
                f,
                "momentum balances and constraints solved together at run time ({balances} balances, {accelerations} accelerations, {rows} constraint rows)"
            ),
            Self::Inverse(words) => f.write_str(words),
            Self::Explicit { unknowns, order } => {
                let ending = if *unknowns == 1 { "" } else { "s" };
                write!(
                    f,
                    "explicit Gibbs-Appell equation of {unknowns} unknown{ending}"
                )?;
                match order {
                    Some(order) => write!(f, ", {order}"),
                    None => Ok(()),
                }
            }
        }
    }
}
