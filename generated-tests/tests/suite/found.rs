//! Machines at which random runs found something wrong, reduced to what was wrong with them, against numbers worked out by hand.
#![cfg(feature = "pipeline")]

use eomgen::options::{DeriveOptions, Form, Plan, VerifyOptions};
use eomgen::{
    EvalInput, EvalOutput, Evaluator, Source, derive_source, evaluator_source, verify_source,
};
use generated_tests::oracle::is_thorough;
use generated_tests::random::trial::message;
use generated_tests::running::{Job, Ran, Sample, Settings, asked, run};
use std::cell::RefCell;
use std::collections::HashMap;

fn numbers(list: &[(&str, f64)]) -> impl Iterator<Item = (String, f64)> {
    list.iter().map(|(name, x)| ((*name).to_owned(), *x))
}

fn evaluated(text: &str, q: &[(&str, f64)], rates: &[(&str, f64)]) -> EvalOutput {
    with_options(text, &DeriveOptions::default(), q, rates).unwrap()
}

fn near(found: &[f64], wanted: &[f64]) {
    let pairs = found.iter().zip(wanted);
    let same = found.len() == wanted.len() && pairs.clone().all(|(f, w)| (f - w).abs() < 1e-12);
    assert!(same, "{found:?} in place of {wanted:?}");
}

/// A body whose axes are those of the inertial frame does not turn, but it moves: so do its material points.
#[test]
fn the_points_of_a_body_that_does_not_turn_move_with_it() {
    let text = "model lift
param m = 2, g = 9.81, J = 1 > 0
coord x, s
point P = O + s*N.z
point E = O + x*N.x
particle A: mass m at E
body W: frame N, mass m, center P, inertia [J]
gravity: -g*N.z
output v = vel_at(W, E)
output a = acc_at(W, E)
output still = vel_at(N, E)";
    let found = evaluated(text, &[("x", 0.3), ("s", 0.2)], &[("x", 0.1), ("s", 0.7)]);
    let output = |name: &str| &found.outputs.iter().find(|(n, _)| n == name).unwrap().1;
    near(output("v"), &[0.0, 0.0, 0.7]);
    near(output("a"), &[0.0, 0.0, -9.81]);
    near(output("still"), &[0.0; 3]);
}

/// A block on a board that slides: friction brings both to the same speed, whatever that is.
#[test]
fn friction_on_a_board_in_the_inertial_frame_is_that_of_the_relative_velocity() {
    let text = "model board
param m = 1, M = 4, c = 3 > 0
coord x, s
point P = O + x*N.x
point D = O + s*N.x
particle block: mass m at P
body plank: frame N, mass M, center D, inertia [0]
let slip = vel(P) - vel_at(plank, P)
force on P, opposite on D: -c*slip";
    let at = |x, s| evaluated(text, &[("x", 0.1), ("s", 0.0)], &[("x", x), ("s", s)]).qddot;
    let values = |list: Vec<(String, f64)>| list.into_iter().map(|x| x.1).collect::<Vec<_>>();
    near(&values(at(0.7, 0.7)), &[0.0, 0.0]);
    near(&values(at(0.9, 0.7)), &[-0.6, 0.15]);
}

/// Of the states that meet `x'^2 + y'^2 = k z'^2` rest alone is left where k is negative; k has no stated sign here, and is positive. With
/// A = (x', y', -k z') and gravity alone, a = g0 - A^T (A g0)/(A A^T).
#[test]
fn a_cone_of_velocities_holds_whatever_parameters_drawn_at_random_say() {
    let text = "model cone
param m = 0.72 > 0
param n = 0.37 > 0
param k = 2.37
param g = 1.63
coord x, y, z, a, b, c
point P = O + x*N.x + y*N.y + z*N.z
point Q = O + a*N.x + b*N.y + c*N.z
particle A: mass m at P
particle B: mass n at Q
gravity: -g*N.z
constraint cone: x'^2 + y'^2 = k*z'^2";
    let down = (0.25_f64 / 2.37).sqrt();
    let names = ["x", "y", "z", "a", "b", "c"];
    let q = names.map(|n| (n, 0.1));
    let v = [
        ("x", 0.3),
        ("y", 0.4),
        ("z", down),
        ("a", 0.2),
        ("b", 0.1),
        ("c", 0.5),
    ];
    let found = evaluated(text, &q, &v);
    let row = [0.3, 0.4, -2.37 * down];
    let square: f64 = row.iter().map(|x| x * x).sum();
    let push = row[2] * 1.63 / square;
    let wanted = [
        push * row[0],
        push * row[1],
        push * row[2] - 1.63,
        0.0,
        0.0,
        -1.63,
    ];
    let found: Vec<f64> = found.qddot.into_iter().map(|x| x.1).collect();
    near(&found, &wanted);
}

fn holds(text: &str, method: &str, outputs: &[&str]) {
    let options = VerifyOptions {
        derive: DeriveOptions {
            method: Some(method.into()),
            outputs: outputs.iter().map(|o| (*o).to_owned()).collect(),
            ..DeriveOptions::default()
        },
        ..VerifyOptions::default()
    };
    let certificate = verify_source(&Source::new("machine.eom", text), &options).unwrap();
    assert!(certificate.holds(), "{certificate}");
}

/// Inverse dynamics by recursion, where the kinematic row of a point is in other components than the point's acceleration.
#[test]
fn inverse_dynamics_over_rows_in_other_components() {
    let text = "model shell
param l = 0.3 > 0
param m = 2.4
param Jx = 1.89, Jy = 1.78, Jz = 1.14 > 0
coord x, y
coord p, q
point C = O + x*N.x + y*N.y + l*N.z
frame B = rotate_body(N, zx, p, q)
body W: frame B, mass m, center C, inertia [Jx, Jy, Jz]
constraint r: x' = l*cos(p)*q'";
    for method in ["lagrange", "maggi", "kane"] {
        holds(text, method, &["bias_forces", "inverse_dynamics"]);
    }
}

/// A row on accelerations has nothing to project.
#[test]
fn a_row_on_accelerations_takes_no_part_in_a_projection() {
    let text = "model servo
param m = 2.28 > 0
param w = 1.65
coord x, y, z
point P = O + x*N.x + y*N.y + z*N.z
particle A: mass m at P
input a
constraint servo: x'' + 2*y'' = a
constraint motor: z = w*t";
    holds(text, "udwadia-kalaba", &[]);
}

/// A function of many states prepares all that it reads; `a` alone is in the condition of the accelerations.
#[test]
fn many_states_are_those_one_by_one() {
    let text = "model wheel
param m = 1.3, a = 0.4, b = 0.2, J = 0.7, k = 0.5 > 0
param d = 0.78
coord x, y, th, ph
frame B = rotate(N, th, N.z)
frame F = rotate(B, ph, B.z)
point P = O + x*N.x + y*N.y
point Q = P + a*B.x
point R = P + d*F.x + b*F.y
body W: frame B, mass m, center Q, inertia [J]
body V: frame F, mass m, center R, inertia [J]
constraint r: dot(vel_at(V, R), F.y) = 0
constraint s: dot(vel_at(W, P), B.y) = 0
speed u1 = th'
speed u2 = dot(vel(P), B.x)
generalized ph: -k*ph";
    let options = DeriveOptions {
        batch: true,
        ..DeriveOptions::default()
    };
    let module = derive_source(&Source::new("machine.eom", text), &options)
        .unwrap()
        .code;
    let asked = asked(&module).unwrap();
    let number = |i: usize, k: usize| 0.2 + 0.11 * i as f64 + 0.07 * k as f64;
    let numbers = |names: &[String], k: usize| {
        let names = names.iter().enumerate();
        names.map(|(i, n)| (n.clone(), number(i, k))).collect()
    };
    let sample = |k: usize| Sample {
        state: numbers(&asked.state, k),
        ..Sample::default()
    };
    let job = Job {
        samples: (0..12).map(sample).collect(),
        functions: Vec::new(),
        module,
    };
    let folder = std::env::temp_dir().join(format!("eomgen-found-{}", std::process::id()));
    let ran = run(&[job], &Settings::new(&folder)).unwrap();
    let Ran::Values(found) = &ran[0] else {
        panic!("{ran:?}")
    };
    assert_eq!(found.violations, []);
}

