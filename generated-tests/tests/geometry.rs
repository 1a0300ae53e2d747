//! Quaternions, Rodrigues parameters, material points, contact points and groups, by every formulation, judged by positions
//! that are differentiated in time.
#![cfg(feature = "pipeline")]

use generated_tests::judge::{Settings, check};

fn good(text: &str) {
    judged(text, &Settings::default());
}

fn judged(text: &str, settings: &Settings) {
    if let Err(complaint) = check(text, settings) {
        panic!("{complaint}");
    }
}

mod quaternions {
    use super::*;

    const TOP: &str = "model top
coord e0 = 1, e1, e2, e3
frame B = quaternion(N, e0, e1, e2, e3)
point G = O + 0.4*B.z
body K: frame B, mass 1.7, center G, inertia [0.41, 0.53, 0.34, 0.05, -0.03, 0.02]
gravity: -9.81*N.z
torque on B: 0.7*B.x + 0.2*N.z - 0.3*angvel(B)
output w = angvel(B)
output alpha = angacc(B)
output ac = acc(G)
output h = dot(G - O, N.z)
";

    const SPEEDS: &str = "speed wx = dot(angvel(B), B.x)\nspeed wy = dot(angvel(B), B.y)\nspeed wz = dot(angvel(B), B.z)\n";

    #[test]
    fn without_speeds() {
        good(TOP);
    }

    #[test]
    fn with_speeds() {
        good(&format!("{TOP}{SPEEDS}"));
        good(&format!("{TOP}{}", SPEEDS.replace(", B.", ", N.")));
    }

    #[test]
    fn with_too_few_speeds() {
        good(&format!("{TOP}speed wz = dot(angvel(B), B.z)\n"));
    }

    const FREE: &str = "model free
coord x, y, z, e0 = 1, e1, e2, e3, q
frame A = rotate(N, 0.3*t, N.x)
frame B = quaternion(A, e0, e1, e2, e3)
frame C = rotate(B, q, B.y)
point G = O + x*N.x + y*N.y + z*N.z
point P = G + 0.4*B.z + 0.1*B.x
body K: frame B, mass 1.7, center G, inertia [0.41, 0.53, 0.34, 0.05, -0.03, 0.02]
body R: frame C, mass 0.4, center P, inertia [0.05, 0.08, 0.05]
gravity: -9.81*N.z
generalized q: -q'
force on P: 0.3*N.x - 0.2*B.y
output v = vel(P, C)
";

    #[test]
    fn in_a_moving_frame_with_a_rotor() {
        good(FREE);
        good(&format!("{FREE}{SPEEDS}"));
    }

    #[test]
    fn under_constraints() {
        let rows =
            "constraint hold: dot(P - O, N.z) = 0.2\nconstraint blade: dot(vel(P), B.x) = 0\n";
        good(&format!("{FREE}{rows}"));
        good(&format!("{FREE}{SPEEDS}{rows}"));
    }
}

mod rodrigues {
    use super::*;

    #[test]
    fn both_kinds_with_and_without_speeds() {
        for kind in ["rodrigues", "mrp"] {
            let top = format!(
                "model top
coord a, b, c
frame B = {kind}(N, a, b, c)
point G = O + 0.4*B.z
body K: frame B, mass 1.7, center G, inertia [0.41, 0.53, 0.34, 0.05, -0.03, 0.02]
gravity: -9.81*N.z
torque on B: 0.7*B.x + 0.2*N.z - 0.3*angvel(B)
output w = angvel(B)
output alpha = angacc(B)
output ac = acc(G)
"
            );
            good(&top);
            good(&format!(
                "{top}speed wx = dot(angvel(B), B.x)\nspeed wy = dot(angvel(B), B.y)\nspeed wz = dot(angvel(B), B.z)\n"
            ));
        }
    }

    #[test]
    fn of_given_functions() {
        good(
            "model m
coord q, x
frame B = rodrigues(N, 0.2*t, sin(q), 0.3*q)
frame C = mrp(B, q/4, 0.1, x)
body K: frame C, mass 1.7, center O, inertia [0.41, 0.53, 0.34, 0.05, -0.03, 0.02]
output w = angvel(C, B)
",
        );
    }
}
