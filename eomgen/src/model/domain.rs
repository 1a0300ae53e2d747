//! Constants and where functions are defined: a root of a negative number is refused where it stands.
//!
//! Whatever is rational is compared exactly. Everything else is a number with a bound on its error, and refused only if that leaves no
//! doubt; what cannot be told from 0 is no divisor, and has no logarithm. Knows no names or units.

use num_traits::{Signed, ToPrimitive, Zero};

use super::codes;
use super::number::number_text;
use super::system::{Rational, Scalar};
use crate::diag::Diagnostic;
use crate::function::{Domain, Elementary, Real};
use crate::span::Span;

/// A number, exact or nearly.
#[derive(Clone, Debug, PartialEq)]
pub struct Constant {
    exact: Option<Rational>,
    value: f64,
    /// How far off the value may be.
    error: f64,
}

/// What is wrong with a constant.
#[derive(Clone, Debug, PartialEq)]
pub struct Undefined {
    /// The function, as models write it.
    pub function: &'static str,
    /// The argument, as a number.
    pub argument: String,
    /// What the argument has to be.
    pub wanted: &'static str,
    /// What to write instead.
    pub help: &'static str,
}

impl Undefined {
    /// The message, where the argument stands.
    pub fn at(self, span: Span) -> Diagnostic {
        let Self {
            function,
            argument,
            wanted,
            help,
        } = self;
        let title = match function {
            "^" => format!("a power of {argument} that has no value"),
            name => format!("`{name}` has no value at {argument}"),
        };
        let label = format!("this is {argument}, and has to be {wanted}");
        Diagnostic::error_with_help(codes::NUMBER, title, span, label, help)
    }
}

impl Constant {
    fn rational(number: Rational) -> Self {
        let value = number.to_f64().unwrap_or(f64::NAN);
        Self {
            exact: Some(number),
            value,
            error: rounding(value),
        }
    }

    fn near(value: f64, error: f64) -> Self {
        Self {
            exact: None,
            value,
            error: error + rounding(value),
        }
    }

    /// Whether it is less than a whole number, for certain.
    fn is_below(&self, limit: i32) -> bool {
        match &self.exact {
            Some(number) => *number < Rational::from_integer(limit.into()),
            None => self.value + self.error < f64::from(limit),
        }
    }

    /// Whether it is greater, for certain.
    fn is_above(&self, limit: i32) -> bool {
        match &self.exact {
            Some(number) => *number > Rational::from_integer(limit.into()),
            None => self.value - self.error > f64::from(limit),
        }
    }

    /// Whether it is a whole number as far as can be told.
    fn is(&self, number: i32) -> bool {
        !self.is_below(number) && !self.is_above(number)
    }

    fn text(&self) -> String {
        match &self.exact {
            Some(number) => number_text(number),
            None if self.is(0) => "0".to_owned(),
            None => format!("{:.6}", self.value)
                .trim_end_matches('0')
                .trim_end_matches('.')
                .to_owned(),
        }
    }
}

fn rounding(value: f64) -> f64 {
    value.abs() * 4.0 * f64::EPSILON
}

/// The number that an expression comes to, if it is one and defined; `leaf` gives the values of what is neither a number nor an operation.
pub fn constant(scalar: &Scalar, leaf: &dyn Fn(&Scalar) -> Option<Constant>) -> Option<Constant> {
    let at = |s: &Scalar| constant(s, leaf);
    let both = |a: &Scalar, b: &Scalar| Some((at(a)?, at(b)?));
    let exact = |a: &Constant, b: &Constant| Some((a.exact.clone()?, b.exact.clone()?));
    let found = match scalar {
        Scalar::Number(n) => Constant::rational(n.clone()),
        Scalar::Pi => Constant::near(std::f64::consts::PI, 0.0),
        Scalar::Neg(a) => {
            let a = at(a)?;
            Constant {
                exact: a.exact.map(|n| -n),
                value: -a.value,
                ..a
            }
        }
        Scalar::Add(a, b) => {
            let (a, b) = both(a, b)?;
            match exact(&a, &b) {
                Some((a, b)) => Constant::rational(a + b),
                None => Constant::near(a.value + b.value, a.error + b.error),
            }
        }
        Scalar::Sub(a, b) => {
            let (a, b) = both(a, b)?;
            match exact(&a, &b) {
                Some((a, b)) => Constant::rational(a - b),
                None => Constant::near(a.value - b.value, a.error + b.error),
            }
        }
        Scalar::Mul(a, b) => {
            let (a, b) = both(a, b)?;
            match exact(&a, &b) {
                Some((a, b)) => Constant::rational(a * b),
                None => {
                    let error = a.value.abs() * b.error + b.value.abs() * a.error;
                    Constant::near(a.value * b.value, error + a.error * b.error)
                }
            }
        }
        Scalar::Div(a, b) => {
            let (a, b) = both(a, b)?;
            if b.is(0) {
                return None;
            }
            match exact(&a, &b) {
                Some((a, b)) => Constant::rational(a / b),
                None => {
                    let quotient = a.value / b.value;
                    let error = (a.error + quotient.abs() * b.error) / (b.value.abs() - b.error);
                    Constant::near(quotient, error)
                }
            }
        }
        Scalar::Pow(a, b) => {
            let (a, b) = both(a, b)?;
            if undefined_power(&a, &b).is_some() {
                return None;
            }
            let whole = b.exact.as_ref().filter(|n| n.is_integer());
            let whole = whole.and_then(|n| n.to_i32());
            match (&a.exact, whole) {
                (Some(base), Some(exponent)) if is_short(base, exponent) => {
                    Constant::rational(base.pow(exponent))
                }
                _ => call(Elementary::Pow, &[a, b])?,
            }
        }
        Scalar::Call(function, args) => {
            let args: Vec<Constant> = args.iter().map(at).collect::<Option<_>>()?;
            call(*function, &args)?
        }
        other => leaf(other)?,
    };
    Some(found).filter(|c| c.value.is_finite() && c.error.is_finite())
}

