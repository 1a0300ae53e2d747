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
}
