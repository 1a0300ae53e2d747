//! Numbers of the field that carry a bound on their degree: as functions of what was drawn at random each is a quotient of
//! polynomials, and two that differ agree at a random point with a probability of at most the degree of their difference over
//! the number of points (Schwartz and Zippel). Calculated without cancelling anything, so the bounds are generous.

use super::{Algebra, Elementary, EvalError, Modular, Number, UserFunction};
use num_rational::BigRational;

/// Sixteenths of a coordinate's angle: those are the least that are drawn.
const PARTS: u64 = 16;

/// Binary logarithm of the number of angles that are drawn: a coordinate's is a multiple of 16 steps of 2^61.
const ANGLES: f64 = 57.0;

/// A number with its degrees.
#[derive(Clone, Debug)]
pub struct Graded {
    value: Modular,
    /// Degree of the numerator.
    over: u64,
    /// Degree of the denominator.
    under: u64,
    /// Multiples of the least angle that it is made of.
    parts: u64,
    /// Square roots that stand in it, by their values.
    roots: Vec<u64>,
}

impl PartialEq for Graded {
    fn eq(&self, other: &Self) -> bool {
        self.value == other.value
    }
}

impl Graded {
    /// Something that was drawn at random.
    pub fn drawn(value: Modular) -> Self {
        Self {
            over: 1,
            parts: PARTS,
            ..Self::constant(value)
        }
    }

    fn constant(value: Modular) -> Self {
        Self {
            value,
            over: 0,
            under: 0,
            parts: 0,
            roots: Vec::new(),
        }
    }

    /// Bound on the degree of a relation in which it stands: of numerator and denominator together, doubled by each root, since
    /// `a + b sqrt(f) = 0` is `a^2 = b^2 f`.
    pub fn degree(&self) -> f64 {
        (self.over as f64 + self.under as f64) * Self::doubled([self].into_iter())
    }

    /// Degree of a row of numbers once it is multiplied by their denominators; without roots.
    pub fn row_degree(row: &[Self]) -> f64 {
        let known = row.iter().filter(|x| !x.is_zero());
        let under: f64 = known.clone().map(|x| x.under as f64).sum();
        under + known.map(|x| x.over as f64).fold(0.0, f64::max)
    }

    /// By how much the roots in some numbers multiply the degree of a relation between them.
    pub fn doubled<'a>(all: impl Iterator<Item = &'a Self>) -> f64 {
        let mut roots: Vec<u64> = all.flat_map(|x| x.roots.iter().copied()).collect();
        roots.sort_unstable();
        roots.dedup();
        two_to(roots.len().min(1000) as i32)
    }

    fn joined(&self, other: &Self) -> Vec<u64> {
        let mut roots = self.roots.clone();
        roots.extend(&other.roots);
        roots.sort_unstable();
        roots.dedup();
        roots
    }
}

fn two_to(exponent: i32) -> f64 {
    (0..exponent).fold(1.0, |x, _| x * 2.0)
}

/// Binary logarithm (rounded up) of the probability that a relation of a degree holds by accident at one random point; 0 if the
/// degree is so large that nothing is known. `kept`: the product of the degrees of the constraints that the point meets (Bezout).
pub fn accident(degree: f64, kept: f64) -> i32 {
    let zeros = (degree * kept).max(1.0);
    let mut log = -ANGLES as i32;
    let mut reach = 1.0;
    while reach < zeros && log < 0 {
        reach *= 2.0;
        log += 1;
    }
    log
}

impl Algebra for Graded {
    fn int(value: i64) -> Self {
        Self {
            parts: value.unsigned_abs(),
            ..Self::constant(Modular::int(value))
        }
    }

    fn add(&self, other: &Self) -> Self {
        let value = self.value.add(&other.value);
        if self.is_zero() {
            return Self {
                value,
                ..other.clone()
            };
        }
        if other.is_zero() {
            return Self {
                value,
                ..self.clone()
            };
        }
        let left = self.over.saturating_add(other.under);
        Self {
            value,
            over: left.max(other.over.saturating_add(self.under)),
            under: self.under.saturating_add(other.under),
            parts: self.parts.saturating_add(other.parts),
            roots: self.joined(other),
        }
    }

