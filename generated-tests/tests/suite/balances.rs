//! Balances of momentum: accelerations beside Kane's at random states, reactions against the sources' formulas, against the oracle, and against
//! balances that the model itself states.
#![cfg(feature = "pipeline")]

use eomgen::{
    EvalInput, EvalOutput, derive, evaluator,
    options::{DeriveOptions, Form},
};
use generated_tests::oracle::{Settings, check};
use generated_tests::reference::model_text;

const METHODS: [&str; 5] = [
    "newton-euler",
    "kane",
    "gibbs-appell",
    "lagrange",
    "udwadia-kalaba",
];

type Named<'a> = &'a [(&'a str, f64)];

fn options(method: &str, form: Form) -> DeriveOptions {
    DeriveOptions {
        method: Some(method.into()),
        form,
        ..DeriveOptions::default()
    }
}

fn input(params: Named<'_>, q: Named<'_>, qdot: Named<'_>) -> EvalInput {
    let own = |list: Named<'_>| list.iter().map(|(n, v)| ((*n).to_string(), *v)).collect();
    EvalInput {
        t: 0.3,
        params: own(params),
        q: own(q),
        qdot: Some(own(qdot)),
        ..EvalInput::default()
    }
}

/// The outcome of every formulation, closed and staged.
fn everywhere(text: &str, input: &EvalInput, see: impl Fn(&EvalOutput)) {
    for method in METHODS {
        for form in [Form::Closed, Form::Staged] {
            let found = evaluator("model.eom", text, &options(method, form));
            let found = found.and_then(|e| e.eval(input));
            see(&found.unwrap_or_else(|f| panic!("{method} {form:?}: {f:?}")));
        }
    }
}

/// A function of the module by Newton and Euler.
fn function(text: &str, form: Form, input: &EvalInput, name: &str) -> Vec<f64> {
    let e = evaluator("model.eom", text, &options("newton-euler", form)).unwrap();
    let all = e.functions(input).unwrap();
    let (_, numbers) = all.into_iter().find(|(n, _)| n == name).unwrap();
    numbers.unwrap()
}

fn outputs(out: &EvalOutput, name: &str) -> Vec<f64> {
    let found = out.outputs.iter().find(|x| x.0 == name);
    found
        .unwrap_or_else(|| panic!("no output {name}"))
        .1
        .clone()
}

fn output(out: &EvalOutput, name: &str) -> f64 {
    outputs(out, name)[0]
}

fn close(found: f64, wanted: f64) {
    let good = (found - wanted).abs() <= 1e-10 * wanted.abs().max(1.0);
    assert!(good, "{found}, should be {wanted}");
}

fn all_close(found: &[f64], wanted: &[f64]) {
    assert_eq!(found.len(), wanted.len());
    found.iter().zip(wanted).for_each(|(f, w)| close(*f, *w));
}

/// By the oracle, which knows nothing of balances: it minimises Gauss's constraint over point masses.
fn checked(text: &str, settings: Settings) {
    let settings = Settings {
        methods: vec!["newton-euler", "kane"],
        in_turn: false,
        ..settings
    };
    if let Err(complaint) = check(text, &settings) {
        panic!("{complaint}");
    }
}

const SLEIGH: &str = "model sleigh
param m1 = 1.3, m2 = 0.8, l = 0.65, g = 9.81
coord x, y, theta
frame B = rotate(N, theta, N.z)
point P1 = O + x*N.x + y*N.y
point P2 = P1 + l*B.x
particle A: mass m1 at P1
particle C: mass m2 at P2
gravity: -g*N.z
constraint blade: dot(vel(P2), B.y) = 0
";

const DECLARED: &str = "reaction p: force on P1 along B.x, opposite on P2
reaction N1: force on P1 along N.z
reaction N2: force on P2 along 2*N.z
output side = reaction(blade, P2)
";

/// Three values with their names.
type Three = [(&'static str, f64); 3];

/// A state on the blade's constraint: u1 along the rod, u2 = theta'.
fn sliding(theta: f64, u1: f64, u2: f64, l: f64) -> (Three, Three) {
    let (s, c) = theta.sin_cos();
    (
        [("x", 0.4), ("y", -0.2), ("theta", theta)],
        [
            ("x", u1 * c + l * u2 * s),
            ("y", u1 * s - l * u2 * c),
            ("theta", u2),
        ],
    )
}

mod sleigh {
    use super::*;

    /// OR 2.10-2.11: seven equations in x'', y'', theta'', p, N1, N2, mu; by hand p = m1 m2 l u2^2/(m1 + m2), mu = m2 u1 u2.
    #[test]
    fn reactions_in_every_formulation() {
        let (m1, m2, l, g, theta, u1, u2) = (1.3, 0.8, 0.65, 9.81, 0.7_f64, 1.1, -0.9);
        let (q, qd) = sliding(theta, u1, u2, l);
        let text = format!("{SLEIGH}{DECLARED}");
        let p = m1 * m2 * l * u2 * u2 / (m1 + m2);
        let mu = m2 * u1 * u2;
        everywhere(&text, &input(&[], &q, &qd), |out| {
            close(output(out, "p"), p);
            close(output(out, "N1"), m1 * g);
            close(output(out, "N2"), m2 * g);
            let (s, c) = theta.sin_cos();
            all_close(&outputs(out, "side"), &[-mu * s, mu * c, 0.0]);
        });
        for form in [Form::Closed, Form::Staged] {
            let found = function(&text, form, &input(&[], &q, &qd), "reactions");
            all_close(&found, &[mu, p, m1 * g, m2 * g]);
        }
    }

    /// Undeclared, the same come out under names of bodies and axes.
    #[test]
    fn completed_reactions() {
        let (m1, m2, l, g, u1, u2) = (1.3, 0.8, 0.65, 9.81, 1.1, -0.9);
        let (q, qd) = sliding(0.7, u1, u2, l);
        for form in [Form::Closed, Form::Staged] {
            let found = function(SLEIGH, form, &input(&[], &q, &qd), "reactions");
            let along_rod = -m1 * m2 * l * u2 * u2 / (m1 + m2);
            all_close(&found, &[m2 * u1 * u2, m1 * g, along_rod, m2 * g]);
        }
    }

    /// The header is the paper's list: every balance with its reactions, and the constraint.
    #[test]
    fn the_equations_as_the_paper_has_them() {
        let text = format!("{SLEIGH}{DECLARED}");
        let code = derive("sleigh.eom", &text, &options("newton-euler", Form::Closed))
            .unwrap()
            .code;
        for line in [
            "A: force along N.x: m₁ ẍ = cos(θ) p",
            "A: force along N.y: m₁ ÿ = sin(θ) p",
            "A: force along N.z: 0 = −m₁ g + N₁",
            "C: force along B.x: m₂ cos(θ) ẍ + m₂ sin(θ) ÿ = m₂ l θ̇² − p",
            "C: force along B.y: −m₂ sin(θ) ẍ + m₂ cos(θ) ÿ + m₂ l θ̈ = λ_blade",
            "C: force along B.z: 0 = −m₂ g + N₂",
        ] {
            assert!(code.contains(line), "{line}");
        }
        assert!(code.contains("momentum balances and constraints solved together"));
    }

    /// Section 7: six coordinates, four constraints; lambda1 is the rod's force, compression positive, on both particles along the rod
    /// though the row names a coordinate alone.
    #[test]
    fn six_coordinates() {
        let text = model_text("e4_sleigh_six").unwrap()
            + "output rod1 = reaction(rod, P1)
output rod2 = reaction(rod, P2)
output normal1 = reaction(floor1, P1)
output normal2 = reaction(floor2, P2)
output side = dot(reaction(blade, P2), B.y)
";
        let (m1, m2, l, g, theta, u1, u2) = (1.3, 0.8, 0.65, 9.81, 0.7_f64, 1.1, -0.9);
        let (q, qd) = sliding(theta, u1, u2, l);
        let rest = [("r", l), ("z1", 0.0), ("z2", 0.0)];
        let still = [("r", 0.0), ("z1", 0.0), ("z2", 0.0)];
        let input = input(&[], &[&q[..], &rest].concat(), &[&qd[..], &still].concat());
        let (s, c) = theta.sin_cos();
        let lambda = -m1 * m2 * l * u2 * u2 / (m1 + m2);
        everywhere(&text, &input, |out| {
            all_close(&outputs(out, "rod2"), &[lambda * c, lambda * s, 0.0]);
            all_close(&outputs(out, "rod1"), &[-lambda * c, -lambda * s, 0.0]);
            all_close(&outputs(out, "normal1"), &[0.0, 0.0, m1 * g]);
            all_close(&outputs(out, "normal2"), &[0.0, 0.0, m2 * g]);
            close(output(out, "side"), m2 * u1 * u2);
        });
        for form in [Form::Closed, Form::Staged] {
            let found = function(&text, form, &input, "reactions");
            all_close(&found, &[lambda, m1 * g, m2 * g, m2 * u1 * u2]);
        }
    }

    /// What is asked for shows in its own functions alone.
    #[test]
    fn other_functions_stay_as_they_are() {
        let functions = |text: &str| -> Vec<(String, String)> {
            let code = derive("m.eom", text, &options("kane", Form::Closed))
                .unwrap()
                .code;
            let parts = code.split("pub fn ").skip(1).map(|f| {
                let name = f.split('(').next().unwrap().to_string();
                let body = f.split("\n    }\n").next().unwrap().to_owned();
                (name, body)
            });
            parts
                .filter(|(name, _)| !name.starts_with("output_") && name != "new")
                .collect()
        };
        let plain = functions(SLEIGH);
        assert!(plain.iter().any(|(name, _)| name == "multipliers"));
        assert_eq!(functions(&format!("{SLEIGH}{DECLARED}")), plain);
    }
}

mod pendulums {
    use super::*;

    /// The tension of a rod that is a constraint: m (l theta'^2 + g cos theta), towards the pivot.
    #[test]
    fn tension_by_name() {
        let text = "model m
param m = 0.9, l = 1.2, g = 9.81
coord x, y
point P = O + x*N.x + y*N.y
particle A: mass m at P
gravity: -g*N.y
constraint rod: distance(O, P) = l
output tension = dot(reaction(rod, P), O - P)/l
output pivot = reaction(rod, O)
";
        let (m, l, g, th, w) = (0.9, 1.2, 9.81, 0.6_f64, 1.4);
        let (s, c) = th.sin_cos();
        let q = [("x", l * s), ("y", -l * c)];
        let qd = [("x", l * w * c), ("y", l * w * s)];
        let tension = m * (l * w * w + g * c);
        everywhere(text, &input(&[], &q, &qd), |out| {
            close(output(out, "tension"), tension);
            all_close(&outputs(out, "pivot"), &[tension * s, -tension * c, 0.0]);
        });
        checked(
            text,
            Settings {
                about: vec![("x", 0.7), ("y", -0.9)],
                ..Settings::default()
            },
        );
    }

    /// Both rods' tensions between the particles are what holds their definitions.
    #[test]
    fn double() {
        let rods = "model tensions
param m1 = 1.1, m2 = 0.7, l1 = 0.8, l2 = 0.5
coord p, q
frame A = rotate(N, p, N.z)
frame B = rotate(N, q, N.z)
point P = O + l1*A.x
point Q = P + l2*B.x
particle K: mass m1 at P
particle L: mass m2 at Q
gravity: 9.81*N.x
";
        let held = "reaction upper at P: -A.x
reaction lower at Q: -B.x
";
        let text = format!(
            "{rods}{held}reaction low: force on P along B.x, opposite on Q
reaction up: force on P along -A.x
"
        );
        // The outermost body tells, whichever side is named first.
        let alone = format!("{rods}{held}reaction low: force on P along B.x, opposite on Q\n");
        let state = input(&[], &[("p", 0.4), ("q", -0.7)], &[("p", 1.3), ("q", -0.8)]);
        everywhere(&text, &state, |out| {
            close(output(out, "low"), output(out, "lower"));
            close(output(out, "up"), output(out, "upper"));
        });
        everywhere(&alone, &state, |out| {
            close(output(out, "low"), output(out, "lower"))
        });
        checked(
            &format!("{rods}reaction low: force on Q along -B.x, opposite on P\n"),
            Settings::default(),
        );
    }
}

mod constraints {
    use super::*;

    /// Four-bar linkage: the closing pin's force on the rocker's end, and what the model's other pins transmit, add up with the inertia of
    /// each link.
    #[test]
    fn pins_of_a_four_bar() {
        let text = model_text("four_bar")
            .unwrap()
            .replace("privileged q1'\n", "")
            + "gravity: -9.81 [m/s^2]*N.y
reaction pin2x at P2: N.x
reaction pin2y at P2: N.y
reaction pin3x at P3: N.x
reaction pin3y at P3: N.y
output closing = reaction(loop, P4)
output need3 = rho*l3*(acc(G3) + 9.81 [m/s^2]*N.y)
output need4 = rho*l4*(acc(G4) + 9.81 [m/s^2]*N.y)
output got4 = pin3x*N.x + pin3y*N.y + reaction(loop, P4)
output got34 = pin2x*N.x + pin2y*N.y + reaction(loop, P4)
";
        // `reaction at` is what acts on the point and on all that is built on it: both links for P2.
        let q = [("q1", 1.0), ("q2", -0.8), ("q3", -1.5)];
        let e = evaluator("m.eom", &text, &options("kane", Form::Staged)).unwrap();
        let mut state = input(&[], &q, &[("q1", 0.9), ("q2", 0.0), ("q3", 0.0)]);
        for _ in 0..12 {
            let all = e.functions(&state).unwrap();
            let (_, step) = all
                .into_iter()
                .find(|(n, _)| n == "projection_step")
                .unwrap();
            let step = step.unwrap();
            for (i, name) in ["q1", "q2", "q3"].iter().enumerate() {
                state.q.insert((*name).to_string(), step[i]);
            }
            let all = e.functions(&state).unwrap();
            let (_, rates) = all.into_iter().find(|(n, _)| n == "rates").unwrap();
            let rates = rates.unwrap();
            let names = ["q1", "q2", "q3"].iter().map(|n| (*n).to_string());
            state.qdot = Some(names.zip(rates).collect());
        }
        everywhere(&text, &state, |out| {
            all_close(&outputs(out, "got4"), &outputs(out, "need4"));
            let (three, four) = (outputs(out, "need3"), outputs(out, "need4"));
            let both: Vec<f64> = three.iter().zip(&four).map(|(a, b)| a + b).collect();
            all_close(&outputs(out, "got34"), &both);
        });
    }

    /// Forces of many kinds of rows: lengths, closures in turning frames, rolling, angles between frames, a ball joint.
    #[test]
    fn of_all_kinds() {
        checked(
            "model m
param r = 0.4
coord x, y, z, a, b, c
coord s
frame A = rotate_body(N, zxy, a, b, c)
point C = O + x*N.x + y*N.y + z*N.z
point Q = O + s*N.x + 2*N.z
body W: frame A, mass 1.4, center C, inertia [0.2, 0.3, 0.25]
particle K: mass 0.6 at Q
gravity: -9.81*N.z
constraint rolls: vel_at(W, C - r*N.z) = 0.1*vel(Q)
constraint rope: distance(C, Q) = 2 + 0.1*t
output center = reaction(rolls, C)
output part = reaction(rolls.x, C)
output turn = reaction(rolls, A)
output pull = reaction(rope, Q)
output back = reaction(rope, C)
output drag = reaction(rolls, Q)
",
            Settings {
                about: vec![("z", 0.4)],
                ..Settings::default()
            },
        );
        checked(
            "model m
coord x, y, a, b, c
frame A = rotate(N, a, N.z)
frame B = rotate_body(A, xy, b, c)
point P = O + x*N.x + y*A.y
point Q = P + 0.7*B.x
point R = O + 0.5*N.y + 0.6*A.x
body K: frame A, mass 1.4, center P, inertia [0.2, 0.3, 0.25]
body L: frame B, mass 0.6, center Q, inertia [0.1, 0.2, 0.15]
constraint meet: dot(Q - R, A.y) = 0.2*dot(P - O, N.y)
constraint square: dot(B.x, N.y) = 0.3*dot(P - O, N.x)
constraint slides: dot(dt(Q - P, A), B.y) = 0.2*dot(angvel(B, A), A.x)
output q = reaction(meet, Q)
output r = reaction(meet, R)
output ta = reaction(meet, A)
output tb = reaction(square, B)
output v = reaction(slides, Q)
output w = reaction(slides, A)
",
            Settings::default(),
        );
    }

    /// Springs, dampers, potentials, friction and loads beside the bodies' centres; the momentum of each particle is accounted for.
    #[test]
    fn loads_and_springs() {
        checked(
            "model m
param mu = 0.2
coord x, y, u, th
frame B = rotate(N, th, N.z)
point P = O + x*N.x + y*N.y
point Q = O + u*N.x + 2*N.y
point G = Q + 0.3*B.x
point T = G + 0.2*B.y
particle A: mass 0.8 at P
body L: frame B, mass 1.1, center G, inertia [0.1, 0.2, 0.3]
gravity: -9.81*N.y
spring s: from P to T, stiffness 30, length 0.7, damping 0.4
potential V = 0.5*dot(T - O, N.x)^2
dissipation D = 0.1*dot(vel(T), vel(T))
force on T: 2*N.x - vel(P)
torque on L: 0.3*N.z
generalized th: -th
constraint floor: y = 0.1*x^2
force on P: -mu*reaction(floor)*x'*N.x
output normal = reaction(floor)
",
            Settings::default(),
        );
    }

    /// Two supports that say the same: the load is shared equally, and a note says that this is not determined.
    #[test]
    fn statically_indeterminate() {
        let text = "model m
param m = 2, g = 9.81
coord x, y
point P = O + x*N.x + y*N.y
particle A: mass m at P
gravity: -g*N.y
constraint left: y = 0
constraint right: y = 0
output one = reaction(left, P)
output two = reaction(right, P)
";
        let zero = [("x", 0.0), ("y", 0.0)];
        everywhere(text, &input(&[], &zero, &zero), |out| {
            for side in ["one", "two"] {
                all_close(&outputs(out, side), &[0.0, 9.81, 0.0]);
            }
        });
        let derived = derive("m.eom", text, &options("newton-euler", Form::Closed)).unwrap();
        let codes: Vec<_> = derived.warnings.iter().map(|d| d.code).collect();
        assert!(codes.contains(&"N0466"), "{codes:?}");
        let open = "Not determined by the equations";
        let flat = derived.code.replace("\n    /// ", " ");
        assert!(flat.contains(open) && flat.contains("`reaction(left)`, `reaction(right)`"));
    }

    /// The balances as a matrix: `balance_matrix (q'', reactions) = balance_rhs` with the reactions of the module, square here.
    #[test]
    fn the_matrix_of_balances() {
        let (q, qd) = sliding(0.7, 1.1, -0.9, 0.65);
        let options = DeriveOptions {
            outputs: vec!["balance_matrix".into(), "balance_rhs".into()],
            ..options("newton-euler", Form::Closed)
        };
        let e = evaluator("m.eom", &format!("{SLEIGH}{DECLARED}"), &options).unwrap();
        let all = e.functions(&input(&[], &q, &qd)).unwrap();
        let get = |name: &str| {
            let found = all.iter().find(|(n, _)| n == name).unwrap();
            found.1.as_ref().unwrap().clone()
        };
        let (matrix, right) = (get("balance_matrix"), get("balance_rhs"));
        let unknowns = [get("accelerations"), get("reactions")].concat();
        assert_eq!((right.len(), unknowns.len(), matrix.len()), (7, 7, 49));
        for (row, wanted) in matrix.chunks(7).zip(right) {
            close(row.iter().zip(&unknowns).map(|(a, x)| a * x).sum(), wanted);
        }
    }
}

mod bodies {
    use super::*;

    /// A coordinate too many, and points without mass: what moves no body takes no force.
    #[test]
    fn without_mass() {
        checked(
            "model m
coord a, b, s
frame A = rotate(N, a, N.z)
frame B = rotate(N, b, N.z)
point P = O + s*A.x
point Q = O + (1 + 0.2*s)*B.x
particle K: mass 1.3 at Q
gravity: -9.81*N.y
spring k: from O to P, stiffness 20, length 0.3
constraint tie: a = 0.5*b
constraint pull: distance(P, Q) = 0.8
output f = reaction(pull, Q)
",
            Settings {
                about: vec![("s", 0.5)],
                spread: 0.2,
                ..Settings::default()
            },
        );
    }

    /// Models of the collection, by Newton and Euler and by Kane.
    #[test]
    fn of_the_collection() {
        for model in [
            "furuta",
            "knife_edge",
            "slider_crank",
            "universal_joint",
            "pogo",
        ] {
            checked(&model_text(model).unwrap(), Settings::default());
        }
    }
}

/// A load on a body whose mass centre is a fixed point is borne by what holds the centre.
#[test]
fn a_body_held_at_its_centre() {
    let text = "model shell
param m = 2, J = 0.3, F = 1.7 > 0
coord p, q : rad
frame B = rotate_body(N, zx, p, q)
body W: frame B, mass m, center O, inertia [J, J, J]
force on O: F*N.x - 2*F*N.z
";
    let rest = [("p", 0.4), ("q", 0.7)];
    let still = [("p", 0.0), ("q", 0.0)];
    for form in [Form::Closed, Form::Staged] {
        let found = function(text, form, &input(&[], &rest, &still), "reactions");
        let wanted = [-1.7, 0.0, 3.4, 0.0];
        let near = |(f, w): (&f64, &f64)| (f - w).abs() < 1e-12;
        assert!(
            found.len() == 4 && found.iter().zip(&wanted).all(near),
            "{form:?}: {found:?}"
        );
    }
}
