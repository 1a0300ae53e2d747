//! The cheapest of several plans.

use super::context::EliminationContext;
use super::dissect;
use super::error::SolveError;
use super::factor::eliminate_within;
use super::order::Ordering;
use super::plan::Plan;
use super::system::SymmetricSystem;
use crate::ir::{Cost, Graph, Price, Value};
use crate::stage::{self, Stage};

/// A row of the table of plans that were compared.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Candidate {
    /// The number of the variant that was eliminated.
    pub variant: usize,
    /// In which order.
    pub order: Ordering,
    /// Operations; `None` where there is no plan.
    pub cost: Option<Cost>,
    /// The longest chain of operations that wait for one another, in cycles; `None` where there is no plan, and where nobody said what is known
    /// beforehand.
    pub path: Option<u32>,
    /// The cycles that it is estimated to take; `None` where there is no path.
    pub time: Option<u32>,
    /// Tenths of decimal digits that it loses against the plan that is trusted; `None` where that was not measured.
    pub growth: Option<u32>,
    /// Whether it is the one that was kept. One at most is.
    pub chosen: bool,
    /// What the review said, or why there is no plan.
    pub note: String,
}

/// One way to state the same problem; known by its number in the list.
#[derive(Clone, Copy, Debug)]
pub struct Variant<'a> {
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

/// The cheapest plan for one system: [`best_of`] with a single variant and no review.
pub fn best(
    graph: &mut Graph,
    system: &SymmetricSystem,
    wanted: &[usize],
    orderings: &[Ordering],
    extra_roots: &[Value],
    nonzero: &dyn Fn(&Graph, Value) -> bool,
) -> Result<(Plan, Vec<Candidate>), SolveError> {
    let variant = Variant {
        system,
        wanted,
        extra_roots,
    };
    let keep = &mut |_: &Graph, _: usize, _: &Plan| Verdict::Keep(String::new());
    let (_, plan, table) = best_of(
        graph,
        &[variant],
        orderings,
        &EliminationContext::exact(nonzero),
        keep,
    )?;
    Ok((plan, table))
}

