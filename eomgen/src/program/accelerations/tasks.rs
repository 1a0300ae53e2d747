//! The accelerations, as far as expressions are needed for them: what has to be eliminated, and what follows from it. A closed form is taken where it
//! is short, a counted elimination otherwise, and the rank-revealing routine where constraint rows may lose rank.

use super::kept_rows::{self, KeptRows, NamedRow, kept_rows};
use super::route::Route;
use super::statements::{bordered, lowered_rows, reduced_system};
use super::unknowns::{self, record_pivots, unknowns};
use super::{balances, closed};
use crate::catalogue::{self, Prefer};
use crate::diag::Diagnostic;
use crate::form::Space;
use crate::ir::field::Points;
use crate::ir::{Binary, Op, Slot, Unary, Value};
use crate::model::system::Rational;
use crate::plan::{Skeleton, Worked, group};
use crate::program::posed::Posed;
use crate::program::report::undetermined;
use crate::program::solved::Unknowns;
use crate::program::writer::{Writer, slot};
use crate::solve::SymmetricSystem;
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
    pub rows: Vec<(Vec<Value>, Value)>,
    pub bordered: Option<SymmetricSystem>,
    /// `None` where only the bordered mass matrix was requested, or the full system cannot be written.
    pub skeleton: Option<Skeleton>,
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
}

impl Pending {
    fn closed(way: Way) -> Self {
        Self {
            way,
            unreduced: None,
            margin: CLOSED_MARGIN,
            untried: None,
        }
    }
}

impl Way {
    /// By a plan for q'' themselves.
    pub fn planned(worked: Worked) -> Self {
        Self {
            accelerations: worked.unknowns,
            closed: None,
            unknowns: Unknowns::by(Route::Plan(worked.id), Vec::new()),
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
    let cost = |way: &Way| cost(posed, w, &way.accelerations) as f64;
    if cost(&pending.way) > CLOSED_MARGIN * cost(&other) {
        record_pivots(posed, w, &worked.plan, e);
        return Ok(Pending {
            way: other,
            unreduced: unreduced(posed, w),
            margin: 1.0,
            untried: None,
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
    rows: (Space, &[NamedRow]),
    worked: Option<Worked>,
) -> Result<Pending, Vec<Diagnostic>> {
    let Some(worked) = worked else {
        let found = unknowns(posed, w, posed.equations())?;
        return Ok(pending(posed, w, found));
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
    })
}

fn pending(posed: &Posed, w: &mut Writer<'_>, unknowns: Unknowns) -> Pending {
    Pending {
        way: Way::by(posed, w, unknowns),
        unreduced: unreduced(posed, w),
        margin: 1.0,
        untried: None,
    }
}

/// What the operations of a closed form and of an elimination are compared by.
fn cost(posed: &Posed, w: &Writer<'_>, values: &[Value]) -> usize {
    match posed.aims.prefer {
        Prefer::Time => posed.aims.price(&w.low.graph, values),
        Prefer::Operations => w.low.graph.count(values).total(),
    }
}

/// Binds the symbols of q'' and s' to their values.
pub(in crate::program) fn bind(
    w: &mut Writer<'_>,
    accelerations: &[Value],
    doubtful: Vec<(String, Value)>,
) {
    record_doubts(w, doubtful);
    let mechanics = w.mechanics();
    let rate_dots = mechanics.vars.rate_dots.iter().zip(accelerations);
    for (coordinate, (v, value)) in mechanics.system.coords.iter().zip(rate_dots) {
        let name = format!("{}_ddot", coordinate.meta.name);
        w.low.graph.name(*value, &name);
        w.bind_value(*v, *value);
    }
    // s' of the state's speeds, for quantities stated in them.
    let speeds = &mechanics.speeds;
    let dots = speeds.dots(&mut w.c.alg, &mechanics.values(), &mechanics.by_rates);
    let points = Points::new(0);
    // A row that holds it for parameters drawn at random may say nothing with those of the model.
    let usual: Vec<(Slot, Rational)> = mechanics
        .system
        .params
        .iter()
        .enumerate()
        .filter_map(|(i, p)| Some((slot(group::PARAMS, i), p.default.clone()?)))
        .collect();
    let usual = Points::with(0, &usual);
    for (speed, d) in speeds.speeds.iter().zip(&dots) {
        if !w.low.is_bound(speed.dot) {
            let mut value = w.lower(d);
            // A speed that a constraint holds does not change, whatever q'' is made of.
            let changes = |points: &Points| points.nonzero(&w.low.graph, value);
            if !changes(&points) && !changes(&usual) {
                value = w.low.graph.zero();
            }
            w.low.bind(speed.dot, value);
        }
    }
}

/// Conditions for the pivots of the accelerations' plan that are not proven never to vanish.
fn record_doubts(w: &mut Writer<'_>, doubtful: Vec<(String, Value)>) {
    for (name, value) in doubtful {
        // What the pivot is a difference of says when it is small.
        let operands = match *w.low.graph.op(value) {
            Op::Binary(Binary::Add | Binary::Sub, a, b) => Some([a, b]),
            _ => None,
        };
        let scale = operands.map(|operands| {
            let graph = &mut w.low.graph;
            let [a, b] = operands.map(|v| graph.unary(Unary::Abs, v));
            graph.add(a, b)
        });
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
    let matrix = w.c.constraints.independent_matrix();
    let rhs = w.c.constraints.independent_rhs();
    let rows = lowered_rows(w, &matrix, &rhs);
    let bordered = bordered(posed, w, &rows);
    let skeleton = match posed.aims.plan {
        catalogue::Plan::Bordered => None,
        _ => Some(Skeleton::new(&mut w.c, &mut w.low, Space::Accelerations)?),
    };
    Some(Unreduced {
        rows,
        bordered,
        skeleton,
    })
}
