//! The accelerations, as far as expressions are needed for them: what has to be eliminated, and what follows from it. A closed form is taken where it
//! is short, a counted elimination otherwise, and the rank-revealing routine where constraint rows may lose rank.

use super::kept_rows::{self, KeptRows, NamedRow, kept_rows};
use super::left::Back;
use super::presuming::Quick;
use super::route::Route;
use super::statements::{bordered, lowered_rows, reduced_system};
use super::unknowns::{self, record_pivots, unknowns};
use super::{balances, closed, presuming};
use crate::catalogue;
use crate::diag::Diagnostic;
use crate::form::Space;
use crate::ir::{Binary, Graph, Op, Price, Slot, Unary, Value};
use crate::mech::turned::SolvedRows;
use crate::model::system::Sign;
use crate::plan::{Skeleton, Worked, group};
use crate::program::conditions::bare;
use crate::program::posed::Posed;
use crate::program::report::undetermined;
use crate::program::rounding;
use crate::program::solved::{Entering, Unknowns};
use crate::program::writer::{Writer, slot};
use crate::solve::{Plan, SymmetricSystem};
use crate::sym::Expr;

/// A closed form is preferred unless it takes this many times the operations of the elimination.
const CLOSED_MARGIN: f64 = 1.25;
/// Up to this many unknowns equations that are written out in full are not stated otherwise, unless asked for.
const SHORT: usize = 4;

/// What comes first.
pub(in crate::program) enum Start {
    /// Nothing has to be eliminated.
    Known(Box<Pending>),
    /// The mass matrix is factored.
    MassMatrix(Box<MassMatrix>),
    /// Constraint rows are kept.
    KeptRows(Box<KeptRows>),
}

/// A mass matrix to factor.
pub(in crate::program) struct MassMatrix {
    pub system: SymmetricSystem,
    /// The space of its unknowns.
    pub space: Space,
    /// Whether the full Newton-Euler system is tried beside it.
    pub full: bool,
    /// Whether that is taken even where it takes more operations.
    pub prefers_full: bool,
    /// The closed form that it is compared with.
    pub closed: Option<Way>,
}

/// The full system in all accelerations, with the constraints as rows.
pub(in crate::program) struct Unreduced {
    /// The space of its unknowns: the accelerations, or the rates of all speeds.
    pub space: Space,
    /// Values that do not vanish where the state's speeds determine the others, with what says so.
    pub nonzero: Vec<(Value, String, String)>,
    /// Coordinates that the model declares positive.
    pub positive: Vec<Slot>,
    /// Of all speeds those that are not the state's, which are rates of these coordinates.
    pub dependent: Vec<usize>,
    pub rows: Vec<(Vec<Value>, Value)>,
    pub bordered: Option<SymmetricSystem>,
    /// `None` where only the bordered mass matrix was requested, or the full system cannot be written.
    pub skeleton: Option<Skeleton>,
}

impl Unreduced {
    /// Its unknowns by a way to the rates of the independent speeds.
    pub fn known(&self, way: &Way) -> Vec<Value> {
        match self.space {
            Space::Whole => {
                let others = self.dependent.iter().map(|c| way.accelerations[*c]);
                way.unknowns.values.iter().copied().chain(others).collect()
            }
            _ => way.accelerations.clone(),
        }
    }
}

/// One way to q'', worked out.
pub(in crate::program) struct Way {
    pub accelerations: Vec<Value>,
    /// What they are computed from, in closed form.
    pub closed: Option<Vec<Expr>>,
    /// What else they are computed from; without values in closed form.
    pub unknowns: Unknowns,
}

/// A way to q'', unless another one takes fewer operations.
pub(in crate::program) struct Pending {
    pub way: Way,
    /// The other way.
    pub unreduced: Option<Unreduced>,
    /// How many times its operations this one may take.
    pub margin: f64,
    /// Why the full Newton-Euler system was not tried, where that is not by choice.
    pub untried: Option<&'static str>,
    /// The same by a plan that presumes something.
    pub presuming: Option<presuming::Found>,
}

impl Pending {
    fn closed(way: Way) -> Self {
        Self {
            way,
            unreduced: None,
            margin: CLOSED_MARGIN,
            untried: None,
            presuming: None,
        }
    }
}

