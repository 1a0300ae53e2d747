//! Codes of quaternions, groups, and points of moving bodies.

use super::codes;

codes! {
    E0440 "a quaternion that is not made of four coordinates" {
        what: "A component of a quaternion is not a coordinate, or the same coordinate appears twice.",
        why: "The four components are unknowns of the motion, and a constraint keeps the norm at 1. A quaternion given as a function of other quantities is a prescribed rotation, and should be written as one.",
        example: "model gyro\nparam m : kg > 0\nparam J : kg*m^2 > 0\ncoord e0, e1, e2\nframe B = quaternion(N, e0, e1, e2, 0)\nbody W: frame B, mass m, center O, inertia [J, J, J]",
        fix: "Declare four coordinates; about a fixed axis write `rotate`:",
        corrected: "model gyro\nparam m : kg > 0\nparam J : kg*m^2 > 0\ncoord e0 = 1, e1, e2, e3\nframe B = quaternion(N, e0, e1, e2, e3)\nbody W: frame B, mass m, center O, inertia [J, J, J]",
    }
    E0441 "bodies that cannot be combined" {
        what: "A group, `com(...)` or `mass(...)` names the same body twice, something that is not a body, or bodies without mass.",
        why: "Masses are added, so each body may appear only once; and a mass centre needs a mass.",
        example: "model pair\nparam m : kg > 0\ncoord x, y : m\npoint P = O + x*N.x\npoint Q = O + y*N.x\nparticle A: mass m at P\nparticle B: mass m at Q\noutput v = vel(com(A, B, A))",
        fix: "Name each body once:",
        corrected: "model pair\nparam m : kg > 0\ncoord x, y : m\npoint P = O + x*N.x\npoint Q = O + y*N.x\nparticle A: mass m at P\nparticle B: mass m at Q\noutput v = vel(com(A, B))",
    }
    E0442 "`O` was taken as the fixed point of a frame" {
        what: "A velocity relative to a frame takes `O` as fixed in it, although a body that rotates with the frame does not keep its distance from `O`.",
        why: "A frame has directions only. A velocity relative to it depends on which point is considered fixed in it: the mass centre if a body is named, a point given as a further argument, or else `O`.",
        example: "model slider\nparam m : kg > 0\nparam J : kg*m^2 > 0\ncoord x, s : m\ncoord q : rad\nframe B = rotate(N, q, N.z)\npoint C = O + x*N.x\npoint P = C + s*B.x\nbody W: frame B, mass m, center C, inertia [J, J, J]\nparticle K: mass m at P\noutput v = vel(P, B)",
        fix: "Name the body, or a point that is fixed in it:",
        corrected: "model slider\nparam m : kg > 0\nparam J : kg*m^2 > 0\ncoord x, s : m\ncoord q : rad\nframe B = rotate(N, q, N.z)\npoint C = O + x*N.x\npoint P = C + s*B.x\nbody W: frame B, mass m, center C, inertia [J, J, J]\nparticle K: mass m at P\noutput v = vel(P, W)\noutput w = vel(P, B, C)",
    }
    E0443 "the place of a contact is held, not the body" {
        what: "A constraint holds the velocity of a point that moves along with the centre of a rigid body but does not turn with the body.",
        why: "`vel(P)` is the velocity of the place `P`, which is that of the centre here: the centre would stand still. A body that rolls has no velocity at the material point that is at `P`, which is `vel_at(W, P)`.",
        example: "model roller\nparam m : kg > 0\nparam J : kg*m^2 > 0\nparam r : m > 0\ncoord x, y : m\ncoord q : rad\nframe B = rotate(N, q, N.z)\npoint C = O + x*N.x + y*N.y\npoint P = C - r*N.y\nbody W: frame B, mass m, center C, inertia [J, J, J]\nconstraint rolls: vel(P) = 0",
        fix: "Hold the material point of the body:",
        corrected: "model roller\nparam m : kg > 0\nparam J : kg*m^2 > 0\nparam r : m > 0\ncoord x, y : m\ncoord q : rad\nframe B = rotate(N, q, N.z)\npoint C = O + x*N.x + y*N.y\npoint P = C - r*N.y\nbody W: frame B, mass m, center C, inertia [J, J, J]\nconstraint rolls: vel_at(W, P) = 0",
    }
    E0630 "a rolling body whose contact is not stated" {
        what: "A `roll` states neither the radius of the body nor the point of contact, or both; or it does not say where the plane of another body is.",
        why: "That a body rolls means that its material at the point of contact moves with what it rolls on. The point follows from the radius of a ball or wheel, from radius and axis of a disc, and from a point of the plane.",
        example: "model wheel\nparam m : kg > 0\nparam r : m > 0\ncoord x, y : m\ncoord q : rad\nbody W: frame rotate(N, q, N.z), mass m, center O + x*N.x + y*N.y, inertia m*r^2/2\ngravity: -9.81 [m/s^2]*N.y\nroll W on plane",
        fix: "State it:",
        corrected: "model wheel\nparam m : kg > 0\nparam r : m > 0\ncoord x, y : m\ncoord q : rad\nbody W: frame rotate(N, q, N.z), mass m, center O + x*N.x + y*N.y, inertia m*r^2/2\ngravity: -9.81 [m/s^2]*N.y\nroll W on plane, radius r",
    }
    E0631 "a contact that no round body has" {
        what: "The radius of a sphere, disc or torus is not positive, or the axis of a disc or torus is the normal of the plane that it touches.",
        why: "The point of contact is the one nearest to the plane: from the centre by the radius, against the part of the normal across the axis. A disc that lies flat has no such part.",
        example: "model coin\nparam m : kg > 0\nparam r : m > 0\ncoord x, y, z : m\ncoord yaw, lean, spin : rad\nbody W: frame rotate_body(N, zxy, yaw, lean, spin), mass m, center O + x*N.x + y*N.y + z*N.z, inertia [m*r^2/4, m*r^2/2, m*r^2/4]\ngravity: -9.81 [m/s^2]*N.z\nroll W on plane, radius r, axis N.z",
        fix: "Name the axis about which the body spins when it rolls, fixed in the body:",
        corrected: "model coin\nparam m : kg > 0\nparam r : m > 0\ncoord x, y, z : m\ncoord yaw, lean, spin : rad\nbody W: frame rotate_body(N, zxy, yaw, lean, spin), mass m, center O + x*N.x + y*N.y + z*N.z, inertia [m*r^2/4, m*r^2/2, m*r^2/4]\ngravity: -9.81 [m/s^2]*N.z\nroll W on plane, radius r, axis W.y",
    }
}
