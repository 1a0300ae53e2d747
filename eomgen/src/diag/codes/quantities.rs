//! Codes of quantities that are asked for by name.

use super::codes;

codes! {
    E0580 "an output that needs constraints" {
        what: "An output that describes constraints was requested, such as `constraint_gram_matrix` or `tangent_projector`, but the model has none.",
        why: "Without constraints there is no matrix A, and nothing to project on.",
        fix: "Omit the output, or state the constraint:",
        corrected: "model bead\nparam m : kg > 0\ncoord x, y : m\npoint P = O + x*N.x + y*N.y\nparticle A: mass m at P\nconstraint wire: y = x",
    }
    E0581 "a mass matrix that cannot be inverted" {
        what: "An output that needs M^-1 was requested, but the mass matrix of the coordinates is singular at every state.",
        why: "Some combination of the coordinates moves no mass. The constraints may still determine the motion, but unconstrained accelerations do not exist, nor does anything that contains M^-1: G, the scaled constraint matrix and the projectors.",
        fix: "Omit the output, or give mass to what moves.",
    }
    E0582 "an output that needs bodies" {
        what: "Partial velocities were requested for a model without particles and bodies, or partial angular velocities for one without rigid bodies.",
        why: "They belong to bodies. A model with a stated kinetic energy has none, and particles do not rotate.",
        fix: "Omit the output.",
    }
    E0583 "a representative particle of rigid bodies" {
        what: "Basis vectors or the force of the representative particle were requested, but the model has rigid bodies or a stated kinetic energy.",
        why: "The construction combines the positions of all particles into one point of a space of higher dimension. A rigid body consists of infinitely many particles. Its mass matrices and forces in both bases exist nevertheless.",
        fix: "Request `coordinate_mass_matrix` and `applied_forces`, `quasi_velocity_mass_matrix` and `quasi_velocity_forces`, or model the bodies as particles at constant distances.",
    }
    E0584 "a derivative of or with respect to something unknown" {
        what: "A derivative was requested of an output that the module does not have, or with respect to something that is not an entry of the state, a parameter or an input of the model.",
        why: "A derivative is written `OUTPUT:GROUP,...`, such as `accelerations:q,v`. The groups are q (coordinates), v (speeds of the state), inputs, params and t; single entries are given by name.",
        fix: "Name an output and groups that the model has. Outputs beyond those of every module are added with `--output`.",
    }
    E0585 "a derivative of too high an order" {
        what: "A derivative was requested that needs third derivatives of a `function` of the model.",
        why: "The user of the generated code supplies the value of the function and its first and second derivatives. If the equations contain second derivatives, as for a path given by a function, their derivatives need third ones.",
        fix: "Differentiate with respect to something that the function does not depend on, or write the function out in the model.",
    }
    E0586 "inverse dynamics with loads that depend on reactions" {
        what: "Inverse dynamics or bias forces were requested, but loads of the model depend on reactions.",
        why: "The unknown forces change the reactions, and thereby these loads, so the motion alone does not determine them.",
        fix: "Omit the output.",
    }
}
