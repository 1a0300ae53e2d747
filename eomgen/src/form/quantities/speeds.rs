//! Quantities that belong to the speeds of the state: partial velocities, forces, the gradient of the Gibbs function.

use super::{speed_names, whole};
use crate::diag::Diagnostic;
use crate::diag::codes::quantities::E0582;
use crate::elim::Matrix;
use crate::form::{Context, Space, Table};
use crate::mech::vec3::Vec3;
use crate::model::system::FrameId;
use crate::sym::Expr;

/// Partial velocities of mass centres in the components of N: three rows per body, one column per speed.
pub(super) fn partial_velocities(c: &mut Context<'_>) -> Result<Table, Vec<Diagnostic>> {
    if c.masses.is_empty() {
        return Err(vec![absent(
            c,
            "partial_velocities",
            "no particles or bodies",
        )]);
    }
    let columns = speed_names(c);
    let (alg, _, k, masses) = c.parts(Space::SpeedRates);
    let (mut names, mut entries) = (Vec::new(), Matrix::new());
    for m in masses {
        let p = &k.points[m.center.index()];
        let mut block: Vec<Option<Vec3>> = vec![None; columns.len()];
        for (i, beta) in &p.velocity.coef {
            let label = format!("partial_{}_{}", m.name, columns[*i]);
            block[*i] = Some(k.express(alg, beta, p.frame, FrameId(0), &label));
        }
        push_block(&mut names, &mut entries, &m.name, &block);
    }
    Ok(Table::matrix("partial_velocities", names, columns, entries))
}

/// Partial angular velocities of rigid bodies likewise.
pub(super) fn partial_angular_velocities(c: &mut Context<'_>) -> Result<Table, Vec<Diagnostic>> {
    if c.masses.iter().all(|m| m.rotation.is_none()) {
        let name = "partial_angular_velocities";
        return Err(vec![absent(c, name, "no rigid bodies")]);
    }
    let columns = speed_names(c);
    let (alg, _, k, masses) = c.parts(Space::SpeedRates);
    let (mut names, mut entries) = (Vec::new(), Matrix::new());
    for m in masses {
        let Some((f, _)) = &m.rotation else { continue };
        let mut block: Vec<Option<Vec3>> = vec![None; columns.len()];
        for (i, gamma) in &k.frames[f.index()].omega.coef {
            let label = format!("partial_spin_{}_{}", m.name, columns[*i]);
            block[*i] = Some(k.express(alg, gamma, *f, FrameId(0), &label));
        }
        push_block(&mut names, &mut entries, &m.name, &block);
    }
    Ok(Table::matrix(
        "partial_angular_velocities",
        names,
        columns,
        entries,
    ))
}

fn push_block(names: &mut Vec<String>, entries: &mut Matrix, body: &str, block: &[Option<Vec3>]) {
    for (axis, letter) in ["x", "y", "z"].into_iter().enumerate() {
        names.push(format!("{body}.{letter}"));
        let row = block.iter().map(|v| match v {
            Some(v) => v[axis].clone(),
            None => Expr::zero(),
        });
        entries.push(row.collect());
    }
}

/// R, conjugate to the speeds of the state.
pub(super) fn forces(c: &mut Context<'_>) -> Result<Table, Vec<Diagnostic>> {
    let (r, _, _) = c.forces(Space::SpeedRates)?;
    let names = speed_names(c);
    Ok(Table::vector("generalized_forces_in_speeds", names, r))
}

/// dS/du'.
pub(super) fn gibbs_gradient(c: &mut Context<'_>) -> Table {
    let names = speed_names(c);
    let s = c.gibbs_function(Space::SpeedRates);
    let dots = c.kinematics(Space::SpeedRates).motion.speed_dots.clone();
    let mut gradient = Vec::with_capacity(dots.len());
    for (dot, name) in dots.iter().zip(&names) {
        let e = c.alg.partial(&s, *dot);
        gradient.push(c.alg.define(&format!("gibbs_{name}"), e));
    }
    Table::vector("gibbs_gradient", names, gradient)
}

fn absent(c: &Context<'_>, name: &str, why: &str) -> Diagnostic {
    Diagnostic::error(
        E0582,
        format!("there is no `{name}`: the model has {why}"),
        whole(c),
        "nothing here has a velocity of that kind",
    )
    .help("omit it")
}
