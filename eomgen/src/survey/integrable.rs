//! Which velocity constraints can be integrated to constraints on positions: Frobenius' test on the rows
//! that are linear in the velocities, with time as one more direction.
//!
//! Decided at a random point of the prime field, where the position constraints hold as far as they can be
//! solved for some coordinate, and for rows that are independent where all of them hold. "Integrable" is always certain; "not integrable"
//! is where the rows hold no functions but sines, cosines, independent square roots and the model's own. What combinations imply is said only if it holds for all
//! rates that the rows allow at states that meet them.

use super::distribution::{Closure, at_test_point, kernel, reduce};
use super::formula;
use super::page::{Combination, Integrable};
use super::test_point::TestPoint;
use crate::elim::{Matrix, echelon};
use crate::field::Extended;
use crate::form::Context;
use crate::manifold::{self, Places};
use crate::mech::constant;
use crate::mech::constraints::{Constraints, Level, Row};
use crate::mech::value::Values;
use crate::sym::{Algebra, Expr, Kernel, Meaning, Var};
use std::cell::RefCell;
use std::collections::BTreeSet;

/// What was found.
#[derive(Debug, Default)]
pub(super) struct Findings {
    /// For every row; `None` where the question does not arise.
    pub(super) rows: Vec<Option<Integrable>>,
    /// For every row: what it integrates to, if that is evident.
    pub(super) integrals: Vec<Option<String>>,
    /// Combinations of rows that are not integrable by themselves.
    pub(super) combinations: Vec<Combination>,
    /// How many independent restrictions of positions there are in all; `None`: not decided.
    pub(super) restrictions: Option<usize>,
}

/// Examines all rows.
pub(super) fn examine(c: &mut Context<'_>) -> Findings {
    let mechanics = c.mechanics.clone();
    let (constraints, values) = (&mechanics.constraints, mechanics.values());
    let (rows, vars) = (&constraints.rows, values.vars);
    let mut found = Findings {
        rows: vec![None; rows.len()],
        integrals: vec![None; rows.len()],
        ..Findings::default()
    };
    let asked: Vec<usize> = (0..rows.len())
        .filter(|i| rows[*i].level == Level::Velocity && rows[*i].linear)
        .collect();
    let alg = &mut c.alg;
    let positions: Vec<usize> = (0..rows.len())
        .filter(|i| rows[*i].level == Level::Position)
        .collect();
    let places = Places::find(alg, &values, constraints);
    let forms: Matrix = rows.iter().map(form).collect();
    if asked.is_empty() {
        found.restrictions = match places.independent(&positions) {
            _ if places.is_empty() => Some(independent(alg, &forms, &positions).len()),
            list => list.map(|list| list.len()),
        };
        return found;
    }
    let residuals: Vec<Expr> = positions
        .iter()
        .map(|i| rows[*i].residual.clone())
        .collect();
    let point = TestPoint::find(alg, &values, &places, &residuals);
    let mut frobenius = Frobenius {
        asked,
        positions,
        certain: forms.iter().map(|f| is_certain(alg, [f])).collect(),
        space: vars.coords.iter().copied().chain([vars.time]).collect(),
        constraints,
        forms,
        point,
        places,
    };
    frobenius.alone(alg, &mut found);
    frobenius.together(alg, &values, &mut found);
    found
}

/// Those of some forms that are independent of the ones before them, at states of all kinds.
fn independent(alg: &Algebra, forms: &Matrix, which: &[usize]) -> Vec<usize> {
    let list: Matrix = which.iter().map(|i| forms[*i].clone()).collect();
    let coordinates = list.first().map_or(1, Vec::len) - 1;
    let order: Vec<usize> = (0..coordinates).collect();
    let rows = echelon(alg, &list, &order).rows;
    rows.into_iter().map(|k| which[k]).collect()
}

