//! Orientations, velocities and accelerations of frames and points by recursion along the frame and
//! point trees: angular velocities in each frame's own components, partial velocities and velocity
//! terms (the part of an acceleration that is free of s') carried along. Knows nothing of mass.

use super::motion::Motion;
use super::turn::Turn;
use super::value::{Mixed, Values};
use super::vars::Vars;
use super::vec3::{self, Linear, Mat3, Vec3};
use crate::diag::Diagnostic;
use crate::model::System;
use crate::model::system::{Frame, FrameId, Orientation, PointId, Scalar, Site};
use crate::sym::{Algebra, Expr};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;

/// In which frames the components of point velocities are taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Components {
    /// The frame in which the point is given.
    Local,
    /// The inertial frame.
    Inertial,
}

/// A definition that gives way: a point along a direction, a frame about it, by a further coordinate. What follows is
/// right at zero of that coordinate, to the first order in it.
pub struct Release {
    /// What gives way.
    pub site: Site,
    /// Index of the coordinate.
    pub coordinate: usize,
    /// In whose components the direction is: of a frame its own.
    pub frame: FrameId,
    /// The direction.
    pub direction: Vec3,
}

/// Motion of a frame, in its own components.
#[derive(Clone, Debug)]
pub struct FrameMotion {
    /// Parent, if any.
    pub parent: Option<FrameId>,
    /// `rotation[i][j] = parent_i . own_j`.
    pub rotation: Mat3,
    /// Number of non-constant rotations from N.
    pub depth: usize,
    /// Angular velocity relative to the parent.
    pub relative: Linear<Vec3>,
    /// The same for the speeds as they are.
    pub relative_value: Vec3,
    /// alpha - R^T alpha_parent - relative coefficients * s'.
    pub relative_bias: Vec3,
    /// Partial angular velocities and the part free of speeds.
    pub omega: Linear<Vec3>,
    /// Angular velocity.
    pub omega_value: Vec3,
    /// Angular acceleration at s' = 0.
    pub alpha_bias: Vec3,
}

/// Motion of a point.
#[derive(Clone, Debug)]
pub struct PointMotion {
    /// Base point, if any.
    pub base: Option<PointId>,
    /// In whose components the following are.
    pub frame: FrameId,
    /// Offset from the base, by frame.
    pub offset: Mixed,
    /// Velocity relative to the base that is not due to turning: coefficients of s in `frame`.
    pub relative: Linear<Vec3>,
    /// a - a_base - sum alpha_F x r_F - relative coefficients * s'.
    pub relative_bias: Vec3,
    /// Velocity less that of the base.
    pub step: Linear<Vec3>,
    /// Partial velocities and the part free of speeds.
    pub velocity: Linear<Vec3>,
    /// Velocity.
    pub velocity_value: Vec3,
    /// Acceleration at s' = 0.
    pub acceleration_bias: Vec3,
    /// Position from O, by frame.
    pub position: Mixed,
}

/// Kinematics of a model under one parametrisation of the velocities.
pub struct Kinematics {
    /// The parametrisation.
    pub motion: Motion,
    /// As in `System::frames`.
    pub frames: Vec<FrameMotion>,
    /// As in `System::points`.
    pub points: Vec<PointMotion>,
    paths: FxHashMap<(FrameId, FrameId), Mat3>,
}

impl Kinematics {
    /// Rates without frames and points: enough for scalars without vectors in them.
    pub fn nowhere(motion: Motion) -> Self {
        Self {
            motion,
            frames: Vec::new(),
            points: Vec::new(),
            paths: FxHashMap::default(),
        }
    }

    /// The recursion. Errors point at the declaration at fault.
    pub fn derive(
        alg: &mut Algebra,
        system: &System,
        vars: &Vars,
        motion: Motion,
        components: Components,
    ) -> Result<Self, Vec<Diagnostic>> {
        Self::with_releases(alg, system, vars, motion, components, &[])
    }

