//! What a scalar's change is made of: with the variation of `f` written as a sum of `force . dr_P`, `torque . dphi_B` and
//! `g dq`, the forces at points and torques on frames that do the work of `df`. Read off the model's own expressions, so that a constraint
//! acts where it is stated. Knows nothing of how a force is transmitted.
//!
//! Order 0 is the change with the positions, order 1 with the velocities (positions held), order 2 with the accelerations. Since
//! `d(f')/d(q') = df/dq`, a derivative passes the question on to what is differentiated, one order lower.

use super::Fault;
use super::kinematics::Kinematics;
use super::mass::MassElement;
use super::mixed::Mixed;
use super::value::{Evaluator, Values};
use super::vec3;
use super::wrench::Wrench;
use crate::function::Elementary;
use crate::model::system::{ConstraintRelation, FrameId, PointId, Quantity, Scalar, Site, Vector};
use crate::sym::{Algebra, Class, Expr};
use std::collections::BTreeMap;

impl Values<'_> {
    /// `weight` times what the variation of a scalar is made of.
    pub fn wrench(
        &self,
        alg: &mut Algebra,
        k: &Kinematics,
        s: &Scalar,
        order: u8,
        weight: &Expr,
    ) -> Result<Wrench, Fault> {
        let mut vary = Variation::of(self, alg, k);
        vary.scalar(s, order, weight)?;
        Ok(vary.finish())
    }

    /// For each row of a constraint (its component): what the variation of its left side less its right side is made of, at the order that
    /// this has, so that a multiplier lambda applies lambda times these forces and torques.
    pub fn row_wrenches(
        &self,
        alg: &mut Algebra,
        k: &Kinematics,
        constraint: usize,
    ) -> Result<Vec<(usize, Wrench)>, Fault> {
        let stated = self.system.constraints.get(constraint);
        let stated = stated.ok_or_else(|| Fault::internal("a constraint does not exist"))?;
        match &stated.relation {
            ConstraintRelation::Scalar { lhs, rhs } => {
                let mut at = self.with(alg, k);
                let e = at.scalar(lhs)? - at.scalar(rhs)?;
                let order = at.order(&e);
                let mut vary = Variation::of(self, alg, k);
                vary.scalar(lhs, order, &Expr::one())?;
                vary.scalar(rhs, order, &-Expr::one())?;
                Ok(vec![(0, vary.finish())])
            }
            ConstraintRelation::Vector { lhs, rhs, frame } => {
                let mut at = self.with(alg, k);
                let gap = at.vector(lhs)?.minus(&at.vector(rhs)?);
                let components = k.components(alg, &gap, *frame, "gap");
                let mut list = Vec::with_capacity(3);
                for (i, e) in components.iter().enumerate() {
                    let axis = Mixed::single(*frame, vec3::unit(i));
                    let mut vary = Variation::of(self, alg, k);
                    let order = vary.at.order(e);
                    vary.vector(lhs, order, &axis)?;
                    vary.vector(rhs, order, &axis.opposite())?;
                    if order == 0 {
                        // The axes rotate as well.
                        vary.rotated(*frame, &axis, &gap);
                    }
                    list.push((i, vary.finish()));
                }
                Ok(list)
            }
        }
    }
}

impl Values<'_> {
    /// What the variation of the left side of a constraint between vectors less its right side is made of along an axis, which may turn: where the constraint holds
    /// it makes no difference.
    pub fn wrench_along(
        &self,
        alg: &mut Algebra,
        k: &Kinematics,
        constraint: usize,
        axis: &Mixed,
    ) -> Result<Wrench, Fault> {
        let stated = self.system.constraints.get(constraint);
        let Some(ConstraintRelation::Vector { lhs, rhs, .. }) = stated.map(|c| &c.relation) else {
            return Err(Fault::internal(
                "a constraint between vectors does not exist",
            ));
        };
        let mut at = self.with(alg, k);
        let gap = at.vector(lhs)?.minus(&at.vector(rhs)?);
        let order = gap.parts.values().flatten().map(|e| at.order(e)).max();
        let order = order.unwrap_or(0);
        let mut vary = Variation::of(self, alg, k);
        vary.vector(lhs, order, axis)?;
        vary.vector(rhs, order, &axis.opposite())?;
        Ok(vary.finish())
    }
}

