//! Rows of constraints and symmetric factors as instructions, made ready for the routines that find ranks at run time: rows that
//! are certain to be independent elsewhere are told apart or scaled first, so that where they fail it shows.

use super::route::Route;
use crate::elim::Matrix;
use crate::form::{Equations, Space, solution};
use crate::ir::field::Points;
use crate::ir::{Binary, Comparison, Graph, RoutineKind, Unary, Value};
use crate::mech::constraints::{Constraints, Rank, Row};
use crate::program::rounding;
use crate::program::solved::Unknowns;
use crate::program::writer::Writer;
use crate::sym::Expr;

/// Factors between rows that are written out at most.
const LONG: usize = 200;

/// `M = L D L^T`, L unit lower triangular.
pub(in crate::program) struct Factor {
    lower: Vec<Vec<Value>>,
    /// D.
    pub(in crate::program) found: Vec<Value>,
    /// What is divided by for D: 1 in place of 0, where that is reported.
    pub(in crate::program) pivots: Vec<Value>,
}

impl Factor {
    /// `None` if a pivot vanishes identically. `guarded` if one may vanish at a state.
    pub(in crate::program) fn of(g: &mut Graph, m: &[Vec<Value>], guarded: bool) -> Option<Self> {
        let points = Points::new(0);
        let mut lower: Vec<Vec<Value>> = Vec::with_capacity(m.len());
        let mut pivots: Vec<Value> = Vec::with_capacity(m.len());
        let mut found: Vec<Value> = Vec::with_capacity(m.len());
        for (i, entries) in m.iter().enumerate() {
            // Row i of L D, then of L.
            let mut scaled: Vec<Value> = Vec::with_capacity(i);
            let mut row: Vec<Value> = Vec::with_capacity(i);
            for j in 0..i {
                let known = sum(g, &scaled, &lower[j]);
                let e = g.sub(entries[j], known);
                row.push(g.div(e, pivots[j]));
                scaled.push(e);
            }
            let known = sum(g, &scaled, &row);
            let d = g.sub(entries[i], known);
            if !points.nonzero(g, d) {
                return None;
            }
            lower.push(row);
            found.push(d);
            pivots.push(if guarded && g.as_rational(d).is_none() {
                let (zero, one) = (g.zero(), g.one());
                g.select(Comparison::Greater, d, zero, d, one)
            } else {
                d
            });
        }
        Some(Self {
            lower,
            found,
            pivots,
        })
    }

    /// y with `L y = b`.
    pub(in crate::program) fn forward(&self, g: &mut Graph, b: &[Value]) -> Vec<Value> {
        let mut y: Vec<Value> = Vec::with_capacity(b.len());
        for (row, b) in self.lower.iter().zip(b) {
            let known = sum(g, row, &y);
            let next = g.sub(*b, known);
            y.push(next);
        }
        y
    }

    /// x with `L^T x = y`.
    pub(in crate::program) fn backward(&self, g: &mut Graph, y: &[Value]) -> Vec<Value> {
        let mut x = y.to_vec();
        for i in (0..y.len()).rev() {
            for k in i + 1..y.len() {
                let t = g.mul(self.lower[k][i], x[k]);
                x[i] = g.sub(x[i], t);
            }
        }
        x
    }
}

impl Factor {
    /// Multipliers of rows from those of the rows made orthogonal by [`told_apart`].
    pub(in crate::program) fn of_rows(&self, g: &mut Graph, multipliers: &[Value]) -> Vec<Value> {
        let scaled = over(g, multipliers, &self.pivots);
        self.backward(g, &scaled)
    }
}

/// Rows made ready for a routine that finds their rank: where one of them fails, that is a condition.
pub(in crate::program) struct Ready {
    /// Coefficients of the unknowns.
    pub(in crate::program) rows: Vec<Vec<Value>>,
    /// Right-hand sides.
    pub(in crate::program) rhs: Vec<Value>,
    /// How they were made orthogonal, if they were.
    apart: Option<Factor>,
    /// What each was divided by.
    sizes: Vec<Option<Value>>,
    /// Rows and right-hand sides before that.
    undivided: (Vec<Vec<Value>>, Vec<Value>),
}

