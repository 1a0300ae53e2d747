//! Polynomials in atoms with whole exponents of either sign, and exact coefficients.

use super::atom::Atom;
use num_bigint::BigInt;
use num_integer::Integer;
use num_rational::BigRational;
use num_traits::{One, Signed, Zero};
use std::collections::BTreeMap;
use std::hash::{Hash, Hasher};

/// A product of powers, atoms ascending, no exponent 0.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct Monomial(pub Vec<(Atom, i32)>);

impl Monomial {
    pub(super) fn one() -> Self {
        Self::default()
    }

    pub(super) fn power(atom: Atom, exponent: i32) -> Self {
        Self(vec![(atom, exponent)])
    }

    pub(super) fn is_one(&self) -> bool {
        self.0.is_empty()
    }

    pub(super) fn exponent(&self, atom: Atom) -> i32 {
        match self.0.binary_search_by_key(&atom, |f| f.0) {
            Ok(at) => self.0[at].1,
            Err(_) => 0,
        }
    }

    pub(super) fn times(&self, other: &Self) -> Self {
        self.combined(other, 1)
    }

    pub(super) fn over(&self, other: &Self) -> Self {
        self.combined(other, -1)
    }

    fn combined(&self, other: &Self, sign: i32) -> Self {
        let (mut a, mut b) = (self.0.iter().peekable(), other.0.iter().peekable());
        let mut list = Vec::with_capacity(self.0.len() + other.0.len());
        loop {
            match (a.peek(), b.peek()) {
                (Some(x), Some(y)) if x.0 == y.0 => {
                    let exponent = x.1 + sign * y.1;
                    if exponent != 0 {
                        list.push((x.0, exponent));
                    }
                    a.next();
                    b.next();
                }
                (Some(x), Some(y)) if x.0 < y.0 => list.extend(a.next().copied()),
                (Some(_), None) => list.extend(a.next().copied()),
                (_, Some(y)) => {
                    list.push((y.0, sign * y.1));
                    b.next();
                }
                (None, None) => break,
            }
        }
        Self(list)
    }

    /// What both are multiples of: the smaller power where the signs agree.
    pub(super) fn common(&self, other: &Self) -> Self {
        let shared = |(atom, e): &(Atom, i32)| {
            let f = other.exponent(*atom);
            let least = match (e.is_positive(), f) {
                (true, f) if f > 0 => (*e).min(f),
                (false, f) if f < 0 => (*e).max(f),
                _ => return None,
            };
            Some((*atom, least))
        };
        Self(self.0.iter().filter_map(shared).collect())
    }

    /// Whether the other one is a part of it.
    pub(super) fn has(&self, part: &Self) -> bool {
        part.0.iter().all(|(atom, e)| {
            let own = self.exponent(*atom);
            if *e > 0 { own >= *e } else { own <= *e }
        })
    }

    /// The factors for which something holds.
    pub(super) fn only(&self, mut keep: impl FnMut(Atom) -> bool) -> Self {
        Self(self.0.iter().filter(|f| keep(f.0)).copied().collect())
    }
}

/// Largest whole number that a common factor leaves.
const LARGEST: u32 = 10_000;

/// A sum of monomials with coefficients, none of which is 0.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Polynomial(pub BTreeMap<Monomial, BigRational>);

impl Hash for Polynomial {
    /// By the monomials alone: rational numbers are slow to hash.
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.0.keys().for_each(|m| m.hash(state));
    }
}

impl Polynomial {
    pub(super) fn monomial(m: Monomial, c: BigRational) -> Self {
        let mut p = Self::default();
        p.add(m, c);
        p
    }

    pub(super) fn is_zero(&self) -> bool {
        self.0.is_empty()
    }

    pub(super) fn len(&self) -> usize {
        self.0.len()
    }

    pub(super) fn add(&mut self, m: Monomial, c: BigRational) {
        if c.is_zero() {
            return;
        }
        match self.0.entry(m) {
            std::collections::btree_map::Entry::Vacant(place) => {
                place.insert(c);
            }
            std::collections::btree_map::Entry::Occupied(mut place) => {
                *place.get_mut() += c;
                if place.get().is_zero() {
                    place.remove();
                }
            }
        }
    }

    pub(super) fn add_all(&mut self, other: &Self, m: &Monomial, c: &BigRational) {
        for (own, coefficient) in &other.0 {
            self.add(own.times(m), coefficient * c);
        }
    }

    /// Divided by a number and a monomial.
    pub(super) fn over(&self, c: &BigRational, m: &Monomial) -> Self {
        let terms = self.0.iter();
        Self(terms.map(|(own, x)| (own.over(m), x / c)).collect())
    }

    /// The number and the monomial that all terms have in common; the number is negative where all terms are.
    pub(super) fn content(&self) -> (BigRational, Monomial) {
        let mut terms = self.0.iter();
        let Some((first, c)) = terms.next() else {
            return (BigRational::one(), Monomial::one());
        };
        let mut common = first.clone();
        let (mut above, mut below) = (c.numer().abs(), c.denom().clone());
        let mut negative = c.is_negative();
        for (m, c) in terms {
            common = common.common(m);
            above = above.gcd(c.numer());
            below = below.lcm(c.denom());
            negative &= c.is_negative();
        }
        let size = BigRational::new(above, below);
        (if negative { -size } else { size }, common)
    }

    /// Whether whole numbers of few digits are left when it is divided by a number: what is common to decimal fractions is a reader's
    /// number only then.
    pub(super) fn is_plain_over(&self, c: &BigRational) -> bool {
        let most = BigRational::from_integer(LARGEST.into());
        self.0.values().all(|x| (x / c).abs() < most)
    }

    /// Atoms that it has, ascending.
    pub(super) fn atoms(&self) -> Vec<Atom> {
        let all = self.0.keys().flat_map(|m| m.0.iter().map(|f| f.0));
        let mut list: Vec<Atom> = all.collect();
        list.sort_unstable();
        list.dedup();
        list
    }

    /// What has to be multiplied out for there to be no divisors, each atom with its lowest exponent.
    pub(super) fn divisors(&self) -> Monomial {
        let mut below = Monomial::one();
        for (atom, e) in self.0.keys().flat_map(|m| &m.0) {
            let known = below.exponent(*atom);
            if *e < known {
                below = below.times(&Monomial::power(*atom, e - known));
            }
        }
        below
    }

    /// As whole numbers and exponents, without divisors: what the engine's polynomials are made of. The common denominator is lost.
    pub(super) fn plain(&self, atoms: &[Atom]) -> (Vec<(BigInt, Vec<u16>)>, BigInt) {
        let denominator = self.0.values().fold(BigInt::one(), |d, c| d.lcm(c.denom()));
        let term = |(m, c): (&Monomial, &BigRational)| {
            let exponents = atoms.iter().map(|a| m.exponent(*a) as u16).collect();
            let number = c.numer() * (&denominator / c.denom());
            (number, exponents)
        };
        (self.0.iter().map(term).collect(), denominator)
    }

    pub(super) fn from_plain(terms: &[(BigInt, Vec<u16>)], atoms: &[Atom]) -> Self {
        let mut p = Self::default();
        for (c, exponents) in terms {
            let factors = atoms.iter().zip(exponents).filter(|(_, e)| **e > 0);
            let m = Monomial(factors.map(|(a, e)| (*a, i32::from(*e))).collect());
            p.add(m, BigRational::from_integer(c.clone()));
        }
        p
    }
}
