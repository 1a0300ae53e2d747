//! A whole equation: what its terms have in common and cannot vanish is left out, terms are in the order of the books.

use super::Right;
use super::atom::{Atom, Measure, Role};
use super::atoms::Atoms;
use super::factor::{Factoring, of_symbols};
use super::polynomial::{Monomial, Polynomial};
use super::spread::Spread;
use super::sum::{Sum, Term};
use super::write;
use crate::sym::{Algebra, Expr};
use num_rational::BigRational;
use num_traits::{One, Signed};
use std::cmp::Reverse;
use std::rc::Rc;

/// What an equation was divided by.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Divisor {
    pub number: BigRational,
    pub powers: Monomial,
    /// Sums that are assumed not to vanish, with their exponents.
    pub sums: Vec<(Expr, i32)>,
}

impl Divisor {
    fn one() -> Self {
        Self {
            number: BigRational::one(),
            powers: Monomial::one(),
            sums: Vec::new(),
        }
    }

    fn opposite(self) -> Self {
        Self {
            number: -self.number,
            ..self
        }
    }

    fn and(&self, c: &BigRational, m: &Monomial) -> Self {
        Self {
            number: &self.number * c,
            powers: self.powers.times(m),
            sums: self.sums.clone(),
        }
    }
}

/// The shortest form in which each acceleration stands once, and what the equation was divided by.
pub(super) fn equation(
    factoring: &mut Factoring<'_>,
    spread: &Spread,
    right: Right,
) -> Option<(Sum, Divisor)> {
    let mut found: Option<(Sum, Divisor)> = None;
    for p in factoring.candidates(spread) {
        let (p, divisor) = without_assumed(factoring, p);
        for (q, divisor) in divisions(factoring.alg, factoring.atoms, &p, &divisor) {
            let sum = factoring.grouped(&q);
            let (sum, divisor) = without_shared(factoring, sum, divisor);
            if found.as_ref().is_none_or(|f| sum.size() < f.0.size()) {
                found = Some((sum, divisor));
            }
        }
    }
    let (sum, divisor) = found?;
    let sum = ordered(sum, factoring.atoms);
    Some(match right {
        Right::Forces | Right::Rest => leading(upright(sum, divisor), factoring.atoms),
        Right::RowRest => signed(sum, divisor),
    })
}

/// The shortest form of an expression, by products of rates unless it is shorter otherwise.
pub(super) fn expression(factoring: &mut Factoring<'_>, spread: &Spread) -> Option<Sum> {
    let mut found: Option<Sum> = None;
    for p in factoring.candidates(spread) {
        let mut sum = factoring.grouped(&p);
        let whole = factoring.best(&p, 0);
        let atoms = &*factoring.atoms;
        let still = p
            .atoms()
            .iter()
            .all(|a| atoms.role(*a) != Role::Acceleration);
        if still && whole.leaves() < sum.leaves() {
            sum = (*whole).clone();
        }
        // One fraction reads better than fractions within fractions.
        let below = p.divisors();
        let by_sum = below.0.iter().any(|f| factoring.atoms.is_sum(f.0));
        if below.0.len() > 1 || by_sum {
            let one = BigRational::one();
            let above = Rc::new(factoring.grouped(&p.over(&one, &below)));
            let fraction = Sum::multiple(&one, &below, &above, factoring.atoms);
            if still && 4 * fraction.leaves() <= 5 * sum.leaves() {
                sum = fraction;
            }
        }
        if found.as_ref().is_none_or(|f| sum.size() < f.size()) {
            found = Some(sum);
        }
    }
    let mut sum = ordered(found?, factoring.atoms);
    // What begins with a minus sign does so only if all terms do.
    if sum.terms.first().is_some_and(Term::is_negative)
        && let Some(at) = sum.terms.iter().position(|t| !t.is_negative())
    {
        sum.terms[..=at].rotate_right(1);
    }
    Some(sum)
}

