//! The geometry of the constraints in scaled accelerations (Udwadia 1996, 12; Udwadia & Kalaba 2002, 43-46).
//!
//! With `M = L L^T` by Cholesky the scaled acceleration is `L^T q''` and the scaled matrix `B = A L^-T`; the sources take the
//! symmetric root, `B = A M^-1/2`. The two differ by a rotation of the scaled space and are the same where M is diagonal. `B B^T =
//! A M^-1 A^T` is the same in any case, and so is every identity of the sources.

use super::factor::{Factor, define_bounded};
use super::{Quantities, unconstrained};
use crate::diag;
use crate::elim::{self, Matrix};
use crate::form::solution::factors;
use crate::form::{Context, Table};
use crate::sym::{Expr, Kernel};

impl Quantities {
    /// `B = A L^-T`
    pub(super) fn scaled_constraint_matrix(&mut self, c: &mut Context<'_>) -> diag::Result<Table> {
        let name = "scaled_constraint_matrix";
        let (y, factor) = self.reduced_rows(c, name, false)?;
        let roots = roots(c, &factor);
        let names = c.system.coord_names("");
        let mut entries = Matrix::new();
        for row in &y {
            let scaled = row.iter().zip(&roots).zip(&names);
            entries.push(
                scaled
                    .map(|((e, root), q)| {
                        define_bounded(&mut c.alg, &format!("scaled_{q}"), e / root)
                    })
                    .collect(),
            );
        }
        let table = Table::matrix(name, c.constraints.row_names(), names, entries);
        Ok(table.noted(which_root(c, &factor)))
    }

    /// `G = A M^-1 A^T`
    pub(super) fn gram_matrix(&mut self, c: &mut Context<'_>) -> diag::Result<Table> {
        let name = "constraint_gram_matrix";
        let (y, factor) = self.reduced_rows(c, name, false)?;
        let names = c.constraints.row_names();
        let entries = gram(c, &y, &factor, &names);
        Ok(Table::matrix(name, names.clone(), names, entries))
    }

    /// `T = B^+ B`, or `N = I - T`. Through the independent rows: `T = B_r^T (B_r B_r^T)^-1 B_r`.
    pub(super) fn projector(&mut self, c: &mut Context<'_>, normal: bool) -> diag::Result<Table> {
        let name = if normal {
            "normal_projector"
        } else {
            "tangent_projector"
        };
        let (y, factor) = self.reduced_rows(c, name, true)?;
        let rows: Vec<String> = c
            .constraints
            .independent
            .iter()
            .map(|i| c.constraints.rows[*i].name.clone())
            .collect();
        let g = gram(c, &y, &factor, &rows);
        let solved = elim::solve(&mut c.alg, &g, &y);
        let z = match solved {
            Some(solved) => {
                for f in factors(c, &solved.pivots) {
                    let divides = |e: &Expr| c.alg.divisors(e).iter().any(|d| *d == f || *d == -&f);
                    if !solved.x.iter().flatten().any(divides) && !self.cancelled.contains(&f) {
                        self.cancelled.push(f);
                    }
                }
                solved.x
            }
            // Its budget was spent: one column after the other, by names.
            None => columns_by_factor(c, &g, &y, &rows),
        };
        let roots = roots(c, &factor);
        let names = c.system.coord_names("");
        let entries = elim::symmetric(names.len(), |i, j| {
            let pair = format!("{}_{}", names[i], names[j]);
            let sum: Expr = (0..y.len()).map(|k| &y[k][i] * &z[k][j]).sum();
            let sum = define_bounded(&mut c.alg, &format!("projected_{pair}"), sum);
            let scaled = if i == j {
                sum / &factor.pivots[i]
            } else {
                sum / (&roots[i] * &roots[j])
            };
            let scaled = match (normal, i == j) {
                (true, _) => scaled,
                (false, true) => Expr::one() - scaled,
                (false, false) => -scaled,
            };
            define_bounded(&mut c.alg, &format!("{name}_{pair}"), scaled)
        });
        let table = Table::matrix(name, names.clone(), names, entries);
        Ok(table.noted(which_root(c, &factor)))
    }

    /// `Y = A L1^-T` with `M = L1 D L1^T`, of all rows or of the independent ones.
    fn reduced_rows(
        &mut self,
        c: &mut Context<'_>,
        name: &str,
        independent: bool,
    ) -> diag::Result<(Matrix, Factor)> {
        if c.constraints.rows.is_empty() {
            return Err(vec![unconstrained(c, name)]);
        }
        let factor = self.factor(c)?;
        let a = if independent {
            c.constraints.independent_matrix()
        } else {
            c.constraints.matrix()
        };
        let rows = a
            .iter()
            .map(|row| factor.forward(&mut c.alg, row, "reduced_row"))
            .collect();
        Ok((rows, factor))
    }
}

/// `Y D^-1 Y^T`
fn gram(c: &mut Context<'_>, y: &Matrix, factor: &Factor, names: &[String]) -> Matrix {
    elim::symmetric(y.len(), |i, j| {
        let parts = y[i].iter().zip(&y[j]).zip(&factor.pivots);
        let sum: Expr = parts
            .filter(|((a, b), _)| !a.is_literal_zero() && !b.is_literal_zero())
            .map(|((a, b), d)| a * b / d)
            .sum();
        let name = format!("gram_{}_{}", names[i], names[j]);
        define_bounded(&mut c.alg, &name, sum)
    })
}

/// `G^-1 Y` by the factors of G; 0 where G is singular identically, which independent rows exclude.
fn columns_by_factor(c: &mut Context<'_>, g: &Matrix, y: &Matrix, names: &[String]) -> Matrix {
    let Ok(own) = Factor::of(&mut c.alg, g, names, false) else {
        return y.clone();
    };
    let n = y.first().map_or(0, Vec::len);
    let mut z: Matrix = vec![vec![Expr::zero(); n]; y.len()];
    for j in 0..n {
        let column: Vec<Expr> = y.iter().map(|row| row[j].clone()).collect();
        let half = own.forward(&mut c.alg, &column, "gram_forward");
        for (row, e) in z
            .iter_mut()
            .zip(own.backward(&mut c.alg, &half, "gram_solved"))
        {
            row[j] = e;
        }
    }
    z
}

/// The roots of the pivots: the diagonal of Cholesky's factor.
fn roots(c: &mut Context<'_>, factor: &Factor) -> Vec<Expr> {
    let pivots = factor.pivots.iter();
    pivots
        .map(|d| c.alg.apply(Kernel::Sqrt, vec![d.clone()]))
        .collect()
}

fn which_root(c: &Context<'_>, factor: &Factor) -> &'static str {
    match factor.is_diagonal() {
        true => "M is diagonal, so the scaled accelerations are `M^1/2 q''`.",
        false if c.system.coords.len() > 1 => {
            "The scaled accelerations are `L^T q''` with Cholesky's factor L of `M = L L^T`."
        }
        false => "",
    }
}
