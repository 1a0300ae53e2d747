//! What a check calculates with. A model and a generated text are evaluated in the same arithmetic, so that the two results can
//! be compared: exactly in a prime field where everything is algebraic, with many digits otherwise.

mod angle;
mod decimal;
mod graded;
mod modular;

pub use decimal::Decimal;
pub use graded::{Graded, accident};
pub use modular::Modular;

use num_rational::BigRational;
use std::fmt::Debug;

/// Why something has no value in an arithmetic.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum EvalError {
    /// A division by zero, a root or a logarithm outside its domain: another state may have a value.
    Singular(String),
    /// The arithmetic does not have the operation, as a prime field has no order and no exponential: another arithmetic has.
    Unsupported(String),
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

/// An element of an arithmetic. Operations with rational numbers, and whether something is zero, are exact in a field and right up to
/// rounding elsewhere.
pub trait Number: Clone + Debug + PartialEq {
    /// A rational number.
    fn rational(value: &BigRational) -> Result<Self, EvalError>;
    /// A whole number.
    fn int(value: i64) -> Self;
    /// Half a turn.
    fn pi() -> Self;
    /// Sum.
    #[must_use]
    fn add(&self, other: &Self) -> Self;
    /// Difference.
    #[must_use]
    fn sub(&self, other: &Self) -> Self;
    /// Product.
    #[must_use]
    fn mul(&self, other: &Self) -> Self;
    /// Negative.
    #[must_use]
    fn neg(&self) -> Self;
    /// Quotient.
    fn div(&self, other: &Self) -> Result<Self, EvalError>;
    /// Whether it is zero: exactly in a field, exactly zero as a rounded number.
    fn is_zero(&self) -> bool;
    /// An elementary function of its arguments.
    fn elementary(function: Elementary, arguments: &[Self]) -> Result<Self, EvalError>;
    /// Whether it is less than another.
    fn is_less(&self, other: &Self) -> Result<bool, EvalError>;
    /// Whether two results of the same quantity agree, as far as the arithmetic can tell: equal in a field, up to the stated error
    /// relative to `scale` (the size of what went into them) elsewhere.
    fn agrees(&self, other: &Self, scale: &Self) -> bool;
    /// How large it is among candidates for a pivot: the larger, the better. The least integer for zero only.
    fn magnitude(&self) -> i64;
    /// Whether a disagreement of this number refutes. Not so where a root went into it in a field: a field has no positive
    /// numbers, so which of two roots is meant is a convention, and a text that relies on a sum of positive numbers being positive
    /// may be right all the same. Agreement means the same either way.
    fn is_conclusive(&self) -> bool {
        true
    }
    /// For a person to read.
    fn show(&self) -> String;
}
