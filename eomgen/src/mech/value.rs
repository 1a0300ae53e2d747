//! Values of the model's scalar and vector expressions under a parametrisation of the velocities.

mod relative;

use super::Fault;
use super::kinematics::Kinematics;
use super::mass::{self, MassElement};
use super::vars::Vars;
use super::vec3::{self, Vec3};
use crate::function::Elementary;
use crate::model::System;
use crate::model::system::{
    Condition, ConstraintRelation, FrameId, LoadKind, Quantity, Scalar, Sign, Vector,
};
use crate::sym::{Algebra, Expr};
use std::collections::BTreeMap;

/// A vector as a sum of parts, each with components in its own frame.
#[derive(Clone, Debug, Default)]
pub struct Mixed {
    /// Components by frame; no part is zero.
    pub parts: BTreeMap<FrameId, Vec3>,
}

impl Mixed {
    /// One part.
    pub fn single(frame: FrameId, v: Vec3) -> Self {
        let mut m = Self::default();
        m.add_part(frame, &v);
        m
    }

    /// Adds a part.
    pub fn add_part(&mut self, frame: FrameId, v: &Vec3) {
        let new = match self.parts.get(&frame) {
            Some(old) => vec3::add(old, v),
            None => v.clone(),
        };
        if vec3::is_zero(&new) {
            self.parts.remove(&frame);
        } else {
            self.parts.insert(frame, new);
        }
    }

    /// Adds a vector.
    pub fn add(&mut self, o: &Mixed) {
        for (f, v) in &o.parts {
            self.add_part(*f, v);
        }
    }

    /// A multiple.
    pub fn scaled(&self, k: &Expr) -> Self {
        let mut m = Self::default();
        for (f, v) in &self.parts {
            m.add_part(*f, &vec3::scale(k, v));
        }
        m
    }
}

/// Evaluates model expressions.
pub struct Values<'a> {
    /// The model.
    pub system: &'a System,
    /// Its symbols.
    pub vars: &'a Vars,
}

