//! The mass centre of the whole machine and its momentum, with their matrices in the speeds of the state (Orin & Goswami 2008). Knows nothing of loads.

use super::kinematic::{SIX, columns};
use super::{absent, speed_names};
use crate::diag;
use crate::elim::Matrix;
use crate::form::{Context, Space, Table};
use crate::mech::mass::MassElement;
use crate::mech::mixed::Mixed;
use crate::mech::vec3::{self, Linear, Vec3};
use crate::sym::Expr;

/// One of these quantities; `None` for any other name.
pub(super) fn table(c: &mut Context<'_>, name: &str) -> diag::Result<Option<Table>> {
    let make: fn(&mut Context<'_>, &'static str) -> Table = match name {
        "mass_center" => |c, name| three(name, mass_center(c)),
        "mass_center_velocity" => |c, name| three(name, per_mass(c, Moving::Velocity)),
        "mass_center_jacobian" => mass_center_jacobian,
        "mass_center_jacobian_bias" => |c, name| three(name, per_mass(c, Moving::Bias)),
        "linear_momentum" => |c, name| three(name, linear(c, Moving::Velocity)),
        "angular_momentum" => |c, name| three(name, angular(c, Moving::Velocity, None)),
        "centroidal_momentum" => |c, name| centroidal(c, name, Moving::Velocity),
        "centroidal_momentum_matrix" => centroidal_matrix,
        "centroidal_momentum_bias" => |c, name| centroidal(c, name, Moving::Bias),
        _ => return Ok(None),
    };
    let Some(known) = crate::catalogue::output(name) else {
        return Ok(None);
    };
    if c.masses.is_empty() {
        return Err(vec![absent(c, name, "no particles or bodies")]);
    }
    let mass = total_mass(c);
    if ABOUT_CENTER.contains(&known.name) && c.alg.is_zero(&mass) {
        return Err(vec![absent(c, name, "no mass")]);
    }
    let given = c.energies.as_ref().is_some_and(|e| e.kinetic.is_some());
    let table = make(c, known.name);
    Ok(Some(if given {
        table.noted("The kinetic energy that the model states as such has no part in it.")
    } else {
        table
    }))
}

/// What takes a mass centre.
const ABOUT_CENTER: [&str; 7] = [
    "mass_center",
    "mass_center_velocity",
    "mass_center_jacobian",
    "mass_center_jacobian_bias",
    "centroidal_momentum",
    "centroidal_momentum_matrix",
    "centroidal_momentum_bias",
];

/// What is added up over the bodies: velocities, or accelerations at constant speeds.
#[derive(Clone, Copy, PartialEq)]
enum Moving {
    Velocity,
    Bias,
}

fn three(name: &'static str, v: Vec3) -> Table {
    let axes = ["x", "y", "z"].map(str::to_owned).to_vec();
    Table::vector(name, axes, v.to_vec())
}

fn total_mass(c: &mut Context<'_>) -> Expr {
    let sum: Expr = c.masses.iter().map(|m| m.mass.clone()).sum();
    c.alg.define("total_mass", sum)
}

fn over_mass(c: &mut Context<'_>, v: Vec3, name: &str) -> Vec3 {
    let mass = total_mass(c);
    let v = v.map(|e| e / &mass);
    c.define_vec(v, name)
}

/// `sum m r`, in any frames.
fn moments(c: &Context<'_>) -> Mixed {
    let k = c.kinematics(Space::SpeedRates);
    let mut sum = Mixed::default();
    for m in &c.masses {
        sum.add(&k.points[m.center.index()].position.scaled(&m.mass));
    }
    sum
}

fn mass_center(c: &mut Context<'_>) -> Vec3 {
    let sum = moments(c);
    let (alg, _, k, _) = c.parts(Space::SpeedRates);
    let sum = k.in_inertial(alg, &sum, "mass_moment");
    over_mass(c, sum, "mass_center")
}

/// `sum m v`, or `sum m a`.
fn linear(c: &mut Context<'_>, moving: Moving) -> Vec3 {
    let (alg, _, k, masses) = c.parts(Space::SpeedRates);
    let mut sum = Mixed::default();
    for m in masses {
        let p = &k.points[m.center.index()];
        let v = match moving {
            Moving::Velocity => &p.velocity_value,
            Moving::Bias => &p.acceleration_bias,
        };
        sum.add_part(p.frame, &vec3::scale(&m.mass, v));
    }
    k.in_inertial(alg, &sum, "linear_momentum")
}

fn per_mass(c: &mut Context<'_>, moving: Moving) -> Vec3 {
    let sum = linear(c, moving);
    over_mass(c, sum, "mass_center_velocity")
}

/// The partial velocities of the linear momentum, in N.
fn linear_columns(c: &mut Context<'_>) -> Matrix {
    let mut sum: Vec<Mixed> = vec![Mixed::default(); speed_names(c).len()];
    let (alg, _, k, masses) = c.parts(Space::SpeedRates);
    for m in masses {
        let p = &k.points[m.center.index()];
        for (i, v) in &k.moving(alg, m.center).coef {
            sum[*i].add_part(p.frame, &vec3::scale(&m.mass, v));
        }
    }
    let turned: Vec<Vec3> = sum
        .iter()
        .map(|v| k.in_inertial(alg, v, "linear_momentum_matrix"))
        .collect();
    rows_of(&turned)
}

