//! What changed between two expressions of one algebra, as mathematics: term by term where that can be written out, else in what it is.

use super::mathematics::Writer;
use crate::notation::{Math, Names};
use crate::sym::{Algebra, Expr, Node};
use crate::textbook::{Changes, Effort, Mark};

/// What a statement is worth that is compared with another one.
const STATEMENT: Effort = Effort {
    terms: 4000,
    steps: 400,
    work: usize::MAX,
};
/// Names and numbers of a statement up to which it is written out.
const WRITTEN: usize = 20_000;

/// A change of a sum.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Changed {
    /// Terms that were there or are there.
    pub lines: Vec<(Mark, Math)>,
    /// How many differ, multiplied out.
    pub count: usize,
    /// Parameters or inputs of which each of them has one.
    pub shared: Vec<Math>,
    /// Accelerations whose coefficients differ, and in how many terms.
    pub unknowns: Vec<(Math, usize)>,
}

/// The terms that differ; `None` where they are too many to be told.
pub fn changed(alg: &mut Algebra, names: &Names, old: &Expr, new: &Expr) -> Option<Changed> {
    let (old, new) = (written_out(alg, old)?, written_out(alg, new)?);
    let (old, new) = without_common(alg, &old, &new);
    let changes = Changes::new(alg, &old, &new, STATEMENT)?;
    let writer = Writer::with(names.clone(), STATEMENT);
    let mut symbol = |v| writer.symbol(alg, v);
    let shared = changes.shared(alg);
    let unknowns = changes.unknowns().iter();
    let unknowns = unknowns.map(|(v, count)| (writer.symbol(alg, *v), *count));
    Some(Changed {
        unknowns: unknowns.collect(),
        shared: shared.iter().map(|v| writer.symbol(alg, *v)).collect(),
        count: changes.count(),
        lines: changes.lines(alg, &mut symbol),
    })
}

fn written_out(alg: &mut Algebra, e: &Expr) -> Option<Expr> {
    (alg.inlined_size(e, WRITTEN) < WRITTEN).then(|| alg.inline(e))
}

/// Two sums without the terms that both have as they stand: most of a long equation.
fn without_common(alg: &Algebra, old: &Expr, new: &Expr) -> (Expr, Expr) {
    let (Node::Sum(was), Node::Sum(is)) = (alg.node(old), alg.node(new)) else {
        return (old.clone(), new.clone());
    };
    let mut rest: Vec<Option<&Node>> = is.iter().map(Some).collect();
    let mut gone = Vec::new();
    for t in &was {
        match rest.iter_mut().find(|r| **r == Some(t)) {
            Some(place) => *place = None,
            None => gone.push(t),
        }
    }
    let sum = |terms: Vec<&Node>| terms.into_iter().map(|t| alg.expr_of(t)).sum();
    (sum(gone), sum(rest.into_iter().flatten().collect()))
}
