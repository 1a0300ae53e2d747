//! Loads that depend on reactions: the multipliers that enter loads, found from how the machine answers to
//! each of them. Knows nothing of formulations.
//!
//! With `M z' = f + Phi lambda + A^T lambda` and `A z' = b`, let `lambda_0` be the multipliers without the
//! coupled loads and `S` their answer to a unit of each coupled load: `(1 - S) lambda = lambda_0`. Each column takes one more
//! solution of the symmetric problem; `1 - S` is singular exactly where the coupled problem is.

use super::Work;
use crate::form::Equations;
use crate::form::joints::Balance;
use crate::ir::{Unary, Value};
use crate::mech::constraints::Rank;
use crate::mech::reactions;
use crate::sym::Expr;

/// Up to this many coupled reactions their determinant is written out.
const WRITTEN_OUT: usize = 3;

/// Answers of a linear problem to several right-hand sides.
pub(super) struct Coupled {
    /// z'.
    pub(super) unknowns: Vec<Value>,
    /// Rows whose multipliers enter loads, with these.
    pub(super) multipliers: Vec<(usize, Value)>,
}

impl Work<'_> {
    /// Rows whose multipliers enter loads.
    pub(super) fn coupled_rows(&self, e: &Equations) -> Vec<usize> {
        let Some(coupling) = &e.coupling else {
            return Vec::new();
        };
        let column = |j: usize| coupling.iter().any(|row| !self.c.alg.is_zero(&row[j]));
        (0..self.c.constraints.rows.len())
            .filter(|j| column(*j))
            .collect()
    }

    /// Solves the coupled problem at run time.
    pub(super) fn solve_coupled(&mut self, e: &Equations, forcing: &[Expr]) -> Coupled {
        let used = self.coupled_rows(e);
        let columns: Vec<Vec<Expr>> = used
            .iter()
            .map(|j| {
                let coupling = e.coupling.iter().flatten();
                coupling.map(|row| row[*j].clone()).collect()
            })
            .collect();
        let place: Vec<Option<usize>> = used
            .iter()
            .map(|j| match self.c.constraints.rank_where_they_hold {
                Rank::Lower => self.c.constraints.independent.iter().position(|i| i == j),
                _ => Some(*j),
            })
            .collect();
        let zero = self.low.graph.zero();
        let at = |list: &[Value], k: usize| place[k].and_then(|p| list.get(p).copied());
        let (free, start) = self.constrained(e, forcing, true);
        let answers: Vec<(Vec<Value>, Vec<Value>)> = columns
            .iter()
            .map(|phi| self.constrained(e, phi, false))
            .collect();
        let n = used.len();
        let mut matrix = vec![vec![zero; n]; n];
        for (i, row) in matrix.iter_mut().enumerate() {
            for (j, entry) in row.iter_mut().enumerate() {
                let s = at(&answers[j].1, i).unwrap_or(zero);
                *entry = if i == j {
                    let one = self.low.graph.one();
                    self.low.graph.sub(one, s)
                } else {
                    self.low.graph.neg(s)
                };
            }
        }
        let rhs: Vec<Value> = (0..n).map(|i| at(&start, i).unwrap_or(zero)).collect();
        let names: Vec<String> = used
            .iter()
            .map(|j| format!("reaction({})", self.c.constraints.rows[*j].name))
            .collect();
        let lambda = if n <= WRITTEN_OUT {
            self.by_determinants(&matrix, &rhs, &names)
        } else {
            self.by_elimination(matrix, rhs, &names)
        };
        let mut unknowns = free;
        for (l, (z, _)) in lambda.iter().zip(&answers) {
            for (sum, part) in unknowns.iter_mut().zip(z) {
                let term = self.low.graph.mul(*l, *part);
                *sum = self.low.graph.add(*sum, term);
            }
        }
        Coupled {
            unknowns,
            multipliers: used.into_iter().zip(lambda).collect(),
        }
    }

    fn singular_coupling(&mut self, pivot: Value, scale: Value, names: &[String]) {
        let text = format!(
            "loads by {} and the constraints together leave the accelerations undetermined",
            names.join(", ")
        );
        let note = "the determinant of the equations of accelerations and reactions vanishes";
        self.pivot_condition(pivot, Some(scale), text, note);
    }

    /// Cramer's rule, so that the one condition is the determinant.
    fn by_determinants(&mut self, m: &[Vec<Value>], rhs: &[Value], names: &[String]) -> Vec<Value> {
        let d = self.determinant(m, false);
        let size = self.determinant(m, true);
        self.singular_coupling(d, size, names);
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
                let above = self.determinant(&replaced, false);
                self.low.graph.div(above, d)
            })
            .collect()
    }

    /// A determinant by its first row; of absolute values with signs left out it measures rounding errors.
    fn determinant(&mut self, m: &[Vec<Value>], sizes: bool) -> Value {
        if m.is_empty() {
            return self.low.graph.one();
        }
        let mut sum = self.low.graph.zero();
        for j in 0..m.len() {
            let minor: Vec<Vec<Value>> = m[1..]
                .iter()
                .map(|row| {
                    let kept = row.iter().enumerate().filter(|(k, _)| *k != j);
                    kept.map(|(_, v)| *v).collect()
                })
                .collect();
            let minor = self.determinant(&minor, sizes);
            let g = &mut self.low.graph;
            let mut entry = m[0][j];
            if sizes {
                entry = g.unary(Unary::Abs, entry);
            }
            let term = g.mul(entry, minor);
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
        &mut self,
        mut m: Vec<Vec<Value>>,
        mut rhs: Vec<Value>,
        names: &[String],
    ) -> Vec<Value> {
        let n = rhs.len();
        let g = &mut self.low.graph;
        let mut sizes: Vec<Vec<Value>> = m
            .iter()
            .map(|row| row.iter().map(|v| g.unary(Unary::Abs, *v)).collect())
            .collect();
        for p in 0..n {
            self.singular_coupling(m[p][p], sizes[p][p], &names[..=p]);
            for i in p + 1..n {
                let g = &mut self.low.graph;
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
        let g = &mut self.low.graph;
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
    pub(super) fn load_multipliers(&mut self) -> Vec<(usize, Value)> {
        let rows = self.coupled_rows(&self.formulated.equations.clone());
        let solved = self.solution.clone().and_then(|s| s.multipliers);
        let (Some(list), true) = (solved, self.closed.is_some()) else {
            return self.entering.clone();
        };
        self.entering_from(&list, &rows)
    }

    /// Values of multipliers of the independent rows for those that enter loads.
    pub(super) fn entering_from(&mut self, list: &[Expr], rows: &[usize]) -> Vec<(usize, Value)> {
        let independent = self.c.constraints.independent.clone();
        rows.iter()
            .filter_map(|j| {
                let at = independent.iter().position(|i| i == j)?;
                let e = self.c.in_speeds(&list[at]);
                Some((*j, self.low.lower(&self.c.alg, &e)))
            })
            .collect()
    }

    /// Takes `Phi lambda` from generalized forces.
    pub(super) fn less_coupled(
        &mut self,
        e: &Equations,
        mut forces: Vec<Value>,
        multipliers: &[(usize, Value)],
    ) -> Vec<Value> {
        for (row, force) in e.coupling.iter().flatten().zip(&mut forces) {
            for (j, l) in multipliers {
                if row[*j].is_literal_zero() {
                    continue;
                }
                let phi = self.low.lower(&self.c.alg, &row[*j]);
                let t = self.low.graph.mul(phi, *l);
                *force = self.low.graph.sub(*force, t);
            }
        }
        forces
    }

    /// Gives the symbols of reactions their values.
    pub(super) fn bind_reactions(&mut self, lambda: &[Value]) {
        let vars = self.c.vars.clone();
        for (row, value) in self.c.constraints.rows.clone().iter().zip(lambda) {
            if let Some(v) = reactions::symbol(&vars, row)
                && !self.low.is_bound(v)
            {
                self.low.bind(v, *value);
            }
        }
        // Rows that read 0 = 0 exert nothing.
        let zero = self.low.graph.zero();
        for v in vars.reactions.iter().flatten() {
            if !self.low.is_bound(*v) {
                self.low.bind(*v, zero);
            }
        }
    }

    /// What a balance lacks at these accelerations and multipliers.
    pub(super) fn lack_of(&mut self, b: &Balance, qdd: &[Expr], lambda: &[Expr]) -> Expr {
        let mut sum = -self.c.in_speeds(&b.force);
        let reversed: Vec<Expr> = lambda.iter().map(|l| -l).collect();
        let (masses, forces) = (b.mass.iter().zip(qdd), b.multipliers.iter().zip(&reversed));
        for (e, x) in masses.chain(forces) {
            sum = sum + self.c.in_speeds(e) * x;
        }
        sum
    }
}
