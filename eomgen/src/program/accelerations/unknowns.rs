//! The unknowns of the equations as values: by the mass matrix, by the routine that finds the rank, through an inverse, or in charts.

use super::felt::Felt;
use super::route::Route;
use super::statements::reduced_system;
use super::{coupling, explicit, inverses, rows};
use crate::diag::Diagnostic;
use crate::elim;
use crate::form::{Closure, Equations, Space, regular, solution};
use crate::ir::field::Points;
use crate::ir::{Slot, Unary, Value};
use crate::model::system::Rational;
use crate::plan::{self, group};
use crate::program::posed::Posed;
use crate::program::report::undetermined;
use crate::program::rounding;
use crate::program::solved::Unknowns;
use crate::program::writer::{Writer, slot};
use crate::solve::Plan;

/// Largest mass matrix whose determinant is written out.
const DETERMINANT: usize = 4;

/// Those of equations of the same form as the posed ones, without a search for plans.
pub(in crate::program) fn unknowns(
    posed: &Posed,
    w: &mut Writer<'_>,
    e: &Equations,
) -> Result<Unknowns, Vec<Diagnostic>> {
    let constrained = |w: &mut Writer<'_>| rows::constrained(w, e, &e.forcing, true).0;
    match e.closure {
        Some(_) if e.coupling.is_some() => Ok(coupling::solve(w, e)),
        Some(Closure::Explicit) => explicit::unknowns(posed, w, e),
        Some(Closure::GeneralizedInverse) => match inverses::unknowns(posed, w, e) {
            Some(found) => Ok(found),
            None => Ok(constrained(w)),
        },
        Some(_) => Ok(constrained(w)),
        None => {
            let system = reduced_system(w, e);
            match plan::mass_matrix(&mut w.low.graph, &system, &posed.aims) {
                Some((worked, _)) => {
                    record_pivots(posed, w, &worked.plan, e);
                    Ok(Unknowns::by(Route::Plan(worked.id), worked.unknowns))
                }
                None => Err(undetermined(&mut w.c)),
            }
        }
    }
}

/// Conditions for the pivots of a mass matrix that is not certainly definite. Of a small one whose
/// masses are positive the factors of the determinant say it all: a leading minor of a positive
/// semidefinite matrix vanishes only with the determinant.
pub(in crate::program) fn record_pivots(
    posed: &Posed,
    w: &mut Writer<'_>,
    plan: &Plan,
    e: &Equations,
) {
    if posed.definite {
        return;
    }
    if w.c.alg.is_closed() && e.mass.len() <= DETERMINANT && regular::is_semidefinite(&mut w.c) {
        let d = elim::determinant(&mut w.c.alg, &e.mass);
        let pivots: Vec<Value> = plan.pivots.iter().filter_map(|p| p.value).collect();
        let factors = solution::factors(&mut w.c, &[d]);
        let lossy = lossy_pivots(w, plan, e);
        for f in &factors {
            let (value, scale) = match (factors.len(), lossy.as_slice()) {
                // What vanishes with the only factor.
                (1, [(pivot, diagonal)]) => (*pivot, Some(*diagonal)),
                _ => {
                    let value = w.lower(f);
                    (value, factor_scale(w, value, &lossy))
                }
            };
            let text = format!("{} = 0", w.readable(f));
            let note = "the mass matrix is singular there";
            w.condition_for(value, pivots.clone(), scale, text, note);
        }
        return;
    }
    let dots = w.c.kinematics(e.space).motion.speed_dots.clone();
    let mut felt = Felt::new(w, e.space, e.mass.len());
    for p in &plan.pivots {
        let certain = felt.next(w, &p.unknowns);
        let Some(value) = p.value.filter(|_| !certain) else {
            continue;
        };
        let dots = p.unknowns.iter().filter_map(|i| dots.get(*i));
        let names: Vec<&str> = dots.map(|v| w.c.alg.info(*v).name.as_str()).collect();
        let text = format!("the inertia felt by {} vanishes", names.join(", "));
        let first = p.unknowns.first().filter(|i| **i < e.mass.len());
        let diagonal = first.map(|i| {
            let entry = w.lower(&e.mass[*i][*i]);
            rounding::of_diagonal(&mut w.low.graph, entry)
        });
        w.pivot_condition(value, diagonal, text, "a pivot of the mass matrix");
    }
}

/// Pivots that are differences, which lose digits sooner than the factors of the determinant do, and the entries of the diagonal that
/// they were.
fn lossy_pivots(w: &mut Writer<'_>, plan: &Plan, e: &Equations) -> Vec<(Value, Value)> {
    let mut lossy = Vec::new();
    for p in &plan.pivots {
        let first = p.unknowns.first().filter(|i| **i < e.mass.len());
        if let (Some(value), Some(&first)) = (p.value, first)
            && !rounding::is_exact(&w.low.graph, value)
        {
            let diagonal = w.lower(&e.mass[first][first]);
            // An entry as it was is a sum of inertias, which loses nothing.
            if diagonal != value {
                lossy.push((value, diagonal));
            }
        }
    }
    lossy
}

/// What a factor of the determinant is compared with: where pivots have lost digits, that counts too.
fn factor_scale(w: &mut Writer<'_>, factor: Value, lossy: &[(Value, Value)]) -> Option<Value> {
    let mut scale = rounding::scale(w, factor);
    let g = &mut w.low.graph;
    for (pivot, diagonal) in lossy {
        let ratio = g.div(*diagonal, *pivot);
        let lost = g.mul(factor, ratio);
        let lost = g.unary(Unary::Abs, lost);
        let known = scale.unwrap_or_else(|| g.zero());
        scale = Some(g.add(known, lost));
    }
    scale
}

/// q'' from values of the equations' unknowns.
pub(in crate::program) fn accelerations(
    posed: &Posed,
    w: &mut Writer<'_>,
    z: &[Value],
) -> Vec<Value> {
    accelerations_in(w, posed.space(), z)
}

/// q'' from values of the unknowns of a space.
pub(super) fn accelerations_in(w: &mut Writer<'_>, space: Space, z: &[Value]) -> Vec<Value> {
    let motion = w.c.kinematics(space).motion.clone();
    for (v, value) in motion.speed_dots.iter().zip(z) {
        let name = &w.c.alg.info(*v).name;
        let name = name.replace("''", "_ddot").replace('\'', "_dot");
        w.low.graph.name(*value, &name);
    }
    if motion.speeds == w.c.vars.rates {
        return z.to_vec();
    }
    let bias = w.c.bias_in(space);
    let rates = motion.rates.iter().zip(&bias);
    let list = rates.map(|(rate, bias)| {
        let mut sum = w.lower(bias);
        for (k, h) in &rate.coef {
            let h = w.lower(h);
            let term = w.low.graph.mul(h, z[*k]);
            sum = w.low.graph.add(term, sum);
        }
        sum
    });
    list.collect()
}

/// Gives s' their values, where the unknowns are the rates of the state's speeds.
pub(in crate::program) fn bind(posed: &Posed, w: &mut Writer<'_>, z: &[Value]) {
    if posed.space() == Space::SpeedRates {
        let dots = w.c.kinematics(Space::SpeedRates).motion.speed_dots.clone();
        for (v, value) in dots.into_iter().zip(z) {
            w.bind_value(v, *value);
        }
    }
}

/// Binds s' of all speeds, for quantities stated in them, where q'' have their values.
pub(super) fn speed_dots(w: &mut Writer<'_>) -> Vec<Value> {
    let mechanics = w.mechanics();
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
    w.values_of(speeds.speeds.iter().map(|speed| speed.dot))
}
