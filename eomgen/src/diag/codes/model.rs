//! E01xx: names, sorts of things, and what a model may state. From E0150 on: warnings.

super::codes! {
    E0101 "a name that is not declared" {
        what: "An expression or statement mentions a name that nothing in the model declares.",
        why: "Every name needs a declaration, before or after its use, except `N`, `O`, `t` and `pi`. Names are case-sensitive.",
        example: "model line\nparam m : kg > 0\nparam k : N/m\ncoord x : m\npoint P = O + x*N.x\nparticle A: mass m at P\nforce on P: -K*x*N.x",
        fix: "Declare the name or correct it:",
        corrected: "model line\nparam m : kg > 0\nparam k : N/m\ncoord x : m\npoint P = O + x*N.x\nparticle A: mass m at P\nforce on P: -k*x*N.x",
    }
    E0102 "a name declared twice" {
        what: "Two declarations have the same name.",
        why: "All names of a model share one name space, so that each means one thing in the model, in the generated code and in messages.",
        example: "model line\nparam m : kg > 0\nparam k : N/m\ncoord x : m\npoint P = O + x*N.x\nparticle A: mass m at P\nconstraint P: x' = 0",
        fix: "Choose another name for one of them:",
        corrected: "model line\nparam m : kg > 0\nparam k : N/m\ncoord x : m\npoint P = O + x*N.x\nparticle A: mass m at P\nconstraint stop: x' = 0",
    }
    E0103 "a predeclared name declared again" {
        what: "A declaration has one of the names `N` (the inertial frame), `O` (its origin), `t` (time) or `pi`, or a function has the name of a function of the language.",
        why: "These few names mean the same in every model.",
        example: "model line\nparam m : kg > 0\nparam k : N/m\ncoord x : m\npoint P = O + x*N.x\nparticle A: mass m at P\nfunction sin(x) : N",
        fix: "Choose another name:",
        corrected: "model line\nparam m : kg > 0\nparam k : N/m\ncoord x : m\npoint P = O + x*N.x\nparticle A: mass m at P\nfunction lift(x) : N",
    }
    E0104 "a value of the wrong kind" {
        what: "A scalar, vector, point or frame appears where another kind is needed, or a name is used as something that it is not.",
        why: "Scalars, vectors, points and frames are different kinds of values: forces are vectors, angles are scalars, velocities belong to points.",
        example: "model line\nparam m : kg > 0\nparam k : N/m\ncoord x : m\npoint P = O + x*N.x\nparticle A: mass m at P\nforce on P: -k*x",
        fix: "Give a scalar a direction, take a component of a vector with `dot`, or name a value of the right kind:",
        corrected: "model line\nparam m : kg > 0\nparam k : N/m\ncoord x : m\npoint P = O + x*N.x\nparticle A: mass m at P\nforce on P: -k*x*N.x",
    }
    E0105 "an operation between incompatible values" {
        what: "The two sides of an operator or of a constraint cannot be combined, such as a scalar and a vector in a sum.",
        why: "A point plus a vector is a point, a point minus a point is a vector; vectors are multiplied with `dot` and `cross`; points themselves cannot be added or scaled.",
        example: "model line\nparam m : kg > 0\nparam k : N/m\ncoord x : m\npoint P = O + x*N.x\nparticle A: mass m at P\noutput e = m*vel(P)*vel(P)/2",
        fix: "Write the operation that you meant:",
        corrected: "model line\nparam m : kg > 0\nparam k : N/m\ncoord x : m\npoint P = O + x*N.x\nparticle A: mass m at P\noutput e = m*dot(vel(P), vel(P))/2",
    }
    E0106 "circular declarations" {
        what: "Declarations depend on each other in a circle; the message names the chain.",
        why: "The order of declaration does not matter, but every frame, point and name must be definable from others without referring to itself.",
        example: "model line\nparam m : kg > 0\nparam k : N/m\ncoord x : m\npoint P = O + x*N.x\nparticle A: mass m at P\nlet a = b + 1\nlet b = 2*a",
        fix: "Define one of them without the others:",
        corrected: "model line\nparam m : kg > 0\nparam k : N/m\ncoord x : m\npoint P = O + x*N.x\nparticle A: mass m at P\nlet a = 1\nlet b = 2*a",
    }
    E0107 "the wrong number of arguments" {
        what: "A function is called with more or fewer arguments than it takes.",
        why: "Functions of the language take a fixed number of arguments (`min` and `max` two or more), functions of the model as many as they declare.",
        example: "model line\nparam m : kg > 0\nparam k : N/m\ncoord x : m\npoint P = O + x*N.x\nparticle A: mass m at P\noutput s = atan2(x)",
        fix: "Pass all arguments:",
        corrected: "model line\nparam m : kg > 0\nparam k : N/m\ncoord x : m\npoint P = O + x*N.x\nparticle A: mass m at P\noutput s = atan2(x, 2 [m])",
    }
    E0108 "a derivative that does not exist" {
        what: "A prime, or `dt`, is applied to something whose derivative is unknown or undefined.",
        why: "Primes apply to coordinates, speeds and scalar `let`s. Vectors are differentiated in a frame, `dt(v, B)`. The rate of an input is unknown. Outputs may contain accelerations but not their rates.",
        example: "model line\nparam m : kg > 0\nparam k : N/m\ncoord x : m\npoint P = O + x*N.x\nparticle A: mass m at P\noutput p = (m*x)'",
        fix: "Give the expression a name, or write the velocity that you meant:",
        corrected: "model line\nparam m : kg > 0\nparam k : N/m\ncoord x : m\npoint P = O + x*N.x\nparticle A: mass m at P\nlet mx = m*x\noutput p = mx'",
    }
    E0109 "an invalid number" {
        what: "A number cannot be read, or a constant has no value: a division by zero, or a function outside of its domain.",
        why: "Numbers are kept exactly as written; division by 0, the root of a negative number and the logarithm of 0 have no value.",
        example: "model line\nparam m : kg > 0\nparam k : N/m\ncoord x : m\npoint P = O + x*N.x\nparticle A: mass m at P\noutput s = x/0",
        fix: "Write the number that you meant:",
        corrected: "model line\nparam m : kg > 0\nparam k : N/m\ncoord x : m\npoint P = O + x*N.x\nparticle A: mass m at P\noutput s = x/2",
    }
    E0110 "an invalid frame" {
        what: "The value of a frame is not one of `rotate`, `rotate_body`, `rotate_space` and `matrix`, or its arguments are wrong.",
        why: "A frame is rotated relative to its parent about axes fixed in the parent: a basis vector, or a sum of basis vectors with constant factors.",
        example: "model line\nparam m : kg > 0\nparam k : N/m\ncoord x : m\npoint P = O + x*N.x\nparticle A: mass m at P\nframe B = rotate(N, N.z)",
        fix: "Give the parent, the angle and the axis:",
        corrected: "model line\nparam m : kg > 0\nparam k : N/m\ncoord x : m\npoint P = O + x*N.x\nparticle A: mass m at P\nparam alpha : rad\nframe B = rotate(N, alpha, N.z)",
    }
    E0111 "a matrix that is not a rotation" {
        what: "The entries of a `matrix` are numbers, but its columns are not orthonormal to 1e-6 and right-handed.",
        why: "The columns are the basis vectors of the new frame in its parent. Entries that are not numbers are not checked here.",
        example: "model line\nparam m : kg > 0\nparam k : N/m\ncoord x : m\npoint P = O + x*N.x\nparticle A: mass m at P\nframe B = matrix(N, [0, 1, 0], [1, 0, 0], [0, 0, 1])",
        fix: "Correct the entries:",
        corrected: "model line\nparam m : kg > 0\nparam k : N/m\ncoord x : m\npoint P = O + x*N.x\nparticle A: mass m at P\nframe B = matrix(N, [0, -1, 0], [1, 0, 0], [0, 0, 1])",
    }
    E0112 "a position that depends on rates or inputs" {
        what: "The position of a point or the orientation of a frame depends on a rate, a speed or an input.",
        why: "Velocities are derivatives of positions with respect to coordinates and time. Relations between rates are constraints; the rates of an input are unknown.",
        example: "model line\nparam m : kg > 0\nparam k : N/m\ncoord x : m\npoint P = O + x*N.x\nparticle A: mass m at P\ninput h : m\npoint Q = P + h*N.y",
        fix: "Use a coordinate with a constraint, or a `function` of time, whose derivatives the user supplies:",
        corrected: "model line\nparam m : kg > 0\nparam k : N/m\ncoord x : m\npoint P = O + x*N.x\nparticle A: mass m at P\nfunction h(t) : m\npoint Q = P + h*N.y",
    }
    E0113 "a body with clauses missing or stated twice" {
        what: "A `body` lacks one of `frame`, `mass`, `center` and `inertia`, has one of them twice, or has an inertia with neither three nor six entries.",
        why: "eomgen assumes nothing about a body that the model does not state.",
        example: "model wheel\nparam m : kg > 0\nparam J : kg*m^2 > 0\ncoord q : rad\nframe B = rotate(N, q, N.z)\nbody W: frame B, inertia [J, J, J]",
        fix: "State each clause once; use `particle` for a point mass:",
        corrected: "model wheel\nparam m : kg > 0\nparam J : kg*m^2 > 0\ncoord q : rad\nframe B = rotate(N, q, N.z)\nbody W: frame B, mass m, center O, inertia [J, J, J]",
    }
    E0114 "a negative mass or moment of inertia" {
        what: "A mass or a moment of inertia is a negative number.",
        why: "No body has one, and the equations would not be solvable.",
        example: "model line\nparam m : kg > 0\nparam k : N/m\ncoord x : m\npoint P = O + x*N.x\nparticle A: mass m at P\nparticle B: mass -1 [kg] at P",
        fix: "Correct the number; for the effect of a counterweight use a `force`:",
        corrected: "model line\nparam m : kg > 0\nparam k : N/m\ncoord x : m\npoint P = O + x*N.x\nparticle A: mass m at P\nparticle B: mass 1 [kg] at P",
    }
    E0115 "a variable mass or inertia" {
        what: "A mass or moment of inertia depends on a coordinate, on time or on an input, or the inertia refers to a frame that does not rotate with the body.",
        why: "The equations of motion assume bodies of constant mass whose inertia is constant in their own frame.",
        example: "model wheel\nparam m : kg > 0\nparam J : kg*m^2 > 0\ncoord q : rad\nframe B = rotate(N, q, N.z)\nbody W: frame B, mass m, center O, inertia [J, J, J] in N",
        fix: "State the inertia in the body's frame or in one rotated from it by constant angles:",
        corrected: "model wheel\nparam m : kg > 0\nparam J : kg*m^2 > 0\ncoord q : rad\nframe B = rotate(N, q, N.z)\nbody W: frame B, mass m, center O, inertia [J, J, J]",
    }
    E0116 "gravity stated twice or varying with the motion" {
        what: "There is a second `gravity` statement, or gravity depends on a coordinate, rate or speed.",
        why: "Gravity is uniform: one acceleration for all bodies.",
        example: "model line\nparam m : kg > 0\nparam k : N/m\ncoord x : m\npoint P = O + x*N.x\nparticle A: mass m at P\ngravity: -9.81 [m/s^2]*N.z\ngravity: 1.62 [m/s^2]*N.x",
        fix: "Add the vectors in one statement, and write a varying field as a `force` on each body:",
        corrected: "model line\nparam m : kg > 0\nparam k : N/m\ncoord x : m\npoint P = O + x*N.x\nparticle A: mass m at P\ngravity: 1.62 [m/s^2]*N.x - 9.81 [m/s^2]*N.z",
    }
    E0117 "a load that cannot act there" {
        what: "A force acts on a frame, a torque on a point or particle, or a generalized force on something that is not a coordinate; or a load depends on accelerations, or its opposite acts on the same point or body.",
        why: "Forces act at points, torques on bodies and frames, generalized forces on coordinates. Accelerations are the unknowns of the equations.",
        example: "model line\nparam m : kg > 0\nparam k : N/m\ncoord x : m\npoint P = O + x*N.x\nparticle A: mass m at P\nforce on N: -k*x*N.x",
        fix: "Name the point, body or coordinate that the load acts on:",
        corrected: "model line\nparam m : kg > 0\nparam k : N/m\ncoord x : m\npoint P = O + x*N.x\nparticle A: mass m at P\nforce on P: -k*x*N.x",
    }
    E0118 "an invalid speed" {
        what: "The value of a `speed` contains no rate, is not linear in the rates, or depends on accelerations, inputs or other speeds.",
        why: "Speeds replace the rates of the coordinates: they are sums of rates times functions of coordinates and time, optionally with a term without rates.",
        example: "model line\nparam m : kg > 0\nparam k : N/m\ncoord x : m\npoint P = O + x*N.x\nparticle A: mass m at P\nspeed u = x'^2",
        fix: "Define the speed by rates, and use `let` for other values:",
        corrected: "model line\nparam m : kg > 0\nparam k : N/m\ncoord x : m\npoint P = O + x*N.x\nparticle A: mass m at P\nspeed u = 2*x'\nlet e = m*u^2/2",
    }
    E0119 "a constraint that constrains nothing" {
        what: "No coordinate, rate or speed appears in a constraint, or both its sides are the same.",
        why: "Such an equation is either always or never satisfied.",
        example: "model line\nparam m : kg > 0\nparam k : N/m\ncoord x : m\npoint P = O + x*N.x\nparticle A: mass m at P\nconstraint c: m = 2 [kg]",
        fix: "Give values as defaults or numbers, and bounds with `assume`:",
        corrected: "model line\nparam m : kg > 0\nparam k : N/m\ncoord x : m\npoint P = O + x*N.x\nparticle A: mass m at P\nassume m > 2 [kg]",
    }
    E0120 "a constraint on inputs or third derivatives" {
        what: "An input, or the rate of an acceleration, appears in a constraint.",
        why: "Constraints on positions are differentiated twice and those on velocities once, but the rates of an input are unknown. An input may appear only in a constraint on accelerations.",
        example: "model line\nparam m : kg > 0\nparam k : N/m\ncoord x : m\npoint P = O + x*N.x\nparticle A: mass m at P\ninput v : m/s\nconstraint c: x' = v",
        fix: "Prescribe a motion with a `function` of time:",
        corrected: "model line\nparam m : kg > 0\nparam k : N/m\ncoord x : m\npoint P = O + x*N.x\nparticle A: mass m at P\nfunction v(t) : m/s\nconstraint c: x' = v",
    }
    E0121 "an invalid privileged velocity" {
        what: "An entry of a `privileged` list is neither a speed nor the rate of a coordinate, or is listed twice.",
        why: "The privileged velocities are those that remain independent when the constraints are solved for the others.",
        example: "model line\nparam m : kg > 0\nparam k : N/m\ncoord x : m\npoint P = O + x*N.x\nparticle A: mass m at P\nprivileged x",
        fix: "List rates and speeds:",
        corrected: "model line\nparam m : kg > 0\nparam k : N/m\ncoord x : m\npoint P = O + x*N.x\nparticle A: mass m at P\nprivileged x'",
    }
    E0122 "an invalid assumption" {
        what: "An assumption is an equation, contains only numbers, or contradicts another.",
        why: "Assumptions are inequalities. A factor may be cancelled without a remark only if an assumption excludes that it vanishes.",
        example: "model line\nparam m : kg > 0\nparam k : N/m\ncoord x : m\npoint P = O + x*N.x\nparticle A: mass m at P\nassume m < 0",
        fix: "State an inequality that holds:",
        corrected: "model line\nparam m : kg > 0\nparam k : N/m\ncoord x : m\npoint P = O + x*N.x\nparticle A: mass m at P\nassume m > 1 [kg]",
    }
    E0123 "a default that is not a number or violates an assumption" {
        what: "The default of a parameter or the initial value of a coordinate is not a number, or violates an assumption; or an input has a default.",
        why: "Defaults are plain numbers, in the declared unit unless they carry another; `pi` and `+ - * / ^` are allowed. Inputs are supplied at every evaluation.",
        example: "model line\nparam m : kg > 0\nparam k : N/m\ncoord x : m\npoint P = O + x*N.x\nparticle A: mass m at P\nparam r = 2*k",
        fix: "Use `let` for what follows from other values:",
        corrected: "model line\nparam m : kg > 0\nparam k : N/m\ncoord x : m\npoint P = O + x*N.x\nparticle A: mass m at P\nlet r = 2*k",
    }
    E0124 "a model without coordinates" {
        what: "The model declares no coordinate.",
        why: "Without a coordinate nothing can move, and there are no equations of motion.",
        example: "model still\nparam m : kg\nparticle A: mass m at O",
        fix: "Declare one:",
        corrected: "model free\nparam m : kg\ncoord x : m\nparticle A: mass m at P\npoint P = O + x*N.x",
    }
    E0125 "an invalid initial value" {
        what: "An entry of `initial` is neither a coordinate, nor the rate of one, nor a speed, nor a state, or it has an initial value already.",
        why: "A motion starts from coordinates, from their rates or the declared speeds, and from states; all else follows from these.",
        example: "model line\nparam m : kg > 0\nparam k : N/m\ncoord x = 0.1 : m\npoint P = O + x*N.x\nparticle A: mass m at P\nforce on P: -k*x*N.x\ninitial x = 0.2, x' = 1",
        fix: "Say it once:",
        corrected: "model line\nparam m : kg > 0\nparam k : N/m\ncoord x : m\npoint P = O + x*N.x\nparticle A: mass m at P\nforce on P: -k*x*N.x\ninitial x = 0.2, x' = 1",
    }
    E0126 "a state without its rate" {
        what: "A `state` has no `rate` or two, or its rate depends on accelerations, reactions or rates of states; or a `rate` is stated of something that is no state.",
        why: "A state, such as the current of a motor, changes at the rate that the model states, once. Accelerations, reactions and other rates are known only when the equations are solved.",
        example: "model motor\nparam J : kg*m^2 > 0\nparam k : N*m/A\nparam R : ohm\nparam L : H > 0\ncoord q : rad\nstate i : A\nframe B = rotate(N, q, N.z)\nbody rotor: frame B, mass 0, center O, inertia [0, 0, J]\ntorque on rotor: k*i",
        fix: "State it:",
        corrected: "model motor\nparam J : kg*m^2 > 0\nparam k : N*m/A\nparam R : ohm\nparam L : H > 0\ncoord q : rad\nstate i : A\nrate i = -(R*i + k*q')/L\nframe B = rotate(N, q, N.z)\nbody rotor: frame B, mass 0, center O, inertia [0, 0, J]\ntorque on rotor: k*i",
    }
    N0127 "a rotation in decimals" {
        what: "A constant angle of a rotation is within 1e-10 rad of a quarter turn, or of some, and is taken for that; or within 1e-4 rad, and is taken as it is. Or the columns of a `matrix` of numbers are orthonormal up to 1e-6, and it is taken for the rotation nearest to it. This is a note; it states the change.",
        why: "Sixteen digits of an angle are not a quarter turn, and seven digits of direction cosines are no rotation. What is left of them in place of zeros would stay in all equations. Of a matrix, the orthogonal factor of its polar decomposition is taken, as the rotation of a quaternion whose components are rounded to fifteen decimals, so that it is exact.",
        example: "model line\nparam m : kg > 0\nparam k : N/m\ncoord x : m\nframe B = rotate(N, 1.57079632679, N.z)\npoint P = O + x*B.x\nparticle A: mass m at P",
        fix: "Write what is meant:",
        corrected: "model line\nparam m : kg > 0\nparam k : N/m\ncoord x : m\nframe B = rotate(N, pi/2, N.z)\npoint P = O + x*B.x\nparticle A: mass m at P",
    }
    E0150 "an unused coordinate" {
        what: "Nothing in the model depends on a coordinate.",
        why: "Its acceleration would be undetermined; probably a name is wrong somewhere.",
        example: "model line\nparam m : kg > 0\nparam k : N/m\ncoord x : m\npoint P = O + x*N.x\nparticle A: mass m at P\ncoord y : m",
        fix: "Use it or remove it:",
        corrected: "model line\nparam m : kg > 0\nparam k : N/m\ncoord x : m\npoint P = O + x*N.x\nparticle A: mass m at P\n",
    }
    E0151 "impossible moments of inertia" {
        what: "One of the three moments of inertia exceeds the sum of the other two.",
        why: "Moments of inertia are integrals of squared distances from the axes, for which this is impossible; often two entries are swapped or a mass is missing. The equations are derived nevertheless.",
        example: "model wheel\nparam m : kg > 0\nparam J : kg*m^2 > 0\ncoord q : rad\nframe B = rotate(N, q, N.z)\nbody W: frame B, mass m, center O, inertia [1 [kg*m^2], 1 [kg*m^2], 3 [kg*m^2]]",
        fix: "Check the numbers; for a flat body the two are equal:",
        corrected: "model wheel\nparam m : kg > 0\nparam J : kg*m^2 > 0\ncoord q : rad\nframe B = rotate(N, q, N.z)\nbody W: frame B, mass m, center O, inertia [1 [kg*m^2], 1 [kg*m^2], 2 [kg*m^2]]",
    }
    E0152 "a model without mass" {
        what: "The model declares no particle and no body.",
        why: "Without mass the accelerations are undetermined.",
        example: "model free\ncoord x : m\npoint P = O + x*N.x",
        fix: "Declare one:",
        corrected: "model line\nparam m : kg > 0\nparam k : N/m\ncoord x : m\npoint P = O + x*N.x\nparticle A: mass m at P\n",
    }
    E0153 "a point that may not be fixed in its body" {
        what: "The inertia of a body refers to a point that cannot be seen to be fixed in the body.",
        why: "Moments of inertia about a moving point would vary. Points are recognized as fixed if they are offset from each other by constant vectors in the body's frame.",
        example: "model wheel\nparam m : kg > 0\nparam J : kg*m^2 > 0\ncoord q : rad\nframe B = rotate(N, q, N.z)\ncoord x : m\npoint C = O + x*N.x\nbody W: frame B, mass m, center C, inertia [J, J, J] about O",
        fix: "Define the point relative to the centre in the body's frame:",
        corrected: "model wheel\nparam m : kg > 0\nparam J : kg*m^2 > 0\ncoord q : rad\nframe B = rotate(N, q, N.z)\nparam l : m\npoint C = O + l*B.x\nbody W: frame B, mass m, center C, inertia [J, J, J] about O",
    }
}
