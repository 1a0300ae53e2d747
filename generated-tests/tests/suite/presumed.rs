//! Accelerations by divisors that seldom vanish, and by a second function where one of them does: the numbers are right on both sides, and both functions are
//! proven. Against Gauss's principle.
#![cfg(feature = "pipeline")]

use eomgen::internals::input::read_source;
use eomgen::internals::model::system::Rational;
use eomgen::options::{DeriveOptions, Form, VerifyOptions};
use eomgen::{Source, derive_source};
use generated_tests::oracle::{Oracle, State, is_thorough};
use generated_tests::refreshing::variant;
use generated_tests::running::{Job, Ran, Sample, Settings, run};

/// Rods on pins on the ground, each tied to the next by a coupler: loops whose rows give the rates of rod and coupler wherever the two are not in line.
const ROW: &str = "model row_of_rods
const n = 3
param g = 9.81 : m/s^2
param a[0..n] = [0.4, 0.55, 0.45, 0.6] : m > 0
param c[1..n] = [0.5, 0.52, 0.48] : m > 0
param m = 0.7 : kg > 0
param d = 0.5 : m > 0
coord p[0..n] = [1.1, 1.0, 1.2, 0.9] : rad
coord q[1..n] = [0.15, -0.1, 0.2] : rad
input tau : N*m
for i in 0..n {
    frame A[i] = rotate(N, p[i], N.z)
    point T[i] = O + d*i*N.x + a[i]*A[i].x
    body rod[i]: frame A[i], mass m, center O + d*i*N.x + a[i]/3*A[i].x, inertia [0, 0, m*a[i]^2/10]
}
for i in 1..n {
    frame B[i] = rotate(N, q[i], N.z)
    point K[i] = T[i - 1] + c[i]*B[i].x
    body coupler[i]: frame B[i], mass m/2, center T[i - 1] + c[i]/2*B[i].x, inertia [0, 0, m*c[i]^2/24]
    constraint pin[i]: K[i] = T[i]
}
generalized p[0]: tau
gravity: -g*N.y
";

const RODS: [f64; 4] = [0.4, 0.55, 0.45, 0.6];

/// A state with the rods at these angles, the couplers as long as that takes, and these lengths.
fn state(p: [f64; 4], rate: f64) -> (State, [f64; 3]) {
    let tip = |i: usize| {
        let (sin, cos) = p[i].sin_cos();
        [0.5 * i as f64 + RODS[i] * cos, RODS[i] * sin]
    };
    let turned = |i: usize| [-RODS[i] * p[i].sin(), RODS[i] * p[i].cos()];
    let (mut q, mut lengths) = (p.to_vec(), [0.0; 3]);
    let mut rates = vec![rate];
    let mut of_couplers = Vec::new();
    for i in 1..4 {
        let (from, to) = (tip(i - 1), tip(i));
        let d = [to[0] - from[0], to[1] - from[1]];
        let length = d[0].hypot(d[1]);
        let e = [d[0] / length, d[1] / length];
        // The velocities of both ends along the coupler are the same.
        let along = |v: [f64; 2]| v[0] * e[0] + v[1] * e[1];
        let before = turned(i - 1).map(|x| x * rates[i - 1]);
        let own = along(before) / along(turned(i));
        let after = turned(i).map(|x| x * own);
        let gap = [after[0] - before[0], after[1] - before[1]];
        rates.push(own);
        of_couplers.push((gap[1] * e[0] - gap[0] * e[1]) / length);
        q.push(d[1].atan2(d[0]));
        lengths[i - 1] = length;
    }
    let state = State {
        t: 0.0,
        q,
        qd: [rates, of_couplers].concat(),
        inputs: vec![0.8],
    };
    (state, lengths)
}

/// What the accelerations should be.
fn expected(state: &State, lengths: [f64; 3]) -> Vec<f64> {
    let (system, _) = read_source(&Source::new("model.eom", ROW), &[]).unwrap();
    let value = |name: &str| match name {
        "g" => 9.81,
        "m" => 0.7,
        "d" => 0.5,
        _ => {
            let index: usize = name[2..3].parse().unwrap();
            if name.starts_with('a') {
                RODS[index]
            } else {
                lengths[index - 1]
            }
        }
    };
    let params = system.params.iter().map(|p| value(&p.meta.name)).collect();
    let oracle = Oracle {
        system,
        params,
        functions: Vec::new(),
    };
    oracle.expected(state).accelerations
}

