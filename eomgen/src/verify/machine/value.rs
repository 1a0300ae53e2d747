//! Values of the model's expressions along a motion.

use super::instant::{Instant, kept};
use super::vector::{self, Vec3};
use crate::function::Elementary as Builtin;
use crate::model::system::{Comparison, Condition, FrameId, Quantity, Scalar, SpeedId, Vector};
use crate::verify::number::{Algebra, Elementary, EvalError, Number};
use crate::verify::series::Series;
use std::array::from_fn;

const INERTIAL: FrameId = FrameId(0);

fn mixed_up() -> EvalError {
    EvalError::Unsupported("a scalar stands for a vector, or a vector for a scalar".into())
}

impl<E: Number> Instant<'_, E> {
    /// A scalar.
    pub fn scalar(&self, s: &Scalar) -> Result<Series<E>, EvalError> {
        Ok(match s {
            Scalar::Number(r) => Series::fixed(E::rational(r)?),
            Scalar::Pi => Series::fixed(E::pi()),
            Scalar::Time => self.motion.time.clone(),
            Scalar::Param(p) => Series::fixed(self.motion.params[p.index()].clone()),
            Scalar::Coord(c) => self.motion.coords[c.index()].clone(),
            Scalar::Speed(id) => self.speed(*id)?,
            Scalar::State(i) => Series(vec![self.motion.states[i.index()].clone()]),
            Scalar::Input(i) => Series(vec![self.motion.inputs[i.index()].clone()]),
            Scalar::Function { function, args } => {
                let args = self.scalars(args)?;
                Series::user_function(
                    &self.functions.function(function.index(), args.len()),
                    &args,
                )?
            }
            Scalar::Let(l) => {
                let value = &self.system.lets[l.index()].value;
                let Quantity::Scalar(value) = value else {
                    return Err(mixed_up());
                };
                let found = kept(&self.scalars, l.index(), || self.scalar(value))?;
                (*found).clone()
            }
            Scalar::Rate(a) => match **a {
                Scalar::State(i) => self.scalar(&self.system.states[i.index()].rate)?,
                _ => self.scalar(a)?.rate(),
            },
            Scalar::Neg(a) => self.scalar(a)?.neg(),
            Scalar::Add(a, b) => self.scalar(a)?.add(&self.scalar(b)?),
            Scalar::Sub(a, b) => self.scalar(a)?.sub(&self.scalar(b)?),
            Scalar::Mul(a, b) => self.scalar(a)?.mul(&self.scalar(b)?),
            Scalar::Div(a, b) => self.scalar(a)?.div(&self.scalar(b)?)?,
            Scalar::Pow(a, b) => self.power(a, b)?,
            Scalar::Call(f, args) => builtin(*f, &self.scalars(args)?)?,
            Scalar::Dot(a, b) => vector::dot(&self.vector(a)?, &self.vector(b)?),
            Scalar::Norm(a) => vector::norm(&self.vector(a)?)?,
            Scalar::Reaction { constraint, axis } => {
                let own = &self.motion.reactions[constraint.index()];
                Series(vec![own[axis.map_or(0, |a| a as usize)].clone()])
            }
            Scalar::Joint(j) => match self.motion.joints.get(j.index()) {
                Some(Some(value)) => Series(vec![value.clone()]),
                Some(None) => return Err(super::solution::between()),
                None => return EvalError::unsupported("a reaction inside of a load"),
            },
            Scalar::If {
                condition,
                then,
                other,
            } => {
                if self.holds(condition)? {
                    self.scalar(then)?
                } else {
                    self.scalar(other)?
                }
            }
            Scalar::Kinetic(body) => self.kinetic(*body)?,
        })
    }

    fn scalars(&self, list: &[Scalar]) -> Result<Vec<Series<E>>, EvalError> {
        list.iter().map(|s| self.scalar(s)).collect()
    }

    /// A declared speed.
    pub fn speed(&self, id: SpeedId) -> Result<Series<E>, EvalError> {
        let value = &self.system.speeds[id.index()].value;
        let found = kept(&self.speeds, id.index(), || self.scalar(value))?;
        Ok((*found).clone())
    }

    /// Whole powers are products: they have a value for any base.
    fn power(&self, a: &Scalar, b: &Scalar) -> Result<Series<E>, EvalError> {
        let base = self.scalar(a)?;
        let whole = match b {
            Scalar::Number(r) => whole(r, false),
            Scalar::Neg(inner) => match &**inner {
                Scalar::Number(r) => whole(r, true),
                _ => None,
            },
            _ => None,
        };
        let Some(n) = whole else {
            return Series::elementary(Elementary::Pow, &[base, self.scalar(b)?]);
        };
        base.powi(n)
    }

    fn holds(&self, condition: &Condition) -> Result<bool, EvalError> {
        Ok(match condition {
            Condition::Compare(test, a, b) => {
                let (a, b) = (self.scalar(a)?, self.scalar(b)?);
                let (a, b) = (a.now()?, b.now()?);
                match test {
                    Comparison::Less => a.is_less(b)?,
                    Comparison::Greater => b.is_less(a)?,
                    Comparison::LessEqual => !b.is_less(a)?,
                    Comparison::GreaterEqual => !a.is_less(b)?,
                }
            }
            Condition::And(a, b) => self.holds(a)? && self.holds(b)?,
            Condition::Or(a, b) => self.holds(a)? || self.holds(b)?,
            Condition::Not(a) => !self.holds(a)?,
        })
    }

    /// A vector.
    pub fn vector(&self, v: &Vector) -> Result<Vec3<E>, EvalError> {
        Ok(match v {
            Vector::Zero => vector::zero(),
            Vector::Basis(f, axis) => vector::basis(&self.frame(*f)?.rotation, *axis as usize),
            Vector::Let(l) => {
                let value = &self.system.lets[l.index()].value;
                let Quantity::Vector(value) = value else {
                    return Err(mixed_up());
                };
                let found = kept(&self.vectors, l.index(), || self.vector(value))?;
                (*found).clone()
            }
            Vector::Reaction(c) => {
                use crate::model::system::ConstraintRelation;
                let frame = match &self.system.constraints[c.index()].relation {
                    ConstraintRelation::Vector { frame, .. } => *frame,
                    ConstraintRelation::Scalar { .. } => return Err(mixed_up()),
                };
                let own = &self.motion.reactions[c.index()];
                let own = from_fn(|i| Series(vec![own[i].clone()]));
                vector::outward(&self.frame(frame)?.rotation, &own)
            }
            Vector::ReactionOn {
                constraint,
                axis,
                site,
            } => self.constraint_force(constraint.index(), axis.map(|a| a as usize), *site)?,
            Vector::Neg(a) => vector::neg(&self.vector(a)?),
            Vector::Add(a, b) => vector::add(&self.vector(a)?, &self.vector(b)?),
            Vector::Sub(a, b) => vector::sub(&self.vector(a)?, &self.vector(b)?),
            Vector::Scale(s, a) => vector::scale(&self.scalar(s)?, &self.vector(a)?),
            Vector::Cross(a, b) => vector::cross(&self.vector(a)?, &self.vector(b)?),
            Vector::Between { from, to } => vector::sub(&*self.point(*to)?, &*self.point(*from)?),
            Vector::Velocity { point, frame } => self.seen(&*self.point(*point)?, *frame)?,
            Vector::Acceleration { point, frame } => {
                let velocity = self.seen(&*self.point(*point)?, *frame)?;
                self.seen(&velocity, *frame)?
            }
            Vector::AngularVelocity { frame, within } => {
                vector::sub(&self.frame(*frame)?.omega, &self.frame(*within)?.omega)
            }
            Vector::AngularAcceleration { frame, within } => {
                let omega = vector::sub(&self.frame(*frame)?.omega, &self.frame(*within)?.omega);
                self.seen(&omega, *within)?
            }
            Vector::Momentum(body) => {
                let body = &self.system.bodies[*body];
                let velocity = vector::rate(&*self.point(body.center)?);
                vector::scale(&self.scalar(&body.mass)?, &velocity)
            }
            Vector::AngularMomentum { body, about } => {
                let momentum = self.vector(&Vector::Momentum(*body))?;
                let center = self.point(self.system.bodies[*body].center)?;
                let arm = vector::sub(&center, &*self.point(*about)?);
                let orbital = vector::cross(&arm, &momentum);
                match self.own_momentum(*body)? {
                    Some(own) => vector::add(&orbital, &own),
                    None => orbital,
                }
            }
            Vector::Derivative { vector, frame } => {
                let value = self.vector(vector)?;
                self.seen(&value, *frame)?
            }
        })
    }

    /// Derivative as seen from a frame: its components there are what changes.
    fn seen(&self, v: &Vec3<E>, frame: FrameId) -> Result<Vec3<E>, EvalError> {
        if frame == INERTIAL {
            return Ok(vector::rate(v));
        }
        let rotation = &self.frame(frame)?.rotation;
        let own = vector::own(rotation, v);
        Ok(vector::outward(rotation, &vector::rate(&own)))
    }

    /// Angular momentum of a rigid body about its mass centre.
    fn own_momentum(&self, body: usize) -> Result<Option<Vec3<E>>, EvalError> {
        let Some(inertia) = self.inertia(body)? else {
            return Ok(None);
        };
        let Some(rigid) = &self.system.bodies[body].rigid else {
            return Ok(None);
        };
        let omega = &self.frame(rigid.frame)?.omega;
        let rotation = &self.frame(rigid.axes)?.rotation;
        let own = vector::own(rotation, omega);
        let momentum: Vec3<E> = from_fn(|i| {
            let row: Vec3<E> = from_fn(|j| Series::fixed(inertia[i][j].clone()));
            vector::dot(&row, &own)
        });
        Ok(Some(vector::outward(rotation, &momentum)))
    }

    /// Kinetic energy of a body.
    pub fn kinetic(&self, body: usize) -> Result<Series<E>, EvalError> {
        let b = &self.system.bodies[body];
        let velocity = vector::rate(&*self.point(b.center)?);
        let mut twice = self
            .scalar(&b.mass)?
            .mul(&vector::dot(&velocity, &velocity));
        if let (Some(momentum), Some(rigid)) = (self.own_momentum(body)?, &b.rigid) {
            let omega = &self.frame(rigid.frame)?.omega;
            twice = twice.add(&vector::dot(omega, &momentum));
        }
        twice.div(&Series::int(2))
    }

    /// Inertia of a rigid body about its mass centre, in the axes in which it is given: by Steiner's theorem from that about
    /// another point.
    pub fn inertia(&self, body: usize) -> Result<Option<[[E; 3]; 3]>, EvalError> {
        let b = &self.system.bodies[body];
        let Some(rigid) = &b.rigid else {
            return Ok(None);
        };
        let mut entries = Vec::with_capacity(6);
        for e in &rigid.inertia {
            entries.push(self.scalar(e)?.now()?.clone());
        }
        let place = |i: usize, j: usize| match (i.min(j), i.max(j)) {
            (0, 1) => 3,
            (1, 2) => 4,
            (0, 2) => 5,
            (k, _) => k,
        };
        let mut tensor: [[E; 3]; 3] = from_fn(|i| from_fn(|j| entries[place(i, j)].clone()));
        if rigid.about != b.center {
            let mass = self.scalar(&b.mass)?.now()?.clone();
            let arm = vector::sub(&*self.point(rigid.about)?, &*self.point(b.center)?);
            let arm = vector::own(&self.frame(rigid.axes)?.rotation, &arm);
            // Fixed in the body: its components do not change.
            let d = vector::now(&arm)?;
            let square = vector::dot(&d, &d);
            for i in 0..3 {
                for j in 0..3 {
                    let mut excess = d[i].mul(&d[j]).neg();
                    if i == j {
                        excess = excess.add(&square);
                    }
                    tensor[i][j] = tensor[i][j].sub(&mass.mul(&excess));
                }
            }
        }
        Ok(Some(tensor))
    }
}

