//! The generalized inverses of the Udwadia-Kalaba equation as formulas (Udwadia & Kalaba 1998, 24-26). With `A = T A_r`, the rows of
//! A_r independent, `M = L D L^T` and `B = A L^-T D^-1/2 = T B_r`:
//!
//! ```text
//! Moore-Penrose   B^+      = B_r^T G_r^-1 (T^T T)^-1 T^T
//! {1,4}           B^{1,4}  = B_r^T G_r^-1, zeros for the rows that depend on others
//! {1}             G^{1}    = G_r^-1, zeros for the rows and columns that depend on others
//! ```
//!
//! with `G_r = B_r B_r^T`. The second is no inverse of the third condition and the last none of the second kind of symmetry where rows
//! are dependent; where they are independent the first two are the same, and the last is `G^-1`.

use super::quantities::factor::Factor;
use super::{Context, Formulated, Inverse, Table, regular};
use crate::diag::Diagnostic;
use crate::diag::codes::formulations::E0524;
use crate::elim::{self, Matrix};
use crate::facts::Fact;
use crate::mech::constraints::Rank;
use crate::span::Span;
use crate::sym::{Expr, Kernel};

const NAME: &str = "generalized_inverse";

/// `generalized_inverse`: the inverse that was chosen.
pub fn table(c: &mut Context<'_>, f: &Formulated) -> Result<Table, Vec<Diagnostic>> {
    let e = &f.equations;
    let constraints = c.constraints.clone();
    if constraints.rows.is_empty() {
        return Err(refused(c, "the model has no constraints"));
    }
    if constraints.rank_where_they_hold == Rank::Varies {
        return Err(refused(
            c,
            "the rank of the constraints varies, and the entries of the inverse are discontinuous",
        ));
    }
    let coords: Vec<String> = c
        .system
        .coords
        .iter()
        .map(|q| q.meta.name.clone())
        .collect();
    let names: Vec<String> = constraints.rows.iter().map(|r| r.name.clone()).collect();
    let definite = regular::is_positive_definite(c, e);
    let Ok(factor) = Factor::of(&mut c.alg, &e.mass, &coords, definite) else {
        return Err(refused(
            c,
            "the mass matrix of the coordinates is singular at every state",
        ));
    };
    // Rows of A_r L^-T, and G_r.
    let y: Matrix = constraints
        .independent_matrix()
        .iter()
        .map(|row| factor.forward(&mut c.alg, row, "reduced_row"))
        .collect();
    let r = y.len();
    let mut g: Matrix = vec![vec![Expr::zero(); r]; r];
    for i in 0..r {
        for j in i..r {
            let parts = y[i].iter().zip(&y[j]).zip(&factor.pivots);
            let sum: Expr = parts.map(|((a, b), d)| a * b / d).sum();
            let entry = c.alg.define("gram", sum);
            g[i][j] = entry.clone();
            g[j][i] = entry;
        }
    }
    let inverted = invert(c, &g)?;
    let m = names.len();
    if f.variant.inverse == Inverse::One {
        let mut x: Matrix = vec![vec![Expr::zero(); m]; m];
        for (i, row) in constraints.independent.iter().zip(&inverted) {
            for (j, e) in constraints.independent.iter().zip(row) {
                x[*i][*j] = e.clone();
            }
        }
        let note = "Of G: the block of the independent rows inverted, zeros elsewhere.";
        return Ok(Table::matrix(NAME, names.clone(), names, x)
            .noted(note)
            .stating(Fact::Inverse(Inverse::One)));
    }
    // From the independent rows to all of them.
    let t = &constraints.combination;
    let spread: Matrix = match f.variant.inverse {
        Inverse::MoorePenrose if m > r => {
            let square: Matrix = (0..r)
                .map(|i| {
                    (0..r)
                        .map(|j| t.iter().map(|row| &row[i] * &row[j]).sum())
                        .collect()
                })
                .collect();
            let least = invert(c, &square)?;
            let least = product_transposed(c, &least, t);
            product(c, &inverted, &least)
        }
        _ => (0..r)
            .map(|i| {
                let mut row = vec![Expr::zero(); m];
                for (k, j) in constraints.independent.iter().enumerate() {
                    row[*j] = inverted[i][k].clone();
                }
                row
            })
            .collect(),
    };
    let mut x = Matrix::with_capacity(coords.len());
    for k in 0..coords.len() {
        let root = c.alg.apply(Kernel::Sqrt, vec![factor.pivots[k].clone()]);
        let row = (0..m).map(|j| {
            let sum: Expr = (0..r).map(|i| &y[i][k] * &spread[i][j]).sum();
            c.alg.define(NAME, sum / &root)
        });
        x.push(row.collect());
    }
    let note = match f.variant.inverse {
        Inverse::MoorePenrose => "Of the scaled constraint matrix: Moore-Penrose.",
        _ => {
            "Of the scaled constraint matrix: a {1,4}-inverse, with zeros for rows that depend on others."
        }
    };
    Ok(Table::matrix(NAME, coords, names, x)
        .noted(note)
        .stating(Fact::Inverse(f.variant.inverse)))
}

fn refused(c: &Context<'_>, why: &str) -> Vec<Diagnostic> {
    let first = c.system.coords.first();
    let span = first.map_or_else(Span::default, |q| q.meta.span);
    let title = format!("there is no `{NAME}`: {why}");
    vec![Diagnostic::error(E0524, title, span, "of this model").help("omit the output")]
}

fn invert(c: &mut Context<'_>, square: &Matrix) -> Result<Matrix, Vec<Diagnostic>> {
    let n = square.len();
    let unit: Matrix = (0..n)
        .map(|i| {
            let entry = |j| if i == j { Expr::one() } else { Expr::zero() };
            (0..n).map(entry).collect()
        })
        .collect();
    match elim::solve(&mut c.alg, square, &unit) {
        Some(solved) => Ok(solved.x),
        None => Err(refused(c, "its formula is too long")),
    }
}

fn product(c: &mut Context<'_>, a: &Matrix, b: &Matrix) -> Matrix {
    let columns = b.first().map_or(0, Vec::len);
    a.iter()
        .map(|row| {
            (0..columns)
                .map(|j| {
                    let sum: Expr = row.iter().zip(b).map(|(x, other)| x * &other[j]).sum();
                    c.alg.define("spread", sum)
                })
                .collect()
        })
        .collect()
}

/// `a b^T`
fn product_transposed(c: &mut Context<'_>, a: &Matrix, b: &Matrix) -> Matrix {
    a.iter()
        .map(|row| {
            b.iter()
                .map(|other| {
                    let sum: Expr = row.iter().zip(other).map(|(x, y)| x * y).sum();
                    c.alg.define("spread", sum)
                })
                .collect()
        })
        .collect()
}
