//! Platforms on legs, stated in many ways: what the legs' rates are solved by, at which states that fails, against the same machine with all rows kept, and
//! against numbers from elsewhere; and how long the modules are.
#![cfg(feature = "pipeline")]

use eomgen::options::DeriveOptions;
use eomgen::{EvalInput, Evaluator, Source, evaluator_source};
use std::fmt::Write;
use std::path::PathBuf;

/// How a platform and its legs are written.
#[derive(Clone, Copy)]
struct Statement {
    legs: usize,
    /// Coordinates of the platform's orientation, and its frame.
    turned: [&'static str; 2],
    /// How a leg is turned: axes of its two angles.
    universal: &'static str,
    /// In whose axes the declared angular velocity is; none without declared speeds.
    spin: Option<&'static str>,
}

const EULER: [&str; 2] = [
    "coord roll, pitch, yaw : rad",
    "rotate_body(N, zyx, yaw, pitch, roll)",
];
const CARDAN: [&str; 2] = [
    "coord roll, pitch, yaw : rad",
    "rotate_body(N, xyz, roll, pitch, yaw)",
];
const QUATERNION: [&str; 2] = ["coord e0 = 1, e1, e2, e3", "quaternion(N, e0, e1, e2, e3)"];

impl Statement {
    /// Where all angles are 0 and all legs upright the constraints hold.
    fn text(self) -> String {
        let (n, [angles, frame]) = (self.legs, self.turned);
        let list = |step: f64, start: f64| {
            let each = (0..n).map(|i| format!("{} [deg]", start + step * i as f64));
            each.collect::<Vec<_>>().join(", ")
        };
        let legs = vec!["0.9"; n].join(", ");
        let mut text = format!(
            "model platform\nparam r = 0.4 : m > 0\nparam ab[1..{n}] = [{}] : rad\nparam M = 8, m1 = 1.1, m2 = 0.7 : kg > 0\n\
             param I1 = 0.3, I2 = 0.35, I3 = 0.6, J1 = 0.03, J2 = 0.032, J3 = 0.004, K1 = 0.02, K2 = 0.021, K3 = 0.002 : kg*m^2 > 0\nparam g = 9.81 : m/s^2\n\
             coord x, y : m\ncoord z = 0.9 : m\n{angles}\ncoord al[1..{n}], be[1..{n}] : rad\ncoord s[1..{n}] = [{legs}] : m > 0\ninput f[1..{n}] : N\n\
             frame B = {frame}\npoint P = O + x*N.x + y*N.y + z*N.z\nbody platform: frame B, mass M, center P, inertia [I1, I2, I3]\n",
            list(61.0, 15.0),
        );
        let universal = self.universal;
        let _ = write!(
            text,
            "for i in 1..{n} {{\n  frame V[i] = rotate(N, ab[i], N.z)\n  frame W[i] = rotate(B, ab[i], B.z)\n  point A[i] = O + r*V[i].x\n\
             \x20 frame L[i] = rotate_body(V[i], {universal}, al[i], be[i])\n  point E[i] = A[i] + s[i]*L[i].z\n  point G[i] = A[i] + 0.25 [m]*L[i].z\n\
             \x20 point H[i] = A[i] + (s[i] - 0.2 [m])*L[i].z\n  body leg[i]: frame L[i], mass m1, center G[i], inertia [J1, J2, J3]\n\
             \x20 body rod[i]: frame L[i], mass m2, center H[i], inertia [K1, K2, K3]\n  generalized s[i]: f[i]\n  constraint ball[i]: E[i] = P + r*W[i].x\n}}\ngravity: -g*N.z\n"
        );
        if let Some(axes) = self.spin {
            for axis in ["x", "y", "z"] {
                let _ = writeln!(text, "speed v{axis} = dot(vel(P), N.{axis})");
            }
            for axis in ["x", "y", "z"] {
                let _ = writeln!(text, "speed w{axis} = dot(angvel(B), {axes}.{axis})");
            }
        }
        text
    }

