//! Which reference numbers belong to which model.

use crate::harness::Rows;
use crate::reference::{Reference, load};
use crate::samples;

/// The reference of a model, and whether the model states the same constraint rows.
///
/// # Errors
/// If there is none.
pub fn reference(model: &str) -> Result<(Reference, Rows), String> {
    match model {
        "double_pendulum" => Ok((samples::double_pendulum(), Rows::Same)),
        "spherical_pendulum" => Ok((samples::spherical_pendulum(), Rows::Same)),
        "rigid_body" => Ok((samples::rigid_body(), Rows::Same)),
        "energy_elastic_pendulum" => Ok((samples::elastic_pendulum(), Rows::Same)),
        "energy_hunt_crossley" => Ok((samples::hunt_crossley(), Rows::Same)),
        "disc_contact" => Ok((load("disc")?, Rows::Other)),
        "e4_sleigh_speeds" => Ok((load("e4_sleigh")?, Rows::Same)),
        "e5_wheel_axle" => Ok((load("e5_wheel_axle_rows")?, Rows::Other)),
        #[cfg(feature = "pipeline")]
        "ball_on_turntable" | "bead_on_hoop" | "crane" | "scotch_yoke" => {
            Ok((crate::oracle::reference(model)?, Rows::Same))
        }
        _ => Ok((load(model)?, Rows::Same)),
    }
}