    fn mul(&self, other: &Self) -> Self {
        let value = self.value.mul(&other.value);
        if self.is_zero() || other.is_zero() {
            return Self::constant(value);
        }
        Self {
            value,
            over: self.over.saturating_add(other.over),
            under: self.under.saturating_add(other.under),
            // An angle times a whole number; a product of two that were drawn is an angle of its own.
            parts: match (self.over, other.over) {
                (0, _) | (_, 0) => self.parts.max(1).saturating_mul(other.parts.max(1)),
                _ => PARTS,
            },
            roots: self.joined(other),
        }
    }

    fn neg(&self) -> Self {
        Self {
            value: self.value.neg(),
            ..self.clone()
        }
    }

    fn div(&self, other: &Self) -> Result<Self, EvalError> {
        Ok(Self {
            value: self.value.div(&other.value)?,
            over: self.over.saturating_add(other.under),
            under: self.under.saturating_add(other.over),
            parts: self.parts.max(1),
            roots: self.joined(other),
        })
    }

    fn elementary(function: Elementary, arguments: &[Self]) -> Result<Self, EvalError> {
        let values: Vec<Modular> = arguments.iter().map(|a| a.value).collect();
        let value = Modular::elementary(function, &values)?;
        let Some(x) = arguments.first() else {
            return Ok(Self::constant(value));
        };
        let mut result = Self { value, ..x.clone() };
        match function {
            // Chebyshev: of degree k in the point of the circle; a polynomial of degree d has at most 2 d zeros there.
            Elementary::Sin | Elementary::Cos => {
                result.over = x.parts.saturating_mul(2);
                result.under = 0;
            }
            Elementary::Tan => {
                result.over = x.parts.saturating_mul(2);
                result.under = result.over;
            }
            Elementary::Sqrt => result.roots.push(value.value().get()),
            _ => {
                // Powers: numerators up to 64, roots up to the fourth.
                result.over = x.over.saturating_add(x.under).saturating_mul(64);
                result.under = result.over;
                result.roots.push(value.value().get());
                result.roots.push(x.value.value().get());
            }
        }
        result.roots.sort_unstable();
        result.roots.dedup();
        Ok(result)
    }
}

impl Number for Graded {
    fn rational(value: &BigRational) -> Result<Self, EvalError> {
        Modular::rational(value).map(Self::constant)
    }

    fn pi() -> Self {
        Self::constant(Modular::pi())
    }

    fn is_zero(&self) -> bool {
        self.value.is_zero()
    }

    fn user_function(of: &UserFunction, arguments: &[Self]) -> Result<Self, EvalError> {
        let values: Vec<Modular> = arguments.iter().map(|a| a.value).collect();
        Modular::user_function(of, &values).map(Self::drawn)
    }

    fn is_less(&self, other: &Self) -> Result<bool, EvalError> {
        self.value.is_less(&other.value)
    }

    fn agrees(&self, other: &Self, scale: &Self) -> bool {
        self.value.agrees(&other.value, &scale.value)
    }

    /// Among pivots the one of least degree.
    fn magnitude(&self) -> i64 {
        if self.is_zero() {
            i64::MIN
        } else {
            -((self.over.saturating_add(self.under).min(1 << 60)) as i64)
        }
    }

    fn show(&self) -> String {
        self.value.show()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn x(k: u64) -> Graded {
        Graded::drawn(Modular::random(1, k))
    }

    #[test]
    fn degrees_of_quotients() {
        let (a, b, c) = (x(1), x(2), x(3));
        assert_eq!(a.mul(&b).add(&c).degree(), 2.0);
        let q = a.div(&b).unwrap();
        assert_eq!((q.over, q.under), (1, 1));
        let sum = q.add(&c);
        assert_eq!((sum.over, sum.under), (2, 1));
        let cos = Graded::elementary(Elementary::Cos, &[a.add(&b)]).unwrap();
        assert_eq!(cos.degree(), 64.0);
        let half = a.div(&Graded::int(2)).unwrap();
        assert_eq!(half.degree(), 1.0);
        let square = Graded::drawn(Modular::random(1, 4).made_positive());
        let root = Graded::elementary(Elementary::Sqrt, std::slice::from_ref(&square)).unwrap();
        assert_eq!(root.degree(), 2.0);
        assert_eq!(root.mul(&root).degree(), 4.0);
        assert_eq!(Graded::int(7).degree(), 0.0);
    }

    #[test]
    fn probabilities() {
        assert_eq!(accident(1.0, 1.0), -57);
        assert_eq!(accident(1024.0, 4.0), -45);
        assert_eq!(accident(1e30, 1.0), 0);
    }
}