    fn evaluator(self) -> Evaluator {
        evaluator(&self.text())
    }
}

fn evaluator(text: &str) -> Evaluator {
    let source = Source::new("platform.eom", text);
    evaluator_source(&source, &DeriveOptions::default()).unwrap()
}

fn named(list: &[(&str, f64)]) -> impl Iterator<Item = (String, f64)> {
    let owned: Vec<(String, f64)> = (list.iter())
        .map(|(name, value)| ((*name).to_owned(), *value))
        .collect();
    owned.into_iter()
}

/// The pose at which all legs are upright.
fn upright(legs: usize) -> EvalInput {
    let mut input = EvalInput::default();
    let places = ["x", "y", "z", "roll", "pitch", "yaw"];
    let places = places.map(|name| (name, if name == "z" { 0.9 } else { 0.0 }));
    input.q.extend(named(&places));
    for i in 1..=legs {
        input.q.extend([
            (format!("al[{i}]"), 0.0),
            (format!("be[{i}]"), 0.0),
            (format!("s[{i}]"), 0.9),
        ]);
        input
            .inputs
            .insert(format!("f[{i}]"), 20.0 + 3.0 * i as f64);
    }
    input
}

/// At a pose at which everything is upright, which pivots of the legs' rows in the axes of the ground do not survive.
#[test]
fn upright_legs_are_regular() {
    let stated = Statement {
        legs: 2,
        turned: EULER,
        universal: "xy",
        spin: Some("B"),
    };
    let own = stated.evaluator();
    let conditions = own.conditions();
    let expected = ["cos(pitch) = 0", "cos(be[1]) = 0", "cos(be[2]) = 0"];
    for text in expected {
        assert!(
            conditions.iter().any(|c| c.starts_with(text)),
            "{conditions:#?}"
        );
    }
    let divisors = conditions.iter().filter(|c| c.ends_with(" = 0"));
    assert_eq!(divisors.count(), expected.len(), "{conditions:#?}");
    let ([vx, vy, vz], [wx, wy, wz]) = ([0.3, -0.2, 0.25], [0.5, -0.4, 0.7]);
    let mut input = upright(2);
    let speeds = [
        ("vx", vx),
        ("vy", vy),
        ("vz", vz),
        ("wx", wx),
        ("wy", wy),
        ("wz", wz),
    ];
    input.speeds = Some(named(&speeds).collect());
    let found = own.eval(&input).unwrap();
    // The same machine in the rates of its coordinates, with all rows kept.
    let kept = Statement {
        spin: None,
        ..stated
    };
    let kept = kept.evaluator();
    let mut rates: Vec<(String, f64)> = named(&[
        ("x", vx),
        ("y", vy),
        ("z", vz),
        ("roll", wx),
        ("pitch", wy),
        ("yaw", wz),
    ])
    .collect();
    for i in 1..=2 {
        // The end of an upright leg moves by s' z + s (be' x - al' y), x and y turned with its foot.
        let (sine, cosine) = f64::to_radians(15.0 + 61.0 * (i - 1) as f64).sin_cos();
        let [x, y] = [0.4 * cosine, 0.4 * sine];
        let end = [vx - wz * y, vy + wz * x, vz + wx * y - wy * x];
        rates.push((format!("al[{i}]"), (end[0] * sine - end[1] * cosine) / 0.9));
        rates.push((format!("be[{i}]"), (end[0] * cosine + end[1] * sine) / 0.9));
        rates.push((format!("s[{i}]"), end[2]));
    }
    input.speeds = None;
    input.qdot = Some(rates.into_iter().collect());
    let other = kept.eval(&input).unwrap();
    let size = other.qddot.iter().fold(1.0_f64, |m, x| m.max(x.1.abs()));
    for (a, b) in found.qddot.iter().zip(&other.qddot) {
        assert!((a.1 - b.1).abs() < 1e-12 * size, "{a:?} {b:?}");
    }
    for (a, b) in found.multipliers.iter().zip(&other.multipliers) {
        assert!((a.1 - b.1).abs() < 1e-11 * size, "{a:?} {b:?}");
    }
    let costs = own.costs();
    let cost = costs.iter().find(|(name, _)| name == "accelerations");
    let count = cost.unwrap().1.total();
    assert!(count <= 1_250, "{count} operations");
}

/// Six legs, with the numbers of the platform in `robots`.
#[test]
#[ignore = "three minutes: cargo test --workspace -- --include-ignored legs"]
fn declared_speeds_give_the_same_motion() {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("robots");
    let mut text = std::fs::read_to_string(path.join("stewart_quat.eom")).unwrap();
    for axis in ["x", "y", "z"] {
        let _ = writeln!(text, "speed v{axis} = dot(vel(C), P.{axis})");
    }
    for axis in ["x", "y", "z"] {
        let _ = writeln!(text, "speed w{axis} = dot(angvel(P), P.{axis})");
    }
    let platform = evaluator(&text);
    let reference = std::fs::read_to_string(path.join("stewart_quat.json")).unwrap();
    let reference: serde_json::Value = serde_json::from_str(&reference).unwrap();
    let coordinates = reference["coordinates"].as_array().unwrap().iter();
    let coordinates: Vec<String> = coordinates
        .map(|c| c.as_str().unwrap().to_owned())
        .collect();
    for state in reference["states"].as_array().unwrap() {
        let by_name = |key: &str| {
            let values = state[key].as_array().unwrap().iter();
            let values = values.map(|x| x.as_f64().unwrap());
            coordinates.iter().cloned().zip(values)
        };
        let inputs = state["inputs"].as_object().unwrap().iter();
        let input = EvalInput {
            q: by_name("q").collect(),
            qdot: Some(by_name("qd").collect()),
            inputs: inputs
                .map(|(name, x)| (name.clone(), x.as_f64().unwrap()))
                .collect(),
            ..EvalInput::default()
        };
        let found = platform.eval(&input).unwrap();
        let size = by_name("qdd").fold(0.0_f64, |m, x| m.max(x.1.abs()));
        for (name, expected) in by_name("qdd") {
            let value = found.qddot.iter().find(|(n, _)| *n == name).unwrap().1;
            assert!(
                (value - expected).abs() < 1e-11 * size,
                "{name}: {value} for {expected}"
            );
        }
    }
}

/// A module with the functions that it has by default, of six legs in any statement.
#[test]
#[ignore = "three minutes: cargo test --workspace -- --include-ignored legs"]
fn modules_of_six_legs_are_short() {
    let all = [
        (EULER, "xy", Some("B")),
        (CARDAN, "yx", Some("N")),
        (QUATERNION, "xy", Some("B")),
        (EULER, "xy", None),
        (QUATERNION, "yx", None),
    ];
    for (turned, universal, spin) in all {
        let statement = Statement {
            legs: 6,
            turned,
            universal,
            spin,
        };
        let code = eomgen::derive("platform.eom", &statement.text(), &DeriveOptions::default());
        let lines = code.unwrap().code.lines().count();
        println!("{} {universal} {spin:?}: {lines} lines", turned[1]);
        assert!(lines <= 8_000, "{lines} lines");
    }
}
