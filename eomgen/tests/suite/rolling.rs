//! `roll` against the mechanics of textbooks, against what it stands for, and what it says of mistakes.
#![cfg(feature = "derive")]

use eomgen::options::{DeriveOptions, VerifyOptions};
use eomgen::{EvalInput, EvalOutput, Source};

const G: f64 = 9.81;

type Named<'a> = &'a [(&'a str, f64)];

fn eval(text: &str, q: Named, rates: Named) -> EvalOutput {
    let map = |all: Named| {
        let named = all.iter().map(|(name, x)| ((*name).to_owned(), *x));
        named.collect::<indexmap::IndexMap<_, _>>()
    };
    let input = EvalInput {
        q: map(q),
        qdot: Some(map(rates)),
        ..EvalInput::default()
    };
    let source = Source::new("m.eom", text);
    let found = eomgen::eval_source(&source, &DeriveOptions::default(), &input);
    found.unwrap_or_else(|f| panic!("{f:?}\n{text}"))
}

fn acceleration(found: &EvalOutput, name: &str) -> f64 {
    let all = found.qddot.iter().find(|(n, _)| n == name);
    all.unwrap_or_else(|| panic!("no {name}")).1
}

fn near(found: f64, expected: f64) {
    let off = (found - expected).abs();
    assert!(
        off <= 1e-10 * (1.0 + expected.abs()),
        "{found}, not {expected}"
    );
}

const PLANE: &str = "model m
param m = 2 : kg > 0
param r = 0.1 : m > 0
param a = 30 [deg] : rad
coord x : m
coord q : rad
";

#[test]
fn a_wheel_goes_down_a_slope_by_the_rule_of_its_inertia() {
    // x'' = g sin a/(1 + J/(m r^2)), q'' = -x''/r for a turn against the hands of a clock; the friction is J q''/r.
    let text = format!(
        "{PLANE}frame B = rotate(N, -a, N.z)
body W: frame rotate(N, q, N.z), mass m, center O + x*B.x + r*B.y, inertia m*r^2/2
gravity: -9.81 [m/s^2]*N.y
roll W on B, radius r, normal B.y
output friction = dot(reaction(W.roll), B.x)
"
    );
    let found = eval(&text, &[("x", 0.3), ("q", 1.0)], &[("x", 0.5), ("q", -5.0)]);
    let down = G * 0.5 / 1.5;
    near(acceleration(&found, "x"), down);
    near(acceleration(&found, "q"), -down / 0.1);
    let friction = found.outputs.iter().find(|(name, _)| name == "friction");
    near(friction.unwrap().1[0], -down * 2.0 / 2.0);
}

#[test]
fn a_plane_across_gravity_is_found_and_touched() {
    for (gravity, away) in [
        ("-9.81 [m/s^2]*N.y", "y"),
        ("[0, -9.81 [m/s^2], 0] in N", "y"),
        ("9.81 [m/s^2]*(-N.y)", "y"),
        ("9.81 [m/s^2]*N.y", "-y"),
    ] {
        let side = if away == "y" { "+" } else { "-" };
        let text = format!(
            "{PLANE}coord y : m
body W: frame rotate(N, q, N.z), mass m, center O + x*N.x {side} y*N.y, inertia m*r^2/2
gravity: {gravity}
roll W on plane, radius r
input F : N
force on W: F*N.x
output press = reaction(W.touch)
output below = dot(W.contact - O, N.y)
"
        );
        let spin = if away == "y" { -3.0 } else { 3.0 };
        let source = Source::new("m.eom", &text);
        let map = |all: Named| all.iter().map(|(n, x)| ((*n).to_owned(), *x)).collect();
        let input = EvalInput {
            q: map(&[("x", 0.0), ("q", 0.2), ("y", 0.1)]),
            qdot: Some(map(&[("x", 0.3), ("q", spin), ("y", 0.0)])),
            inputs: map(&[("F", 6.0)]),
            ..EvalInput::default()
        };
        let found = eomgen::eval_source(&source, &DeriveOptions::default(), &input).unwrap();
        near(acceleration(&found, "x"), 6.0 / (2.0 * 1.5));
        near(acceleration(&found, "y"), 0.0);
        let output = |name: &str| found.outputs.iter().find(|(n, _)| n == name).unwrap().1[0];
        near(output("press"), 2.0 * G);
        near(output("below"), 0.0);
    }
}

#[test]
fn bodies_that_meet_at_a_point_turn_by_their_radii() {
    // An arm that carries a planet between a sun and a ring that stands: p' = -c' (r1 + r2)/r2, and the sun turns 2 (r1 + r2)/r1 times as fast.
    let text = "model m
param r1 = 0.1, r2 = 0.2 : m > 0
coord c, p, q : rad
input tau : N*m
frame A = rotate(N, c, N.z)
body sun: frame rotate(N, q, N.z), mass 0 [kg], center O, inertia 0.02 [kg*m^2]
body planet: frame rotate(N, p, N.z), mass 3 [kg], center O + (r1 + r2)*A.x, inertia 0.05 [kg*m^2]
torque on q: tau
roll planet on sun at O + r1*A.x, normal A.x
roll planet on N at O + (r1 + 2*r2)*A.x, normal A.x
output pull = reaction(planet.roll_2.y)
";
    let (c, p, q) = (0.5, -0.5 * 0.3 / 0.2, 0.5 * 2.0 * 0.3 / 0.1);
    let source = Source::new("m.eom", text);
    let map = |all: Named| all.iter().map(|(n, x)| ((*n).to_owned(), *x)).collect();
    let input = EvalInput {
        q: map(&[("c", 0.4), ("p", 0.0), ("q", 0.0)]),
        qdot: Some(map(&[("c", c), ("p", p), ("q", q)])),
        inputs: map(&[("tau", 1.5)]),
        ..EvalInput::default()
    };
    let found = eomgen::eval_source(&source, &DeriveOptions::default(), &input).unwrap();
    // By the energy: T = (0.02 q'^2 + 0.05 p'^2 + 3 (0.3 c')^2)/2, all in the ratio of c'.
    let inertia = 0.02 * 36.0 + 0.05 * 2.25 + 3.0 * 0.09;
    near(acceleration(&found, "c"), 1.5 * 6.0 / inertia);
    near(acceleration(&found, "p"), -1.5 * 1.5 * 6.0 / inertia);
    near(acceleration(&found, "q"), 6.0 * 1.5 * 6.0 / inertia);
}

const DISC: &str = "model disc
param m = 2 : kg > 0
param r = 0.4 : m > 0
coord x, y : m
coord z = 0.4 : m
coord yaw, lean, spin : rad
frame L = rotate_body(N, zx, yaw, lean)
body disc: frame rotate(L, spin, L.y), mass m, center O + [x, y, z] in N, inertia [m*r^2/4, m*r^2/2, m*r^2/4]
gravity: -9.81 [m/s^2]*N.z
";

#[test]
fn a_disc_that_turns_steadily_leans_as_the_literature_has_it() {
    // Steady turning of a thin disc about a circle: for the lean a and rates yaw' = p, spin' = s,
    // 5 r p^2 cos a sin a + 6 r p s cos a + 4 g sin a = 0 (Greenwood, Advanced Dynamics, with spin' for the rate about the own axis).
    for shape in ["axis L.y", "axis disc.y"] {
        let text = format!("{DISC}roll disc on plane, radius r, {shape}\n");
        let (lean, turn, r) = (0.3_f64, 1.7, 0.4);
        let spin = -(5.0 * r * turn * turn * lean.cos() * lean.sin() + 4.0 * G * lean.sin())
            / (6.0 * r * turn * lean.cos());
        // At yaw = 0 the contact is below the centre along the leaned disc, and the centre moves along x.
        let forwards = r * (spin + lean.sin() * turn);
        let found = eval(
            &text,
            &[
                ("x", 0.0),
                ("y", 0.0),
                ("z", r * lean.cos()),
                ("yaw", 0.0),
                ("lean", lean),
                ("spin", 0.0),
            ],
            &[
                ("x", forwards),
                ("y", 0.0),
                ("z", 0.0),
                ("yaw", turn),
                ("lean", 0.0),
                ("spin", spin),
            ],
        );
        near(acceleration(&found, "lean"), 0.0);
        near(acceleration(&found, "yaw"), 0.0);
        near(acceleration(&found, "spin"), 0.0);
    }
}

#[test]
fn rings_and_given_points_roll_as_what_they_stand_for() {
    let ring = DISC.replace("coord z = 0.4", "param R = 0.3 : m > 0\ncoord z = 0.4");
    let by_hand = format!(
        "{ring}point P = contact_torus(disc, r, R, L.y, N.z)
constraint touch: dot(P - O, N.z) = 0
constraint roll_x: dot(vel_at(disc, P), N.x) = 0
constraint roll_y: dot(vel_at(disc, P), N.y) = 0
"
    );
    let (lean, place) = (0.2_f64, 0.4 * 0.2_f64.cos() + 0.3);
    let q = [
        ("x", 0.1),
        ("y", 0.2),
        ("z", place),
        ("yaw", 0.5),
        ("lean", lean),
        ("spin", 0.7),
    ];
    // At rest: the rates need not be worked out here.
    let rates = q.map(|(name, _)| (name, 0.0));
    let expected = eval(&by_hand, &q, &rates);
    for roll in [
        "roll disc on plane, radius r, tube R, axis L.y",
        "roll disc on N, radius r, tube R, axis L.y, normal N.z, through O",
        "roll disc on plane at contact_torus(disc, r, R, L.y, N.z)",
    ] {
        let found = eval(&format!("{ring}{roll}\n"), &q, &rates);
        for (name, _) in q {
            near(acceleration(&found, name), acceleration(&expected, name));
        }
    }
}

#[test]
fn what_rolls_is_proven_like_everything_else() {
    let text = format!("{DISC}roll disc on plane, radius r, axis L.y\n");
    for method in ["lagrange", "newton-euler"] {
        let options = VerifyOptions {
            methods: vec![method.to_owned()],
            ..VerifyOptions::default()
        };
        let proof = eomgen::verify_source(&Source::new("m.eom", &text), &options).unwrap();
        assert_eq!(proof.standing(), eomgen::Standing::Verified, "{method}");
    }
}

#[test]
fn mistakes_are_told_once_and_at_their_place() {
    let told = |line: &str| {
        let text = format!(
            "{PLANE}coord y : m
particle P: mass m at O + x*N.x
body W: frame rotate(N, q, N.z), mass m, center O + x*N.x + y*N.y, inertia m*r^2/2
body V: frame N, mass m, center O + x*N.x, inertia [0, 0, 0]
{line}
"
        );
        let source = Source::new("m.eom", &text);
        match eomgen::internals::input::read_source(&source, &[]) {
            Err(eomgen::Failure::Diagnostics(found)) => {
                eomgen::diagnostics::render_sources(&source.sources(), &found, false)
            }
            other => panic!("{other:?}"),
        }
    };
    for (line, place, words) in [
        ("roll W on plane", "11:6", "`roll W on plane, radius r`"),
        ("roll W on V, radius r", "11:11", "`normal V.y, through P`"),
        (
            "roll P on plane, radius r",
            "11:6",
            "`P` is a particle, not a body",
        ),
        ("roll Q on plane, radius r", "11:6", "there is no body `Q`"),
        (
            "roll W on Q, radius r",
            "11:11",
            "there is no body or frame `Q`",
        ),
        (
            "roll W on V at P, radius r",
            "11:19",
            "leave it out, or leave out `at ..`",
        ),
        ("roll W plane", "11:8", "`roll W on plane, radius r`"),
        ("roll W: on plane", "11:7", "`W.touch` and `W.roll`"),
        (
            "roll W on plane, radius r, radius r",
            "11:28",
            "stated twice",
        ),
        (
            "roll W on plane, r",
            "11:18",
            "`radius`, `axis`, `tube`, `normal` or `through`",
        ),
        ("rolls W on plane", "11:1", "`roll W on plane, radius r`"),
    ] {
        let said = told(line);
        assert!(said.contains(&format!(" --> m.eom:{place}\n")), "{said}");
        assert!(said.contains(words), "{said}");
        assert_eq!(said.matches("error[").count(), 1, "{said}");
    }
}
