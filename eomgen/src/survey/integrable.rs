//! Which velocity constraints can be integrated to constraints on positions: Frobenius' test on the rows
//! that are linear in the velocities, with time as one more direction.
//!
//! Decided at a random point of the prime field, where the position constraints hold as far as they can be
//! solved for some coordinate. "Integrable" is always certain; "not integrable" is where the rows hold no
//! functions but sines, cosines and the model's own.

use super::distribution::{Closure, at_test_point, kernel, reduce};
use super::formula;
use super::page::{Combination, Integrable};
use super::test_point::TestPoint;
use crate::elim::{Matrix, echelon};
use crate::field::Extended;
use crate::form::Context;
use crate::mech::constraints::{Constraints, Level, Row};
use crate::mech::vars::Vars;
use crate::sym::{Algebra, Expr, Kernel, Meaning, Var};

/// What was found.
#[derive(Debug, Default)]
pub(super) struct Findings {
    /// For every row; `None` where the question does not arise.
    pub(super) rows: Vec<Option<Integrable>>,
    /// For every row: what it integrates to, if that is evident.
    pub(super) integrals: Vec<Option<String>>,
    /// Combinations of rows that are not integrable by themselves.
    pub(super) combinations: Vec<Combination>,
    /// How many independent restrictions of positions there are beside the position constraints; `None`: not decided.
    pub(super) restrictions: Option<usize>,
}

/// Examines all rows.
pub(super) fn examine(c: &mut Context<'_>) -> Findings {
    let mechanics = c.mechanics.clone();
    let (rows, vars) = (&mechanics.constraints.rows, &mechanics.vars);
    let mut found = Findings {
        rows: vec![None; rows.len()],
        integrals: vec![None; rows.len()],
        restrictions: Some(0),
        ..Findings::default()
    };
    let asked: Vec<usize> = (0..rows.len())
        .filter(|i| rows[*i].level == Level::Velocity && rows[*i].linear)
        .collect();
    if asked.is_empty() {
        return found;
    }
    let alg = &mut c.alg;
    let positions = rows.iter().filter(|r| r.level == Level::Position);
    let residuals: Vec<Expr> = positions.map(|r| r.residual.clone()).collect();
    let unknowns: Vec<Var> = vars.coords.iter().chain(&vars.params).copied().collect();
    let point = TestPoint::find(alg, &residuals, &unknowns);
    let forms: Matrix = rows.iter().map(form).collect();
    let certain = |f: &Vec<Expr>| f.iter().all(|e| only_circles(alg, e));
    let mut frobenius = Frobenius {
        asked,
        certain: forms.iter().map(certain).collect(),
        space: vars.coords.iter().copied().chain([vars.time]).collect(),
        constraints: &mechanics.constraints,
        forms,
        point,
    };
    frobenius.alone(alg, &mut found);
    frobenius.together(alg, vars, &mut found);
    found
}

/// The rows as forms in the coordinates' differentials and that of time.
struct Frobenius<'m> {
    constraints: &'m Constraints,
    /// Velocity rows that are linear.
    asked: Vec<usize>,
    forms: Matrix,
    /// Whether a form vanishes wherever it vanishes at a random point.
    certain: Vec<bool>,
    /// The coordinates and time.
    space: Vec<Var>,
    point: TestPoint,
}

impl Frobenius<'_> {
    /// Each by itself.
    fn alone(&self, alg: &mut Algebra, found: &mut Findings) {
        let mut nowhere = TestPoint::default();
        for i in self.asked.iter().copied() {
            let own = vec![self.forms[i].clone()];
            let closure = Closure::of(alg, &own, &self.space, &mut nowhere, self.space.len());
            found.rows[i] = Some(match (closure.is_integrable(), self.certain[i]) {
                (true, _) => Integrable::Alone,
                (false, true) => Integrable::No,
                (false, false) => Integrable::Unknown,
            });
            if closure.is_integrable() {
                found.integrals[i] = integral(alg, &self.forms[i], &self.space);
            }
        }
    }

    /// All together: the independent linear rows, those on positions first.
    fn together(&mut self, alg: &mut Algebra, vars: &Vars, found: &mut Findings) {
        let Constraints {
            rows, independent, ..
        } = self.constraints;
        let (positions, velocities): (Vec<usize>, Vec<usize>) = independent
            .iter()
            .copied()
            .filter(|i| rows[*i].linear && rows[*i].level != Level::Acceleration)
            .partition(|i| rows[*i].level == Level::Position);
        let all: Vec<usize> = positions.iter().chain(&velocities).copied().collect();
        let system: Matrix = all.iter().map(|i| self.forms[*i].clone()).collect();
        let limit = self.space.len() - positions.len();
        let closure = Closure::of(alg, &system, &self.space, &mut self.point, limit);
        let certain = all.iter().all(|i| self.certain[*i]) && self.point.exact;
        let decided = closure.is_integrable() || certain;
        self.with_others(alg, &closure, decided, found);
        let restrictions = (self.space.len() - closure.fields.len()) - positions.len();
        found.restrictions = decided.then_some(restrictions);
        let single = (0..rows.len()).filter(|i| {
            let integrable = matches!(
                found.rows[*i],
                Some(Integrable::Alone | Integrable::WithOthers)
            );
            rows[*i].level == Level::Position || integrable
        });
        let known: Matrix = single.map(|i| self.forms[i].clone()).collect();
        let point = &mut self.point;
        for form in combinations(alg, &system, &closure, &known, &self.space, point) {
            let names = involved(alg, &system, &form, point);
            let mut relation = Expr::zero();
            for (e, r) in form.iter().zip(&vars.rates) {
                relation = relation + e * alg.var(*r);
            }
            if let Some(e) = form.last() {
                relation = relation + e;
            }
            found.combinations.push(Combination {
                rows: names.iter().map(|k| rows[all[*k]].name.clone()).collect(),
                relation: formula::unsigned(alg, &relation).map(|t| format!("{t} = 0")),
                integral: integral(alg, &form, &self.space),
            });
        }
    }

    /// The rows that vanish on the brackets of all rows are integrable together with the others.
    fn with_others(
        &mut self,
        alg: &mut Algebra,
        closure: &Closure,
        decided: bool,
        found: &mut Findings,
    ) {
        for i in self.asked.iter().copied() {
            if found.rows[i] == Some(Integrable::Alone) {
                continue;
            }
            let inside = closure.brackets().iter().all(|b| {
                let product: Expr = self.forms[i].iter().zip(b).map(|(x, y)| x * y).sum();
                let there = self.point.substitute(alg, &product);
                alg.sample(&there) == Some(Extended::ZERO)
            });
            if inside {
                found.rows[i] = Some(Integrable::WithOthers);
            } else if !decided {
                found.rows[i] = Some(Integrable::Unknown);
            }
        }
    }
}

