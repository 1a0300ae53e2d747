//! The state of a module, its speeds and its constraint rows, as they are told to its users.

use crate::form::Context;
use crate::mech::constraints::{Level, Row};
use crate::model::system::Rational;
use crate::model::{System, multiplier_unit};

/// One entry of the state.
#[derive(Clone, Debug, PartialEq)]
pub struct StateEntry {
    /// `theta`, `u1`, `x'`.
    pub name: String,
    /// Unit if known.
    pub unit: Option<String>,
    /// Doc comment.
    pub docs: String,
    /// Where it starts, if the model says so.
    pub initial: Option<Rational>,
}

/// The constraint rows, with the unit of what they hold and that of their multipliers.
pub(super) fn rows(c: &Context<'_>) -> Vec<StateEntry> {
    let system = c.system;
    let rows = c.constraints.rows.iter();
    rows.map(|r| {
        let unit = row_unit(system, r);
        let order = match r.level {
            Level::Position => 0,
            Level::Velocity => 1,
            Level::Acceleration => 2,
        };
        let multiplier = unit.as_deref().and_then(|u| multiplier_unit(u, order));
        StateEntry {
            name: r.name.clone(),
            docs: match (&unit, multiplier) {
                (Some(unit), Some(multiplier)) => format!(
                    "`{}`: residual in `{unit}`, multiplier in `{multiplier}`",
                    r.name
                ),
                _ => String::new(),
            },
            unit: None,
            initial: None,
        }
    })
    .collect()
}

/// The unit of a row's residual.
fn row_unit(system: &System, row: &Row) -> Option<String> {
    let stated = system.constraints.iter().find(|s| {
        let rest = row.name.strip_prefix(&s.meta.name);
        rest.is_some_and(|rest| matches!(rest, "" | ".x" | ".y" | ".z"))
    });
    stated.and_then(|s| s.meta.unit.clone())
}

/// The entries of the state.
pub(super) fn state(c: &Context<'_>) -> Vec<StateEntry> {
    let coords = c.system.coords.iter().map(|c| StateEntry {
        name: c.meta.name.clone(),
        unit: c.meta.unit.clone(),
        docs: c.meta.docs.clone(),
        initial: c.initial.clone(),
    });
    let speeds = c.speeds.independent.iter().map(|i| speed(c, *i));
    let states = c.system.states.iter().map(|s| StateEntry {
        name: s.meta.name.clone(),
        unit: s.meta.unit.clone(),
        docs: s.meta.docs.clone(),
        initial: s.initial.clone(),
    });
    coords.chain(speeds).chain(states).collect()
}

fn speed(c: &Context<'_>, i: usize) -> StateEntry {
    let s = &c.speeds.speeds[i];
    match (s.declared, s.coordinate) {
        (Some(d), _) => {
            let m = &c.system.speeds[d].meta;
            StateEntry {
                name: m.name.clone(),
                unit: m.unit.clone(),
                docs: m.docs.clone(),
                initial: c.system.speeds[d].initial.clone(),
            }
        }
        (None, Some(q)) => {
            let m = &c.system.coords[q].meta;
            let unit = m.unit.as_deref().map(rate_unit);
            StateEntry {
                name: s.name.clone(),
                unit,
                docs: format!("rate of `{}`", m.name),
                initial: c.system.coords[q].initial_rate.clone(),
            }
        }
        (None, None) => {
            let row = s.row.map(|r| &c.constraints.rows[r]);
            let unit = row.and_then(|row| row_unit(c.system, row));
            let docs = row.map(|row| {
                format!(
                    "rate of the residual of `{}`: zero on every motion",
                    row.name
                )
            });
            StateEntry {
                name: s.name.clone(),
                unit: unit.as_deref().map(rate_unit),
                docs: docs.unwrap_or_default(),
                initial: None,
            }
        }
    }
}

/// All speeds.
pub(super) fn speeds(c: &Context<'_>) -> Vec<StateEntry> {
    (0..c.speeds.speeds.len()).map(|i| speed(c, i)).collect()
}

/// The unit of a rate.
fn rate_unit(unit: &str) -> String {
    if unit == "1" {
        "1/s".to_string()
    } else {
        format!("{unit}/s")
    }
}
