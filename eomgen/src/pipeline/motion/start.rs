//! Whether a model's initial values, of speeds too, satisfy its constraints.

use std::fmt;

use num_traits::ToPrimitive;
use serde::Serialize;

use super::tapes;
use crate::assemble::{Held, assemble};
use crate::machine::{Machine, Mechanism, Named, Start};
use crate::model::System;
use crate::model::system::Rational;
use crate::program::Probe;

/// A coordinate or a speed of the nearest state that satisfies the constraints.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct StartChange {
    /// The coordinate or speed.
    pub coordinate: String,
    /// What the model says, or 0.
    pub from: f64,
    /// What it is in that state.
    pub to: f64,
}

/// The initial values of a model against its constraints.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct StartReport {
    /// Whether they hold.
    pub satisfied: bool,
    /// The row that is violated most, and by how much.
    pub row: Option<String>,
    /// What it leaves.
    pub residual: Option<f64>,
    /// Whether there is a state nearby that satisfies them.
    pub assembles: bool,
    /// What is different in it.
    pub changes: Vec<StartChange>,
}

/// Compares initial values with constraints. Nothing is said of models without one or the other, and where a parameter has no value.
pub(in crate::pipeline) fn start(system: &System, probe: &Probe) -> Option<StartReport> {
    let placed = system.coords.iter().any(|c| c.initial.is_some());
    let rates = system.coords.iter().map(|c| &c.initial_rate);
    let speeds = system.speeds.iter().map(|s| &s.initial);
    let moving = rates.chain(speeds).any(Option::is_some);
    let restricts = probe.levels.iter().any(|level| match level {
        0 => placed || moving,
        1 => moving,
        _ => false,
    });
    if !restricts || !system.functions.is_empty() || !system.inputs.is_empty() {
        return None;
    }
    let params = system.params.iter().map(|p| p.default.as_ref()?.to_f64());
    let params = params.collect::<Option<Vec<f64>>>()?;
    let number = |r: &Option<Rational>| r.as_ref().and_then(ToPrimitive::to_f64);
    let initial = system.coords.iter().map(|c| number(&c.initial));
    let speeds = probe.names.0.iter().zip(&probe.declared);
    let initial_speeds = speeds.map(|(name, declared)| match declared {
        Some(d) => number(&system.speeds.get(*d)?.initial),
        None => {
            let coords = system.coords.iter();
            let mut own = coords.filter(|c| name.strip_suffix('\'') == Some(&c.meta.name));
            number(&own.next()?.initial_rate)
        }
    });
    let name = |name: &String| Named {
        name: name.clone(),
        ..Named::default()
    };
    let machine = Machine {
        coords: system.coord_names("").iter().map(name).collect(),
        initial: initial.collect(),
        initial_rates: system
            .coords
            .iter()
            .map(|c| number(&c.initial_rate))
            .collect(),
        initial_speeds: initial_speeds.collect(),
        signs: vec![None; system.coords.len()],
        speeds: probe.names.0.iter().map(name).collect(),
        independent: probe.independent.clone(),
        rows: tapes::rows(probe),
        probe: tapes::probe(probe),
        ..Machine::default()
    };
    let n = machine.coords.len();
    let q: Vec<f64> = machine.initial.iter().map(|x| x.unwrap_or(0.0)).collect();
    let mut mechanism = Mechanism::new(&machine, params);
    let (speeds, stated) = mechanism.initial_speeds(0.0, &q);
    let guess = Start {
        time: 0.0,
        q: q.clone(),
        speeds: speeds.clone(),
        states: Vec::new(),
    };
    let mut holding = |speeds: Vec<bool>| {
        let coords = vec![false; n];
        assemble(&mut mechanism, &guess, &Held { coords, speeds })
    };
    // What the model says of speeds is held if that is possible, as in a motion.
    let found = holding(stated).or_else(|_| holding(vec![false; n]));
    Some(match found {
        Ok(found) => {
            let coords = machine.coords.iter().zip(q).zip(&found.start.q);
            let speeds = machine.speeds.iter().zip(speeds).zip(&found.start.speeds);
            let numbers = coords.chain(speeds.filter(|_| moving));
            let changed = numbers.filter(|((_, a), b)| (a - **b).abs() > 1e-9 * (1.0 + b.abs()));
            let off = found.off.filter(|(row, _)| {
                let row = machine.rows.iter().find(|r| r.name == *row);
                row.is_some_and(|r| moving || r.level == 0)
            });
            StartReport {
                satisfied: off.is_none(),
                row: off.as_ref().map(|(row, _)| row.clone()),
                residual: off.map(|(_, residual)| residual),
                assembles: true,
                changes: changed
                    .map(|((named, from), to)| StartChange {
                        coordinate: named.name.clone(),
                        from,
                        to: *to,
                    })
                    .collect(),
            }
        }
        Err(found) => StartReport {
            satisfied: false,
            row: Some(found.row),
            residual: Some(found.residual),
            assembles: false,
            changes: Vec::new(),
        },
    })
}

impl fmt::Display for StartReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.satisfied {
            return writeln!(f, "start\n  the initial values satisfy the constraints");
        }
        let row = self.row.as_deref().unwrap_or("?");
        let residual = self.residual.unwrap_or(f64::NAN);
        if !self.assembles {
            return writeln!(
                f,
                "start\n  no state near the initial values satisfies the constraints: `{row}` is left with {residual:.3e}"
            );
        }
        writeln!(
            f,
            "start\n  the initial values violate `{row}` by {residual:.3e}; the nearest state that satisfies the constraints has"
        )?;
        for change in &self.changes {
            let StartChange {
                coordinate,
                from,
                to,
            } = change;
            writeln!(f, "    {coordinate} = {to:.6} in place of {from:.6}")?;
        }
        Ok(())
    }
}
