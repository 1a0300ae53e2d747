//! Loops on bodies that move as a whole: their rows are solved in axes of their own, and hold nothing of what carries them. Against the oracle.
#![cfg(feature = "pipeline")]

use eomgen::options::{DeriveOptions, Form};
use eomgen::{Source, evaluator_source};
use generated_tests::oracle::{Settings, check};

const TRUNK: &str = "model carried
param g = 9.81 : m/s^2
param m = 5, m1 = 0.8, m2 = 0.6, m3 = 0.7 : kg > 0
param J1 = 0.2, J2 = 0.3, J3 = 0.25 : kg*m^2 > 0
param a = 0.2, b = 0.5, c = 0.35, d = 0.45 : m > 0
coord x, y, z : m
point C = O + x*N.x + y*N.y + z*N.z
body trunk: frame B, mass m, center C, inertia [J1, J2, J3]
gravity: -g*N.z
";

const QUATERNION: &str = "coord e0 = 1, e1, e2, e3\nframe B = quaternion(N, e0, e1, e2, e3)\n";
const ANGLES: &str =
    "coord yaw, pitch, roll : rad\nframe B = rotate_body(N, zyx, yaw, pitch, roll)\n";
const SPEEDS: &str = "speed vx = dot(vel(C), B.x)\nspeed vy = dot(vel(C), B.y)\nspeed vz = dot(vel(C), B.z)\n\
speed wx = dot(angvel(B), B.x)\nspeed wy = dot(angvel(B), B.y)\nspeed wz = dot(angvel(B), B.z)\n";

/// A four-bar linkage in a plane of the trunk, its third row without content.
const FOUR_BAR: &str = "coord p = 70 [deg], q = 15 [deg], r = 80 [deg] : rad
input tau : N*m
frame H = rotate(B, 20 [deg], B.x)
point K = C + 0.1 [m]*B.x - 0.05 [m]*B.z
frame P = rotate(H, p, H.z)
frame Q = rotate(H, q, H.z)
frame R = rotate(H, r, H.z)
point Pe = K + a*P.x
point Qe = Pe + b*Q.x
point L = K + d*H.x
point Re = L + c*R.x
body crank: frame P, mass m1, center K + a/2*P.x, inertia [m1*a^2/50, m1*a^2/12, m1*a^2/12]
body coupler: frame Q, mass m2, center Pe + b/2*Q.x, inertia [m2*b^2/50, m2*b^2/12, m2*b^2/12]
body rocker: frame R, mass m3, center L + c/2*R.x, inertia [m3*c^2/50, m3*c^2/12, m3*c^2/12]
constraint pin: Qe = Re
generalized p: tau
";

/// A crank that turns a rod in space, which a joint of two hinges holds and a ball closes.
const ROD: &str = "coord p = 0.4, u = 0.3, v = -0.2, w = 0.5 : rad
input tau : N*m
frame P = rotate(B, p, B.y)
frame W = rotate(P, w, P.z)
frame U = rotate_body(B, zy, u, v)
point Pe = C + a*P.x + b*W.x
point K = C + 0.1 [m]*B.y
point Ue = K + d*U.x
body crank: frame P, mass m1, center C + a/2*P.x, inertia [m1*a^2/50, m1*a^2/12, m1*a^2/12]
body elbow: frame W, mass m3, center C + a*P.x + b/3*W.x, inertia [m3*b^2/60, m3*b^2/12, m3*b^2/13]
body rod: frame U, mass m2, center K + d/2*U.x, inertia [m2*d^2/50, m2*d^2/12, m2*d^2/12]
constraint ball: Pe = Ue
generalized p: tau
";

fn text(attitude: &str, speeds: &str, linkage: &str) -> String {
    let body = TRUNK.replacen("point C", &format!("{attitude}point C"), 1);
    format!("{body}{speeds}{linkage}")
}

fn checked(text: &str) {
    let settings = Settings {
        methods: vec!["kane", "lagrange"],
        forms: vec![Form::Staged],
        in_turn: false,
        spread: 0.1,
        ..Settings::default()
    };
    if let Err(complaint) = check(text, &settings) {
        panic!("{complaint}");
    }
}

/// What the module of a text fails by.
fn conditions(text: &str) -> Vec<String> {
    let source = Source::new("model.eom", text);
    let evaluator = evaluator_source(&source, &DeriveOptions::default()).unwrap();
    evaluator.conditions()
}

#[test]
fn a_planar_loop_on_a_body_in_flight() {
    for speeds in ["", SPEEDS] {
        checked(&text(QUATERNION, speeds, FOUR_BAR));
    }
    checked(&text(ANGLES, SPEEDS, FOUR_BAR));
}

#[test]
fn a_loop_in_space_on_a_body_in_flight() {
    checked(&text(QUATERNION, SPEEDS, ROD));
}

/// The trunk may stand in any way: which rows of the loop count does not depend on it.
#[test]
fn how_the_trunk_stands_is_no_condition() {
    let found = conditions(&text(QUATERNION, SPEEDS, FOUR_BAR));
    let of_trunk: Vec<&String> = found
        .iter()
        .filter(|c| c.contains("e0") || c.contains("e1"))
        .collect();
    assert!(of_trunk.is_empty(), "{found:#?}");
    assert!(
        found
            .iter()
            .any(|c| c == "constraint `pin` depends on the others"),
        "{found:#?}"
    );
}

/// Default parameters by which the linkage cannot close say nothing of its rows.
#[test]
fn a_loop_that_cannot_close_by_default_is_solved_all_the_same() {
    let closed = text(QUATERNION, SPEEDS, FOUR_BAR);
    let open = closed.replace("b = 0.5,", "b = 0.05,");
    assert_ne!(open, closed);
    assert_eq!(conditions(&open), conditions(&closed));
}
