//! The shortest way to write a polynomial that is found in a counted number of steps: its content, its exact factors, else the divisor that
//! saves most taken out of the terms that have it, the best few tried, and so on inside.

use super::Effort;
use super::atom::{Atom, Measure, Role};
use super::atoms::{Atoms, Kind};
use super::fourier::Fourier;
use super::polynomial::{Monomial, Polynomial};
use super::spread::Spread;
use super::squares::squares;
use super::sum::{Sum, Term, powers};
use crate::sym::{Algebra, Expr, Node};
use num_rational::BigRational;
use num_traits::{One, Signed};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;
use std::rc::Rc;

/// Terms up to which exact factors are looked for.
const FACTORED: usize = 30;
/// How deep exact factors are looked for.
const DEPTH_OF_FACTORS: usize = 3;
/// Different atoms of a polynomial whose factors are looked for.
const VARIABLES: usize = 14;
/// A depth of which all deeper ones are treated alike.
const DEEP: usize = 3;

/// Shortest forms of one expression's polynomials.
pub(super) struct Factoring<'a> {
    pub alg: &'a Algebra,
    pub atoms: &'a mut Atoms,
    known: FxHashMap<(Polynomial, usize), Rc<Sum>>,
    /// What is 1 at every state.
    units: Vec<(Polynomial, Atom)>,
    /// Polynomials that are still looked at in more than one way, and their terms.
    steps: usize,
    work: usize,
}

impl<'a> Factoring<'a> {
    pub(super) fn new(alg: &'a Algebra, atoms: &'a mut Atoms, effort: Effort) -> Self {
        let mut units = Vec::new();
        for (place, unit) in alg.units().iter().enumerate() {
            if let Some(p) = of_symbols(alg, atoms, unit) {
                units.push((p, atoms.unit(place)));
            }
        }
        Self {
            alg,
            atoms,
            known: FxHashMap::default(),
            units,
            steps: effort.steps,
            work: effort.work,
        }
    }

    /// The work that is left.
    pub(super) fn left(&self) -> usize {
        self.work
    }

    /// Says how much work is left.
    pub(super) fn leave(&mut self, work: usize) {
        self.work = work;
    }

    fn plain(&self, p: &Polynomial) -> Sum {
        Sum::plain(p, self.atoms)
    }

    /// The shortest form that is found.
    pub(super) fn best(&mut self, p: &Polynomial, depth: usize) -> Rc<Sum> {
        if p.len() <= 1 {
            return Rc::new(self.plain(p));
        }
        let key = (p.clone(), depth.min(DEEP));
        if let Some(known) = self.known.get(&key) {
            return known.clone();
        }
        self.steps = self.steps.saturating_sub(1);
        self.work = self.work.saturating_sub(p.len());
        let (c, m) = p.content();
        let mut found = if c.is_one() && m.is_one() {
            self.inner(p, depth)
        } else {
            self.without_content(p, &c, &m, depth)
        };
        let plain = self.plain(p);
        if plain.size() < found.size() {
            found = plain;
        }
        let found = Rc::new(found);
        self.known.insert(key, found.clone());
        found
    }

    fn without_content(
        &mut self,
        p: &Polynomial,
        c: &BigRational,
        m: &Monomial,
        depth: usize,
    ) -> Sum {
        let sign = if c.is_negative() {
            -BigRational::one()
        } else {
            BigRational::one()
        };
        let mut found: Option<Sum> = None;
        let mut numbers = vec![c.clone()];
        if !p.is_plain_over(c) {
            numbers.clear();
        }
        if sign != *c {
            numbers.push(sign);
        }
        for number in numbers {
            if number.is_one() && m.is_one() {
                let sum = self.inner(p, depth);
                found = shorter(found, sum);
                continue;
            }
            let q = p.over(&number, m);
            let inside = if number == *c {
                self.best(&q, depth)
            } else {
                Rc::new(self.inner(&q, depth))
            };
            let sum = Sum::multiple(&number, m, &inside, self.atoms);
            found = shorter(found, sum);
        }
        found.unwrap_or_else(|| self.plain(p))
    }

