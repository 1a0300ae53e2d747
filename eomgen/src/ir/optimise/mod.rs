//! Passes over a built program. Each is deterministic, keeps the invariants of [`verify`](super::verify()), changes no output as a function of
//! real numbers, and makes no function cost more: what the counts do not confirm is undone. Those that are asked for by [`Options`]
//! round differently; the others change no more than a sign of zero.
//!
//! 1. Dead code goes, and what was interned as it stood is folded.
//! 2. Common negations: where `a - b` and `b - a`, or `c*x` and `-c*x`, are both computed and every use of one of them is in sums
//!    and products that can take the minus sign, it becomes the negative of the other.
//! 3. `-(c*x)` becomes `(-c)*x` where `c*x` has no other use.
//! 4. If asked: sums go of which nothing is left to compute, common factors are taken out of sums, and terms and factors that are known beforehand stand together.
//! 5. If asked: sines and cosines of two angles that a function needs only together become those of sums of angles.
//! 6. If asked: divisions by one value share its reciprocal.

mod angles;
mod factor;
mod given;
mod negation;
mod reciprocal;
mod squares;

use super::{Function, Graph, Program, Value};

/// What may be done beyond what changes no roundings.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Options {
    /// Takes common factors out of sums.
    pub factors: bool,
    /// Takes sums of angles where a function is then rid of sines and cosines.
    pub angles: bool,
    /// Turns this many divisions by one value into one division and products: one operation more, but a division takes several
    /// times as long as a product.
    pub reciprocals: Option<usize>,
    /// Groups of inputs whose values are known beforehand: where reciprocals are asked for, what is divided by something that
    /// depends on these alone is multiplied by its reciprocal, which need not be computed each time.
    pub given: Vec<u8>,
    /// Names of functions that are evaluated most: no reciprocal that others would share makes one of these slower, and sums of angles are
    /// taken in all of them or in none.
    pub first: Vec<&'static str>,
}

/// All passes, with nothing asked for.
pub fn optimise(program: &Program) -> Program {
    optimise_with(program, &Options::default())
}

/// All passes.
pub fn optimise_with(program: &Program, options: &Options) -> Program {
    let mut best = checked(clean(program));
    best = kept(&best, negation::share(&best));
    best = kept(&best, negation::absorb(&best));
    if options.factors {
        best = kept(&best, squares::cancel(&checked(clean(&best))));
        best = kept(&best, factor::share(&checked(clean(&best)), &options.given));
        best = kept(&best, given::gather(&checked(clean(&best)), &options.given));
        best = kept(&best, squares::cancel(&checked(clean(&best))));
        best = kept(&best, negation::share(&best));
    }
    if options.angles {
        best = checked(angles::contract(&checked(clean(&best)), &options.first));
    }
    if let Some(often) = options.reciprocals {
        best = checked(reciprocal::share(
            &best,
            often,
            &options.given,
            &options.first,
        ));
    }
    // Without what the passes left unused.
    checked(clean(&best))
}

/// What is live, folded.
fn clean(program: &Program) -> Program {
    rebuild(program, |_, _, _| None)
}

/// The result of a pass, unless it made some function cost more.
fn kept(before: &Program, after: Program) -> Program {
    let cost = |p: &Program, f: &Function| p.graph.count(&f.roots()).total();
    let mut pairs = before.functions.iter().zip(&after.functions);
    let worse = pairs.any(|(old, new)| cost(&after, new) > cost(before, old));
    if worse {
        before.clone()
    } else {
        checked(after)
    }
}

fn checked(program: Program) -> Program {
    debug_assert_eq!(super::verify(&program), Ok(()));
    program
}

/// Everything that any function needs.
pub(super) fn live(program: &Program) -> Vec<Value> {
    let roots: Vec<Value> = program.functions.iter().flat_map(Function::roots).collect();
    program.graph.live(&roots)
}

/// The users of each value among `live`; roots are not counted.
fn users(graph: &Graph, live: &[Value]) -> Vec<Vec<Value>> {
    let mut users = vec![Vec::new(); graph.len()];
    for &user in live {
        for operand in graph.op(user).operands() {
            users[operand.index()].push(user);
        }
    }
    users
}

fn is_root(program: &Program) -> Vec<bool> {
    let mut root = vec![false; program.graph.len()];
    for value in program.functions.iter().flat_map(Function::roots) {
        root[value.index()] = true;
    }
    root
}

/// What a value became.
type Map = Vec<Option<Value>>;

/// Rebuilds what is live, in order, through the folding constructors; `replace` may say what a value becomes instead.
fn rebuild(
    program: &Program,
    mut replace: impl FnMut(&mut Graph, &Map, Value) -> Option<Value>,
) -> Program {
    let old = &program.graph;
    let mut graph = Graph::new();
    let mut map: Map = vec![None; old.len()];
    for value in live(program) {
        let new = replace(&mut graph, &map, value).unwrap_or_else(|| {
            let op = old.op(value).map(|operand| at(&graph, &map, operand));
            graph.fold(&op)
        });
        map[value.index()] = Some(new);
        if let Some(name) = old.name_of(value) {
            graph.name(new, name);
        }
    }
    with_functions(program, graph, |graph, value| at(graph, &map, value))
}

/// What `value` became in `graph`.
fn at(graph: &Graph, map: &Map, value: Value) -> Value {
    map[value.index()].unwrap_or_else(|| {
        graph
            .witness()
            .note(format!("{value} is used before its definition"));
        graph.zero()
    })
}

/// The same interface and functions over another graph.
pub(super) fn with_functions(
    program: &Program,
    mut graph: Graph,
    mut new: impl FnMut(&mut Graph, Value) -> Value,
) -> Program {
    if let Err(bug) = program.graph.check() {
        graph.witness().keep(bug);
    }
    let mut functions = program.functions.clone();
    for function in &mut functions {
        for check in &mut function.checks {
            check.value = new(&mut graph, check.value);
            check.scale = check.scale.map(|scale| new(&mut graph, scale));
        }
        for output in &mut function.outputs {
            *output = new(&mut graph, *output);
        }
    }
    Program {
        graph,
        interface: program.interface.clone(),
        functions,
    }
}

#[cfg(test)]
mod tests;