    /// The same with definitions that give way; their coordinates follow those of the model.
    pub fn with_releases(
        alg: &mut Algebra,
        system: &System,
        vars: &Vars,
        motion: Motion,
        components: Components,
        releases: &[Release],
    ) -> Result<Self, Vec<Diagnostic>> {
        let mut k = Self::nowhere(motion);
        let mut errors = Vec::new();
        // Sines and cosines in the order of the coordinates: in which order the frames are declared shall not show in the terms.
        for (coordinate, &symbol) in vars.coords.iter().enumerate() {
            if system.frames.iter().any(|f| turns_by(f, coordinate)) {
                let angle = alg.var(symbol);
                alg.sin_cos(&angle);
            }
        }
        for (i, f) in system.frames.iter().enumerate() {
            match k.frame(alg, system, vars, i, releases) {
                Ok(m) => k.frames.push(m),
                Err(e) => {
                    errors.push(e.at(f.meta.span));
                    k.frames
                        .push(fixed_frame(f.orientation.as_ref().map(|o| o.0)));
                }
            }
        }
        for (i, p) in system.points.iter().enumerate() {
            match k.point(alg, system, vars, i, components, releases) {
                Ok(m) => k.points.push(m),
                Err(e) => {
                    errors.push(e.at(p.meta.span));
                    k.points.push(fixed_point());
                }
            }
        }
        if errors.is_empty() {
            Ok(k)
        } else {
            Err(errors)
        }
    }

    fn frame(
        &mut self,
        alg: &mut Algebra,
        system: &System,
        vars: &Vars,
        i: usize,
        releases: &[Release],
    ) -> Result<FrameMotion, super::Fault> {
        let f = &system.frames[i];
        let Some((parent, orientation)) = &f.orientation else {
            return Ok(fixed_frame(None));
        };
        let name = &f.meta.name;
        let values = Values { system, vars };
        let (mut rotation, turn) = Turn::of(alg, &values, self, orientation, name)?;
        let mut relative = turn.spin(alg, vars, &self.motion, &rotation);
        for r in releases {
            if r.site == Site::Frame(FrameId(i as u32)) {
                relative.coef.insert(r.coordinate, r.direction.clone());
                // e_j turns into e_j + sigma d x e_j.
                let sigma = alg.var(vars.coords[r.coordinate]);
                let before = rotation.clone();
                for (row, old) in rotation.iter_mut().zip(&before) {
                    let turned = vec3::cross(old, &r.direction);
                    *row = vec3::add(row, &vec3::scale(&sigma, &turned));
                }
            }
        }
        let relative = self.define_linear(alg, relative, &format!("w_{name}_rel"));
        let speeds = self.motion.speed_values(alg);
        let relative_value =
            self.define_vec(alg, relative.value(&speeds), &format!("w_{name}_rel"));
        let p = &self.frames[parent.index()];
        let from_parent = p.omega.map(|v| vec3::apply_transposed(&rotation, v));
        let parent_value = vec3::apply_transposed(&rotation, &p.omega_value);
        let parent_alpha = vec3::apply_transposed(&rotation, &p.alpha_bias);
        let depth = p.depth + usize::from(turn.counts());
        let mut omega = self.define_linear(alg, from_parent, &format!("w_{name}"));
        let parent_value = self.define_vec(alg, parent_value, &format!("w_{name}_par"));
        omega.add(&relative);
        let omega = self.define_linear(alg, omega, &format!("w_{name}"));
        let omega_value = self.define_vec(
            alg,
            vec3::add(&parent_value, &relative_value),
            &format!("w_{name}"),
        );
        let mut flow = self.motion.flow(alg, vars, false);
        let own: Vec3 = if turn.is_steady(alg, vars, &self.motion) {
            vec3::zero()
        } else {
            std::array::from_fn(|j| alg.derivative(&relative_value[j], &mut flow))
        };
        let relative_bias = self.define_vec(
            alg,
            vec3::add(&vec3::cross(&parent_value, &relative_value), &own),
            &format!("alpha_{name}_rel"),
        );
        let alpha_bias = self.define_vec(
            alg,
            vec3::add(&parent_alpha, &relative_bias),
            &format!("alpha_{name}_0"),
        );
        Ok(FrameMotion {
            parent: Some(*parent),
            rotation,
            depth,
            relative,
            relative_value,
            relative_bias,
            omega,
            omega_value,
            alpha_bias,
        })
    }

