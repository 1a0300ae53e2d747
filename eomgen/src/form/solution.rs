//! The accelerations in closed form: equations of motion solved symbolically, with the factors that
//! the solution divides by. Only for systems small enough that the result is worth reading.

use super::balances::{Balances, Unknown};
use super::charts::Origin;
use super::{Closure, Context, Equations, Formulated, Inverse, Space, explicit_gibbs_appell};
use crate::elim::{self, Matrix};
use crate::mech::constraints::Rank;
use crate::mech::definite;
use crate::sym::Expr;

/// A symbolic solution.
#[derive(Clone, Debug)]
pub struct Solution {
    /// z' of the equations' space.
    pub unknowns: Vec<Expr>,
    /// Multipliers of the independent rows, where loads depend on them or they are found with the accelerations.
    pub multipliers: Option<Vec<Expr>>,
    /// Whether the balances of momentum were solved as they stand.
    pub by_balances: bool,
    /// Divisors of the result that are known not to vanish since M is positive definite.
    pub certified: Vec<Expr>,
    /// Factors that were divided by on the way and are not certainly nonzero, but do not divide the result.
    pub cancelled: Vec<Expr>,
}

/// Largest number of unknowns in one block that is solved in closed form.
const LARGEST: usize = 4;
/// Largest number of balances and constraint rows that are solved together in closed form.
const MOST_BALANCES: usize = 40;
/// Largest result, in numbers and symbols.
const READABLE: usize = 1500;

/// Solves the equations; `None` if they are too large, singular identically, or may lose rank in
/// a way that needs the rank-revealing routine.
pub fn solve(c: &mut Context<'_>, f: &Formulated, definite: bool) -> Option<Solution> {
    let e = &f.equations;
    // Where the rank varies on the constraints no closed form is good everywhere.
    let varies = c.constraints.rank_where_they_hold == Rank::Varies;
    if !c.alg.is_closed() || (varies && e.closure.is_some()) {
        return None;
    }
    let own = f.balances.as_ref().filter(|b| b.projected == e.forcing);
    if let Some(b) = own
        && let Some(found) = by_balances(c, e, b, definite)
    {
        return Some(found);
    }
    // A chart that may fail shows in the program and is not cancelled away.
    if e.closure == Some(Closure::Explicit) {
        let certain = f
            .charts
            .as_ref()
            .is_some_and(|k| k.origin == Origin::Certain);
        let found = certain.then(|| attempt(c, f, e.closure, definite));
        return found.flatten().map(|a| a.solution);
    }
    let first = attempt(c, f, e.closure, definite)?;
    // The determinant of the bordered system divides everything. Whatever else does is left over from the way to the
    // solution and would make regular states fail; `G` is singular only where rows depend, so its way may be better. A single divisor may
    // be either.
    let clean = |a: &Attempt| a.open.len() <= 1;
    if e.closure.is_none() || first.open.is_empty() {
        return Some(first.solution);
    }
    let other = Closure::GeneralizedInverse;
    // That way knows nothing of loads which depend on multipliers.
    let second = match e.coupling.is_none() && e.closure != Some(other) {
        true => attempt(c, f, Some(other), definite),
        false => None,
    };
    // Where M may be singular, that way divides by more than there is to divide by, unless all of it cancels.
    let better =
        |second: &Attempt| second.open.is_empty() || definite && clean(second) && !clean(&first);
    match second.filter(better) {
        Some(second) => Some(second.solution),
        None => clean(&first).then_some(first.solution),
    }
}

/// Largest bordered system that is solved generically.
const LARGEST_GENERIC: usize = 24;

