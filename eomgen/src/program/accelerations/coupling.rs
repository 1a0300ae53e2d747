//! Loads that depend on reactions: the multipliers that enter loads, found from how the machine answers to
//! each of them. Knows nothing of formulations.
//!
//! With `M z' = f + Phi lambda + A^T lambda` and `A z' = b`, let `lambda_0` be the multipliers without the
//! coupled loads and `S` their answer to a unit of each coupled load: `(1 - S) lambda = lambda_0`. Each column takes one more
//! solution of the symmetric problem; `1 - S` is singular exactly where the coupled problem is.

use super::rows::constrained;
use crate::diag::Diagnostic;
use crate::form::joints::Balance;
use crate::form::{Context, Equations, Space};
use crate::ir::{Unary, Value};
use crate::mech::constraints::Rank;
use crate::mech::reactions;
use crate::program::rounding;
use crate::program::solved::{Entering, Solved, Unknowns};
use crate::program::writer::Writer;
use crate::sym::Expr;

/// Up to this many coupled reactions their determinant is written out.
const WRITTEN_OUT: usize = 3;

/// Rows whose multipliers enter loads.
pub(in crate::program) fn rows(c: &Context<'_>, e: &Equations) -> Vec<usize> {
    let Some(coupling) = &e.coupling else {
        return Vec::new();
    };
    let column = |j: &usize| coupling.iter().any(|row| !c.alg.is_zero(&row[*j]));
    (0..c.constraints.rows.len()).filter(column).collect()
}

/// Solves the coupled problem at run time.
pub(in crate::program) fn solve(w: &mut Writer<'_>, e: &Equations) -> Unknowns {
    let used = rows(&w.c, e);
    let constraints = &w.mechanics().constraints;
    let place = used.iter().map(|j| match constraints.rank_where_they_hold {
        Rank::Lower => constraints.independent.iter().position(|i| i == j),
        _ => Some(*j),
    });
    let place: Vec<Option<usize>> = place.collect();
    let zero = w.low.graph.zero();
    let at = |list: &[Value], k: usize| place[k].and_then(|p| list.get(p).copied());
    let (mut found, start) = constrained(w, e, &e.forcing, true);
    let answers = used.iter().map(|j| {
        let column = e.coupling.iter().flatten().map(|row| row[*j].clone());
        let column: Vec<Expr> = column.collect();
        constrained(w, e, &column, false)
    });
    let answers: Vec<(Unknowns, Vec<Value>)> = answers.collect();
    let n = used.len();
    // 1 - S, and the sizes of its terms: what is left of 1 - s is no measure of its own error.
    let mut matrix = vec![vec![zero; n]; n];
    let mut sizes = matrix.clone();
    for i in 0..n {
        for j in 0..n {
            let s = at(&answers[j].1, i).unwrap_or(zero);
            let g = &mut w.low.graph;
            let size = g.unary(Unary::Abs, s);
            if i == j {
                let one = g.one();
                matrix[i][j] = g.sub(one, s);
                sizes[i][j] = g.add(one, size);
            } else {
                matrix[i][j] = g.neg(s);
                sizes[i][j] = size;
            }
        }
    }
    let rhs: Vec<Value> = (0..n).map(|i| at(&start, i).unwrap_or(zero)).collect();
    let names = used.iter().map(|j| &constraints.rows[*j].name);
    let names: Vec<String> = names.map(|name| format!("reaction({name})")).collect();
    let lambda = if n <= WRITTEN_OUT {
        by_determinants(w, &matrix, &sizes, &rhs, &names)
    } else {
        by_elimination(w, matrix, sizes, rhs, &names)
    };
    for (l, (answer, _)) in lambda.iter().zip(&answers) {
        for (sum, part) in found.values.iter_mut().zip(&answer.values) {
            let term = w.low.graph.mul(*l, *part);
            *sum = w.low.graph.add(*sum, term);
        }
    }
    found.entering = used.into_iter().zip(lambda).collect();
    found
}

fn singular_coupling(w: &mut Writer<'_>, pivot: Value, scale: Value, names: &[String]) {
    let text = format!(
        "loads by {} and the constraints together leave the accelerations undetermined",
        names.join(", ")
    );
    let note = "the determinant of the equations of accelerations and reactions vanishes";
    w.pivot_condition(pivot, Some(scale), text, note);
}

/// Cramer's rule, so that the one condition is the determinant.
fn by_determinants(
    w: &mut Writer<'_>,
    m: &[Vec<Value>],
    sizes: &[Vec<Value>],
    rhs: &[Value],
    names: &[String],
) -> Vec<Value> {
    let d = determinant(w, m, false);
    let size = determinant(w, sizes, true);
    singular_coupling(w, d, size, names);
    (0..rhs.len())
        .map(|k| {
            let replaced: Vec<Vec<Value>> = m
                .iter()
                .zip(rhs)
                .map(|(row, b)| {
                    let mut row = row.clone();
                    row[k] = *b;
                    row
                })
                .collect();
            let above = determinant(w, &replaced, false);
            w.low.graph.div(above, d)
        })
        .collect()
}

