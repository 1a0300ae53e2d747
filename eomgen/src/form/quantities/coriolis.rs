//! The velocity terms as a matrix times the speeds, and the forces of gravity. Knows no loads but the weight.
//!
//! `C = sum J_v^T m J_v' + J_w^T I J_w' + J_w^T W (I - tr(I)/2) J_w` with `W = [omega x]` (Echeandia & Wensing 2021, 12-14, body by body): in the rates of
//! coordinates these are Christoffel's symbols. In other speeds, `q' = H u`, it is `H^T C H + H^T M H'` of these, so that `M' - 2 C` is skew there too.

use super::{Quantities, speed_names};
use crate::diag::codes::quantities::E0588;
use crate::diag::{self, Diagnostic};
use crate::elim::Matrix;
use crate::form::{Context, Space, Table};
use crate::mech::motion::Motion;
use crate::mech::vec3::{self, Mat3, Vec3};
use crate::model::system::{FrameId, PointId, Site};
use crate::sym::{Derivation, Expr};

impl Quantities {
    /// C of `M u' + C u + g = Q`.
    pub(super) fn coriolis_matrix(&mut self, c: &mut Context<'_>) -> diag::Result<Table> {
        let name = "coriolis_matrix";
        let names = speed_names(c);
        if moves_by_itself(c) {
            let why = "positions or constraints move with time alone";
            return Err(vec![refused(c, "depends on time", why)]);
        }
        let mut sum = given(c)?;
        let motion = c.kinematics(Space::SpeedRates).motion.clone();
        let mut flow = motion.flow(&c.alg, &c.vars.clone(), false);
        for m in c.masses.clone() {
            let (alg, _, k, _) = c.parts(Space::SpeedRates);
            let velocity = k.moving(alg, m.center).clone();
            let frame = k.points[m.center.index()].frame;
            let spin = k.frames[frame.index()].omega_value.clone();
            let moving = rates(c, (&velocity.coef, &spin), &mut flow, &m.name);
            for (j, beta) in &velocity.coef {
                for (k, rate) in &moving {
                    sum[*j][*k] = &sum[*j][*k] + &m.mass * vec3::dot(beta, rate);
                }
            }
            let Some((f, inertia)) = &m.rotation else {
                continue;
            };
            let (alg, _, k, _) = c.parts(Space::SpeedRates);
            let turning = k.turning(alg, *f).clone();
            let omega = &k.frames[f.index()].omega_value.clone();
            let moving = rates(c, (&turning.coef, omega), &mut flow, &m.name);
            let rest = less_half_trace(inertia);
            for (k, gamma) in &turning.coef {
                let turned = vec3::cross(omega, &vec3::apply(&rest, gamma));
                let rate = moving.iter().find(|(own, _)| own == k);
                let torque = match rate {
                    Some((_, rate)) => vec3::add(&vec3::apply(inertia, rate), &turned),
                    None => turned,
                };
                let torque = c.define_vec(torque, &format!("torque_{}_{}", m.name, names[*k]));
                for (j, other) in &turning.coef {
                    sum[*j][*k] = &sum[*j][*k] + vec3::dot(other, &torque);
                }
            }
        }
        let mut entries = Matrix::new();
        for (row, j) in sum.into_iter().zip(&names) {
            let row = row.into_iter().zip(&names);
            entries.push(
                row.map(|(e, k)| c.alg.define(&format!("coriolis_{j}_{k}"), e))
                    .collect(),
            );
        }
        let own = if motion.speeds == c.vars.rates {
            "The speeds are rates of the coordinates, and the entries are made of Christoffel's symbols of the mass matrix."
        } else {
            "The speeds are not the rates of coordinates alone: it is `H^T C H + H^T M H'` of the matrix C of Christoffel's symbols in the coordinates, with `q' = H u`."
        };
        Ok(Table::matrix(name, names.clone(), names, entries).noted(own))
    }

    /// g of `M u' + C u + g = Q`: what holds the machine against its weight.
    pub(super) fn gravity_vector(&mut self, c: &mut Context<'_>) -> diag::Result<Table> {
        let names = speed_names(c);
        let mut sum = vec![Expr::zero(); names.len()];
        let gravity = c.gravity(Space::SpeedRates)?;
        let (alg, _, k, masses) = c.parts(Space::SpeedRates);
        if let Some(g) = &gravity {
            for m in masses {
                let p = &k.points[m.center.index()];
                let g = k.components(alg, g, p.frame, "gravity");
                let g = k.define_vec(alg, g, &format!("gravity_{}", m.name));
                for (i, beta) in &k.moving(alg, m.center).coef {
                    sum[*i] = &sum[*i] - &m.mass * vec3::dot(beta, &g);
                }
            }
        }
        let named = sum.into_iter().zip(&names);
        let entries = named.map(|(e, name)| alg.define(&format!("weight_{name}"), e));
        let table = Table::vector("gravity_vector", names.clone(), entries.collect());
        Ok(match gravity {
            Some(_) => table,
            None => table.noted("The model states no gravity."),
        })
    }
}

