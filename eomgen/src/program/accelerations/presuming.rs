//! The rates a second time, by a plan that presumes that pivots do not vanish which seldom do, and the margin by which they do not. Where the margin is gone
//! the module follows the plan that presumes nothing; so this one has no conditions of its own.

use super::kept_rows::{self, Usual};
use super::unknowns;
use crate::form::Space;
use crate::ir::{Binary, Graph, Price, Value};
use crate::plan::{self, Aims, FullSystem, PlanId, Problem, Reference, Rows, Worked};
use crate::program::rounding;
use crate::program::solved::Presuming;
use crate::program::writer::Writer;

/// A plan that is followed only if it takes this share of the other one's operations or time at most.
const SHARE: f64 = 0.85;

/// Functions of fewer operations are not worth a second one.
const LEAST: usize = 150;

/// A search for such a plan.
pub(super) struct Search<'a> {
    pub aims: &'a Aims,
    /// The equations with the rows that are kept.
    pub full: &'a FullSystem,
    pub rows: &'a [(Vec<Value>, Value)],
    /// What plans are compared with.
    pub reference: &'a Reference,
}

impl Search<'_> {
    /// The best plan, with the rows that are kept or with those in axes of their own, where it pays beside the other.
    pub fn run(&self, graph: &mut Graph, usual: &Usual, other: Option<&Worked>) -> Option<Worked> {
        let mut found: Vec<(Price, Worked)> = Vec::new();
        found.extend(self.with(graph, self.full, self.rows, usual));
        if let Some(own) = &usual.own {
            let skeleton = self.full.skeleton.clone();
            let full = FullSystem::state(skeleton, graph, &self.aims.facts(), unchecked(own));
            found.extend(self.with(graph, &full, own, usual));
        }
        let least = found.iter().map(|(price, _)| price.cycles).min()?;
        let close = found
            .into_iter()
            .filter(|(price, _)| price.is_close_to(least));
        let (price, best) = close.min_by_key(|(price, _)| (price.operations, price.cycles))?;
        let other = other.map(|other| self.price(graph, other, None));
        pays(price, other).then_some(best)
    }

    fn with(
        &self,
        graph: &mut Graph,
        full: &FullSystem,
        rows: &[(Vec<Value>, Value)],
        usual: &Usual,
    ) -> Option<(Price, Worked)> {
        let problem = Problem {
            full: Some(full),
            bordered: None,
            rows: unchecked(rows),
            expected: full.speeds(),
            reference: self.reference,
        };
        let found = plan::search_presuming(graph, problem, &usual.ordinary, self.aims)?;
        // With the margin, which comes of what is presumed alone.
        let margin = plan::margin(graph, &found.presumed)?;
        Some((self.price(graph, &found, Some(margin)), found))
    }

    fn price(&self, graph: &Graph, worked: &Worked, margin: Option<Value>) -> Price {
        let rates = worked.unknowns[..self.full.speeds()].iter();
        let all: Vec<Value> = rates.copied().chain(margin).collect();
        self.aims.price(graph, &all)
    }
}

/// Rows like any others, of which no multipliers are asked for.
fn unchecked(list: &[(Vec<Value>, Value)]) -> Rows<'_> {
    Rows {
        list,
        asked: false,
        checked: false,
    }
}

/// Whether a plan of this price is followed in the first place, beside one of the other that presumes nothing, or a routine.
fn pays(quick: Price, other: Option<Price>) -> bool {
    let size = |price: Price| match price.cycles {
        0 => price.operations as f64,
        cycles => cycles as f64,
    };
    let cheaper = other.is_none_or(|other| size(quick) <= SHARE * size(other));
    quick.operations >= LEAST && cheaper
}

/// q'' and the rates of all speeds by a plan that presumes something, in the order of the symbols, with the margin.
pub(in crate::program) struct Found {
    values: Vec<Value>,
    solved: Vec<Value>,
    margin: Value,
    plan: PlanId,
}

/// The values of [`symbols`] by a plan that presumes something. Nothing stays bound to them.
pub(in crate::program) fn found(w: &mut Writer<'_>, space: Space, worked: Worked) -> Option<Found> {
    let margin = margin(w, &worked.presumed)?;
    let outer = w.low.scope();
    let count = w.c.kinematics(space).motion.speeds.len();
    let solved: Vec<Value> = worked.unknowns.into_iter().take(count).collect();
    let mut values = kept_rows::accelerations(w, space, &solved);
    let dots = unknowns::speed_dots(w);
    values.extend(dots);
    w.low.leave(outer);
    Some(Found {
        values,
        solved,
        margin,
        plan: worked.id,
    })
}

impl Found {
    /// Beside the values of the same symbols by the plan that presumes nothing.
    pub fn beside(self, accelerations: &[Value], dots: &[Value]) -> Presuming {
        let others = accelerations.iter().chain(dots).copied();
        let pairs = others.zip(self.values);
        Presuming {
            quick: pairs.filter(|(other, quick)| other != quick).collect(),
            solved: self.solved,
            margin: self.margin,
            plan: self.plan,
        }
    }
}

/// What is positive where none of the values is small beside its natural size, nor a length that is a factor of one beside the lengths by which
/// constraints determine it.
fn margin(w: &mut Writer<'_>, presumed: &[Value]) -> Option<Value> {
    let mut least = plan::margin(&mut w.low.graph, presumed)?;
    let mut lengths: Vec<Value> = Vec::new();
    for &value in presumed {
        for found in rounding::vanishing(w, value) {
            if lengths.contains(&found.value) {
                continue;
            }
            lengths.push(found.value);
            let graph = &mut w.low.graph;
            let own = plan::above(graph, found.value, found.scale);
            least = graph.binary(Binary::Min, least, own);
        }
    }
    Some(least)
}
