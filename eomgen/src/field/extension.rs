//! The field with the square of the prime's elements, `a + b i` with `i^2 = -1`: every element of the
//! prime field has its square roots here, so that identities between roots can be decided. Knows
//! nothing of expressions.

use std::ops::{Add, Mul, Neg, Sub};

use num_rational::BigRational;

use super::{Residue, pseudo_random};

/// An element of the field of p^2 elements.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Extended {
    re: Residue,
    im: Residue,
}

impl Extended {
    /// 0
    pub const ZERO: Self = Self {
        re: Residue::ZERO,
        im: Residue::ZERO,
    };
    /// 1
    pub const ONE: Self = Self {
        re: Residue::ONE,
        im: Residue::ZERO,
    };

    /// A rational number; `None` if its denominator is a multiple of the modulus.
    pub fn from_rational(number: &BigRational) -> Option<Self> {
        Residue::from_rational(number).map(Self::from)
    }

    /// A pseudo-random element of the prime field that depends on `seed` and this element only.
    pub fn mix(self, seed: u64) -> Residue {
        let h = pseudo_random(seed, self.re.get());
        match self.im {
            Residue::ZERO => h,
            im => pseudo_random(h.get(), im.get()),
        }
    }

    /// The lesser of the element and its negative, and whether that is the negative.
    pub fn mirror(self) -> (bool, Self) {
        let negative = -self;
        (negative < self, self.min(negative))
    }

    /// Whether it is a root of an element of the prime field that has none there; `None` if it is no root of an element of the prime field,
    /// or 0.
    pub fn is_foreign_root(self) -> Option<bool> {
        match (self.re == Residue::ZERO, self.im == Residue::ZERO) {
            (false, true) => Some(false),
            (true, false) => Some(true),
            _ => None,
        }
    }

    /// Repeated squaring.
    pub fn pow(self, mut exponent: u64) -> Self {
        let (mut power, mut square) = (Self::ONE, self);
        loop {
            if exponent & 1 == 1 {
                power = power * square;
            }
            exponent >>= 1;
            if exponent == 0 {
                return power;
            }
            square = square * square;
        }
    }

    /// Its reciprocal; `None` for 0.
    pub fn inverse(self) -> Option<Self> {
        // -1 is no square in the prime field: a^2 + b^2 vanishes for zero only.
        let k = self.norm().inverse()?;
        Some(Self {
            re: self.re * k,
            im: -(self.im * k),
        })
    }

    /// A square root, if there is one, which is so for the whole prime field and half of the others.
    pub fn root(self) -> Option<Self> {
        if self.im == Residue::ZERO {
            let re = self.re.root().map(Self::from);
            return re.or_else(|| {
                let im = (-self.re).root()?;
                Some(Self {
                    re: Residue::ZERO,
                    im,
                })
            });
        }
        let length = self.norm().root()?;
        [length, -length].into_iter().find_map(|length| {
            let re = ((self.re + length) * Residue::HALF).root()?;
            let im = self.im * Residue::HALF * re.inverse()?;
            Some(Self { re, im })
        })
    }

    fn norm(self) -> Residue {
        self.re * self.re + self.im * self.im
    }
}

impl From<Residue> for Extended {
    fn from(re: Residue) -> Self {
        Self {
            re,
            im: Residue::ZERO,
        }
    }
}

impl Add for Extended {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        Self {
            re: self.re + other.re,
            im: self.im + other.im,
        }
    }
}

impl Neg for Extended {
    type Output = Self;
    fn neg(self) -> Self {
        Self {
            re: -self.re,
            im: -self.im,
        }
    }
}

impl Sub for Extended {
    type Output = Self;
    fn sub(self, other: Self) -> Self {
        self + -other
    }
}

impl Mul for Extended {
    type Output = Self;
    fn mul(self, other: Self) -> Self {
        Self {
            re: self.re * other.re - self.im * other.im,
            im: self.re * other.im + self.im * other.re,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn element(k: u64) -> Extended {
        Extended {
            re: pseudo_random(1, k),
            im: pseudo_random(2, k),
        }
    }

    #[test]
    fn arithmetic() {
        let i = Extended {
            re: Residue::ZERO,
            im: Residue::ONE,
        };
        assert_eq!(i * i, -Extended::ONE);
        assert_eq!(Extended::ZERO.inverse(), None);
        for k in 0..50 {
            let (a, b, c) = (element(k), element(k + 100), element(k + 200));
            assert_eq!(a * (b + c), a * b + a * c);
            assert_eq!((a * b) * c, a * (b * c));
            assert_eq!(a.inverse().map(|x| x * a), Some(Extended::ONE));
            assert_eq!(a.pow(5), a * a * a * a * a);
        }
    }

    #[test]
    fn roots_square_to_their_arguments() {
        let mut found = 0;
        for k in 0..200 {
            let x = Extended::from(pseudo_random(3, k));
            let root = x.root().unwrap();
            assert_eq!(root * root, x);
            let z = element(k);
            if let Some(root) = z.root() {
                found += 1;
                assert_eq!(root * root, z);
            }
            let square = z * z;
            let root = square.root().unwrap();
            assert!(root == z || root == -z);
        }
        assert!((60..140).contains(&found), "{found}");
    }
}