fn sample(state: &State, lengths: [f64; 3]) -> Sample {
    let names: Vec<String> = (0..4)
        .map(|i| format!("p[{i}]"))
        .chain((1..4).map(|i| format!("q[{i}]")))
        .collect();
    let rates = names
        .iter()
        .map(|name| format!("{name}'"))
        .zip(state.qd.iter().copied());
    let coupler = |(i, length): (usize, f64)| (format!("c[{}]", i + 1), length);
    Sample {
        state: names
            .iter()
            .cloned()
            .zip(state.q.iter().copied())
            .chain(rates)
            .collect(),
        params: lengths.into_iter().enumerate().map(coupler).collect(),
        inputs: vec![("tau".into(), 0.8)],
        ..Sample::default()
    }
}

#[test]
fn numbers_are_right_where_a_divisor_vanishes_and_where_none_does() {
    let source = Source::new("model.eom", ROW);
    let module = derive_source(&source, &DeriveOptions::default())
        .unwrap()
        .code;
    // The margin as a result.
    let shown = "    fn accelerations_usual(";
    assert!(module.contains(shown), "nothing is presumed");
    let module = module.replace(shown, "    pub fn accelerations_usual(");
    // A rod that lies on the line of the pins, one that hangs at right angles to it, and everything near and between.
    let mut states = Vec::new();
    for p in [0.0, 1e-9, 1e-5, 1e-3, 0.3, std::f64::consts::FRAC_PI_2] {
        states.push(state([1.1, 1.0, p, 0.9], 0.7));
        states.push(state([1.3, p, 1.2, -0.8], -1.1));
    }
    // The third rod at the end of a coupler in line with the second, which it cannot move then, and near that.
    let line = 1.0 + std::f64::consts::PI - (0.5 * 1.0_f64.sin() / 0.45).asin();
    for off in [0.0, 1e-9, 1e-5, 1e-3] {
        states.push(state([1.1, 1.0, line + off, 0.9], 0.7));
    }
    let job = Job {
        module,
        samples: states
            .iter()
            .map(|(s, lengths)| sample(s, *lengths))
            .collect(),
        ..Job::default()
    };
    let folder = std::env::temp_dir().join(format!("eomgen-presumed-{}", std::process::id()));
    let settings = Settings {
        probes: false,
        ..Settings::new(&folder)
    };
    let ran = run(&[job], &settings).unwrap();
    std::fs::remove_dir_all(&folder).ok();
    let [Ran::Values(values)] = ran.as_slice() else {
        panic!("{ran:?}");
    };
    let (mut usual, mut safe) = (0, 0);
    for (k, (state, lengths)) in states.iter().enumerate() {
        let numbers = |function: &str| values.value(k, function).unwrap().outcome.clone().unwrap();
        let (found, expected) = (numbers("accelerations"), expected(state, *lengths));
        let size = expected.iter().fold(0.0_f64, |m, x| m.max(x.abs()));
        for (a, b) in found.iter().zip(&expected) {
            assert!(
                (a - b).abs() < 1e-9 * size,
                "{k}: {found:?} for {expected:?}"
            );
        }
        if numbers("accelerations_usual")
            .last()
            .is_some_and(|margin| *margin > 0.0)
        {
            usual += 1;
        } else {
            safe += 1;
        }
    }
    assert!(
        usual >= 2 && safe >= 2,
        "{usual} by the usual divisors, {safe} without"
    );
}

/// With options that change the code: all of it compiles, and says the same. What has no plain numbers, and what is written for many states, has one way.
#[test]
fn options_change_the_way_and_not_the_numbers() {
    let two_ways = [
        "method=kane form=auto scalar=f32",
        "method=lagrange form=staged math=inline fma=true prefer=operations",
        "method=jourdain form=auto output=speed_rates,gibbs_function fix.m=0.7",
    ];
    let one_way = [
        "method=kane form=auto scalar=generic",
        "method=kane form=auto batch=true only=accelerations",
        "method=kane form=auto plan=newton-euler",
    ];
    let source = Source::new("model.eom", ROW);
    let (regular, lengths) = state([1.1, 1.0, 1.2, 0.9], 0.7);
    let job = |text: &&str| {
        let options = variant(text).unwrap();
        let module = derive_source(&source, &options).unwrap().code;
        let is_two = module.contains("accelerations_usual");
        assert_eq!(is_two, two_ways.contains(text), "{text}");
        Job {
            module,
            samples: vec![sample(&regular, lengths)],
            ..Job::default()
        }
    };
    let all: Vec<&str> = two_ways.iter().chain(&one_way).copied().collect();
    let jobs: Vec<Job> = all.iter().map(job).collect();
    let folder = std::env::temp_dir().join(format!("eomgen-two-ways-{}", std::process::id()));
    let ran = run(&jobs, &Settings::new(&folder)).unwrap();
    std::fs::remove_dir_all(&folder).ok();
    let expected = expected(&regular, lengths);
    let size = expected.iter().fold(0.0_f64, |m, x| m.max(x.abs()));
    for (text, ran) in all.iter().zip(&ran) {
        let Ran::Values(values) = ran else {
            panic!("{text}: {ran:?}");
        };
        assert!(
            values.violations.is_empty(),
            "{text}: {:?}",
            values.violations
        );
        let found = values
            .value(0, "accelerations")
            .unwrap()
            .outcome
            .clone()
            .unwrap();
        let tolerance = if text.contains("f32") { 1e-3 } else { 1e-9 };
        for (a, b) in found.iter().zip(&expected) {
            assert!(
                (a - b).abs() < tolerance * size,
                "{text}: {found:?} for {expected:?}"
            );
        }
    }
}

