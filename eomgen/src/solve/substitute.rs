//! Back-substitution: from the last pivot to the first, and only what is needed.

use super::context::{Calc, EliminationContext};
use super::price::{Weight, weight};
use crate::ir::{Binary, Graph, Op, Value};

/// What is remembered of a pivot for back-substitution. The unknowns in the terms are eliminated later.
pub(super) enum Step {
    Single {
        p: usize,
        pivot: Divisor,
        terms: Vec<Term>,
    },
    Pair {
        x: usize,
        p: usize,
        diagonal: Option<Value>,
        coefficient: Divisor,
        terms: Vec<PairTerm>,
    },
    Turn([Side; 2]),
}

/// One half of a [turn](super::factor): an unknown and its row.
pub(super) struct Side {
    pub x: usize,
    pub p: usize,
    /// Its coefficient in the row, 1 or -1.
    pub sign: Value,
    /// What it is turned from, with coefficients.
    pub turned: [(usize, Value); 2],
    pub diagonal: Value,
    /// The other half's unknown, and the entry that they share.
    pub common: (usize, Value),
    pub row: Vec<(usize, Value)>,
}

/// What is divided by; the reciprocal where that is worked out beforehand.
#[derive(Clone, Copy)]
pub(super) struct Divisor {
    value: Value,
    reciprocal: Option<Value>,
}

impl Divisor {
    pub fn new(calc: &mut Calc<'_>, context: &EliminationContext<'_>, value: Value) -> Self {
        let given = context.is_given(calc.graph, value) && calc.graph.as_rational(value).is_none();
        let one = calc.graph.one();
        let reciprocal = given.then(|| calc.div(one, value));
        Self { value, reciprocal }
    }

    /// `a` divided by it. Where the quotient cancels, as of the pivot itself, there is nothing to multiply.
    pub fn under(self, calc: &mut Calc<'_>, a: Value) -> Value {
        let Some(reciprocal) = self.reciprocal else {
            return calc.div(a, self.value);
        };
        // Not by way of `calc`: it would give this quotient in the place of the product.
        let quotient = calc.graph.div(a, self.value);
        match calc.graph.op(quotient) {
            Op::Binary(Binary::Div, ..) => calc.mul(a, reciprocal),
            _ => calc.first(quotient),
        }
    }
}

/// An entry `r_j` of the row of a 1x1 pivot, and `l_j`.
#[derive(Clone, Copy)]
pub(super) struct Term {
    pub j: usize,
    pub entry: Value,
    pub scaled: Value,
}

/// Column `j` of a 2x2 pivot: `r_j`, the entry of row p as it stands and divided by its coefficient, `p_j`, and `w_j`.
#[derive(Clone, Copy)]
pub(super) struct PairTerm {
    pub j: usize,
    pub x: Value,
    pub entry: Value,
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
            Step::Turn(sides) => {
                for side in sides {
                    if needed[side.p] {
                        side.row.iter().for_each(|(j, _)| needed[*j] = true);
                    }
                }
                if sides.iter().any(|side| needed[side.p]) {
                    sides.iter().for_each(|side| needed[side.x] = true);
                }
                for side in sides {
                    if needed[side.x] {
                        side.turned.iter().for_each(|(j, _)| needed[*j] = true);
                    }
                }
            }
        }
    }
}

/// Works out the unknowns `needed`.
pub(super) fn back(
    calc: &mut Calc<'_>,
    context: &EliminationContext<'_>,
    steps: &[Step],
    rhs: &[Value],
    values: &mut [Option<Value>],
    needed: &[bool],
) {
    for step in steps.iter().rev() {
        match step {
            Step::Single { p, pivot, terms } if needed[*p] => {
                values[*p] = Some(single(
                    calc,
                    context,
                    rhs[*p],
                    (*pivot, false),
                    terms,
                    values,
                ));
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
                    let row: Vec<Term> = terms
                        .iter()
                        .map(|term| Term {
                            j: term.j,
                            entry: term.entry,
                            scaled: term.p,
                        })
                        .collect();
                    // What row p moved to other right-hand sides was its own, divided.
                    let divided = terms.iter().any(|term| !calc.graph.is_zero(term.w));
                    let pivot = (*coefficient, divided);
                    values[*x] = Some(single(calc, context, rhs[*p], pivot, &row, values));
                }
                if needed[*p] {
                    let own = diagonal.map(|d| (*x, d));
                    let terms = terms.iter().map(|term| (term.j, term.x));
                    let terms = own.into_iter().chain(terms);
                    let rest = subtract_terms(calc, rhs[*x], terms, values);
                    values[*p] = Some(coefficient.under(calc, rest));
                }
            }
            Step::Turn(sides) => {
                for side in sides.iter().filter(|side| needed[side.x]) {
                    let terms = side.turned.map(|(j, v)| (j, calc.neg(v)));
                    let b = calc.mul(side.sign, rhs[side.p]);
                    values[side.x] = Some(subtract_terms(calc, b, terms.into_iter(), values));
                }
                for side in sides.iter().filter(|side| needed[side.p]) {
                    let own = [(side.x, side.diagonal), side.common];
                    let terms = own.into_iter().chain(side.row.iter().copied());
                    let rest = subtract_terms(calc, rhs[side.x], terms, values);
                    values[side.p] = Some(calc.mul(side.sign, rest));
                }
            }
        }
    }
}

/// `b/d - sum l_j x_j` or `(b - sum r_j x_j)/d`, whichever has fewer products; with the divisor whether `b/d` is there already.
fn single(
    calc: &mut Calc<'_>,
    context: &EliminationContext<'_>,
    b: Value,
    (pivot, divided): (Divisor, bool),
    terms: &[Term],
    values: &[Option<Value>],
) -> Value {
    let graph = &*calc.graph;
    let free = |value| usize::from(weight(context, graph, Some(value)) == Weight::Unit);
    let entries: usize = terms.iter().map(|term| free(term.entry)).sum();
    let scaled: usize = terms.iter().map(|term| free(term.scaled)).sum();
    if entries > scaled + usize::from(divided) {
        let terms = terms.iter().map(|term| (term.j, term.entry));
        let rest = subtract_terms(calc, b, terms, values);
        pivot.under(calc, rest)
    } else {
        let quotient = pivot.under(calc, b);
        let terms = terms.iter().map(|term| (term.j, term.scaled));
        subtract_terms(calc, quotient, terms, values)
    }
}

/// `b - sum c_j x_j`
fn subtract_terms(
    calc: &mut Calc<'_>,
    b: Value,
    terms: impl Iterator<Item = (usize, Value)>,
    values: &[Option<Value>],
) -> Value {
    let mut rest = b;
    for (j, coefficient) in terms {
        // An unknown that is not needed has the coefficient 0.
        if let Some(value) = values[j] {
            let product = calc.mul(coefficient, value);
            rest = calc.sub(rest, product);
        }
    }
    rest
}
