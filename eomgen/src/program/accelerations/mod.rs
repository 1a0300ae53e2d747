//! The way to the accelerations: visits to the algebra engine in which equations become instructions, and between them the search for plans,
//! which needs instructions alone.

mod balances;
pub(super) mod closed;
pub(super) mod coupling;
pub(super) mod explicit;
mod felt;
pub(super) mod full_systems;
mod inverses;
mod kept_rows;
mod left;
mod merged;
mod own;
mod presuming;
pub(super) mod route;
pub(in crate::program) mod rows;
mod selection;
mod statements;
mod still;
mod tasks;
pub(super) mod unknowns;

use crate::form::Space;
use crate::ir::{Graph, Value};
use crate::plan::{
    self, Aims, Compared, Dependent, FullSystem, Problem, Reduced, Reference, Rows, Skeleton,
    Statement, Worked,
};
use crate::program::engine::{Parked, Stop};
use crate::program::posed::Posed;
use crate::program::solved::{Solved, Unknowns};
use crate::program::writer::Writer;
use full_systems::{FullSystems, skeleton};
use kept_rows::KeptRows;
use presuming::Quick;
use route::Route;
use tasks::{MassMatrix, Pending, Start, Unreduced, Way};

/// Finds q'' and binds the symbols of q'' and s' to their values.
pub(in crate::program) fn solve<'e, 'a>(
    parked: Parked<'e, 'a, Posed>,
) -> Result<Parked<'e, 'a, Solved>, Stop> {
    let systems = FullSystems::default();
    let mut planner = Planner {
        aims: parked.stage().aims.clone(),
        parked,
        systems: &systems,
        compared: Vec::new(),
        doubtful: Vec::new(),
        untried: None,
        presuming: None,
    };
    let (way, reduced) = match planner.without_mass_matrix()? {
        Some(found) => found,
        None => {
            let state = |posed: Posed, w: &mut Writer<'_>| posed.with_equations(&mut w.c);
            planner.parked = planner.parked.next(state)?;
            (planner.with_equations()?, None)
        }
    };
    let Planner {
        parked,
        compared,
        doubtful,
        untried,
        presuming,
        ..
    } = planner;
    parked.next(|posed, w| {
        let dots = tasks::bind(w, &way.accelerations, doubtful);
        let presuming = presuming.map(|found| found.beside(&way.accelerations, &dots));
        Ok(Solved {
            presuming,
            posed,
            accelerations: way.accelerations,
            closed: way.closed,
            route: way.unknowns.route,
            entering: way.unknowns.entering,
            multipliers: way.unknowns.multipliers,
            compared,
            untried,
            reduced,
            systems,
        })
    })
}

/// M and f with the fewest operations.
pub(in crate::program) fn reduced(parked: &mut Parked<'_, '_, Solved>) -> Result<Reduced, Stop> {
    if let Some(known) = &parked.stage().reduced {
        return Ok(known.clone());
    }
    let (stated, skeleton, whole) = parked.visit(|solved, w| {
        let (posed, e) = (&solved.posed, solved.posed.equations());
        let stated = posed.stated.then(|| Reduced {
            mass: w.lower_all(e.mass.iter().flatten()),
            forcing: w.lower_all(&e.forcing),
        });
        let free = posed.formulated.cyclic.is_empty() && !w.c.alg.is_closed();
        let known = solved.systems.of(e.space).get().is_some();
        let own = free.then(|| (!known).then(|| skeleton(w, e.space)).flatten());
        let mechanics = w.mechanics();
        let whole = mechanics.whole.as_ref();
        let whole = whole.filter(|_| own.is_some() && e.space == Space::SpeedRates);
        let whole = whole.and_then(|whole| {
            let bias = whole.bias.as_ref()?;
            let known = solved.systems.of(Space::Whole).get().is_some();
            let own = (!known).then(|| skeleton(w, Space::Whole)).flatten();
            Some((own, w.lower_rows(&whole.x), w.lower_all(bias)))
        });
        (stated, own, whole)
    })?;
    let (solved, graph) = parked.stage_and_graph();
    let facts = solved.posed.aims.facts();
    let mut system = |space: Space, skeleton: Option<Skeleton>| {
        let state = || Some(FullSystem::state(skeleton?, graph, &facts, Rows::NONE));
        solved.systems.of(space).get_or_init(state).as_ref()
    };
    let full = skeleton.and_then(|skeleton| {
        let space = solved.posed.equations().space;
        system(space, skeleton)
    });
    let whole = whole.and_then(|(skeleton, x, bias)| {
        let full = system(Space::Whole, skeleton)?;
        Some((full, x, bias))
    });
    let whole = whole.as_ref().map(|(full, x, bias)| Dependent {
        full,
        x: x.as_slice(),
        bias: bias.as_slice(),
    });
    Ok(Reduced::cheapest(
        graph,
        stated.as_ref(),
        full,
        whole.as_ref(),
    ))
}

