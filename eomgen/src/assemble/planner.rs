//! The way to the accelerations: visits to the algebra engine in which equations become instructions, and between them the search for plans,
//! which needs instructions alone.

use super::Work;
use super::accelerations::{CheckedRows, MassMatrix, Pending, Start, Unreduced};
use super::engine::{Parked, Stop};
use super::route::Route;
use crate::form::Space;
use crate::ir::Value;
use crate::plan::{
    self, Aims, Compared, FullSystem, Problem, Reduced, Reference, Rows, Skeleton, Statement,
    ValueFacts, Worked,
};
use std::sync::Arc;

/// The full Newton-Euler systems of the spaces for which they were written down; `None` where they cannot be.
#[derive(Clone, Default)]
pub(super) struct FullSystems(Vec<(Space, Option<Arc<FullSystem>>)>);

impl FullSystems {
    /// What is known of a space.
    pub fn of(&self, space: Space) -> Option<&Option<Arc<FullSystem>>> {
        let found = self.0.iter().find(|known| known.0 == space);
        found.map(|known| &known.1)
    }

    pub fn remember(&mut self, space: Space, system: Option<Arc<FullSystem>>) {
        self.0.push((space, system));
    }
}

/// What planning knows beside the derivation.
pub(super) struct Planner<'e, 'a> {
    work: Parked<'e, Work<'a>>,
    aims: Aims,
    systems: FullSystems,
    /// The plans that were compared.
    compared: Vec<Compared>,
    /// Pivots of the chosen plan that are not proven never to vanish, and how conditions call them.
    doubtful: Vec<(String, Value)>,
}

/// What is known of equations before they are solved.
#[derive(Clone, Copy)]
struct Known {
    unstated: bool,
    definite: bool,
    space: Space,
    speeds: usize,
}

impl<'e, 'a> Planner<'e, 'a> {
    pub fn new(work: Parked<'e, Work<'a>>, aims: Aims) -> Self {
        Self {
            work,
            aims,
            systems: FullSystems::default(),
            compared: Vec::new(),
            doubtful: Vec::new(),
        }
    }

    /// Finds q'' and binds the symbols of q'' and s' to their values.
    pub fn solve(mut self) -> Result<Parked<'e, Work<'a>>, Stop> {
        let found = match self.without_mass_matrix()? {
            Some(worked) => self.work.visit(|w| w.take_worked(worked))?,
            None => self.with_equations()?,
        };
        let Self {
            mut work,
            systems,
            compared,
            doubtful,
            ..
        } = self;
        work.visit(|w| {
            w.bind_accelerations(found, doubtful);
            w.systems = systems;
            w.compared = compared;
        })?;
        Ok(work)
    }

    fn search(&mut self, problem: Problem<'_>) -> Option<Worked> {
        let outcome = plan::search(self.work.graph(), problem, &self.aims)?;
        self.compared.extend(outcome.compared);
        outcome.worked
    }

    /// The full system of a space without constraint rows.
    fn full_system(&mut self, space: Space) -> Result<Option<Arc<FullSystem>>, Stop> {
        if let Some(known) = self.systems.of(space) {
            return Ok(known.clone());
        }
        let skeleton = self.work.visit(|w| w.skeleton(space))?;
        let full = skeleton.map(|skeleton| Arc::new(self.stated(skeleton, Rows::NONE)));
        self.systems.remember(space, full.clone());
        Ok(full)
    }

    fn stated(&mut self, skeleton: Skeleton, rows: Rows<'_>) -> FullSystem {
        let facts = ValueFacts::new(&self.aims.positive);
        FullSystem::state(skeleton, self.work.graph(), &facts, rows)
    }

