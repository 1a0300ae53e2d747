//! The explicit Gibbs-Appell equation (Udwadia 1996, 18-27; Udwadia & Kalaba 1998, 18 and 37). With the columns of A permuted to
//! `[Ae Ai]`, Ae of full column rank, `R = Ae^+ Ai` and `d = Ae^+ b`:
//!
//! ```text
//! [ Ae   Ai                                  ] [qe'']   [ b                                ]
//! [ 0    Mii + R^T Mee R - Mie R - R^T Mei   ] [qi''] = [ Fi - R^T Fe + (R^T Mee - Mie) d  ]
//! ```
//!
//! M and F are those of the Gibbs function in the coordinates, `M = d2S/dq''dq''` and `F = Q + C - dS/dq''` at `q'' = 0`.
//! In Cartesian coordinates `Mie = 0`, and the second row is that of the 1998 paper.

use super::charts::{self, Chart, Origin};
use super::gibbs_appell::by_gibbs_function;
use super::{Closure, Context, Equations, Formulated, Formulation, Options, Space, Table};
use crate::diag::codes::formulations::{E0521, E0522};
use crate::diag::{self, Diagnostic};
use crate::elim::{self, Matrix};
use crate::facts::Fact;
use crate::mech::reactions;
use crate::sym::Expr;

/// The explicit Gibbs-Appell equation.
pub struct ExplicitGibbsAppell;

impl Formulation for ExplicitGibbsAppell {
    fn name(&self) -> &'static str {
        "explicit-gibbs-appell"
    }

    fn space(&self) -> Space {
        Space::Accelerations
    }

    fn takes_chart(&self) -> bool {
        true
    }

    fn refusal(&self, c: &mut Context<'_>, _: &Options<'_>) -> Option<Diagnostic> {
        if c.coupled {
            let (alg, values, k, _) = c.parts(Space::Accelerations);
            let mut spans = reactions::loads_by_reactions(alg, &values, k).into_iter();
            let refused = Diagnostic::error(
                E0521,
                "the explicit Gibbs-Appell equation cannot contain loads that depend on reactions",
                spans.next().unwrap_or_default(),
                "this depends on a reaction",
            )
            .note("constraint forces drop out of the equation, but here the multipliers appear in the loads and remain unknown");
            return Some(spans.fold(refused, |d, span| d.label(span, "so does this")));
        }
        None
    }

    fn formulate(&self, c: &mut Context<'_>, options: &Options<'_>) -> diag::Result<Formulated> {
        let closure = c
            .has_rows(Space::Accelerations)
            .then_some(Closure::Explicit);
        let charts = match closure {
            Some(_) => Some(charts::choose(c, options.dependent).map_err(|d| vec![d])?),
            None if options.dependent.is_empty() => None,
            None => return Err(vec![charts::nothing_to_solve(c)]),
        };
        let equations = by_gibbs_function(c, Space::Accelerations, closure)?;
        Ok(Formulated {
            charts,
            ..Formulated::new(equations, options)
        })
    }

    fn table(
        &self,
        c: &mut Context<'_>,
        f: &Formulated,
        name: &str,
    ) -> diag::Result<Option<Table>> {
        let Some(quantity) = QUANTITIES.iter().find(|q| **q == name) else {
            return Ok(None);
        };
        table(c, f, quantity).map(Some)
    }
}

/// The quantities of a chart.
const QUANTITIES: [&str; 7] = [
    "chart_matrix",
    "chart_complement",
    "explicit_reduction",
    "explicit_drift",
    "explicit_matrix",
    "explicit_rhs",
    "explicit_gibbs_function",
];

/// The equation in one chart.
#[derive(Clone, Debug)]
pub struct Explicit {
    /// R, a row for each eliminated acceleration.
    pub reduction: Matrix,
    /// d.
    pub drift: Vec<Expr>,
    /// `Mii + R^T Mee R - Mie R - R^T Mei`.
    pub matrix: Matrix,
    /// `Fi - R^T Fe + (R^T Mee - Mie) d`.
    pub rhs: Vec<Expr>,
    /// What Ae was divided by and is not a number.
    pub pivots: Vec<Expr>,
}

/// R and d of a chart, with what was divided by; `None` if Ae is singular identically.
pub fn reduction(c: &mut Context<'_>, chart: &Chart) -> Option<(Matrix, Vec<Expr>, Vec<Expr>)> {
    let a = c.constraints.independent_matrix();
    let b = c.constraints.independent_rhs();
    let pick =
        |r: &Vec<Expr>, of: &[usize]| -> Vec<Expr> { of.iter().map(|j| r[*j].clone()).collect() };
    let ae: Matrix = a.iter().map(|r| pick(r, &chart.eliminated)).collect();
    let right: Matrix = a
        .iter()
        .zip(&b)
        .map(|(r, b)| {
            let mut row = pick(r, &chart.independent);
            row.push(b.clone());
            row
        })
        .collect();
    let solved = elim::solve(&mut c.alg, &ae, &right)?;
    let mut r = solved.x;
    let d = r.iter_mut().filter_map(Vec::pop).collect();
    Some((r, d, solved.pivots))
}

