//! The accelerations: closed form where it is short, a counted elimination otherwise, and the
//! rank-revealing routine where constraint rows may lose rank.

use super::route::Route;
use super::{ExpressionForm, Work};
use crate::catalogue;
use crate::diag::Diagnostic;
use crate::form::{Closure, Equations, Space, regular, solution};
use crate::ir::field::Points;
use crate::ir::{Binary, Op, RoutineKind, Unary, Value};
use crate::mech::constraints::Rank;
use crate::mech::value::Values;
use crate::plan::{self, Skeleton, Worked};
use crate::solve::{Plan, SymmetricSystem};
use crate::sym::Expr;

/// A closed form is preferred unless it takes this many times the operations of the elimination.
const CLOSED_MARGIN: f64 = 1.25;
/// Largest mass matrix whose determinant is written out.
const DETERMINANT: usize = 4;
/// Up to this many unknowns equations that are written out in full are not stated otherwise, unless asked for.
const SHORT: usize = 4;
/// Up to this many accelerations the routine that finds the rank is kept where constraint rows remain.
const ROUTINE: usize = 12;

/// What comes first.
pub(super) enum Start {
    /// Nothing has to be eliminated.
    Known(Pending),
    /// The mass matrix is factored.
    MassMatrix(MassMatrix),
    /// All constraint rows are kept.
    CheckedRows(CheckedRows),
}

/// A mass matrix to factor.
pub(super) struct MassMatrix {
    pub system: SymmetricSystem,
    /// The space of its unknowns.
    pub space: Space,
    /// Whether the full Newton-Euler system is tried beside it.
    pub full: bool,
    /// Whether that is taken even where it takes more operations.
    pub prefers_full: bool,
    /// The closed form that it is compared with.
    pub closed: Option<Closed>,
}

/// q'' in closed form.
pub(super) struct Closed {
    exprs: Vec<Expr>,
    values: Vec<Value>,
}

/// The full system with rows that are checked at run time.
pub(super) struct CheckedRows {
    pub rows: Vec<(Vec<Value>, Value)>,
    pub skeleton: Option<Skeleton>,
    /// The unknowns by the routine that finds the rank.
    pub trusted: Vec<Value>,
}

/// The full system in all accelerations, with the constraints as rows.
pub(super) struct Unreduced {
    pub rows: Vec<(Vec<Value>, Value)>,
    pub bordered: Option<SymmetricSystem>,
    /// `None` where only the bordered mass matrix was requested, or the full system cannot be written.
    pub skeleton: Option<Skeleton>,
}

/// q'', unless another way takes fewer operations.
pub(super) struct Pending {
    pub found: Vec<Value>,
    /// The other way.
    pub unreduced: Option<Unreduced>,
    /// How many times its operations this one may take.
    pub margin: f64,
    /// What follows if this one is kept.
    pub kept: Kept,
}

/// What is kept where no other way is taken.
pub(super) enum Kept {
    /// The closed form.
    Closed(Vec<Expr>),
    /// What follows from these values of the unknowns.
    Unknowns(Vec<Value>),
}

