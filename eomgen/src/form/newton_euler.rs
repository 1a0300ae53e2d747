//! Newton and Euler (O'Reilly et al. 2.10-2.11; Wang & Pao 3, 48): the balances of linear and angular momentum of every body, with every
//! reaction an explicit unknown, and the constraints `A q'' = b`: one linear system in accelerations and reactions, solved as such.

use super::{Closure, Context, Formulated, Formulation, Options, Space, Table, kane};
use crate::diag::{self, Diagnostic};
use crate::facts::{BalanceRows, Fact};
use crate::form::balances::{Balances, Unknown};
use crate::sym::Expr;

/// Newton's and Euler's equations.
pub struct NewtonEuler;

impl Formulation for NewtonEuler {
    fn name(&self) -> &'static str {
        "newton-euler"
    }

    fn has_reactions(&self) -> bool {
        true
    }

    fn space(&self) -> Space {
        Space::Accelerations
    }

    fn refusal(&self, c: &mut Context<'_>, _: &Options<'_>) -> Option<Diagnostic> {
        c.without_balances()
    }

    fn formulate(&self, c: &mut Context<'_>, options: &Options<'_>) -> diag::Result<Formulated> {
        let closure = c
            .has_rows(Space::Accelerations)
            .then_some(Closure::Bordered);
        let equations = kane::by_partial_velocities(c, Space::Accelerations, closure)?;
        let mut balances = c.balances()?;
        balances.projected = equations.forcing.clone();
        Ok(Formulated {
            balances: Some(balances),
            ..Formulated::new(equations, options)
        })
    }

    fn table(
        &self,
        c: &mut Context<'_>,
        f: &Formulated,
        name: &str,
    ) -> diag::Result<Option<Table>> {
        let Some(b) = &f.balances else {
            return Ok(None);
        };
        let rows = c.constraints.row_names();
        let labels: Vec<String> = b.labels.iter().chain(&rows).cloned().collect();
        Ok(match name {
            "balance_matrix" => {
                let mut columns = c.system.coord_names("''");
                columns.extend(rows.iter().map(|r| format!("reaction({r})")));
                columns.extend(
                    b.declared
                        .iter()
                        .chain(&b.generated)
                        .map(|u| u.name.clone()),
                );
                let table = Table::matrix("balance_matrix", labels, columns, matrix(c, b));
                Some(table.stating(rows_of(b)))
            }
            "balance_rhs" => {
                let right = c.constraints.rows.iter().map(|r| r.b.clone());
                let entries = b.rest.iter().cloned().chain(right).collect();
                let table = Table::vector("balance_rhs", labels, entries);
                Some(table.stating(rows_of(b)))
            }
            _ => None,
        })
    }
}

/// What the rows of the bodies are about.
fn rows_of(b: &Balances) -> Fact {
    let along = |list: &[Unknown]| list.iter().map(|u| u.along.clone()).collect();
    Fact::Balances(BalanceRows {
        directions: b.words.clone(),
        generated: along(&b.generated),
        declared: along(&b.declared),
        massless: b.massless.clone(),
    })
}

/// The coefficients of q'', the multipliers of all rows, and the other reactions, all on the left-hand side.
fn matrix(c: &Context<'_>, b: &Balances) -> Vec<Vec<Expr>> {
    let others = b.declared.len() + b.generated.len();
    let m = c.constraints.rows.len();
    let mut list = Vec::with_capacity(b.labels.len() + m);
    for (i, mass) in b.mass.iter().enumerate() {
        let mut row = mass.clone();
        row.extend(b.multipliers[i].iter().map(|e| -e));
        let unknowns = b.declared.iter().chain(&b.generated);
        row.extend(unknowns.map(|u| -&u.column[i]));
        list.push(row);
    }
    for r in &c.constraints.rows {
        let mut row = r.a.clone();
        row.resize(r.a.len() + m + others, Expr::zero());
        list.push(row);
    }
    list
}
