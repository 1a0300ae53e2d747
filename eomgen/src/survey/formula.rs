//! Expressions as short text.

use crate::sym::{Algebra, Expr};
use crate::textbook::{Effort, statement};

/// Longest formula on a page, in characters.
pub(super) const LONGEST: usize = 480;
/// Expressions up to this size are written out.
const SIZE: usize = 1500;
/// What a formula is worth.
const WORTH: Effort = Effort {
    terms: 120,
    steps: 400,
};

/// The expression written out and simplified, if it is small.
pub(super) fn flat(alg: &mut Algebra, e: &Expr) -> Option<Expr> {
    if alg.inlined_size(e, SIZE) >= SIZE {
        return None;
    }
    let e = alg.inline(e);
    Some(alg.simplify(&e))
}

/// Its text, if it is short.
pub(super) fn text(alg: &mut Algebra, e: &Expr) -> Option<String> {
    let e = flat(alg, e)?;
    let text = shortest(alg, &e);
    (text.chars().count() <= LONGEST).then_some(text)
}

/// The text of something whose sign does not matter: without a minus in front, if that can be.
pub(super) fn unsigned(alg: &mut Algebra, e: &Expr) -> Option<String> {
    let e = flat(alg, e)?;
    let text = [e.clone(), -e]
        .iter()
        .map(|e| shortest(alg, e))
        .min_by_key(|t| t.starts_with('-'))?;
    (text.chars().count() <= LONGEST).then_some(text)
}

/// As a book prints it; where that takes too much work, the shorter of its factored and its expanded form.
pub(super) fn shortest(alg: &Algebra, e: &Expr) -> String {
    if let Some(printed) = statement(alg, e, WORTH) {
        return printed;
    }
    let factored = alg.text(e);
    let expanded = alg.text(&alg.expanded(e));
    if expanded.chars().count() <= factored.chars().count() {
        expanded
    } else {
        factored
    }
}

/// `a + b` of two texts.
pub(super) fn sum(a: &str, b: &str) -> String {
    match (a, b, b.strip_prefix('-')) {
        (_, "0", _) => a.to_string(),
        ("0", _, _) => b.to_string(),
        (_, _, Some(rest)) => format!("{a} - {rest}"),
        _ => format!("{a} + {b}"),
    }
}
