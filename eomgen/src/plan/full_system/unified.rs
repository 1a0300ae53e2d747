//! Values that are made of the shortest of equals: what turning a length there and back leaves of it, `r cos^2 s + r sin^2 s`, is that length, also where it stands in a
//! product. Knows nothing of mechanics.

use crate::ir::Value;
use crate::solve::Calc;
use std::collections::BTreeMap;

/// What stands in the place of values that `roots` are made of; those that stay are left out.
pub(super) fn firsts(calc: &mut Calc<'_>, roots: &[Value]) -> BTreeMap<Value, Value> {
    let mut found: BTreeMap<Value, Value> = BTreeMap::new();
    for value in calc.graph.live(roots) {
        let op = calc.graph.op(value);
        let own = |v: Value| found.get(&v).copied().unwrap_or(v);
        let moved = op.operands().any(|v| own(v) != v);
        let same = if moved {
            let op = op.map(own);
            calc.graph.fold(&op)
        } else {
            value
        };
        let first = calc.first(same);
        // One that takes as many operations is no better, least of all with the other sign.
        let shorter =
            first != same && calc.graph.count(&[first]).total() < calc.graph.count(&[same]).total();
        let new = if shorter { first } else { same };
        if new != value {
            found.insert(value, new);
        }
    }
    found
}
