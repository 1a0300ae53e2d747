//! Sums that are there already: the opposite of another, or part of a longer one.
//!
//! A leg may read `b - a` where its mirror image reads `a - b`, and have both. One of each is enough, and makes the legs alike.

use std::collections::BTreeMap;

use rustc_hash::FxHashMap;

use super::form::{Form, Forms, Kind, Term};
use crate::ir::{Function, Program, Value};

/// Reads sums that are there already in place of their opposites and of what they are the sum of.
pub fn share(forms: &mut Forms<'_>, program: &Program) {
    // What is written out, or an argument, stays as it is.
    let mut fixed = vec![false; forms.graph.len()];
    for root in program.functions.iter().flat_map(Function::roots) {
        fixed[root.index()] = true;
    }
    for &value in &forms.order {
        let form = forms.of(value).filter(|form| form.kind == Kind::Leaf);
        for term in form.map_or(&[][..], |form| &form.terms) {
            fixed[term.value.index()] = true;
        }
    }
    let mut found = opposites(&forms.order, |v| forms.of(v).cloned());
    found.retain(|value, _| !fixed[value.index()]);
    forms.order.retain(|value| !found.contains_key(value));
    for value in &forms.order {
        let Some(form) = forms.forms[value.index()].as_mut() else {
            continue;
        };
        let mut turned = false;
        for term in &mut form.terms {
            if let Some((other, opposite)) = found.get(&term.value) {
                term.value = *other;
                match form.kind {
                    Kind::Product => turned ^= opposite,
                    _ => term.negative ^= opposite,
                }
            }
        }
        if let Some(first) = form.terms.first_mut() {
            first.negative ^= turned;
        }
    }
    for (value, (other, opposite)) in found {
        forms.forms[value.index()] = None;
        forms
            .alike
            .entry(other)
            .or_default()
            .push((value, opposite));
    }
    for (value, terms) in within(&forms.order, |v| forms.of(v).cloned()) {
        if let Some(form) = forms.forms[value.index()].as_mut() {
            form.terms = terms;
        }
    }
}

/// The terms of a sum in the order of their values, with signs relative to the first, and that sign.
type Terms = (Vec<(Value, bool)>, bool);

fn terms_of(form: &Form) -> Terms {
    let mut terms: Vec<(Value, bool)> = form.terms.iter().map(|t| (t.value, t.negative)).collect();
    terms.sort_unstable();
    let turned = terms.first().is_some_and(|(_, negative)| *negative);
    for (_, negative) in &mut terms {
        *negative ^= turned;
    }
    (terms, turned)
}

/// Values that are the opposite of an earlier value or the same, each with that and whether it is its opposite.
fn opposites(
    order: &[Value],
    of: impl Fn(Value) -> Option<Form>,
) -> BTreeMap<Value, (Value, bool)> {
    let mut known: BTreeMap<Vec<(Value, bool)>, (Value, bool)> = BTreeMap::new();
    let mut found: BTreeMap<Value, (Value, bool)> = BTreeMap::new();
    for &value in order {
        let Some(mut form) = of(value).filter(|form| form.kind == Kind::Sum) else {
            continue;
        };
        for term in &mut form.terms {
            if let Some((first, opposite)) = found.get(&term.value) {
                term.value = *first;
                term.negative ^= opposite;
            }
        }
        let (terms, turned) = terms_of(&form);
        if let [(of, _)] = terms[..] {
            found.insert(value, (of, turned));
        } else if let Some((first, other)) = known.get(&terms) {
            found.insert(value, (*first, turned != *other));
        } else {
            known.insert(terms, (value, turned));
        }
    }
    found
}

/// Sums within sums: a longer sum, with the terms it has instead.
fn within(order: &[Value], of: impl Fn(Value) -> Option<Form>) -> Vec<(Value, Vec<Term>)> {
    let mut sums: Vec<(Value, Terms)> = Vec::new();
    for &value in order {
        if let Some(form) = of(value).filter(|form| form.kind == Kind::Sum && form.terms.len() > 1)
        {
            sums.push((value, terms_of(&form)));
        }
    }
    // The sums so far by their first term.
    let mut by_first: FxHashMap<Value, Vec<usize>> = FxHashMap::default();
    let mut found = Vec::new();
    for (at, (value, (terms, _))) in sums.iter().enumerate() {
        let shorter = terms.iter().filter_map(|(term, _)| by_first.get(term));
        let mut longest: Option<(usize, bool)> = None;
        for &other in shorter.flatten() {
            let (_, (part, _)) = &sums[other];
            let is_shorter = part.len() < terms.len();
            let is_longest = longest.is_none_or(|(best, _)| sums[best].1.0.len() < part.len());
            if is_shorter
                && is_longest
                && let Some(turned) = contains(terms, part)
            {
                longest = Some((other, turned));
            }
        }
        if let Some((other, turned)) = longest
            && let Some(form) = of(*value)
        {
            let (part, (inside, first)) = &sums[other];
            let is_inside = |t: &Term| inside.iter().any(|(v, _)| *v == t.value);
            let mut left: Vec<Term> = form
                .terms
                .iter()
                .filter(|t| !is_inside(t))
                .copied()
                .collect();
            let (_, own) = terms_of(&form);
            left.push(Term {
                negative: turned ^ own ^ first,
                value: *part,
            });
            found.push((*value, left));
        }
        if let Some((first, _)) = terms.first() {
            by_first.entry(*first).or_default().push(at);
        }
    }
    found
}

/// Whether a sum has all terms of another, and whether with opposite signs.
fn contains(terms: &[(Value, bool)], part: &[(Value, bool)]) -> Option<bool> {
    let mut turned = None;
    let mut rest = terms.iter();
    for (value, negative) in part {
        let (_, own) = rest.by_ref().find(|(v, _)| v == value)?;
        match turned {
            None => turned = Some(own != negative),
            Some(before) if before != (own != negative) => return None,
            Some(_) => {}
        }
    }
    turned
}