/// Goes through an expression from the outside, with what its value is worth.
struct Variation<'e, 'v> {
    at: Evaluator<'e, 'v>,
    wrench: Wrench,
}

impl<'e, 'v> Variation<'e, 'v> {
    fn of(values: &Values<'v>, alg: &'e mut Algebra, k: &'e Kinematics) -> Self {
        Self {
            at: values.with(alg, k),
            wrench: Wrench::default(),
        }
    }

    fn finish(mut self) -> Wrench {
        self.wrench.prune(self.at.alg);
        self.wrench
    }

    fn scalar(&mut self, s: &Scalar, order: u8, weight: &Expr) -> Result<(), Fault> {
        if weight.is_literal_zero() {
            return Ok(());
        }
        let system = self.at.values.system;
        match s {
            Scalar::Number(_)
            | Scalar::Pi
            | Scalar::Time
            | Scalar::Param(_)
            | Scalar::State(_)
            | Scalar::Input(_)
            | Scalar::Reaction { .. }
            | Scalar::Joint(_) => Ok(()),
            Scalar::Coord(c) => {
                if order == 0 {
                    self.wrench.push_generalized(c.index(), weight);
                }
                Ok(())
            }
            Scalar::Speed(i) => self.scalar(&system.speeds[i.index()].value, order, weight),
            Scalar::Let(l) => match &system.lets[l.index()].value {
                Quantity::Scalar(v) => self.scalar(v, order, weight),
                Quantity::Vector(_) => Ok(()),
            },
            Scalar::Rate(inner) => match order.checked_sub(1) {
                Some(lower) => self.scalar(inner, lower, weight),
                None => Ok(()),
            },
            Scalar::Neg(a) => self.scalar(a, order, &-weight),
            Scalar::Add(a, b) => {
                self.scalar(a, order, weight)?;
                self.scalar(b, order, weight)
            }
            Scalar::Sub(a, b) => {
                self.scalar(a, order, weight)?;
                self.scalar(b, order, &-weight)
            }
            Scalar::Mul(..) | Scalar::Div(..) | Scalar::Dot(..) | Scalar::Norm(_) => {
                self.product(s, order, weight)
            }
            Scalar::Pow(a, b) => {
                let args = [(**a).clone(), (**b).clone()];
                self.call(Elementary::Pow, &args, order, weight)
            }
            Scalar::Call(f, args) => self.call(*f, args, order, weight),
            Scalar::Function { function, args } => {
                let values = self.at.scalars(args)?;
                for (i, a) in args.iter().enumerate() {
                    let slope = self.at.alg.jet(function.0, vec![i as u32], values.clone());
                    self.scalar(a, order, &(weight * slope))?;
                }
                Ok(())
            }
            Scalar::If {
                condition,
                then,
                other,
            } => {
                let (w, zero) = (weight.clone(), Expr::zero());
                let first = self.at.choice(condition, false, w.clone(), zero.clone())?;
                let second = self.at.choice(condition, false, zero, w)?;
                self.scalar(then, order, &first)?;
                self.scalar(other, order, &second)
            }
            Scalar::Kinetic(body) if order == 1 => self.momenta(*body, weight),
            Scalar::Kinetic(_) => Ok(()),
        }
    }

