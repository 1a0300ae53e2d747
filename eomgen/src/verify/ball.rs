//! Numbers known up to a bound. Constants of a generated text that had to be rounded to doubles stand for some number near
//! them; how far a result may be from the one meant follows from the bounds of what went into it. Rounding of the
//! arithmetic below is not counted: its own tolerance covers it.

use num_rational::BigRational;

use super::number::{Algebra, Elementary, EvalError, Number, UserFunction};

/// All numbers within `radius` of `center`.
#[derive(Clone, Debug, PartialEq)]
pub struct Ball<N> {
    /// The middle.
    pub center: N,
    /// How far others may be; not negative.
    pub radius: N,
}

impl<N: Number> Ball<N> {
    /// A number that is known.
    pub fn exact(center: N) -> Self {
        Self {
            center,
            radius: N::int(0),
        }
    }

    fn is_exact(&self) -> bool {
        self.radius.is_zero()
    }

    /// The value of a function that goes up or down all the way.
    fn monotone(&self, f: impl Fn(&N) -> Result<N, EvalError>) -> Result<Self, EvalError> {
        let center = f(&self.center)?;
        if self.is_exact() {
            return Ok(Self::exact(center));
        }
        let above = f(&self.center.add(&self.radius))?.sub(&center).size();
        let below = f(&self.center.sub(&self.radius))?.sub(&center).size();
        let radius = greater(above, below);
        Ok(Self { center, radius })
    }
}

fn greater<N: Number>(a: N, b: N) -> N {
    match a.is_less(&b) {
        Ok(true) => b,
        _ => a,
    }
}

impl<N: Number> Algebra for Ball<N> {
    fn int(value: i64) -> Self {
        Self::exact(N::int(value))
    }

    fn add(&self, other: &Self) -> Self {
        Self {
            center: self.center.add(&other.center),
            radius: self.radius.add(&other.radius),
        }
    }

    fn sub(&self, other: &Self) -> Self {
        Self {
            center: self.center.sub(&other.center),
            radius: self.radius.add(&other.radius),
        }
    }

    fn mul(&self, other: &Self) -> Self {
        let center = self.center.mul(&other.center);
        if self.is_exact() && other.is_exact() {
            return Self::exact(center);
        }
        // |ab - a'b'| <= |a| rb + |b| ra + ra rb
        let radius = self
            .center
            .size()
            .mul(&other.radius)
            .add(&other.center.size().mul(&self.radius))
            .add(&self.radius.mul(&other.radius));
        Self { center, radius }
    }

    fn neg(&self) -> Self {
        Self {
            center: self.center.neg(),
            radius: self.radius.clone(),
        }
    }

    fn div(&self, other: &Self) -> Result<Self, EvalError> {
        let center = self.center.div(&other.center)?;
        if self.is_exact() && other.is_exact() {
            return Ok(Self::exact(center));
        }
        // |a/b - a'/b'| <= (|a| rb + |b| ra)/(|b| (|b| - rb))
        let divisor = other.center.size();
        let least = divisor.sub(&other.radius);
        if !N::int(0).is_less(&least)? {
            return EvalError::singular("a divisor that may be zero");
        }
        let above = self
            .center
            .size()
            .mul(&other.radius)
            .add(&divisor.mul(&self.radius));
        let radius = above.div(&divisor.mul(&least))?;
        Ok(Self { center, radius })
    }

    fn elementary(function: Elementary, arguments: &[Self]) -> Result<Self, EvalError> {
        let centers: Vec<N> = arguments.iter().map(|a| a.center.clone()).collect();
        if arguments.iter().all(Self::is_exact) {
            return Ok(Self::exact(N::elementary(function, &centers)?));
        }
        let [x] = arguments else {
            return Self::of_two(function, arguments);
        };
        let of = |x: &N| N::elementary(function, std::slice::from_ref(x));
        match function {
            // The slope is at most 1.
            Elementary::Sin | Elementary::Cos => Ok(Self {
                center: of(&x.center)?,
                radius: x.radius.clone(),
            }),
            Elementary::Tan => {
                let sine = Self::elementary(Elementary::Sin, arguments)?;
                sine.div(&Self::elementary(Elementary::Cos, arguments)?)
            }
            Elementary::Cosh => {
                // The slope is at most sinh(|x| + r).
                let end = Self::exact(x.center.size().add(&x.radius));
                let slope = end.function(Elementary::Sinh)?;
                Ok(Self {
                    center: of(&x.center)?,
                    radius: slope.center.mul(&x.radius),
                })
            }
            _ => x.monotone(of),
        }
    }
}

