//! Accelerations and multipliers as expressions in the state. Knows nothing of instructions.

use crate::elim::{self, Matrix};
use crate::form::solution::Solution;
use crate::form::{Context, Equations, Space};
use crate::program::posed::Posed;
use crate::sym::{Algebra, Expr};

/// q'' by a solution in closed form.
pub(in crate::program) fn accelerations(
    c: &mut Context<'_>,
    space: Space,
    solution: &Solution,
) -> Vec<Expr> {
    if space == Space::Accelerations {
        return in_state(c, &solution.unknowns);
    }
    let motion = c.kinematics(Space::SpeedRates).motion.clone();
    if motion.speeds == c.vars.rates {
        return solution.unknowns.clone();
    }
    let bias = c.acceleration_bias();
    let rates = motion.rates.iter().zip(&bias);
    let list = rates.map(|(rate, bias)| {
        let terms = rate.coef.iter();
        let sum: Expr = terms.map(|(k, h)| h * &solution.unknowns[*k]).sum();
        c.alg.simplify(&(sum + bias))
    });
    list.collect()
}

/// The multipliers of all rows, unless their form would fail at states where the accelerations have a value.
pub(in crate::program) fn multipliers(
    posed: &Posed,
    c: &mut Context<'_>,
    accelerations: &[Expr],
) -> Option<Vec<Expr>> {
    let solution = posed.solution.as_ref();
    let independent = independent_multipliers(posed, c, solution, accelerations)?;
    // The columns solved in may be dependent where the rows are not: such a form fails at regular states.
    let given = solution.is_some_and(|s| s.multipliers.is_some() && !s.by_balances);
    if !given && divides_more(c, &independent, accelerations) {
        None
    } else {
        all_multipliers(c, &independent)
    }
}

/// The multipliers of all rows by a solution, wherever they have a value.
pub(in crate::program) fn generic_multipliers(
    posed: &Posed,
    c: &mut Context<'_>,
    solution: &Solution,
    accelerations: &[Expr],
) -> Option<Vec<Expr>> {
    let independent = independent_multipliers(posed, c, Some(solution), accelerations)?;
    all_multipliers(c, &independent)
}

/// Multipliers of the independent rows by `A^T lambda = M q'' - F`.
fn independent_multipliers(
    posed: &Posed,
    c: &mut Context<'_>,
    solution: Option<&Solution>,
    accelerations: &[Expr],
) -> Option<Vec<Expr>> {
    if let Some(list) = solution.and_then(|s| s.multipliers.as_ref()) {
        return Some(in_state(c, list));
    }
    let Equations { mass, forcing, .. } = posed.unreduced(c)?;
    let mut residual = Vec::with_capacity(forcing.len());
    for (row, f) in mass.iter().zip(forcing) {
        let products = row.iter().zip(accelerations).map(|(m, x)| m * x);
        let e = products.sum::<Expr>() - c.in_speeds(f);
        residual.push(c.alg.simplify(&e));
    }
    let a = c.constraints.independent_matrix();
    let certain = certain_columns(&mut c.alg, &a);
    let columns = certain.unwrap_or_else(|| c.constraints.columns.clone());
    let transposed = columns.iter().map(|j| {
        let column: Vec<Expr> = a.iter().map(|row| row[*j].clone()).collect();
        in_state(c, &column)
    });
    let transposed: Matrix = transposed.collect();
    let rhs: Matrix = columns.iter().map(|j| vec![residual[*j].clone()]).collect();
    let solved = elim::solve(&mut c.alg, &transposed, &rhs)?;
    Some(solved.x.into_iter().flatten().collect())
}

/// Rows up to which multipliers are worth operations of their own, to keep the digits that dependent rates lose.
const FEW: usize = 3;

/// Equations by which the multipliers of a few rows are determined at every state: those in which the rows' coefficients have a determinant that
/// vanishes nowhere, if such are found by elimination. Near a state where dependent rates do not follow from the others, the error of their
/// accelerations would else be divided once more by what it was divided by.
pub(in crate::program) fn certain_columns(alg: &mut Algebra, a: &Matrix) -> Option<Vec<usize>> {
    if a.len() > FEW {
        return None;
    }
    let mut rows = a.clone();
    let mut columns = Vec::with_capacity(rows.len());
    for at in 0..rows.len() {
        let mut entries = rows[at].iter().enumerate();
        let sure = entries.find(|(_, e)| !e.is_literal_zero() && alg.is_nonzero(e));
        let column = sure?.0;
        columns.push(column);
        elim::clear_below(alg, &mut rows, at, column, "pivot");
    }
    Some(columns)
}

/// Whether expressions divide by something that may vanish and by which neither accelerations nor rates are divided.
fn divides_more(c: &mut Context<'_>, list: &[Expr], accelerations: &[Expr]) -> bool {
    let alg = &mut c.alg;
    let rates = &c.mechanics.speeds.motion.rate_values;
    let known: Vec<Expr> = accelerations
        .iter()
        .chain(rates)
        .flat_map(|e| alg.divisors(e))
        .collect();
    let found: Vec<Expr> = list.iter().flat_map(|e| alg.divisors(e)).collect();
    found.into_iter().any(|d| {
        let there = known
            .iter()
            .any(|k| alg.equal(k, &d) || alg.is_zero(&(k + &d)));
        !there && !alg.is_nonzero(&d)
    })
}

/// Minimum-norm multipliers of all rows from those of the independent ones: `T (T^T T)^-1 lambda_r`.
fn all_multipliers(c: &mut Context<'_>, independent: &[Expr]) -> Option<Vec<Expr>> {
    let combination = c.constraints.combination.clone();
    let r = independent.len();
    if combination.len() == r {
        return Some(independent.to_vec());
    }
    let t: Matrix = combination.iter().map(|row| in_state(c, row)).collect();
    let entry = |i: usize, j: usize| t.iter().map(|row| &row[i] * &row[j]).sum();
    let square: Matrix = (0..r)
        .map(|i| (0..r).map(|j| entry(i, j)).collect())
        .collect();
    let rhs: Matrix = independent.iter().map(|e| vec![e.clone()]).collect();
    let solved = elim::solve(&mut c.alg, &square, &rhs)?;
    let all = t.iter().map(|row| {
        let products = row.iter().zip(&solved.x).map(|(a, b)| a * &b[0]);
        c.alg.simplify(&products.sum())
    });
    Some(all.collect())
}

/// Expressions in q, q', t in terms of the state, simplified.
fn in_state(c: &mut Context<'_>, list: &[Expr]) -> Vec<Expr> {
    let list = list.iter().map(|e| {
        let e = c.in_speeds(e);
        c.alg.simplify(&e)
    });
    list.collect()
}
