//! The order in which a function computes its values.

use super::{Graph, Value};

/// All that `roots` need, each value once and after its operands: depth first from the roots in order, operands in order, so that a
/// value is computed near its first use. The order depends on the expressions and not on what else the graph holds, so a small
/// change of a model moves few lines. Constants and inputs are included.
pub fn schedule(graph: &Graph, roots: &[Value]) -> Vec<Value> {
    schedule_from(graph, roots, std::iter::empty())
}

/// [`schedule`] where some values are there already: neither they nor what only they need is computed.
pub fn schedule_from(
    graph: &Graph,
    roots: &[Value],
    known: impl IntoIterator<Item = Value>,
) -> Vec<Value> {
    let mut order = Vec::new();
    let mut entered = vec![false; graph.len()];
    for value in known {
        entered[value.index()] = true;
    }
    // A stack of our own: graphs can be a hundred thousand operations deep.
    let mut path: Vec<(Value, usize)> = Vec::new();
    for &root in roots {
        let mut next = Some(root);
        loop {
            if let Some(value) = next.take()
                && !std::mem::replace(&mut entered[value.index()], true)
            {
                path.push((value, 0));
            }
            let Some((value, position)) = path.last_mut() else {
                break;
            };
            match graph.op(*value).operand(*position) {
                Some(operand) => {
                    *position += 1;
                    next = Some(operand);
                }
                None => {
                    order.push(*value);
                    path.pop();
                }
            }
        }
    }
    order
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ir::{Binary, Op, Slot};

    fn inputs(g: &mut Graph) -> [Value; 3] {
        [0, 1, 2].map(|index| g.input(Slot { group: 0, index }))
    }

    #[test]
    fn operands_come_right_before_their_first_use() {
        let mut g = Graph::new();
        let [x, y, z] = inputs(&mut g);
        let late = g.mul(y, z);
        let early = g.mul(x, y);
        let sum = g.add(early, late);
        assert_eq!(schedule(&g, &[early, sum]), [x, y, early, z, late, sum]);
    }

    #[test]
    fn what_is_known_ends_the_search() {
        let mut g = Graph::new();
        let [x, y, z] = inputs(&mut g);
        let product = g.mul(x, y);
        let sum = g.add(product, z);
        let root = g.mul(sum, y);
        assert_eq!(
            schedule_from(&g, &[root, product], [product]),
            [y, z, sum, root]
        );
        assert_eq!(schedule_from(&g, &[root], [root]), []);
    }

    #[test]
    fn what_else_the_graph_holds_does_not_matter() {
        let names = |g: &Graph, order: Vec<Value>| -> Vec<String> {
            let name = |v| g.name_of(v).unwrap_or("?").to_owned();
            order.into_iter().map(name).collect()
        };
        let build = |noise: bool| {
            let mut g = Graph::new();
            let [x, y, z] = inputs(&mut g);
            if noise {
                g.mul(y, z);
                g.add(x, z);
            }
            let product = g.mul(x, y);
            let quotient = g.div(product, z);
            let difference = g.sub(quotient, x);
            for (v, name) in [(x, "x"), (y, "y"), (z, "z")] {
                g.name(v, name);
            }
            g.name(product, "xy");
            g.name(quotient, "xy/z");
            g.name(difference, "out");
            let order = schedule(&g, &[difference, product]);
            names(&g, order)
        };
        assert_eq!(build(false), ["x", "y", "xy", "z", "xy/z", "out"]);
        assert_eq!(build(true), build(false));
    }

    #[test]
    fn deep_graphs_need_no_stack() {
        let mut g = Graph::new();
        let [x, y, _] = inputs(&mut g);
        let mut v = x;
        for _ in 0..100_000 {
            v = g.intern(Op::Binary(Binary::Div, v, y));
        }
        assert_eq!(schedule(&g, &[v]).len(), 100_002);
    }
}