impl Way {
    /// By a plan for q'' themselves, or for the rates of all speeds.
    pub fn planned(w: &mut Writer<'_>, space: Space, mut worked: Worked) -> Self {
        if space == Space::Whole {
            let own = w.c.kinematics(Space::SpeedRates).motion.speed_dots.clone();
            let dots = w.c.kinematics(space).motion.speed_dots.clone();
            for (dot, value) in dots.into_iter().zip(&worked.unknowns) {
                if own.contains(&dot) {
                    w.bind_value(dot, *value);
                }
            }
        }
        let mechanics = w.mechanics();
        let multipliers = mechanics.whole.as_ref().filter(|_| space == Space::Whole);
        let multipliers = multipliers.map(|whole| {
            // `M u' + A^T x = f` gives the opposite of the multipliers.
            let opposite = worked
                .unknowns
                .split_off(whole.kinematics.motion.speeds.len());
            let solved: Vec<Value> = opposite.into_iter().map(|x| w.low.graph.neg(x)).collect();
            stated_multipliers(w, &whole.rows, &solved)
        });
        Self {
            accelerations: unknowns::accelerations_in(w, space, &worked.unknowns),
            closed: None,
            unknowns: Unknowns {
                multipliers,
                ..Unknowns::by(Route::Plan(worked.id), Vec::new())
            },
        }
    }

    /// By the unknowns of the equations.
    pub fn by(posed: &Posed, w: &mut Writer<'_>, unknowns: Unknowns) -> Self {
        Self {
            accelerations: unknowns::accelerations(posed, w, &unknowns.values),
            closed: None,
            unknowns,
        }
    }

    fn closed(posed: &Posed, w: &mut Writer<'_>) -> Option<Self> {
        let solution = posed.solution.as_ref()?;
        let exprs = closed::accelerations(&mut w.c, posed.space(), solution);
        let route = match (&posed.formulated.balances, solution.by_balances) {
            (None, _) => Route::ClosedForm,
            (_, true) => Route::ClosedTogether,
            (_, false) => Route::ClosedProjected,
        };
        Some(Self {
            accelerations: w.lower_all(&exprs),
            closed: Some(exprs),
            unknowns: Unknowns::by(route, Vec::new()),
        })
    }

    /// Binds what is known of s' where this way is taken.
    pub fn bind(&self, posed: &Posed, w: &mut Writer<'_>) {
        let Some(solution) = posed.solution.as_ref().filter(|_| self.closed.is_some()) else {
            return unknowns::bind(posed, w, &self.unknowns.values);
        };
        w.cancelled(&solution.cancelled);
        if posed.space() == Space::SpeedRates {
            let z = w.lower_all(&solution.unknowns);
            unknowns::bind(posed, w, &z);
        }
    }
}

/// Finds q'', or what has to be eliminated for it.
pub(in crate::program) fn start(
    posed: &Posed,
    w: &mut Writer<'_>,
) -> Result<Start, Vec<Diagnostic>> {
    let e = posed.equations();
    if let Some(way) = Way::closed(posed, w) {
        if e.closure.is_none() && posed.formulated.balances.is_none() {
            let task = mass_matrix(posed, w, Some(way));
            return Ok(Start::MassMatrix(Box::new(task)));
        }
        return Ok(Start::Known(Box::new(Pending::closed(way))));
    }
    if let Some(found) = balances::unknowns(posed, w) {
        return Ok(Start::Known(Box::new(pending(posed, w, found))));
    }
    if e.closure.is_none() {
        // At the poles of angles M is singular, but not in the angular velocities.
        let in_spins = posed.space() == Space::SpeedRates && !posed.definite;
        if let Some(Ok(task)) = in_spins.then(|| kept_rows(posed, w)) {
            return Ok(Start::KeptRows(Box::new(task)));
        }
        let task = mass_matrix(posed, w, None);
        return Ok(Start::MassMatrix(Box::new(task)));
    }
    let untried = match kept_rows(posed, w) {
        Ok(task) => return Ok(Start::KeptRows(Box::new(task))),
        Err(why) => why,
    };
    let found = unknowns(posed, w, e)?;
    Ok(Start::Known(Box::new(Pending {
        untried,
        ..pending(posed, w, found)
    })))
}

