//! Kane's equations (O'Reilly et al. 2.27; Wang & Pao 18, 34):
//!
//! `sum_j (m_j a_j - F_j) . beta_jk + sum_bodies (I.alpha + omega x I.omega - L) . gamma_jk = 0`
//!
//! with the partial velocities `beta_jk = dv_j/du_k` and partial angular velocities
//! `gamma_jk = domega_j/du_k`. Accelerations are linear in u', so the sum is `M u' = f`.

use super::{Closure, Context, Equations, Formulated, Formulation, Options, Space, linear};
use crate::diag;
use crate::elim::Matrix;
use crate::mech::vec3;
use crate::sym::Expr;

/// Kane's equations.
pub struct Kane;

impl Formulation for Kane {
    fn name(&self) -> &'static str {
        "kane"
    }

    fn formulate(&self, c: &mut Context<'_>, options: &Options<'_>) -> diag::Result<Formulated> {
        let space = c.working_space(Space::SpeedRates);
        let closure = linear::closure(c, space);
        let equations = by_partial_velocities(c, space, closure)?;
        Ok(Formulated::new(equations, options))
    }
}

/// The projection on the partial velocities of a space.
pub(super) fn by_partial_velocities(
    c: &mut Context<'_>,
    space: Space,
    closure: Option<Closure>,
) -> diag::Result<Equations> {
    let (q, nonideal, coupling) = c.forces(space)?;
    let given = c.given_inertia(space);
    let (alg, _, k, masses) = c.parts(space);
    let l = k.motion.speeds.len();
    let mut mass: Matrix = vec![vec![Expr::zero(); l]; l];
    let mut forcing: Vec<Expr> = q.iter().zip(&nonideal).map(|(q, c)| q + c).collect();
    if let Some(given) = given {
        for i in 0..l {
            forcing[i] = &forcing[i] - &given.rest[i];
            mass[i][i..].clone_from_slice(&given.mass[i][i..]);
        }
    }
    for m in masses {
        let (p, moving) = (&k.points[m.center.index()], k.moving(alg, m.center));
        for (i, beta) in &moving.coef {
            let momentum = vec3::scale(&m.mass, beta);
            for (j, other) in moving.coef.range(i..) {
                mass[*i][*j] = &mass[*i][*j] + vec3::dot(&momentum, other);
            }
            forcing[*i] = &forcing[*i] - vec3::dot(&momentum, &p.acceleration_bias);
        }
        if let Some((f, inertia)) = &m.rotation {
            let turning = k.turning(alg, *f);
            let rest = m.inertia_torque(alg, k, *f, inertia);
            for (i, gamma) in &turning.coef {
                let name = alg.info(k.motion.speeds[*i]).name.clone();
                let moment = k.define_vec(
                    alg,
                    vec3::apply(inertia, gamma),
                    &format!("moment_{}_{name}", m.name),
                );
                for (j, other) in turning.coef.range(i..) {
                    mass[*i][*j] = &mass[*i][*j] + vec3::dot(&moment, other);
                }
                forcing[*i] = &forcing[*i] - vec3::dot(gamma, &rest);
            }
        }
    }
    let names = k.motion.names(alg);
    for i in 0..l {
        for j in i..l {
            let e = std::mem::replace(&mut mass[i][j], Expr::zero());
            let e = alg.define(&format!("mass_{}_{}", names[i], names[j]), e);
            mass[j][i] = e.clone();
            mass[i][j] = e;
        }
        let e = std::mem::replace(&mut forcing[i], Expr::zero());
        forcing[i] = alg.define(&format!("forcing_{}", names[i]), e);
    }
    Ok(Equations {
        space,
        mass,
        forcing,
        nonideal,
        coupling,
        closure,
    })
}
