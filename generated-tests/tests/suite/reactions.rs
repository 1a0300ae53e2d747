//! Reactions in loads and outputs, declared reactions, constraints on accelerations and prescribed motion: by every
//! formulation, closed and staged, against formulas of textbooks and against the oracle.
#![cfg(feature = "pipeline")]

use eomgen::{
    EvalInput, EvalOutput, Failure, evaluator,
    options::{DeriveOptions, Form},
};
use generated_tests::oracle::{Settings, check};
use generated_tests::reference::model_text;

const METHODS: [&str; 4] = ["kane", "gibbs-appell", "lagrange", "udwadia-kalaba"];

fn good(text: &str) {
    checked(text, &Settings::default());
}

fn checked(text: &str, settings: &Settings) {
    if let Err(complaint) = check(text, settings) {
        panic!("{complaint}");
    }
}

fn text(model: &str) -> String {
    model_text(model).unwrap()
}

type Named<'a> = &'a [(&'a str, f64)];

fn evaluate(
    text: &str,
    method: &str,
    form: Form,
    params: Named<'_>,
    q: Named<'_>,
    qdot: Named<'_>,
) -> Result<EvalOutput, Failure> {
    let options = DeriveOptions {
        method: Some(method.into()),
        form,
        ..DeriveOptions::default()
    };
    let own = |list: Named<'_>| list.iter().map(|(n, v)| ((*n).to_string(), *v)).collect();
    let input = EvalInput {
        t: 0.3,
        params: own(params),
        q: own(q),
        qdot: Some(own(qdot)),
        ..EvalInput::default()
    };
    evaluator("model.eom", text, &options)?.eval(&input)
}

/// The outcome of every formulation, closed and staged.
fn everywhere(
    text: &str,
    params: Named<'_>,
    q: Named<'_>,
    qdot: Named<'_>,
    see: impl Fn(&EvalOutput),
) {
    for method in METHODS {
        for form in [Form::Closed, Form::Staged] {
            let found = evaluate(text, method, form, params, q, qdot);
            see(&found.unwrap_or_else(|f| panic!("{method} {form:?}: {f:?}")));
        }
    }
}

fn value(list: &[(String, f64)], name: &str) -> f64 {
    list.iter().find(|x| x.0 == name).map_or(f64::NAN, |x| x.1)
}

fn output(out: &EvalOutput, name: &str) -> f64 {
    let found = out.outputs.iter().find(|x| x.0 == name);
    found.map_or(f64::NAN, |x| x.1[0])
}

fn close(found: f64, wanted: f64) {
    let good = (found - wanted).abs() <= 1e-10 * wanted.abs().max(1.0);
    assert!(good, "{found}, should be {wanted}");
}

mod friction {
    use super::*;

    /// Every textbook: x'' = g (sin alpha - mu cos alpha) while it slides down.
    #[test]
    fn a_block_on_an_incline() {
        let params = [("m", 2.0), ("mu", 0.3), ("alpha", 0.5), ("v0", 1e-3)];
        let (x, v) = ([("x", 0.2), ("y", 0.0)], [("x", 1.0), ("y", 0.0)]);
        everywhere(&text("incline_block"), &params, &x, &v, |out| {
            let (s, c) = 0.5_f64.sin_cos();
            close(value(&out.qddot, "x"), 9.81 * (s - 0.3 * c));
            close(value(&out.multipliers, "floor"), 2.0 * 9.81 * c);
            close(output(out, "normal"), 2.0 * 9.81 * c);
        });
        good(&text("incline_block"));
    }

    /// Newton and Euler for the ladder, with both friction forces, as three equations for theta'' and the two normal forces.
    #[test]
    fn a_ladder_on_floor_and_wall() {
        let (m, j, a, mu1, mu2, v0, g) = (1.3, 0.4, 0.7, 0.25, 0.15, 0.1, 9.81);
        let params = [
            ("m", m),
            ("J", j),
            ("a", a),
            ("mu1", mu1),
            ("mu2", mu2),
            ("v0", v0),
            ("g", g),
        ];
        let (th, w): (f64, f64) = (-1.0, 0.4);
        let (s, c) = th.sin_cos();
        let q = [("x", a * c), ("y", -a * s), ("th", th)];
        let qd = [("x", -a * s * w), ("y", -a * c * w), ("th", w)];
        let s1 = (-2.0 * a * s * w / v0).tanh();
        let s2 = (-2.0 * a * c * w / v0).tanh();
        // x = a c, y = -a s. Unknowns th'', Nf, Nw; forces at the foot (-mu1 s1 Nf, Nf), at the top (Nw, -mu2 s2 Nw).
        let left = nalgebra::Matrix3::new(
            -m * a * s,
            mu1 * s1,
            -1.0,
            -m * a * c,
            -1.0,
            mu2 * s2,
            j,
            -a * (c + s * mu1 * s1),
            a * (c * -mu2 * s2 - s),
        );
        let right = nalgebra::Vector3::new(m * a * c * w * w, -m * a * s * w * w - m * g, 0.0);
        let wanted = left.lu().solve(&right).unwrap();
        everywhere(&text("ladder_friction"), &params, &q, &qd, |out| {
            close(value(&out.qddot, "th"), wanted[0]);
            close(output(out, "on_floor"), wanted[1]);
            close(output(out, "on_wall"), wanted[2]);
        });
        good(&text("ladder_friction"));
    }

    /// Painleve's rod: N (1 + 3 cos th (cos th - mu sin th)) = m (g - l th'^2 sin th), mu positive against a contact
    /// that slides to the left.
    #[test]
    fn painleves_rod() {
        let (m, l, g, th, w): (f64, f64, f64, f64, f64) = (1.1, 0.8, 9.81, 1.0, 0.7);
        let (s, c) = th.sin_cos();
        let q = [("x", 0.1), ("y", l * s), ("th", th)];
        let qd = [("x", -2.0), ("y", l * c * w), ("th", w)];
        let critical = (1.0 + 3.0 * c * c) / (3.0 * s * c);
        // Before the critical friction and behind it, where the normal force pulls.
        for mu in [0.3, 1.2 * critical] {
            let params = [("m", m), ("l", l), ("g", g), ("mu", mu)];
            let wanted = m * (g - l * w * w * s) / (1.0 + 3.0 * c * (c - mu * s));
            everywhere(&text("painleve_rod"), &params, &q, &qd, |out| {
                close(output(out, "normal"), wanted);
                close(value(&out.qddot, "x"), mu * wanted / m);
            });
        }
        for method in METHODS {
            for form in [Form::Closed, Form::Staged] {
                let params = [("m", m), ("l", l), ("g", g), ("mu", critical)];
                let found = evaluate(&text("painleve_rod"), method, form, &params, &q, &qd);
                assert!(found.is_err(), "{method} {form:?}: {found:?}");
            }
        }
    }

    /// A lever brake on a drum, whose shoe is d off the pivot: N = F L/(a - mu d), locking at mu = a/d.
    #[test]
    fn a_lever_brake() {
        let text = &text("lever_brake");
        let (a, d, mu) = (0.3, 0.2, 0.4);
        let params = [
            ("J1", 0.2),
            ("J2", 0.5),
            ("r", 0.15),
            ("a", a),
            ("d", d),
            ("L", 0.9),
            ("mu", mu),
            ("F", 50.0),
        ];
        let (q, qd) = ([("phi", 0.0), ("psi", 0.3)], [("phi", 0.0), ("psi", 7.0)]);
        everywhere(text, &params, &q, &qd, |out| {
            let normal = 50.0 * 0.9 / (a - mu * d);
            close(output(out, "normal"), normal);
            close(value(&out.qddot, "psi"), mu * 0.15 * normal / 0.5);
        });
        let locked = [
            ("J1", 0.2),
            ("J2", 0.5),
            ("r", 0.15),
            ("a", a),
            ("d", d),
            ("L", 0.9),
            ("mu", a / d),
            ("F", 50.0),
        ];
        assert!(evaluate(text, "kane", Form::Staged, &locked, &q, &qd).is_err());
    }

    /// Declared speeds, dependent rows elsewhere, a velocity row, generalized forces and torques by reactions.
    #[test]
    fn among_other_things() {
        good(
            "model m
param k
coord x, y, a
frame B = rotate(N, a, N.z)
point P = O + x*N.x + y*N.y
body K: frame B, mass 1.2, center P, inertia [0.2, 0.3, 0.4]
speed u1 = dot(vel(P), B.x)
speed u3 = 2*a'
constraint blade: dot(vel(P), B.y) = 0.1*t
constraint turn: a' + x' = 0.3
constraint again: 2*a' + 2*x' = 0.6
force on P: -0.2*reaction(blade)*u1*B.x + k*N.y
torque on K: 0.1*reaction(blade)*B.z
generalized y: 0.3*reaction(blade)*sin(x)
output f = reaction(blade)*vel(P)
",
        );
    }

    /// Constraints by vectors, friction by single rows and by the whole reaction.
    #[test]
    fn vector_constraints() {
        good(
            "model m
coord x, y, z, a
frame B = rotate(N, a, N.x)
point P = O + x*N.x + y*N.y + z*N.z
particle K: mass 1.2 at P
point H0 = O + 0.2*B.y + x*N.x
particle H: mass 0.3 at H0
constraint track: vel(P) = sin(a)*x'*B.y + 0.2*a'*B.z in B
let R = reaction(track)
force on P: -0.2*reaction(track.y)*tanh(x')*N.x + 0.1*cross(R, B.x)
output lift = dot(R, N.z)
output along = reaction(track.x)
",
        );
    }

    /// Non-ideal constraint forces beside friction.
    #[test]
    fn with_nonideal_constraints() {
        good(
            "model m
coord x, y, z
point P = O + x*N.x + y*N.y + z*N.z
particle K: mass 1.2 at P
gravity: -9*N.z
constraint bowl: z = 0.2*x^2 + 0.3*y^2
constraint wind: x' = 0.4*y*y' + 0.1
nonideal on P: -0.3*vel(P)
force on P: -0.2*reaction(bowl)*tanh(y')*N.y
output f = reaction(bowl)
",
        );
    }

    /// More contacts than have their determinant written out.
    #[test]
    fn five_contacts() {
        good(
            "model m
coord x, y, a, b, c
frame A = rotate(N, a, N.z)
frame B = rotate(A, b, A.x)
point P = O + x*N.x + y*N.y
point Q = P + 0.6*A.x
point R = Q + 0.5*A.y + 0.2*B.z
body K: frame A, mass 1.2, center P, inertia [0.2, 0.3, 0.4]
body H: frame B, mass 0.7, center R, inertia [0.2, 0.3, 0.4]
particle S: mass 0.4 at T
point T = R + c*B.x
gravity: -9*N.y + 2*N.x
constraint c1: dot(P - O, N.y) = 0.1*x
constraint c2: dot(vel(Q), N.y) = 0.2*t*x'
constraint c3: b = 0.4*c + 0.1*t
constraint c4: c' = 0.3*x'
force on P: -0.2*reaction(c1)*tanh(x')*N.x + 0.1*reaction(c4)*N.y
force on Q: -0.3*reaction(c2)*tanh(x')*A.x
torque on H: 0.1*reaction(c3)*B.x + 0.2*reaction(c4)*A.z
generalized c: -0.2*reaction(c3) + 0.1*reaction(c1)
",
        );
    }
}

/// Friction in a closed loop.
mod friction_in_loops {
    use super::*;

    #[test]
    fn of_a_piston_pressed_sideways() {
        good(
            "model engine
param mu = 0.3
param v0 = 0.2 > 0
param r = 0.4, l = 0.8, m2 = 0.7, m3 = 0.9, J1 = 0.2, J2 = 0.1 > 0
coord th = 0.5, ph = -0.2, s = 1.1
frame A = rotate(N, th, N.z)
frame B = rotate(N, ph, N.z)
point C = O + r*A.x
point E = C + l*B.x
point G = C + l/2*B.x
point D = O + s*N.x
body crank: frame A, mass 0.5, center O, inertia [0, 0, J1]
body rod: frame B, mass m2, center G, inertia [0, 0, J2]
particle piston: mass m3 at D
constraint along: dot(E - D, N.x) = 0
constraint side: dot(E - D, N.y) = 0
force on piston: (-mu*reaction(side)*tanh(s'/v0) - 2)*N.x
torque on crank: 1.5*N.z
output pressed = reaction(side)
",
        );
    }
}

mod declared {
    use super::*;

    /// T = m (l theta'^2 + g cos theta).
    #[test]
    fn a_pendulum() {
        let text = "model pendulum
param m : kg > 0
param l : m > 0
param g = 9.81 [m/s^2] : m/s^2
coord q : rad
frame B = rotate(N, q, N.z)
point P = O + l*B.x
particle K: mass m at P
gravity: g*N.x
reaction T at P: -B.x
reaction again at K: -3*(P - O)
reaction side at P: N.z
reaction across at P: B.y
reaction moment at B: N.z
output double = 2*T
";
        let params = [("m", 1.4), ("l", 0.6)];
        everywhere(text, &params, &[("q", 0.4)], &[("q", 2.0)], |out| {
            let wanted = 1.4 * (0.6 * 4.0 + 9.81 * 0.4_f64.cos());
            close(output(out, "T"), wanted);
            close(output(out, "again"), wanted);
            close(output(out, "double"), 2.0 * wanted);
            // The rod has no mass: it bears no moment at the pivot, and no force across it.
            for zero in ["side", "across", "moment"] {
                close(output(out, zero), 0.0);
            }
        });
        good(text);
    }

    const PLACES: &str = "model places
param g
coord x1, y1, x2, y2
point P = O + x1*N.x + y1*N.y
point Q = O + x2*N.x + y2*N.y
particle K: mass 1.2 at P
particle L: mass 0.7 at Q
gravity: g*N.x
constraint rod1: norm(P - O) = 0.8
constraint rod2: norm(Q - P) = 0.5
output S = -reaction(rod1)
output T = -reaction(rod2)
";

    /// The same double pendulum by its angles, and by positions and constraints.
    #[test]
    fn a_double_pendulum_both_ways() {
        let (p, q, pd, qd): (f64, f64, f64, f64) = (0.3, -0.5, 1.2, 0.4);
        let (x1, y1) = (0.8 * p.cos(), 0.8 * p.sin());
        let (u1, v1) = (-y1 * pd, x1 * pd);
        let (dx, dy) = (0.5 * q.cos(), 0.5 * q.sin());
        let places = [("x1", x1), ("y1", y1), ("x2", x1 + dx), ("y2", y1 + dy)];
        let rates = [
            ("x1", u1),
            ("y1", v1),
            ("x2", u1 - dy * qd),
            ("y2", v1 + dx * qd),
        ];
        let wanted = evaluate(
            PLACES,
            "lagrange",
            Form::Staged,
            &[("g", 9.8)],
            &places,
            &rates,
        )
        .unwrap();
        everywhere(
            &text("double_pendulum_tensions"),
            &[
                ("m1", 1.2),
                ("m2", 0.7),
                ("l1", 0.8),
                ("l2", 0.5),
                ("g", 9.8),
            ],
            &[("p", p), ("q", q)],
            &[("p", pd), ("q", qd)],
            |out| {
                close(output(out, "S"), output(&wanted, "S"));
                close(output(out, "T"), output(&wanted, "T"));
            },
        );
        good(&text("double_pendulum_tensions"));
        good(PLACES);
    }

    /// The sleigh of two particles in the plane: the rod's compression and the blade's force mu = m2 u1 u2.
    #[test]
    fn a_sleigh() {
        let text = &text("sleigh_rod_force");
        let (m1, m2, l, th, u1, u2): (f64, f64, f64, f64, f64, f64) =
            (1.3, 2.5, 0.7, 0.4, 1.1, 0.6);
        let (s, c) = th.sin_cos();
        // v1 = u1 e1 - l u2 e2.
        let qd = [
            ("x", u1 * c + l * u2 * s),
            ("y", u1 * s - l * u2 * c),
            ("th", u2),
        ];
        let q = [("x", 0.1), ("y", 0.2), ("th", th)];
        let du = -m1 * l * u2 * u2 / (m1 + m2);
        everywhere(
            text,
            &[("m1", m1), ("m2", m2), ("l", l), ("g", 9.81)],
            &q,
            &qd,
            |out| {
                // a2 = u1' e1 + u1 u2 e2: the rod gives the first part, the blade the second.
                close(output(out, "mu"), m2 * u1 * u2);
                close(output(out, "rod"), m2 * du);
                close(output(out, "across"), 0.0);
                // Normal forces: on the second particle, and on both.
                close(output(out, "up"), m2 * 9.81);
                close(output(out, "both"), (m1 + m2) * 9.81);
            },
        );
        good(text);
    }

    /// Frames and points built on one another and on what is let go; torques at joints; constraints and friction as well.
    #[test]
    fn in_space() {
        checked(
            "model arm
param k
coord a, b, s
input tau
frame A = rotate(N, a, N.z)
frame B = rotate_body(A, xz, b, 0.3*a)
frame C = rotate(B, s, 2*B.x + B.y)
point P = O + 0.6*A.x + 0.1*t*N.z
point Q = P + 0.5*B.y + s*B.x
point H = P + (Q - P)/3 + 0.2*C.z
body K: frame A, mass 1.2, center P, inertia [0.2, 0.3, 0.4]
body L: frame B, mass 0.7, center H, inertia [0.3, 0.2, 0.25, 0.01, 0.02, 0]
body M: frame C, mass 0.4, center Q, inertia [0.1, 0.2, 0.15]
gravity: -9*N.z
force on Q: 2*N.x - 0.3*vel(H)
torque on L, opposite on K: tau*A.x
generalized s: -k*s
constraint slope: dot(vel(Q), N.x) = 0.2*w + 0.1*a'
function w(t)
reaction R1 at P: N.z
reaction R2 at Q: B.z
reaction R3 at Q: Q - O + 0.4*N.y
reaction T1 at A: A.x
reaction T2 at B: N.y
reaction T3 at C: 2*C.x - A.z
reaction T4 at A: N.z
reaction T5 at H: C.y
output all = R1*N.x + T2*N.y
",
            &Settings {
                functions: vec![("w", "0.4*sin(2*t)")],
                ..Settings::default()
            },
        );
    }
}

mod springs {
    use super::*;

    /// Springs, dampers and energies act on what is let go; tensions may depend on reactions.
    #[test]
    fn and_reactions() {
        good(
            "model m
param k, c
coord a, s, y
frame A = rotate(N, a, N.z)
point P = O + 0.7*A.x
point Q = P + s*A.y
point R = O + y*N.y + 2*N.x
particle K: mass 1.2 at P
particle L: mass 0.7 at Q
particle M: mass 0.4 at R
gravity: -9*N.y
spring one: from Q to R, stiffness k, length 0.3, damping c
spring two: on s, stiffness 2*k, rest 0.1
spring three: from P to R, tension 0.2*reaction(rail)
potential V = 0.3*dot(Q - O, N.y)^2
constraint rail: y = 0.2*s + 0.1*t
reaction T at P: A.x
reaction U at Q: A.x
reaction W at Q: A.y
reaction Z at A: N.z
output f = reaction(rail)
",
        );
    }
}

mod accelerations {
    use super::*;

    /// A relation of accelerations is that of velocities differentiated.
    #[test]
    fn the_same_as_the_differentiated_velocity_row() {
        let machine = "model m
coord x, y, a
frame B = rotate(N, a, N.z)
point P = O + x*N.x + y*N.y
body K: frame B, mass 1.2, center P, inertia [0.2, 0.3, 0.4]
force on P: 2*N.x - y*N.y
torque on K: x*N.z
";
        let stated = format!(
            "{machine}constraint c: x'' + 2*x*y'' + 2*x'*y' = 0.2*cos(t)\noutput f = reaction(c)\n"
        );
        let rates =
            format!("{machine}constraint c: x' + 2*x*y' = 0.2*sin(t)\noutput f = reaction(c)\n");
        good(&stated);
        good(&rates);
        let q = [("x", 0.3), ("y", 0.2), ("a", 0.1)];
        let drift = 0.2 * 0.3_f64.sin();
        let qd = [("x", drift - 0.6 * 0.5), ("y", 0.5), ("a", 0.4)];
        let wanted = evaluate(&rates, "lagrange", Form::Staged, &[], &q, &qd).unwrap();
        everywhere(&stated, &[], &q, &qd, |out| {
            for name in ["x", "y", "a"] {
                close(value(&out.qddot, name), value(&wanted.qddot, name));
            }
            close(output(out, "f"), output(&wanted, "f"));
        });
    }

    /// The wedge gives way with X'' = -m g sin cos/(M + m sin^2), the normal force is m M g cos/(M + m sin^2).
    #[test]
    fn a_block_on_a_wedge() {
        let (big, m, alpha, g) = (2.0, 0.7, 0.6_f64, 9.81);
        let (s, c) = alpha.sin_cos();
        let all = big + m * s * s;
        let params = [("M", big), ("m", m), ("alpha", alpha), ("g", g)];
        let (q, qd) = (
            [("X", 0.1), ("x", 0.4), ("y", 0.3)],
            [("X", 0.2), ("x", -0.3), ("y", 0.1)],
        );
        everywhere(&text("block_on_wedge"), &params, &q, &qd, |out| {
            close(value(&out.qddot, "X"), -m * g * s * c / all);
            close(value(&out.qddot, "x"), big * g * s * c / all);
            close(output(out, "normal"), m * big * g * c / all);
        });
        good(&text("block_on_wedge"));
    }

    #[test]
    fn with_other_rows_vectors_and_dependent_ones() {
        good(
            "model m
coord x, y, a
speed u = x' + y'
frame B = rotate(N, a, N.z)
point P = O + x*N.x + y*N.y
body K: frame B, mass 1.2, center P, inertia [0.2, 0.3, 0.4]
gravity: -9*N.y
constraint c: dot(acc(P), B.x) = 0.1*a'
constraint twice: 2*dot(acc(P), B.x) = 0.2*a'
constraint v: a' = 0.3*x'
output f = reaction(v)
",
        );
        good(
            "model m
coord x, y, z
point P = O + x*N.x + y*N.y + z*N.z
particle K: mass 1.2 at P
gravity: -9*N.y
speed u = x' - y
constraint c: acc(P) = u'*N.z + 0.1*vel(P)
",
        );
    }
}

mod motions {
    use super::*;

    /// Craig's formula for the torques of the two-link arm.
    #[test]
    fn torques_of_an_arm() {
        let formulas = vec![("alpha", "0.4*sin(2*t) + 0.1"), ("beta", "0.3 + 0.5*t^2")];
        let settings = Settings {
            functions: formulas.clone(),
            ..Settings::default()
        };
        checked(&text("arm_torques"), &settings);
        let t = 0.3_f64;
        let (a, ad, add) = (
            0.4 * (2.0 * t).sin() + 0.1,
            0.8 * (2.0 * t).cos(),
            -1.6 * (2.0 * t).sin(),
        );
        let (b, bd, bdd) = (0.3 + 0.5 * t * t, t, 1.0);
        let (m1, m2, l1, l2, g) = (1.2, 0.7, 0.6, 0.5, 9.81);
        let ((s2, c2), c1, c12) = (b.sin_cos(), a.cos(), (a + b).cos());
        let second = m2 * l1 * l2 * c2 * add
            + m2 * l1 * l2 * s2 * ad * ad
            + m2 * l2 * g * c12
            + m2 * l2 * l2 * (add + bdd);
        let first = m2 * l2 * l2 * (add + bdd)
            + m2 * l1 * l2 * c2 * (2.0 * add + bdd)
            + (m1 + m2) * l1 * l1 * add
            - m2 * l1 * l2 * s2 * bd * bd
            - 2.0 * m2 * l1 * l2 * s2 * ad * bd
            + m2 * l2 * g * c12
            + (m1 + m2) * l1 * g * c1;
        for method in METHODS {
            let options = DeriveOptions {
                method: Some(method.into()),
                ..DeriveOptions::default()
            };
            let own = |list: Named<'_>| list.iter().map(|(n, v)| ((*n).to_string(), *v)).collect();
            let input = EvalInput {
                t,
                params: own(&[("m1", m1), ("m2", m2), ("l1", l1), ("l2", l2), ("g", g)]),
                q: own(&[("a", a), ("b", b)]),
                qdot: Some(own(&[("a", ad), ("b", bd)])),
                functions: formulas
                    .iter()
                    .map(|(n, f)| ((*n).to_string(), (*f).to_string()))
                    .collect(),
                ..EvalInput::default()
            };
            let model = evaluator("model.eom", &text("arm_torques"), &options).unwrap();
            let out = model.eval(&input).unwrap();
            for (name, wanted) in [
                ("torque_a", first),
                ("torque_b", second),
                ("motor_a", first),
                ("motor_b", second),
            ] {
                close(output(&out, name), wanted);
            }
        }
    }

    /// A drive: the torque that keeps theta = Omega t + phase, on a pendulum that it carries.
    #[test]
    fn a_driven_crank() {
        checked(
            "model crank
param w
coord a, b
function lift(t)
frame A = rotate(N, a, N.z)
frame B = rotate(N, b, N.z)
point P = O + 0.6*A.x + lift*N.y
point Q = P + 0.5*B.x
particle K: mass 1.2 at P
particle L: mass 0.7 at Q
gravity: -9*N.y
constraint drive: a = w*t + 0.1*sin(3*t)
output torque = reaction(drive)
",
            &Settings {
                functions: vec![("lift", "0.2*sin(2*t)")],
                ..Settings::default()
            },
        );
    }

    /// Everything prescribed: accelerations follow from the constraints, the outputs are the drives.
    #[test]
    fn nothing_is_free() {
        let text = "model robot
param g = 9.81 [m/s^2] : m/s^2
coord a, b : rad
frame A = rotate(N, a, N.z)
frame B = rotate(A, b, A.z)
point P = O + 0.6 [m]*A.x
point Q = P + 0.5 [m]*B.x
particle K: mass 1.2 [kg] at P
particle L: mass 0.7 [kg] at Q
gravity: -g*N.y
constraint drive_a: a = 0.4*sin(2 [1/s]*t)
constraint drive_b: b = 0.3 + 0.2*cos(3 [1/s]*t)
output torque_a = reaction(drive_a)
output torque_b = reaction(drive_b)
reaction hold at P: -A.x
";
        good(text);
    }

    /// J theta'' = tau + m g l sin theta.
    #[test]
    fn a_pendulum_on_a_drive() {
        let text = "model driven
param m, l, g, w
coord q
frame B = rotate(N, q, N.z)
point P = O + l*B.x
particle K: mass m at P
gravity: g*N.x
constraint drive: q = sin(w*t)
output torque = reaction(drive)
reaction shaft at B: N.z
";
        let params = [("m", 1.2), ("l", 0.7), ("g", 9.81), ("w", 1.5)];
        let (s, c) = (1.5_f64 * 0.3).sin_cos();
        everywhere(text, &params, &[("q", s)], &[("q", 1.5 * c)], |out| {
            let wanted = 1.2 * 0.7 * (0.7 * -2.25 * s + 9.81 * s.sin());
            close(output(out, "torque"), wanted);
            // The drive acts on the angle: its torque is what the definition of the frame transmits.
            close(output(out, "shaft"), wanted);
        });
    }
}

mod redundant {
    use super::*;

    /// Absolute coordinates of three links; the coupler and the crank have no mass of their own.
    #[test]
    fn a_slider_crank_of_which_only_parts_have_mass() {
        good(
            "model slider_crank
coord a, b, x, xp, yp
frame A = rotate(N, a, N.z)
frame B = rotate(N, b, N.z)
point Pin = O + xp*N.x + yp*N.y
point Slider = O + x*N.x
particle piston: mass 1.3 at Slider
gravity: -9*N.y + 2*N.x
constraint crank: Pin = O + 0.4*A.x
constraint rod: Slider = Pin + 1.1*B.x
generalized a: 0.3 - 0.1*a'
reaction side at Slider: N.y
output pull = reaction(rod)
",
        );
    }

    /// A massless rod by both coordinates of its middle and its angle, masses at its ends.
    #[test]
    fn a_massless_rod_with_its_own_coordinates() {
        good(
            "model rod
coord x, y, th, x1, y1, x2, y2
frame B = rotate(N, th, N.z)
point C = O + x*N.x + y*N.y
point E1 = C + 0.3*B.x
point E2 = C - 0.5*B.x
point P1 = O + x1*N.x + y1*N.y
point P2 = O + x2*N.x + y2*N.y
particle K1: mass 1.2 at P1
particle K2: mass 0.7 at P2
gravity: -9*N.y
constraint end1: E1 = P1
constraint end2: E2 = P2
force on P1: 2*N.x
output pull = reaction(end1)
",
        );
    }

    /// A carriage without mass between two that have some, joined by velocities.
    #[test]
    fn massless_points_in_a_train() {
        good(
            "model train
param k
coord x, y, z, s
point P = O + x*N.x
point Q = O + y*N.x + s*N.y
point R = O + z*N.x
particle K: mass 1.2 at P
particle L: mass 0.7 at R
constraint front: x' - y' = 0.1*t
constraint back: y = z + s
constraint lift: s = 0.2*x
force on Q: -k*y*N.x
reaction hold at Q: N.y
output f = reaction(front)
",
        );
    }

    /// Frames without inertia in between; a ring that nothing but constraints determine.
    #[test]
    fn a_universal_joint_without_mass() {
        good(
            "model cardan
coord a, b, c
frame A = rotate(N, a, N.x)
frame C = rotate(N, 0.5, N.z)
frame B = rotate(C, b, C.x)
frame Cross = rotate(A, c, A.y)
body K: frame A, mass 1, center O, inertia [0.2, 0.3, 0.3]
body L: frame B, mass 1, center O, inertia [0.4, 0.3, 0.3]
constraint arms: dot(A.y, B.z) = 0
constraint cross: dot(Cross.z, A.y) + c = 0.3*a
torque on K: 0.2*A.x
reaction T at A: A.x
output f = reaction(arms)
",
        );
    }

    /// More coordinates than masses, held by dependent rows.
    #[test]
    fn dependent_rows_without_mass() {
        good(
            "model m
coord x, y, z
point P = O + x*N.x + y*N.y
particle K: mass 1.2 at P
force on P: 2*N.x - 3*y*N.y
constraint c1: z = x - y
constraint c2: 2*z' = 2*x' - 2*y'
constraint c3: z' + x' = 0.1*t
output f = reaction(c3)
",
        );
    }

    /// A massless contact point with friction.
    #[test]
    fn friction_at_a_massless_foot() {
        good(
            "model foot
coord x, y, s
point P = O + x*N.x + y*N.y
point F = O + s*N.x
particle K: mass 1.2 at P
gravity: -9*N.y
constraint leg: norm(P - F) = 0.7
constraint follow: s' = 0.5*x'
force on P: -0.2*reaction(leg)*tanh(x')*N.x
output f = reaction(leg)
",
        );
    }
}

/// Forces on bodies at points of contact, by the laws of momentum.
mod contact {
    use super::*;

    const BALL: &str = "model ball
param m = 2 : kg > 0
param r = 0.1 : m > 0
param mu = 0.2
param g = 10 : m/s^2
param v0 = 1e-3 : m/s > 0
coord x, s, y : m
coord z = 0.1 : m
coord p, q, w : rad
frame B = rotate_body(N, xyz, p, q, w)
point C = O + x*N.x + y*N.y + z*N.z
body ball: frame B, mass m, center C, inertia [2/5*m*r^2]
point P = contact_sphere(C, r, N.z)
gravity: -g*N.z
constraint touch: z = r
";
    const Q: [(&str, f64); 7] = [
        ("x", 0.3),
        ("s", 0.1),
        ("y", -0.2),
        ("z", 0.1),
        ("p", 0.0),
        ("q", 0.0),
        ("w", 0.0),
    ];

    fn rates(list: Named<'_>) -> Vec<(&str, f64)> {
        let given = |name: &str| list.iter().find(|x| x.0 == name).map_or(0.0, |x| x.1);
        Q.iter().map(|(name, _)| (*name, given(name))).collect()
    }

    /// A bowling ball: `x'' = -mu g`, and its spin grows by `5 mu g/(2 r)`; a plank below it is pulled along by `mu m g`.
    #[test]
    fn a_sliding_ball_is_turned_by_friction() {
        let text = format!(
            "{BALL}point D = O + s*N.x
particle plank: mass 4 [kg] at D
let slip = vel_at(ball, P) - vel(D)
force on ball at P, opposite on plank: -mu*reaction(touch)*tanh(norm(slip)/v0)*unit(slip)
output spin = dot(angacc(B), N.y)
"
        );
        everywhere(&text, &[], &Q, &rates(&[("x", 3.0), ("q", 2.0)]), |out| {
            close(value(&out.qddot, "x"), -2.0);
            close(output(out, "spin"), 50.0);
            close(value(&out.qddot, "s"), 0.2 * 2.0 * 10.0 / 4.0);
            close(value(&out.multipliers, "touch"), 20.0);
        });
    }

    /// Spinning backward while it slides sideways: the force is against the velocity of the ball's point at the contact,
    /// `v + omega x (-r e_z)`.
    #[test]
    fn friction_opposes_the_velocity_of_the_balls_own_point() {
        let text = format!(
            "{BALL}let slip = vel_at(ball, P)
force on ball at P: -mu*reaction(touch)*unit(slip)
particle rest: mass 1 [kg] at R
point R = O + s*N.x
output wx = dot(angacc(B), N.x)
output wy = dot(angacc(B), N.y)
"
        );
        let qdot = rates(&[("x", 1.0), ("y", 2.0), ("q", -5.0)]);
        // omega = q' e_y: the ball's point at the contact has the velocity (x' - r q', y').
        let (vx, vy) = (1.5_f64, 2.0_f64);
        let v = vx.hypot(vy);
        everywhere(&text, &[], &Q, &qdot, |out| {
            close(value(&out.qddot, "x"), -2.0 * vx / v);
            close(value(&out.qddot, "y"), -2.0 * vy / v);
            close(output(out, "wx"), -50.0 * vy / v);
            close(output(out, "wy"), 50.0 * vx / v);
        });
    }

    /// The same as a force at the centre and its moment; at a point that is fixed in the body, the same as on the point.
    #[test]
    fn a_force_on_a_body_is_a_force_at_its_centre_and_a_moment() {
        let base = "model rod
param m = 2, J = 0.3
coord x, y, q, s
frame B = rotate(N, q, N.z)
point C = O + x*N.x + y*N.y
point E = C + 0.4*B.x
point A = C + s*B.x + 0.1*N.y
particle slider: mass 0.7 at A
body W: frame B, mass m, center C, inertia [J]
gravity: -9.81*N.y
";
        let q = [("x", 0.3), ("y", 0.2), ("q", 0.7), ("s", 0.5)];
        let qdot = [("x", 0.1), ("y", -0.4), ("q", 1.2), ("s", 0.3)];
        let found = |loads: &str| {
            let text = format!("{base}{loads}");
            let out = evaluate(&text, "kane", Form::Closed, &[], &q, &qdot).unwrap();
            out.qddot
        };
        let same = |a: &str, b: &str| {
            for (x, y) in found(a).iter().zip(&found(b)) {
                close(x.1, y.1);
            }
        };
        same(
            "force on W at E: 3*N.x - 2*B.y\n",
            "force on E: 3*N.x - 2*B.y\n",
        );
        same(
            "force on W at A: 3*N.x - 2*B.y\n",
            "force on C: 3*N.x - 2*B.y\ntorque on B: cross(A - C, 3*N.x - 2*B.y)\n",
        );
        same(
            "force on slider, opposite on W at A: 3*N.x\n",
            "force on A: 3*N.x\nforce on W at A: -3*N.x\n",
        );
        same("force on W at C: 3*N.x\n", "force on W: 3*N.x\n");
    }

    /// The contact's normal force by a declared reaction between the wheel and the ground, at its point of contact.
    #[test]
    fn a_reaction_on_a_wheel_at_its_contact() {
        let text = "model wheel
param m = 2, J = 0.3, r = 0.5, g = 10
coord x, q
frame B = rotate(N, q, N.z)
point C = O + x*N.x + r*N.y
point P = C - r*N.y
body W: frame B, mass m, center C, inertia [J]
gravity: -g*N.y
torque on W: 1.5*N.z
reaction up: force on W at P along N.y
";
        let zero = [("x", 0.0), ("q", 0.0)];
        everywhere(text, &[], &zero, &zero, |out| {
            close(output(out, "up"), 20.0);
            close(value(&out.qddot, "q"), 5.0);
        });
    }

    /// Friction at a point of contact that names no body is remarked on; at fixed points nothing is.
    #[test]
    fn a_force_at_a_point_that_is_fixed_in_no_body_is_noted() {
        let noted = |load: &str| {
            let report = eomgen::check("model.eom", &format!("{BALL}{load}"));
            let report = report.unwrap_or_else(|f| panic!("{f:?}"));
            report.warnings.iter().any(|d| d.code == "N0467")
        };
        let rest = "particle K: mass 1 [kg] at R\npoint R = O + s*N.x\n";
        let friction = "-mu*reaction(touch)*N.x\n";
        assert!(noted(&format!("{rest}force on P: {friction}")));
        assert!(!noted(&format!("{rest}force on ball at P: {friction}")));
        assert!(!noted(&format!("{rest}force on C: {friction}")));
        assert!(!noted(&format!("{rest}force on R: {friction}")));
        assert!(!noted(&format!(
            "{rest}point E = C + r*B.x\nforce on E: {friction}"
        )));
    }
}

mod contradictions {
    use super::*;

    fn messages(text: &str) -> String {
        match eomgen::check("model.eom", text) {
            Ok(_) => String::new(),
            Err(Failure::Message(m)) => m,
            Err(Failure::Diagnostics(list)) => list
                .iter()
                .map(|d| {
                    let labels: Vec<&str> = d.labels.iter().map(|l| l.text.as_str()).collect();
                    format!("{} {}: {}\n", d.code, d.title, labels.join("; "))
                })
                .collect(),
        }
    }

    const MACHINE: &str = "model m
param w, v : rad/s
coord a, b : rad
frame A = rotate(N, a, N.z)
frame B = rotate(N, b, N.z)
point P = O + 1 [m]*A.x
point Q = P + 1 [m]*B.x
particle K: mass 1 [kg] at P
particle L: mass 1 [kg] at Q
";

    /// Two drives of one coordinate; a drive against a fixed angle.
    #[test]
    fn two_drives_are_named() {
        let text = format!("{MACHINE}constraint one: a = w*t\nconstraint other: a = w*t + 1\n");
        let said = messages(&text);
        assert!(
            said.contains("E0313") && said.contains("one") && said.contains("other"),
            "{said}"
        );
        let text =
            format!("{MACHINE}constraint fixed: a = 0.3\nconstraint drive: a' = 2 [rad/s]\n");
        let said = messages(&text);
        assert!(
            said.contains("E0313") && said.contains("fixed") && said.contains("drive"),
            "{said}"
        );
    }

    /// Friction by a reaction that is shared.
    #[test]
    fn shared_reactions_are_refused_in_loads_and_remarked_on_in_outputs() {
        let text = format!(
            "{MACHINE}constraint one: a = b\nconstraint other: 2*a' = 2*b'\ntorque on A: 0.1*reaction(one)*N.z\n"
        );
        let said = messages(&text);
        assert!(said.contains("E0463") && said.contains("`one`"), "{said}");
        let text = format!(
            "{MACHINE}constraint one: a = b\nconstraint other: 2*a' = 2*b'\noutput f = reaction(one)\n"
        );
        let report = eomgen::check("model.eom", &text).unwrap();
        assert!(report.warnings.iter().any(|d| d.code == "N0466"));
    }
}
