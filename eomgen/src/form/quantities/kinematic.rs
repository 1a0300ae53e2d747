//! Positions, velocities and Jacobians of points and frames that are named. Knows no masses.

use super::speed_names;
use crate::catalogue::Place;
use crate::catalogue::asked::Asked;
use crate::diag::codes::quantities::E0587;
use crate::diag::{self, Diagnostic, suggest};
use crate::elim::Matrix;
use crate::form::{Context, Space, Table};
use crate::mech::mixed::Mixed;
use crate::mech::vec3::{self, Linear, Vec3};
use crate::model::System;
use crate::model::system::{Axis, FrameId, PointId};
use crate::sym::Expr;

/// The names of components in N.
const AXES: [&str; 3] = ["x", "y", "z"];

/// A quantity of a point, of a frame, or of both.
pub(super) fn table(c: &mut Context<'_>, asked: &Asked) -> diag::Result<Table> {
    let (frame, point) = places(c.system, asked)?;
    let name = asked.quantity.name;
    let label = asked.output();
    let three = || AXES.map(str::to_owned).to_vec();
    let six = || Vec::from(SIX.map(str::to_owned));
    let table = match name {
        "position" => Table::vector(name, three(), position(c, point, &label).to_vec()),
        "velocity" => Table::vector(name, three(), velocity(c, point, &label).to_vec()),
        "jacobian" => Table::matrix(name, three(), speed_names(c), jacobian(c, point, &label)),
        "jacobian_bias" => Table::vector(name, three(), bias(c, point, &label).to_vec()),
        "rotation" => {
            let columns = AXES.map(str::to_owned).to_vec();
            Table::matrix(name, three(), columns, rotation(c, frame, &label))
        }
        "angular_velocity" => {
            Table::vector(name, three(), angular_velocity(c, frame, &label).to_vec())
        }
        "angular_jacobian" => {
            let entries = angular_jacobian(c, frame, &label);
            Table::matrix(name, three(), speed_names(c), entries)
        }
        "angular_jacobian_bias" => {
            Table::vector(name, three(), angular_bias(c, frame, &label).to_vec())
        }
        "pose" => pose(c, (frame, point), &label),
        "spatial_velocity" => {
            let mut entries = angular_velocity(c, frame, &label).to_vec();
            entries.extend(velocity(c, point, &label));
            Table::vector(name, six(), entries)
        }
        "spatial_jacobian" => {
            let mut entries = angular_jacobian(c, frame, &label);
            entries.extend(jacobian(c, point, &label));
            Table::matrix(name, six(), speed_names(c), entries)
        }
        _ => {
            let mut entries = angular_bias(c, frame, &label).to_vec();
            entries.extend(bias(c, point, &label));
            Table::vector("spatial_jacobian_bias", six(), entries)
        }
    };
    Ok(table.of(&asked.places))
}

/// The Jacobian of a point, or of a frame and a point, with the names of its rows.
pub(super) fn jacobian_of(
    c: &mut Context<'_>,
    asked: &Asked,
) -> diag::Result<(Vec<String>, Matrix)> {
    let (frame, point) = places(c.system, asked)?;
    let label = asked.output();
    let linear = jacobian(c, point, &label);
    if asked.places.len() < 2 {
        return Ok((AXES.map(str::to_owned).to_vec(), linear));
    }
    let mut rows = angular_jacobian(c, frame, &label);
    rows.extend(linear);
    Ok((SIX.map(str::to_owned).to_vec(), rows))
}

/// The components of an angular quantity and of a linear one.
pub(super) const SIX: [&str; 6] = [
    "angular.x",
    "angular.y",
    "angular.z",
    "linear.x",
    "linear.y",
    "linear.z",
];