#[test]
fn both_functions_are_proven() {
    let source = Source::new("model.eom", ROW);
    let module = derive_source(&source, &DeriveOptions::default())
        .unwrap()
        .code;
    let verdict = |text: String| {
        let options = VerifyOptions {
            file: Some(("row.rs".into(), text)),
            ..VerifyOptions::default()
        };
        eomgen::verify_source(&source, &options).unwrap()
    };
    let whole = verdict(module.clone());
    assert!(whole.holds(), "{whole}");
    for (function, from, to) in [
        ("fn accelerations_safe(", " + ", " - "),
        ("fn accelerations_usual(", " - ", " + "),
        ("fn accelerations(", "margin > 0.0", "margin > -1.0"),
    ] {
        let (head, body) = module.split_once(function).unwrap();
        assert!(body.contains(from));
        let changed = format!("{head}{function}{}", body.replacen(from, to, 1));
        let certificate = verdict(changed);
        assert!(!certificate.holds(), "{function}: {certificate}");
    }
}

/// Three arms driven from the ground, with forearms on universal joints that carry a particle.
const DELTA: &str = "model delta
param g = 9.81 : m/s^2
param R = 0.2, r = 0.05, l1 = 0.25, l2 = 0.6 : m > 0
coord x, y : m
coord z = -0.5 : m
coord q[1..3] = 0.4 : rad
coord a[1..3] = 0.1, b[1..3] = 0.2 : rad
input u[1..3] : N*m
point C = O + x*N.x + y*N.y + z*N.z
particle platform: mass 0.8 [kg] at C
for i in 1..3 {
    frame D[i] = rotate(N, 2*pi*i/3, N.z)
    frame U[i] = rotate(D[i], q[i], D[i].y)
    frame F[i] = rotate_body(D[i], yx, a[i], b[i])
    point S[i] = O + R*D[i].x
    point E[i] = S[i] + l1*U[i].x
    body arm[i]: frame U[i], mass 0.9 [kg], center S[i] + l1/2*U[i].x, inertia [0.001 [kg*m^2], 0.006 [kg*m^2], 0.006 [kg*m^2]]
    body fore[i]: frame F[i], mass 0.3 [kg], center E[i] - l2/2*F[i].z, inertia [0.009 [kg*m^2], 0.009 [kg*m^2], 0.0005 [kg*m^2]]
    generalized q[i]: u[i]
    constraint ball[i]: E[i] - l2*F[i].z = C + r*D[i].x
}
gravity: -g*N.z
";

/// A wagon whose axles are both steered: each wheel rolls, by rows along the axes of the ground, and stands on it.
const WAGON: &str = "model wagon
param R = 0.15, h = 0.3, l = 0.7 : m > 0
coord x, y : m
coord z = 0.15 : m
coord yaw, a[1..2], p[1..4] : rad
input drive, column : N*m
frame B = rotate(N, yaw, N.z)
point C = O + x*N.x + y*N.y + z*N.z
point K[1] = C + l/2*B.x
point K[2] = C - l/2*B.x
body chassis: frame B, mass 20 [kg], center C + 0.05 [m]*B.x + 0.2 [m]*B.z, inertia [1.1 [kg*m^2], 2.3 [kg*m^2], 2.9 [kg*m^2]]
for i in 1..2 {
    frame F[i] = rotate(B, a[i], B.z)
    body axle[i]: frame F[i], mass 2 [kg], center K[i] + 0.05 [m]*F[i].z, inertia [0.05 [kg*m^2], 0.04 [kg*m^2], 0.03 [kg*m^2]]
    torque on axle[i], opposite on chassis: column*B.z
    point M[2*i - 1] = K[i] + h*F[i].y
    point M[2*i] = K[i] - h*F[i].y
    frame W[2*i - 1] = rotate(F[i], p[2*i - 1], F[i].y)
    frame W[2*i] = rotate(F[i], p[2*i], F[i].y)
}
for i in 1..4 {
    body wheel[i]: frame W[i], mass 1.5 [kg], center M[i], inertia [0.009 [kg*m^2], 0.017 [kg*m^2], 0.009 [kg*m^2]]
    constraint rolls[i]: vel_at(wheel[i], M[i] - R*N.z) = 0
    constraint height[i]: dot(M[i] - O, N.z) = R
}
generalized p[1]: drive
gravity: -9.81 [m/s^2]*N.z
";

