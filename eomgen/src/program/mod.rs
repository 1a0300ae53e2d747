//! From equations of motion to a program: every output of a generated module as instructions over
//! one shared graph, with the conditions under which it fails. Knows formulations and plans; knows
//! nothing of Rust text.

mod accelerations;
mod activity;
mod checks;
mod conditions;
mod deferred;
mod engine;
mod improve;
mod outputs;
mod poles;
mod posed;
mod probe;
mod report;
mod results;
mod rounding;
mod selection;
mod solved;
mod state;
mod writer;

pub use crate::plan::{Compared, PlanId, group};
pub use conditions::Condition;
pub use engine::{Engine, Stop};
pub use outputs::{Output, Shape};
pub use probe::Probe;
pub use results::{
    Agreement, Claim, Contrast, Contrasts, Obstacle, PARTS, Renaming, Unstated, Verdict, compare,
    contrast, listing,
};
pub use state::StateEntry;

use crate::bug::Bug;
use crate::catalogue::asked::Asked;
use crate::catalogue::{Plan, Prefer};
use crate::diag::Diagnostic;
use crate::explain::{self, Documentation, Section};
use crate::form::{self, Context, Formulated, Formulation, Options, Quantities, Variant};
use crate::ir::{Estimate, Function, Graph, Prepared, Price, Value};
use crate::mech::choice::Choice;
use crate::mech::constraints::{Level, Row};
use crate::mech::kinematics::Components;
use crate::model::System;
use crate::model::system::Sign;
use crate::plan::Aims;
use crate::stage::{self, Stage};
use crate::sym::Algebra;
use engine::Parked;
use outputs::{asked, derivatives};
use posed::Posed;
use results::Entries;
use solved::Solved;
use writer::{Writer, slot};

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
#[derive(Clone)]
pub struct Assembled {
    /// All instructions.
    pub graph: Graph,
    /// What is computed.
    pub outputs: Vec<Output>,
    /// What the quick bodies of outputs presume, if there are any.
    pub presumed: Option<Presumed>,
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
    /// Whether a divisor of the closed expressions is a power multiplied out, next to whose zeros rounding leaves nothing of it.
    pub multiplied_out: bool,
    /// The plans for the accelerations that were compared.
    pub plans: Vec<Compared>,
    /// How the accelerations are computed.
    pub route: String,
    /// Why the full Newton-Euler system was not tried, where that is not by choice.
    pub untried: Option<&'static str>,
    /// Whether the equations of the formulation were stated; those of models of many speeds are not.
    pub stated: bool,
    /// Whether the velocities of a state may violate what follows from constraints of positions: no speeds are eliminated by these.
    pub violable: bool,
}

/// What quick bodies of outputs presume.
#[derive(Clone, Debug)]
pub struct Presumed {
    /// Positive where nothing that they presume fails; where it is not, the other bodies count.
    pub margin: Value,
    /// Values that have to be looked at with the margin.
    pub solved: Vec<Value>,
    /// The plan that they are made by.
    pub plan: PlanId,
    /// The coordinates that it takes to stand still.
    pub still: Vec<String>,
}

impl Presumed {
    /// The values as a function: the margin, then the others.
    fn body(&self) -> Function {
        let outputs = std::iter::once(self.margin).chain(self.solved.iter().copied());
        Function {
            name: "margin".to_owned(),
            outputs: outputs.collect(),
            checks: Vec::new(),
        }
    }

