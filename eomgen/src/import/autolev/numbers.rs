//! Values of `INPUT` as numbers of the language. Knows units, and nothing of machines.

use std::collections::BTreeMap;

use super::super::decimal::Decimal;
use super::super::findings::Findings;
use super::facts::{Facts, Word};
use super::tree::{Expr, Kind, Sign};
use crate::diag::codes::import::E0603;

/// Names that are no quantities of the machine but of a simulation.
const SETTINGS: [&str; 8] = [
    "tinitial",
    "tfinal",
    "integstp",
    "abserr",
    "relerr",
    "printint",
    "tstep",
    "integstep",
];

/// Numbers by names, in the language.
#[derive(Debug, Default)]
pub struct Starts(BTreeMap<String, String>);

impl Starts {
    pub fn of(&self, name: &str) -> Option<&String> {
        self.0.get(name)
    }

    pub fn set(&mut self, name: &str, value: &str) {
        self.0.insert(name.to_owned(), value.to_owned());
    }
}

/// All values that are given; what is no number of the machine is left out.
pub fn starts(facts: &Facts, is_speed: &dyn Fn(&str) -> bool, findings: &mut Findings) -> Starts {
    let mut starts = Starts::default();
    let scalar = |name: &str| facts.scalars.iter().any(|scalar| scalar.name == name);
    for scalar in facts
        .scalars
        .iter()
        .filter(|scalar| scalar.word == Word::Constant)
    {
        let value = facts.values.get(&(scalar.name.clone(), 0));
        if let Some(value) = value.and_then(number) {
            starts.set(&scalar.name, &value);
        }
    }
    for given in &facts.given {
        if SETTINGS.contains(&given.name.as_str()) {
            continue;
        }
        if given.primes > 0
            || !scalar(&given.name)
            || facts.values.contains_key(&(given.name.clone(), 0))
                && starts.of(&given.name).is_none()
                && !is_speed(&given.name)
        {
            findings.left_out(
                "values of what is not declared or follows",
                &given.name,
                given.span,
            );
            continue;
        }
        let unit = match facts.units.get(&given.name) {
            Some(unit) if given.unit.is_empty() => unit.clone(),
            _ => given.unit.clone(),
        };
        let Some(value) = number(&given.value) else {
            findings.left_out("values that are no numbers", &given.name, given.span);
            continue;
        };
        let Some((factor, angle)) = read_unit(&unit) else {
            findings.error(
                E0603,
                format!("the unit `{unit}` is not read"),
                given.span,
                "of this value",
                "give the value in SI; m, cm, mm, km, kg, g, s, N, J, W, Hz, rad, deg, rpm and their products are known",
            );
            continue;
        };
        let text = match (&given.value.kind, angle) {
            _ if value == "0" => "0".to_owned(),
            (Kind::Number(text), 0) => match Decimal::read(text) {
                Ok(number) => number.times(&factor).text(),
                Err(_) => value,
            },
            (_, 0) if factor.is_one() => value,
            (_, 0) => format!("({value})*{}", factor.text()),
            (_, 1)
                if factor.is_one()
                    && unit == "deg"
                    && value
                        .bytes()
                        .all(|c| c.is_ascii_digit() || c == b'.' || c == b'-') =>
            {
                format!("{value} [deg]")
            }
            _ => {
                let scaled = if factor.is_one() {
                    String::new()
                } else {
                    format!("*{}", factor.text())
                };
                format!("({value}){scaled}*pi/180")
            }
        };
        starts.0.insert(given.name.clone(), text);
    }
    starts
}

/// A constant in numbers and pi.
pub fn number(expr: &Expr) -> Option<String> {
    Some(match &expr.kind {
        Kind::Number(text) => Decimal::read(text).ok()?.text(),
        Kind::Name(name, 0) if name == "pi" => "pi".to_owned(),
        Kind::Negative(inner) => match &inner.kind {
            Kind::Number(_) => {
                let text = number(inner)?;
                if text == "0" {
                    text
                } else {
                    format!("-{text}")
                }
            }
            _ => format!("-({})", number(inner)?),
        },
        Kind::Binary(sign, left, right) => {
            let sign = match sign {
                Sign::Plus => " + ",
                Sign::Minus => " - ",
                Sign::Times => "*",
                Sign::Over => "/",
                Sign::Power => "^",
            };
            let part = |expr: &Expr| {
                let text = number(expr)?;
                Some(match expr.kind {
                    Kind::Binary(..) | Kind::Negative(_) => format!("({text})"),
                    _ => text,
                })
            };
            format!("{}{sign}{}", part(left)?, part(right)?)
        }
        _ => return None,
    })
}

/// A unit as a factor to SI, and the number of degrees in it.
fn read_unit(text: &str) -> Option<(Decimal, i32)> {
    let mut factor = Decimal::one();
    let mut degrees = 0;
    let mut rest = text.trim_matches(['(', ')']);
    let mut over = false;
    while !rest.is_empty() {
        let length = rest.find(['*', '/', '^', '(', ')']).unwrap_or(rest.len());
        let word = &rest[..length];
        rest = &rest[length..];
        let mut power = 1;
        if let Some(tail) = rest.strip_prefix('^') {
            let digits = tail
                .find(|c: char| !c.is_ascii_digit())
                .unwrap_or(tail.len());
            power = tail[..digits]
                .parse::<i32>()
                .ok()
                .filter(|power| *power < 5)?;
            rest = &tail[digits..];
        }
        let (size, angle) = base(word, over)?;
        for _ in 0..power {
            factor = factor.times(&size);
            degrees += if over { -angle } else { angle };
        }
        match rest.chars().next() {
            None => {}
            Some('*') => rest = &rest[1..],
            Some('/') => {
                over = true;
                rest = &rest[1..];
            }
            Some(_) => return None,
        }
    }
    (degrees == 0 || degrees == 1).then_some((factor, degrees))
}

/// A unit in SI, or one over it, where that is a short decimal.
fn base(word: &str, over: bool) -> Option<(Decimal, i32)> {
    let (up, down) = match word {
        "" | "1" | "m" | "meter" | "meters" | "metre" | "metres" | "kg" | "kilogram" | "kgs"
        | "s" | "sec" | "second" | "seconds" | "n" | "newton" | "newtons" | "j" | "joule" | "w"
        | "watt" | "hz" | "pa" | "rad" | "rads" | "radian" | "radians" | "units" | "nounits" => {
            ("1", "1")
        }
        "deg" | "degree" | "degrees" => return Some((Decimal::one(), 1)),
        "cm" => ("0.01", "100"),
        "mm" => ("0.001", "1000"),
        "km" | "kn" => ("1000", "0.001"),
        "g" | "gram" | "grams" | "ms" => ("0.001", "1000"),
        // 6 degrees per second.
        "rpm" if !over => return Some((Decimal::whole(6), 1)),
        _ => return None,
    };
    Decimal::read(if over { down } else { up })
        .ok()
        .map(|size| (size, 0))
}