/// What follows from the mass matrix factored, or from the full system.
pub(in crate::program) fn after_elimination(
    posed: &Posed,
    w: &mut Writer<'_>,
    worked: Option<Worked>,
    closed: Option<Way>,
) -> Result<Pending, Vec<Diagnostic>> {
    let e = posed.equations();
    let (worked, closed) = match (worked, closed) {
        (None, None) => return Err(undetermined(&mut w.c)),
        (Some(worked), None) => {
            record_pivots(posed, w, &worked.plan, e);
            let found = Unknowns::by(Route::Plan(worked.id), worked.unknowns);
            return Ok(pending(posed, w, found));
        }
        (worked, Some(closed)) => (worked, closed),
    };
    let mut pending = Pending::closed(closed);
    let Some(worked) = worked else {
        return Ok(pending);
    };
    let route = Route::Factored {
        unknowns: e.mass.len(),
        plan: worked.id,
    };
    let other = Way::by(posed, w, Unknowns::by(route, worked.unknowns));
    let [closed, by_mass] = [&pending.way, &other].map(|way| cost(posed, w, &way.accelerations));
    if !closed.holds_beside(by_mass, CLOSED_MARGIN) {
        record_pivots(posed, w, &worked.plan, e);
        return Ok(Pending {
            way: other,
            unreduced: unreduced(posed, w),
            margin: 1.0,
            untried: None,
            presuming: None,
        });
    }
    // Speeds of another kind than rates have short equations of their own.
    let dots = &w.c.kinematics(Space::SpeedRates).motion.speed_dots;
    if dots.iter().all(|v| w.c.vars.rate_dots.contains(v)) {
        pending.unreduced = unreduced(posed, w);
    }
    Ok(pending)
}

/// The unknowns by the full system with the rows that were kept, or else by the routine.
pub(in crate::program) fn after_kept_rows(
    posed: &Posed,
    w: &mut Writer<'_>,
    rows: (Space, &[NamedRow], Option<&Back>),
    (worked, presuming): (Option<Worked>, Option<Quick>),
    untried: Option<&'static str>,
) -> Result<Pending, Vec<Diagnostic>> {
    let presuming = presuming.and_then(|quick| presuming::found(w, rows.0, quick));
    let Some(worked) = worked else {
        let found = unknowns(posed, w, posed.equations())?;
        return Ok(Pending {
            presuming,
            untried,
            ..pending(posed, w, found)
        });
    };
    let (accelerations, unknowns) = kept_rows::solved(posed, w, rows, worked);
    let way = Way {
        accelerations,
        closed: None,
        unknowns,
    };
    Ok(Pending {
        way,
        unreduced: None,
        margin: 1.0,
        untried: None,
        presuming,
    })
}

fn pending(posed: &Posed, w: &mut Writer<'_>, unknowns: Unknowns) -> Pending {
    Pending {
        way: Way::by(posed, w, unknowns),
        unreduced: unreduced(posed, w),
        margin: 1.0,
        untried: None,
        presuming: None,
    }
}

/// What a closed form and an elimination are compared by. What is prepared counts as operations too: the closed form is there to be read.
fn cost(posed: &Posed, w: &Writer<'_>, values: &[Value]) -> Price {
    Price {
        operations: w.low.graph.count(values).total(),
        ..posed.aims.price(&w.low.graph, values)
    }
}

/// Binds the symbols of q'' and s' to their values.
pub(in crate::program) fn bind(
    w: &mut Writer<'_>,
    accelerations: &[Value],
    doubtful: Vec<(String, Value)>,
) -> Vec<Value> {
    record_doubts(w, doubtful);
    let mechanics = w.mechanics();
    let rate_dots = mechanics.vars.rate_dots.iter().zip(accelerations);
    for (coordinate, (v, value)) in mechanics.system.coords.iter().zip(rate_dots) {
        let name = format!("{}_ddot", coordinate.meta.name);
        w.low.graph.name(*value, &name);
        w.bind_value(*v, *value);
    }
    unknowns::speed_dots(w)
}

/// Conditions for the pivots of the accelerations' plan that are not proven never to vanish.
fn record_doubts(w: &mut Writer<'_>, doubtful: Vec<(String, Value)>) {
    for (name, value) in doubtful {
        let scale = rounding::scale(w, value);
        let text = format!("the pivot on {name} vanishes");
        let note = "in the elimination of the requested equations";
        w.pivot_condition(value, scale, text, note);
    }
}

/// The mass matrix, and whether the full system, which carries all loads and knows of no coordinate that the equations are written
/// without, is tried beside it.
fn mass_matrix(posed: &Posed, w: &mut Writer<'_>, closed: Option<Way>) -> MassMatrix {
    let (e, balances) = (posed.equations(), posed.formulated.balances.is_some());
    let raw = !w.c.alg.is_closed() || e.mass.len() > SHORT || balances;
    let asked = posed.aims.plan == catalogue::Plan::NewtonEuler;
    let reduces = matches!(
        posed.aims.plan,
        catalogue::Plan::Reduced | catalogue::Plan::Bordered
    );
    let whole = posed.formulated.cyclic.is_empty() && posed.definite;
    MassMatrix {
        system: reduced_system(w, e),
        space: e.space,
        full: !reduces && (raw || asked) && whole,
        prefers_full: asked || balances,
        closed,
    }
}