/// The cheapest plan that passes review, which variant it belongs to, and the table of all that were compared.
///
/// Costs are exact operation counts on the shared graph. Of equally cheap plans the first in the order of the lists is kept:
/// variants first, then orderings. What is not cheaper than the cheapest so far is not reviewed, and what loses too many
/// digits by [`EliminationContext::growth`] is turned down. `review` is given the number of the variant and its plan. A variant without a plan is passed
/// over as long as another has one. An order that works through twice as many entries as another is given up, so that
/// the worst of them does not decide how long planning takes.
pub fn best_of(
    graph: &mut Graph,
    variants: &[Variant<'_>],
    orderings: &[Ordering],
    context: &EliminationContext<'_>,
    review: &mut dyn FnMut(&Graph, usize, &Plan) -> Verdict,
) -> Result<(usize, Plan, Vec<Candidate>), SolveError> {
    let unknowns = variants.iter().map(|variant| variant.system.len()).max();
    let mut allowance = FIRST_BUDGET + UPDATES_PER_UNKNOWN * unknowns.unwrap_or(0);
    loop {
        let mut search = Search::new(allowance);
        for (number, variant) in variants.iter().enumerate() {
            for &ordering in orderings {
                search.run(graph, (number, variant), ordering, context, review);
            }
        }
        if search.is_starved() {
            allowance = allowance.saturating_mul(BACK_OFF);
        } else {
            return search.verdict();
        }
    }
}

/// How much a search tries.
#[derive(Clone, Copy, Debug)]
pub struct Effort {
    /// Orders that every variant is tried in.
    pub scouts: &'static [Ordering],
    /// Orders of the second round.
    pub family: &'static [Ordering],
    /// Most variants that reach the second round.
    pub rounds: usize,
}

impl Effort {
    /// Of small systems, for which planning takes no time.
    pub const USUAL: Self = Self {
        scouts: &Ordering::SCOUTS,
        family: &Ordering::FAMILY,
        rounds: 3,
    };

    /// Of large systems.
    pub const SMALL: Self = Self {
        scouts: &Ordering::SCOUTS_OF_LARGE,
        family: &Ordering::FAMILY_OF_LARGE,
        rounds: 1,
    };

    /// Whether an order belongs to one of the rounds.
    fn includes(&self, order: Ordering) -> bool {
        let mut all = self.scouts.iter().chain(self.family);
        all.any(|known| *known == order) || Ordering::FAMILY_OF_LONG.contains(&order)
    }
}

/// The cheapest plan found by a search in two rounds: every variant is tried with the few orders of [`Effort::scouts`], and
/// those that did best with all of [`Effort::family`]. Reviewed and counted as by [`best_of`]. With a variant and an order in `only`, that plan
/// alone is tried, if there is one. Where no plan passes, the search says of each why.
pub fn search(
    graph: &mut Graph,
    variants: &[Variant<'_>],
    effort: Effort,
    only: Option<(usize, Ordering)>,
    context: &EliminationContext<'_>,
    review: &mut dyn FnMut(&Graph, usize, &Plan) -> Verdict,
) -> Search {
    let unknowns = variants.iter().map(|variant| variant.system.len()).max();
    let mut allowance = FIRST_BUDGET + UPDATES_PER_UNKNOWN * unknowns.unwrap_or(0);
    loop {
        let mut search = Search::new(allowance);
        if let Some((number, order)) = only.filter(|only| effort.includes(only.1))
            && let Some(variant) = variants.get(number)
        {
            search.run(graph, (number, variant), order, context, review);
            if search.has_found() {
                return search;
            }
        }
        search.rounds(graph, variants, effort, context, review);
        if !search.is_starved() {
            return search;
        }
        allowance = allowance.saturating_mul(BACK_OFF);
    }
}

/// Updates of entries that the first order may take, whatever the size.
const FIRST_BUDGET: usize = 1_000;
/// And for each unknown; elimination of a robot arm takes some 8.
const UPDATES_PER_UNKNOWN: usize = 200;
/// An order may take this many times the updates of the best so far.
const SLACK: usize = 2;
/// If all orders were given up, they are all tried again with this many times the budget.
const BACK_OFF: usize = 16;

/// One comparison of candidates, which can be continued.
pub struct Search {
    budget: usize,
    table: Vec<Candidate>,
    /// Of each row what it is compared by.
    prices: Vec<Option<Price>>,
    /// The plans that may be chosen, by their rows of the table.
    accepted: Vec<(usize, Plan)>,
    failures: Vec<SolveError>,
}

impl Search {
    fn new(budget: usize) -> Self {
        Self {
            budget,
            table: Vec::new(),
            prices: Vec::new(),
            accepted: Vec::new(),
            failures: Vec::new(),
        }
    }

    /// The best of the plans that may be chosen, as an index into `accepted`: of those that take hardly longer than the quickest, the one of the fewest
    /// operations, and of equals the first. That does not depend on the order in which they were found.
    fn chosen(&self) -> Option<usize> {
        let price = |of: &(usize, Plan)| self.prices[of.0].unwrap_or_default();
        let least = self.least_cycles()?;
        let close = self.accepted.iter().enumerate();
        let close = close.filter(|(_, of)| price(of).is_close_to(least));
        let best = close.min_by_key(|(_, of)| (price(of).operations, price(of).cycles));
        best.map(|(index, _)| index)
    }

    /// The cycles of the quickest plan that may be chosen.
    fn least_cycles(&self) -> Option<usize> {
        let prices = self
            .accepted
            .iter()
            .filter_map(|(row, _)| self.prices[*row]);
        prices.map(|price| price.cycles).min()
    }

    /// Whether a plan would not be chosen at this price.
    fn is_costly(&self, price: Price) -> bool {
        let (Some(least), Some(best)) = (self.least_cycles(), self.chosen()) else {
            return false;
        };
        let best = self.prices[self.accepted[best].0].unwrap_or_default();
        // A quicker one may put the best so far out of reach.
        price.cycles >= least && !(price.is_close_to(least) && better(price, best))
    }

    /// Both rounds, and dissection where it is worth a try.
    fn rounds(
        &mut self,
        graph: &mut Graph,
        variants: &[Variant<'_>],
        effort: Effort,
        context: &EliminationContext<'_>,
        review: &mut dyn FnMut(&Graph, usize, &Plan) -> Verdict,
    ) {
        let mut ranks: Vec<(Price, usize)> = Vec::new();
        for (number, variant) in variants.iter().enumerate() {
            let from = self.table.len();
            for &order in effort.scouts {
                self.run(graph, (number, variant), order, context, review);
            }
            if let Some(price) = self.prices[from..].iter().flatten().min() {
                ranks.push((*price, number));
            }
        }
        ranks.sort_unstable();
        let long = |number: usize| dissect::is_long(variants[number].system);
        // Dissection takes more operations: of large systems it is not worth its time unless time is what counts.
        let dissections = match effort.rounds {
            1 if !context.by_time => 0,
            rounds => rounds,
        };
        let second = ranks.iter().take(effort.rounds);
        let second = second.flat_map(|rank| effort.family.iter().map(|order| (rank.1, *order)));
        let third = ranks.iter().filter(|rank| long(rank.1)).take(dissections);
        let third = third.flat_map(|rank| Ordering::FAMILY_OF_LONG.map(|order| (rank.1, order)));
        for (number, order) in second.chain(third) {
            self.run(graph, (number, &variants[number]), order, context, review);
        }
    }

    fn run(
        &mut self,
        graph: &mut Graph,
        (number, variant): (usize, &Variant<'_>),
        order: Ordering,
        context: &EliminationContext<'_>,
        review: &mut dyn FnMut(&Graph, usize, &Plan) -> Verdict,
    ) {
        stage::at(Stage::Plans(self.table.len() + 1));
        let Variant { system, wanted, .. } = *variant;
        let budget = self.budget.saturating_mul(order.slack());
        let (mut plan, updates) =
            match eliminate_within(graph, system, wanted, order, context, budget) {
                Ok(found) => found,
                Err(error) => {
                    self.prices.push(None);
                    self.table
                        .push(Candidate::new(number, order, None, error.to_string()));
                    self.failures.push(error);
                    return;
                }
            };
        let mut roots = plan.roots(wanted);
        roots.extend(variant.extra_roots);
        let estimate = context.estimate(graph, &roots);
        let (cost, price) = (estimate.cost, estimate.price(context.by_time));
        plan.cost = cost;
        let costly = self.is_costly(price);
        let measured = context
            .growth
            .filter(|growth| !costly || cost.total() <= growth.small);
        let digits = measured.map(|growth| (growth.digits)(graph, &plan.roots(wanted)));
        let most = context.growth.map_or(f64::INFINITY, |growth| growth.most);
        let verdict = match digits.filter(|digits| *digits > most) {
            Some(digits) if digits.is_finite() => Some(Verdict::Reject("loses digits".into())),
            Some(_) => Some(Verdict::Reject("no digit is right".into())),
            None if costly => None,
            None => Some(review(graph, number, &plan)),
        };
        let note = match verdict {
            None => String::new(),
            Some(Verdict::Reject(note)) => note,
            Some(Verdict::Keep(note)) => {
                // Only now: the slack must leave something to choose.
                let slack = (updates / order.slack()).saturating_mul(SLACK);
                self.budget = self.budget.min(slack.max(FIRST_BUDGET));
                self.accepted.push((self.table.len(), plan));
                note
            }
        };
        self.prices.push(Some(price));
        self.table.push(Candidate {
            path: context.prepared.map(|_| estimate.path),
            time: context.prepared.map(|_| estimate.cycles()),
            growth: digits.map(|digits| (10.0 * digits).round() as u32),
            ..Candidate::new(number, order, Some(cost), note)
        });
    }

    /// Whether the budget alone was to blame.
    fn is_starved(&self) -> bool {
        let starved = |error: &SolveError| matches!(error, SolveError::Budget { .. });
        self.accepted.is_empty() && self.failures.iter().any(starved)
    }

    /// The number of the variant of the best plan so far, and the orders in which it did best, the best first.
    pub fn best(&self) -> Option<(usize, Vec<Ordering>)> {
        let number = self.table[self.accepted[self.chosen()?].0].variant;
        let rows = self.table.iter().zip(&self.prices);
        let rows = rows.filter(|(row, _)| row.variant == number);
        let mut prices: Vec<(Price, Ordering)> = rows
            .filter_map(|(row, price)| Some(((*price)?, row.order)))
            .collect();
        prices.sort_by_key(|(price, _)| *price);
        let orders = prices.into_iter().map(|(_, order)| order);
        Some((number, orders.collect()))
    }

    /// How many plans were tried.
    pub fn tries(&self) -> usize {
        self.table.len()
    }

    /// Tries one more; whether it is the best now.
    pub fn goes_on(
        &mut self,
        graph: &mut Graph,
        (number, variant): (usize, &Variant<'_>),
        ordering: Ordering,
        context: &EliminationContext<'_>,
        review: &mut dyn FnMut(&Graph, usize, &Plan) -> Verdict,
    ) -> bool {
        let row = self.table.len();
        self.run(graph, (number, variant), ordering, context, review);
        self.chosen()
            .is_some_and(|best| self.accepted[best].0 == row)
    }

    /// Whether a plan has passed so far.
    pub fn has_found(&self) -> bool {
        !self.accepted.is_empty()
    }

    /// Takes the best plan, with its row, which is marked.
    fn take(&mut self) -> Option<(usize, Plan)> {
        let (row, plan) = self.accepted.swap_remove(self.chosen()?);
        self.table[row].chosen = true;
        Some((row, plan))
    }

    /// The best plan with the variant that it belongs to, if any passed, and the table of all that were tried.
    pub fn finish(mut self) -> (Option<(usize, Plan)>, Vec<Candidate>) {
        let found = self.take();
        let found = found.map(|(row, plan)| (self.table[row].variant, plan));
        (found, self.table)
    }

    /// The best plan, the variant it belongs to, and the table of all that were tried.
    fn verdict(mut self) -> Result<(usize, Plan, Vec<Candidate>), SolveError> {
        if let Some((row, plan)) = self.take() {
            return Ok((self.table[row].variant, plan, self.table));
        }
        if self.table.is_empty() {
            return Err(SolveError::NoCandidates);
        }
        let planned = self.table.iter().any(|row| row.cost.is_some());
        match self.failures.into_iter().next() {
            Some(error) if !planned => Err(error),
            _ => Err(SolveError::AllRejected {
                notes: self
                    .table
                    .into_iter()
                    .map(|row| format!("system {}, {}: {}", row.variant, row.order, row.note))
                    .collect(),
            }),
        }
    }
}

/// Whether the first of two plans that take about as long is the better.
fn better(a: Price, b: Price) -> bool {
    (a.operations, a.cycles) < (b.operations, b.cycles)
}

impl Candidate {
    fn new(variant: usize, order: Ordering, cost: Option<Cost>, note: String) -> Self {
        Self {
            variant,
            order,
            cost,
            path: None,
            time: None,
            growth: None,
            chosen: false,
            note,
        }
    }
}