    fn point(
        &mut self,
        alg: &mut Algebra,
        system: &System,
        vars: &Vars,
        i: usize,
        components: Components,
        releases: &[Release],
    ) -> Result<PointMotion, super::Fault> {
        let p = &system.points[i];
        let Some((base, offset)) = &p.offset else {
            return Ok(fixed_point());
        };
        let name = &p.meta.name;
        let values = Values { system, vars };
        let mut offset = values.position_vector(alg, self, offset)?;
        for r in releases {
            if r.site == Site::Point(PointId(i as u32)) {
                let sigma = alg.var(vars.coords[r.coordinate]);
                offset.add_part(r.frame, &vec3::scale(&sigma, &r.direction));
            }
        }
        let b = self.points[base.index()].clone();
        let mut rates: BTreeMap<FrameId, Linear<Vec3>> = BTreeMap::new();
        for (f, r) in &offset.parts {
            let each: Vec<Linear<Expr>> = r
                .iter()
                .map(|c| self.motion.rate_of(alg, vars, c))
                .collect();
            let mut l = Linear::none();
            for (j, e) in each.into_iter().enumerate() {
                let mut part = Linear::none();
                for (k, c) in e.coef {
                    let mut v = vec3::zero();
                    v[j] = c;
                    part.coef.insert(k, v);
                }
                part.bias[j] = e.bias;
                l.add(&part);
            }
            rates.insert(*f, l);
        }
        let moving = |k: &Self, f: FrameId| {
            !k.frames[f.index()].omega.is_zero() || rates.get(&f).is_some_and(|r| !r.is_zero())
        };
        let frame = match components {
            Components::Inertial => FrameId(0),
            Components::Local => offset
                .parts
                .keys()
                .copied()
                .filter(|f| moving(self, *f))
                .max_by_key(|f| (self.frames[f.index()].depth, f.0))
                .filter(|f| self.frames[f.index()].depth > 0 || b.velocity.is_zero())
                .unwrap_or(b.frame),
        };
        let speeds = self.motion.speed_values(alg);
        let mut velocity = self.express_linear(alg, &b.velocity, b.frame, frame, name);
        let mut velocity_value = self.express(alg, &b.velocity_value, b.frame, frame, name);
        let mut bias = self.express(alg, &b.acceleration_bias, b.frame, frame, name);
        let mut relative = Linear::none();
        let mut relative_bias = vec3::zero();
        let mut step = Linear::none();
        for (f, r) in &offset.parts {
            let fm = self.frames[f.index()].clone();
            let rate = &rates[f];
            let rate_value = rate.value(&speeds);
            let mut own = rate.clone();
            own.add(&fm.omega.map(|w| vec3::cross(w, r)));
            let own_value = vec3::add(&rate_value, &vec3::cross(&fm.omega_value, r));
            let mut flow = self.motion.flow(alg, vars, false);
            let second: Vec3 = std::array::from_fn(|j| alg.derivative(&rate_value[j], &mut flow));
            let turning = self.define_vec(
                alg,
                vec3::cross(&fm.omega_value, r),
                &format!("v_{name}_turn"),
            );
            let inner = vec3::add(&vec3::scale(&Expr::int(2), &rate_value), &turning);
            let coriolis = vec3::add(&second, &vec3::cross(&fm.omega_value, &inner));
            let terms = vec3::add(&coriolis, &vec3::cross(&fm.alpha_bias, r));
            let own = self.express_linear(alg, &own, *f, frame, name);
            velocity.add(&own);
            step.add(&own);
            velocity_value = vec3::add(
                &velocity_value,
                &self.express(alg, &own_value, *f, frame, name),
            );
            bias = vec3::add(&bias, &self.express(alg, &terms, *f, frame, name));
            relative.add(&self.express_linear(alg, rate, *f, frame, name));
            relative_bias = vec3::add(
                &relative_bias,
                &self.express(alg, &coriolis, *f, frame, name),
            );
        }
        let velocity = self.define_linear(alg, velocity, &format!("v_{name}"));
        let velocity_value = self.define_vec(alg, velocity_value, &format!("v_{name}"));
        let acceleration_bias = self.define_vec(alg, bias, &format!("a_{name}_0"));
        let relative_bias = self.define_vec(alg, relative_bias, &format!("a_{name}_rel"));
        let mut position = b.position.clone();
        position.add(&offset);
        Ok(PointMotion {
            base: Some(*base),
            frame,
            offset,
            relative,
            relative_bias,
            step,
            velocity,
            velocity_value,
            acceleration_bias,
            position,
        })
    }