/// Powers of rational numbers are exact up to so many bits.
const BITS: u64 = 4096;

fn is_short(base: &Rational, exponent: i32) -> bool {
    let bits = base.numer().bits().max(base.denom().bits());
    bits.saturating_mul(u64::from(exponent.unsigned_abs())) <= BITS
}

fn call(function: Elementary, args: &[Constant]) -> Option<Constant> {
    if undefined(function, args).is_some() {
        return None;
    }
    match (function, function.row().real, args) {
        (Elementary::Sqrt, _, [a]) if a.exact.as_ref().is_some_and(Zero::is_zero) => {
            Some(a.clone())
        }
        (Elementary::Abs, _, [a]) => Some(Constant {
            exact: a.exact.as_ref().map(Signed::abs),
            value: a.value.abs(),
            error: a.error,
        }),
        (_, Real::One(f), [a]) => {
            let beside = [a.value - a.error, a.value + a.error].map(f);
            let value = f(a.value);
            // Beside the domain there is nothing to compare with.
            let off = beside.iter().filter(|x| x.is_finite());
            let error = off.fold(0.0, |most: f64, x| most.max((x - value).abs()));
            let value = if value.is_nan() {
                beside.into_iter().find(|x| !x.is_nan())?
            } else {
                value
            };
            Some(Constant::near(value, 2.0 * error))
        }
        (_, Real::Two(f), [a, b]) => Some(of_two(f, a, b)),
        _ => None,
    }
}

fn of_two(f: fn(f64, f64) -> f64, a: &Constant, b: &Constant) -> Constant {
    let value = f(a.value, b.value);
    let mut error: f64 = 0.0;
    for x in [a.value - a.error, a.value + a.error] {
        for y in [b.value - b.error, b.value + b.error] {
            let off = (f(x, y) - value).abs();
            if off.is_finite() {
                error = error.max(off);
            }
        }
    }
    Constant::near(value, 2.0 * error)
}

/// Why a function has no value at constant arguments.
pub fn undefined(function: Elementary, args: &[Constant]) -> Option<Undefined> {
    let row = function.row();
    let a = args.first()?;
    let say = |wanted, help| {
        Some(Undefined {
            function: row.words.first().copied().unwrap_or(row.name),
            argument: a.text(),
            wanted,
            help,
        })
    };
    let outside = a.is_below(-1) || a.is_above(1);
    match row.domain {
        Domain::NonNegative if a.is_below(0) => say(
            "not negative",
            "roots are real here: write a number that is not negative",
        ),
        Domain::Positive if !a.is_above(0) => say(
            "positive",
            "logarithms are real here: write a positive number",
        ),
        Domain::UnitInterval if outside => say("between -1 and 1", "write a number from -1 to 1"),
        Domain::InsideUnit if outside || a.is(1) || a.is(-1) => say(
            "between -1 and 1, both excluded",
            "write a number between -1 and 1",
        ),
        Domain::AboveOne if a.is_below(1) => say("1 or more", "write a number that is at least 1"),
        Domain::OfPower => undefined_power(a, args.get(1)?),
        _ if function == Elementary::Tan
            && call(Elementary::Cos, std::slice::from_ref(a)).is_some_and(|c| c.is(0)) =>
        {
            say(
                "no odd multiple of a right angle",
                "write another angle, or the cotangent as `cos(x)/sin(x)`",
            )
        }
        _ => match row.real {
            Real::One(f) if f(a.value).is_infinite() => say(
                "such that the value is in the range of numbers",
                "the value is too large: write a smaller argument",
            ),
            _ => None,
        },
    }
}

/// Why a power of constants has no value.
pub fn undefined_power(base: &Constant, exponent: &Constant) -> Option<Undefined> {
    let whole = exponent.exact.as_ref().is_some_and(Rational::is_integer);
    let say = |wanted, help| {
        Some(Undefined {
            function: "^",
            argument: base.text(),
            wanted,
            help,
        })
    };
    if base.is(0) && exponent.is_below(0) {
        return say("not 0 under a negative exponent", "write another base");
    }
    if !whole && base.is_below(0) {
        return say(
            "not negative under an exponent that is no whole number",
            "powers are real here: an odd root of a negative number is written `-(8^(1/3))`",
        );
    }
    None
}

/// Whether a constant is 0 as far as can be told.
pub fn is_zero(constant: &Constant) -> bool {
    constant.is(0)
}

/// A rational number as a constant.
pub fn of_rational(number: &Rational) -> Constant {
    Constant::rational(number.clone())
}
