//! A printed expression: a sum of terms, each a number, powers of atoms and powers of sums.

use super::atom::{Atom, Measure, Role};
use super::polynomial::{Monomial, Polynomial};
use num_rational::BigRational;
use num_traits::{One, Signed};
use std::hash::{Hash, Hasher};
use std::rc::Rc;

/// `coefficient * powers * factors`
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Term {
    pub coefficient: BigRational,
    pub powers: Monomial,
    pub factors: Vec<(Rc<Sum>, u32)>,
}

/// A sum of terms with its size.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Sum {
    pub terms: Vec<Term>,
    leaves: usize,
    weight: usize,
}

impl Hash for Sum {
    /// By symbols and sizes: rational numbers are slow to hash.
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.leaves.hash(state);
        self.terms.iter().for_each(|t| t.powers.hash(state));
    }
}

impl Term {
    fn leaves(&self, atoms: &impl Measure) -> usize {
        let alone = self.powers.is_one() && self.factors.is_empty();
        let factors = self.factors.iter();
        number(&self.coefficient, alone)
            + powers(&self.powers, atoms)
            + factors
                .map(|(sum, e)| sum.leaves + usize::from(*e != 1))
                .sum::<usize>()
    }

    fn weight(&self) -> usize {
        1 + self
            .factors
            .iter()
            .map(|(sum, _)| sum.weight)
            .sum::<usize>()
    }

    /// Whether it is a symbol, with whatever sign.
    fn is_symbol(&self) -> bool {
        let single = matches!(self.powers.0.as_slice(), [(_, 1)]);
        single && self.factors.is_empty() && self.coefficient.abs().is_one()
    }

    pub(super) fn is_negative(&self) -> bool {
        self.coefficient.is_negative()
    }

    /// Where it stands in an equation.
    pub(super) fn role(&self, atoms: &impl Measure) -> Role {
        let own = self.powers.0.iter().map(|f| atoms.role(f.0));
        let inner = self.factors.iter().map(|(sum, _)| sum.role(atoms));
        own.chain(inner).min().unwrap_or(Role::Place)
    }
}

impl Sum {
    pub(super) fn new(terms: Vec<Term>, atoms: &impl Measure) -> Self {
        let leaves = terms.iter().map(|t| t.leaves(atoms)).sum();
        let weight = terms.iter().map(Term::weight).sum();
        let mut terms = terms;
        terms.sort_by_key(Term::is_negative);
        Self {
            terms,
            leaves,
            weight,
        }
    }

    /// A polynomial term by term.
    pub(super) fn plain(p: &Polynomial, atoms: &impl Measure) -> Self {
        let term = |(m, c): (&Monomial, &BigRational)| Term {
            coefficient: c.clone(),
            powers: m.clone(),
            factors: Vec::new(),
        };
        Self::new(p.0.iter().map(term).collect(), atoms)
    }

    /// `c * m * sum`, a single term where the sum is one.
    pub(super) fn multiple(
        c: &BigRational,
        m: &Monomial,
        sum: &Rc<Sum>,
        atoms: &impl Measure,
    ) -> Self {
        let term = match sum.terms.as_slice() {
            [only] => Term {
                coefficient: &only.coefficient * c,
                powers: only.powers.times(m),
                factors: only.factors.clone(),
            },
            terms if is_turned(terms, c) => Term {
                coefficient: -c,
                powers: m.clone(),
                factors: vec![(Rc::new(Self::new(sum.opposite().terms, atoms)), 1)],
            },
            _ => Term {
                coefficient: c.clone(),
                powers: m.clone(),
                factors: vec![(sum.clone(), 1)],
            },
        };
        Self::new(vec![term], atoms)
    }

    /// With the opposite sign.
    pub(super) fn opposite(&self) -> Self {
        let mut sum = self.clone();
        for t in &mut sum.terms {
            t.coefficient = -t.coefficient.clone();
        }
        sum
    }

    /// With other terms added.
    pub(super) fn with(&self, other: &Self, atoms: &impl Measure) -> Self {
        let terms = self.terms.iter().chain(&other.terms);
        Self::new(terms.cloned().collect(), atoms)
    }

    pub(super) fn leaves(&self) -> usize {
        self.leaves
    }

    /// What is compared: names and numbers first, then terms.
    pub(super) fn size(&self) -> (usize, usize) {
        (self.leaves, self.weight)
    }

    fn role(&self, atoms: &impl Measure) -> Role {
        let roles = self.terms.iter().map(|t| t.role(atoms));
        roles.min().unwrap_or(Role::Place)
    }
}

/// Whether a factor reads better with the opposite sign: if there are fewer minus signs then, that in front of it included. Of as many within it
/// as not, a number comes first, `1 - cos`, and among symbols alone the first one, `x1 - x2`, so that the same difference is the same everywhere.
fn is_turned(terms: &[Term], outside: &BigRational) -> bool {
    let minuses = terms.iter().filter(|t| t.is_negative()).count();
    let others = terms.len() - minuses;
    if minuses != others {
        let turned = others + usize::from(!outside.is_negative());
        return turned < minuses + usize::from(outside.is_negative());
    }
    let number = terms
        .iter()
        .find(|t| t.powers.is_one() && t.factors.is_empty());
    if let Some(number) = number {
        return number.is_negative();
    }
    if terms.iter().all(Term::is_symbol) {
        let first = terms.iter().min_by(|a, b| a.powers.cmp(&b.powers));
        return first.is_some_and(Term::is_negative);
    }
    outside.is_negative()
}

/// Names and numbers in a product of powers.
pub(super) fn powers(m: &Monomial, atoms: &impl Measure) -> usize {
    let factors = m.0.iter();
    factors
        .map(|(atom, e)| atoms.leaves(*atom) + usize::from(e.abs() != 1))
        .sum()
}

/// Numbers in a coefficient; that of a product is not written where it is 1.
fn number(c: &BigRational, alone: bool) -> usize {
    let c = c.abs();
    if c.is_one() {
        return usize::from(alone);
    }
    usize::from(!c.numer().is_one()) + usize::from(!c.denom().is_one())
}

/// An atom's power as a term.
pub(super) fn of_atom(atom: Atom) -> Monomial {
    Monomial::power(atom, 1)
}
