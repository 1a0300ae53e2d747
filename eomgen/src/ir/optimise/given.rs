//! Factors that are known beforehand, together: `(a*x)*b` becomes `(a*b)*x` where a and b depend on parameters alone, so that their product is
//! computed once.
//!
//! A product is taken as a whole: through all products and numerators in it that have no other use. It takes as many operations as before.
//! The value rounds differently; which values are equal stays as it is.

use super::factor::{Factor, Sums, product};
use super::{is_root, live, rebuild, users};
use crate::ir::{Binary, Graph, Op, Program, Value};

/// Gathers the factors of products that depend on the given groups of inputs alone.
pub(super) fn gather(program: &Program, groups: &[u8]) -> Program {
    let old = &program.graph;
    let live = live(program);
    let (users, roots) = (users(old, &live), is_root(program));
    let sums = Sums::of(program, &live, groups);
    // Inside of a product that is taken as a whole.
    let is_inner = |value: Value| match users[value.index()].as_slice() {
        [user] if !roots[value.index()] => match *old.op(*user) {
            Op::Binary(Binary::Mul, ..) => true,
            Op::Binary(Binary::Div, a, b) => a == value && b != value,
            _ => false,
        },
        _ => false,
    };
    rebuild(program, |graph, map, value| {
        if !is_product(old, value) || is_inner(value) || sums.is_given(value) {
            return None;
        }
        let factors = sums.opened(value);
        let is_known = |factor: &Factor| match *factor {
            Factor::Times(value) | Factor::Over(value) => sums.is_given(value),
        };
        let (known, others): (Vec<Factor>, Vec<Factor>) = factors.iter().partition(|f| is_known(f));
        let times = |f: &Factor| matches!(f, Factor::Times(_));
        if known.len() < 2 || !others.iter().any(times) {
            return None;
        }
        let (above, below): (Vec<Factor>, Vec<Factor>) = known.iter().partition(|f| times(f));
        let rest = product(graph, map, &others);
        let below: Vec<Factor> = below
            .iter()
            .map(|factor| match *factor {
                Factor::Times(value) | Factor::Over(value) => Factor::Times(value),
            })
            .collect();
        let divisor = (!below.is_empty()).then(|| product(graph, map, &below));
        Some(match (above.is_empty(), divisor) {
            (true, None) => rest,
            (true, Some(divisor)) => graph.div(rest, divisor),
            (false, divisor) => {
                let mut factor = product(graph, map, &above);
                if let Some(divisor) = divisor {
                    factor = graph.div(factor, divisor);
                }
                graph.mul(factor, rest)
            }
        })
    })
}

fn is_product(graph: &Graph, value: Value) -> bool {
    matches!(graph.op(value), Op::Binary(Binary::Mul | Binary::Div, ..))
}
