//! Which of the functions that were derived a module holds.

use super::{DeriveOptions, Failure};
use crate::catalogue;
use crate::catalogue::asked::Asked;
use crate::emit::names::identifier;
use crate::emit::{self, Assembly};
use crate::program::{Assembled, Output};

/// What a module holds: the default or what is to be kept of it, what is asked for, and the functions whose derivatives are.
///
/// # Errors
/// A function that is to be kept and is not there.
pub(super) fn held(assembled: Assembled, options: &DeriveOptions) -> Result<Assembled, Failure> {
    let outputs = assembled.outputs.iter();
    let names: Vec<&str> = outputs.map(|output| output.name.as_str()).collect();
    let mut kept = options.only.iter();
    if let Some(unknown) = kept.find(|name| !names.contains(&name.as_str())) {
        return Err(Failure::Message(format!(
            "the model has no function '{unknown}' to keep; it has {}",
            names.join(", ")
        )));
    }
    if asked(options, emit::ASSEMBLE) && assembly(&assembled).is_none() {
        return Err(Failure::Message(
            "--output assemble: no state of this model violates a constraint, so there is nothing to assemble"
                .into(),
        ));
    }
    let idle = idle(&assembled);
    Ok(assembled.keep(|name| is_held(name, &idle, options)))
}

/// The rows that a state can violate, if there are any.
pub(super) fn assembly(assembled: &Assembled) -> Option<Assembly> {
    let levels = &assembled.probe.levels;
    let coordinates = assembled.probe.matrix.outputs.len() / levels.len().max(1);
    let is_free = assembled.probe.independent.len() == coordinates;
    let positions: Vec<bool> = levels.iter().map(|level| *level == 0).collect();
    let moving: Vec<bool> = levels.iter().map(|level| *level < 2).collect();
    let velocities = (is_free && moving.contains(&true)).then_some(moving);
    let found = Assembly {
        positions,
        velocities,
    };
    (found.positions.contains(&true) || found.velocities.is_some()).then_some(found)
}

fn asked(options: &DeriveOptions, name: &str) -> bool {
    let read = |word: &String| Asked::read(word).is_ok_and(|asked| asked.output() == name);
    options
        .outputs
        .iter()
        .any(|word| word == name || read(word))
}

/// The functions that are written for many states too, if any are: those of the motion, and what is asked for.
pub(super) fn for_many(assembled: &Assembled, options: &DeriveOptions) -> Vec<String> {
    let is_wanted = |name: &&str| {
        let is_derivative = !options.jacobians.is_empty() && name.contains("_wrt_");
        matches!(*name, "accelerations" | "derivative") || asked(options, name) || is_derivative
    };
    let names = assembled.outputs.iter().map(|output| output.name.as_str());
    names.filter(is_wanted).map(identifier).collect()
}

/// What says nothing of this model, and is there by request alone.
fn idle(assembled: &Assembled) -> Vec<&'static str> {
    let graph = &assembled.graph;
    let mut idle = Vec::new();
    if !assembled.violable {
        idle.push("velocity_residuals");
    }
    let potential = |output: &&Output| output.name == "potential_energy";
    let potential = assembled.outputs.iter().find(potential);
    if potential.is_some_and(|v| v.body.outputs.iter().all(|v| graph.is_zero(*v))) {
        idle.push("potential_energy");
    }
    idle
}

/// What `linearization_reduced` is checked by.
fn is_reduced_of(name: &str) -> bool {
    matches!(
        name,
        emit::CALLED_BY_DISCRETIZED | "derivative" | "velocity_residuals"
    ) || name.starts_with("output_")
}

fn is_held(name: &str, idle: &[&str], options: &DeriveOptions) -> bool {
    let asked = |name: &str| asked(options, name);
    let is_standard = catalogue::STANDARD.iter().any(|q| q.name == name);
    let differentiated = || {
        let outputs = options.jacobians.iter();
        outputs.filter_map(|of| Some(of.split(':').next()?.trim()))
    };
    // A derivative, or what it is the derivative of.
    let is_derivative = |of: &str| name == of || name.starts_with(&format!("{of}_wrt_"));
    let is_linearized = name == "derivative" && asked("linearization")
        || (asked("linearization_reduced") || asked(emit::DISCRETIZED)) && is_reduced_of(name);
    let is_called = || emit::CALLED_BY_ASSEMBLE.contains(&name) && asked(emit::ASSEMBLE);
    if asked(name)
        || is_called()
        || is_linearized
        || is_standard && asked(catalogue::ALL_STANDARD)
        || differentiated().any(is_derivative)
    {
        return true;
    }
    match options.only.as_slice() {
        [] => !is_standard || catalogue::DEFAULT.contains(&name) && !idle.contains(&name),
        only => only.iter().any(|only| only == name),
    }
}
