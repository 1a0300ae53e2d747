//! Common factors of sums: `a*b + a*c` becomes `a*(b + c)`, which saves a product; again inside the parentheses, so that polynomials
//! come out in Horner's form.
//!
//! A sum is taken as a whole: through all sums and differences in it that have no other use. So are its terms: through all products
//! and numerators in them that have no other use, but for products of values that are known beforehand, which are computed elsewhere. The terms are
//! grouped by the factor, or the divisor, that most of them have; of equals by a divisor, and by what is computed first. What is
//! grouped stands where its first term stood. The value rounds differently; which values are equal stays as it is.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use super::negation::Term;
use super::{Map, at, is_root, live, rebuild, users};
use crate::ir::{Binary, Graph, Op, Prepared, Program, Unary, Value};

/// What a term is multiplied or divided by.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Factor {
    Times(Value),
    Over(Value),
}

/// A term of a sum.
#[derive(Clone)]
enum Part {
    /// A value of the old graph, or its negative; its factors, if it is a product without another use.
    Old {
        value: Value,
        negative: bool,
        factors: Vec<Factor>,
    },
    /// What is left of a product, or its negative.
    Left {
        factors: Vec<Factor>,
        negative: bool,
    },
    /// A group that is written already.
    New(Term),
}

impl Part {
    fn factors(&self) -> &[Factor] {
        match self {
            Self::Old { factors, .. } | Self::Left { factors, .. } => factors,
            Self::New(_) => &[],
        }
    }

    /// Whether it takes an operation less without this factor. Without all that it is multiplied by, a quotient is a quotient still.
    fn gains(&self, factor: Factor) -> bool {
        let factors = self.factors();
        let times = factors.iter().filter(|f| matches!(f, Factor::Times(_)));
        factors.len() > 1
            && factors.contains(&factor)
            && (matches!(factor, Factor::Over(_)) || times.count() > 1)
    }
}

/// The old graph, which of its values have one use, and which are known beforehand.
pub(super) struct Sums<'p> {
    old: &'p Graph,
    once: Vec<bool>,
    given: Prepared,
}

/// Takes common factors out of sums. Products that depend on the given groups of inputs alone stay as they are.
pub(super) fn share(program: &Program, given: &[u8]) -> Program {
    let old = &program.graph;
    let live = live(program);
    let users = users(old, &live);
    let sums = Sums::of(program, &live, given);
    let known = Prepared::new(given);
    // Sums inside of sums are taken with these.
    let inner: Vec<bool> = old
        .values()
        .map(|value| {
            let user = users[value.index()].first();
            sums.once[value.index()] && user.is_some_and(|&user| is_sum(old, user))
        })
        .collect();
    rebuild(program, |graph, map, value| {
        if !is_sum(old, value) || inner[value.index()] {
            return None;
        }
        let mut parts = Vec::new();
        sums.parts(value, false, &mut parts);
        let grouped = sums.best(&parts).is_some() || sums.gathers(&parts);
        grouped.then(|| sums.written(graph, map, &known, &parts).plain(graph))
    })
}

fn is_sum(graph: &Graph, value: Value) -> bool {
    matches!(
        graph.op(value),
        Op::Binary(Binary::Add | Binary::Sub, ..) | Op::Unary(Unary::Neg, _)
    )
}

impl<'p> Sums<'p> {
    /// What is known of a program, of which these values are live.
    pub(super) fn of(program: &'p Program, live: &[Value], given: &[u8]) -> Self {
        let old = &program.graph;
        let roots = is_root(program);
        let users = users(old, live);
        let once = users.iter().zip(&roots);
        Self {
            old,
            once: once
                .map(|(users, root)| users.len() == 1 && !root)
                .collect(),
            given: Prepared::new(given),
        }
    }

    /// Whether a value is known beforehand.
    pub(super) fn is_given(&self, value: Value) -> bool {
        self.given.is(self.old, value)
    }

    /// Whether terms are known beforehand, more than one, but not all.
    fn gathers(&self, parts: &[Part]) -> bool {
        let is_given = |part: &&Part| match part {
            Part::Old { value, .. } => self.is_given(*value),
            _ => false,
        };
        let count = parts.iter().filter(is_given).count();
        count > 1 && count < parts.len()
    }

    /// The terms of a sum, through sums that have no other use.
    fn parts(&self, value: Value, negative: bool, parts: &mut Vec<Part>) {
        // A stack of our own: sums can be very long.
        let mut stack = vec![(value, negative, true)];
        while let Some((value, negative, top)) = stack.pop() {
            let opens = top || self.once[value.index()];
            match *self.old.op(value) {
                Op::Binary(Binary::Add, a, b) if opens => {
                    stack.extend([(b, negative, false), (a, negative, false)]);
                }
                Op::Binary(Binary::Sub, a, b) if opens => {
                    stack.extend([(b, !negative, false), (a, negative, false)]);
                }
                Op::Unary(Unary::Neg, a) if opens => stack.push((a, !negative, false)),
                _ => parts.push(Part::Old {
                    value,
                    negative,
                    factors: self.factors(value),
                }),
            }
        }
    }

    /// The factors of a product without another use, in their order; none of anything else.
    fn factors(&self, value: Value) -> Vec<Factor> {
        if self.once[value.index()] {
            self.opened(value)
        } else {
            Vec::new()
        }
    }