    /// Products, quotients and lengths: each factor varies with what the others are worth.
    fn product(&mut self, s: &Scalar, order: u8, weight: &Expr) -> Result<(), Fault> {
        match s {
            Scalar::Mul(a, b) => {
                let (x, y) = (self.at.scalar(a)?, self.at.scalar(b)?);
                self.scalar(a, order, &(weight * y))?;
                self.scalar(b, order, &(weight * x))
            }
            Scalar::Div(a, b) => {
                let (x, y) = (self.at.scalar(a)?, self.at.scalar(b)?);
                self.scalar(a, order, &(weight / &y))?;
                self.scalar(b, order, &-(weight * x / y.powi(2)))
            }
            Scalar::Dot(a, b) => {
                let (x, y) = (self.at.vector(a)?, self.at.vector(b)?);
                self.vector(a, order, &y.scaled(weight))?;
                self.vector(b, order, &x.scaled(weight))
            }
            Scalar::Norm(a) => {
                let length = self.at.scalar(s)?;
                let x = self.at.vector(a)?;
                self.vector(a, order, &x.scaled(&(weight / length)))
            }
            _ => Err(Fault::internal("this is no product")),
        }
    }

    /// `weight` times the momentum and the angular momentum of a body, by which its kinetic energy changes with its velocities.
    fn momenta(&mut self, body: usize, weight: &Expr) -> Result<(), Fault> {
        let m = self.at.body(body)?;
        let momentum = self.at.momentum(&m)?;
        self.wrench.push_force(m.center, &momentum.scaled(weight));
        if let Some((f, _)) = &m.rotation {
            let spin = self.at.spin(&m)?;
            self.wrench.push_torque(*f, &spin.scaled(weight));
        }
        Ok(())
    }

    /// A function of scalars, by its slopes.
    fn call(
        &mut self,
        f: Elementary,
        args: &[Scalar],
        order: u8,
        weight: &Expr,
    ) -> Result<(), Fault> {
        let values = self.at.scalars(args)?;
        let alg = &mut *self.at.alg;
        let arguments: Vec<_> = (0..args.len())
            .map(|i| alg.base(&format!("argument{i}"), Class::Parameter, None))
            .collect();
        let with: BTreeMap<_, _> = arguments.iter().copied().zip(values.clone()).collect();
        for (i, a) in args.iter().enumerate() {
            let alg = &mut *self.at.alg;
            // Exponents and bounds that are numbers stay numbers.
            if alg.as_number(&values[i]).is_some() {
                continue;
            }
            let formal: Vec<Expr> = (0..args.len())
                .map(|j| match alg.as_number(&values[j]) {
                    Some(_) => values[j].clone(),
                    None => alg.var(arguments[j]),
                })
                .collect();
            let applied = alg.apply(f, formal);
            let slope = alg.partial(&applied, arguments[i]);
            let mut memo = rustc_hash::FxHashMap::default();
            let slope = alg.restrict(&slope, &with, &mut memo);
            self.scalar(a, order, &(weight * slope))?;
        }
        Ok(())
    }

    /// `a x b`, component by component of the frames that they are given in.
    fn cross(&mut self, a: &Mixed, b: &Mixed) -> Mixed {
        self.at.k.cross(self.at.alg, a, b)
    }

    /// A vector that rotates with a frame: `weight . (dphi x v) = dphi . (v x weight)`.
    fn rotated(&mut self, frame: FrameId, v: &Mixed, weight: &Mixed) {
        let torque = self.cross(v, weight);
        self.wrench.push_torque(frame, &torque);
    }

    fn vector(&mut self, v: &Vector, order: u8, weight: &Mixed) -> Result<(), Fault> {
        if weight.parts.is_empty() {
            return Ok(());
        }
        match v {
            Vector::Zero | Vector::Reaction(_) | Vector::ReactionOn { .. } => Ok(()),
            Vector::Let(l) => match &self.at.values.system.lets[l.index()].value {
                Quantity::Vector(v) => self.vector(v, order, weight),
                Quantity::Scalar(_) => Ok(()),
            },
            Vector::Neg(a) => self.vector(a, order, &weight.opposite()),
            Vector::Add(a, b) => {
                self.vector(a, order, weight)?;
                self.vector(b, order, weight)
            }
            Vector::Sub(a, b) => {
                self.vector(a, order, weight)?;
                self.vector(b, order, &weight.opposite())
            }
            Vector::Scale(s, a) => {
                let (factor, x) = (self.at.scalar(s)?, self.at.vector(a)?);
                let along = self.at.k.dot(self.at.alg, weight, &x);
                self.scalar(s, order, &along)?;
                self.vector(a, order, &weight.scaled(&factor))
            }
            Vector::Cross(a, b) => {
                // g . (da x b) = da . (b x g), g . (a x db) = db . (g x a)
                let (x, y) = (self.at.vector(a)?, self.at.vector(b)?);
                let left = self.cross(&y, weight);
                let right = self.cross(weight, &x);
                self.vector(a, order, &left)?;
                self.vector(b, order, &right)
            }
            Vector::Derivative { vector, frame } => self.derivative(vector, *frame, order, weight),
            Vector::Basis(..) | Vector::Between { .. } if order == 0 => self.moved(v, weight),
            Vector::Velocity { .. }
            | Vector::AngularVelocity { .. }
            | Vector::Momentum(_)
            | Vector::AngularMomentum { .. }
                if order == 1 =>
            {
                self.moved(v, weight)
            }
            Vector::Acceleration { .. } | Vector::AngularAcceleration { .. } if order == 2 => {
                self.moved(v, weight)
            }
            _ => Ok(()),
        }
    }

