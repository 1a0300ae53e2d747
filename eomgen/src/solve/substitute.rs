//! Back-substitution: from the last pivot to the first, and only what is needed.

use super::price::{Weight, weight};
use crate::ir::{Graph, Value};

/// What is remembered of a pivot for back-substitution. The unknowns in the terms are eliminated later.
pub(super) enum Step {
    Single {
        p: usize,
        pivot: Value,
        terms: Vec<Term>,
    },
    Pair {
        x: usize,
        p: usize,
        diagonal: Option<Value>,
        coefficient: Value,
        terms: Vec<PairTerm>,
    },
}

/// An entry `r_j` of the row of a 1x1 pivot, and `l_j`.
#[derive(Clone, Copy)]
pub(super) struct Term {
    pub j: usize,
    pub entry: Value,
    pub scaled: Value,
}

/// Column `j` of a 2x2 pivot: `r_j`, `p_j` and `w_j`.
#[derive(Clone, Copy)]
pub(super) struct PairTerm {
    pub j: usize,
    pub x: Value,
    pub p: Value,
    pub w: Value,
}

/// Marks what the unknowns marked so far need. An unknown needs later pivots only, so one pass is enough.
pub(super) fn mark_needed(graph: &Graph, steps: &[Step], needed: &mut [bool]) {
    let zero = graph.zero();
    for step in steps {
        match step {
            Step::Single { p, terms, .. } if needed[*p] => {
                terms.iter().for_each(|term| needed[term.j] = true);
            }
            Step::Single { .. } => {}
            Step::Pair { x, p, terms, .. } => {
                needed[*x] |= needed[*p];
                for term in terms {
                    let (by_x, by_p) = (needed[*x] && term.p != zero, needed[*p] && term.x != zero);
                    needed[term.j] |= by_x || by_p;
                }
            }
        }
    }
}

/// Works out the unknowns `needed`.
pub(super) fn back(
    graph: &mut Graph,
    steps: &[Step],
    rhs: &[Value],
    values: &mut [Option<Value>],
    needed: &[bool],
) {
    for step in steps.iter().rev() {
        match step {
            Step::Single { p, pivot, terms } if needed[*p] => {
                values[*p] = Some(single(graph, rhs[*p], *pivot, terms, values));
            }
            Step::Single { .. } => {}
            Step::Pair {
                x,
                p,
                diagonal,
                coefficient,
                terms,
            } => {
                if needed[*x] {
                    let b = graph.div(rhs[*p], *coefficient);
                    let terms = terms.iter().map(|term| (term.j, term.p));
                    values[*x] = Some(subtract_terms(graph, b, terms, values));
                }
                if needed[*p] {
                    let own = diagonal.map(|d| (*x, d));
                    let terms = terms.iter().map(|term| (term.j, term.x));
                    let terms = own.into_iter().chain(terms);
                    let rest = subtract_terms(graph, rhs[*x], terms, values);
                    values[*p] = Some(graph.div(rest, *coefficient));
                }
            }
        }
    }
}

/// `b/d - sum l_j x_j` or `(b - sum r_j x_j)/d`, whichever has fewer products.
fn single(
    graph: &mut Graph,
    b: Value,
    pivot: Value,
    terms: &[Term],
    values: &[Option<Value>],
) -> Value {
    let free = |graph: &Graph, value| usize::from(weight(graph, Some(value)) == Weight::Unit);
    let entries: usize = terms.iter().map(|term| free(graph, term.entry)).sum();
    let scaled: usize = terms.iter().map(|term| free(graph, term.scaled)).sum();
    if entries > scaled {
        let terms = terms.iter().map(|term| (term.j, term.entry));
        let rest = subtract_terms(graph, b, terms, values);
        graph.div(rest, pivot)
    } else {
        let quotient = graph.div(b, pivot);
        let terms = terms.iter().map(|term| (term.j, term.scaled));
        subtract_terms(graph, quotient, terms, values)
    }
}

/// `b - sum c_j x_j`
fn subtract_terms(
    graph: &mut Graph,
    b: Value,
    terms: impl Iterator<Item = (usize, Value)>,
    values: &[Option<Value>],
) -> Value {
    let mut rest = b;
    for (j, coefficient) in terms {
        // An unknown that is not needed has the coefficient 0.
        if let Some(value) = values[j] {
            let product = graph.mul(coefficient, value);
            rest = graph.sub(rest, product);
        }
    }
    rest
}
