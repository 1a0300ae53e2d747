//! What the formulations for constraints linear in the velocities have in common: whom they refuse, and which of their matrices
//! describe the admissible velocities `q' = E e + e0`.

use super::{Closure, Context, Space, Table};
use crate::diag::Diagnostic;
use crate::mech::constraints::Level;
use crate::sym::Expr;

/// Why a formulation that is stated for linear constraints does not apply.
pub fn refusal(c: &Context<'_>, method: &str) -> Option<Diagnostic> {
    let rows = &c.constraints.rows;
    let row = rows
        .iter()
        .find(|r| !r.linear || r.level == Level::Acceleration)?;
    let (code, title, label) = match row.level {
        Level::Acceleration => (
            "E0501",
            format!("`{method}` does not apply to constraints on accelerations"),
            "this restricts accelerations but not velocities",
        ),
        _ => (
            "E0500",
            format!(
                "`{method}` does not apply to constraints that are nonlinear in the velocities"
            ),
            "this is not linear in the rates",
        ),
    };
    Some(
        Diagnostic::error(code, title, row.span, label)
            .note("the admissible velocities must have the form q' = E(q,t) e + e0(q,t)"),
    )
}

/// How rows that remain are imposed: by projection on the null space of A, or, where loads depend on reactions, with multipliers.
pub fn closure(c: &Context<'_>, space: Space) -> Option<Closure> {
    c.has_rows(space).then_some(if c.coupled {
        Closure::Bordered
    } else {
        Closure::NullSpace
    })
}

/// The names of the coordinates' rates.
pub fn rates(c: &Context<'_>) -> Vec<String> {
    c.system.coord_names("'")
}

/// The names of the state's speeds.
pub fn speeds(c: &Context<'_>) -> Vec<String> {
    let set = &c.speeds;
    set.independent
        .iter()
        .map(|i| set.speeds[*i].name.clone())
        .collect()
}

/// E of `q' = E e + e0`.
pub fn matrix(c: &Context<'_>, name: &'static str) -> Table {
    let speeds = speeds(c);
    let rows = c.speeds.motion.rates.iter();
    let entries = rows.map(|rate| {
        (0..speeds.len())
            .map(|s| rate.coef.get(&s).cloned().unwrap_or_else(Expr::zero))
            .collect()
    });
    let table = Table::matrix(name, rates(c), speeds.clone(), entries.collect());
    table.noted(which(c))
}

/// e0 of `q' = E e + e0`.
pub fn drift(c: &Context<'_>, name: &'static str) -> Table {
    let rows = c.speeds.motion.rates.iter();
    Table::vector(name, rates(c), rows.map(|rate| rate.bias.clone()).collect()).noted(which(c))
}

/// Which velocities e are.
fn which(c: &Context<'_>) -> String {
    let list = speeds(c).join(", ");
    match (c.speeds.reduced, c.constraints.rows.is_empty()) {
        (true, _) if list.is_empty() => "The constraints leave no velocity free.".into(),
        (true, _) => format!("The free velocities are {list}."),
        (false, true) => format!("Nothing is constrained; the velocities are {list}."),
        (false, false) => format!(
            "All of {list} belong to the state, because no choice of independent ones is valid at every state; the constraint rows are imposed on the accelerations."
        ),
    }
}
