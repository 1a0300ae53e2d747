//! Sums of angles: `cos a cos b + sin a sin b` becomes `cos(a - b)` in functions that are then rid of sines and cosines.
//!
//! Whether that is cheaper is a matter of the whole function. A sine costs as much as some twenty sums and products, and a sine and the
//! cosine of the same angle little more; so nothing is gained where the angles have to be turned into sines all the same. Functions that
//! are evaluated most are taken together, so that they go on sharing what they share; any other one by itself, unless it holds results of
//! others that it could take from a call.

use std::collections::{BTreeMap, BTreeSet};

use super::with_functions;
use crate::ir::{Binary, Function, Graph, Op, Program, Unary, Value};

/// What a sine or cosine costs, and both of one angle, where a sum or a product costs 1.
const ONE: usize = 20;
const BOTH: usize = 24;
/// What a division costs.
const DIVISION: usize = 4;
/// What has to be saved.
const SAVED: usize = 4;

/// The sine or the cosine of a sum of angles with signs.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Turn {
    sine: bool,
    angle: BTreeMap<Value, i64>,
}

/// Takes sums of angles where that is cheaper.
pub(super) fn contract(program: &Program, first: &[&str]) -> Program {
    let is_first = |f: &&Function| first.contains(&f.name.as_str());
    let together: Vec<usize> = (0..program.functions.len())
        .filter(|i| is_first(&&program.functions[*i]))
        .collect();
    let others = (0..program.functions.len()).filter(|i| !together.contains(i));
    let mut units: Vec<Vec<usize>> = others.map(|i| vec![i]).collect();
    units.insert(0, together);
    let mut program = program.clone();
    for unit in units {
        let mut graph = program.graph.clone();
        let Some(map) = contracted(&mut graph, &program, &unit) else {
            continue;
        };
        let new = with_functions(&program, graph, |_, value| {
            map.get(&value).copied().unwrap_or(value)
        });
        let cheaper = |i: &usize| {
            let [before, after] = [&program, &new].map(|p| cost(p, &p.functions[*i]));
            after + SAVED <= before
        };
        if unit.iter().all(cheaper) {
            for i in unit {
                program.functions[i].clone_from(&new.functions[i]);
            }
            program.graph = new.graph;
        }
    }
    program
}

/// What the values of some functions become; `None` if nothing changes, or if what changes is a result of another function.
fn contracted(
    graph: &mut Graph,
    program: &Program,
    unit: &[usize],
) -> Option<BTreeMap<Value, Value>> {
    let roots: Vec<Value> = unit
        .iter()
        .flat_map(|i| program.functions[*i].roots())
        .collect();
    let mut turns: BTreeMap<Value, Turn> = BTreeMap::new();
    let mut map: BTreeMap<Value, Value> = BTreeMap::new();
    for value in program.graph.live(&roots) {
        let op = program.graph.op(value).clone();
        let turn = turn(&program.graph, &op, &turns);
        let sum = matches!(op, Op::Binary(..));
        let new = match &turn {
            Some(turn) if sum => Some(turn.write(graph)),
            _ => {
                let at = |operand: Value| map.get(&operand).copied().unwrap_or(operand);
                let changed = op.operands().any(|operand| map.contains_key(&operand));
                changed.then(|| {
                    let op = op.map(at);
                    graph.fold(&op)
                })
            }
        };
        if let Some(new) = new.filter(|new| *new != value) {
            if let Some(name) = program.graph.name_of(value) {
                graph.name(new, name);
            }
            map.insert(value, new);
        }
        turns.extend(turn.map(|turn| (value, turn)));
    }
    let others = program.functions.iter().enumerate();
    let others = others.filter(|(i, _)| !unit.contains(i));
    let theirs: BTreeSet<Value> = others.flat_map(|(_, f)| f.outputs.clone()).collect();
    let own = unit.len() == 1 && map.keys().any(|value| theirs.contains(value));
    (!map.is_empty() && !own).then_some(map)
}

