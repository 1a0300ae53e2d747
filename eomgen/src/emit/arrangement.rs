//! Who computes what in a module: which functions call others instead of computing the same values again, and which values depend on
//! parameters alone and are read from `Model`.
//!
//! A function calls another one where that costs no more operations than computing everything itself: nothing that the other
//! one computes on the way is needed again beside its results. One that no integrator calls, or that is long enough to be written in
//! parts, may repeat a few operations, because its text costs more than they do. Whether values are the same is a matter of the graph: equal
//! expressions are one value, so a call gives the same bits.

use std::collections::{BTreeMap, BTreeSet};

use super::module::{EmittedFunction, Module};
use crate::ir::{Check, Cost, Graph, Op, Prepared, Value, schedule_from};

/// A call has to replace at least this many operations.
const WORTH: usize = 8;

/// What a routine is taken to cost when functions are compared: more than what stands around it.
const ROUTINE: usize = 1000;

/// What an integrator evaluates at every step.
const HOT: [&str; 3] = ["accelerations", "derivative", "speed_rates"];

/// A long function may repeat its operations divided by this, if it is evaluated at every step.
const REPEATED_HOT: usize = 32;

/// The same for any other.
const REPEATED: usize = 4;

/// A call that repeats operations has to save so many times as many.
const SAVED: usize = 4;

/// Who computes what.
#[derive(Clone, Debug, Default)]
pub struct Arrangement {
    /// One for each of the module's functions, in their order.
    pub functions: Vec<Share>,
}

/// What one function computes itself, and where it gets the rest.
#[derive(Clone, Debug, Default)]
pub struct Share {
    /// The functions that it calls, in order.
    pub calls: Vec<Call>,
    /// The checks that none of them makes.
    pub checks: Vec<Check>,
    /// What it reads of `Model`.
    pub needs: Needs,
}

/// A call of another function of the module.
#[derive(Clone, Debug)]
pub struct Call {
    /// Its index.
    pub callee: usize,
    /// What it supplies: value and index among its outputs.
    pub supplies: BTreeMap<Value, usize>,
}

/// What is read of `Model`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Needs {
    /// Parameters, by their index.
    pub params: BTreeSet<u32>,
    /// Values that depend on parameters alone and that something else uses.
    pub values: BTreeSet<Value>,
}

impl Needs {
    /// Adds these values, each of them a parameter or made of parameters alone.
    pub fn add(&mut self, module: &Module, values: &[Value]) {
        for value in values {
            match module.graph.op(*value) {
                Op::Input(slot) => self.params.insert(slot.index),
                _ => self.values.insert(*value),
            };
        }
    }

    /// Adds what another one needs.
    pub fn extend(&mut self, other: &Self) {
        self.params.extend(&other.params);
        self.values.extend(&other.values);
    }
}

impl Arrangement {
    /// Who computes what in a module.
    pub fn of(module: &Module) -> Self {
        let prepared = Prepared::new(&[module.groups.params]);
        let all = module.functions.iter();
        let own = |f: &EmittedFunction| match f.guarded {
            Some(_) => Share::default(),
            None => share(module, f, &prepared),
        };
        let mut functions: Vec<Share> = all.clone().map(own).collect();
        let costs: Vec<usize> = all
            .clone()
            .map(|f| cost(&module.graph, &f.body.roots(), &BTreeSet::new()))
            .collect();
        let mut search = Search {
            module,
            routines: all.map(|f| uses_routines(&module.graph, f)).collect(),
            repeated: vec![0; costs.len()],
            costs,
            prepared,
        };
        // Whoever may be called first: what it repeats, its callers repeat.
        let mut order: Vec<usize> = (0..functions.len()).collect();
        order.sort_by_key(|&index| (search.costs.get(index), index));
        for index in order {
            let looks = module
                .functions
                .get(index)
                .is_some_and(|f| f.guarded.is_some());
            if let Some(share) = functions.get_mut(index).filter(|_| !looks) {
                search.run(index, share);
            }
        }
        Self { functions }
    }
}

