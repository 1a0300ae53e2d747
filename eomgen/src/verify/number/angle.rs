//! What a number is as an angle: an element of the 2-adic numbers, to finite precision. Sines and cosines are powers of one point
//! of the circle over the prime field, whose group has 2^61 elements, so that sums, multiples and halves of angles have the sines
//! and cosines that they should. Sums, products and quotients of numbers act on their angles alike.

use num_bigint::BigInt;
use num_integer::Integer;
use num_rational::BigRational;
use num_traits::{One, Signed, ToPrimitive, Zero};

/// Digits of an angle.
const DIGITS: u32 = 128;

/// Binary logarithm of a full turn.
pub const TURN: i64 = 61;

/// `mantissa * 2^exponent`, known modulo `2^(exponent + digits)`; the mantissa is odd or zero.
#[derive(Clone, Copy, Debug)]
pub struct Angle {
    mantissa: u128,
    exponent: i64,
    digits: u32,
    /// A multiple of half a turn stands in it.
    turned: bool,
    /// Made with constants whose numerators, denominators have odd factors.
    odd: (bool, bool),
}

fn mask(digits: u32) -> u128 {
    match digits {
        0 => 0,
        d if d >= DIGITS => u128::MAX,
        d => (1 << d) - 1,
    }
}

impl Angle {
    fn new(mantissa: u128, exponent: i64, digits: u32) -> Self {
        Self {
            mantissa,
            exponent,
            digits,
            turned: false,
            odd: (false, false),
        }
        .normal()
    }

    fn normal(mut self) -> Self {
        self.mantissa &= mask(self.digits);
        if self.mantissa != 0 {
            let zeros = self.mantissa.trailing_zeros();
            self.mantissa >>= zeros;
            self.exponent += i64::from(zeros);
            self.digits -= zeros;
        }
        self
    }

    /// A whole number.
    pub fn integer(value: i64) -> Self {
        let mut a = Self::new(i128::from(value) as u128, 0, DIGITS);
        a.odd.0 = value.unsigned_abs().count_ones() > 1;
        a
    }

    /// A rational number.
    pub fn rational(value: &BigRational) -> Self {
        let part = |x: &BigInt| -> (u128, i64, bool) {
            let shift = x.trailing_zeros().unwrap_or(0);
            let odd = x >> shift;
            let modulus = BigInt::one() << DIGITS;
            let mantissa = odd.mod_floor(&modulus).to_u128().unwrap_or(0);
            let plain = odd.abs().is_one() || x.is_zero();
            (mantissa, shift as i64, !plain)
        };
        let (n, up, numerator) = part(value.numer());
        let (d, down, denominator) = part(value.denom());
        let mut a = Self::new(n.wrapping_mul(inverse(d)), up - down, DIGITS);
        a.odd = (numerator, denominator);
        a
    }

    /// A number of which nothing is known but that it can be halved four times.
    pub fn any(random: u128) -> Self {
        Self::new(random | 1, 4, DIGITS - 4)
    }

    /// One that can be divided by but not halved.
    pub fn unit(random: u128) -> Self {
        Self::new(random | 1, 0, DIGITS)
    }

    /// An angle with these powers of the generator; what is above a full turn is any number.
    pub fn turn(steps: u64, random: u128) -> Self {
        Self::new((random << TURN) | u128::from(steps), 0, DIGITS)
    }

    /// Half a turn.
    pub fn half_turn() -> Self {
        let mut a = Self::new(1, TURN - 1, DIGITS);
        a.turned = true;
        a
    }

    fn with(mut self, a: &Self, b: &Self) -> Self {
        self.turned = a.turned || b.turned;
        self.odd = (a.odd.0 || b.odd.0, a.odd.1 || b.odd.1);
        self
    }

    /// Sum.
    pub fn add(&self, other: &Self) -> Self {
        let exponent = self.exponent.min(other.exponent);
        let shifted = |a: &Self| {
            let by = a.exponent - exponent;
            match u32::try_from(by) {
                Ok(by) if by < DIGITS => a.mantissa << by,
                _ => 0,
            }
        };
        let known = |a: &Self| a.exponent + i64::from(a.digits);
        let digits = known(self).min(known(other)) - exponent;
        let digits = digits.clamp(0, i64::from(DIGITS)) as u32;
        let sum = shifted(self).wrapping_add(shifted(other));
        Self::new(sum, exponent, digits).with(self, other)
    }

