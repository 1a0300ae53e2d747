//! The invariants of a program. Every pass may rely on them and must keep them; they are checked after every pass in tests and
//! debug builds.
//!
//! 1. Operands precede their users in the graph.
//! 2. Each instruction is there once (hash-consing), and commuting operands are ordered by id.
//! 3. A call is read by jets only, a routine by elements only; jets read nothing but calls, elements nothing but routines.
//!    Everything else is a number and has numbers for operands.
//!    Elementary functions have as many operands as they take.
//! 4. Inputs are slots of the interface; calls are of its functions, with as many arguments as stated.
//! 5. A jet's part names arguments that the function has, sorted, and is of an order that the interface states.
//! 6. A routine has the operands that its kind states; an element is one of its results.
//! 7. Constants are in lowest terms with a positive denominator; nothing is divided by the constant 0.
//! 8. Outputs and checked values exist and are numbers.
//! 9. Groups, entries of a group, user functions and functions have names of their own; orders of derivative are at most 2.

use std::collections::BTreeSet;

use num_integer::Integer;
use num_traits::{One, Signed};

use super::{Binary, Graph, Interface, Op, Part, Program, Rational, Slot, Unary, Value};

/// A broken invariant.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{place}: {message}")]
pub struct Violation {
    /// The value, function or part of the interface at fault.
    pub place: String,
    /// Which invariant, in words.
    pub message: &'static str,
}

/// Checks every invariant; the violations come in the order of the program.
pub fn verify(program: &Program) -> Result<(), Vec<Violation>> {
    let mut found = Vec::new();
    interface(&program.interface, &mut found);
    for value in program.graph.values() {
        let place = || value.to_string();
        for message in instruction(&program.graph, &program.interface, value) {
            found.push(Violation {
                place: place(),
                message,
            });
        }
    }
    functions(program, &mut found);
    if found.is_empty() { Ok(()) } else { Err(found) }
}

/// The places whose name another place before them has.
fn duplicates<'a>(names: impl Iterator<Item = &'a str>) -> Vec<&'a str> {
    let mut seen = BTreeSet::new();
    names.filter(|name| !seen.insert(*name)).collect()
}

fn interface(interface: &Interface, found: &mut Vec<Violation>) {
    let mut report = |place: String, message| found.push(Violation { place, message });
    for name in duplicates(interface.groups.iter().map(|g| g.name.as_str())) {
        report(format!("group {name:?}"), "two groups have this name");
    }
    for group in &interface.groups {
        for name in duplicates(group.entries.iter().map(String::as_str)) {
            report(
                format!("group {:?}, entry {name:?}", group.name),
                "two entries have this name",
            );
        }
    }
    for name in duplicates(interface.functions.iter().map(|f| f.name.as_str())) {
        report(
            format!("extern {name:?}"),
            "two user functions have this name",
        );
    }
    for function in interface.functions.iter().filter(|f| f.order > 2) {
        report(
            format!("extern {:?}", function.name),
            "derivatives beyond the second",
        );
    }
}

fn functions(program: &Program, found: &mut Vec<Violation>) {
    let mut report = |name: &str, message| {
        found.push(Violation {
            place: format!("function {name:?}"),
            message,
        });
    };
    for name in duplicates(program.functions.iter().map(|f| f.name.as_str())) {
        report(name, "two functions have this name");
    }
    for function in &program.functions {
        for root in function.roots() {
            if root.index() >= program.graph.len() {
                report(&function.name, "an output or check does not exist");
            } else if !program.graph.op(root).is_scalar() {
                report(&function.name, "an output or check is not a number");
            }
        }
    }
}

/// Said of functions that take another number of arguments.
const ARITY: &str = "a function with another number of arguments";

fn instruction(graph: &Graph, interface: &Interface, value: Value) -> Vec<&'static str> {
    let op = graph.op(value);
    if op.operands().any(|operand| operand >= value) {
        return vec!["an operand does not precede it"];
    }
    let mut broken = Vec::new();
    let mut require = |holds: bool, message| {
        if !holds {
            broken.push(message);
        }
    };
    require(
        graph.find(op) == Some(value),
        "the same instruction is there twice",
    );
    let reads_compound = matches!(op, Op::Jet { .. } | Op::Element { .. });
    require(
        reads_compound || op.operands().all(|a| graph.op(a).is_scalar()),
        "an operand is not a number",
    );
    match op {
        Op::Constant(number) => require(is_reduced(number), "not in lowest terms"),
        Op::Input(slot) => require(exists(interface, *slot), "no such input"),
        Op::Unary(Unary::Of(function), _) => require(function.row().arguments == 1, ARITY),
        Op::Binary(kind, a, b) => {
            if let Binary::Of(function) = kind {
                require(function.row().arguments == 2, ARITY);
            }
            require(
                !kind.commutes() || a <= b,
                "commuting operands not in order",
            );
            require(
                *kind != Binary::Div || !graph.is_zero(*b),
                "division by the constant 0",
            );
        }
        Op::Call { function, args } => {
            let function = interface.functions.get(*function as usize);
            require(function.is_some(), "no such user function");
            require(
                function.is_none_or(|f| f.arity as usize == args.len()),
                "wrong number of arguments",
            );
        }
        Op::Jet { call, part } => require_part(graph, interface, *call, *part, &mut require),
        Op::Routine { kind, operands } => {
            require(
                kind.operands() == operands.len(),
                "wrong number of operands",
            );
        }
        Op::Element { routine, index } => match graph.op(*routine) {
            Op::Routine { kind, .. } => {
                require((*index as usize) < kind.results(), "no such result")
            }
            _ => require(false, "an element of something that is not a routine"),
        },
        Op::Pi | Op::Unary(..) | Op::Select { .. } => {}
    }
    broken
}

fn exists(interface: &Interface, slot: Slot) -> bool {
    let group = interface.groups.get(usize::from(slot.group));
    group.is_some_and(|group| (slot.index as usize) < group.entries.len())
}

fn require_part(
    graph: &Graph,
    interface: &Interface,
    call: Value,
    part: Part,
    require: &mut impl FnMut(bool, &'static str),
) {
    let Op::Call { function, .. } = graph.op(call) else {
        return require(false, "a jet of something that is not a call");
    };
    let Some(function) = interface.functions.get(*function as usize) else {
        return;
    };
    let exists = match part {
        Part::Value => true,
        Part::Gradient(i) => i < function.arity,
        Part::Hessian(i, j) => i <= j && j < function.arity,
    };
    require(
        exists,
        "no such derivative, or its arguments are not in order",
    );
    require(
        part.order() <= function.order,
        "a derivative of higher order than the interface states",
    );
}

fn is_reduced(number: &Rational) -> bool {
    number.denom().is_positive() && number.numer().gcd(number.denom()).is_one()
}

#[cfg(test)]
mod tests;