/// What planning knows beside the derivation.
struct Planner<'s, 'e, 'a> {
    parked: Parked<'e, 'a, Posed>,
    aims: Aims,
    systems: &'s FullSystems,
    /// The plans that were compared.
    compared: Vec<Compared>,
    /// Pivots of the chosen plan that are not proven never to vanish, and how conditions call them.
    doubtful: Vec<(String, Value)>,
    /// Why the full Newton-Euler system was not tried, where that is not by choice.
    untried: Option<&'static str>,
    /// The rates by a plan that presumes something.
    presuming: Option<presuming::Found>,
}

/// What became of equations that keep constraint rows.
struct WithRows {
    /// The rates and multipliers by a plan that presumes nothing.
    found: Option<Worked>,
    /// The system with the rows, if there are some, and what plans are compared with.
    held: Option<(FullSystem, Reference)>,
}

impl<'s> Planner<'s, '_, '_> {
    fn search(&mut self, problem: Problem<'_>) -> Option<Worked> {
        let outcome = plan::search(self.parked.graph(), problem, &self.aims);
        self.compared.extend(outcome.compared);
        outcome.worked
    }

    /// The full system of a space without constraint rows.
    fn full_system(&mut self, space: Space) -> Result<Option<&'s FullSystem>, Stop> {
        let known = self.systems.of(space);
        if known.get().is_none() {
            let skeleton = self.parked.visit(|_, w| skeleton(w, space))?;
            let full = skeleton.map(|skeleton| self.stated(skeleton, Rows::NONE));
            known.get_or_init(|| full);
        }
        Ok(known.get().and_then(Option::as_ref))
    }

    fn stated(&mut self, skeleton: Skeleton, rows: Rows<'_>) -> FullSystem {
        let facts = self.aims.facts();
        FullSystem::state(skeleton, self.parked.graph(), &facts, rows)
    }

    /// The way of equations that are not stated, by the full system alone, with M and f; `None` where no plan for them is certain and accurate.
    fn without_mass_matrix(&mut self) -> Result<Option<(Way, Option<Reduced>)>, Stop> {
        let posed = self.parked.stage();
        let space = posed.space();
        if posed.stated || !posed.definite {
            return Ok(None);
        }
        let Some(full) = self.full_system(space)? else {
            return Ok(None);
        };
        let (reduced, Some(reference)) =
            Reduced::unstated(self.parked.graph(), full, &[], Vec::new())
        else {
            return Ok(None);
        };
        let found = self.search(Problem {
            full: Some(full),
            bordered: None,
            rows: Rows::NONE,
            expected: full.speeds(),
            reference: &reference,
        });
        let Some(found) = found else {
            return Ok(None);
        };
        self.doubtful = found.doubtful;
        let unknowns = Unknowns::by(Route::Plan(found.id), found.unknowns);
        let way = self.parked.visit(|posed, w| {
            let way = Way::by(posed, w, unknowns);
            way.bind(posed, w);
            way
        })?;
        Ok(Some((way, reduced)))
    }

    fn with_equations(&mut self) -> Result<Way, Stop> {
        let start = self.parked.visit(tasks::start)??;
        let pending = match start {
            Start::Known(pending) => *pending,
            Start::MassMatrix(mut task) => {
                let closed = task.closed.take();
                let worked = self.eliminate(&task)?;
                let after = |posed: &Posed, w: &mut Writer<'_>| {
                    tasks::after_elimination(posed, w, worked, closed)
                };
                self.parked.visit(after)??
            }
            Start::KeptRows(task) => {
                let (space, rows, back) = (task.space, task.named(), task.back.clone());
                let untried = task.untried;
                let worked = self.with_kept_rows(*task)?;
                let after = |posed: &Posed, w: &mut Writer<'_>| {
                    let rows = (space, rows.as_slice(), back.as_ref());
                    tasks::after_kept_rows(posed, w, rows, worked, untried)
                };
                self.parked.visit(after)??
            }
        };
        let Pending {
            way,
            unreduced,
            margin,
            untried,
            presuming,
        } = pending;
        self.untried = untried;
        self.presuming = presuming;
        if let Some(task) = unreduced {
            let (space, nonzero) = (task.space, task.nonzero.clone());
            if let Some(other) = self.cheaper_unreduced(task, &way, margin) {
                return self.parked.visit(|_, w| {
                    tasks::record_determining(w, nonzero, &other.plan);
                    Way::planned(w, space, other)
                });
            }
        }
        self.parked.visit(|posed, w| way.bind(posed, w))?;
        Ok(way)
    }

    /// Factors the mass matrix, or eliminates the full system where that is cheaper, as accurate, and has no pivot that could vanish.
    fn eliminate(&mut self, task: &MassMatrix) -> Result<Option<Worked>, Stop> {
        let graph = self.parked.graph();
        let Some((factored, compared)) = plan::mass_matrix(graph, &task.system, &self.aims) else {
            return Ok(None);
        };
        self.compared = compared;
        if !task.full {
            return Ok(Some(factored));
        }
        let reference = Reference::new(graph, &factored.unknowns);
        let Some(full) = self.full_system(task.space)? else {
            return Ok(Some(factored));
        };
        let found = self.search(Problem {
            full: Some(full),
            bordered: None,
            rows: Rows::NONE,
            expected: factored.unknowns.len(),
            reference: &reference,
        });
        let Some(found) = found else {
            return Ok(Some(factored));
        };
        let graph = self.parked.graph();
        let [by_all, by_mass] =
            [&found, &factored].map(|way| self.aims.price(graph, &way.unknowns));
        let cheaper = by_all.beats(by_mass);
        if task.prefers_full || cheaper {
            self.choose(&found);
            return Ok(Some(found));
        }
        for row in &mut self.compared {
            row.chosen &= row.id.statement == Statement::MassMatrix;
        }
        Ok(Some(factored))
    }

    fn choose(&mut self, found: &Worked) {
        for row in &mut self.compared {
            row.chosen = row.id == found.id;
        }
        self.doubtful.clone_from(&found.doubtful);
    }

    /// The rates and multipliers of equations that keep constraint rows, by a plan that presumes nothing; and the rates by one that presumes something where
    /// that is worth it.
    fn with_kept_rows(&mut self, task: KeptRows) -> Result<(Option<Worked>, Option<Quick>), Stop> {
        let (space, rows) = (task.space, task.rows.clone());
        let looked_at = task.looked_at();
        let Some(WithRows { found, held }) = self.rates_with_rows(task) else {
            return Ok((None, None));
        };
        let Some((full, reference)) = held.filter(|_| self.aims.presumes) else {
            return Ok((found, None));
        };
        let usual = self.parked.visit(|_, w| kept_rows::usual(w, space))?;
        let presuming = presuming::Search {
            aims: &self.aims,
            full: &full,
            rows: &rows,
            looked_at: &looked_at,
            reference: &reference,
        };
        let quick = presuming.run(self.parked.graph(), usual, found.as_ref());
        Ok((found, quick))
    }

    /// The first of these.
    fn rates_with_rows(&mut self, task: KeptRows) -> Option<WithRows> {
        let rows = Rows {
            list: &task.rows,
            checked: !task.rows.is_empty(),
            asked: true,
        };
        let graph = self.parked.graph();
        let facts = self.aims.facts();
        let state =
            |graph: &mut Graph, rows| FullSystem::state(task.skeleton.clone(), graph, &facts, rows);
        let (known, singular);
        let free = if task.untried.is_none() {
            known = self.systems.of(task.space);
            known
                .get_or_init(|| Some(state(graph, Rows::NONE)))
                .as_ref()
        } else {
            singular = task.stated.is_none().then(|| state(graph, Rows::NONE));
            singular.as_ref()
        };
        let reference = match (&task.stated, free) {
            (Some((mass, forcing)), _) => {
                let equations = (mass.as_slice(), forcing.as_slice());
                Some(Reference::of_equations(
                    graph,
                    equations,
                    rows.list,
                    task.places,
                ))
            }
            (None, Some(free)) => Reduced::unstated(graph, free, rows.list, task.places).1,
            (None, None) => None,
        };
        let reference = reference?;
        let held = (!rows.list.is_empty()).then(|| state(graph, rows));
        if task.untried.is_some() {
            return Some(WithRows {
                found: None,
                held: held.map(|held| (held, reference)),
            });
        }
        let full = held.as_ref().or(free)?;
        let problem = Problem {
            full: Some(full),
            bordered: None,
            rows,
            expected: full.speeds(),
            reference: &reference,
        };
        let found = self.search(problem);
        if let Some(found) = &found {
            self.doubtful.clone_from(&found.doubtful);
        }
        Some(WithRows {
            found,
            held: held.map(|held| (held, reference)),
        })
    }

    /// q'' from the full system in all accelerations, the constraints as rows: where `found`, for equations reduced to independent
    /// speeds, takes more than `margin` times the operations.
    fn cheaper_unreduced(&mut self, task: Unreduced, way: &Way, margin: f64) -> Option<Worked> {
        let before = self.compared.len();
        let found = task.known(way);
        let reference = Reference::new(self.parked.graph(), &found);
        let rows = Rows {
            list: &task.rows,
            checked: false,
            asked: task.space == Space::Whole,
        };
        let full = task.skeleton.map(|skeleton| self.stated(skeleton, rows));
        let problem = Problem {
            full: full.as_ref(),
            bordered: task.bordered,
            rows,
            expected: found.len(),
            reference: &reference,
        };
        let mut aims = Aims {
            nonzero: task.nonzero.into_iter().map(|(value, ..)| value).collect(),
            ..self.aims.clone()
        };
        aims.positive.extend(task.positive);
        let outcome = plan::search(self.parked.graph(), problem, &aims);
        self.compared.extend(outcome.compared);
        let worked = outcome.worked?;
        // What may fail is no better than what was requested and cannot.
        let other = |row: &Compared| row.chosen && row.id.statement != Statement::MassMatrix;
        let doubtful = self.compared[..before].iter().any(other) && !worked.doubtful.is_empty();
        let graph = self.parked.graph();
        let rates = &worked.unknowns[..found.len()];
        let [price, other] = [rates, &way.accelerations].map(|v| self.aims.price(graph, v));
        let costly = other.holds_beside(price, margin);
        if doubtful || !self.aims.by_name() && costly {
            for row in &mut self.compared[before..] {
                row.chosen = false;
            }
            return None;
        }
        self.choose(&worked);
        Some(worked)
    }
}