    /// Of a polynomial without content.
    fn inner(&mut self, p: &Polynomial, depth: usize) -> Sum {
        let plain = self.plain(p);
        if p.len() <= 1 {
            return plain;
        }
        let careful = self.steps > 0 && self.work > 0;
        if careful
            && depth <= DEPTH_OF_FACTORS
            && let Some((c, below, factors)) = self.exact(p)
        {
            let product = self.product(c, below, factors, depth);
            return if product.size() < plain.size() {
                product
            } else {
                plain
            };
        }
        let mut found = plain;
        if careful
            && let Some(sum) = self.squared(p, depth)
            && sum.size() < found.size()
        {
            found = sum;
        }
        let mut width = match depth {
            0 => 5,
            1 => 3,
            2 => 2,
            _ => 1,
        };
        if p.len() > 24 {
            width = width.min(2);
        }
        if !careful {
            width = 1;
        }
        for divisor in self.divisors(p, width) {
            let (mut inside, mut rest) = (Polynomial::default(), Polynomial::default());
            for (m, c) in &p.0 {
                let part = if m.has(&divisor) {
                    &mut inside
                } else {
                    &mut rest
                };
                part.add(m.clone(), c.clone());
            }
            let mut sum = (*self.best(&inside, depth + 1)).clone();
            if !rest.is_zero() {
                sum = sum.with(&self.best(&rest, depth + 1), self.atoms);
            }
            if sum.size() < found.size() {
                found = sum;
            }
        }
        found
    }

    /// With squares of sums among its terms.
    fn squared(&mut self, p: &Polynomial, depth: usize) -> Option<Sum> {
        let (squares, rest) = squares(p)?;
        let mut terms = Vec::new();
        for square in squares {
            let base = self.best(&square.base, depth + 1);
            terms.push(Term {
                coefficient: square.coefficient,
                powers: Monomial::one(),
                factors: vec![(base, 2)],
            });
        }
        let sum = Sum::new(terms, self.atoms);
        if rest.is_zero() {
            return Some(sum);
        }
        let rest = self.best(&rest, depth + 1);
        Some(sum.with(&rest, self.atoms))
    }

    /// Those that save most, each in at least two terms.
    fn divisors(&self, p: &Polynomial, most: usize) -> Vec<Monomial> {
        let terms: Vec<&Monomial> = p.0.keys().collect();
        let mut seen = BTreeSet::new();
        let mut list: Vec<(usize, usize, Monomial)> = Vec::new();
        let mut note = |d: Monomial| {
            if d.is_one() || !seen.insert(d.clone()) {
                return;
            }
            let count = terms.iter().filter(|m| m.has(&d)).count();
            if count > 1 {
                list.push(((count - 1) * powers(&d, self.atoms), count, d));
            }
        };
        let wide = terms.len() > PAIRED;
        for (i, a) in terms.iter().enumerate() {
            if wide {
                a.0.iter().for_each(|f| note(Monomial(vec![*f])));
                continue;
            }
            for b in &terms[..i] {
                let d = a.common(b);
                d.0.iter().for_each(|f| note(Monomial(vec![*f])));
                note(d);
            }
        }
        list.sort_by(|a, b| b.0.cmp(&a.0).then(b.1.cmp(&a.1)).then(a.2.cmp(&b.2)));
        list.truncate(most);
        list.into_iter().map(|d| d.2).collect()
    }