    /// The factors of a product, through products without another use that are not known beforehand; none of anything else.
    pub(super) fn opened(&self, value: Value) -> Vec<Factor> {
        let mut factors = Vec::new();
        // A stack of our own: products can be deep.
        let mut stack = vec![(Factor::Times(value), true)];
        while let Some((factor, top)) = stack.pop() {
            let Factor::Times(value) = factor else {
                factors.push(factor);
                continue;
            };
            let opens = top || self.once[value.index()] && !self.is_given(value);
            match *self.old.op(value) {
                Op::Binary(Binary::Mul, a, b) if opens => {
                    stack.extend([(Factor::Times(b), false), (Factor::Times(a), false)]);
                }
                Op::Binary(Binary::Div, a, b) if opens => {
                    stack.extend([(Factor::Over(b), false), (Factor::Times(a), false)]);
                }
                _ if top => {}
                _ => factors.push(factor),
            }
        }
        factors
    }

    /// The factor without which most terms take an operation less, if two do.
    fn best(&self, parts: &[Part]) -> Option<Factor> {
        let mut counts: BTreeMap<Factor, usize> = BTreeMap::new();
        for part in parts {
            let factors: BTreeSet<Factor> = part.factors().iter().copied().collect();
            for factor in factors.into_iter().filter(|factor| part.gains(*factor)) {
                *counts.entry(factor).or_default() += 1;
            }
        }
        let counted = counts.into_iter().filter(|(_, count)| *count > 1);
        let rank = |&(factor, count): &(Factor, usize)| match factor {
            Factor::Times(value) => (count, false, Reverse(value)),
            Factor::Over(value) => (count, true, Reverse(value)),
        };
        counted.max_by_key(rank).map(|(factor, _)| factor)
    }

    /// The sum over the new graph.
    fn written(&self, graph: &mut Graph, map: &Map, known: &Prepared, parts: &[Part]) -> Term {
        let mut parts = parts.to_vec();
        while let Some(factor) = self.best(&parts) {
            let mut cofactors = Vec::new();
            let mut place = None;
            let mut rest = Vec::new();
            for part in parts {
                if part.gains(factor) {
                    place.get_or_insert(rest.len());
                    self.open(&part, factor, &mut cofactors);
                } else {
                    rest.push(part);
                }
            }
            let inside = self.written(graph, map, known, &cofactors);
            let product = match factor {
                Factor::Times(value) => {
                    let factor = Term::plus(at(graph, map, value));
                    Term::binary(graph, Binary::Mul, factor, inside)
                }
                Factor::Over(value) => {
                    let divisor = Term::plus(at(graph, map, value));
                    Term::binary(graph, Binary::Div, inside, divisor)
                }
            };
            rest.insert(place.unwrap_or(0), Part::New(product));
            parts = rest;
        }
        let terms: Vec<Term> = parts
            .into_iter()
            .map(|part| match part {
                Part::Old {
                    value, negative, ..
                } => Term::plus(at(graph, map, value)).flipped_if(negative),
                Part::Left { factors, negative } => {
                    Term::plus(product(graph, map, &factors)).flipped_if(negative)
                }
                Part::New(term) => term,
            })
            .collect();
        // What is known beforehand is added up beforehand.
        let is_known = |term: &Term| known.is(graph, term.value);
        let place = terms.iter().position(is_known);
        let (known, mut terms): (Vec<Term>, Vec<Term>) = terms.into_iter().partition(is_known);
        if let Some(place) = place {
            let constant = total(graph, known);
            terms.insert(place.min(terms.len()), constant);
        }
        total(graph, terms)
    }

    /// What a term multiplies this factor by, as terms: several if it is a sum without another use.
    fn open(&self, part: &Part, factor: Factor, parts: &mut Vec<Part>) {
        let (Part::Old {
            factors, negative, ..
        }
        | Part::Left { factors, negative }) = part
        else {
            return;
        };
        let negative = *negative;
        let mut factors = factors.clone();
        if let Some(place) = factors.iter().position(|f| *f == factor) {
            factors.remove(place);
        }
        match *factors.as_slice() {
            [Factor::Times(value)] if self.once[value.index()] && is_sum(self.old, value) => {
                self.parts(value, negative, parts);
            }
            [Factor::Times(value)] => parts.push(Part::Old {
                value,
                negative,
                factors: Vec::new(),
            }),
            _ => parts.push(Part::Left { factors, negative }),
        }
    }
}

/// A sum over the new graph.
fn total(graph: &mut Graph, terms: Vec<Term>) -> Term {
    let mut terms = terms.into_iter();
    let first = terms.next().unwrap_or(Term::plus(graph.zero()));
    terms.fold(first, |sum, term| Term::sum(graph, sum, term))
}

/// A product over the new graph.
pub(super) fn product(graph: &mut Graph, map: &Map, factors: &[Factor]) -> Value {
    let mut product = None;
    for factor in factors {
        product = Some(match (*factor, product) {
            (Factor::Times(value), None) => at(graph, map, value),
            (Factor::Times(value), Some(product)) => {
                let factor = at(graph, map, value);
                graph.mul(product, factor)
            }
            (Factor::Over(value), product) => {
                let numerator = product.unwrap_or_else(|| graph.one());
                let divisor = at(graph, map, value);
                graph.div(numerator, divisor)
            }
        });
    }
    product.unwrap_or_else(|| graph.one())
}
