//! Multipliers and generalized constraint forces.

use super::norms;
use crate::diag::Diagnostic;
use crate::elim::{self, Matrix};
use crate::form::{Equations, Formulated, Space, solution};
use crate::ir::{RoutineKind, Value};
use crate::mech::constraints::Rank;
use crate::program::accelerations::route::Route;
use crate::program::accelerations::{closed, coupling, rows, unknowns};
use crate::program::report::undetermined;
use crate::program::solved::{Entering, Solved};
use crate::program::writer::Writer;
use crate::sym::{Algebra, Expr};

/// Multipliers of all rows.
#[derive(Clone, Default)]
pub(in crate::program) struct Multipliers {
    pub values: Vec<Value>,
    /// The same as expressions, where the accelerations are in closed form.
    pub closed: Option<Vec<Expr>>,
}

/// What the constraints do.
pub(in crate::program) struct Forces {
    pub multipliers: Multipliers,
    /// The ideal part of the generalized forces.
    pub ideal: Vec<Value>,
    /// The other part, if the model prescribes one.
    pub nonideal: Option<Vec<Value>>,
}

/// From `A^T lambda = M q'' - F` (C in F), and `Qi = A^T G^+ (b - A a)` from the accelerations
/// of the problem without C.
pub(in crate::program) fn forces(
    solved: &Solved,
    w: &mut Writer<'_>,
    a: &[Value],
) -> Result<Forces, Vec<Diagnostic>> {
    let known = solved.multipliers.as_deref().unwrap_or_default();
    if solved.closed.is_none()
        && let Some(values) = multipliers_of_kept(w, a, known)
    {
        let closed = None;
        return Ok(ideal_forces(w, a, Multipliers { values, closed }));
    }
    let Some(full) = solved.posed.unreduced(&mut w.c) else {
        return Err(undetermined(&mut w.c));
    };
    let entering = coupling::entering(solved, w);
    let closed = solved.closed.as_ref();
    let closed = closed.and_then(|qdd| closed::multipliers(&solved.posed, &mut w.c, qdd));
    let values = match &closed {
        Some(exprs) => w.lower_all(exprs),
        None => {
            let residual = residual(w, &full.mass, &full.forcing, &solved.accelerations);
            let residual = coupling::less_coupled(w, full, residual, &entering);
            let whole = with_all_rows(solved, w, full).filter(|_| entering.is_empty());
            least_multipliers(w, a, &solved.accelerations, residual, whole)
        }
    };
    let multipliers = Multipliers { values, closed };
    if w.c.system.nonideal.is_empty() {
        return Ok(ideal_forces(w, a, multipliers));
    }
    let bare = full.forcing.iter().zip(&full.nonideal);
    let bare: Vec<Expr> = bare.map(|(f, c)| f - c).collect();
    let (first, own) = ideal_accelerations(solved, w, &entering)?;
    let ideal = residual(w, &full.mass, &bare, &first);
    let ideal = coupling::less_coupled(w, full, ideal, &own);
    let total = residual(w, &full.mass, &bare, &solved.accelerations);
    let total = coupling::less_coupled(w, full, total, &entering);
    let rest = total.iter().zip(&ideal);
    let rest = rest.map(|(t, i)| w.low.graph.sub(*t, *i)).collect();
    Ok(Forces {
        multipliers,
        ideal,
        nonideal: Some(rest),
    })
}

/// The equations from which the routine that finds the accelerations finds the multipliers of all rows, where there is one: those that it solves, or where
/// these hold other rows, the ones in q''.
fn with_all_rows<'s>(
    solved: &'s Solved,
    w: &Writer<'_>,
    full: &'s Equations,
) -> Option<&'s Equations> {
    let own = solved.posed.equations();
    match solved.route {
        Route::Routine { .. } if own.space == Space::SpeedRates && !w.c.speeds.reduced => Some(own),
        Route::Routine { .. } | Route::Balances { .. } => Some(full),
        _ => None,
    }
}