impl Ready {
    /// Multipliers of the rows as they were from those of these.
    fn multipliers(&self, g: &mut Graph, lambda: Vec<Value>) -> Vec<Value> {
        let lambda = match &self.apart {
            Some(factor) => factor.of_rows(g, &lambda),
            None => lambda,
        };
        let whole = lambda.iter().zip(&self.sizes).map(|(l, size)| match size {
            Some(size) => g.div(*l, *size),
            None => *l,
        });
        whole.collect()
    }
}

/// The sum of the products of entries, as far as there are both.
pub(in crate::program) fn sum(g: &mut Graph, a: &[Value], b: &[Value]) -> Value {
    let mut total = g.zero();
    for (a, b) in a.iter().zip(b) {
        let t = g.mul(*a, *b);
        total = g.add(total, t);
    }
    total
}

/// The routine: unknowns and the minimum-norm multipliers of its rows, for any rank. With `driven` off
/// the rows read `A z' = 0`: the answer to a force alone.
pub(in crate::program) fn constrained(
    w: &mut Writer<'_>,
    e: &Equations,
    forcing: &[Expr],
    driven: bool,
) -> (Unknowns, Vec<Value>) {
    let ready = ready(w, e.space, driven);
    let route = Route::Routine {
        accelerations: e.mass.len(),
        rows: ready.rows.len(),
    };
    let (values, lambda) = solved(w, e, forcing, &ready);
    let multipliers = ready.multipliers(&mut w.low.graph, lambda);
    (Unknowns::by(route, values), multipliers)
}

/// The multipliers of least norm that the routine finds with the unknowns. Equations for the multipliers alone would contradict one another by
/// rounding: where rows vanish, or where the accelerations of one loop are so large that their rounding errors are as large as those of another.
/// Rows are taken as the model has them, since those of other rows are not least. `None` where they were made orthogonal.
pub(in crate::program) fn least_multipliers(
    w: &mut Writer<'_>,
    e: &Equations,
) -> Option<Vec<Value>> {
    let ready = ready(w, e.space, true);
    if ready.apart.is_some() {
        return None;
    }
    let (rows, rhs) = &ready.undivided;
    let (routine, values) = run(w, e, &e.forcing, (rows, rhs));
    // What is left of a row that vanishes is no row, whatever it is divided by.
    for size in ready.sizes.iter().flatten() {
        w.conditions.also_guard(*size, routine);
    }
    Some(values[e.mass.len()..].to_vec())
}

/// What the routine returns: unknowns, and the multipliers of its rows.
fn solved(
    w: &mut Writer<'_>,
    e: &Equations,
    forcing: &[Expr],
    ready: &Ready,
) -> (Vec<Value>, Vec<Value>) {
    let (_, mut values) = run(w, e, forcing, (&ready.rows, &ready.rhs));
    let lambda = values.split_off(e.mass.len());
    (values, lambda)
}

/// The routine with these rows and right-hand sides, and all that it returns.
fn run(
    w: &mut Writer<'_>,
    e: &Equations,
    forcing: &[Expr],
    (rows, rhs): (&[Vec<Value>], &[Value]),
) -> (Value, Vec<Value>) {
    let (n, m) = (e.mass.len(), rows.len());
    let mut operands = w.lower_all(e.mass.iter().flatten().chain(forcing));
    operands.extend(rows.iter().flatten().chain(rhs));
    let kind = RoutineKind::Constrained {
        n: n as u32,
        m: m as u32,
    };
    let graph = &mut w.low.graph;
    let routine = graph.routine(kind, &operands);
    let elements = 0..(n + m) as u32;
    let values = elements.map(|i| graph.element(routine, i)).collect();
    (routine, values)
}