impl Work<'_> {
    /// Finds q'', or what has to be eliminated for it.
    pub(super) fn start(&mut self) -> Result<Start, Vec<Diagnostic>> {
        let e = self.formulated.equations.clone();
        let Some(exprs) = self.closed_accelerations() else {
            return self.start_unknowns(&e);
        };
        let values = self.low.lower_all(&self.c.alg, &exprs);
        if e.closure.is_none() && self.formulated.balances.is_none() {
            let closed = Closed { exprs, values };
            let task = self.mass_matrix_task(&e, Some(closed));
            return Ok(Start::MassMatrix(task));
        }
        Ok(Start::Known(Pending {
            found: values,
            unreduced: None,
            margin: CLOSED_MARGIN,
            kept: Kept::Closed(exprs),
        }))
    }

    /// The unknowns of the equations, or what has to be eliminated for them.
    fn start_unknowns(&mut self, e: &Equations) -> Result<Start, Vec<Diagnostic>> {
        if let Some(values) = self.solve_balances(e, &e.forcing) {
            return Ok(Start::Known(self.pending(e, values)));
        }
        let other = matches!(
            e.closure,
            Some(Closure::Explicit | Closure::GeneralizedInverse)
        );
        if e.closure.is_none() {
            return Ok(Start::MassMatrix(self.mass_matrix_task(e, None)));
        }
        if !other
            && e.coupling.is_none()
            && let Some(task) = self.checked_rows(e)
        {
            return Ok(Start::CheckedRows(task));
        }
        let values = self.unknowns(e, &e.forcing)?;
        Ok(Start::Known(self.pending(e, values)))
    }

    /// What follows from the mass matrix factored, or from the full system.
    pub(super) fn after_elimination(
        &mut self,
        worked: Option<Worked>,
        closed: Option<Closed>,
    ) -> Result<Pending, Vec<Diagnostic>> {
        let e = self.formulated.equations.clone();
        let Some(closed) = closed else {
            let Some(worked) = worked else {
                return Err(super::report::undetermined(&mut self.c));
            };
            self.record_pivots(&worked.plan, &e);
            self.route = Route::Plan(worked.id);
            return Ok(self.pending(&e, worked.unknowns));
        };
        let Closed { exprs, values } = closed;
        let mut pending = Pending {
            found: values,
            unreduced: None,
            margin: CLOSED_MARGIN,
            kept: Kept::Closed(exprs),
        };
        let Some(worked) = worked else {
            return Ok(pending);
        };
        let other = self.accelerations_from(&worked.unknowns);
        let cost = |values: &[Value]| self.cost(values) as f64;
        if cost(&pending.found) > CLOSED_MARGIN * cost(&other) {
            self.record_pivots(&worked.plan, &e);
            self.route = Route::Factored {
                unknowns: e.mass.len(),
                plan: worked.id,
            };
            return Ok(Pending {
                found: other,
                unreduced: self.unreduced(&e),
                margin: 1.0,
                kept: Kept::Unknowns(worked.unknowns),
            });
        }
        // Speeds of another kind than rates have short equations of their own.
        let dots = self
            .c
            .kinematics(Space::SpeedRates)
            .motion
            .speed_dots
            .clone();
        if dots.iter().all(|v| self.c.vars.rate_dots.contains(v)) {
            pending.unreduced = self.unreduced(&e);
        }
        Ok(pending)
    }

    /// The unknowns by the full system with checked rows, or else by the routine.
    pub(super) fn after_checked_rows(&mut self, worked: Option<Worked>) -> Pending {
        let e = self.formulated.equations.clone();
        let Some(mut worked) = worked else {
            let values = self.constrained(&e, &e.forcing, true).0;
            return self.pending(&e, values);
        };
        let names: Vec<String> = self
            .c
            .constraints
            .rows
            .iter()
            .map(|r| r.name.clone())
            .collect();
        let checked = worked.plan.pivots.iter();
        let checked = checked.filter_map(|pivot| pivot.value.zip(pivot.checked));
        for (row, (name, (value, scale))) in names.iter().zip(checked).enumerate() {
            let text = match row {
                0 => format!("constraint `{name}` holds no acceleration"),
                _ => format!("constraint `{name}` depends on those before it"),
            };
            let note = "a pivot of A M^-1 A^T vanishes";
            self.pivot_condition(value, Some(scale), text, note);
        }
        self.route = Route::Plan(worked.id);
        // `M z' + A^T x = f` gives the opposite of the multipliers.
        let opposite = worked.unknowns.split_off(e.mass.len());
        let graph = &mut self.low.graph;
        self.planned_multipliers = Some(opposite.into_iter().map(|x| graph.neg(x)).collect());
        self.pending(&e, worked.unknowns)
    }

    fn pending(&mut self, e: &Equations, unknowns: Vec<Value>) -> Pending {
        Pending {
            found: self.accelerations_from(&unknowns),
            unreduced: self.unreduced(e),
            margin: 1.0,
            kept: Kept::Unknowns(unknowns),
        }
    }

    /// What the operations of a closed form and of an elimination are compared by.
    fn cost(&self, values: &[Value]) -> usize {
        match self.aims.prefer {
            catalogue::Prefer::Time => self.aims.price(&self.low.graph, values),
            catalogue::Prefer::Operations => self.low.graph.count(values).total(),
        }
    }

    /// What is kept where no other way to q'' is taken.
    pub(super) fn keep(&mut self, kept: Kept) {
        match kept {
            Kept::Unknowns(z) => self.bind_speed_rates(&z),
            Kept::Closed(exprs) => self.keep_closed(exprs),
        }
    }

    fn keep_closed(&mut self, exprs: Vec<Expr>) {
        let together = self.solution.as_ref().is_some_and(|s| s.by_balances);
        self.route = match (&self.formulated.balances, together) {
            (None, _) => Route::ClosedForm,
            (_, true) => Route::ClosedTogether,
            (_, false) => Route::ClosedProjected,
        };
        self.closed = Some(exprs);
        let Some(s) = self.solution.clone() else {
            return;
        };
        for f in s.cancelled {
            let text = format!("{} = 0", self.readable(&f));
            if !self.cancelled.contains(&text) {
                self.cancelled.push(text);
            }
        }
        if self.space() == Space::SpeedRates {
            let z = self.low.lower_all(&self.c.alg, &s.unknowns);
            self.bind_speed_rates(&z);
        }
    }

    /// q'' from rates that were found without a mass matrix.
    pub(super) fn take_worked(&mut self, worked: Worked) -> Vec<Value> {
        self.route = Route::Plan(worked.id);
        let found = self.accelerations_from(&worked.unknowns);
        self.bind_speed_rates(&worked.unknowns);
        found
    }

    /// Binds the symbols of q'' and s' to their values.
    pub(super) fn bind_accelerations(&mut self, qdd: Vec<Value>, doubtful: Vec<(String, Value)>) {
        self.record_doubts(doubtful);
        let vars = self.c.vars.clone();
        for (i, (v, value)) in vars.rate_dots.iter().zip(&qdd).enumerate() {
            let name = format!("{}_ddot", self.c.system.coords[i].meta.name);
            self.low.graph.name(*value, &name);
            if !self.low.is_bound(*v) {
                self.low.bind(*v, *value);
            }
        }
        self.qdd = qdd;
        // s' of the state's speeds, for quantities stated in them.
        let values = Values {
            system: self.c.system,
            vars: &vars,
        };
        let mechanics = self.c.mechanics.clone();
        let dots = mechanics
            .speeds
            .dots(&mut self.c.alg, &values, &mechanics.by_rates);
        let points = Points::new(0);
        for (i, d) in dots.iter().enumerate() {
            let var = self.c.speeds.speeds[i].dot;
            if !self.low.is_bound(var) {
                let mut value = self.low.lower(&self.c.alg, d);
                // A speed that a constraint holds does not change, whatever q'' is made of.
                if !points.nonzero(&self.low.graph, value) {
                    value = self.low.graph.zero();
                }
                self.low.bind(var, value);
            }
        }
    }

    /// Conditions for the pivots of the accelerations' plan that are not proven never to vanish.
    fn record_doubts(&mut self, doubtful: Vec<(String, Value)>) {
        for (name, value) in doubtful {
            // What the pivot is a difference of says when it is small.
            let operands = match *self.low.graph.op(value) {
                Op::Binary(Binary::Add | Binary::Sub, a, b) => Some([a, b]),
                _ => None,
            };
            let scale = operands.map(|operands| {
                let graph = &mut self.low.graph;
                let [a, b] = operands.map(|v| graph.unary(Unary::Abs, v));
                graph.add(a, b)
            });
            let text = format!("the pivot on {name} vanishes");
            let note = "in the elimination of the requested equations";
            self.pivot_condition(value, scale, text, note);
        }
    }

    /// The mass matrix, and whether the full system, which carries all loads and knows of no coordinate that the equations are written
    /// without, is tried beside it.
    fn mass_matrix_task(&mut self, e: &Equations, closed: Option<Closed>) -> MassMatrix {
        let raw = self.expression_form == ExpressionForm::Sequenced
            || e.mass.len() > SHORT
            || self.formulated.balances.is_some();
        let asked = self.aims.plan == catalogue::Plan::NewtonEuler;
        let reduces = matches!(
            self.aims.plan,
            catalogue::Plan::Reduced | catalogue::Plan::Bordered
        );
        MassMatrix {
            system: self.reduced_system(e, &e.forcing),
            space: e.space,
            full: !reduces && (raw || asked) && self.formulated.cyclic.is_empty() && self.definite,
            prefers_full: asked || self.formulated.balances.is_some(),
            closed,
        }
    }

    /// What q'' takes from the full system in all accelerations, where the equations are reduced to independent speeds.
    fn unreduced(&mut self, e: &Equations) -> Option<Unreduced> {
        let free = self.c.constraints.independent.is_empty();
        let other = e.closure.is_some() || e.space != Space::SpeedRates || !self.c.speeds.reduced;
        let bound = self.c.coupled
            || self.formulated.balances.is_some()
            || !self.formulated.cyclic.is_empty();
        let reduces = self.aims.plan == catalogue::Plan::Reduced;
        if free || other || bound || reduces || !self.definite {
            return None;
        }
        let matrix = self.c.constraints.independent_matrix();
        let rhs = self.c.constraints.independent_rhs();
        let rows = self.lowered_rows(&matrix, &rhs);
        let bordered = self.bordered(&rows);
        let skeleton = match self.aims.plan {
            catalogue::Plan::Bordered => None,
            _ => Some(Skeleton::new(
                &mut self.c,
                &mut self.low,
                Space::Accelerations,
            )?),
        };
        Some(Unreduced {
            rows,
            bordered,
            skeleton,
        })
    }

    fn lowered_rows(&mut self, matrix: &[Vec<Expr>], rhs: &[Expr]) -> Vec<(Vec<Value>, Value)> {
        let rows = matrix.iter().zip(rhs);
        let rows = rows.map(|(row, b)| {
            let row = self.low.lower_all(&self.c.alg, row);
            (row, self.low.lower(&self.c.alg, b))
        });
        rows.collect()
    }

    /// All constraint rows, where these are independent of one another in general and M is definite without them: an elimination that leaves
    /// the rows to the end fails exactly where the rows depend on one another. Of few unknowns the routine that finds the rank is kept, which
    /// fails nowhere.
    fn checked_rows(&mut self, e: &Equations) -> Option<CheckedRows> {
        let constraints = self.c.constraints.clone();
        let (n, m) = (e.mass.len(), constraints.rows.len());
        let independent = constraints.independent.len() == m
            && matches!(constraints.rank_where_they_hold, Rank::Same);
        let whole = self.expression_form == ExpressionForm::Sequenced
            && self.formulated.balances.is_none()
            && self.formulated.cyclic.is_empty()
            && !self.c.coupled
            && self.c.system.nonideal.is_empty();
        let asked = matches!(
            self.aims.plan,
            catalogue::Plan::Auto | catalogue::Plan::NewtonEuler
        );
        if !(independent && whole && asked && self.definite && n > ROUTINE) {
            return None;
        }
        let (matrix, rhs) = (constraints.matrix(), self.agreeing_rhs());
        let (matrix, rhs) = solution::in_space(&mut self.c, e.space, &matrix, &rhs);
        let rows = self.lowered_rows(&matrix, &rhs);
        let mut operands = self.low.lower_all(&self.c.alg, e.mass.iter().flatten());
        operands.extend(self.low.lower_all(&self.c.alg, &e.forcing));
        operands.extend(rows.iter().flat_map(|row| &row.0));
        operands.extend(rows.iter().map(|row| row.1));
        let kind = RoutineKind::Constrained {
            n: n as u32,
            m: m as u32,
        };
        let graph = &mut self.low.graph;
        let routine = graph.routine(kind, &operands);
        let trusted = (0..n).map(|i| graph.element(routine, i as u32)).collect();
        Some(CheckedRows {
            rows,
            trusted,
            skeleton: Skeleton::new(&mut self.c, &mut self.low, e.space),
        })
    }

    /// s' where the unknowns are the rates of the state's speeds.
    fn bind_speed_rates(&mut self, z: &[Value]) {
        if self.space() != Space::SpeedRates {
            return;
        }
        let dots = &self.c.kinematics(Space::SpeedRates).motion.speed_dots;
        for (v, value) in dots.clone().into_iter().zip(z) {
            if !self.low.is_bound(v) {
                self.low.bind(v, *value);
            }
        }
    }

    /// q'' in closed form, in terms of the state.
    pub(super) fn closed_accelerations(&mut self) -> Option<Vec<Expr>> {
        let solution = self.solution.clone()?;
        if self.expression_form != ExpressionForm::Expanded {
            return None;
        }
        match self.space() {
            Space::Accelerations => Some(
                solution
                    .unknowns
                    .iter()
                    .map(|u| {
                        let u = self.c.in_speeds(u);
                        self.c.alg.simplify(&u)
                    })
                    .collect(),
            ),
            Space::SpeedRates => {
                let motion = self.c.kinematics(Space::SpeedRates).motion.clone();
                if motion.speeds == self.c.vars.rates {
                    return Some(solution.unknowns);
                }
                let bias = self.c.acceleration_bias();
                Some(
                    (0..motion.rates.len())
                        .map(|i| {
                            let sum: Expr = motion.rates[i]
                                .coef
                                .iter()
                                .map(|(k, h)| h * &solution.unknowns[*k])
                                .sum();
                            let sum = sum + &bias[i];
                            self.c.alg.simplify(&sum)
                        })
                        .collect(),
                )
            }
        }
    }

    /// q'' from values of the equations' unknowns.
    pub(super) fn accelerations_from(&mut self, z: &[Value]) -> Vec<Value> {
        let motion = self.c.kinematics(self.space()).motion.clone();
        for (v, value) in motion.speed_dots.iter().zip(z) {
            let name = self
                .c
                .alg
                .info(*v)
                .name
                .replace("''", "_ddot")
                .replace('\'', "_dot");
            self.low.graph.name(*value, &name);
        }
        if motion.speeds == self.c.vars.rates {
            return z.to_vec();
        }
        let bias = self.c.acceleration_bias();
        (0..motion.rates.len())
            .map(|i| {
                let mut sum = self.low.lower(&self.c.alg, &bias[i]);
                for (k, h) in &motion.rates[i].coef {
                    let h = self.low.lower(&self.c.alg, h);
                    let term = self.low.graph.mul(h, z[*k]);
                    sum = self.low.graph.add(term, sum);
                }
                sum
            })
            .collect()
    }

    /// Values of the unknowns for the given forcing, without a search for plans.
    pub(super) fn unknowns(
        &mut self,
        e: &Equations,
        forcing: &[Expr],
    ) -> Result<Vec<Value>, Vec<Diagnostic>> {
        match e.closure {
            Some(_) if e.coupling.is_some() => {
                let solved = self.solve_coupled(e, forcing);
                self.entering = solved.multipliers;
                Ok(solved.unknowns)
            }
            Some(Closure::Explicit) => self.explicit(e, forcing),
            Some(Closure::GeneralizedInverse) => match self.through_inverse(e, forcing) {
                Some(unknowns) => Ok(unknowns),
                None => Ok(self.constrained(e, forcing, true).0),
            },
            Some(_) => Ok(self.constrained(e, forcing, true).0),
            None => {
                let system = self.reduced_system(e, forcing);
                match plan::mass_matrix(&mut self.low.graph, &system, &self.aims) {
                    Some((worked, _)) => {
                        self.record_pivots(&worked.plan, e);
                        Ok(worked.unknowns)
                    }
                    None => Err(super::report::undetermined(&mut self.c)),
                }
            }
        }
    }

    /// Conditions for the pivots of a mass matrix that is not certainly definite. Of a small one whose
    /// masses are positive the factors of the determinant say it all: a leading minor of a positive
    /// semidefinite matrix vanishes only with the determinant.
    fn record_pivots(&mut self, plan: &Plan, e: &Equations) {
        if self.definite {
            return;
        }
        if self.expression_form == ExpressionForm::Expanded
            && e.mass.len() <= DETERMINANT
            && regular::is_semidefinite(&mut self.c)
        {
            let d = crate::elim::determinant(&mut self.c.alg, &e.mass);
            let factors = solution::factors(&mut self.c, &[d]);
            let pivots: Vec<Value> = plan.pivots.iter().filter_map(|p| p.value).collect();
            self.determinant_conditions(&factors, &pivots);
            return;
        }
        let motion = self.c.kinematics(e.space).motion.clone();
        for p in &plan.pivots {
            let Some(value) = p.value else { continue };
            let names: Vec<String> = p
                .unknowns
                .iter()
                .filter_map(|i| motion.speed_dots.get(*i))
                .map(|v| self.c.alg.info(*v).name.clone())
                .collect();
            let diagonal = p
                .unknowns
                .first()
                .filter(|i| **i < e.mass.len())
                .map(|i| self.low.lower(&self.c.alg, &e.mass[*i][*i]));
            let text = format!("the inertia felt by {} vanishes", names.join(", "));
            self.pivot_condition(value, diagonal, text, "a pivot of the mass matrix");
        }
    }

    /// Multipliers in closed form, unless that would fail at states where the accelerations have a value.
    pub(super) fn closed_multipliers(&mut self) -> Option<Vec<Expr>> {
        let qdd = self.closed.clone()?;
        let independent = self.independent_multipliers(&qdd)?;
        // The columns solved in may be dependent where the rows are not: such a form fails at regular states.
        let given = self
            .solution
            .as_ref()
            .is_some_and(|s| s.multipliers.is_some() && !s.by_balances);
        if !given && self.divides_more(&independent, &qdd) {
            None
        } else {
            self.all_multipliers(&independent)
        }
    }

    /// Multipliers in closed form, wherever that has a value.
    pub(super) fn generic_multipliers(&mut self) -> Option<Vec<Expr>> {
        let qdd = self.closed.clone()?;
        let independent = self.independent_multipliers(&qdd)?;
        self.all_multipliers(&independent)
    }

    /// Multipliers of the independent rows by `A^T lambda = M q'' - F`.
    fn independent_multipliers(&mut self, qdd: &[Expr]) -> Option<Vec<Expr>> {
        if let Some(list) = self.solution.clone().and_then(|s| s.multipliers) {
            let independent = list.iter().map(|e| {
                let e = self.c.in_speeds(e);
                self.c.alg.simplify(&e)
            });
            return Some(independent.collect());
        }
        let Equations { mass, forcing, .. } = self.full_equations()?;
        let n = qdd.len();
        let mut residual: Vec<Expr> = Vec::with_capacity(n);
        for i in 0..n {
            let s: Expr = (0..n).map(|j| &mass[i][j] * &qdd[j]).sum();
            let f = self.c.in_speeds(&forcing[i]);
            let e = s - f;
            residual.push(self.c.alg.simplify(&e));
        }
        let a = self.c.constraints.independent_matrix();
        let r = a.len();
        let columns = self.c.constraints.columns.clone();
        let transposed: Vec<Vec<Expr>> = columns
            .iter()
            .map(|c| {
                (0..r)
                    .map(|i| {
                        let e = self.c.in_speeds(&a[i][*c]);
                        self.c.alg.simplify(&e)
                    })
                    .collect()
            })
            .collect();
        let rhs: Vec<Vec<Expr>> = columns.iter().map(|c| vec![residual[*c].clone()]).collect();
        let solved = crate::elim::solve(&mut self.c.alg, &transposed, &rhs)?;
        Some(solved.x.into_iter().map(|mut v| v.remove(0)).collect())
    }

    /// Whether expressions divide by something that may vanish and by which neither accelerations nor rates are divided.
    fn divides_more(&mut self, list: &[Expr], accelerations: &[Expr]) -> bool {
        let alg = &mut self.c.alg;
        let rates = &self.c.mechanics.speeds.motion.rate_values;
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
    fn all_multipliers(&mut self, independent: &[Expr]) -> Option<Vec<Expr>> {
        let t: Vec<Vec<Expr>> = self.c.constraints.combination.clone();
        let (m, r) = (t.len(), independent.len());
        if m == r {
            return Some(independent.to_vec());
        }
        let t: Vec<Vec<Expr>> = t
            .iter()
            .map(|row| {
                row.iter()
                    .map(|e| {
                        let e = self.c.in_speeds(e);
                        self.c.alg.simplify(&e)
                    })
                    .collect()
            })
            .collect();
        let square: Vec<Vec<Expr>> = (0..r)
            .map(|i| {
                (0..r)
                    .map(|j| (0..m).map(|k| &t[k][i] * &t[k][j]).sum())
                    .collect()
            })
            .collect();
        let rhs: Vec<Vec<Expr>> = independent.iter().map(|e| vec![e.clone()]).collect();
        let s = crate::elim::solve(&mut self.c.alg, &square, &rhs)?;
        let all = t
            .iter()
            .map(|row| {
                let e: Expr = row.iter().zip(&s.x).map(|(a, b)| a * &b[0]).sum();
                self.c.alg.simplify(&e)
            })
            .collect();
        Some(all)
    }

    /// The unreduced equations in q''.
    pub(super) fn full_equations(&mut self) -> Option<Equations> {
        if self.space() == Space::Accelerations {
            return Some(self.formulated.equations.clone());
        }
        if let Some(e) = &self.full {
            return Some(e.clone());
        }
        let e = crate::form::projected(&mut self.c, Space::Accelerations).ok()?;
        self.full = Some(e.clone());
        Some(e)
    }
}

/// Keeps the closure of equations for the ideal problem: the same without C.
pub(super) fn without_nonideal(e: &Equations, alg: &mut crate::sym::Algebra) -> Equations {
    let forcing = e
        .forcing
        .iter()
        .zip(&e.nonideal)
        .map(|(f, c)| alg.define("ideal_forcing", f - c))
        .collect();
    Equations {
        forcing,
        nonideal: vec![Expr::zero(); e.nonideal.len()],
        ..e.clone()
    }
}
