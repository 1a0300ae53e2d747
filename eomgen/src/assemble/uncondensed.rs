//! The uncondensed system: Newton-Euler balances in accelerations of points and frames, the speeds'
//! rates, and the reactions of the kinematic rows that tie them together. Symmetric and sparse; its
//! elimination in a good order is cheaper than any condensed mass matrix for long chains.
//!
//! Unknown per frame: angular acceleration in its own components. Per point: acceleration in the
//! components of [`PointMotion::frame`](crate::mech::kinematics::PointMotion), less that of free fall. Rows:
//!
//! `alpha - R^T alpha_parent - axis s' = bias`, `a - R a_base - sum alpha_F x r_F - c s' = bias`.

use crate::form::{Context, Space};
use crate::ir::Value;
use crate::lower::Lowering;
use crate::mech::vec3::{self, Vec3};
use crate::model::system::{FrameId, PointId};
use crate::solve::{SymmetricSystem, Unknown, UnknownKind};
use crate::sym::Expr;
use std::collections::BTreeMap;

/// Where a vector unknown starts in the list of unknowns.
type Place = BTreeMap<usize, usize>;

/// The system and the positions of s' in it; `None` if gravity or the loads cannot be written.
pub fn build(
    c: &mut Context<'_>,
    low: &mut Lowering,
    space: Space,
) -> Option<(SymmetricSystem, Vec<usize>)> {
    let gravity = c.gravity(space).ok()?;
    let system = c.system;
    // s' rows take the applied loads; gravity acts as an acceleration of the origin.
    let given = c.given_forces(space);
    let inertia = c.given_inertia(space);
    let applied = {
        let (alg, values, k, _) = c.parts(space);
        let mut q = values.generalized_forces(alg, k, &system.loads).ok()?;
        let extra = values.generalized_forces(alg, k, &system.nonideal).ok()?;
        for (a, b) in q.iter_mut().zip(extra) {
            *a = &*a + b;
        }
        for (a, b) in q.iter_mut().zip(given.iter().flatten()) {
            *a = &*a + b;
        }
        if let Some(inertia) = &inertia {
            for (a, b) in q.iter_mut().zip(&inertia.rest) {
                *a = &*a - b;
            }
        }
        q
    };
    let (frames, points) = needed(c, space);
    let l = c.kinematics(space).motion.speeds.len();
    let mut unknowns: Vec<Unknown> = Vec::new();
    let mut frame_at: Place = BTreeMap::new();
    let mut point_at: Place = BTreeMap::new();
    let depth_of_speed = speed_depths(c, space, &frames, &points);
    for (k, depth) in depth_of_speed.iter().enumerate() {
        let name = c
            .alg
            .info(c.kinematics(space).motion.speed_dots[k])
            .name
            .clone();
        unknowns.push(Unknown {
            name,
            kind: UnknownKind::Rate,
            depth: *depth,
        });
    }
    let mut triple = |name: String, kind: UnknownKind, depth: u32| {
        let at = unknowns.len();
        for axis in ["x", "y", "z"] {
            unknowns.push(Unknown {
                name: format!("{name}_{axis}"),
                kind,
                depth,
            });
        }
        at
    };
    for f in &frames {
        let (name, depth) = (
            &system.frames[*f].meta.name,
            c.kinematics(space).frames[*f].depth as u32,
        );
        frame_at.insert(
            *f,
            triple(format!("alpha_{name}"), UnknownKind::Acceleration, depth),
        );
    }
    for (order, p) in points.iter().enumerate() {
        let name = &system.points[*p].meta.name;
        let depth = c.kinematics(space).frames[c.kinematics(space).points[*p].frame.index()]
            .depth
            .max(order.min(1)) as u32;
        point_at.insert(
            *p,
            triple(format!("a_{name}"), UnknownKind::Acceleration, depth),
        );
    }
    let frame_rows: Place = frames
        .iter()
        .map(|f| {
            (
                *f,
                triple(
                    format!("reaction_{}", system.frames[*f].meta.name),
                    UnknownKind::Reaction,
                    c.kinematics(space).frames[*f].depth as u32,
                ),
            )
        })
        .collect();
    let point_rows: Place = points
        .iter()
        .map(|p| {
            (
                *p,
                triple(
                    format!("force_{}", system.points[*p].meta.name),
                    UnknownKind::Reaction,
                    c.kinematics(space).frames[c.kinematics(space).points[*p].frame.index()].depth
                        as u32,
                ),
            )
        })
        .collect();
    let mut s = Builder {
        low,
        system: SymmetricSystem::new(unknowns),
    };
    for (k, q) in applied.iter().enumerate() {
        let v = s.low.lower(&c.alg, q);
        s.system.set_rhs(0, k, v);
    }
    // Inertia.
    for (i, row) in inertia.iter().flat_map(|t| t.mass.iter().enumerate()) {
        for (j, e) in row.iter().enumerate().skip(i) {
            s.add(c, i, j, e);
        }
    }
    for m in c.masses.clone() {
        if let Some(at) = point_at.get(&m.center.index()) {
            for i in 0..3 {
                s.add(c, at + i, at + i, &m.mass);
            }
        }
        if let Some((f, inertia)) = &m.rotation
            && let Some(at) = frame_at.get(&f.index())
        {
            let (alg, _, k, _) = c.parts(space);
            let w = k.frames[f.index()].omega_value.clone();
            let spin = vec3::apply(inertia, &w);
            let spin = k.define_vec(alg, spin, &format!("spin_{}", m.name));
            let torque = vec3::cross(&w, &spin);
            for i in 0..3 {
                for j in i..3 {
                    s.add(c, at + i, at + j, &inertia[i][j]);
                }
                s.add_rhs(c, at + i, &-&torque[i]);
            }
        }
    }
    for f in &frames {
        let row = frame_rows[f];
        let fm = c.kinematics(space).frames[*f].clone();
        let own = frame_at[f];
        for i in 0..3 {
            s.add(c, row + i, own + i, &Expr::one());
            for (k, axis) in &fm.relative.coef {
                s.add(c, row + i, *k, &-&axis[i]);
            }
            if let Some(at) = fm.parent.and_then(|p| frame_at.get(&p.index())) {
                for j in 0..3 {
                    s.add(c, row + i, at + j, &-&fm.rotation[j][i]);
                }
            }
        }
        // A parent that turns as time prescribes.
        let carried = match fm.parent {
            Some(p) if !frame_at.contains_key(&p.index()) => {
                let alpha = &c.kinematics(space).frames[p.index()].alpha_bias;
                vec3::apply_transposed(&fm.rotation, alpha)
            }
            _ => vec3::zero(),
        };
        for i in 0..3 {
            s.add_rhs(c, row + i, &(&fm.relative_bias[i] + &carried[i]));
        }
    }
    let falling: Vec3 = {
        let (alg, values, k, _) = c.parts(space);
        gravity.map_or_else(vec3::zero, |g| {
            values.components(alg, k, &g, FrameId(0), "gravity")
        })
    };
    for p in &points {
        let row = point_rows[p];
        let own = point_at[p];
        let pm = c.kinematics(space).points[*p].clone();
        let mut bias = pm.relative_bias.clone();
        for i in 0..3 {
            s.add(c, row + i, own + i, &Expr::one());
            for (k, v) in &pm.relative.coef {
                s.add(c, row + i, *k, &-&v[i]);
            }
        }
        let base = pm.base?;
        match point_at.get(&base.index()) {
            Some(at) => {
                let from = c.kinematics(space).points[base.index()].frame;
                let r = rotation(c, space, pm.frame, from);
                for i in 0..3 {
                    for j in 0..3 {
                        s.add(c, row + i, at + j, &-&r[i][j]);
                    }
                }
            }
            None => {
                // A base that does not accelerate: free fall the other way.
                let (alg, _, k, _) = c.parts(space);
                let g = k.express(alg, &falling, FrameId(0), pm.frame, "gravity");
                let still = k.express(
                    alg,
                    &k.points[base.index()].acceleration_bias.clone(),
                    k.points[base.index()].frame,
                    pm.frame,
                    "a_base",
                );
                for i in 0..3 {
                    bias[i] = &bias[i] + &still[i] - &g[i];
                }
            }
        }
        for (f, r) in &pm.offset.parts {
            let Some(at) = frame_at.get(&f.index()) else {
                // Turned as time prescribes.
                let (alg, _, k, _) = c.parts(space);
                let known = vec3::cross(&k.frames[f.index()].alpha_bias, r);
                let known = k.express(alg, &known, *f, pm.frame, "a_known");
                bias = vec3::add(&bias, &known);
                continue;
            };
            let turn = rotation(c, space, pm.frame, *f);
            let z = Expr::zero();
            let skew = [
                [z.clone(), -&r[2], r[1].clone()],
                [r[2].clone(), z.clone(), -&r[0]],
                [-&r[1], r[0].clone(), z],
            ];
            let m = vec3::product(&turn, &skew);
            for i in 0..3 {
                for j in 0..3 {
                    s.add(c, row + i, at + j, &m[i][j]);
                }
            }
        }
        for i in 0..3 {
            s.add_rhs(c, row + i, &bias[i]);
        }
    }
    Some((s.system, (0..l).collect()))
}

