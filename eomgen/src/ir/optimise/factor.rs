//! Common factors of sums: `a*b + a*c` becomes `a*(b + c)`, which saves a product; again inside the parentheses, so that polynomials
//! come out in Horner's form.
//!
//! A sum is taken as a whole: through all sums and differences in it that have no other use. Its terms that are products without
//! another use are grouped by the factor that most of them have, of equals the one that is computed first. What is grouped stands
//! where its first term stood. The value rounds differently; which values are equal stays as it is.

use std::collections::BTreeMap;

use super::negation::Term;
use super::{Map, at, is_root, live, rebuild, users};
use crate::ir::{Binary, Graph, Op, Program, Unary, Value};

/// A term of a sum.
#[derive(Clone, Copy)]
enum Part {
    /// A value of the old graph, or its negative.
    Old { value: Value, negative: bool },
    /// A group that is written already.
    New(Term),
}

/// The old graph, and which of its values have one use.
struct Sums<'p> {
    old: &'p Graph,
    once: Vec<bool>,
}

/// Takes common factors out of sums.
pub(super) fn share(program: &Program) -> Program {
    let old = &program.graph;
    let live = live(program);
    let (users, roots) = (users(old, &live), is_root(program));
    let once: Vec<bool> = users
        .iter()
        .zip(&roots)
        .map(|(users, root)| users.len() == 1 && !root)
        .collect();
    // Sums inside of sums are taken with these.
    let inner: Vec<bool> = old
        .values()
        .map(|value| {
            let user = users[value.index()].first();
            once[value.index()] && user.is_some_and(|&user| is_sum(old, user))
        })
        .collect();
    let sums = Sums { old, once };
    rebuild(program, |graph, map, value| {
        if !is_sum(old, value) || inner[value.index()] {
            return None;
        }
        let mut parts = Vec::new();
        sums.parts(value, false, &mut parts);
        let grouped = sums.best(&parts).is_some();
        grouped.then(|| sums.written(graph, map, &parts).plain(graph))
    })
}

fn is_sum(graph: &Graph, value: Value) -> bool {
    matches!(
        graph.op(value),
        Op::Binary(Binary::Add | Binary::Sub, ..) | Op::Unary(Unary::Neg, _)
    )
}

impl Sums<'_> {
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
                _ => parts.push(Part::Old { value, negative }),
            }
        }
    }

    /// The factors of a term that is a product without another use.
    fn factors(&self, part: Part) -> Option<(Value, Value)> {
        let Part::Old { value, .. } = part else {
            return None;
        };
        match *self.old.op(value) {
            Op::Binary(Binary::Mul, a, b) if self.once[value.index()] => Some((a, b)),
            _ => None,
        }
    }

    /// The factor that most terms have, if two do.
    fn best(&self, parts: &[Part]) -> Option<Value> {
        let mut counts: BTreeMap<Value, usize> = BTreeMap::new();
        for &part in parts {
            if let Some((a, b)) = self.factors(part) {
                *counts.entry(a).or_default() += 1;
                if a != b {
                    *counts.entry(b).or_default() += 1;
                }
            }
        }
        let counted = counts.into_iter().filter(|(_, count)| *count > 1);
        let best = counted.max_by_key(|&(value, count)| (count, std::cmp::Reverse(value)));
        best.map(|(value, _)| value)
    }

    /// The sum over the new graph.
    fn written(&self, graph: &mut Graph, map: &Map, parts: &[Part]) -> Term {
        let mut parts = parts.to_vec();
        while let Some(factor) = self.best(&parts) {
            let mut cofactors = Vec::new();
            let mut place = None;
            let mut rest = Vec::new();
            for part in parts {
                match self.cofactor(part, factor) {
                    Some(cofactor) => {
                        place.get_or_insert(rest.len());
                        self.open(cofactor, &mut cofactors);
                    }
                    None => rest.push(part),
                }
            }
            let inside = self.written(graph, map, &cofactors);
            let factor = Term::plus(at(map, factor));
            let product = Term::binary(graph, Binary::Mul, factor, inside);
            rest.insert(place.unwrap_or(0), Part::New(product));
            parts = rest;
        }
        let mut terms = parts.into_iter().map(|part| match part {
            Part::Old { value, negative } => Term::plus(at(map, value)).flipped_if(negative),
            Part::New(term) => term,
        });
        let first = terms.next().unwrap_or(Term::plus(graph.zero()));
        terms.fold(first, |sum, term| Term::sum(graph, sum, term))
    }

    /// What a term multiplies this factor by.
    fn cofactor(&self, part: Part, factor: Value) -> Option<Part> {
        let (a, b) = self.factors(part)?;
        let value = match (a == factor, b == factor) {
            (true, _) => b,
            (_, true) => a,
            _ => return None,
        };
        match part {
            Part::Old { negative, .. } => Some(Part::Old { value, negative }),
            Part::New(_) => None,
        }
    }

    /// The terms of a cofactor: several if it is a sum without another use.
    fn open(&self, part: Part, parts: &mut Vec<Part>) {
        match part {
            Part::Old { value, negative }
                if self.once[value.index()] && is_sum(self.old, value) =>
            {
                self.parts(value, negative, parts);
            }
            part => parts.push(part),
        }
    }
}
