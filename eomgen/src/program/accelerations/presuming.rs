//! The rates a second time, by a plan that presumes that pivots do not vanish which seldom do, and the margin by which they do not. Where the margin is gone
//! the module follows the plan that presumes nothing; so this one has no conditions of its own.

use super::kept_rows::{self, Usual};
use super::{still, unknowns};
use crate::form::Space;
use crate::ir::{Binary, Graph, Price, Value};
use crate::mech::still::Still;
use crate::plan::{self, Aims, FullSystem, PlanId, Problem, Reference, Rows, Skeleton, Worked};
use crate::program::rounding;
use crate::program::solved::Presuming;
use crate::program::writer::Writer;

/// A plan that is followed only if it takes this share of the other one's operations or time at most.
const SHARE: f64 = 0.85;

/// Functions of fewer operations are not worth a second one...
const LEAST: usize = 150;

/// ... unless it saves this many.
const SAVED: usize = 100;

/// What a plan saves at least, in which coordinates stand still that a person might have left out.
const OF_STANDING: usize = 200;

/// A search for such a plan.
pub(super) struct Search<'a> {
    pub aims: &'a Aims,
    /// The equations with the rows that are kept.
    pub full: &'a FullSystem,
    pub rows: &'a [(Vec<Value>, Value)],
    /// Coefficients that are looked at where the other plan is followed, for a row might hold nothing.
    pub looked_at: &'a [Value],
    /// What plans are compared with.
    pub reference: &'a Reference,
}

impl Search<'_> {
    /// The best plan where it pays beside the other: where coordinates stand still if some do, and with rows in axes of their own or with those that are kept.
    pub fn run(&self, graph: &mut Graph, usual: Usual, other: Option<&Worked>) -> Option<Quick> {
        let standing = usual.standing.as_ref().and_then(|standing| {
            let mut skeleton = standing.skeleton.clone();
            skeleton.definite = self.full.skeleton.definite;
            let (_, mut found) = self.stated(graph, skeleton, &standing.rows, &usual)?;
            let holding = standing.holding.iter();
            found
                .presumed
                .extend(holding.filter(|v| graph.as_rational(**v).is_none()));
            let margin = plan::margin(graph, &found.presumed);
            Some((self.price(graph, &found, margin), found))
        });
        let own = usual.own.as_ref().and_then(|own| {
            let skeleton = self.full.skeleton.tied(&own.ties);
            self.stated(graph, skeleton, &own.rows, &usual)
        });
        // Of large machines none was yet the worse for rows in their own axes.
        let large = own.is_some() && self.full.is_large();
        let as_kept = (!large && standing.is_none())
            .then(|| self.with(graph, self.full, self.rows, &usual))
            .flatten();
        let stands = match (&standing, &own) {
            (Some(standing), Some(own)) => standing.0.beats(own.0),
            (standing, _) => standing.is_some(),
        };
        let moving = match (own, as_kept) {
            (Some(own), Some(kept)) => Some(if kept.0.beats(own.0) { kept } else { own }),
            (own, kept) => own.or(kept),
        };
        let (price, worked) = if stands { standing } else { moving }?;
        let other = other.map(|other| self.price_with_checks(graph, other));
        let still = usual.standing.filter(|_| stands);
        let least = if stands { OF_STANDING } else { 0 };
        pays(price, other, least).then_some(Quick {
            worked,
            still: still.map(|standing| standing.still).unwrap_or_default(),
        })
    }

    fn stated(
        &self,
        graph: &mut Graph,
        skeleton: Skeleton,
        rows: &[(Vec<Value>, Value)],
        usual: &Usual,
    ) -> Option<(Price, Worked)> {
        let full = FullSystem::state(skeleton, graph, &self.aims.facts(), unchecked(rows));
        self.with(graph, &full, rows, usual)
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
        let mut best: Option<(Price, Worked)> = None;
        for tied in kinds(graph, full, rows) {
            // The other way of large machines serves only where the first does not.
            if full.is_large() && best.is_some() {
                break;
            }
            let found = plan::search_presuming(graph, &problem, &usual.ordinary, tied, self.aims);
            let Some(found) = found else { continue };
            // With the margin, which comes of what is presumed alone.
            let margin = plan::margin(graph, &found.presumed);
            let price = self.price(graph, &found, margin);
            if best.as_ref().is_none_or(|(least, _)| price.beats(*least)) {
                best = Some((price, found));
            }
        }
        best
    }

    /// With what tells whether a row holds anything: of its coefficients the largest.
    fn price_with_checks(&self, graph: &Graph, worked: &Worked) -> Price {
        let rates = worked.unknowns[..self.full.speeds()].iter();
        let all: Vec<Value> = rates.chain(self.looked_at).copied().collect();
        self.aims.price(graph, &all)
    }

    fn price(&self, graph: &Graph, worked: &Worked, margin: Option<Value>) -> Price {
        let rates = worked.unknowns[..self.full.speeds()].iter();
        let all: Vec<Value> = rates.copied().chain(margin).collect();
        self.aims.price(graph, &all)
    }
}