    fn define_linear(&self, alg: &mut Algebra, l: Linear<Vec3>, name: &str) -> Linear<Vec3> {
        let mut coef = BTreeMap::new();
        for (k, v) in l.coef {
            let speed = alg.info(self.motion.speeds[k]).name.clone();
            let v = self.define_vec(alg, v, &format!("{name}_{speed}"));
            if !vec3::is_zero(&v) {
                coef.insert(k, v);
            }
        }
        Linear {
            coef,
            bias: self.define_vec(alg, l.bias, &format!("{name}_t")),
        }
    }

    /// Names the components `name_x`, `name_y`, `name_z` where that pays.
    pub fn define_vec(&self, alg: &mut Algebra, v: Vec3, name: &str) -> Vec3 {
        let [x, y, z] = v;
        [
            alg.define(&format!("{name}_x"), x),
            alg.define(&format!("{name}_y"), y),
            alg.define(&format!("{name}_z"), z),
        ]
    }

    /// Components in `to` of a vector given in `from`: turned frame by frame along the tree.
    pub fn express(
        &self,
        alg: &mut Algebra,
        v: &Vec3,
        from: FrameId,
        to: FrameId,
        name: &str,
    ) -> Vec3 {
        if vec3::is_zero(v) || from == to {
            return v.clone();
        }
        let up: Vec<FrameId> = self.ancestors(from);
        let down: Vec<FrameId> = self.ancestors(to);
        let common = up
            .iter()
            .find(|f| down.contains(f))
            .copied()
            .unwrap_or(FrameId(0));
        let mut r = v.clone();
        for f in up.iter().take_while(|f| **f != common) {
            r = vec3::apply(&self.frames[f.index()].rotation, &r);
            r = self.define_vec(alg, r, &format!("{name}_turned"));
        }
        let below: Vec<FrameId> = down.iter().copied().take_while(|f| *f != common).collect();
        for f in below.iter().rev() {
            r = vec3::apply_transposed(&self.frames[f.index()].rotation, &r);
            r = self.define_vec(alg, r, &format!("{name}_turned"));
        }
        r
    }

    fn express_linear(
        &self,
        alg: &mut Algebra,
        l: &Linear<Vec3>,
        from: FrameId,
        to: FrameId,
        name: &str,
    ) -> Linear<Vec3> {
        l.map(|v| self.express(alg, v, from, to, name))
    }

    /// The frame and its parents up to N.
    fn ancestors(&self, f: FrameId) -> Vec<FrameId> {
        let mut list = vec![f];
        let mut at = f;
        while let Some(p) = self.frames[at.index()].parent {
            list.push(p);
            at = p;
        }
        list
    }

    /// `R[i][j] = a_i . b_j`.
    pub fn rotation(&mut self, alg: &mut Algebra, a: FrameId, b: FrameId) -> Mat3 {
        if let Some(m) = self.paths.get(&(a, b)) {
            return m.clone();
        }
        let columns: [Vec3; 3] = std::array::from_fn(|j| {
            let mut e = vec3::zero();
            e[j] = Expr::one();
            self.express(alg, &e, b, a, "r")
        });
        let m = vec3::transpose(&columns);
        self.paths.insert((a, b), m.clone());
        m
    }
}

/// Whether a frame is turned by a coordinate itself, or by its negative.
fn turns_by(frame: &Frame, coordinate: usize) -> bool {
    let Some((_, Orientation::Simple { angle, .. })) = &frame.orientation else {
        return false;
    };
    let angle = match angle {
        Scalar::Neg(angle) => angle,
        angle => angle,
    };
    matches!(angle, Scalar::Coord(id) if id.index() == coordinate)
}

fn fixed_frame(parent: Option<FrameId>) -> FrameMotion {
    FrameMotion {
        parent,
        rotation: vec3::identity(),
        depth: 0,
        relative: Linear::none(),
        relative_value: vec3::zero(),
        relative_bias: vec3::zero(),
        omega: Linear::none(),
        omega_value: vec3::zero(),
        alpha_bias: vec3::zero(),
    }
}

fn fixed_point() -> PointMotion {
    PointMotion {
        base: None,
        frame: FrameId(0),
        offset: Mixed::default(),
        relative: Linear::none(),
        relative_bias: vec3::zero(),
        step: Linear::none(),
        velocity: Linear::none(),
        velocity_value: vec3::zero(),
        acceleration_bias: vec3::zero(),
        position: Mixed::default(),
    }
}