/// Rods tied by couplers without mass: the mass matrix is singular, and the rows say what it does not.
const LIGHT: &str = "model light_couplers
param g = 9.81 : m/s^2
param c = 0.5 : m > 0
param a = 0.4 : m > 0
param m = 0.7 : kg > 0
coord p[0..3] = [1.1, 1.0, 1.2, 0.9] : rad
coord q[1..3] = [0.15, -0.1, 0.2] : rad
input tau : N*m
for i in 0..3 {
    frame A[i] = rotate(N, p[i], N.z)
    point T[i] = O + 0.5 [m]*i*N.x + a*A[i].x
    body rod[i]: frame A[i], mass m, center O + 0.5 [m]*i*N.x + a/3*A[i].x, inertia [0, 0, m*a^2/10]
}
for i in 1..3 {
    frame B[i] = rotate(N, q[i], N.z)
    constraint pin[i]: T[i - 1] + c*B[i].x = T[i]
}
generalized p[0]: tau
gravity: -g*N.y
";

/// A tricycle whose chassis has six coordinates, three of which the heights of its wheels hold.
const TRICYCLE: &str = "model tricycle
param r = 0.3, b = 0.4, l = 1.2 : m > 0
coord x, y : m
coord z = 0.3 : m
coord yaw, pitch, roll, steer, s[1..3] : rad
input column, drive : N*m
frame B = rotate_body(N, zyx, yaw, pitch, roll)
frame F = rotate(B, steer, B.z)
point R = O + x*N.x + y*N.y + z*N.z
point K = R + l*B.x
point W[1] = R + b*B.y
point W[2] = R - b*B.y
point W[3] = K
body chassis: frame B, mass 60 [kg], center R + 0.5 [m]*B.x + 0.3 [m]*B.z, inertia [3 [kg*m^2], 5 [kg*m^2], 6 [kg*m^2], 0.1 [kg*m^2], -0.2 [kg*m^2], 0.3 [kg*m^2]]
body fork: frame F, mass 3 [kg], center K, inertia [0.1 [kg*m^2], 0.1 [kg*m^2], 0.05 [kg*m^2]]
frame V[1] = rotate(B, s[1], B.y)
frame V[2] = rotate(B, s[2], B.y)
frame V[3] = rotate(F, s[3], F.y)
for i in 1..3 {
    body wheel[i]: frame V[i], mass 2 [kg], center W[i], inertia [0.05 [kg*m^2], 0.09 [kg*m^2], 0.05 [kg*m^2]]
    constraint rolls[i]: vel_at(wheel[i], W[i] - r*N.z) = 0
    constraint height[i]: dot(W[i] - O, N.z) = r
}
gravity: -9.81 [m/s^2]*N.z
torque on fork, opposite on chassis: column*B.z
torque on wheel[3], opposite on fork: drive*F.y
";

/// A sledge on three skids, with a pendulum on its mast: no wheel, and no row between velocities but that of the blade in front.
const SLEDGE: &str = "model sledge
param w = 0.3 : m
coord x, y : m
coord z = 0.3 : m
coord yaw, pitch, roll, swing : rad
input thrust : N
frame B = rotate_body(N, zyx, yaw, pitch, roll)
point P = O + x*N.x + y*N.y + z*N.z
body box: frame B, mass 4 [kg], center P, inertia [0.2 [kg*m^2], 0.3 [kg*m^2], 0.4 [kg*m^2], 0.01 [kg*m^2], 0.02 [kg*m^2], -0.01 [kg*m^2]]
frame A = rotate(B, swing, B.y)
particle bob: mass 0.5 [kg] at P + 0.4 [m]*B.x + 0.2 [m]*B.z - 0.2 [m]*A.z
point S[1] = P + 0.5 [m]*B.x - 0.3 [m]*B.z
point S[2] = P - 0.4 [m]*B.x + w*B.y - 0.3 [m]*B.z
point S[3] = P - 0.4 [m]*B.x - w*B.y - 0.3 [m]*B.z
for i in 1..3 {
    constraint height[i]: dot(S[i] - O, N.z) = 0
}
constraint blade: dot(vel(S[1]), B.y) = 0
gravity: -9.81 [m/s^2]*N.z
force on P: thrust*B.x
";

