//! E01xx: names, sorts of things, and what a model may state. From E0150 on: warnings.

super::codes! {
    E0101 "a name that is not declared" {
        what: "An expression or statement mentions a name that nothing in the model declares.",
        why: "Every name comes from a declaration, before or after its use, apart from `N`, `O`, `t` and `pi`. Capitals matter.",
        example: "model line\nparam m : kg > 0\nparam k : N/m\ncoord x : m\npoint P = O + x*N.x\nparticle A: mass m at P\nforce on P: -K*x*N.x",
        fix: "Declare the name or write the one that was meant:",
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
    E0104 "one sort of thing where another is wanted" {
        what: "A scalar, vector, point or frame stands where another of these is wanted, or a name is used for what it is not.",
        why: "Scalars, vectors, points and frames are different sorts: forces are vectors, angles are scalars, velocities belong to points.",
        example: "model line\nparam m : kg > 0\nparam k : N/m\ncoord x : m\npoint P = O + x*N.x\nparticle A: mass m at P\nforce on P: -k*x",
        fix: "Give a scalar a direction, take a component of a vector with `dot`, or name what is wanted:",
        corrected: "model line\nparam m : kg > 0\nparam k : N/m\ncoord x : m\npoint P = O + x*N.x\nparticle A: mass m at P\nforce on P: -k*x*N.x",
    }
    E0105 "an operation between things that do not go together" {
        what: "The two sides of an operator or of a constraint cannot be combined, such as a scalar and a vector in a sum.",
        why: "A point plus a vector is a point, a point minus a point is a vector; vectors are multiplied with `dot` and `cross`; points themselves cannot be added or scaled.",
        example: "model line\nparam m : kg > 0\nparam k : N/m\ncoord x : m\npoint P = O + x*N.x\nparticle A: mass m at P\noutput e = m*vel(P)*vel(P)/2",
        fix: "Write the operation that is meant:",
        corrected: "model line\nparam m : kg > 0\nparam k : N/m\ncoord x : m\npoint P = O + x*N.x\nparticle A: mass m at P\noutput e = m*dot(vel(P), vel(P))/2",
    }
    E0106 "declarations that need each other" {
        what: "Declarations need each other in a circle; the message names the chain.",
        why: "The order of declaration does not matter, but each frame, point and name has to stand on others that come before it in some order.",
        example: "model line\nparam m : kg > 0\nparam k : N/m\ncoord x : m\npoint P = O + x*N.x\nparticle A: mass m at P\nlet a = b + 1\nlet b = 2*a",
        fix: "Define one of them without the others:",
        corrected: "model line\nparam m : kg > 0\nparam k : N/m\ncoord x : m\npoint P = O + x*N.x\nparticle A: mass m at P\nlet a = 1\nlet b = 2*a",
    }
    E0107 "the wrong number of arguments" {
        what: "A function is called with more or fewer arguments than it takes.",
        why: "Functions of the language take a fixed number of arguments (`min` and `max` two or more), functions of the model as many as are declared.",
        example: "model line\nparam m : kg > 0\nparam k : N/m\ncoord x : m\npoint P = O + x*N.x\nparticle A: mass m at P\noutput s = atan2(x)",
        fix: "Give all arguments:",
        corrected: "model line\nparam m : kg > 0\nparam k : N/m\ncoord x : m\npoint P = O + x*N.x\nparticle A: mass m at P\noutput s = atan2(x, 2 [m])",
    }
    E0108 "a rate that does not exist" {
        what: "A prime, or `dt`, stands on something whose rate is not known or not defined.",
        why: "Primes stand on coordinates, speeds and scalar `let`s. Vectors have rates as seen from a frame, `dt(v, B)`. The rate of an input is not known. Outputs contain accelerations but not their rates.",
        example: "model line\nparam m : kg > 0\nparam k : N/m\ncoord x : m\npoint P = O + x*N.x\nparticle A: mass m at P\noutput p = (m*x)'",
        fix: "Give the expression a name, or write the velocity that is meant:",
        corrected: "model line\nparam m : kg > 0\nparam k : N/m\ncoord x : m\npoint P = O + x*N.x\nparticle A: mass m at P\nlet mx = m*x\noutput p = mx'",
    }
    E0109 "a number that cannot be used" {
        what: "A number cannot be read, or something is divided by zero.",
        why: "Numbers are kept exactly as written; nothing finite is divided by 0.",
        example: "model line\nparam m : kg > 0\nparam k : N/m\ncoord x : m\npoint P = O + x*N.x\nparticle A: mass m at P\noutput s = x/0",
        fix: "Write the number that is meant:",
        corrected: "model line\nparam m : kg > 0\nparam k : N/m\ncoord x : m\npoint P = O + x*N.x\nparticle A: mass m at P\noutput s = x/2",
    }
    E0110 "a frame that is not described" {
        what: "The value of a frame is not one of `rotate`, `rotate_body`, `rotate_space` and `matrix`, or its arguments do not fit.",
        why: "A frame is turned in its parent about axes that are fixed in the parent: a basis vector, or a sum of them with constant factors.",
        example: "model line\nparam m : kg > 0\nparam k : N/m\ncoord x : m\npoint P = O + x*N.x\nparticle A: mass m at P\nframe B = rotate(N, N.z)",
        fix: "Give the parent, the angle and the axis:",
        corrected: "model line\nparam m : kg > 0\nparam k : N/m\ncoord x : m\npoint P = O + x*N.x\nparticle A: mass m at P\nparam alpha : rad\nframe B = rotate(N, alpha, N.z)",
    }
    E0111 "a matrix that is not a rotation" {
        what: "The entries of a `matrix` are numbers and its columns are not of length 1, perpendicular and right-handed.",
        why: "The columns are the basis vectors of the new frame in its parent. Entries that are not numbers are not checked here.",
        example: "model line\nparam m : kg > 0\nparam k : N/m\ncoord x : m\npoint P = O + x*N.x\nparticle A: mass m at P\nframe B = matrix(N, [0, 1, 0], [1, 0, 0], [0, 0, 1])",
        fix: "Correct the entries:",
        corrected: "model line\nparam m : kg > 0\nparam k : N/m\ncoord x : m\npoint P = O + x*N.x\nparticle A: mass m at P\nframe B = matrix(N, [0, -1, 0], [1, 0, 0], [0, 0, 1])",
    }
    E0112 "a place that depends on rates or inputs" {
        what: "The place of a point or the orientation of a frame depends on a rate, a speed or an input.",
        why: "Velocities are derivatives of places by coordinates and time. Relations between rates are constraints; the rates of an input are not known.",
        example: "model line\nparam m : kg > 0\nparam k : N/m\ncoord x : m\npoint P = O + x*N.x\nparticle A: mass m at P\ninput h : m\npoint Q = P + h*N.y",
        fix: "Use a coordinate with a constraint, or a `function` of time, whose rates are asked for:",
        corrected: "model line\nparam m : kg > 0\nparam k : N/m\ncoord x : m\npoint P = O + x*N.x\nparticle A: mass m at P\nfunction h(t) : m\npoint Q = P + h*N.y",
    }
    E0113 "a body with clauses missing or stated twice" {
        what: "A `body` lacks one of `frame`, `mass`, `center` and `inertia`, has one of them twice, or has an inertia of neither three nor six entries.",
        why: "Nothing is assumed about a body that the model does not state.",
        example: "model wheel\nparam m : kg > 0\nparam J : kg*m^2 > 0\ncoord q : rad\nframe B = rotate(N, q, N.z)\nbody W: frame B, inertia [J, J, J]",
        fix: "State each clause once; a mass without size is a `particle`:",
        corrected: "model wheel\nparam m : kg > 0\nparam J : kg*m^2 > 0\ncoord q : rad\nframe B = rotate(N, q, N.z)\nbody W: frame B, mass m, center O, inertia [J, J, J]",
    }
    E0114 "a negative mass or moment of inertia" {
        what: "A mass or a moment of inertia is a negative number.",
        why: "No body has one, and the equations would not be solvable.",
        example: "model line\nparam m : kg > 0\nparam k : N/m\ncoord x : m\npoint P = O + x*N.x\nparticle A: mass m at P\nparticle B: mass -1 [kg] at P",
        fix: "Correct the number; the load of a counterweight is a `force`:",
        corrected: "model line\nparam m : kg > 0\nparam k : N/m\ncoord x : m\npoint P = O + x*N.x\nparticle A: mass m at P\nparticle B: mass 1 [kg] at P",
    }
    E0115 "a mass or inertia that changes" {
        what: "A mass or moment of inertia depends on a coordinate, on time or on an input, or the inertia refers to a frame that does not turn with the body.",
        why: "The laws of motion that are used hold for bodies of constant mass whose inertia is constant in their own frame.",
        example: "model wheel\nparam m : kg > 0\nparam J : kg*m^2 > 0\ncoord q : rad\nframe B = rotate(N, q, N.z)\nbody W: frame B, mass m, center O, inertia [J, J, J] in N",
        fix: "State the inertia in the body's frame or one that is turned from it by constant angles:",
        corrected: "model wheel\nparam m : kg > 0\nparam J : kg*m^2 > 0\ncoord q : rad\nframe B = rotate(N, q, N.z)\nbody W: frame B, mass m, center O, inertia [J, J, J]",
    }
    E0116 "gravity stated twice or varying with the motion" {
        what: "There is a second `gravity` statement, or gravity depends on a coordinate, rate or speed.",
        why: "Gravity is uniform: one acceleration of free fall for all bodies.",
        example: "model line\nparam m : kg > 0\nparam k : N/m\ncoord x : m\npoint P = O + x*N.x\nparticle A: mass m at P\ngravity: -9.81 [m/s^2]*N.z\ngravity: 1.62 [m/s^2]*N.x",
        fix: "Add the vectors in one statement, and write a field that varies as a `force` on each body:",
        corrected: "model line\nparam m : kg > 0\nparam k : N/m\ncoord x : m\npoint P = O + x*N.x\nparticle A: mass m at P\ngravity: 1.62 [m/s^2]*N.x - 9.81 [m/s^2]*N.z",
    }
    E0117 "a load that cannot act there" {
        what: "A force is put on a frame, a torque on a point or particle, a generalized force on something that is no coordinate; or a load depends on accelerations, or cancels itself.",
        why: "Forces act at points, torques on bodies and frames, generalized forces on coordinates. Accelerations are what the equations are solved for.",
        example: "model line\nparam m : kg > 0\nparam k : N/m\ncoord x : m\npoint P = O + x*N.x\nparticle A: mass m at P\nforce on N: -k*x*N.x",
        fix: "Name what bears the load:",
        corrected: "model line\nparam m : kg > 0\nparam k : N/m\ncoord x : m\npoint P = O + x*N.x\nparticle A: mass m at P\nforce on P: -k*x*N.x",
    }
    E0118 "a definition that is no speed" {
        what: "The value of a `speed` contains no rate, is not linear in the rates, or depends on accelerations, inputs or other speeds.",
        why: "Speeds replace the rates of the coordinates: they are sums of rates times functions of coordinates and time, perhaps with a term free of rates.",
        example: "model line\nparam m : kg > 0\nparam k : N/m\ncoord x : m\npoint P = O + x*N.x\nparticle A: mass m at P\nspeed u = x'^2",
        fix: "Define the speed by rates, and name other values with `let`:",
        corrected: "model line\nparam m : kg > 0\nparam k : N/m\ncoord x : m\npoint P = O + x*N.x\nparticle A: mass m at P\nspeed u = 2*x'\nlet e = m*u^2/2",
    }
    E0119 "a constraint that constrains nothing" {
        what: "No coordinate, rate or speed appears in a constraint, or both its sides are the same.",
        why: "Such an equation is either always true or never.",
        example: "model line\nparam m : kg > 0\nparam k : N/m\ncoord x : m\npoint P = O + x*N.x\nparticle A: mass m at P\nconstraint c: m = 2 [kg]",
        fix: "State values with defaults or numbers, and bounds with `assume`:",
        corrected: "model line\nparam m : kg > 0\nparam k : N/m\ncoord x : m\npoint P = O + x*N.x\nparticle A: mass m at P\nassume m > 2 [kg]",
    }
    E0120 "a constraint on inputs or third derivatives" {
        what: "An input, or the rate of an acceleration, appears in a constraint.",
        why: "Constraints on places are differentiated twice and those on velocities once; the rates of an input are not known. Only beside accelerations may an input stand.",
        example: "model line\nparam m : kg > 0\nparam k : N/m\ncoord x : m\npoint P = O + x*N.x\nparticle A: mass m at P\ninput v : m/s\nconstraint c: x' = v",
        fix: "State prescribed motion by a `function` of time:",
        corrected: "model line\nparam m : kg > 0\nparam k : N/m\ncoord x : m\npoint P = O + x*N.x\nparticle A: mass m at P\nfunction v(t) : m/s\nconstraint c: x' = v",
    }
    E0121 "a privileged velocity that is none" {
        what: "Something in a `privileged` list is neither a speed nor the rate of a coordinate, or is listed twice.",
        why: "The privileged velocities are those that remain when the constraints are solved for the others.",
        example: "model line\nparam m : kg > 0\nparam k : N/m\ncoord x : m\npoint P = O + x*N.x\nparticle A: mass m at P\nprivileged x",
        fix: "List rates and speeds:",
        corrected: "model line\nparam m : kg > 0\nparam k : N/m\ncoord x : m\npoint P = O + x*N.x\nparticle A: mass m at P\nprivileged x'",
    }
    E0122 "an assumption that cannot be used" {
        what: "An assumption is an equation, speaks of numbers alone, or contradicts another.",
        why: "Assumptions are inequalities; only they let a factor be cancelled without a remark.",
        example: "model line\nparam m : kg > 0\nparam k : N/m\ncoord x : m\npoint P = O + x*N.x\nparticle A: mass m at P\nassume m < 0",
        fix: "State what holds:",
        corrected: "model line\nparam m : kg > 0\nparam k : N/m\ncoord x : m\npoint P = O + x*N.x\nparticle A: mass m at P\nassume m > 1 [kg]",
    }
    E0123 "a value that is no number or against the assumptions" {
        what: "The default of a parameter or the initial value of a coordinate is not a number, or violates what is assumed of it; or an input has a default.",
        why: "Defaults are plain numbers, in the declared unit unless they carry one; `pi` and `+ - * / ^` are allowed. Inputs are supplied at every evaluation.",
        example: "model line\nparam m : kg > 0\nparam k : N/m\ncoord x : m\npoint P = O + x*N.x\nparticle A: mass m at P\nparam r = 2*k",
        fix: "Name what follows from other values with `let`:",
        corrected: "model line\nparam m : kg > 0\nparam k : N/m\ncoord x : m\npoint P = O + x*N.x\nparticle A: mass m at P\nlet r = 2*k",
    }
    E0124 "a model without coordinates" {
        what: "The model declares no coordinate.",
        why: "Without one nothing can move and there are no equations of motion.",
        example: "model still\nparam m : kg\nparticle A: mass m at O",
        fix: "Declare one:",
        corrected: "model free\nparam m : kg\ncoord x : m\nparticle A: mass m at P\npoint P = O + x*N.x",
    }
    E0150 "a coordinate that appears nowhere" {
        what: "Nothing in the model depends on a coordinate.",
        why: "Its acceleration would be undetermined; probably another name was meant somewhere.",
        example: "model line\nparam m : kg > 0\nparam k : N/m\ncoord x : m\npoint P = O + x*N.x\nparticle A: mass m at P\ncoord y : m",
        fix: "Use it or take it away:",
        corrected: "model line\nparam m : kg > 0\nparam k : N/m\ncoord x : m\npoint P = O + x*N.x\nparticle A: mass m at P\n",
    }
    E0151 "moments of inertia that no body has" {
        what: "One of the three moments of inertia exceeds the sum of the other two.",
        why: "Moments of inertia are integrals of squared distances from the axes, for which this is impossible; often two entries are in the wrong order or a mass was forgotten. The equations are derived all the same.",
        example: "model wheel\nparam m : kg > 0\nparam J : kg*m^2 > 0\ncoord q : rad\nframe B = rotate(N, q, N.z)\nbody W: frame B, mass m, center O, inertia [1 [kg*m^2], 1 [kg*m^2], 3 [kg*m^2]]",
        fix: "Check the numbers; a flat body reaches the sum but never exceeds it:",
        corrected: "model wheel\nparam m : kg > 0\nparam J : kg*m^2 > 0\ncoord q : rad\nframe B = rotate(N, q, N.z)\nbody W: frame B, mass m, center O, inertia [1 [kg*m^2], 1 [kg*m^2], 2 [kg*m^2]]",
    }
    E0152 "a model without mass" {
        what: "The model declares no particle and no body.",
        why: "Without mass the accelerations are undetermined.",
        example: "model free\ncoord x : m\npoint P = O + x*N.x",
        fix: "Declare one:",
        corrected: "model line\nparam m : kg > 0\nparam k : N/m\ncoord x : m\npoint P = O + x*N.x\nparticle A: mass m at P\n",
    }
    E0153 "a point that is not evidently fixed in its body" {
        what: "The inertia of a body refers to a point about which it cannot be seen that it moves with the body.",
        why: "The moments of inertia about such a point would change. Points are seen to be fixed if they are placed from each other by constant vectors in the body's frame.",
        example: "model wheel\nparam m : kg > 0\nparam J : kg*m^2 > 0\ncoord q : rad\nframe B = rotate(N, q, N.z)\ncoord x : m\npoint C = O + x*N.x\nbody W: frame B, mass m, center C, inertia [J, J, J] about O",
        fix: "Place the point from the centre in the body's frame:",
        corrected: "model wheel\nparam m : kg > 0\nparam J : kg*m^2 > 0\ncoord q : rad\nframe B = rotate(N, q, N.z)\nparam l : m\npoint C = O + l*B.x\nbody W: frame B, mass m, center C, inertia [J, J, J] about O",
    }
}