/// A symbolic solution that holds wherever it has a value; it need not be short, nor good at all regular states.
pub fn generic(c: &mut Context<'_>, e: &Equations) -> Option<Solution> {
    if !c.alg.is_closed() {
        return None;
    }
    let n = e.mass.len();
    let (a, b) = match e.closure {
        None => (Matrix::new(), Vec::new()),
        Some(_) => rows(c, e.space),
    };
    if n + a.len() > LARGEST_GENERIC {
        return None;
    }
    let mut x = bordered(c, e, &a, &b)?.x;
    let multipliers = x.split_off(n);
    let list = |c: &mut Context<'_>, x: Matrix| -> Vec<Expr> {
        let flat = x.into_iter().flatten();
        flat.map(|e| c.alg.simplify(&e)).collect()
    };
    let multipliers = e.coupling.is_some().then(|| list(c, multipliers));
    Some(Solution {
        unknowns: list(c, x),
        multipliers,
        by_balances: false,
        certified: Vec::new(),
        cancelled: Vec::new(),
    })
}

/// The accelerations for a reader, where the program finds them in charts: the solution in the first of these. What Ae is divided by
/// cancels, so it does not tell where the charts fail.
pub fn in_first_chart(c: &mut Context<'_>, f: &Formulated) -> Option<Vec<Expr>> {
    if !c.alg.is_closed() || f.equations.mass.len() > LARGEST {
        return None;
    }
    let found = attempt(c, f, Some(Closure::Explicit), false)?;
    Some(found.solution.unknowns)
}

/// A solution with those of its divisors that may vanish.
struct Attempt {
    solution: Solution,
    open: Vec<Expr>,
}

fn attempt(
    c: &mut Context<'_>,
    f: &Formulated,
    closure: Option<Closure>,
    definite: bool,
) -> Option<Attempt> {
    let e = &f.equations;
    let rows = closure.map(|closure| (closure, rows(c, e.space)));
    let n = e.mass.len();
    let (mut x, pivots) = match rows {
        None => {
            if definite::blocks(&e.mass).iter().any(|b| b.len() > LARGEST) {
                return None;
            }
            let rhs = elim::column(&e.forcing);
            let s = elim::solve(&mut c.alg, &e.mass, &rhs)?;
            (s.x, if definite { Vec::new() } else { s.pivots })
        }
        Some((closure, (a, b))) => {
            if n > 12 || a.len() > 4 {
                return None;
            }
            let s = match closure {
                Closure::Bordered => bordered(c, e, &a, &b)?,
                Closure::GeneralizedInverse => through_g(c, f, &a, &b, definite)?,
                Closure::NullSpace => null_space(c, e, &a, &b)?,
                Closure::Explicit => {
                    let chart = f.charts.as_ref()?.list.first()?.clone();
                    explicit_gibbs_appell::solve(c, e, &chart)?
                }
            };
            (s.x, s.pivots)
        }
    };
    if e.coupling.is_none() {
        x.truncate(n);
    }
    let multipliers = e.coupling.is_some();
    finished(c, e, (x, pivots), multipliers, definite)
}

/// The balances of momentum and the constraint rows, in accelerations, multipliers and all other reactions. `None` also where the result
/// divides by more than it has to.
fn by_balances(
    c: &mut Context<'_>,
    e: &Equations,
    b: &Balances,
    definite: bool,
) -> Option<Solution> {
    let n = e.mass.len();
    let rows = c.constraints.independent_matrix();
    let rhs = c.constraints.independent_rhs();
    let independent = c.constraints.independent.clone();
    let others: Vec<&Unknown> = b.declared.iter().chain(&b.generated).collect();
    let size = b.mass.len() + rows.len();
    if size > MOST_BALANCES || size != n + rows.len() + others.len() {
        return None;
    }
    let mut matrix = Matrix::with_capacity(size);
    for (i, mass) in b.mass.iter().enumerate() {
        let mut row = mass.clone();
        row.extend(independent.iter().map(|j| -&b.multipliers[i][*j]));
        row.extend(others.iter().map(|u| -&u.column[i]));
        matrix.push(row);
    }
    for a in &rows {
        let mut row = a.clone();
        row.resize(size, Expr::zero());
        matrix.push(row);
    }
    let right: Matrix = b.rest.iter().chain(&rhs).map(|e| vec![e.clone()]).collect();
    let mut solved = elim::solve(&mut c.alg, &matrix, &right)?;
    solved.x.truncate(n + rows.len());
    let found = finished(c, e, (solved.x, solved.pivots), true, definite)?;
    // Directions that were chosen for the names of reactions must not show in the motion.
    let multipliers = found.solution.multipliers.iter().flatten();
    let unknowns: Vec<&Expr> = found.solution.unknowns.iter().chain(multipliers).collect();
    let divides = |d: &Expr| unknowns.iter().any(|u| c.alg.divisors(u).contains(d));
    let spoiled = b.divisors.iter().any(|d| divides(d) || divides(&-d));
    let clean = found.open.len() <= usize::from(e.closure.is_some());
    (clean && !spoiled).then_some(Solution {
        by_balances: true,
        ..found.solution
    })
}

