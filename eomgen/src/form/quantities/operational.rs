//! How a point, or a frame with a point, responds to forces on it: mobility `J M^-1 J^T` and its inverse, the operational-space inertia (Khatib 1987), with
//! the constraints imposed.

use super::factor::{Factor, define_bounded};
use super::{Quantities, kinematic, speed_names};
use crate::catalogue::asked::Asked;
use crate::diag::codes::quantities::{E0581, E0589};
use crate::diag::{self, Diagnostic};
use crate::elim::Matrix;
use crate::form::{Context, Space, Table, projected, regular, solution};
use crate::sym::Expr;

impl Quantities {
    /// `mobility(P)` or `operational_space_inertia(P)`, or of a frame with a point.
    pub(super) fn operational(
        &mut self,
        c: &mut Context<'_>,
        asked: &Asked,
    ) -> diag::Result<Table> {
        let (rows, jacobian) = kinematic::jacobian_of(c, asked)?;
        let mobility = mobility(c, &rows, &jacobian)?;
        let name = asked.quantity.name;
        let entries = if name == "mobility" {
            mobility
        } else {
            inverse(c, asked, &rows, &mobility)?
        };
        let table = Table::matrix(name, rows.clone(), rows, entries);
        Ok(table.of(&asked.places))
    }
}

/// `J M^-1 J^T`; where rows remain between the speeds, `J W J^T` with `W = M^-1 - M^-1 A^T (A M^-1 A^T)^-1 A M^-1`.
fn mobility(c: &mut Context<'_>, names: &[String], jacobian: &Matrix) -> diag::Result<Matrix> {
    let equations = projected(c, Space::SpeedRates)?;
    let definite = regular::is_positive_definite(c, &equations);
    let speeds = speed_names(c);
    let factor = Factor::of(&mut c.alg, &equations.mass, &speeds, definite)
        .map_err(|at| vec![singular(c, &speeds[at])])?;
    let forward = |c: &mut Context<'_>, rows: &Matrix, label: &str| -> Matrix {
        let each = rows.iter();
        each.map(|row| factor.forward(&mut c.alg, row, label))
            .collect()
    };
    let y = forward(c, jacobian, "reduced_jacobian");
    let free = products(c, (&y, names), (&y, names), &factor);
    if !c.has_rows(Space::SpeedRates) {
        return Ok(free);
    }
    let a = c.constraints.independent_matrix();
    let zero = vec![Expr::zero(); a.len()];
    let (a, _) = solution::in_space(c, Space::SpeedRates, &a, &zero);
    let rows: Vec<String> = c
        .constraints
        .independent
        .iter()
        .map(|i| c.constraints.rows[*i].name.clone())
        .collect();
    let held = forward(c, &a, "reduced_row");
    let gram = products(c, (&held, &rows), (&held, &rows), &factor);
    let cross = products(c, (&held, &rows), (&y, names), &factor);
    let own =
        Factor::of(&mut c.alg, &gram, &rows, false).map_err(|at| vec![singular(c, &rows[at])])?;
    let columns: Matrix = (0..names.len())
        .map(|j| {
            let column: Vec<Expr> = cross.iter().map(|row| row[j].clone()).collect();
            own.forward(&mut c.alg, &column, "held_jacobian")
        })
        .collect();
    let taken = products(c, (&columns, names), (&columns, names), &own);
    let mut entries = free;
    for (row, taken) in entries.iter_mut().zip(taken) {
        for (e, taken) in row.iter_mut().zip(taken) {
            *e = define_bounded(&mut c.alg, "mobility", &*e - taken);
        }
    }
    Ok(entries)
}

/// `Y D^-1 Z^T` of lists of rows.
fn products(
    c: &mut Context<'_>,
    (y, of): (&Matrix, &[String]),
    (z, by): (&Matrix, &[String]),
    factor: &Factor,
) -> Matrix {
    let mut entries = Matrix::new();
    for (a, of) in y.iter().zip(of) {
        let mut row = Vec::with_capacity(z.len());
        for (b, by) in z.iter().zip(by) {
            let parts = a.iter().zip(b).zip(&factor.pivots);
            let sum: Expr = parts
                .filter(|((a, b), _)| !a.is_literal_zero() && !b.is_literal_zero())
                .map(|((a, b), d)| a * b / d)
                .sum();
            row.push(define_bounded(
                &mut c.alg,
                &format!("mobility_{of}_{by}"),
                sum,
            ));
        }
        entries.push(row);
    }
    entries
}

/// The inverse of the mobility; directions in which the point never moves are left out, and have rows and columns of zeros.
fn inverse(
    c: &mut Context<'_>,
    asked: &Asked,
    names: &[String],
    mobility: &Matrix,
) -> diag::Result<Matrix> {
    let moves = |i: &usize| mobility[*i].iter().any(|e| !e.is_literal_zero());
    let kept: Vec<usize> = (0..names.len()).filter(moves).collect();
    let own: Vec<String> = kept.iter().map(|i| names[*i].clone()).collect();
    let row = |i: &usize| kept.iter().map(|j| mobility[*i][*j].clone()).collect();
    let block: Matrix = kept.iter().map(row).collect();
    let factor = Factor::of(&mut c.alg, &block, &own, false)
        .map_err(|at| vec![dependent(c, asked, &own[at])])?;
    let mut entries = vec![vec![Expr::zero(); names.len()]; names.len()];
    if let ([i, j], [[xx, xy], [yx, yy]]) = (kept.as_slice(), pair(&block)) {
        // By cofactors it stays short enough to be read.
        let determinant = c.alg.define("mobility_determinant", &xx * &yy - &xy * &yx);
        let mut over = |e: Expr| define_bounded(&mut c.alg, "operational", e / &determinant);
        entries[*i][*i] = over(yy);
        entries[*j][*j] = over(xx);
        entries[*i][*j] = over(-xy);
        entries[*j][*i] = over(-yx);
        return Ok(entries);
    }
    for (column, j) in kept.iter().enumerate() {
        let unit = |i: usize| Expr::int(i64::from(i == column));
        let unit: Vec<Expr> = (0..kept.len()).map(unit).collect();
        let y = factor.forward(&mut c.alg, &unit, "operational");
        let x = factor.backward(&mut c.alg, &y, "operational");
        for (i, e) in kept.iter().zip(x) {
            entries[*i][*j] = e;
        }
    }
    Ok(entries)
}

/// The entries of a matrix of two rows; of others nothing that is used.
fn pair(block: &Matrix) -> [[Expr; 2]; 2] {
    let entry = |i: usize, j: usize| block.get(i).and_then(|row| row.get(j)).cloned();
    std::array::from_fn(|i| std::array::from_fn(|j| entry(i, j).unwrap_or_else(Expr::zero)))
}

fn singular(c: &Context<'_>, at: &str) -> Diagnostic {
    Diagnostic::error(
        E0581,
        "the mass matrix of the speeds is singular, so that M^-1 does not exist",
        c.system.whole(),
        format!("no mass moves with `{at}` that does not move with what comes before it"),
    )
    .help("omit the output")
}

fn dependent(c: &Context<'_>, asked: &Asked, at: &str) -> Diagnostic {
    let title = format!(
        "`{}` does not exist: the machine moves {} in fewer directions than its components",
        asked.title(),
        asked.places.join(" and ")
    );
    let mobility = format!("mobility({})", asked.places.join(","));
    Diagnostic::error(
        E0589,
        title,
        c.system.whole(),
        format!("component `{at}` never moves by itself"),
    )
    .help(format!(
        "ask for `{mobility}`, the inverse of which exists in the directions that are free"
    ))
}
