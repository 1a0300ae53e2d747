//! The values of `Prepared`, as temporaries of its constructor.

use std::collections::BTreeMap;

use super::Writing;
use crate::emit::error::EmitError;
use crate::emit::module::{EmittedFunction, Module};
use crate::emit::tree::Block;
use crate::ir::{Value, schedule};

/// The statements of a constructor.
pub struct Constructor {
    /// One temporary for each value, and those on the way.
    pub block: Block,
    /// What each value is called.
    pub names: BTreeMap<Value, String>,
    /// What each value was set to.
    pub texts: BTreeMap<Value, String>,
    /// Whether some number looks like a famous constant.
    pub resembles_constant: bool,
}

/// Writes values that depend on parameters alone as temporaries. `like` is a function without anything of its own; values in `names`
/// are called so. The text will stand in so many blocks.
///
/// # Errors
/// What the graph asks for and the module doesn't have.
pub fn constructor(
    module: &Module,
    like: &EmittedFunction,
    values: &[Value],
    names: &BTreeMap<Value, String>,
    blocks: usize,
) -> Result<Constructor, EmitError> {
    let mut writing = Writing::new(module, like, false, blocks);
    writing.scope.reserve(names);
    writing.scope.name_products();
    "constant".clone_into(&mut writing.label);
    let order = schedule(&module.graph, values);
    for &value in &order {
        for operand in module.graph.op(value).operands() {
            *writing.uses.entry(operand).or_default() += 1;
        }
    }
    for &value in values {
        *writing.uses.entry(value).or_default() += 1;
    }
    let mut order = order.into_iter();
    let mut done = std::collections::BTreeSet::new();
    let mut found = BTreeMap::new();
    for &value in values {
        writing.steps(Some(value), &mut order, &mut done)?;
        if !writing.texts.contains_key(&value) {
            writing.name(value)?;
        }
        found.insert(value, writing.operand(value)?.to_string());
    }
    Ok(Constructor {
        block: writing.block,
        names: found,
        texts: writing.texts,
        resembles_constant: writing.resembles_constant,
    })
}