impl Arrangement {
    /// Operations of one evaluation of a function with its checks, those of the functions that it calls included, without what `Model`
    /// holds.
    pub fn count(&self, module: &Module, index: usize) -> Cost {
        let graph = &module.graph;
        let (Some(function), Some(share)) =
            (module.functions.get(index), self.functions.get(index))
        else {
            return Default::default();
        };
        if let Some(guarded) = &function.guarded {
            let usual = module
                .functions
                .iter()
                .position(|f| f.name == guarded.usual);
            return usual.map_or_else(Cost::default, |usual| self.count(module, usual));
        }
        let prepared = Prepared::new(&[module.groups.params]);
        let supplied = share.calls.iter().flat_map(|call| call.supplies.keys());
        let supplied: BTreeSet<Value> = supplied.copied().collect();
        let own = roots(&share.checks, &function.body.outputs);
        let mut each = Cost::default();
        for value in schedule_from(graph, &own, supplied) {
            if !prepared.is(graph, value) {
                each += Cost::of(graph.op(value));
            }
        }
        for call in &share.calls {
            each += self.count(module, call.callee);
        }
        each
    }
}

/// What a function needs of the parameters.
fn share(module: &Module, function: &EmittedFunction, prepared: &Prepared) -> Share {
    let graph = &module.graph;
    let roots = function.body.roots();
    let live = graph.live(&roots);
    let inner = live.iter().filter(|value| !prepared.is(graph, **value));
    let used = inner.flat_map(|&value| graph.op(value).operands());
    let mut needs = Needs::default();
    for value in used.chain(roots.iter().copied()) {
        match graph.op(value) {
            Op::Constant(_) | Op::Pi => {}
            Op::Input(slot) if slot.group == module.groups.params => {
                needs.params.insert(slot.index);
            }
            _ if prepared.is(graph, value) => {
                needs.values.insert(value);
            }
            _ => {}
        }
    }
    Share {
        calls: Vec::new(),
        checks: function.body.checks.clone(),
        needs,
    }
}

/// Operations of what `roots` need beyond what is known.
fn cost(graph: &Graph, roots: &[Value], known: &BTreeSet<Value>) -> usize {
    let mut seen = vec![false; graph.len()];
    for value in known {
        seen[value.index()] = true;
    }
    let mut stack: Vec<Value> = roots.to_vec();
    let mut sum = 0;
    while let Some(value) = stack.pop() {
        if !std::mem::replace(&mut seen[value.index()], true) {
            let one = Cost::of(graph.op(value));
            sum += one.total() + one.calls + ROUTINE * one.routines;
            stack.extend(graph.op(value).operands());
        }
    }
    sum
}

/// The search for functions that others may call. The lists go by the functions' indices.
struct Search<'m> {
    module: &'m Module,
    /// What each costs.
    costs: Vec<usize>,
    /// Operations that each repeats, because those that it calls compute them too.
    repeated: Vec<usize>,
    /// Whether each uses numerical routines.
    routines: Vec<bool>,
    prepared: Prepared,
}

