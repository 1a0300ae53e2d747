//! Quantities that parameters are identified by.

use super::{Place, Quantity};

/// To be requested.
pub const IDENTIFICATION: &[Quantity] = &[
    whole(
        "regressor",
        "Y",
        "Regressor of the inertial parameters, `Y pi = M u' + C u + g`: a row for each speed of the state, a column for each of `inertial_parameters`; `u_dot` are the rates of these speeds.",
        "Gautier & Khalil 1990",
    ),
    whole(
        "inertial_parameters",
        "pi",
        "Inertial parameters: of a body `m`, the first moments `mx`, `my`, `mz` and the inertia `Jxx`, `Jyy`, `Jzz`, `Jxy`, `Jyz`, `Jzx` about its reference point (`Jxy = -integral xy dm`), in its own axes; of a particle `m`; of a stated kinetic energy the parameters in which it is linear.",
        "Gautier & Khalil 1990",
    ),
    whole(
        "load_regressor",
        "Z",
        "Regressor of the parameters in which loads and stated potentials are linear: the generalized forces by which each of `load_parameters` resists the speeds of the state, a column for each.",
        "Gautier & Khalil 1990",
    ),
    whole(
        "load_parameters",
        "p",
        "The parameters of the model to which the columns of `load_regressor` belong.",
        "Gautier & Khalil 1990",
    ),
    whole(
        "known_forces",
        "tau",
        "Generalized forces on the speeds of the state that contain none of the parameters to be identified: `Y pi + Z p = known_forces + inverse_dynamics`. The weight is part of `Y pi`.",
        "Gautier & Khalil 1990",
    ),
    whole(
        "base_regressor",
        "Y_b",
        "The independent columns of `regressor`, `Y_b pi_b = Y pi`: a column for each of `base_parameters`.",
        "Gautier & Khalil 1990; Mayeda et al. 1990",
    ),
    whole(
        "base_parameters",
        "pi_b",
        "Base inertial parameters, the fewest that the motion depends on: each an inertial parameter with what is grouped with it.",
        "Gautier & Khalil 1990; Mayeda et al. 1990",
    ),
];

const fn whole(
    name: &'static str,
    symbol: &'static str,
    docs: &'static str,
    source: &'static str,
) -> Quantity {
    Quantity {
        name,
        symbol,
        docs,
        source,
        of: Place::Machine,
    }
}
