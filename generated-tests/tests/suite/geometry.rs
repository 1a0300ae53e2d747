//! Quaternions, Rodrigues parameters, material points, contact points and groups, by every formulation, checked by positions
//! that are differentiated in time.
#![cfg(feature = "pipeline")]

use eomgen::options::Form;
use generated_tests::oracle::{Settings, check};

fn good(text: &str) {
    checked(text, &Settings::default());
}

/// In the expression form that is chosen without being asked for: written out these are long.
fn large(text: &str) {
    checked(
        text,
        &Settings {
            forms: vec![Form::Auto],
            ..Settings::default()
        },
    );
}

fn checked(text: &str, settings: &Settings) {
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
    #[ignore = "a quarter of a minute: cargo test -p generated-tests --test suite geometry -- --ignored"]
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
    #[ignore = "a quarter of a minute: cargo test -p generated-tests --test suite geometry -- --ignored"]
    fn in_a_moving_frame_with_a_rotor() {
        large(FREE);
        large(&format!("{FREE}{SPEEDS}"));
    }

    #[test]
    fn under_constraints() {
        let rows =
            "constraint hold: dot(P - O, N.z) = 0.2\nconstraint blade: dot(vel(P), B.x) = 0\n";
        large(&format!("{FREE}{rows}"));
        large(&format!("{FREE}{SPEEDS}{rows}"));
    }
}

mod rodrigues {
    use super::*;

    #[test]
    #[ignore = "a quarter of a minute: cargo test -p generated-tests --test suite geometry -- --ignored"]
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
    #[ignore = "a quarter of a minute: cargo test -p generated-tests --test suite geometry -- --ignored"]
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

/// Velocities of material points, relative velocities and mass centres, each said in two ways.
mod points {
    use super::*;
    use eomgen::{EvalInput, evaluator, options::DeriveOptions};

    const MODEL: &str = "model m
coord x, y, z, a, b, q, s
frame B = rotate_body(N, zxz, a, b, q)
frame T = rotate(N, 0.7*t + 0.2*t^2, N.z)
point C = O + x*N.x + y*N.y + z*N.z
point P = C + s*B.x + 0.3*B.z
point Q = C + 0.2*B.x - 0.1*B.y
body W: frame B, mass 1.3, center C, inertia [0.3, 0.4, 0.5]
particle K: mass 0.4 at P
particle L: mass 0.3 at Q
group inner: W, L
group all: inner, K
gravity: -9.81*N.z
force on all: 0.4*N.x - 0.3*B.y
";

    #[test]
    fn by_every_formulation() {
        good(&format!(
            "{MODEL}output rel = vel(P, W)
output arel = acc(P, W)
output relq = vel(P, B, Q)
output slip = vel_at(W, P)
output aslip = acc_at(W, P)
output table = vel_at(T, P)
output atable = acc_at(T, P)
output centre = vel(all)
output acentre = acc(com(K, L))
output ground = vel_at(N, P)
"
        ));
    }

    /// What was said in one way less what was said in another is zero.
    fn zero(outputs: &[&str]) {
        let lines = outputs.iter().enumerate();
        let lines: String = lines
            .map(|(i, o)| format!("output gap{i} = {o}\n"))
            .collect();
        let text = format!("{MODEL}{lines}");
        let e = evaluator("m.eom", &text, &DeriveOptions::default());
        let e = e.unwrap_or_else(|f| panic!("{text}\n{f:?}"));
        let values = |list: [f64; 7]| {
            ["x", "y", "z", "a", "b", "q", "s"]
                .map(str::to_string)
                .into_iter()
                .zip(list)
                .collect()
        };
        let out = e
            .eval(&EvalInput {
                t: 0.3,
                q: values([0.1, -0.4, 0.3, 0.7, 0.9, -0.3, 0.2]),
                qdot: Some(values([0.5, 0.2, -0.7, 0.3, 1.1, -0.6, 0.4])),
                ..EvalInput::default()
            })
            .unwrap();
        assert_eq!(out.outputs.len(), outputs.len());
        for ((_, found), output) in out.outputs.iter().zip(outputs) {
            assert!(found.iter().all(|v| v.abs() < 1e-12), "{output}: {found:?}");
        }
    }

