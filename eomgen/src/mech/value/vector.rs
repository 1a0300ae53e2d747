//! Vectors.

use super::Evaluator;
use crate::mech::Fault;
use crate::mech::mixed::Mixed;
use crate::mech::vec3::{self, Vec3};
use crate::model::system::{ConstraintId, ConstraintRelation, FrameId, PointId, Quantity, Vector};
use crate::sym::Expr;

impl Evaluator<'_, '_> {
    /// A vector.
    pub fn vector(&mut self, v: &Vector) -> Result<Mixed, Fault> {
        Ok(match v {
            Vector::Zero => Mixed::default(),
            Vector::Basis(f, axis) => Mixed::basis(*f, *axis),
            Vector::Let(l) => match &self.values.system.lets[l.index()].value {
                Quantity::Vector(v) => match self.vectors.get(&l.index()) {
                    Some(known) => known.clone(),
                    None => {
                        let v = self.vector(v)?;
                        self.vectors.insert(l.index(), v.clone());
                        v
                    }
                },
                Quantity::Scalar(_) => {
                    return Err(Fault::internal("a scalar name stands for a vector"));
                }
            },
            Vector::Reaction(c) => self.vector_reaction(*c)?,
            Vector::ReactionOn {
                constraint,
                axis,
                site,
            } => self.reaction_on(constraint.index(), *axis, *site)?,
            Vector::Neg(a) => self.vector(a)?.opposite(),
            Vector::Add(a, b) => {
                let mut m = self.vector(a)?;
                m.add(&self.vector(b)?);
                m
            }
            Vector::Sub(a, b) => {
                let a = self.vector(a)?;
                a.minus(&self.vector(b)?)
            }
            Vector::Scale(s, a) => {
                let s = self.scalar(s)?;
                self.vector(a)?.scaled(&s)
            }
            Vector::Cross(a, b) => {
                let (a, b) = (self.vector(a)?, self.vector(b)?);
                self.k.cross(self.alg, &a, &b)
            }
            Vector::Between { from, to } => self.k.arm(*from, *to)?,
            Vector::Velocity { point, frame } => self.velocity(*point, *frame)?,
            Vector::Acceleration { point, frame } => self.acceleration(*point, *frame)?,
            Vector::AngularVelocity { frame, within } => self.angular_velocity(*frame, *within)?,
            Vector::AngularAcceleration { frame, within } => {
                let w = self.angular_velocity(*frame, *within)?;
                self.derivative(&w, *within)?
            }
            Vector::Momentum(body) => {
                let m = self.body(*body)?;
                self.momentum(&m)?
            }
            Vector::AngularMomentum { body, about } => {
                let m = self.body(*body)?;
                let arm = self.k.arm(*about, m.center)?;
                let momentum = self.momentum(&m)?;
                let mut sum = self.k.cross(self.alg, &arm, &momentum);
                sum.add(&self.spin(&m)?);
                sum
            }
            Vector::Derivative { vector, frame } => {
                let m = self.vector(vector)?;
                self.derivative(&m, *frame)?
            }
        })
    }

    fn vector_reaction(&self, c: ConstraintId) -> Result<Mixed, Fault> {
        let stated = self.values.system.constraints.get(c.index());
        let Some(ConstraintRelation::Vector { frame, .. }) = stated.map(|c| &c.relation) else {
            return Err(Fault::internal("a scalar reaction stands for a vector"));
        };
        match self.values.vars.reactions.get(c.index()).map(Vec::as_slice) {
            Some(&[x, y, z]) => Ok(Mixed::single(*frame, [x, y, z].map(|v| self.alg.var(v)))),
            _ => Err(Fault::internal("a reaction has no symbol")),
        }
    }

    /// A velocity as seen from a frame, which rotates about O: d/dt of the position from O in it.
    fn velocity(&mut self, point: PointId, frame: FrameId) -> Result<Mixed, Fault> {
        let p = self.k.point(point)?;
        let v = Mixed::single(p.frame, p.velocity_value.clone());
        if frame == FrameId(0) {
            return Ok(v);
        }
        let w = self.k.omega(frame)?;
        Ok(v.minus(&self.k.cross(self.alg, &w, &p.position)))
    }

    fn acceleration(&mut self, point: PointId, frame: FrameId) -> Result<Mixed, Fault> {
        if frame != FrameId(0) {
            let v = self.velocity(point, frame)?;
            return self.derivative(&v, frame);
        }
        let p = self.k.point(point)?;
        let dots = self.k.motion.dot_values(self.alg);
        Ok(Mixed::single(
            p.frame,
            self.k.acceleration(self.alg, point, &dots),
        ))
    }

    /// The change of a vector as seen from a frame.
    fn derivative(&mut self, m: &Mixed, frame: FrameId) -> Result<Mixed, Fault> {
        let own = self.k.omega(frame)?;
        let mut flow = self.k.motion.flow(self.alg, self.values.vars, true);
        let mut sum = Mixed::default();
        for (f, v) in &m.parts {
            let rate: Vec3 = std::array::from_fn(|i| self.alg.derivative(&v[i], &mut flow));
            sum.add_part(*f, &rate);
            let w = self.k.omega(*f)?.minus(&own);
            let part = Mixed::single(*f, v.clone());
            sum.add(&self.k.cross(self.alg, &w, &part));
        }
        Ok(sum)
    }

    /// The angular velocity of a frame relative to another. Over few joints it is the sum of theirs: how both frames move does not enter.
    fn angular_velocity(&self, frame: FrameId, within: FrameId) -> Result<Mixed, Fault> {
        if within != FrameId(0)
            && let Some(spin) = self.over_few_joints(frame, within)?
        {
            return Ok(spin);
        }
        Ok(self.k.omega(frame)?.minus(&self.k.omega(within)?))
    }

    /// The angular velocity of a frame relative to one that few joints away from it, joint by joint.
    fn over_few_joints(&self, frame: FrameId, within: FrameId) -> Result<Option<Mixed>, Fault> {
        // From either end so many joints inward.
        let inward = |from: FrameId| -> Result<Vec<FrameId>, Fault> {
            let mut path = vec![from];
            while let Some(last) = path.last()
                && path.len() <= FEW_JOINTS
                && let Some(parent) = self.k.frame(*last)?.parent
            {
                path.push(parent);
            }
            Ok(path)
        };
        let (own, others) = (inward(frame)?, inward(within)?);
        let met = own
            .iter()
            .enumerate()
            .find_map(|(i, f)| Some((i, others.iter().position(|g| g == f)?)));
        let Some((i, j)) = met.filter(|(i, j)| i + j <= FEW_JOINTS) else {
            return Ok(None);
        };
        let mut sum = Mixed::default();
        for f in &own[..i] {
            sum.add_part(*f, &self.k.frame(*f)?.relative_value);
        }
        for f in &others[..j] {
            let spin = &self.k.frame(*f)?.relative_value;
            sum.add_part(*f, &vec3::scale(&Expr::int(-1), spin));
        }
        Ok(Some(sum))
    }
}

/// Over more steps than this a relative angular velocity is the difference of those relative to N. A ball joint is three steps.
const FEW_JOINTS: usize = 4;