/// Whether anything moves while all speeds are 0, or goes another way at another time: the velocity terms are not linear in the speeds then.
fn moves_by_itself(c: &mut Context<'_>) -> bool {
    let time = c.vars.time;
    let mechanics = c.mechanics.clone();
    let (alg, _, k, _) = c.parts(Space::SpeedRates);
    let frames = (0..k.frames.len()).map(|f| Site::Frame(FrameId(f as u32)));
    let points = (0..k.points.len()).map(|p| Site::Point(PointId(p as u32)));
    let sites = frames.chain(points);
    let vectors: Vec<_> = sites.map(|site| k.partials(alg, site).1.clone()).collect();
    let rates = k.motion.rates.clone();
    let given = mechanics.energies.as_ref();
    let given = given.and_then(|e| Some(e.kinetic.as_ref()?.mass.clone()));
    let late = |e: &Expr| c.alg.depends(e, &|v| v == time);
    vectors.iter().any(|l| !vec3::is_zero(&l.bias))
        || vectors
            .iter()
            .flat_map(|l| l.coef.values())
            .flatten()
            .any(late)
        || rates.iter().any(|l| !c.alg.is_zero(&l.bias))
        || rates.iter().flat_map(|l| l.coef.values()).any(late)
        || given.iter().flatten().flatten().any(late)
}

/// The rates, as seen from N, of partial velocities with components in a frame that turns.
fn rates(
    c: &mut Context<'_>,
    (partials, spin): (&std::collections::BTreeMap<usize, Vec3>, &Vec3),
    flow: &mut Derivation,
    name: &str,
) -> Vec<(usize, Vec3)> {
    let mut list = Vec::with_capacity(partials.len());
    for (k, v) in partials {
        let own = v.each_ref().map(|e| c.alg.derivative(e, flow));
        let rate = vec3::add(&own, &vec3::cross(spin, v));
        let rate = c.define_vec(rate, &format!("partial_rate_{name}_{k}"));
        if !vec3::is_zero(&rate) {
            list.push((*k, rate));
        }
    }
    list
}

/// `I - tr(I)/2`
fn less_half_trace(inertia: &Mat3) -> Mat3 {
    let trace: Expr = (0..3).map(|i| inertia[i][i].clone()).sum();
    let half = trace / Expr::int(2);
    let mut rest = inertia.clone();
    for (i, row) in rest.iter_mut().enumerate() {
        row[i] = &row[i] - &half;
    }
    rest
}

/// Of a kinetic energy that is given as such: Christoffel's symbols of its M, in the speeds of the state.
fn given(c: &mut Context<'_>) -> diag::Result<Matrix> {
    let motion = c.kinematics(Space::SpeedRates).motion.clone();
    let count = motion.speeds.len();
    let none = vec![vec![Expr::zero(); count]; count];
    let Some(inertia) = c.given_inertia(Space::Accelerations) else {
        return Ok(none);
    };
    let vars = c.vars.clone();
    let mass = inertia.mass;
    let moving = |v| vars.rates.contains(&v);
    if mass.iter().flatten().any(|e| c.alg.depends(e, &moving)) {
        let why = "its mass matrix depends on velocities";
        return Err(vec![refused(c, "is not quadratic in the rates", why)]);
    }
    let n = mass.len();
    let mut slopes = vec![vec![Vec::with_capacity(n); n]; n];
    for (own, row) in slopes.iter_mut().zip(&mass) {
        for (own, e) in own.iter_mut().zip(row) {
            own.extend(vars.coords.iter().map(|q| c.alg.partial(e, *q)));
        }
    }
    let mut coriolis = vec![vec![Expr::zero(); n]; n];
    for (i, row) in coriolis.iter_mut().enumerate() {
        for (j, entry) in row.iter_mut().enumerate() {
            let mut sum = Expr::zero();
            for (k, rate) in motion.rate_values.iter().enumerate() {
                let symbol = &slopes[i][j][k] + &slopes[i][k][j] - &slopes[j][k][i];
                sum = sum + symbol * rate;
            }
            *entry = c.alg.define("christoffel", sum / Expr::int(2));
        }
    }
    Ok(projected(c, &motion, &mass, &coriolis))
}

/// `H^T C H + H^T M H'`
fn projected(c: &mut Context<'_>, motion: &Motion, mass: &Matrix, coriolis: &Matrix) -> Matrix {
    let (n, count) = (mass.len(), motion.speeds.len());
    let mut h = vec![vec![Expr::zero(); count]; n];
    let mut rates = h.clone();
    let mut flow = motion.flow(&c.alg, &c.vars.clone(), false);
    for (i, rate) in motion.rates.iter().enumerate() {
        for (k, e) in &rate.coef {
            rates[i][*k] = c.alg.derivative(e, &mut flow);
            h[i][*k] = e.clone();
        }
    }
    let entry = |j: usize, k: usize| -> Expr {
        let mut sum = Expr::zero();
        for i in 0..n {
            for l in 0..n {
                let part = &coriolis[i][l] * &h[l][k] + &mass[i][l] * &rates[l][k];
                sum = sum + &h[i][j] * part;
            }
        }
        sum
    };
    let row = |j: usize| (0..count).map(|k| entry(j, k)).collect();
    (0..count).map(row).collect()
}

fn refused(c: &Context<'_>, what: &str, why: &str) -> Diagnostic {
    Diagnostic::error(
        E0588,
        format!("there is no `coriolis_matrix`: the kinetic energy {what}"),
        c.system.whole(),
        why,
    )
    .help("omit it; `bias_forces` and `velocity_terms` exist")
}
