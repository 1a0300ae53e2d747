//! The constraints' rows, residuals, multipliers and forces.

use super::forces::{Forces, Multipliers, forces};
use super::{Output, Shape, ending, projection};
use crate::diag::Diagnostic;
use crate::ir::Value;
use crate::mech::constraints::Row;
use crate::program::accelerations::coupling::bind_reactions;
use crate::program::posed::Posed;
use crate::program::report::undetermined;
use crate::program::solved::Solved;
use crate::program::writer::{Writer, row_names};
use crate::sym::Expr;

/// The outputs, and the multipliers, whose symbols have their values from here on.
pub(super) fn outputs(
    solved: &Solved,
    w: &mut Writer<'_>,
) -> Result<(Vec<Output>, Multipliers), Vec<Diagnostic>> {
    let rows = &w.mechanics().constraints.rows;
    let coords = w.c.system.coord_names("");
    if rows.is_empty() {
        let prescribed = prescribed_forces(solved, w, &coords)?;
        return Ok((Vec::from_iter(prescribed), Multipliers::default()));
    }
    let names = row_names(&w.c);
    let matrix = rows.iter().flat_map(|r| &r.a);
    let a = w.lower_all(matrix);
    let accelerations = ending(&coords, "''");
    let labels = names.iter().flat_map(|r| {
        let by = accelerations.iter();
        by.map(move |c| format!("{r} by {c}"))
    });
    let labels = labels.collect();
    let mut list = vec![Output::new(
        w,
        "constraint_matrix",
        "Constraint matrix A of `A q'' = b`, one row per scalar constraint.",
        Shape::Matrix(rows.len(), coords.len()),
        labels,
        a.clone(),
    )];
    let mut column = |name: &str, docs: &str, of: fn(&Row) -> &Expr| -> Vec<Value> {
        let values = w.lower_all(rows.iter().map(of));
        list.push(Output::array(w, name, docs, names.clone(), values.clone()));
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
    let forces = forces(solved, w, &a)?;
    bind_reactions(w, &forces.multipliers.values);
    list.extend(reaction_loads(&solved.posed, w, &names));
    let multipliers = forces.multipliers.clone();
    list.extend(of_forces(w, names, &coords, forces));
    list.push(projection::output(w, &a, &residuals, &velocity));
    Ok((list, multipliers))
}

fn of_forces(
    w: &mut Writer<'_>,
    names: Vec<String>,
    coords: &[String],
    forces: Forces,
) -> Vec<Output> {
    let on = || coords.iter().map(|c| format!("force on {c}")).collect();
    let mut list = vec![
        Output::array(
            w,
            "multipliers",
            "Multipliers of the constraint rows: `M q'' = F + C + A^T lambda`, of minimum norm if rows are redundant.",
            names,
            forces.multipliers.values,
        ),
        Output::array(
            w,
            "ideal_constraint_forces",
            "Ideal part of the generalized constraint forces, conjugate to the coordinates.",
            on(),
            forces.ideal,
        ),
    ];
    list.extend(forces.nonideal.map(|values| nonideal(w, coords, values)));
    list
}

fn nonideal(w: &mut Writer<'_>, coords: &[String], values: Vec<Value>) -> Output {
    let labels = coords.iter().map(|c| format!("force on {c}")).collect();
    Output::array(
        w,
        "nonideal_constraint_forces",
        "Non-ideal part of the generalized constraint forces (Udwadia & Kalaba 2002, 39), conjugate to the coordinates.",
        labels,
        values,
    )
}

/// Where no row restricts the motion the prescribed vector C is all that the non-ideal forces are.
fn prescribed_forces(
    solved: &Solved,
    w: &mut Writer<'_>,
    coords: &[String],
) -> Result<Option<Output>, Vec<Diagnostic>> {
    if w.c.system.nonideal.is_empty() {
        return Ok(None);
    }
    let Some(full) = solved.posed.unreduced(&mut w.c) else {
        return Err(undetermined(&mut w.c));
    };
    let values = w.lower_all(&full.nonideal);
    Ok(Some(nonideal(w, coords, values)))
}

/// Phi, where loads depend on reactions.
fn reaction_loads(posed: &Posed, w: &mut Writer<'_>, names: &[String]) -> Option<Output> {
    let coupling = posed.equations().coupling.as_ref()?;
    let values = w.lower_all(coupling.iter().flatten());
    let coords = w.c.system.coord_names("");
    let by = |c: &String| {
        let on = format!("force on {c}");
        names.iter().map(move |r| format!("{on} by {r}"))
    };
    let labels = coords.iter().flat_map(by).collect();
    Some(Output::new(
        w,
        "reaction_loads",
        "Matrix Phi of the loads that depend on reactions: `M q'' = f + Phi lambda + A^T lambda`, one column per constraint row.",
        Shape::Matrix(coupling.len(), names.len()),
        labels,
        values,
    ))
}
