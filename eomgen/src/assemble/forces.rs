//! Multipliers and generalized constraint forces.

use super::Work;
use super::accelerations::without_nonideal;
use crate::diag::Diagnostic;
use crate::form::{Formulated, solution};
use crate::ir::{RoutineKind, Value};
use crate::mech::constraints::Rank;
use crate::sym::Expr;

/// Multipliers of all rows.
#[derive(Clone, Default)]
pub(super) struct Multipliers {
    pub values: Vec<Value>,
    /// The same as expressions, where the accelerations are in closed form.
    pub closed: Option<Vec<Expr>>,
}

/// What the constraints do.
pub(super) struct Forces {
    pub multipliers: Multipliers,
    /// The ideal part of the generalized forces.
    pub ideal: Vec<Value>,
    /// The other part, if the model prescribes one.
    pub nonideal: Option<Vec<Value>>,
}

/// Accelerations, and rows whose multipliers enter loads with these.
type Ideal = (Vec<Value>, Vec<(usize, Value)>);

impl Work<'_> {
    /// From `A^T lambda = M q'' - F` (C in F), and `Qi = A^T G^+ (b - A a)` from the accelerations
    /// of the problem without C.
    pub(super) fn constraint_forces(&mut self, a: &[Value]) -> Result<Forces, Vec<Diagnostic>> {
        if let Some(lambda) = self.planned_multipliers.clone() {
            return Ok(self.ideal_forces(a, lambda, None));
        }
        let qdd = self.qdd.clone();
        let Some(full) = self.full_equations() else {
            return Err(super::report::undetermined(&mut self.c));
        };
        let entering = self.load_multipliers();
        let closed = self.closed_multipliers();
        let lambda = match &closed {
            Some(exprs) => self.low.lower_all(&self.c.alg, exprs),
            None => {
                let residual = self.momentum_residual(&full.mass, &full.forcing, &qdd);
                let residual = self.less_coupled(&full, residual, &entering);
                self.least_multipliers(a, residual)
            }
        };
        if self.c.system.nonideal.is_empty() {
            return Ok(self.ideal_forces(a, lambda, closed));
        }
        let bare: Vec<Expr> = full
            .forcing
            .iter()
            .zip(&full.nonideal)
            .map(|(f, c)| f - c)
            .collect();
        let (first, own) = self.ideal_accelerations()?;
        let ideal = self.momentum_residual(&full.mass, &bare, &first);
        let ideal = self.less_coupled(&full, ideal, &own);
        let total = self.momentum_residual(&full.mass, &bare, &qdd);
        let total = self.less_coupled(&full, total, &entering);
        let rest = total
            .iter()
            .zip(&ideal)
            .map(|(t, i)| self.low.graph.sub(*t, *i))
            .collect();
        Ok(Forces {
            multipliers: Multipliers {
                values: lambda,
                closed,
            },
            ideal,
            nonideal: Some(rest),
        })
    }

    /// What these multipliers do where all constraints are ideal.
    fn ideal_forces(
        &mut self,
        a: &[Value],
        values: Vec<Value>,
        closed: Option<Vec<Expr>>,
    ) -> Forces {
        Forces {
            ideal: self.transposed_product(a, &values),
            multipliers: Multipliers { values, closed },
            nonideal: None,
        }
    }

    /// Accelerations of the ideal problem (without C), and its multipliers that enter loads.
    fn ideal_accelerations(&mut self) -> Result<Ideal, Vec<Diagnostic>> {
        let e = without_nonideal(&self.formulated.equations, &mut self.c.alg);
        let ideal = Formulated {
            equations: e.clone(),
            ..self.formulated.clone()
        };
        if let Some(s) = solution::solve(&mut self.c, &ideal, self.definite)
            && self.closed.is_some()
        {
            let exprs: Vec<Expr> = s.unknowns.iter().map(|u| self.c.in_speeds(u)).collect();
            let z = self.low.lower_all(&self.c.alg, &exprs);
            let rows: Vec<usize> = self.load_multipliers().iter().map(|x| x.0).collect();
            let own = match &s.multipliers {
                Some(list) => self.entering_from(list, &rows),
                None => Vec::new(),
            };
            return Ok((self.accelerations_from(&z), own));
        }
        let main = std::mem::take(&mut self.entering);
        let route = self.route.clone();
        let z = self.unknowns(&e, &e.forcing.clone())?;
        self.route = route;
        let own = std::mem::replace(&mut self.entering, main);
        Ok((self.accelerations_from(&z), own))
    }

    /// `A^T lambda`.
    fn transposed_product(&mut self, a: &[Value], lambda: &[Value]) -> Vec<Value> {
        let n = self.c.system.coords.len();
        let entry = |i: usize| {
            let mut sum = self.low.graph.zero();
            for (j, l) in lambda.iter().enumerate() {
                let t = self.low.graph.mul(a[j * n + i], *l);
                sum = self.low.graph.add(sum, t);
            }
            sum
        };
        (0..n).map(entry).collect()
    }

    /// The multipliers of least norm with `A^T lambda = residual`.
    fn least_multipliers(&mut self, a: &[Value], residual: Vec<Value>) -> Vec<Value> {
        let n = residual.len();
        let m = self.c.constraints.rows.len();
        if self.c.constraints.rank_where_they_hold != Rank::Lower {
            let all: Vec<usize> = (0..m).collect();
            return self.least_norm_transposed(a, n, &all, residual);
        }
        // Of the independent rows first, then of all: `T^T lambda = lambda_r`, with `A = T A_r` where the constraints hold.
        let independent = self.c.constraints.independent.clone();
        let own = self.least_norm_transposed(a, n, &independent, residual);
        let combination = self.c.constraints.combination.clone();
        let t: Vec<Value> = combination
            .iter()
            .flatten()
            .map(|e| self.low.lower(&self.c.alg, e))
            .collect();
        let all: Vec<usize> = (0..m).collect();
        self.least_norm_transposed(&t, own.len(), &all, own)
    }

    /// `x` of least norm with `B^T x = rhs`, B being some rows of a matrix with `n` columns.
    fn least_norm_transposed(
        &mut self,
        matrix: &[Value],
        n: usize,
        rows: &[usize],
        rhs: Vec<Value>,
    ) -> Vec<Value> {
        let mut operands = Vec::with_capacity(n * (rows.len() + 1));
        for i in 0..n {
            operands.extend(rows.iter().map(|j| matrix[j * n + i]));
        }
        operands.extend(rhs);
        let kind = RoutineKind::MinimumNorm {
            rows: n as u32,
            cols: rows.len() as u32,
        };
        let routine = self.low.graph.routine(kind, &operands);
        (0..rows.len())
            .map(|i| self.low.graph.element(routine, i as u32))
            .collect()
    }

    /// `M q'' - F`.
    fn momentum_residual(
        &mut self,
        mass: &[Vec<Expr>],
        forcing: &[Expr],
        qdd: &[Value],
    ) -> Vec<Value> {
        let mut result = Vec::with_capacity(qdd.len());
        for (row, f) in mass.iter().zip(forcing) {
            let mut sum = self.low.graph.zero();
            for (e, q) in row.iter().zip(qdd) {
                if e.is_literal_zero() {
                    continue;
                }
                let v = self.low.lower(&self.c.alg, e);
                let t = self.low.graph.mul(v, *q);
                sum = self.low.graph.add(sum, t);
            }
            let f = self.low.lower(&self.c.alg, f);
            result.push(self.low.graph.sub(sum, f));
        }
        result
    }
}
