//! Models evaluated through the library, side by side with the reference numbers.

use crate::compare::close;
use crate::memo;
use crate::reference::{Reference, State, model_source};
use eomgen::{
    EvalInput, EvalOutput, Evaluator, Failure,
    options::{DeriveOptions, Plan},
};
use std::sync::Arc;

/// A failure as text: every diagnostic on a line of its own.
fn describe(failure: &Failure) -> String {
    match failure {
        Failure::Message(message) => message.clone(),
        Failure::Diagnostics(list) => list
            .iter()
            .map(|d| format!("{d:?}"))
            .collect::<Vec<_>>()
            .join("\n"),
    }
}

/// Derives a model once, for all its states and all who ask.
///
/// # Errors
/// What the library says.
pub fn derived(model: &str, method: &str) -> Result<Arc<Evaluator>, String> {
    let options = DeriveOptions {
        method: Some(method.to_owned()),
        ..DeriveOptions::default()
    };
    derived_with(model, &options)
}

/// Derives a model with these options.
///
/// # Errors
/// What the library says.
pub fn derived_with(model: &str, options: &DeriveOptions) -> Result<Arc<Evaluator>, String> {
    memo::evaluator(&model_source(model)?, options)
        .map_err(|f| format!("{model}, {options:?}: {}", describe(&f)))
}

/// A reference state as the library takes it.
pub fn eval_input(reference: &Reference, state: &State) -> EvalInput {
    let by_coordinate = |values: &[f64]| {
        reference
            .coordinates
            .iter()
            .cloned()
            .zip(values.iter().copied())
            .collect()
    };
    EvalInput {
        t: state.t,
        params: reference.params.iter().cloned().collect(),
        q: by_coordinate(&state.q),
        qdot: Some(by_coordinate(&state.qd)),
        speeds: None,
        states: Default::default(),
        inputs: reference
            .inputs
            .iter()
            .cloned()
            .zip(state.inputs.iter().copied())
            .collect(),
        functions: reference.functions.iter().cloned().collect(),
    }
}

/// Evaluates, and turns a failure into text.
///
/// # Errors
/// What the library says.
pub fn evaluated(evaluator: &Evaluator, input: &EvalInput) -> Result<EvalOutput, String> {
    evaluator.eval(input).map_err(|f| describe(&f))
}

/// The values of `found` in the order of `names`.
///
/// # Errors
/// Names one that is missing.
pub fn pick(what: &str, found: &[(String, f64)], names: &[String]) -> Result<Vec<f64>, String> {
    names
        .iter()
        .map(|name| {
            let entry = found.iter().find(|(n, _)| n == name);
            entry
                .map(|(_, v)| *v)
                .ok_or_else(|| format!("{what}: nothing for `{name}` among {found:?}"))
        })
        .collect()
}

/// What of a reference is comparable for a model that states the same mechanism in another way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rows {
    /// The model states the same rows: everything is.
    Same,
    /// The model states other rows: everything but the multipliers.
    Other,
}

/// Compares all states; the complaint names the first one that disagrees. The formulation's own equations are evaluated: the plan that is
/// chosen by default may be the same for all formulations of a model.
///
/// # Errors
/// Where model and reference disagree, or the model cannot be evaluated.
pub fn compare(model: &str, reference: &Reference, rows: Rows, method: &str) -> Result<(), String> {
    compare_by(model, reference, rows, method, Plan::Reduced)
}

/// [`compare`] with a plan.
///
/// # Errors
/// Where model and reference disagree, or the model cannot be evaluated.
pub fn compare_by(
    model: &str,
    reference: &Reference,
    rows: Rows,
    method: &str,
    plan: Plan,
) -> Result<(), String> {
    let options = DeriveOptions {
        method: Some(method.to_owned()),
        plan,
        ..DeriveOptions::default()
    };
    let evaluator = derived_with(model, &options)?;
    for (index, state) in reference.states.iter().enumerate() {
        let at = |e: String| format!("{model}, {method}, {}, state {index}: {e}", plan.name());
        let output = evaluated(&evaluator, &eval_input(reference, state)).map_err(at)?;
        compare_state(reference, rows, state, &output).map_err(at)?;
    }
    Ok(())
}

fn compare_state(
    reference: &Reference,
    rows: Rows,
    state: &State,
    output: &EvalOutput,
) -> Result<(), String> {
    let coordinates = &reference.coordinates;
    let accelerations = pick("q''", &output.qddot, coordinates)?;
    close("q''", &accelerations, &state.accelerations)?;
    if let Some(wanted) = &state.speed_rates {
        compare_speed_rates(reference, wanted, output)?;
    }
    if let (Rows::Same, Some(wanted)) = (rows, &state.multipliers) {
        let found = pick("multipliers", &output.multipliers, &reference.rows)?;
        close("multipliers", &found, wanted)?;
    }
    compare_forces(reference, state, output)?;
    let scalars = [
        ("T", output.kinetic_energy, state.kinetic_energy),
        ("V", output.potential_energy, state.potential_energy),
        ("S", output.gibbs, state.gibbs_function),
    ];
    for (what, found, wanted) in scalars {
        // A model without potential loads has no V; the reference then says 0.
        if let (Some(found), Some(wanted)) = (found.or(Some(0.0)), wanted) {
            close(what, &[found], &[wanted])?;
        }
    }
    let worst = output
        .constraint_residuals
        .iter()
        .fold(0.0_f64, |w, (_, r)| w.max(r.abs()));
    // States of models with other rows need not fulfil those at the level of positions.
    if rows == Rows::Same && worst > 1e-12 {
        return Err(format!(
            "constraint residuals {:?}",
            output.constraint_residuals
        ));
    }
    Ok(())
}

/// Compares the speeds that the model has; it need not name all that the reference names, but at least one.
fn compare_speed_rates(
    reference: &Reference,
    wanted: &[f64],
    output: &EvalOutput,
) -> Result<(), String> {
    let mut compared = 0;
    for (name, wanted) in reference.speeds.iter().zip(wanted) {
        if let Some((_, found)) = output.speeds_dot.iter().find(|(n, _)| n == name) {
            close(&format!("{name}'"), &[*found], &[*wanted])?;
            compared += 1;
        }
    }
    match compared {
        0 => Err(format!(
            "none of {:?} among {:?}",
            reference.speeds, output.speeds_dot
        )),
        _ => Ok(()),
    }
}

fn compare_forces(reference: &Reference, state: &State, output: &EvalOutput) -> Result<(), String> {
    let coordinates = &reference.coordinates;
    if let Some(wanted) = &state.constraint_force {
        let mut found = pick("ideal force", &output.ideal_force, coordinates)?;
        if state.constraint_force_nonideal.is_some() {
            let extra = pick("non-ideal force", &output.nonideal_force, coordinates)?;
            found.iter_mut().zip(extra).for_each(|(f, e)| *f += e);
        }
        close("constraint force", &found, wanted)?;
    }
    if let Some(wanted) = &state.constraint_force_ideal {
        let found = pick("ideal force", &output.ideal_force, coordinates)?;
        close("ideal force", &found, wanted)?;
    }
    if let Some(wanted) = &state.constraint_force_nonideal {
        let found = pick("non-ideal force", &output.nonideal_force, coordinates)?;
        close("non-ideal force", &found, wanted)?;
    }
    Ok(())
}
