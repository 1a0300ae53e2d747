//! Numbers as their files write them: exact decimals that are printed as they were typed, less zeros that say nothing. Knows nothing of
//! files and machines.

use std::cmp::Ordering;
use std::ops::Neg;

use num_bigint::BigInt;
use num_traits::{Signed, ToPrimitive, Zero};

/// Most digits of a number, and largest exponent: those of the language.
const MOST_DIGITS: usize = 80;
const LARGEST: i64 = 300;

/// `digits * 10^exponent`, without zeros at the end of the digits.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Decimal {
    digits: BigInt,
    exponent: i64,
    /// What is written in its place where one text stands for several numbers; it never counts as zero.
    stands: Option<String>,
}

/// Why a text is no number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoNumber {
    /// It is written `nan`, `inf` or the like.
    NotFinite,
    /// It has too many digits, or an exponent beyond all use.
    TooLong,
    /// It is something else.
    Other,
}

impl NoNumber {
    /// What to say of it.
    pub fn said(self) -> &'static str {
        match self {
            Self::NotFinite => "not a finite number",
            Self::TooLong => "a number with too many digits or too large an exponent",
            Self::Other => "not a number",
        }
    }
}

impl Decimal {
    /// From digits and a power of ten.
    fn new(digits: BigInt, exponent: i64) -> Self {
        if digits.is_zero() {
            return Self {
                digits,
                exponent: 0,
                stands: None,
            };
        }
        let (mut digits, mut exponent) = (digits, exponent);
        let ten = BigInt::from(10);
        while (&digits % &ten).is_zero() {
            digits /= &ten;
            exponent += 1;
        }
        Self {
            digits,
            exponent,
            stands: None,
        }
    }

    /// The number as it is, written as something else.
    pub fn written(&self, text: String) -> Self {
        Self {
            stands: Some(text),
            ..self.clone()
        }
    }

    /// A whole number.
    pub fn whole(value: i64) -> Self {
        Self::new(BigInt::from(value), 0)
    }

    /// 0.
    pub fn zero() -> Self {
        Self::whole(0)
    }

    /// 1.
    pub fn one() -> Self {
        Self::whole(1)
    }

    /// Reads what `strtod` would take in the C locale, hexadecimal numbers apart.
    pub fn read(text: &str) -> Result<Self, NoNumber> {
        let text = text.trim();
        let bare = text.trim_start_matches(['+', '-']).to_ascii_lowercase();
        if ["nan", "inf", "infinity"].contains(&bare.as_str()) {
            return Err(NoNumber::NotFinite);
        }
        let (mantissa, exponent) = match text.split_once(['e', 'E']) {
            Some((mantissa, exponent)) => {
                let exponent = exponent.strip_prefix('+').unwrap_or(exponent);
                (
                    mantissa,
                    exponent.parse::<i64>().map_err(|_| NoNumber::Other)?,
                )
            }
            None => (text, 0),
        };
        let (negative, mantissa) = match mantissa.strip_prefix('-') {
            Some(rest) => (true, rest),
            None => (false, mantissa.strip_prefix('+').unwrap_or(mantissa)),
        };
        let (before, after) = mantissa.split_once('.').unwrap_or((mantissa, ""));
        let digits = format!("{before}{after}");
        if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
            return Err(NoNumber::Other);
        }
        if digits.len() > MOST_DIGITS || exponent.abs() > LARGEST {
            return Err(NoNumber::TooLong);
        }
        let digits: BigInt = digits.parse().map_err(|_| NoNumber::Other)?;
        let digits = if negative { -digits } else { digits };
        Ok(Self::new(digits, exponent - after.len() as i64))
    }

    /// The decimal that a finite double is written as; 0 for one that is not finite.
    pub fn of_double(value: f64) -> Self {
        Self::read(&format!("{value:e}")).unwrap_or_else(|_| Self::zero())
    }

    /// The nearest double.
    pub fn to_double(&self) -> f64 {
        format!("{}e{}", self.digits, self.exponent)
            .parse()
            .unwrap_or(f64::NAN)
    }

    /// Whether it is 0.
    pub fn is_zero(&self) -> bool {
        self.stands.is_none() && self.digits.is_zero()
    }

    /// Whether it is below 0.
    pub fn is_negative(&self) -> bool {
        match &self.stands {
            Some(text) => text.starts_with('-'),
            None => self.digits.is_negative(),
        }
    }

    /// Whether it is 1.
    pub fn is_one(&self) -> bool {
        *self == Self::one()
    }

    /// Without its sign.
    pub fn abs(&self) -> Self {
        if self.is_negative() {
            -self
        } else {
            self.clone()
        }
    }

    /// Digits after the point as the number is known: 4 for 1.5708.
    pub fn places(&self) -> i64 {
        (-self.exponent).max(0)
    }

    /// Digits without zeros at either end.
    pub fn significant(&self) -> usize {
        self.digits.abs().to_string().len()
    }

    /// Rounded to so many significant digits.
    pub fn rounded(&self, most: usize) -> Self {
        let surplus = self.significant().saturating_sub(most.max(1));
        if surplus == 0 || self.stands.is_some() {
            return self.clone();
        }
        let scale = BigInt::from(10).pow(surplus as u32);
        let half = &scale / 2;
        let shifted: BigInt = (self.digits.abs() + half) / &scale;
        let digits = if self.is_negative() {
            -shifted
        } else {
            shifted
        };
        Self::new(digits, self.exponent + surplus as i64)
    }

    /// Product, exact.
    pub fn times(&self, other: &Self) -> Self {
        Self::new(&self.digits * &other.digits, self.exponent + other.exponent)
    }

    /// Sum, exact.
    pub fn plus(&self, other: &Self) -> Self {
        let exponent = self.exponent.min(other.exponent);
        let at = |number: &Self| {
            &number.digits * BigInt::from(10).pow((number.exponent - exponent) as u32)
        };
        Self::new(at(self) + at(other), exponent)
    }

    /// The number as a whole one, where it is one of a few digits.
    pub fn to_whole(&self) -> Option<i64> {
        let shift = u32::try_from(self.exponent)
            .ok()
            .filter(|shift| *shift < 18)?;
        (&self.digits * BigInt::from(10).pow(shift)).to_i64()
    }

    /// In the language: with a point, or with an exponent where the point would be far off.
    pub fn text(&self) -> String {
        if let Some(text) = &self.stands {
            return text.clone();
        }
        let digits = self.digits.abs().to_string();
        let sign = if self.digits.is_negative() { "-" } else { "" };
        let count = digits.len() as i64;
        // Position of the point, counted from the first digit.
        let point = count + self.exponent;
        let body = if self.is_zero() {
            "0".to_owned()
        } else if (-3..=0).contains(&point) {
            format!("0.{}{digits}", "0".repeat((-point) as usize))
        } else if point > 0 && point < count {
            let (before, after) = digits.split_at(point as usize);
            format!("{before}.{after}")
        } else if point >= count && point <= 9 {
            format!("{digits}{}", "0".repeat(self.exponent as usize))
        } else {
            let (first, rest) = digits.split_at(1);
            let dot = if rest.is_empty() { "" } else { "." };
            format!("{first}{dot}{rest}e{}", point - 1)
        };
        format!("{sign}{body}")
    }
}

