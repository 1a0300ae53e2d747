//! Derivatives of what depends on the rates of the speeds, through inverse dynamics: with `r(x, u')` the forces that are missing for the
//! rates u', the rates at which none is missing change by `du'/dx = -M^-1 dr/dx`, u' held fixed in `r`.

use super::Output;
use crate::form::{Space, regular};
use crate::ir::derivative::{self, Jacobian, Obstacle, Pole};
use crate::ir::field::Points;
use crate::ir::{Slot, Value};
use crate::program::group;
use crate::program::solved::Solved;
use crate::program::writer::Writer;
use crate::solve::{self, Ordering, SymmetricSystem, Unknown, UnknownKind};

/// Of more speeds than this derivatives are not sought this way.
const LARGEST: usize = 40;

/// The rates of the speeds, and how they are found.
#[derive(Clone, Copy)]
pub(in crate::program) struct Rates<'s> {
    solved: &'s Solved,
    values: &'s [Value],
}

/// How the rates change.
struct RateSlopes {
    /// One row per rate, one column per leaf.
    entries: Vec<Value>,
    poles: Vec<Pole>,
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
    ) -> Result<Option<Jacobian>, Obstacle> {
        if !self.is_reached(w, of) || !self.is_free(w, leaves) {
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
        Ok(Some(found))
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

    /// Whether no force but the model's own acts on the speeds, and the leaves are no parameters.
    fn is_free(self, w: &mut Writer<'_>, leaves: &[Slot]) -> bool {
        let given = [group::TIME, group::STATE, group::INPUTS];
        leaves.iter().all(|leaf| given.contains(&leaf.group))
            && w.c.system.nonideal.is_empty()
            && !w.c.has_rows(Space::SpeedRates)
            && regular::stands_still_in(&mut w.c, Space::SpeedRates)
    }

    fn slopes(self, w: &mut Writer<'_>, leaves: &[Value]) -> Result<Option<RateSlopes>, Obstacle> {
        let aims = &self.solved.posed.aims;
        let Some(full) = self.solved.systems.get(w, Space::SpeedRates, aims) else {
            return Ok(None);
        };
        let graph = &mut w.low.graph;
        let slopes = full.slopes(graph, &aims.facts(), self.values, leaves)?;
        let Some(slopes) = slopes else {
            return Ok(None);
        };
        let count = self.values.len();
        let unknown = |i: usize| Unknown {
            name: format!("rate {i}"),
            kind: UnknownKind::Rate,
            depth: i as u32,
        };
        let mut system = SymmetricSystem::new((0..count).map(unknown).collect());
        system.definite = true;
        for i in 0..count {
            for j in i..count {
                let value = slopes.mass[i * count + j];
                if !graph.is_zero(value) {
                    system.set(i, j, value);
                }
            }
            for (k, force) in slopes.forces[i * leaves.len()..][..leaves.len()]
                .iter()
                .enumerate()
            {
                let opposite = graph.neg(*force);
                system.set_rhs(k, i, opposite);
            }
        }
        let wanted: Vec<usize> = (0..count).collect();
        let points = Points::new(0);
        let nonzero = |g: &crate::ir::Graph, v: Value| points.nonzero(g, v);
        let orders = [Ordering::Natural, Ordering::MinimumDegree];
        let Ok((plan, _)) = solve::best(graph, &system, &wanted, &orders, &[], &nonzero) else {
            return Ok(None);
        };
        let zero = graph.zero();
        let entry = |i: usize, k: usize| plan.solution[k][i].unwrap_or(zero);
        let entries = (0..count).flat_map(|i| (0..leaves.len()).map(move |k| (i, k)));
        Ok(Some(RateSlopes {
            entries: entries.map(|(i, k)| entry(i, k)).collect(),
            poles: slopes.poles,
        }))
    }
}
