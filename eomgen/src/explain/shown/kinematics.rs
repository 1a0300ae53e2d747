//! Frames and points as they move: rotations, angular velocities, places, velocities, accelerations, and what of these belongs to each speed.

use super::{ENTRIES, Page};
use crate::form::Space;
use crate::mech::mixed::Mixed;
use crate::mech::vec3::{self, Vec3};
use crate::model::System;
use crate::model::system::{FrameId, PointId};
use crate::notation::{Math, Style, Symbol};
use crate::sym::{Expr, Var};
use std::collections::BTreeMap;

/// A frame.
#[derive(Clone, Debug, PartialEq)]
pub struct FrameShown {
    /// Its name.
    pub name: String,
    /// Its doc comment.
    pub docs: String,
    /// The frame in which it is given.
    pub parent: String,
    /// `R[i][j] = parent_i . own_j`
    pub rotation: Option<Math>,
    /// Angular velocity in the inertial frame, along its own axes.
    pub velocity: Option<Math>,
    /// Angular acceleration.
    pub acceleration: Option<Math>,
}

/// A point.
#[derive(Clone, Debug, PartialEq)]
pub struct PointShown {
    /// Its name.
    pub name: String,
    /// Its doc comment.
    pub docs: String,
    /// Place from the origin.
    pub position: Option<Math>,
    /// Velocity in the inertial frame.
    pub velocity: Option<Math>,
    /// Acceleration in the inertial frame.
    pub acceleration: Option<Math>,
}

/// Partial velocities of one point, or partial angular velocities of one frame.
#[derive(Clone, Debug, PartialEq)]
pub struct Partial {
    /// `v_P` or `ω_B`.
    pub of: Math,
    /// One for each speed: the speed, and the vector.
    pub by: Vec<(Math, Option<Math>)>,
}

/// The symbol of a unit vector.
fn unit(system: &System, frame: FrameId, axis: usize) -> Math {
    let name = &system.frames[frame.index()].meta.name;
    let letter = ["x", "y", "z"][axis];
    Math::Symbol(Symbol {
        name: format!("{name}.{letter}"),
        letters: letter.into(),
        style: Style::Unit,
        subscripts: vec![name.clone()],
    })
}

/// The symbol of a vector that belongs to a point or frame.
pub(super) fn of(letter: &str, name: &str) -> Symbol {
    Symbol {
        name: format!("{letter}_{name}"),
        letters: letter.into(),
        style: Style::Bold,
        subscripts: vec![name.into()],
    }
}

/// A sum of unit vectors with scalars.
fn vector(system: &System, parts: Vec<(FrameId, [Option<Math>; 3])>) -> Option<Math> {
    let mut terms = Vec::new();
    for (frame, entries) in parts {
        for (axis, entry) in entries.into_iter().enumerate() {
            let entry = entry?;
            if !entry.is_zero() {
                terms.push(entry.times(unit(system, frame, axis)));
            }
        }
    }
    Some(Math::sum(terms))
}

