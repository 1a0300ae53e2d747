//! Expressions as mathematics, terms and factors in the model's order, and as text in the model's notation.

use super::expr::Expr;
use super::node::Node;
use super::{Algebra, Var};
use crate::notation::{Math, Symbol, text};
use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::{One, Signed, ToPrimitive, Zero};

impl Algebra {
    /// The expression in model notation.
    pub fn text(&self, e: &Expr) -> String {
        text(&self.verbatim(e))
    }

    /// The expression with its symbols, functions too, by their names in listings.
    pub fn verbatim(&self, e: &Expr) -> Math {
        let named = &mut |v| Math::Symbol(Symbol::verbatim(&self.info(v).name));
        self.math(&self.node(e), named)
    }

    /// A tree as mathematics, its symbols as they are given.
    pub fn math(&self, n: &Node, symbol: &mut dyn FnMut(Var) -> Math) -> Math {
        match n {
            Node::Number(r) => number(r),
            Node::Var(v) => symbol(*v),
            Node::Sum(terms) => {
                let term = |t: &Node| {
                    if t.is_negative() {
                        self.math(&t.negated(), symbol).negated()
                    } else {
                        self.math(t, symbol)
                    }
                };
                Math::Sum(terms.iter().map(term).collect())
            }
            Node::Product(c, factors) => {
                let (mut above, mut below) = (Vec::new(), Vec::new());
                let size = number(&c.abs());
                match size {
                    Math::Quotient(numerator, denominator) => {
                        above.extend(Some(*numerator).filter(|n| !n.is_one()));
                        below.push(*denominator);
                    }
                    size => above.extend(Some(size).filter(|n| !n.is_one())),
                }
                // What is 1 at every state is not shown; it is there for derivatives.
                for (base, exponent) in factors.iter().filter(|f| !self.is_unit_node(&f.0)) {
                    let base = self.math(base, symbol);
                    let list = if *exponent > 0 {
                        &mut above
                    } else {
                        &mut below
                    };
                    list.push(match exponent.unsigned_abs() {
                        1 => base,
                        n => Math::Power(Box::new(base), Box::new(Math::integer(n.into()))),
                    });
                }
                let above = Math::product(above);
                let all = if below.is_empty() {
                    above
                } else {
                    Math::Quotient(Box::new(above), Box::new(Math::product(below)))
                };
                if c.is_negative() { all.negated() } else { all }
            }
        }
    }
}

/// Denominators from which on a decimal fraction is written as one; smaller ones come from geometry.
const DECIMAL: u32 = 50;
/// Digits up to which a decimal fraction is exact.
const DIGITS: usize = 17;

/// A number as one writes it: whole, `9.81`, or a fraction.
pub fn number(r: &BigRational) -> Math {
    let digits = |n: &BigInt| Math::Number(n.abs().to_string());
    let above = digits(r.numer());
    let all = if r.denom().is_one() {
        above
    } else if let Some(decimal) = decimal(r) {
        Math::Number(decimal)
    } else {
        Math::Quotient(Box::new(above), Box::new(digits(r.denom())))
    };
    if r.is_negative() { all.negated() } else { all }
}

/// The digits of a decimal fraction, unless it is as short as a fraction.
fn decimal(r: &BigRational) -> Option<String> {
    let mut rest = r.denom().clone();
    if rest < BigInt::from(DECIMAL) {
        return None;
    }
    let (mut twos, mut fives) = (0, 0);
    for (prime, count) in [(2, &mut twos), (5, &mut fives)] {
        let prime = BigInt::from(prime);
        while (&rest % &prime).is_zero() {
            rest /= &prime;
            *count += 1;
        }
    }
    if !rest.is_one() || fives == 0 {
        return None;
    }
    let places = twos.max(fives);
    let scaled = r.numer().abs() * num_traits::pow(BigInt::from(10), places) / r.denom();
    let digits = scaled.to_string();
    (digits.len() <= DIGITS).then(|| pointed(&digits, places))
}

