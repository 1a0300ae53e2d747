//! Real numbers in many digits, the same with an infinitesimal, and the elementary functions with their derivatives. Nothing of mechanics.

use astro_float::{BigFloat, Consts, RoundingMode, Sign};
use std::cell::RefCell;
use std::cmp::Ordering;
use std::fmt;

/// Bits of a number: 57 decimal digits.
const BITS: usize = 192;
const ROUND: RoundingMode = RoundingMode::ToEven;

thread_local! {
    static CONSTANTS: RefCell<Option<Consts>> = const { RefCell::new(None) };
}

/// An elementary function of one argument.
#[derive(Clone, Copy, Debug, PartialEq)]
#[allow(missing_docs, reason = "the names are those of mathematics")]
pub enum Elementary {
    Sin,
    Cos,
    Tan,
    Asin,
    Acos,
    Atan,
    Sinh,
    Cosh,
    Tanh,
    Asinh,
    Acosh,
    Atanh,
    Exp,
    Ln,
    /// A power with a constant exponent, which is exact as a double.
    Power(f64),
}

/// What a Taylor series may be made of.
pub trait Field: Clone + fmt::Debug {
    /// The number.
    fn from_f64(value: f64) -> Self;
    /// Sum.
    fn add(&self, other: &Self) -> Self;
    /// Difference.
    fn sub(&self, other: &Self) -> Self;
    /// Product.
    fn mul(&self, other: &Self) -> Self;
    /// Negative.
    fn neg(&self) -> Self;
    /// The derivative of this order of a function, here.
    fn derivative(&self, function: Elementary, order: usize) -> Self;
    /// The number as a double, without infinitesimal.
    fn value(&self) -> f64;
    /// Comparison with zero, without infinitesimal.
    fn sign(&self) -> Ordering;
}

/// A real number.
#[derive(Clone)]
pub struct Real(BigFloat);

impl fmt::Debug for Real {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.to_f64())
    }
}

impl Real {
    /// Zero.
    pub fn zero() -> Self {
        Self::of(0.0)
    }

    /// The exact value of a double.
    pub fn of(value: f64) -> Self {
        Self(BigFloat::from_f64(value, BITS))
    }

    /// The nearest double, or nearly.
    pub fn to_f64(&self) -> f64 {
        if self.0.is_nan() {
            return f64::NAN;
        }
        if self.0.is_zero() {
            return 0.0;
        }
        let Some((words, _, sign, exponent, _)) = self.0.as_raw_parts() else {
            return if self.0.is_inf_neg() {
                f64::NEG_INFINITY
            } else {
                f64::INFINITY
            };
        };
        // Words are ordered from the lowest; the value is 0.words * 2^exponent.
        let two64 = 2.0_f64.powi(64);
        let mantissa = words
            .iter()
            .fold(0.0_f64, |sum, word| sum / two64 + *word as f64)
            / two64;
        let magnitude = if exponent < -1000 {
            mantissa * 2.0_f64.powi(-1000) * 2.0_f64.powi(exponent + 1000)
        } else if exponent > 1000 {
            mantissa * 2.0_f64.powi(1000) * 2.0_f64.powi(exponent - 1000)
        } else {
            mantissa * 2.0_f64.powi(exponent)
        };
        if sign == Sign::Neg {
            -magnitude
        } else {
            magnitude
        }
    }

    /// Quotient.
    pub fn div(&self, other: &Self) -> Self {
        Self(self.0.div(&other.0, BITS, ROUND))
    }

    /// Magnitude.
    #[must_use]
    pub fn abs(&self) -> Self {
        Self(self.0.abs())
    }

    /// Which is larger in magnitude.
    pub fn larger(&self, other: &Self) -> bool {
        self.0.abs().cmp(&other.0.abs()).is_some_and(|c| c > 0)
    }

    /// Whether it is exactly zero.
    pub fn is_zero(&self) -> bool {
        self.0.is_zero()
    }

    fn sqrt(&self) -> Self {
        Self(self.0.sqrt(BITS, ROUND))
    }

    fn recip(&self) -> Self {
        Real::of(1.0).div(self)
    }

    fn power(&self, exponent: f64) -> Self {
        if exponent == 0.5 {
            return self.sqrt();
        }
        if exponent.fract() == 0.0 && exponent.abs() < 1e6 {
            let whole = Self(self.0.powi(exponent.abs() as usize, BITS, ROUND));
            return if exponent < 0.0 { whole.recip() } else { whole };
        }
        if (2.0 * exponent).fract() == 0.0 {
            return self.sqrt().power(2.0 * exponent);
        }
        let exponent = Real::of(exponent);
        let log = self.derivative(Elementary::Ln, 0);
        log.mul(&exponent).derivative(Elementary::Exp, 0)
    }

