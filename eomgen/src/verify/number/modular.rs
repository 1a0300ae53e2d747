//! The prime field of 2^61 - 1 elements. Every number has a second face, its [`Angle`], on which sines and cosines depend.
//!
//! Of the two square roots of a square one is a square itself, since -1 is none: that one is the root. So
//! `sqrt(a b) = sqrt(a) sqrt(b)`, and `sqrt(x^2) = x` where x is a square, which stands for "positive": what a model declares as
//! positive is drawn so. Numbers that are no squares have no root, as negative ones have none.

use super::angle::Angle;
use super::{Algebra, Elementary, EvalError, Number, UserFunction};
use crate::field::{MODULUS, Residue, pseudo_random};
use num_rational::BigRational;
use std::sync::OnceLock;

/// An element of the field.
#[derive(Clone, Copy, Debug)]
pub struct Modular {
    value: Residue,
    angle: Option<Angle>,
}

impl PartialEq for Modular {
    fn eq(&self, other: &Self) -> bool {
        self.value == other.value
    }
}

impl Modular {
    /// An element without angle.
    pub fn bare(value: Residue) -> Self {
        Self { value, angle: None }
    }

    /// A random number that may be an angle, from any seed.
    pub fn random(seed: u64, place: u64) -> Self {
        Self {
            value: pseudo_random(seed, place),
            angle: Some(Angle::any(random_digits(seed, place))),
        }
    }

    /// A random number that is a factor of angles.
    pub fn random_factor(seed: u64, place: u64) -> Self {
        Self {
            angle: Some(Angle::unit(random_digits(seed, place))),
            ..Self::random(seed, place)
        }
    }

    /// The same angle with another value.
    #[must_use]
    pub fn with_value(self, value: Residue) -> Self {
        Self { value, ..self }
    }

    /// The same value as another angle.
    #[must_use]
    pub fn with_angle_of(self, other: &Self) -> Self {
        Self {
            angle: other.angle,
            ..self
        }
    }

    /// The same value with the angle whose cosine and sine are given; `None` if these are no point of the circle.
    #[must_use]
    pub fn turned_to(self, cosine: Residue, sine: Residue, seed: u64) -> Option<Self> {
        let steps = logarithm((cosine, sine))?;
        Some(Self {
            angle: Some(Angle::turn(steps, random_digits(seed, steps))),
            ..self
        })
    }

    /// Whether it may be an angle.
    pub fn has_angle(&self) -> bool {
        self.angle.is_some()
    }

    /// The element of the field.
    pub fn value(&self) -> Residue {
        self.value
    }

    /// Whether it is the square of an element, as positive numbers are.
    pub fn is_square(&self) -> bool {
        self.value.root().is_some()
    }

    /// Its negative if that is the square of an element, else itself.
    #[must_use]
    pub fn made_positive(self) -> Self {
        if self.is_square() { self } else { self.neg() }
    }

    fn point(&self) -> Result<(Residue, Residue), EvalError> {
        let Some(angle) = self.angle else {
            return EvalError::unsupported("the sine of a number that is known by its value only");
        };
        match angle.steps() {
            Some(steps) => Ok(power(generator(), steps)),
            None => EvalError::singular("an angle that is no multiple of the least one"),
        }
    }

    fn root(&self) -> Result<Self, EvalError> {
        let root = self
            .value
            .root()
            .ok_or_else(|| EvalError::Singular("the root of a number that is no square".into()))?;
        let root = if root.root().is_some() { root } else { -root };
        Ok(Self::bare(root))
    }

    fn power(&self, exponent: &Self) -> Result<Self, EvalError> {
        // A fraction with so small a numerator and denominator is no accident: there are fewer than 2^10 of them.
        let small = exponent
            .value
            .fraction()
            .filter(|(n, d)| n.abs() <= 64 && matches!(d, 1 | 2 | 4));
        let Some((n, d)) = small else {
            return EvalError::unsupported("a power that is not rational");
        };
        let mut base = *self;
        for _ in 0..d.trailing_zeros() {
            base = base.root()?;
        }
        base.powi(n)
    }
}

fn random_digits(seed: u64, place: u64) -> u128 {
    let high = pseudo_random(seed ^ 0x5851_F42D_4C95_7F2D, place).get();
    let middle = pseudo_random(seed ^ 0x1405_7B7E_F767_814F, place).get();
    let low = pseudo_random(seed ^ 0x9E6C_63D0_876A_68DE, place).get();
    (u128::from(high) << 100) ^ (u128::from(middle) << 50) ^ u128::from(low)
}

type Point = (Residue, Residue);

/// Angles of points on the circle are added.
fn turn(a: Point, b: Point) -> Point {
    (a.0 * b.0 - a.1 * b.1, a.0 * b.1 + a.1 * b.0)
}

fn power(mut point: Point, mut exponent: u64) -> Point {
    let mut product = (Residue::ONE, Residue::ZERO);
    while exponent > 0 {
        if exponent & 1 == 1 {
            product = turn(product, point);
        }
        point = turn(point, point);
        exponent >>= 1;
    }
    product
}

