//! Decimal numbers, exact as written.

use num_bigint::BigInt;
pub use num_rational::BigRational as Rational;
use num_traits::Pow;

/// Rational approximation of pi to 50 decimals: for defaults and initial values, which end up as
/// floating-point numbers, and for nothing else.
const PI_DIGITS: &str = "3.14159265358979323846264338327950288419716939937511";

/// Pi to 50 decimals.
pub fn pi_approximation() -> Rational {
    decimal(PI_DIGITS).unwrap_or_default()
}

/// The exact value of a decimal such as `9.81`, `.5` or `1.3e-5`. `None` if it is no decimal or
/// its exponent is beyond what a double can hold many times over (more than four digits).
pub fn decimal(text: &str) -> Option<Rational> {
    let clean: String = text.chars().filter(|c| *c != '_').collect();
    let (mantissa, exponent) = match clean.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => (mantissa, exponent.parse::<i32>().ok()?),
        None => (clean.as_str(), 0),
    };
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let digits = format!("{whole}{fraction}");
    if digits.is_empty() || !digits.bytes().all(|b| b.is_ascii_digit()) || exponent.abs() > 9999 {
        return None;
    }
    let value = Rational::from_integer(digits.parse::<BigInt>().ok()?);
    let places = exponent.checked_sub(i32::try_from(fraction.len()).ok()?)?;
    let ten = Rational::from_integer(BigInt::from(10));
    Some(value * Pow::pow(ten, places))
}

/// A rational in the model's syntax: a decimal where it ends, else a quotient. The sign is
/// written in front.
pub fn number_text(value: &Rational) -> String {
    let mut denominator = value.denom().clone();
    let mut places = 0u32;
    let ten = BigInt::from(10);
    // A decimal of at most 20 places can be read by people; 10^20 is a multiple of its denominator.
    while places < 20 && value.denom() != &BigInt::from(1) {
        places += 1;
        if (Pow::pow(&ten, places) % value.denom()) == BigInt::from(0) {
            denominator = BigInt::from(1);
            break;
        }
    }
    if denominator != BigInt::from(1) {
        return value.to_string();
    }
    if value.is_integer() {
        return value.numer().to_string();
    }
    let scaled = (value * Rational::from_integer(Pow::pow(&ten, places))).to_integer();
    let negative = scaled < BigInt::from(0);
    let digits = scaled.magnitude().to_string();
    let places = places as usize;
    let padded = format!("{digits:0>width$}", width = places + 1);
    let (whole, fraction) = padded.split_at(padded.len() - places);
    format!("{}{whole}.{fraction}", if negative { "-" } else { "" })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decimals_are_exact_both_ways() {
        for (text, numerator, denominator, back) in [
            ("9.81", 981, 100, "9.81"),
            ("1.3e-5", 13, 1_000_000, "0.000013"),
            (".5", 1, 2, "0.5"),
            ("2.", 2, 1, "2"),
            ("1e3", 1000, 1, "1000"),
            ("1E+2", 100, 1, "100"),
            ("0", 0, 1, "0"),
        ] {
            let expected = Rational::new(numerator.into(), denominator.into());
            assert_eq!(decimal(text), Some(expected.clone()), "{text}");
            assert_eq!(number_text(&expected), back);
        }
        for text in ["", ".", "e5", "1e99999", "0x10", "1e", "-1"] {
            assert_eq!(decimal(text), None, "{text}");
        }
        assert_eq!(number_text(&Rational::new(1.into(), 3.into())), "1/3");
        assert_eq!(number_text(&Rational::new((-1).into(), 4.into())), "-0.25");
    }
}
