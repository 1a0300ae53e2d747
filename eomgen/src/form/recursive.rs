//! Accelerations and heights of all points, each from that of its base: along a chain the work grows with its length, where sums over speeds
//! or over all that lies below grow with its square.

use crate::mech::kinematics::Kinematics;
use crate::mech::vec3::{self, Vec3};
use crate::model::System;
use crate::sym::{Algebra, Expr};

/// Accelerations where the rates of the speeds are `dots`.
pub(super) struct Accelerations {
    /// Angular accelerations, in each frame's own components.
    pub frames: Vec<Vec3>,
    /// Accelerations of points, each in the components of its velocity.
    pub points: Vec<Vec3>,
}

impl Accelerations {
    pub fn new(alg: &mut Algebra, system: &System, k: &Kinematics, dots: &[Expr]) -> Self {
        let mut all = Self {
            frames: Vec::with_capacity(k.frames.len()),
            points: Vec::with_capacity(k.points.len()),
        };
        for (i, f) in k.frames.iter().enumerate() {
            let alpha = match f.parent {
                None => vec3::zero(),
                Some(p) => {
                    let above = vec3::apply_transposed(&f.rotation, &all.frames[p.index()]);
                    let own = f.relative.value_from(&f.relative_bias, dots);
                    let sum = vec3::add(&above, &own);
                    let name = format!("alpha_{}", system.frames[i].meta.name);
                    k.define_vec(alg, sum, &name)
                }
            };
            all.frames.push(alpha);
        }
        for (i, p) in k.points.iter().enumerate() {
            let name = format!("a_{}", system.points[i].meta.name);
            let a = match p.base {
                None => vec3::zero(),
                Some(b) => {
                    let from = k.points[b.index()].frame;
                    let before = k.express(alg, &all.points[b.index()], from, p.frame, &name);
                    let own = p.relative.value_from(&p.relative_bias, dots);
                    let mut sum = vec3::add(&before, &own);
                    for (f, r) in &p.offset.parts {
                        let rotational = vec3::cross(&all.frames[f.index()], r);
                        let rotational = k.express(alg, &rotational, *f, p.frame, &name);
                        sum = vec3::add(&sum, &rotational);
                    }
                    k.define_vec(alg, sum, &name)
                }
            };
            all.points.push(a);
        }
        all
    }
}

/// `g.r` of every point, r its position and g a vector in inertial components.
pub(super) fn heights(alg: &mut Algebra, system: &System, k: &Kinematics, g: &Vec3) -> Vec<Expr> {
    let mut in_frames: Vec<Vec3> = Vec::with_capacity(k.frames.len());
    for (i, f) in k.frames.iter().enumerate() {
        in_frames.push(match f.parent {
            None => g.clone(),
            Some(p) => {
                let own = vec3::apply_transposed(&f.rotation, &in_frames[p.index()]);
                let name = format!("gravity_in_{}", system.frames[i].meta.name);
                k.define_vec(alg, own, &name)
            }
        });
    }
    let mut heights: Vec<Expr> = Vec::with_capacity(k.points.len());
    for (i, p) in k.points.iter().enumerate() {
        let mut sum = p
            .base
            .map_or_else(Expr::zero, |b| heights[b.index()].clone());
        for (f, r) in &p.offset.parts {
            sum = sum + vec3::dot(&in_frames[f.index()], r);
        }
        let name = format!("height_{}", system.points[i].meta.name);
        heights.push(alg.define(&name, sum));
    }
    heights
}