/// A point of which every other is a power. A quarter of a turn has the sine 1, an eighth the sine and cosine `sqrt(1/2)` with
/// the root that is a square.
fn generator() -> Point {
    static FOUND: OnceLock<Point> = OnceLock::new();
    *FOUND.get_or_init(|| {
        let eighth = |p: Point| power(p, 1 << 58);
        let fits = |p: Point| {
            let (c, s) = eighth(p);
            c == s && c * c == Residue::HALF && c.root().is_some()
        };
        let points = (2..).map(Residue::from_integer).filter_map(|u| {
            let k = (Residue::ONE + u * u).inverse()?;
            Some(((Residue::ONE - u * u) * k, (u + u) * k))
        });
        let mut odd = points.flat_map(|p| [1, 3, 5, 7].map(|k| power(p, k)));
        odd.find(|p| fits(*p))
            .unwrap_or((Residue::ONE, Residue::ZERO))
    })
}

/// How often the generator is to be multiplied by itself: digit by digit, since the group has 2^61 elements.
fn logarithm(point: Point) -> Option<u64> {
    if point.0 * point.0 + point.1 * point.1 != Residue::ONE {
        return None;
    }
    let one = (Residue::ONE, Residue::ZERO);
    let g = generator();
    let mut steps = 0_u64;
    for digit in 0..61 {
        let (c, s) = power(g, steps);
        let rest = turn(point, (c, -s));
        if power(rest, 1 << (60 - digit)) != one {
            steps |= 1 << digit;
        }
    }
    Some(steps)
}

impl Algebra for Modular {
    fn int(value: i64) -> Self {
        Self {
            angle: Some(Angle::integer(value)),
            ..Self::bare(Residue::from_integer(value))
        }
    }

    fn add(&self, other: &Self) -> Self {
        let angle = self.angle.zip(other.angle).map(|(a, b)| a.add(&b));
        let value = self.value + other.value;
        Self { value, angle }
    }

    fn mul(&self, other: &Self) -> Self {
        let angle = self.angle.zip(other.angle).and_then(|(a, b)| a.mul(&b));
        let value = self.value * other.value;
        Self { value, angle }
    }

    fn neg(&self) -> Self {
        Self {
            value: -self.value,
            angle: self.angle.map(|a| a.neg()),
        }
    }

    fn div(&self, other: &Self) -> Result<Self, EvalError> {
        let reciprocal = other
            .value
            .inverse()
            .ok_or_else(|| EvalError::Singular("a division by zero".into()))?;
        let angle = self.angle.zip(other.angle).and_then(|(a, b)| a.div(&b));
        let value = self.value * reciprocal;
        Ok(Self { value, angle })
    }

    fn elementary(function: Elementary, arguments: &[Self]) -> Result<Self, EvalError> {
        let beyond = || EvalError::Unsupported(format!("{function:?} is not algebraic"));
        match (function, arguments) {
            (Elementary::Sin, [x]) => x.point().map(|p| Self::bare(p.1)),
            (Elementary::Cos, [x]) => x.point().map(|p| Self::bare(p.0)),
            (Elementary::Tan, [x]) => {
                let (c, s) = x.point()?;
                Self::bare(s).div(&Self::bare(c))
            }
            (Elementary::Sqrt, [x]) => x.root(),
            (Elementary::Pow, [x, y]) => x.power(y),
            _ => Err(beyond()),
        }
    }
}

impl Number for Modular {
    fn rational(value: &BigRational) -> Result<Self, EvalError> {
        let residue = Residue::from_rational(value)
            .ok_or_else(|| EvalError::Singular(format!("{value} modulo {MODULUS}")))?;
        Ok(Self {
            angle: Some(Angle::rational(value)),
            ..Self::bare(residue)
        })
    }

    fn pi() -> Self {
        Self {
            angle: Some(Angle::half_turn()),
            ..Self::bare(pseudo_random(3, 14_159_265))
        }
    }

    fn is_zero(&self) -> bool {
        self.value == Residue::ZERO
    }

    fn user_function(of: &UserFunction, arguments: &[Self]) -> Result<Self, EvalError> {
        let orders = of.orders().map(u64::from);
        let values = arguments.iter().map(|a| a.value().get());
        let place = of.mix(orders.chain(values));
        Ok(Self::random(of.seed, place))
    }

    fn is_less(&self, other: &Self) -> Result<bool, EvalError> {
        if self == other {
            return Ok(false);
        }
        EvalError::unsupported("a prime field has no order")
    }

    fn agrees(&self, other: &Self, _: &Self) -> bool {
        self == other
    }

    fn magnitude(&self) -> i64 {
        if self.is_zero() { i64::MIN } else { 0 }
    }

