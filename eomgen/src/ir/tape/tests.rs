//! Tapes against the interpreter of graphs, to the last bit.

use super::*;
use crate::ir::Slot;
use crate::ir::interpret::{Evaluator, Host, Jet};

struct Numbers<'a>(Given<'a>);

impl Host for Numbers<'_> {
    fn slot(&self, slot: Slot) -> f64 {
        self.0[slot.group as usize][slot.index as usize]
    }

    /// `x^2 y`
    fn call(&self, _: u32, a: &[f64]) -> Jet {
        Jet {
            value: a[0] * a[0] * a[1],
            gradient: vec![2.0 * a[0] * a[1], a[0] * a[0]],
            hessian: vec![2.0 * a[1], 2.0 * a[0], 2.0 * a[0], 0.0],
        }
    }
}

impl Functions for Numbers<'_> {
    fn call(&mut self, function: u32, a: &[f64], results: &mut [f64]) {
        let jet = Host::call(self, function, a);
        let all = [vec![jet.value], jet.gradient, jet.hessian].concat();
        results.copy_from_slice(&all);
    }
}

/// The tape against the interpreter of graphs, to the last bit, at several states.
fn same(graph: &Graph, function: &Function) {
    let tape = Tape::new(graph, function, &[2]);
    let text = serde_json::to_string(&tape).unwrap();
    let tape: Tape = serde_json::from_str(&text).unwrap();
    let params = [0.7, -1.3, 2.1];
    let none: &[f64] = &[];
    let mut runner = None;
    for state in [[0.3, -0.8, 1.1], [2.5, 0.1, -0.4], [0.0, 1.0, 0.0]] {
        let given = [none, &state, &params, none, none, none, none, none];
        let runner = runner.get_or_insert_with(|| tape.runner(&given));
        let mut results = vec![0.0; tape.len()];
        let found = runner.run(&given, &mut Numbers(given), &mut results);
        let expected = Evaluator::on(graph, function).run(&Numbers(given));
        match expected {
            Ok(expected) => {
                found.unwrap();
                let bits = |list: &[f64]| list.iter().map(|x| x.to_bits()).collect::<Vec<_>>();
                assert_eq!(bits(&results), bits(&expected));
            }
            Err(expected) => assert_eq!(found, Err(expected)),
        }
    }
}

#[test]
fn a_tape_computes_what_the_interpreter_does() {
    let mut g = Graph::new();
    let [x, y, z] = [0, 1, 2].map(|index| g.input(Slot { group: 1, index }));
    let [a, b, c] = [0, 1, 2].map(|index| g.input(Slot { group: 2, index }));
    let ab = g.mul(a, b);
    let prepared = g.unary(Unary::Sin, ab);
    let sum = g.add(prepared, x);
    let power = g.binary(Binary::Atan2, sum, y);
    let chosen = g.select(Comparison::Less, x, y, power, z);
    let call = g.call(0, &[chosen, c]);
    let parts = [Part::Value, Part::Gradient(1), Part::Hessian(0, 1)];
    let parts = parts.map(|part| g.jet(call, part));
    let kind = RoutineKind::MinimumNorm { rows: 1, cols: 2 };
    let routine = g.routine(kind, &[x, y, parts[0]]);
    let first = g.element(routine, 0);
    let second = g.element(routine, 1);
    let last = g.div(second, chosen);
    let outputs = vec![first, parts[1], parts[2], last, prepared, power, x];
    let check = super::super::Check {
        value: y,
        scale: Some(sum),
        condition: 3,
    };
    let mut function = Function {
        outputs,
        ..Function::default()
    };
    same(&g, &function);
    function.checks.push(check);
    same(&g, &function);
}

/// Products that one sum alone reads cost no instruction of their own.
#[test]
fn products_join_the_sums_that_read_them() {
    let mut g = Graph::new();
    let [x, y, z] = [0, 1, 2].map(|index| g.input(Slot { group: 1, index }));
    let first = g.mul(x, y);
    let sum = g.add(first, z);
    let second = g.mul(y, z);
    let less = g.sub(sum, second);
    let third = g.mul(x, z);
    let more = g.sub(third, less);
    let shared = g.mul(y, y);
    let last = g.add(shared, more);
    let mut function = Function {
        outputs: vec![last],
        ..Function::default()
    };
    same(&g, &function);
    assert_eq!(Tape::new(&g, &function, &[2]).instructions(), 5);
    function.outputs.push(shared);
    same(&g, &function);
    assert_eq!(Tape::new(&g, &function, &[2]).instructions(), 6);
}

#[test]
fn registers_are_taken_again() {
    let mut g = Graph::new();
    let [x, y] = [0, 1].map(|index| g.input(Slot { group: 1, index }));
    let mut v = x;
    for _ in 0..1000 {
        let s = g.add(v, y);
        v = g.unary(Unary::Sin, s);
    }
    let function = Function {
        outputs: vec![v],
        ..Function::default()
    };
    let tape = Tape::new(&g, &function, &[2]);
    assert!(tape.registers < 10, "{}", tape.registers);
    assert_eq!(tape.instructions(), 2000);
}

/// Of every size of the file of registers: values that are all read at the end, so that each has its own.
#[test]
fn files_of_registers_of_all_sizes_give_the_same() {
    for count in [10, 300, 5000, 70_000] {
        let mut g = Graph::new();
        let [x, y] = [0, 1].map(|index| g.input(Slot { group: 1, index }));
        let mut values = vec![x];
        for k in 0..count {
            let last = values[k];
            let next = if k % 2 == 0 {
                g.add(last, y)
            } else {
                g.mul(last, x)
            };
            values.push(next);
        }
        let function = Function {
            outputs: values.iter().rev().step_by(3).copied().collect(),
            ..Function::default()
        };
        same(&g, &function);
    }
}
