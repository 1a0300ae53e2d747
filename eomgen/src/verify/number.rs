//! What a check calculates with. A model and a generated text are evaluated in the same arithmetic, so that the two results can
//! be compared: exactly in a prime field where everything is algebraic, with many digits otherwise.

mod angle;
mod decimal;
mod derivatives;
mod double;
mod functions;
mod graded;
mod modular;

pub use decimal::Decimal;
pub(super) use derivatives::derivatives;
pub use functions::{Functions, UserFunction};
pub use graded::{Graded, accident};
pub use modular::Modular;

use num_rational::BigRational;
use std::fmt::Debug;

/// Why something has no value in an arithmetic.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum EvalError {
    /// A division by zero, a root or a logarithm outside its domain: another state may have a value.
    #[error("{0}")]
    Singular(String),
    /// The arithmetic does not have the operation, as a prime field has no order and no exponential: another arithmetic has.
    #[error("{0}")]
    Unsupported(String),
}

impl EvalError {
    /// There is no value here.
    pub fn singular<T>(why: impl Into<String>) -> Result<T, Self> {
        Err(Self::Singular(why.into()))
    }

    /// There is no such operation.
    pub fn unsupported<T>(why: impl Into<String>) -> Result<T, Self> {
        Err(Self::Unsupported(why.into()))
    }
}

/// Functions of one or two numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Elementary {
    /// Square root.
    Sqrt,
    /// Sine.
    Sin,
    /// Cosine.
    Cos,
    /// Tangent.
    Tan,
    /// Arc sine.
    Asin,
    /// Arc cosine.
    Acos,
    /// Arc tangent.
    Atan,
    /// Arc tangent of y/x with its quadrant; arguments y, x.
    Atan2,
    /// Hyperbolic sine.
    Sinh,
    /// Hyperbolic cosine.
    Cosh,
    /// Hyperbolic tangent.
    Tanh,
    /// Exponential.
    Exp,
    /// Natural logarithm.
    Ln,
    /// A power; arguments base, exponent.
    Pow,
}

/// What numbers, and series of them, have in common.
pub trait Algebra: Clone + Debug {
    /// A whole number.
    fn int(value: i64) -> Self;
    /// Sum.
    #[must_use]
    fn add(&self, other: &Self) -> Self;
    /// Difference.
    #[must_use]
    fn sub(&self, other: &Self) -> Self {
        self.add(&other.neg())
    }
    /// Product.
    #[must_use]
    fn mul(&self, other: &Self) -> Self;
    /// Negative.
    #[must_use]
    fn neg(&self) -> Self;
    /// Quotient.
    fn div(&self, other: &Self) -> Result<Self, EvalError>;
    /// An elementary function of its arguments.
    fn elementary(function: Elementary, arguments: &[Self]) -> Result<Self, EvalError>;

    /// A function of one number.
    fn function(&self, function: Elementary) -> Result<Self, EvalError> {
        Self::elementary(function, std::slice::from_ref(self))
    }
    /// A power with a whole exponent.
    fn powi(&self, exponent: i64) -> Result<Self, EvalError> {
        let factors = 0..exponent.unsigned_abs();
        let power = factors.fold(Self::int(1), |product, _| product.mul(self));
        if exponent < 0 {
            Self::int(1).div(&power)
        } else {
            Ok(power)
        }
    }
    /// `ln(x + sqrt(x^2 + 1))`
    fn asinh(&self) -> Result<Self, EvalError> {
        let root = self
            .mul(self)
            .add(&Self::int(1))
            .function(Elementary::Sqrt)?;
        self.add(&root).function(Elementary::Ln)
    }
    /// `ln(x + sqrt(x^2 - 1))`
    fn acosh(&self) -> Result<Self, EvalError> {
        let root = self
            .mul(self)
            .sub(&Self::int(1))
            .function(Elementary::Sqrt)?;
        self.add(&root).function(Elementary::Ln)
    }
    /// `ln((1 + x)/(1 - x))/2`
    fn atanh(&self) -> Result<Self, EvalError> {
        let one = Self::int(1);
        let ratio = one.add(self).div(&one.sub(self))?;
        ratio.function(Elementary::Ln)?.div(&Self::int(2))
    }
}

/// An element of an arithmetic. Operations with rational numbers, and whether something is zero, are exact in a field and right up to
/// rounding elsewhere.
pub trait Number: Algebra + PartialEq {
    /// A rational number.
    fn rational(value: &BigRational) -> Result<Self, EvalError>;
    /// The ratio of a circle's circumference to its diameter.
    fn pi() -> Self;
    /// Whether it is zero: exactly in a field, exactly zero as a rounded number.
    fn is_zero(&self) -> bool;
    /// A user's function, or a derivative of one.
    fn user_function(_: &UserFunction, _: &[Self]) -> Result<Self, EvalError> {
        EvalError::unsupported("a user's function")
    }
    /// Whether it is less than another.
    fn is_less(&self, other: &Self) -> Result<bool, EvalError>;
    /// The less of the two.
    fn less_of(&self, other: &Self) -> Result<Self, EvalError> {
        Ok(if self.is_less(other)? { self } else { other }.clone())
    }
    /// Its absolute value; in a field, which has no order, the number itself.
    #[must_use]
    fn size(&self) -> Self {
        match self.is_less(&Self::int(0)) {
            Ok(true) => self.neg(),
            _ => self.clone(),
        }
    }
    /// Whether two results of the same quantity agree, as far as the arithmetic can tell: equal in a field, up to the stated error
    /// relative to `scale` (the size of what went into them) elsewhere.
    fn agrees(&self, other: &Self, scale: &Self) -> bool;
    /// How large it is among candidates for a pivot: the larger, the better. The least integer for zero only.
    fn magnitude(&self) -> i64;
    /// For a person to read.
    fn show(&self) -> String;
}
