//! The family of multipliers where constraint rows depend on one another (Udwadia 1996, 42): `A^T lambda` is unique, lambda only up to
//! the null space of `A^T`.

use super::{Context, Table};
use crate::diag::codes::formulations::E0523;
use crate::diag::{self, Diagnostic};
use crate::elim::Matrix;
use crate::mech::constraints::Rank;
use crate::span::Span;
use crate::sym::Expr;

/// A basis of the null space of `A^T`, one vector for each row that depends on others: the multiples in which it is the sum of
/// these, less the row itself. `None` where there is none, or none that is the same at all states.
pub fn family(c: &Context<'_>) -> Option<(Vec<usize>, Matrix)> {
    let rows = &c.constraints;
    let m = rows.rows.len();
    if rows.rank_where_they_hold == Rank::Varies {
        return None;
    }
    let dependent: Vec<usize> = (0..m).filter(|j| !rows.independent.contains(j)).collect();
    if dependent.is_empty() {
        return None;
    }
    let vectors = dependent.iter().map(|j| {
        let mut vector = vec![Expr::zero(); m];
        for (factor, i) in rows.combination[*j].iter().zip(&rows.independent) {
            vector[*i] = factor.clone();
        }
        vector[*j] = Expr::int(-1);
        vector
    });
    let vectors = vectors.collect();
    Some((dependent, vectors))
}

/// `multiplier_family`: the basis, one column for each dependent row.
pub fn table(c: &Context<'_>) -> diag::Result<Table> {
    let name = "multiplier_family";
    let rows = &c.constraints.rows;
    let names = c.constraints.row_names();
    if let Some((dependent, vectors)) = family(c) {
        let columns = dependent.iter().map(|j| names[*j].clone()).collect();
        let entries = (0..names.len())
            .map(|i| vectors.iter().map(|v| v[i].clone()).collect())
            .collect();
        return Ok(Table::matrix(name, names, columns, entries));
    }
    let varies = c.constraints.rank_where_they_hold == Rank::Varies;
    let why = match (rows.is_empty(), varies) {
        (true, _) => "the model has no constraints",
        (false, true) => "the dependence between the rows varies with the state",
        (false, false) => "the rows are independent, and the multipliers are unique",
    };
    let span = rows.first().map_or_else(Span::default, |r| r.span);
    let title = format!("there is no `{name}`: {why}");
    Err(vec![
        Diagnostic::error(E0523, title, span, "for these constraints")
            .help("omit the output; `multipliers` are those of minimum norm in any case"),
    ])
}