/// What these multipliers do where all constraints are ideal.
fn ideal_forces(w: &mut Writer<'_>, a: &[Value], multipliers: Multipliers) -> Forces {
    Forces {
        ideal: transposed_product(w, a, &multipliers.values),
        multipliers,
        nonideal: None,
    }
}

/// The same equations for the ideal problem: without C.
pub(in crate::program) fn without_nonideal(e: &Equations, alg: &mut Algebra) -> Equations {
    let forcing = e.forcing.iter().zip(&e.nonideal);
    let forcing = forcing.map(|(f, c)| alg.define("ideal_forcing", f - c));
    Equations {
        forcing: forcing.collect(),
        nonideal: vec![Expr::zero(); e.nonideal.len()],
        ..e.clone()
    }
}

/// Accelerations of the ideal problem, and its multipliers that enter loads.
fn ideal_accelerations(
    solved: &Solved,
    w: &mut Writer<'_>,
    entering: &Entering,
) -> Result<(Vec<Value>, Entering), Vec<Diagnostic>> {
    let ideal = Formulated {
        equations: without_nonideal(solved.posed.equations(), &mut w.c.alg),
        ..solved.posed.formulated.clone()
    };
    let solution = solution::solve(&mut w.c, &ideal, solved.posed.definite);
    if let Some(s) = solution.filter(|_| solved.closed.is_some()) {
        let exprs: Vec<Expr> = s.unknowns.iter().map(|u| w.c.in_speeds(u)).collect();
        let z = w.lower_all(&exprs);
        let rows = entering.iter().map(|x| x.0);
        let list = s.multipliers.as_ref();
        let own = list.map_or_else(Entering::new, |list| coupling::of_rows(w, list, rows));
        return Ok((unknowns::accelerations(&solved.posed, w, &z), own));
    }
    let found = unknowns::unknowns(&solved.posed, w, &ideal.equations)?;
    let accelerations = unknowns::accelerations(&solved.posed, w, &found.values);
    Ok((accelerations, found.entering))
}

/// `A^T lambda`.
fn transposed_product(w: &mut Writer<'_>, a: &[Value], lambda: &[Value]) -> Vec<Value> {
    let n = w.c.system.coords.len();
    let entry = |i: usize| {
        let mut sum = w.low.graph.zero();
        for (j, l) in lambda.iter().enumerate() {
            let t = w.low.graph.mul(a[j * n + i], *l);
            sum = w.low.graph.add(sum, t);
        }
        sum
    };
    (0..n).map(entry).collect()
}

/// The multipliers of least norm with `A^T lambda = residual`; by the routine that finds the accelerations where there is one, of the equations `whole`.
fn least_multipliers(
    w: &mut Writer<'_>,
    a: &[Value],
    accelerations: &[Value],
    residual: Vec<Value>,
    whole: Option<&Equations>,
) -> Vec<Value> {
    let n = residual.len();
    let constraints = &w.mechanics().constraints;
    let all: Vec<usize> = (0..constraints.rows.len()).collect();
    let known = multipliers_of_certain(w, &residual)
        .or_else(|| multipliers_by_substitution(w, a, &residual))
        .or_else(|| multiplier_of_one(w, a, &residual))
        .or_else(|| multipliers_of_speeds(w, accelerations, &residual));
    let own = match known {
        Some(own) if own.len() == all.len() => return own,
        Some(own) => own,
        None if constraints.rank_where_they_hold != Rank::Lower => {
            let found = whole.and_then(|e| rows::least_multipliers(w, e));
            return found.unwrap_or_else(|| least_norm_transposed(w, a, n, &all, residual));
        }
        None => least_norm_transposed(w, a, n, &constraints.independent, residual),
    };
    least_of_independent(w, own)
}

