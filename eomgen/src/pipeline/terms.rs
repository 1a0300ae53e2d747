//! Sums in the model's language as lists of terms, multiplied out: a common factor that is taken out, or not any more, is no change.
//! Works on the text that `sym` prints in normal form, which has no spaces but around the signs of sums.

use std::collections::BTreeMap;
use std::fmt::Write;

use num_rational::BigRational;
use num_traits::{One, Signed, Zero};

/// A product: its number, and powers of what else there is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Term {
    /// The number in front.
    pub(super) number: BigRational,
    /// Symbols, functions and sums that are not multiplied out, with their exponents.
    pub(super) factors: BTreeMap<String, i64>,
}

/// More terms than this are not multiplied out.
const MOST: usize = 2000;

/// The terms of a sum, those that are alike taken together.
pub(super) fn terms(text: &str) -> Vec<Term> {
    let mut sum: Vec<Term> = Vec::new();
    for term in sum_of(text) {
        match sum.iter_mut().find(|other| other.factors == term.factors) {
            Some(other) => other.number += term.number,
            None => sum.push(term),
        }
    }
    sum.retain(|term| !term.number.is_zero());
    sum
}

fn sum_of(text: &str) -> Vec<Term> {
    let mut found = Vec::new();
    for (negative, term) in signed(text) {
        for mut term in product_of(term) {
            if negative {
                term.number = -term.number;
            }
            found.push(term);
        }
    }
    found
}

/// The summands with their signs.
fn signed(text: &str) -> Vec<(bool, &str)> {
    let mut found = Vec::new();
    let (mut depth, mut start, mut negative) = (0_usize, 0, false);
    let bytes = text.as_bytes();
    for (at, byte) in bytes.iter().enumerate() {
        match byte {
            b'(' | b'[' => depth += 1,
            b')' | b']' => depth = depth.saturating_sub(1),
            b'+' | b'-' if depth == 0 && (at == 0 || bytes.get(at - 1) == Some(&b' ')) => {
                found.push((negative, text.get(start..at).unwrap_or_default().trim()));
                negative = *byte == b'-';
                start = at + 1;
            }
            _ => {}
        }
    }
    found.push((negative, text.get(start..).unwrap_or_default().trim()));
    found.retain(|(_, term)| !term.is_empty());
    found
}

fn product_of(text: &str) -> Vec<Term> {
    let mut product = vec![Term {
        number: BigRational::one(),
        factors: BTreeMap::new(),
    }];
    for (below, factor) in factors(text) {
        let (base, exponent) = match factor.rsplit_once('^') {
            Some((base, exponent)) if closed(base) => match exponent.parse::<i64>() {
                Ok(exponent) => (base, exponent),
                Err(_) => (factor, 1),
            },
            _ => (factor, 1),
        };
        let exponent = if below { -exponent } else { exponent };
        let inner = base
            .strip_prefix('(')
            .and_then(|rest| rest.strip_suffix(')'));
        let inner = inner.filter(|inner| closed(inner)).map(sum_of);
        // Sums are multiplied out above the line; products in parentheses anywhere.
        let by = match (inner, base.parse::<BigRational>()) {
            (_, Ok(number)) if !(exponent < 0 && number.is_zero()) => vec![Term {
                number: number.pow(exponent as i32),
                factors: BTreeMap::new(),
            }],
            (Some(inner), _) if exponent == 1 && inner.len() * product.len() <= MOST => inner,
            (Some(inner), _) if inner.len() == 1 => inner.iter().map(|t| t.pow(exponent)).collect(),
            _ => vec![Term {
                number: BigRational::one(),
                factors: BTreeMap::from([(base.to_owned(), exponent)]),
            }],
        };
        let all = product.iter().flat_map(|a| by.iter().map(|b| a.times(b)));
        product = all.collect();
    }
    product
}

/// The factors and divisors.
fn factors(text: &str) -> Vec<(bool, &str)> {
    let mut found = Vec::new();
    let (mut depth, mut start, mut below) = (0_usize, 0, false);
    for (at, byte) in text.bytes().enumerate() {
        match byte {
            b'(' | b'[' => depth += 1,
            b')' | b']' => depth = depth.saturating_sub(1),
            b'*' | b'/' if depth == 0 => {
                found.push((below, text.get(start..at).unwrap_or_default()));
                below = byte == b'/';
                start = at + 1;
            }
            _ => {}
        }
    }
    found.push((below, text.get(start..).unwrap_or_default()));
    found
}

