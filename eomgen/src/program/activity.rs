//! Which values an output needs always, and which only where a choice takes the branch that needs them.

use crate::ir::{Binary, Comparison, Graph, Op, Value};
use std::collections::BTreeMap;

/// When a value is needed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Need {
    /// At every state.
    Always,
    /// Where this value, 0 or 1, is 1.
    Where(Value),
}

impl Need {
    /// Where either holds.
    pub(super) fn or(self, other: Need, graph: &mut Graph) -> Need {
        let (Need::Where(a), Need::Where(b)) = (self, other) else {
            return Need::Always;
        };
        if is_opposite(graph, a, b) {
            return Need::Always;
        }
        match (graph.op(a), graph.op(b)) {
            // Both branches of an inner choice: wherever the outer one leads there.
            (Op::Binary(Binary::Mul, outer, x), Op::Binary(Binary::Mul, same, y))
                if outer == same && is_opposite(graph, *x, *y) =>
            {
                Need::Where(*outer)
            }
            _ => Need::Where(graph.binary(Binary::Max, a, b)),
        }
    }

    /// The value where it is needed, 1 elsewhere.
    pub(super) fn guard(self, value: Value, graph: &mut Graph) -> Value {
        match self {
            Need::Always => value,
            Need::Where(needed) => {
                let (zero, one) = (graph.zero(), graph.one());
                graph.select(Comparison::Greater, needed, zero, value, one)
            }
        }
    }
}

/// Whether one of two values is 1 where the other is 0: the two branches of a choice.
fn is_opposite(graph: &Graph, a: Value, b: Value) -> bool {
    let parts = |v: Value| match graph.op(v) {
        Op::Select {
            test,
            left,
            right,
            then,
            other,
        } => Some(((*test, *left, *right), (*then, *other))),
        _ => None,
    };
    let (Some((choice, (then, other))), Some((same, (elsewhere, here)))) = (parts(a), parts(b))
    else {
        return false;
    };
    let is_one_of_two = (graph.is_one(then) && graph.is_zero(other))
        || (graph.is_zero(then) && graph.is_one(other));
    choice == same && (then, other) == (here, elsewhere) && is_one_of_two
}

/// The needs of all values that these roots are made of.
pub(super) fn needs(graph: &mut Graph, roots: &[Value]) -> BTreeMap<Value, Need> {
    let mut live = graph.live(roots);
    live.sort_unstable();
    let chooses = |v: &Value| matches!(graph.op(*v), Op::Select { .. });
    if !live.iter().any(chooses) {
        return live.into_iter().map(|v| (v, Need::Always)).collect();
    }
    let mut needs: BTreeMap<Value, Need> = roots.iter().map(|r| (*r, Need::Always)).collect();
    // Operands have smaller ids than their users.
    for v in live.into_iter().rev() {
        let Some(own) = needs.get(&v).copied() else {
            continue;
        };
        match graph.op(v).clone() {
            Op::Select {
                test,
                left,
                right,
                then,
                other,
            } => {
                let (zero, one) = (graph.zero(), graph.one());
                add(&mut needs, left, own, graph);
                add(&mut needs, right, own, graph);
                for (branch, yes, no) in [(then, one, zero), (other, zero, one)] {
                    let taken = graph.select(test, left, right, yes, no);
                    let need = match own {
                        Need::Always => taken,
                        Need::Where(outer) => graph.mul(outer, taken),
                    };
                    add(&mut needs, branch, Need::Where(need), graph);
                }
            }
            op => {
                for operand in op.operands() {
                    add(&mut needs, operand, own, graph);
                }
            }
        }
    }
    needs
}

fn add(needs: &mut BTreeMap<Value, Need>, v: Value, need: Need, graph: &mut Graph) {
    let both = match needs.get(&v) {
        Some(known) => known.or(need, graph),
        None => need,
    };
    needs.insert(v, both);
}
