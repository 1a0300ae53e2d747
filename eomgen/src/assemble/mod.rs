//! From equations of motion to a program: every output of a generated module as instructions over
//! one shared graph, with the conditions under which it fails. Knows formulations and plans; knows
//! nothing of Rust text.

mod accelerations;
mod activity;
mod balances;
mod claims;
mod conditions;
mod contrast;
mod deferred;
mod derivatives;
mod dynamics;
mod engine;
mod entries;
mod explicit;
mod forces;
mod improve;
mod inverses;
mod outputs;
mod planner;
mod probe;
mod reactions;
mod report;
mod route;
mod rows;
mod statements;
mod tables;

pub use crate::plan::{Compared, PlanId, group};
pub use claims::{Agreement, Claim, Obstacle, Verdict, compare, listing};
pub use conditions::Condition;
pub use contrast::{Contrast, PARTS, contrast, statements};
pub use engine::{Engine, Stop};
pub use outputs::{Argument, Output, Shape};
pub use probe::Probe;

use crate::bug::Bug;
use crate::catalogue::{Plan, Prefer};
use crate::diag::Diagnostic;
use crate::explain::{self, Documentation, Section};
use crate::form::solution::{self, Solution};
use crate::form::{
    Context, Equations, Formulated, Formulation, Options, Quantities, Space, Variant, regular,
};
use crate::ir::{Graph, Prepared, Slot, Value};
use crate::lower::Lowering;
use crate::mech::choice::Choice;
use crate::mech::constraints::{Level, Row};
use crate::mech::kinematics::Components;
use crate::model::system::Sign;
use crate::model::{System, multiplier_unit};
use crate::plan::{Aims, FullSystem, Reduced, Rows, Skeleton, ValueFacts};
use crate::sym::{Algebra, Expr, Var};
use engine::{Instructions, Parked};
use planner::{FullSystems, Planner};
use route::Route;
use std::sync::Arc;

/// How derived expressions are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExpressionForm {
    /// Written out, as in a textbook (`--form closed`).
    Expanded,
    /// As a sequence of definitions, each a small expression in earlier ones (`--form staged`).
    Sequenced,
}

/// Definitions get a name above this many leaves.
const NAMED_ABOVE: usize = 3;

/// A derived model, ready to be written or evaluated.
pub struct Assembled {
    /// All instructions.
    pub graph: Graph,
    /// What is computed.
    pub outputs: Vec<Output>,
    /// What must not vanish.
    pub conditions: Vec<Condition>,
    /// Conditions on the derivation that no output divides by.
    pub cancelled: Vec<String>,
    /// State entries: names.
    pub state: Vec<StateEntry>,
    /// All speeds.
    pub speeds: Vec<StateEntry>,
    /// Constraint rows, with the unit of what they hold and that of their multipliers.
    pub rows: Vec<StateEntry>,
    /// Highest derivative of each user function that is asked for.
    pub jet_orders: Vec<u8>,
    /// Equations and remarks for a reader.
    pub documentation: Documentation,
    /// Remarks on the model.
    pub notes: Vec<Diagnostic>,
    /// Checks of a state given as q and q'.
    pub probe: Probe,
    /// Size of the closed expressions, for choosing the expression form.
    pub closed_size: usize,
    /// The plans for the accelerations that were compared.
    pub plans: Vec<Compared>,
    /// Whether the equations of the formulation were stated; those of models of many speeds are not.
    pub stated: bool,
}

/// One entry of the state.
#[derive(Clone, Debug, PartialEq)]
pub struct StateEntry {
    /// `theta`, `u1`, `x'`.
    pub name: String,
    /// Unit if known.
    pub unit: Option<String>,
    /// Doc comment.
    pub docs: String,
}

/// What is chosen outside the model and does not depend on the expression form.
#[derive(Clone, Copy)]
pub struct Settings<'a> {
    /// The formulation.
    pub formulation: &'static dyn Formulation,
    /// Its variant.
    pub variant: Variant,
    /// Which system of equations is eliminated.
    pub plan: Plan,
    /// What the plan that is chosen has least of.
    pub prefer: Prefer,
    /// The one plan for the full Newton-Euler system that is tried, where a search has been made before.
    pub only: Option<&'a PlanId>,
    /// Speeds to eliminate.
    pub choice: &'a Choice,
    /// Quantities asked for by name, in the order of the catalogue.
    pub outputs: &'a [&'static str],
    /// Those that were asked for though every module has them.
    pub standard: &'a [&'static str],
    /// Derivatives asked for: `accelerations:q,v`.
    pub jacobians: &'a [String],
    /// Whether the representative particle is to be explained.
    pub geometry: bool,
    /// Whether the derivation is to be shown.
    pub exposition: bool,
}