    /// Exact factors, if there is more than one.
    fn exact(&self, p: &Polynomial) -> Option<Product> {
        if p.len() > FACTORED {
            return None;
        }
        let below = p.divisors();
        let p = &p.over(&BigRational::one(), &below);
        let atoms = p.atoms();
        // With a symbol that stands in one term alone, to the first power, there are no factors beside the content.
        let single = |a| {
            let mut having = p.0.keys().filter(|m| m.exponent(a) != 0);
            having.next().is_some_and(|m| m.exponent(a) == 1) && having.next().is_none()
        };
        if atoms.len() > VARIABLES || atoms.iter().any(|a| single(*a)) {
            return None;
        }
        let (terms, denominator) = p.plain(&atoms);
        let (number, factors) = self.alg.factorization(&terms, atoms.len())?;
        if factors.iter().map(|f| f.1).sum::<u32>() < 2 {
            return None;
        }
        let c = BigRational::new(number, denominator);
        if !p.is_plain_over(&p.content().0) {
            return None;
        }
        let list = factors.into_iter();
        let list = list.map(|(terms, e)| (Polynomial::from_plain(&terms, &atoms), e));
        Some((c, below, list.collect()))
    }

    fn product(
        &mut self,
        mut c: BigRational,
        mut m: Monomial,
        factors: Vec<(Polynomial, u32)>,
        depth: usize,
    ) -> Sum {
        let mut sums = Vec::new();
        for (mut q, e) in factors {
            let minus = q.0.values().filter(|c| c.is_negative()).count();
            if 2 * minus > q.len() || 2 * minus == q.len() && e % 2 == 1 && c.is_negative() {
                q = q.over(&-BigRational::one(), &Monomial::one());
                if e % 2 == 1 {
                    c = -c;
                }
            }
            if let Some((_, unit)) = self.units.iter().find(|(p, _)| *p == q) {
                m = m.times(&Monomial::power(*unit, e as i32));
                continue;
            }
            let sum = self.best(&q, depth + 1);
            match sum.terms.as_slice() {
                [only] if only.factors.is_empty() => {
                    for _ in 0..e {
                        c *= &only.coefficient;
                        m = m.times(&only.powers);
                    }
                }
                _ => sums.push((sum, e)),
            }
        }
        let term = Term {
            coefficient: c,
            powers: m,
            factors: sums,
        };
        Sum::new(vec![term], self.atoms)
    }

    /// By what the terms of an equation are told apart: the acceleration or unknown force of a monomial, else its rates.
    fn rates(&self, m: &Monomial) -> Monomial {
        let unknown = m.only(|a| self.atoms.role(a).is_unknown());
        if unknown.is_one() {
            m.only(|a| self.atoms.role(a) == Role::Rate)
        } else {
            unknown
        }
    }

    /// As books arrange it: each product of rates once, its coefficient as short as it gets, those with proportional coefficients together;
    /// what is free of rates by its sines and cosines.
    pub(super) fn grouped(&mut self, p: &Polynomial) -> Sum {
        let mut groups: std::collections::BTreeMap<Monomial, Polynomial> = Default::default();
        for (m, c) in &p.0 {
            let rates = self.rates(m);
            let rest = m.over(&rates);
            groups.entry(rates).or_default().add(rest, c.clone());
        }
        let has_acceleration =
            |s: &Self, m: &Monomial| m.0.iter().any(|f| s.atoms.role(f.0).is_unknown());
        let mut terms = Vec::new();
        let (mut apart, mut velocity) = (Vec::new(), Polynomial::default());
        let mut done = vec![false; groups.len()];
        let order: Vec<(&Monomial, &Polynomial)> = groups.iter().collect();
        for (i, (rates, coefficient)) in order.iter().enumerate() {
            if done[i] {
                continue;
            }
            if rates.is_one() {
                terms.extend(self.flat(coefficient).terms);
                continue;
            }
            if has_acceleration(self, rates) {
                let inside = self.best(coefficient, 0);
                let own = Sum::multiple(&BigRational::one(), rates, &inside, self.atoms);
                terms.extend(own.terms);
                continue;
            }
            let mut mates = vec![(*rates, BigRational::one())];
            for (j, (other, own)) in order.iter().enumerate().skip(i + 1) {
                if done[j] || other.is_one() || has_acceleration(self, other) {
                    continue;
                }
                if let Some(ratio) = ratio(own, coefficient) {
                    mates.push((*other, ratio));
                    done[j] = true;
                }
            }
            let mut whole = Polynomial::default();
            for (rates, ratio) in mates {
                whole.add_all(coefficient, rates, &ratio);
            }
            let own = self.best(&whole, 0);
            velocity.add_all(&whole, &Monomial::one(), &BigRational::one());
            apart.extend(own.terms.iter().cloned());
        }
        let mut apart = Sum::new(apart, self.atoms);
        // A rate that all of them have stands once, if that is shorter; not where products of rates stand beside rates.
        let common = self.rates(&velocity.content().1);
        let degree = |m: &Monomial| self.rates(m).0.iter().map(|f| f.1).sum::<i32>();
        let mut degrees = velocity.0.keys().map(degree);
        let first = degrees.next();
        if !common.is_one() && velocity.len() > 1 && degrees.all(|d| Some(d) == first) {
            let (c, m) = velocity.content();
            let number = if velocity.is_plain_over(&c) {
                c
            } else {
                c.signum()
            };
            let inside = Rc::new(self.grouped(&velocity.over(&number, &m)));
            let together = Sum::multiple(&number, &m, &inside, self.atoms);
            if together.leaves() < apart.leaves() {
                apart = together;
            }
        }
        terms.extend(apart.terms.iter().cloned());
        Sum::new(terms, self.atoms)
    }

