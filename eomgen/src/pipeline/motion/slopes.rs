//! Derivatives of a machine's functions by state and inputs, as tapes.

use super::Added;
use crate::ir::tape::Tape;
use crate::ir::{Function, Slot, Value, derivative};
use crate::machine::Slopes;
use crate::program::{Assembled, group};

/// The derivatives; `None` where a function of the user's would have to be differentiated three times.
pub(super) fn slopes(
    assembled: &mut Assembled,
    added: &Added,
    inputs: usize,
    own_outputs: &[String],
) -> Option<Slopes> {
    let expressions = added.inputs.iter().map(|i| &i.1);
    let state: Vec<String> = assembled.state.iter().map(|s| s.name.clone()).collect();
    let watched = added.watched.iter().filter(|w| !state.contains(&w.1));
    let watched = watched.map(|w| &w.0).chain(own_outputs);
    let named = |name: &str| of(assembled, name);
    let own = |names: &mut dyn Iterator<Item = &String>| -> Vec<Value> {
        let lists = names.map(|name| named(&format!("output_{name}")));
        lists.flatten().collect()
    };
    let derivative = named("derivative");
    let residuals = [named("constraint_residuals"), named("velocity_residuals")].concat();
    let expressions = own(&mut expressions.into_iter());
    let watch = own(&mut watched.into_iter());
    Some(Slopes {
        derivative: tape(assembled, &derivative, inputs)?,
        residuals: tape(assembled, &residuals, inputs)?,
        inputs: tape(assembled, &expressions, inputs)?,
        watch: tape(assembled, &watch, inputs)?,
    })
}

fn of(assembled: &Assembled, name: &str) -> Vec<Value> {
    let found = assembled.outputs.iter().find(|o| o.name == name);
    found.map_or(Vec::new(), |o| o.body.outputs.clone())
}

/// By the state and by the inputs, row by row.
fn tape(assembled: &mut Assembled, of: &[Value], inputs: usize) -> Option<Tape> {
    let slots = |group: u8, count: usize| {
        (0..count).map(move |i| Slot {
            group,
            index: i as u32,
        })
    };
    let states = slots(group::STATE, assembled.state.len());
    let graph = &mut assembled.graph;
    let leaves: Vec<Value> = states
        .chain(slots(group::INPUTS, inputs))
        .map(|s| graph.input(s))
        .collect();
    let found = derivative::jacobian(graph, of, &leaves).ok()?;
    let function = Function {
        outputs: found.entries,
        ..Function::default()
    };
    Some(Tape::new(graph, &function, &[group::PARAMS]))
}