/// The row as a form in the coordinates' differentials and that of time.
fn form(row: &Row) -> Vec<Expr> {
    let mut f = row.a.clone();
    f.push(row.velocity_bias.clone());
    f
}

/// Integrable combinations of the rows beyond what is `known`, each with as few coordinates as elimination gives.
fn combinations(
    alg: &mut Algebra,
    system: &Matrix,
    closure: &Closure,
    known: &Matrix,
    space: &[Var],
    point: &mut TestPoint,
) -> Matrix {
    let n = space.len();
    // Factors T of the rows with T A B = 0 for all brackets B.
    let products: Matrix = closure
        .brackets()
        .iter()
        .map(|b| {
            system
                .iter()
                .map(|row| {
                    let e: Expr = row.iter().zip(b).map(|(x, y)| x * y).sum();
                    let e = alg.define("product", e);
                    point.substitute(alg, &e)
                })
                .collect()
        })
        .collect();
    let factors = kernel(alg, &products, system.len(), &mut TestPoint::default());
    let there = at_test_point(alg, system, point);
    let forms: Matrix = factors
        .iter()
        .map(|t| {
            (0..n)
                .map(|k| {
                    let e: Expr = t.iter().zip(&there).map(|(f, row)| f * &row[k]).sum();
                    alg.define("form", e)
                })
                .collect()
        })
        .collect();
    let mut stack = at_test_point(alg, known, point);
    let (_, before) = reduce(alg, &stack, n, &mut TestPoint::default());
    stack.extend(forms);
    let (reduced, _) = reduce(alg, &stack, n, &mut TestPoint::default());
    reduced.into_iter().skip(before.len()).collect()
}

/// Of which rows a form is a combination.
fn involved(
    alg: &mut Algebra,
    system: &Matrix,
    form: &[Expr],
    point: &mut TestPoint,
) -> Vec<usize> {
    let there = at_test_point(alg, system, point);
    let columns: Matrix = (0..form.len())
        .map(|k| {
            let mut row: Vec<Expr> = there.iter().map(|r| r[k].clone()).collect();
            row.push(form[k].clone());
            row
        })
        .collect();
    let order: Vec<usize> = (0..=system.len()).collect();
    let e = echelon(alg, &columns, &order);
    let Some(v) = e.null_space.last() else {
        return Vec::new();
    };
    (0..system.len())
        .filter(|i| v[*i] != Extended::ZERO)
        .collect()
}

/// `sum c_k q_k`, for forms with constant factors.
fn integral(alg: &mut Algebra, form: &[Expr], space: &[Var]) -> Option<String> {
    let mut sum = Expr::zero();
    for (e, v) in form.iter().zip(space) {
        for x in space {
            let d = alg.partial(e, *x);
            if !alg.is_zero(&d) {
                return None;
            }
        }
        sum = sum + e * alg.var(*v);
    }
    formula::unsigned(alg, &sum)
}

/// Whether an expression holds no functions but sines, cosines and the model's own: then it vanishes at a
/// random point only if it vanishes everywhere.
fn only_circles(alg: &Algebra, e: &Expr) -> bool {
    !alg.depends(e, &|v| {
        matches!(&alg.info(v).meaning, Meaning::Kernel(k, _) if !matches!(k, Kernel::Sin | Kernel::Cos))
    })
}