    #[test]
    fn as_defined() {
        zero(&[
            "vel(P, W) - s'*B.x",
            "vel(P, B, Q) - s'*B.x",
            "acc(P, W) - dt(dt(P - C, B), B)",
            "vel_at(W, P) + vel(P, W) - vel(P)",
            "vel_at(W, Q) - vel(Q)",
            "acc_at(W, Q) - acc(Q)",
            "acc_at(W, P) - acc(P) + s''*B.x + 2*s'*cross(angvel(B), B.x)",
            "vel_at(T, P) - cross((0.7 + 0.4*t)*N.z, P - O)",
            "vel_at(B, P, C) - vel_at(W, P)",
            "vel_at(N, P)",
            "vel(all) - (1.3*vel(W) + 0.4*vel(K) + 0.3*vel(L))/2",
            "vel(all) - vel(com(K, inner))",
            "mass(all)*acc(all) - 1.3*acc(C) - 0.4*acc(P) - 0.3*acc(Q)",
            "all - com(W, K, L)",
            "vel(P + 0.1*B.y) - vel_at(W, P + 0.1*B.y) - s'*B.x",
        ]);
    }

    /// The deepest point of a tilted disc or ring is on the rim and in the plane of axis and normal.
    #[test]
    fn contact_points() {
        zero(&[
            "contact_sphere(C, 0.3, 2*N.z) - C + 0.3*N.z",
            "norm(contact_disc(C, 0.3, B.z, N.z) - C) - 0.3",
            "dot(contact_disc(C, 0.3, 5*B.z, N.z) - C, B.z)",
            "dot(contact_disc(C, 0.3, B.z, -2*N.y) - C, cross(B.z, N.y))",
            "dot(contact_disc(C, 0.3, B.z, N.z) - C, N.z) + 0.3*sqrt(1 - dot(B.z, N.z)^2)",
            "contact_torus(C, 0.3, 0.1, B.z, N.z) - contact_disc(C, 0.3, B.z, N.z) + 0.1*N.z",
            "contact_disc(C + 0.2*N.x, 0.3, B.z, N.z) - contact_disc(C, 0.3, B.z, N.z) - 0.2*N.x",
        ]);
    }
}

mod rolling {
    use super::*;

    const DISC: &str = "model disc
coord x, y, z = 0.4, yaw, lean, spin
frame L = rotate_body(N, zx, yaw, lean)
frame B = rotate(L, spin, L.y)
point C = O + x*N.x + y*N.y + z*N.z
body disc: frame B, mass 1.3, center C, inertia [0.05, 0.1, 0.05]
gravity: -9.81*N.z
assume cos(lean) > 0
point P = contact_disc(C, 0.4, L.y, N.z)
";

    #[test]
    fn disc() {
        let touch = "constraint touch: dot(P - O, N.z) = 0\n";
        good(&format!(
            "{DISC}{touch}constraint along: dot(vel_at(disc, P), L.x) = 0
constraint across: dot(vel_at(disc, P), cross(N.z, L.x)) = 0
speed w1 = dot(angvel(disc), L.x)
speed w2 = dot(angvel(disc), L.y)
speed w3 = dot(angvel(disc), L.z)
"
        ));
        good(&format!(
            "{DISC}constraint roll: vel_at(disc, P) = vel_at(N, P)\n"
        ));
    }

    #[test]
    fn torus_with_a_quaternion() {
        checked(
            "model torus
coord x, y, e0 = 1, e1, e2, e3
frame B = quaternion(N, e0, e1, e2, e3)
point C = O + x*N.x + y*N.y + (0.4*sqrt(1 - dot(B.y, N.z)^2) + 0.1)*N.z
body ring: frame B, mass 1.3, center C, inertia [0.06, 0.11, 0.06]
gravity: -9.81*N.z
constraint roll: vel_at(ring, contact_torus(C, 0.4, 0.1, B.y, N.z)) = 0
",
            &Settings {
                methods: vec!["kane", "udwadia-kalaba"],
                ..Settings::default()
            },
        );
    }

