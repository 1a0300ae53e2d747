//! Loads, constraints and speeds beyond the models with reference files, by every formulation, checked by Gauss's
//! principle on point masses.
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

mod loads {
    use super::*;

    #[test]
    fn springs_dampers_and_followers() {
        good(
            "model m
param k, c, L
input F, tau
coord x, y, a, b
frame A = rotate(N, a, N.z)
frame B = rotate(A, b, A.x)
point G = O + x*N.x + y*N.y
point Tip = G + 0.7*A.x + 0.2*B.y
point S = O + 2*N.x - 1*N.y + sin(t)*N.z
body K: frame A, mass 1.4, center G, inertia [0.3, 0.4, 0.5]
body R: frame B, mass 0.5, center Tip, inertia [0.2, 0.1, 0.15, 0, 0.01, 0]
gravity: 3*N.x - 9*cos(t)*N.y + 0.2*N.z
let r = Tip - S
force on Tip: -k*(norm(r) - L)*r/norm(r) - c*vel(Tip)
force on Tip: F*B.z
force on G, opposite on Tip: 0.3*norm(vel(G))*A.y
torque on R, opposite on K: tau*A.x - 0.4*b'*A.x
torque on K: -0.2*angvel(K)
generalized b: -k*sin(b)
generalized x: -tanh(5*x')
",
        );
    }

    #[test]
    fn switches_and_powers() {
        checked(
            "model m
param k
coord x, y
function law(x, t), drag(u)
speed u = 2*x' + y'
point P = O + x*N.x + y*N.y
particle A: mass 1.2 at P
force on P: -k*max(x, 0, y)^3*N.x + min(x, y, 1)*N.y - abs(y)*sign(x')*N.x
force on P: law*N.x + law(y, 2*t)*N.y - drag(u)*N.x - drag(y'*u)*N.y
generalized y: (x^2 + 1)^(3/2)/(1 + y^2)^0.7 + exp(x)^y
",
            &Settings {
                functions: vec![("law", "x^2*cos(t)"), ("drag", "u + u^3")],
                ..Settings::default()
            },
        );
    }

    #[test]
    fn generalized_forces_with_declared_speeds() {
        good(
            "model m
param k
coord x, y, a
frame B = rotate(N, a, N.z)
point P = O + x*N.x + y*N.y
body K: frame B, mass 1.2, center P, inertia [0.2, 0.3, 0.4]
speed u1 = dot(vel(P), B.x)
speed u2 = dot(vel(P), B.y) + 0.4*t
speed u3 = a' + x
generalized x: -k*x + u2
generalized a: u1*x
force on O, opposite on P: u3*B.y
output p = u1' + u2
",
        );
    }

    #[test]
    fn gravity_in_any_direction() {
        good(
            "model m
input gx
coord a, b
frame A = rotate_body(N, xy, a, b)
point P = O + A.x + 0.5*A.z
body K: frame A, mass 1.2, center P, inertia [0.2, 0.3, 0.4]
gravity: gx*N.x + sin(t)*N.y - 9.81*N.z
",
        );
    }
}

/// Outside of the domain of a function nothing comes out in silence.
mod domains {
    use eomgen::{EvalInput, evaluator, options::DeriveOptions};

    fn at(force: &str, x: f64) -> Result<f64, String> {
        let text = format!(
            "model m\ncoord x\npoint P = O + x*N.x\nparticle A: mass 2 at P\nforce on P: {force}*N.x\n"
        );
        let e = evaluator("m.eom", &text, &DeriveOptions::default()).unwrap();
        let input = EvalInput {
            q: [("x".to_string(), x)].into_iter().collect(),
            qdot: Some([("x".to_string(), 0.0)].into_iter().collect()),
            ..EvalInput::default()
        };
        match e.eval(&input) {
            Ok(out) => Ok(out.qddot[0].1),
            Err(f) => Err(format!("{f:?}")),
        }
    }

    #[test]
    fn are_conditions() {
        for (force, good, bad, text) in [
            ("sqrt(x)", 0.0, -1e-3, "x < 0"),
            ("1/sqrt(x - 2)", 2.5, 1.0, "x - 2 < 0"),
            ("ln(x)", 0.5, 0.0, "x <= 0"),
            ("ln(x)", 0.5, -0.5, "x <= 0"),
            ("asin(x)", 1.0, 1.001, "abs(x) > 1"),
            ("acos(x)", -1.0, -1.001, "abs(x) > 1"),
            ("x^0.7", 0.0, -0.1, "x < 0"),
            ("x^(-0.7)", 0.1, 0.0, "x <= 0"),
            ("exp(x)/(x - 1)", 0.0, 1.0, "x - 1 = 0"),
        ] {
            assert!(at(force, good).unwrap().is_finite(), "{force} at {good}");
            let error = at(force, bad).unwrap_err();
            assert!(error.contains(text), "{force} at {bad}: {error}");
        }
    }
}

mod nonideal {
    use super::*;

    #[test]
    fn torque_force_and_generalized() {
        for what in [
            "nonideal torque on B: -0.3*angvel(B)",
            "nonideal generalized x: -0.3*x'^3\nnonideal on P: -0.2*norm(vel(P))*vel(P)",
            "nonideal on P, opposite on Q: 0.3*B.x - 0.2*B.y",
        ] {
            good(&format!(
                "model m
coord x, y, a
frame B = rotate(N, a, N.z)
point P = O + x*N.x + y*N.y
point Q = P + 0.4*B.x + 0.1*B.y
body K: frame B, mass 1.2, center P, inertia [0.2, 0.3, 0.4]
particle L: mass 0.3 at Q
{what}
force on Q: 0.7*N.x
constraint blade: dot(vel(Q), B.y) = 0.2
"
            ));
        }
    }

    #[test]
    fn with_dependent_nonlinear_rows() {
        good(
            "model m
coord x, y, z
point P = O + x*N.x + y*N.y + z*N.z
particle A: mass 1.3 at P
force on P: 0.4*N.x + y*N.z
constraint c: x'^2 + y'^2 - z'^2 = 1
constraint d: 3*x'^2 + 3*y'^2 - 3*z'^2 = 3
nonideal on P: -0.3*norm(vel(P))*vel(P) + 0.1*N.y
",
        );
    }
}

mod speeds {
    use super::*;

    const SLEIGH: &str = "model m
coord x, y, a
frame B = rotate(N, a, N.z)
point P = O + x*N.x + y*N.y
point Q = P + 0.4*B.x
body K: frame B, mass 1.2, center P, inertia [0.2, 0.3, 0.4]
particle L: mass 0.3 at Q
force on Q: 0.7*N.x - 0.3*vel(Q)
gravity: -2*N.y
";

    #[test]
    fn few_all_or_none_declared() {
        for speeds in [
            "",
            "speed w = a' + x'\n",
            "speed u = dot(vel(Q), B.y)\n",
            "speed u1 = dot(vel(P), B.x) + 0.2*t\nspeed u2 = a'\n",
            "speed u1 = dot(vel(P), B.x)\nspeed u2 = a'\nspeed u3 = dot(vel(Q), B.y)\n",
        ] {
            for row in [
                "constraint blade: dot(vel(Q), B.y) = 0\n",
                "constraint blade: dot(vel(Q), B.y) = 0.3*sin(t) + 0.1*x\n",
                "",
            ] {
                good(&format!("{SLEIGH}{speeds}{row}"));
            }
        }
    }

    #[test]
    fn wheeled_robot_without_speeds() {
        good(&format!(
            "{SLEIGH}constraint blade: -x'*sin(a) + y'*cos(a) = 0\n"
        ));
    }

    #[test]
    #[ignore = "a quarter of a minute: cargo test -p generated-tests --test suite mechanics -- --ignored"]
    fn chosen_columns() {
        for dependent in ["x'", "y'", "a'"] {
            checked(
                &format!("{SLEIGH}constraint blade: dot(vel(Q), B.y) = 0.1*t\n"),
                &Settings {
                    dependent: vec![dependent],
                    ..Settings::default()
                },
            );
        }
        good(&format!(
            "{SLEIGH}constraint blade: dot(vel(Q), B.y) = 0.1*t\nprivileged x', a'\n"
        ));
        good(&format!(
            "{SLEIGH}speed u = dot(vel(P), B.x)\nconstraint blade: dot(vel(Q), B.y) = 0.1*t\nprivileged u, y'\n"
        ));
    }

    #[test]
    fn speed_that_a_row_fixes() {
        good(&format!(
            "{SLEIGH}speed u = dot(vel(P), B.x)\nspeed w = a'\nconstraint c: u = 0.3*t^2\nconstraint d: w = 0.5\n"
        ));
        good(&format!("{SLEIGH}constraint c: a = 0.3*t^2 + sin(t)\n"));
    }
}

mod holonomic {
    use super::*;

    #[test]
    fn slider_crank() {
        good(
            "model m
coord a, b, x
frame A = rotate(N, a, N.z)
frame B = rotate(N, b, N.z)
point C = O + 0.5*A.x
point D = C + 1.3*B.x
point G = C + 0.6*B.x
point S = O + x*N.x
body crank: frame A, mass 0.4, center O, inertia [0.1, 0.1, 0.1]
body rod: frame B, mass 0.8, center G, inertia [0.1, 0.1, 0.1]
particle slider: mass 1.1 at S
gravity: -9.81*N.y
torque on A: 1.3*N.z
force on S: -0.3*x'*N.x
constraint loop: D - O = S - O
",
        );
    }

    #[test]
    fn four_bar_loop() {
        checked(
            "model m
coord a, b, c
frame A = rotate(N, a, N.z)
frame B = rotate(N, b, N.z)
frame C = rotate(N, c, N.z)
point P = O + 0.5*A.x
point Q = P + 1.2*B.x
point R = O + 1*N.x
point S = R + 0.8*C.x
particle p: mass 1 at P
particle q: mass 0.6 at Q
body K: frame C, mass 0.3, center R, inertia [0.1, 0.1, 0.3]
gravity: -9.81*N.y
constraint loop: Q - O = S - O
",
            &Settings {
                about: vec![("a", 1.2), ("b", 0.3), ("c", 1.5)],
                spread: 0.2,
                ..Settings::default()
            },
        );
    }

    #[test]
    fn moving_track() {
        checked(
            "model m
coord x, y, z
function h(x, y, t)
point P = O + x*N.x + y*N.y + z*N.z
particle A: mass 1.3 at P
gravity: -9.81*N.z
constraint on: z = h
",
            &Settings {
                functions: vec![("h", "x*y + sin(x*t) + t^2")],
                ..Settings::default()
            },
        );
        good(
            "model m
coord x, y, z
point P = O + x*N.x + y*N.y + z*N.z
particle A: mass 1.3 at P
gravity: -9.81*N.z
constraint sphere: norm(P - O) = 1 + 0.2*t
",
        );
    }

    #[test]
    fn position_and_velocity_rows_of_the_same_thing() {
        good(
            "model m
coord x, y, a
frame B = rotate(N, a, N.z)
point P = O + x*N.x + y*N.y
body K: frame B, mass 1.3, center P, inertia [0.1, 0.1, 0.3]
gravity: -9.81*N.y
constraint first: x = 0.4*a
constraint second: x' = 0.4*a'
constraint third: y' + 0.2*a' = 0
",
        );
    }
}

/// M is singular, the constraints settle the motion.
mod singular_mass {
    use super::*;

    #[test]
    fn massless_point() {
        let text = "model m
coord x, y, s
point P = O + x*N.x + y*N.y
particle A: mass 1.3 at P
gravity: -9.81*N.y
force on P: -0.2*vel(P)
constraint c: s = x*y + 0.2*t
";
        good(text);
        good(&text.replace("s = x*y + 0.2*t", "s' = x*y' + x'^3"));
    }

    #[test]
    fn one_coordinate_too_many() {
        good(
            "model m
coord x, y, s
point P = O + (x + s)*N.x + y*N.y
particle A: mass 1.3 at P
gravity: -9.81*N.y
constraint c: s = 0.3*x^2 + t
",
        );
    }

    #[test]
    fn massless_link() {
        checked(
            "model m
coord x, a
frame A = rotate(N, a, N.z)
point P = O + x*N.x
point Q = P + 0.8*A.x
particle A1: mass 1.3 at P
generalized x: -0.4*x
constraint c: dot(Q - O, N.y) = 0.3 + 0.1*t
",
            &Settings {
                about: vec![("a", 0.4)],
                spread: 0.2,
                ..Settings::default()
            },
        );
    }
}

/// Rows that depend on one another on the constraints only.
mod dependent_on_the_constraints {
    use super::*;

    /// On the constraints, and a little beside them as after some steps of an integrator.
    fn also_beside(text: &str, settings: &Settings) {
        checked(text, settings);
        checked(
            text,
            &Settings {
                drift: 1e-7,
                ..settings.clone()
            },
        );
    }

    #[test]
    fn multiple_of_a_row() {
        also_beside(
            "model m
coord x, y, th
frame B = rotate(N, th, N.z)
point P = O + x*N.x + y*N.y
body K: frame B, mass 1.3, center P, inertia [0.1, 0.1, 0.3]
gravity: -9.81*N.y
force on P: 0.3*th*N.x
constraint one: x - sin(th) = 0
constraint two: (1 + th^2)*(x - sin(th)) = 0
",
            &Settings::default(),
        );
    }

    #[test]
    fn square_of_a_length() {
        for two in ["(x^2 + y^2)^2 = 1", "norm(P - O) = 1"] {
            also_beside(
                &format!(
                    "model m
coord x, y
point P = O + x*N.x + y*N.y
particle A: mass 1.3 at P
gravity: -9.81*N.y
constraint one: x^2 + y^2 = 1
constraint two: {two}
"
                ),
                &Settings {
                    about: vec![("x", 0.8), ("y", 0.6)],
                    spread: 0.2,
                    ..Settings::default()
                },
            );
        }
    }

    /// Parallel cranks of equal length: the third is redundant on the motion only.
    #[test]
    fn parallelogram() {
        let text = "model m
param r = 0.5
coord a = 0.9, b = 0.9, c = 0, d = 0.9
frame A = rotate(N, a, N.z)
frame B = rotate(N, b, N.z)
frame C = rotate(N, c, N.z)
frame D = rotate(N, d, N.z)
point P = O + r*A.x
point Q = O + 1*N.x + r*B.x
point R = O + 2*N.x + r*D.x
body p: frame A, mass 1, center P, inertia [0.1, 0.1, 0.3]
body q: frame B, mass 0.6, center Q, inertia [0.1, 0.1, 0.3]
body r1: frame D, mass 0.7, center R, inertia [0.1, 0.1, 0.3]
body k: frame C, mass 0.3, center P, inertia [0.1, 0.1, 0.3]
gravity: -9.81*N.y
constraint one: Q - P = 1*C.x
constraint two: R - P = 2*C.x
";
        let settings = Settings {
            params: vec![("r", 0.5)],
            about: vec![("a", 0.9), ("b", 0.9), ("c", 0.0), ("d", 0.9)],
            spread: 0.1,
            ..Settings::default()
        };
        also_beside(text, &settings);
    }

    /// A planar loop written in space: three rows of which one is always satisfied once the others are.
    #[test]
    #[ignore = "a quarter of a minute: cargo test -p generated-tests --test suite mechanics -- --ignored"]
    fn planar_loop_in_space() {
        also_beside(
            "model m
coord a, b, c, e
frame A = rotate(N, a, N.z)
frame E = rotate(A, e, A.x)
frame B = rotate(E, b, E.z)
frame C = rotate(N, c, N.z)
point P = O + 0.5*A.x
point Q = P + 1.1*B.x
point S = O + 1*N.x + 0.8*C.x
body p: frame A, mass 1, center P, inertia [0.1, 0.1, 0.3]
body q: frame B, mass 0.6, center Q, inertia [0.1, 0.1, 0.3]
body k: frame C, mass 0.3, center S, inertia [0.1, 0.1, 0.3]
constraint loop: Q - O = S - O
constraint axes: dot(B.z, N.y) = 0
",
            &Settings {
                about: vec![("a", 0.5), ("b", 0.9), ("c", 1.2), ("e", 0.0)],
                ..Settings::default()
            },
        );
    }
}
