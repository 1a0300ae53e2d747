//! From equations of motion to a program: every output of a generated module as instructions over
//! one shared graph, with the conditions under which it fails. Knows formulations and plans; knows
//! nothing of Rust text.

mod accuracy;
mod activity;
mod balances;
mod claims;
mod condensed;
mod conditions;
mod contrast;
mod deferred;
mod derivatives;
mod dynamics;
mod entries;
mod explicit;
mod exposition;
mod forces;
mod geometry;
mod improve;
mod inverses;
mod mixtures;
mod outputs;
mod plan;
mod portfolio;
mod probe;
mod reactions;
mod report;
mod rows;
mod sections;
mod signs;
mod statements;
mod tables;
mod text;
mod uncondensed;

pub use claims::{Agreement, Claim, Obstacle, Verdict, judge, listing};
pub use conditions::Condition;
pub use contrast::{Contrast, PARTS, Statement, contrast, statements};
pub use exposition::{
    Attributed, Attribution, Exposed, FrameShown, Partial, PointShown, Source, names,
};
pub use geometry::Part;
pub use outputs::{Argument, Output, Shape};
pub use probe::Probe;
pub use sections::Section;
pub use text::Documentation;

use crate::catalogue::{Plan, Prefer};
use crate::diag::Diagnostic;
use crate::form::solution::{self, Solution};
use crate::form::{
    Closure, Context, Equations, Formulated, Formulation, Options, Quantities, Space, Variant,
    regular,
};
use crate::ir::{Graph, Prepared, Slot, Value};
use crate::lower::Lowering;
use crate::mech::choice::Choice;
use crate::mech::constraints::{Level, Row};
use crate::mech::kinematics::Components;
use crate::model::{System, multiplier_unit};
use crate::solve::Candidate;
use crate::sym::{Algebra, Expr, Var};
use std::rc::Rc;

/// Input groups of the program.
pub mod group {
    /// Time: one entry.
    pub const TIME: u8 = 0;
    /// The state (q, then the state's speeds).
    pub const STATE: u8 = 1;
    /// Parameters.
    pub const PARAMS: u8 = 2;
    /// Inputs.
    pub const INPUTS: u8 = 3;
    /// Rates q' given from outside (checks of a state only).
    pub const RATES: u8 = 4;
    /// Rates of the state's speeds given from outside (inverse dynamics only).
    pub const GIVEN: u8 = 5;
}

/// Presentation of the derivation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Presentation {
    /// Written out.
    Closed,
    /// As a list of definitions.
    Staged,
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
    /// Equations and remarks as text.
    pub documentation: Documentation,
    /// Remarks on the model.
    pub notes: Vec<Diagnostic>,
    /// Checks of a state given as q and q'.
    pub probe: Probe,
    /// Size of the closed expressions, for choosing the presentation.
    pub closed_size: usize,
    /// The plans for the accelerations that were compared.
    pub plans: Vec<Candidate>,
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

/// What is chosen outside the model and does not depend on the presentation.
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
    /// The one plan for the uncondensed equations that is tried, by its name, where a search has been made before.
    pub among: Option<&'a str>,
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

impl Settings<'_> {
    /// What is chosen of the formulation.
    fn options(&self) -> Options<'_> {
        Options {
            variant: self.variant,
            dependent: &self.choice.dependent,
        }
    }
}

/// Derives and assembles. With a limit of `work` (terms that simplification handles) the result is
/// `None` where the limit is reached.
pub fn assemble(
    system: &System,
    settings: &Settings<'_>,
    presentation: Presentation,
    components: Components,
    work: Option<usize>,
) -> Result<Option<Assembled>, Vec<Diagnostic>> {
    let Some((context, formulated)) = prepared(system, settings, presentation, components, work)?
    else {
        return Ok(None);
    };
    let mut w = Work::new(context, formulated, presentation, settings.formulation)?;
    w.plan = settings.plan;
    w.prefer = settings.prefer;
    w.dependent = settings.choice.dependent.clone();
    w.among = settings.among.map(str::to_owned);
    if work.is_some() && w.c.alg.is_exhausted() {
        return Ok(None);
    }
    w.finish(settings, work.is_some())
}

