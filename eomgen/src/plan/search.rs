//! The search for the plan of the accelerations: the full Newton-Euler system, in independent speeds or in all rates with the constraints as
//! rows, in many statements and orders. Every plan is counted on the shared graph; what could fail somewhere or loses digits is turned down.

use super::accuracy::{self, Reference};
use super::aims::Aims;
use super::branches::{Branches, asked};
use super::facts::ValueFacts;
use super::full_system::{FullSystem, LARGE, Rows, Stated};
use super::group;
use super::id::{Compared, PlanId, Role, Statement};
use super::presumed::{Ordinary, Usual, margin};
use crate::catalogue;
use crate::ir::field::Points;
use crate::ir::{Graph, Prepared, Value};
use crate::solve::{
    self, Candidate, Effort, EliminationContext, Growth, Ordering, Plan, Presumed, SymmetricSystem,
    Variant, Verdict,
};
use std::cell::RefCell;

/// Plans of more operations than this are measured for rounding errors only where they are the cheapest so far.
const SMALL: usize = 5_000;

/// A plan worked out, with the values of the unknowns that were asked for.
pub(crate) struct Worked {
    pub unknowns: Vec<Value>,
    pub id: PlanId,
    pub plan: Plan,
    /// Pivots that are not proven never to vanish, and how conditions call them.
    pub doubtful: Vec<(String, Value)>,
    /// What the plan takes not to vanish although it may: at states at which it is small another plan has to be followed.
    pub presumed: Vec<Value>,
}

/// What a search found, and what it compared.
pub(crate) struct Outcome {
    pub worked: Option<Worked>,
    pub compared: Vec<Compared>,
}

/// Factors the mass matrix, in the better of two orders; `None` where that is not possible.
pub(crate) fn mass_matrix(
    graph: &mut Graph,
    system: &SymmetricSystem,
    aims: &Aims,
) -> Option<(Worked, Vec<Compared>)> {
    let wanted: Vec<usize> = (0..system.len()).collect();
    let points = Points::new(0);
    let nonzero = |g: &Graph, v: Value| points.nonzero(g, v);
    let prepared = Prepared::new(&[group::PARAMS]);
    let context = EliminationContext {
        prepared: aims.by_time().then_some(&prepared),
        by_time: aims.by_time(),
        ..EliminationContext::exact(&nonzero)
    };
    let variant = Variant {
        system,
        wanted: &wanted,
        extra_roots: &[],
    };
    let orders = [Ordering::Natural, Ordering::MinimumDegree];
    let keep = &mut |_: &Graph, _: usize, _: &Plan| Verdict::Keep(String::new());
    let (_, plan, table) = solve::best_of(graph, &[variant], &orders, &context, keep).ok()?;
    let worked = Worked {
        unknowns: plan.roots(&wanted),
        id: PlanId {
            role: Role::Unknowns,
            statement: Statement::MassMatrix,
            order: plan.order,
        },
        plan,
        doubtful: Vec::new(),
        presumed: Vec::new(),
    };
    let table = table.into_iter();
    let compared = table.map(|row| Compared::new(Role::Unknowns, Statement::MassMatrix, row));
    Some((worked, compared.collect()))
}

/// What is searched through.
pub(crate) struct Problem<'a> {
    /// The full system with these rows; `None` where only the bordered mass matrix was requested.
    pub full: Option<&'a FullSystem>,
    /// The bordered mass matrix.
    pub bordered: Option<SymmetricSystem>,
    pub rows: Rows<'a>,
    /// How many of the first unknowns are asked for.
    pub expected: usize,
    /// What they are compared with.
    pub reference: &'a Reference,
}

impl Problem<'_> {
    fn role(&self) -> Role {
        match self.rows {
            Rows { list: [], .. } => Role::Unknowns,
            Rows { checked: true, .. } => Role::CheckedRows,
            _ => Role::Accelerations,
        }
    }
}