/// The frame and the point that are meant; N and O where the quantity has no use for them.
fn places(system: &System, asked: &Asked) -> diag::Result<(FrameId, PointId)> {
    let mut errors = Vec::new();
    let (mut frame, mut point) = (FrameId(0), PointId(0));
    let mut take = |wants_frame: bool, name: &String| {
        if wants_frame {
            match frame_of(system, name) {
                Some(found) => frame = found,
                None => errors.push(unknown(system, asked, name, "frame")),
            }
        } else {
            match point_of(system, name) {
                Some(found) => point = found,
                None => errors.push(unknown(system, asked, name, "point")),
            }
        }
    };
    match (asked.quantity.of, asked.places.as_slice()) {
        (Place::Point | Place::Either, [name]) => take(false, name),
        (Place::Frame, [name]) => take(true, name),
        (Place::Pose, [body]) => {
            let found = system.bodies.iter().find(|b| b.meta.name == *body);
            match found.and_then(|b| Some((b.rigid.as_ref()?.frame, b.center))) {
                Some(found) => return Ok(found),
                None => errors.push(unknown(system, asked, body, "rigid body")),
            }
        }
        (Place::Pose | Place::Either, [of, at]) => {
            take(true, of);
            take(false, at);
        }
        _ => {}
    }
    if errors.is_empty() {
        Ok((frame, point))
    } else {
        Err(errors)
    }
}

fn point_of(system: &System, name: &str) -> Option<PointId> {
    let named = |p: &crate::model::system::Point| same(&p.meta.name, name);
    let points = system.points.iter().position(named);
    let body = || system.bodies.iter().find(|b| same(&b.meta.name, name));
    let point = points.map(|i| PointId(i as u32));
    point.or_else(|| body().map(|b| b.center))
}

fn frame_of(system: &System, name: &str) -> Option<FrameId> {
    let named = |f: &crate::model::system::Frame| same(&f.meta.name, name);
    let frames = system.frames.iter().position(named);
    let body = || system.bodies.iter().find(|b| same(&b.meta.name, name));
    let frame = frames.map(|i| FrameId(i as u32));
    frame.or_else(|| body().and_then(|b| Some(b.rigid.as_ref()?.frame)))
}

/// Whether a name of the model is the one that was asked for, spaces aside: `q[1, 2]` is `q[1,2]`.
fn same(name: &str, asked: &str) -> bool {
    let letters = name.chars().filter(|c| !c.is_whitespace());
    letters.eq(asked.chars())
}

fn unknown(system: &System, asked: &Asked, name: &str, kind: &str) -> Diagnostic {
    let title = format!(
        "`{}` asks for a {kind} that the model does not have",
        asked.title()
    );
    let bodies = system.bodies.iter();
    let bodies = bodies
        .filter(|b| kind == "point" || b.rigid.is_some())
        .map(|b| b.meta.name.as_str());
    let mut known: Vec<&str> = match kind {
        "frame" => system.frames.iter().map(|f| f.meta.name.as_str()).collect(),
        "point" => system.points.iter().map(|p| p.meta.name.as_str()).collect(),
        _ => Vec::new(),
    };
    known.extend(bodies);
    let is = if point_of(system, name).is_some() {
        Some("is a point or a particle")
    } else {
        frame_of(system, name).map(|_| "is a frame")
    };
    let help = match (is, suggest::closest(name, known.iter().copied())) {
        (Some(is), _) => format!("`{name}` {is}; name a {kind}"),
        (None, Some(near)) => format!("did you mean `{near}`?"),
        (None, None) if known.is_empty() => format!("the model has no {kind}"),
        (None, None) => format!("name a {kind} of the model: {}", shortened(&known)),
    };
    Diagnostic::error(
        E0587,
        title,
        system.whole(),
        format!("there is no {kind} `{name}` in this model"),
    )
    .help(help)
}

fn shortened(names: &[&str]) -> String {
    const SHOWN: usize = 12;
    let mut list = names.iter().take(SHOWN).copied().collect::<Vec<_>>();
    if names.len() > SHOWN {
        list.push("...");
    }
    list.join(", ")
}