/// By the machine's own axes: what a leg, an arm or a wheel has for itself goes first, row by row. The operations are those of a person's
/// program, or some more.
/// A base by a quaternion on two legs, its six speeds declared: as many as there are freedoms, so nothing is left to presume.
const LEGS: &str = "model legs
coord px, py, pz
coord e0 = 1, e1, e2, e3
coord q[1..6] = 0.4
input tau[1..6]
frame B = quaternion(N, e0, e1, e2, e3)
point G = O + px*N.x + py*N.y + pz*N.z
body base: frame B, mass 10, center G, inertia [0.1, 0.2, 0.3]
gravity: -9.81*N.z
frame A1 = rotate(B, q[1], B.x)
frame K1 = rotate(A1, q[2], A1.y)
frame L1 = rotate(K1, q[3], A1.y)
point F1 = G + 0.2*B.x + 0.1*B.y + 0.05*A1.y - 0.2*K1.z - 0.2*L1.z
frame A2 = rotate(B, q[4], B.x)
frame K2 = rotate(A2, q[5], A2.y)
frame L2 = rotate(K2, q[6], A2.y)
point F2 = G + 0.2*B.x - 0.1*B.y - 0.05*A2.y - 0.2*K2.z - 0.2*L2.z
constraint f1: vel(F1) = 0
constraint f2: vel(F2) = 0
speed vx = dot(vel(G), B.x)
speed vy = dot(vel(G), B.y)
speed vz = dot(vel(G), B.z)
speed wx = dot(angvel(B), B.x)
speed wy = dot(angvel(B), B.y)
speed wz = dot(angvel(B), B.z)
for i in 1..6 {
 generalized q[i]: tau[i]
}
";

/// A base by a quaternion that stands on a leg, the foot held by its velocity, with an arm.
const STANDING: &str = "model standing
param l = 0.3, g = 9.81
coord x, y
coord z = 0.5
coord e0 = 1, e1, e2, e3
coord q[1..3] = 0.4
coord p = -0.3
input T[1..3]
frame B = quaternion(N, e0, e1, e2, e3)
point G = O + x*N.x + y*N.y + z*N.z
body base: frame B, mass 8, center G, inertia [0.1, 0.2, 0.25, 0.01, -0.02, 0.015]
speed vx = dot(vel(G), B.x)
speed vy = dot(vel(G), B.y)
speed vz = dot(vel(G), B.z)
speed wx = dot(angvel(B), B.x)
speed wy = dot(angvel(B), B.y)
speed wz = dot(angvel(B), B.z)
frame H = rotate(B, q[1], B.x)
frame U = rotate(H, q[2], H.y)
frame L = rotate(U, q[3], U.y)
point J = G + 0.2*B.x + 0.1*B.y
point K = J + 0.05*H.y - l*U.z
point F = K - l*L.z
point CU = J + 0.05*H.y - 0.12*U.z
point CL = K - 0.1*L.z
body thigh: frame U, mass 1, center CU, inertia [0.01, 0.012, 0.002]
body shank: frame L, mass 0.5, center CL, inertia [0.005, 0.006, 0.001]
frame A = rotate(B, p, B.y)
point C = G - 0.1*B.x + 0.2*A.z
body arm: frame A, mass 0.8, center C, inertia [0.01, 0.011, 0.002]
constraint foot: vel(F) = 0
generalized q[1]: T[1]
generalized q[2]: T[2]
generalized q[3]: T[3]
gravity: -g*N.z
";

