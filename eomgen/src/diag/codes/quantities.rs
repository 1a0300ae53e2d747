//! Codes of quantities that are asked for by name.

use super::codes;

codes! {
    E0580 "a quantity of constraints that are not there" {
        what: "An output was asked for that describes constraints, such as `constraint_gram_matrix` or `tangent_projector`, and the model has none.",
        why: "Without constraints there is no matrix A, and nothing to project on.",
        example: "",
        fix: "Leave the output out, or state the constraint:",
        corrected: "model bead\nparam m : kg > 0\ncoord x, y : m\npoint P = O + x*N.x + y*N.y\nparticle A: mass m at P\nconstraint wire: y = x",
    }
    E0581 "a mass matrix without inverse" {
        what: "An output was asked for that needs M^-1, and the mass matrix of the coordinates is singular at every state.",
        why: "Some combination of the coordinates moves nothing that has mass. Constraints may settle the motion all the same, but unconstrained accelerations do not exist, nor does what is made with M^-1: G, the scaled constraint matrix and the projectors.",
        example: "",
        fix: "Leave the output out, or give mass to what moves.",
        corrected: "",
    }
    E0582 "a quantity of bodies that are not there" {
        what: "Partial velocities were asked for of a model without particles and bodies, or partial angular velocities of one without rigid bodies.",
        why: "They belong to the bodies. A model that states its kinetic energy as such has none, and particles do not turn.",
        example: "",
        fix: "Leave the output out.",
        corrected: "",
    }
    E0583 "a representative particle of rigid bodies" {
        what: "Basis vectors or the force of the representative particle were asked for, and the model has rigid bodies or a kinetic energy stated as such.",
        why: "The construction takes the places of all particles as one point of a larger space. A rigid body is infinitely many of them. Its mass matrices and forces in both bases exist all the same.",
        example: "",
        fix: "Ask for `coordinate_mass_matrix` and `applied_forces`, `quasi_velocity_mass_matrix` and `quasi_velocity_forces`, or describe the bodies as particles that keep their distances.",
        corrected: "",
    }
}
