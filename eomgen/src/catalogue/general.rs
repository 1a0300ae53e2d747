//! Quantities that every formulation has: those to request, and those that every module has anyway.

use super::{Quantity, quantity};

/// Functions of a module that are made of others of it, to be requested.
pub const ROUTINES: &[Quantity] = &[
    quantity(
        "discretized",
        "",
        "Linear model on the constraints over a time step with constant inputs: change of the state, `exp(A dt)` and the integral of `exp(A s) B`, from `linearization_reduced`.",
        "-",
    ),
    quantity(
        "assemble",
        "",
        "State near a guess that satisfies the constraints, with what is held as it is: a loop around other functions of the module.",
        "-",
    ),
];

/// To be requested.
pub const GENERAL: &[Quantity] = &[
    quantity(
        "coordinate_mass_matrix",
        "M",
        "Mass matrix of the coordinates, whatever unknowns the formulation takes: `M q'' = F + C + A^T lambda`.",
        "U96 1",
    ),
    quantity(
        "coordinate_forcing",
        "F",
        "Right-hand side `F = Q - h` that belongs to `coordinate_mass_matrix`, without constraint forces.",
        "U96 1",
    ),
    quantity(
        "applied_forces",
        "Q",
        "Generalized active forces conjugate to the coordinates: gravity, loads, potentials and dissipation.",
        "OR 2.12",
    ),
    quantity(
        "velocity_terms",
        "h",
        "Velocity terms `h = d/dt(dT/dq') - dT/dq - M q''`; 0 in Cartesian coordinates.",
        "OR 2.12",
    ),
    quantity(
        "unconstrained_accelerations",
        "a",
        "Accelerations `a = M^-1 F` of the mechanism without its constraints.",
        "U96 2",
    ),
    quantity(
        "nonideal_vector",
        "C",
        "Vector C that the model prescribes for the virtual work of constraint forces, conjugate to the coordinates.",
        "UK02 23",
    ),
    quantity(
        "scaled_constraint_matrix",
        "B",
        "Constraint matrix of scaled accelerations, `B = A L^-T` with `M = L L^T`; one row per constraint, one column per coordinate.",
        "U96 12",
    ),
    quantity(
        "constraint_gram_matrix",
        "G",
        "`G = A M^-1 A^T = B B^T`, one row and column per constraint.",
        "UK98 24-26",
    ),
    quantity(
        "normal_projector",
        "T",
        "Orthogonal projector `T = B^+ B` of scaled accelerations on the directions of the constraint forces.",
        "UK02 43-46",
    ),
    quantity(
        "tangent_projector",
        "N",
        "Orthogonal projector `N = I - B^+ B` of scaled accelerations on the directions that the constraints allow.",
        "UK02 43-46",
    ),
    quantity(
        "partial_velocities",
        "beta",
        "Partial velocities of particles and mass centres for the speeds of the state: components in N, three rows per body, one column per speed.",
        "OR 2.27; WP 18",
    ),
    quantity(
        "partial_angular_velocities",
        "gamma",
        "Partial angular velocities of rigid bodies for the speeds of the state: components in N, three rows per body, one column per speed.",
        "OR 2.27; WP 18",
    ),
    quantity(
        "generalized_forces_in_speeds",
        "R",
        "Generalized active forces conjugate to the speeds of the state.",
        "OR 2.22",
    ),
    quantity(
        "gibbs_gradient",
        "dS/du'",
        "Derivatives of the Gibbs function with respect to u' of the speeds of the state, at the actual accelerations.",
        "OR 2.23; WP 17",
    ),
    quantity(
        "quasi_velocity_mass_matrix",
        "N",
        "Mass matrix of the quasi-velocities, `N = H^T M H`, including those prescribed by constraints.",
        "OR 6",
    ),
    quantity(
        "quasi_velocity_forces",
        "R",
        "Generalized active forces conjugate to the quasi-velocities, `R_K = sum_L H_LK Q_L`, including those prescribed by constraints.",
        "OR 6",
    ),
    quantity(
        "covariant_basis",
        "a_K",
        "Covariant basis `a_K = dr/dq_K` of the representative particle, one column per coordinate, so that `M_IK = m a_I . a_K` with m the total mass.",
        "OR 3-4",
    ),
    quantity(
        "contravariant_basis",
        "a^K",
        "Contravariant basis of the representative particle, `a^K . a_L = 1` if K = L, else 0; one column per coordinate.",
        "OR 3-4",
    ),
    quantity(
        "quasi_velocity_basis",
        "b_K",
        "Basis `b_K = sum_L H_LK a_L` of the representative particle for the quasi-velocities, one column each.",
        "OR 5-6",
    ),
    quantity(
        "quasi_velocity_dual_basis",
        "b^K",
        "Basis `b^K = sum_L J_KL a^L` reciprocal to `quasi_velocity_basis`, one column per quasi-velocity; constraint forces have the directions of those prescribed by constraints.",
        "OR 5-6",
    ),
    quantity(
        "representative_force",
        "Phi",
        "Applied force on the representative particle, `Phi . a_K = Q_K` and `Phi . b_K = R_K`.",
        "OR 3.6",
    ),
    quantity(
        "inverse_dynamics",
        "R",
        "Generalized forces on the speeds of the state required for given accelerations of these: one entry per speed, for the argument `u_dot`.",
        "OR 2.27; WP 18",
    ),
    quantity(
        "bias_forces",
        "R",
        "Generalized forces on the speeds of the state required to keep these constant: `inverse_dynamics` at zero accelerations.",
        "OR 2.27; WP 18",
    ),
    quantity(
        "linearization",
        "x', A, B",
        "Rate of the state, and its derivatives A with respect to the state and B with respect to the inputs, side by side: one row per entry of the state.",
        "-",
    ),
    quantity(
        "linearization_reduced",
        "x', A, B; y, C, D",
        "Linear model on the constraints: rates of the independent entries of the state, with their derivatives A by these entries and B by the inputs, and below the outputs of the model with C and D.",
        "Peterson, Gede & Hubbard 2015",
    ),
];