/// Simplified, with the divisors sorted out.
fn finished(
    c: &mut Context<'_>,
    e: &Equations,
    (x, pivots): (Matrix, Vec<Expr>),
    multipliers: bool,
    definite: bool,
) -> Option<Attempt> {
    let n = e.mass.len();
    let mut unknowns: Vec<Expr> = x
        .into_iter()
        .map(|mut v| v.remove(0))
        .map(|e| c.alg.simplify(&e))
        .collect();
    c.alg.unify_divisors(&mut unknowns);
    let rest = unknowns.split_off(n);
    let multipliers = multipliers.then_some(rest);
    if unknowns.iter().map(|e| c.alg.node(e).size()).sum::<usize>() > READABLE {
        return None;
    }
    let open = factors(c, &pivots);
    let divides = |c: &Context<'_>, f: &Expr| {
        unknowns
            .iter()
            .any(|u| c.alg.divisors(u).iter().any(|d| d == f || *d == -f))
    };
    let cancelled = open.into_iter().filter(|f| !divides(c, f)).collect();
    // The determinant of a positive definite matrix has no zero, however its factors look.
    let mut certified: Vec<Expr> = Vec::new();
    if definite && e.closure.is_none() {
        for u in &unknowns {
            for d in c.alg.divisors(u) {
                if !certified.contains(&d) && is_factor_of_mass(c, e, &d) {
                    certified.push(d);
                }
            }
        }
    }
    let mut open: Vec<Expr> = Vec::new();
    for d in unknowns.iter().flat_map(|u| c.alg.divisors(u)) {
        if !open.contains(&d) && !certified.contains(&d) {
            open.push(d);
        }
    }
    open.retain(|d| !c.alg.is_nonzero(d));
    let solution = Solution {
        unknowns,
        multipliers,
        by_balances: false,
        certified,
        cancelled,
    };
    Some(Attempt { solution, open })
}

fn is_factor_of_mass(c: &mut Context<'_>, e: &Equations, d: &Expr) -> bool {
    // If M itself is free of d in its denominators, d can only come from the determinant.
    !e.mass
        .iter()
        .flatten()
        .chain(&e.forcing)
        .any(|m| c.alg.divisors(m).iter().any(|x| x == d || *x == -d))
}

/// The factors of the pivots that are not certain to be nonzero, each once.
pub fn factors(c: &mut Context<'_>, pivots: &[Expr]) -> Vec<Expr> {
    let mut list: Vec<Expr> = Vec::new();
    for p in pivots {
        for f in c.alg.factors(p) {
            if !c.alg.is_nonzero(&f) && !list.contains(&f) && !list.contains(&-&f) {
                list.push(f);
            }
        }
    }
    list
}

/// Independent constraint rows in the unknowns of a space.
pub fn rows(c: &mut Context<'_>, space: Space) -> (Matrix, Vec<Expr>) {
    let a = c.constraints.independent_matrix();
    let b = c.constraints.independent_rhs();
    in_space(c, space, &a, &b)
}

