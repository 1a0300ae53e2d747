//! The systems in the rates alone: the mass matrix by itself, and bordered by the constraints.

use crate::catalogue;
use crate::elim::Matrix;
use crate::form::Equations;
use crate::ir::Value;
use crate::program::posed::Posed;
use crate::program::writer::Writer;
use crate::solve::{SymmetricSystem, Unknown, UnknownKind};
use crate::sym::Expr;

/// Up to this many coordinates the bordered mass matrix is tried unasked.
const BORDERED: usize = 12;

/// `M q'' - A^T lambda = F`, `A q'' = b` for a few coordinates.
pub(in crate::program) fn bordered(
    posed: &Posed,
    w: &mut Writer<'_>,
    rows: &[(Vec<Value>, Value)],
) -> Option<SymmetricSystem> {
    if w.c.system.coords.len() > BORDERED && posed.aims.plan != catalogue::Plan::Bordered {
        return None;
    }
    let e = posed.unreduced(&mut w.c)?;
    let unknown = |name, kind| Unknown {
        name,
        kind,
        depth: 0,
    };
    let accelerations = w.c.system.coord_names("''").into_iter();
    let accelerations = accelerations.map(|name| unknown(name, UnknownKind::Rate));
    let lambdas = (0..rows.len()).map(|i| format!("lambda_{i}"));
    let lambdas = lambdas.map(|name| unknown(name, UnknownKind::Reaction));
    let mut system = stated(w, e, accelerations.chain(lambdas).collect());
    system.definite = true;
    let n = e.mass.len();
    for (i, (row, rhs)) in rows.iter().enumerate() {
        for (k, value) in row.iter().enumerate() {
            if !w.low.graph.is_zero(*value) {
                system.set(k, n + i, *value);
            }
        }
        system.set_rhs(0, n + i, *rhs);
    }
    Some(system)
}

/// `M s' = f`, as the formulation states it.
pub(in crate::program) fn reduced_system(w: &mut Writer<'_>, e: &Equations) -> SymmetricSystem {
    let dots = w.c.kinematics(e.space).motion.speed_dots.iter();
    let unknowns = dots.enumerate().map(|(i, v)| Unknown {
        name: w.c.alg.info(*v).name.clone(),
        kind: UnknownKind::Rate,
        depth: i as u32,
    });
    let unknowns = unknowns.collect();
    stated(w, e, unknowns)
}

/// M and f in the first unknowns.
fn stated(w: &mut Writer<'_>, e: &Equations, unknowns: Vec<Unknown>) -> SymmetricSystem {
    let mut system = SymmetricSystem::new(unknowns);
    for (i, (row, f)) in e.mass.iter().zip(&e.forcing).enumerate() {
        for (j, entry) in row.iter().enumerate().skip(i) {
            if !entry.is_literal_zero() {
                system.set(i, j, w.lower(entry));
            }
        }
        system.set_rhs(0, i, w.lower(f));
    }
    system
}

/// Rows with their right-hand sides.
pub(in crate::program) fn lowered_rows(
    w: &mut Writer<'_>,
    matrix: &Matrix,
    rhs: &[Expr],
) -> Vec<(Vec<Value>, Value)> {
    let rows = matrix.iter().zip(rhs);
    rows.map(|(row, b)| (w.lower_all(row), w.lower(b)))
        .collect()
}
