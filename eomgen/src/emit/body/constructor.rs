//! The values that the model holds, as temporaries of its constructor.

use std::collections::BTreeMap;

use super::Writing;
use crate::emit::error::EmitError;
use crate::emit::layout::width;
use crate::emit::module::{EmittedFunction, Module};
use crate::emit::scope::Argument;
use crate::emit::tree::Block;
use crate::ir::{Value, schedule};

/// Widest expression in a field: with its name it is on one line.
const FIELD: usize = 52;

/// The statements of a constructor.
pub struct Constructor {
    /// A temporary for each value that others are made of.
    pub block: Block,
    /// What each value is called.
    pub names: BTreeMap<Value, String>,
    /// What those are made of that have no temporary.
    pub fields: BTreeMap<Value, String>,
    /// What the parameters are called.
    pub argument: String,
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
    let mut writing = Writing::new(module, like, blocks);
    writing.scope.take_params();
    writing.scope.reserve(names);
    writing.scope.describe_whole();
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
    let (mut found, mut fields) = (BTreeMap::new(), BTreeMap::new());
    for &value in values {
        writing.steps(Some(value), &mut order, &mut done)?;
        let written = writing.operand(value)?;
        let alone = writing.uses.get(&value) == Some(&1) && written.choice().is_none();
        if alone && !writing.texts.contains_key(&value) && width(written.text()) <= FIELD {
            fields.insert(value, written.to_string());
            found.insert(value, writing.name_for(value));
            continue;
        }
        if !writing.texts.contains_key(&value) {
            writing.name(value)?;
        }
        found.insert(value, writing.operand(value)?.to_string());
    }
    Ok(Constructor {
        block: writing.block,
        names: found,
        fields,
        argument: writing.scope.name_of(Argument::Params).to_owned(),
        resembles_constant: writing.resembles_constant,
    })
}
