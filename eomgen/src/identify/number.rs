//! The numbers in which columns are compared: residues, which are exact, and doubles where a machine has no states in the field. Knows nothing of machines.

use crate::field::Residue;
use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::ToPrimitive;

/// What stays of a column, relative to its size, that depends on others, in floating point.
const REMAINING: f64 = 1e-7;
/// How far a double may be from the number that it stands for.
const NEAR: f64 = 1e-6;
/// Denominators that are looked for behind doubles.
const DENOMINATORS: i64 = 24;
/// Decimals of a product of two numbers of a model.
const DECIMALS: u32 = 14;
/// Numerators over powers of ten: one by accident among 2^15.
const LARGEST: u64 = 1 << 42;

/// A number.
pub(super) trait Number: Copy {
    const ZERO: Self;
    const ONE: Self;
    /// How many coefficients can be told from each other.
    const LONGEST: usize;
    fn plus(self, other: Self) -> Self;
    fn times(self, other: Self) -> Self;
    fn negated(self) -> Self;
    fn inverse(self) -> Option<Self>;
    /// How it compares with others as a pivot; 0 where it is no pivot.
    fn weight(self) -> f64;
    /// Whether it is 0 itself.
    fn is_nothing(self) -> bool;
    /// Whether two results are the same.
    fn same(self, other: Self) -> bool;
    /// As a decimal, where it is one.
    fn decimal(self) -> Option<f64>;
    /// The rational number that it stands for.
    fn rational(self) -> Option<BigRational>;
}

impl Number for Residue {
    const ZERO: Self = Self::ZERO;
    const ONE: Self = Self::ONE;
    const LONGEST: usize = 480;
    fn plus(self, other: Self) -> Self {
        self + other
    }
    fn times(self, other: Self) -> Self {
        self * other
    }
    fn negated(self) -> Self {
        -self
    }
    fn inverse(self) -> Option<Self> {
        Self::inverse(self)
    }
    fn weight(self) -> f64 {
        f64::from(u8::from(self != Self::ZERO))
    }
    fn is_nothing(self) -> bool {
        self == Self::ZERO
    }
    fn same(self, other: Self) -> bool {
        self == other
    }
    fn decimal(self) -> Option<f64> {
        None
    }
    fn rational(self) -> Option<BigRational> {
        if let Some((numerator, denominator)) = self.fraction() {
            return Some(BigRational::new(numerator.into(), denominator.into()));
        }
        // Decimals of a model, and their products, have larger denominators, but of one kind.
        let ten = Self::from_integer(10);
        let mut scaled = self;
        for decimals in 0..=DECIMALS {
            let (negative, least) = scaled.mirror();
            if least.get() < LARGEST {
                let numerator = BigInt::from(least.get());
                let denominator = BigInt::from(10).pow(decimals);
                let found = BigRational::new(numerator, denominator);
                return Some(if negative { -found } else { found });
            }
            scaled = scaled * ten;
        }
        None
    }
}

impl Number for f64 {
    const ZERO: Self = 0.0;
    const ONE: Self = 1.0;
    const LONGEST: usize = 130;
    fn plus(self, other: Self) -> Self {
        self + other
    }
    fn times(self, other: Self) -> Self {
        self * other
    }
    fn negated(self) -> Self {
        -self
    }
    fn inverse(self) -> Option<Self> {
        let inverse = 1.0 / self;
        inverse.is_finite().then_some(inverse)
    }
    fn weight(self) -> f64 {
        if self.abs() > REMAINING {
            self.abs()
        } else {
            0.0
        }
    }
    fn is_nothing(self) -> bool {
        self == 0.0
    }
    fn same(self, other: Self) -> bool {
        (self - other).abs() <= NEAR * (1.0 + self.abs())
    }
    fn decimal(self) -> Option<f64> {
        Some(self)
    }
    fn rational(self) -> Option<BigRational> {
        (1..=DENOMINATORS).find_map(|denominator| {
            let scaled = self * denominator as Self;
            let nearest = scaled.round();
            let near = (scaled - nearest).abs() <= NEAR * (1.0 + scaled.abs());
            let numerator = nearest.to_i64().filter(|_| near)?;
            Some(BigRational::new(numerator.into(), denominator.into()))
        })
    }
}

/// Rows in echelon form, columns taken in an order: the pivot columns, and for each column what it is made of in these.
pub(super) struct Echelon<N> {
    /// Pivot columns, in the order in which they were found.
    pub pivots: Vec<usize>,
    /// One row for each pivot, 1 in its column.
    pub rows: Vec<Vec<N>>,
}

/// Eliminates by rows; each column that does not depend on those before it in the order becomes a pivot.
pub(super) fn echelon<N: Number>(mut open: Vec<Vec<N>>, order: &[usize]) -> Echelon<N> {
    let mut found = Echelon {
        pivots: Vec::new(),
        rows: Vec::new(),
    };
    for column in order {
        let weight = |row: &Vec<N>| row[*column].weight();
        let best = (0..open.len()).max_by(|a, b| weight(&open[*a]).total_cmp(&weight(&open[*b])));
        let Some(best) = best.filter(|row| weight(&open[*row]) > 0.0) else {
            continue;
        };
        let mut row = open.swap_remove(best);
        let Some(inverse) = row[*column].inverse() else {
            continue;
        };
        row.iter_mut().for_each(|x| *x = x.times(inverse));
        for other in open.iter_mut().chain(&mut found.rows) {
            let factor = other[*column].negated();
            if factor.is_nothing() {
                continue;
            }
            for (x, y) in other.iter_mut().zip(&row) {
                *x = x.plus(factor.times(*y));
            }
            other[*column] = N::ZERO;
        }
        found.pivots.push(*column);
        found.rows.push(row);
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_recognised() {
        let of = |n: i64, d: i64| BigRational::new(n.into(), d.into());
        let residue = |r: &BigRational| Residue::from_rational(r).unwrap();
        for r in [
            of(-3, 7),
            of(18_645_124, 100_000_000),
            of(123_456_789, 10_000_000_000),
        ] {
            assert_eq!(residue(&r).rational(), Some(r));
        }
        assert_eq!((-0.75 + 1e-9_f64).rational(), Some(of(-3, 4)));
        assert_eq!(std::f64::consts::PI.rational(), None);
    }

    #[test]
    fn columns_depend_on_those_before_them() {
        let rows = vec![vec![1.0, 2.0, 1.0, 0.0], vec![0.0, 0.0, 1.0, 0.0]];
        let found = echelon(rows, &[0, 1, 2, 3]);
        assert_eq!(found.pivots, [0, 2]);
        assert_eq!(found.rows[0], [1.0, 2.0, 0.0, 0.0]);
    }
}
