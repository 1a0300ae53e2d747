//! Truncated Taylor series in time: a quantity with its first two rates.

use std::ops::{Add, Div, Mul, Neg, Sub};

/// A quantity and its first and second time derivative along a motion.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Jet {
    /// The quantity.
    pub value: f64,
    /// Its first time derivative.
    pub rate: f64,
    /// Its second time derivative.
    pub second: f64,
}

impl Jet {
    /// A quantity that moves with these derivatives.
    pub const fn new(value: f64, rate: f64, second: f64) -> Self {
        Self {
            value,
            rate,
            second,
        }
    }

    /// A quantity at rest.
    pub const fn constant(value: f64) -> Self {
        Self::new(value, 0.0, 0.0)
    }

    /// `f(self)` from the value and the first two derivatives of `f` here.
    pub fn chain(self, f: f64, df: f64, ddf: f64) -> Self {
        Self::new(
            f,
            df * self.rate,
            ddf * self.rate * self.rate + df * self.second,
        )
    }

    /// Sine.
    pub fn sin(self) -> Self {
        let (s, c) = self.value.sin_cos();
        self.chain(s, c, -s)
    }

    /// Cosine.
    pub fn cos(self) -> Self {
        let (s, c) = self.value.sin_cos();
        self.chain(c, -s, -c)
    }

    /// Square root; the quantity must be positive.
    pub fn sqrt(self) -> Self {
        let root = self.value.sqrt();
        self.chain(root, 0.5 / root, -0.25 / (root * self.value))
    }

    /// Reciprocal; the quantity must not vanish.
    pub fn recip(self) -> Self {
        let inverse = 1.0 / self.value;
        self.chain(
            inverse,
            -inverse * inverse,
            2.0 * inverse * inverse * inverse,
        )
    }

    /// The rate as a quantity of its own; its second derivative would need a third one of `self` and is left at zero.
    pub fn derivative(self) -> Self {
        Self::new(self.rate, self.second, 0.0)
    }
}

impl From<f64> for Jet {
    fn from(value: f64) -> Self {
        Self::constant(value)
    }
}

impl Neg for Jet {
    type Output = Self;
    fn neg(self) -> Self {
        Self::new(-self.value, -self.rate, -self.second)
    }
}

impl<T: Into<Jet>> Add<T> for Jet {
    type Output = Self;
    fn add(self, other: T) -> Self {
        let other = other.into();
        Self::new(
            self.value + other.value,
            self.rate + other.rate,
            self.second + other.second,
        )
    }
}

impl<T: Into<Jet>> Sub<T> for Jet {
    type Output = Self;
    fn sub(self, other: T) -> Self {
        self + -other.into()
    }
}

impl<T: Into<Jet>> Mul<T> for Jet {
    type Output = Self;
    fn mul(self, other: T) -> Self {
        let other = other.into();
        Self::new(
            self.value * other.value,
            self.rate * other.value + self.value * other.rate,
            self.second * other.value + 2.0 * self.rate * other.rate + self.value * other.second,
        )
    }
}

#[allow(clippy::suspicious_arithmetic_impl)] // a quotient is a product with the reciprocal
impl<T: Into<Jet>> Div<T> for Jet {
    type Output = Self;
    fn div(self, other: T) -> Self {
        self * other.into().recip()
    }
}

impl Mul<Jet> for f64 {
    type Output = Jet;
    fn mul(self, other: Jet) -> Jet {
        other * self
    }
}

impl Add<Jet> for f64 {
    type Output = Jet;
    fn add(self, other: Jet) -> Jet {
        other + self
    }
}

impl Sub<Jet> for f64 {
    type Output = Jet;
    fn sub(self, other: Jet) -> Jet {
        -other + self
    }
}

#[cfg(test)]
mod tests {
    use super::Jet;

    /// d/dt and d2/dt2 of t^2 sin(t) / (1 + t) at t = 0.7, worked out by hand.
    #[test]
    fn products_quotients_and_sines() {
        let t = Jet::new(0.7, 1.0, 0.0);
        let jet = t * t * t.sin() / (1.0 + t);
        let (s, c) = 0.7_f64.sin_cos();
        // With g = t^2/(1+t): g' = (t^2 + 2t)/(1+t)^2 and g'' = 2/(1+t)^3.
        let g = 0.49 / 1.7;
        let dg = (0.49 + 1.4) / (1.7 * 1.7);
        let ddg = 2.0 / (1.7 * 1.7 * 1.7);
        assert!((jet.value - g * s).abs() < 1e-15);
        assert!((jet.rate - (dg * s + g * c)).abs() < 1e-15);
        assert!((jet.second - (ddg * s + 2.0 * dg * c - g * s)).abs() < 1e-15);
    }

    #[test]
    fn square_root_is_the_inverse_of_the_square() {
        let x = Jet::new(1.3, -0.4, 2.1);
        let back = (x * x).sqrt();
        assert!((back.value - x.value).abs() < 1e-15);
        assert!((back.rate - x.rate).abs() < 1e-15);
        assert!((back.second - x.second).abs() < 1e-14);
    }
}