/// Whether no parenthesis is closed before it is opened, or left open.
fn closed(text: &str) -> bool {
    let mut depth = 0_i64;
    for byte in text.bytes() {
        match byte {
            b'(' => depth += 1,
            b')' => depth -= 1,
            _ => {}
        }
        if depth < 0 {
            return false;
        }
    }
    depth == 0
}

impl Term {
    fn times(&self, other: &Self) -> Self {
        let mut factors = self.factors.clone();
        for (base, exponent) in &other.factors {
            let sum = factors.entry(base.clone()).or_default();
            *sum += exponent;
            if *sum == 0 {
                factors.remove(base);
            }
        }
        Self {
            number: &self.number * &other.number,
            factors,
        }
    }

    fn pow(&self, exponent: i64) -> Self {
        let factors = self.factors.iter();
        Self {
            number: self.number.pow(exponent as i32),
            factors: factors
                .map(|(base, e)| (base.clone(), e * exponent))
                .collect(),
        }
    }

    /// As one writes it: number, quantities in the order of `names`, functions, rates, and what it is divided by.
    pub(super) fn text(&self, names: &[String]) -> String {
        let mut factors: Vec<(&String, i64)> = self.factors.iter().map(|(b, e)| (b, *e)).collect();
        factors.sort_by_key(|(base, _)| {
            let primes = base.chars().rev().take_while(|c| *c == '\'').count();
            let is_function = base.contains('(');
            let place = names
                .iter()
                .position(|name| name == base.trim_end_matches('\''));
            (primes, is_function, place, (*base).clone())
        });
        let power = |base: &str, exponent: i64| match exponent {
            1 => base.to_owned(),
            exponent => format!("{base}^{exponent}"),
        };
        let mut above: Vec<String> = Vec::new();
        let mut below: Vec<String> = Vec::new();
        let (numerator, denominator) = (self.number.numer().abs(), self.number.denom());
        if !numerator.is_one() {
            above.push(numerator.to_string());
        }
        for (base, exponent) in factors {
            if exponent < 0 {
                below.push(power(base, -exponent))
            } else {
                above.push(power(base, exponent))
            }
        }
        if above.is_empty() {
            above.push("1".into());
        }
        if !denominator.is_one() {
            below.insert(0, denominator.to_string());
        }
        let mut text = String::new();
        if self.number.is_negative() {
            text.push('-');
        }
        text.push_str(&above.join("*"));
        for divisor in below {
            // Writing to a string cannot fail.
            let _ = write!(text, "/{divisor}");
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(text: &str) -> Vec<String> {
        let names = ["m", "l", "g", "x"].map(str::to_owned);
        terms(text).iter().map(|term| term.text(&names)).collect()
    }

    #[test]
    fn sums_are_multiplied_out() {
        for (text, expected) in [
            ("x''*m + 2*l", vec!["m*x''", "2*l"]),
            ("-l*(m*l*x'' - g*sin(x))", vec!["-m*l^2*x''", "l*g*sin(x)"]),
            ("(m*x'^2 + 3*g)/2", vec!["m*x'^2/2", "3*g/2"]),
            ("m*(g + l)*(g - l)", vec!["m*g^2", "-m*l^2"]),
            ("(m*x + l*x)/x", vec!["m", "l"]),
            ("m/(g + l)", vec!["m/(g + l)"]),
            ("m/(2*g)", vec!["m/2/g"]),
            ("x*sin(x - 2*l)^2", vec!["x*sin(x - 2*l)^2"]),
            ("m - m", vec![]),
            ("0", vec![]),
            ("1/2", vec!["1/2"]),
            ("(g + l)^2", vec!["(g + l)^2"]),
            ("atan2(x, -l)*lambda[a]", vec!["lambda[a]*atan2(x, -l)"]),
        ] {
            assert_eq!(written(text), expected, "{text}");
        }
    }
}
