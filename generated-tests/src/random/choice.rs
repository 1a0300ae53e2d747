//! Options of a derivation, drawn together.

use super::draw::Dice;
use eomgen::options::{DeriveOptions, Form, Inverse, Math, Plan, Prefer, Route, Scalar, Variant};

/// The formulations.
pub const METHODS: [&str; 10] = [
    "newton-euler",
    "kane",
    "gibbs-appell",
    "explicit-gibbs-appell",
    "lagrange",
    "maggi",
    "boltzmann-hamel",
    "jourdain",
    "appell-reduced",
    "udwadia-kalaba",
];

/// Quantities that every formulation has an answer to.
const QUANTITIES: [&str; 16] = [
    "coordinate_mass_matrix",
    "coordinate_forcing",
    "applied_forces",
    "velocity_terms",
    "unconstrained_accelerations",
    "constraint_gram_matrix",
    "normal_projector",
    "tangent_projector",
    "partial_velocities",
    "generalized_forces_in_speeds",
    "gibbs_gradient",
    "quasi_velocity_mass_matrix",
    "covariant_basis",
    "inverse_dynamics",
    "bias_forces",
    "linearization",
];

/// Options from chance. Half of all derivations take the defaults but for the method.
pub fn options(dice: &mut Dice) -> DeriveOptions {
    let mut options = DeriveOptions {
        method: (!dice.chance(0.15)).then(|| (*dice.one(&METHODS)).to_owned()),
        ..DeriveOptions::default()
    };
    if dice.chance(0.5) {
        return options;
    }
    options.form = *dice.one(&[Form::Auto, Form::Closed, Form::Staged]);
    options.plan = *dice.one(&[Plan::Auto, Plan::Reduced, Plan::Bordered, Plan::NewtonEuler]);
    options.prefer = *dice.one(&[Prefer::Operations, Prefer::Time]);
    options.math = *dice.one(&[Math::Std, Math::Libm, Math::Inline]);
    options.fma = dice.chance(0.2);
    options.scalar = *dice.one(&[Scalar::F64, Scalar::F64, Scalar::F64, Scalar::Generic]);
    options.batch = options.scalar == Scalar::F64 && dice.chance(0.3);
    if options.scalar == Scalar::Generic {
        // A type's functions are its own.
        options.fma = false;
        options.math = Math::Std;
    }
    options.variant = Variant {
        inverse: *dice.one(&[Inverse::One, Inverse::OneFour, Inverse::MoorePenrose]),
        route: Route::named(["I", "II", "III"][dice.below(3)]).unwrap_or_default(),
    };
    if dice.chance(0.3) {
        options.outputs = vec![(*dice.one(&QUANTITIES)).to_owned()];
    }
    options
}
