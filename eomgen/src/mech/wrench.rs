//! What a scalar's change is made of: with the variation of `f` written as a sum of `force . dr_P`, `torque . dphi_B` and
//! `g dq`, the forces at points and torques on frames that do the work of `df`. Read off the model's own expressions, so that a constraint
//! acts where it is stated. Knows nothing of bodies and of how a force is borne.
//!
//! Order 0 is the change with the positions, order 1 with the velocities (positions held), order 2 with the accelerations. Since
//! `d(f')/d(q') = df/dq`, a derivative passes the question on to what is differentiated, one order lower.

use super::Fault;
use super::kinematics::Kinematics;
use super::mass;
use super::value::{Mixed, Values};
use super::vec3;
use crate::function::Elementary;
use crate::model::system::{ConstraintRelation, FrameId, PointId, Quantity, Scalar, Site, Vector};
use crate::sym::{Algebra, Class, Expr};
use std::collections::BTreeMap;

/// Forces at points, torques on frames, and generalized forces on coordinates that are named as such.
#[derive(Clone, Debug, Default)]
pub struct Wrench {
    /// Forces by point.
    pub forces: BTreeMap<PointId, Mixed>,
    /// Torques by frame.
    pub torques: BTreeMap<FrameId, Mixed>,
    /// Generalized forces by coordinate.
    pub generalized: BTreeMap<usize, Expr>,
}

impl Wrench {
    /// Adds a force at a point.
    pub fn push_force(&mut self, p: PointId, force: &Mixed) {
        self.forces.entry(p).or_default().add(force);
    }

    /// Adds a torque on a frame.
    pub fn push_torque(&mut self, f: FrameId, torque: &Mixed) {
        self.torques.entry(f).or_default().add(torque);
    }

    /// Adds another one.
    pub fn add(&mut self, other: &Wrench) {
        for (p, f) in &other.forces {
            self.push_force(*p, f);
        }
        for (f, t) in &other.torques {
            self.push_torque(*f, t);
        }
        for (c, g) in &other.generalized {
            self.push_generalized(*c, g);
        }
    }

    /// Adds a generalized force on a coordinate.
    pub fn push_generalized(&mut self, c: usize, value: &Expr) {
        let sum = self.generalized.entry(c).or_insert_with(Expr::zero);
        *sum = &*sum + value;
    }

    /// What acts on a site.
    pub fn on(&self, site: Site) -> Option<&Mixed> {
        match site {
            Site::Point(p) => self.forces.get(&p),
            Site::Frame(f) => self.torques.get(&f),
        }
    }

    /// Leaves out what is identically zero.
    pub fn prune(&mut self, alg: &Algebra) {
        let zero = |m: &Mixed| m.parts.values().flatten().all(|e| alg.is_zero(e));
        self.forces.retain(|_, m| !zero(m));
        self.torques.retain(|_, m| !zero(m));
        self.generalized.retain(|_, e| !alg.is_zero(e));
    }

    /// Generalized forces conjugate to the speeds of the kinematics, those on named coordinates included.
    pub fn generalized_forces(&self, alg: &mut Algebra, k: &Kinematics) -> Vec<Expr> {
        let mut q = vec![Expr::zero(); k.motion.speeds.len()];
        for (p, force) in &self.forces {
            let p = &k.points[p.index()];
            let f = in_frame(alg, k, force, p.frame);
            for (i, beta) in &p.velocity.coef {
                q[*i] = &q[*i] + vec3::dot(beta, &f);
            }
        }
        for (f, torque) in &self.torques {
            let t = in_frame(alg, k, torque, *f);
            for (i, gamma) in &k.frames[f.index()].omega.coef {
                q[*i] = &q[*i] + vec3::dot(gamma, &t);
            }
        }
        for (c, value) in &self.generalized {
            for (i, h) in &k.motion.rates[*c].coef {
                q[*i] = &q[*i] + h * value;
            }
        }
        q
    }
}

