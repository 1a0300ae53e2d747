//! The operators: what may be combined with what.

use super::{Resolver, Typed, Value, exact};
use crate::diag::Diagnostic;
use crate::model::codes;
use crate::model::domain;
use crate::model::number::number_text;
use crate::model::system::{Rational, Scalar, Vector};
use crate::model::units::{Dim, DimExpr};
use crate::span::Span;
use crate::syntax::ast::BinaryOp;
use num_traits::{One, Signed, ToPrimitive, Zero};

impl Resolver {
    /// `-a`
    pub fn negative(&mut self, inner: Typed, span: Span) -> Option<Typed> {
        let value = match &inner.value {
            Value::Scalar(s) => Value::Scalar(-s.clone()),
            Value::Vector(v) => Value::Vector(-v.clone()),
            other => {
                return self.refuse(Diagnostic::error_with_help(
                    codes::MIXED,
                    format!("{} cannot be negated", other.text()),
                    span,
                    format!("this is {}", other.text()),
                    "the vector from `P` to `O` is `O - P`",
                ));
            }
        };
        let typed = inner.with(value);
        Some(Typed { span, ..typed })
    }

    /// `a op b`
    pub fn binary(&mut self, op: BinaryOp, left: Typed, right: Typed, span: Span) -> Option<Typed> {
        match op {
            BinaryOp::Add | BinaryOp::Sub => self.sum(op == BinaryOp::Sub, left, right, span),
            BinaryOp::Mul => self.product(left, right, span),
            BinaryOp::Div => self.quotient(left, right, span),
            BinaryOp::Pow => self.power(left, right, span),
        }
    }

    fn sum(&mut self, minus: bool, left: Typed, right: Typed, span: Span) -> Option<Typed> {
        let content = left.content.plus(right.content);
        let (value, dim) = match (&left.value, &right.value) {
            (Value::Scalar(a), Value::Scalar(b)) => {
                let (a, b) = (Box::new(a.clone()), Box::new(b.clone()));
                let value = if minus {
                    Scalar::Sub(a, b)
                } else {
                    Scalar::Add(a, b)
                };
                (
                    Value::Scalar(value),
                    self.common_unit(minus, &left, &right, span),
                )
            }
            (Value::Vector(a), Value::Vector(b)) => {
                let value = add(Some(a), minus, b);
                (
                    Value::Vector(value),
                    self.common_unit(minus, &left, &right, span),
                )
            }
            (Value::Point(base, offset), Value::Vector(v)) => {
                self.require(&right, Dim::length(), "a vector from a point", None);
                let value = add(offset.as_ref(), minus, v);
                (Value::Point(*base, Some(value)), Dim::length().into())
            }
            (Value::Point(to, a), Value::Point(from, b)) if minus => {
                let between = Vector::Between {
                    from: *from,
                    to: *to,
                };
                let value = match a {
                    Some(a) => add(Some(&between), false, a),
                    None => between,
                };
                let value = match b {
                    Some(b) => add(Some(&value), true, b),
                    None => value,
                };
                (Value::Vector(value), Dim::length().into())
            }
            // An empty sum is 0, of whatever its terms would be.
            (Value::Point(..) | Value::Vector(_), zero) if zero.is_zero() => {
                (left.value.clone(), left.dim.clone())
            }
            (zero, Value::Vector(v)) if zero.is_zero() => {
                let value = if minus { -v.clone() } else { v.clone() };
                (Value::Vector(value), right.dim.clone())
            }
            _ => {
                self.mixed_sum(minus, &left, &right);
                return None;
            }
        };
        Some(Typed::new(value, dim, content, span))
    }

    /// Checks that two terms have the same unit.
    fn common_unit(&mut self, minus: bool, left: &Typed, right: &Typed, span: Span) -> DimExpr {
        if self.equate(&left.dim, &right.dim, span) {
            return left.dim.clone();
        }
        let (a, b) = (self.unit_phrase(&left.dim), self.unit_phrase(&right.dim));
        let verb = if minus { "subtracted" } else { "added" };
        let clash = Diagnostic::error(
            codes::UNIT_CLASH,
            format!("quantities with different units are {verb}"),
            right.span,
            format!("this is {b}"),
        )
        .label(left.span, format!("this is {a}"));
        let clash = self.explain_units(clash, &[&left.dim, &right.dim]);
        let number = |value: &Typed| match &value.value {
            Value::Scalar(s) => exact(s).filter(|_| self.is_plain(&value.dim)),
            _ => None,
        };
        let help = match (number(left), number(right)) {
            (Some(n), _) => Some((n, self.solver.text(&right.dim), left.span)),
            (_, Some(n)) => Some((n, self.solver.text(&left.dim), right.span)),
            _ => None,
        };
        self.report(match help {
            Some((n, unit, place)) => {
                let written = format!("{} [{unit}]", number_text(&n));
                clash
                    .help(format!("write `{written}`"))
                    .write_at(place, written)
            }
            None => clash,
        });
        self.unknown_dim()
    }