/// Rows `A q'' = b` in the unknowns of a space: q'' = H s' + bias.
pub fn in_space(c: &mut Context<'_>, space: Space, a: &Matrix, b: &[Expr]) -> (Matrix, Vec<Expr>) {
    if c.kinematics(space).motion.speeds == c.vars.rates {
        return (a.clone(), b.to_vec());
    }
    let bias = c.bias_in(space);
    let motion = c.kinematics(space).motion.clone();
    let mut rows = Matrix::new();
    let mut rhs = Vec::new();
    for (row, b) in a.iter().zip(b) {
        let mut new = vec![Expr::zero(); motion.speeds.len()];
        let mut right = c.in_speeds(b);
        for (i, e) in row.iter().enumerate() {
            if e.is_literal_zero() {
                continue;
            }
            let e = c.in_speeds(e);
            for (k, h) in &motion.rates[i].coef {
                new[*k] = &new[*k] + &e * h;
            }
            right = right - &e * &bias[i];
        }
        rows.push(new.into_iter().map(|e| c.alg.define("a_s", e)).collect());
        rhs.push(c.alg.define("b_s", right));
    }
    (rows, rhs)
}

/// Rows of `A + Phi^T`: by which generalized forces the multipliers of independent rows act.
fn with_coupling(c: &Context<'_>, e: &Equations, a: &Matrix) -> Matrix {
    let Some(coupling) = &e.coupling else {
        return a.clone();
    };
    let rows = a.iter().zip(&c.constraints.independent);
    rows.map(|(row, j)| {
        let phi = coupling.iter().map(|of| &of[*j]);
        row.iter().zip(phi).map(|(a, p)| a + p).collect()
    })
    .collect()
}

/// `[M -A^T-Phi; A 0] [z'; lambda] = [f; b]`.
fn bordered(c: &mut Context<'_>, e: &Equations, a: &Matrix, b: &[Expr]) -> Option<elim::Solved> {
    let (n, m) = (e.mass.len(), a.len());
    let coupled = with_coupling(c, e, a);
    let mut k: Matrix = vec![vec![Expr::zero(); n + m]; n + m];
    for i in 0..n {
        k[i][..n].clone_from_slice(&e.mass[i]);
        for j in 0..m {
            k[i][n + j] = -&coupled[j][i];
            k[n + j][i] = a[j][i].clone();
        }
    }
    let rhs: Matrix = e.forcing.iter().chain(b).map(|f| vec![f.clone()]).collect();
    elim::solve(&mut c.alg, &k, &rhs)
}

/// `lambda = G^-1 (b - A a)`, `z' = a + M^-1 (A^T + Phi) lambda`, `G = A M^-1 (A^T + Phi)`.
fn through_g(
    c: &mut Context<'_>,
    f: &Formulated,
    a: &Matrix,
    b: &[Expr],
    definite: bool,
) -> Option<elim::Solved> {
    let e = &f.equations;
    let (n, m) = (e.mass.len(), a.len());
    let coupled = with_coupling(c, e, a);
    let rhs: Matrix = (0..n)
        .map(|i| {
            std::iter::once(e.forcing[i].clone())
                .chain(coupled.iter().map(|r| r[i].clone()))
                .collect()
        })
        .collect();
    let free = elim::solve(&mut c.alg, &e.mass, &rhs)?;
    let mut g: Matrix = vec![vec![Expr::zero(); m]; m];
    let mut right: Matrix = Vec::new();
    for i in 0..m {
        for j in 0..m {
            let s: Expr = (0..n).map(|k| &a[i][k] * &free.x[k][1 + j]).sum();
            g[i][j] = c.alg.define("g", s);
        }
        let s: Expr = (0..n).map(|k| &a[i][k] * &free.x[k][0]).sum();
        right.push(vec![c.alg.define("gap", &b[i] - s)]);
    }
    if let Some(agreed) = by_all_rows(c, f, &free.x) {
        right = agreed?;
    }
    let lambda = elim::solve(&mut c.alg, &g, &right)?;
    let mut x: Matrix = (0..n)
        .map(|k| {
            let s: Expr = (0..m).map(|j| &free.x[k][1 + j] * &lambda.x[j][0]).sum();
            vec![&free.x[k][0] + s]
        })
        .collect();
    x.extend(lambda.x);
    let mut pivots = if definite { Vec::new() } else { free.pivots };
    pivots.extend(lambda.pivots);
    Some(elim::Solved {
        x,
        pivots,
        exact: false,
    })
}