/// Rows between velocities, of a machine whose speeds are those of its base: no more operations than a person would take, and the accelerations by Gauss's principle.
#[test]
fn feet_that_are_held() {
    let all = [(LEGS, 1_500, false), (STANDING, 1_800, true)];
    let some = if is_thorough() { &all[..] } else { &all[..1] };
    for &(text, most, presumes) in some {
        let source = Source::new("model.eom", text);
        let options = DeriveOptions::default();
        let costs = eomgen::evaluator_source(&source, &options).unwrap().costs();
        let own = costs.iter().find(|(output, _)| output == "accelerations");
        let operations = own.unwrap().1.total();
        assert!(operations <= most, "{operations} operations: {text}");
        let module = derive_source(&source, &options).unwrap().code;
        assert_eq!(module.contains("fn accelerations_usual("), presumes);
        let around = generated_tests::oracle::Settings {
            methods: vec!["kane"],
            forms: vec![Form::Staged],
            in_turn: false,
            spread: 0.1,
            ..Default::default()
        };
        generated_tests::oracle::check(text, &around).unwrap();
    }
}

#[test]
fn machines_of_each_kind_have_a_usual_way() {
    let folder = std::env::temp_dir().join(format!("eomgen-kinds-{}", std::process::id()));
    let settings = Settings {
        probes: false,
        ..Settings::new(&folder)
    };
    let kinds = [
        ("delta", DELTA, 800),
        ("wagon", WAGON, 260),
        ("light couplers", LIGHT, 200),
        ("tricycle", TRICYCLE, 210),
        ("sledge", SLEDGE, 120),
    ];
    let (mut jobs, mut wanted) = (Vec::new(), Vec::new());
    for (name, text, most) in kinds {
        let source = Source::new("model.eom", text);
        let options = DeriveOptions::default();
        let costs = eomgen::evaluator_source(&source, &options).unwrap().costs();
        let own = costs.iter().find(|(output, _)| output == "accelerations");
        let operations = own.unwrap().1.total();
        assert!(operations <= most, "{name}: {operations} operations");
        let module = derive_source(&source, &options).unwrap().code;
        let shown = "    fn accelerations_usual(";
        assert!(module.contains(shown), "{name}: nothing is presumed");
        if name == "wagon" {
            // With multipliers of least norm, where wheels say the same.
            let options = VerifyOptions {
                file: Some(("wagon.rs".into(), module.clone())),
                ..VerifyOptions::default()
            };
            let certificate = eomgen::verify_source(&source, &options).unwrap();
            assert!(certificate.holds(), "{certificate}");
        }
        let oracle = oracle(&source);
        let states = ordinary(&oracle);
        wanted.push(
            states
                .iter()
                .map(|s| oracle.expected(s).accelerations)
                .collect::<Vec<_>>(),
        );
        jobs.push(Job {
            module: module.replace(shown, "    pub fn accelerations_usual("),
            samples: states.iter().map(|s| stated(&oracle, s)).collect(),
            ..Job::default()
        });
    }
    let ran = run(&jobs, &settings).unwrap();
    std::fs::remove_dir_all(&folder).ok();
    for ((ran, expected), (name, ..)) in ran.iter().zip(&wanted).zip(kinds) {
        let Ran::Values(values) = ran else {
            panic!("{name}: {ran:?}");
        };
        let mut usual = 0;
        for (k, expected) in expected.iter().enumerate() {
            let numbers = |of: &str| values.value(k, of).unwrap().outcome.clone().unwrap();
            let size = expected.iter().fold(0.0_f64, |m, x| m.max(x.abs()));
            for (a, b) in numbers("accelerations").iter().zip(expected) {
                assert!(
                    (a - b).abs() < 1e-9 * size,
                    "{name}, state {k}: {a} for {b}"
                );
            }
            let quick = numbers("accelerations_usual");
            if quick.last().is_some_and(|margin| *margin > 0.0) {
                usual += 1;
            }
        }
        assert!(
            2 * usual > expected.len(),
            "{name}: {usual} states of {}",
            expected.len()
        );
    }
}