fn whole(r: &crate::model::system::Rational, negative: bool) -> Option<i64> {
    use num_traits::ToPrimitive;
    let n = r.is_integer().then(|| r.to_integer().to_i64()).flatten()?;
    (n.abs() <= 1000).then_some(if negative { -n } else { n })
}

fn builtin<E: Number>(f: Builtin, args: &[Series<E>]) -> Result<Series<E>, EvalError> {
    use Elementary as F;
    let direct = match f {
        Builtin::Sin => F::Sin,
        Builtin::Cos => F::Cos,
        Builtin::Tan => F::Tan,
        Builtin::Asin => F::Asin,
        Builtin::Acos => F::Acos,
        Builtin::Atan => F::Atan,
        Builtin::Atan2 => F::Atan2,
        Builtin::Sinh => F::Sinh,
        Builtin::Cosh => F::Cosh,
        Builtin::Tanh => F::Tanh,
        Builtin::Sqrt => F::Sqrt,
        Builtin::Exp => F::Exp,
        Builtin::Ln => F::Ln,
        _ => return indirect(f, args),
    };
    Series::elementary(direct, args)
}

/// Functions that are made of others.
fn indirect<E: Number>(f: Builtin, args: &[Series<E>]) -> Result<Series<E>, EvalError> {
    let [x, rest @ ..] = args else {
        return EvalError::unsupported("a function without arguments");
    };
    let zero = E::int(0);
    let negative = || x.now()?.is_less(&zero);
    Ok(match f {
        Builtin::Asinh => x.asinh()?,
        Builtin::Acosh => x.acosh()?,
        Builtin::Atanh => x.atanh()?,
        Builtin::Abs => {
            if negative()? {
                x.neg()
            } else {
                x.clone()
            }
        }
        Builtin::Sign => match (negative()?, zero.is_less(x.now()?)?) {
            (true, _) => Series::int(-1),
            (false, true) => Series::int(1),
            (false, false) => Series::int(0),
        },
        Builtin::Min | Builtin::Max => {
            let mut best = x;
            for y in rest {
                let less = y.now()?.is_less(best.now()?)?;
                if less == (f == Builtin::Min) && y.now()? != best.now()? {
                    best = y;
                }
            }
            best.clone()
        }
        other => return EvalError::unsupported(format!("{other:?}")),
    })
}
