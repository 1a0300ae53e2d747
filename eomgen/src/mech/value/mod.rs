//! Values of the model's scalar and vector expressions under a parametrisation of the velocities.

mod body;
mod loads;
mod scalar;
mod vector;

use std::collections::BTreeMap;

use super::Fault;
use super::kinematics::Kinematics;
use super::mixed::Mixed;
use super::vars::Vars;
use crate::model::System;
use crate::model::system::{Quantity, Scalar, Vector};
use crate::sym::{Algebra, Expr};

/// Evaluates model expressions.
#[derive(Clone, Copy)]
pub struct Values<'a> {
    /// The model.
    pub system: &'a System,
    /// Its symbols.
    pub vars: &'a Vars,
}

/// An evaluation under way: the expressions' values grow in the algebra, frames and points move as the kinematics says.
pub struct Evaluator<'e, 'v> {
    /// The model and its symbols.
    pub values: Values<'v>,
    /// The algebra.
    pub alg: &'e mut Algebra,
    /// The kinematics.
    pub k: &'e Kinematics,
    /// The `let`s that were evaluated: one that is mentioned twice in each of many others is so once, not 2^many times.
    scalars: BTreeMap<usize, Expr>,
    vectors: BTreeMap<usize, Mixed>,
}

impl<'v> Values<'v> {
    /// Evaluation with this kinematics.
    pub fn with<'e>(&self, alg: &'e mut Algebra, k: &'e Kinematics) -> Evaluator<'e, 'v> {
        let values = *self;
        Evaluator {
            values,
            alg,
            k,
            scalars: BTreeMap::new(),
            vectors: BTreeMap::new(),
        }
    }

    /// A scalar.
    pub fn scalar(&self, alg: &mut Algebra, k: &Kinematics, s: &Scalar) -> Result<Expr, Fault> {
        self.with(alg, k).scalar(s)
    }

    /// A vector.
    pub fn vector(&self, alg: &mut Algebra, k: &Kinematics, v: &Vector) -> Result<Mixed, Fault> {
        self.with(alg, k).vector(v)
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
            | Scalar::State(_)
            | Scalar::Input(_) => true,
            _ => false,
        }
    }
}

impl Evaluator<'_, '_> {
    /// A scalar that must depend on position, time and parameters only.
    pub fn position_scalar(&mut self, s: &Scalar) -> Result<Expr, Fault> {
        let e = self.scalar(s)?;
        self.refuse_motion(&e)?;
        Ok(e)
    }

    /// A vector that must depend on position, time and parameters only.
    pub fn position_vector(&mut self, v: &Vector) -> Result<Mixed, Fault> {
        let m = self.vector(v)?;
        let mut components = m.parts.values().flatten();
        components.try_for_each(|e| self.refuse_motion(e))?;
        Ok(m)
    }

    fn refuse_motion(&self, e: &Expr) -> Result<(), Fault> {
        let (motion, vars) = (&self.k.motion, self.values.vars);
        let moving =
            |v| motion.speeds.contains(&v) || motion.speed_dots.contains(&v) || vars.is_external(v);
        if !self.alg.depends(e, &moving) {
            return Ok(());
        }
        Err(Fault::new(
            "E0112",
            "a position cannot depend on rates, speeds, states or inputs",
            "this depends on a rate, a speed, a state or an input",
            "use coordinates, parameters, functions of them and `t`; a prescribed velocity is a constraint",
        ))
    }

    /// The highest derivative of the coordinates in a value.
    pub fn order(&self, e: &Expr) -> u8 {
        let motion = &self.k.motion;
        if self.alg.depends(e, &|v| motion.speed_dots.contains(&v)) {
            2
        } else if self.alg.depends(e, &|v| motion.speeds.contains(&v)) {
            1
        } else {
            0
        }
    }
}