/// A ball that rolls and does not spin, turned upside down: by Newton's and Euler's laws `v' = F/(m + J/r^2)`, `e'' = e*(0, alpha)/2 - |omega|^2 e/4`.
/// The components of the angular velocity are speeds and there is no chart, so one of the quaternion's rates is left to be determined: by
/// that of `e0` where e0 is not 0, by that of the norm everywhere.
#[test]
fn a_quaternion_without_a_scalar_part_is_a_state_like_any_other() {
    let text = "model rubber
param m = 2 > 0
param J = 0.3 > 0
param r = 0.5 > 0
coord x, y, z, e0, e1, e2, e3
frame B = quaternion(N, e0, e1, e2, e3)
point C = O + x*N.x + y*N.y + z*N.z
body W: frame B, mass m, center C, inertia [J]
point P = contact_sphere(C, r, N.z)
force on C: 1.4*N.x - 0.7*N.y
constraint touch: z = r
constraint roll: vel_at(W, P) = 0
constraint spin: dot(angvel(B), N.z) = 0
speed u1 = dot(angvel(B), B.x)
speed u2 = dot(angvel(B), B.y)
speed u3 = dot(angvel(B), B.z)";
    let q = [
        ("x", 0.0),
        ("y", 0.0),
        ("z", 0.5),
        ("e0", 0.0),
        ("e1", 1.0),
        ("e2", 0.0),
        ("e3", 0.0),
    ];
    let rates = [
        ("x", 0.6),
        ("y", 0.2),
        ("z", 0.0),
        ("e0", 0.2),
        ("e1", 0.0),
        ("e2", 0.0),
        ("e3", -0.6),
    ];
    let found: Vec<f64> = evaluated(text, &q, &rates)
        .qddot
        .into_iter()
        .map(|a| a.1)
        .collect();
    near(
        &found,
        &[0.4375, -0.21875, 0.0, -0.21875, -0.4, 0.0, -0.4375],
    );
    holds(text, "kane", &[]);
}

fn with_options(
    text: &str,
    options: &DeriveOptions,
    q: &[(&str, f64)],
    rates: &[(&str, f64)],
) -> Result<EvalOutput, String> {
    let input = EvalInput {
        q: numbers(q).collect(),
        qdot: Some(numbers(rates).collect()),
        ..EvalInput::default()
    };
    let derived = || evaluator_source(&Source::new("machine.eom", text), options).unwrap();
    let key = (text.to_owned(), format!("{options:?}"));
    DERIVED.with_borrow_mut(|known| {
        let evaluator = known.entry(key).or_insert_with(derived);
        evaluator.eval(&input).map_err(|f| message(&f))
    })
}

thread_local! {
    /// What a test has derived so far, by model and options: it is evaluated at several states.
    static DERIVED: RefCell<HashMap<(String, String), Evaluator>> = RefCell::default();
}

/// A bar that a slider drives by a guide along it, `(s + 1) cos(q) = l`: at q = pi the slider stands still while the bar turns, and its speed
/// does not say how fast. The divisor of q' has a sign in front of it, which the division does not keep.
#[test]
fn every_divisor_is_checked_whatever_its_sign() {
    let text = "model guide
param m = 2.5 > 0
param M = 2.6 > 0
param l = 0.51 > 0
param k = 1
coord q, s
frame B = rotate(N, q, N.z)
point E = O + l*B.y
point F = O + (s + k)*N.y
body bar: frame B, mass m, center E, inertia [m*l^2/12]
particle slider: mass M at F
constraint guide: dot(F - E, B.y) = 0
speed u = s'";
    let methods = ["kane", "lagrange", "udwadia-kalaba", "gibbs-appell"];
    let plans = [Plan::Auto, Plan::Reduced, Plan::Bordered, Plan::NewtonEuler];
    for (i, method) in methods.into_iter().enumerate() {
        for (k, plan) in plans.into_iter().enumerate() {
            for form in [Form::Closed, Form::Staged] {
                // Each method by one plan in each form, unless there is time.
                let turn = (i + usize::from(form == Form::Staged)) % plans.len();
                if k != turn && !is_thorough() {
                    continue;
                }
                let options = DeriveOptions {
                    method: Some(method.into()),
                    plan,
                    form,
                    ..DeriveOptions::default()
                };
                let at = |q: f64, s: f64, dq: f64| {
                    let ds = (s + 1.0) * dq * q.tan();
                    with_options(
                        text,
                        &options,
                        &[("q", q), ("s", s)],
                        &[("q", dq), ("s", ds)],
                    )
                };
                let refused = at(std::f64::consts::PI, -1.51, -0.5).unwrap_err();
                assert!(
                    refused.contains("singular"),
                    "{method} {plan:?} {form:?}: {refused}"
                );
                let q: f64 = 0.6;
                at(q, 0.51 / q.cos() - 1.0, -0.5).unwrap();
            }
        }
    }
}

/// Two rows that are one where a = b = 0, as they are by default, and hold the angle where they are not: its speed changes by default.
#[test]
fn a_speed_that_rows_hold_for_other_parameters_alone_changes() {
    let text = "model skates
param m = 1.58, J = 1.46 > 0
param c = -0.4, d = 0.58, h = 0.1, a = 0, b = 0
coord x, y, q
frame B = rotate(N, q, N.z)
point C = O + x*N.x + y*N.y
point G = C + h*B.x
body W: frame B, mass m, center G, inertia [J]
point P = C + c*B.y + a*B.x
point Q = C + d*B.y + b*B.x
constraint first: dot(vel(P), B.y) = 0
constraint second: dot(vel(Q), B.y) = 0
speed u = q'";
    let (q, dq, v) = (0.7_f64, 0.4, 0.3);
    for method in ["lagrange", "udwadia-kalaba", "kane"] {
        let options = DeriveOptions {
            method: Some(method.into()),
            ..DeriveOptions::default()
        };
        let state = [("x", 0.2), ("y", -0.3), ("q", q)];
        let rates = [("x", v * q.cos()), ("y", v * q.sin()), ("q", dq)];
        let found = with_options(text, &options, &state, &rates).unwrap();
        // Moments about C: with h = 0.1 and the velocity v along the skate, (J + m h^2) q'' = -m h v q'.
        let wanted = -1.58 * 0.1 * v * dq / (1.46 + 1.58 * 0.01);
        let of = |list: &[(String, f64)], name: &str| list.iter().find(|x| x.0 == name).unwrap().1;
        near(
            &[of(&found.qddot, "q"), of(&found.speeds_dot, "u")],
            &[wanted; 2],
        );
    }
}

/// Off the constraints a quaternion's rate may change its length, which formulas leave out of account: a module is not wrong for that.
#[test]
fn a_quaternion_that_rows_hold_is_verified() {
    let text = "model ball
param r = 0.3 > 0
coord x, y, z, a, b, c, d
point C = O + x*N.x + y*N.y + z*N.z
frame B = quaternion(N, a, b, c, d)
param m = 1.96, J = 1.75, K = 1.56, L = 1.18 > 0
body W: frame B, mass m, center C, inertia [J, K, L]
point P = contact_sphere(C, r, N.z)
constraint touch: z = r
constraint roll: vel_at(W, P) = vel_at(N, P)
param v = 0.54
constraint along: dot(vel(C), N.y) = v
param k = 2.03
damper turn: on a, damping k";
    holds(text, "kane", &["coordinate_forcing"]);
}

/// A pendulum with a sleeve that is held at the pivot: three rows of which one is left, none of them at every state. With the rod in the
/// plane of y and z the row along x holds nothing; the others do.
#[test]
fn of_rows_that_are_one_any_may_hold() {
    let text = "model sleeve
param l = 1.3, m = 0.6, n = 2.7, J = 1.2, g = 9.81 > 0
coord a, b, c, s
frame A = rotate(N, a, N.z)
frame B = rotate(A, b, A.x)
frame C = rotate(B, c, B.y)
point E = O + l*C.y
point S = E + s*C.y
body rod: frame C, mass m, center E, inertia [J]
body sleeve: frame C, mass n, center S, inertia [J]
gravity: -g*N.z
constraint held: S = O";
    let q = [("a", 0.0), ("b", 0.5), ("c", 0.3), ("s", -1.3)];
    let still = q.map(|(name, _)| (name, 0.0));
    let found = evaluated(text, &q, &still);
    let torque = 1.3 * 0.6 * 9.81 * 0.5_f64.cos();
    let inertia = 2.0 * 1.2 + 0.6 * 1.3 * 1.3;
    let found: Vec<f64> = found.qddot.into_iter().map(|x| x.1).collect();
    near(&found, &[0.0, -torque / inertia, 0.0, 0.0]);
}

fn derived(text: &str, options: &DeriveOptions) -> eomgen::Derived {
    let source = Source::new("machine.eom", text);
    derive_source(&source, options).unwrap_or_else(|failure| panic!("{}", message(&failure)))
}