/// A determinant by its first row; of sizes, with signs left out, it measures rounding errors.
fn determinant(w: &mut Writer<'_>, m: &[Vec<Value>], sizes: bool) -> Value {
    if m.is_empty() {
        return w.low.graph.one();
    }
    let mut sum = w.low.graph.zero();
    for j in 0..m.len() {
        let minor: Vec<Vec<Value>> = m[1..]
            .iter()
            .map(|row| {
                let kept = row.iter().enumerate().filter(|(k, _)| *k != j);
                kept.map(|(_, v)| *v).collect()
            })
            .collect();
        let minor = determinant(w, &minor, sizes);
        let g = &mut w.low.graph;
        let term = g.mul(m[0][j], minor);
        sum = if j % 2 == 1 && !sizes {
            g.sub(sum, term)
        } else {
            g.add(sum, term)
        };
    }
    sum
}

/// Gauss in the order of the rows, every pivot a condition.
fn by_elimination(
    w: &mut Writer<'_>,
    mut m: Vec<Vec<Value>>,
    mut sizes: Vec<Vec<Value>>,
    mut rhs: Vec<Value>,
    names: &[String],
) -> Vec<Value> {
    let n = rhs.len();
    for p in 0..n {
        singular_coupling(w, m[p][p], sizes[p][p], &names[..=p]);
        for i in p + 1..n {
            let g = &mut w.low.graph;
            let factor = g.div(m[i][p], m[p][p]);
            let size = g.unary(Unary::Abs, factor);
            for j in p + 1..n {
                let t = g.mul(factor, m[p][j]);
                m[i][j] = g.sub(m[i][j], t);
                let t = g.mul(size, sizes[p][j]);
                sizes[i][j] = g.add(sizes[i][j], t);
            }
            let t = g.mul(factor, rhs[p]);
            rhs[i] = g.sub(rhs[i], t);
        }
    }
    let g = &mut w.low.graph;
    for p in (0..n).rev() {
        for j in p + 1..n {
            let t = g.mul(m[p][j], rhs[j]);
            rhs[p] = g.sub(rhs[p], t);
        }
        rhs[p] = g.div(rhs[p], m[p][p]);
    }
    rhs
}

/// Multipliers that enter loads, in closed form if the accelerations are.
pub(in crate::program) fn entering(solved: &Solved, w: &mut Writer<'_>) -> Entering {
    let solution = solved
        .posed
        .solution
        .as_ref()
        .filter(|_| solved.closed.is_some());
    let Some(list) = solution.and_then(|s| s.multipliers.as_ref()) else {
        return solved.entering.clone();
    };
    let rows = rows(&w.c, solved.posed.equations());
    of_rows(w, list, rows)
}

/// Notes on loads by reactions that may have either sign: friction that is stated by one drives the machine where it is negative.
pub(in crate::program) fn of_either_sign(solved: &Solved, w: &mut Writer<'_>) -> Vec<Diagnostic> {
    let mechanics = w.mechanics();
    let mut notes = Vec::new();
    for (row, value) in entering(solved, w) {
        if !rounding::has_either_sign(w, value) {
            continue;
        }
        let row = &mechanics.constraints.rows[row];
        let (alg, values, k, _) = w.c.parts(Space::Accelerations);
        let loads = reactions::loads_by(alg, &values, k, row);
        let title = format!("the reaction of `{}` may have either sign", row.name);
        let label = "friction that is stated by it drives the motion where it is negative";
        notes.extend(loads.into_iter().map(|span| {
            Diagnostic::remark("N0468", title.clone(), span, label)
                .label(row.span, "this holds from both sides")
                .help("keep it as an output, and take the model for what it is where the reaction is positive; for a guide that may press from either side state one model for each")
        }));
    }
    notes
}

/// Values of multipliers of the independent rows for those that enter loads.
pub(in crate::program) fn of_rows(
    w: &mut Writer<'_>,
    list: &[Expr],
    rows: impl IntoIterator<Item = usize>,
) -> Entering {
    let independent = &w.mechanics().constraints.independent;
    let value = |j| {
        let at = independent.iter().position(|i| *i == j)?;
        let e = w.c.in_speeds(&list[at]);
        Some((j, w.lower(&e)))
    };
    rows.into_iter().filter_map(value).collect()
}

/// Takes `Phi lambda` from generalized forces.
pub(in crate::program) fn less_coupled(
    w: &mut Writer<'_>,
    e: &Equations,
    mut forces: Vec<Value>,
    multipliers: &Entering,
) -> Vec<Value> {
    for (row, force) in e.coupling.iter().flatten().zip(&mut forces) {
        for (j, l) in multipliers {
            *force = w.less_product(*force, &row[*j], *l);
        }
    }
    forces
}

/// Gives the symbols of reactions their values.
pub(in crate::program) fn bind_reactions(w: &mut Writer<'_>, lambda: &[Value]) {
    let mechanics = w.mechanics();
    for (row, value) in mechanics.constraints.rows.iter().zip(lambda) {
        if let Some(v) = reactions::symbol(&mechanics.vars, row) {
            w.bind_value(v, *value);
        }
    }
    // Rows that read 0 = 0 exert nothing.
    let zero = w.low.graph.zero();
    for v in mechanics.vars.reactions.iter().flatten() {
        w.bind_value(*v, zero);
    }
}

/// What a balance lacks at these accelerations and multipliers.
pub(in crate::program) fn lack_of(
    c: &mut Context<'_>,
    b: &Balance,
    qdd: &[Expr],
    lambda: &[Expr],
) -> Expr {
    let mut sum = -c.in_speeds(&b.force);
    let reversed: Vec<Expr> = lambda.iter().map(|l| -l).collect();
    let (masses, forces) = (b.mass.iter().zip(qdd), b.multipliers.iter().zip(&reversed));
    for (e, x) in masses.chain(forces) {
        sum = sum + c.in_speeds(e) * x;
    }
    sum
}