fn rotation(c: &mut Context<'_>, space: Space, a: FrameId, b: FrameId) -> vec3::Mat3 {
    let (alg, _, k, _) = c.parts(space);
    let columns: [Vec3; 3] = std::array::from_fn(|j| {
        let mut e = vec3::zero();
        e[j] = Expr::one();
        k.express(alg, &e, b, a, "r")
    });
    vec3::transpose(&columns)
}

/// Frames and points whose accelerations enter the balances and are not known beforehand.
fn needed(c: &Context<'_>, space: Space) -> (Vec<usize>, Vec<usize>) {
    let k = c.kinematics(space);
    let moves = |p: &PointId| !k.points[p.index()].velocity.coef.is_empty();
    let turns = |f: &FrameId| !k.frames[f.index()].omega.coef.is_empty();
    let mut points: Vec<usize> = Vec::new();
    let mut frames: Vec<usize> = Vec::new();
    let mut open: Vec<PointId> = c.masses.iter().map(|m| m.center).filter(moves).collect();
    let mut open_frames: Vec<FrameId> = c
        .masses
        .iter()
        .filter_map(|m| m.rotation.as_ref().map(|r| r.0))
        .filter(turns)
        .collect();
    while let Some(p) = open.pop() {
        if points.contains(&p.index()) {
            continue;
        }
        points.push(p.index());
        let pm = &k.points[p.index()];
        open.extend(pm.base.filter(moves));
        open_frames.extend(pm.offset.parts.keys().copied().filter(turns));
    }
    while let Some(f) = open_frames.pop() {
        if frames.contains(&f.index()) {
            continue;
        }
        frames.push(f.index());
        open_frames.extend(k.frames[f.index()].parent.filter(turns));
    }
    points.sort_unstable();
    frames.sort_unstable();
    (frames, points)
}