/// Derives and assembles, from outside of the algebra engine. With a limit of `work` (terms that simplification handles) the result is
/// `None` where the limit is reached.
///
/// # Errors
/// What is wrong with the model, or why the engine could not be had.
pub fn assemble(
    engine: &dyn Engine,
    system: &System,
    settings: &Settings<'_>,
    expression_form: ExpressionForm,
    components: Components,
    work: Option<usize>,
) -> Result<Option<Assembled>, Stop> {
    let begun = Parked::new(engine, || {
        Work::begin(system, settings, expression_form, components, work)
    })?;
    let Some(parked) = begun else {
        return Ok(None);
    };
    let aims = settings.aims(system);
    let solved = Planner::new(parked, aims).solve()?;
    Ok(solved.leave(|w| w.finish(settings, work.is_some()))??)
}

impl Settings<'_> {
    /// What is chosen of the formulation.
    fn options(&self) -> Options<'_> {
        Options {
            variant: self.variant,
            dependent: &self.choice.dependent,
        }
    }

    fn aims(&self, system: &System) -> Aims {
        let params = system.params.iter().enumerate();
        let positive = params.filter(|(_, p)| p.sign == Some(Sign::Positive));
        let slot = |index| Slot {
            group: group::PARAMS,
            index: index as u32,
        };
        Aims {
            plan: self.plan,
            prefer: self.prefer,
            only: self.only.cloned(),
            positive: positive.map(|(i, _)| slot(i)).collect(),
        }
    }
}

/// The equations of the formulation; `None` where the limit of work is reached.
fn prepared<'a>(
    system: &'a System,
    settings: &Settings<'_>,
    expression_form: ExpressionForm,
    components: Components,
    work: Option<usize>,
) -> Result<Option<(Context<'a>, Formulated)>, Vec<Diagnostic>> {
    let formulation = settings.formulation;
    let mut alg = Algebra::new(match expression_form {
        ExpressionForm::Expanded => None,
        ExpressionForm::Sequenced => Some(NAMED_ABOVE),
    });
    if let Some(limit) = work {
        alg.limit_work(limit);
    }
    let mut context = Context::derive(alg, system, components, settings.choice)?;
    if let Err(mut errors) = report::check_determined(&mut context) {
        errors.extend(report::check_values(&mut context).err().unwrap_or_default());
        return Err(errors);
    }
    let options = settings.options();
    if let Some(refusal) = formulation.refusal(&mut context, &options) {
        return Err(vec![refusal]);
    }
    if deferred::defers(&context, settings, expression_form) {
        return Ok(Some((
            context,
            Formulated::unstated(formulation.space(), &options),
        )));
    }
    let formulated = match formulation.formulate(&mut context, &options) {
        Ok(formulated) => formulated,
        // What is wrong with one load does not hide what is wrong with others and with outputs.
        Err(errors) => return Err(report::check_values(&mut context).err().unwrap_or(errors)),
    };
    if work.is_some() && context.alg.is_exhausted() {
        Ok(None)
    } else {
        Ok(Some((context, formulated)))
    }
}

/// What mechanics makes of a model, checked as far as that is possible without forming equations.
pub fn context(
    system: &System,
    expression_form: ExpressionForm,
) -> Result<Context<'_>, Vec<Diagnostic>> {
    let alg = Algebra::new(match expression_form {
        ExpressionForm::Expanded => None,
        ExpressionForm::Sequenced => Some(NAMED_ABOVE),
    });
    let mut context = Context::derive(alg, system, Components::Local, &Choice::default())?;
    report::check(&mut context)?;
    Ok(context)
}

/// The unit of a rate.
pub fn rate_unit(unit: &str) -> String {
    if unit == "1" {
        "1/s".to_string()
    } else {
        format!("{unit}/s")
    }
}

impl Assembled {
    /// The plan that was chosen, where several were compared.
    pub fn plan(&self) -> Option<&PlanId> {
        let chosen = self.plans.iter().find(|row| row.chosen);
        chosen.map(|row| &row.id)
    }

    /// What one evaluation of the accelerations costs: operations, or estimated time.
    pub fn price(&self, prefer: Prefer) -> usize {
        let found = self.outputs.iter().find(|o| o.name == "accelerations");
        let Some(roots) = found.map(|o| &o.body.outputs) else {
            return 0;
        };
        match prefer {
            Prefer::Operations => self.graph.count(roots).total(),
            Prefer::Time => Prepared::new(&[group::PARAMS]).time(&self.graph, roots) as usize,
        }
    }
}

