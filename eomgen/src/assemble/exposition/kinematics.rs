//! Frames and points as they move: rotations, angular velocities, places, velocities, accelerations, and what of these belongs to each speed.

use super::speech::Speech;
use super::{ENTRIES, Exposed};
use crate::assemble::Work;
use crate::form::Space;
use crate::mech::mixed::Mixed;
use crate::mech::vec3::{self, Vec3};
use crate::model::System;
use crate::model::system::FrameId;
use crate::notation::{Math, Style, Symbol};
use crate::sym::{Expr, Var};

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
fn of(letter: &str, name: &str) -> Symbol {
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
            if entry.is_zero() {
                continue;
            }
            let (minus, size) = match entry {
                Math::Negative(inner) => (true, *inner),
                other => (false, other),
            };
            let direction = unit(system, frame, axis);
            let term = match size {
                Math::Number(one) if one == "1" => direction,
                Math::Product(mut factors) => {
                    factors.push(direction);
                    Math::Product(factors)
                }
                other => Math::Product(vec![other, direction]),
            };
            terms.push(if minus { term.negated() } else { term });
        }
    }
    Some(Math::sum(terms))
}

impl Work<'_> {
    fn components(&mut self, speech: &mut Speech, v: &Vec3) -> [Option<Math>; 3] {
        std::array::from_fn(|i| speech.say(&mut self.c.alg, &v[i]))
    }

    fn mixed(&mut self, speech: &mut Speech, v: &Mixed) -> Option<Math> {
        let parts = v.parts.iter();
        let parts = parts
            .map(|(f, v)| (*f, self.components(speech, v)))
            .collect();
        vector(self.c.system, parts)
    }

    fn along(&mut self, speech: &mut Speech, frame: FrameId, v: &Vec3) -> Option<Math> {
        let parts = vec![(frame, self.components(speech, v))];
        vector(self.c.system, parts)
    }

    /// With the accelerations: `bias + sum coef z'`.
    fn with_rates(
        &self,
        coef: &std::collections::BTreeMap<usize, Vec3>,
        bias: &Vec3,
        dots: &[Var],
    ) -> Vec3 {
        let mut sum = bias.clone();
        for (i, c) in coef {
            let dot = self.c.alg.var(dots[*i]);
            sum = vec3::add(&sum, &vec3::scale(&dot, c));
        }
        sum
    }

    pub(super) fn show_kinematics(&mut self, speech: &mut Speech, e: &mut Exposed) {
        let system = self.c.system;
        let speeds = self.c.kinematics(Space::Speeds).motion.speeds.clone();
        let dots = self.c.kinematics(Space::Speeds).motion.speed_dots.clone();
        let named = |i: &usize| !system.frames[*i].meta.name.contains('#');
        let frames: Vec<usize> = (1..system.frames.len()).filter(named).collect();
        let points: Vec<usize> = (1..system.points.len()).collect();
        let entries = (frames.len() * 5 + points.len() * 3) * 3;
        if entries > ENTRIES {
            e.unshown += entries + (frames.len() + points.len()) * speeds.len();
            return;
        }
        for i in &frames {
            let shown = self.frame_shown(speech, *i, &dots);
            e.frames.push(shown);
        }
        for i in &points {
            let p = self.c.kinematics(Space::Speeds).points[*i].clone();
            let meta = &system.points[*i].meta;
            let full = self.with_rates(&p.velocity.coef, &p.acceleration_bias, &dots);
            e.points.push(PointShown {
                name: meta.name.clone(),
                docs: meta.docs.clone(),
                position: self
                    .mixed(speech, &p.position)
                    .map(|m| Math::equation(Math::Symbol(of("r", &meta.name)), m)),
                velocity: self
                    .along(speech, p.frame, &p.velocity_value)
                    .map(|m| Math::equation(Math::Symbol(of("v", &meta.name)), m)),
                acceleration: self
                    .along(speech, p.frame, &full)
                    .map(|m| Math::equation(Math::Symbol(of("a", &meta.name)), m)),
            });
        }
        if (frames.len() + points.len()) * speeds.len() > ENTRIES / 3 {
            e.unshown += (frames.len() + points.len()) * speeds.len();
            return;
        }
        let zero = vec3::zero();
        for i in points {
            let p = self.c.kinematics(Space::Speeds).points[i].clone();
            let name = of("v", &system.points[i].meta.name);
            let of_speed = |k: usize| p.velocity.coef.get(&k).unwrap_or(&zero).clone();
            let list = self.partials(speech, name, p.frame, &speeds, &of_speed);
            e.partials.push(list);
        }
        for i in frames {
            let f = self.c.kinematics(Space::Speeds).frames[i].clone();
            let name = of("ω", &system.frames[i].meta.name);
            let of_speed = |k: usize| f.omega.coef.get(&k).unwrap_or(&zero).clone();
            let list = self.partials(speech, name, FrameId(i as u32), &speeds, &of_speed);
            e.partials.push(list);
        }
    }

    fn partials(
        &mut self,
        speech: &mut Speech,
        name: Symbol,
        frame: FrameId,
        speeds: &[Var],
        value: &dyn Fn(usize) -> Vec3,
    ) -> Partial {
        let by = speeds.iter().enumerate().map(|(k, v)| {
            let speed = speech.symbol(&self.c.alg, *v);
            (speed, self.along(speech, frame, &value(k)))
        });
        let by = by.collect();
        Partial {
            of: Math::Symbol(name),
            by,
        }
    }

    fn frame_shown(&mut self, speech: &mut Speech, i: usize, dots: &[Var]) -> FrameShown {
        let system = self.c.system;
        let frame = FrameId(i as u32);
        let meta = &system.frames[i].meta;
        let mut parent = system.frames[i].orientation.as_ref().map(|o| o.0);
        while let Some(p) = parent
            && system.frames[p.index()].meta.name.contains('#')
        {
            parent = system.frames[p.index()].orientation.as_ref().map(|o| o.0);
        }
        let parent = parent.unwrap_or(FrameId(0));
        let f = self.c.kinematics(Space::Speeds).frames[i].clone();
        let columns: Vec<Vec3> = {
            let (alg, _, k, _) = self.c.parts(Space::Speeds);
            let axis = |j: usize| {
                let mut e = vec3::zero();
                e[j] = Expr::one();
                e
            };
            (0..3)
                .map(|j| k.express(alg, &axis(j), frame, parent, "r"))
                .collect()
        };
        let mut entries = Vec::new();
        for row in 0..3 {
            let entry = |j: usize| speech.say(&mut self.c.alg, &columns[j][row]);
            let list: Option<Vec<Math>> = (0..3).map(entry).collect();
            entries.push(list);
        }
        let parent_name = system.frames[parent.index()].meta.name.clone();
        let letter = Symbol {
            name: format!("R_{parent_name}_{}", meta.name),
            letters: "R".into(),
            style: Style::Italic,
            subscripts: vec![parent_name.clone(), meta.name.clone()],
        };
        let rotation: Option<Vec<Vec<Math>>> = entries.into_iter().collect();
        let full = self.with_rates(&f.omega.coef, &f.alpha_bias, dots);
        let named = |letter: &str, m: Math| Math::equation(Math::Symbol(of(letter, &meta.name)), m);
        FrameShown {
            name: meta.name.clone(),
            docs: meta.docs.clone(),
            parent: parent_name,
            rotation: rotation.map(|m| Math::equation(Math::Symbol(letter), Math::Matrix(m))),
            velocity: self
                .along(speech, frame, &f.omega_value)
                .map(|m| named("ω", m)),
            acceleration: self.along(speech, frame, &full).map(|m| named("α", m)),
        }
    }
}
