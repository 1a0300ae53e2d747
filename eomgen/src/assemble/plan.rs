//! The accelerations: closed form where it is short, a counted elimination otherwise, and the
//! rank-revealing routine where constraint rows may lose rank.

use super::portfolio::Worked;
use super::{Presentation, Work, group};
use crate::catalogue;
use crate::diag::Diagnostic;
use crate::form::{Closure, Equations, Space, regular, solution};
use crate::ir::field::Points;
use crate::ir::{Graph, Prepared, Value};
use crate::mech::value::Values;
use crate::solve::Plan;
use crate::sym::Expr;

/// A closed form is preferred unless it takes this many times the operations of the elimination.
const CLOSED_MARGIN: f64 = 1.25;
/// Largest mass matrix whose determinant is written out.
const DETERMINANT: usize = 4;

impl Work<'_> {
    /// Finds q'' and binds the symbols of q'' and s' to their values.
    pub(super) fn solve_accelerations(&mut self) -> Result<(), Vec<Diagnostic>> {
        let worked = self.without_mass_matrix();
        if worked.is_none() {
            self.state_equations()?;
        }
        let e = self.formulated.equations.clone();
        let closed = match &worked {
            Some(_) => None,
            None => self.closed_accelerations(),
        };
        let qdd = match closed {
            _ if self.unstated => self.take_worked(worked),
            Some(exprs) => self.closed_or_planned(&e, exprs),
            None => {
                let z = self.unknowns(&e, &e.forcing, true)?;
                let found = self.accelerations_from(&z);
                match self.cheaper_unreduced(&e, &found, 1.0) {
                    Some(direct) => direct,
                    None => {
                        self.bind_speed_rates(&z);
                        found
                    }
                }
            }
        };
        self.state_doubts();
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
        Ok(())
    }

    /// q'' from rates that were found without a mass matrix.
    fn take_worked(&mut self, worked: Option<Worked>) -> Vec<Value> {
        let Some(w) = worked else {
            return Vec::new();
        };
        self.plan_note = w.plan.name;
        let found = self.accelerations_from(&w.unknowns);
        self.bind_speed_rates(&w.unknowns);
        found
    }

    /// The closed form, unless factoring the mass matrix takes clearly fewer operations.
    fn closed_or_planned(&mut self, e: &Equations, exprs: Vec<Expr>) -> Vec<Value> {
        let values = self.low.lower_all(&self.c.alg, &exprs);
        let by_time = self.prefer == catalogue::Prefer::Time;
        let cost = |g: &Graph, v: &[Value]| {
            if by_time {
                f64::from(Prepared::new(&[group::PARAMS]).time(g, v))
            } else {
                g.count(v).total() as f64
            }
        };
        if self.closure().is_none()
            && self.formulated.balances.is_none()
            && let Some(w) = self.eliminate(e, &e.forcing)
        {
            let other = self.accelerations_from(&w.unknowns);
            let graph = &self.low.graph;
            if cost(graph, &values) > CLOSED_MARGIN * cost(graph, &other) {
                self.record_pivots(&w.plan, e);
                self.plan_note = format!(
                    "mass matrix of {} unknowns factored, {}",
                    e.mass.len(),
                    w.plan.name
                );
                if let Some(direct) = self.cheaper_unreduced(e, &other, 1.0) {
                    return direct;
                }
                self.bind_speed_rates(&w.unknowns);
                return other;
            }
            // Speeds of another kind than rates have short equations of their own.
            let dots = self.c.kinematics(Space::Speeds).motion.speed_dots.clone();
            if dots.iter().all(|v| self.c.vars.rate_dots.contains(v))
                && let Some(direct) = self.cheaper_unreduced(e, &values, CLOSED_MARGIN)
            {
                return direct;
            }
        }
        let together = self.solution.as_ref().is_some_and(|s| s.by_balances);
        self.plan_note = match (&self.formulated.balances, together) {
            (None, _) => "closed form",
            (_, true) => "closed form, balances of momentum and constraints solved together",
            (_, false) => "closed form, from the balances projected on the partial velocities",
        }
        .into();
        self.closed = Some(exprs);
        if let Some(s) = self.solution.clone() {
            for f in s.cancelled {
                let text = format!("{} = 0", self.readable(&f));
                if !self.cancelled.contains(&text) {
                    self.cancelled.push(text);
                }
            }
            if self.space() == Space::Speeds {
                let z = self.low.lower_all(&self.c.alg, &s.unknowns);
                self.bind_speed_rates(&z);
            }
        }
        values
    }

    /// s' where the unknowns are the rates of the state's speeds.
    fn bind_speed_rates(&mut self, z: &[Value]) {
        if self.space() != Space::Speeds {
            return;
        }
        let dots = &self.c.kinematics(Space::Speeds).motion.speed_dots;
        for (v, value) in dots.clone().into_iter().zip(z) {
            if !self.low.is_bound(v) {
                self.low.bind(v, *value);
            }
        }
    }

    /// q'' in closed form, in terms of the state.
    pub(super) fn closed_accelerations(&mut self) -> Option<Vec<Expr>> {
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
        if main && let Some(values) = self.solve_balances(e, forcing) {
            return Ok(values);
        }
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
            Some(_) => {
                let planned = if main {
                    self.with_checked_rows(e, forcing)
                } else {
                    None
                };
                Ok(planned.unwrap_or_else(|| self.constrained(e, forcing, true).0))
            }
            None => match self.eliminate(e, forcing) {
                Some(w) => {
                    self.record_pivots(&w.plan, e);
                    if main {
                        self.plan_note = w.plan.name;
                    }
                    Ok(w.unknowns)
                }
                None => Err(super::report::undetermined(&mut self.c)),
            },
        }
    }

    /// Conditions for the pivots of a mass matrix that is not certainly definite. Of a small one whose
    /// masses are positive the factors of the determinant say it all: a leading minor of a positive
    /// semidefinite matrix vanishes only with the determinant.
    fn record_pivots(&mut self, plan: &Plan, e: &Equations) {
        if self.definite {
            return;
        }
        if self.presentation == Presentation::Closed
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

    /// M and F (with C) in the coordinates.
    pub(super) fn full_system(&mut self) -> Option<(Vec<Vec<Expr>>, Vec<Expr>)> {
        let e = self.full_equations()?;
        Some((e.mass, e.forcing))
    }

    /// The unreduced equations in q''.
    pub(super) fn full_equations(&mut self) -> Option<Equations> {
        if self.space() == Space::Rates {
            return Some(self.formulated.equations.clone());
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