    /// Without rates: one term for each sine or cosine, as gravity is written, and the rest by itself, unless one common factor is shorter.
    fn flat(&mut self, p: &Polynomial) -> Sum {
        let mut parts: std::collections::BTreeMap<Monomial, Polynomial> = Default::default();
        for (m, c) in &p.0 {
            let part = m.only(|a| self.atoms.is_circular(a));
            parts.entry(part).or_default().add(m.clone(), c.clone());
        }
        let mut terms = Vec::new();
        for part in parts.values() {
            terms.extend(self.best(part, 0).terms.iter().cloned());
        }
        let sum = Sum::new(terms, self.atoms);
        let whole = self.best(p, 1);
        if whole.leaves() < sum.leaves() {
            (*whole).clone()
        } else {
            sum
        }
    }

    /// The shortest form of a spread expression, nested as it comes.
    pub(super) fn shortest(&mut self, spread: &Spread) -> Option<Sum> {
        let candidates = self.candidates(spread);
        let mut found = None;
        for p in candidates {
            let sum = (*self.best(&p, 0)).clone();
            found = shorter(found, sum);
        }
        found
    }

    /// Sines over cosines as tangents, unless terms become alike by that.
    fn with_tangents(&mut self, p: Polynomial) -> Polynomial {
        let mut q = Polynomial::default();
        for (m, c) in &p.0 {
            let mut m = m.clone();
            for (atom, e) in m.0.clone() {
                let Kind::Cosine(angle) = self.atoms.kind(atom).clone() else {
                    continue;
                };
                let sine = self.atoms.circular(Kind::Sine(angle.clone()));
                let times = (-e).min(m.exponent(sine));
                if times > 0 {
                    let tangent = self.atoms.circular(Kind::Tangent(angle));
                    m = m.times(&Monomial::power(atom, times));
                    m = m.over(&Monomial::power(sine, times));
                    m = m.times(&Monomial::power(tangent, times));
                }
            }
            q.add(m, c.clone());
        }
        if q.len() == p.len() { q } else { p }
    }

