//! Loads that depend on the reactions of constraints: `F + Phi lambda`. Knows nothing of how the
//! multipliers are found.

use super::constraints::{Constraints, Row};
use super::kinematics::Kinematics;
use super::value::Values;
use super::vars::Vars;
use crate::diag::Diagnostic;
use crate::elim::Matrix;
use crate::sym::{Algebra, Expr, Var};
use std::collections::BTreeMap;

/// The symbol of a row's multiplier, if the model mentions it.
pub fn symbol(vars: &Vars, row: &Row) -> Option<Var> {
    let (constraint, component) = row.source;
    vars.reactions.get(constraint)?.get(component).copied()
}

/// Whether the multiplier of a row follows from the motion alone: no other row shares its force.
pub fn is_unique(alg: &Algebra, constraints: &Constraints, row: usize) -> bool {
    let Some(at) = constraints.independent.iter().position(|i| *i == row) else {
        return false;
    };
    let others = constraints.combination.iter().enumerate();
    others
        .filter(|(i, _)| *i != row)
        .all(|(_, t)| t.get(at).is_none_or(|e| alg.is_zero(e)))
}

/// Whether loads depend on reactions at all. Reactions that are not unique are refused there.
pub fn in_loads(
    alg: &mut Algebra,
    values: &Values<'_>,
    k: &Kinematics,
    constraints: &Constraints,
) -> Result<bool, Vec<Diagnostic>> {
    let mut found = false;
    let mut errors = Vec::new();
    if values.vars.reactions.iter().all(Vec::is_empty) {
        return Ok(false);
    }
    for load in &values.system.loads {
        let q = values.generalized_forces(alg, k, std::slice::from_ref(load))?;
        for (i, row) in constraints.rows.iter().enumerate() {
            let Some(v) = symbol(values.vars, row) else {
                continue;
            };
            if !q.iter().any(|e| alg.depends(e, &|x| x == v)) {
                continue;
            }
            found = true;
            if !is_unique(alg, constraints, i) {
                let shared = constraints.sharers(alg, i);
                let mut d = Diagnostic::error(
                    "E0463",
                    format!("a load depends on the reaction of `{}`, which is not unique", row.name),
                    load.span,
                    "the reaction of a constraint that depends on others stands here",
                )
                .label(row.span, "this constraint shares its force with others")
                .help("remove the constraint that repeats what the others say, or replace one by a spring");
                for j in shared {
                    d = d.label(constraints.rows[j].span, "with this one");
                }
                errors.push(d);
            }
        }
    }
    match errors.is_empty() {
        true => Ok(found),
        false => Err(errors),
    }
}

/// Takes the part linear in the reactions out of generalized forces: one row per force, one
/// column per constraint row.
pub fn split(
    alg: &mut Algebra,
    vars: &Vars,
    constraints: &Constraints,
    forces: &mut [Expr],
) -> Matrix {
    let zero: BTreeMap<Var, Expr> = vars
        .reactions
        .iter()
        .flatten()
        .map(|v| (*v, Expr::zero()))
        .collect();
    let mut memo = rustc_hash::FxHashMap::default();
    let mut coupling = Matrix::new();
    for force in forces {
        let mut row = Vec::with_capacity(constraints.rows.len());
        for r in &constraints.rows {
            row.push(match symbol(vars, r) {
                Some(v) => {
                    let e = alg.partial(force, v);
                    alg.define(&format!("by_{}", r.name.replace('.', "_")), e)
                }
                None => Expr::zero(),
            });
        }
        *force = alg.restrict(force, &zero, &mut memo);
        coupling.push(row);
    }
    coupling
}
