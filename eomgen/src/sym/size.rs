//! How large an expression gets when it is multiplied out: an estimate that is cheap enough to decide
//! whether to do so. Knows nothing of what comes out.

use super::expr::{self, Expr};
use symbolica::atom::{AtomCore, AtomView};

/// A quotient's numerator in terms, and its denominator as powers of sums with their terms.
struct Size<'a> {
    num: usize,
    den: Vec<Factor<'a>>,
}

#[derive(Clone, Copy)]
struct Factor<'a> {
    base: AtomView<'a>,
    exponent: u32,
    terms: usize,
}

/// An upper bound of the number of terms of the expanded numerator and denominator. A denominator that terms of a sum have in
/// common counts once. Units, which stand below the terms of a sum alike, count as single terms.
pub(super) fn terms_when_expanded(v: AtomView<'_>, units: &[Expr]) -> usize {
    let size = quotient(v, units);
    size.num.saturating_add(product(&size.den))
}

fn quotient<'a>(v: AtomView<'a>, units: &[Expr]) -> Size<'a> {
    let simple = Size {
        num: 1,
        den: Vec::new(),
    };
    match v {
        AtomView::Num(_) | AtomView::Var(_) | AtomView::Fun(_) => simple,
        AtomView::Add(a) => sum(&a.iter().map(|t| quotient(t, units)).collect::<Vec<_>>()),
        AtomView::Mul(m) => m
            .iter()
            .map(|t| quotient(t, units))
            .fold(simple, |mut all, part| {
                all.num = all.num.saturating_mul(part.num);
                for factor in part.den {
                    match all.den.iter_mut().find(|f| f.base == factor.base) {
                        Some(f) => f.exponent = f.exponent.saturating_add(factor.exponent),
                        None => all.den.push(factor),
                    }
                }
                all
            }),
        AtomView::Pow(p) => {
            let (base, exponent) = p.get_base_exp();
            if units.iter().any(|u| u.0.as_atom_view() == base) {
                return simple;
            }
            // An estimate: what is no integer is noted where the tree is read.
            let exponent: i32 = expr::exponent(exponent).unwrap_or(1);
            power(base, exponent, &quotient(base, units))
        }
    }
}

/// The size of a sum by those of its terms.
fn sum<'a>(parts: &[Size<'a>]) -> Size<'a> {
    let mut den: Vec<Factor<'a>> = Vec::new();
    for factor in parts.iter().flat_map(|p| &p.den) {
        match den.iter_mut().find(|f| f.base == factor.base) {
            Some(f) => f.exponent = f.exponent.max(factor.exponent),
            None => den.push(*factor),
        }
    }
    let num = parts.iter().fold(0usize, |sum, part| {
        let missing: Vec<Factor<'_>> = den
            .iter()
            .map(|f| Factor {
                exponent: f.exponent - power_in(&part.den, f.base),
                ..*f
            })
            .collect();
        sum.saturating_add(part.num.saturating_mul(product(&missing)))
    });
    Size { num, den }
}

/// The size of a power by that of its base.
fn power<'a>(base: AtomView<'a>, exponent: i32, inner: &Size<'a>) -> Size<'a> {
    let k = exponent.unsigned_abs().min(64);
    if exponent >= 0 {
        let den = inner.den.iter().map(|f| Factor {
            exponent: f.exponent.saturating_mul(k),
            ..*f
        });
        return Size {
            num: inner.num.saturating_pow(k),
            den: den.collect(),
        };
    }
    let below = Factor {
        base,
        exponent: k,
        terms: inner.num,
    };
    Size {
        num: product(&inner.den).saturating_pow(k),
        den: if inner.num > 1 {
            vec![below]
        } else {
            Vec::new()
        },
    }
}

fn power_in(den: &[Factor<'_>], base: AtomView<'_>) -> u32 {
    den.iter()
        .find(|f| f.base == base)
        .map_or(0, |f| f.exponent)
}

fn product(den: &[Factor<'_>]) -> usize {
    den.iter().fold(1usize, |p, f| {
        p.saturating_mul(f.terms.saturating_pow(f.exponent))
    })
}