    /// Negative.
    pub fn neg(&self) -> Self {
        Self {
            mantissa: self.mantissa.wrapping_neg() & mask(self.digits),
            ..*self
        }
    }

    /// Product; `None` for a third of a turn and the like, whose sines are no powers.
    pub fn mul(&self, other: &Self) -> Option<Self> {
        if (self.turned && other.odd.1) || (other.turned && self.odd.1) {
            return None;
        }
        let digits = self.digits.min(other.digits);
        let product = self.mantissa.wrapping_mul(other.mantissa);
        Some(Self::new(product, self.exponent + other.exponent, digits).with(self, other))
    }

    /// Quotient; `None` also where the divisor is zero as far as it is known.
    pub fn div(&self, other: &Self) -> Option<Self> {
        if other.mantissa == 0 {
            return None;
        }
        let reciprocal = Self {
            mantissa: inverse(other.mantissa) & mask(other.digits),
            exponent: -other.exponent,
            odd: (other.odd.1, other.odd.0),
            ..*other
        };
        self.mul(&reciprocal)
    }

    /// How often the generator of the circle is multiplied by itself; `None` if it is no whole number of steps, or not known
    /// well enough.
    pub fn steps(&self) -> Option<u64> {
        if self.exponent + i64::from(self.digits) < TURN || self.exponent < 0 && self.mantissa != 0
        {
            return None;
        }
        let by = u32::try_from(self.exponent.clamp(0, TURN)).ok()?;
        Some(((self.mantissa << by) & mask(TURN as u32)) as u64)
    }
}

/// Reciprocal of an odd number modulo 2^128: Newton's iteration doubles the digits that are right.
fn inverse(odd: u128) -> u128 {
    let mut x = odd;
    for _ in 0..6 {
        x = x.wrapping_mul(2_u128.wrapping_sub(odd.wrapping_mul(x)));
    }
    x
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ratio(n: i64, d: i64) -> Angle {
        Angle::rational(&BigRational::new(n.into(), d.into()))
    }

    #[test]
    fn sums_and_products_are_those_of_numbers() {
        let a = ratio(3, 7).mul(&ratio(7, 3)).unwrap();
        assert_eq!(a.steps(), Some(1));
        let sum = ratio(1, 3).add(&ratio(2, 3));
        assert_eq!(sum.steps(), Some(1));
        assert_eq!(ratio(1, 2).steps(), None);
        assert_eq!(ratio(1, 2).add(&ratio(1, 2)).steps(), Some(1));
        assert_eq!(ratio(-1, 1).steps(), Some((1 << 61) - 1));
        let x = Angle::any(0x1234_5678_9abc_def0_1234_5678_9abc_def1);
        let y = Angle::any(0x0fed_cba9_8765_4321_0fed_cba9_8765_4321);
        let k = ratio(5, 6);
        let left = k.mul(&x.add(&y)).unwrap();
        let right = k.mul(&x).unwrap().add(&k.mul(&y).unwrap());
        assert_eq!(left.steps(), right.steps());
        let back = x.mul(&y).unwrap().div(&y).unwrap();
        assert_eq!(back.steps(), x.steps());
        assert_eq!(x.add(&x.neg()).steps(), Some(0));
    }

    #[test]
    fn parts_of_a_turn() {
        let pi = Angle::half_turn();
        assert_eq!(pi.steps(), Some(1 << 60));
        assert_eq!(pi.add(&pi).steps(), Some(0));
        assert_eq!(pi.mul(&ratio(3, 4)).unwrap().steps(), Some(3 << 58));
        assert!(pi.mul(&ratio(1, 3)).is_none());
        assert!(pi.div(&Angle::integer(180)).is_none());
        assert!(pi.div(&Angle::integer(4)).is_some());
    }
}
