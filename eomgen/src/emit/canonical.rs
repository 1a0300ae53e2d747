//! A module with its values in the order of their content ([`ir::content`](crate::ir::content)), so that a change of the model moves few lines.
//! What is computed stays the same to the last bit.

use std::collections::BTreeMap;

use super::module::{Field, Module};
use crate::ir::content::{self, text};
use crate::ir::{Interface, Program, Slot};

/// The same module, renumbered.
pub fn canonical(module: &Module) -> Module {
    let program = Program {
        interface: Interface::default(),
        functions: module.functions.iter().map(|f| f.body.clone()).collect(),
        graph: module.graph.clone(),
    };
    let program = content::canonical(&program, &tags(module));
    let mut module = Module {
        graph: program.graph,
        ..module.clone()
    };
    for (function, body) in module.functions.iter_mut().zip(program.functions) {
        function.body = body;
    }
    module
}

/// Inputs by their units: what they are called, and where they are declared, may change.
pub fn tags(module: &Module) -> BTreeMap<Slot, u64> {
    let groups = module.groups;
    let lists: [(u8, &[Field]); 3] = [
        (groups.state, &module.state),
        (groups.params, &module.params),
        (groups.inputs, &module.inputs),
    ];
    let mut tags = BTreeMap::new();
    for (group, fields) in lists {
        for (index, field) in (0_u32..).zip(fields) {
            let unit = field.unit.as_deref().unwrap_or_default();
            tags.insert(Slot { group, index }, text(unit));
        }
    }
    tags
}
