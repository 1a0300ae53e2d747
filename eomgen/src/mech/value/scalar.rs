//! Scalars.

use super::Evaluator;
use crate::function::Elementary;
use crate::mech::Fault;
use crate::mech::vec3;
use crate::model::system::{Axis, Condition, ConstraintId, LetId, Quantity, Scalar, Sign, Vector};
use crate::sym::Expr;

impl Evaluator<'_, '_> {
    /// A scalar.
    pub fn scalar(&mut self, s: &Scalar) -> Result<Expr, Fault> {
        let vars = self.values.vars;
        Ok(match s {
            Scalar::Number(r) => Expr::rational(r),
            Scalar::Pi => self.alg.pi(),
            Scalar::Time => self.alg.var(vars.time),
            Scalar::Param(p) => self.alg.var(vars.params[p.index()]),
            Scalar::Coord(c) => self.alg.var(vars.coords[c.index()]),
            Scalar::State(i) => self.alg.var(vars.states[i.index()]),
            Scalar::Input(i) => self.alg.var(vars.inputs[i.index()]),
            Scalar::Joint(j) => self.alg.var(vars.joints[j.index()]),
            Scalar::Reaction { constraint, axis } => self.reaction(*constraint, *axis)?,
            Scalar::Speed(i) => match self.k.motion.declared.get(&i.index()) {
                Some(e) => e.clone(),
                None => self.scalar(&self.values.system.speeds[i.index()].value)?,
            },
            Scalar::Let(l) => self.named(*l)?,
            Scalar::Rate(inner) => self.rate(inner)?,
            Scalar::Neg(a) => -self.scalar(a)?,
            Scalar::Add(a, b) => self.scalar(a)? + self.scalar(b)?,
            Scalar::Sub(a, b) => self.scalar(a)? - self.scalar(b)?,
            Scalar::Mul(a, b) => self.scalar(a)? * self.scalar(b)?,
            Scalar::Div(a, b) => self.quotient(a, b)?,
            Scalar::Pow(a, b) => {
                let args = vec![self.scalar(a)?, self.scalar(b)?];
                self.alg.apply(Elementary::Pow, args)
            }
            Scalar::Call(f, args) => {
                let args = self.scalars(args)?;
                if let (Elementary::Sqrt, [a]) = (f, args.as_slice())
                    && matches!(self.alg.sign(a), Some(Sign::Positive | Sign::NonNegative))
                {
                    // As it is written its sign is seen, `(x/l)^2 + 1`, and no longer as it is kept, `(x^2 + l^2)/l^2`.
                    self.alg.assume_square(a);
                }
                self.alg.apply(*f, args)
            }
            Scalar::Function { function, args } => {
                let args = self.scalars(args)?;
                self.alg.jet(function.0, Vec::new(), args)
            }
            Scalar::Dot(a, b) => {
                let (a, b) = (self.vector(a)?, self.vector(b)?);
                self.k.dot(self.alg, &a, &b)
            }
            Scalar::Norm(a) => self.norm(a)?,
            Scalar::If {
                condition,
                then,
                other,
            } => {
                let (a, b) = (self.scalar(then)?, self.scalar(other)?);
                self.choice(condition, false, a, b)?
            }
            Scalar::Kinetic(body) => self.kinetic(*body)?,
        })
    }

    /// Several scalars.
    pub fn scalars(&mut self, list: &[Scalar]) -> Result<Vec<Expr>, Fault> {
        list.iter().map(|s| self.scalar(s)).collect()
    }

    fn reaction(&self, constraint: ConstraintId, axis: Option<Axis>) -> Result<Expr, Fault> {
        let component = axis.map_or(0, |a| a as usize);
        let list = self.values.vars.reactions.get(constraint.index());
        let symbol = list.and_then(|l| l.get(component));
        let symbol = symbol.ok_or_else(|| Fault::internal("a reaction has no symbol"))?;
        Ok(self.alg.var(*symbol))
    }

    fn named(&mut self, l: LetId) -> Result<Expr, Fault> {
        let stated = &self.values.system.lets[l.index()];
        let Quantity::Scalar(v) = &stated.value else {
            return Err(Fault::internal("a vector name stands for a scalar"));
        };
        if let Some(known) = self.scalars.get(&l.index()) {
            return Ok(known.clone());
        }
        let e = self.scalar(v)?;
        let e = self.alg.define(&stated.meta.name, e);
        self.scalars.insert(l.index(), e.clone());
        Ok(e)
    }

    /// The rate of change along the motion.
    fn rate(&mut self, of: &Scalar) -> Result<Expr, Fault> {
        if let Scalar::Coord(c) = of {
            return Ok(self.k.motion.rate_values[c.index()].clone());
        }
        if let Scalar::State(i) = of {
            return self.scalar(&self.values.system.states[i.index()].rate);
        }
        let e = self.scalar(of)?;
        let mut flow = self.k.motion.flow(self.alg, self.values.vars, true);
        Ok(self.alg.derivative(&e, &mut flow))
    }

    fn quotient(&mut self, a: &Scalar, b: &Scalar) -> Result<Expr, Fault> {
        let (a, b) = (self.scalar(a)?, self.scalar(b)?);
        if self.alg.is_zero(&b) {
            return Err(Fault::new(
                "E0302",
                "division by zero",
                "a denominator here is identically zero",
                "divide by something that is not identically zero",
            ));
        }
        Ok(a / b)
    }

    fn norm(&mut self, v: &Vector) -> Result<Expr, Fault> {
        let v = self.vector(v)?;
        let square = match v.parts.last_key_value() {
            // In one frame it is a sum of squares; as long as these are not multiplied out, rounding cannot make it negative.
            Some((frame, _)) if !self.alg.is_closed() => {
                let c = self.k.components(self.alg, &v, *frame, "part");
                let c = self.k.define_vec(self.alg, c, "part");
                vec3::dot(&c, &c)
            }
            _ => self.k.dot(self.alg, &v, &v),
        };
        self.alg.assume_square(&square);
        Ok(self.alg.apply(Elementary::Sqrt, vec![square]))
    }

    /// `a` where the condition holds (or where it does not, if `not`), else `b`.
    pub fn choice(
        &mut self,
        condition: &Condition,
        not: bool,
        a: Expr,
        b: Expr,
    ) -> Result<Expr, Fault> {
        match condition {
            Condition::Compare(test, left, right) => {
                let (left, right) = (self.scalar(left)?, self.scalar(right)?);
                let (then, other) = if not { (b, a) } else { (a, b) };
                let choice = Elementary::choice(*test);
                Ok(self.alg.apply(choice, vec![left, right, then, other]))
            }
            Condition::Not(c) => self.choice(c, !not, a, b),
            Condition::And(x, y) | Condition::Or(x, y) => {
                // not (x and y) is not x or not y.
                let both = matches!(condition, Condition::And(..)) != not;
                if both {
                    let inner = self.choice(y, not, a, b.clone())?;
                    self.choice(x, not, inner, b)
                } else {
                    let inner = self.choice(y, not, a.clone(), b)?;
                    self.choice(x, not, a, inner)
                }
            }
        }
    }
}