/// The best plan for a problem, if there is one that is certain and accurate, and all that were compared.
pub(crate) fn search(graph: &mut Graph, problem: Problem<'_>, aims: &Aims) -> Outcome {
    let facts = aims.facts();
    let branches = problem.full.map(|full| Branches {
        skeleton: &full.skeleton,
        facts: &facts,
        rows: problem.rows,
        expected: problem.expected,
        large: full.is_large(),
    });
    let asked_for_full = aims.plan == catalogue::Plan::NewtonEuler;
    let bordered = problem.bordered.clone().filter(|_| !asked_for_full);
    let bordered = bordered.map(|system| Stated {
        shifted: false,
        tied: false,
        paired: false,
        choice: None,
        system,
    });
    let all = problem.full.iter().flat_map(|full| &full.ways);
    let mut ways: Vec<&Stated> = all.chain(&bordered).collect();
    let repeated = branches.as_ref().zip(aims.only.as_ref());
    let repeated = repeated.and_then(|(branches, id)| branches.of_plan(graph, &ways, id));
    ways.extend(&repeated);
    let attempt = Attempt {
        problem: &problem,
        aims,
        facts: &facts,
        branches,
        ways: &ways,
        presumed: None,
        only: aims.only.as_ref(),
    };
    let mut found = attempt.run(graph, true, accuracy::MOST);
    // Rows are left to a routine that takes many times as long, if no plan is as accurate as can be: one that is accurate enough is taken then.
    if found.best.is_none() && problem.role() == Role::CheckedRows {
        let most = problem.reference.digits_to_spare();
        if most > accuracy::MOST {
            found = attempt.run(graph, true, most);
        }
    }
    // What was requested is taken even where it may fail, and says where.
    if found.best.is_none() && aims.by_name() {
        found = attempt.run(graph, false, f64::MAX);
    }
    attempt.outcome(found)
}

/// The best plan for rates with rows in which pivots are presumed not to vanish that seldom do, each as early as it pays, with rows in accelerations or with
/// rows in rates. It has to be accurate at the states
/// of the reference at which that holds, and is of no use at others.
pub(crate) fn search_presuming(
    graph: &mut Graph,
    problem: &Problem<'_>,
    ordinary: &Ordinary,
    tied: bool,
    aims: &Aims,
) -> Option<Worked> {
    let full = problem.full?;
    let facts = aims.facts();
    let ways = full.ways.iter().filter(|way| way.tied == tied);
    let unchecked: Vec<Stated> = ways.map(Stated::unchecked).collect();
    let branches = Branches {
        skeleton: &full.skeleton,
        facts: &facts,
        rows: problem.rows,
        expected: problem.expected,
        large: full.is_large(),
    };
    let mut ways: Vec<&Stated> = unchecked.iter().collect();
    let repeated = aims.only_presuming.as_ref();
    let repeated = repeated.and_then(|id| branches.of_plan(graph, &ways, id));
    ways.extend(&repeated);
    let usual = Usual::new(ordinary);
    let holds = |graph: &Graph, value: Value| usual.holds(graph, value);
    let relied = RefCell::default();
    let attempt = Attempt {
        problem,
        aims,
        facts: &facts,
        branches: Some(branches),
        ways: &ways,
        presumed: Some(Presumed {
            holds: &holds,
            relied: &relied,
        }),
        only: aims.only_presuming.as_ref(),
    };
    let found = attempt.run(graph, true, accuracy::MOST);
    let worked = attempt.outcome(found).worked?;
    let Some(margin) = margin(graph, &worked.presumed) else {
        return Some(worked);
    };
    // Where the rounding of a size decides, nothing is presumed.
    if !usual.is_positive(graph, margin) {
        return None;
    }
    let at = problem.reference.positive(graph, margin);
    let lost = problem
        .reference
        .digits_lost_at(graph, &worked.unknowns, &at);
    (lost <= accuracy::MOST).then_some(worked)
}

/// What a search came to.
struct Found {
    /// The variant that was chosen, and its plan.
    best: Option<(usize, Plan)>,
    /// All that were compared.
    table: Vec<Candidate>,
    /// The per-branch statements behind the others.
    mixed: Vec<Stated>,
}

/// One search through all the ways to state a problem.
struct Attempt<'a> {
    problem: &'a Problem<'a>,
    aims: &'a Aims,
    facts: &'a ValueFacts,
    branches: Option<Branches<'a>>,
    ways: &'a [&'a Stated],
    presumed: Option<Presumed<'a>>,
    /// The one plan that is tried.
    only: Option<&'a PlanId>,
}

