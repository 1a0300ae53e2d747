//! Minus signs: computed once, and where they cost nothing.

use super::{at, is_root, live, rebuild, users, with_functions};
use crate::ir::{Binary, Graph, Op, Program, Unary, Value};

/// The value that is the negative of this one by construction, if it is there: `b - a` for `a - b`, `-c*x` for `c*x`.
fn opposite(graph: &Graph, value: Value) -> Option<Value> {
    let Op::Binary(kind, a, b) = *graph.op(value) else {
        return None;
    };
    match kind {
        Binary::Sub => graph.find(&Op::Binary(kind, b, a)),
        Binary::Mul => {
            let (number, x) = factors(graph, value)?;
            let negative = -graph.as_rational(number)?.clone();
            let constant = graph.find(&Op::Constant(negative.into()))?;
            graph.find(&Op::Binary(kind, constant.min(x), constant.max(x)))
        }
        _ => None,
    }
}

/// The constant and `x` of `c*x`.
fn factors(graph: &Graph, value: Value) -> Option<(Value, Value)> {
    let Op::Binary(Binary::Mul, a, b) = *graph.op(value) else {
        return None;
    };
    match (graph.as_rational(a), graph.as_rational(b)) {
        (Some(_), None) => Some((a, b)),
        (None, Some(_)) => Some((b, a)),
        _ => None,
    }
}

/// Whether every use of a value takes a minus sign without an operation: sums, the right of differences, and products and quotients of
/// which that is true in turn.
fn takes_sign(program: &Program, live: &[Value]) -> Vec<bool> {
    let graph = &program.graph;
    let mut takes: Vec<bool> = is_root(program).iter().map(|root| !root).collect();
    for &user in live.iter().rev() {
        let through = takes[user.index()];
        let op = graph.op(user);
        for (position, operand) in op.operands().enumerate() {
            takes[operand.index()] &= match op {
                Op::Binary(Binary::Add, ..) => true,
                Op::Binary(Binary::Sub, ..) => position == 1,
                Op::Binary(Binary::Mul | Binary::Div, ..) => through,
                _ => false,
            };
        }
    }
    takes
}

/// Which values to compute as the negatives of others: of each pair of opposites the later if its uses take the sign, else the
/// earlier if its do.
fn replaceable(program: &Program, live: &[Value]) -> Vec<bool> {
    let graph = &program.graph;
    let takes = takes_sign(program, live);
    let mut is_live = vec![false; graph.len()];
    for value in live {
        is_live[value.index()] = true;
    }
    let mut replaced = vec![false; graph.len()];
    for &value in live.iter().rev() {
        let other = opposite(graph, value).filter(|other| is_live[other.index()]);
        replaced[value.index()] =
            takes[value.index()] && other.is_some_and(|other| !replaced[other.index()]);
    }
    replaced
}

/// A value of the new graph or its negative.
#[derive(Clone, Copy)]
pub(super) struct Term {
    pub(super) value: Value,
    negative: bool,
}

impl Term {
    pub(super) fn plus(value: Value) -> Self {
        let negative = false;
        Self { value, negative }
    }

    pub(super) fn flipped_if(self, flip: bool) -> Self {
        let negative = self.negative != flip;
        Self { negative, ..self }
    }

    pub(super) fn plain(self, graph: &mut Graph) -> Value {
        if self.negative {
            graph.neg(self.value)
        } else {
            self.value
        }
    }

    pub(super) fn sum(graph: &mut Graph, a: Self, b: Self) -> Self {
        match (a.negative, b.negative) {
            (false, true) => Self::plus(graph.sub(a.value, b.value)),
            (true, false) => Self::plus(graph.sub(b.value, a.value)),
            (negative, _) => Self {
                value: graph.add(a.value, b.value),
                negative,
            },
        }
    }

    pub(super) fn binary(graph: &mut Graph, kind: Binary, a: Self, b: Self) -> Self {
        match kind {
            Binary::Add => Self::sum(graph, a, b),
            Binary::Sub => Self::sum(graph, a, b.flipped_if(true)),
            Binary::Mul | Binary::Div => Self::plus(graph.binary(kind, a.value, b.value))
                .flipped_if(a.negative != b.negative),
            _ => {
                let (a, b) = (a.plain(graph), b.plain(graph));
                Self::plus(graph.binary(kind, a, b))
            }
        }
    }
}

/// Where two opposites are computed, computes one and moves the sign of the other into sums.
pub(super) fn share(program: &Program) -> Program {
    let old = &program.graph;
    let live = live(program);
    let replaced = replaceable(program, &live);
    let mut graph = Graph::new();
    let mut map: Vec<Option<Term>> = vec![None; old.len()];
    for &value in &live {
        let operand = |graph: &Graph, v: Value| term(graph, &map, v);
        let new = match *old.op(value) {
            Op::Binary(Binary::Sub, a, b) if replaced[value.index()] => {
                let (a, b) = (operand(&graph, a), operand(&graph, b));
                Term::binary(&mut graph, Binary::Sub, b, a).flipped_if(true)
            }
            Op::Binary(kind, a, b) => {
                let (a, b) = (operand(&graph, a), operand(&graph, b));
                let new = Term::binary(&mut graph, kind, a, b);
                match factors(&graph, new.value) {
                    Some((c, x)) if replaced[value.index()] => {
                        let c = graph.neg(c);
                        Term::plus(graph.mul(c, x)).flipped_if(!new.negative)
                    }
                    _ => new,
                }
            }
            ref op => {
                let op = op.map(|v| operand(&graph, v).plain(&mut graph));
                Term::plus(graph.fold(&op))
            }
        };
        map[value.index()] = Some(new);
        if let Some(name) = old.name_of(value).filter(|_| !new.negative) {
            graph.name(new.value, name);
        }
    }
    with_functions(program, graph, |graph, value| {
        let new = term(graph, &map, value);
        new.plain(graph)
    })
}

/// What `value` became in `graph`.
fn term(graph: &Graph, map: &[Option<Term>], value: Value) -> Term {
    map[value.index()].unwrap_or_else(|| {
        graph
            .witness()
            .note(format!("{value} is used before its definition"));
        Term::plus(graph.zero())
    })
}

/// `-(c*x)` to `(-c)*x` where `c*x` has no other use.
pub(super) fn absorb(program: &Program) -> Program {
    let old = &program.graph;
    let live = live(program);
    let (users, roots) = (users(old, &live), is_root(program));
    rebuild(program, |graph, map, value| {
        let Op::Unary(Unary::Neg, product) = *old.op(value) else {
            return None;
        };
        let (constant, x) = factors(old, product)?;
        if roots[product.index()] || users[product.index()].len() > 1 {
            return None;
        }
        let opposite = -old.as_rational(constant)?.clone();
        let constant = graph.rational(&opposite);
        let x = at(graph, map, x);
        Some(graph.mul(constant, x))
    })
}
