//! Velocities, accelerations and inertia of every kind of orientation and point, by every formulation, checked by
//! positions that are differentiated in time.
#![cfg(feature = "pipeline")]

use generated_tests::oracle::{Settings, check};

fn good(text: &str) {
    checked(text, &Settings::default());
}

fn checked(text: &str, settings: &Settings) {
    if let Err(complaint) = check(text, settings) {
        panic!("{complaint}");
    }
}

/// One rigid body in a frame, with all that can be asked of the frame.
fn body_in(frames: &str) {
    good(&format!(
        "model m
coord a, b, x, y, z
{frames}
point G = O + x*N.x + y*N.y + z*N.z
point P = G + 0.3*B.x - 0.2*B.y + 0.5*B.z
body K: frame B, mass 1.7, center G, inertia [0.41, 0.53, 0.34, 0.05, -0.03, 0.02]
force on P: 0.4*N.x - 0.3*B.y
torque on B: 0.7*B.x + 0.2*N.z
output w = angvel(B)
output alpha = angacc(B)
output v = vel(P)
output ac = acc(P)
output vrel = vel(P, B)
output arel = acc(O, B)
output seen = dt(vel(P), B)
output speed = norm(vel(P))
output c = cross(B.x, B.y)
generalized a: -0.3*a' - a
generalized b: 0.2*b
"
    ))
}

#[test]
#[ignore = "a quarter of a minute: cargo test -p generated-tests --test suite kinematics -- --ignored"]
fn simple_turns() {
    for (first, second) in [("N.x", "-A.y"), ("-N.y", "A.z"), ("-N.z", "-A.x")] {
        body_in(&format!(
            "frame A = rotate(N, a, {first})\nframe B = rotate(A, 2*b - a + 0.3*t^2, {second})"
        ));
    }
}

#[test]
fn sequences() {
    for (kind, letters) in [
        ("body", "zxz"),
        ("space", "xyz"),
        ("body", "yxy"),
        ("space", "zxz"),
    ] {
        body_in(&format!(
            "frame B = rotate_{kind}(N, {letters}, a, b, a*b + t)"
        ));
    }
}

#[test]
#[ignore = "a quarter of a minute: cargo test -p generated-tests --test suite kinematics -- --ignored"]
fn axis_and_angle() {
    body_in("frame A = rotate(N, a, N.z)\nframe B = rotate(A, b, 3*A.x - 4*A.z + 2*A.y)");
    body_in(
        "param k\nframe A = rotate(N, a + b, k*N.x + N.y)\nframe B = rotate(A, b^2, A.z - k*A.x)",
    );
}

#[test]
fn direction_cosines() {
    body_in(
        "frame A = rotate(N, b, N.x)\nframe B = matrix(A, [cos(a), 0, sin(a)], [0, 1, 0], [-sin(a), 0, cos(a)])",
    );
    body_in(
        "frame B = matrix(N, [cos(a)*cos(b), -sin(a), cos(a)*sin(b)], [sin(a)*cos(b), cos(a), sin(a)*sin(b)], [-sin(b), 0, cos(b)])",
    );
    body_in(
        "frame A = matrix(N, [0, -1, 0], [0.6, 0, -0.8], [0.8, 0, 0.6])\nframe C = rotate(A, a, A.x)\nframe B = rotate(C, b, C.z)",
    );
}

#[test]
fn turns_that_time_prescribes() {
    body_in(
        "frame A = rotate(N, 0.7*t + sin(t), N.z)\nframe C = rotate(A, a, A.y)\nframe B = rotate(C, b*t, C.x)",
    );
}

#[test]
fn constant_turns() {
    body_in(
        "frame A = rotate(N, pi/12, N.z)\nframe C = rotate(A, -5*pi/6, A.y)\nframe D = rotate(C, a, C.x)\nframe E = rotate(D, pi/3, D.z)\nframe B = rotate(E, b, E.y)",
    );
    body_in("frame A = rotate(N, a + 7*pi/4, N.z)\nframe B = rotate(A, b - pi/8, A.y)");
}

#[test]
#[ignore = "a quarter of a minute: cargo test -p generated-tests --test suite kinematics -- --ignored"]
fn angles_of_functions() {
    body_in(
        "frame A = rotate(N, atan2(a, 1 + b^2), N.z)\nframe B = rotate(A, asin(b/3) + exp(a/4), A.y)",
    );
}