    fn call(&self, function: Elementary) -> Self {
        use Elementary as E;
        CONSTANTS.with_borrow_mut(|table| {
            if table.is_none() {
                *table = Consts::new().ok();
            }
            let Some(c) = table.as_mut() else {
                return Self(BigFloat::nan(None));
            };
            let x = &self.0;
            Self(match function {
                E::Sin => x.sin(BITS, ROUND, c),
                E::Cos => x.cos(BITS, ROUND, c),
                E::Tan => x.tan(BITS, ROUND, c),
                E::Asin => x.asin(BITS, ROUND, c),
                E::Acos => x.acos(BITS, ROUND, c),
                E::Atan => x.atan(BITS, ROUND, c),
                E::Sinh => x.sinh(BITS, ROUND, c),
                E::Cosh => x.cosh(BITS, ROUND, c),
                E::Tanh => x.tanh(BITS, ROUND, c),
                E::Asinh => x.asinh(BITS, ROUND, c),
                E::Acosh => x.acosh(BITS, ROUND, c),
                E::Atanh => x.atanh(BITS, ROUND, c),
                E::Exp => x.exp(BITS, ROUND, c),
                E::Ln => x.ln(BITS, ROUND, c),
                E::Power(_) => x.clone(),
            })
        })
    }

    /// The number pi.
    pub fn pi() -> Self {
        let one = Real::of(1.0).call(Elementary::Atan);
        one.mul(&Real::of(4.0))
    }
}

/// `a + b x + c x^2` with whole coefficients.
fn polynomial(x: &Real, coefficients: [f64; 3]) -> Real {
    let [a, b, c] = coefficients.map(Real::of);
    a.add(&x.mul(&b.add(&x.mul(&c))))
}

impl Field for Real {
    fn from_f64(value: f64) -> Self {
        Real::of(value)
    }
    fn add(&self, other: &Self) -> Self {
        Self(self.0.add(&other.0, BITS, ROUND))
    }
    fn sub(&self, other: &Self) -> Self {
        Self(self.0.sub(&other.0, BITS, ROUND))
    }
    fn mul(&self, other: &Self) -> Self {
        Self(self.0.mul(&other.0, BITS, ROUND))
    }
    fn neg(&self) -> Self {
        Self(self.0.neg())
    }
    fn value(&self) -> f64 {
        self.to_f64()
    }
    fn sign(&self) -> Ordering {
        if self.0.is_zero() {
            Ordering::Equal
        } else if self.0.is_negative() {
            Ordering::Less
        } else {
            Ordering::Greater
        }
    }

    fn derivative(&self, function: Elementary, order: usize) -> Self {
        use Elementary as E;
        let x = self;
        let two = Real::of(2.0);
        match (function, order) {
            (E::Power(p), n) => {
                let falling = (0..n).map(|i| p - i as f64).fold(1.0, |a, b| a * b);
                if falling == 0.0 {
                    return Real::zero();
                }
                let factor = (0..n)
                    .map(|i| Real::of(p).sub(&Real::of(i as f64)))
                    .fold(Real::of(1.0), |a, b| a.mul(&b));
                // The exponent less n need not be a double.
                let whole = (0..n).fold(x.power(p), |power, _| power.div(x));
                if p.fract() == 0.0 {
                    factor.mul(&x.power(p - n as f64))
                } else {
                    factor.mul(&whole)
                }
            }
            (_, 0) => x.call(function),
            (E::Sin, n) => match n % 4 {
                1 => x.call(E::Cos),
                2 => x.call(E::Sin).neg(),
                3 => x.call(E::Cos).neg(),
                _ => x.call(E::Sin),
            },
            (E::Cos, n) => match n % 4 {
                1 => x.call(E::Sin).neg(),
                2 => x.call(E::Cos).neg(),
                3 => x.call(E::Sin),
                _ => x.call(E::Cos),
            },
            (E::Sinh, n) => x.call(if n % 2 == 1 { E::Cosh } else { E::Sinh }),
            (E::Cosh, n) => x.call(if n % 2 == 1 { E::Sinh } else { E::Cosh }),
            (E::Exp, _) => x.call(E::Exp),
            (E::Ln, n) => {
                let factor = [1.0, -1.0, 2.0][n - 1];
                Real::of(factor).mul(&x.power(-(n as f64)))
            }
            (E::Tan | E::Tanh, n) => {
                let s = if function == E::Tan { 1.0 } else { -1.0 };
                let u = x.call(function);
                let d = polynomial(&u, [1.0, 0.0, s]);
                match n {
                    1 => d,
                    2 => two.mul(&u).mul(&d).mul(&Real::of(s)),
                    _ => two
                        .mul(&d)
                        .mul(&polynomial(&u, [1.0, 0.0, 3.0 * s]))
                        .mul(&Real::of(s)),
                }
            }
            (E::Atan | E::Atanh, n) => {
                let s = if function == E::Atan { -1.0 } else { 1.0 };
                let r = polynomial(x, [1.0, 0.0, -s]).recip();
                let r2 = r.mul(&r);
                match n {
                    1 => r,
                    2 => Real::of(2.0 * s).mul(x).mul(&r2),
                    _ => {
                        let cubic = Real::of(8.0).mul(x).mul(x).mul(&r2).mul(&r);
                        Real::of(2.0 * s).mul(&r2).add(&cubic)
                    }
                }
            }
            // The derivative of the others is a power -1/2 of a + b x^2, or its negative.
            (_, n) => {
                let (sign, a, b) = match function {
                    E::Asin => (1.0, 1.0, -1.0),
                    E::Acos => (-1.0, 1.0, -1.0),
                    E::Asinh => (1.0, 1.0, 1.0),
                    _ => (1.0, -1.0, 1.0),
                };
                let w = polynomial(x, [a, 0.0, b]);
                let s = w.sqrt().recip();
                let s3 = s.mul(&s).mul(&s);
                let d = match n {
                    1 => s,
                    2 => Real::of(-b).mul(x).mul(&s3),
                    _ => {
                        let s5 = s3.mul(&s).mul(&s);
                        let last = Real::of(3.0 * b * b).mul(x).mul(x).mul(&s5);
                        Real::of(-b).mul(&s3).add(&last)
                    }
                };
                Real::of(sign).mul(&d)
            }
        }
    }
}

