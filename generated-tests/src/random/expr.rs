//! Expressions of a machine as plain data: names, numbers and calls, without types. It knows how they are written in the language, and
//! nothing of what they mean.

use std::fmt;
use std::ops::{Add, Div, Mul, Neg, Sub};

/// An expression of any type: a scalar, a vector, a point, or the name of a frame or body as an argument.
#[derive(Clone, Debug, PartialEq)]
pub enum Expr {
    /// A plain number, as it is written.
    Number(String),
    /// A number with a unit, as it is written, and its value in SI.
    Quantity(String, String, f64),
    /// A name, with its index or path.
    Name(String),
    /// A basis vector of a frame.
    Axis(String, char),
    /// A rate.
    Rate(Box<Expr>),
    /// A negative.
    Negative(Box<Expr>),
    /// A sum; terms may be negatives.
    Sum(Vec<Expr>),
    /// A product.
    Product(Vec<Expr>),
    /// A quotient.
    Quotient(Box<Expr>, Box<Expr>),
    /// A power with a number as exponent, as it is written.
    Power(Box<Expr>, String),
    /// A call.
    Call(String, Vec<Expr>),
    /// A choice.
    Choice(Box<Condition>, Box<Expr>, Box<Expr>),
}

/// A condition of a choice.
#[derive(Clone, Debug, PartialEq)]
pub enum Condition {
    /// A comparison by `<`, `<=`, `>` or `>=`.
    Compare(Expr, &'static str, Expr),
    /// Both hold.
    And(Box<Condition>, Box<Condition>),
    /// One holds.
    Or(Box<Condition>, Box<Condition>),
    /// It does not hold.
    Not(Box<Condition>),
}

/// A plain number.
pub fn number(text: &str) -> Expr {
    Expr::Number(text.to_owned())
}

/// A whole number.
pub fn whole(value: i64) -> Expr {
    if value < 0 {
        -Expr::Number((-value).to_string())
    } else {
        Expr::Number(value.to_string())
    }
}

/// A name.
pub fn name(text: &str) -> Expr {
    Expr::Name(text.to_owned())
}

/// A basis vector.
pub fn axis(frame: &str, letter: char) -> Expr {
    Expr::Axis(frame.to_owned(), letter)
}

/// A rate.
pub fn rate(of: Expr) -> Expr {
    Expr::Rate(Box::new(of))
}

/// A call.
pub fn call(function: &str, arguments: impl IntoIterator<Item = Expr>) -> Expr {
    Expr::Call(function.to_owned(), arguments.into_iter().collect())
}

/// A power.
pub fn power(base: Expr, exponent: &str) -> Expr {
    Expr::Power(Box::new(base), exponent.to_owned())
}

/// The sum of these, which may be one.
pub fn sum(terms: Vec<Expr>) -> Expr {
    match terms.len() {
        0 => number("0"),
        1 => terms.into_iter().next().unwrap_or_else(|| number("0")),
        _ => Expr::Sum(terms),
    }
}

impl Add for Expr {
    type Output = Expr;
    fn add(self, other: Expr) -> Expr {
        let mut terms = match self {
            Expr::Sum(terms) => terms,
            single => vec![single],
        };
        terms.push(other);
        Expr::Sum(terms)
    }
}

impl Neg for Expr {
    type Output = Expr;
    fn neg(self) -> Expr {
        Expr::Negative(Box::new(self))
    }
}

impl Sub for Expr {
    type Output = Expr;
    fn sub(self, other: Expr) -> Expr {
        self + -other
    }
}

impl Mul for Expr {
    type Output = Expr;
    fn mul(self, other: Expr) -> Expr {
        let mut factors = match self {
            Expr::Product(factors) => factors,
            single => vec![single],
        };
        factors.push(other);
        Expr::Product(factors)
    }
}

impl Div for Expr {
    type Output = Expr;
    fn div(self, other: Expr) -> Expr {
        Expr::Quotient(Box::new(self), Box::new(other))
    }
}

/// Binding strength, as in the language: 0 for a choice, then sums, products, signs, powers, and what needs no parentheses.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Strength {
    Choice,
    Sum,
    Product,
    Sign,
    Power,
    Whole,
}

impl Expr {
    fn strength(&self) -> Strength {
        match self {
            Expr::Choice(..) => Strength::Choice,
            Expr::Sum(_) => Strength::Sum,
            Expr::Product(_) | Expr::Quotient(..) => Strength::Product,
            Expr::Negative(_) => Strength::Sign,
            Expr::Power(..) => Strength::Power,
            _ => Strength::Whole,
        }
    }

    /// Writes it so that it may stand where at least this strength is needed.
    fn within(&self, f: &mut fmt::Formatter<'_>, least: Strength) -> fmt::Result {
        if self.strength() < least {
            write!(f, "({self})")
        } else {
            write!(f, "{self}")
        }
    }

    /// Every name in it, in order.
    pub fn names(&self, visit: &mut impl FnMut(&str)) {
        match self {
            Expr::Number(_) | Expr::Quantity(..) => {}
            Expr::Name(name) | Expr::Axis(name, _) => visit(name),
            Expr::Rate(e) | Expr::Negative(e) | Expr::Power(e, _) => e.names(visit),
            Expr::Sum(list) | Expr::Product(list) => list.iter().for_each(|e| e.names(visit)),
            Expr::Call(function, list) => {
                visit(function);
                list.iter().for_each(|e| e.names(visit));
            }
            Expr::Quotient(a, b) => {
                a.names(visit);
                b.names(visit);
            }
            Expr::Choice(condition, a, b) => {
                condition.names(visit);
                a.names(visit);
                b.names(visit);
            }
        }
    }