    fn show(&self) -> String {
        match self.value.fraction() {
            Some((n, 1)) if n.abs() < 1 << 20 => n.to_string(),
            Some((n, d)) if n.abs() < 1 << 20 && d < 1 << 20 => format!("{n}/{d}"),
            _ => self.value.get().to_string(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn f(function: Elementary, x: &Modular) -> Modular {
        Modular::elementary(function, &[*x]).unwrap()
    }

    fn half(x: &Modular) -> Modular {
        x.div(&Modular::int(2)).unwrap()
    }

    #[test]
    fn sines_and_cosines_obey_their_laws() {
        use Elementary::{Cos, Sin, Tan};
        for k in 0..20 {
            let (a, b) = (Modular::random(7, k), Modular::random(8, k));
            let (sa, ca, sb, cb) = (f(Sin, &a), f(Cos, &a), f(Sin, &b), f(Cos, &b));
            assert_eq!(sa.mul(&sa).add(&ca.mul(&ca)), Modular::int(1));
            assert_eq!(f(Sin, &a.add(&b)), sa.mul(&cb).add(&ca.mul(&sb)));
            assert_eq!(f(Cos, &a.sub(&b)), ca.mul(&cb).add(&sa.mul(&sb)));
            assert_eq!(f(Sin, &a.neg()), sa.neg());
            let two = Modular::int(2);
            assert_eq!(f(Sin, &two.mul(&a)), two.mul(&sa).mul(&ca));
            let h = half(&a);
            assert_eq!(f(Cos, &h).mul(&f(Cos, &h)), half(&ca.add(&Modular::int(1))));
            let quarter = half(&Modular::pi());
            assert_eq!(f(Sin, &quarter.add(&a)), ca);
            assert_eq!(f(Cos, &quarter.add(&a)), sa.neg());
            assert_eq!(f(Cos, &Modular::pi().add(&a)), ca.neg());
            assert_eq!(f(Tan, &a), sa.div(&ca).unwrap());
            assert_ne!(sa, sb);
            assert_ne!(ca, cb);
            // A product with a parameter, undone.
            let w = Modular::random_factor(9, k);
            assert_eq!(f(Sin, &a.mul(&w).div(&w).unwrap()), sa);
        }
        let eighth = half(&half(&Modular::pi()));
        let root = f(Elementary::Sqrt, &Modular::int(2));
        assert_eq!(f(Sin, &eighth), half(&root));
        assert_eq!(f(Cos, &eighth), half(&root));
    }

    #[test]
    fn roots_are_those_of_positive_numbers() {
        use Elementary::Sqrt;
        let (mut squares, mut none) = (0, 0);
        for k in 0..100 {
            let x = Modular::random(1, k).made_positive();
            let y = Modular::random(2, k).made_positive();
            assert_eq!(f(Sqrt, &x.mul(&x)), x);
            assert_eq!(f(Sqrt, &x.mul(&y)), f(Sqrt, &x).mul(&f(Sqrt, &y)));
            assert!(f(Sqrt, &x).is_square());
            let power = |n: i64, d: i64| {
                let e = Modular::rational(&BigRational::new(n.into(), d.into())).unwrap();
                Modular::elementary(Elementary::Pow, &[x, e]).unwrap()
            };
            assert_eq!(power(3, 2), x.mul(&f(Sqrt, &x)));
            assert_eq!(power(-2, 1).mul(&x).mul(&x), Modular::int(1));
            assert_eq!(power(1, 4), f(Sqrt, &f(Sqrt, &x)));
            match Modular::elementary(Sqrt, &[Modular::random(3, k)]) {
                Ok(_) => squares += 1,
                Err(EvalError::Singular(_)) => none += 1,
                Err(other) => panic!("{other:?}"),
            }
        }
        assert!(squares > 30 && none > 30);
    }

    #[test]
    fn points_of_the_circle_have_their_angles() {
        for k in 0..5 {
            let a = Modular::random(4, k);
            let (c, s) = (
                f(Elementary::Cos, &a).value(),
                f(Elementary::Sin, &a).value(),
            );
            let b = Modular::random(5, k).turned_to(c, s, 6).unwrap();
            assert_eq!(f(Elementary::Cos, &b).value(), c);
            assert_eq!(f(Elementary::Sin, &b).value(), s);
            assert_eq!(b.turned_to(s + s, c, 6), None);
        }
    }

    #[test]
    fn what_a_field_does_not_have() {
        let x = Modular::random(1, 1);
        for function in [
            Elementary::Exp,
            Elementary::Ln,
            Elementary::Tanh,
            Elementary::Atan,
        ] {
            assert!(matches!(
                Modular::elementary(function, &[x]),
                Err(EvalError::Unsupported(_))
            ));
        }
        assert!(matches!(
            x.is_less(&Modular::int(0)),
            Err(EvalError::Unsupported(_))
        ));
        let third = Modular::pi().div(&Modular::int(3)).unwrap();
        assert!(matches!(
            Modular::elementary(Elementary::Cos, &[third]),
            Err(EvalError::Unsupported(_))
        ));
    }
}