/// Pitch, roll and height of a vehicle on wheels do not change: where they do, the other function is followed, and where nothing moves, this one.
#[test]
fn what_is_taken_to_stand_still_is_looked_at() {
    let folder = std::env::temp_dir().join(format!("eomgen-still-{}", std::process::id()));
    let settings = Settings {
        probes: false,
        ..Settings::new(&folder)
    };
    let source = Source::new("model.eom", TRICYCLE);
    let module = derive_source(&source, &DeriveOptions::default())
        .unwrap()
        .code;
    let certificate = VerifyOptions {
        file: Some(("tricycle.rs".into(), module.clone())),
        ..VerifyOptions::default()
    };
    let certificate = eomgen::verify_source(&source, &certificate).unwrap();
    assert!(certificate.holds(), "{certificate}");
    let oracle = oracle(&source);
    let whole = ordinary(&oracle).swap_remove(0);
    let (pitch, z) = (4, 2);
    let changed = |change: &dyn Fn(&mut State)| {
        let mut state = whole.clone();
        change(&mut state);
        state
    };
    // What is changed, and whether the quick function is followed.
    let cases: [(&str, State, bool); 6] = [
        ("on the constraints", whole.clone(), true),
        ("at rest", changed(&|s| s.qd.fill(0.0)), true),
        ("a little pitched", changed(&|s| s.q[pitch] = 1e-9), false),
        ("pitching", changed(&|s| s.qd[pitch] = 1e-9), false),
        ("rising", changed(&|s| s.qd[z] = 1e-9), false),
        (
            "rising alone",
            changed(&|s| {
                s.qd.fill(0.0);
                s.qd[z] = 1e-9;
            }),
            false,
        ),
    ];
    let public = |module: String, name: &str| {
        module.replace(&format!("    fn {name}("), &format!("    pub fn {name}("))
    };
    let names = ["accelerations_usual", "accelerations_safe"];
    let job = Job {
        module: names.into_iter().fold(module, public),
        samples: { cases.iter() }
            .map(|(_, s, _)| stated(&oracle, s))
            .collect(),
        ..Job::default()
    };
    let ran = run(&[job], &settings).unwrap();
    std::fs::remove_dir_all(&folder).ok();
    let [Ran::Values(values)] = ran.as_slice() else {
        panic!("{ran:?}");
    };
    for (k, (what, state, quick)) in cases.iter().enumerate() {
        let numbers = |of: &str| values.value(k, of).unwrap().outcome.clone().unwrap();
        let found = numbers("accelerations");
        let usual = numbers("accelerations_usual");
        let (margin, usual) = usual.split_last().unwrap();
        assert_eq!(*margin > 0.0, *quick, "{what}: {margin}");
        let own = if *quick {
            usual.to_vec()
        } else {
            numbers("accelerations_safe")
        };
        assert_eq!(found, own, "{what}");
        if *quick {
            let expected = oracle.expected(state).accelerations;
            let size = expected.iter().fold(0.0_f64, |m, x| m.max(x.abs()));
            for (a, b) in found.iter().zip(&expected) {
                assert!((a - b).abs() < 1e-9 * size, "{what}: {a} for {b}");
            }
        }
    }
}

/// Of a sledge with its rear skids in one place the roll is free: the function that takes it for held is not followed, and the other one says that two rows
/// depend on one another.
#[test]
fn what_a_parameter_lets_go_does_not_stand_still() {
    let folder = std::env::temp_dir().join(format!("eomgen-free-{}", std::process::id()));
    let settings = Settings {
        probes: false,
        ..Settings::new(&folder)
    };
    let source = Source::new("model.eom", SLEDGE);
    let module = derive_source(&source, &DeriveOptions::default())
        .unwrap()
        .code;
    let shown = "    fn accelerations_usual(";
    assert!(module.contains(shown));
    let mut oracle = oracle(&source);
    let state = ordinary(&oracle).swap_remove(0);
    let (roll, widths) = (5, [0.3, 0.0]);
    let job = Job {
        module: module.replace(shown, "    pub fn accelerations_usual("),
        samples: widths
            .map(|w| Sample {
                params: vec![("w".to_owned(), w)],
                ..stated(&oracle, &state)
            })
            .to_vec(),
        ..Job::default()
    };
    let ran = run(&[job], &settings).unwrap();
    std::fs::remove_dir_all(&folder).ok();
    let [Ran::Values(values)] = ran.as_slice() else {
        panic!("{ran:?}");
    };
    for (k, width) in widths.into_iter().enumerate() {
        oracle.params[0] = width;
        let expected = oracle.expected(&state).accelerations;
        assert_eq!(expected[roll].abs() > 1e-3, width == 0.0, "{expected:?}");
        let numbers = |of: &str| values.value(k, of).unwrap().outcome.clone().unwrap();
        let margin = *numbers("accelerations_usual").last().unwrap();
        assert_eq!(margin > 0.0, width > 0.0, "{margin}");
        let found = values.value(k, "accelerations").unwrap().outcome.clone();
        if width == 0.0 {
            let Err(failure) = found else {
                panic!("{found:?} where two rows say the same");
            };
            let said = format!("{failure:?}");
            assert!(said.contains("depends on the others"), "{said}");
            continue;
        }
        let size = expected.iter().fold(0.0_f64, |m, x| m.max(x.abs()));
        for (a, b) in found.unwrap().iter().zip(&expected) {
            assert!((a - b).abs() < 1e-9 * size, "{a} for {b}");
        }
    }
}

