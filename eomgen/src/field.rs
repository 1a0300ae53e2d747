//! Arithmetic modulo the Mersenne prime 2^61 - 1, exact and without rounding.
//!
//! Two rational functions that differ agree at a random point of the field with a probability of about their degree over 2^61. `sym` and
//! `ir` decide zero and rank this way, each with its own choice of points. Knows nothing of expressions or instructions.

mod extension;

pub use extension::Extended;

use std::ops::{Add, Mul, Neg, Sub};

use num_bigint::{BigInt, Sign};
use num_integer::Integer;
use num_rational::BigRational;

/// The Mersenne prime 2^61 - 1, which is 3 modulo 4.
pub const MODULUS: u64 = (1 << 61) - 1;

/// Numerators and denominators that [`Residue::fraction`] finds: twice their product is below the modulus, so that a fraction is
/// unique.
const SMALL: i64 = 1 << 29;

/// An element of the field.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Residue(u64);

impl Residue {
    /// 0
    pub const ZERO: Self = Self(0);
    /// 1
    pub const ONE: Self = Self(1);
    /// 1/2
    pub const HALF: Self = Self(1 << 60);

    /// The element that any number stands for.
    pub fn new(number: u64) -> Self {
        Self(number % MODULUS)
    }

    /// Its least nonnegative representative.
    pub fn get(self) -> u64 {
        self.0
    }

    /// A whole number.
    pub fn from_integer(number: i64) -> Self {
        let residue = Self::new(number.unsigned_abs());
        if number < 0 { -residue } else { residue }
    }

    /// A rational number; `None` if its denominator is a multiple of the modulus.
    pub fn from_rational(number: &BigRational) -> Option<Self> {
        let denominator = Self::from_big(number.denom());
        Some(Self::from_big(number.numer()) * denominator.inverse()?)
    }

    /// A whole number of any size: its digits to the base 2^64, which is 8 here.
    fn from_big(number: &BigInt) -> Self {
        let (sign, digits) = (number.sign(), number.iter_u64_digits());
        let base = Self(8);
        let residue = digits
            .rev()
            .fold(Self::ZERO, |sum, digit| sum * base + Self::new(digit));
        if sign == Sign::Minus {
            -residue
        } else {
            residue
        }
    }

    /// The fraction with small numerator and denominator that it stands for, if there is one: half-extended Euclid.
    pub fn fraction(self) -> Option<(i64, i64)> {
        let (mut r, mut s) = (MODULUS as i64, self.0 as i64);
        let (mut u, mut v) = (0_i64, 1_i64);
        while s >= SMALL {
            let quotient = r / s;
            (r, s) = (s, r - quotient * s);
            (u, v) = (v, u - quotient * v);
        }
        let (numerator, denominator) = if v < 0 { (-s, -v) } else { (s, v) };
        (denominator < SMALL && numerator.gcd(&denominator) == 1)
            .then_some((numerator, denominator))
    }

    /// The lesser of the element and its negative, and whether that is the negative.
    pub fn mirror(self) -> (bool, Self) {
        let negative = -self;
        (negative < self, self.min(negative))
    }

    /// Repeated squaring.
    pub fn pow(self, mut exponent: u64) -> Self {
        let (mut power, mut square) = (Self::ONE, self);
        while exponent > 0 {
            if exponent & 1 == 1 {
                power = power * square;
            }
            square = square * square;
            exponent >>= 1;
        }
        power
    }

    /// Its reciprocal; `None` for 0.
    pub fn inverse(self) -> Option<Self> {
        (self != Self::ZERO).then(|| self.pow(MODULUS - 2))
    }

    /// A square root, if there is one; its negative is the other.
    pub fn root(self) -> Option<Self> {
        let root = self.pow(MODULUS.div_ceil(4));
        (root * root == self).then_some(root)
    }
}

impl Add for Residue {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        let sum = self.0 + other.0;
        Self(if sum >= MODULUS { sum - MODULUS } else { sum })
    }
}

impl Neg for Residue {
    type Output = Self;
    fn neg(self) -> Self {
        Self(if self.0 == 0 { 0 } else { MODULUS - self.0 })
    }
}

impl Sub for Residue {
    type Output = Self;
    fn sub(self, other: Self) -> Self {
        self + -other
    }
}

impl Mul for Residue {
    type Output = Self;
    fn mul(self, other: Self) -> Self {
        let product = u128::from(self.0) * u128::from(other.0);
        // 2^61 is 1: the high bits count as low ones.
        let folded = (product & u128::from(MODULUS)) as u64 + (product >> 61) as u64;
        Self(if folded >= MODULUS {
            folded - MODULUS
        } else {
            folded
        })
    }
}

/// A pseudo-random element that depends on `seed` and `value` only (splitmix64, reduced).
pub fn pseudo_random(seed: u64, value: u64) -> Residue {
    let mut z = seed
        .wrapping_mul(0x9E37_79B9_7F4A_7C15)
        .wrapping_add(value.wrapping_mul(0xD134_2543_DE82_EF95))
        .wrapping_add(0x2545_F491_4F6C_DD1D);
    for _ in 0..2 {
        z = z.wrapping_add(0x9E37_79B9_7F4A_7C15);
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^= z >> 31;
    }
    Residue::new(z)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arithmetic() {
        let big = Residue::new(MODULUS - 1);
        assert_eq!(big + Residue::ONE, Residue::ZERO);
        assert_eq!(big * big, Residue::ONE);
        assert_eq!(-Residue::ONE, big);
        assert_eq!(Residue::new(MODULUS), Residue::ZERO);
        assert_eq!(Residue::HALF + Residue::HALF, Residue::ONE);
        assert_eq!(Residue::ZERO.inverse(), None);
        // 2^61 is 1, and Fermat's little theorem.
        assert_eq!(Residue::from_integer(2).pow(61), Residue::ONE);
        for number in [2, 3, 12_345_678_901, MODULUS - 2] {
            let x = Residue::new(number);
            assert_eq!(x.inverse().map(|y| x * y), Some(Residue::ONE));
            assert_eq!(x.pow(MODULUS - 1), Residue::ONE);
            let root = (x * x).root().unwrap();
            assert!(root == x || root == -x);
            // -1 is not a square where the modulus is 3 modulo 4.
            assert_eq!((-(x * x)).root(), None);
        }
        // Against 128-bit division.
        let mut x = 0x0123_4567_89ab_cdef_u64;
        for _ in 0..1000 {
            x = x.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            let (a, b) = (x % MODULUS, (x >> 7) % MODULUS);
            let product = u128::from(a) * u128::from(b) % u128::from(MODULUS);
            assert_eq!(
                u128::from((Residue::new(a) * Residue::new(b)).get()),
                product
            );
        }
    }

    #[test]
    fn fractions() {
        for (n, d) in [
            (0, 1),
            (1, 1),
            (-1, 1),
            (22, 7),
            (-3, 536_870_911),
            (536_870_911, 2),
        ] {
            let number = BigRational::new(n.into(), d.into());
            let residue = Residue::from_rational(&number).unwrap();
            assert_eq!(residue.fraction(), Some((n, d)));
        }
        let zero = BigRational::new(1.into(), MODULUS.into());
        assert_eq!(Residue::from_rational(&zero), None);
    }
}