impl Page<'_, '_, '_> {
    fn components(&mut self, v: &Vec3) -> [Option<Math>; 3] {
        std::array::from_fn(|i| self.math(&v[i]))
    }

    fn mixed(&mut self, v: &Mixed) -> Option<Math> {
        let parts = v.parts.iter();
        let parts = parts.map(|(f, v)| (*f, self.components(v))).collect();
        vector(self.c().system, parts)
    }

    fn along(&mut self, frame: FrameId, v: &Vec3) -> Option<Math> {
        let parts = vec![(frame, self.components(v))];
        vector(self.c().system, parts)
    }

    /// With the accelerations: `bias + sum coef z'`.
    fn with_rates(&mut self, coef: &BTreeMap<usize, Vec3>, bias: &Vec3, dots: &[Var]) -> Vec3 {
        let mut sum = bias.clone();
        for (i, coef) in coef {
            let dot = self.c().alg.var(dots[*i]);
            sum = vec3::add(&sum, &vec3::scale(&dot, coef));
        }
        sum
    }

    pub(super) fn kinematics(&mut self) {
        let system = self.c().system;
        let (speeds, dots) = self.speeds();
        let named = |i: &usize| !system.frames[*i].meta.name.contains('#');
        let frames: Vec<usize> = (1..system.frames.len()).filter(named).collect();
        let points: Vec<usize> = (1..system.points.len()).collect();
        let entries = (frames.len() * 5 + points.len() * 3) * 3;
        let partials = (frames.len() + points.len()) * speeds.len();
        if entries > ENTRIES {
            self.e.unshown += entries + partials;
            return;
        }
        for i in &frames {
            let frame = self.frame(*i, &dots);
            self.e.frames.push(frame);
        }
        for i in &points {
            let point = self.point(*i, &dots);
            self.e.points.push(point);
        }
        if partials > ENTRIES / 3 {
            self.e.unshown += partials;
            return;
        }
        for i in points {
            let (alg, _, k, _) = self.c().parts(Space::SpeedRates);
            let moving = k.moving(alg, PointId(i as u32)).coef.clone();
            let frame = k.points[i].frame;
            let name = of("v", &system.points[i].meta.name);
            self.partials(name, frame, &speeds, &moving);
        }
        for i in frames {
            let (alg, _, k, _) = self.c().parts(Space::SpeedRates);
            let turning = k.turning(alg, FrameId(i as u32)).coef.clone();
            let name = of("ω", &system.frames[i].meta.name);
            self.partials(name, FrameId(i as u32), &speeds, &turning);
        }
    }

    fn partials(
        &mut self,
        name: Symbol,
        frame: FrameId,
        speeds: &[Var],
        coef: &BTreeMap<usize, Vec3>,
    ) {
        let zero = vec3::zero();
        let by = speeds.iter().enumerate().map(|(k, v)| {
            let value = coef.get(&k).unwrap_or(&zero);
            (self.symbol(*v), self.along(frame, value))
        });
        let partial = Partial {
            by: by.collect(),
            of: Math::Symbol(name),
        };
        self.e.partials.push(partial);
    }

    fn point(&mut self, i: usize, dots: &[Var]) -> PointShown {
        let meta = &self.c().system.points[i].meta;
        let p = self.c().kinematics(Space::SpeedRates).points[i].clone();
        let (alg, _, k, _) = self.c().parts(Space::SpeedRates);
        let moving = k.moving(alg, PointId(i as u32)).coef.clone();
        let full = self.with_rates(&moving, &p.acceleration_bias, dots);
        let named = |letter: &str, m: Math| Math::equation(Math::Symbol(of(letter, &meta.name)), m);
        PointShown {
            name: meta.name.clone(),
            docs: meta.docs.clone(),
            position: self.mixed(&p.position).map(|m| named("r", m)),
            velocity: self
                .along(p.frame, &p.velocity_value)
                .map(|m| named("v", m)),
            acceleration: self.along(p.frame, &full).map(|m| named("a", m)),
        }
    }

    fn frame(&mut self, i: usize, dots: &[Var]) -> FrameShown {
        let system = self.c().system;
        let frame = FrameId(i as u32);
        let meta = &system.frames[i].meta;
        let parent = named_parent(system, i);
        let parent_name = system.frames[parent.index()].meta.name.clone();
        let f = self.c().kinematics(Space::SpeedRates).frames[i].clone();
        let letter = Symbol {
            name: format!("R_{parent_name}_{}", meta.name),
            letters: "R".into(),
            style: Style::Italic,
            subscripts: vec![parent_name.clone(), meta.name.clone()],
        };
        let rotation = self.rotation(frame, parent);
        let (alg, _, k, _) = self.c().parts(Space::SpeedRates);
        let turning = k.turning(alg, frame).coef.clone();
        let full = self.with_rates(&turning, &f.alpha_bias, dots);
        let named = |letter: &str, m: Math| Math::equation(Math::Symbol(of(letter, &meta.name)), m);
        FrameShown {
            name: meta.name.clone(),
            docs: meta.docs.clone(),
            parent: parent_name,
            rotation: rotation.map(|m| Math::equation(Math::Symbol(letter), m)),
            velocity: self.along(frame, &f.omega_value).map(|m| named("ω", m)),
            acceleration: self.along(frame, &full).map(|m| named("α", m)),
        }
    }

    /// `R[i][j] = parent_i . own_j`
    fn rotation(&mut self, frame: FrameId, parent: FrameId) -> Option<Math> {
        let (alg, _, k, _) = self.c().parts(Space::SpeedRates);
        let mut column = |j: usize| {
            let mut axis = vec3::zero();
            axis[j] = Expr::one();
            k.express(alg, &axis, frame, parent, "r")
        };
        let columns: [Vec3; 3] = std::array::from_fn(&mut column);
        let mut row = |i: usize| columns.iter().map(|column| self.math(&column[i])).collect();
        let rows: [Option<Vec<Math>>; 3] = std::array::from_fn(&mut row);
        let rows: Option<_> = rows.into_iter().collect();
        rows.map(Math::Matrix)
    }
}

/// The nearest frame in which a frame is given that has a name of its own.
fn named_parent(system: &System, i: usize) -> FrameId {
    let given_in = |i: usize| system.frames[i].orientation.as_ref().map(|o| o.0);
    let mut parent = given_in(i);
    while let Some(p) = parent
        && system.frames[p.index()].meta.name.contains('#')
    {
        parent = given_in(p.index());
    }
    parent.unwrap_or(FrameId(0))
}