/// A derivation in progress.
struct Work<'a> {
    c: Context<'a>,
    formulation: &'static dyn Formulation,
    formulated: Formulated,
    /// The rates that were named as dependent.
    dependent: Vec<String>,
    /// The equations are not stated.
    unstated: bool,
    /// The full Newton-Euler systems.
    systems: FullSystems,
    /// M and f, once needed.
    reduced: Option<Reduced>,
    expression_form: ExpressionForm,
    /// What is asked of plans.
    aims: Aims,
    /// The plans that were compared.
    compared: Vec<Compared>,
    low: Lowering,
    /// M is certainly positive definite in the equations' space.
    definite: bool,
    solution: Option<Solution>,
    conditions: Vec<Condition>,
    cancelled: Vec<String>,
    /// q'' as expressions, in closed form only.
    closed: Option<Vec<Expr>>,
    /// Values of q''.
    qdd: Vec<Value>,
    route: Route,
    /// Rows whose multipliers enter loads, with the values of these; found with the accelerations.
    entering: Vec<(usize, Value)>,
    /// The multipliers of all rows, where the plan of the accelerations finds them.
    planned_multipliers: Option<Vec<Value>>,
    /// The equations in q'', once needed.
    full: Option<Equations>,
    /// What quantities asked for by name share.
    quantities: Quantities,
    /// Quantities asked for by name, for a reader.
    sections: Vec<Section>,
    /// Remarks on the outputs, for the documentation.
    remarks: Vec<String>,
    /// Symbols of the multipliers of all rows, once needed.
    lambda_symbols: Vec<Var>,
    /// Values of conditions that count wherever their divisors are used, whatever branch that is in.
    decided: Vec<Value>,
}

impl<'a> Work<'a> {
    /// With the equations, and what follows from them in closed form; `None` where the limit of work is reached.
    fn begin(
        system: &'a System,
        settings: &Settings<'_>,
        expression_form: ExpressionForm,
        components: Components,
        work: Option<usize>,
    ) -> Result<Option<Self>, Vec<Diagnostic>> {
        let begun = prepared(system, settings, expression_form, components, work)?;
        let Some((context, equations)) = begun else {
            return Ok(None);
        };
        let w = Work::new(context, equations, expression_form, settings)?;
        Ok((work.is_none() || !w.c.alg.is_exhausted()).then_some(w))
    }

    fn new(
        mut c: Context<'a>,
        formulated: Formulated,
        expression_form: ExpressionForm,
        settings: &Settings<'_>,
    ) -> Result<Self, Vec<Diagnostic>> {
        let (system, formulation) = (c.system, settings.formulation);
        let unstated = formulated.equations.mass.is_empty() && !c.system.coords.is_empty();
        let definite = regular::is_positive_definite(&mut c, &formulated.equations);
        let solution = solution::solve(&mut c, &formulated, definite);
        let low = Lowering::new(c.system.functions.len());
        let mut w = Self {
            c,
            formulation,
            formulated,
            dependent: settings.choice.dependent.clone(),
            unstated,
            systems: FullSystems::default(),
            reduced: None,
            expression_form,
            aims: settings.aims(system),
            compared: Vec::new(),
            low,
            definite,
            solution,
            conditions: Vec::new(),
            cancelled: Vec::new(),
            closed: None,
            qdd: Vec::new(),
            route: Route::default(),
            entering: Vec::new(),
            planned_multipliers: None,
            full: None,
            quantities: Quantities::default(),
            sections: Vec::new(),
            remarks: Vec::new(),
            lambda_symbols: Vec::new(),
            decided: Vec::new(),
        };
        w.bind_inputs();
        Ok(w)
    }

    /// Inputs of the program, then the rates as functions of the state.
    fn bind_inputs(&mut self) {
        let vars = self.c.vars.clone();
        bind_given(&mut self.low, &self.c);
        let n = vars.coords.len();
        for (i, s) in self.c.speeds.independent.clone().into_iter().enumerate() {
            let v = self.low.graph.input(Slot {
                group: group::STATE,
                index: (n + i) as u32,
            });
            self.low.bind(self.c.speeds.speeds[s].var, v);
        }
        let motion = self.c.speeds.motion.clone();
        for (i, rate) in motion.rate_values.iter().enumerate() {
            if !self.low.is_bound(vars.rates[i]) {
                let v = self.low.lower(&self.c.alg, rate);
                self.low
                    .graph
                    .name(v, &format!("{}_dot", self.c.system.coords[i].meta.name));
                self.low.bind(vars.rates[i], v);
            }
        }
        let alg = &self.c.alg;
        for (s, e) in self.c.speeds.motion.declared.clone() {
            let var = self
                .c
                .speeds
                .speeds
                .iter()
                .find(|x| x.declared == Some(s))
                .map(|x| x.var);
            if let Some(var) = var.filter(|v| !self.low.is_bound(*v)) {
                let v = self.low.lower(alg, &e);
                self.low.bind(var, v);
            }
        }
    }