/// A number with an infinitesimal part.
#[derive(Clone, Debug)]
pub struct Dual {
    /// The number.
    pub real: Real,
    /// The factor of the infinitesimal.
    pub part: Real,
}

impl Field for Dual {
    fn from_f64(value: f64) -> Self {
        Self {
            real: Real::of(value),
            part: Real::zero(),
        }
    }
    fn add(&self, other: &Self) -> Self {
        Self {
            real: self.real.add(&other.real),
            part: self.part.add(&other.part),
        }
    }
    fn sub(&self, other: &Self) -> Self {
        Self {
            real: self.real.sub(&other.real),
            part: self.part.sub(&other.part),
        }
    }
    fn mul(&self, other: &Self) -> Self {
        let cross = self.real.mul(&other.part);
        Self {
            real: self.real.mul(&other.real),
            part: cross.add(&self.part.mul(&other.real)),
        }
    }
    fn neg(&self) -> Self {
        Self {
            real: self.real.neg(),
            part: self.part.neg(),
        }
    }
    fn derivative(&self, function: Elementary, order: usize) -> Self {
        let part = if self.part.is_zero() {
            Real::zero()
        } else {
            self.real.derivative(function, order + 1).mul(&self.part)
        };
        Self {
            real: self.real.derivative(function, order),
            part,
        }
    }
    fn value(&self) -> f64 {
        self.real.to_f64()
    }
    fn sign(&self) -> Ordering {
        self.real.sign()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Each derivative against differences of the one before, in many digits.
    #[test]
    fn derivatives_are_those_of_the_functions() {
        use Elementary as E;
        let inside = [
            E::Sin,
            E::Cos,
            E::Tan,
            E::Asin,
            E::Acos,
            E::Atan,
            E::Sinh,
            E::Cosh,
            E::Tanh,
            E::Asinh,
            E::Atanh,
            E::Exp,
            E::Ln,
            E::Power(0.5),
            E::Power(-1.0),
            E::Power(3.0),
            E::Power(2.5),
            E::Power(0.3),
        ];
        let at = inside.map(|f| (f, 0.37)).into_iter();
        for (function, x) in at.chain([(E::Acosh, 1.7)]) {
            for order in 1..=3 {
                let h = 1.0e-12;
                let side = |h: f64| {
                    Real::of(x)
                        .add(&Real::of(h))
                        .derivative(function, order - 1)
                };
                let slope = side(h).sub(&side(-h)).div(&Real::of(2.0 * h));
                let found = Real::of(x).derivative(function, order);
                let error = slope.sub(&found).to_f64().abs();
                assert!(error < 1e-18, "{function:?} {order}: {error:e}");
            }
        }
    }

    #[test]
    fn doubles_come_back() {
        for x in [1.0, -0.37, 1.5e300, -2.5e-300, 3.0e-5, 12345.678] {
            assert!((Real::of(x).to_f64() - x).abs() <= 2e-16 * x.abs());
        }
        assert!((Real::pi().to_f64() - std::f64::consts::PI).abs() < 1e-15);
    }
}