#[test]
fn relative_to_moving_frames() {
    good(
        "model m
coord a, b, x, y
frame A = rotate(N, a, N.z)
frame B = rotate(A, b, A.x)
frame C = rotate(N, a*b, N.y)
point P = O + x*A.x + y*B.z + sin(t)*N.y
point Q = P + x*y*C.x - t*B.y
particle K: mass 1.2 at P
particle L: mass 0.8 at Q
output v1 = vel(Q, A)
output v2 = vel(Q, C)
output a1 = acc(Q, A)
output a2 = acc(Q, C)
output w1 = angvel(B, C)
output w2 = angvel(C, B)
output w3 = angacc(B, C)
output w4 = angacc(C, B)
output w5 = angacc(A, C)
output d1 = dt(dt(Q - O, C), A)
output d2 = dt(angvel(B, C), A)
output d3 = dt(norm(Q - P)*cross(A.x, B.z), C)
output d4 = dot(dt(B.y, C), A.x)
let e = dot(vel(Q), vel(P))
output d5 = e'
output d6 = norm(vel(Q, B))
",
    );
}

/// Few joints apart the relative motion is summed joint by joint; farther apart it is a difference.
#[test]
fn relative_over_joints() {
    good(
        "model m
coord a, b
frame A = rotate(N, a, N.z)
frame B = rotate(A, b, A.x)
frame C = rotate(B, 0.3*a, B.y)
frame D = rotate(C, a + t, C.z)
frame E = rotate(D, 2*b, D.x)
frame F = rotate(E, a*b, E.y)
point P = O + 0.7*F.x
particle K: mass 1.2 at P
output near = angvel(E, A)
output far = angvel(F, A)
output back = angvel(A, F)
output alpha = angacc(E, B)
",
    );
}

#[test]
fn coriolis() {
    good(
        "model m
param Omega = 0.9
coord x, y
frame B = rotate(N, Omega*t, N.z)
point P = O + (1 + x)*B.x + y*B.y
point Q = P + x^2*B.z
particle K: mass 1.1 at P
particle L: mass 0.6 at Q
gravity: -9.81*N.z
output ac = acc(Q)
output rel = acc(Q, B)
",
    );
}

#[test]
fn inertia_elsewhere() {
    good(
        "model m
coord a, b, c
frame A = rotate_body(N, zxy, a, b, c)
frame F = rotate(A, 0.4, A.x)
frame H = rotate(F, pi/6, F.x - 2*F.y)
point R = O + 0.2*A.x
point G = R + 0.3*A.y - 0.1*A.z
body K: frame A, mass 1.3, center G, inertia [1.1, 1.2, 0.9, 0.05, 0.02, -0.04] about R in H
body L: frame A, mass 0.3, center R, inertia [0.4, 0.5, 0.3, 0, 0, 0.03] about O
gravity: 3*N.x - 9.81*N.z
",
    );
}

#[test]
fn declared_speeds_leave_the_kinematics_alone() {
    good(
        "model m
coord a, b, c, x, y, z
frame B = rotate_body(N, zxz, a, b, c)
point G = O + x*N.x + y*N.y + z*N.z
point P = G + 0.4*B.x
body K: frame B, mass 1.7, center G, inertia [0.41, 0.53, 0.34, 0.05, -0.03, 0.02]
speed wx = dot(angvel(B), B.x)
speed wy = dot(angvel(B), B.y)
speed wz = dot(angvel(B), B.z) + t*x
speed v1 = dot(vel(G), B.x) - 0.3*t
speed v2 = dot(vel(G), B.y)
speed v3 = dot(vel(G), B.z)
force on P: -0.4*vel(P) + wx*B.y
output ac = acc(P)
output alpha = angacc(B)
output rate = wx' + v1'
",
    );
    good(
        "model m
coord a, x
frame B = rotate(N, a, N.z)
point P = O + x*B.x
particle K: mass 1.2 at P
speed u = x*a' + x'
output r = u'
",
    );
}

#[test]
fn functions_of_the_user() {
    checked(
        "model m
coord x, a
function f(x, t), h(a)
frame B = rotate(N, h + 0.2*f, N.y)
point P = O + f*B.x + x*N.z
point Q = P + f(2*a, t^2)*B.z
particle K: mass 1.2 at P
particle L: mass 0.4 at Q
force on Q: h(x)*N.x
output ac = acc(Q)
",
        &Settings {
            functions: vec![("f", "x^2*t + sin(x) + 1.5"), ("h", "a + a^3/5")],
            ..Settings::default()
        },
    );
}