/// Rows of large machines that hold more rates than this are in accelerations rather: of a leg that stands on the ground they hold those of the base, too, while a
/// loop within a leg has few.
const HELD: usize = 6;

/// Whether rows are in accelerations, in the order in which that is tried.
fn kinds(graph: &Graph, full: &FullSystem, rows: &[(Vec<Value>, Value)]) -> Vec<bool> {
    let held = rows
        .iter()
        .map(|(a, _)| a.iter().filter(|e| !graph.is_zero(**e)).count());
    match held.max() {
        _ if !full.has_ties() => vec![false],
        Some(most) => vec![most > HELD, most <= HELD],
        None => vec![false],
    }
}

/// A plan that presumes something.
pub(in crate::program) struct Quick {
    worked: Worked,
    /// The coordinates that it takes to stand still.
    still: Still,
}

/// Rows like any others, of which no multipliers are asked for.
fn unchecked(list: &[(Vec<Value>, Value)]) -> Rows<'_> {
    Rows {
        list,
        asked: false,
        checked: false,
    }
}

/// Whether a plan of this price is followed in the first place, beside one of the other that presumes nothing, or a routine. It has to save so much at `least`.
fn pays(quick: Price, other: Option<Price>, least: usize) -> bool {
    let size = |price: Price| match price.cycles {
        0 => price.operations as f64,
        cycles => cycles as f64,
    };
    other.is_none_or(|other| {
        let [quick_size, other_size] = [size(quick), size(other)];
        let saved = other_size - quick_size;
        let saves = quick.operations >= LEAST || quick.operations + SAVED <= other.operations;
        saves && saved >= least as f64 && quick_size <= SHARE * other_size
    })
}

/// q'' and the rates of all speeds by a plan that presumes something, in the order of the symbols, with the margin.
pub(in crate::program) struct Found {
    values: Vec<Value>,
    solved: Vec<Value>,
    margin: Value,
    plan: PlanId,
    still: Vec<String>,
}

/// The values of [`symbols`] by a plan that presumes something. Nothing stays bound to them.
pub(in crate::program) fn found(w: &mut Writer<'_>, space: Space, quick: Quick) -> Option<Found> {
    let Quick { worked, still } = quick;
    let of_plan = margin(w, &worked.presumed);
    let of_still = still::margin(w, &still);
    let both = of_plan.zip(of_still);
    let both = both.map(|(a, b)| w.low.graph.binary(Binary::Min, a, b));
    let margin = both.or(of_plan).or(of_still)?;
    let plan = worked.id.clone();
    let names = w.c.system.coord_names("");
    let names = still.coordinates().map(|(c, _)| names[c].clone()).collect();
    let (values, solved) = w.standing(&still, |w| by_plan(w, space, worked));
    Some(Found {
        values,
        solved,
        margin,
        plan,
        still: names,
    })
}

fn by_plan(w: &mut Writer<'_>, space: Space, worked: Worked) -> (Vec<Value>, Vec<Value>) {
    let count = w.c.kinematics(space).motion.speeds.len();
    let solved: Vec<Value> = worked.unknowns.into_iter().take(count).collect();
    let mut values = kept_rows::accelerations(w, space, &solved);
    let dots = unknowns::speed_dots(w);
    values.extend(dots);
    (values, solved)
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
            still: self.still,
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