/// The rows as forms in the coordinates' differentials and that of time.
struct Frobenius<'m> {
    constraints: &'m Constraints,
    /// Velocity rows that are linear.
    asked: Vec<usize>,
    /// Position rows.
    positions: Vec<usize>,
    forms: Matrix,
    /// Whether a form vanishes wherever it vanishes at a random point.
    certain: Vec<bool>,
    /// The coordinates and time.
    space: Vec<Var>,
    point: TestPoint,
    /// States at which the rows hold.
    places: Places,
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

    /// All together: the linear rows that are independent where they hold, those on positions first.
    fn together(&mut self, alg: &mut Algebra, values: &Values<'_>, found: &mut Findings) {
        let rows = &self.constraints.rows;
        let order: Vec<usize> = self.positions.iter().chain(&self.asked).copied().collect();
        let generic = || Some(independent(alg, &self.forms, &order));
        let all = if self.positions.is_empty() {
            generic()
        } else {
            self.places.independent(&order).filter(|list| {
                // What holds everywhere has to hold on the way there, too.
                independent(alg, &self.forms, list).len() == list.len()
            })
        };
        let Some(all) = all else {
            for i in &self.asked {
                if found.rows[*i] == Some(Integrable::No) {
                    found.rows[*i] = Some(Integrable::Unknown);
                }
            }
            return;
        };
        let held = all.iter().filter(|i| self.positions.contains(i)).count();
        let system: Matrix = all.iter().map(|i| self.forms[*i].clone()).collect();
        let limit = self.space.len() - held;
        let closure = Closure::of(alg, &system, &self.space, &mut self.point, limit);
        let certain = is_certain(alg, &system) && self.point.exact;
        let mut decided = closure.is_integrable() || certain;
        self.with_others(alg, &closure, found);
        if !decided && self.is_whole(alg, values, &closure, &all, found) {
            decided = true;
            for i in &self.asked {
                found.rows[*i] = found.rows[*i].take().map(Integrable::settled);
            }
        }
        if !decided {
            for i in &self.asked {
                found.rows[*i] = found.rows[*i].take().map(Integrable::doubted);
            }
        }
        let restrictions = self.space.len() - closure.fields.len();
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
            let linear = order.iter().map(|i| self.forms[*i].as_slice());
            let follows = self
                .places
                .follow(alg, values, &form, &linear.collect::<Vec<_>>());
            let vars = values.vars;
            let unasked = self.positions.is_empty() && self.places.is_empty();
            if !(follows || unasked) {
                found.restrictions = None;
                continue;
            }
            let names = involved(alg, &system, &form, point);
            let form = written(alg, form, &self.space);
            let mut relation = Expr::zero();
            for (e, r) in form.iter().zip(&vars.rates) {
                relation = relation + e * alg.var(*r);
            }
            if let Some(e) = form.last() {
                relation = relation + e;
            }
            found.combinations.push(Combination {
                rows: names.iter().map(|k| rows[all[*k]].name.clone()).collect(),
                relation: formula::unsigned(alg, &relation).map(|e| format!("{e} = 0")),
                integral: integral(alg, &form, &self.space),
            });
        }
    }

    /// The rows that vanish on the brackets of all rows are integrable together with the others.
    fn with_others(&mut self, alg: &mut Algebra, closure: &Closure, found: &mut Findings) {
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
            }
        }
    }

    /// Whether the directions and their brackets span, at a place where the rows hold, everything that the integrable rows leave. Then the
    /// rows hide no other restriction of positions, whatever functions they hold. One place is enough: what is independent there is so in
    /// its neighbourhood.
    fn is_whole(
        &self,
        alg: &Algebra,
        values: &Values<'_>,
        closure: &Closure,
        all: &[usize],
        found: &Findings,
    ) -> bool {
        let is_integrable = |i: &&usize| {
            let alone = matches!(
                found.rows[**i],
                Some(Integrable::Alone | Integrable::WithOthers)
            );
            alone || self.positions.contains(i)
        };
        let restrictions = all.iter().filter(is_integrable).count();
        let full = self.space.len() - restrictions;
        let entries: Vec<&Expr> = closure.fields.iter().flatten().collect();
        let places = self.places.values(alg, values, &entries);
        places.iter().any(|at| {
            let rows: Vec<Vec<f64>> = at.chunks(self.space.len()).map(<[f64]>::to_vec).collect();
            let order: Vec<usize> = (0..rows.len()).collect();
            manifold::independent(&rows, &order).len() >= full
        })
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
                    let e = point.substitute(alg, &e);
                    formula::flat(alg, &e).unwrap_or(e)
                })
                .collect()
        })
        .collect();
    let factors = kernel(alg, &products, system.len(), &mut TestPoint::default());
    let there = at_test_point(alg, system, point);
    let there = flat(alg, there);
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
    stack = flat(alg, stack);
    let (_, before) = reduce(alg, &stack, n, &mut TestPoint::default());
    stack.extend(flat(alg, forms));
    let (reduced, _) = reduce(alg, &stack, n, &mut TestPoint::default());
    flat(alg, reduced.into_iter().skip(before.len()).collect())
}

/// A form whose constant entries hold no coordinates.
fn written(alg: &mut Algebra, form: Vec<Expr>, space: &[Var]) -> Vec<Expr> {
    let mut entry = |e: Expr| match formula::flat(alg, &e) {
        Some(short) => short,
        None => constant::free_of(alg, &e, space).unwrap_or(e),
    };
    form.into_iter().map(&mut entry).collect()
}

/// Entries written out and simplified, as far as they are small.
fn flat(alg: &mut Algebra, m: Matrix) -> Matrix {
    let mut entry = |e: Expr| formula::flat(alg, &e).unwrap_or(e);
    m.into_iter()
        .map(|row| row.into_iter().map(&mut entry).collect())
        .collect()
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
    let directions = e.null_space();
    let Some(v) = directions.last() else {
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

/// Whether forms hold no functions but sines, cosines, independent square roots and the model's own: then what is made of them vanishes at a
/// random point only if it vanishes everywhere.
fn is_certain<'f>(alg: &Algebra, forms: impl IntoIterator<Item = &'f Vec<Expr>>) -> bool {
    let roots = RefCell::new(BTreeSet::new());
    let other = |v: Var| match &alg.info(v).meaning {
        Meaning::Kernel(Kernel::Sin | Kernel::Cos, _) => false,
        Meaning::Kernel(Kernel::Sqrt, _) => {
            roots.borrow_mut().insert(v);
            false
        }
        Meaning::Kernel(..) => true,
        _ => false,
    };
    if forms.into_iter().flatten().any(|e| alg.depends(e, &other)) {
        return false;
    }
    let roots: Vec<Var> = roots.into_inner().into_iter().collect();
    alg.are_independent_roots(&roots)
}
