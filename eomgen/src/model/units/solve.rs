//! Inference of units: dimensions with unknowns, and their unification by elimination.
//!
//! Every dimension is a vector of exponents, so that "these two have the same unit" is a linear
//! equation in the exponents of the unknown units; the equations come one at a time and each
//! settles one unknown.

use super::dim::{Dim, power_text};
use crate::model::number::Rational;
use crate::span::Span;
use num_traits::Zero;
use std::collections::BTreeMap;

/// A dimension that may contain powers of unknown units.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct DimExpr {
    fixed: Dim,
    unknowns: BTreeMap<u32, Rational>,
}

impl From<Dim> for DimExpr {
    fn from(fixed: Dim) -> Self {
        Self {
            fixed,
            unknowns: BTreeMap::new(),
        }
    }
}

impl DimExpr {
    /// Dimensionless.
    pub fn none() -> Self {
        Self::default()
    }

    /// Dimension of a product.
    pub fn times(&self, other: &DimExpr) -> DimExpr {
        let mut product = self.clone();
        product.fixed = product.fixed.times(&other.fixed);
        for (unknown, exponent) in &other.unknowns {
            let sum = product.unknowns.entry(*unknown).or_default();
            *sum += exponent;
            if sum.is_zero() {
                product.unknowns.remove(unknown);
            }
        }
        product
    }

    /// Dimension of a power.
    pub fn power(&self, exponent: &Rational) -> DimExpr {
        if exponent.is_zero() {
            return DimExpr::none();
        }
        let unknowns = self.unknowns.iter().map(|(u, e)| (*u, e * exponent));
        DimExpr {
            fixed: self.fixed.power(exponent),
            unknowns: unknowns.collect(),
        }
    }

    /// Dimension of a quotient.
    pub fn over(&self, other: &DimExpr) -> DimExpr {
        self.times(&other.power(&-Rational::from_integer(1.into())))
    }

    /// Dimension of a derivative by time.
    pub fn rate(&self) -> DimExpr {
        self.over(&Dim::time().into())
    }
}

/// An unknown unit.
#[derive(Clone, Debug, Default)]
struct Unknown {
    /// Of what quantity, if a declared one.
    name: Option<String>,
    /// What it has turned out to be, and where.
    settled: Option<(DimExpr, Span)>,
}

/// The equations between units that are known so far.
#[derive(Clone, Debug, Default)]
pub struct Solver {
    unknowns: Vec<Unknown>,
}

impl Solver {
    /// A new unknown unit; `name` is that of the declared quantity it belongs to.
    pub fn unknown(&mut self, name: Option<&str>) -> DimExpr {
        let index = u32::try_from(self.unknowns.len()).unwrap_or(u32::MAX);
        self.unknowns.push(Unknown {
            name: name.map(str::to_string),
            settled: None,
        });
        DimExpr {
            fixed: Dim::none(),
            unknowns: BTreeMap::from([(index, Rational::from_integer(1.into()))]),
        }
    }

    fn settled(&self, unknown: u32) -> Option<&(DimExpr, Span)> {
        self.unknowns.get(unknown as usize)?.settled.as_ref()
    }

    /// With everything put in that is known.
    fn reduced(&self, dim: &DimExpr) -> DimExpr {
        let mut dim = dim.clone();
        // A settled unknown stands for unknowns that were open then, so this ends.
        while let Some((unknown, exponent, value)) = dim.unknowns.iter().find_map(|(u, e)| {
            let (value, _) = self.settled(*u)?;
            Some((*u, e.clone(), value))
        }) {
            dim.unknowns.remove(&unknown);
            dim = dim.times(&value.power(&exponent));
        }
        dim
    }

    /// States that two dimensions are the same, because of the text at `span`. `false` if they
    /// cannot be; then nothing is learned.
    pub fn equate(&mut self, left: &DimExpr, right: &DimExpr, span: Span) -> bool {
        let mut difference = self.reduced(&left.over(right));
        // The youngest unknown goes, so that what is left over is that of declared quantities.
        let Some((unknown, exponent)) = difference.unknowns.pop_last() else {
            return difference.fixed.is_none();
        };
        let value = difference.power(&-exponent.recip());
        if let Some(slot) = self.unknowns.get_mut(unknown as usize) {
            slot.settled = Some((value, span));
        }
        true
    }

    /// The dimension, if nothing in it is unknown.
    pub fn known(&self, dim: &DimExpr) -> Option<Dim> {
        let dim = self.reduced(dim);
        dim.unknowns.is_empty().then_some(dim.fixed)
    }

    /// For messages: `N/m`, `kg*(unit of k)`, `an unknown unit`.
    pub fn text(&self, dim: &DimExpr) -> String {
        let dim = self.reduced(dim);
        let mut parts = Vec::new();
        if !dim.fixed.is_none() || dim.unknowns.is_empty() {
            parts.push(dim.fixed.text());
        }
        for (unknown, exponent) in &dim.unknowns {
            let name = self.unknowns.get(*unknown as usize);
            match name.and_then(|u| u.name.as_ref()) {
                Some(name) => parts.push(power_text(&format!("(unit of {name})"), exponent)),
                None => return "an unknown unit".to_string(),
            }
        }
        parts.join("*")
    }

    /// The declared quantities in `dim` whose unit was inferred: name, unit, and where it was
    /// settled.
    pub fn inferred(&self, dim: &DimExpr) -> Vec<(String, String, Span)> {
        let mut found = Vec::new();
        for unknown in dim.unknowns.keys() {
            let Some(entry) = self.unknowns.get(*unknown as usize) else {
                continue;
            };
            if let (Some(name), Some((value, span))) = (&entry.name, &entry.settled) {
                found.push((name.clone(), self.text(value), *span));
            }
        }
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_unknown_follows_from_an_equation() {
        let mut solver = Solver::default();
        let k = solver.unknown(Some("k"));
        // k*x = F, with x in m: k in N/m.
        let product = k.times(&Dim::length().into());
        assert!(solver.equate(&product, &Dim::force().into(), Span::default()));
        assert_eq!(solver.text(&k), "N/m");
        assert!(!solver.equate(&k, &Dim::force().into(), Span::default()));
    }

    #[test]
    fn two_unknowns_stay_open_until_one_is_known() {
        let mut solver = Solver::default();
        let (a, b) = (solver.unknown(Some("a")), solver.unknown(Some("b")));
        let two = Rational::from_integer(2.into());
        assert!(solver.equate(&a, &b.power(&two), Span::default()));
        assert_eq!(solver.known(&a), None);
        assert!(solver.equate(&a, &Dim::length().into(), Span::default()));
        assert_eq!(solver.text(&b), "m^(1/2)");
    }

    #[test]
    fn an_unknown_that_cancels_cannot_hide_a_clash() {
        let mut solver = Solver::default();
        let k = solver.unknown(Some("k"));
        let (left, right) = (k.times(&Dim::length().into()), k.times(&Dim::time().into()));
        assert!(!solver.equate(&left, &right, Span::default()));
        assert_eq!(solver.text(&left), "m*(unit of k)");
    }
}