    fn mixed_sum(&mut self, minus: bool, left: &Typed, right: &Typed) {
        let (verb, preposition) = if minus {
            ("subtract", "from")
        } else {
            ("add", "to")
        };
        let (a, b) = (&left.value, &right.value);
        // `a - b` subtracts b from a, `a + b` adds a to b; both read in the order written.
        let title = if minus {
            format!("cannot {verb} {} {preposition} {}", b.text(), a.text())
        } else {
            format!("cannot {verb} {} {preposition} {}", a.text(), b.text())
        };
        // The scalar is usually where a direction was forgotten.
        let (first, second) = match a {
            Value::Scalar(_) => (left, right),
            _ => (right, left),
        };
        let mixed = Diagnostic::error(
            codes::MIXED,
            title,
            first.span,
            format!("this is {}", first.value.text()),
        )
        .label(second.span, format!("this is {}", second.value.text()));
        let help = match (a, b) {
            (Value::Scalar(_), Value::Vector(_)) | (Value::Vector(_), Value::Scalar(_)) => {
                "give the scalar a direction, such as `*N.x`, or take a component of the vector with `dot(v, N.x)`"
            }
            (Value::Point(..), Value::Point(..)) => {
                "the difference of points is a vector, `P - Q`; the midpoint is `P + (Q - P)/2`"
            }
            (Value::Vector(_), Value::Point(..)) if !minus => "write the point first: `P + v`",
            (_, Value::Point(..)) | (Value::Point(..), _) => {
                "a point plus a vector is a point, a point minus a point is a vector"
            }
            _ => "only scalars, vectors and points can be added",
        };
        self.report(mixed.help(help));
    }

    fn product(&mut self, left: Typed, right: Typed, span: Span) -> Option<Typed> {
        let value = match (&left.value, &right.value) {
            (Value::Scalar(a), Value::Scalar(b)) => Value::Scalar(a.clone() * b.clone()),
            (Value::Scalar(s), Value::Vector(v)) | (Value::Vector(v), Value::Scalar(s)) => {
                Value::Vector(s.clone() * v.clone())
            }
            (Value::Vector(_), Value::Vector(_)) => {
                self.two_vectors(&left, &right, "write `dot(a, b)` or `cross(a, b)`");
                return None;
            }
            _ => {
                self.no_factor(&left, &right);
                return None;
            }
        };
        Some(Typed::new(
            value,
            left.dim.times(&right.dim),
            left.content.times(right.content),
            span,
        ))
    }

    fn quotient(&mut self, left: Typed, right: Typed, span: Span) -> Option<Typed> {
        let value = match (&left.value, &right.value) {
            (_, Value::Scalar(b)) if self.constant(b).is_some_and(|b| domain::is_zero(&b)) => {
                return self.refuse(Diagnostic::error(
                    codes::NUMBER,
                    "division by zero",
                    right.span,
                    "this is 0",
                ));
            }
            (Value::Scalar(a), Value::Scalar(b)) => Value::Scalar(a.clone() / b.clone()),
            (Value::Vector(v), Value::Scalar(s)) => {
                Value::Vector(Scalar::whole(1) / s.clone() * v.clone())
            }
            (Value::Scalar(_) | Value::Vector(_), Value::Vector(_)) => {
                self.two_vectors(&left, &right, "divide by `norm(v)` or by a component of it");
                return None;
            }
            _ => {
                self.no_factor(&left, &right);
                return None;
            }
        };
        Some(Typed::new(
            value,
            left.dim.over(&right.dim),
            left.content.over(right.content),
            span,
        ))
    }

    fn two_vectors(&mut self, left: &Typed, right: &Typed, help: &str) {
        self.report(
            Diagnostic::error(
                codes::MIXED,
                format!(
                    "{} and {} have no such product",
                    left.value.text(),
                    right.value.text()
                ),
                right.span,
                format!("this is {}", right.value.text()),
            )
            .label(left.span, format!("this is {}", left.value.text()))
            .help(help),
        );
    }

    fn no_factor(&mut self, left: &Typed, right: &Typed) {
        let point = if matches!(left.value, Value::Scalar(_) | Value::Vector(_)) {
            right
        } else {
            left
        };
        let text = point.value.text();
        let wrong = Diagnostic::error(
            codes::MIXED,
            format!("{text} cannot be multiplied or divided"),
            point.span,
            format!("this is {text}"),
        );
        self.report(match point.value {
            Value::Point(..) => wrong.help("the vector from `O` to a point `P` is `P - O`"),
            _ => wrong.help("its basis vectors are `.x`, `.y` and `.z`"),
        });
    }

