//! What changed between two sums: the terms of the normal form of their difference, as a book prints them. A term that both have is not
//! named, however it is written; one whose number changed is named as it was and as it is.

use super::Effort;
use super::atom::{Atom, Measure, Role};
use super::atoms::{Atoms, Kind};
use super::equation;
use super::factor::Factoring;
use super::fourier::{Fourier, Wave};
use super::polynomial::Monomial;
use super::spread::Spread;
use super::spreading::Spreading;
use super::sum::Sum;
use super::without_units;
use super::write::{self, Writer};
use crate::notation::Math;
use crate::sym::{Algebra, Class, Expr, Var};
use num_rational::BigRational;
use num_traits::Zero;
use std::collections::{BTreeMap, BTreeSet};

/// On which side of a difference a term is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mark {
    /// It was there.
    Removed,
    /// It is there.
    Added,
}

/// The difference of two sums: `new = old - removed + added`.
pub struct Changes {
    atoms: Atoms,
    parts: Vec<(Mark, Sum)>,
    /// The symbols of each term of the difference, multiplied out.
    terms: Vec<BTreeSet<Var>>,
    unknowns: BTreeMap<Var, usize>,
}

/// Kinds of changed numbers that are named apart.
const RATIOS: usize = 3;

impl Changes {
    /// `None` where that are too many terms.
    pub fn new(alg: &Algebra, old: &Expr, new: &Expr, effort: Effort) -> Option<Self> {
        let mut atoms = Atoms::new(alg, &[old, new]);
        let mut spreading = Spreading {
            alg,
            atoms: &mut atoms,
            most: effort.terms,
            divisors: Vec::new(),
        };
        let was = spreading.spread(&alg.node(old))?;
        let is = spreading.spread(&alg.node(new))?;
        let sorted = Sorted::new(&was, &is);
        let mut print = |spread: &Spread| -> Option<Sum> {
            let common = Spreading {
                alg,
                atoms: &mut *spreading.atoms,
                most: effort.terms,
                divisors: spreading.divisors.clone(),
            }
            .over_common_divisors(spread);
            let mut best: Option<Sum> = None;
            for spread in [Some(spread), common.as_ref()].into_iter().flatten() {
                let mut factoring = Factoring::new(alg, spreading.atoms, effort);
                let sum = equation::expression(&mut factoring, spread)?;
                if best.as_ref().is_none_or(|b| sum.size() < b.size()) {
                    best = Some(sum);
                }
            }
            best
        };
        let mut parts = Vec::new();
        for (was, is) in &sorted.changed {
            parts.push((Mark::Removed, print(was)?));
            parts.push((Mark::Added, print(is)?));
        }
        for (mark, spread) in [
            (Mark::Removed, &sorted.removed),
            (Mark::Added, &sorted.added),
        ] {
            if !spread.0.is_empty() {
                parts.push((mark, print(spread)?));
            }
        }
        // What went and what came may be one short term together; a number that changed is no such thing.
        if parts.len() > 2 {
            let whole = print(&sorted.difference)?;
            let leaves: usize = parts.iter().map(|(_, sum)| sum.leaves()).sum();
            if 2 * whole.leaves() < leaves {
                parts = vec![(Mark::Added, whole)];
            }
        }
        let mut changes = Self {
            atoms,
            parts,
            terms: Vec::new(),
            unknowns: BTreeMap::new(),
        };
        changes.survey(&sorted.difference);
        changes.are(alg, old, new).then_some(changes)
    }

    /// Whether they make the new sum of the old one.
    fn are(&self, alg: &Algebra, old: &Expr, new: &Expr) -> bool {
        let mut sum = Expr::zero();
        for (mark, part) in &self.parts {
            let value = write::value(alg, &self.atoms, part);
            sum = match mark {
                Mark::Removed => sum - value,
                Mark::Added => sum + value,
            };
        }
        let difference = new - old;
        if alg.equal(&sum, &difference) {
            return true;
        }
        let bare = without_units(alg, &alg.node(&difference));
        alg.equal(&sum, &alg.expr_of(&bare))
    }

    fn survey(&mut self, difference: &Spread) {
        for (m, waves) in &difference.0 {
            for _ in 0..waves.0.len() {
                let mut symbols = BTreeSet::new();
                for (atom, _) in &m.0 {
                    self.symbols(*atom, &mut symbols);
                }
                self.terms.push(symbols);
            }
            let unknown = |a: &Atom| self.atoms.role(*a) == Role::Acceleration;
            for (atom, _) in m.0.iter().filter(|f| unknown(&f.0)) {
                if let Kind::Symbol(v) = self.atoms.kind(*atom) {
                    *self.unknowns.entry(*v).or_default() += waves.0.len();
                }
            }
        }
    }