/// What an instruction is the sine or cosine of.
fn turn(graph: &Graph, op: &Op, turns: &BTreeMap<Value, Turn>) -> Option<Turn> {
    match *op {
        Op::Unary(function @ (Unary::Sin | Unary::Cos), angle) => Some(Turn {
            sine: function == Unary::Sin,
            angle: BTreeMap::from([(angle, 1)]),
        }),
        Op::Binary(kind @ (Binary::Add | Binary::Sub), a, b) => {
            let product = |value: Value| match *graph.op(value) {
                Op::Binary(Binary::Mul, a, b) => Some((turns.get(&a)?, turns.get(&b)?)),
                _ => None,
            };
            together(kind == Binary::Add, product(a)?, product(b)?)
        }
        _ => None,
    }
}

/// The sum, or the difference, of two products.
fn together(sum: bool, a: (&Turn, &Turn), b: (&Turn, &Turn)) -> Option<Turn> {
    // Of the same two angles in the same order.
    let b = if a.0.angle == b.0.angle && a.1.angle == b.1.angle {
        b
    } else {
        (b.1, b.0)
    };
    if a.0.angle != b.0.angle || a.1.angle != b.1.angle || a.0.angle == a.1.angle {
        return None;
    }
    let kinds = [a.0.sine, a.1.sine, b.0.sine, b.1.sine];
    // The sine or cosine, the sign of the first angle, and that of the second.
    let (sine, first, second) = match (sum, kinds) {
        (true, [false, false, true, true] | [true, true, false, false]) => (false, 1, -1),
        (false, [false, false, true, true]) => (false, 1, 1),
        (true, [true, false, false, true] | [false, true, true, false]) => (true, 1, 1),
        (false, [true, false, false, true]) => (true, 1, -1),
        (false, [false, true, true, false]) => (true, -1, 1),
        _ => return None,
    };
    let mut angle: BTreeMap<Value, i64> = BTreeMap::new();
    let terms = a.0.angle.iter().map(|(v, k)| (*v, k * first));
    for (value, factor) in terms.chain(a.1.angle.iter().map(|(v, k)| (*v, k * second))) {
        *angle.entry(value).or_default() += factor;
    }
    angle.retain(|_, factor| *factor != 0);
    // The cosine of either sign is the same.
    if !sine && angle.values().next().is_some_and(|factor| *factor < 0) {
        angle.values_mut().for_each(|factor| *factor = -*factor);
    }
    let plain = angle.values().all(|factor| factor.abs() == 1);
    (plain && angle.values().any(|factor| *factor > 0)).then_some(Turn { sine, angle })
}

impl Turn {
    /// What is added first, what is subtracted behind it.
    fn write(&self, graph: &mut Graph) -> Value {
        let of_sign = |sign: i64| {
            let terms = self.angle.iter().filter(move |(_, k)| **k == sign);
            terms.map(|(value, _)| *value)
        };
        let mut sum: Option<Value> = None;
        for value in of_sign(1) {
            sum = Some(match sum {
                Some(known) => graph.add(known, value),
                None => value,
            });
        }
        let mut sum = sum.unwrap_or_else(|| graph.zero());
        for value in of_sign(-1) {
            sum = graph.sub(sum, value);
        }
        let function = if self.sine { Unary::Sin } else { Unary::Cos };
        graph.unary(function, sum)
    }
}

/// What a function costs.
fn cost(program: &Program, function: &Function) -> usize {
    let graph = &program.graph;
    let mut angles: BTreeMap<Value, usize> = BTreeMap::new();
    let mut sum = 0;
    for value in graph.live(&function.roots()) {
        match graph.op(value) {
            Op::Unary(Unary::Sin | Unary::Cos, angle) => *angles.entry(*angle).or_default() += 1,
            Op::Binary(Binary::Div, ..) => sum += DIVISION,
            Op::Constant(_) | Op::Pi | Op::Input(_) | Op::Jet { .. } | Op::Element { .. } => {}
            _ => sum += 1,
        }
    }
    let turned = angles.values().map(|n| if *n > 1 { BOTH } else { ONE });
    sum + turned.sum::<usize>()
}
