//! Values and derivatives up to the second order of a user function given as a formula, by forward
//! differentiation in floating point.

use crate::ir::interpret::Jet;
use crate::model::System;
use crate::model::system::{Builtin, Comparison, Condition, Quantity, Scalar};
use num_traits::ToPrimitive;

/// Where a formula is evaluated.
pub(super) struct Place<'a> {
    pub system: &'a System,
    pub t: f64,
    pub params: &'a [f64],
    pub coords: &'a [f64],
    pub inputs: &'a [f64],
}

/// A number with gradient and Hessian in n directions.
#[derive(Clone, Debug)]
struct Dual {
    v: f64,
    g: Vec<f64>,
    h: Vec<f64>,
}

impl Dual {
    fn constant(v: f64, n: usize) -> Self {
        Self {
            v,
            g: vec![0.0; n],
            h: vec![0.0; n * n],
        }
    }

    fn variable(v: f64, i: usize, n: usize) -> Self {
        let mut d = Self::constant(v, n);
        d.g[i] = 1.0;
        d
    }

    /// `f(self)` with the derivatives of f there.
    fn map(&self, f: f64, f1: f64, f2: f64) -> Self {
        let n = self.g.len();
        let mut d = Self::constant(f, n);
        for i in 0..n {
            d.g[i] = f1 * self.g[i];
            for j in 0..n {
                d.h[i * n + j] = f1 * self.h[i * n + j] + f2 * self.g[i] * self.g[j];
            }
        }
        d
    }

    fn linear(&self, a: f64, o: &Self, b: f64) -> Self {
        let pairs = |x: &[f64], y: &[f64]| x.iter().zip(y).map(|(x, y)| a * x + b * y).collect();
        Self {
            v: a * self.v + b * o.v,
            g: pairs(&self.g, &o.g),
            h: pairs(&self.h, &o.h),
        }
    }

    fn times(&self, o: &Self) -> Self {
        let n = self.g.len();
        let mut d = self.linear(o.v, o, self.v);
        d.v = self.v * o.v;
        for i in 0..n {
            for j in 0..n {
                d.h[i * n + j] += self.g[i] * o.g[j] + self.g[j] * o.g[i];
            }
        }
        d
    }

    fn inverse(&self) -> Self {
        let r = 1.0 / self.v;
        self.map(r, -r * r, 2.0 * r * r * r)
    }
}

/// Evaluates `formula` with the declared arguments of function `index` replaced by `args`.
pub(super) fn evaluate(
    place: &Place<'_>,
    index: usize,
    formula: &Scalar,
    args: &[f64],
) -> Result<Jet, String> {
    let declared = &place.system.functions[index].args;
    let n = args.len();
    let d = walk(
        place,
        formula,
        &|s| {
            declared
                .iter()
                .position(|a| a == s)
                .map(|i| Dual::variable(args[i], i, n))
        },
        n,
    )?;
    Ok(Jet {
        value: d.v,
        gradient: d.g,
        hessian: d.h,
    })
}

fn walk(
    p: &Place<'_>,
    s: &Scalar,
    argument: &dyn Fn(&Scalar) -> Option<Dual>,
    n: usize,
) -> Result<Dual, String> {
    if let Some(d) = argument(s) {
        return Ok(d);
    }
    let at = |s: &Scalar| walk(p, s, argument, n);
    let known = |v: Option<&f64>| {
        v.map(|v| Dual::constant(*v, n))
            .ok_or_else(|| "a value is missing".to_string())
    };
    Ok(match s {
        Scalar::Number(r) => Dual::constant(r.to_f64().unwrap_or(f64::NAN), n),
        Scalar::Pi => Dual::constant(std::f64::consts::PI, n),
        Scalar::Time => Dual::constant(p.t, n),
        Scalar::Param(i) => known(p.params.get(i.index()))?,
        Scalar::Coord(i) => known(p.coords.get(i.index()))?,
        Scalar::Input(i) => known(p.inputs.get(i.index()))?,
        Scalar::Let(l) => match &p.system.lets[l.index()].value {
            Quantity::Scalar(s) => at(s)?,
            Quantity::Vector(_) => {
                return Err("a vector has no place in a function of scalars".into());
            }
        },
        Scalar::Neg(a) => {
            let a = at(a)?;
            a.linear(-1.0, &a, 0.0)
        }
        Scalar::Add(a, b) => at(a)?.linear(1.0, &at(b)?, 1.0),
        Scalar::Sub(a, b) => at(a)?.linear(1.0, &at(b)?, -1.0),
        Scalar::Mul(a, b) => at(a)?.times(&at(b)?),
        Scalar::Div(a, b) => at(a)?.times(&at(b)?.inverse()),
        Scalar::Pow(a, b) => power(&at(a)?, &at(b)?),
        Scalar::Call(f, args) => {
            let args = args.iter().map(at).collect::<Result<Vec<_>, _>>()?;
            call(*f, &args)?
        }
        Scalar::If {
            condition,
            then,
            other,
        } => at(if holds(condition, &at)? { then } else { other })?,
        Scalar::Speed(_)
        | Scalar::Rate(_)
        | Scalar::Dot(..)
        | Scalar::Norm(_)
        | Scalar::Reaction { .. }
        | Scalar::Joint(_)
        | Scalar::Kinetic(_)
        | Scalar::Function { .. } => {
            return Err("the formula of a function may contain its arguments, coordinates, parameters, inputs, numbers and elementary functions".into());
        }
    })
}