    fn symbols(&self, atom: Atom, found: &mut BTreeSet<Var>) {
        match self.atoms.kind(atom) {
            Kind::Symbol(v) => {
                found.insert(*v);
            }
            Kind::Sum(sum) => {
                for t in &sum.terms {
                    t.powers.0.iter().for_each(|f| self.symbols(f.0, found));
                }
            }
            _ => {}
        }
    }

    /// Every term with its mark.
    pub fn lines(&self, alg: &Algebra, symbol: &mut dyn FnMut(Var) -> Math) -> Vec<(Mark, Math)> {
        let mut writer = Writer {
            alg,
            atoms: &self.atoms,
            symbol,
        };
        let mut lines = Vec::new();
        for (mark, sum) in &self.parts {
            for term in &sum.terms {
                lines.push((*mark, writer.terms(std::slice::from_ref(term))));
            }
        }
        lines
    }

    /// How many terms differ, multiplied out.
    pub fn count(&self) -> usize {
        self.terms.len()
    }

    /// Accelerations whose coefficients differ, and in how many terms each.
    pub fn unknowns(&self) -> &BTreeMap<Var, usize> {
        &self.unknowns
    }

    /// A few parameters or inputs of which every term has one; none if there are no few.
    pub fn shared(&self, alg: &Algebra) -> Vec<Var> {
        let given = |v: &&Var| matches!(alg.info(**v).class, Class::Parameter | Class::Input);
        let mut open: Vec<&BTreeSet<Var>> = self.terms.iter().collect();
        let mut found = Vec::new();
        while !open.is_empty() && found.len() < FEW {
            let mut counts: BTreeMap<Var, usize> = BTreeMap::new();
            for v in open.iter().flat_map(|t| t.iter()).filter(given) {
                *counts.entry(*v).or_default() += 1;
            }
            let best = counts
                .iter()
                .max_by_key(|(v, count)| (**count, std::cmp::Reverse(**v)));
            let Some((v, _)) = best else {
                return Vec::new();
            };
            open.retain(|t| !t.contains(v));
            found.push(*v);
        }
        if open.is_empty() { found } else { Vec::new() }
    }
}

/// Parameters that are named as what all terms have.
const FEW: usize = 3;

/// The terms of two sums by where they are.
#[derive(Default)]
struct Sorted {
    difference: Spread,
    removed: Spread,
    added: Spread,
    /// With the number that was there and the one that is, by their ratio.
    changed: Vec<(Spread, Spread)>,
}

impl Sorted {
    fn new(was: &Spread, is: &Spread) -> Self {
        let mut sorted = Self::default();
        let mut by_ratio: BTreeMap<BigRational, (Spread, Spread)> = BTreeMap::new();
        let none = Fourier::default();
        let monomials: BTreeSet<&Monomial> = was.0.keys().chain(is.0.keys()).collect();
        for m in monomials {
            let (a, b) = (was.0.get(m).unwrap_or(&none), is.0.get(m).unwrap_or(&none));
            let waves: BTreeSet<&Wave> = a.0.keys().chain(b.0.keys()).collect();
            for w in waves {
                let (x, y) = (a.0.get(w), b.0.get(w));
                if x == y {
                    continue;
                }
                let zero = BigRational::zero;
                let (x, y) = (
                    x.cloned().unwrap_or_else(zero),
                    y.cloned().unwrap_or_else(zero),
                );
                put(&mut sorted.difference, m, w, &y - &x);
                if y.is_zero() {
                    put(&mut sorted.removed, m, w, x);
                } else if x.is_zero() {
                    put(&mut sorted.added, m, w, y);
                } else {
                    let pair = by_ratio.entry(&y / &x).or_default();
                    put(&mut pair.0, m, w, x);
                    put(&mut pair.1, m, w, y);
                }
            }
        }
        sorted.changed = by_ratio.into_values().collect();
        if sorted.changed.len() > RATIOS {
            let mut all = (Spread::default(), Spread::default());
            for (was, is) in std::mem::take(&mut sorted.changed) {
                all.0.add_all(was);
                all.1.add_all(is);
            }
            sorted.changed.push(all);
        }
        sorted
    }
}

fn put(spread: &mut Spread, m: &Monomial, w: &Wave, c: BigRational) {
    let waves = spread.0.entry(m.clone()).or_default();
    waves.0.insert(w.clone(), c);
}