fn position(c: &mut Context<'_>, point: PointId, label: &str) -> Vec3 {
    let (alg, _, k, _) = c.parts(Space::SpeedRates);
    k.in_inertial(alg, &k.points[point.index()].position, label)
}

fn velocity(c: &mut Context<'_>, point: PointId, label: &str) -> Vec3 {
    let (alg, _, k, _) = c.parts(Space::SpeedRates);
    let p = &k.points[point.index()];
    let v = Mixed::single(p.frame, p.velocity_value.clone());
    k.in_inertial(alg, &v, label)
}

fn bias(c: &mut Context<'_>, point: PointId, label: &str) -> Vec3 {
    let (alg, _, k, _) = c.parts(Space::SpeedRates);
    let p = &k.points[point.index()];
    let a = Mixed::single(p.frame, p.acceleration_bias.clone());
    k.in_inertial(alg, &a, label)
}

fn angular_velocity(c: &mut Context<'_>, frame: FrameId, label: &str) -> Vec3 {
    let (alg, _, k, _) = c.parts(Space::SpeedRates);
    let omega = k.frames[frame.index()].omega_value.clone();
    k.in_inertial(alg, &Mixed::single(frame, omega), label)
}

fn angular_bias(c: &mut Context<'_>, frame: FrameId, label: &str) -> Vec3 {
    let (alg, _, k, _) = c.parts(Space::SpeedRates);
    let alpha = k.frames[frame.index()].alpha_bias.clone();
    k.in_inertial(alg, &Mixed::single(frame, alpha), label)
}

fn jacobian(c: &mut Context<'_>, point: PointId, label: &str) -> Matrix {
    let (alg, _, k, _) = c.parts(Space::SpeedRates);
    let frame = k.points[point.index()].frame;
    let partials = k.moving(alg, point).clone();
    columns(c, frame, &partials, label)
}

fn angular_jacobian(c: &mut Context<'_>, frame: FrameId, label: &str) -> Matrix {
    let (alg, _, k, _) = c.parts(Space::SpeedRates);
    let partials = k.turning(alg, frame).clone();
    columns(c, frame, &partials, label)
}

/// Three rows in N, a column for each speed of the state.
pub(super) fn columns(
    c: &mut Context<'_>,
    frame: FrameId,
    partials: &Linear<Vec3>,
    label: &str,
) -> Matrix {
    let names = speed_names(c);
    let (alg, _, k, _) = c.parts(Space::SpeedRates);
    let mut rows = vec![vec![Expr::zero(); names.len()]; 3];
    for (i, v) in &partials.coef {
        let label = format!("{label}_{}", names[*i]);
        let column = k.in_inertial(alg, &Mixed::single(frame, v.clone()), &label);
        for (row, e) in rows.iter_mut().zip(column) {
            row[*i] = e;
        }
    }
    rows
}

/// Rows of R, whose columns are the axes of the frame in N.
fn rotation(c: &mut Context<'_>, frame: FrameId, label: &str) -> Matrix {
    let (alg, _, k, _) = c.parts(Space::SpeedRates);
    let axes = [Axis::X, Axis::Y, Axis::Z].map(|axis| {
        let label = format!("{label}_{}", AXES[axis as usize]);
        k.in_inertial(alg, &Mixed::basis(frame, axis), &label)
    });
    let row = |i: usize| axes.iter().map(|axis| axis[i].clone()).collect();
    (0..3).map(row).collect()
}

fn pose(c: &mut Context<'_>, (frame, point): (FrameId, PointId), label: &str) -> Table {
    let mut rows = rotation(c, frame, label);
    let place = position(c, point, label);
    for (row, e) in rows.iter_mut().zip(place) {
        row.push(e);
    }
    let last = vec3::zero().into_iter().chain([Expr::one()]);
    rows.push(last.collect());
    let names = || ["x", "y", "z", "1"].map(str::to_owned).to_vec();
    Table::matrix("pose", names(), names(), rows)
}
