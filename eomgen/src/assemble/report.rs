//! Whether the motion is determined at all, and whether loads and outputs have values.

use crate::diag::Diagnostic;
use crate::elim::{Matrix, echelon};
use crate::field::Extended;
use crate::form::{Context, Space};
use crate::model::system::Quantity;

/// Refuses models in which neither mass nor constraint determines a coordinate.
pub fn check_determined(c: &mut Context<'_>) -> Result<(), Vec<Diagnostic>> {
    let n = c.system.coords.len();
    let mut rows: Matrix = velocity_rows(c);
    rows.extend(c.constraints.matrix());
    let order: Vec<usize> = (0..n).collect();
    let e = echelon(&c.alg, &rows, &order);
    if e.rank() == n {
        return Ok(());
    }
    let mut errors = Vec::new();
    for v in &e.null_space {
        let involved: Vec<usize> = (0..n).filter(|i| v[*i] != Extended::ZERO).collect();
        let first = &c.system.coords[involved[0]].meta;
        let names: Vec<String> = involved
            .iter()
            .map(|i| format!("`{}`", c.system.coords[*i].meta.name))
            .collect();
        let (title, label) = if involved.len() == 1 {
            (
                format!("nothing determines the motion of `{}`", first.name),
                "moving it moves no mass, and no constraint holds it".to_string(),
            )
        } else {
            (format!("nothing determines a combination of {}", names.join(", ")), "there is a way to change these together that moves no mass and meets no constraint".to_string())
        };
        errors.push(
            Diagnostic::error("E0320", title, first.span, label)
                .help("give the thing it moves a mass or an inertia, add a constraint, or remove the coordinate"),
        );
    }
    Err(errors)
}

/// Refuses loads and outputs that have no value at any state.
pub fn check_values(c: &mut Context<'_>) -> Result<(), Vec<Diagnostic>> {
    c.forces(Space::Rates)?;
    let mut errors = Vec::new();
    for o in &c.system.outputs {
        let (alg, values, k, _) = c.parts(Space::Rates);
        let value = match &o.value {
            Quantity::Scalar(s) => values.scalar(alg, k, s).map(drop),
            Quantity::Vector(v) => values.vector(alg, k, v).map(drop),
        };
        errors.extend(value.err().map(|fault| fault.at(o.meta.span)));
    }
    match errors.is_empty() {
        true => Ok(()),
        false => Err(errors),
    }
}

/// One row per velocity component of every mass: M v = 0 means that all of them vanish (masses positive).
fn velocity_rows(c: &mut Context<'_>) -> Matrix {
    let n = c.system.coords.len();
    let given = c.energies.as_ref().and_then(|e| e.kinetic.as_ref());
    let mut rows: Matrix = given.map_or_else(Vec::new, |t| t.mass.clone());
    let (alg, _, k, masses) = c.parts(Space::Rates);
    for m in masses {
        if !alg.is_zero(&m.mass) {
            let p = &k.points[m.center.index()];
            for axis in 0..3 {
                rows.push(
                    (0..n)
                        .map(|i| {
                            p.velocity
                                .coef
                                .get(&i)
                                .map_or_else(crate::sym::Expr::zero, |v| v[axis].clone())
                        })
                        .collect(),
                );
            }
        }
        if let Some((f, inertia)) = &m.rotation {
            let w = &k.frames[f.index()].omega;
            for row in inertia {
                rows.push(
                    (0..n)
                        .map(|i| {
                            w.coef.get(&i).map_or_else(crate::sym::Expr::zero, |v| {
                                crate::mech::vec3::dot(row, v)
                            })
                        })
                        .collect(),
                );
            }
        }
    }
    rows
}

/// The error of last resort for a mass matrix that is singular for every state.
pub fn undetermined(c: &Context<'_>) -> Vec<Diagnostic> {
    let span = c
        .system
        .coords
        .first()
        .map_or_else(crate::span::Span::default, |x| x.meta.span);
    vec![
        Diagnostic::error(
            "E0320",
            "the equations do not determine the accelerations",
            span,
            "the mass matrix is singular for every state",
        )
        .help("give every coordinate a mass that it moves, or a constraint that holds it"),
    ]
}
