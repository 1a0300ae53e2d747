//! Numbers of a generated text, as exact numbers. Knows nothing of the model.
//!
//! The generator folds constants exactly and writes the double nearest to each, in the fewest digits that read back as
//! that double. So a literal of few digits is that decimal; one of many digits stands for some number that rounds to it: the
//! simplest fraction that does, if that is short (1/3, 7/48), else a number known to half a unit in the last place.

use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::{One, Signed, ToPrimitive, Zero};

/// Most significant digits of a literal that is read as the decimal that it says. Of arbitrary doubles up to a tenth is written in 15
/// digits, and one digit less is ten times rarer: what has 10 stands for another number with a probability below 1e-6.
const DIGITS: usize = 10;

/// The same for numbers of single precision.
const DIGITS_OF_SINGLE: usize = 5;

/// Largest product of numerator and denominator of a fraction that a long literal is taken for. About
/// `K ln K` fractions have a product below `K`, so that an arbitrary double is the rounded value of one with a probability
/// below 1e-6.
const SHORT: i64 = 100_000_000;

/// What the numbers of a text are rounded to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Precision {
    /// `f64`
    #[default]
    Double,
    /// `f32`. A literal of up to 5 digits is the decimal that it says: of arbitrary numbers less than one in a hundred is written
    /// so. All others are known to their rounding: fractions are too dense among numbers of 24 bits to tell which one is meant.
    Single,
}

/// A number of the text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Literal {
    /// As written.
    pub text: String,
    /// Its value; where it is rounded, the decimal as written.
    pub value: BigRational,
    /// How far the value meant may be from this one: zero if it is exact.
    pub radius: BigRational,
    /// Whether the value is a fraction that the digits are rounded from.
    pub is_fraction: bool,
    /// What it is rounded to.
    pub precision: Precision,
}

impl Literal {
    /// Reads a literal without sign and suffix; `None` if it is no decimal number.
    #[must_use]
    pub fn read(text: &str, precision: Precision) -> Option<Self> {
        let (value, digits) = decimal(text)?;
        let exact = |value: BigRational, is_fraction| Self {
            text: text.to_owned(),
            value,
            radius: BigRational::zero(),
            is_fraction,
            precision,
        };
        if precision == Precision::Single {
            let single: f32 = text.replace('_', "").parse().ok()?;
            let radius = if digits <= DIGITS_OF_SINGLE {
                BigRational::zero()
            } else {
                step_of_single(single)?
            };
            return Some(Self {
                radius,
                ..exact(value, false)
            });
        }
        if digits <= DIGITS {
            return Some(exact(value, false));
        }
        let double: f64 = text.parse().ok()?;
        for bits in [53, 54] {
            let near = BigRational::from_float(double)?;
            let away = near.abs() / BigInt::from(2).pow(bits);
            let simplest = simplest_between(&(&near - &away), &(&near + &away));
            let is_short = simplest.numer() * simplest.denom() <= BigInt::from(SHORT);
            if is_short && nearest(&simplest) == Some(double) {
                return Some(exact(simplest, true));
            }
        }
        let radius = step(double)?;
        Some(Self {
            radius,
            ..exact(value, false)
        })
    }

    /// How far a number that is written so may be from this one: zero if a double holds it.
    #[must_use]
    pub fn rounding(&self) -> BigRational {
        if self.precision == Precision::Single {
            let single = self.text.replace('_', "").parse::<f32>().ok();
            let held = single.and_then(BigRational::from_float).as_ref() == Some(&self.value);
            let step = single.filter(|_| !held).and_then(step_of_single);
            return step.unwrap_or_default().max(self.radius.clone());
        }
        let double = self.text.replace('_', "").parse::<f64>().ok();
        let held = double.and_then(BigRational::from_float).as_ref() == Some(&self.value);
        match double.filter(|_| !held).and_then(step) {
            Some(step) => step.max(self.radius.clone()),
            None => self.radius.clone(),
        }
    }

    /// Whether the number meant is known.
    #[must_use]
    pub fn is_exact(&self) -> bool {
        self.radius.is_zero()
    }
}

/// The value of a decimal such as `1.5e-3` and its number of significant digits.
fn decimal(text: &str) -> Option<(BigRational, usize)> {
    let text: String = text.chars().filter(|c| *c != '_').collect();
    let (mantissa, exponent) = text.split_once(['e', 'E']).unwrap_or((&text, "0"));
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let digits = format!("{whole}{fraction}");
    if digits.is_empty() || !digits.bytes().all(|b| b.is_ascii_digit()) {
        return None;
    }
    let exponent = exponent.parse::<i32>().ok()?;
    let exponent = exponent.checked_sub(i32::try_from(fraction.len()).ok()?)?;
    // A double has no more than this.
    if exponent.unsigned_abs() > 2000 {
        return None;
    }
    let significant = digits.trim_start_matches('0').trim_end_matches('0').len();
    let number: BigInt = digits.parse().ok()?;
    let power = BigInt::from(10).pow(exponent.unsigned_abs());
    let value = if exponent < 0 {
        BigRational::new(number, power)
    } else {
        BigRational::from_integer(number * power)
    };
    Some((value, significant))
}