/// The equation in a chart, written out; `None` if Ae is singular identically.
pub fn explicit(
    c: &mut Context<'_>,
    mass: &Matrix,
    forcing: &[Expr],
    chart: &Chart,
) -> Option<Explicit> {
    let (r, d, pivots) = reduction(c, chart)?;
    let (e, i) = (&chart.eliminated, &chart.independent);
    // W = R^T Mee - Mie
    let w: Matrix = (0..i.len())
        .map(|k| {
            (0..e.len())
                .map(|f| {
                    let through: Expr = (0..e.len()).map(|x| &r[x][k] * &mass[e[x]][e[f]]).sum();
                    through - &mass[i[k]][e[f]]
                })
                .collect()
        })
        .collect();
    let mut matrix: Matrix = vec![vec![Expr::zero(); i.len()]; i.len()];
    let mut rhs = Vec::with_capacity(i.len());
    for k in 0..i.len() {
        for l in k..i.len() {
            let inner: Expr = (0..e.len()).map(|x| &w[k][x] * &r[x][l]).sum();
            let outer: Expr = (0..e.len()).map(|x| &r[x][k] * &mass[e[x]][i[l]]).sum();
            let entry = c.alg.define("explicit", &mass[i[k]][i[l]] + inner - outer);
            matrix[k][l] = entry.clone();
            matrix[l][k] = entry;
        }
        let of_eliminated: Expr = (0..e.len()).map(|x| &r[x][k] * &forcing[e[x]]).sum();
        let drift: Expr = (0..e.len()).map(|x| &w[k][x] * &d[x]).sum();
        rhs.push(
            c.alg
                .define("explicit_force", &forcing[i[k]] - of_eliminated + drift),
        );
    }
    Some(Explicit {
        reduction: r,
        drift: d,
        matrix,
        rhs,
        pivots,
    })
}

/// `q''` by the equation in a chart.
pub fn solve(c: &mut Context<'_>, e: &Equations, chart: &Chart) -> Option<elim::Solved> {
    let x = explicit(c, &e.mass, &e.forcing, chart)?;
    let rhs = elim::column(&x.rhs);
    let free = elim::solve(&mut c.alg, &x.matrix, &rhs)?;
    let mut list: Matrix = vec![vec![Expr::zero()]; e.mass.len()];
    for (row, (r, d)) in x.reduction.iter().zip(&x.drift).enumerate() {
        let from_free: Expr = r.iter().zip(&free.x).map(|(r, q)| r * &q[0]).sum();
        list[chart.eliminated[row]] = vec![d - from_free];
    }
    for (i, q) in chart.independent.iter().zip(free.x) {
        list[*i] = q;
    }
    let mut pivots = free.pivots;
    pivots.extend(x.pivots);
    Some(elim::Solved {
        x: list,
        pivots,
        exact: false,
    })
}

/// A quantity of the first chart.
fn table(c: &mut Context<'_>, f: &Formulated, name: &'static str) -> diag::Result<Table> {
    let refused = |c: &Context<'_>, why: &str, help: &str| {
        let title = format!("there is no `{name}`: {why}");
        vec![Diagnostic::error(E0522, title, c.system.whole(), "of this model").help(help)]
    };
    let Some(charts) = &f.charts else {
        return Err(refused(
            c,
            "the model has no constraints",
            "omit the output",
        ));
    };
    let Some(chart) = charts.list.first().cloned() else {
        return Err(refused(
            c,
            "the dependent accelerations are chosen by pivoting at every state",
            "fix the choice with `--dependent` if the rank of the constraints does not vary",
        ));
    };
    let e = &f.equations;
    let found = explicit(c, &e.mass, &e.forcing, &chart);
    let Some(x) = found else {
        return Err(refused(
            c,
            "the chosen accelerations cannot be solved for at any state",
            "name other rates with `--dependent`",
        ));
    };
    let accelerations = |of: &[usize]| -> Vec<String> {
        let names = of.iter().map(|i| &c.system.coords[*i].meta.name);
        names.map(|n| format!("{n}''")).collect()
    };
    let rows = c.constraints.row_names();
    let columns = |of: &[usize]| elim::columns(&c.constraints.matrix(), of);
    let (eliminated, independent) = (
        accelerations(&chart.eliminated),
        accelerations(&chart.independent),
    );
    let note = match charts.list.len() {
        1 => format!("Eliminated: {}.", eliminated.join(", ")),
        k => format!(
            "Of the first of {k} charts, the one that eliminates {}.",
            eliminated.join(", ")
        ),
    };
    let fact = eliminated.clone();
    let table = match name {
        "chart_matrix" => Table::matrix(name, rows, eliminated, columns(&chart.eliminated)),
        "chart_complement" => Table::matrix(name, rows, independent, columns(&chart.independent)),
        "explicit_reduction" => Table::matrix(name, eliminated, independent, x.reduction),
        "explicit_drift" => Table::vector(name, eliminated, x.drift),
        "explicit_matrix" => Table::matrix(name, independent.clone(), independent, x.matrix),
        "explicit_rhs" => Table::vector(name, independent, x.rhs),
        _ => Table::scalar(name, gibbs_function(c, e, &chart, &x)),
    };
    Ok(table
        .noted(note)
        .stating(Fact::DependentAccelerations(fact)))
}