    #[test]
    fn sphere_on_a_moving_table() {
        let ball = "model ball
coord x, y, e0 = 1, e1, e2, e3, h
frame T = rotate(N, 0.9*t, N.z)
frame B = quaternion(N, e0, e1, e2, e3)
point D = O + h*N.x
body table: frame T, mass 3, center D, inertia [1, 1, 1]
point C = O + x*N.x + y*N.y + 0.2*N.z
body ball: frame B, mass 1.3, center C, inertia [0.03, 0.03, 0.03]
generalized h: -2*h
constraint roll: vel_at(ball, contact_sphere(C, 0.2, N.z)) = vel_at(table, C - 0.2*N.z)
";
        good(ball);
        good(&format!(
            "{ball}speed wx = dot(angvel(ball), N.x)
speed wy = dot(angvel(ball), N.y)
speed wz = dot(angvel(ball), N.z)
"
        ));
    }

    #[test]
    #[ignore = "a quarter of a minute: cargo test -p generated-tests --test suite geometry -- --ignored"]
    fn cylinder_in_a_cylinder_by_arcs_and_by_points() {
        let parts = "model cylinders
coord phi, psi
frame A = rotate(N, phi, N.z)
frame B = rotate(N, -psi, N.z)
point C = O + 0.7*A.x
body roller: frame B, mass 1.3, center C, inertia [0.03, 0.03, 0.05]
gravity: 9.81*N.x
";
        good(&format!("{parts}constraint arcs: 0.7*phi = 0.3*psi\n"));
        good(&format!(
            "{parts}constraint roll: vel_at(roller, C + 0.3*A.x) = 0 in A\n"
        ));
    }
}

mod cosines {
    use super::*;
    use eomgen::{Failure, check};

    fn codes(text: &str) -> Vec<String> {
        match check("m.eom", text) {
            Ok(_) => Vec::new(),
            Err(Failure::Diagnostics(list)) => list.iter().map(|d| d.code.to_string()).collect(),
            Err(Failure::Message(m)) => panic!("{m}"),
        }
    }

    fn frame(rows: &str) -> String {
        format!(
            "model m
param a, b
coord q, p, x
frame B = matrix(N, {rows})
body K: frame B, mass 1.7, center O, inertia [0.41, 0.53, 0.34]
generalized q: -q
generalized p: -p
generalized x: -x
"
        )
    }

    #[test]
    #[ignore = "a quarter of a minute: cargo test -p generated-tests --test suite geometry -- --ignored"]
    fn that_make_a_rotation() {
        for rows in [
            "[cos(q), -sin(q), 0], [sin(q), cos(q), 0], [0, 0, 1]",
            "[cos(q)*cos(p), -sin(q), cos(q)*sin(p)], [sin(q)*cos(p), cos(q), sin(q)*sin(p)], [-sin(p), 0, cos(p)]",
            "[1/sqrt(1 + q^2), -q/sqrt(1 + q^2), 0], [q/sqrt(1 + q^2), 1/sqrt(1 + q^2), 0], [0, 0, 1]",
            "[a/sqrt(a^2 + b^2), -b/sqrt(a^2 + b^2), 0], [b/sqrt(a^2 + b^2), a/sqrt(a^2 + b^2), 0], [0, 0, 1]",
            "[(1 - q^2)/(1 + q^2), -2*q/(1 + q^2), 0], [2*q/(1 + q^2), (1 - q^2)/(1 + q^2), 0], [0, 0, 1]",
        ] {
            let free = "particle L: mass 1 at P\npoint P = O + x*B.x + p*N.y + q*B.z\n";
            let text = format!("{}{free}", frame(rows));
            assert!(codes(&text).is_empty(), "{rows}: {:?}", codes(&text));
            good(&text);
        }
    }