    /// What moves by itself, at the order at which it does.
    fn moved(&mut self, v: &Vector, weight: &Mixed) -> Result<(), Fault> {
        match v {
            Vector::Basis(f, axis) => self.rotated(*f, &Mixed::basis(*f, *axis), weight),
            Vector::Between { from, to } => {
                self.relative(Site::Point(*to), Site::Point(*from), weight)
            }
            Vector::Velocity { point, frame } | Vector::Acceleration { point, frame } => {
                self.seen_from(*point, *frame, weight)?;
            }
            Vector::AngularVelocity { frame, within }
            | Vector::AngularAcceleration { frame, within } => {
                self.relative(Site::Frame(*frame), Site::Frame(*within), weight)
            }
            Vector::Momentum(body) => {
                let m = self.at.body(*body)?;
                self.wrench.push_force(m.center, &weight.scaled(&m.mass));
            }
            Vector::AngularMomentum { body, about } => {
                let m = self.at.body(*body)?;
                self.angular_momentum(&m, *about, weight)?;
            }
            _ => return Err(Fault::internal("this does not move by itself")),
        }
        Ok(())
    }

    fn relative(&mut self, site: Site, other: Site, weight: &Mixed) {
        self.wrench.push(site, weight);
        self.wrench.push(other, &weight.opposite());
    }

    /// A point's velocity or acceleration as seen from a frame, which rotates about O.
    fn seen_from(&mut self, point: PointId, frame: FrameId, weight: &Mixed) -> Result<(), Fault> {
        self.wrench.push_force(point, weight);
        if frame != FrameId(0) {
            let position = &self.at.k.point(point)?.position;
            self.rotated(frame, position, &weight.opposite());
        }
        Ok(())
    }

    fn angular_momentum(
        &mut self,
        m: &MassElement,
        about: PointId,
        weight: &Mixed,
    ) -> Result<(), Fault> {
        let arm = self.at.k.arm(about, m.center)?;
        let force = self.cross(weight, &arm);
        self.wrench.push_force(m.center, &force.scaled(&m.mass));
        if let Some((f, inertia)) = &m.rotation {
            let w = self.at.k.components(self.at.alg, weight, *f, "part");
            let spin = Mixed::single(*f, vec3::apply(inertia, &w));
            self.wrench.push_torque(*f, &spin);
        }
        Ok(())
    }

    /// dv/dt less omega x v.
    fn derivative(
        &mut self,
        v: &Vector,
        frame: FrameId,
        order: u8,
        weight: &Mixed,
    ) -> Result<(), Fault> {
        let Some(lower) = order.checked_sub(1) else {
            return Ok(());
        };
        self.vector(v, lower, weight)?;
        if frame == FrameId(0) {
            return Ok(());
        }
        let w = self.at.k.omega(frame)?;
        if order == 1 {
            let value = self.at.vector(v)?;
            self.rotated(frame, &value, &weight.opposite());
        }
        let convected = self.cross(weight, &w);
        self.vector(v, order, &convected.opposite())
    }
}