/// Divided by sums that the model assumes not to vanish, as often as that leaves no remainder.
fn without_assumed(factoring: &mut Factoring<'_>, mut p: Polynomial) -> (Polynomial, Divisor) {
    let mut divisor = Divisor::one();
    let alg = factoring.alg;
    for e in alg.nonvanishing() {
        let Some(sum) = of_symbols(alg, factoring.atoms, &e) else {
            continue;
        };
        while let Some(q) = quotient(alg, &p, &sum) {
            p = q;
            match divisor.sums.last_mut() {
                Some((last, times)) if *last == e => *times += 1,
                _ => divisor.sums.push((e.clone(), 1)),
            }
        }
    }
    (p, divisor)
}

/// Without sums that all terms have as a factor and whose sign is known.
fn without_shared(factoring: &Factoring<'_>, mut sum: Sum, mut divisor: Divisor) -> (Sum, Divisor) {
    let (alg, atoms) = (factoring.alg, &*factoring.atoms);
    while let Some(shared) = shared(&sum) {
        let value = write::value(alg, atoms, &shared);
        if !alg.sign(&value).is_some_and(|s| s.is_strict()) {
            break;
        }
        let mut terms = sum.terms;
        for t in &mut terms {
            if let Some(at) = t.factors.iter().position(|f| f.0 == shared) {
                t.factors[at].1 -= 1;
                t.factors.retain(|f| f.1 > 0);
            }
        }
        sum = Sum::new(terms, atoms);
        match divisor.sums.last_mut() {
            Some((last, times)) if *last == value => *times += 1,
            _ => divisor.sums.push((value, 1)),
        }
    }
    (sum, divisor)
}

/// A sum that all terms have as a factor.
fn shared(sum: &Sum) -> Option<Rc<Sum>> {
    let (first, rest) = sum.terms.split_first()?;
    let everywhere = |factor: &Rc<Sum>| {
        let has = |t: &Term| t.factors.iter().any(|f| f.0 == *factor);
        rest.iter().all(has)
    };
    let mut factors = first.factors.iter().map(|f| &f.0);
    factors.find(|f| everywhere(f)).cloned()
}

fn quotient(alg: &Algebra, p: &Polynomial, q: &Polynomial) -> Option<Polynomial> {
    let mut atoms = p.atoms();
    if !p.divisors().is_one() || q.atoms().iter().any(|a| atoms.binary_search(a).is_err()) {
        return None;
    }
    atoms.sort_unstable();
    let ((above, n), (below, d)) = (p.plain(&atoms), q.plain(&atoms));
    let terms = alg.divided(&above, &below, atoms.len())?;
    let found = Polynomial::from_plain(&terms, &atoms);
    Some(found.over(&BigRational::new(n, d), &Monomial::one()))
}

/// The polynomial without its content, without fractions, and divided by the coefficient of the leading acceleration, each where it is
/// certain that nothing vanishes.
fn divisions(
    alg: &Algebra,
    atoms: &Atoms,
    p: &Polynomial,
    divisor: &Divisor,
) -> Vec<(Polynomial, Divisor)> {
    let one = BigRational::one();
    let (c, common) = p.content();
    let below = |a: Atom| common.exponent(a) < 0 && is_positive_below(alg, atoms, a);
    let m = common.only(|a| atoms.is_sure(alg, a) || below(a));
    let mut list = Vec::new();
    if !c.is_one() && !c.denom().is_one() {
        // Fractions may be shorter than what is free of them.
        list.push((p.over(&one, &m), divisor.and(&one, &m)));
    }
    let c = if p.is_plain_over(&c) { c } else { one.clone() };
    let q = p.over(&c, &m);
    let divisor = divisor.and(&c, &m);
    list.push((q.clone(), divisor.clone()));
    let below = q
        .divisors()
        .only(|a| atoms.is_sure(alg, a) || is_positive_below(alg, atoms, a));
    if !below.is_one() {
        list.push((q.over(&one, &below), divisor.and(&one, &below)));
    }
    let loaded = |m: &Monomial| {
        m.0.iter()
            .any(|f| matches!(atoms.role(f.0), Role::Load | Role::Multiplier))
    };
    if q.0.keys().any(loaded) {
        return list;
    }
    for a in accelerations(atoms, &q) {
        let mut having = q.0.iter().filter(|(m, _)| m.exponent(a) == 1);
        if let (Some((m, c)), None) = (having.next(), having.next()) {
            let d = m.only(|other| other != a);
            if !d.is_one() && d.0.iter().all(|f| atoms.is_sure(alg, f.0)) {
                list.push((q.over(&c.abs(), &d), divisor.and(&c.abs(), &d)));
            }
            break;
        }
    }
    list
}

