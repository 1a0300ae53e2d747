//! Forces at points that are fixed in nothing: a point of contact wanders over the body, so that a force there turns it only if the model says
//! on which body it acts. Knows nothing of what the forces are.

use super::kinematics::Kinematics;
use super::mass::MassElement;
use super::value::Values;
use crate::diag::Diagnostic;
use crate::model::system::{LoadKind, PointId};
use crate::span::Span;
use crate::sym::Algebra;

/// Remarks on forces at points that move and are fixed in no body.
pub fn fixed_in_no_body(
    alg: &mut Algebra,
    values: &Values<'_>,
    k: &Kinematics,
    masses: &[MassElement],
) -> Vec<Diagnostic> {
    let system = values.system;
    let mut notes: Vec<Diagnostic> = Vec::new();
    let mut told: Vec<(PointId, Span)> = Vec::new();
    // Where nothing turns, it does not matter.
    if masses.iter().all(|m| m.rotation.is_none()) {
        return notes;
    }
    for load in system.loads.iter().chain(&system.nonideal) {
        let LoadKind::Force { point, .. } = &load.kind else {
            continue;
        };
        if told.contains(&(*point, load.span)) || is_fixed_somewhere(alg, values, k, masses, *point)
        {
            continue;
        }
        told.push((*point, load.span));
        let name = &system.points[point.index()].meta.name;
        let title = format!("a force acts at `{name}`, which is fixed in no body");
        notes.push(
            Diagnostic::remark(
                "N0467",
                title,
                load.span,
                format!("its power is that of the point `{name}`, which moves along the bodies: it turns none of them"),
            )
            .help(format!(
                "name the body on which it acts: `force on BODY at {name}: ...`"
            )),
        );
    }
    notes
}

/// Whether a point stands still, or keeps its place in a rigid body or relative to a particle.
fn is_fixed_somewhere(
    alg: &mut Algebra,
    values: &Values<'_>,
    k: &Kinematics,
    masses: &[MassElement],
    point: PointId,
) -> bool {
    let moves = !k.points[point.index()].moved_by.speeds.is_empty();
    !moves
        || masses.iter().any(|m| m.center == point)
        || masses.iter().any(|m| {
            let Ok(arm) = k.arm(m.center, point) else {
                return true;
            };
            let frame = match (&m.rotation, arm.parts.len()) {
                (Some((frame, _)), _) => Some(*frame),
                (None, 1) => arm.parts.keys().next().copied(),
                (None, _) => None,
            };
            arm.parts.is_empty()
                || frame.is_some_and(|frame| {
                    let arm = k.components(alg, &arm, frame, "part");
                    let mut at = values.with(alg, k);
                    arm.iter().all(|e| at.is_fixed(e))
                })
        })
}