impl<N: Number> Number for Ball<N> {
    fn rational(value: &BigRational) -> Result<Self, EvalError> {
        Ok(Self::exact(N::rational(value)?))
    }

    fn pi() -> Self {
        Self::exact(N::pi())
    }

    fn is_zero(&self) -> bool {
        self.center.is_zero()
    }

    fn user_function(of: &UserFunction, arguments: &[Self]) -> Result<Self, EvalError> {
        let centers: Vec<N> = arguments.iter().map(|a| a.center.clone()).collect();
        let radii = arguments.iter().map(|a| &a.radius);
        let radius = radii.fold(N::int(0), |sum, r| sum.add(r));
        // Sums of a few sines: a derivative of order k is below ten times 2^k.
        let order: u32 = of.orders().sum();
        Ok(Self {
            center: N::user_function(of, &centers)?,
            radius: radius.mul(&N::int(20 << order.min(8))),
        })
    }

    fn is_less(&self, other: &Self) -> Result<bool, EvalError> {
        let apart = self.center.sub(&other.center).size();
        let near = self.radius.add(&other.radius);
        if !near.is_zero() && !near.is_less(&apart)? {
            return EvalError::singular("a comparison of numbers that may be equal");
        }
        self.center.is_less(&other.center)
    }

    fn less_of(&self, other: &Self) -> Result<Self, EvalError> {
        let apart = self.center.sub(&other.center).size();
        let near = self.radius.add(&other.radius);
        if !near.is_zero() && !near.is_less(&apart)? {
            // Whichever it is, it is not farther from either than they may be from one another.
            return Ok(Self {
                center: self.center.clone(),
                radius: near.add(&apart),
            });
        }
        let less = self.center.is_less(&other.center)?;
        Ok(if less { self } else { other }.clone())
    }

    fn agrees(&self, other: &Self, scale: &Self) -> bool {
        let apart = self.center.sub(&other.center).size();
        let near = self.radius.add(&other.radius);
        let within = matches!(near.is_less(&apart), Ok(false));
        within || self.center.agrees(&other.center, &scale.center)
    }

    fn magnitude(&self) -> i64 {
        let apart = self.center.size();
        if self.is_exact() || matches!(self.radius.is_less(&apart), Ok(true)) {
            self.center.magnitude()
        } else {
            // It may be zero.
            i64::MIN
        }
    }

    fn show(&self) -> String {
        if self.is_exact() {
            self.center.show()
        } else {
            format!("{} within {}", self.center.show(), self.radius.show())
        }
    }
}

impl<N: Number> Ball<N> {
    fn of_two(function: Elementary, arguments: &[Self]) -> Result<Self, EvalError> {
        let [a, b] = arguments else {
            return EvalError::unsupported("a function without arguments");
        };
        match function {
            // x^y = exp(y ln x)
            Elementary::Pow => {
                let ln = a.function(Elementary::Ln)?;
                Self::elementary(Elementary::Exp, &[b.mul(&ln)])
            }
            Elementary::Atan2 => {
                // The gradient's length is 1/r, and at most twice that as long as the radii are below r/2.
                let square = a.center.mul(&a.center).add(&b.center.mul(&b.center));
                let r = square.function(Elementary::Sqrt)?;
                let radius = a.radius.add(&b.radius);
                if !radius.add(&radius).is_less(&r)? {
                    return EvalError::singular("the angle of a point that may be 0");
                }
                let centers = [a.center.clone(), b.center.clone()];
                Ok(Self {
                    center: N::elementary(function, &centers)?,
                    radius: radius.add(&radius).div(&r)?,
                })
            }
            _ => EvalError::unsupported("a function of two numbers"),
        }
    }
}