/// Whether an atom is positive where something is divided by it: a distance, say.
fn is_positive_below(alg: &Algebra, atoms: &Atoms, atom: Atom) -> bool {
    let sign = alg.sign(&write::atom_value(alg, atoms, atom));
    sign.is_some_and(|s| s.is_nonnegative())
}

fn accelerations(atoms: &Atoms, p: &Polynomial) -> Vec<Atom> {
    let all = p.atoms().into_iter();
    all.filter(|a| atoms.role(*a) == Role::Acceleration)
        .collect()
}

/// A part of an equation, an acceleration, a degree in rates, a sign, and symbols with exponents.
type Place = (u8, u32, Reverse<i32>, bool, Vec<(u32, Reverse<i32>)>);

/// What terms are sorted by: where they stand in an equation; accelerations in their own order; of velocity terms those of higher degree
/// first; positive terms before negative ones.
fn place(t: &Term, atoms: &Atoms) -> Place {
    let role = t.role(atoms);
    let lead = match role {
        Role::Acceleration | Role::Multiplier => first(t, atoms, role),
        _ => 0,
    };
    let negative = role != Role::Acceleration && t.is_negative();
    let own = t.powers.0.iter().map(|(a, e)| (a.0, Reverse(*e)));
    (
        role.place(),
        lead,
        Reverse(degree(t, atoms)),
        negative,
        own.collect(),
    )
}

/// The degree of a term in rates.
fn degree(t: &Term, atoms: &Atoms) -> i32 {
    let own = t.powers.0.iter().filter(|f| atoms.role(f.0) == Role::Rate);
    let inner = t.factors.iter().map(|(sum, e)| {
        let all = sum.terms.iter().map(|t| degree(t, atoms));
        all.max().unwrap_or(0) * *e as i32
    });
    own.map(|f| f.1).sum::<i32>() + inner.sum::<i32>()
}

/// The first atom of a role in a term.
fn first(t: &Term, atoms: &Atoms, role: Role) -> u32 {
    let own = t.powers.0.iter().map(|f| f.0);
    let mut least = own
        .filter(|a| atoms.role(*a) == role)
        .map(|a| a.0)
        .min()
        .unwrap_or(u32::MAX);
    for (sum, _) in &t.factors {
        for inner in &sum.terms {
            least = least.min(first(inner, atoms, role));
        }
    }
    least
}

fn ordered(mut sum: Sum, atoms: &Atoms) -> Sum {
    sum.terms.sort_by_cached_key(|t| place(t, atoms));
    sum
}

/// The leading term positive.
fn signed(sum: Sum, divisor: Divisor) -> (Sum, Divisor) {
    if sum.terms.first().is_some_and(Term::is_negative) {
        return (sum.opposite(), divisor.opposite());
    }
    (sum, divisor)
}

/// Divided by what is not negative: an equation's own inertia stays positive.
fn upright(sum: Sum, divisor: Divisor) -> (Sum, Divisor) {
    if divisor.number.is_negative() {
        return (sum.opposite(), divisor.opposite());
    }
    (sum, divisor)
}

/// An equation does not begin with a minus sign where an acceleration has none.
fn leading((mut sum, divisor): (Sum, Divisor), atoms: &Atoms) -> (Sum, Divisor) {
    if sum.terms.first().is_some_and(Term::is_negative) {
        let inertia = |t: &Term| t.role(atoms) == Role::Acceleration && !t.is_negative();
        if let Some(at) = sum.terms.iter().position(inertia) {
            sum.terms[..=at].rotate_right(1);
        }
    }
    (sum, divisor)
}
