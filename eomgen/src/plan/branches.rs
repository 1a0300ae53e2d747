//! Statements of the equations in which the parts of a machine are written in ways of their own. From the best of those that are the same all
//! over, one part after another is written otherwise, in one respect at a time, and what is better is kept. It ends where nothing
//! is, or when half as many plans have been tried as before.

use super::facts::ValueFacts;
use super::full_system::{self, Change, Choice, Part, Rows, Skeleton, Stated};
use super::id::{PlanId, Statement};
use crate::ir::Graph;
use crate::solve::{EliminationContext, Plan, Search, SymmetricSystem, Variant, Verdict};

/// Orders that each statement is tried in, of those that were best before.
const ORDERS: usize = 2;
/// So many times as many plans are tried of large machines as of the statements that are the same all over; equal parts change together.
const TRIES_OF_LARGE: usize = 3;

/// Of chains that are deeper than this the mass matrix is not tried. Eliminating in it costs each joint the square of its depth, which exceeds what the balances of its
/// own body cost from a depth of ten or so.
const DEEP: usize = 24;

/// What turns plans down.
type Review<'j> = &'j mut dyn FnMut(&Graph, usize, &Plan) -> Verdict;

/// What per-branch statements are made of.
pub(super) struct Branches<'a> {
    pub skeleton: &'a Skeleton,
    pub facts: &'a ValueFacts,
    pub rows: Rows<'a>,
    /// How many rates are asked for.
    pub expected: usize,
    /// Whether the system is large, so that equal parts change together.
    pub large: bool,
}

/// The unknowns that are asked for: so many rates, and multipliers of rows, which are the last unknowns.
pub(super) fn asked(system: &SymmetricSystem, expected: usize, rows: Rows<'_>) -> Vec<usize> {
    let multipliers = system.len() - rows.multipliers()..system.len();
    (0..expected).chain(multipliers).collect()
}

impl Branches<'_> {
    fn state(&self, graph: &mut Graph, choice: Choice) -> Option<Stated> {
        full_system::state(self.skeleton, graph, self.facts, self.rows, choice)
    }

    /// Goes on with a search in per-branch statements, unless a single plan was requested; returns the statements, which are numbered
    /// behind `ways`.
    pub fn refine(
        &self,
        graph: &mut Graph,
        search: &mut Search,
        ways: &[&Stated],
        context: &EliminationContext<'_>,
        review: Review<'_>,
    ) -> Vec<Stated> {
        let mut mixed: Vec<Stated> = Vec::new();
        let Some((number, orders)) = search.best() else {
            return mixed;
        };
        let Some(mut best) = ways[number].choice.clone() else {
            return mixed;
        };
        let (most, parts, with) = if self.large {
            let kinds = self.skeleton.kinds_of_parts(graph, self.rows.list);
            (TRIES_OF_LARGE * search.tries(), kinds, 1)
        } else {
            let parts = self.skeleton.parts(graph, self.rows.list);
            (search.tries() + search.tries() / 2, parts, ORDERS)
        };
        let mut better = true;
        while better {
            better = false;
            for (change, part) in each(&parts) {
                if search.tries() + with > most {
                    return mixed;
                }
                if change == Change::Condensed && self.skeleton.mean_depth(&part.frames) > DEEP {
                    continue;
                }
                let choice = best.with(&part.name, &part.frames, change);
                let Some(way) = choice.and_then(|choice| self.state(graph, choice)) else {
                    continue;
                };
                let mut known = ways.iter().copied().chain(&mixed);
                if known.any(|other| other.is(&way.system)) {
                    continue;
                }
                let wanted = asked(&way.system, self.expected, self.rows);
                let variant = Variant {
                    system: &way.system,
                    wanted: &wanted,
                    extra_roots: &[],
                };
                let number = ways.len() + mixed.len();
                for &ordering in orders.iter().take(with) {
                    let variant = (number, &variant);
                    if search.goes_on(graph, variant, ordering, context, review) {
                        better = true;
                        best = way.choice.clone().unwrap_or(best);
                    }
                }
                mixed.push(way);
            }
        }
        mixed
    }

    /// The per-branch statement of a plan, if it has one that is not among `ways`.
    pub fn of_plan(&self, graph: &mut Graph, ways: &[&Stated], id: &PlanId) -> Option<Stated> {
        let Statement::NewtonEuler(choice) = &id.statement else {
            return None;
        };
        let there = ways.iter().any(|way| way.choice.as_ref() == Some(choice));
        let fits = choice.is_mixed() && choice.fits(self.skeleton);
        (fits && !there)
            .then(|| self.state(graph, choice.clone()))
            .flatten()
    }
}

/// All changes of all parts.
fn each(parts: &[Part]) -> impl Iterator<Item = (Change, &Part)> {
    let changes = Change::ALL.into_iter();
    changes.flat_map(move |change| parts.iter().map(move |part| (change, part)))
}