    /// The same with the values of such a function.
    fn with(self, body: &Function) -> Option<Self> {
        let (margin, solved) = body.outputs.split_first()?;
        Some(Self {
            margin: *margin,
            solved: solved.to_vec(),
            ..self
        })
    }
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
    /// Whether the accelerations may be written a second time, by a plan that presumes that pivots do not vanish which seldom do.
    pub presumes: bool,
    /// The one plan for the full Newton-Euler system that is tried, where a search has been made before.
    pub only: Option<&'a PlanId>,
    /// The same of plans that presume something.
    pub only_presuming: Option<&'a PlanId>,
    /// Speeds to eliminate.
    pub choice: &'a Choice,
    /// Quantities asked for by name, in the order of the catalogue.
    pub outputs: &'a [Asked],
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
    stage::at(Stage::Kinematics);
    let limited = work.is_some();
    let begun = Parked::new(engine, || {
        begin(system, settings, expression_form, components, work)
    })?;
    let Some(parked) = begun else {
        return Ok(None);
    };
    let mut solved = accelerations::solve(parked)?;
    stage::at(Stage::Outputs);
    let motion = solved.visit(|solved, w| {
        let exhausted = limited && w.c.alg.is_exhausted();
        (!exhausted).then(|| outputs::motion(solved, w))
    })?;
    let Some(motion) = motion else {
        return Ok(None);
    };
    let motion = motion?;
    let reduced = accelerations::reduced(&mut solved)?;
    let outputs = solved.visit(|solved, w| outputs::standard(solved, w, motion, reduced))??;
    Ok(solved.leave(|solved, writer| finish(&solved, outputs, writer, settings, limited))??)
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
        Aims {
            plan: self.plan,
            prefer: self.prefer,
            only: self.only.cloned(),
            only_presuming: self.only_presuming.cloned(),
            presumes: self.presumes && self.plan == Plan::Auto,
            positive: positive.map(|(i, _)| slot(group::PARAMS, i)).collect(),
            nonzero: Vec::new(),
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
        alg.stop_at_limit();
    }
    let mut context = Context::derive(alg, system, components, settings.choice)?;
    if let Err(mut errors) = report::check_determined(&mut context) {
        errors.extend(report::check_values(&mut context).err().unwrap_or_default());
        return Err(errors);
    }
    let options = settings.options();
    if let Some(refusal) = formulation.refusal(&mut context, &options) {
        return Err(vec![form::with_alternatives(&mut context, refusal)]);
    }
    if deferred::defers(&context, settings, expression_form) {
        return Ok(Some((
            context,
            Formulated::unstated(formulation.space(), &options),
        )));
    }
    stage::at(Stage::Equations);
    let formulated = match formulation.formulate(&mut context, &options) {
        Ok(formulated) => formulated,
        Err(_) if context.alg.is_of_no_use() => return Ok(None),
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

impl Assembled {
    /// The plan of quick bodies, if there are any.
    pub fn presuming_plan(&self) -> Option<&PlanId> {
        self.presumed.as_ref().map(|presumed| &presumed.plan)
    }

    /// The plan that was chosen, where several were compared.
    pub fn plan(&self) -> Option<&PlanId> {
        let chosen = self.plans.iter().find(|row| row.chosen);
        chosen.map(|row| &row.id)
    }

    /// What one evaluation of the accelerations costs: operations, or estimated time.
    pub fn price(&self, prefer: Prefer) -> Price {
        let found = self.outputs.iter().find(|o| o.name == "accelerations");
        let Some(roots) = found.map(|o| &o.quick.as_ref().unwrap_or(&o.body).outputs) else {
            return Price::default();
        };
        match prefer {
            Prefer::Operations => Price::of_operations(self.graph.count(roots).total()),
            Prefer::Time => {
                let prepared = Prepared::new(&[group::PARAMS]);
                Estimate::of(&self.graph, roots, &prepared).price(true)
            }
        }
    }
}

/// The equations, and what follows from them in closed form; `None` where the limit of work is reached.
fn begin<'a>(
    system: &'a System,
    settings: &Settings<'_>,
    expression_form: ExpressionForm,
    components: Components,
    work: Option<usize>,
) -> Result<Option<(Posed, Writer<'a>)>, Vec<Diagnostic>> {
    let begun = prepared(system, settings, expression_form, components, work)?;
    let Some((mut context, formulated)) = begun else {
        return Ok(None);
    };
    let posed = Posed::new(&mut context, formulated, settings);
    let writer = Writer::new(context);
    let exhausted = work.is_some() && writer.c.alg.is_exhausted();
    Ok((!exhausted).then_some((posed, writer)))
}

/// What is asked for, and what belongs to all outputs.
fn finish(
    solved: &Solved,
    mut outputs: Vec<Output>,
    mut w: Writer<'_>,
    settings: &Settings<'_>,
    limited: bool,
) -> Result<Option<Assembled>, Vec<Diagnostic>> {
    let posed = &solved.posed;
    let mut quantities = Quantities::default();
    let remark = outputs::remark(&w.c, posed.space(), &outputs);
    // What is asked for has a budget of its own, so that it does not decide how the rest is presented.
    let work = w.c.alg.restart_work(0);
    let asked = settings.outputs;
    let sections = asked::add(solved, &mut w, &mut quantities, asked, &mut outputs)?;
    derivatives::add(solved, &mut w, settings.jacobians, &mut outputs)?;
    w.c.alg.restart_work(work);
    let certified = posed.solution.as_ref().map(|s| s.certified.as_slice());
    let presuming = solved.presuming.as_ref();
    checks::collect(
        &mut w,
        certified.unwrap_or_default(),
        presuming,
        &mut outputs,
    );
    let presumed = presuming.map(|presuming| Presumed {
        margin: presuming.margin,
        solved: presuming.solved.clone(),
        plan: presuming.plan.clone(),
        still: presuming.still.clone(),
    });
    if let Some((labels, values)) = checks::closeness(&mut w) {
        let docs = "How close each singular condition that has a value is to failure, in their order: 0 is singular, and functions return an error below 1e-9.";
        outputs.push(Output::array(&mut w, "closeness", docs, labels, values));
    }
    let probe = Probe::build(&mut w.c);
    let documentation = Documentation {
        quantities: sections,
        ..documentation(solved, &mut w, &mut quantities, remark, settings)?
    };
    let found = [w.c.alg.check(), w.low.graph.check(), probe.graph.check()];
    let sound: Result<(), Bug> = found.into_iter().collect();
    sound.map_err(|bug| vec![bug.into()])?;
    if limited && w.c.alg.is_exhausted() {
        return Ok(None);
    }
    let e = posed.equations();
    let stated = e.mass.iter().flatten().chain(&e.forcing);
    let mechanics = w.mechanics();
    let positions = |row: &Row| row.level == Level::Position;
    let violable = !mechanics.speeds.reduced && mechanics.constraints.rows.iter().any(positions);
    let closed_size = stated.map(|e| w.c.alg.node(e).size()).sum();
    let signs = accelerations::coupling::of_either_sign(solved, &mut w);
    let notes =
        w.c.notes
            .iter()
            .chain(&posed.formulated.notes)
            .chain(&signs);
    Ok(Some(Assembled {
        presumed,
        outputs,
        state: state::state(&w.c),
        speeds: state::speeds(&w.c),
        rows: state::rows(&w.c),
        documentation,
        notes: notes.cloned().collect(),
        probe,
        closed_size,
        multiplied_out: w.conditions.multiplied_out,
        plans: solved.compared.clone(),
        route: solved.route.to_string(),
        untried: solved.untried,
        stated: posed.stated,
        violable,
        conditions: w.conditions.list,
        cancelled: w.conditions.cancelled,
        jet_orders: w.low.jet_orders,
        graph: w.low.graph,
    }))
}

/// What a reader is told.
fn documentation(
    solved: &Solved,
    w: &mut Writer<'_>,
    quantities: &mut Quantities,
    remark: Option<String>,
    settings: &Settings<'_>,
) -> Result<Documentation, Vec<Diagnostic>> {
    let posed = &solved.posed;
    let found = explain::Found {
        method: posed.formulation.name(),
        formulated: &posed.formulated,
        stated: posed.stated,
        solution: posed.solution.as_ref(),
        accelerations: solved.closed.as_deref(),
        coupled: accelerations::coupling::rows(&w.c, posed.equations()),
        remarks: remark.as_slice(),
        plan: &solved.route.to_string(),
        quantities,
        multipliers: &posed.multipliers,
    };
    let wanted = explain::Wanted {
        particle: settings.geometry,
        shown: settings.exposition,
    };
    let documentation = explain::document(&mut w.c, found, wanted)?;
    let work = w.c.alg.restart_work(0);
    let standard = standard_sections(posed, w, quantities, settings.standard);
    w.c.alg.restart_work(work);
    Ok(Documentation {
        standard,
        ..documentation
    })
}

/// What every module has and was asked for all the same, as far as it has a closed form.
fn standard_sections(
    posed: &Posed,
    w: &mut Writer<'_>,
    quantities: &mut Quantities,
    names: &[&str],
) -> Vec<Section> {
    let mut list = Vec::new();
    if w.c.alg.is_closed() {
        let mut entries = Entries::new(posed, quantities);
        for name in names {
            if let Ok(Some(table)) = entries.table(&mut w.c, name) {
                list.push(explain::section(&mut w.c, &table));
            }
        }
        w.cancelled(&quantities.cancelled());
    }
    list
}