/// The rows for a routine that finds their rank, in the unknowns of a space. With `driven` off they read `A z' = 0`.
pub(in crate::program) fn ready(w: &mut Writer<'_>, space: Space, driven: bool) -> Ready {
    // Rows that depend on others only where the constraints hold would spoil the result a little beside there.
    let all = w.c.constraints.rank_where_they_hold != Rank::Lower;
    selected(w, space, all, driven)
}

/// The same of all rows, or of independent ones.
pub(in crate::program) fn selected(
    w: &mut Writer<'_>,
    space: Space,
    all: bool,
    driven: bool,
) -> Ready {
    let constraints = &w.mechanics().constraints;
    let (kept, a, b) = if all {
        let kept = (0..constraints.rows.len()).collect();
        (kept, constraints.matrix(), agreeing_rhs(w))
    } else {
        (
            constraints.independent.clone(),
            constraints.independent_matrix(),
            constraints.independent_rhs(),
        )
    };
    let (a, mut b) = solution::in_space(&mut w.c, space, &a, &b);
    if !driven {
        b.fill(Expr::zero());
    }
    let mut rows = w.lower_rows(&a);
    let mut rhs = w.lower_all(&b);
    let apart = told_apart(w, &mut rows, &mut rhs);
    let undivided = (rows.clone(), rhs.clone());
    let sizes = sized(w, &kept, &a, &mut rows, &mut rhs);
    Ready {
        rows,
        rhs,
        apart,
        sizes,
        undivided,
    }
}

/// The right-hand sides of all rows, those of dependent ones by the rows that they depend on: where the constraints hold it is
/// the same, and beside there rows do not contradict one another for an integrator's error.
pub(in crate::program) fn agreeing_rhs(w: &mut Writer<'_>) -> Vec<Expr> {
    let rows = &w.mechanics().constraints;
    let mut list = Vec::with_capacity(rows.rows.len());
    for (row, combination) in rows.rows.iter().zip(&rows.combination) {
        let sum = combined(w, rows, row, combination);
        list.push(sum.unwrap_or_else(|| row.b.clone()));
    }
    list
}

/// The right-hand side of a row that is identically the sum of these multiples of the independent ones; `None` if it is not, or if a
/// multiple may be infinite, or is long.
fn combined(w: &mut Writer<'_>, rows: &Constraints, row: &Row, factors: &[Expr]) -> Option<Expr> {
    let mut sum = Expr::zero();
    let mut gap = row.velocity.clone();
    // Rows on accelerations have no velocity form to compare.
    if rows.has_accelerations() {
        return None;
    }
    for (t, i) in factors.iter().zip(&rows.independent) {
        if w.c.alg.inlined_size(t, LONG) >= LONG {
            return None;
        }
        let t = w.c.alg.inline(t);
        let t = w.c.alg.simplify(&t);
        for d in w.c.alg.divisors(&t) {
            if !w.c.alg.is_nonzero(&d) {
                return None;
            }
        }
        gap = gap - &t * &rows.rows[*i].velocity;
        sum = sum + t * &rows.rows[*i].b;
    }
    let same = w.c.alg.is_zero(&gap);
    same.then(|| w.c.alg.simplify(&sum))
}

