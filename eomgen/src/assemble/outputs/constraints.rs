//! The constraints' rows, residuals, multipliers and forces.

use super::super::Work;
use super::super::forces::{Forces, Multipliers};
use super::{Output, Shape, ending, projection};
use crate::diag::Diagnostic;
use crate::ir::Value;
use crate::mech::constraints::Row;
use crate::sym::Expr;

/// Adds the outputs; returns the multipliers, whose symbols have their values from here on.
pub(super) fn outputs(
    w: &mut Work<'_>,
    list: &mut Vec<Output>,
) -> Result<Multipliers, Vec<Diagnostic>> {
    let rows = w.c.constraints.rows.clone();
    if rows.is_empty() {
        return Ok(Multipliers::default());
    }
    let coords = w.coordinate_names("");
    let names: Vec<String> = rows.iter().map(|r| r.name.clone()).collect();
    let matrix = rows.iter().flat_map(|r| &r.a);
    let a = w.low.lower_all(&w.c.alg, matrix);
    let accelerations = ending(&coords, "''");
    let labels = names.iter().flat_map(|r| {
        let by = accelerations.iter();
        by.map(move |c| format!("{r} by {c}"))
    });
    let labels = labels.collect();
    list.push(w.output(
        "constraint_matrix",
        "Constraint matrix A of `A q'' = b`, one row per scalar constraint.",
        Shape::Matrix(rows.len(), coords.len()),
        labels,
        a.clone(),
    ));
    let mut column = |name: &str, docs: &str, of: fn(&Row) -> &Expr| -> Vec<Value> {
        let values = w.low.lower_all(&w.c.alg, rows.iter().map(of));
        list.push(w.array(name, docs, names.clone(), values.clone()));
        values
    };
    column("constraint_rhs", "Right-hand side b of `A q'' = b`.", |r| {
        &r.b
    });
    let residuals = column(
        "constraint_residuals",
        "Residuals of the constraints as stated (left side less right side).",
        |r| &r.residual,
    );
    let velocity = column(
        "velocity_residuals",
        "Residuals of the constraints at velocity level: position constraints differentiated once, the others as stated.",
        |r| &r.velocity,
    );
    let forces = w.constraint_forces(&a)?;
    w.bind_reactions(&forces.multipliers.values);
    list.extend(reaction_loads(w, &names));
    let multipliers = forces.multipliers.clone();
    list.extend(of_forces(w, names, &coords, forces));
    list.push(projection::output(w, &a, &residuals, &velocity));
    Ok(multipliers)
}

fn of_forces(
    w: &mut Work<'_>,
    names: Vec<String>,
    coords: &[String],
    forces: Forces,
) -> Vec<Output> {
    let on = || coords.iter().map(|c| format!("force on {c}")).collect();
    let mut list = vec![
        w.array(
            "multipliers",
            "Multipliers of the constraint rows: `M q'' = F + C + A^T lambda`, of minimum norm if rows are redundant.",
            names,
            forces.multipliers.values,
        ),
        w.array(
            "ideal_constraint_forces",
            "Ideal part of the generalized constraint forces, conjugate to the coordinates.",
            on(),
            forces.ideal,
        ),
    ];
    if let Some(nonideal) = forces.nonideal {
        list.push(w.array(
            "nonideal_constraint_forces",
            "Non-ideal part of the generalized constraint forces (Udwadia & Kalaba 2002, 39), conjugate to the coordinates.",
            on(),
            nonideal,
        ));
    }
    list
}

/// Phi, where loads depend on reactions.
fn reaction_loads(w: &mut Work<'_>, names: &[String]) -> Option<Output> {
    let coupling = w.formulated.equations.coupling.clone()?;
    let values = w.low.lower_all(&w.c.alg, coupling.iter().flatten());
    let coords = w.coordinate_names("");
    let by = |c: &String| {
        let on = format!("force on {c}");
        names.iter().map(move |r| format!("{on} by {r}"))
    };
    let labels = coords.iter().flat_map(by).collect();
    Some(w.output(
        "reaction_loads",
        "Matrix Phi of the loads that depend on reactions: `M q'' = f + Phi lambda + A^T lambda`, one column per constraint row.",
        Shape::Matrix(coupling.len(), names.len()),
        labels,
        values,
    ))
}