/// What q'' takes from the full system in all accelerations, where the equations are reduced to independent speeds.
fn unreduced(posed: &Posed, w: &mut Writer<'_>) -> Option<Unreduced> {
    let e = posed.equations();
    let free = w.c.constraints.independent.is_empty();
    let other = e.closure.is_some() || e.space != Space::SpeedRates || !w.c.speeds.reduced;
    let bound =
        w.c.coupled || posed.formulated.balances.is_some() || !posed.formulated.cyclic.is_empty();
    let reduces = posed.aims.plan == catalogue::Plan::Reduced;
    if free || other || bound || reduces || !posed.definite {
        return None;
    }
    let mechanics = w.mechanics();
    let asked_for_bordered = posed.aims.plan == catalogue::Plan::Bordered;
    if let Some(whole) = mechanics.whole.as_ref().filter(|_| !asked_for_bordered) {
        return Some(Unreduced {
            space: Space::Whole,
            nonzero: determining(w),
            positive: positive_coordinates(w),
            dependent: whole.dependent.clone(),
            rows: lowered_rows(w, &whole.rows.a, &whole.rows.b),
            bordered: None,
            skeleton: Some(Skeleton::new(&mut w.c, &mut w.low, Space::Whole)?),
        });
    }
    let matrix = w.c.constraints.independent_matrix();
    let rhs = w.c.constraints.independent_rhs();
    let rows = lowered_rows(w, &matrix, &rhs);
    let bordered = bordered(posed, w, &rows);
    let skeleton = match posed.aims.plan {
        catalogue::Plan::Bordered => None,
        _ => Some(Skeleton::new(&mut w.c, &mut w.low, Space::Accelerations)?),
    };
    Some(Unreduced {
        space: Space::Accelerations,
        nonzero: Vec::new(),
        positive: Vec::new(),
        dependent: Vec::new(),
        rows,
        bordered,
        skeleton,
    })
}

fn positive_coordinates(w: &Writer<'_>) -> Vec<Slot> {
    let coords = w.c.system.coords.iter().enumerate();
    let positive = coords.filter(|(_, c)| c.sign == Some(Sign::Positive));
    positive.map(|(i, _)| slot(group::STATE, i)).collect()
}

/// What must not vanish for the state's speeds to determine all rates: its values, each with its condition in words.
fn determining(w: &mut Writer<'_>) -> Vec<(Value, String, String)> {
    let mechanics = w.mechanics();
    let mut list = Vec::new();
    for (e, _) in &mechanics.speeds.conditions {
        let value = w.lower(e);
        let text = format!("{} = 0", w.readable(e));
        let note = mechanics.speeds.blindness(&w.c.alg, w.c.system, e);
        list.push((value, text, note.unwrap_or_default()));
    }
    list
}

/// The conditions for the pivots of a plan in which values are divided by that are known not to vanish.
pub(in crate::program) fn record_determining(
    w: &mut Writer<'_>,
    nonzero: Vec<(Value, String, String)>,
    plan: &Plan,
) {
    let pivots: Vec<Value> = plan.pivots.iter().filter_map(|p| p.value).collect();
    for (value, text, note) in nonzero {
        let held = |pivot: &&Value| holds_factor(&w.low.graph, **pivot, value);
        let held: Vec<Value> = pivots.iter().filter(held).copied().collect();
        if held.is_empty() {
            continue;
        }
        let bare_ones = held.iter().map(|pivot| bare(&w.low.graph, *pivot));
        let guards: Vec<Value> = held.iter().copied().chain(bare_ones).collect();
        let scale = rounding::scale(w, value);
        w.condition_for(value, guards, scale, text, &note);
    }
}

/// Whether a value vanishes with another one that is a factor of it, as its form shows.
fn holds_factor(graph: &Graph, value: Value, factor: Value) -> bool {
    value == factor
        || match graph.op(value) {
            Op::Unary(Unary::Neg, a) | Op::Binary(Binary::Div, a, _) => {
                holds_factor(graph, *a, factor)
            }
            Op::Binary(Binary::Mul, a, b) => {
                holds_factor(graph, *a, factor) || holds_factor(graph, *b, factor)
            }
            _ => false,
        }
}

/// The multipliers of rows as they are stated from those of the rows as they are solved.
fn stated_multipliers(w: &mut Writer<'_>, rows: &SolvedRows, solved: &[Value]) -> Entering {
    let mut list: Entering = rows
        .numbers
        .iter()
        .copied()
        .zip(solved.iter().copied())
        .collect();
    for turned in &rows.turned {
        let first = turned.first;
        for (i, row) in turned.turn.iter().enumerate() {
            let mut sum = w.low.graph.zero();
            for (e, value) in row.iter().zip(&solved[first..]) {
                sum = w.add_product(sum, e, *value);
            }
            list[first + i].1 = sum;
        }
    }
    list
}
