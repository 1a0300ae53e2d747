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
    E0584 "a derivative of what is not there" {
        what: "A derivative was asked for of an output that the module does not have, or by something that is no entry of the state, parameter or input of the model.",
        why: "A derivative is written `OUTPUT:GROUP,...`, such as `accelerations:q,v`. The groups are q (coordinates), v (the state's speeds), inputs, params and t; single entries go by their names.",
        example: "",
        fix: "Name an output and groups that the model has. Quantities beyond those of every module are added by `--output`.",
        corrected: "",
    }
    E0585 "a derivative beyond those that a function supplies" {
        what: "A derivative was asked for that needs third derivatives of a `function` of the model.",
        why: "Who uses the generated code supplies the value of the function and its first and second derivatives. Where the equations hold second ones, as those of a path given by a function do, their derivatives need third ones.",
        example: "",
        fix: "Differentiate by what the function does not depend on, or write the function out in the model.",
        corrected: "",
    }
    E0586 "inverse dynamics with loads that depend on reactions" {
        what: "Inverse dynamics or bias forces were asked for, and loads of the model depend on reactions.",
        why: "The forces to be found change the reactions, and with them these loads: they would not follow from the motion alone.",
        example: "",
        fix: "Leave the output out.",
        corrected: "",
    }
}
