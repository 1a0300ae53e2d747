//! Multiplying an expression out.

use super::Effort;
use super::atom::{Atom, Measure};
use super::atoms::{Atoms, Kind};
use super::factor::Factoring;
use super::fourier::Fourier;
use super::polynomial::Monomial;
use super::spread::Spread;
use super::sum::of_atom;
use crate::sym::{Algebra, Node, Var};
use num_rational::BigRational;
use num_traits::{One, pow};
use std::collections::BTreeMap;
use std::rc::Rc;

/// What an expression is spread with.
pub(super) struct Spreading<'a> {
    pub alg: &'a Algebra,
    pub atoms: &'a mut Atoms,
    /// Terms up to which products are multiplied out.
    pub most: usize,
    /// Sums that were divided by.
    pub divisors: Vec<(Atom, Spread)>,
}

impl Spreading<'_> {
    /// `None` where that are too many terms.
    pub(super) fn spread(&mut self, n: &Node) -> Option<Spread> {
        let found = match n {
            Node::Number(c) => Spread::number(c.clone()),
            Node::Var(v) => self.symbol(*v, 1)?,
            Node::Sum(terms) => {
                let mut sum = Spread::default();
                for t in terms {
                    sum.add_all(self.spread(t)?);
                    self.within(&sum)?;
                }
                sum
            }
            Node::Product(c, factors) => {
                let mut product = Spread::number(c.clone());
                for (base, e) in factors {
                    let power = self.power(base, *e)?;
                    if product.len().saturating_mul(power.len()) > 20 * self.most {
                        return None;
                    }
                    product = product.times(&power);
                    self.within(&product)?;
                }
                product
            }
        };
        Some(found)
    }

    /// With different powers of a divisor brought to the highest, apart for each product of rates, if that are not too many terms.
    pub(super) fn over_common_divisors(&self, spread: &Spread) -> Option<Spread> {
        let mut common = spread.clone();
        for (atom, sum) in &self.divisors {
            let rates = |m: &Monomial| m.only(|a| self.atoms.role(a).is_apart());
            let mut lowest: BTreeMap<Monomial, i32> = BTreeMap::new();
            for m in common.0.keys() {
                let least = lowest.entry(rates(m)).or_default();
                *least = (*least).min(m.exponent(*atom));
            }
            let mut next = Spread::default();
            for (m, f) in &common.0 {
                let e = m.exponent(*atom);
                let least = lowest.get(&rates(m)).copied().unwrap_or(e);
                let times = if e < 0 { e - least } else { 0 };
                let below = Monomial::power(*atom, times);
                let m = if times > 0 { m.over(&below) } else { m.clone() };
                let mut part = Spread::single(m, f.clone());
                for _ in 0..times {
                    part = part.times(sum);
                }
                next.add_all(part);
                self.within(&next)?;
            }
            common = next;
        }
        (common.0 != spread.0).then_some(common)
    }

    fn within(&self, s: &Spread) -> Option<()> {
        (s.len() <= self.most).then_some(())
    }

    fn power(&mut self, base: &Node, e: i32) -> Option<Spread> {
        if let Node::Var(v) = base {
            return self.symbol(*v, e);
        }
        // What is 1 at every state is not shown; it is there for derivatives.
        if self.alg.is_unit_node(base) {
            return Some(Spread::number(BigRational::one()));
        }
        if e < 0 {
            return self.divided(base, e);
        }
        let one = self.spread(base)?;
        let mut product = Spread::number(BigRational::one());
        for _ in 0..e {
            product = product.times(&one);
            self.within(&product)?;
        }
        Some(product)
    }

    fn symbol(&mut self, v: Var, e: i32) -> Option<Spread> {
        let Some((base, sine)) = self.atoms.base_of(v) else {
            let atom = self.atoms.symbol(self.alg, v);
            let m = Monomial::power(atom, e);
            return Some(Spread::single(m, Fourier::number(BigRational::one())));
        };
        if e < 0 {
            let of = if sine { Kind::Sine } else { Kind::Cosine };
            let atom = self.atoms.circular(of(vec![(base, 1)]));
            let m = Monomial::power(atom, e);
            return Some(Spread::single(m, Fourier::number(BigRational::one())));
        }
        if e > HIGHEST {
            return None;
        }
        let wave = Fourier::wave(sine, base);
        let mut f = Fourier::number(BigRational::one());
        for _ in 0..e {
            f = f.times(&wave);
        }
        Some(Spread::single(Monomial::one(), f))
    }

    /// A sum below a fraction bar, in its own shortest form.
    fn divided(&mut self, base: &Node, e: i32) -> Option<Spread> {
        let spread = self.spread(base)?;
        let mut factoring = Factoring::new(self.alg, self.atoms, DIVISOR);
        let sum = factoring.shortest(&spread)?;
        let [only] = sum.terms.as_slice() else {
            let atom = self.atoms.divisor(Rc::new(sum));
            if self.divisors.iter().all(|d| d.0 != atom) {
                self.divisors.push((atom, spread));
            }
            let m = Monomial::power(atom, e);
            return Some(Spread::single(m, Fourier::number(BigRational::one())));
        };
        let times = e.unsigned_abs() as usize;
        let c = pow(only.coefficient.recip(), times);
        let mut m = Monomial(only.powers.0.iter().map(|(a, k)| (*a, k * e)).collect());
        for (factor, k) in &only.factors {
            let atom = self.atoms.divisor(factor.clone());
            for _ in 0..*k as usize * times {
                m = m.over(&of_atom(atom));
            }
        }
        Some(Spread::single(m, Fourier::number(c)))
    }
}

/// Powers of sines and cosines are waves up to this exponent.
const HIGHEST: i32 = 8;
/// How carefully divisors are written.
const DIVISOR: Effort = Effort {
    terms: 0,
    steps: 300,
    work: usize::MAX,
};
