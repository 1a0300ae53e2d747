//! What several long functions compute alike becomes a private function that each of them calls: a text that stands once is read once. Which values
//! these are is a matter of the graph, as all sharing is; no operation is added, and none left out.
//!
//! Short functions stay whole: there the call would cost time, and the reader a detour.

use std::collections::{BTreeMap, BTreeSet};

use super::arrangement::{Arrangement, long};
use super::module::{EmittedFunction, Module, Shape};
use crate::ir::{Cost, Function, Graph, Op, Prepared, Value, schedule_from};

/// A common part has at least this share of the operations of a long function.
const LONG: usize = 2;

/// For so many operations of a common part one value may be handed over.
const PER_VALUE: usize = 6;

/// So many common parts at most.
const MOST: usize = 3;

/// The module with private functions for what its long functions have in common.
pub fn with_common(mut module: Module) -> Module {
    for _ in 0..MOST {
        let Some(found) = best(&module) else { break };
        module.functions.insert(0, found);
    }
    module
}

/// What one function computes itself.
struct Own {
    /// Its place among the module's functions.
    index: usize,
    values: BTreeSet<Value>,
}

/// The common part that saves the most operations.
fn best(module: &Module) -> Option<EmittedFunction> {
    let least = long(module) / LONG;
    let arrangement = Arrangement::of(module);
    let prepared = Prepared::new(&[module.groups.params]);
    let mut long = Vec::new();
    for (index, (function, share)) in module
        .functions
        .iter()
        .zip(&arrangement.functions)
        .enumerate()
    {
        let supplied = share.calls.iter().flat_map(|call| call.supplies.keys());
        let roots = super::arrangement::roots(&share.checks, &function.body.outputs);
        let own = schedule_from(&module.graph, &roots, supplied.copied());
        let own: BTreeSet<Value> = own
            .into_iter()
            .filter(|value| {
                is_worked_out(&module.graph, *value) && !prepared.is(&module.graph, *value)
            })
            .collect();
        let safe = module.guards().any(|of| of.safe == function.name);
        let whole = function.callers.is_empty() && function.guarded.is_none() || safe;
        let usual = function.extra_args.is_empty() && whole;
        if usual && operations(&module.graph, &own) >= least {
            long.push(Own { index, values: own });
        }
    }
    // The longest: more than a few would have too many subsets.
    long.sort_by_key(|own| (std::cmp::Reverse(own.values.len()), own.index));
    long.truncate(6);
    // Operations by the functions that need them.
    let mut needed: BTreeMap<Value, u32> = BTreeMap::new();
    for (bit, own) in long.iter().enumerate() {
        for value in &own.values {
            *needed.entry(*value).or_default() |= 1 << bit;
        }
    }
    let mut shared: BTreeMap<u32, usize> = BTreeMap::new();
    for (value, by) in &needed {
        *shared.entry(*by).or_default() += weight(&module.graph, *value);
    }
    let mut choices: Vec<(usize, u32)> = (0_u32..1 << long.len())
        .filter(|choice| choice.count_ones() > 1)
        .map(|choice| {
            let all = shared.iter().filter(|(by, _)| *by & choice == choice);
            let size: usize = all.map(|(_, size)| size).sum();
            (size, choice)
        })
        .filter(|(size, _)| *size >= least)
        .collect();
    choices.sort_by_key(|&(size, choice)| {
        let saved = size * (choice.count_ones() as usize - 1);
        (std::cmp::Reverse(saved), choice)
    });
    choices.into_iter().find_map(|(_, choice)| {
        let chosen = long.iter().enumerate();
        let mut chosen: Vec<&Own> = chosen
            .filter(|(bit, _)| choice & (1 << bit) != 0)
            .map(|(_, own)| own)
            .collect();
        chosen.sort_by_key(|own| own.index);
        common(module, &prepared, &chosen, least)
    })
}

/// Whether a value is the result of operations.
fn is_worked_out(graph: &Graph, value: Value) -> bool {
    !matches!(graph.op(value), Op::Constant(_) | Op::Pi | Op::Input(_))
}

fn operations(graph: &Graph, values: &BTreeSet<Value>) -> usize {
    values.iter().map(|value| weight(graph, *value)).sum()
}

fn weight(graph: &Graph, value: Value) -> usize {
    let cost = Cost::of(graph.op(value));
    cost.total() + cost.calls + cost.routines
}