fn number(of: &Rational) -> f64 {
    let part = |s: String| s.parse::<f64>().unwrap();
    part(of.numer().to_string()) / part(of.denom().to_string())
}

/// The oracle of a model with its default parameters.
fn oracle(source: &Source) -> Oracle {
    let (system, _) = read_source(source, &[]).unwrap();
    let params = system.params.iter();
    let params = params
        .map(|p| number(p.default.as_ref().unwrap()))
        .collect();
    Oracle {
        system,
        params,
        functions: Vec::new(),
    }
}

/// States around the one at which the machine is to begin.
fn ordinary(oracle: &Oracle) -> Vec<State> {
    let system = &oracle.system;
    let drawn = |k: usize, i: usize| ((k * 37 + i * 13) as f64 * 0.61).sin();
    let initial: Vec<f64> = { system.coords.iter() }
        .map(|c| c.initial.as_ref().map_or(0.0, number))
        .collect();
    let start = |k: usize| State {
        t: 0.0,
        q: { initial.iter().enumerate() }
            .map(|(i, x)| x + 0.15 * drawn(k, i))
            .collect(),
        qd: (0..initial.len()).map(|i| drawn(k, i + 50)).collect(),
        inputs: (0..system.inputs.len()).map(|i| drawn(k, i + 90)).collect(),
    };
    let found: Vec<State> = (0..10).filter_map(|k| oracle.settle(&start(k))).collect();
    assert!(found.len() >= 6);
    found
}

/// A state by the names of the model.
fn stated(oracle: &Oracle, s: &State) -> Sample {
    let system = &oracle.system;
    let names: Vec<String> = system.coords.iter().map(|c| c.meta.name.clone()).collect();
    let rates = names.iter().map(|name| format!("{name}'"));
    let inputs = system.inputs.iter().map(|c| c.meta.name.clone());
    Sample {
        state: { names.iter().cloned().zip(s.q.iter().copied()) }
            .chain(rates.zip(s.qd.iter().copied()))
            .collect(),
        inputs: inputs.zip(s.inputs.iter().copied()).collect(),
        ..Sample::default()
    }
}

/// A ball that rolls in a ball on a turntable: rows of which some depend on others, by the state.
const BALL: &str = "model ball_in_a_ball
param l1 = 0.3 > 0
param l2 = 1 > 0
coord x3
coord y4
coord z5
point C6 = O + x3*N.x + y4*N.y + z5*N.z
param Om7 = 0.21
frame T8 = rotate(N, Om7*t, N.z)
coord r9
coord r10
coord r11
frame B12 = rotate(N, r9, N.z)
frame B13 = rotate(B12, r10, B12.x)
frame B14 = rotate(B13, r11, B13.y)
param m15 = 0.97 > 0
param J17 = 1.73 > 0
param J18 = 1.25 > 0
param J19 = 1.05 > 0
param J20 = 0.07
param J21 = 0.29
param J22 = -0.27
body W16: frame B14, mass m15, center C6, inertia [J17, J18, J19, J20, J21, J22]
point P23 = contact_sphere(C6, l1, unit(-(C6 - O)))
constraint touch24: norm(C6 - O) = l2 - l1
constraint roll25: vel_at(W16, P23) = vel_at(T8, P23)
param g26 = 1.29
gravity: -g26*N.z
param c27 = 2.36
damper damper28: on z5, damping c27
function fun29(y4, t)
generalized y4: fun29
param a30 = 2.3
param a31 = -1.7
point Z32 = O + a30*N.x + a31*N.y
param k33 = 0.78
param l34 = 1.65
param c35 = 0.50
spring spring36: from Z32 to C6, stiffness k33, length l34, damping c35
output o37 = dt(C6 - O, N)
output o38 = angvel(B14)
";

/// The usual plan divides by the cosine of the third angle, and what it is made of stands in no function that does not look at the margin.
#[test]
fn other_functions_hold_nothing_of_the_usual_plan() {
    let options = DeriveOptions {
        method: Some("lagrange".into()),
        ..variant("method=lagrange form=auto output=standard").unwrap()
    };
    let module = derive_source(&Source::new("model.eom", BALL), &options)
        .unwrap()
        .code;
    let body = |name: &str| {
        let (_, rest) = module.split_once(&format!("fn {name}(")).unwrap();
        rest.split_once("\n    }\n").unwrap().0.to_owned()
    };
    let divided = |name: &str| body(name).contains("/ cos_r11");
    assert!(divided("accelerations_usual"));
    assert!(!divided("gibbs_function"));
    assert!(!divided("multipliers"));
}
