//! Quantities along a motion as Taylor series in time, cut off where the motion is known: positions have three coefficients, velocities
//! two, accelerations one. So the length of a series says on which level a quantity lives.

use super::number::{Elementary, Field};
use std::cmp::Ordering;

/// Coefficients of a position.
pub const FULL: usize = 3;

/// A truncated Taylor series.
#[derive(Clone, Debug)]
pub struct Series<F> {
    /// Coefficients, of which there are one to three.
    pub c: Vec<F>,
}

impl<F: Field> Series<F> {
    /// A constant.
    pub fn constant(value: F) -> Self {
        let zero = F::from_f64(0.0);
        Self {
            c: vec![value, zero.clone(), zero],
        }
    }

    /// A constant double.
    pub fn number(value: f64) -> Self {
        Self::constant(F::from_f64(value))
    }

    /// The value at the instant.
    pub fn now(&self) -> &F {
        &self.c[0]
    }

    /// The rate; nothing where the motion is known no further.
    pub fn rate(&self) -> Option<Self> {
        if self.c.len() < 2 {
            return None;
        }
        let tail = self.c[1..].iter().enumerate();
        Some(Self {
            c: tail
                .map(|(i, c)| c.mul(&F::from_f64((i + 1) as f64)))
                .collect(),
        })
    }

    fn zip(&self, other: &Self, op: impl Fn(&F, &F) -> F) -> Self {
        let pairs = self.c.iter().zip(&other.c);
        Self {
            c: pairs.map(|(a, b)| op(a, b)).collect(),
        }
    }

    /// Sum.
    #[must_use]
    pub fn add(&self, other: &Self) -> Self {
        self.zip(other, F::add)
    }

    /// Difference.
    #[must_use]
    pub fn sub(&self, other: &Self) -> Self {
        self.zip(other, F::sub)
    }

    /// Negative.
    #[must_use]
    pub fn neg(&self) -> Self {
        Self {
            c: self.c.iter().map(F::neg).collect(),
        }
    }

    /// Product.
    #[must_use]
    pub fn mul(&self, other: &Self) -> Self {
        let length = self.c.len().min(other.c.len());
        let entry = |k: usize| {
            let first = self.c[0].mul(&other.c[k]);
            (1..=k).fold(first, |sum, i| sum.add(&self.c[i].mul(&other.c[k - i])))
        };
        Self {
            c: (0..length).map(entry).collect(),
        }
    }

    /// A function of it.
    #[must_use]
    pub fn apply(&self, function: Elementary) -> Self {
        let x = &self.c;
        let at = |order| x[0].derivative(function, order);
        let mut c = vec![at(0)];
        if x.len() > 1 {
            let first = at(1);
            c.push(first.mul(&x[1]));
            if x.len() > 2 {
                let half = F::from_f64(0.5);
                let bend = at(2).mul(&half).mul(&x[1]).mul(&x[1]);
                c.push(first.mul(&x[2]).add(&bend));
            }
        }
        Self { c }
    }

    /// A power with a constant exponent.
    #[must_use]
    pub fn power(&self, exponent: f64) -> Self {
        if exponent == 2.0 {
            return self.mul(self);
        }
        self.apply(Elementary::Power(exponent))
    }

    /// Quotient.
    #[must_use]
    pub fn div(&self, other: &Self) -> Self {
        self.mul(&other.power(-1.0))
    }

    /// The larger or the smaller one, whichever has the order to the other.
    #[must_use]
    pub fn choose(&self, other: &Self, order: Ordering) -> Self {
        if self.c[0].sub(&other.c[0]).sign() == order {
            self.clone()
        } else {
            other.clone()
        }
    }
}

/// A vector by its components in the inertial frame.
pub type Vector<F> = [Series<F>; 3];

/// Scalar product.
pub fn dot<F: Field>(a: &Vector<F>, b: &Vector<F>) -> Series<F> {
    a[0].mul(&b[0]).add(&a[1].mul(&b[1])).add(&a[2].mul(&b[2]))
}

/// Vector product.
pub fn cross<F: Field>(a: &Vector<F>, b: &Vector<F>) -> Vector<F> {
    let entry = |i: usize, j: usize| a[i].mul(&b[j]).sub(&a[j].mul(&b[i]));
    [entry(1, 2), entry(2, 0), entry(0, 1)]
}

/// Sum of vectors.
pub fn plus<F: Field>(a: &Vector<F>, b: &Vector<F>) -> Vector<F> {
    std::array::from_fn(|i| a[i].add(&b[i]))
}

/// Difference of vectors.
pub fn minus<F: Field>(a: &Vector<F>, b: &Vector<F>) -> Vector<F> {
    std::array::from_fn(|i| a[i].sub(&b[i]))
}

/// A multiple of a vector.
pub fn scale<F: Field>(s: &Series<F>, a: &Vector<F>) -> Vector<F> {
    std::array::from_fn(|i| s.mul(&a[i]))
}

/// Length of a vector.
pub fn norm<F: Field>(a: &Vector<F>) -> Series<F> {
    dot(a, a).power(0.5)
}

/// The rate of a vector in the inertial frame.
pub fn rate<F: Field>(a: &Vector<F>) -> Option<Vector<F>> {
    Some([a[0].rate()?, a[1].rate()?, a[2].rate()?])
}