/// Components of a vector in a frame.
pub fn in_frame(alg: &mut Algebra, k: &Kinematics, v: &Mixed, frame: FrameId) -> vec3::Vec3 {
    let mut sum = vec3::zero();
    for (f, u) in &v.parts {
        sum = vec3::add(&sum, &k.express(alg, u, *f, frame, "part"));
    }
    sum
}

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
        let mut wrench = Wrench::default();
        let mut vary = Variation {
            values: self,
            alg,
            k,
            wrench: &mut wrench,
        };
        vary.scalar(s, order, weight)?;
        wrench.prune(alg);
        Ok(wrench)
    }

    /// For each row of a constraint (its component, and the order that its left side less its right side has): what the row's variation is
    /// made of, so that a multiplier lambda applies lambda times these forces and torques.
    pub fn row_wrenches(
        &self,
        alg: &mut Algebra,
        k: &Kinematics,
        constraint: usize,
    ) -> Result<Vec<(usize, Wrench)>, Fault> {
        let stated = self.system.constraints.get(constraint);
        let stated = stated.ok_or_else(|| Fault::internal("a constraint does not exist"))?;
        let mut list = Vec::new();
        match &stated.relation {
            ConstraintRelation::Scalar { lhs, rhs } => {
                let e = self.scalar(alg, k, lhs)? - self.scalar(alg, k, rhs)?;
                let order = self.order(alg, k, &e);
                let difference = Scalar::Sub(Box::new(lhs.clone()), Box::new(rhs.clone()));
                let w = self.wrench(alg, k, &difference, order, &Expr::one())?;
                list.push((0, w));
            }
            ConstraintRelation::Vector { lhs, rhs, frame } => {
                let mut gap = self.vector(alg, k, lhs)?;
                gap.add(&self.vector(alg, k, rhs)?.scaled(&Expr::int(-1)));
                let components = self.components(alg, k, &gap, *frame, "gap");
                for (i, e) in components.iter().enumerate() {
                    let order = self.order(alg, k, e);
                    let mut axis = vec3::zero();
                    axis[i] = Expr::one();
                    let axis = Mixed::single(*frame, axis);
                    let mut wrench = Wrench::default();
                    let mut vary = Variation {
                        values: self,
                        alg,
                        k,
                        wrench: &mut wrench,
                    };
                    vary.vector(lhs, order, &axis)?;
                    vary.vector(rhs, order, &axis.scaled(&Expr::int(-1)))?;
                    if order == 0 {
                        // The axes turn as well.
                        vary.turned(*frame, &axis, &gap);
                    }
                    wrench.prune(alg);
                    list.push((i, wrench));
                }
            }
        }
        Ok(list)
    }

    /// The highest derivative in a value.
    fn order(&self, alg: &Algebra, k: &Kinematics, e: &Expr) -> u8 {
        if alg.depends(e, &|v| k.motion.speed_dots.contains(&v)) {
            2
        } else if alg.depends(e, &|v| k.motion.speeds.contains(&v)) {
            1
        } else {
            0
        }
    }
}

/// Goes through an expression from the outside, with what its value is worth.
struct Variation<'a, 'v> {
    values: &'a Values<'v>,
    alg: &'a mut Algebra,
    k: &'a Kinematics,
    wrench: &'a mut Wrench,
}

impl Variation<'_, '_> {
    fn value(&mut self, s: &Scalar) -> Result<Expr, Fault> {
        self.values.scalar(self.alg, self.k, s)
    }

    fn vector_value(&mut self, v: &Vector) -> Result<Mixed, Fault> {
        self.values.vector(self.alg, self.k, v)
    }

