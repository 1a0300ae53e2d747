//! Expressions as short text.

use super::page::{Formula, Part};
use crate::sym::{Algebra, Expr, Var};
use crate::textbook::{Effort, Forms, statement};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;

/// Longest formula on a page, in characters.
pub(super) const LONGEST: usize = 480;
/// The same for what has no parts.
const LONGEST_WHOLE: usize = 2000;
/// Coefficients up to this many characters have no names.
const COEFFICIENT: usize = 60;
/// Expressions up to this size are written out.
const SIZE: usize = 1500;
/// What a formula is worth.
const WORTH: Effort = Effort {
    terms: 120,
    steps: 400,
    work: usize::MAX,
};

/// The expression written out and simplified, if it is small.
pub(super) fn flat(alg: &mut Algebra, e: &Expr) -> Option<Expr> {
    alg.written_out(e, SIZE)
}

/// Its text, if it is short.
pub(super) fn text(alg: &mut Algebra, e: &Expr) -> Option<String> {
    let e = flat(alg, e)?;
    let text = shortest(alg, &e);
    (text.chars().count() <= LONGEST).then_some(text)
}

/// The text of what has no parts; where writing it out takes too long, with the names that the derivation gives.
pub(super) fn whole(alg: &mut Algebra, e: &Expr) -> String {
    let written = flat(alg, e).map(|e| shortest(alg, &e));
    let written = written.filter(|t| t.chars().count() <= LONGEST_WHOLE);
    written.unwrap_or_else(|| alg.text(e))
}

/// What is linear in rates. Where it is long it is collected by these, and long coefficients have names: `entry(j)`, `rest` for what has no rate.
/// An entry is one of a quantity that the module computes; the rest is none, and so is always written.
pub(super) fn collected(
    alg: &mut Algebra,
    e: &Expr,
    rates: &[Var],
    entry: &dyn Fn(usize) -> String,
    rest: &str,
) -> Formula {
    if let Some(text) = text(alg, e) {
        return Formula::from(text);
    }
    let mut formula = Formula::default();
    let mut terms = Vec::new();
    for (j, rate) in rates.iter().enumerate() {
        let coefficient = alg.partial(e, *rate);
        if alg.is_zero(&coefficient) {
            continue;
        }
        let factor = formula.coefficient(alg, &coefficient, entry(j));
        let name = &alg.info(*rate).name;
        terms.push(match factor.as_str() {
            "1" => name.clone(),
            "-1" => format!("-{name}"),
            sum if sum.contains(" + ") || sum.contains(" - ") => format!("({sum})*{name}"),
            factor => format!("{factor}*{name}"),
        });
    }
    let still: BTreeMap<Var, Expr> = rates.iter().map(|r| (*r, Expr::zero())).collect();
    let others = alg.restrict(e, &still, &mut FxHashMap::default());
    if !alg.is_zero(&others) {
        let written = whole(alg, &others);
        // What is nothing but the rest needs no name.
        if terms.is_empty() || written.chars().count() <= COEFFICIENT {
            terms.push(written);
        } else {
            terms.push(rest.to_string());
            formula.parts.push(Part {
                name: rest.to_string(),
                value: Some(written),
            });
        }
    }
    formula.text = terms.iter().fold("0".to_string(), |a, b| sum(&a, b));
    formula
}

impl Formula {
    /// A coefficient as it stands in this formula: its name, where it is long.
    fn coefficient(&mut self, alg: &mut Algebra, e: &Expr, name: String) -> String {
        let value = flat(alg, e).map(|e| shortest(alg, &e));
        match value {
            Some(value) if value.chars().count() <= COEFFICIENT => value,
            value => {
                let value = value.filter(|t| t.chars().count() <= LONGEST);
                self.parts.push(Part {
                    name: name.clone(),
                    value,
                });
                name
            }
        }
    }
}

/// The text of something whose sign does not matter: without a minus in front, if that can be. `None` where it is long.
pub(super) fn unsigned(alg: &mut Algebra, e: &Expr) -> Option<String> {
    let own = flat(alg, e).map(|e| shortest(alg, &e))?;
    let opposite = flat(alg, &-e).map(|e| shortest(alg, &e));
    let opposite = opposite.filter(|b| own.starts_with('-') && !b.starts_with('-'));
    let text = opposite.unwrap_or(own);
    (text.chars().count() <= LONGEST_WHOLE).then_some(text)
}

/// As a book prints it; where that takes too much work, the shorter of its factored and its expanded form.
pub(super) fn shortest(alg: &Algebra, e: &Expr) -> String {
    if let Some(printed) = statement(alg, e, &Forms::new(WORTH)) {
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