fn speed_depths(c: &Context<'_>, space: Space, frames: &[usize], points: &[usize]) -> Vec<u32> {
    let k = c.kinematics(space);
    (0..k.motion.speeds.len())
        .map(|s| {
            let by_frame = frames
                .iter()
                .filter(|f| k.frames[**f].relative.coef.contains_key(&s))
                .map(|f| k.frames[*f].depth);
            let by_point = points
                .iter()
                .filter(|p| k.points[**p].relative.coef.contains_key(&s))
                .map(|p| k.frames[k.points[*p].frame.index()].depth);
            by_frame.chain(by_point).max().unwrap_or(0) as u32
        })
        .collect()
}

struct Builder<'l> {
    low: &'l mut Lowering,
    system: SymmetricSystem,
}

impl Builder<'_> {
    fn value(&mut self, c: &mut Context<'_>, e: &Expr) -> Option<Value> {
        if c.alg.is_zero(e) {
            return None;
        }
        let e = c.alg.define("entry", e.clone());
        Some(self.low.lower(&c.alg, &e))
    }

    fn add(&mut self, c: &mut Context<'_>, i: usize, j: usize, e: &Expr) {
        if let Some(v) = self.value(c, e) {
            self.system.add(&mut self.low.graph, i, j, v);
        }
    }

    fn add_rhs(&mut self, c: &mut Context<'_>, i: usize, e: &Expr) {
        if let Some(v) = self.value(c, e) {
            let old = self.system.rhs.first().and_then(|r| r.get(i)).copied();
            let sum = match old {
                Some(o) => self.low.graph.add(o, v),
                None => v,
            };
            self.system.set_rhs(0, i, sum);
        }
    }
}
