//! Reactions of constraints, and constraints on accelerations.

super::codes! {
    E0460 "a reaction that does not exist" {
        what: "`reaction(...)` names something that is not a constraint, or a row that the constraint does not have.",
        why: "The reaction of a stated constraint is its multipliers, one for each of its equations. What is built into the definition of a point or frame has no reaction unless one is declared.",
        example: "model pendulum\nparam m : kg > 0\nparam l : m > 0\ncoord theta : rad\nframe B = rotate(N, theta, N.z)\npoint P = O + l*B.x\nparticle A: mass m at P\ngravity: 9.81 [m/s^2]*N.x\noutput tension = reaction(P)",
        fix: "Name a constraint, or declare the force that holds the point in its defined position:",
        corrected: "model pendulum\nparam m : kg > 0\nparam l : m > 0\ncoord theta : rad\nframe B = rotate(N, theta, N.z)\npoint P = O + l*B.x\nparticle A: mass m at P\ngravity: 9.81 [m/s^2]*N.x\nreaction pull at P: -B.x",
    }
    E0461 "a reaction in a place where none is allowed" {
        what: "A position, speed, constraint, assumption, mass, gravity or non-ideal force depends on the reaction of a constraint.",
        why: "Reactions are solved for together with the accelerations. They may appear in outputs, and in loads as long as the equations remain linear in them.",
        example: "model slide\nparam m : kg > 0\nparam mu : 1\ncoord x, y : m\npoint P = O + x*N.x + y*N.y\nparticle A: mass m at P\ngravity: -9.81 [m/s^2]*N.y\nconstraint floor: y = 0\nnonideal on P: -mu*reaction(floor)*N.x",
        fix: "State friction as an applied force that depends on the reaction:",
        corrected: "model slide\nparam m : kg > 0\nparam mu : 1\ncoord x, y : m\npoint P = O + x*N.x + y*N.y\nparticle A: mass m at P\ngravity: -9.81 [m/s^2]*N.y\nconstraint floor: y = 0\nforce on P: -mu*reaction(floor)*tanh(x'/(1 [mm/s]))*N.x",
    }
    E0462 "a load that is not linear in the reactions" {
        what: "A load contains the absolute value, a power, a product or another function of the reactions of constraints.",
        why: "Accelerations and reactions are the solution of linear equations. With `abs(reaction(c))` there may be two solutions or none.",
        example: "model slide\nparam m : kg > 0\nparam mu : 1\ncoord x, y : m\npoint P = O + x*N.x + y*N.y\nparticle A: mass m at P\ngravity: -9.81 [m/s^2]*N.y\nconstraint floor: y = 0\nforce on P: -mu*abs(reaction(floor))*tanh(x'/(1 [mm/s]))*N.x",
        fix: "Choose the side on which the contact acts, so that the reaction is positive; for a guide that can press from both sides, choose the side for the present motion:",
        corrected: "model slide\nparam m : kg > 0\nparam mu : 1\ncoord x, y : m\npoint P = O + x*N.x + y*N.y\nparticle A: mass m at P\ngravity: -9.81 [m/s^2]*N.y\nconstraint floor: y = 0\nforce on P: -mu*reaction(floor)*tanh(x'/(1 [mm/s]))*N.x",
    }
    E0463 "a load that depends on a reaction that is not unique" {
        what: "A load depends on the reaction of a redundant constraint.",
        why: "How redundant constraints share their force is statically indeterminate for rigid bodies, and so would the load be.",
        example: "model slide\nparam m : kg > 0\nparam mu : 1\ncoord x, y : m\npoint P = O + x*N.x + y*N.y\nparticle A: mass m at P\ngravity: -9.81 [m/s^2]*N.y\nconstraint floor: y = 0\nconstraint again: 2*y = 0\nforce on P: -mu*reaction(floor)*tanh(x'/(1 [mm/s]))*N.x",
        fix: "Remove one of the constraints, or model the compliance of the contact with a spring:",
        corrected: "model slide\nparam m : kg > 0\nparam mu : 1\ncoord x, y : m\npoint P = O + x*N.x + y*N.y\nparticle A: mass m at P\ngravity: -9.81 [m/s^2]*N.y\nconstraint floor: y = 0\nforce on P: -mu*reaction(floor)*tanh(x'/(1 [mm/s]))*N.x",
    }
    E0464 "a constraint that is not linear in the accelerations" {
        what: "A constraint on accelerations contains a product, power or other nonlinear function of them.",
        why: "Constraints are brought into the form `A q'' = b`. A relation that is not linear in the accelerations may have several solutions or none.",
        example: "model still\nparam m : kg > 0\ncoord x, y : m\npoint P = O + x*N.x + y*N.y\nparticle A: mass m at P\nconstraint c: x''^2 + y''^2 = 4 [m^2/s^4]",
        fix: "State a relation that is linear in them, or the velocity relation whose derivative is meant:",
        corrected: "model still\nparam m : kg > 0\ncoord x, y : m\npoint P = O + x*N.x + y*N.y\nparticle A: mass m at P\nconstraint c: x'' + 2*y'' = 4 [m/s^2]",
    }
    E0465 "a declared reaction that supports nothing" {
        what: "`reaction NAME at PLACE: DIRECTION` names something that no definition holds in place, or has no direction.",
        why: "The reaction is the force that keeps a point where its definition places it relative to the point it is defined from, or the torque that keeps a frame in its defined orientation.",
        example: "model pendulum\nparam m : kg > 0\nparam l : m > 0\ncoord theta : rad\nframe B = rotate(N, theta, N.z)\npoint P = O + l*B.x\nparticle A: mass m at P\nreaction pull at O: N.x",
        fix: "Name the point or frame that is held; the support feels the opposite reaction:",
        corrected: "model pendulum\nparam m : kg > 0\nparam l : m > 0\ncoord theta : rad\nframe B = rotate(N, theta, N.z)\npoint P = O + l*B.x\nparticle A: mass m at P\nreaction pull at P: N.x",
    }
    N0466 "a reaction that is not unique" {
        what: "An output contains the reaction of a redundant constraint.",
        why: "How redundant constraints share their force is statically indeterminate for rigid bodies. The value given belongs to the minimum-norm multipliers.",
        example: "model slide\nparam m : kg > 0\ncoord x, y : m\npoint P = O + x*N.x + y*N.y\nparticle A: mass m at P\ngravity: -9.81 [m/s^2]*N.y\nconstraint floor: y = 0\nconstraint again: 2*y = 0\noutput normal = reaction(floor)",
        fix: "Remove one of the constraints if you need a unique value:",
        corrected: "model slide\nparam m : kg > 0\ncoord x, y : m\npoint P = O + x*N.x + y*N.y\nparticle A: mass m at P\ngravity: -9.81 [m/s^2]*N.y\nconstraint floor: y = 0\noutput normal = reaction(floor)",
    }
    N0467 "a force at a point that is fixed in no body" {
        what: "A force acts at a point that moves along the bodies, such as a point of contact. This is a note: the model is derived as it stands.",
        why: "The power of a force at a point is that of the point's velocity. The point of contact of a ball moves with the ball's centre, so friction stated there slows the ball down and never turns it. Friction acts on the material point of the ball that is at the contact.",
        example: "model ball\nparam m = 1 : kg > 0\nparam r = 0.1 : m > 0\nparam mu = 0.2 : 1\ncoord x, z : m\ncoord q : rad\nframe B = rotate(N, q, N.y)\npoint C = O + x*N.x + z*N.z\nbody ball: frame B, mass m, center C, inertia [2/5*m*r^2]\npoint P = contact_sphere(C, r, N.z)\ngravity: -9.81 [m/s^2]*N.z\nconstraint touch: z = r\nforce on P: -mu*reaction(touch)*tanh(dot(vel_at(ball, P), N.x)/(1 [mm/s]))*N.x",
        fix: "Name the body on which the force acts:",
        corrected: "model ball\nparam m = 1 : kg > 0\nparam r = 0.1 : m > 0\nparam mu = 0.2 : 1\ncoord x, z : m\ncoord q : rad\nframe B = rotate(N, q, N.y)\npoint C = O + x*N.x + z*N.z\nbody ball: frame B, mass m, center C, inertia [2/5*m*r^2]\npoint P = contact_sphere(C, r, N.z)\ngravity: -9.81 [m/s^2]*N.z\nconstraint touch: z = r\nforce on ball at P: -mu*reaction(touch)*tanh(dot(vel_at(ball, P), N.x)/(1 [mm/s]))*N.x",
    }
    N0468 "a load by a reaction of either sign" {
        what: "A load contains the reaction of a constraint, which was found positive at some states and negative at others. This is a note: the model is derived as it stands.",
        why: "A constraint holds from both sides. Friction is against the motion where the reaction is positive, where the surfaces press; where it is negative, the same expression drives the motion on.",
        example: "model slide\nparam m : kg > 0\nparam mu : 1\ncoord x, y : m\ninput F : N\npoint P = O + x*N.x + y*N.y\nparticle A: mass m at P\nforce on P: F*N.y\nconstraint floor: y = 0\nforce on P: -mu*reaction(floor)*tanh(x'/(1 [mm/s]))*N.x",
        fix: "Keep the reaction as an output, and use the model where it is positive: where it is negative, a contact would have opened, and the other side of a guide would press. A contact under its own weight alone cannot open:",
        corrected: "model slide\nparam m : kg > 0\nparam mu : 1\ncoord x, y : m\npoint P = O + x*N.x + y*N.y\nparticle A: mass m at P\ngravity: -9.81 [m/s^2]*N.y\nconstraint floor: y = 0\nforce on P: -mu*reaction(floor)*tanh(x'/(1 [mm/s]))*N.x",
    }
}
