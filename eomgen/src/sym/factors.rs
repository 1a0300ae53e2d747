//! Exact factors and quotients of polynomials whose variables are numbered: for those who write expressions in a form of their own.

use super::poly::Poly;
use super::{Algebra, Expr, expr};
use crate::model::system::Sign;
use num_bigint::BigInt;
use num_traits::One;
use std::sync::Arc;
use symbolica::domains::integer::{Integer, Z};
use symbolica::poly::PolyVariable;
use symbolica::poly::factor::Factorize;
use symbolica::symbol;

/// Coefficients with the exponents of all variables.
pub type Terms = Vec<(BigInt, Vec<u16>)>;

impl Algebra {
    fn polynomial(&self, terms: &[(BigInt, Vec<u16>)], variables: usize) -> Poly {
        // The pool's own symbols: which of them is of no consequence, and they are always made in the same order.
        let symbol = |i| PolyVariable::from(symbol!(format!("eomgen::x{i}")));
        let variables = Arc::new((0..variables).map(symbol).collect::<Vec<_>>());
        let mut p = Poly::new(&Z, Some(terms.len()), variables);
        for (c, exponents) in terms {
            p.append_monomial(expr::integer(c), exponents);
        }
        p
    }

    fn terms_of(&self, p: &Poly) -> Terms {
        let term = |(c, e): (&Integer, &[u16])| (self.whole(c), e.to_vec());
        let mut list: Terms = p
            .into_iter()
            .map(|t| term((t.coefficient, t.exponents)))
            .collect();
        list.sort_by(|a, b| b.1.cmp(&a.1));
        list
    }

    fn whole(&self, n: &Integer) -> BigInt {
        n.to_string().parse().unwrap_or_else(|_| {
            self.witness.note(format!("`{n}` is not a whole number"));
            BigInt::one()
        })
    }

    /// A number and irreducible factors with their exponents, in an order that depends on the polynomial alone.
    pub fn factorization(
        &self,
        terms: &[(BigInt, Vec<u16>)],
        variables: usize,
    ) -> Option<(BigInt, Vec<(Terms, u32)>)> {
        let p = self.polynomial(terms, variables);
        if p.is_zero() {
            return None;
        }
        let mut number = BigInt::one();
        let mut list = Vec::new();
        for (factor, exponent) in p.factor() {
            let exponent = u32::try_from(exponent).ok()?;
            if factor.is_constant() {
                number *= num_traits::pow(self.whole(&factor.lcoeff()), exponent as usize);
            } else {
                list.push((self.terms_of(&factor), exponent));
            }
        }
        list.sort_by(|a, b| a.0.len().cmp(&b.0.len()).then_with(|| b.cmp(a)));
        Some((number, list))
    }

    /// The quotient, if there is no remainder.
    pub fn divided(
        &self,
        terms: &[(BigInt, Vec<u16>)],
        by: &[(BigInt, Vec<u16>)],
        variables: usize,
    ) -> Option<Terms> {
        let (p, q) = (
            self.polynomial(terms, variables),
            self.polynomial(by, variables),
        );
        if q.is_zero() {
            return None;
        }
        Some(self.terms_of(&p.try_div(&q)?))
    }

    /// Expressions that the model assumes not to vanish.
    pub fn nonvanishing(&self) -> Vec<Expr> {
        let sure = self.assumptions.iter().filter(|(_, s)| s.is_strict());
        sure.map(|(e, _)| e.clone()).collect()
    }

    /// Sine and cosine of the angle, one of which the symbol is.
    pub fn circle_with(&self, v: super::Var) -> Option<(super::Var, super::Var)> {
        let pair = self.circles.iter().find(|(s, c)| *s == v || *c == v)?;
        Some(*pair)
    }
}

impl Sign {
    /// Whether negative values are excluded.
    pub fn is_nonnegative(self) -> bool {
        matches!(self, Self::Positive | Self::NonNegative)
    }

    /// Whether it excludes zero.
    pub fn is_strict(self) -> bool {
        matches!(self, Self::Positive | Self::Negative | Self::NonZero)
    }
}
