//! The order in which declarations can be resolved, and cycles among them.

use crate::diag::Diagnostic;
use crate::model::codes;
use crate::model::names::{Names, Thing};
use crate::syntax::ast::{Expr, ExprKind};
use crate::syntax::visit;

/// A declaration that others may need: its symbol and the expressions it is made of.
pub struct Node<'a> {
    /// Index among the symbols.
    pub symbol: usize,
    /// What it is made of.
    pub exprs: Vec<&'a Expr>,
    /// Names that it mentions outside expressions.
    pub names: Vec<&'a str>,
}

/// Nodes in an order in which each comes after what it needs, otherwise as they came; those that
/// (or whose needs) are in a cycle are left out of it and listed separately.
pub struct Order {
    /// Indices of nodes.
    pub sorted: Vec<usize>,
    /// Indices of nodes in cycles.
    pub circular: Vec<usize>,
    /// One message for each cycle.
    pub diagnostics: Vec<Diagnostic>,
}

/// Calls `found` with every name in the expression, and whether it is called. The axis of `rotate` may name the frame that
/// is being declared (`own`), and the sequence of `rotate_body` is not a name.
fn mentions<'a>(expr: &'a Expr, own: &str, found: &mut impl FnMut(&'a str, bool)) {
    // A stack of our own: a sum of thousands of terms is as many levels deep.
    let mut stack = vec![(expr, false)];
    while let Some((expr, own_allowed)) = stack.pop() {
        match &expr.kind {
            ExprKind::Name(name) if own_allowed && name == own => {}
            ExprKind::Name(name) => found(name, false),
            ExprKind::Call(function, args) => {
                let rotation = function.text == "rotate";
                let sequence = matches!(function.text.as_str(), "rotate_body" | "rotate_space");
                for (i, arg) in args.iter().enumerate().rev() {
                    if !(sequence && i == 1) {
                        stack.push((arg, own_allowed || (rotation && i == 2)));
                    }
                }
                found(&function.text, true);
            }
            ExprKind::Index(base, index) => {
                stack.push((index, false));
                stack.push((base, own_allowed));
            }
            _ => {
                let parts = visit::children(expr).into_iter().rev();
                stack.extend(parts.map(|part| (part, own_allowed)));
            }
        }
    }
}

#[derive(Clone, Copy, PartialEq)]
enum Mark {
    New,
    Open,
    Done,
}

/// Sorts nodes so that each comes after those it needs.
pub fn sort(names: &Names, nodes: &[Node]) -> Order {
    let mut node_of = vec![None; names.symbols().len()];
    for (i, node) in nodes.iter().enumerate() {
        node_of[node.symbol] = Some(i);
    }
    let needs: Vec<Vec<usize>> = nodes
        .iter()
        .map(|node| needs(names, node, &node_of))
        .collect();
    let mut order = Order {
        sorted: Vec::new(),
        circular: Vec::new(),
        diagnostics: Vec::new(),
    };
    let mut marks = vec![Mark::New; nodes.len()];
    for start in 0..nodes.len() {
        if marks[start] != Mark::New {
            continue;
        }
        marks[start] = Mark::Open;
        let mut path = vec![(start, 0)];
        while let Some((node, next)) = path.last_mut() {
            let node = *node;
            let Some(&need) = needs[node].get(*next) else {
                marks[node] = Mark::Done;
                if !order.circular.contains(&node) {
                    order.sorted.push(node);
                }
                path.pop();
                continue;
            };
            *next += 1;
            match marks[need] {
                Mark::New => {
                    marks[need] = Mark::Open;
                    path.push((need, 0));
                }
                Mark::Open => {
                    let first = path.iter().position(|(n, _)| *n == need).unwrap_or(0);
                    let mut cycle: Vec<usize> = path[first..].iter().map(|(n, _)| *n).collect();
                    if !cycle.iter().all(|n| order.circular.contains(n)) {
                        order.diagnostics.push(report(names, nodes, &cycle));
                    }
                    cycle.retain(|n| !order.circular.contains(n));
                    order.circular.extend(cycle);
                }
                Mark::Done => {}
            }
        }
    }
    order
}

/// The nodes that a node needs, each once.
fn needs(names: &Names, node: &Node, node_of: &[Option<usize>]) -> Vec<usize> {
    let own = &names.symbols()[node.symbol].name;
    let mut list = Vec::new();
    let mut add = |name: &str, called: bool| {
        let Some(symbol) = names.index(name) else {
            return;
        };
        // `let dot = dot(a, b)` does not need itself.
        let function = matches!(names.symbols()[symbol].thing, Thing::Function(_));
        if let Some(target) = node_of[symbol]
            && function >= called
            && !list.contains(&target)
        {
            list.push(target);
        }
    };
    for expr in &node.exprs {
        mentions(expr, own, &mut add);
    }
    node.names.iter().for_each(|name| add(name, false));
    list
}

/// "frame `A` is turned in `B`, `B` in `A`"
fn report(names: &Names, nodes: &[Node], cycle: &[usize]) -> Diagnostic {
    // The chain starts at what was declared first.
    let least = cycle
        .iter()
        .enumerate()
        .min_by_key(|(_, n)| nodes[**n].symbol);
    let start = least.map_or(0, |(i, _)| i);
    let mut chain: Vec<usize> = cycle[start..].to_vec();
    chain.extend(&cycle[..start]);
    let symbols: Vec<_> = chain
        .iter()
        .map(|n| &names.symbols()[nodes[*n].symbol])
        .collect();
    let all = |is: fn(Thing) -> bool| symbols.iter().all(|s| is(s.thing));
    let (noun, verb, again) = if all(|t| matches!(t, Thing::Frame(_))) {
        ("frame ", "is turned in", "in")
    } else if all(|t| matches!(t, Thing::Point(_))) {
        ("point ", "is placed from", "from")
    } else {
        ("", "needs", "needs")
    };
    let mut parts = Vec::new();
    for (i, symbol) in symbols.iter().enumerate() {
        let target = &symbols[(i + 1) % symbols.len()].name;
        let target = if target == &symbol.name {
            "itself".to_string()
        } else {
            format!("`{target}`")
        };
        parts.push(if i == 0 {
            format!("{noun}`{}` {verb} {target}", symbol.name)
        } else {
            format!("`{}` {again} {target}", symbol.name)
        });
    }
    let span = |i: usize| symbols.get(i).and_then(|s| s.span).unwrap_or_default();
    let mut diagnostic = Diagnostic::error(
        codes::CYCLE,
        format!("circular declaration: {}", parts.join(", ")),
        span(0),
        "the circle starts here",
    );
    for (i, symbol) in symbols.iter().enumerate().skip(1) {
        diagnostic = diagnostic.label(span(i), format!("`{}` belongs to it", symbol.name));
    }
    diagnostic.help("define one of them without the others")
}