    /// The same where a name stands for more than before by a summand.
    #[must_use]
    pub fn with(&self, own: &str, more: &Expr) -> Expr {
        let again = |e: &Expr| e.with(own, more);
        let all = |list: &[Expr]| list.iter().map(again).collect();
        match self {
            Expr::Name(name) if name == own => Expr::Sum(vec![self.clone(), more.clone()]),
            Expr::Negative(e) => Expr::Negative(Box::new(again(e))),
            Expr::Sum(list) => Expr::Sum(all(list)),
            Expr::Product(list) => Expr::Product(all(list)),
            Expr::Quotient(a, b) => Expr::Quotient(Box::new(again(a)), Box::new(again(b))),
            Expr::Power(e, exponent) => Expr::Power(Box::new(again(e)), exponent.clone()),
            Expr::Call(function, list) => Expr::Call(function.clone(), all(list)),
            other => other.clone(),
        }
    }

    /// The same with other names.
    #[must_use]
    pub fn renamed(&self, to: &impl Fn(&str) -> String) -> Expr {
        let again = |e: &Expr| e.renamed(to);
        let boxed = |e: &Expr| Box::new(e.renamed(to));
        match self {
            Expr::Number(_) | Expr::Quantity(..) => self.clone(),
            Expr::Name(name) => Expr::Name(to(name)),
            Expr::Axis(name, letter) => Expr::Axis(to(name), *letter),
            Expr::Rate(e) => Expr::Rate(boxed(e)),
            Expr::Negative(e) => Expr::Negative(boxed(e)),
            Expr::Sum(list) => Expr::Sum(list.iter().map(again).collect()),
            Expr::Product(list) => Expr::Product(list.iter().map(again).collect()),
            Expr::Quotient(a, b) => Expr::Quotient(boxed(a), boxed(b)),
            Expr::Power(e, exponent) => Expr::Power(boxed(e), exponent.clone()),
            Expr::Call(function, list) => {
                Expr::Call(to(function), list.iter().map(again).collect())
            }
            Expr::Choice(condition, a, b) => {
                Expr::Choice(Box::new(condition.renamed(to)), boxed(a), boxed(b))
            }
        }
    }
}

impl fmt::Display for Expr {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Expr::Number(text) | Expr::Name(text) => f.write_str(text),
            Expr::Quantity(text, unit, _) => write!(f, "{text} [{unit}]"),
            Expr::Axis(frame, letter) => write!(f, "{frame}.{letter}"),
            Expr::Rate(e) => {
                e.within(f, Strength::Whole)?;
                f.write_str("'")
            }
            Expr::Negative(e) => {
                f.write_str("-")?;
                e.within(f, Strength::Product)
            }
            Expr::Sum(terms) => {
                for (i, term) in terms.iter().enumerate() {
                    match term {
                        Expr::Negative(e) if i > 0 => {
                            f.write_str(" - ")?;
                            e.within(f, Strength::Product)?;
                        }
                        _ => {
                            f.write_str(if i > 0 { " + " } else { "" })?;
                            term.within(f, Strength::Product)?;
                        }
                    }
                }
                Ok(())
            }
            Expr::Product(factors) => {
                for (i, factor) in factors.iter().enumerate() {
                    f.write_str(if i > 0 { "*" } else { "" })?;
                    let least = if i > 0 {
                        Strength::Power
                    } else {
                        Strength::Product
                    };
                    factor.within(f, least)?;
                }
                Ok(())
            }
            Expr::Quotient(a, b) => {
                a.within(f, Strength::Product)?;
                f.write_str("/")?;
                b.within(f, Strength::Power)
            }
            Expr::Power(base, exponent) => {
                base.within(f, Strength::Whole)?;
                write!(f, "^{exponent}")
            }
            Expr::Call(function, arguments) => {
                write!(f, "{function}(")?;
                for (i, a) in arguments.iter().enumerate() {
                    write!(f, "{}{a}", if i > 0 { ", " } else { "" })?;
                }
                f.write_str(")")
            }
            Expr::Choice(condition, a, b) => write!(f, "if {condition} then {a} else {b}"),
        }
    }
}

impl Condition {
    fn names(&self, visit: &mut impl FnMut(&str)) {
        match self {
            Condition::Compare(a, _, b) => {
                a.names(visit);
                b.names(visit);
            }
            Condition::And(a, b) | Condition::Or(a, b) => {
                a.names(visit);
                b.names(visit);
            }
            Condition::Not(a) => a.names(visit),
        }
    }

    fn renamed(&self, to: &impl Fn(&str) -> String) -> Condition {
        let boxed = |c: &Condition| Box::new(c.renamed(to));
        match self {
            Condition::Compare(a, relation, b) => {
                Condition::Compare(a.renamed(to), relation, b.renamed(to))
            }
            Condition::And(a, b) => Condition::And(boxed(a), boxed(b)),
            Condition::Or(a, b) => Condition::Or(boxed(a), boxed(b)),
            Condition::Not(a) => Condition::Not(boxed(a)),
        }
    }
}

impl fmt::Display for Condition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let side = |e: &Expr, f: &mut fmt::Formatter<'_>| e.within(f, Strength::Sum);
        match self {
            Condition::Compare(a, relation, b) => {
                side(a, f)?;
                write!(f, " {relation} ")?;
                side(b, f)
            }
            Condition::And(a, b) => write!(f, "({a}) and ({b})"),
            Condition::Or(a, b) => write!(f, "({a}) or ({b})"),
            Condition::Not(a) => write!(f, "not ({a})"),
        }
    }
}