impl Search<'_> {
    /// Finds the calls of one function: the most expensive functions first, of equals the first.
    fn run(&mut self, index: usize, share: &mut Share) {
        let module = self.module;
        let graph = &module.graph;
        let (Some(own), Some(&all)) = (module.functions.get(index), self.costs.get(index)) else {
            return;
        };
        // What costs less, or as much and stands before: nobody calls in circles.
        let costs = self.costs.iter().copied().enumerate();
        let mut candidates: Vec<(usize, usize)> = costs
            .filter(|&(callee, cost)| (cost, callee) < (all, index) && cost >= WORTH)
            .collect();
        let made_for = |callee: usize| {
            let callee = module.functions.get(callee);
            callee.is_some_and(|callee| callee.callers.contains(&own.name))
        };
        // Those between which another one decides call none of whom it might be called.
        let mut guards = module.guards();
        if guards.any(|of| of.usual == own.name || of.safe == own.name) {
            candidates.retain(|(callee, _)| made_for(*callee));
        }
        candidates
            .sort_by_key(|&(callee, cost)| (!made_for(callee), std::cmp::Reverse(cost), callee));
        let mut live = vec![false; graph.len()];
        for value in graph.live(&own.body.outputs) {
            live[value.index()] = true;
        }
        let most = all + self.repeatable(own, all);
        let mut known: BTreeSet<Value> = BTreeSet::new();
        let (mut called, mut left) = (0, all);
        for (callee, cost_of_callee) in candidates {
            let other = module.functions.get(callee);
            let Some(other) = other.filter(|_| self.fits(index, callee)) else {
                continue;
            };
            let supplies = self.supplied(&live, other, &known);
            if supplies.is_empty() {
                continue;
            }
            let mut checks = share.checks.clone();
            checks.retain(|check| !other.body.checks.contains(check));
            let mut more = known.clone();
            more.extend(supplies.keys());
            let rest = cost(graph, &roots(&checks, &own.body.outputs), &more);
            let theirs = cost_of_callee + self.repeated.get(callee).copied().unwrap_or(0);
            let saved = left.saturating_sub(rest);
            let wasted = theirs.saturating_sub(saved);
            let pays = called + theirs + rest <= most && saved >= WORTH.max(SAVED * wasted);
            // Who looks at the margin is asked, whatever it costs.
            if made_for(callee) || other.guarded.is_some() || pays && other.callers.is_empty() {
                called += theirs;
                left = rest;
                known = more;
                share.checks = checks;
                share.calls.push(Call { callee, supplies });
            }
        }
        if let Some(repeated) = self.repeated.get_mut(index) {
            *repeated = (called + left).saturating_sub(all);
        }
    }

    /// How many operations a function of so many may compute again.
    fn repeatable(&self, own: &EmittedFunction, operations: usize) -> usize {
        if !HOT.contains(&own.name.as_str()) {
            operations / REPEATED
        } else if operations > long(self.module) {
            operations / REPEATED_HOT
        } else {
            0
        }
    }

    /// Whether one function can call another: same arguments, and no failure that is not the caller's as well.
    fn fits(&self, index: usize, callee: usize) -> bool {
        let functions = &self.module.functions;
        let (Some(own), Some(other)) = (functions.get(index), functions.get(callee)) else {
            return false;
        };
        let extra = &mut other.extra_args.iter();
        let checks = &mut other.body.checks.iter();
        let same_failures = other.routine_condition == own.routine_condition
            && other.body.checks == own.body.checks;
        extra.all(|extra| own.extra_args.contains(extra))
            && checks.all(|check| own.body.checks.contains(check))
            && (self.routines.get(callee) == Some(&false) || same_failures)
    }

    /// The outputs of another function that this one needs and that cost something.
    fn supplied(
        &self,
        live: &[bool],
        other: &EmittedFunction,
        known: &BTreeSet<Value>,
    ) -> BTreeMap<Value, usize> {
        let graph = &self.module.graph;
        let mut supplies = BTreeMap::new();
        for (index, &value) in other.body.outputs.iter().enumerate() {
            let free = matches!(graph.op(value), Op::Constant(_) | Op::Pi | Op::Input(_));
            let needed = live.get(value.index()) == Some(&true) && !known.contains(&value);
            if !free && needed && !self.prepared.is(graph, value) {
                supplies.entry(value).or_insert(index);
            }
        }
        supplies
    }
}

/// What checks and outputs need, in the order in which it is needed.
pub fn roots(checks: &[Check], outputs: &[Value]) -> Vec<Value> {
    let of_checks = checks.iter().flat_map(|c| [Some(c.value), c.scale]);
    of_checks.flatten().chain(outputs.iter().copied()).collect()
}

/// Whether a function uses numerical routines.
pub fn uses_routines(graph: &Graph, function: &EmittedFunction) -> bool {
    let live = graph.live(&function.body.roots());
    live.iter()
        .any(|value| matches!(graph.op(*value), Op::Routine { .. }))
}

/// Whether a function returns a `Result`.
pub fn is_fallible(module: &Module, function: &EmittedFunction) -> bool {
    let of_parts = |name: &str| {
        let part = module.function(name);
        part.is_some_and(|part| is_fallible(module, part))
    };
    match &function.guarded {
        Some(guarded) => of_parts(&guarded.usual) || of_parts(&guarded.safe),
        None => {
            !function.body.checks.is_empty()
                || !function.inherited.is_empty()
                || uses_routines(&module.graph, function)
        }
    }
}

/// Bodies of more operations are written in parts, unless the module says otherwise. Measured with rustc 1.95 at `-O`: 20000 operations
/// took 10 s as one function and 1.7 s in parts of 1000 to 3000; 10000 take 3.8 s and 3.0 s, and the values that parts hand on cost a sixth of the time
/// of the function itself.
const WHOLE: usize = 12000;

/// Functions of more operations are long: text is saved, and their parts have this size if they have any.
const LONG: usize = 3000;

/// How many operations a module's functions have before they are written in parts.
pub fn whole(module: &Module) -> usize {
    module.longest.unwrap_or(WHOLE)
}

/// How many operations a long function of a module has.
pub fn long(module: &Module) -> usize {
    module.longest.unwrap_or(LONG)
}