fn rows_of(columns: &[Vec3]) -> Matrix {
    let row = |i: usize| columns.iter().map(|v| v[i].clone()).collect();
    (0..3).map(row).collect()
}

fn mass_center_jacobian(c: &mut Context<'_>, name: &'static str) -> Table {
    let rows = linear_columns(c);
    let mass = total_mass(c);
    let over = |e: &Expr| e / &mass;
    let mut entries = Matrix::new();
    for row in &rows {
        let row = row.iter().map(|e| c.alg.define(name, over(e)));
        entries.push(row.collect());
    }
    let axes = ["x", "y", "z"].map(str::to_owned).to_vec();
    Table::matrix(name, axes, speed_names(c), entries)
}

/// The place of a body's centre in N, from O or from a point.
fn place(c: &mut Context<'_>, m: &MassElement, from: Option<&Vec3>) -> Vec3 {
    let (alg, _, k, _) = c.parts(Space::SpeedRates);
    let position = &k.points[m.center.index()].position;
    let place = k.in_inertial(alg, position, &format!("position_{}", m.name));
    match from {
        None => place,
        Some(from) => {
            let arm = std::array::from_fn(|i| &place[i] - &from[i]);
            c.define_vec(arm, &format!("arm_{}", m.name))
        }
    }
}

/// Angular momentum about O or about the mass centre, or its rate at constant speeds: moments of `m v` and `I omega`, or of `m a` and `I alpha + omega x I omega`.
fn angular(c: &mut Context<'_>, moving: Moving, about: Option<&Vec3>) -> Vec3 {
    let mut sum = vec3::zero();
    for m in c.masses.clone() {
        let r = place(c, &m, about);
        let (alg, _, k, _) = c.parts(Space::SpeedRates);
        let p = &k.points[m.center.index()];
        let v = match moving {
            Moving::Velocity => &p.velocity_value,
            Moving::Bias => &p.acceleration_bias,
        };
        let own = vec3::scale(&m.mass, v);
        let own = k.in_inertial(alg, &Mixed::single(p.frame, own), "momentum");
        sum = vec3::add(&sum, &vec3::cross(&r, &own));
        if let Some((f, inertia)) = &m.rotation {
            let spin = match moving {
                Moving::Velocity => vec3::apply(inertia, &k.frames[f.index()].omega_value),
                Moving::Bias => m.inertia_torque(alg, k, *f, inertia),
            };
            let spin = k.in_inertial(alg, &Mixed::single(*f, spin), "spin");
            sum = vec3::add(&sum, &spin);
        }
    }
    c.define_vec(sum, "angular_momentum")
}

/// Angular momentum about the mass centre, then linear momentum. The centre moves along p, so that its velocity has no part in their rates.
fn centroidal(c: &mut Context<'_>, name: &'static str, moving: Moving) -> Table {
    let center = mass_center(c);
    let linear = linear(c, moving);
    let own = angular(c, moving, Some(&center));
    let entries = own.into_iter().chain(linear).collect();
    Table::vector(name, SIX.map(str::to_owned).to_vec(), entries)
}

fn centroidal_matrix(c: &mut Context<'_>, name: &'static str) -> Table {
    let names = speed_names(c);
    let center = mass_center(c);
    let linear = linear_columns(c);
    let column = |rows: &Matrix, j: usize| -> Vec3 { std::array::from_fn(|i| rows[i][j].clone()) };
    let mut own = vec![vec3::zero(); names.len()];
    for m in c.masses.clone() {
        let r = place(c, &m, Some(&center));
        let (alg, _, k, _) = c.parts(Space::SpeedRates);
        let frame = k.points[m.center.index()].frame;
        let partials = scaled(k.moving(alg, m.center), &m.mass);
        let moved = columns(c, frame, &partials, &format!("momentum_{}", m.name));
        let turned = m.rotation.as_ref().map(|(f, inertia)| {
            let (alg, _, k, _) = c.parts(Space::SpeedRates);
            let spins = k.turning(alg, *f).map(|v| vec3::apply(inertia, v));
            columns(c, *f, &spins, &format!("spin_{}", m.name))
        });
        for (j, sum) in own.iter_mut().enumerate() {
            *sum = vec3::add(sum, &vec3::cross(&r, &column(&moved, j)));
            if let Some(turned) = &turned {
                *sum = vec3::add(sum, &column(turned, j));
            }
        }
    }
    for (j, sum) in own.iter_mut().enumerate() {
        *sum = c.define_vec(sum.clone(), &format!("{name}_{}", names[j]));
    }
    let mut entries = rows_of(&own);
    entries.extend(linear);
    Table::matrix(name, SIX.map(str::to_owned).to_vec(), names, entries)
}

fn scaled(l: &Linear<Vec3>, mass: &Expr) -> Linear<Vec3> {
    l.map(|v| vec3::scale(mass, v))
}