impl Values<'_> {
    /// A scalar that must depend on position, time and parameters only.
    pub fn position_scalar(
        &self,
        alg: &mut Algebra,
        k: &Kinematics,
        s: &Scalar,
    ) -> Result<Expr, Fault> {
        let e = self.scalar(alg, k, s)?;
        self.refuse_motion(alg, k, &e)?;
        Ok(e)
    }

    /// A vector that must depend on position, time and parameters only.
    pub fn position_vector(
        &self,
        alg: &mut Algebra,
        k: &Kinematics,
        v: &Vector,
    ) -> Result<Mixed, Fault> {
        let m = self.vector(alg, k, v)?;
        for e in m.parts.values().flatten() {
            self.refuse_motion(alg, k, e)?;
        }
        Ok(m)
    }

    fn refuse_motion(&self, alg: &Algebra, k: &Kinematics, e: &Expr) -> Result<(), Fault> {
        let moving = |v| {
            k.motion.speeds.contains(&v)
                || k.motion.speed_dots.contains(&v)
                || self.vars.inputs.contains(&v)
        };
        if alg.depends(e, &moving) {
            return Err(Fault::new(
                "E0112",
                "a position cannot depend on rates, speeds or inputs",
                "this depends on a rate, a speed or an input",
                "use coordinates, parameters, functions of them and `t`; a prescribed velocity is a constraint",
            ));
        }
        Ok(())
    }

    /// Whether no vector stands in a scalar, nor in what it names.
    pub fn is_without_vectors(&self, s: &Scalar) -> bool {
        let all = |list: &[Scalar]| list.iter().all(|x| self.is_without_vectors(x));
        match s {
            Scalar::Dot(..) | Scalar::Norm(_) => false,
            Scalar::Let(l) => match &self.system.lets[l.index()].value {
                Quantity::Scalar(v) => self.is_without_vectors(v),
                Quantity::Vector(_) => false,
            },
            Scalar::Speed(i) => self.is_without_vectors(&self.system.speeds[i.index()].value),
            Scalar::Rate(a) | Scalar::Neg(a) => self.is_without_vectors(a),
            Scalar::Add(a, b)
            | Scalar::Sub(a, b)
            | Scalar::Mul(a, b)
            | Scalar::Div(a, b)
            | Scalar::Pow(a, b) => self.is_without_vectors(a) && self.is_without_vectors(b),
            Scalar::Call(_, args) | Scalar::Function { args, .. } => all(args),
            Scalar::Number(_)
            | Scalar::Pi
            | Scalar::Time
            | Scalar::Param(_)
            | Scalar::Coord(_)
            | Scalar::Input(_) => true,
            _ => false,
        }
    }

    /// A scalar.
    pub fn scalar(&self, alg: &mut Algebra, k: &Kinematics, s: &Scalar) -> Result<Expr, Fault> {
        let pair = |a: &Scalar, b: &Scalar, alg: &mut Algebra| -> Result<(Expr, Expr), Fault> {
            Ok((self.scalar(alg, k, a)?, self.scalar(alg, k, b)?))
        };
        Ok(match s {
            Scalar::Number(r) => Expr::rational(r),
            Scalar::Pi => alg.pi(),
            Scalar::Time => alg.var(self.vars.time),
            Scalar::Param(p) => alg.var(self.vars.params[p.index()]),
            Scalar::Coord(c) => alg.var(self.vars.coords[c.index()]),
            Scalar::Input(i) => alg.var(self.vars.inputs[i.index()]),
            Scalar::Speed(i) => match k.motion.declared.get(&i.index()) {
                Some(e) => e.clone(),
                None => self.scalar(alg, k, &self.system.speeds[i.index()].value)?,
            },
            Scalar::Let(l) => match &self.system.lets[l.index()].value {
                Quantity::Scalar(v) => {
                    let e = self.scalar(alg, k, v)?;
                    alg.define(&self.system.lets[l.index()].meta.name, e)
                }
                Quantity::Vector(_) => {
                    return Err(Fault::internal("a vector name stands for a scalar"));
                }
            },
            Scalar::Function { function, args } => {
                let args = args
                    .iter()
                    .map(|a| self.scalar(alg, k, a))
                    .collect::<Result<Vec<_>, _>>()?;
                alg.jet(function.0, Vec::new(), args)
            }
            Scalar::Rate(inner) => match &**inner {
                Scalar::Coord(c) => k.motion.rate_values[c.index()].clone(),
                other => {
                    let e = self.scalar(alg, k, other)?;
                    let mut flow = k.motion.flow(alg, self.vars, true);
                    alg.derivative(&e, &mut flow)
                }
            },
            Scalar::Neg(a) => -self.scalar(alg, k, a)?,
            Scalar::Add(a, b) => {
                let (a, b) = pair(a, b, alg)?;
                a + b
            }
            Scalar::Sub(a, b) => {
                let (a, b) = pair(a, b, alg)?;
                a - b
            }
            Scalar::Mul(a, b) => {
                let (a, b) = pair(a, b, alg)?;
                a * b
            }
            Scalar::Div(a, b) => {
                let (a, b) = pair(a, b, alg)?;
                if alg.is_zero(&b) {
                    return Err(Fault::new(
                        "E0302",
                        "division by zero",
                        "a denominator here is identically zero",
                        "divide by something that is not identically zero",
                    ));
                }
                a / b
            }
            Scalar::Pow(a, b) => {
                let (a, b) = pair(a, b, alg)?;
                alg.apply(Elementary::Pow, vec![a, b])
            }
            Scalar::Call(f, args) => {
                let args = args
                    .iter()
                    .map(|a| self.scalar(alg, k, a))
                    .collect::<Result<Vec<_>, _>>()?;
                alg.apply(*f, args)
            }
            Scalar::Dot(a, b) => {
                let (a, b) = (self.vector(alg, k, a)?, self.vector(alg, k, b)?);
                self.dot(alg, k, &a, &b)
            }
            Scalar::Norm(a) => {
                let a = self.vector(alg, k, a)?;
                let square = match a.parts.last_key_value() {
                    // In one frame it is a sum of squares, which cannot be negative.
                    Some((frame, _)) if a.parts.len() > 1 && !alg.is_closed() => {
                        let c = self.components(alg, k, &a, *frame, "part");
                        vec3::dot(&c, &c)
                    }
                    _ => self.dot(alg, k, &a, &a),
                };
                // However it looks once it is multiplied out.
                if !alg.is_nonnegative(&square) {
                    alg.assume(square.clone(), Sign::NonNegative);
                }
                alg.apply(Elementary::Sqrt, vec![square])
            }
            Scalar::Reaction { constraint, axis } => {
                let place = axis.map_or(0, |a| a as usize);
                let list = self.vars.reactions.get(constraint.index());
                match list.and_then(|l| l.get(place)) {
                    Some(v) => alg.var(*v),
                    None => return Err(Fault::internal("a reaction has no symbol")),
                }
            }
            Scalar::Joint(j) => alg.var(self.vars.joints[j.index()]),
            Scalar::If {
                condition,
                then,
                other,
            } => {
                let (a, b) = pair(then, other, alg)?;
                self.choice(alg, k, condition, false, a, b)?
            }
            Scalar::Kinetic(body) => {
                let m = self.body(alg, k, *body)?;
                let v = &k.points[m.center.index()].velocity_value;
                let mut twice = &m.mass * vec3::dot(v, v);
                if let Some((f, inertia)) = &m.rotation {
                    let w = &k.frames[f.index()].omega_value;
                    twice = twice + vec3::dot(w, &vec3::apply(inertia, w));
                }
                alg.define(&format!("kinetic_{}", m.name), twice / Expr::int(2))
            }
        })
    }

    /// `a` where the condition holds (or where it does not, if `not`), else `b`.
    pub(super) fn choice(
        &self,
        alg: &mut Algebra,
        k: &Kinematics,
        condition: &Condition,
        not: bool,
        a: Expr,
        b: Expr,
    ) -> Result<Expr, Fault> {
        match condition {
            Condition::Compare(test, left, right) => {
                let (left, right) = (self.scalar(alg, k, left)?, self.scalar(alg, k, right)?);
                let (then, other) = if not { (b, a) } else { (a, b) };
                Ok(alg.apply(Elementary::choice(*test), vec![left, right, then, other]))
            }
            Condition::Not(c) => self.choice(alg, k, c, !not, a, b),
            // not (x and y) is not x or not y.
            Condition::And(x, y) if !not => {
                let inner = self.choice(alg, k, y, not, a, b.clone())?;
                self.choice(alg, k, x, not, inner, b)
            }
            Condition::Or(x, y) if not => {
                let inner = self.choice(alg, k, y, not, a, b.clone())?;
                self.choice(alg, k, x, not, inner, b)
            }
            Condition::And(x, y) | Condition::Or(x, y) => {
                let inner = self.choice(alg, k, y, not, a.clone(), b)?;
                self.choice(alg, k, x, not, a, inner)
            }
        }
    }

    fn body(&self, alg: &mut Algebra, k: &Kinematics, body: usize) -> Result<MassElement, Fault> {
        let body = self.system.bodies.get(body);
        let body =
            body.ok_or_else(|| Fault::internal("a body is asked for that does not exist"))?;
        mass::element(alg, self, k, body)
    }

    /// Scalar product of two vectors given in any frames.
    pub fn dot(&self, alg: &mut Algebra, k: &Kinematics, a: &Mixed, b: &Mixed) -> Expr {
        let mut sum = Expr::zero();
        for (f, u) in &a.parts {
            for (g, v) in &b.parts {
                let v = k.express(alg, v, *g, *f, "part");
                sum = sum + vec3::dot(u, &v);
            }
        }
        if alg.is_closed() {
            alg.simplify(&sum)
        } else {
            sum
        }
    }

    /// Components of a vector in one frame.
    pub fn components(
        &self,
        alg: &mut Algebra,
        k: &Kinematics,
        v: &Mixed,
        frame: FrameId,
        name: &str,
    ) -> Vec3 {
        let mut sum = vec3::zero();
        for (f, u) in &v.parts {
            sum = vec3::add(&sum, &k.express(alg, u, *f, frame, name));
        }
        sum
    }

    /// A vector.
    pub fn vector(&self, alg: &mut Algebra, k: &Kinematics, v: &Vector) -> Result<Mixed, Fault> {
        Ok(match v {
            Vector::Zero => Mixed::default(),
            Vector::Basis(f, axis) => {
                let mut e = vec3::zero();
                e[*axis as usize] = Expr::one();
                Mixed::single(*f, e)
            }
            Vector::Let(l) => match &self.system.lets[l.index()].value {
                Quantity::Vector(v) => self.vector(alg, k, v)?,
                Quantity::Scalar(_) => {
                    return Err(Fault::internal("a scalar name stands for a vector"));
                }
            },
            Vector::Reaction(c) => {
                let frame = match self.system.constraints.get(c.index()).map(|c| &c.relation) {
                    Some(ConstraintRelation::Vector { frame, .. }) => *frame,
                    _ => return Err(Fault::internal("a scalar reaction stands for a vector")),
                };
                let list = self.vars.reactions.get(c.index());
                match list.map(Vec::as_slice) {
                    Some([x, y, z]) => {
                        Mixed::single(frame, [alg.var(*x), alg.var(*y), alg.var(*z)])
                    }
                    _ => return Err(Fault::internal("a reaction has no symbol")),
                }
            }
            Vector::ReactionOn {
                constraint,
                axis,
                site,
            } => super::reactions::on_site(alg, self, k, constraint.index(), *axis, *site)?,
            Vector::Neg(a) => self.vector(alg, k, a)?.scaled(&Expr::int(-1)),
            Vector::Add(a, b) => {
                let mut m = self.vector(alg, k, a)?;
                m.add(&self.vector(alg, k, b)?);
                m
            }
            Vector::Sub(a, b) => {
                let mut m = self.vector(alg, k, a)?;
                m.add(&self.vector(alg, k, b)?.scaled(&Expr::int(-1)));
                m
            }
            Vector::Scale(s, a) => {
                let s = self.scalar(alg, k, s)?;
                self.vector(alg, k, a)?.scaled(&s)
            }
            Vector::Cross(a, b) => {
                let (a, b) = (self.vector(alg, k, a)?, self.vector(alg, k, b)?);
                cross(alg, k, &a, &b)
            }
            Vector::Between { from, to } => {
                let mut m = self.point(k, *to)?.position.clone();
                m.add(&self.point(k, *from)?.position.scaled(&Expr::int(-1)));
                m
            }
            Vector::Velocity { point, frame } => {
                let p = self.point(k, *point)?;
                let mut m = Mixed::single(p.frame, p.velocity_value.clone());
                if *frame != FrameId(0) {
                    // A frame turns about O: the velocity seen from it is d/dt of the position from O in it.
                    let w = Mixed::single(*frame, self.frame(k, *frame)?.omega_value.clone());
                    let turn = cross(alg, k, &w, &p.position.clone());
                    m.add(&turn.scaled(&Expr::int(-1)));
                }
                m
            }
            Vector::Acceleration { point, frame } => {
                if *frame != FrameId(0) {
                    let v = Vector::Velocity {
                        point: *point,
                        frame: *frame,
                    };
                    return self.vector(
                        alg,
                        k,
                        &Vector::Derivative {
                            vector: Box::new(v),
                            frame: *frame,
                        },
                    );
                }
                let p = self.point(k, *point)?;
                let dots: Vec<Expr> = k.motion.speed_dots.iter().map(|v| alg.var(*v)).collect();
                let with = vec3::Linear {
                    coef: p.velocity.coef.clone(),
                    bias: p.acceleration_bias.clone(),
                };
                Mixed::single(p.frame, with.value(&dots))
            }
            Vector::AngularVelocity { frame, within } => {
                match self.over_few_joints(k, *frame, *within)? {
                    Some(spin) => spin,
                    None => {
                        let omega = |f: FrameId| -> Result<Mixed, Fault> {
                            Ok(Mixed::single(f, self.frame(k, f)?.omega_value.clone()))
                        };
                        let mut m = omega(*frame)?;
                        m.add(&omega(*within)?.scaled(&Expr::int(-1)));
                        m
                    }
                }
            }
            Vector::AngularAcceleration { frame, within } => {
                let w = Vector::AngularVelocity {
                    frame: *frame,
                    within: *within,
                };
                return self.vector(
                    alg,
                    k,
                    &Vector::Derivative {
                        vector: Box::new(w),
                        frame: *within,
                    },
                );
            }
            Vector::Momentum(body) => {
                let m = self.body(alg, k, *body)?;
                let p = self.point(k, m.center)?;
                Mixed::single(p.frame, vec3::scale(&m.mass, &p.velocity_value))
            }
            Vector::AngularMomentum { body, about } => {
                let m = self.body(alg, k, *body)?;
                let p = self.point(k, m.center)?;
                let momentum = vec3::scale(&m.mass, &p.velocity_value);
                let momentum = Mixed::single(p.frame, momentum);
                let mut arm = p.position.clone();
                arm.add(&self.point(k, *about)?.position.scaled(&Expr::int(-1)));
                let mut sum = cross(alg, k, &arm, &momentum);
                if let Some((f, inertia)) = &m.rotation {
                    let w = &self.frame(k, *f)?.omega_value;
                    sum.add_part(*f, &vec3::apply(inertia, w));
                }
                sum
            }
            Vector::Derivative { vector, frame } => {
                let m = self.vector(alg, k, vector)?;
                let own = Mixed::single(*frame, self.frame(k, *frame)?.omega_value.clone());
                let mut flow = k.motion.flow(alg, self.vars, true);
                let mut sum = Mixed::default();
                for (f, v) in &m.parts {
                    let rate: Vec3 = std::array::from_fn(|i| alg.derivative(&v[i], &mut flow));
                    sum.add_part(*f, &rate);
                    let mut w = Mixed::single(*f, self.frame(k, *f)?.omega_value.clone());
                    w.add(&own.scaled(&Expr::int(-1)));
                    sum.add(&cross(alg, k, &w, &Mixed::single(*f, v.clone())));
                }
                sum
            }
        })
    }

    fn point<'k>(
        &self,
        k: &'k Kinematics,
        p: crate::model::system::PointId,
    ) -> Result<&'k super::kinematics::PointMotion, Fault> {
        k.points
            .get(p.index())
            .ok_or_else(|| Fault::internal("a point is used before it is placed"))
    }

    fn frame<'k>(
        &self,
        k: &'k Kinematics,
        f: FrameId,
    ) -> Result<&'k super::kinematics::FrameMotion, Fault> {
        k.frames
            .get(f.index())
            .ok_or_else(|| Fault::internal("a frame is used before it is oriented"))
    }

    /// Generalized active forces conjugate to the speeds of the motion, of a list of loads.
    pub fn generalized_forces(
        &self,
        alg: &mut Algebra,
        k: &Kinematics,
        loads: &[crate::model::system::Load],
    ) -> Result<Vec<Expr>, Vec<crate::diag::Diagnostic>> {
        let mut q = vec![Expr::zero(); k.motion.speeds.len()];
        let mut errors = Vec::new();
        for load in loads {
            if let Err(fault) = self.one_load(alg, k, &load.kind, &mut q) {
                errors.push(fault.at(load.span));
            }
        }
        if errors.is_empty() {
            Ok(q)
        } else {
            Err(errors)
        }
    }

    fn one_load(
        &self,
        alg: &mut Algebra,
        k: &Kinematics,
        load: &LoadKind,
        q: &mut [Expr],
    ) -> Result<(), Fault> {
        let check = |alg: &Algebra, e: &Expr| {
            if alg.depends(e, &|v| k.motion.speed_dots.contains(&v)) {
                return Err(Fault::new(
                    "E0117",
                    "a load depends on accelerations",
                    "this load contains an acceleration",
                    "loads may depend on positions, velocities, time and inputs; eomgen adds the inertia forces itself",
                ));
            }
            Ok(())
        };
        match load {
            LoadKind::Force { point, vector } => {
                let f = self.vector(alg, k, vector)?;
                let p = &k.points[point.index()];
                let f = self.components(alg, k, &f, p.frame, "force");
                f.iter().try_for_each(|e| check(alg, e))?;
                for (i, beta) in &p.velocity.coef {
                    q[*i] = &q[*i] + vec3::dot(beta, &f);
                }
            }
            LoadKind::Torque { frame, vector } => {
                let t = self.vector(alg, k, vector)?;
                let t = self.components(alg, k, &t, *frame, "torque");
                t.iter().try_for_each(|e| check(alg, e))?;
                for (i, gamma) in &k.frames[frame.index()].omega.coef {
                    q[*i] = &q[*i] + vec3::dot(gamma, &t);
                }
            }
            LoadKind::Generalized { coord, value } => {
                let v = self.scalar(alg, k, value)?;
                check(alg, &v)?;
                for (i, h) in &k.motion.rates[coord.index()].coef {
                    q[*i] = &q[*i] + h * &v;
                }
            }
        }
        Ok(())
    }
}

pub(super) fn cross(alg: &mut Algebra, k: &Kinematics, a: &Mixed, b: &Mixed) -> Mixed {
    let mut sum = Mixed::default();
    for (f, u) in &a.parts {
        for (g, v) in &b.parts {
            let v = k.express(alg, v, *g, *f, "part");
            sum.add_part(*f, &vec3::cross(u, &v));
        }
    }
    sum
}
