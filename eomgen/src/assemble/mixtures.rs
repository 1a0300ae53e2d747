//! Statements of the equations in which the parts of a machine are written in ways of their own. From the best of those that are the same all
//! over, one part after another is written otherwise, in one respect at a time, and what is better is kept. It ends where nothing
//! is, or when half as many plans have been tried as before.

use super::portfolio::Rows;
use super::uncondensed::{self, Change, Choice, Known, Part, Skeleton, Stated};
use crate::ir::{Graph, Value};
use crate::solve::{Means, Ordering, Plan, Search, SymmetricSystem, Variant, Verdict};

/// Orders that each mixture is tried in, of those that were best before.
const ORDERS: usize = 2;

/// What turns plans down.
type Judge<'j> = &'j mut dyn FnMut(&Graph, usize, &Plan) -> Verdict;

/// What mixtures are made of.
pub(super) struct Mixer<'a> {
    pub skeleton: &'a Skeleton,
    pub known: &'a Known<'a>,
    pub rows: Rows<'a>,
    /// How many rates are asked for.
    pub expected: usize,
}

/// The unknowns that are asked for: so many rates, and the multipliers that are checked, which are the last unknowns.
pub(super) fn asked(system: &SymmetricSystem, expected: usize) -> Vec<usize> {
    let multipliers = system.first_checked()..system.len();
    (0..expected).chain(multipliers).collect()
}

impl Mixer<'_> {
    fn state(&self, graph: &mut Graph, choice: Choice) -> Option<Stated> {
        let rows: &[(Vec<Value>, Value)] = self.rows.list;
        let mut way = uncondensed::state(self.skeleton, graph, self.known, rows, choice)?;
        if self.rows.checked {
            way.system.checked = rows.len();
        }
        Some(way)
    }

    /// Goes on with a search in mixtures, unless one plan `among` all was asked for; returns the mixtures, which are numbered behind `ways`.
    pub fn refine(
        &self,
        graph: &mut Graph,
        search: &mut Search,
        ways: &[&Stated],
        among: Option<&str>,
        (means, judge): (&Means<'_>, Judge<'_>),
    ) -> Vec<Stated> {
        let mut mixed: Vec<Stated> = Vec::new();
        let Some((number, orders)) = search.best() else {
            return mixed;
        };
        let Some(mut best) = ways[number].choice.clone() else {
            return mixed;
        };
        // A single plan is not a search.
        if among.is_some() && search.tries() == 1 {
            return mixed;
        }
        let most = search.tries() + search.tries() / 2;
        let parts = self.skeleton.parts(graph, self.rows.list);
        let mut better = true;
        while better {
            better = false;
            for (change, part) in each(&parts) {
                if search.tries() + ORDERS > most {
                    return mixed;
                }
                let choice = best.with(&part.name, &part.frames, change);
                let Some(way) = choice.and_then(|choice| self.state(graph, choice)) else {
                    continue;
                };
                let mut known = ways.iter().copied().chain(&mixed);
                if known.any(|other| other.is(&way.system)) {
                    continue;
                }
                let wanted = asked(&way.system, self.expected);
                let variant = Variant {
                    name: &way.name,
                    system: &way.system,
                    wanted: &wanted,
                    extra_roots: &[],
                };
                let number = ways.len() + mixed.len();
                for &ordering in orders.iter().take(ORDERS) {
                    let variant = (number, &variant);
                    if search.goes_on(graph, variant, ordering, means, judge) {
                        better = true;
                        best = way.choice.clone().unwrap_or(best);
                    }
                }
                mixed.push(way);
            }
        }
        mixed
    }

    /// The mixture that is meant by the name of a plan, if it is one.
    pub fn named(&self, graph: &mut Graph, ways: &[&Stated], name: &str) -> Option<Stated> {
        let parts = self.skeleton.parts(graph, self.rows.list);
        for way in ways {
            let (Some(mut choice), Some(mut rest)) =
                (way.choice.clone(), name.strip_prefix(way.name.as_str()))
            else {
                continue;
            };
            let mut mixed = false;
            while let Some((part, change, left)) = each(&parts).find_map(|(change, part)| {
                let left = rest.strip_prefix(&format!(", {} {change}", part.name))?;
                Some((part, change, left))
            }) {
                choice = choice.with(&part.name, &part.frames, change)?;
                (mixed, rest) = (true, left);
            }
            let known = rest.strip_prefix(", ").is_some_and(Ordering::is_name);
            if mixed && known {
                return self.state(graph, choice);
            }
        }
        None
    }
}

/// All changes of all parts.
fn each(parts: &[Part]) -> impl Iterator<Item = (Change, &Part)> {
    let changes = Change::ALL.into_iter();
    changes.flat_map(move |change| parts.iter().map(move |part| (change, part)))
}
