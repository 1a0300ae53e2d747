//! Many models at once, over all cores: a model is a value, and its functions change nothing.

use rayon::prelude::*;

use crate::control::drive;
use crate::trolley::{Model, Params, State, Unassembled};

/// The load hanging straight down on a rope of this length.
///
/// # Errors
/// None for a rope of positive length.
pub fn hanging(model: &Model, length: f64) -> Result<State, Unassembled> {
    let inputs = crate::trolley::Inputs { F: 0.0 };
    let guess = State {
        z: -length,
        ..State::default()
    };
    model.assemble(0.0, &guess, &[], &inputs)
}

/// How far the load is from its place after some seconds, for each length of the rope; `None` where that cannot be had.
pub fn missing(lengths: &[f64], place: f64, seconds: f64) -> Vec<Option<f64>> {
    let each = lengths.par_iter().map(|&l| {
        let model = Model::new(&Params {
            l,
            ..Params::default()
        });
        let start = hanging(&model, l).ok()?;
        let end = drive(&model, start, place, seconds).ok()?;
        Some((end.x - place).abs())
    });
    each.collect()
}