/// What these functions have in common; `None` where that is little, or too many values would be handed over.
fn common(
    module: &Module,
    prepared: &Prepared,
    of: &[&Own],
    least: usize,
) -> Option<EmittedFunction> {
    let graph = &module.graph;
    let (first, others) = of.split_first()?;
    let mut values = first.values.clone();
    values.retain(|value| others.iter().all(|own| own.values.contains(value)));
    let functions: Vec<&EmittedFunction> = of
        .iter()
        .filter_map(|own| module.functions.get(own.index))
        .collect();
    let one = functions.first()?;
    let alike = functions.iter().all(|function| {
        function.routine_condition == one.routine_condition
            && function.body.checks == one.body.checks
    });
    keep_whole(graph, prepared, of, &mut values, alike);
    let size = operations(graph, &values);
    let outputs = handed_over(graph, of, &functions, &values);
    if size < least || outputs.len() * PER_VALUE > size || outputs.is_empty() {
        return None;
    }
    let mut checks = one.body.checks.clone();
    checks.retain(|check| functions.iter().all(|f| f.body.checks.contains(check)));
    // A check reads values of the common part alone.
    checks.retain(|check| {
        let mut read = [Some(check.value), check.scale].into_iter().flatten();
        read.all(|value| {
            !is_worked_out(graph, value) || values.contains(&value) || prepared.is(graph, value)
        })
    });
    Some(EmittedFunction {
        name: free_name(module),
        output: Shape::Array(outputs.len()),
        body: Function {
            outputs,
            checks,
            ..Function::default()
        },
        routine_condition: one.routine_condition.filter(|_| alike),
        callers: functions.iter().map(|f| f.name.clone()).collect(),
        ..EmittedFunction::default()
    })
}

/// `shared`, `shared_2`: names that parts of a long function can be called after.
fn free_name(module: &Module) -> String {
    let numbered = (2..).map(|number| format!("shared_{number}"));
    let taken = |name: &String| module.functions.iter().any(|f| f.name == *name);
    let mut names = std::iter::once("shared".to_owned()).chain(numbered);
    names.find(|name| !taken(name)).unwrap_or_default()
}

/// Leaves out what is no number and would have to be handed over, routines where the functions do not fail alike, and what is made of results of
/// functions that are called; with whatever is made of it.
fn keep_whole(
    graph: &Graph,
    prepared: &Prepared,
    of: &[&Own],
    values: &mut BTreeSet<Value>,
    alike: bool,
) {
    let mut out: BTreeSet<Value> = BTreeSet::new();
    for own in of {
        for value in own.values.difference(values) {
            let operands = graph.op(*value).operands();
            out.extend(operands.filter(|v| values.contains(v) && !graph.op(*v).is_scalar()));
        }
    }
    if !alike {
        let routines = values.iter().copied();
        out.extend(routines.filter(|v| matches!(graph.op(*v), Op::Routine { .. })));
    }
    // Operands stand before what is made of them.
    let ordered: Vec<Value> = values.iter().copied().collect();
    for value in ordered {
        let mut operands = graph.op(value).operands();
        let missing =
            |v: Value| is_worked_out(graph, v) && !values.contains(&v) && !prepared.is(graph, v);
        if out.contains(&value) || operands.any(missing) {
            out.insert(value);
            values.remove(&value);
        }
    }
}

/// The common values that something else reads, in their order.
fn handed_over(
    graph: &Graph,
    of: &[&Own],
    functions: &[&EmittedFunction],
    values: &BTreeSet<Value>,
) -> Vec<Value> {
    let mut read: BTreeMap<Value, ()> = BTreeMap::new();
    let mut note = |value: Value| {
        if values.contains(&value) {
            read.insert(value, ());
        }
    };
    for own in of {
        for value in own.values.difference(values) {
            graph.op(*value).operands().for_each(&mut note);
        }
    }
    for function in functions {
        function.body.outputs.iter().copied().for_each(&mut note);
        let checks = function.body.checks.iter();
        let all = |f: &&EmittedFunction, check| f.body.checks.contains(check);
        let own = checks.filter(|check| !functions.iter().all(|f| all(f, *check)));
        for check in own {
            [Some(check.value), check.scale]
                .into_iter()
                .flatten()
                .for_each(&mut note);
        }
    }
    read.into_keys().collect()
}
