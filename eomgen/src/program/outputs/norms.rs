//! Multipliers of the rows that keep quaternions at length 1. Nothing but a load on a part itself, and what other rows say of it, pushes along the quaternion:
//! bodies do not feel its length. With `v = e` in `A^T lambda = M q'' - F` therefore `2 lambda = -(e . F + sum e . A_j lambda_j)`.

use crate::form::Space;
use crate::ir::Value;
use crate::mech::kinematics::Kinematics;
use crate::mech::spins::{Unit, units};
use crate::mech::vec3::{Linear, Vec3};
use crate::model::system::{LoadKind, PointId};
use crate::program::writer::Writer;
use crate::sym::{Algebra, Expr, Var};

/// The rows of norms.
pub(super) fn rows(w: &Writer<'_>) -> Vec<usize> {
    let mechanics = w.mechanics();
    let (vars, constraints) = (&mechanics.vars, &mechanics.constraints);
    let all = units(&w.c.alg, mechanics.system, vars, constraints);
    all.iter().map(|unit| unit.row).collect()
}

/// Of the rows of norms that are independent the multipliers, `known` being those of all other independent rows. `None` where bodies feel the length of a
/// quaternion.
pub(super) fn multipliers(
    w: &mut Writer<'_>,
    a: &[Value],
    known: &[(usize, Value)],
) -> Option<Vec<(usize, Value)>> {
    let mechanics = w.mechanics();
    if mechanics
        .energies
        .as_ref()
        .is_some_and(|e| e.kinetic.is_some())
    {
        return None;
    }
    let all = units(
        &w.c.alg,
        mechanics.system,
        &mechanics.vars,
        &mechanics.constraints,
    );
    let mut found = Vec::new();
    for unit in all {
        if !is_unfelt(
            &mut w.c.alg,
            &mechanics.by_rates,
            &mechanics.vars.coords,
            &unit,
        ) {
            return None;
        }
        found.push((unit.row, multiplier(w, a, known, &unit)?));
    }
    Some(found)
}

fn multiplier(
    w: &mut Writer<'_>,
    a: &[Value],
    known: &[(usize, Value)],
    unit: &Unit<'_>,
) -> Option<Value> {
    let n = w.c.system.coords.len();
    let vars = w.c.vars.clone();
    let parts = w.values_of(unit.coords.map(|c| vars.coords[c]));
    let mut sum = w.low.graph.zero();
    for (c, part) in unit.coords.iter().zip(&parts) {
        let force = own_force(w, *c)?;
        sum = w.add_product(sum, &force, *part);
        for (row, lambda) in known {
            let entry = a[row * n + c];
            let g = &mut w.low.graph;
            let push = g.mul(entry, *lambda);
            let push = g.mul(push, *part);
            sum = g.add(sum, push);
        }
    }
    let g = &mut w.low.graph;
    let two = g.integer(2);
    let half = g.div(sum, two);
    Some(g.neg(half))
}

/// The loads on a coordinate itself, of potentials and dissipations too.
fn own_force(w: &mut Writer<'_>, c: usize) -> Option<Expr> {
    let system = w.c.system;
    let given = w.c.given_forces(Space::Accelerations);
    let mut sum = given.map_or_else(Expr::zero, |list| list[c].clone());
    for load in &system.loads {
        if let LoadKind::Generalized { coord, value } = &load.kind
            && coord.index() == c
        {
            let (alg, values, k, _) = w.c.parts(Space::Accelerations);
            sum = sum + values.scalar(alg, k, value).ok()?;
        }
    }
    Some(sum)
}

/// Whether no frame turns and no point moves where a quaternion grows.
fn is_unfelt(alg: &mut Algebra, k: &Kinematics, coords: &[Var], unit: &Unit<'_>) -> bool {
    let still = |alg: &Algebra, motion: &Linear<Vec3>| {
        (0..3).all(|i| {
            let terms = unit.coords.iter().filter_map(|c| {
                let partial = motion.coef.get(c)?;
                Some(alg.var(coords[*c]) * &partial[i])
            });
            alg.is_zero(&terms.sum::<Expr>())
        })
    };
    k.frames.iter().all(|f| still(alg, &f.relative))
        && (0..k.points.len()).all(|p| {
            let step = k.step(alg, PointId(p as u32));
            still(alg, step)
        })
}
