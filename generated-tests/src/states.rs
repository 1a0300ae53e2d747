//! Reference states in the layout of a generated module, which names its entries.

use crate::reference::{Reference, State};

/// The value of an entry of the state array: a coordinate (`x`), its rate (`x'`), or a speed.
///
/// # Errors
/// Where the reference has no such number.
pub fn entry(reference: &Reference, state: &State, name: &str) -> Result<f64, String> {
    let place = |names: &[String], name: &str| names.iter().position(|n| n == name);
    if let Some(i) = place(&reference.coordinates, name) {
        return Ok(state.q[i]);
    }
    if let Some(i) = name
        .strip_suffix('\'')
        .and_then(|of| place(&reference.coordinates, of))
    {
        return Ok(state.qd[i]);
    }
    match (&state.speeds, place(&reference.speeds, name)) {
        (Some(speeds), Some(i)) => Ok(speeds[i]),
        _ => Err(format!("the reference has no value for the state `{name}`")),
    }
}

/// The value of an input.
///
/// # Errors
/// Where the reference has no such input.
pub fn input(reference: &Reference, state: &State, name: &str) -> Result<f64, String> {
    let place = reference.inputs.iter().position(|n| n == name);
    place
        .and_then(|i| state.inputs.get(i).copied())
        .ok_or_else(|| format!("the reference has no input `{name}`"))
}