/// With the Moore-Penrose inverse all rows count, dependent ones too. The scaled matrix is `B = T B_r`, T of full column rank and the
/// rows of B_r independent, so `B^+ = B_r^+ T^+`: the right-hand sides that the independent rows get are `T^+ (b - A a)`. `None` where
/// another inverse was chosen or the rows are independent.
fn by_all_rows(c: &mut Context<'_>, f: &Formulated, free: &Matrix) -> Option<Option<Matrix>> {
    let rows = c.constraints.clone();
    let (m, r) = (rows.rows.len(), rows.independent.len());
    let asked =
        f.variant.inverse == Inverse::MoorePenrose && f.equations.space == Space::Accelerations;
    if !asked || m == r || rows.rank_where_they_hold != Rank::Same {
        return None;
    }
    let gap: Vec<Expr> = rows
        .rows
        .iter()
        .map(|row| {
            let along: Expr = row.a.iter().zip(free).map(|(a, x)| a * &x[0]).sum();
            c.alg.define("gap", &row.b - along)
        })
        .collect();
    let t = &rows.combination;
    let mut square: Matrix = vec![vec![Expr::zero(); r]; r];
    let mut right: Matrix = Vec::with_capacity(r);
    for i in 0..r {
        for j in 0..r {
            let sum: Expr = t.iter().map(|row| &row[i] * &row[j]).sum();
            square[i][j] = c.alg.define("gram", sum);
        }
        let sum: Expr = t.iter().zip(&gap).map(|(row, g)| &row[i] * g).sum();
        right.push(vec![c.alg.define("gap", sum)]);
    }
    Some(elim::solve(&mut c.alg, &square, &right).map(|s| s.x))
}

/// `[A; N^T M] z' = [b; N^T f]` with the columns of N a basis of the null space of A, polynomial in
/// the entries of A where possible.
fn null_space(c: &mut Context<'_>, e: &Equations, a: &Matrix, b: &[Expr]) -> Option<elim::Solved> {
    let (n, m) = (e.mass.len(), a.len());
    let order: Vec<usize> = (0..n).collect();
    let columns = elim::echelon(&c.alg, a, &order).columns;
    let free: Vec<usize> = (0..n).filter(|i| !columns.contains(i)).collect();
    let ae = elim::columns(a, &columns);
    let ai = elim::columns(a, &free);
    let solved = elim::solve(&mut c.alg, &ae, &ai)?;
    let mut matrix: Matrix = a.clone();
    let mut rhs = elim::column(b);
    for (k, i) in free.iter().enumerate() {
        let mut direction = vec![Expr::zero(); n];
        direction[*i] = Expr::one();
        for (j, col) in columns.iter().enumerate() {
            direction[*col] = -&solved.x[j][k];
        }
        let row: Vec<Expr> = (0..n)
            .map(|j| {
                let s: Expr = (0..n).map(|i| &direction[i] * &e.mass[i][j]).sum();
                c.alg.define("projected", s)
            })
            .collect();
        let f: Expr = (0..n).map(|i| &direction[i] * &e.forcing[i]).sum();
        matrix.push(row);
        rhs.push(vec![c.alg.define("projected_force", f)]);
    }
    debug_assert_eq!(matrix.len(), m + free.len());
    let mut s = elim::solve(&mut c.alg, &matrix, &rhs)?;
    s.pivots.extend(solved.pivots);
    s.exact = false;
    Some(s)
}
