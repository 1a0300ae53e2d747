//! A graph, what goes into it and what is wanted from it.

use super::{Graph, Op, Part, Value};

/// Named inputs that belong together, such as the parameters.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Group {
    /// The group's name.
    pub name: String,
    /// The names of its entries.
    pub entries: Vec<String>,
}

/// A function that the user of the generated code supplies.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ExternFunction {
    /// Its name.
    pub name: String,
    /// Number of arguments.
    pub arity: u32,
    /// The highest order of partial derivative asked of it: 0, 1 or 2.
    pub order: u8,
}

/// What a program reads.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Interface {
    /// The inputs; [`Slot`](super::Slot) points here.
    pub groups: Vec<Group>,
    /// The user's functions; [`Op::Call`](super::Op::Call) points here.
    pub functions: Vec<ExternFunction>,
}

impl Interface {
    /// The least that a graph reads and calls, under names that are numbers.
    pub fn of(graph: &Graph) -> Self {
        let mut interface = Self::default();
        let ends: Vec<(usize, usize)> = graph
            .values()
            .filter_map(|value| match graph.op(value) {
                Op::Input(slot) => Some((slot.group as usize, slot.index as usize + 1)),
                _ => None,
            })
            .collect();
        for (group, end) in ends {
            while interface.groups.len() <= group {
                interface.groups.push(Group {
                    name: interface.groups.len().to_string(),
                    entries: Vec::new(),
                });
            }
            if let Some(group) = interface.groups.get_mut(group) {
                let from = group.entries.len();
                group.entries.extend((from..end).map(|i| i.to_string()));
            }
        }
        for value in graph.values() {
            let (call, order) = match *graph.op(value) {
                Op::Call { .. } => (value, 0),
                Op::Jet { call, part } => match part {
                    Part::Value => (call, 0),
                    Part::Gradient(_) => (call, 1),
                    Part::Hessian(..) => (call, 2),
                },
                _ => continue,
            };
            let Op::Call { function, args } = graph.op(call) else {
                continue;
            };
            while interface.functions.len() <= *function as usize {
                interface.functions.push(ExternFunction {
                    name: interface.functions.len().to_string(),
                    ..ExternFunction::default()
                });
            }
            if let Some(known) = interface.functions.get_mut(*function as usize) {
                known.arity = args.len() as u32;
                known.order = known.order.max(order);
            }
        }
        interface
    }
}

/// A value that must not vanish: the function fails where `|value| <= 1e-9 * |scale|` or where either is NaN.
///
/// The scale is what the rounding error of the value is in proportion to: at that size the error is some millionth of the value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Check {
    /// What must not vanish.
    pub value: Value,
    /// What it is compared with. Absent for a value that is exact up to a few roundings however small it is: it must not be 0.
    pub scale: Option<Value>,
    /// Which condition this is, in the numbering of whoever built the program.
    pub condition: u32,
}

/// Something to compute.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Function {
    /// Its name.
    pub name: String,
    /// The outputs, flat.
    pub outputs: Vec<Value>,
    /// What must hold for the outputs to mean anything.
    pub checks: Vec<Check>,
}

impl Function {
    /// All values that it needs directly: for each check its value and scale, then the outputs.
    pub fn roots(&self) -> Vec<Value> {
        let checks = self.checks.iter().flat_map(|c| [Some(c.value), c.scale]);
        let outputs = self.outputs.iter().map(|&output| Some(output));
        checks.chain(outputs).flatten().collect()
    }
}

/// Functions over one shared graph.
#[derive(Clone, Debug, Default)]
pub struct Program {
    /// The expressions.
    pub graph: Graph,
    /// The inputs and the user's functions.
    pub interface: Interface,
    /// What is wanted.
    pub functions: Vec<Function>,
}