fn holds(c: &Condition, at: &dyn Fn(&Scalar) -> Result<Dual, String>) -> Result<bool, String> {
    Ok(match c {
        Condition::Compare(test, left, right) => {
            let (l, r) = (at(left)?.v, at(right)?.v);
            match test {
                Comparison::Less => l < r,
                Comparison::LessEqual => l <= r,
                Comparison::Greater => l > r,
                Comparison::GreaterEqual => l >= r,
            }
        }
        Condition::And(a, b) => holds(a, at)? && holds(b, at)?,
        Condition::Or(a, b) => holds(a, at)? || holds(b, at)?,
        Condition::Not(a) => !holds(a, at)?,
    })
}

fn power(a: &Dual, b: &Dual) -> Dual {
    let constant = b.g.iter().chain(&b.h).all(|x| *x == 0.0);
    if constant {
        let e = b.v;
        return a.map(
            a.v.powf(e),
            if e == 0.0 { 0.0 } else { e * a.v.powf(e - 1.0) },
            if e * (e - 1.0) == 0.0 {
                0.0
            } else {
                e * (e - 1.0) * a.v.powf(e - 2.0)
            },
        );
    }
    // a^b = exp(b ln a)
    let r = 1.0 / a.v;
    let l = a.map(a.v.ln(), r, -r * r).times(b);
    let e = l.v.exp();
    l.map(e, e, e)
}

fn call(f: Builtin, args: &[Dual]) -> Result<Dual, String> {
    let [a, rest @ ..] = args else {
        return Err("a function without arguments".into());
    };
    let (x, b) = (a.v, rest.first());
    let second = || b.ok_or_else(|| "an argument is missing".to_string());
    Ok(match f {
        Builtin::Sin => a.map(x.sin(), x.cos(), -x.sin()),
        Builtin::Cos => a.map(x.cos(), -x.sin(), -x.cos()),
        Builtin::Tan => {
            let t = x.tan();
            a.map(t, 1.0 + t * t, 2.0 * t * (1.0 + t * t))
        }
        Builtin::Asin => {
            let r = 1.0 / (1.0 - x * x).sqrt();
            a.map(x.asin(), r, x * r * r * r)
        }
        Builtin::Acos => {
            let r = 1.0 / (1.0 - x * x).sqrt();
            a.map(x.acos(), -r, -x * r * r * r)
        }
        Builtin::Atan => {
            let r = 1.0 / (1.0 + x * x);
            a.map(x.atan(), r, -2.0 * x * r * r)
        }
        Builtin::Atan2 => {
            let b = second()?;
            let (y, x) = (a, b);
            let q = if x.v.abs() >= y.v.abs() {
                y.times(&x.inverse())
            } else {
                x.times(&y.inverse())
            };
            let r = 1.0 / (1.0 + q.v * q.v);
            let mut d = q.map(q.v.atan(), r, -2.0 * q.v * r * r);
            if x.v.abs() < y.v.abs() {
                d = d.linear(-1.0, &d, 0.0);
            }
            d.v = y.v.atan2(x.v);
            d
        }
        Builtin::Sinh => a.map(x.sinh(), x.cosh(), x.sinh()),
        Builtin::Cosh => a.map(x.cosh(), x.sinh(), x.cosh()),
        Builtin::Tanh => {
            let t = x.tanh();
            a.map(t, 1.0 - t * t, -2.0 * t * (1.0 - t * t))
        }
        Builtin::Asinh => {
            let d = 1.0 / (x * x + 1.0).sqrt();
            a.map(x.asinh(), d, -x * d * d * d)
        }
        Builtin::Acosh => {
            let d = 1.0 / (x * x - 1.0).sqrt();
            a.map(x.acosh(), d, -x * d * d * d)
        }
        Builtin::Atanh => {
            let d = 1.0 / (1.0 - x * x);
            a.map(x.atanh(), d, 2.0 * x * d * d)
        }
        Builtin::Sqrt => {
            let r = x.sqrt();
            a.map(r, 0.5 / r, -0.25 / (r * r * r))
        }
        Builtin::Exp => a.map(x.exp(), x.exp(), x.exp()),
        Builtin::Ln => a.map(x.ln(), 1.0 / x, -1.0 / (x * x)),
        Builtin::Abs => a.map(x.abs(), if x < 0.0 { -1.0 } else { 1.0 }, 0.0),
        Builtin::Sign => a.map(if x == 0.0 { 0.0 } else { x.signum() }, 0.0, 0.0),
        Builtin::Min => {
            let b = second()?;
            if x <= b.v { a.clone() } else { b.clone() }
        }
        Builtin::Max => {
            let b = second()?;
            if x >= b.v { a.clone() } else { b.clone() }
        }
    })
}
