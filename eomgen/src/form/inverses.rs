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
use crate::diag::codes::formulations::E0524;
use crate::diag::{self, Diagnostic};
use crate::elim::{self, Matrix};
use crate::facts::Fact;
use crate::mech::constraints::{Constraints, Rank};
use crate::sym::{Expr, Kernel};

const NAME: &str = "generalized_inverse";

/// `generalized_inverse`: the inverse that was chosen.
pub fn table(c: &mut Context<'_>, f: &Formulated) -> diag::Result<Table> {
    let mechanics = c.mechanics.clone();
    let constraints = &mechanics.constraints;
    if constraints.rows.is_empty() {
        return Err(refused(c, "the model has no constraints"));
    }
    if constraints.rank_where_they_hold == Rank::Varies {
        return Err(refused(
            c,
            "the rank of the constraints varies, and the entries of the inverse are discontinuous",
        ));
    }
    let (coords, names) = (c.system.coord_names(""), constraints.row_names());
    let definite = regular::is_positive_definite(c, &f.equations);
    let Ok(factor) = Factor::of(&mut c.alg, &f.equations.mass, &coords, definite) else {
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
    let g = gram(c, &y, &factor.pivots);
    let inverted = invert(c, &g)?;
    if f.variant.inverse == Inverse::One {
        let x = padded(
            &elim::transposed(&padded(&inverted, constraints)),
            constraints,
        );
        let note = "Of G: the block of the independent rows inverted, zeros elsewhere.";
        let table = Table::matrix(NAME, names.clone(), names, elim::transposed(&x)).noted(note);
        return Ok(table.stating(Fact::Inverse(Inverse::One)));
    }
    // From the independent rows to all of them.
    let (spread, note) = match f.variant.inverse {
        Inverse::MoorePenrose => (
            least_squares(c, inverted, constraints)?,
            "Of the scaled constraint matrix: Moore-Penrose.",
        ),
        _ => (
            padded(&inverted, constraints),
            "Of the scaled constraint matrix: a {1,4}-inverse, with zeros for redundant rows.",
        ),
    };
    let mut x = Matrix::with_capacity(coords.len());
    for (k, pivot) in factor.pivots.iter().enumerate() {
        let root = c.alg.apply(Kernel::Sqrt, vec![pivot.clone()]);
        let row = (0..names.len()).map(|j| {
            let terms = y.iter().zip(&spread);
            let sum: Expr = terms.map(|(y, s)| &y[k] * &s[j]).sum();
            c.alg.define(NAME, sum / &root)
        });
        x.push(row.collect());
    }
    Ok(Table::matrix(NAME, coords, names, x)
        .noted(note)
        .stating(Fact::Inverse(f.variant.inverse)))
}

/// `y D^-1 y^T`
fn gram(c: &mut Context<'_>, y: &Matrix, pivots: &[Expr]) -> Matrix {
    elim::symmetric(y.len(), |i, j| {
        let parts = y[i].iter().zip(&y[j]).zip(pivots);
        let sum: Expr = parts.map(|((a, b), d)| a * b / d).sum();
        c.alg.define("gram", sum)
    })
}

/// Columns of the independent rows among those of all rows, zeros for the others.
fn padded(matrix: &Matrix, constraints: &Constraints) -> Matrix {
    let pad = |row: &Vec<Expr>| {
        let mut long = vec![Expr::zero(); constraints.rows.len()];
        for (j, e) in constraints.independent.iter().zip(row) {
            long[*j] = e.clone();
        }
        long
    };
    matrix.iter().map(pad).collect()
}

/// `G_r^-1 (T^T T)^-1 T^T`, where rows depend on others.
fn least_squares(
    c: &mut Context<'_>,
    inverted: Matrix,
    constraints: &Constraints,
) -> diag::Result<Matrix> {
    let (t, r) = (&constraints.combination, inverted.len());
    if constraints.rows.len() == r {
        return Ok(padded(&inverted, constraints));
    }
    let entry = |i: usize, j: usize| t.iter().map(|row| &row[i] * &row[j]).sum();
    let square: Matrix = (0..r)
        .map(|i| (0..r).map(|j| entry(i, j)).collect())
        .collect();
    let least = invert(c, &square)?;
    let least = product(c, &least, &elim::transposed(t));
    Ok(product(c, &inverted, &least))
}

fn refused(c: &Context<'_>, why: &str) -> Vec<Diagnostic> {
    let title = format!("there is no `{NAME}`: {why}");
    vec![Diagnostic::error(E0524, title, c.system.whole(), "of this model").help("omit the output")]
}

fn invert(c: &mut Context<'_>, square: &Matrix) -> diag::Result<Matrix> {
    let unit = elim::identity(square.len());
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