    fn scalar(&mut self, s: &Scalar, order: u8, weight: &Expr) -> Result<(), Fault> {
        if weight.is_literal_zero() {
            return Ok(());
        }
        match s {
            Scalar::Number(_)
            | Scalar::Pi
            | Scalar::Time
            | Scalar::Param(_)
            | Scalar::Input(_)
            | Scalar::Reaction { .. }
            | Scalar::Joint(_) => {}
            Scalar::Coord(c) => {
                if order == 0 {
                    self.wrench.push_generalized(c.index(), weight);
                }
            }
            Scalar::Speed(i) => {
                let value = &self.values.system.speeds[i.index()].value;
                self.scalar(value, order, weight)?;
            }
            Scalar::Let(l) => {
                if let Quantity::Scalar(v) = &self.values.system.lets[l.index()].value {
                    self.scalar(v, order, weight)?;
                }
            }
            Scalar::Rate(inner) => {
                if let Some(lower) = order.checked_sub(1) {
                    self.scalar(inner, lower, weight)?;
                }
            }
            Scalar::Neg(a) => self.scalar(a, order, &-weight)?,
            Scalar::Add(a, b) => {
                self.scalar(a, order, weight)?;
                self.scalar(b, order, weight)?;
            }
            Scalar::Sub(a, b) => {
                self.scalar(a, order, weight)?;
                self.scalar(b, order, &-weight)?;
            }
            Scalar::Mul(a, b) => {
                let (x, y) = (self.value(a)?, self.value(b)?);
                self.scalar(a, order, &(weight * y))?;
                self.scalar(b, order, &(weight * x))?;
            }
            Scalar::Div(a, b) => {
                let (x, y) = (self.value(a)?, self.value(b)?);
                self.scalar(a, order, &(weight / &y))?;
                self.scalar(b, order, &-(weight * x / y.powi(2)))?;
            }
            Scalar::Pow(a, b) => self.call(
                Elementary::Pow,
                &[(**a).clone(), (**b).clone()],
                order,
                weight,
            )?,
            Scalar::Call(f, args) => self.call(*f, args, order, weight)?,
            Scalar::Function { function, args } => {
                let values = args
                    .iter()
                    .map(|a| self.value(a))
                    .collect::<Result<Vec<_>, _>>()?;
                for (i, a) in args.iter().enumerate() {
                    let slope = self.alg.jet(function.0, vec![i as u32], values.clone());
                    self.scalar(a, order, &(weight * slope))?;
                }
            }
            Scalar::Dot(a, b) => {
                let (x, y) = (self.vector_value(a)?, self.vector_value(b)?);
                self.vector(a, order, &y.scaled(weight))?;
                self.vector(b, order, &x.scaled(weight))?;
            }
            Scalar::Norm(a) => {
                let length = self.value(s)?;
                let x = self.vector_value(a)?;
                self.vector(a, order, &x.scaled(&(weight / length)))?;
            }
            Scalar::If {
                condition,
                then,
                other,
            } => {
                let (w, zero) = (weight.clone(), Expr::zero());
                let first = self.values.choice(
                    self.alg,
                    self.k,
                    condition,
                    false,
                    w.clone(),
                    zero.clone(),
                )?;
                let second = self
                    .values
                    .choice(self.alg, self.k, condition, false, zero, w)?;
                self.scalar(then, order, &first)?;
                self.scalar(other, order, &second)?;
            }
            Scalar::Kinetic(body) => {
                if order == 1 {
                    self.momenta(*body, weight)?;
                }
            }
        }
        Ok(())
    }

    /// `weight` times the momentum and the angular momentum of a body, by which its kinetic energy changes with its velocities.
    fn momenta(&mut self, body: usize, weight: &Expr) -> Result<(), Fault> {
        let m = self.body(body)?;
        let p = &self.k.points[m.center.index()];
        let momentum = Mixed::single(p.frame, vec3::scale(&m.mass, &p.velocity_value));
        self.wrench.push_force(m.center, &momentum.scaled(weight));
        if let Some((f, inertia)) = &m.rotation {
            let w = &self.k.frames[f.index()].omega_value;
            let spin = Mixed::single(*f, vec3::apply(inertia, w));
            self.wrench.push_torque(*f, &spin.scaled(weight));
        }
        Ok(())
    }

    fn body(&mut self, body: usize) -> Result<mass::MassElement, Fault> {
        let stated = self.values.system.bodies.get(body);
        let stated = stated.ok_or_else(|| Fault::internal("a body does not exist"))?;
        mass::element(self.alg, self.values, self.k, stated)
    }