/// `Ss = 1/2 q''^T M q''` in qi'' alone.
fn gibbs_function(c: &mut Context<'_>, e: &Equations, chart: &Chart, x: &Explicit) -> Expr {
    let n = e.mass.len();
    let mut q: Vec<Expr> = c.vars.rate_dots.iter().map(|v| c.alg.var(*v)).collect();
    for (row, at) in chart.eliminated.iter().enumerate() {
        let from_free: Expr = x.reduction[row]
            .iter()
            .zip(&chart.independent)
            .map(|(r, i)| r * &q[*i])
            .sum();
        q[*at] = c.alg.define("eliminated", &x.drift[row] - from_free);
    }
    let sum: Expr = (0..n)
        .map(|i| {
            let row: Expr = (0..n).map(|j| &e.mass[i][j] * &q[j]).sum();
            &q[i] * row
        })
        .sum();
    c.alg.define("explicit_gibbs_function", sum / Expr::int(2))
}

/// The equation of motion of an independent acceleration in the first chart, for a reader: coefficients and right-hand side.
pub fn rows_for_reading(c: &mut Context<'_>, f: &Formulated) -> Option<(Chart, Explicit)> {
    let charts = f.charts.as_ref()?;
    if charts.origin == Origin::Pivoted {
        return None;
    }
    let chart = charts.list.first()?.clone();
    let x = explicit(c, &f.equations.mass, &f.equations.forcing, &chart)?;
    Some((chart, x))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::host::with_session;
    use crate::mech::choice::Choice;
    use crate::mech::kinematics::Components;
    use crate::sym::Algebra;

    /// The sleigh in x, y, theta, where M is not diagonal, and a point in polar coordinates on a rail that moves.
    const MODELS: [&str; 2] = [
        "model sleigh\nparam m1, m2 : kg > 0\nparam l : m > 0\ncoord x, y : m\ncoord theta : rad\n\
         frame B = rotate(N, theta, N.z)\npoint P1 = O + x*N.x + y*N.y\npoint P2 = P1 + l*B.x\n\
         particle A: mass m1 at P1\nparticle C: mass m2 at P2\nconstraint blade: dot(vel(P2), B.y) = 0",
        "model rail\nparam m : kg > 0\nparam k : m/s\ncoord r : m\ncoord phi : rad\nframe B = rotate(N, phi, N.z)\n\
         point P = O + r*B.x\nparticle A: mass m at P\ngravity: -9.81 [m/s^2]*N.y\n\
         constraint rail: r*cos(phi) + r*sin(phi) = k*t",
    ];

    /// In every chart: the derivatives of Ss by the independent accelerations are `K qi'' - (R^T Mee - Mie) d`, and set equal to
    /// `Fi - R^T Fe` they are the equation.
    #[test]
    fn the_gradient_of_the_gibbs_function_is_the_left_side() {
        for text in MODELS {
            let (system, _) = crate::input::read(text).unwrap();
            with_session(move || check(&system)).unwrap();
        }
    }

    fn check(system: &crate::model::System) {
        let choice = Choice::default();
        let alg = Algebra::new(None);
        let mut c = Context::derive(alg, system, Components::Local, &choice).unwrap();
        let options = Options::default();
        let e = ExplicitGibbsAppell
            .formulate(&mut c, &options)
            .unwrap()
            .equations;
        let n = system.coords.len();
        let mut charts = 0;
        for eliminated in 0..n {
            let dependent = [format!("{}'", system.coords[eliminated].meta.name)];
            let chart = charts::choose(&mut c, &dependent).unwrap().list.remove(0);
            charts += 1;
            let x = explicit(&mut c, &e.mass, &e.forcing, &chart).unwrap();
            let s = gibbs_function(&mut c, &e, &chart, &x);
            let q: Vec<Expr> = c.vars.rate_dots.iter().map(|v| c.alg.var(*v)).collect();
            let (d, r) = (&x.drift[0], &x.reduction[0]);
            for (k, i) in chart.independent.clone().into_iter().enumerate() {
                let gradient = c.alg.partial(&s, c.vars.rate_dots[i]);
                let w = &r[k] * &e.mass[eliminated][eliminated] - &e.mass[i][eliminated];
                let terms = x.matrix[k].iter().zip(&chart.independent);
                let left: Expr = terms.map(|(m, j)| m * &q[*j]).sum();
                let left = left - &w * d;
                assert!(c.alg.is_zero(&(gradient - &left)), "{eliminated}, {i}");
                let force = &e.forcing[i] - &r[k] * &e.forcing[eliminated];
                let right = &x.rhs[k] - w * d;
                assert!(c.alg.is_zero(&(force - right)), "{eliminated}, {i}");
            }
        }
        assert_eq!(charts, n);
    }
}
