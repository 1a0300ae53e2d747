//! Expressions: rational functions of pool symbols, held by the algebra engine. Everything that is
//! not a rational operation (a sine, a root, a user function, a definition) is a pool symbol of its own.

use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::{One, Signed};
use std::ops::{Add, Div, Mul, Neg, Sub};
use symbolica::atom::{Atom, AtomCore, AtomView};
use symbolica::domains::integer::Integer;

/// A pool symbol.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Var(pub u32);

/// A rational function of pool symbols.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Expr(pub(super) Atom);

impl Expr {
    /// An integer.
    pub fn int(n: i64) -> Self {
        Self(Atom::num(n))
    }

    /// Zero.
    pub fn zero() -> Self {
        Self::int(0)
    }

    /// One.
    pub fn one() -> Self {
        Self::int(1)
    }

    /// An exact rational.
    pub fn rational(r: &BigRational) -> Self {
        let num = integer(r.numer());
        if r.denom().is_one() {
            return Self(Atom::num(num));
        }
        Self(Atom::num(num) / Atom::num(integer(r.denom())))
    }

    /// Whether it is the number 0 as it stands (a certain test is [`super::Algebra::is_zero`]).
    pub fn is_literal_zero(&self) -> bool {
        self.0.is_zero()
    }

    /// Whether it is the number 1 as it stands.
    pub fn is_literal_one(&self) -> bool {
        self.0.is_one()
    }

    /// Integer power.
    pub fn powi(&self, n: i32) -> Self {
        match n {
            0 => Self::one(),
            1 => self.clone(),
            _ => Self(self.0.pow(i64::from(n))),
        }
    }

    /// Products multiplied out.
    pub fn expand(&self) -> Self {
        Self(self.0.expand())
    }
}

pub(super) fn integer(n: &BigInt) -> Integer {
    match i64::try_from(n) {
        Ok(small) => Integer::from(small),
        Err(_) => {
            // Base 2^31 digits; the engine's own big integers are built by Horner's rule.
            let (sign, digits) = n.to_u32_digits();
            let mut r = Integer::from(0);
            for d in digits.iter().rev() {
                r = r * Integer::from(1i64 << 32) + Integer::from(i64::from(*d));
            }
            if sign == num_bigint::Sign::Minus {
                -r
            } else {
                r
            }
        }
    }
}

/// A whole number of 64 bits; `None` if it is something else.
pub(super) fn small_integer(v: AtomView<'_>) -> Option<i64> {
    i64::try_from(v).ok()
}

/// The exponent of a power; `None` if it is not an integer.
pub(super) fn exponent(v: AtomView<'_>) -> Option<i32> {
    small_integer(v)?.try_into().ok()
}

/// Whether something is divided by in it, as it is written.
pub(super) fn divides(v: AtomView<'_>) -> bool {
    match v {
        AtomView::Num(_) | AtomView::Var(_) => false,
        AtomView::Fun(_) => true,
        AtomView::Pow(p) => {
            let (base, e) = p.get_base_exp();
            small_integer(e).is_none_or(|e| e < 0) || divides(base)
        }
        AtomView::Mul(m) => m.iter().any(divides),
        AtomView::Add(a) => a.iter().any(divides),
    }
}

/// Reads the engine's rational back, a large one or a fraction by its text; `None` if it is something else, such as an infinity.
pub(super) fn to_rational(v: AtomView<'_>) -> Option<BigRational> {
    match small_integer(v) {
        Some(integer) => Some(BigInt::from(integer).into()),
        None => {
            let text = v.to_string();
            let (numerator, denominator) = text.trim().split_once('/').unwrap_or((&text, "1"));
            let part = |text: &str| text.trim().parse::<BigInt>().ok();
            let (numerator, denominator) = (part(numerator)?, part(denominator)?);
            // The engine's fractions are in lowest terms.
            denominator
                .is_positive()
                .then(|| BigRational::new_raw(numerator, denominator))
        }
    }
}

macro_rules! operator {
    ($trait:ident, $fn:ident, $op:tt) => {
        impl $trait<&Expr> for &Expr {
            type Output = Expr;
            fn $fn(self, o: &Expr) -> Expr { Expr(&self.0 $op &o.0) }
        }
        impl $trait<Expr> for &Expr {
            type Output = Expr;
            fn $fn(self, o: Expr) -> Expr { Expr(&self.0 $op &o.0) }
        }
        impl $trait<&Expr> for Expr {
            type Output = Expr;
            fn $fn(self, o: &Expr) -> Expr { Expr(&self.0 $op &o.0) }
        }
        impl $trait<Expr> for Expr {
            type Output = Expr;
            fn $fn(self, o: Expr) -> Expr { Expr(&self.0 $op &o.0) }
        }
    };
}
operator!(Add, add, +);
operator!(Sub, sub, -);
operator!(Mul, mul, *);
operator!(Div, div, /);

impl Neg for &Expr {
    type Output = Expr;
    fn neg(self) -> Expr {
        Expr(-&self.0)
    }
}
impl Neg for Expr {
    type Output = Expr;
    fn neg(self) -> Expr {
        Expr(-&self.0)
    }
}
impl std::iter::Sum for Expr {
    /// By halves: a long sum would be copied with each term that is added to it.
    fn sum<I: Iterator<Item = Expr>>(iter: I) -> Expr {
        fn halves(list: &[Expr]) -> Expr {
            match list {
                [] => Expr::zero(),
                [one] => one.clone(),
                _ => {
                    let (first, second) = list.split_at(list.len() / 2);
                    halves(first) + halves(second)
                }
            }
        }
        halves(&iter.collect::<Vec<Expr>>())
    }
}
