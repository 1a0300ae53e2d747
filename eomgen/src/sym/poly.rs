//! Polynomials and rational functions in the ring of sines and cosines modulo s^2 + c^2 = 1 and of
//! roots modulo r^2 = argument. Thin helpers over the engine's polynomials.

use super::expr::Expr;
use super::{Algebra, Meaning, Var};
use crate::function::Elementary;
use std::collections::BTreeMap;
use std::sync::Arc;
use symbolica::atom::AtomCore;
use symbolica::domains::integer::{Integer, IntegerRing, Z};
use symbolica::domains::rational::Q;
use symbolica::domains::rational_polynomial::RationalPolynomial;
use symbolica::poly::PolyVariable;
use symbolica::poly::polynomial::MultivariatePolynomial;

/// Integer polynomials in pool symbols.
pub(super) type Poly = MultivariatePolynomial<IntegerRing, u16>;

/// A quotient of integer polynomials without common factor.
pub(super) struct Quotient {
    pub num: Poly,
    pub den: Poly,
}

impl Algebra {
    /// The expression as a reduced quotient, its variables in pool order, with both members of every
    /// circle that is touched and all symbols of touched roots present.
    pub(super) fn quotient(&self, e: &Expr) -> Quotient {
        let mut vars = self.variables(e);
        let mut k = 0;
        while k < vars.len() {
            let v = vars[k];
            k += 1;
            let partner = self.circles().iter().find_map(|(s, c)| {
                if *s == v {
                    Some(*c)
                } else if *c == v {
                    Some(*s)
                } else {
                    None
                }
            });
            let mut more: Vec<Var> = partner.into_iter().collect();
            if let Meaning::Kernel(Elementary::Sqrt, args) = &self.info(v).meaning {
                more.extend(self.variables(&args[0]));
            }
            for m in more {
                if !vars.contains(&m) {
                    vars.push(m);
                }
            }
        }
        vars.sort();
        let map: Arc<Vec<PolyVariable>> = Arc::new(
            vars.iter()
                .map(|v| PolyVariable::from(self.symbol_of(*v)))
                .collect(),
        );
        let r: RationalPolynomial<IntegerRing, u16> = e.0.to_rational_polynomial(&Q, &Z, map);
        Quotient {
            num: r.numerator,
            den: r.denominator,
        }
    }

    /// Positions of the circles in the polynomial's variables.
    pub(super) fn circle_positions(&self, p: &Poly) -> Vec<(usize, usize)> {
        let at = |v: Var| {
            let s = PolyVariable::from(self.symbol_of(v));
            p.get_vars_ref().iter().position(|x| *x == s)
        };
        self.circles()
            .iter()
            .filter_map(|(s, c)| Some((at(*s)?, at(*c)?)))
            .collect()
    }

    /// Powers of roots above the first replaced by their arguments.
    pub(super) fn reduce_roots(&self, p: &Poly) -> Poly {
        let mut p = p.clone();
        for i in 0..p.nvars() {
            if p.degree(i) < 2 {
                continue;
            }
            if let Some(square) = self.square_of(&p, i) {
                p = replace_square(&p, i, &square);
            }
        }
        p
    }

    /// The square of variable `i` if it is a root whose argument is a polynomial in the variables of `p`.
    pub(super) fn square_of(&self, p: &Poly, i: usize) -> Option<Poly> {
        let vars = p.get_vars();
        let PolyVariable::Symbol(s) = vars.get(i)? else {
            return None;
        };
        let var = self.lookup(*s)?;
        let Meaning::Kernel(Elementary::Sqrt, args) = &self.info(var).meaning else {
            return None;
        };
        let square: RationalPolynomial<IntegerRing, u16> =
            args[0].0.to_rational_polynomial(&Q, &Z, p.get_vars());
        let plain = square.denominator.is_one() && square.numerator.get_vars() == p.get_vars();
        plain.then_some(square.numerator)
    }