    fn power(&mut self, left: Typed, right: Typed, span: Span) -> Option<Typed> {
        let (Value::Scalar(base), Value::Scalar(exponent)) = (&left.value, &right.value) else {
            let wrong = match left.value {
                Value::Scalar(_) => &right,
                _ => &left,
            };
            let label = format!("this is {}", wrong.value.text());
            let title = "only scalars have powers";
            return self.refuse(Diagnostic::error_with_help(
                codes::MIXED,
                title,
                wrong.span,
                label,
                "the square of a vector is `dot(v, v)`",
            ));
        };
        let content = left.content.plus(right.content);
        let number = exact(exponent);
        if !self.equate(&right.dim, &DimExpr::none(), right.span) {
            let wrong = Diagnostic::error(
                codes::UNIT_EXPONENT,
                "an exponent has to be dimensionless",
                right.span,
                format!("this is {}", self.unit_phrase(&right.dim)),
            );
            let wrong = self.explain_units(wrong, &[&right.dim]);
            self.report(wrong);
        }
        let dim = match &number {
            Some(number) => left.dim.power(number),
            None => {
                self.variable_exponent(&left, &right);
                DimExpr::none()
            }
        };
        if let (Some(base), Some(n)) = (exact(base), &number)
            && base.is_zero()
            && n < &Rational::zero()
        {
            return self.refuse(Diagnostic::error(
                codes::NUMBER,
                "division by zero",
                span,
                "a negative power of 0",
            ));
        }
        let power = Scalar::Pow(Box::new(base.clone()), Box::new(exponent.clone()));
        if let Some(wrong) = too_high(&power, span) {
            return self.refuse(wrong);
        }
        let known = self.constant(base).zip(self.constant(exponent));
        if let Some(wrong) = known.and_then(|(base, n)| domain::undefined_power(&base, &n)) {
            return self.refuse(wrong.at(left.span));
        }
        let whole = number.filter(Rational::is_integer).and_then(|n| n.to_u32());
        Some(Typed::new(
            Value::Scalar(power),
            dim,
            match whole {
                Some(n) => content.power(n),
                None => content.opaque(),
            },
            span,
        ))
    }
}

impl Resolver {
    /// What has a variable exponent has to be dimensionless.
    fn variable_exponent(&mut self, base: &Typed, exponent: &Typed) {
        if self.equate(&base.dim, &DimExpr::none(), base.span) {
            return;
        }
        let wrong = Diagnostic::error(
            codes::UNIT_EXPONENT,
            "a quantity with a unit is raised to a variable power",
            base.span,
            format!("this is {}", self.unit_phrase(&base.dim)),
        )
        .label(exponent.span, "this is not a number");
        let wrong = self.explain_units(wrong, &[&base.dim]);
        self.report(
            wrong
                .help("divide it by a reference quantity first, or write the exponent as a number"),
        );
    }
}

/// The highest power that can be computed with.
const HIGHEST: u32 = 1000;

/// Why a power cannot be computed with, if that is so.
fn too_high(power: &Scalar, span: Span) -> Option<Diagnostic> {
    let (title, label) = if degree(power) > Rational::from_integer(HIGHEST.into()) {
        (
            "an exponent is too large",
            format!("a power higher than {HIGHEST}"),
        )
    } else if is_constant(power) && exact(power).is_none() && is_rational(power) {
        (
            "a number is too large",
            "this has thousands of digits".to_owned(),
        )
    } else {
        return None;
    };
    let help = "powers of powers multiply; `exp(n*ln(x))` is a power of any exponent";
    Some(Diagnostic::error_with_help(
        codes::NUMBER,
        title,
        span,
        label,
        help,
    ))
}

/// The highest power of anything in an expression, powers of powers as one.
fn degree(scalar: &Scalar) -> Rational {
    match scalar {
        Scalar::Neg(a) => degree(a),
        Scalar::Add(a, b) | Scalar::Sub(a, b) | Scalar::Mul(a, b) | Scalar::Div(a, b) => {
            degree(a).max(degree(b))
        }
        Scalar::Pow(base, exponent) => match exact(exponent) {
            Some(exponent) => exponent.abs() * degree(base),
            None => Rational::one(),
        },
        _ => Rational::one(),
    }
}

/// Whether an expression is one of numbers alone.
fn is_constant(scalar: &Scalar) -> bool {
    match scalar {
        Scalar::Number(_) => true,
        Scalar::Neg(a) => is_constant(a),
        Scalar::Add(a, b)
        | Scalar::Sub(a, b)
        | Scalar::Mul(a, b)
        | Scalar::Div(a, b)
        | Scalar::Pow(a, b) => is_constant(a) && is_constant(b),
        _ => false,
    }
}

/// Whether all exponents are whole.
fn is_rational(scalar: &Scalar) -> bool {
    match scalar {
        Scalar::Neg(a) => is_rational(a),
        Scalar::Add(a, b) | Scalar::Sub(a, b) | Scalar::Mul(a, b) | Scalar::Div(a, b) => {
            is_rational(a) && is_rational(b)
        }
        Scalar::Pow(a, b) => is_rational(a) && exact(b).is_some_and(|b| b.is_integer()),
        _ => true,
    }
}

/// `a + b` or `a - b`; without `a`, `b` or `-b`.
fn add(a: Option<&Vector>, minus: bool, b: &Vector) -> Vector {
    let b = Box::new(b.clone());
    match (a, minus) {
        (Some(a), false) => Vector::Add(Box::new(a.clone()), b),
        (Some(a), true) => Vector::Sub(Box::new(a.clone()), b),
        (None, false) => *b,
        (None, true) => Vector::Neg(b),
    }
}