/// The multipliers of all rows, of least norm, where those of the independent rows are known but for the norms of quaternions. `None` where they
/// are not.
fn multipliers_of_kept(
    w: &mut Writer<'_>,
    a: &[Value],
    known: &[(usize, Value)],
) -> Option<Vec<Value>> {
    if !w.c.system.nonideal.is_empty() || w.c.coupled {
        return None;
    }
    let constraints = &w.mechanics().constraints;
    let mut own: Vec<Option<Value>> = vec![None; constraints.rows.len()];
    for (row, value) in known {
        own[*row] = Some(*value);
    }
    let open = |own: &[Option<Value>]| {
        let mut rows = constraints.independent.iter();
        rows.any(|row| own[*row].is_none())
    };
    if open(&own) {
        for (row, value) in norms::multipliers(w, a, known)? {
            own[row] = Some(value);
        }
    }
    if open(&own) {
        return None;
    }
    // Those of all rows may be known, of least norm then.
    if let Some(all) = own.iter().copied().collect() {
        return Some(all);
    }
    let independent = constraints.independent.iter();
    let own: Vec<Value> = independent.filter_map(|row| own[*row]).collect();
    if own.len() == constraints.rows.len() {
        return Some(own);
    }
    Some(least_of_independent(w, own))
}

/// Those of all rows, of least norm, from those of the independent ones: `T^T lambda = lambda_r`, with `A = T A_r` where the constraints hold.
fn least_of_independent(w: &mut Writer<'_>, own: Vec<Value>) -> Vec<Value> {
    let constraints = &w.mechanics().constraints;
    let all: Vec<usize> = (0..constraints.rows.len()).collect();
    let t = w.lower_all(constraints.combination.iter().flatten());
    least_norm_transposed(w, &t, own.len(), &all, own)
}

/// The multipliers of the independent rows by the equations that determine them everywhere, if there are such.
fn multipliers_of_certain(w: &mut Writer<'_>, residual: &[Value]) -> Option<Vec<Value>> {
    let a = w.c.constraints.independent_matrix();
    let columns = closed::certain_columns(&mut w.c.alg, &a)?;
    let mut transposed = Matrix::with_capacity(columns.len());
    for j in &columns {
        transposed.push(a.iter().map(|row| w.c.in_speeds(&row[*j])).collect());
    }
    let inverse = elim::solve(&mut w.c.alg, &transposed, &elim::identity(columns.len()))?;
    let multipliers = inverse.x.iter().map(|row| {
        let mut sum = w.low.graph.zero();
        for (e, j) in row.iter().zip(&columns) {
            sum = w.add_product(sum, e, residual[*j]);
        }
        sum
    });
    Some(multipliers.collect())
}

/// The multipliers of any number of independent rows, where each has an entry that vanishes nowhere in an equation that holds, besides it, none but rows whose
/// multipliers are known by then: as those of joined points have in the equations of a free body. The norms of quaternions have no such entry, and follow
/// from the others. `None` too where rows have been solved for speeds without dividing by what may vanish: those of speeds are as good then.
fn multipliers_by_substitution(
    w: &mut Writer<'_>,
    a: &[Value],
    residual: &[Value],
) -> Option<Vec<Value>> {
    let mechanics = w.mechanics();
    let constraints = &mechanics.constraints;
    if mechanics.speeds.reduced && open_divisors(w).is_empty() {
        return None;
    }
    let norms = norms::rows(w);
    let independent = constraints.independent.iter().copied();
    let mut open: Vec<usize> = independent.filter(|row| !norms.contains(row)).collect();
    let n = residual.len();
    let entry = |row: usize, j: usize| &constraints.rows[row].a[j];
    let mut known: Entering = Vec::with_capacity(open.len());
    while !open.is_empty() {
        let places = open.iter().flat_map(|row| (0..n).map(|j| (*row, j)));
        let mut alone = places.filter(|(row, j)| {
            let mut others = open.iter().filter(|other| *other != row);
            !entry(*row, *j).is_literal_zero() && others.all(|o| entry(*o, *j).is_literal_zero())
        });
        let (row, j) = alone.find(|(row, j)| w.c.alg.is_nonzero(entry(*row, *j)))?;
        open.retain(|other| *other != row);
        let g = &mut w.low.graph;
        let mut rest = residual[j];
        for (other, lambda) in &known {
            let push = g.mul(a[other * n + j], *lambda);
            rest = g.sub(rest, push);
        }
        known.push((row, g.div(rest, a[row * n + j])));
    }
    if !norms.is_empty() {
        known.extend(norms::multipliers(w, a, &known.clone())?);
    }
    let of_row = |row: &usize| known.iter().find(|(own, _)| own == row).map(|(_, l)| *l);
    constraints.independent.iter().map(of_row).collect()
}