/// A bound of the distance between a shortest decimal and any number that rounds to the same double: one step of the double,
/// half for either.
fn step(double: f64) -> Option<BigRational> {
    let exact = BigRational::from_float(double)?;
    let least = BigRational::new(BigInt::one(), BigInt::from(2).pow(1074));
    let step = exact.abs() / BigInt::from(2).pow(52);
    Some(step.max(least))
}

/// The same for numbers of single precision, of which the generator's are rounded twice.
fn step_of_single(single: f32) -> Option<BigRational> {
    let exact = BigRational::from_float(single)?;
    let least = BigRational::new(BigInt::one(), BigInt::from(2).pow(149));
    let step = exact.abs() / BigInt::from(2).pow(23);
    Some(step.max(least))
}

/// The fraction of least denominator in an interval of positive numbers.
fn simplest_between(low: &BigRational, high: &BigRational) -> BigRational {
    let mut low = low.clone();
    let mut high = high.clone();
    // The continued fractions of both ends agree up to where they part.
    let mut parts: Vec<BigInt> = Vec::new();
    let last = loop {
        let floor = low.floor();
        if low == floor || high.floor() > floor {
            break low.ceil();
        }
        parts.push(floor.to_integer());
        let next_low = (&high - &floor).recip();
        high = (&low - &floor).recip();
        low = next_low;
        if parts.len() > 60 {
            break low.ceil();
        }
    };
    parts.into_iter().rev().fold(last, |value, part| {
        BigRational::from_integer(part) + value.recip()
    })
}

/// The double nearest to an exact number, ties to even; `None` beyond the largest.
#[must_use]
pub fn nearest(number: &BigRational) -> Option<f64> {
    number.to_f64().filter(|double| double.is_finite())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fraction(n: i64, d: i64) -> BigRational {
        BigRational::new(n.into(), d.into())
    }

    #[test]
    fn literals_of_single_precision_are_known_to_their_rounding() {
        let read = |text| Literal::read(text, Precision::Single).unwrap();
        assert!(read("9.81").is_exact() && read("0.5").rounding().is_zero());
        assert!(!read("9.81").rounding().is_zero());
        let third = read("0.33333334");
        let off = (third.value - fraction(1, 3)).abs();
        assert!(off < third.radius && third.radius < fraction(1, 10_000_000));
        assert_eq!(Literal::read("1e-60", Precision::Single).unwrap().value, {
            Literal::read("1e-60", Precision::Double).unwrap().value
        });
    }

    #[test]
    fn short_literals_are_the_decimals_that_they_say() {
        for (text, value) in [
            ("0.5", fraction(1, 2)),
            ("1e-3", fraction(1, 1000)),
            ("9.81", fraction(981, 100)),
            ("0.0", fraction(0, 1)),
            ("1_000.25", fraction(4001, 4)),
            (
                "0.123456789012345",
                fraction(123_456_789_012_345, 1_000_000_000_000_000),
            ),
        ] {
            let literal = Literal::read(text, Precision::Double).unwrap();
            assert_eq!(
                (literal.value, literal.is_fraction),
                (value, false),
                "{text}"
            );
        }
        assert_eq!(Literal::read("x", Precision::Double), None);
    }

    /// Every double nearest to a short fraction is read as that fraction.
    #[test]
    fn rounded_fractions_are_found_again() {
        for n in 1..40_i64 {
            for d in [3_i64, 7, 11, 12, 48, 97, 360, 6000] {
                let text = format!("{:?}", n as f64 / d as f64);
                let literal = Literal::read(&text, Precision::Double).unwrap();
                assert_eq!(literal.value, fraction(n, d), "{text}");
                assert!(literal.is_exact());
            }
        }
    }

    #[test]
    fn other_long_literals_are_known_to_a_step() {
        let text = format!("{:?}", std::f64::consts::E / 7.0);
        let literal = Literal::read(&text, Precision::Double).unwrap();
        assert!(!literal.is_exact() && !literal.is_fraction);
        let (low, high) = (
            &literal.value - &literal.radius,
            &literal.value + &literal.radius,
        );
        let double: f64 = text.parse().unwrap();
        for neighbour in [double.next_down(), double.next_up()] {
            let between = (&fraction_of(double) + fraction_of(neighbour)) / BigInt::from(2);
            assert!(low < between && between < high);
        }
    }

    fn fraction_of(double: f64) -> BigRational {
        BigRational::from_float(double).unwrap()
    }
}
