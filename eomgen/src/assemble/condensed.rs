//! The mass matrix and the forcing from the uncondensed equations: M is what is left when every acceleration has been eliminated with its
//! kinematic row, f what inverse dynamics at zero rates leaves unbalanced. Where the formulation has stated M and f, these have to agree
//! with it at points of the prime field, and are taken only if they need fewer operations.
//!
//! Of very many speeds M is not formed: its entries grow with the square of their number, and everything else with the number.

use super::dynamics::cheapest;
use super::portfolio::LARGE;
use super::signs::Signs;
use super::{Presentation, Work, accuracy, group, uncondensed};
use crate::form::Space;
use crate::ir::field::Points;
use crate::ir::{Graph, Prepared, Prints, Slot, Value};
use crate::solve::{self, Means};
use std::cmp::Reverse;
use std::rc::Rc;

/// M of more speeds than this is not formed where the formulation does not state it.
pub(super) const LARGEST: usize = 128;

/// The uncondensed equations of a space without constraint rows.
pub(super) struct Statement {
    /// All ways to write them.
    pub ways: Vec<uncondensed::Stated>,
    /// What they are made of.
    pub skeleton: uncondensed::Skeleton,
}

impl Work<'_> {
    /// The uncondensed equations of a space; `None` where loads depend on reactions, or gravity or loads cannot be written.
    pub(super) fn stated(&mut self, space: Space) -> Option<Rc<Statement>> {
        if let Some((_, known)) = self.statements.iter().find(|s| s.0 == space) {
            return known.clone();
        }
        let prepared = Prepared::new(&[group::PARAMS]);
        let prints = Prints::new(0);
        let signs = Signs::new(self.positive_slots());
        let positive = |g: &Graph, v: Value| signs.is_positive(g, v);
        let known = uncondensed::Known {
            prepared: &prepared,
            prints: &prints,
            positive: &positive,
            large: LARGE,
        };
        let built = if self.c.coupled {
            None
        } else {
            uncondensed::build(&mut self.c, &mut self.low, &known, space, &[])
        };
        let built = built.map(|(ways, skeleton)| Rc::new(Statement { ways, skeleton }));
        self.statements.push((space, built.clone()));
        built
    }

    /// M by rows, and f, with the fewest operations; M is empty where it is [too large](LARGEST).
    pub(super) fn mass_and_forcing(&mut self) -> (Vec<Value>, Vec<Value>) {
        if let Some(known) = &self.reduced {
            return known.clone();
        }
        let e = self.formulated.equations.clone();
        let entries = e.mass.iter().flatten();
        let stated_mass = self.low.lower_all(&self.c.alg, entries);
        let stated_forcing = self.low.lower_all(&self.c.alg, &e.forcing);
        let whole = self.formulated.cyclic.is_empty() && self.presentation == Presentation::Staged;
        let mut masses: Vec<Vec<Value>> = Vec::new();
        let mut forcings: Vec<Vec<Value>> = Vec::new();
        if !self.unstated {
            masses.push(stated_mass.clone());
            forcings.push(stated_forcing.clone());
        }
        if whole && let Some(statement) = self.stated(e.space) {
            let count = statement.skeleton.speeds.len();
            if !self.lacks_matrix(count) {
                let graph = &mut self.low.graph;
                let ways = statement.ways.iter();
                let ways = ways.filter(|way| way.paired && !way.shifted);
                masses.extend(ways.filter_map(|way| mass_matrix(graph, way, count)));
            }
            let still = vec![self.low.graph.zero(); count];
            for missing in self.recursions(e.space, &still).into_iter().flatten() {
                let graph = &mut self.low.graph;
                forcings.push(missing.into_iter().map(|v| graph.neg(v)).collect());
            }
        }
        if !self.unstated {
            let points = Points::new(0);
            let graph = &mut self.low.graph;
            masses.retain(|list| agree(graph, &points, list, &stated_mass));
            forcings.retain(|list| agree(graph, &points, list, &stated_forcing));
        }
        let graph = &self.low.graph;
        let found = (
            cheapest(graph, masses).unwrap_or_default(),
            cheapest(graph, forcings).unwrap_or_default(),
        );
        self.reduced = Some(found.clone());
        found
    }

    fn lacks_matrix(&self, speeds: usize) -> bool {
        self.unstated && speeds > LARGEST
    }

    /// What the rates of equations that are not stated are compared with.
    pub(super) fn reference(&mut self) -> Option<accuracy::Reference> {
        let speeds = self
            .stated(self.formulated.equations.space)?
            .skeleton
            .speeds
            .len();
        if !self.lacks_matrix(speeds) {
            let (mass, forcing) = self.mass_and_forcing();
            return Some(accuracy::Reference::of_equations(
                &self.low.graph,
                &mass,
                &forcing,
            ));
        }
        // Column by column: what inverse dynamics asks for each rate alone.
        let rates: Vec<Value> = (0..speeds)
            .map(|i| {
                self.low.graph.input(Slot {
                    group: group::GIVEN,
                    index: i as u32,
                })
            })
            .collect();
        let ways = self.recursions(self.formulated.equations.space, &rates)?;
        let missing = cheapest(&self.low.graph, ways)?;
        let graph = &self.low.graph;
        Some(accuracy::Reference::of_inverse_dynamics(graph, &missing))
    }
}

/// Whether two lists are equal as functions of the inputs.
fn agree(graph: &mut Graph, points: &Points, found: &[Value], stated: &[Value]) -> bool {
    found.len() == stated.len()
        && found.iter().zip(stated).all(|(a, b)| {
            let difference = graph.sub(*a, *b);
            !points.nonzero(graph, difference)
        })
}

/// M by rows, from the leaves of the tree to its root.
fn mass_matrix(graph: &mut Graph, way: &uncondensed::Stated, speeds: usize) -> Option<Vec<Value>> {
    // Accelerations, then as many reactions in the same order.
    let mut system = way.system.clone();
    system.rhs.clear();
    let steps = (system.len() - speeds) / 2;
    let mut order: Vec<usize> = (0..steps).collect();
    order.sort_by_key(|i| Reverse((system.unknowns[speeds + i].depth, *i)));
    let pairs = order.iter().map(|i| (speeds + i, speeds + steps + i));
    let pairs: Vec<(usize, usize)> = pairs.collect();
    let (points, prints) = (Points::new(0), Prints::new(0));
    let nonzero = |g: &Graph, v: Value| points.nonzero(g, v);
    let means = Means {
        prints: Some(&prints),
        ..Means::exact(&nonzero)
    };
    let left = solve::condense(graph, &system, &pairs, &means).ok()?;
    let zero = graph.zero();
    let entries = (0..speeds * speeds).map(|k| left.get(k / speeds, k % speeds));
    Some(entries.map(|entry| entry.unwrap_or(zero)).collect())
}