    #[test]
    fn that_make_none() {
        for rows in [
            "[cos(q), sin(q), 0], [sin(q), cos(q), 0], [0, 0, 1]",
            "[cos(q), sin(q), 0], [sin(q), -cos(q), 0], [0, 0, 1]",
            "[2*cos(q), -2*sin(q), 0], [sin(q), cos(q), 0], [0, 0, 1]",
            "[q, p, 0], [p, q, 0], [0, 0, x]",
        ] {
            assert_eq!(codes(&frame(rows)), ["E0111"], "{rows}");
        }
    }

    /// About a vector with parameters in it, of any length.
    #[test]
    fn axis_of_any_length() {
        good(
            "model m
param a, b
coord q, p
frame A = rotate(N, p, N.x)
frame B = rotate(A, 2*q + 0.1*t, a*A.x - b*A.y + 3*(A.z - a*b*A.x))
point P = O + 0.3*B.x
body K: frame B, mass 1.7, center P, inertia [0.41, 0.53, 0.34, 0.05, -0.03, 0.02]
output w = angvel(B)
output alpha = angacc(B)
",
        );
    }

    /// All twelve sequences of Euler, and longer ones, about the axes of the body and of space.
    #[test]
    #[ignore = "a quarter of a minute: cargo test -p generated-tests --test suite geometry -- --ignored"]
    fn all_sequences() {
        let letters = ["x", "y", "z"];
        for (i, first) in letters.iter().enumerate() {
            for second in [1, 2] {
                let j = (i + second) % 3;
                for third in [i, 3 - i - j] {
                    let name = format!("{first}{}{}", letters[j], letters[third]);
                    for kind in ["body", "space"] {
                        checked(
                            &format!(
                                "model m
coord a, b, c
frame B = rotate_{kind}(N, {name}, a, b, c)
body K: frame B, mass 1.7, center O, inertia [0.41, 0.53, 0.34]
speed wx = dot(angvel(K), B.x)
speed wy = dot(angvel(K), B.y)
speed wz = dot(angvel(K), B.z)
"
                            ),
                            &Settings {
                                methods: vec!["kane"],
                                ..Settings::default()
                            },
                        );
                    }
                }
            }
        }
        good(
            "model m
coord a, b, c, d
frame B = rotate_body(N, zxzy, a, b, 0.3, c)
frame C = rotate_space(B, yxzyx, 0.2, d, 0.1*t, -b, 0.4)
body K: frame B, mass 1.7, center O, inertia [0.41, 0.53, 0.34]
body L: frame C, mass 1.7, center O, inertia [0.2]
output w = angvel(L)
",
        );
    }
}

/// What is said of speeds.
mod speeds {
    use super::*;
    use eomgen::{Failure, check};

    #[test]
    fn dependent_ones_are_told_how() {
        let text = "model m
coord x, y, z, q
frame B = rotate(N, q, N.z)
point P = O + x*N.x + y*N.y + z*N.z
body W: frame B, mass 1, center P, inertia [1]
speed u1 = dot(vel(P), B.x)
speed u2 = dot(vel(P), B.y)
speed u3 = x' + t
";
        let Err(Failure::Diagnostics(list)) = check("m.eom", text) else {
            panic!("accepted");
        };
        let shown = format!("{list:?}");
        for part in [
            "E0308",
            "-sin(q)*u2 + cos(q)*u1",
            "`z'`, `q'`",
            "speed u3 = z'",
        ] {
            assert!(shown.contains(part), "{shown}");
        }
    }

    #[test]
    fn singularities_are_named() {
        for (coords, kind, sentence) in [
            (
                "a, b, c",
                "rotate_body(N, zxz, a, b, c)",
                "the speeds wx, wy, wz do not give a', c' where sin(b) = 0",
            ),
            (
                "a, b, c",
                "rotate_body(N, zyx, a, b, c)",
                "the speeds wx, wy, wz do not give a', c' where cos(b) = 0",
            ),
            ("a, b, c", "rodrigues(N, a, b, c)", ""),
            ("a, b, c", "mrp(N, a, b, c)", ""),
            ("a, b, c, d", "quaternion(N, a, b, c, d)", ""),
        ] {
            let text = format!(
                "model m
coord {coords}
frame B = {kind}
body W: frame B, mass 1, center O, inertia [1, 2, 2]
speed wx = dot(angvel(W), B.x)
speed wy = dot(angvel(W), B.y)
speed wz = dot(angvel(W), B.z)
"
            );
            let report = check("m.eom", &text).unwrap_or_else(|f| panic!("{f:?}"));
            let said = report.page.conditions.iter().map(|c| {
                let place = &c.equation;
                format!("{} where {place}", c.meaning)
            });
            assert_eq!(said.collect::<Vec<_>>().join("; "), sentence, "{kind}");
        }
    }

