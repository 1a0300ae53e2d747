//! The accelerations: closed form where it is short, a counted elimination otherwise, and the
//! rank-revealing routine where constraint rows may lose rank.

use super::{Presentation, Work};
use crate::diag::Diagnostic;
use crate::form::solution;
use crate::form::{Equations, Space, uncondensed};
use crate::ir::{Graph, RoutineKind, Value};
use crate::mech::constraints::Rank;
use crate::mech::value::Values;
use crate::solve::{self, Ordering, Plan, SymmetricSystem, Unknown, UnknownKind};
use crate::sym::Expr;

/// A closed form is preferred unless it takes this many times the operations of the elimination.
const CLOSED_MARGIN: f64 = 1.25;

impl Work<'_> {
    /// Finds q'' and binds the symbols of q'' and s' to their values.
    pub(super) fn solve_accelerations(&mut self) -> Result<(), Vec<Diagnostic>> {
        let closed = self.closed_accelerations();
        let e = self.equations.clone();
        let mut chosen: Option<Vec<Value>> = None;
        if let Some(exprs) = &closed {
            let unknowns = match self.closure() {
                Some(_) => None,
                None => self.eliminate(&e, &e.forcing),
            };
            let values = self.low.lower_all(&self.c.alg, exprs);
            let by_plan = unknowns.map(|(z, plan)| (self.accelerations_from(&z), plan));
            let cost = |g: &Graph, v: &[Value]| g.count(v).total() as f64;
            chosen = match by_plan {
                Some((other, plan))
                    if cost(&self.low.graph, &values)
                        > CLOSED_MARGIN * cost(&self.low.graph, &other) =>
                {
                    self.record_pivots(&plan, &e);
                    self.plan_note = format!(
                        "{} (mass matrix factored, {} unknowns)",
                        plan.name,
                        e.mass.len()
                    );
                    Some(other)
                }
                _ => {
                    self.plan_note = "closed form".into();
                    self.closed = closed.clone();
                    Some(values)
                }
            };
            if self.closed.is_some()
                && let Some(s) = self.solution.clone()
            {
                for f in s.cancelled {
                    let text = format!("{} = 0", self.readable(&f));
                    if !self.cancelled.contains(&text) {
                        self.cancelled.push(text);
                    }
                }
            }
        }
        let qdd = match chosen {
            Some(v) => v,
            None => {
                let z = self.unknowns(&e, &e.forcing, true)?;
                self.accelerations_from(&z)
            }
        };
        let vars = self.c.vars.clone();
        for (i, (v, value)) in vars.rate_dots.iter().zip(&qdd).enumerate() {
            self.low.graph.name(
                *value,
                &format!("{}_ddot", self.c.system.coords[i].meta.name),
            );
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
        let dots = self
            .c
            .speeds
            .dots(&mut self.c.alg, &values, &self.c.by_rates);
        for (i, d) in dots.iter().enumerate() {
            let var = self.c.speeds.speeds[i].dot;
            if !self.low.is_bound(var) {
                let value = self.low.lower(&self.c.alg, d);
                self.low.bind(var, value);
            }
        }
        Ok(())
    }

    /// q'' in closed form, in terms of the state.
    fn closed_accelerations(&mut self) -> Option<Vec<Expr>> {
        let solution = self.solution.clone()?;
        if self.presentation != Presentation::Closed {
            return None;
        }
        match self.space() {
            Space::Rates => Some(
                solution
                    .unknowns
                    .iter()
                    .map(|u| {
                        let u = self.c.in_speeds(u);
                        self.c.alg.simplify(&u)
                    })
                    .collect(),
            ),
            Space::Speeds => {
                let motion = self.c.kinematics(Space::Speeds).motion.clone();
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

    /// Values of the unknowns for the given forcing, by elimination or by the routine.
    pub(super) fn unknowns(
        &mut self,
        e: &Equations,
        forcing: &[Expr],
        main: bool,
    ) -> Result<Vec<Value>, Vec<Diagnostic>> {
        match e.closure {
            Some(_) => Ok(self.constrained(e, forcing).0),
            None => match self.eliminate(e, forcing) {
                Some((z, plan)) => {
                    self.record_pivots(&plan, e);
                    if main {
                        self.plan_note = plan.name.clone();
                    }
                    Ok(z)
                }
                None => Err(super::report::undetermined(&self.c)),
            },
        }
    }

    /// The routine: unknowns and the minimum-norm multipliers of its rows, for any rank.
    pub(super) fn constrained(
        &mut self,
        e: &Equations,
        forcing: &[Expr],
    ) -> (Vec<Value>, Vec<Value>) {
        let n = e.mass.len();
        let rows = &self.c.constraints;
        // Rows that depend on others only where the constraints hold would spoil the result a little beside there.
        let (all, b) = if rows.rank_where_they_hold == Rank::Lower {
            (rows.independent_matrix(), rows.independent_rhs())
        } else {
            let b = rows.rows.iter().map(|r| r.b.clone()).collect();
            (rows.matrix(), b)
        };
        let (a, b) = solution::in_space(&mut self.c, e.space, &all, &b);
        let m = a.len();
        let mut operands = Vec::with_capacity(n * n + n + m * n + m);
        for x in e
            .mass
            .iter()
            .flatten()
            .chain(forcing)
            .chain(a.iter().flatten())
            .chain(&b)
        {
            operands.push(self.low.lower(&self.c.alg, x));
        }
        let routine = self.low.graph.routine(
            RoutineKind::Constrained {
                n: n as u32,
                m: m as u32,
            },
            &operands,
        );
        self.plan_note = format!(
            "rank-revealing elimination at run time ({n} accelerations, {m} constraint rows)"
        );
        let z = (0..n)
            .map(|i| self.low.graph.element(routine, i as u32))
            .collect();
        let lambda = (n..n + m)
            .map(|i| self.low.graph.element(routine, i as u32))
            .collect();
        (z, lambda)
    }

    /// Factors the mass matrix, or the uncondensed system where that is cheaper.
    fn eliminate(&mut self, e: &Equations, forcing: &[Expr]) -> Option<(Vec<Value>, Plan)> {
        let system = self.reduced_system(e, forcing);
        let wanted: Vec<usize> = (0..e.mass.len()).collect();
        let zero = |_: &Graph, _: Value| true;
        let orders = [Ordering::Natural, Ordering::MinimumDegree];
        let (reduced, _) =
            solve::best(&mut self.low.graph, &system, &wanted, &orders, &[], &zero).ok()?;
        let pick =
            |p: &Plan| -> Vec<Value> { wanted.iter().filter_map(|i| p.solution[0][*i]).collect() };
        let mut best = (pick(&reduced), reduced);
        if self.presentation == Presentation::Staged
            && forcing == e.forcing.as_slice()
            && self.definite
        {
            let raw = uncondensed::build(&mut self.c, &mut self.low, e.space);
            if let Some((raw, wanted)) = raw {
                let orders = [Ordering::LeastCost, Ordering::MinimumDegree];
                if let Ok((plan, _)) =
                    solve::best(&mut self.low.graph, &raw, &wanted, &orders, &[], &zero)
                {
                    let values: Vec<Value> =
                        wanted.iter().filter_map(|i| plan.solution[0][*i]).collect();
                    let cost = |g: &Graph, v: &[Value]| g.count(v).total();
                    if values.len() == wanted.len()
                        && cost(&self.low.graph, &values) < cost(&self.low.graph, &best.0)
                    {
                        let name = format!("uncondensed Newton-Euler system, {}", plan.name);
                        best = (values, Plan { name, ..plan });
                    }
                }
            }
        }
        Some(best)
    }

    fn reduced_system(&mut self, e: &Equations, forcing: &[Expr]) -> SymmetricSystem {
        let motion = self.c.kinematics(e.space).motion.clone();
        let unknowns = motion
            .speed_dots
            .iter()
            .enumerate()
            .map(|(i, v)| Unknown {
                name: self.c.alg.info(*v).name.clone(),
                kind: UnknownKind::Rate,
                depth: i as u32,
            })
            .collect();
        let mut system = SymmetricSystem::new(unknowns);
        for i in 0..e.mass.len() {
            for j in i..e.mass.len() {
                if !e.mass[i][j].is_literal_zero() {
                    let v = self.low.lower(&self.c.alg, &e.mass[i][j]);
                    system.set(i, j, v);
                }
            }
            let f = self.low.lower(&self.c.alg, &forcing[i]);
            system.set_rhs(0, i, f);
        }
        system
    }

    fn record_pivots(&mut self, plan: &Plan, e: &Equations) {
        if self.definite {
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

    /// Independent rows, closed form: multipliers by `G^-1 (b - A a)`.
    pub(super) fn closed_multipliers(&mut self) -> Option<Vec<Expr>> {
        let qdd = self.closed.clone()?;
        let (mass, forcing) = self.full_system()?;
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
        let columns = self.multiplier_columns();
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
        let independent: Vec<Expr> = solved.x.into_iter().map(|mut v| v.remove(0)).collect();
        Some(self.all_multipliers(&independent))
    }

    /// Columns in which the independent rows of A are solved for multipliers.
    fn multiplier_columns(&self) -> Vec<usize> {
        self.c.constraints.columns.clone()
    }

    /// Minimum-norm multipliers of all rows from those of the independent ones: `T (T^T T)^-1 lambda_r`.
    fn all_multipliers(&mut self, independent: &[Expr]) -> Vec<Expr> {
        let t: Vec<Vec<Expr>> = self.c.constraints.combination.clone();
        let (m, r) = (t.len(), independent.len());
        if m == r {
            return independent.to_vec();
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
        let Some(s) = crate::elim::solve(&mut self.c.alg, &square, &rhs) else {
            return independent.to_vec();
        };
        t.iter()
            .map(|row| {
                let e: Expr = row.iter().zip(&s.x).map(|(a, b)| a * &b[0]).sum();
                self.c.alg.simplify(&e)
            })
            .collect()
    }

    /// M and F (with C) in the coordinates.
    pub(super) fn full_system(&mut self) -> Option<(Vec<Vec<Expr>>, Vec<Expr>)> {
        let e = self.full_equations()?;
        Some((e.mass, e.forcing))
    }

    /// The unreduced equations in q''.
    pub(super) fn full_equations(&mut self) -> Option<Equations> {
        if self.space() == Space::Rates {
            return Some(self.equations.clone());
        }
        if let Some(e) = &self.full {
            return Some(e.clone());
        }
        let e = crate::form::projected(&mut self.c, Space::Rates).ok()?;
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