/// The equations of the formulation; `None` where the limit of work is reached.
fn prepared<'a>(
    system: &'a System,
    settings: &Settings<'_>,
    presentation: Presentation,
    components: Components,
    work: Option<usize>,
) -> Result<Option<(Context<'a>, Formulated)>, Vec<Diagnostic>> {
    let formulation = settings.formulation;
    let mut alg = Algebra::new(match presentation {
        Presentation::Closed => None,
        Presentation::Staged => Some(NAMED_ABOVE),
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
    if deferred::defers(&context, settings, presentation) {
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
    presentation: Presentation,
) -> Result<Context<'_>, Vec<Diagnostic>> {
    let alg = Algebra::new(match presentation {
        Presentation::Closed => None,
        Presentation::Staged => Some(NAMED_ABOVE),
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
    /// The name of the plan that was chosen, where several were compared.
    pub fn plan(&self) -> Option<String> {
        let chosen = self.plans.iter().find(|row| row.chosen);
        chosen.map(|row| row.name.clone())
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
    /// The uncondensed equations of the spaces for which they were written down.
    statements: Vec<(Space, Option<Rc<condensed::Statement>>)>,
    /// M by rows, and f.
    reduced: Option<(Vec<Value>, Vec<Value>)>,
    presentation: Presentation,
    plan: Plan,
    prefer: Prefer,
    /// The one plan for the uncondensed equations that is tried.
    among: Option<String>,
    /// The plans that were compared.
    plans: Vec<Candidate>,
    /// Pivots of the accelerations' plan that are not proven never to vanish, and how conditions call them.
    doubtful: Vec<(String, Value)>,
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
    plan_note: String,
    /// Rows whose multipliers enter loads, with the values of these; found with the accelerations.
    entering: Vec<(usize, Value)>,
    /// The multipliers of all rows, where the plan of the accelerations finds them.
    planned_multipliers: Option<Vec<Value>>,
    /// Values of the multipliers of all rows.
    multipliers: Vec<Value>,
    /// The same as expressions, where the accelerations are in closed form.
    closed_lambda: Option<Vec<Expr>>,
    /// The equations in q'', once needed.
    full: Option<Equations>,
    /// What quantities asked for by name share.
    quantities: Quantities,
    /// Quantities asked for by name, as text.
    sections: Vec<Section>,
    /// Remarks on the outputs, for the documentation.
    remarks: Vec<String>,
    /// Symbols of the multipliers of all rows, once needed.
    lambda_symbols: Vec<Var>,
    /// Values of conditions that count wherever their divisors are used, whatever branch that is in.
    decided: Vec<Value>,
    /// Longest line of the documentation that is written in full, in characters.
    longest: usize,
}

impl<'a> Work<'a> {
    fn new(
        mut c: Context<'a>,
        formulated: Formulated,
        presentation: Presentation,
        formulation: &'static dyn Formulation,
    ) -> Result<Self, Vec<Diagnostic>> {
        let unstated = formulated.equations.mass.is_empty() && !c.system.coords.is_empty();
        let definite = regular::is_positive_definite(&mut c, &formulated.equations);
        let solution = solution::solve(&mut c, &formulated, definite);
        let low = Lowering::new(c.system.functions.len());
        let mut w = Self {
            c,
            formulation,
            formulated,
            dependent: Vec::new(),
            unstated,
            statements: Vec::new(),
            reduced: None,
            presentation,
            plan: Plan::default(),
            prefer: Prefer::default(),
            among: None,
            plans: Vec::new(),
            low,
            definite,
            doubtful: Vec::new(),
            solution,
            conditions: Vec::new(),
            cancelled: Vec::new(),
            closed: None,
            qdd: Vec::new(),
            plan_note: String::new(),
            entering: Vec::new(),
            planned_multipliers: None,
            multipliers: Vec::new(),
            closed_lambda: None,
            full: None,
            quantities: Quantities::default(),
            sections: Vec::new(),
            remarks: Vec::new(),
            lambda_symbols: Vec::new(),
            decided: Vec::new(),
            longest: text::LONGEST,
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
        self.solve_accelerations()?;
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
            let docs = "How far the singular conditions that have a value are from failing, in their order: 0 fails, and functions refuse a state below 1e-12.";
            let shape = Shape::Array(values.len());
            self.push(&mut outputs, "closeness", docs, shape, labels, values);
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
        if settings.exposition {
            self.longest = exposition::LINE;
        }
        let mut documentation = text::document(&mut self, settings.formulation.name());
        let work = self.c.alg.restart_work(0);
        documentation.quantities = std::mem::take(&mut self.sections);
        documentation.standard = self.standard_sections(settings);
        if settings.geometry {
            documentation.geometry = self.geometry()?;
        }
        if settings.exposition {
            documentation.exposed = Some(self.exposed()?);
        }
        self.c.alg.restart_work(work);
        if let Some(v) = self.low.unbound.first() {
            let name = self.c.alg.info(*v).name.clone();
            let fault = crate::mech::Fault::internal(&format!("`{name}` has no value"));
            return Err(vec![fault.at(crate::span::Span::default())]);
        }
        let mut notes = self.c.notes.clone();
        notes.append(&mut self.formulated.notes);
        let sound = self.c.alg.check().and_then(|()| self.low.graph.check());
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
            plans: self.plans,
            stated: !self.unstated,
        }))
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

    /// Whether constraint rows remain in the equations.
    fn closure(&self) -> Option<Closure> {
        self.formulated.equations.closure
    }

    fn space(&self) -> Space {
        self.formulated.equations.space
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