/// With the point before the last `places` digits.
fn pointed(digits: &str, places: usize) -> String {
    let whole = digits.len().saturating_sub(places);
    let zeros = "0".repeat(places.saturating_sub(digits.len()));
    let first = if whole == 0 { "0" } else { &digits[..whole] };
    let text = format!("{first}.{zeros}{}", &digits[whole..]);
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

/// The same, rounded to the digits of a double where it is a long fraction.
pub fn rounded_number(r: &BigRational) -> Math {
    let exact = number(r);
    let Math::Quotient(above, below) = &exact else {
        return exact;
    };
    let length = |m: &Math| match m {
        Math::Number(digits) => digits.len(),
        _ => 0,
    };
    if length(above) + length(below) <= DIGITS || r.is_negative() {
        return exact;
    }
    let ten = BigInt::from(10);
    // As many places as leave seventeen digits.
    let magnitude = length(above) as i64 - length(below) as i64;
    let places = (DIGITS as i64 - magnitude).max(0) as usize;
    let scaled: BigInt = r.numer() * num_traits::pow(ten, places) * 2 + r.denom();
    let rounded: BigInt = scaled / (r.denom() * 2);
    let digits = rounded.to_string();
    let digits = pointed(&digits, places);
    // As few digits as tell the double.
    let shortest = digits.parse::<f64>().map(|x| x.to_string());
    Math::Number(shortest.unwrap_or(digits))
}

/// A value as one types it: a decimal number, an angle in degrees, or a fraction where it is none of these.
pub fn typed_number(r: &BigRational, unit: Option<&str>) -> String {
    let sign = if r.is_negative() { "-" } else { "" };
    let ten = |places: usize| num_traits::pow(BigInt::from(10), places);
    let places = (0..PLAIN).find(|places| (ten(*places) % r.denom()).is_zero());
    if let Some(places) = places {
        let scaled = r.numer().abs() * (ten(places) / r.denom());
        let digits = scaled.to_string();
        return format!(
            "{sign}{}",
            if places == 0 {
                digits
            } else {
                pointed(&digits, places)
            }
        );
    }
    let short = r.numer().to_string().len() + r.denom().to_string().len() <= PLAIN;
    if short {
        return r.to_string();
    }
    let value = r.to_f64().unwrap_or(f64::NAN);
    let degrees = value.to_degrees();
    let whole = (degrees * 1e4).round() / 1e4;
    if unit == Some("rad") && whole != 0.0 && (degrees / whole - 1.0).abs() < 4.0 * f64::EPSILON {
        return format!("{whole} [deg]");
    }
    value.to_string()
}

/// Digits of a value that is written as it is.
const PLAIN: usize = 12;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_written_as_one_types_them() {
        let text = |a: i64, b: i64| text(&number(&BigRational::new(a.into(), b.into())));
        assert_eq!(text(981, 100), "9.81");
        assert_eq!(text(-1, 1000), "-0.001");
        assert_eq!(text(3, 10), "3/10");
        assert_eq!(text(1, 64), "1/64");
        assert_eq!(text(7, 300), "7/300");
        assert_eq!(text(12_345, 10_000), "1.2345");
        assert_eq!(text(4, 1), "4");
    }

    #[test]
    fn values_are_written_as_one_types_them() {
        let typed = |a: i64, b: i64| typed_number(&BigRational::new(a.into(), b.into()), None);
        assert_eq!(typed(13, 10), "1.3");
        assert_eq!(typed(-1, 64), "-0.015625");
        assert_eq!(typed(400, 1), "400");
        assert_eq!(typed(1, 3), "1/3");
        assert_eq!(typed(0, 1), "0");
        let angle = BigRational::from_float(8.0_f64.to_radians()).unwrap();
        assert_eq!(typed_number(&angle, Some("rad")), "8 [deg]");
        assert_eq!(
            typed_number(&angle, Some("m")),
            8.0_f64.to_radians().to_string()
        );
    }

    #[test]
    fn long_fractions_are_rounded_to_a_double() {
        let third = BigRational::new(
            "333333333333333333333".parse().unwrap(),
            "1000000000000000000007".parse().unwrap(),
        );
        let Math::Number(digits) = rounded_number(&third) else {
            panic!("{third}");
        };
        let exact = 333_333_333_333_333_333_333.0 / 1_000_000_000_000_000_000_007.0;
        assert!((digits.parse::<f64>().unwrap() - exact).abs() < 1e-15);
    }
}