    /// Sets that depend on time, that mix everything, or that are too few.
    #[test]
    fn any_set_that_can_be_inverted() {
        let body = "model m
coord x, y, a, b, c
frame B = rotate_body(N, zxz, a, b, c)
point P = O + x*N.x + y*N.y + 0.3*B.z
body W: frame B, mass 1, center P, inertia [0.3, 0.2, 0.4]
gravity: -3*N.z
";
        for set in [
            "speed u1 = dot(vel(P), B.x) + t\nspeed u2 = (1 + t^2)*x' - 2*c' + b\n",
            "speed u1 = dot(vel_at(W, O), N.y)\nspeed u2 = dot(angvel(W), N.x)\nspeed u3 = dot(angvel(W), N.y)\nspeed u4 = dot(angvel(W), N.z)\n",
        ] {
            checked(
                &format!("{body}{set}"),
                &Settings {
                    methods: vec!["kane", "lagrange"],
                    about: vec![("b", 1.0)],
                    spread: 0.3,
                    ..Settings::default()
                },
            );
        }
    }

    /// A speed that a constraint fixes (Chaplygin's sleigh with all three velocities of the blade).
    #[test]
    fn constrained_combinations() {
        good(
            "model m
coord x, y, a
frame B = rotate(N, a, N.z)
point P = O + x*N.x + y*N.y
point Q = P + 0.4*B.x
body K: frame B, mass 1.2, center P, inertia [0.2]
speed u1 = dot(vel(Q), B.x)
speed u2 = a'
speed u3 = dot(vel_at(K, Q), B.y)
constraint blade: u3 = 0
",
        );
    }
}

/// Inertia about points and in axes of all sorts, in frames turned by quaternions.
mod inertia {
    use super::*;

    #[test]
    fn about_other_points_in_other_axes() {
        large(
            "model m
param tilt, j
coord x, y, z, a, b, c, q
frame M = rodrigues(N, a, b, c)
frame B = rotate(M, q, M.y)
frame F = rotate_body(B, xyz, tilt, 0.2, -0.3)
frame G = mrp(F, 0.1, 0.2, 0.05)
point C = O + x*N.x + y*N.y + z*N.z
point Q = C + 0.2*B.x - 0.1*F.y + 0.3*G.z
body W: frame B, mass 1.3, center C, inertia [0.9 + j, 1.1 + j, 1.3 + j, 0.02, -0.03, 0.05] about Q in G
body V: frame M, mass 0.7, center Q, inertia [0.4] in M
gravity: -9.81*N.z
",
        );
    }

    #[test]
    fn links_by_quaternions() {
        checked(
            "model chain
coord a0 = 1, a1, a2, a3, b0 = 1, b1, b2, b3
frame A = quaternion(N, a0, a1, a2, a3)
frame B = quaternion(N, b0, b1, b2, b3)
point P = O + 0.4*A.z
point Q = P + 0.3*A.z + 0.2*B.z
body one: frame A, mass 1.2, center P, inertia [0.2, 0.3, 0.1]
body two: frame B, mass 0.8, center Q, inertia [0.1, 0.2, 0.1]
gravity: -9.81*N.z
speed ax = dot(angvel(A), A.x)
speed ay = dot(angvel(A), A.y)
speed az = dot(angvel(A), A.z)
speed bx = dot(angvel(B), B.x)
speed by = dot(angvel(B), B.y)
speed bz = dot(angvel(B), B.z)
",
            &Settings {
                methods: vec!["kane"],
                forms: vec![Form::Auto],
                ..Settings::default()
            },
        );
    }
}
