//! An expression multiplied out: products of symbols, each with a sum of waves.

use super::fourier::Fourier;
use super::polynomial::Monomial;
use num_rational::BigRational;
use std::collections::BTreeMap;

/// Waves by what they are multiplied by.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(super) struct Spread(pub BTreeMap<Monomial, Fourier>);

impl Spread {
    pub(super) fn single(m: Monomial, f: Fourier) -> Self {
        Self([(m, f)].into())
    }

    pub(super) fn number(c: BigRational) -> Self {
        Self::single(Monomial::one(), Fourier::number(c))
    }

    /// Terms in it.
    pub(super) fn len(&self) -> usize {
        self.0.values().map(|f| f.0.len()).sum()
    }

    pub(super) fn add_all(&mut self, other: Self) {
        for (m, f) in other.0 {
            self.0.entry(m).or_default().add_all(&f);
        }
        self.0.retain(|_, f| !f.is_zero());
    }

    pub(super) fn times(&self, other: &Self) -> Self {
        let mut product = Self::default();
        for (m, f) in &self.0 {
            for (n, g) in &other.0 {
                let waves = f.times(g);
                product.0.entry(m.times(n)).or_default().add_all(&waves);
            }
        }
        product.0.retain(|_, f| !f.is_zero());
        product
    }
}