/// A value with a name of its own that is a product of parameters is described by its factors, and not by itself.
#[test]
fn products_of_parameters_are_described_to_an_end() {
    let text = "model four_bar
param a = 0.4, b = 1.1, c = 0.8, d = 1.2 : m > 0
param m1 = 1.3, m2 = 0.9, m3 = 0.8, k = 0.9 : kg > 0
param J = 1.1, I = 1.8 : kg*m^2 > 0
coord q1, q2, q3 : rad
frame A = rotate(N, q1, N.z)
frame B = rotate(A, q2, A.z)
frame C = rotate(N, q3, N.z)
point G1 = O + a/2*A.x
point P = O + a*A.x
point G2 = P + b/2*B.x
point Q = P + b*B.x
point D = O + d*N.x
point G3 = D + c/2*C.x
point R = D + c*C.x
body W1: frame A, mass m1, center G1, inertia [m1*a^2/12, m1*a^2/12, m1*a^2/12]
body W2: frame B, mass m2, center G2, inertia [0, 0, J]
body W3: frame C, mass m3, center G3, inertia [I]
constraint x: dot(Q - R, N.x) = 0
constraint y: dot(Q - R, N.y) = 0";
    for method in ["boltzmann-hamel", "maggi", "lagrange"] {
        let options = DeriveOptions {
            method: Some(method.into()),
            ..DeriveOptions::default()
        };
        assert!(
            derived(text, &options)
                .code
                .contains("pub fn accelerations")
        );
    }
}

/// What turns a body of positive inertia feels it: of a turret on a base whose inertia K may be 0, M = [[K + J, J], [J, J]] is singular where
/// K = 0 and nowhere else.
#[test]
fn an_inertia_that_is_positive_is_no_condition() {
    let text = "model turret
param J = 1 : kg*m^2 > 0
param K = 1 : kg*m^2 >= 0
coord th, psi : rad
input a, b : N*m
frame A = rotate(N, th, N.z)
frame B = rotate(A, psi, A.z)
body X: frame A, mass 1 [kg], center O, inertia [0, 0, K]
body W: frame B, mass 1 [kg], center O, inertia [0, 0, J]
generalized th: a
generalized psi: b";
    for method in ["kane", "udwadia-kalaba"] {
        for (form, condition) in [
            (
                Form::Closed,
                "[\"K = 0\", \"a result is not a finite number\"]",
            ),
            (Form::Staged, "the inertia felt by th'' vanishes"),
        ] {
            let options = DeriveOptions {
                method: Some(method.into()),
                form,
                ..DeriveOptions::default()
            };
            let code = derived(text, &options).code;
            let (_, list) = code.split_once("pub const CONDITIONS").unwrap();
            let (list, _) = list.split_once(';').unwrap();
            let (_, list) = list.split_once('=').unwrap_or(("", list));
            assert!(code.contains(condition), "{method} {form:?}: {list}");
            assert!(
                !code.contains("psi'' vanishes"),
                "{method} {form:?}: {list}"
            );
        }
    }
}

/// Friction along the direction of the slip has none at rest. That is what a function says, whatever routine its operands go to.
#[test]
fn friction_at_rest_says_what_vanishes() {
    let text = "model rest
param m = 1 : kg > 0
param mu = 0.2 : 1
coord x, y, z : m
point P = O + x*N.x + y*N.y + z*N.z
particle A: mass m at P
gravity: -9.81 [m/s^2]*N.z
constraint floor: z = 0
force on P: -mu*reaction(floor)*unit(vel(P))";
    for form in [Form::Closed, Form::Staged] {
        let options = DeriveOptions {
            form,
            ..DeriveOptions::default()
        };
        let evaluator = evaluator_source(&Source::new("machine.eom", text), &options).unwrap();
        let state = |rate: f64| EvalInput {
            q: numbers(&[("x", 1.0), ("y", 0.0), ("z", 0.0)]).collect(),
            qdot: Some(numbers(&[("x", rate), ("y", 0.0), ("z", 0.0)]).collect()),
            ..EvalInput::default()
        };
        let failure = evaluator.eval(&state(0.0)).unwrap_err();
        assert!(
            message(&failure).contains("sqrt(x'^2 + y'^2"),
            "{failure:?}"
        );
        let found = evaluator.eval(&state(2.0)).unwrap();
        let accelerations: Vec<f64> = found.qddot.iter().map(|(_, a)| *a).collect();
        near(&accelerations, &[-0.2 * 9.81, 0.0, 0.0]);
    }
}