/// What every module has without being asked, if the model has it: `potential_energy` where it is not 0 at every state,
/// `velocity_residuals` where they may be other than 0 and other than `constraint_residuals`.
pub const DEFAULT: &[&str] = &[
    "accelerations",
    "derivative",
    "mass_matrix",
    "forcing",
    "constraint_residuals",
    "velocity_residuals",
    "multipliers",
    "kinetic_energy",
    "potential_energy",
];

/// The word that asks for all that is [`STANDARD`].
pub const ALL_STANDARD: &str = "standard";

/// What every derivation has, if the model has it. The [`DEFAULT`] is in every module, the others by request.
pub const STANDARD: &[Quantity] = &[
    quantity(
        "accelerations",
        "q''",
        "Accelerations of the coordinates.",
        "U96 1",
    ),
    quantity(
        "speed_rates",
        "u'",
        "Derivatives of all speeds, including the dependent ones.",
        "OR 2.18",
    ),
    quantity("rates", "q'", "Rates of the coordinates.", "OR 2.18"),
    quantity(
        "dependent_speeds",
        "u_D",
        "Speeds that are not in the state, which follow from it by the constraints.",
        "OR 2.18",
    ),
    quantity(
        "derivative",
        "x'",
        "Rate of the state: q' and u' of the speeds of the state.",
        "-",
    ),
    quantity(
        "mass_matrix",
        "M",
        "Mass matrix of the equations of the formulation.",
        "U96 1",
    ),
    quantity(
        "forcing",
        "f",
        "Right-hand side that belongs to `mass_matrix`.",
        "U96 1",
    ),
    quantity(
        "constraint_matrix",
        "A",
        "Constraint matrix of `A q'' = b`, one row per scalar constraint.",
        "U96 3",
    ),
    quantity(
        "constraint_rhs",
        "b",
        "Right-hand side of `A q'' = b`.",
        "U96 3",
    ),
    quantity(
        "constraint_residuals",
        "g",
        "Residuals of the constraint rows, each at the level at which it is stated.",
        "U96 3",
    ),
    quantity(
        "velocity_residuals",
        "g'",
        "Residuals of the constraint rows as conditions on velocities.",
        "U96 3",
    ),
    quantity(
        "multipliers",
        "lambda",
        "Multipliers of the constraint rows, of minimum norm if rows are redundant.",
        "U96 30-31",
    ),
    quantity(
        "ideal_constraint_forces",
        "Qi",
        "Ideal part of the generalized constraint forces, conjugate to the coordinates.",
        "UK02 38",
    ),
    quantity(
        "nonideal_constraint_forces",
        "Qni",
        "Non-ideal part of the generalized constraint forces, conjugate to the coordinates.",
        "UK02 39",
    ),
    quantity("kinetic_energy", "T", "Kinetic energy.", "OR 2.12"),
    quantity("potential_energy", "V", "Potential energy.", "OR 2.12"),
    quantity(
        "gibbs_function",
        "S",
        "Gibbs function, half the integral of the squared acceleration over the mass.",
        "OR 2.23",
    ),
    quantity(
        "projection_step",
        "x",
        "State after a step of least norm towards the constraints.",
        "-",
    ),
    quantity(
        "closeness",
        "",
        "How close each singular condition is to failure, in their order: 0 is singular.",
        "-",
    ),
];