    /// A quotient with a root below extended by it, for every root: `a x/sqrt(a)` as `a x sqrt(a)/a`.
    pub(super) fn rationalised(&self, q: &Quotient) -> Vec<Quotient> {
        let mut list = Vec::new();
        for i in 0..q.den.nvars() {
            if !q.den.into_iter().all(|t| t.exponents[i] == 1) {
                continue;
            }
            let Some(square) = self.square_of(&q.den, i) else {
                continue;
            };
            let mut exponents = vec![0u16; q.den.nvars()];
            exponents[i] = 1;
            let root = q.den.monomial(1.into(), exponents);
            list.push(Quotient {
                num: replace_square(&(&q.num * &root), i, &square),
                den: replace_square(&(&q.den * &root), i, &square),
            });
        }
        list
    }
}

/// `1 - x^2` in the variables of `p`.
fn one_minus_square(p: &Poly, x: usize) -> Poly {
    let mut exponents = vec![0u16; p.nvars()];
    exponents[x] = 2;
    p.one() - p.monomial(1.into(), exponents)
}

/// Replaces the square of variable `i` by `square` until its degree is below 2.
pub(super) fn replace_square(p: &Poly, i: usize, square: &Poly) -> Poly {
    let mut result = p.clone();
    while result.degree(i) >= 2 {
        let top = usize::from(result.degree(i) / 2);
        // Horner over k in x^(2k): split by half exponent.
        let mut by_half: Vec<Poly> = vec![p.zero(); top + 1];
        for t in &result {
            let mut e = t.exponents.to_vec();
            let half = usize::from(e[i] / 2);
            e[i] %= 2;
            by_half[half].append_monomial(t.coefficient.clone(), &e);
        }
        let mut sum = p.zero();
        for h in by_half.iter().rev() {
            sum = &sum * square;
            sum = sum + h.clone();
        }
        result = sum;
    }
    result
}

/// Removes squares of the sine (`keep_cosine`) or of the cosine.
pub(super) fn reduce_circle(p: &Poly, (s, c): (usize, usize), keep_cosine: bool) -> Poly {
    let (drop, keep) = if keep_cosine { (s, c) } else { (c, s) };
    if p.degree(drop) < 2 {
        p.clone()
    } else {
        replace_square(p, drop, &one_minus_square(p, keep))
    }
}

/// Sines and cosines in powers of one degree, as far as each product of the other variables allows: `a^2 (1 - cos^2) + b^2 cos^2` as
/// `a^2 sin^2 + b^2 cos^2`. What is a power of a sum of both is written as one only in this form.
pub(super) fn homogeneous(p: &Poly, (s, c): (usize, usize)) -> Poly {
    let kind = |e: &[u16]| {
        let mut others = e.to_vec();
        (others[s], others[c]) = (0, 0);
        (others, (e[s] + e[c]) % 2)
    };
    let mut tops: BTreeMap<(Vec<u16>, u16), u16> = BTreeMap::new();
    for t in p {
        let top = tops.entry(kind(t.exponents)).or_default();
        *top = (*top).max(t.exponents[s] + t.exponents[c]);
    }
    let mut list: BTreeMap<Vec<u16>, Integer> = BTreeMap::new();
    for t in p {
        let top = tops.get(&kind(t.exponents)).copied().unwrap_or_default();
        let lacking = (top - t.exponents[s] - t.exponents[c]) / 2;
        // The coefficients of (s^2 + c^2)^lacking.
        let mut binomial = Integer::from(1);
        for k in 0..=lacking {
            let mut e = t.exponents.to_vec();
            e[s] += 2 * k;
            e[c] += 2 * (lacking - k);
            let sum = list.entry(e).or_insert_with(|| Integer::from(0));
            *sum = sum.clone() + t.coefficient.clone() * binomial.clone();
            binomial = (binomial * Integer::from(lacking - k)) / &Integer::from(k + 1);
        }
    }
    let mut form = p.zero();
    for (e, coefficient) in list.into_iter().filter(|t| !t.1.is_zero()) {
        form.append_monomial(coefficient, &e);
    }
    form
}

/// The size by which forms are compared: terms, then total degree.
pub(super) fn weight(p: &Poly) -> (usize, u64) {
    (
        p.nterms(),
        p.into_iter()
            .map(|t| t.exponents.iter().map(|e| u64::from(*e)).sum::<u64>())
            .sum(),
    )
}