fn statement(way: &Stated) -> Statement {
    match &way.choice {
        Some(choice) => Statement::NewtonEuler(choice.clone()),
        None => Statement::Bordered,
    }
}

impl Attempt<'_> {
    /// The cheapest plan that loses no more than `most` digits; with `certain_only` of those in which no pivot can vanish.
    fn run(&self, graph: &mut Graph, certain_only: bool, most: f64) -> Found {
        let (expected, reference) = (self.problem.expected, self.problem.reference);
        let asked: Vec<Vec<usize>> = (self.ways.iter())
            .map(|way| asked(&way.system, expected, self.problem.rows))
            .collect();
        let variants: Vec<Variant<'_>> = (self.ways.iter().zip(&asked))
            .map(|(way, asked)| Variant {
                system: &way.system,
                wanted: asked,
                extra_roots: &[],
            })
            .collect();
        let large = variants.iter().any(|v| v.system.len() > LARGE);
        let effort = if large { Effort::SMALL } else { Effort::USUAL };
        let nonzero = |g: &Graph, v: Value| self.facts.points.nonzero(g, v);
        let never_zero = |g: &Graph, v: Value| self.facts.never_zero(g, v);
        let digits = |g: &Graph, v: &[Value]| match self.presumed {
            Some(_) => reference.digits_lost_usually(g, v),
            None => reference.digits_lost(g, v),
        };
        let context = EliminationContext {
            nonzero: &nonzero,
            prints: Some(&self.facts.prints),
            prepared: Some(&self.facts.prepared),
            never_zero: &never_zero,
            certain_only,
            by_time: self.aims.by_time(),
            presumed: self.presumed,
            growth: Some(Growth {
                digits: &digits,
                most,
                small: SMALL,
            }),
        };
        let wanted: Vec<usize> = (0..expected).collect();
        let mut review =
            |g: &Graph, _: usize, plan: &Plan| match accuracy::refusal(plan, certain_only) {
                Some(why) => Verdict::Reject(why.into()),
                None => {
                    let [error, _] = reference.errors(g, &plan.roots(&wanted));
                    Verdict::Keep(format!("error {error:.0e}"))
                }
            };
        let only = self.only();
        let mut search = solve::search(graph, &variants, effort, only, &context, &mut review);
        // A single plan is not a search.
        let single = self.only.is_some() && search.tries() == 1;
        let mixed = match &self.branches {
            Some(branches) if !single && search.has_found() => {
                branches.refine(graph, &mut search, self.ways, &context, &mut review)
            }
            _ => Vec::new(),
        };
        let (best, table) = search.finish();
        Found { best, table, mixed }
    }

    /// The one plan that was requested, as a number and an order.
    fn only(&self) -> Option<(usize, Ordering)> {
        let id = self.only?;
        let number = self
            .ways
            .iter()
            .position(|way| statement(way) == id.statement);
        Some((number?, id.order))
    }

    fn outcome(&self, found: Found) -> Outcome {
        let role = self.problem.role();
        let ways: Vec<&Stated> = self.ways.iter().copied().chain(&found.mixed).collect();
        let rows = found.table.into_iter();
        let compared = rows.map(|row| Compared::new(role, statement(ways[row.variant]), row));
        let compared = compared.collect();
        let Some((number, plan)) = found.best else {
            return Outcome {
                worked: None,
                compared,
            };
        };
        let system = &ways[number].system;
        let doubtful = plan.pivots.iter();
        let doubtful = doubtful.filter(|p| !p.certain && p.checked.is_none());
        let doubtful = doubtful.filter_map(|pivot| {
            let names = pivot.unknowns.iter();
            let names: Vec<&str> = names.map(|i| system.unknowns[*i].name.as_str()).collect();
            Some((names.join(" and "), pivot.value?))
        });
        let wanted = asked(system, self.problem.expected, self.problem.rows);
        let unknowns = plan.roots(&wanted);
        let worked = Worked {
            doubtful: doubtful.collect(),
            presumed: plan.presumed.clone(),
            id: PlanId {
                role,
                statement: statement(ways[number]),
                order: plan.order,
            },
            plan,
            unknowns,
        };
        Outcome {
            compared,
            worked: (worked.unknowns.len() == wanted.len()).then_some(worked),
        }
    }
}