/// Where some rows are left out since they depend on the others wherever the constraints hold, there may be states at which
/// those others depend on one another and one that was left out counts. So the rows that are kept are made orthogonal first, by
/// `A A^T = L D L^T`, and a pivot of D that vanishes is reported. `None` where no row is left out for that reason.
fn told_apart(w: &mut Writer<'_>, rows: &mut [Vec<Value>], rhs: &mut Vec<Value>) -> Option<Factor> {
    let constraints = &w.mechanics().constraints;
    if constraints.rank_where_they_hold != Rank::Lower || rows.len() < 2 {
        return None;
    }
    let g = &mut w.low.graph;
    let m = rows.len();
    let gram: Vec<Vec<Value>> = (0..m)
        .map(|i| (0..m).map(|j| sum(g, &rows[i], &rows[j])).collect())
        .collect();
    let factor = Factor::of(g, &gram, true)?;
    for (k, row) in constraints.independent.iter().enumerate() {
        let (d, size) = (factor.found[k], gram[k][k]);
        if w.low.graph.as_rational(d).is_none() {
            let name = &constraints.rows[*row].name;
            let text = format!("constraint `{name}` depends on those before it");
            let note = "an omitted row may become independent there";
            w.condition_for(d, vec![factor.pivots[k]], Some(size), text, note);
        }
    }
    let g = &mut w.low.graph;
    let n = rows.first().map_or(0, Vec::len);
    for j in 0..n {
        let column: Vec<Value> = rows.iter().map(|row| row[j]).collect();
        let column = factor.forward(g, &column);
        for (row, value) in rows.iter_mut().zip(over(g, &column, &factor.pivots)) {
            row[j] = value;
        }
    }
    let apart = factor.forward(g, rhs);
    *rhs = over(g, &apart, &factor.pivots);
    Some(factor)
}

/// Rows of which every coefficient may vanish are divided by their square, and where that vanishes, beside what it is made of,
/// it is reported: the routines take what little is left of a row for the row. `which` are the rows by their numbers. What they
/// were divided by; `None` for those that were left as they are.
fn sized(
    w: &mut Writer<'_>,
    which: &[usize],
    exprs: &Matrix,
    rows: &mut [Vec<Value>],
    rhs: &mut [Value],
) -> Vec<Option<Value>> {
    let constraints = &w.mechanics().constraints;
    let mut sizes = vec![None; rows.len()];
    // Several rows beside which others are left out are told apart, which finds this too.
    let single = rows.len() == 1;
    match constraints.rank_where_they_hold {
        Rank::Same => {}
        Rank::Lower if single => {}
        Rank::Lower | Rank::Varies => return sizes,
    }
    for (at, number) in which.iter().enumerate() {
        let Some(place) = constraints.independent.iter().position(|i| i == number) else {
            continue;
        };
        let kept = exprs[at].iter().any(|e| w.c.alg.is_nonzero(e));
        // Another row may hold what this one does not hold there, if it is among them.
        let sole = which.iter().all(|i| {
            let factor = &constraints.combination[*i][place];
            w.c.alg.is_zero(factor) || w.c.alg.is_nonzero(factor)
        });
        if kept || !sole {
            continue;
        }
        let Some((size, natural)) = largest(w, &rows[at]) else {
            continue;
        };
        // The sum of the squares, which is as good as the largest and can be computed exactly.
        let g = &mut w.low.graph;
        let divisor = sum(g, &rows[at], &rows[at]);
        for v in rows[at].iter_mut() {
            *v = g.div(*v, divisor);
        }
        rhs[at] = g.div(rhs[at], divisor);
        sizes[at] = Some(divisor);
        let text = format!(
            "constraint `{}` holds no acceleration",
            constraints.rows[*number].name
        );
        let note = "all its coefficients vanish there";
        w.condition_for(size, vec![divisor], Some(natural), text, note);
    }
    sizes
}

/// The largest coefficient of a row, and what it is compared with; `None` of a row of zeros.
pub(super) fn largest(w: &mut Writer<'_>, row: &[Value]) -> Option<(Value, Value)> {
    let mut largest: Option<(Value, Value)> = None;
    for v in row {
        if w.low.graph.is_zero(*v) {
            continue;
        }
        let scale = rounding::of_coefficient(&mut w.low.graph, *v);
        let g = &mut w.low.graph;
        let own = g.unary(Unary::Abs, *v);
        largest = Some(match largest {
            None => (own, scale),
            Some((a, b)) => (
                g.binary(Binary::Max, a, own),
                g.binary(Binary::Max, b, scale),
            ),
        });
    }
    largest
}

/// Each entry over its divisor.
pub(in crate::program) fn over(g: &mut Graph, list: &[Value], divisors: &[Value]) -> Vec<Value> {
    list.iter()
        .zip(divisors)
        .map(|(a, d)| g.div(*a, *d))
        .collect()
}
