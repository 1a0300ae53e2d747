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
        what: "Partial velocities, the mass centre or momenta were requested for a model without particles and bodies, or partial angular velocities for one without rigid bodies.",
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
    E0587 "a quantity of a point or frame that the model does not have" {
        what: "A quantity of a point or a frame was requested, such as `jacobian(P)` or `pose(B, P)`, but the model has no point or frame of that name.",
        why: "Points are those of `point` statements, and particles and bodies for their mass centres. Frames are those of `frame` statements, and rigid bodies for the frames they turn with.",
        fix: "Name a point or a frame of the model, as it is written there; of a part with the part's name, `left.P`. To ask for a point that has no name, declare it: `point Tip = P + l*B.x`.",
    }
    E0588 "a Coriolis matrix of a kinetic energy that is not quadratic" {
        what: "`coriolis_matrix` was requested, but the kinetic energy is not a quadratic form of the speeds with coefficients in the coordinates: something in the model moves with time alone, or the model states such an energy.",
        why: "The velocity terms are a matrix times the speeds only where nothing moves while all speeds are 0, and the mass matrix, of which the entries are Christoffel's symbols, depends on coordinates alone. That of a relativistic particle, for instance, depends on its velocity.",
        fix: "Omit the output. `bias_forces` and `velocity_terms` hold all terms without accelerations.",
    }
    E0589 "an operational-space inertia that does not exist" {
        what: "`operational_space_inertia` was requested of a point, or of a frame and a point, that the machine moves in fewer independent directions than there are components.",
        why: "It is the inverse of the mobility `J M^-1 J^T`, which is singular at every state where J has fewer independent rows than components. Components that never move are left out by themselves; others that depend on each other are not.",
        fix: "Request `mobility` and invert it in the directions that are free, or request the inertia of a point alone instead of a frame and a point.",
    }
    E0594 "a regressor of a model without parameters" {
        what: "A regressor was requested, or the parameters of one, but nothing in the model is linear in a parameter of that kind.",
        why: "The columns of `regressor` belong to the inertial parameters of particles and bodies and to parameters of stated kinetic energies, those of `load_regressor` to parameters in which loads and potentials are linear, such as damping or Coulomb coefficients. Numbers, and parameters that have been fixed, have no columns.",
        fix: "Omit the output, or declare what is to be identified as a parameter:",
        corrected: "model slider\nparam m = 1 : kg > 0\nparam d = 0.2 : N*s/m >= 0\ncoord x : m\npoint P = O + x*N.x\nparticle A: mass m at P\nforce on A: -d*x'*N.x",
    }
    E0595 "base parameters that cannot be grouped in symbols" {
        what: "`base_parameters` were requested, but how the inertial parameters are grouped was not found as a short formula in the parameters of the model.",
        why: "The groupings are found from exact values at random parameters, as quotients of polynomials of low degree in lengths, sines and cosines. Those of closed loops and of unusual geometry may be longer.",
        fix: "Request `base_regressor` alone, which exists nevertheless, or fix the parameters of the geometry with `--fix`, so that the groupings are numbers.",
    }
    E0596 "base parameters of a machine whose states are not known" {
        what: "Base parameters were requested of a model in which constraint rows remain between the speeds of the state, or whose position constraints are met at too few states.",
        why: "Which columns of the regressor are independent is seen at many states that satisfy the constraints, in speeds that are independent.",
        fix: "Request `regressor`, whose forces contain those of the constraints. Declare independent speeds, or give parameters and coordinates values with which the mechanism closes.",
    }
    E0597 "an input that the model does not have" {
        what: "`actuation` was requested of an input that the model does not declare, or of one input twice.",
        why: "It takes the names of inputs of the model in parentheses, `actuation(tau1, tau2)`: those that are free to be chosen.",
        fix: "Name inputs of the model, each once; declare those that are missing with `input`.",
    }
    E0598 "inputs that cannot make the machine move as asked" {
        what: "`actuation` was requested of inputs that do no work on some motion that the constraints allow, at any state, or of inputs in which loads are not linear.",
        why: "Accelerations in that direction cannot be prescribed: there are no values of these inputs for them. The label names the speeds of such a motion.",
        fix: "Name further inputs. `inverse_dynamics` gives the forces on the speeds of the state, and `minimum_norm_forces` those on all coordinates.",
    }
    E0599 "a linear model without independent coordinates" {
        what: "`linearization_reduced` was requested, but no state was found that satisfies the constraints, or some of the constraints depend on the others at some of these states and not at others.",
        why: "The linear model on the constraints is in entries of the state that are independent, as many at each state. Where the constraints change their rank, the number of these changes.",
        fix: "Leave out the constraints that repeat what others say, correct lengths with which the mechanism does not close, or request `linearization`, which has all entries of the state.",
    }
}