/// The multiplier of a single independent row that is solved for a speed: `A r/(A A^T)`. By the equation of that speed alone it would be divided
/// twice by what the speed is divided by.
fn multiplier_of_one(w: &mut Writer<'_>, a: &[Value], residual: &[Value]) -> Option<Vec<Value>> {
    let mechanics = w.mechanics();
    let [row] = mechanics.constraints.independent[..] else {
        return None;
    };
    mechanics.speeds.of_rows(&mut w.c.alg)?;
    let n = residual.len();
    let g = &mut w.low.graph;
    let (mut along, mut square) = (g.zero(), g.zero());
    for (a, r) in a[row * n..].iter().zip(residual) {
        let product = g.mul(*a, *r);
        along = g.add(along, product);
        let product = g.mul(*a, *a);
        square = g.add(square, product);
    }
    Some(vec![g.div(along, square)])
}

/// What rates are divided by and may vanish.
fn open_divisors(w: &mut Writer<'_>) -> Vec<Expr> {
    let mechanics = w.mechanics();
    let conditions = mechanics.speeds.conditions.iter();
    let divisors: Vec<Expr> = conditions.map(|c| w.c.in_speeds(&c.0)).collect();
    let open = divisors.into_iter().filter(|d| !w.c.alg.is_nonzero(d));
    open.collect()
}

/// The multipliers of the independent rows where these are solved for speeds: as regular as the rates are. `None` where the accelerations do without
/// what the rates are divided by.
fn multipliers_of_speeds(
    w: &mut Writer<'_>,
    accelerations: &[Value],
    residual: &[Value],
) -> Option<Vec<Value>> {
    let speeds = w.mechanics().speeds.clone();
    let of_rows = speeds.of_rows(&mut w.c.alg)?;
    let open = open_divisors(w);
    let open = w.lower_all(&open);
    if !open.iter().all(|d| w.low.graph.divides(accelerations, *d)) {
        return None;
    }
    let multipliers = of_rows.iter().map(|row| {
        let mut sum = w.low.graph.zero();
        for (e, r) in row.iter().zip(residual) {
            let e = w.c.in_speeds(e);
            let e = w.c.alg.simplify(&e);
            sum = w.add_product(sum, &e, *r);
        }
        sum
    });
    Some(multipliers.collect())
}

/// `x` of least norm with `B^T x = rhs`, B being some rows of a matrix with `n` columns.
fn least_norm_transposed(
    w: &mut Writer<'_>,
    matrix: &[Value],
    n: usize,
    rows: &[usize],
    rhs: Vec<Value>,
) -> Vec<Value> {
    let mut operands = Vec::with_capacity(n * (rows.len() + 1));
    for i in 0..n {
        operands.extend(rows.iter().map(|j| matrix[j * n + i]));
    }
    operands.extend(rhs);
    let kind = RoutineKind::MinimumNorm {
        rows: n as u32,
        cols: rows.len() as u32,
    };
    w.routine(kind, &operands, 0..rows.len())
}

/// `M z' - f`.
pub(in crate::program) fn residual(
    w: &mut Writer<'_>,
    mass: &Matrix,
    forcing: &[Expr],
    rates: &[Value],
) -> Vec<Value> {
    let rows = mass.iter().zip(forcing);
    let rows = rows.map(|(row, f)| {
        let mut sum = w.low.graph.zero();
        for (e, rate) in row.iter().zip(rates) {
            sum = w.add_product(sum, e, *rate);
        }
        let f = w.lower(f);
        w.low.graph.sub(sum, f)
    });
    rows.collect()
}
