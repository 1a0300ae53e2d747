//! Accelerations by divisors that seldom vanish, and by a second function where one of them does: the numbers are right on both sides, and both functions are
//! proven. Against Gauss's principle.
#![cfg(feature = "pipeline")]

use eomgen::internals::input::read_source;
use eomgen::options::{DeriveOptions, VerifyOptions};
use eomgen::{Source, derive_source};
use generated_tests::oracle::{Oracle, State};
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