    fn finish(
        mut self,
        settings: &Settings<'_>,
        limited: bool,
    ) -> Result<Option<Assembled>, Vec<Diagnostic>> {
        if limited && self.c.alg.is_exhausted() {
            return Ok(None);
        }
        let mut outputs = self.outputs()?;
        // What is asked for has a budget of its own, so that it does not decide how the rest is presented.
        let work = self.c.alg.restart_work(0);
        self.asked_for(&mut outputs, settings)?;
        self.derivatives(&mut outputs, settings)?;
        self.c.alg.restart_work(work);
        self.collect_conditions(&mut outputs);
        if let Some((labels, values)) = self.closeness() {
            let docs = "How close each singular condition that has a value is to failure, in their order: 0 is singular, and functions return an error below 1e-12.";
            outputs.push(self.array("closeness", docs, labels, values));
        }
        let probe = Probe::build(&mut self.c);
        let equations = &self.formulated.equations;
        let closed_size = equations
            .mass
            .iter()
            .flatten()
            .chain(&self.formulated.equations.forcing)
            .map(|e| self.c.alg.node(e).size())
            .sum();
        let documentation = self.documentation(settings)?;
        let mut notes = self.c.notes.clone();
        notes.append(&mut self.formulated.notes);
        let found = [
            self.c.alg.check(),
            self.low.graph.check(),
            probe.graph.check(),
        ];
        let sound: Result<(), Bug> = found.into_iter().collect();
        sound.map_err(|bug| vec![bug.into()])?;
        let state = self.state_entries();
        let speeds = (0..self.c.speeds.speeds.len())
            .map(|i| self.speed_entry(i))
            .collect();
        let rows = self.row_entries();
        if limited && self.c.alg.is_exhausted() {
            return Ok(None);
        }
        Ok(Some(Assembled {
            graph: self.low.graph,
            outputs,
            conditions: self.conditions,
            cancelled: self.cancelled,
            state,
            speeds,
            rows,
            jet_orders: self.low.jet_orders,
            documentation,
            notes,
            probe,
            closed_size,
            plans: self.compared,
            stated: !self.unstated,
        }))
    }

    /// What a reader is told.
    fn documentation(&mut self, settings: &Settings<'_>) -> Result<Documentation, Vec<Diagnostic>> {
        let route = self.route.to_string();
        let found = explain::Found {
            method: settings.formulation.name(),
            formulated: &self.formulated,
            stated: !self.unstated,
            solution: self.solution.as_ref(),
            accelerations: self.closed.as_deref(),
            coupled: self.coupled_rows(&self.formulated.equations),
            remarks: &self.remarks,
            plan: &route,
            quantities: &mut self.quantities,
            multipliers: &mut self.lambda_symbols,
        };
        let wanted = explain::Wanted {
            particle: settings.geometry,
            shown: settings.exposition,
        };
        let mut documentation = explain::document(&mut self.c, found, wanted)?;
        documentation.quantities = std::mem::take(&mut self.sections);
        let work = self.c.alg.restart_work(0);
        documentation.standard = self.standard_sections(settings);
        self.c.alg.restart_work(work);
        Ok(documentation)
    }

    /// What every module has and was asked for all the same, as far as it has a closed form.
    fn standard_sections(&mut self, settings: &Settings<'_>) -> Vec<Section> {
        if self.expression_form != ExpressionForm::Expanded {
            return Vec::new();
        }
        let kept = (self.solution.clone(), self.closed.clone());
        let mut list = Vec::new();
        for name in settings.standard {
            if let Ok(Some(table)) = self.entries(settings, name) {
                list.push(explain::section(&mut self.c, &table));
            }
        }
        (self.solution, self.closed) = kept;
        list
    }

