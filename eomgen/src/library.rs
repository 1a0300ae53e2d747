//! The parts that belong to the program, by name: `use "std/revolute.eom" as elbow(..)`. Knows nothing of what is in them.

use crate::diag::suggest;

macro_rules! library {
    ($($name:literal)*) => {
        /// Names and texts, in the order in which the manual has them.
        const PARTS: &[(&str, &str)] = &[$((concat!($name, ".eom"), include_str!(concat!("../parts/", $name, ".eom")))),*];
    };
}

library! {
    "revolute" "prismatic" "cylindrical" "screw" "universal" "ball" "ball_euler" "planar" "free"
    "gear_pair" "rack" "belt" "elastic_belt" "pulley" "cam"
    "geared_motor" "series_elastic" "dc_motor" "dc_motor_current" "hydraulic_cylinder" "thruster" "propeller" "hill_muscle"
    "wheel" "castor" "roll" "knife_edge" "tyre" "rolling_tyre" "hunt_crossley"
    "spring_damper" "torsion_spring" "cubic_spring" "bushing" "shock_absorber" "maxwell" "gas_spring" "cable" "end_stops" "drag"
    "wrap_pulley" "wrap_cylinder" "wrap_sphere"
}

/// Names and texts of all parts.
pub fn all() -> &'static [(&'static str, &'static str)] {
    PARTS
}

/// The text of a part, or why there is none.
pub fn text(name: &str) -> Result<String, String> {
    let found = PARTS.iter().find(|(known, _)| *known == name);
    found.map(|(_, text)| (*text).to_owned()).ok_or_else(|| {
        let names = PARTS.iter().map(|(known, _)| *known);
        match suggest::closest(name, names) {
            Some(near) => format!("the library has no such part; did you mean `std/{near}`?"),
            None => "the library has no such part".to_owned(),
        }
    })
}