    /// A function of scalars, by its slopes.
    fn call(
        &mut self,
        f: Elementary,
        args: &[Scalar],
        order: u8,
        weight: &Expr,
    ) -> Result<(), Fault> {
        let values = args
            .iter()
            .map(|a| self.value(a))
            .collect::<Result<Vec<_>, _>>()?;
        let alg = &mut *self.alg;
        let arguments: Vec<_> = (0..args.len())
            .map(|i| alg.base(&format!("argument{i}"), Class::Parameter, None))
            .collect();
        let with: BTreeMap<_, _> = arguments.iter().copied().zip(values.clone()).collect();
        for (i, a) in args.iter().enumerate() {
            // Exponents and bounds that are numbers stay numbers.
            if self.alg.as_number(&values[i]).is_some() {
                continue;
            }
            let alg = &mut *self.alg;
            let formal = (0..args.len()).map(|j| match alg.as_number(&values[j]) {
                Some(_) => values[j].clone(),
                None => alg.var(arguments[j]),
            });
            let formal: Vec<Expr> = formal.collect();
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
        super::value::cross(self.alg, self.k, a, b)
    }

    /// A vector that turns with a frame: `weight . (dphi x v) = dphi . (v x weight)`.
    fn turned(&mut self, frame: FrameId, v: &Mixed, weight: &Mixed) {
        let torque = self.cross(v, weight);
        self.wrench.push_torque(frame, &torque);
    }

    fn vector(&mut self, v: &Vector, order: u8, weight: &Mixed) -> Result<(), Fault> {
        if weight.parts.is_empty() {
            return Ok(());
        }
        let opposite = |m: &Mixed| m.scaled(&Expr::int(-1));
        match v {
            Vector::Zero | Vector::Reaction(_) | Vector::ReactionOn { .. } => {}
            Vector::Basis(f, _) => {
                if order == 0 {
                    let axis = self.vector_value(v)?;
                    self.turned(*f, &axis, weight);
                }
            }
            Vector::Let(l) => {
                if let Quantity::Vector(v) = &self.values.system.lets[l.index()].value {
                    self.vector(v, order, weight)?;
                }
            }
            Vector::Neg(a) => self.vector(a, order, &opposite(weight))?,
            Vector::Add(a, b) => {
                self.vector(a, order, weight)?;
                self.vector(b, order, weight)?;
            }
            Vector::Sub(a, b) => {
                self.vector(a, order, weight)?;
                self.vector(b, order, &opposite(weight))?;
            }
            Vector::Scale(s, a) => {
                let (factor, x) = (self.value(s)?, self.vector_value(a)?);
                let along = self.values.dot(self.alg, self.k, weight, &x);
                self.scalar(s, order, &along)?;
                self.vector(a, order, &weight.scaled(&factor))?;
            }
            Vector::Cross(a, b) => {
                // g . (da x b) = da . (b x g), g . (a x db) = db . (g x a)
                let (x, y) = (self.vector_value(a)?, self.vector_value(b)?);
                let left = self.cross(&y, weight);
                let right = self.cross(weight, &x);
                self.vector(a, order, &left)?;
                self.vector(b, order, &right)?;
            }
            Vector::Between { from, to } => {
                if order == 0 {
                    self.wrench.push_force(*to, weight);
                    self.wrench.push_force(*from, &opposite(weight));
                }
            }
            Vector::Velocity { point, frame } => {
                if order == 1 {
                    self.moved(*point, *frame, weight);
                }
            }
            Vector::Acceleration { point, frame } => {
                if order == 2 {
                    self.moved(*point, *frame, weight);
                }
            }
            Vector::AngularVelocity { frame, within } => {
                if order == 1 {
                    self.wrench.push_torque(*frame, weight);
                    self.wrench.push_torque(*within, &opposite(weight));
                }
            }
            Vector::AngularAcceleration { frame, within } => {
                if order == 2 {
                    self.wrench.push_torque(*frame, weight);
                    self.wrench.push_torque(*within, &opposite(weight));
                }
            }
            Vector::Momentum(body) => {
                if order == 1 {
                    let m = self.body(*body)?;
                    self.wrench.push_force(m.center, &weight.scaled(&m.mass));
                }
            }
            Vector::AngularMomentum { body, about } => {
                if order == 1 {
                    let m = self.body(*body)?;
                    let mut arm = self.k.points[m.center.index()].position.clone();
                    arm.add(&opposite(&self.k.points[about.index()].position));
                    let force = self.cross(weight, &arm);
                    self.wrench.push_force(m.center, &force.scaled(&m.mass));
                    if let Some((f, inertia)) = &m.rotation {
                        let w = in_frame(self.alg, self.k, weight, *f);
                        let spin = Mixed::single(*f, vec3::apply(inertia, &w));
                        self.wrench.push_torque(*f, &spin);
                    }
                }
            }
            Vector::Derivative { vector, frame } => {
                // dv/dt less omega x v.
                let Some(lower) = order.checked_sub(1) else {
                    return Ok(());
                };
                self.vector(vector, lower, weight)?;
                if *frame == FrameId(0) {
                    return Ok(());
                }
                let w = Mixed::single(*frame, self.k.frames[frame.index()].omega_value.clone());
                if order == 1 {
                    let value = self.vector_value(vector)?;
                    self.turned(*frame, &value, &opposite(weight));
                }
                let carried = self.cross(weight, &w);
                self.vector(vector, order, &opposite(&carried))?;
            }
        }
        Ok(())
    }

    /// A point's velocity or acceleration as seen from a frame, which turns about O.
    fn moved(&mut self, point: PointId, frame: FrameId, weight: &Mixed) {
        self.wrench.push_force(point, weight);
        if frame != FrameId(0) {
            let place = self.k.points[point.index()].position.clone();
            self.turned(frame, &place, &weight.scaled(&Expr::int(-1)));
        }
    }
}