    /// The rates of equations that are not stated, from the full system alone; `None` where no plan for them is certain and accurate.
    fn without_mass_matrix(&mut self) -> Result<Option<Worked>, Stop> {
        let known = self.work.visit(|w| Known {
            unstated: w.unstated,
            definite: w.definite,
            space: w.space(),
            speeds: w.c.kinematics(w.space()).motion.speeds.len(),
        })?;
        if !known.unstated || !known.definite {
            return Ok(None);
        }
        let Some(full) = self.full_system(known.space)? else {
            return Ok(None);
        };
        let (reduced, reference) = Reduced::unstated(self.work.graph(), &full);
        self.work.visit(|w| w.reduced = reduced)?;
        let Some(reference) = reference else {
            return Ok(None);
        };
        let found = self.search(Problem {
            full: Some(&full),
            bordered: None,
            rows: Rows::NONE,
            expected: known.speeds,
            reference: &reference,
        });
        if let Some(found) = &found {
            self.doubtful.clone_from(&found.doubtful);
        }
        Ok(found)
    }

    fn with_equations(&mut self) -> Result<Vec<Value>, Stop> {
        let start = self.work.visit(|w| {
            w.state_equations()?;
            w.start()
        })??;
        let pending = match start {
            Start::Known(pending) => pending,
            Start::MassMatrix(mut task) => {
                let closed = task.closed.take();
                let worked = self.eliminate(&task)?;
                self.work.visit(|w| w.after_elimination(worked, closed))??
            }
            Start::CheckedRows(task) => {
                let worked = self.with_checked_rows(task);
                self.work.visit(|w| w.after_checked_rows(worked))?
            }
        };
        let Pending {
            found,
            unreduced,
            margin,
            kept,
        } = pending;
        let other = unreduced.and_then(|task| self.cheaper_unreduced(task, &found, margin));
        match other {
            Some(other) => {
                self.doubtful = other.doubtful;
                self.work.visit(|w| w.route = Route::Plan(other.id))?;
                Ok(other.unknowns)
            }
            None => {
                self.work.visit(|w| w.keep(kept))?;
                Ok(found)
            }
        }
    }

    /// Factors the mass matrix, or eliminates the full system where that is cheaper, as accurate, and has no pivot that could vanish.
    fn eliminate(&mut self, task: &MassMatrix) -> Result<Option<Worked>, Stop> {
        let graph = self.work.graph();
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
            full: Some(&full),
            bordered: None,
            rows: Rows::NONE,
            expected: factored.unknowns.len(),
            reference: &reference,
        });
        let Some(found) = found else {
            return Ok(Some(factored));
        };
        let graph = self.work.graph();
        let cheaper =
            self.aims.price(graph, &found.unknowns) < self.aims.price(graph, &factored.unknowns);
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

    /// The rates and multipliers of equations that keep all constraint rows.
    fn with_checked_rows(&mut self, task: CheckedRows) -> Option<Worked> {
        let reference = Reference::new(self.work.graph(), &task.trusted);
        let rows = Rows {
            list: &task.rows,
            checked: true,
        };
        let full = self.stated(task.skeleton?, rows);
        let found = self.search(Problem {
            full: Some(&full),
            bordered: None,
            rows,
            expected: task.trusted.len(),
            reference: &reference,
        })?;
        self.doubtful.clone_from(&found.doubtful);
        Some(found)
    }

    /// q'' from the full system in all accelerations, the constraints as rows: where `found`, for equations reduced to independent
    /// speeds, takes more than `margin` times the operations.
    fn cheaper_unreduced(
        &mut self,
        task: Unreduced,
        found: &[Value],
        margin: f64,
    ) -> Option<Worked> {
        let before = self.compared.len();
        let reference = Reference::new(self.work.graph(), found);
        let rows = Rows {
            list: &task.rows,
            checked: false,
        };
        let full = task.skeleton.map(|skeleton| self.stated(skeleton, rows));
        let worked = self.search(Problem {
            full: full.as_ref(),
            bordered: task.bordered,
            rows,
            expected: found.len(),
            reference: &reference,
        })?;
        // What may fail is no better than what was asked for and cannot.
        let other = |row: &Compared| row.chosen && row.id.statement != Statement::MassMatrix;
        let doubtful = self.compared[..before].iter().any(other) && !worked.doubtful.is_empty();
        let graph = self.work.graph();
        let price = self.aims.price(graph, &worked.unknowns) as f64;
        let costly = price * margin >= self.aims.price(graph, found) as f64;
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