/// A floor presses a block up whatever it does, a guide on which an input acts may press from either side: friction there is noted.
#[test]
fn friction_by_a_reaction_of_either_sign_is_noted() {
    let model = |load: &str| {
        format!(
            "model slide
param m = 1 : kg > 0
param mu = 0.2 : 1
coord x, y : m
input F : N
point P = O + x*N.x + y*N.y
particle A: mass m at P
{load}
constraint floor: y = 0
force on P: -mu*reaction(floor)*tanh(x'/(1 [mm/s]))*N.x
force on P: F*N.x"
        )
    };
    for (load, noted) in [
        ("gravity: -9.81 [m/s^2]*N.y", false),
        ("force on P: F*N.y", true),
    ] {
        for form in [Form::Closed, Form::Staged] {
            let options = DeriveOptions {
                form,
                ..DeriveOptions::default()
            };
            let warnings = derived(&model(load), &options).warnings;
            let found = warnings.iter().any(|d| d.code == "N0468");
            assert_eq!(found, noted, "{load} {form:?}");
        }
    }
}

/// An ellipsoid that touches and rolls: one of its rows is redundant at every orientation, but not at points of a field where the root in it has no
/// root. What an input does to the height follows from what it does to the orientation.
#[test]
fn derivatives_of_redundant_rows_do_not_vanish() {
    let text = "model ellipsoid
param l1 = 0.3, l2 = 0.4, l3 = 0.52, m = 2.43, J = 1.6 > 0
param g = 1.3
coord x, y, z
coord r1, r2, r3
point C = O + x*N.x + y*N.y + z*N.z
frame B = rodrigues(N, r1, r2, r3)
body W: frame B, mass m, center C, inertia [J]
let h = sqrt(l1^2*dot(N.z, B.x)^2 + l2^2*dot(N.z, B.y)^2 + l3^2*dot(N.z, B.z)^2)
point P = C - (l1^2*dot(N.z, B.x)*B.x + l2^2*dot(N.z, B.y)*B.y + l3^2*dot(N.z, B.z)*B.z)/h
constraint touch: dot(P - O, N.z) = 0
constraint roll: vel_at(W, P) = 0
gravity: -g*N.z
input F
force on C: F*B.x";
    let derive = DeriveOptions {
        jacobians: vec!["accelerations:inputs".into()],
        ..DeriveOptions::default()
    };
    let options = VerifyOptions {
        methods: vec!["lagrange".into(), "udwadia-kalaba".into()],
        derive,
        ..VerifyOptions::default()
    };
    let certificate = verify_source(&Source::new("machine.eom", text), &options).unwrap();
    assert_eq!(certificate.texts.len(), 2);
    for report in &certificate.texts {
        assert!(report.holds(), "{report:?}");
    }
}

/// A wheel's row stated twice, the second time doubled: of the force `c` along it the shortest multipliers are `c/5` and `2c/5`, also where the
/// wheel heads along an axis, whose coefficient vanishes there.
#[test]
fn a_row_that_is_stated_twice_has_no_condition_of_its_own() {
    let text = "model wheel
param m = 2, J = 0.3, K = 0.5, r = 0.2, k = 1.7 > 0
coord x, y, q, s
point C = O + x*N.x + y*N.y
frame H = rotate(N, q, N.z)
frame B = rotate(H, s, H.y)
body W: frame B, mass m, center C, inertia [J, K, J]
force on C: -k*(C - O)
constraint rolls: dot(vel_at(W, C - r*N.z), H.x) = 0
constraint again: 2*dot(vel_at(W, C - r*N.z), H.x) = 0";
    for method in ["explicit-gibbs-appell", "kane"] {
        let options = DeriveOptions {
            method: Some(method.into()),
            form: Form::Staged,
            ..DeriveOptions::default()
        };
        let code = derived(text, &options).code;
        assert!(!code.contains("singular: cos(q)"), "{method}");
        let evaluator = evaluator_source(&Source::new("machine.eom", text), &options).unwrap();
        let input = EvalInput {
            q: numbers(&[
                ("x", 0.4),
                ("y", 0.3),
                ("q", std::f64::consts::FRAC_PI_2),
                ("s", 0.1),
            ])
            .collect(),
            qdot: Some(numbers(&[("x", 0.0), ("y", 0.0), ("q", 0.0), ("s", 0.0)]).collect()),
            ..EvalInput::default()
        };
        let found = evaluator.eval(&input).unwrap();
        let multipliers: Vec<f64> = found.multipliers.iter().map(|(_, l)| *l).collect();
        // Along the heading, N.y: m v' = -k y + c and K v'/r = -c r.
        let (m, inertia, r, k, y) = (2.0, 0.5, 0.2, 1.7, 0.3);
        let rate = -k * y / (m + inertia / (r * r));
        let force = m * rate + k * y;
        near(&multipliers, &[force / 5.0, 2.0 * force / 5.0]);
    }
}

/// Without parameters a generic model holds its type of numbers alone, and so does the module of its measures where conditions have none.
#[test]
fn generic_modules_without_numbers_of_their_own_are_verified() {
    let text = "model bare
coord x, y
point P = O + x*N.x + y*N.y
particle A: mass 2 at P
let r = sqrt(x^2 + y^2)
speed u = (x*x' + y*y')/r
speed w = y'
force on P: -r*r*(P - O)";
    let options = VerifyOptions {
        derive: DeriveOptions {
            scalar: eomgen::options::Scalar::Generic,
            ..DeriveOptions::default()
        },
        ..VerifyOptions::default()
    };
    let certificate = verify_source(&Source::new("machine.eom", text), &options).unwrap();
    assert!(certificate.holds(), "{certificate}");
}

/// A block on a cam, `x = a sin(q)`, driven by the block's speed: near the top of the cam that says how fast it turns with half the digits, and
/// the force between them with all that these allow, `lambda = m x'' + k x` by the block's own equation.
#[test]
fn forces_near_a_dead_centre_have_the_digits_of_the_accelerations() {
    let text = "model cam
param m = 1.5, J = 0.7, k = 2, a = 2.05 > 0
coord x, q
frame C = rotate(N, q, N.z)
point P = O + x*N.x
particle block: mass m at P
body wheel: frame C, mass m, center O, inertia [0, 0, J]
potential V = k*x^2/2
constraint cam: x = a*sin(q)";
    let (m, k, a) = (1.5, 2.0, 2.05);
    let (off, turn): (f64, f64) = (2.1e-9, 0.45);
    let q = std::f64::consts::FRAC_PI_2 - off;
    // At the top the block is at rest, its acceleration that towards the axis.
    let wanted = k * a - m * a * turn * turn;
    for form in [Form::Closed, Form::Staged] {
        for method in ["appell-reduced", "kane", "maggi"] {
            let options = DeriveOptions {
                method: Some(method.into()),
                plan: Plan::Reduced,
                dependent: vec!["q'".into()],
                form,
                ..DeriveOptions::default()
            };
            let rate = a * q.cos() * turn;
            let at = [("x", a * q.sin()), ("q", q)];
            let found = with_options(text, &options, &at, &[("x", rate), ("q", turn)]).unwrap();
            let lambda = found.multipliers[0].1;
            let error = (lambda - wanted).abs();
            assert!(
                error < 1e-5,
                "{method} {form:?}: {lambda} in place of {wanted}"
            );
        }
    }
}

/// Two joints at one point, one of them free to turn: the speed of the point is zero at every state, and its square, multiplied out, is zero
/// but for rounding, on either side.
#[test]
fn a_magnitude_that_vanishes_is_a_number() {
    let text = "model held
coord x, y, z : m
point P = O + x*N.x + y*N.y + z*N.z
coord a, b, c, q : rad
frame B = rodrigues(N, a, b, c)
param l = 1.06, r = 1.4 : m
point E = P + l*B.x
param m = 2, M = 1.7 : kg > 0
param J1 = 1.1, J2 = 1.7, J3 = 1.8 : kg*m^2 > 0
body W: frame B, mass m, center E, inertia [J1, J2, J3]
frame C = rotate(B, q, B.z)
point F = E + r*C.x
particle A: mass M at F
constraint hold: F = O
output v = mag(vel(E, C, O))";
    let angles: [(f64, f64, f64, f64); 4] = [
        (-0.3, 1.2, 0.4, 0.7),
        (0.9, -0.2, 1.1, -2.0),
        (0.2, -1.4, 0.1, 3.1),
        (1.7, 0.6, -0.8, 0.4),
    ];
    for (a, b, c, q) in angles {
        // F = 0 by the Rodrigues formula, R = ((1 - p^2) 1 + 2 p p^T + 2 [p])/(1 + p^2).
        let (s, n) = (a * a + b * b + c * c, 1.0 + a * a + b * b + c * c);
        let first = [
            (1.0 - s + 2.0 * a * a) / n,
            (2.0 * a * b + 2.0 * c) / n,
            (2.0 * a * c - 2.0 * b) / n,
        ];
        let second = [
            (2.0 * a * b - 2.0 * c) / n,
            (1.0 - s + 2.0 * b * b) / n,
            (2.0 * b * c + 2.0 * a) / n,
        ];
        let arm = |i: usize| (1.06 + 1.4 * q.cos()) * first[i] + 1.4 * q.sin() * second[i];
        let at = [
            ("x", -arm(0)),
            ("y", -arm(1)),
            ("z", -arm(2)),
            ("a", a),
            ("b", b),
            ("c", c),
            ("q", q),
        ];
        let rates = ["x", "y", "z", "a", "b", "c", "q"].map(|name| (name, 0.0));
        let found = evaluated(text, &at, &rates);
        let speed = found.outputs[0].1[0];
        assert!(speed.abs() < 1e-7, "{speed}");
    }
}

/// A disc and a blade on one board: what the remaining speed is divided by is linear in sine and cosine, and the determinants of the equations are
/// powers of it, which are no conditions of their own: they would be as small as rounding far from where they vanish.
#[test]
fn powers_of_a_sum_of_sines_are_one_condition() {
    let text = "model board
coord x, y : m
coord q : rad
frame H = rotate(N, q, N.z)
point C = O + x*N.x + y*N.y
param m = 1.9 : kg > 0
param J = 1.1 : kg*m^2 > 0
body W: frame H, mass m, center C, inertia [J, J, J]
param d = 0.8, e = 0.14 : m
point Q = C + d*H.y
constraint rolls: dot(vel(Q), H.x) = 0
param f = -0.4 : m
point R = C + f*H.y + e*H.x
constraint blade: dot(vel(R), H.y) = 0
speed u = y'";
    for form in [Form::Closed, Form::Staged] {
        for plan in [Plan::Auto, Plan::Reduced] {
            let options = DeriveOptions {
                form,
                plan,
                ..DeriveOptions::default()
            };
            let code = derived(text, &options).code;
            let (_, rest) = code.split_once("pub const CONDITIONS").unwrap();
            let (list, _) = rest.split_once("];").unwrap();
            let listed: Vec<&str> = list.split('"').skip(1).step_by(2).collect();
            // Of either sign.
            let linear = ["d*sin(q) - e*cos(q) = 0", "e*cos(q) - d*sin(q) = 0"];
            assert_eq!(listed.len(), 2, "{form:?} {plan:?}: {listed:?}");
            assert!(linear.contains(&listed[0]), "{form:?} {plan:?}: {listed:?}");
        }
    }
}

/// What a model assumes is not made true: a root of what is assumed to be positive and is not is no number, and not zero.
#[test]
fn a_root_outside_of_what_is_assumed_is_no_number() {
    let text = "model outside
coord x
param a = 1, b = 2
param m = 1 > 0
particle A: mass m at O + x*N.x
assume a - b >= 0
output s = sqrt(a - b)";
    let found = evaluated(text, &[("x", 0.3)], &[("x", 0.1)]);
    assert!(found.outputs[0].1[0].is_nan(), "{:?}", found.outputs);
}

/// A step so long that the sampled model overflows is refused by a module whose functions can fail, and `verify` knows the text that does so.
#[test]
fn sampled_models_that_overflow_are_refused() {
    let text = "model stretched
coord th, r
param m = 1, k = 2 > 0
frame B = rotate(N, th, N.z)
particle A: mass m at O + r*B.x
gravity: 9.81*N.x
potential V = k*r^2/2";
    let options = DeriveOptions {
        outputs: vec!["linearization_reduced".into(), "discretized".into()],
        ..DeriveOptions::default()
    };
    let code = derived(text, &options).code;
    let (before, rest) = code.split_once("pub fn discretized").unwrap();
    let (body, after) = rest.split_once("\n    }\n").unwrap();
    let line = body.lines().find(|l| l.contains("finite::<CHECKED>"));
    let line = line.unwrap_or_else(|| panic!("{body}"));
    let holds = |code: String| {
        let options = VerifyOptions {
            file: Some(("machine.rs".into(), code)),
            ..VerifyOptions::default()
        };
        verify_source(&Source::new("machine.eom", text), &options).is_ok_and(|c| c.holds())
    };
    assert!(holds(code.clone()));
    let unchecked = body.replace(&format!("{line}\n"), "");
    assert!(!holds(format!(
        "{before}pub fn discretized{unchecked}\n    }}\n{after}"
    )));
}

/// A row that repeats another one in other numbers is a multiple of it everywhere, also where coefficients of both vanish: a particle at rest on
/// a torus, pressed against it by 2 N. Of least norm are 1/5 and 2/5 of the multiplier of a single row.
#[test]
fn a_multiple_of_a_row_is_one_where_coefficients_vanish() {
    let text = "model torus
coord x, y, z
point P = O + x*N.x + y*N.y + z*N.z
param m = 2.21 > 0
particle A: mass m at P
param R = 1, r = 0.3 > 0
constraint surface: (hypot(x, y) - R)^2 + z^2 = r^2
constraint again: 2*((hypot(x, y) - R)^2 + z^2 - r^2) = 0
force on P: -1.2*N.y - 1.6*N.z
speed u = x'
speed w = y'";
    let at = [("x", 0.0), ("y", 1.18), ("z", 0.24)];
    let still = [("x", 0.0), ("y", 0.0), ("z", 0.0)];
    for method in ["maggi", "kane", "udwadia-kalaba"] {
        let options = DeriveOptions {
            method: Some(method.to_owned()),
            ..DeriveOptions::default()
        };
        let found = with_options(text, &options, &at, &still).unwrap();
        let multipliers: Vec<f64> = found.multipliers.iter().map(|m| m.1).collect();
        near(&multipliers, &[2.0 / 3.0, 4.0 / 3.0]);
    }
}

/// The third pivot of a quaternion's mass matrix is proportional to the square of its last component. Where that vanishes, it is the difference of
/// terms that have cancelled before, and small beside those, not beside what is left of them.
#[test]
fn pivots_are_small_beside_all_that_they_are_made_of() {
    let text = "model free
coord x, y, z
point C = O + x*N.x + y*N.y + z*N.z
coord a, b, c, d
frame B = quaternion(N, a, b, c, d)
param m = 1.81 > 0
param I = 1.02, J = 1.83, K = 1.07 > 0
frame P = rotate(B, 30 [deg], B.x)
body W: frame B, mass m, center C, inertia [I, J, K] in P
speed u = dot(angvel(B), B.x)
speed v = dot(angvel(B), B.y)
speed w = dot(angvel(B), B.z)";
    let options = DeriveOptions {
        method: Some("maggi".to_owned()),
        plan: Plan::Bordered,
        ..DeriveOptions::default()
    };
    for k in 1..=20 {
        let (s, c) = (0.07 * f64::from(k)).sin_cos();
        let at = [("a", c), ("b", 0.0), ("c", s), ("d", 0.0)];
        let rates = [("a", 0.0), ("b", 0.5 * c), ("c", 0.0), ("d", -0.5 * s)];
        let origin = [("x", 0.0), ("y", 0.0), ("z", 0.0)];
        let found = with_options(
            text,
            &options,
            &[&origin[..], &at].concat(),
            &[&origin[..], &rates].concat(),
        );
        let refused = found.unwrap_err();
        assert!(refused.contains("the pivot on c''"), "{k}: {refused}");
    }
}

/// Where the middle one of three turns is a quarter turn, the first and the last are about one axis: turned against each other they move nothing, so that neither inertia nor constraints
/// determine them. What the constraints leave of the body's rates there is rounding errors, and so is the inertia that it is multiplied with.
#[test]
fn inertia_that_cancels_with_the_rates_is_none() {
    let text = "model gimbals
coord a, b, c, d, e
frame A = rotate(N, a, N.z)
frame B = rotate(A, b, A.x)
frame C = rotate(B, c, B.y)
point P = O + C.x
body X: frame C, mass 0.53, center P, inertia [1.17, 1.79, 1.66]
point Q = O + 0.67*N.x
frame D = rotate(N, d, N.z)
frame E = rotate(D, e, D.y)
point R = Q + 0.9*E.y
body Y: frame E, mass 0.8, center R, inertia [1.58, 1.18, 1.54]
constraint joined: P = R
constraint square: dot(C.z, E.x) = 0";
    let quarter = std::f64::consts::FRAC_PI_2;
    let at = |b: f64| {
        [
            ("a", 0.09247512944212691),
            ("b", b),
            ("c", -0.9813207339693802),
            ("d", 0.2163607151042493),
            ("e", quarter),
        ]
    };
    let turned = [("a", -0.7668670104345778), ("c", -0.7668670104345778)];
    let rates = [&turned[..], &[("b", 0.0), ("d", 0.0), ("e", 0.0)]].concat();
    for (method, form) in [
        ("newton-euler", Form::Staged),
        ("newton-euler", Form::Auto),
        ("kane", Form::Auto),
        ("lagrange", Form::Auto),
        ("udwadia-kalaba", Form::Auto),
    ] {
        let options = DeriveOptions {
            method: Some(method.to_owned()),
            form,
            ..DeriveOptions::default()
        };
        let found = with_options(text, &options, &at(-quarter), &rates);
        let refused = found.expect_err(method);
        assert!(refused.contains("singular"), "{method}: {refused}");
    }
}

/// A factor that numerator and denominator of an acceleration had in common was cancelled in one of them alone, where both are shortest on two circles
/// at once. The accelerations are those by Kane's equations, which were not simplified that far.
#[test]
fn what_is_cancelled_is_cancelled_in_both() {
    let text = "model disc
param l = 0.37 > 0
coord x, y, z
coord a, b, c
frame L = rotate_body(N, zx, a, b)
frame B = rotate(L, c, L.y)
point C = O + x*N.x + y*N.y + z*N.z
param m = 1.56 > 0
param J = 1.58 > 0
body W: frame B, mass m, center C, inertia [J]
point P = contact_disc(C, l, L.y, N.z)
assume cos(b) > 0
constraint touch: dot(P - O, N.z) = 0
constraint along: dot(vel_at(W, P), L.x) = 0
constraint across: dot(vel_at(W, P), cross(N.z, L.x)) = 0
param g = 0.62
gravity: -g*N.z";
    let at = [
        ("x", 0.1511622692468957),
        ("y", -0.8425830110139709),
        ("z", 0.36829162876989524),
        ("a", 0.08666008878534903),
        ("b", -0.0961330020494209),
        ("c", -1.1589194488885373),
    ];
    let rates = [
        ("x", -0.018135756366872365),
        ("y", -0.044728620626158073),
        ("z", 0.004145641194753124),
        ("a", 0.9554174491908176),
        ("b", 0.11673110982077196),
        ("c", 0.03241105305990723),
    ];
    let by = |method: &str| {
        let options = DeriveOptions {
            method: Some(method.to_owned()),
            dependent: vec!["b'".to_owned()],
            ..DeriveOptions::default()
        };
        let found = with_options(text, &options, &at, &rates).unwrap();
        let accelerations = found.qddot.iter().map(|(_, x)| *x);
        accelerations.collect::<Vec<f64>>()
    };
    let expected = by("kane");
    for method in ["explicit-gibbs-appell", "maggi", "gibbs-appell"] {
        near(&by(method), &expected);
    }
}

/// A ball inside a bowl: the row that keeps it on the surface follows from those of rolling, of which it is another one at every place of the
/// bowl. Rows that were picked once for all say the same twice where the others do not.
#[test]
fn rows_that_depend_on_one_another_are_others_at_other_places() {
    let text = "model bowl
param r = 0.3 > 0
param R = 1 > 0
param m = 0.65 > 0
param g = 2.05
coord x, y, z, a, b, c
point C = O + x*N.x + y*N.y + z*N.z
frame B = rotate_body(N, zxz, a, b, c)
body ball: frame B, mass m, center C, inertia [1.40, 1.65, 1.72]
point P = contact_sphere(C, r, unit(-(C - O)))
constraint touch: norm(C - O) = R - r
constraint rolls: vel_at(ball, P) = vel_at(N, P) in B
gravity: -g*N.z";
    let quarter = -std::f64::consts::FRAC_PI_2;
    let at = [
        ("x", 0.7),
        ("y", 0.0),
        ("z", 0.0),
        ("a", 0.0),
        ("b", quarter),
        ("c", 0.0),
    ];
    // With b = -90 degrees, B.x = N.x, B.y = -N.z, B.z = N.y, so that the angular velocity is b' N.x + (a' + c' cos b) N.z + c' N.y. The
    // point of contact is at rest: v + w x r N.x = 0.
    let (vy, vz, r) = (0.21, -0.12, 0.3);
    let rates = [
        ("x", 0.0),
        ("y", vy),
        ("z", vz),
        ("a", -vy / r),
        ("b", 0.4),
        ("c", vz / r),
    ];
    let by = |method: &str| {
        let options = DeriveOptions {
            method: Some(method.to_owned()),
            ..DeriveOptions::default()
        };
        let found = with_options(text, &options, &at, &rates).unwrap();
        assert!(found.warnings.is_empty(), "{:?}", found.warnings);
        let accelerations = found.qddot.iter().map(|(_, x)| *x);
        accelerations.collect::<Vec<f64>>()
    };
    let expected = by("udwadia-kalaba");
    near(&expected[..1], &[-(vy * vy + vz * vz) / 0.7]);
    for method in ["explicit-gibbs-appell", "kane", "gibbs-appell"] {
        near(&by(method), &expected);
    }
}

/// A body next to the pole of its angles, where speeds are its angular velocities: what is divided by the sine of an angle stays as exact as the
/// angle is. It turns about a point without a torque, and with the same inertia about all axes there, so that its angular
/// velocity stays as it is: `b'' = -a' c' sin b` and `a'' = b' (c' - a' cos b)/sin b`.
#[test]
fn accelerations_next_to_a_pole_keep_their_digits() {
    let text = "model top
coord a, b, c
frame B = rotate_body(N, zxz, a, b, c)
param l = 0.5 > 0
param m = 2 > 0
param J1 = 2.5 > 0
param J2 = 2 > 0
param J3 = 2 > 0
param J12
param J13
param J23
point C = O + l*B.x
body W: frame B, mass m, center C, inertia [J1, J2, J3, J12, J13, J23]
speed u1 = dot(angvel(B), B.x)
speed u2 = dot(angvel(B), B.y)
speed u3 = dot(angvel(B), B.z)";
    let beside = std::f64::consts::PI - 1.7e-7;
    let (at, rates) = ([0.3, beside, -0.4], [0.12, -0.96, 0.93]);
    let names = ["a", "b", "c"];
    let named = |list: [f64; 3]| names.into_iter().zip(list).collect::<Vec<_>>();
    let (sin, cos) = at[1].sin_cos();
    let wanted = rates[1] * (rates[2] - rates[0] * cos) / sin;
    for method in ["appell-reduced", "kane", "gibbs-appell", "jourdain"] {
        let options = DeriveOptions {
            method: Some(method.to_owned()),
            ..DeriveOptions::default()
        };
        let evaluator = evaluator_source(&Source::new("top.eom", text), &options).unwrap();
        let zero = [("J12", 0.0), ("J13", 0.0), ("J23", 0.0)];
        let input = EvalInput {
            q: numbers(&named(at)).collect(),
            qdot: Some(numbers(&named(rates)).collect()),
            params: numbers(&zero).collect(),
            ..EvalInput::default()
        };
        let found = evaluator.eval(&input).unwrap();
        let (_, first) = found.qddot[0];
        assert!(
            (first / wanted - 1.0).abs() < 1e-6,
            "{method}: {first} for {wanted}"
        );
    }
}

/// A slider at rest on a bar that turns: its speed along the bar is nothing, by rounding errors neither less nor no number. The velocity in the bar
/// is that in space less what the bar carries, and its square is no longer one when it is multiplied out.
#[test]
fn a_magnitude_that_vanishes_is_zero() {
    let text = "model slider
param l = 0.29 > 0
param d = -0.4
param m = 2.42 > 0
param w = 2.2
param J = 1.01 > 0
coord q, s
frame B = rotate(N, q, N.z)
point C = O + l*B.x + d*B.y
body bar: frame B, mass m, center C, inertia [J]
point P = C + s*B.x
particle A: mass m at P
constraint motor: q' = w
output slip = mag(vel(P, B, O))";
    let options = DeriveOptions {
        form: Form::Staged,
        ..DeriveOptions::default()
    };
    for s in [1.058803192553017, 0.31, -0.7, 0.123456] {
        let at = [("q", 0.1), ("s", s)];
        let found = with_options(text, &options, &at, &[("q", 2.2), ("s", 0.0)]).unwrap();
        let (_, slip) = &found.outputs[0];
        near(slip, &[0.0]);
    }
}

/// The end of a chain that is held, whose square of speed has a length as its factor: the root of the rest is taken, which is a square as well.
#[test]
fn a_magnitude_with_a_factor_is_zero_where_it_vanishes() {
    let text = "model chain
param l = 0.5, d = 0.9 : m > 0
param m = 0.66 : kg > 0
coord a, b, c : rad
frame F = rotate(N, a, N.z)
frame G = rotate(N, b, N.z)
frame H = rotate(N, c, N.z)
point P = O + l*F.x
point Q = P + l*G.x
point R = Q + l*H.x
particle A: mass m at P
particle B: mass m at Q
constraint hold: R = O + d*N.x
output v = mag(vel(R, N, O))";
    for (k, a) in [0.43, 1.1, -0.8, 0.9, 0.2, -1.3].into_iter().enumerate() {
        // Two equal links from P to the end of the chain.
        let (x, y) = (0.9 - 0.5 * f64::cos(a), -0.5 * f64::sin(a));
        let (along, half) = (y.atan2(x), x.hypot(y).acos());
        let (b, c) = (along + half, along - half);
        let at = [("a", a), ("b", b), ("c", c)];
        // At right angles to both rows of the constraint.
        let scale = 0.3 * k as f64 + 0.1;
        let rates = [
            ("a", (c - b).sin()),
            ("b", (a - c).sin()),
            ("c", (b - a).sin()),
        ];
        let found = evaluated(text, &at, &rates.map(|(name, rate)| (name, scale * rate)));
        let speed = found.outputs[0].1[0];
        assert!(speed.abs() < 1e-7, "{speed}");
    }
}

/// A bead on a torus, next to the circles on its top, where the distance from the axis is that of the tube's centre: what vanishes there is a
/// difference with a root, powers of which are not multiplied out.
#[test]
fn powers_of_roots_keep_their_digits_near_their_zeros() {
    let text = "model torus
param R = 1.1, r = 0.29 : m > 0
param m = 0.98 : kg > 0
param g = 1.69 : m/s^2
coord x, y, z : m
point P = O + x*N.x + y*N.y + z*N.z
particle bead: mass m at P
constraint surface: (hypot(x, y) - R)^2 + z^2 = r^2
gravity: -g*N.z
speed u = z'
speed v = x'";
    let (big, small, g) = (1.1, 0.29, 1.69);
    for form in [Form::Auto, Form::Closed] {
        let options = DeriveOptions {
            method: Some("gibbs-appell".into()),
            form,
            ..DeriveOptions::default()
        };
        for off in [0.3, 0.03, 3e-3, 3e-4] {
            // Around the axis by `a`, around the tube by `b`.
            let (a, b): (f64, f64) = (0.8, std::f64::consts::FRAC_PI_2 - off);
            let (along, around) = (0.43, -0.37);
            let h = big + small * b.cos();
            let normal = [b.cos() * a.cos(), b.cos() * a.sin(), b.sin()];
            let meridian = [-b.sin() * a.cos(), -b.sin() * a.sin(), b.cos()];
            let parallel = [-a.sin(), a.cos(), 0.0];
            let rate = |k: usize| around * meridian[k] + along * parallel[k];
            let at = [
                ("x", h * a.cos()),
                ("y", h * a.sin()),
                ("z", small * b.sin()),
            ];
            let rates = [("x", rate(0)), ("y", rate(1)), ("z", rate(2))];
            // The surface takes the normal part of gravity, and bends the path by its normal curvature.
            let bend = around * around / small + along * along * b.cos() / h;
            let wanted = [0, 1, 2].map(|k| {
                let weight = if k == 2 { -g } else { 0.0 };
                weight + (g * normal[2] - bend) * normal[k]
            });
            let found = with_options(text, &options, &at, &rates).unwrap();
            for ((name, found), wanted) in found.qddot.iter().zip(wanted) {
                let error = (found - wanted).abs();
                assert!(error < 1e-8, "{form:?} {off}: {name} {found}, not {wanted}");
            }
        }
    }
    let closed = DeriveOptions {
        form: Form::Closed,
        ..DeriveOptions::default()
    };
    let module = derived(text, &closed);
    assert!(module.code.contains("Staged: a closed form"));
}

/// A row whose coefficients all vanish, since a length is 0: it holds nothing, and the multiplier of least norm is 0.
#[test]
fn a_row_without_coefficients_has_no_force() {
    let text = "model arm
param m = 1.3 : kg > 0
param l = 0.7 : m > 0
param d = 0 : m
coord p, q : rad
frame A = rotate(N, p, N.x)
frame B = rotate(A, q, A.x)
frame C = rotate(A, q, A.y)
point P = O + l*C.z
point E = O + l*B.x + d*B.z
particle tip: mass m at P
body bar: frame B, mass m, center E, inertia [0.1 [kg*m^2], 0.2 [kg*m^2], 0.3 [kg*m^2]]
constraint guide: dot(E - O, N.y) = d
gravity: -9.81 [m/s^2]*N.z";
    for method in ["kane", "lagrange", "newton-euler", "udwadia-kalaba"] {
        let options = DeriveOptions {
            method: Some(method.into()),
            ..DeriveOptions::default()
        };
        let (at, rates) = ([("p", 0.66), ("q", -1.04)], [("p", -0.51), ("q", 0.34)]);
        let found = with_options(text, &options, &at, &rates).unwrap();
        let multipliers: Vec<f64> = found.multipliers.iter().map(|(_, x)| *x).collect();
        near(&multipliers, &[0.0]);
    }
}

/// A body by Euler angles next to their pole, with its own components of angular velocity as quasi-velocities: the mass matrix of these is its inertia,
/// whatever the angles are.
#[test]
fn a_mass_matrix_of_quasi_velocities_does_not_know_the_angles() {
    let text = "model ball
param l = 0.3 : m > 0
param m = 1.22 : kg > 0
param I = 1.59, J = 1.21, K = 1.03 : kg*m^2 > 0
coord x, y : m
coord a, b, c : rad
frame B = rotate_body(N, xyx, a, b, c)
point P = O + x*N.x + y*N.y
body W: frame B, mass m, center P, inertia [I, J, K]
speed u = dot(angvel(B), B.x)
speed v = dot(angvel(B), B.y)
speed w = dot(angvel(B), B.z)";
    for form in [Form::Closed, Form::Staged] {
        let options = DeriveOptions {
            outputs: vec!["quasi_velocity_mass_matrix".into()],
            form,
            ..DeriveOptions::default()
        };
        let at = [
            ("x", 0.1),
            ("y", -0.2),
            ("a", 0.7),
            ("b", 1.6e-7),
            ("c", 0.4),
        ];
        let rates = [
            ("x", 0.1),
            ("y", -0.3),
            ("a", -0.6),
            ("b", -0.7),
            ("c", 0.3),
        ];
        let found = with_options(text, &options, &at, &rates).unwrap();
        let (_, matrix) = &found.quantities[0];
        let eomgen::Numbers::Matrix(rows) = matrix else {
            panic!("{matrix:?}");
        };
        for (i, row) in rows.iter().enumerate() {
            let wanted = [1.59, 1.21, 1.03, 1.22, 1.22][i];
            let wanted: Vec<f64> = (0..5).map(|j| if i == j { wanted } else { 0.0 }).collect();
            near(row, &wanted);
        }
    }
}

/// A root of what is seen to be positive as it is written is one once it is multiplied out and put over one denominator, and no condition says otherwise.
#[test]
fn a_root_of_a_sum_of_squares_has_no_condition() {
    let text = "model bead
param m = 1 : kg > 0
param l : m > 0
param k = 3 : N/m
coord x, y : m
point P = O + x*N.x + y*N.y
particle bead: mass m at P
force on P: -k*x*sqrt(((x - y)/l)^2 + 1)*N.x";
    let module = derived(text, &DeriveOptions::default());
    let mut conditions = module.code.lines().filter(|l| l.contains("singular: "));
    assert!(conditions.all(|l| !l.contains("< 0")), "{}", module.code);
}

/// A ball of inertia `k m r^2` that rolls on a turntable: `dv/dt = k/(1 + k) Om x v`, whatever the angles of the ball. Entries of its rotation, one
/// of which is 0 here, are pivots of the bordered system; its determinant does not vanish anywhere. The mass has no sign that is known.
#[test]
fn a_ball_on_a_turntable_has_no_attitude_in_which_it_fails() {
    let text = "model turntable
param Om = 1.25
param r = 0.3 > 0
param R = 0.5 > 0
param m = 2.51
coord x, y
coord a, b, c
frame T = rotate(N, Om*t, N.z)
point C = O + x*T.x + y*T.y + r*T.z
frame B = rotate_body(N, xzx, a, b, c)
body ball: frame B, mass m, center C, inertia [m*R^2/12, m*R^2/12, m*R^2/12]
point P = contact_sphere(C, r, T.z)
constraint roll: vel_at(ball, P) = vel_at(T, P)
speed u1 = dot(angvel(B), B.x)
speed u2 = dot(angvel(B), B.y)
speed u3 = dot(angvel(B), B.z)
speed u4 = x'
speed u5 = y'";
    let (x, right) = (0.5, std::f64::consts::FRAC_PI_2);
    let q = [
        ("x", x),
        ("y", 0.0),
        ("a", 2.0 * right),
        ("b", -right),
        ("c", right),
    ];
    let at_rest = ["x", "y", "a", "b", "c"].map(|name| (name, 0.0));
    let (k, om) = (0.25 / 12.0 / 0.09, 1.25_f64);
    for method in ["jourdain", "kane", "boltzmann-hamel"] {
        let options = DeriveOptions {
            method: Some(method.into()),
            ..DeriveOptions::default()
        };
        let found = with_options(text, &options, &q, &at_rest).unwrap();
        let found: Vec<f64> = found.qddot.iter().take(2).map(|a| a.1).collect();
        near(&found, &[om * om * x / (1.0 + k), 0.0]);
    }
    holds(text, "jourdain", &[]);
}

/// A ball that is driven up an inclined plane. The rows in the axes of N depend on one another, `roll.z = -roll.x`, and that factor is a constant, not
/// the quotient of two entries that vanish where the third of the Rodrigues parameters does.
#[test]
fn rows_on_an_inclined_plane_depend_on_one_another_by_a_constant() {
    let text = "model incline
param l = 0.3 > 0
param m = 0.83 > 0
param J = 1.24 > 0
param g = 1.97
param w = 0.33
param f = 2.5
coord x, y
coord r1, r2, r3
frame T = rotate(N, 45 [deg], N.y)
point C = O + x*T.x + y*T.y + l*T.z
frame B = rodrigues(N, r1, r2, r3)
body ball: frame B, mass m, center C, inertia [J, J, J]
point P = contact_sphere(C, l, T.z)
constraint roll: vel_at(ball, P) = vel_at(T, P)
gravity: -g*N.z
constraint motor: x' = w*sin(f*t)
speed u1 = dot(angvel(B), B.x)
speed u2 = dot(angvel(B), B.y)
speed u3 = dot(angvel(B), B.z)
speed u4 = x'";
    let q = [
        ("x", 0.9),
        ("y", 0.0),
        ("r1", 3.0),
        ("r2", 1.5),
        ("r3", 0.0),
    ];
    let at_rest = ["x", "y", "r1", "r2", "r3"].map(|name| (name, 0.0));
    // The plane pushes along T.x such that the ball rolls, the motor does the rest.
    let (l, m, inertia, g, a) = (0.3_f64, 0.83, 1.24, 1.97, 0.33 * 2.5);
    let (push, half) = (-inertia * a / (l * l), 0.5_f64.sqrt());
    let motor = m * a - push - m * g * half;
    // In closed form the quotient is simplified.
    for (method, form) in [
        ("boltzmann-hamel", Form::Staged),
        ("kane", Form::Staged),
        ("lagrange", Form::Closed),
    ] {
        let options = DeriveOptions {
            method: Some(method.into()),
            form,
            ..DeriveOptions::default()
        };
        let found = with_options(text, &options, &q, &at_rest).unwrap();
        let found: Vec<f64> = found.multipliers.iter().map(|a| a.1).collect();
        near(&found, &[push * half, 0.0, -push * half, motor]);
    }
}

/// A crank of two loops, the first a hair from its dead centre: it turns at 750 rad/s there, and accelerations of 1e9 leave errors of 1e-5 in those of the second loop. Equations for
/// the multipliers alone contradict one another by as much. By hand: the slider of the second loop is pushed by its guide alone.
#[test]
fn loops_at_different_speeds_do_not_contradict_one_another() {
    let text = "model loops
param l1 = 0.4, l2 = 1.1, l3 = 0.91, l4 = 0.83, l5 = 0.39, l6 = 1 : m > 0
param m1 = 2.35, m2 = 2.58, m3 = 1.42, m4 = 0.63, m5 = 2.09, m6 = 0.37 : kg > 0
param J1 = 1.33, J2 = 1.73, J3 = 1.44, J4 = 1.47, J5 = 1.39 : kg*m^2 > 0
coord q5, q14, q27, q41, q53 : rad
coord s63 : m
frame B6 = rotate(N, q5, N.z)
point E7 = O + l1*B6.x
point G8 = O + l1/2*B6.x
body W10: frame B6, mass m1, center G8, inertia [J1, J1, J1]
frame B15 = rotate(B6, q14, B6.z)
point E16 = E7 + l3*B15.x
point G17 = E7 + l3/2*B15.x
body W19: frame B15, mass m2, center G17, inertia [J2, J2, J2]
point D26 = O + l2*N.x
frame B28 = rotate(N, q27, N.z)
point E29 = D26 + l4*B28.x
point G30 = D26 + l4/2*B28.x
body W32: frame B28, mass m3, center G30, inertia [J3, J3, J3]
constraint c36: E16 = E29
frame B42 = rotate(N, q41, N.z)
point E43 = D26 + l5*B42.x
point G44 = D26 + l5/2*B42.x
body W46: frame B42, mass m4, center G44, inertia [J4, J4, J4]
frame B54 = rotate(N, q53, N.z)
point E55 = E43 + l6*B54.x
point G56 = E43 + l6/2*B54.x
body W58: frame B54, mass m5, center G56, inertia [J5]
point S64 = D26 + s63*N.x
particle A66: mass m6 at S64
constraint c67: E55 = S64
torque on W10: 3.19 [N*m]*N.z
torque on W46: -0.527 [N*m]*N.z
param w71 = 0.39, f72 = 0.44 : rad/s
constraint motor73: q27' = w71*cos(f72*t)
speed u74 = q53'
speed u75 = q27' + sin(q5)*q53'
speed u76 = q41'
speed u77 = q14'
speed u78 = s63'";
    let options = DeriveOptions {
        method: Some("boltzmann-hamel".to_owned()),
        form: Form::Closed,
        ..DeriveOptions::default()
    };
    let evaluator = evaluator_source(&Source::new("machine.eom", text), &options).unwrap();
    let input = EvalInput {
        t: 0.5649582818399913,
        q: numbers(&[
            ("q5", -0.6814728099060974),
            ("q14", -0.000866550157840044),
            ("q27", -1.6710739798219296),
            ("q41", 0.7381483291300782),
            ("q53", -0.2655484655663856),
            ("s63", 1.2534378895283478),
        ])
        .collect(),
        qdot: Some(
            numbers(&[
                ("q5", -756.1170040583089),
                ("q14", 1088.665544069824),
                ("q27", 0.3780123180147281),
                ("q41", 0.013493267591476567),
                ("q53", -0.004034060774224916),
                ("s63", -0.00459984661949734),
            ])
            .collect(),
        ),
        ..EvalInput::default()
    };
    let found = evaluator.eval(&input).unwrap();
    let number = |list: &[(String, f64)], name: &str| list.iter().find(|x| x.0 == name).unwrap().1;
    let push = number(&found.multipliers, "c67.x");
    let wanted = -0.37 * number(&found.qddot, "s63");
    assert!(
        push != 0.0 && (push - wanted).abs() < 1e-4 * push.abs(),
        "{push} {wanted}"
    );
}

/// A free body that a short leg holds, driven along the leg: the rates of the leg are divided by its length of 9 mm, and by a component of its direction that nearly vanishes. What the joint
/// does to the body is what the body's acceleration takes, by hand.
#[test]
fn a_joint_of_a_free_body_is_read_off_its_equations() {
    let text = "model leg
coord x1, y2, z3 : m
coord e5, e6, e7, e8
point P4 = O + x1*N.x + y2*N.y + z3*N.z
frame B9 = quaternion(N, e5, e6, e7, e8)
param m10 = 0.36 : kg
param J12 = 1.88, J13 = 1.78, J14 = 1.68 : kg*m^2 > 0
body W11: frame B9, mass m10, center P4, inertia [J12, J13, J14]
param l17 = 0.39 : m > 0
frame U19 = rotate(N, 0.26, N.z)
coord q20, q21 : rad
frame L22 = rotate_body(U19, xy, q20, q21)
coord s23 : m
point E24 = O + s23*L22.z
param m25 = 2.46 : kg > 0
param J27 = 1.37, J28 = 1.31, J29 = 1.58 : kg*m^2 > 0
body W26: frame L22, mass m25, center O, inertia [J27, J28, J29]
constraint c32: E24 = P4 + l17*B9.x
param g33 = 1.76 : m/s^2
gravity: -g33*N.z
force on P4: -1.8 [N]*N.y
param w35 = 1.50 : m/s
param f36 = 1.81 : rad/s
constraint motor37: s23' = w35*cos(f36*t)
speed u38 = dot(angvel(B9), B9.x)
speed u39 = dot(angvel(B9), B9.y)
speed u40 = dot(angvel(B9), B9.z)
speed u41 = z3'
speed u42 = y2'";
    let q = [
        ("x1", 0.11730705933891578),
        ("y2", -0.158562316162692),
        ("z3", 0.3279396925286264),
        ("e5", 0.591310951653758),
        ("e6", -0.002462971993580304),
        ("e7", 0.7284769865906338),
        ("e8", 0.34592856521414284),
        ("q20", -0.046738233046100294),
        ("q21", 3.1495461165831697),
        ("s23", 0.008724688164037105),
    ];
    let rates = [
        ("x1", 0.3397817587875297),
        ("y2", 0.07894811164620576),
        ("z3", -1.542255337451652),
        ("e5", -0.3697169258242495),
        ("e6", -0.8053253025306503),
        ("e7", -0.11518140867600994),
        ("e8", 0.8687954951141486),
        ("q20", -0.6043087349335601),
        ("q21", 0.7125777215479696),
        ("s23", 1.5),
    ];
    let options = DeriveOptions {
        method: Some("boltzmann-hamel".to_owned()),
        ..DeriveOptions::default()
    };
    let found = with_options(text, &options, &q, &rates).unwrap();
    let a: Vec<f64> = found.qddot.iter().take(3).map(|a| a.1).collect();
    let joint = found
        .multipliers
        .iter()
        .filter(|(name, _)| name.starts_with("c32"));
    let joint: Vec<f64> = joint.map(|l| l.1).collect();
    near(
        &joint,
        &[-0.36 * a[0], -1.8 - 0.36 * a[1], -0.36 * (1.76 + a[2])],
    );
}

/// A rate of a quaternion is eliminated, and written out within its square: near the zero of its component errors grow with the fourth power, and states are refused where a millionth
/// is lost. As a definition of its own it costs the square alone. A turn about a principal axis: `e'' = -w^2/4 e`, by hand.
#[test]
fn checks_know_how_fast_errors_grow_beside_a_pole() {
    let text = "model top
coord a, b, c, d
param J1 = 1.03, J2 = 1.68, J3 = 1.18 : kg*m^2 > 0
frame B = quaternion(N, a, b, c, d)
body W: frame B, mass 0.9 [kg], center O, inertia [J1, J2, J3]";
    let w = 1.2;
    for (form, b, is_known) in [
        (Form::Closed, 3e-2_f64, true),
        (Form::Closed, 8e-3, true),
        (Form::Closed, 2e-3, false),
        (Form::Closed, 1e-4, false),
        (Form::Staged, 2e-3, true),
        (Form::Staged, 1e-4, true),
    ] {
        let options = DeriveOptions {
            form,
            plan: Plan::Reduced,
            dependent: vec!["b'".to_owned()],
            ..DeriveOptions::default()
        };
        let rest = 1.0 - b * b;
        let [a, c, d] = [0.2, 0.5, 0.3].map(|part: f64| (part * rest).sqrt());
        let q = [("a", a), ("b", b), ("c", c), ("d", d)];
        let rates = [-d, c, -b, a].map(|part| w / 2.0 * part);
        let rates = ["a", "b", "c", "d"].into_iter().zip(rates);
        let rates: Vec<(&str, f64)> = rates.collect();
        match with_options(text, &options, &q, &rates) {
            Ok(found) => {
                assert!(is_known, "{form:?} {b}");
                for ((_, part), (_, found)) in q.iter().zip(&found.qddot) {
                    let off = found + w * w / 4.0 * part;
                    assert!(off.abs() < 1e-6, "{form:?} {b}: {off:e}");
                }
            }
            Err(refused) => assert!(
                !is_known && refused.contains("b = 0"),
                "{form:?} {b}: {refused}"
            ),
        }
    }
}

/// A four-bar, the mass of whose crank is positive or may be anything: inertias that may vanish weigh nothing, and a module says whether they do.
#[test]
fn which_chart_is_in_use_is_told_with_inertias_and_without() {
    let model = |mass: &str| {
        format!(
            "model four_bar
param a = 0.4, b = 0.55, c = 1.04 > 0
param m = 1.6{mass}
coord q1, q2, q3
frame A = rotate(N, q1, N.z)
frame B = rotate(A, q2, A.z)
frame C = rotate(N, q3, N.z)
point P = O + a*A.x
point Q = P + c*B.x
point R = O + c*N.x + b*C.x
body crank: frame A, mass m, center O + a/2*A.x, inertia [0, 0, 1.1]
body coupler: frame B, mass 2.6, center P + c/2*B.x, inertia [0, 0, 1.7]
body rocker: frame C, mass 0.8, center O + c*N.x + b/2*C.x, inertia [0, 0, 1.5]
constraint x: dot(Q - R, N.x) = 0
constraint y: dot(Q - R, N.y) = 0
gravity: -2.4*N.y
spring return: on q3, stiffness 2.5
generalized q1: -2.1*q1'*step(q1')"
        )
    };
    for (mass, weighed) in [(" > 0", true), ("", false)] {
        let source = Source::new("machine.eom", &model(mass));
        let derive = DeriveOptions {
            method: Some("explicit-gibbs-appell".into()),
            form: Form::Staged,
            outputs: vec!["chart_in_use".into()],
            ..DeriveOptions::default()
        };
        let code = derive_source(&source, &derive).unwrap().code;
        let said = "charts = q1'' q2'' | q2'' q3'' | q1'' q3'' | weighed";
        assert_eq!(code.contains(said), weighed, "{mass}");
        let options = VerifyOptions {
            file: Some(("machine.rs".into(), code)),
            ..VerifyOptions::default()
        };
        let certificate = verify_source(&source, &options).unwrap();
        assert!(certificate.holds(), "{mass}: {certificate}");
    }
}