    /// The whole expression as polynomials, spelled in different ways: each part as short as it gets, ties decided for all parts alike;
    /// and all parts in one way.
    pub(super) fn candidates(&mut self, spread: &Spread) -> Vec<Polynomial> {
        let mut parts = Vec::with_capacity(spread.0.len());
        // Many parts have the same waves.
        let mut known: FxHashMap<&Fourier, Rc<Spelled>> = FxHashMap::default();
        for (m, f) in &spread.0 {
            let spelled = match known.get(f) {
                Some(spelled) => spelled.clone(),
                None => {
                    let spellings = f.spellings(self.atoms);
                    let sizes = spellings.iter().map(|p| self.best(p, 2).leaves());
                    let sizes = sizes.collect();
                    let spelled = Rc::new((spellings, sizes));
                    known.insert(f, spelled.clone());
                    spelled
                }
            };
            parts.push((m, spelled));
        }
        let mut list: Vec<Polynomial> = Vec::new();
        for way in Way::ALL {
            let mut p = Polynomial::default();
            for (m, spelled) in &parts {
                let at = way.choice(&spelled.1);
                p.add_all(&spelled.0[at], m, &BigRational::one());
            }
            let p = self.with_tangents(p);
            if !p.is_zero() && !list.contains(&p) {
                list.push(p);
            }
        }
        list
    }
}

/// A number, powers and factors.
type Product = (BigRational, Monomial, Vec<(Polynomial, u32)>);

/// Spellings and their sizes.
type Spelled = (Vec<Polynomial>, Vec<usize>);

/// Which spelling is taken of those that a part has.
#[derive(Clone, Copy)]
enum Way {
    ShortestOrSum,
    ShortestOrProduct,
    Sums,
    Mixed,
    Sines,
    Cosines,
}

impl Way {
    const ALL: [Self; 6] = [
        Self::ShortestOrSum,
        Self::ShortestOrProduct,
        Self::Sums,
        Self::Mixed,
        Self::Sines,
        Self::Cosines,
    ];

    /// The first size is that of the sum, the second that of sums and products, the others those of products: squares of sines first, of
    /// cosines last.
    fn choice(self, sizes: &[usize]) -> usize {
        let least = sizes.iter().min().copied().unwrap_or(0);
        let is_least = |s: &usize| *s == least;
        match self {
            Self::ShortestOrSum => sizes.iter().position(is_least).unwrap_or(0),
            Self::ShortestOrProduct => {
                let product = sizes.iter().skip(2).position(is_least);
                let any = || sizes.iter().skip(1).position(is_least).map(|at| at + 1);
                product.map(|at| at + 2).or_else(any).unwrap_or(0)
            }
            Self::Sums => 0,
            Self::Mixed => 1,
            Self::Sines => sizes.len().min(3) - 1,
            Self::Cosines => sizes.len() - 1,
        }
    }
}

/// Above so many terms, divisors are looked for among single powers only.
const PAIRED: usize = 60;

fn shorter(found: Option<Sum>, other: Sum) -> Option<Sum> {
    match found {
        Some(found) if found.size() <= other.size() => Some(found),
        _ => Some(other),
    }
}

/// `a / b` if that is a number.
fn ratio(a: &Polynomial, b: &Polynomial) -> Option<BigRational> {
    if a.len() != b.len() {
        return None;
    }
    let mut found = None;
    for ((m, x), (n, y)) in a.0.iter().zip(&b.0) {
        if m != n {
            return None;
        }
        let q = x / y;
        match &found {
            None => found = Some(q),
            Some(known) if *known == q => {}
            Some(_) => return None,
        }
    }
    found
}

/// A sum of products of symbols that are no sines or cosines.
pub(super) fn of_symbols(alg: &Algebra, atoms: &mut Atoms, e: &Expr) -> Option<Polynomial> {
    let Node::Sum(terms) = alg.node(e) else {
        return None;
    };
    let mut p = Polynomial::default();
    for term in &terms {
        let (c, factors) = match term {
            Node::Number(c) => (c.clone(), Vec::new()),
            Node::Var(v) => (BigRational::one(), vec![(Node::Var(*v), 1)]),
            Node::Product(c, f) => (c.clone(), f.clone()),
            Node::Sum(_) => return None,
        };
        let mut m = Monomial::one();
        for (base, k) in factors {
            let Node::Var(v) = base else { return None };
            if atoms.base_of(v).is_some() || alg.circle_with(v).is_some() || k < 0 {
                return None;
            }
            m = m.times(&Monomial::power(atoms.symbol(alg, v), k));
        }
        p.add(m, c);
    }
    Some(p)
}
