//! Dimensions: exponents of the seven SI base units, exact.

use crate::model::number::Rational;
use num_bigint::BigInt;
use num_traits::{One, Signed, Zero};
use std::collections::BTreeMap;

/// The base units in the order in which they are printed.
pub const BASE: [&str; 7] = ["kg", "m", "s", "A", "K", "mol", "cd"];

/// Exponents of the base units that do not vanish, by index in the order kg, m, s, A, K, mol, cd, as exact
/// rationals (a square root halves them). Angles are dimensionless.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Dim(BTreeMap<u8, Rational>);

impl Dim {
    /// Dimensionless.
    pub fn none() -> Self {
        Self::default()
    }

    /// From whole exponents, in the order kg, m, s, A, K, mol, cd.
    pub fn of(exponents: [i64; 7]) -> Self {
        let entries = (0..).zip(exponents).filter(|(_, e)| *e != 0);
        Self(
            entries
                .map(|(index, e)| (index, Rational::from_integer(BigInt::from(e))))
                .collect(),
        )
    }

    /// Length, m.
    pub fn length() -> Self {
        Self::of([0, 1, 0, 0, 0, 0, 0])
    }

    /// Mass, kg.
    pub fn mass() -> Self {
        Self::of([1, 0, 0, 0, 0, 0, 0])
    }

    /// Time, s.
    pub fn time() -> Self {
        Self::of([0, 0, 1, 0, 0, 0, 0])
    }

    /// Speed of a point, m/s.
    pub fn velocity() -> Self {
        Self::of([0, 1, -1, 0, 0, 0, 0])
    }

    /// Acceleration of a point, m/s^2.
    pub fn acceleration() -> Self {
        Self::of([0, 1, -2, 0, 0, 0, 0])
    }

    /// Force, N.
    pub fn force() -> Self {
        Self::of([1, 1, -2, 0, 0, 0, 0])
    }

    /// Torque or energy, N*m.
    pub fn torque() -> Self {
        Self::of([1, 2, -2, 0, 0, 0, 0])
    }

    /// Moment of inertia, kg*m^2.
    pub fn inertia() -> Self {
        Self::of([1, 2, 0, 0, 0, 0, 0])
    }

    /// Whether all exponents vanish.
    pub fn is_none(&self) -> bool {
        self.0.is_empty()
    }

    /// Dimension of a product.
    pub fn times(&self, other: &Dim) -> Dim {
        let mut product = self.0.clone();
        for (index, exponent) in &other.0 {
            let sum = product.entry(*index).or_default();
            *sum += exponent;
            if sum.is_zero() {
                product.remove(index);
            }
        }
        Dim(product)
    }

    /// Dimension of a power.
    pub fn power(&self, exponent: &Rational) -> Dim {
        if exponent.is_zero() {
            return Dim::none();
        }
        let powers = self.0.iter().map(|(index, e)| (*index, e * exponent));
        Dim(powers.collect())
    }

    /// In base units, in the model's own syntax for units: `kg*m/s^2`; `1` if dimensionless.
    pub fn base_text(&self) -> String {
        let mut above = Vec::new();
        let mut below = Vec::new();
        for (index, exponent) in &self.0 {
            let name = BASE.get(usize::from(*index)).copied().unwrap_or_default();
            if exponent.is_positive() {
                above.push(power_text(name, exponent));
            } else {
                below.push(power_text(name, &-exponent));
            }
        }
        let mut text = if above.is_empty() {
            "1".to_string()
        } else {
            above.join("*")
        };
        for factor in below {
            text.push('/');
            text.push_str(&factor);
        }
        text
    }

    /// For messages: a usual name where there is one, else the base units.
    pub fn text(&self) -> String {
        let usual = [
            ("N", Self::force()),
            ("N*m", Self::torque()),
            ("N/m", Self::of([1, 0, -2, 0, 0, 0, 0])),
            ("W", Self::of([1, 2, -3, 0, 0, 0, 0])),
            ("Pa", Self::of([1, -1, -2, 0, 0, 0, 0])),
            ("V", Self::of([1, 2, -3, -1, 0, 0, 0])),
            ("ohm", Self::of([1, 2, -3, -2, 0, 0, 0])),
        ];
        match usual.iter().find(|(_, dim)| dim == self) {
            Some((name, _)) => (*name).to_string(),
            None => self.base_text(),
        }
    }
}

/// `m`, `m^2`, `m^(1/2)`.
pub(super) fn power_text(name: &str, exponent: &Rational) -> String {
    if exponent.is_one() {
        name.to_string()
    } else if exponent.is_integer() && !exponent.is_negative() {
        format!("{name}^{exponent}")
    } else {
        format!("{name}^({exponent})")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dimensions_print_in_the_syntax_of_units() {
        assert_eq!(Dim::none().base_text(), "1");
        assert_eq!(Dim::force().base_text(), "kg*m/s^2");
        assert_eq!(Dim::of([1, -1, -2, 0, 0, 0, 0]).base_text(), "kg/m/s^2");
        assert_eq!(Dim::of([0, 0, -1, 0, 0, 0, 0]).base_text(), "1/s");
        let half = Rational::new(1.into(), 2.into());
        assert_eq!(Dim::length().power(&half).base_text(), "m^(1/2)");
        assert_eq!(Dim::torque().text(), "N*m");
    }
}
