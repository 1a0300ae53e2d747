//! Derivatives of what depends on the rates of the speeds, through inverse dynamics: with `r(x, u')` the forces that are missing for the
//! rates u', the rates at which none is missing change by `du'/dx = -M^-1 dr/dx`, u' held fixed in `r`.

use std::collections::BTreeMap;

use super::Output;
use crate::form::{Space, regular};
use crate::ir::derivative::{self, Direction, Jacobian, Obstacle};
use crate::ir::{Graph, Slot, Value};
use crate::plan::{Leaves, Slopes};
use crate::program::group;
use crate::program::solved::Solved;
use crate::program::writer::{Writer, slot};

/// Of more speeds than this derivatives are not sought this way.
const LARGEST: usize = 40;

/// The rates of the speeds, and how they are found.
#[derive(Clone, Copy)]
pub(in crate::program) struct Rates<'s> {
    solved: &'s Solved,
    values: &'s [Value],
}

/// Derivatives, and what is differentiated, as far as it is rates, as it is found with them.
pub(super) struct Found {
    pub values: Vec<Value>,
    pub jacobian: Jacobian,
}

impl<'s> Rates<'s> {
    /// From the rate of the state, which is among the outputs of every module.
    pub fn of(solved: &'s Solved, w: &Writer<'_>, derivative: &'s Output) -> Self {
        let range = w.c.system.coords.len()..w.first_state();
        let values = derivative.body.outputs.get(range).unwrap_or_default();
        Self { solved, values }
    }

    /// The derivatives of values by leaves, through these rates. `None` where the values do not depend on the rates, or these do not follow from
    /// inverse dynamics alone.
    pub fn jacobian(
        self,
        w: &mut Writer<'_>,
        of: &[Value],
        leaves: &[Slot],
    ) -> Result<Option<Found>, Obstacle> {
        if !self.is_reached(w, of) || !is_free(w, leaves) {
            return Ok(None);
        }
        let leaves: Vec<Value> = leaves.iter().map(|s| w.low.graph.input(*s)).collect();
        let Some(slopes) = self.slopes(w, &leaves)? else {
            return Ok(None);
        };
        let (known, rates) = (leaves.len(), self.values.len());
        let mut all = leaves;
        all.extend(self.values);
        let mut found = derivative::jacobian(&mut w.low.graph, of, &all)?;
        let graph = &mut w.low.graph;
        let rows = found.entries.chunks(known + rates).map(|row| {
            let (own, by_rates) = row.split_at(known);
            let mut row = own.to_vec();
            for (factor, slope) in by_rates.iter().zip(slopes.entries.chunks(known)) {
                for (sum, x) in row.iter_mut().zip(slope) {
                    let term = graph.mul(*factor, *x);
                    *sum = graph.add(*sum, term);
                }
            }
            row
        });
        found.entries = rows.collect::<Vec<_>>().concat();
        found.poles.extend(slopes.poles);
        let mut renewed = |values: &[Value]| replaced(graph, values, self.values, &slopes.rates);
        found.entries = renewed(&found.entries);
        for pole in &mut found.poles {
            pole.divisor = renewed(&[pole.divisor])[0];
        }
        Ok(Some(Found {
            values: renewed(of),
            jacobian: found,
        }))
    }

    /// Whether values depend on the rates, each of which is computed, and none of which is another.
    fn is_reached(self, w: &Writer<'_>, of: &[Value]) -> bool {
        let live = w.low.graph.live(of);
        let reached = self.values.iter().any(|v| live.binary_search(v).is_ok());
        let mut own = self.values.to_vec();
        own.sort_unstable();
        own.dedup();
        let computed = own.iter().all(|v| !w.low.graph.op(*v).is_free());
        reached && computed && own.len() == self.values.len() && own.len() <= LARGEST
    }

    /// How the rates change.
    fn slopes(self, w: &mut Writer<'_>, leaves: &[Value]) -> Result<Option<Slopes>, Obstacle> {
        let aims = &self.solved.posed.aims;
        let Some(full) = self.solved.systems.get(w, Space::SpeedRates, aims) else {
            return Ok(None);
        };
        let speeds = w.c.system.coords.len()..w.first_state();
        let speeds = speeds.map(|i| w.low.graph.input(slot(group::STATE, i)));
        let speeds: Vec<Value> = speeds.collect();
        let graph = &mut w.low.graph;
        let leaves = Leaves {
            all: leaves,
            speeds: &speeds,
        };
        full.slopes(graph, &aims.facts(), &leaves)
    }
}

/// The derivatives of the forces that are missing for given rates of the speeds. `None` where there are others than the model's own.
pub(super) fn of_forces(
    solved: &Solved,
    w: &mut Writer<'_>,
    rates: &[Value],
    leaves: &[Slot],
) -> Result<Option<Jacobian>, Obstacle> {
    if rates.len() > LARGEST || !is_free(w, leaves) {
        return Ok(None);
    }
    let aims = &solved.posed.aims;
    let Some(full) = solved.systems.get(w, Space::SpeedRates, aims) else {
        return Ok(None);
    };
    let leaves: Vec<Value> = leaves.iter().map(|s| w.low.graph.input(*s)).collect();
    let graph = &mut w.low.graph;
    let Some(slopes) = full.force_slopes(graph, &aims.facts(), rates, &leaves)? else {
        return Ok(None);
    };
    let two = graph.integer(2);
    let all = slopes.entries.iter().zip(slopes.halves.iter().cycle());
    let whole = all.map(|(entry, is_half)| match is_half {
        true => graph.mul(two, *entry),
        false => *entry,
    });
    Ok(Some(Jacobian {
        entries: whole.collect(),
        poles: slopes.poles,
        direction: Direction::Forward,
    }))
}

/// Whether no force but the model's own acts on the speeds, and the leaves are no parameters.
fn is_free(w: &mut Writer<'_>, leaves: &[Slot]) -> bool {
    let given = [group::TIME, group::STATE, group::INPUTS];
    leaves.iter().all(|leaf| given.contains(&leaf.group))
        && w.c.system.nonideal.is_empty()
        && !w.c.has_rows(Space::SpeedRates)
        && regular::stands_still_in(&mut w.c, Space::SpeedRates)
}

/// Values in which others stand for the ones given.
fn replaced(graph: &mut Graph, roots: &[Value], given: &[Value], others: &[Value]) -> Vec<Value> {
    let mut by: BTreeMap<Value, Value> =
        given.iter().copied().zip(others.iter().copied()).collect();
    for v in graph.live(roots) {
        let op = graph.op(v).clone();
        if !by.contains_key(&v) && op.operands().any(|o| by.contains_key(&o)) {
            let own = graph.fold(&op.map(|o| by.get(&o).copied().unwrap_or(o)));
            by.insert(v, own);
        }
    }
    roots
        .iter()
        .map(|v| by.get(v).copied().unwrap_or(*v))
        .collect()
}
