//! Codes of quaternions, groups, and points of moving bodies.

use super::codes;

codes! {
    E0440 "a quaternion that is not made of four coordinates" {
        what: "A part of a quaternion is something else than a coordinate, or the same coordinate stands in it twice.",
        why: "The four parts are unknowns of the motion, which a constraint keeps at length 1. A quaternion that is given as a function of other quantities is a turn that is given, and is written as such.",
        example: "model gyro\nparam m : kg > 0\nparam J : kg*m^2 > 0\ncoord e0, e1, e2\nframe B = quaternion(N, e0, e1, e2, 0)\nbody W: frame B, mass m, center O, inertia [J, J, J]",
        fix: "Declare four coordinates; about a fixed axis write `rotate`:",
        corrected: "model gyro\nparam m : kg > 0\nparam J : kg*m^2 > 0\ncoord e0 = 1, e1, e2, e3\nframe B = quaternion(N, e0, e1, e2, e3)\nbody W: frame B, mass m, center O, inertia [J, J, J]",
    }
    E0441 "bodies that cannot be taken together" {
        what: "A group, `com(...)` or `mass(...)` names the same body twice, something that is no name, or bodies without mass.",
        why: "Masses are added up, so each counts once; and a mass centre needs a mass.",
        example: "model pair\nparam m : kg > 0\ncoord x, y : m\npoint P = O + x*N.x\npoint Q = O + y*N.x\nparticle A: mass m at P\nparticle B: mass m at Q\noutput v = vel(com(A, B, A))",
        fix: "Name each once:",
        corrected: "model pair\nparam m : kg > 0\ncoord x, y : m\npoint P = O + x*N.x\npoint Q = O + y*N.x\nparticle A: mass m at P\nparticle B: mass m at Q\noutput v = vel(com(A, B))",
    }
    E0442 "a frame whose origin was taken to be `O`" {
        what: "A velocity as seen from a frame takes `O` as fixed in it, though a body turns with the frame that does not keep its distance from `O`.",
        why: "A frame has directions only. What a velocity relative to it is depends on which point is taken to move with it: the mass centre of a body if the body is named, a point that is given as a further argument, or else `O`.",
        example: "model slider\nparam m : kg > 0\nparam J : kg*m^2 > 0\ncoord x, s : m\ncoord q : rad\nframe B = rotate(N, q, N.z)\npoint C = O + x*N.x\npoint P = C + s*B.x\nbody W: frame B, mass m, center C, inertia [J, J, J]\nparticle K: mass m at P\noutput v = vel(P, B)",
        fix: "Name the body, or a point that is fixed in it:",
        corrected: "model slider\nparam m : kg > 0\nparam J : kg*m^2 > 0\ncoord x, s : m\ncoord q : rad\nframe B = rotate(N, q, N.z)\npoint C = O + x*N.x\npoint P = C + s*B.x\nbody W: frame B, mass m, center C, inertia [J, J, J]\nparticle K: mass m at P\noutput v = vel(P, W)\noutput w = vel(P, B, C)",
    }
}