impl Decimal {
    /// In the language with a unit, which only numbers have.
    pub fn with_unit(&self, unit: &str) -> String {
        match &self.stands {
            Some(text) if !text.contains('*') => format!("{text}*1 [{unit}]"),
            _ => format!("{} [{unit}]", self.text()),
        }
    }
}

impl Neg for &Decimal {
    type Output = Decimal;

    fn neg(self) -> Decimal {
        let turned = |text: &String| match text.strip_prefix('-') {
            Some(bare) => bare.to_owned(),
            None => format!("-{text}"),
        };
        Decimal {
            digits: -&self.digits,
            exponent: self.exponent,
            stands: self.stands.as_ref().map(turned),
        }
    }
}

impl PartialOrd for Decimal {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Decimal {
    fn cmp(&self, other: &Self) -> Ordering {
        let difference = self.plus(&-other).digits;
        difference.cmp(&BigInt::zero())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(number: &str) -> String {
        Decimal::read(number).unwrap().text()
    }

    #[test]
    fn numbers_keep_their_digits() {
        for (written, expected) in [
            ("0.0", "0"),
            ("-0", "0"),
            ("+1.", "1"),
            (".5", "0.5"),
            ("0.10", "0.1"),
            ("120", "120"),
            ("1e-05", "1e-5"),
            ("-3.66E-05", "-3.66e-5"),
            ("0.000366", "0.000366"),
            ("0.0000366", "3.66e-5"),
            ("1e3", "1000"),
            ("2.5e12", "2.5e12"),
            ("1.5707963267948966", "1.5707963267948966"),
            (" 7 ", "7"),
        ] {
            assert_eq!(text(written), expected, "{written}");
        }
    }

    #[test]
    fn what_is_no_number_says_why() {
        for (written, why) in [
            ("nan", NoNumber::NotFinite),
            ("-INF", NoNumber::NotFinite),
            ("", NoNumber::Other),
            ("1,5", NoNumber::Other),
            ("0x10", NoNumber::Other),
            ("1e", NoNumber::Other),
            ("--1", NoNumber::Other),
            ("1e999", NoNumber::TooLong),
            ("${pi}", NoNumber::Other),
        ] {
            assert_eq!(Decimal::read(written), Err(why), "{written}");
        }
        assert_eq!(Decimal::read(&"1".repeat(200)), Err(NoNumber::TooLong));
    }

    #[test]
    fn sums_products_and_rounding_are_exact() {
        let of = |text: &str| Decimal::read(text).unwrap();
        assert_eq!(of("0.1").plus(&of("0.2")), of("0.3"));
        assert_eq!(of("1e-3").times(&of("-250")), of("-0.25"));
        assert_eq!(of("-0.12350").rounded(3), of("-0.124"));
        assert_eq!(of("99.96").rounded(3), of("100"));
        assert_eq!(of("12").rounded(5), of("12"));
        assert!(of("-0.1") < of("1e-9"));
        assert_eq!(of("30.0").to_whole(), Some(30));
        assert_eq!(of("0.5").to_whole(), None);
    }
}