    fn row_entries(&self) -> Vec<StateEntry> {
        let system = self.c.system;
        let unit = |r: &Row| {
            let stated = system.constraints.iter().find(|s| {
                let rest = r.name.strip_prefix(&s.meta.name);
                rest.is_some_and(|rest| matches!(rest, "" | ".x" | ".y" | ".z"))
            });
            stated.and_then(|s| s.meta.unit.clone())
        };
        let rows = self.c.constraints.rows.iter();
        rows.map(|r| {
            let unit = unit(r);
            let order = match r.level {
                Level::Position => 0,
                Level::Velocity => 1,
                Level::Acceleration => 2,
            };
            let multiplier = unit.as_deref().and_then(|u| multiplier_unit(u, order));
            StateEntry {
                name: r.name.clone(),
                docs: match (&unit, multiplier) {
                    (Some(unit), Some(multiplier)) => format!(
                        "`{}`: residual in `{unit}`, multiplier in `{multiplier}`",
                        r.name
                    ),
                    _ => String::new(),
                },
                unit: None,
            }
        })
        .collect()
    }

    fn state_entries(&self) -> Vec<StateEntry> {
        let coords = self.c.system.coords.iter().map(|c| StateEntry {
            name: c.meta.name.clone(),
            unit: c.meta.unit.clone(),
            docs: c.meta.docs.clone(),
        });
        let speeds = self
            .c
            .speeds
            .independent
            .iter()
            .map(|i| self.speed_entry(*i));
        coords.chain(speeds).collect()
    }

    fn speed_entry(&self, i: usize) -> StateEntry {
        let s = &self.c.speeds.speeds[i];
        match (s.declared, s.coordinate) {
            (Some(d), _) => {
                let m = &self.c.system.speeds[d].meta;
                StateEntry {
                    name: m.name.clone(),
                    unit: m.unit.clone(),
                    docs: m.docs.clone(),
                }
            }
            (None, Some(c)) => {
                let m = &self.c.system.coords[c].meta;
                let unit = m.unit.as_deref().map(rate_unit);
                StateEntry {
                    name: s.name.clone(),
                    unit,
                    docs: format!("rate of `{}`", m.name),
                }
            }
            (None, None) => StateEntry {
                name: s.name.clone(),
                unit: None,
                docs: String::new(),
            },
        }
    }

    /// What the full Newton-Euler system of a space is made of; `None` where loads depend on reactions, or gravity or loads cannot be
    /// written.
    fn skeleton(&mut self, space: Space) -> Option<Skeleton> {
        if self.c.coupled {
            return None;
        }
        Skeleton::new(&mut self.c, &mut self.low, space)
    }

    /// The full Newton-Euler system of a space.
    fn full_system(&mut self, space: Space) -> Option<Arc<FullSystem>> {
        if let Some(known) = self.systems.of(space) {
            return known.clone();
        }
        let facts = ValueFacts::new(&self.aims.positive);
        let skeleton = self.skeleton(space);
        let graph = &mut self.low.graph;
        let full = skeleton.map(|s| Arc::new(FullSystem::state(s, graph, &facts, Rows::NONE)));
        self.systems.remember(space, full.clone());
        full
    }

    /// M by rows, and f, with the fewest operations; M is empty where it is [too large](Reduced).
    fn mass_and_forcing(&mut self) -> Reduced {
        if let Some(known) = &self.reduced {
            return known.clone();
        }
        let e = self.formulated.equations.clone();
        let stated = Reduced {
            mass: self.low.lower_all(&self.c.alg, e.mass.iter().flatten()),
            forcing: self.low.lower_all(&self.c.alg, &e.forcing),
        };
        let whole =
            self.formulated.cyclic.is_empty() && self.expression_form == ExpressionForm::Sequenced;
        let full = whole.then(|| self.full_system(e.space)).flatten();
        let stated = (!self.unstated).then_some(&stated);
        let found = Reduced::cheapest(&mut self.low.graph, stated, full.as_deref());
        self.reduced = Some(found.clone());
        found
    }

    fn space(&self) -> Space {
        self.formulated.equations.space
    }
}

impl Instructions for Work<'_> {
    fn graph(&mut self) -> &mut Graph {
        &mut self.low.graph
    }
}

/// Binds time, parameters, inputs and coordinates.
fn bind_given(low: &mut Lowering, c: &Context<'_>) {
    let vars = &c.vars;
    let mut bind = |v, group, index: usize| {
        let value = low.graph.input(Slot {
            group,
            index: index as u32,
        });
        low.bind(v, value);
    };
    bind(vars.time, group::TIME, 0);
    for (i, v) in vars.params.iter().enumerate() {
        bind(*v, group::PARAMS, i);
    }
    for (i, v) in vars.inputs.iter().enumerate() {
        bind(*v, group::INPUTS, i);
    }
    for (i, v) in vars.coords.iter().enumerate() {
        bind(*v, group::STATE, i);
    }
}
