//! The cheapest of several plans.

use super::error::SolveError;
use super::factor::eliminate;
use super::order::Ordering;
use super::plan::Plan;
use super::system::SymmetricSystem;
use crate::ir::{Cost, Graph, Value};

/// A row of the table of plans that were compared.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Candidate {
    /// Set of unknowns and order.
    pub name: String,
    /// Operations; `None` where there is no plan.
    pub cost: Option<Cost>,
    /// Whether it is the one that was kept. One at most is.
    pub chosen: bool,
    /// What the judge said, or why there is no plan.
    pub note: String,
}

/// One way to state the same problem.
#[derive(Clone, Copy, Debug)]
pub struct Variant<'a> {
    /// How the table calls it, such as `bordered`; may be empty.
    pub name: &'a str,
    /// The system.
    pub system: &'a SymmetricSystem,
    /// The unknowns that are asked for, as indices into this system.
    pub wanted: &'a [usize],
    /// Values that this way needs computed beside the unknowns; they are counted once.
    pub extra_roots: &'a [Value],
}

/// What a caller says of a plan whose rounding error it has measured.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// It may be chosen.
    Keep(String),
    /// It may not.
    Reject(String),
}

/// The cheapest plan for one system: [`best_of`] with a single variant and no judge.
pub fn best(
    graph: &mut Graph,
    system: &SymmetricSystem,
    wanted: &[usize],
    orderings: &[Ordering],
    extra_roots: &[Value],
    nonzero: &dyn Fn(&Graph, Value) -> bool,
) -> Result<(Plan, Vec<Candidate>), SolveError> {
    let variant = Variant {
        name: "",
        system,
        wanted,
        extra_roots,
    };
    let keep = &mut |_: &Graph, _: usize, _: &Plan| Verdict::Keep(String::new());
    let (_, plan, table) = best_of(graph, &[variant], orderings, nonzero, keep)?;
    Ok((plan, table))
}

/// The cheapest plan that the judge lets pass, which variant it belongs to, and the table of all that were compared.
///
/// Costs are exact operation counts on the shared graph. Of equally cheap plans the first in the order of the lists is kept:
/// variants first, then orderings. `judge` is given the number of the variant and its plan. A variant without a plan is passed
/// over as long as another has one.
pub fn best_of(
    graph: &mut Graph,
    variants: &[Variant<'_>],
    orderings: &[Ordering],
    nonzero: &dyn Fn(&Graph, Value) -> bool,
    judge: &mut dyn FnMut(&Graph, usize, &Plan) -> Verdict,
) -> Result<(usize, Plan, Vec<Candidate>), SolveError> {
    let mut table = Vec::new();
    let mut chosen: Option<(usize, usize, Plan)> = None;
    let mut failure = None;
    for (number, variant) in variants.iter().enumerate() {
        for &ordering in orderings {
            let name = match variant.name {
                "" => ordering.to_string(),
                system => format!("{system}, {ordering}"),
            };
            let row = match eliminate(graph, variant.system, variant.wanted, ordering, nonzero) {
                Err(error) => {
                    let note = error.to_string();
                    failure.get_or_insert(error);
                    Candidate::new(name, None, note)
                }
                Ok(mut plan) => {
                    let mut roots = plan.roots(variant.wanted);
                    roots.extend(variant.extra_roots);
                    plan.cost = graph.count(&roots);
                    plan.name.clone_from(&name);
                    let cost = plan.cost;
                    let note = match judge(graph, number, &plan) {
                        Verdict::Reject(note) => note,
                        Verdict::Keep(note) => {
                            let cheapest = chosen.as_ref().map(|(_, _, plan)| plan.cost.total());
                            if cheapest.is_none_or(|cheapest| cost.total() < cheapest) {
                                chosen = Some((table.len(), number, plan));
                            }
                            note
                        }
                    };
                    Candidate::new(name, Some(cost), note)
                }
            };
            table.push(row);
        }
    }
    match (chosen, failure) {
        (Some((row, number, plan)), _) => {
            table[row].chosen = true;
            Ok((number, plan, table))
        }
        _ if table.is_empty() => Err(SolveError::NoCandidates),
        (None, Some(error)) if table.iter().all(|row| row.cost.is_none()) => Err(error),
        _ => Err(SolveError::AllRejected {
            notes: table
                .into_iter()
                .map(|row| format!("{}: {}", row.name, row.note))
                .collect(),
        }),
    }
}

impl Candidate {
    fn new(name: String, cost: Option<Cost>, note: String) -> Self {
        Self {
            name,
            cost,
            chosen: false,
            note,
        }
    }
}
