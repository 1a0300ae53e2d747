//! Numbers of the machine: fast, and good enough to find the way to a state that is then polished with many digits.

#![expect(
    clippy::disallowed_methods,
    reason = "the last digits, which differ between platforms, are polished with many digits"
)]

use super::{Algebra, Decimal, Elementary, EvalError, Number, UserFunction};
use num_rational::BigRational;
use num_traits::ToPrimitive;

/// Two results agree up to this share of their scale.
const AGREEMENT: f64 = 1e-11;

fn finite(value: f64, what: &str) -> Result<f64, EvalError> {
    if value.is_finite() {
        Ok(value)
    } else {
        EvalError::singular(what)
    }
}

impl Algebra for f64 {
    fn int(value: i64) -> Self {
        value as f64
    }

    fn add(&self, other: &Self) -> Self {
        self + other
    }

    fn sub(&self, other: &Self) -> Self {
        self - other
    }

    fn mul(&self, other: &Self) -> Self {
        self * other
    }

    fn neg(&self) -> Self {
        -self
    }

    fn div(&self, other: &Self) -> Result<Self, EvalError> {
        finite(self / other, "a division by a vanishing number")
    }

    fn elementary(function: Elementary, arguments: &[Self]) -> Result<Self, EvalError> {
        use Elementary as E;
        let value = match (function, arguments) {
            (E::Pow, [x, y]) => x.powf(*y),
            (E::Atan2, [y, x]) => y.atan2(*x),
            (E::Sqrt, [x]) => x.sqrt(),
            (E::Sin, [x]) => x.sin(),
            (E::Cos, [x]) => x.cos(),
            (E::Tan, [x]) => x.tan(),
            (E::Asin, [x]) => x.asin(),
            (E::Acos, [x]) => x.acos(),
            (E::Atan, [x]) => x.atan(),
            (E::Sinh, [x]) => x.sinh(),
            (E::Cosh, [x]) => x.cosh(),
            (E::Tanh, [x]) => x.tanh(),
            (E::Exp, [x]) => x.exp(),
            (E::Ln, [x]) => x.ln(),
            _ => return EvalError::unsupported("a function of another number of arguments"),
        };
        finite(value, "a function outside its domain")
    }
}

impl Number for f64 {
    fn rational(value: &BigRational) -> Result<Self, EvalError> {
        finite(
            value.to_f64().unwrap_or(f64::NAN),
            "a number that is too large",
        )
    }

    fn pi() -> Self {
        std::f64::consts::PI
    }

    fn is_zero(&self) -> bool {
        *self == 0.0
    }

    fn user_function(of: &UserFunction, arguments: &[Self]) -> Result<Self, EvalError> {
        let arguments: Vec<Decimal> = arguments.iter().map(|x| Decimal::from_f64(*x)).collect();
        Ok(Decimal::user_function(of, &arguments)?.to_f64())
    }

    fn is_less(&self, other: &Self) -> Result<bool, EvalError> {
        Ok(self < other)
    }

    fn agrees(&self, other: &Self, scale: &Self) -> bool {
        let size = self.abs().max(other.abs()).max(scale.abs());
        (self - other).abs() <= AGREEMENT * size
    }

    fn magnitude(&self) -> i64 {
        if *self == 0.0 {
            return i64::MIN;
        }
        // The binary exponent, with a bias that orders them as well.
        (self.abs().to_bits() >> 52) as i64
    }

    fn show(&self) -> String {
        self.to_string()
    }
}
