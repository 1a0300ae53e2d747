//! Quantities that belong to the speeds of the state: partial velocities, forces, the gradient of the Gibbs function.

use super::{absent, speed_names};
use crate::diag;
use crate::elim::Matrix;
use crate::form::{Context, Space, Table};
use crate::mech::mass::MassElement;
use crate::mech::vec3::Vec3;
use crate::model::system::{FrameId, Site};
use crate::sym::Expr;

/// Partial velocities of mass centres in the components of N: three rows per body, one column per speed.
pub(super) fn partial_velocities(c: &mut Context<'_>) -> diag::Result<Table> {
    let sites = |m: &MassElement| Some(Site::Point(m.center));
    partials(
        c,
        "partial_velocities",
        "no particles or bodies",
        sites,
        "partial",
    )
}

/// Partial angular velocities of rigid bodies likewise.
pub(super) fn partial_angular_velocities(c: &mut Context<'_>) -> diag::Result<Table> {
    let sites = |m: &MassElement| m.rotation.as_ref().map(|(f, _)| Site::Frame(*f));
    partials(
        c,
        "partial_angular_velocities",
        "no rigid bodies",
        sites,
        "partial_spin",
    )
}

fn partials(
    c: &mut Context<'_>,
    table: &'static str,
    none: &str,
    site: impl Fn(&MassElement) -> Option<Site>,
    label: &str,
) -> diag::Result<Table> {
    if c.masses.iter().all(|m| site(m).is_none()) {
        return Err(vec![absent(c, table, none)]);
    }
    let columns = speed_names(c);
    let (alg, _, k, masses) = c.parts(Space::SpeedRates);
    let (mut names, mut entries) = (Vec::new(), Matrix::new());
    for m in masses {
        let Some(site) = site(m) else { continue };
        let (frame, partials) = k.partials(alg, site);
        let mut block: Vec<Option<Vec3>> = vec![None; columns.len()];
        for (i, v) in &partials.coef {
            let label = format!("{label}_{}_{}", m.name, columns[*i]);
            block[*i] = Some(k.express(alg, v, frame, FrameId(0), &label));
        }
        for (axis, letter) in ["x", "y", "z"].into_iter().enumerate() {
            names.push(format!("{}.{letter}", m.name));
            let row = block.iter().map(|v| match v {
                Some(v) => v[axis].clone(),
                None => Expr::zero(),
            });
            entries.push(row.collect());
        }
    }
    Ok(Table::matrix(table, names, columns, entries))
}

/// R, conjugate to the speeds of the state.
pub(super) fn forces(c: &mut Context<'_>) -> diag::Result<Table> {
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
