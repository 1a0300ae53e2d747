//! Reactions of constraints, and constraints on accelerations.

super::codes! {
    E0460 "the reaction of something that has none" {
        what: "`reaction(...)` is asked of something that is not a constraint, or of a row that the constraint does not have.",
        why: "A stated constraint has one multiplier for each of its equations, and that is its reaction. What is built into the definition of a point or frame has none, unless one is declared.",
        example: "model pendulum\nparam m : kg > 0\nparam l : m > 0\ncoord theta : rad\nframe B = rotate(N, theta, N.z)\npoint P = O + l*B.x\nparticle A: mass m at P\ngravity: 9.81 [m/s^2]*N.x\noutput tension = reaction(P)",
        fix: "Name a constraint, or declare the force that holds the point in its definition:",
        corrected: "model pendulum\nparam m : kg > 0\nparam l : m > 0\ncoord theta : rad\nframe B = rotate(N, theta, N.z)\npoint P = O + l*B.x\nparticle A: mass m at P\ngravity: 9.81 [m/s^2]*N.x\nreaction pull at P: -B.x",
    }
    E0461 "a reaction where none can stand" {
        what: "A place, speed, constraint, assumption, mass, gravity or non-ideal force depends on the reaction of a constraint.",
        why: "Reactions are found together with the accelerations. They may stand in outputs, and in loads, where the equations stay linear in them.",
        example: "model slide\nparam m : kg > 0\nparam mu : 1\ncoord x, y : m\npoint P = O + x*N.x + y*N.y\nparticle A: mass m at P\ngravity: -9.81 [m/s^2]*N.y\nconstraint floor: y = 0\nnonideal on P: -mu*reaction(floor)*N.x",
        fix: "Friction is an applied force that depends on the reaction:",
        corrected: "model slide\nparam m : kg > 0\nparam mu : 1\ncoord x, y : m\npoint P = O + x*N.x + y*N.y\nparticle A: mass m at P\ngravity: -9.81 [m/s^2]*N.y\nconstraint floor: y = 0\nforce on P: -mu*reaction(floor)*tanh(x'/(1 [mm/s]))*N.x",
    }
    E0462 "a load that is not linear in the reactions" {
        what: "A load contains the absolute value, a power, a product or another function of the reactions of constraints.",
        why: "Accelerations and reactions are the solution of linear equations. With `abs(reaction(c))` there may be two solutions or none.",
        example: "model slide\nparam m : kg > 0\nparam mu : 1\ncoord x, y : m\npoint P = O + x*N.x + y*N.y\nparticle A: mass m at P\ngravity: -9.81 [m/s^2]*N.y\nconstraint floor: y = 0\nforce on P: -mu*abs(reaction(floor))*tanh(x'/(1 [mm/s]))*N.x",
        fix: "State the side on which the contact acts, so that the reaction is positive there; of a pipe or guide that presses from two sides state the side of the present motion:",
        corrected: "model slide\nparam m : kg > 0\nparam mu : 1\ncoord x, y : m\npoint P = O + x*N.x + y*N.y\nparticle A: mass m at P\ngravity: -9.81 [m/s^2]*N.y\nconstraint floor: y = 0\nforce on P: -mu*reaction(floor)*tanh(x'/(1 [mm/s]))*N.x",
    }
    E0463 "a load by a reaction that is not unique" {
        what: "A load depends on the reaction of a constraint that depends on others.",
        why: "Where constraints repeat one another the forces are shared among them in a way that rigid bodies leave open, and so the load would be open.",
        example: "model slide\nparam m : kg > 0\nparam mu : 1\ncoord x, y : m\npoint P = O + x*N.x + y*N.y\nparticle A: mass m at P\ngravity: -9.81 [m/s^2]*N.y\nconstraint floor: y = 0\nconstraint again: 2*y = 0\nforce on P: -mu*reaction(floor)*tanh(x'/(1 [mm/s]))*N.x",
        fix: "Remove one of the constraints, or give the contact a spring that carries its share:",
        corrected: "model slide\nparam m : kg > 0\nparam mu : 1\ncoord x, y : m\npoint P = O + x*N.x + y*N.y\nparticle A: mass m at P\ngravity: -9.81 [m/s^2]*N.y\nconstraint floor: y = 0\nforce on P: -mu*reaction(floor)*tanh(x'/(1 [mm/s]))*N.x",
    }
    E0464 "a constraint that is not linear in the accelerations" {
        what: "A constraint on accelerations contains a product, power or function of them.",
        why: "Constraints are brought into the form `A q'' = b`. A relation that is not linear in the accelerations may have several solutions or none.",
        example: "model still\nparam m : kg > 0\ncoord x, y : m\npoint P = O + x*N.x + y*N.y\nparticle A: mass m at P\nconstraint c: x''^2 + y''^2 = 4 [m^2/s^4]",
        fix: "State a relation that is linear in them, or the relation of velocities whose derivative is meant:",
        corrected: "model still\nparam m : kg > 0\ncoord x, y : m\npoint P = O + x*N.x + y*N.y\nparticle A: mass m at P\nconstraint c: x'' + 2*y'' = 4 [m/s^2]",
    }
    E0465 "a declared reaction that holds nothing" {
        what: "`reaction NAME at PLACE: DIRECTION` names something that is not held by a definition, or has no direction.",
        why: "The reaction is the force that keeps a point where its definition puts it relative to what it is built on, or the torque that keeps a frame turned as its definition says.",
        example: "model pendulum\nparam m : kg > 0\nparam l : m > 0\ncoord theta : rad\nframe B = rotate(N, theta, N.z)\npoint P = O + l*B.x\nparticle A: mass m at P\nreaction pull at O: N.x",
        fix: "Name the point or frame that is held; what acts on the support is the opposite:",
        corrected: "model pendulum\nparam m : kg > 0\nparam l : m > 0\ncoord theta : rad\nframe B = rotate(N, theta, N.z)\npoint P = O + l*B.x\nparticle A: mass m at P\nreaction pull at P: N.x",
    }
    N0466 "a reaction that is not unique" {
        what: "An output contains the reaction of a constraint that depends on others.",
        why: "The constraints share their force in a way that the equations of rigid bodies leave open. The value given is that of least norm among all multipliers.",
        example: "model slide\nparam m : kg > 0\ncoord x, y : m\npoint P = O + x*N.x + y*N.y\nparticle A: mass m at P\ngravity: -9.81 [m/s^2]*N.y\nconstraint floor: y = 0\nconstraint again: 2*y = 0\noutput normal = reaction(floor)",
        fix: "Remove one of the constraints if a single value is meant:",
        corrected: "model slide\nparam m : kg > 0\ncoord x, y : m\npoint P = O + x*N.x + y*N.y\nparticle A: mass m at P\ngravity: -9.81 [m/s^2]*N.y\nconstraint floor: y = 0\noutput normal = reaction(floor)",
    }
}
