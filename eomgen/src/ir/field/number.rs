//! Arithmetic modulo 2^61 - 1, and pseudo-random elements.

use std::ops::{Add, Mul, Neg, Sub};

use num_bigint::BigInt;
use num_integer::Integer;
use num_traits::ToPrimitive;

use crate::ir::Rational;

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
    pub fn from_rational(number: &Rational) -> Option<Self> {
        let modulus = BigInt::from(MODULUS);
        let residue = |x: &BigInt| x.mod_floor(&modulus).to_u64().map(Self);
        Some(residue(number.numer())? * residue(number.denom())?.inverse()?)
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

/// What an element is drawn for; different purposes are independent.
#[derive(Clone, Copy, Debug)]
pub(super) enum Tag {
    Input,
    Pi,
    Sign,
    Circle,
    Hyperbola,
    Root,
    Asin,
    Acos,
    Atan,
    Ln,
    Atan2,
    Pow,
    Call,
    Jet,
}

/// A pseudo-random function into the field: SplitMix64's finaliser over the words. Not cryptographic; nobody attacks a derivation.
#[derive(Clone, Copy, Debug)]
pub(super) struct Prf {
    seed: u64,
}

impl Prf {
    pub(super) fn new(seed: u64) -> Self {
        Self { seed: mix(seed) }
    }

    pub(super) fn draw(self, tag: Tag, key: &[u64]) -> Residue {
        let start = mix(self.seed ^ mix(tag as u64));
        let state = key
            .iter()
            .fold(start, |state, &word| mix(state ^ mix(word)));
        Residue::new(mix(state ^ key.len() as u64))
    }
}

fn mix(word: u64) -> u64 {
    let mut z = word.wrapping_add(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}
