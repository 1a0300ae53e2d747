//! Squares of sums among the terms of a polynomial: `x1^2 - 2 x1 x2 + x2^2 + y^2` is `(x1 - x2)^2 + y^2`. Distances between points are made of them.

use super::polynomial::{Monomial, Polynomial};
use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::{One, Signed};
use std::collections::BTreeSet;

/// Terms up to which squares are looked for.
const LOOKED_AT: usize = 60;

/// `coefficient * base^2`
pub(super) struct Square {
    pub coefficient: BigRational,
    pub base: Polynomial,
}

/// The squares of sums among the terms, and the terms that are left; `None` where there are none.
pub(super) fn squares(p: &Polynomial) -> Option<(Vec<Square>, Polynomial)> {
    if p.len() < 3 || p.len() > LOOKED_AT {
        return None;
    }
    let mut search = Search {
        rest: p.clone(),
        found: Vec::new(),
    };
    let roots: Vec<Monomial> = p.0.keys().filter_map(root).collect();
    for (i, first) in roots.iter().enumerate() {
        search.from(first, &roots[i + 1..]);
    }
    (!search.found.is_empty()).then_some((search.found, search.rest))
}

struct Search {
    rest: Polynomial,
    found: Vec<Square>,
}

impl Search {
    /// The square of the sum of `first` and those of the others that have the double product with everything in it.
    fn from(&mut self, first: &Monomial, others: &[Monomial]) {
        let Some(c) = self.rest.0.get(&first.times(first)).cloned() else {
            return;
        };
        let mut sum = vec![(first.clone(), BigRational::one())];
        let mut used = BTreeSet::from([first.times(first)]);
        for other in others {
            let square = other.times(other);
            let size = self.rest.0.get(&square).map(|own| own / &c);
            let Some(size) = size.and_then(|ratio| rational_root(&ratio)) else {
                continue;
            };
            let product = |m: &Monomial| m.times(other);
            let signed = match self.rest.0.get(&product(first)) {
                Some(double) if (double / &c).is_negative() => -size,
                Some(_) => size,
                None => continue,
            };
            let doubled = |r: &BigRational| BigRational::from_integer(2.into()) * r * &signed * &c;
            let mut new = vec![square];
            new.extend(sum.iter().map(|(m, _)| product(m)));
            let fits = sum
                .iter()
                .all(|(m, r)| self.rest.0.get(&product(m)) == Some(&doubled(r)));
            let fresh: BTreeSet<&Monomial> = new.iter().filter(|m| !used.contains(*m)).collect();
            if fits && fresh.len() == new.len() {
                used.extend(new);
                sum.push((other.clone(), signed));
            }
        }
        if sum.len() < 2 {
            return;
        }
        self.rest.0.retain(|m, _| !used.contains(m));
        let mut base = Polynomial::default();
        for (m, r) in sum {
            base.add(m, r);
        }
        self.found.push(Square {
            coefficient: c,
            base: positive(base),
        });
    }
}

/// With the sign of fewer minus signs; of as many, with a plus in front of what was declared first.
fn positive(base: Polynomial) -> Polynomial {
    let minus = base.0.values().filter(|c| c.is_negative()).count();
    let first = base.0.values().next().is_some_and(Signed::is_negative);
    if 2 * minus > base.len() || 2 * minus == base.len() && first {
        base.over(&-BigRational::one(), &Monomial::one())
    } else {
        base
    }
}

/// What a product of powers is the square of.
fn root(m: &Monomial) -> Option<Monomial> {
    let even = m.0.iter().all(|(_, e)| e % 2 == 0);
    even.then(|| Monomial(m.0.iter().map(|(a, e)| (*a, e / 2)).collect()))
}

fn rational_root(ratio: &BigRational) -> Option<BigRational> {
    let exact = |n: &BigInt| {
        let root = n.sqrt();
        (&root * &root == *n).then_some(root)
    };
    if !ratio.is_positive() {
        return None;
    }
    Some(BigRational::new(
        exact(ratio.numer())?,
        exact(ratio.denom())?,
    ))
}
