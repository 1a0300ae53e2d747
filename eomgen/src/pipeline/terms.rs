//! Sums as lists of terms, multiplied out: a common factor that is taken out, or not any more, is no change.

use std::collections::BTreeMap;
use std::fmt::Write;

use num_rational::BigRational;
use num_traits::{One, Signed, Zero};

use crate::notation::{Math, text};

/// A product: its number, and powers of what else there is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Term {
    /// The number in front.
    pub(super) number: BigRational,
    /// Symbols, functions and sums that are not multiplied out, as text, with their exponents.
    pub(super) factors: BTreeMap<String, i64>,
}

/// More terms than this are not multiplied out.
const MOST: usize = 2000;

/// The terms of a sum, those that are alike taken together.
pub(super) fn terms(m: &Math) -> Vec<Term> {
    let mut sum: Vec<Term> = Vec::new();
    for term in sum_of(m) {
        match sum.iter_mut().find(|other| other.factors == term.factors) {
            Some(other) => other.number += term.number,
            None => sum.push(term),
        }
    }
    sum.retain(|term| !term.number.is_zero());
    sum
}

fn sum_of(m: &Math) -> Vec<Term> {
    match m {
        Math::Sum(terms) => terms.iter().flat_map(sum_of).collect(),
        Math::Negative(inner) => {
            let mut terms = sum_of(inner);
            for term in &mut terms {
                term.number = -std::mem::take(&mut term.number);
            }
            terms
        }
        _ => product_of(m),
    }
}

fn product_of(m: &Math) -> Vec<Term> {
    let mut factors = Vec::new();
    collect(m, 1, &mut factors);
    let mut product = vec![Term::number(BigRational::one())];
    for (base, exponent) in factors {
        let by = power(base, exponent, product.len());
        let all = product.iter().flat_map(|a| by.iter().map(|b| a.times(b)));
        product = all.collect();
    }
    product
}

/// The factors with their exponents, negative ones for divisors.
fn collect<'m>(m: &'m Math, exponent: i64, list: &mut Vec<(&'m Math, i64)>) {
    match m {
        Math::Product(factors) => factors.iter().for_each(|f| collect(f, exponent, list)),
        Math::Quotient(above, below) => {
            collect(above, exponent, list);
            collect(below, -exponent, list);
        }
        Math::Power(base, raised) => {
            let raised = match raised.signed() {
                (minus, Math::Number(digits)) => {
                    let size = digits.parse::<i64>();
                    size.ok().map(|n| if minus { -n } else { n })
                }
                _ => None,
            };
            match raised {
                Some(n) => collect(base, n * exponent, list),
                None => list.push((m, exponent)),
            }
        }
        _ => list.push((m, exponent)),
    }
}

/// Sums are multiplied out above the line, where that makes no endless list of a product that has `count` terms so far.
fn power(base: &Math, exponent: i64, count: usize) -> Vec<Term> {
    let number = match base {
        Math::Number(digits) => digits.parse::<BigRational>().ok(),
        _ => None,
    };
    if let Some(number) = number.filter(|n| exponent > 0 || !n.is_zero()) {
        return vec![Term::number(number.pow(exponent as i32))];
    }
    let inner = match base {
        Math::Sum(_) | Math::Negative(_) => sum_of(base),
        _ => Vec::new(),
    };
    if exponent == 1 && !inner.is_empty() && inner.len() * count <= MOST {
        return inner;
    }
    if let [one] = inner.as_slice() {
        return vec![one.pow(exponent)];
    }
    let written = if inner.is_empty() {
        text(base)
    } else {
        format!("({})", text(base))
    };
    vec![Term {
        number: BigRational::one(),
        factors: BTreeMap::from([(written, exponent)]),
    }]
}

impl Term {
    fn number(number: BigRational) -> Self {
        Self {
            number,
            factors: BTreeMap::new(),
        }
    }

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
    use crate::notation::parse;

    fn written(text: &str) -> Vec<String> {
        let names = ["m", "l", "g", "x"].map(str::to_owned);
        terms(&parse(text).unwrap())
            .iter()
            .map(|term| term.text(&names))
            .collect()
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
