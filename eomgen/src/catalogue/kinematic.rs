//! Quantities of the motion that a controller or an estimator is made of: of a point or a frame that is named, and of the whole machine.

use super::{Place, Quantity};

/// To be requested.
pub const KINEMATIC: &[Quantity] = &[
    of(
        Place::Point,
        "position",
        "r",
        "Position of the point: its components in N from the origin O.",
        "Siciliano et al. 2009, 2",
    ),
    of(
        Place::Point,
        "velocity",
        "v",
        "Velocity of the point in N, by components in N.",
        "OR 2.27; WP 18",
    ),
    of(
        Place::Point,
        "jacobian",
        "J",
        "Jacobian of the point in the speeds of the state, its partial velocities: `v = J u` plus what is due to time alone; components in N, a column for each speed.",
        "Siciliano et al. 2009, 3; OR 2.27; WP 18",
    ),
    of(
        Place::Point,
        "jacobian_bias",
        "J' u",
        "Acceleration of the point while the speeds of the state are constant, `a = J u' + bias`, by components in N.",
        "Siciliano et al. 2009, 3",
    ),
    of(
        Place::Frame,
        "rotation",
        "R",
        "Rotation matrix of the frame: its columns are the axes of the frame by their components in N.",
        "Siciliano et al. 2009, 2",
    ),
    of(
        Place::Frame,
        "angular_velocity",
        "omega",
        "Angular velocity of the frame in N, by components in N.",
        "OR 2.27; WP 18",
    ),
    of(
        Place::Frame,
        "angular_jacobian",
        "J",
        "Jacobian of the frame in the speeds of the state, its partial angular velocities: `omega = J u` plus what is due to time alone; components in N, a column for each speed.",
        "Siciliano et al. 2009, 3; OR 2.27; WP 18",
    ),
    of(
        Place::Frame,
        "angular_jacobian_bias",
        "J' u",
        "Angular acceleration of the frame while the speeds of the state are constant, `alpha = J u' + bias`, by components in N.",
        "Siciliano et al. 2009, 3",
    ),
    of(
        Place::Pose,
        "pose",
        "[R r; 0 1]",
        "Pose of the frame with the point as its origin, the homogeneous matrix that takes coordinates in the frame to coordinates in N.",
        "Siciliano et al. 2009, 2",
    ),
    of(
        Place::Pose,
        "spatial_velocity",
        "(omega, v)",
        "Angular velocity of the frame, then the velocity of the point, by components in N.",
        "Featherstone 2008, 2",
    ),
    of(
        Place::Pose,
        "spatial_jacobian",
        "J",
        "`angular_jacobian` of the frame above `jacobian` of the point: six rows, a column for each speed of the state.",
        "Siciliano et al. 2009, 3",
    ),
    of(
        Place::Pose,
        "spatial_jacobian_bias",
        "J' u",
        "`angular_jacobian_bias` of the frame, then `jacobian_bias` of the point.",
        "Siciliano et al. 2009, 3",
    ),
    of(
        Place::Either,
        "mobility",
        "J M^-1 J^T",
        "Acceleration of the point by components in N for a unit force on it along each axis, `J M^-1 J^T` with the constraints imposed; of a frame and a point the six rows and columns of `spatial_jacobian`.",
        "Khatib 1987",
    ),
    of(
        Place::Either,
        "operational_space_inertia",
        "Lambda",
        "Operational-space inertia, the inverse of `mobility`: the force on the point, or torque and force, for a unit acceleration. Rows and columns of components that never move are 0.",
        "Khatib 1987",
    ),
    whole(
        "coriolis_matrix",
        "C",
        "Coriolis matrix of the speeds of the state, `M u' + C u + g = R`, of machines in which nothing moves with time alone: `M' - 2 C` is skew. A row and a column for each speed.",
        "Echeandia & Wensing 2021; Siciliano et al. 2009, 7",
    ),
    whole(
        "gravity_vector",
        "g",
        "Generalized forces on the speeds of the state that hold the machine against its weight: one entry for each speed.",
        "Siciliano et al. 2009, 7",
    ),
    whole(
        "minimum_norm_forces",
        "Q",
        "Generalized forces on the coordinates of least norm which, added to the model's own loads, make the rates of the speeds of the state `u_dot`, as far as the constraints allow: one entry per coordinate.",
        "Siciliano et al. 2009, 7",
    ),
    of(
        Place::Inputs,
        "actuation",
        "",
        "Values of these inputs with which the rates of the speeds of the state are `u_dot`, as far as the constraints allow; those of least norm where several are.",
        "Siciliano et al. 2009, 7",
    ),
    whole(
        "mass_center",
        "c",
        "Mass centre of all particles and bodies, by components in N from the origin O.",
        "Orin & Goswami 2008",
    ),
    whole(
        "mass_center_velocity",
        "c'",
        "Velocity of the mass centre in N.",
        "Orin & Goswami 2008",
    ),
    whole(
        "mass_center_jacobian",
        "J",
        "Jacobian of the mass centre in the speeds of the state: components in N, a column for each speed.",
        "Orin & Goswami 2008",
    ),
    whole(
        "mass_center_jacobian_bias",
        "J' u",
        "Acceleration of the mass centre while the speeds of the state are constant.",
        "Orin & Goswami 2008",
    ),
    whole(
        "linear_momentum",
        "p",
        "Linear momentum of all particles and bodies, by components in N.",
        "OR 2.11",
    ),
    whole(
        "angular_momentum",
        "h",
        "Angular momentum of all particles and bodies about the origin O, by components in N.",
        "OR 2.11",
    ),
    whole(
        "centroidal_momentum",
        "h_G",
        "Angular momentum about the mass centre, then linear momentum, by components in N.",
        "Orin & Goswami 2008",
    ),
    whole(
        "centroidal_momentum_matrix",
        "A_G",
        "Matrix of `centroidal_momentum` in the speeds of the state, `h_G = A_G u` plus what is due to time alone: six rows, a column for each speed.",
        "Orin & Goswami 2008",
    ),
    whole(
        "centroidal_momentum_bias",
        "A_G' u",
        "Rate of `centroidal_momentum` while the speeds of the state are constant.",
        "Orin & Goswami 2008",
    ),
];

const fn of(
    place: Place,
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
        of: place,
    }
}

const fn whole(
    name: &'static str,
    symbol: &'static str,
    docs: &'static str,
    source: &'static str,
) -> Quantity {
    of(Place::Machine, name, symbol, docs, source)
}
